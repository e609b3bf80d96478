"""Promises of pages in Arabic and Japanese: nothing is in English, nothing the wrong way round, nobody is shut out."""

from __future__ import annotations

import functools
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

SITES = Path(__file__).parent / "sites"
PAGES = {"arabic": "al-marsad", "japanese": "tenmondai"}
ROOTS = {"arabic": "/layl/", "japanese": "/yoru/"}
KINDS = (
    "", "episodes/", "episodes/{slug}/", "topics/", "people/", "people/ada/", "seasons/1/", "reading/", "start/begin/",
    "subscribe/", "about/", "404.html",
)  # fmt: skip


@pytest.fixture(scope="module")
def served(shared: Any, artwork: bytes, warm: Path, serve: Callable[..., str]) -> Callable[[str], str]:
    """Where one of the two sites is served; the first test that needs it builds it."""
    from click.testing import CliRunner

    from podsite.cli import commands

    def make(name: str, folder: Path) -> None:
        shutil.copytree(SITES / name, folder)
        (folder / "static").mkdir()
        (folder / "static/artwork.jpg").write_bytes(artwork)
        shutil.copytree(warm, folder / ".podsite")
        told = CliRunner().invoke(commands, ["build", str(folder), "--quiet"]).output
        assert (folder / "output/index.html").exists(), told

    @functools.cache
    def address(name: str) -> str:
        return serve(shared(name, functools.partial(make, name)) / "output", ROOTS[name])

    return address


@pytest.fixture
def visit(served: Callable[[str], str], tab: Callable[..., Page]) -> Callable[..., Page]:
    """Opens a page of one of the sites."""

    def visited(name: str, path: str, **settings: Any) -> Page:
        page = tab(reduced_motion="reduce", **settings)
        page.goto(served(name) + path.format(slug=PAGES[name]))
        return page

    return visited


@pytest.fixture
def kinds(thorough: bool) -> tuple[str, ...]:
    """The kinds of pages that are looked at of a site; where not all is tried, an episode's."""
    return KINDS if thorough else KINDS[2:3]


@pytest.mark.thorough(like="test_axe_finds_nothing_on_light_and_dark_pages")
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_and_no_page_is_wider_than_the_screen(
    visit: Callable[..., Page], barriers: Callable[[Page], list[str]], name: str, kinds: tuple[str, ...]
) -> None:
    """On pages of every kind, on a phone and on a desk, in light and in dark."""
    for path in kinds:
        page = visit(name, path)
        for width in (320, 390, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (path, width)
        assert not barriers(page), path


@pytest.mark.thorough(but_each=2)
@pytest.mark.parametrize("name", PAGES)
def test_the_interface_says_nothing_in_english(visit: Callable[..., Page], name: str, kinds: tuple[str, ...]) -> None:
    """What is in Latin letters comes from the show, or is a name."""
    names = r"Apple Podcasts|AntennaPod|Overcast|Pocket Casts|Castro|Podcast Addict|RSS|URL|cc-by-4\.0|MB"
    formats = "WebVTT|SRT|CSL-JSON|JSON|BibTeX|RIS|Markdown"
    shows = r"GPU|Ada Reef|AR\b|Halley|Stellarium|The Almagest|Claudius Ptolemy|Bread|sourdough\.md"
    for path in kinds:
        page = visit(name, path)
        text = page.locator("body").evaluate(
            "body => { body.querySelectorAll('script, kbd').forEach(one => one.remove()); return body.innerText }"
        )
        plain = re.sub(rf"{names}|{formats}|{shows}|https?://\S+|\b[\w-]+\.(?:example|org|com|net)\b", " ", text)
        assert re.findall("[A-Za-z]{2,}", plain) == [], path
        assert page.locator("[lang=en]").count() == 0


def left(page: Page, selector: str) -> float:
    """Where something begins, from the left, in pixels."""
    box = page.locator(selector).first.bounding_box()
    assert box
    return box["x"]


def test_an_arabic_page_is_laid_out_from_the_right(visit: Callable[..., Page]) -> None:
    """Name, navigation and switch; number, title and cover; time goes on to the left."""
    page = visit("arabic", "episodes/{slug}/")
    assert left(page, ".masthead > .name") > left(page, ".masthead nav") > left(page, ".masthead .switch")
    assert left(page, ".episode .numeral") > left(page, ".episode h1") > left(page, ".episode .art")
    times = page.locator(".chapters .chapter").first
    assert left(page, ".chapters .time") > left(page, ".chapters bdi")
    expect(times).to_contain_text("الغروب")
    copyright_line = page.locator(".colophon .prose p", has_text="©")
    edges = [
        copyright_line.evaluate(
            """e => { const r = document.createRange(); r.selectNodeContents(e);
                return r.getBoundingClientRect().right }"""
        ),
        page.locator(".colophon .prose").evaluate("e => e.getBoundingClientRect().right"),
    ]
    assert abs(edges[0] - edges[1]) < 2


@pytest.mark.thorough(but_each=2)
@pytest.mark.parametrize("name", PAGES)
def test_letters_are_neither_pulled_apart_nor_slanted(visit: Callable[..., Page], name: str) -> None:
    """Arabic letters join, Japanese has no italics; lines have the room that these scripts need."""
    page = visit(name, "subscribe/")
    spacing, height, size = page.locator("h1").evaluate(
        """e => { const s = getComputedStyle(e);
            return [s.letterSpacing, parseFloat(s.lineHeight), parseFloat(s.fontSize)] }"""
    )
    assert spacing in {"normal", "0px"}
    assert height >= 1.25 * size
    assert page.locator("main em").first.evaluate("e => getComputedStyle(e).fontStyle") == "normal"
