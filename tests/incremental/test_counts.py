"""Promises of the work a build does: no more of it than an edit asks for. Counted, never timed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from trial import edits, garden, twins

import podsite
from podsite.recall import Built

#: Builds the site of its first argument in a process of its own and tells what was done there. With a second one, it
#: also tells what was decoded, rendered and made, for which everything has to be imported beforehand.
SCRIPT = """
import json, os, sys, time
root = sys.argv[1]
seen = {"read": [], "written": [], "started": [], "decoded": [], "notes": [], "pages": [], "items": [], "cards": []}
def noted(event, arguments):
    if event == "open" and isinstance(arguments[0], str) and arguments[0].startswith(root):
        writes = (arguments[2] or 0) & (os.O_WRONLY | os.O_RDWR)
        seen["written" if writes else "read"].append(os.path.relpath(arguments[0], root))
    if event in {"os.fork", "os.exec", "os.posix_spawn", "subprocess.Popen"}:
        seen["started"].append(event)
def telling(owner, name, kind, about):
    made = getattr(owner, name)
    def told(*arguments, **named):
        seen[kind].append(about(*arguments))
        return made(*arguments, **named)
    setattr(owner, name, told)
if len(sys.argv) > 2:
    from podsite import cards, findings, theme, written
    from podsite.feeds import assembly
    telling(findings.Findings, "decoded", "decoded", lambda self, file, *_: file)
    telling(written, "render", "notes", lambda source, *_: source)
    telling(theme.Theme, "render", "pages", lambda self, name, context, *_: context["address"])
    telling(cards, "draw", "cards", lambda card, *_: card.title)
    telling(assembly, "item_xml", "items", lambda source, entry, *_: entry.episode.slug)
clock = time.time_ns
time.time_ns = lambda: clock() + 10**10  # so that nothing is too young to be known by its signature
sys.addaudithook(noted)
from podsite.cli import main
alone = ["--jobs", "1"] if len(sys.argv) > 2 else []  # what other processes do is not told
sys.argv = ["podsite", "build", root, "--quiet", "--no-search", *alone]
try:
    main()
finally:
    tops = {name.partition(".")[0] for name in sys.modules} - sys.stdlib_module_names
    seen["imported"] = sorted(name for name in tops if not name.startswith(("_", "cython_")))
    print(json.dumps(seen), file=sys.stderr)
"""
ALL = ("episodes/dew/", "episodes/moon/", "episodes/owls/", "episodes/tides/")


class Did(NamedTuple):
    """What a build did: the files it read and wrote, what it started, decoded, rendered and made, what it imported."""

    read: list[str]
    written: list[str]
    started: list[str]
    decoded: list[str]
    notes: list[str]
    pages: list[str]
    items: list[str]
    cards: list[str]
    imported: list[str]

    @property
    def sources(self) -> set[str]:
        """The files it read that are not podsite's own."""
        return {path for path in self.read if not path.startswith((".podsite", "output"))}


def build(root: Path, *deep: str, more: str = "") -> Did:
    """Build a site in a process of its own, which finds the libraries of the folder `more` before all others."""
    places = os.pathsep.join([more, str(Path(podsite.__file__).parents[1]), *sys.path])
    done = subprocess.run(
        [sys.executable, "-S", "-c", SCRIPT, str(root), *deep],
        env=os.environ | {"PYTHONPATH": places, "SOURCE_DATE_EPOCH": str(int(edits.NOW.timestamp()))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return Did(**json.loads(done.stderr.splitlines()[-1]))


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of these tests, built a while ago. Each test edits another file of it, and leaves it built."""
    site, root = edits.Site(*garden.base()), tmp_path_factory.mktemp("counts") / "site"
    for number, name in enumerate(("003-moon", "004-dew")):  # warnings would ask in which line something stands
        audio = {"url": f"https://audio.example/{name}.mp3", "length": 12_345_678, "duration": 754}
        site.episodes[name] |= {"audio": audio, "published": f"2025-04-0{number + 1}", "image": None}
    del site.files["episodes/004-dew.png"]
    for path, content in garden.tree(site.show, site.episodes, site.files).items():
        twins.put(root / path, content)
    clock = time.time_ns
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("time.time_ns", lambda: clock() + 10**10)
        assert isinstance(twins.outcome(root, site.options._replace(accept=())), Built)
    return root


def states(folder: Path) -> dict[str, tuple[int, ...]]:
    """Number, size and times of every file and folder below a folder."""
    paths = [folder, *folder.rglob("*")]
    return {str(path): (path.lstat().st_ino, path.lstat().st_size, path.lstat().st_mtime_ns) for path in paths}


def edited(file: Path, change: Callable[[str], str]) -> None:
    """Edit a text."""
    file.write_text(change(file.read_text(encoding="utf-8")), encoding="utf-8")


def test_with_nothing_to_do_nothing_is_read_written_started_or_imported(root: Path) -> None:
    """The cache tells all; neither it nor the output is touched."""
    before = states(root)
    did = build(root)
    assert did.sources == set()
    assert did.written == []
    assert did.started == []
    assert did.imported == ["click", "podsite"]
    assert states(root) == before


def test_an_edit_of_notes_costs_one_episode_one_text_one_item_and_its_page(root: Path) -> None:
    """All else comes from the cache or stays where it is."""
    edited(root / "episodes/002-owls.yaml", lambda text: text.replace("*hoo*", "*hoo hoo*"))
    did = build(root, "deep")
    assert did.sources & {f"episodes/{name}.yaml" for name in garden.EPISODES} == {"episodes/002-owls.yaml"}
    assert did.decoded == ["show.yaml", "episodes/002-owls.yaml"]
    assert len(did.notes) == 1
    assert did.items == ["owls"]
    assert did.pages == ["episodes/owls/"]
    assert did.cards == []
    assert not [path for path in did.read if path.startswith(".podsite/drawings/") or path.endswith("card.png")]


@pytest.mark.thorough(like="test_an_edit_of_notes_costs_one_episode_one_text_one_item_and_its_page")
def test_an_edit_of_a_title_makes_the_pages_that_show_it(root: Path) -> None:
    """No Markdown is rendered for it."""
    edited(root / "episodes/004-dew.yaml", lambda text: text.replace('"Dew",', '"Morning dew",', 1))
    did = build(root, "deep")
    assert did.decoded == ["show.yaml", "episodes/004-dew.yaml"]
    assert did.notes == []
    assert did.cards == ["Morning dew"]
    assert "people/ada/" not in did.pages
    assert {"episodes/dew/", "episodes/moon/", "episodes/", "topics/dew/"} <= {*did.pages}


@pytest.mark.thorough(like="test_an_edit_of_notes_costs_one_episode_one_text_one_item_and_its_page")
def test_an_edit_of_a_template_makes_its_pages(root: Path) -> None:
    """No episode is read for it, no text rendered, no item made."""
    twins.put(root / "templates/topic.html", garden.TEMPLATES["topic.html"][0].encode())
    did = build(root, "deep")
    assert did.decoded == ["show.yaml"]
    assert did.notes == did.items == []
    assert sorted(did.pages) == ["topics/dew/", "topics/night/", "topics/tides/"]
    assert did.cards == []


@pytest.mark.thorough(like="test_an_edit_of_notes_costs_one_episode_one_text_one_item_and_its_page")
def test_an_edit_of_the_show_reads_no_episode(root: Path) -> None:
    """What every page shows makes every page; the texts of episodes are what they were."""
    edited(root / "show.yaml", lambda text: text.replace('"Quiet Hours"', '"Quiet Nights"'))
    did = build(root, "deep")
    assert did.decoded == ["show.yaml"]
    assert did.notes == []
    assert {*ALL} <= {*did.pages}


def test_a_fresh_clone_with_the_cache_decodes_and_renders_no_text_again(root: Path, tmp_path: Path) -> None:
    """Every file is new to it, and there is no output: that is what continuous integration sees.

    Only episodes with recordings, pictures and transcripts are looked into once, since these are known by their times.
    """
    clone = tmp_path / "clone"
    shutil.copytree(root, clone, ignore=shutil.ignore_patterns("output"))
    did = build(clone, "deep")
    assert "episodes/002-owls.yaml" not in did.decoded
    assert {*did.decoded} <= {"show.yaml", "episodes/001-tides.yaml", "episodes/003-moon.yaml"}
    assert did.notes == did.items == did.cards == []
    assert {*ALL} <= {*did.pages}
    assert twins.tree(clone / "output") == twins.tree(root / "output")


def test_what_another_release_of_a_library_made_is_not_trusted(root: Path, tmp_path: Path) -> None:
    """It may have made it otherwise; all is made anew, and the site is the same."""
    clone, library = shutil.copytree(root, tmp_path / "clone"), tmp_path / "library"
    twins.put(library / "tzdata/__init__.py", b"")  # a library that does nothing here, in a release of its own
    twins.put(library / "tzdata-2099.1.dist-info/METADATA", b"Name: tzdata\nVersion: 2099.1\n")
    did = build(clone, "deep", more=str(library))
    assert {*did.decoded} == {"show.yaml", *(f"episodes/{name}.yaml" for name in garden.EPISODES)}
    assert len(did.notes) > 2
    assert {*ALL} <= {*did.pages}
    assert {*did.items} == {address.split("/")[1] for address in ALL}
    assert len(did.cards) > 4
    assert twins.tree(clone / "output") == twins.tree(root / "output")
