"""Promises of the files of reading lists in a built site: where they are, what is in them, when they are made again."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import bibtexparser
import pytest
import rispy

Site = Callable[..., Path]
Build = Callable[..., Path]
Tree = Callable[[Path], dict[str, bytes]]

SHOW = """
    title: "Quiet Hours"
    description: "Talks about the night."
    language: {language}
    author: "Ada Reef"
    url: https://example.org/quiet/
    artwork: static/artwork.jpg
    categories: [Technology]
    guid: 917393e3-1b1e-5cef-ace4-edaa54e1f810
    people: {{ada: {{name: "Ada Reef", role: Host}}}}
    search: false
    theme: {{cards: false}}
    paths: [{{id: all, title: Everything, episodes: [tides, owls]}}, {{id: silent, title: Silence, episodes: [moss]}}]
"""


def episode(title: str, day: int, *readings: str) -> str:
    """An episode file."""
    listed = "".join(f"\n  - {reading}" for reading in readings)
    return (
        f'title: "{title}"\npublished: 2025-03-{day:02}\nsummary: "Dark."\ntopics: [{"Sea" if day == 1 else "Land"}]\n'
        f"people: [ada]\nfurther_reading:{listed or ' []'}\n"
        f"audio: {{url: 'https://cdn.example.com/{day}.mp3', length: 1000000, duration: 60}}\n"
    )


FILES = {
    "show.yaml": SHOW.format(language="en"),
    "episodes/001-first-night.yaml": None,
    "episodes/001-first-night.mp3": None,
    "episodes/001-tides.yaml": episode(
        "Tides",
        1,
        "{title: Of tides, url: 'https://arxiv.org/abs/1901.00001', kind: paper, authors: [Bo Lim], year: 2019}",
    ),
    "episodes/002-owls.yaml": episode(
        "Owls", 2, "https://arxiv.org/pdf/1901.00001v2", "{title: 'Owls & {mice}', url: 'https://example.com/owls'}"
    ),
    "episodes/003-dew.yaml": episode("Dew", 3, "{title: Dew, url: 'https://example.com/dew', kind: book}"),
    "episodes/004-moss.yaml": episode("Moss", 4),
}


@pytest.fixture(scope="session")
def output(shared: Callable[..., Path], written: Build) -> Path:
    """A built site with readings, for tests that change nothing of it."""
    return shared("exports", lambda folder: written(folder, FILES)) / "output"


def exports(files: dict[str, bytes]) -> set[str]:
    """The lists there are, by address."""
    found = [path for path in files if re.fullmatch(r"(.*/)?reading\.(bib|json|ris|md)", path)]
    addresses = {path.rpartition("reading.")[0] for path in found}
    assert sorted(found) == sorted(
        f"{one}reading.{ending}" for one in addresses for ending in ("bib", "json", "ris", "md")
    )
    return addresses


def test_there_are_lists_of_all_that_recommends_something(output: Path, tree: Tree) -> None:
    """Of everything, of episodes, topics and paths, each work once in each under one key."""
    files = tree(output)
    assert exports(files) == {
        "",
        "episodes/tides/",
        "episodes/owls/",
        "episodes/dew/",
        "topics/sea/",
        "topics/land/",
        "start/all/",
    }
    for address, keys in {
        "": ["lim2019tides", "exampleowls", "exampledew"],
        "episodes/tides/": ["lim2019tides"],
        "episodes/owls/": ["lim2019tides", "exampleowls"],
        "topics/land/": ["lim2019tides", "exampleowls", "exampledew"],
        "start/all/": ["lim2019tides", "exampleowls"],
    }.items():
        library = bibtexparser.parse_string(files[f"{address}reading.bib"].decode())
        assert [entry.key for entry in library.entries] == keys
        assert [one["id"] for one in json.loads(files[f"{address}reading.json"])] == keys
        assert [one["id"] for one in rispy.loads(files[f"{address}reading.ris"].decode())] == keys
        assert files[f"{address}reading.md"].count(b"\n- ") == len(keys)


def test_pages_lead_to_their_lists(output: Path, tree: Tree) -> None:
    """By links relative to them."""
    files = tree(output)
    for page, link in (
        ("reading/", b'href="../reading.bib" download'),
        ("episodes/owls/", b'href="reading.ris" download'),
        ("topics/land/", b'href="reading.json" download'),
        ("start/all/", b'href="reading.md" download'),
    ):
        assert link in files[f"{page}index.html"], page
    for page in ("episodes/moss/", "start/silent/"):
        assert b"reading.bib" not in files[f"{page}index.html"]


def test_a_list_is_made_again_when_it_says_something_else(site: Site, build: Build, tree: Tree) -> None:
    """And equals one made from nothing; all others are not looked at."""
    before = tree(build(root := site(FILES)))
    file = root / "episodes/001-tides.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("Of tides", "Of the tides"), encoding="utf-8")
    after = tree(build(root))
    changed = {path.rpartition("reading.")[0] for path in exports_of(after) if before[path] != after[path]}
    assert changed == {"", "episodes/tides/", "episodes/owls/", "topics/sea/", "topics/land/", "start/all/"}
    dew = root / "episodes/003-dew.yaml"
    dew.write_text(dew.read_text(encoding="utf-8").replace('title: "Dew"', 'title: "Mist"'), encoding="utf-8")
    titled = tree(build(root))
    assert [path for path in exports_of(titled) if titled[path] != after[path]] == ["episodes/dew/reading.md"]
    dew.write_text(dew.read_text(encoding="utf-8").replace('title: "Mist"', 'title: "Dew"'), encoding="utf-8")
    (root / "output/episodes/owls/reading.bib").write_bytes(b"spoilt")
    file.write_text(file.read_text(encoding="utf-8").replace("Of the tides", "Of tides"), encoding="utf-8")
    assert tree(build(root)) == before


def exports_of(files: dict[str, bytes]) -> list[str]:
    """The files of all lists."""
    return [path for path in files if re.fullmatch(r"(.*/)?reading\.(bib|json|ris|md)", path)]


def test_a_file_of_the_show_stays(site: Site, build: Build, tree: Tree) -> None:
    """Whoever keeps their own list has it."""
    files = tree(build(site(FILES | {"static/reading.bib": "@book{own, title = {Own}}\n"})))
    assert files["reading.bib"] == b"@book{own, title = {Own}}\n"
    assert b"lim2019tides" in files["reading.ris"]


def test_a_show_may_do_without_files_for_other_programs(site: Site, build: Build, tree: Tree) -> None:
    """`theme: {exports: false, markdown: false}`: no reading list, no Markdown twin, and nothing that leads to one."""
    root = site(
        FILES
        | {"show.yaml": FILES["show.yaml"].replace("cards: false", "cards: false, exports: false, markdown: false")}
    )
    build(root)
    made = tree(root / "output")
    assert not exports(made)
    assert not [path for path in made if path.endswith(".md")]
    assert not [path for path, content in made.items() if b"reading.bib" in content or b"index.html.md" in content]
    assert b"(https://example.org/quiet/episodes/owls/)" in made["llms.txt"]
