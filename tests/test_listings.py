"""Promises of podsite.paging and podsite.listings: long lists come in light pages that new episodes leave alone."""

from __future__ import annotations

import gzip
import itertools
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urljoin
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from podsite.paging import Part, in_order, newest_first

Site = Callable[..., Path]
Build = Callable[..., Path]
Tree = Callable[[Path], dict[str, bytes]]

LENGTHS = st.integers(0, 120)
SIZES = st.integers(1, 12)


def newest(length: int, size: int) -> list[Part[int]]:
    """The pages of a list whose items are numbered from 1, the newest first."""
    return [*newest_first(range(length, 0, -1), "list/", size)]


def oldest(length: int, size: int) -> list[Part[int]]:
    """The pages of the same list from its beginning."""
    return [*in_order(range(1, length + 1), "list/", size)]


def seen(parts: list[Part[int]]) -> list[tuple[object, ...]]:
    """What is shown of pages."""
    return [(part.address, part.number, part.items, part.paging) for part in parts]


class TestPaging:
    """Cutting a list into pages."""

    @given(LENGTHS, SIZES)
    def test_every_item_is_on_one_page_in_the_order_of_the_list(self, length: int, size: int) -> None:
        """Read from the list's own address on, nothing is left out or told twice."""
        for parts, whole in (
            (newest(length, size), range(length, 0, -1)),
            (oldest(length, size), range(1, length + 1)),
        ):
            assert [item for part in parts for item in part.items] == [*whole]
            assert parts[0].address == "list/"
            assert [part.before for part in parts] == [
                sum(len(one.items) for one in parts[:n]) for n in range(len(parts))
            ]
            assert all(len(part.items) < 2 * size for part in parts)
            assert [part.paging is None for part in parts] == [len(parts) == 1] * len(parts)

    @given(LENGTHS, SIZES)
    def test_one_more_item_changes_the_pages_at_its_end_only(self, length: int, size: int) -> None:
        """The page it is on; when that is full, those that lead to the new one: of the newest first, five at most."""
        for cut, at_end in ((newest, slice(0, 1)), (oldest, slice(-1, None))):
            pages, after = seen(cut(length, size)), seen(cut(length + 1, size))
            changed = [page for page in pages if page not in after]
            if len(pages) == len(after):
                assert changed == pages[at_end]
            elif cut is newest:
                assert len(changed) <= 5

    @given(LENGTHS, SIZES)
    def test_pages_lead_to_their_neighbours_and_both_ends(self, length: int, size: int) -> None:
        """By few links, each to another page; what is left out between them shows as a gap."""
        for parts in (newest(length, size), oldest(length, size)):
            addresses = [part.address for part in parts]
            assert len(set(addresses)) == len(addresses)
            for at, part in enumerate(parts if len(parts) > 1 else []):
                paging = part.paging
                assert paging
                assert paging.previous == (addresses[at - 1] if at else None)
                assert paging.next == (addresses[at + 1] if at + 1 < len(parts) else None)
                places = [addresses.index(link.address) for link in paging.links]
                assert {0, len(parts) - 1, at} <= {*places}
                assert places == sorted({*places})
                assert len(places) <= 9
                assert [link.gap for link in paging.links[1:]] == [b - a > 1 for a, b in itertools.pairwise(places)]
                assert [link.address for link in paging.links if link.current] == [part.address]

    def test_the_oldest_page_is_number_1(self) -> None:
        """So that a number never means other episodes."""
        assert [(part.address, part.number) for part in newest(100, 20)] == [
            ("list/", None), ("list/page/4/", 4), ("list/page/3/", 3), ("list/page/2/", 2), ("list/page/1/", 1),
        ]  # fmt: skip
        assert newest(100, 20)[-1].items == (*range(20, 0, -1),)
        assert [len(newest(length, 20)) for length in (0, 1, 39, 40, 59, 60)] == [1, 1, 1, 2, 2, 3]
        assert [part.address for part in oldest(60, 20)] == ["list/", "list/page/2/", "list/page/3/"]


def night(number: int) -> dict[str, str]:
    """An episode file, three a month from 2020 on; every reading and person is its own."""
    month = (number - 1) // 3
    day = f"{2020 + month // 12}-{month % 12 + 1:02}-{(number - 1) % 3 + 10}"
    readings = "".join(
        f"  - {{title: Reading {number} {n}, url: 'https://example.com/{number}/{n}', kind: {kind}}}\n"
        for n, kind in enumerate(["paper"] * 3 + ["book"])
    )
    text = (
        f'title: "Night {number}"\nslug: night-{number}\nnumber: {number}\npublished: {day}\nsummary: "Dark."\n'
        f"season: 1\ntopics: [Sleep]\npeople: [ada]\nfurther_reading:\n{readings}"
        f"audio: {{url: 'https://cdn.example.com/{number}.mp3', length: 1000000, duration: 60}}\n"
    )
    return {f"episodes/{number:03}-night.yaml": text}


def nights(count: int, path: int) -> dict[str, str | None]:
    """The files of that many episodes, instead of the site's own one, with a listening path of the first ones."""
    steps = ", ".join(f"night-{number + 1}" for number in range(path))
    show = f"{SHOW}    paths: [{{id: all, title: Everything, episodes: [{steps}]}}]\n"
    made = {file: text for number in range(1, count + 1) for file, text in night(number).items()}
    return {"episodes/001-first-night.yaml": None, "episodes/001-first-night.mp3": None, **made, "show.yaml": show}


SHOW = """
    title: "Quiet Hours"
    description: "Talks about the night."
    language: en
    search: false
    theme: {cards: false}
    author: "Ada Reef"
    url: https://example.org/quiet/
    artwork: static/artwork.jpg
    categories: [Technology]
    guid: 917393e3-1b1e-5cef-ace4-edaa54e1f810
    people: {ada: {name: "Ada Reef", role: Host, bio: "She *listens*."}}
"""
COUNT = 118


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the site of many episodes lies; the first test that needs it builds it."""
    return tmp_path_factory.mktemp("long") / "site"


@pytest.fixture
def files(site: Site, build: Build, tree: Tree, long: Path) -> dict[str, bytes]:
    """The output of a site with many episodes, by path."""
    if not long.exists():
        build(site(nights(COUNT, COUNT), folder=str(long)))
    return tree(long / "output")


def numbers(html: bytes) -> list[int]:
    """The episodes that a page lists, by number."""
    return [int(found) for found in re.findall(rb'<span class="numeral" aria-hidden="true">(\d+)</span>', html)]


def test_long_lists_come_in_pages(files: dict[str, bytes]) -> None:
    """Archive, topic, season, person, path and further reading, and every link on them leads somewhere."""
    made = {path.removesuffix("index.html") for path in files if "/page/" in path}
    assert made == {
        *(f"episodes/page/{number}/" for number in range(1, 5)),
        "topics/sleep/page/1/", "seasons/1/page/1/", "people/ada/page/1/", "start/all/page/2/",
        "reading/papers/page/1/", "reading/papers/page/2/",
        *(f"topics/sleep/reading/page/{number}/" for number in range(1, 4)),
    }  # fmt: skip
    assert numbers(files["episodes/index.html"]) == [*range(118, 80, -1)]
    assert numbers(files["episodes/page/1/index.html"]) == [*range(20, 0, -1)]
    assert numbers(files["topics/sleep/index.html"]) == [*range(118, 50, -1)]
    assert numbers(files["people/ada/page/1/index.html"]) == [*range(50, 0, -1)]
    assert numbers(files["start/all/page/2/index.html"]) == [*range(51, 119)]
    for path in (path for path in files if path.endswith("index.html")):
        leading = {urljoin(path, link) for link in re.findall(r' href="([^"#:]+)[#"]', files[path].decode())}
        assert not [link for link in leading if link not in files and f"{link}index.html".lstrip("/") not in files]


def test_a_page_of_a_list_says_where_it_stands(files: dict[str, bytes]) -> None:
    """A title and a canonical address of its own, the way back, its neighbours; search engines learn of it."""
    html = files["topics/sleep/page/1/index.html"].decode()
    assert "<title>Episodes about Sleep, page 1 · Quiet Hours</title>" in html
    assert '<link rel="canonical" href="https://example.org/quiet/topics/sleep/page/1/">' in html
    assert '<a rel="prev" href="../../">Newer episodes</a>' in html
    crumbs = html.partition('aria-label="Breadcrumb"')[2].partition("</nav>")[0]
    assert re.findall(r'href="([^"]*)"', crumbs) == ["../../../../", "../../../", "../../"]
    listed = [each.text for each in ET.fromstring(files["sitemap.xml"]).iter() if each.tag.endswith("loc")]
    assert "https://example.org/quiet/topics/sleep/page/1/" in listed
    pages = [content for path, content in files.items() if path.endswith(".html") and "/embed/" not in path]
    titles = [re.findall(b"<title>.*</title>", content)[0] for content in pages]
    assert len(titles) == len(set(titles))


@pytest.mark.parametrize("page", ["episodes/", "episodes/page/2/", "episodes/page/1/"])
def test_the_archive_leads_to_every_year(files: dict[str, bytes], page: str) -> None:
    """From each of its pages, to the newest episode of the year."""
    years = files[page + "index.html"].decode().partition('aria-label="Years"')[2].partition("</nav>")[0]
    assert [urljoin(page, link) for link in re.findall(r'href="([^"]*)"', years)] == [
        "episodes/#2023", "episodes/#2022", "episodes/page/4/#2021", "episodes/page/2/#2020",
    ]  # fmt: skip
    assert b'id="2020"' in files["episodes/page/1/index.html"]


def test_much_further_reading_is_shelved_by_kind(files: dict[str, bytes]) -> None:
    """The newest of each kind on one page, where the anchors of all kinds are; all of a kind on a page of its own."""
    overview = files["reading/index.html"]
    assert re.findall(rb'<h2 id="(\w+)"', overview) == [b"paper", b"book"]
    assert re.findall(rb">Reading (\d+) (\d)<", overview)[:5] == [
        (b"118", b"2"), (b"118", b"1"), (b"118", b"0"), (b"117", b"2"), (b"117", b"1"),
    ]  # fmt: skip
    assert b'<a href="papers/"><bdi>All 354 titles</bdi></a>' in overview
    assert len(re.findall(rb'class="work"', files["reading/papers/index.html"])) == 154
    assert len(re.findall(rb'class="work"', files["reading/books/index.html"])) == 118
    assert max(len(gzip.compress(content)) for path, content in files.items() if "reading/" in path) < 30_000


def test_a_new_episode_changes_no_older_page(files: dict[str, bytes], site: Site, build: Build, tree: Tree) -> None:
    """Lists are counted from the oldest; only their first pages, the home page and its neighbours tell of it."""
    after = tree(build(site(nights(COUNT, COUNT) | night(COUNT + 1))))
    changed = {path for path in files if path.endswith(".html") and files[path] != after[path]}
    assert changed == {
        f"{address}index.html"
        for address in (
            "", "episodes/", "episodes/night-118/", "topics/", "topics/sleep/", "people/", "people/ada/", "seasons/",
            "seasons/1/", "reading/", "reading/papers/", "reading/books/", "topics/sleep/reading/",
            "episodes/night-117/", "statistics/",
        )
    } | {"404.html"}  # fmt: skip


def test_indexes_name_few_episodes_of_many(files: dict[str, bytes]) -> None:
    """The newest, and how many came before them, which leads to all of them."""
    index = files["topics/index.html"]
    assert b'<a href="sleep/"><bdi>110 earlier</bdi></a>' in index
    assert re.findall(rb"Episode </span>(\d+)", index) == [b"%d" % number for number in range(111, 119)]
    assert b"And 106 more" in files["start/index.html"]


def test_short_lists_stay_on_one_page(site: Site, build: Build, tree: Tree) -> None:
    """Up to 39 episodes the archive has no pages, and within one year nothing to choose from."""
    files = tree(build(site(nights(39, 24))))
    several = b'"Years"' in files["episodes/index.html"]
    assert several == (len(set(re.findall(rb'<time datetime="(\d{4})', files["episodes/index.html"]))) > 1)
    assert not [path for path in files if "/page/" in path]
    assert b"pager" not in files["episodes/index.html"]
    assert numbers(files["episodes/index.html"]) == [*range(39, 0, -1)]
