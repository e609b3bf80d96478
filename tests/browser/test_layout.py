"""Promises of the layout where content is awkward: many sections, words without end, a script from the right."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
AWKWARD = {
    "show.yaml": """
        title: "שעות שקטות"
        description: "שיחות על הלילה."
        language: he
        author: "עדה ריף"
        url: https://example.org/quiet/
        artwork: static/artwork.jpg
        categories: [Technology]
        guid: 917393e3-1b1e-5cef-ace4-edaa54e1f810
        people:
          ada: {name: "Ada Reef", role: Host}
        navigation:
          - {title: "An entry of many words that goes on", url: "https://example.com/1"}
          - {title: "Another entry of many words", url: "https://example.com/2"}
          - {title: "And a third one, just as long", url: "https://example.com/3"}
        paths: [{id: begin, title: "להתחיל", episodes: [first-night, second-night]}]
        """,
    "episodes/002-second-night.yaml": f"""
        title: "{LONG} {LONG} {LONG}"
        number: 2
        season: 1
        kind: bonus
        published: 2025-03-08
        summary: "זה ממשיך."
        topics: ["שינה"]
        further_reading: ["https://example.com/"]
        """,
    "episodes/002-second-night.mp3": (b"\xff\xfb\x10\xc0" + bytes(100)) * 39,
}
WIDTHS = (320, 390, 640, 641, 959, 960, 1024, 1119, 1120, 1280, 1920)


#: Of each entry of the navigation, scrolled to: where it begins and ends, and if a pointer at its middle meets it.
REACHED = """links => links.map(link => {
    link.scrollIntoView({block: 'nearest', inline: 'nearest', behavior: 'instant'});
    const box = link.getBoundingClientRect();
    const met = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return [box.left, box.right, link.contains(met)];
})"""


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the first test that needs the site makes it."""
    return tmp_path_factory.mktemp("awkward") / "site"


@pytest.fixture(scope="module")
def quiet(once: Path, serve: Callable[..., str]) -> str:
    """Where that site is served."""
    return serve(once / "output", "/quiet/")


@pytest.fixture
def awkward(
    site: Callable[..., Path], build: Callable[..., Path], once: Path, quiet: str, tab: Callable[..., Page]
) -> Page:
    """The home page of a site in Hebrew with much of everything."""
    if not once.exists():
        build(site(AWKWARD, folder=str(once)))
    page = tab(reduced_motion="reduce")
    page.goto(quiet)
    return page


def test_every_entry_of_the_navigation_can_be_reached_at_any_width(awkward: Page) -> None:
    """By keyboard and by pushing; nothing lies outside of what can be scrolled to, and nothing covers it."""
    for width in WIDTHS:
        awkward.set_viewport_size({"width": width, "height": 800})
        links = awkward.locator(".masthead nav a").evaluate_all(REACHED)
        assert len(links) == 10
        for number, (left, right, met) in enumerate(links):
            assert left >= -1, (width, number, left)
            assert right <= width + 1, (width, number, right)
            assert met, (width, number)


def test_a_phone_shows_how_to_subscribe_and_that_the_navigation_goes_on(awkward: Page) -> None:
    """Subscribe is in sight; the strip fades where more is to come."""
    awkward.set_viewport_size({"width": 390, "height": 844})
    expect(awkward.get_by_role("link", name="Subscribe", exact=True).first).to_be_in_viewport(ratio=1)
    assert "gradient" in awkward.locator(".masthead nav").evaluate("nav => getComputedStyle(nav).maskImage")


def test_long_words_widen_no_page(awkward: Page, thorough: bool) -> None:
    """Titles break where they must; in the pager they have three lines at most."""
    home = awkward.url
    paths = (
        "", "episodes/", "episodes/first-night/", "episodes/second-night/", "start/", "reading/", "statistics/",
        "people/", "topics/",
    )  # fmt: skip
    for path in paths if thorough else paths[::3]:
        awkward.goto(home + path)
        for width in (320, 390, 960, 1280):
            awkward.set_viewport_size({"width": width, "height": 800})
            assert awkward.evaluate("document.documentElement.scrollWidth") <= width, (path, width)
    awkward.goto(home + "episodes/first-night/")
    assert (
        awkward.locator(".pager bdi").evaluate("e => e.clientHeight / parseFloat(getComputedStyle(e).lineHeight)") < 3.1
    )


#: What stands beside the player: of each the words, the lines it has, and if a dot follows it.
BESIDE = """tools => [...tools.children].filter(one => one.offsetWidth).map(one => [
    one.textContent.replace(/ at .*/, ''),
    one.getClientRects().length === 1 && one.offsetHeight < 60,
    getComputedStyle(one, '::after').content.includes('·'),
    getComputedStyle(one, '::before').content,
])"""


@pytest.mark.thorough(but_each=3)
@pytest.mark.parametrize("width", [320, 390, 1280])
def test_what_stands_beside_the_player_is_never_squeezed(talk: Callable[..., Page], width: int) -> None:
    """Each keeps to a line; the dots between them end lines, and begin none."""
    page = talk()
    page.set_viewport_size({"width": width, "height": 800})
    beside = page.locator("main .facts.tools").evaluate(BESIDE)
    assert [name for name, *_ in beside][::2] == ["Download", "Copy link"]
    assert all(one_line and before == "none" for _, one_line, _, before in beside)
    assert [dot for _, _, dot, _ in beside] == [True] * (len(beside) - 1) + [False]


def test_facts_stand_in_the_order_of_the_script(awkward: Page) -> None:
    """Hebrew and English beside each other: each fact further left than the one before it, none torn apart."""
    facts = awkward.locator(".newest > div > .facts > *")
    rights = [box["x"] + box["width"] for n in range(facts.count()) if (box := facts.nth(n).bounding_box())]
    assert len(rights) == 3
    assert rights == sorted(rights, reverse=True)
    bonus, before = facts.nth(2).bounding_box(), facts.nth(1).bounding_box()
    assert bonus
    assert before
    assert bonus["x"] + bonus["width"] <= before["x"] + 1


def test_what_belongs_to_a_recording_breaks_into_lines_on_a_phone(visit: Callable[..., Page]) -> None:
    """Links and buttons beneath the player, however long their words are in a language."""
    page = visit("episodes/just-enough-cuda-to-be-dangerous/")
    page.set_viewport_size({"width": 320, "height": 640})
    page.locator(".player button[data-do=help]").wait_for()
    page.locator(".player .tools > *").evaluate_all(
        "found => found.forEach(each => { each.firstChild.textContent += ' und Einstellungen' })"
    )
    assert page.evaluate("document.documentElement.scrollWidth") == 320
