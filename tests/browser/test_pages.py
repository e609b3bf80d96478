"""Promises of pages in Chromium: with scripts and without, narrow and dark, by keyboard and by ear."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, expect

EPISODE = "episodes/just-enough-cuda-to-be-dangerous/"


@pytest.mark.parametrize(
    ("address", "scripts"),
    [("/podsite/", True), ("/", False)],
    ids=["with scripts under a sub-path", "without scripts at the root"],
    indirect=["address"],
)
def test_every_page_opens_without_error_stays_at_home_and_fits_a_small_phone(
    context: Callable[..., BrowserContext], address: str, paths: list[str], scripts: bool, thorough: bool
) -> None:
    """No error in the console, no request to another host, no sideways scrolling at 320 pixels.

    Where not all is tried, some pages are opened with scripts, and others without.
    """
    page = context(java_script_enabled=scripts, viewport={"width": 320, "height": 640}).new_page()
    origin = address.removesuffix("/podsite/").rstrip("/")
    faults: list[str] = []

    def console(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            faults.append(f"{page.url}: {message.text}")

    def request(sent: Request) -> None:
        if not sent.url.startswith((origin + "/", "data:")):
            faults.append(f"{page.url} loads {sent.url}")

    def failed(sent: Request) -> None:
        if sent.failure != "net::ERR_ABORTED":  # leaving a page ends what it still loads
            faults.append(f"{page.url}: {sent.url}: {sent.failure}")

    page.on("console", console)
    page.on("pageerror", lambda error: faults.append(f"{page.url}: {error}"))
    page.on("request", request)
    page.on("requestfailed", failed)
    for path in paths if thorough else paths[0 if scripts else 4 :: 8]:
        page.goto(address + path, wait_until="load")
        width, titles = page.evaluate("[document.documentElement.scrollWidth, document.querySelectorAll('h1').length]")
        faults += [f"{page.url} is {width} pixels wide"] if width > 320 else []
        faults += [f"{page.url} has {titles} h1"] if titles != 1 else []
    assert not faults


def test_a_missing_address_shows_the_sites_own_page(visit: Callable[..., Page]) -> None:
    """Whoever follows an old link finds styles and a way on, at any depth."""
    page = visit("no/such/page/")
    expect(page).to_have_title(re.compile("^Page not found"))
    assert page.evaluate("getComputedStyle(document.querySelector('.skip')).position") != "static"
    page.get_by_role("link", name="Episodes").first.click()
    expect(page).to_have_url(re.compile("/podsite/episodes/$"))


@pytest.mark.thorough(like="test_without_scripts_the_plain_player_is_there")
def test_the_recording_can_be_played_without_scripts(visit: Callable[..., Page]) -> None:
    """A plain audio element with controls is the floor."""
    player = visit(EPISODE, scripts=False).locator("audio[controls]")
    expect(player).to_be_visible()
    expect(player).to_have_attribute("src", re.compile(r"\.mp3$"))


def test_a_chapter_without_scripts_opens_the_recording_at_its_moment(visit: Callable[..., Page]) -> None:
    """The link alone knows the moment: the browser's own player opens there."""
    page = visit(EPISODE, scripts=False)
    link = page.locator(".chapters a").nth(1)
    start = link.get_attribute("data-start")
    link.click()
    page.wait_for_url(re.compile(r"\.mp3#t="))
    assert page.url.endswith(f".mp3#t={start}")


def test_the_theme_switch_goes_round_and_remembers(visit: Callable[..., Page]) -> None:
    """Light, dark, or as the system has it; the choice outlives the page and holds on the next one."""
    page = visit(color_scheme="light")

    def paper() -> Any:
        return page.evaluate("getComputedStyle(document.body).backgroundColor")

    switch = page.get_by_role("button", name="Colour theme")
    system = paper()
    expect(switch).to_contain_text("Auto")
    switch.click()
    expect(switch).to_contain_text("Light")
    assert paper() == system
    switch.click()
    expect(switch).to_contain_text("Dark")
    dark = paper()
    assert dark != system
    page.get_by_role("link", name="Episodes").first.click()
    expect(page.get_by_role("button", name="Colour theme")).to_contain_text("Dark")
    assert paper() == dark
    page.get_by_role("button", name="Colour theme").click()
    page.reload()
    expect(switch).to_contain_text("Auto")
    assert paper() == system


def test_the_system_decides_where_nobody_has_chosen(visit: Callable[..., Page]) -> None:
    """Dark systems get dark pages, without scripts too."""
    papers = {
        scheme: visit(color_scheme=scheme, scripts=False)
        .locator("body")
        .evaluate("element => getComputedStyle(element).backgroundColor")
        for scheme in ("light", "dark")
    }
    assert papers["light"] != papers["dark"]


def test_the_keyboard_reaches_the_content_first(visit: Callable[..., Page]) -> None:
    """The first Tab offers to skip what every page repeats."""
    page = visit(EPISODE)
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("#content$"))
    page.keyboard.press("Tab")
    assert page.evaluate("document.querySelector('main').contains(document.activeElement)")


@pytest.mark.parametrize("path", [
    EPISODE, *(pytest.param(path, marks=pytest.mark.thorough) for path in ("", "subscribe/"))
], ids=["episode", "home", "subscribe"])  # fmt: skip
def test_whatever_has_the_focus_can_be_seen(visit: Callable[..., Page], path: str) -> None:
    """Each stop of the Tab key shows an outline; inside a player the browser draws its own."""
    page = visit(path)
    count = page.evaluate("document.querySelectorAll('a[href], button, audio, summary').length")
    unseen = set()
    for _ in range(count):
        page.keyboard.press("Tab")
        unseen.add(
            page.evaluate(
                """() => {
                    const element = document.activeElement, style = getComputedStyle(element);
                    const seen = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0;
                    return seen || ['AUDIO', 'BODY'].includes(element.tagName) ? '' : element.outerHTML.slice(0, 80);
                }"""
            )
        )
    assert unseen <= {""}


def test_nothing_moves_for_those_who_asked_for_stillness(visit: Callable[..., Page]) -> None:
    """Reduced motion is respected by every rule of the style sheet."""
    page = visit(EPISODE, reduced_motion="reduce")
    moving = page.evaluate(
        """() => [...document.querySelectorAll('*')].filter(element => {
            const style = getComputedStyle(element);
            return parseFloat(style.transitionDuration) > 0.01 || parseFloat(style.animationDuration) > 0.01
                || style.scrollBehavior === 'smooth';
        }).map(element => element.outerHTML.slice(0, 80))"""
    )
    assert moving == []


def test_the_feeds_address_can_be_copied(visit: Callable[..., Page]) -> None:
    """One click on the subscribe page, in browsers that allow it."""
    page = visit("subscribe/")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("[data-copy]").click()
    expect(page.locator("[data-copy]")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == "https://example.org/podsite/feed.xml"
