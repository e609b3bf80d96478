"""Promises of the player in every state: no barrier, no sideways scrolling, nothing in the console, little weight."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

EPISODE = "episodes/just-enough-cuda-to-be-dangerous/"
PLAYS = "[...document.querySelectorAll('audio')].some(one => !one.paused && one.currentTime > 0.1)"
SCREENS: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 320, "height": 568}, "has_touch": True, "is_mobile": True, "color_scheme": "dark"},
}
#: Barriers that axe-core finds, and controls that are too small to be hit: 24 pixels, 44 on what is touched.
BARRIERS = """least => axe.run({resultTypes: ['violations']}).then(({violations}) => [
    ...violations.flatMap(({id, nodes}) => nodes.map(({html}) => `${id}: ${html.slice(0, 120)}`)),
    ...[...document.querySelectorAll('.controls :is(button, select, input), .tools button')].filter(each => {
        const {width, height} = each.getBoundingClientRect();
        return each.checkVisibility() && !each.closest('dialog') && (height < least || width < 24);
    }).map(each => `small: ${each.outerHTML.slice(0, 90)} ${each.getBoundingClientRect().height}`),
    ...(document.documentElement.scrollWidth > innerWidth ? ['wider than the window'] : []),
])"""


def states(page: Page, home: str) -> Iterator[str]:
    """Everything the player can look like, one after the other."""
    page.goto(f"{home}{EPISODE}#t=0:20")
    yield "ready at a moment"
    page.get_by_role("button", name="Keys and settings").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    yield "with its help open"
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function(f"{PLAYS} && document.querySelector('.dock')")
    yield "playing"
    page.get_by_role("link", name="PyTorch Developer Podcast").first.click()
    dock = page.get_by_role("region", name="Player")
    expect(dock).to_be_visible()
    expect(page.get_by_role("region", name="Continue listening")).to_be_visible()
    yield "in the bar, with something to go on with"
    dock.get_by_role("button", name="More").click()
    yield "in the bar, opened"
    dock.locator("summary").click()
    yield "in the bar, with its chapters"
    dock.get_by_role("button", name="Pause").click()
    page.route("**/*.mp3", lambda route: route.abort())
    page.get_by_role("link", name="Play the episode before").click()
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    yield "with a fault"


@pytest.mark.parametrize("screen", ["phone", pytest.param("desktop", marks=pytest.mark.thorough)])
def test_there_is_no_barrier_in_any_state(
    context: Callable[..., BrowserContext], home: str, axe: Path, screen: str, thorough: bool
) -> None:
    """Names, roles, contrast, sizes: for mouse, fingers and screen readers, with menus and dialogs open.

    Where not all is tried, of seven states the second and the sixth are looked at, and the others gone through.
    """
    page = context(reduced_motion="reduce", **SCREENS[screen]).new_page()
    told: list[str] = []
    page.on("console", lambda message: told.append(message.text))
    page.on("pageerror", lambda error: told.append(str(error)))
    found = {}
    for number, state in enumerate(states(page, home)):
        if number % 4 != 1 and not thorough:
            continue
        if not page.evaluate("window.axe"):
            page.add_script_tag(path=axe)
        found[state] = page.evaluate(BARRIERS, 44 if screen == "phone" else 24)
    assert {state: barriers for state, barriers in found.items() if barriers} == {}
    assert [text for text in told if "net::ERR_FAILED" not in text] == []


def test_all_of_it_works_by_keyboard_alone(context: Callable[..., BrowserContext], home: str) -> None:
    """From the home page to an episode, into the archive while it plays, to a sentence, and back tomorrow."""
    page = context(reduced_motion="reduce").new_page()
    page.goto(home)

    def reach(name: str, within: str = "*") -> None:
        for _ in range(150):
            page.keyboard.press("Tab")
            if page.evaluate(
                """([name, within]) => document.activeElement.closest(within)
                    && (document.activeElement.ariaLabel || document.activeElement.textContent).startsWith(name)""",
                [name, within],
            ):
                return
        pytest.fail(f"no way to {name}")

    reach("Play", "main")
    page.keyboard.press("Enter")
    page.wait_for_function(f"{PLAYS} && document.querySelector('.dock')")
    reach("All 8 episodes")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    reach("Vectorization")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Vectorization")
    assert page.evaluate(PLAYS)
    reach("0:", ".transcript")
    page.keyboard.press("Enter")
    page.wait_for_function(f"document.querySelector('.dock .name').textContent === 'Vectorization' && {PLAYS}")
    page.keyboard.press("l")
    page.keyboard.press("j")
    page.keyboard.press("k")
    page.wait_for_function(f"!{PLAYS}")
    tomorrow = page.context.new_page()
    tomorrow.goto(home)
    begun = tomorrow.get_by_role("region", name="Continue listening")
    expect(begun.get_by_role("link", name="Vectorization")).to_be_visible()


def test_without_scripts_the_plain_player_is_there(visit: Callable[..., Page]) -> None:
    """And nothing that would not work."""
    page = visit(EPISODE, scripts=False)
    expect(page.locator("audio[controls]")).to_be_visible()
    expect(page.locator(".controls")).to_be_hidden()
    expect(page.get_by_role("link", name="Download")).to_be_visible()
    assert page.locator("main button:visible").count() == 0
    last = page.locator(".player .facts > a").last
    assert last.evaluate("link => getComputedStyle(link, '::after').content") == "none"  # no dot before what is hidden


def test_should_the_script_not_arrive_the_plain_player_comes(context: Callable[..., BrowserContext], home: str) -> None:
    """After a few seconds, in place of controls that do nothing."""
    page = context().new_page()
    page.route("**/player.js", lambda route: route.abort())
    page.goto(home + EPISODE)
    expect(page.locator("audio")).to_be_hidden()
    page.evaluate("document.getAnimations().forEach(each => each.finish())")
    expect(page.locator("audio[controls]")).to_be_visible()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_hidden()


def test_from_the_right_everything_runs_the_other_way(
    context: Callable[..., BrowserContext],
    site: Callable[..., Path],
    build: Callable[..., Path],
    serve: Callable[..., str],
    silence: bytes,
) -> None:
    """The slider fills from the right, arrows follow the script, and −15 stays a number."""
    show = """
        title: "שעות שקטות"
        description: "שיחות על הלילה."
        language: he
        author: "עדה ריף"
        url: https://example.org/quiet/
        artwork: static/artwork.jpg
        categories: [Technology]
        guid: 917393e3-1b1e-5cef-ace4-edaa54e1f810
        people: {ada: {name: "Ada Reef", role: Host}}
        """
    files = {"show.yaml": show, "episodes/001-first-night.mp3": silence * 60}
    page = context().new_page()
    page.goto(serve(build(site(files)), "/quiet/") + "episodes/first-night/")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.querySelector('audio').currentTime") == 5
    slider = page.locator("main .seek")
    box = slider.bounding_box()
    assert box
    slider.click(position={"x": box["width"] * 0.25, "y": box["height"] / 2})
    assert 44 < page.evaluate("document.querySelector('audio').currentTime") < 48
    assert slider.evaluate("each => getComputedStyle(each).backgroundPosition").startswith("100%")
    names = (".play", "[data-do=back]", "[data-do=forward]")
    lefts = [page.locator(f"main {name}").evaluate("each => each.getBoundingClientRect().x") for name in names]
    assert lefts == sorted(lefts, reverse=True)
    slider.focus()
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.querySelector('audio').currentTime") > 49


def test_print_and_high_contrast(visit: Callable[..., Page]) -> None:
    """Paper has no player; forced colours leave every control visible."""
    page = visit(EPISODE)
    page.emulate_media(media="print")
    expect(page.locator(".controls")).to_be_hidden()
    page.emulate_media(media="screen", forced_colors="active")
    slider = page.locator("main .seek")
    assert slider.evaluate("each => getComputedStyle(each).appearance") == "auto"
    border, ink, ground = page.locator("main .play").evaluate(
        "each => (({borderTopStyle, color, backgroundColor}) => [borderTopStyle, color, backgroundColor])"
        "(getComputedStyle(each))"
    )
    assert border == "solid"
    assert ink != ground
    page.emulate_media(forced_colors="none")


@pytest.mark.thorough(like="test_the_script_is_small_and_search_is_loaded_when_it_is_wanted")
def test_it_weighs_little(context: Callable[..., BrowserContext], home: str, own_site: Path) -> None:
    """All the JavaScript of an episode's page is 12 KB, its styles 10; the rest comes when it is asked for."""
    page = context().new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(home)))

    def weight(ending: str) -> int:
        return sum(
            len(gzip.compress((own_site / name).read_bytes(), 6)) for name in set(asked) if name.endswith(ending)
        )

    page.goto(home + EPISODE, wait_until="networkidle")
    assert 0 < weight(".js") <= 12 * 1024
    assert 0 < weight(".css") <= 10 * 1024
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function(f"{PLAYS} && document.querySelector('.dock')")
    page.get_by_role("link", name="Episodes").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Episodes")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert weight(".js") <= 14 * 1024, "all of it, once everything was used"
