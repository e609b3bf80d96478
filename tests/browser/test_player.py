"""Promises of the player in Chromium: it plays, goes where one asks, stays while one browses, and remembers."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

EPISODE = "episodes/just-enough-cuda-to-be-dangerous/"
OTHER = "episodes/vectorization/"

#: What is loaded, and how it goes.
NOW = """(([one]) => ({time: one.currentTime, paused: one.paused}))(
    [...document.querySelectorAll('audio, video')].sort((one, other) => one.paused - other.paused))"""


def now(page: Page) -> Any:
    """Time and state of the recording."""
    return page.evaluate(NOW)


def playing(page: Page, beyond: float = 0.1) -> None:
    """Wait until it plays and has come further than that."""
    page.wait_for_function(f"(now => !now.paused && now.time > {beyond})({NOW})")


def test_nothing_is_loaded_before_one_asks(visit: Callable[..., Page]) -> None:
    """The duration is known from the show's files all the same."""
    page = visit(EPISODE)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    assert page.locator("audio").evaluate("audio => [audio.preload, audio.readyState]") == ["none", 0]
    expect(page.locator("main .total")).to_have_text("0:39")
    page.get_by_role("button", name="Play", exact=True).click()
    playing(page)
    assert any(url.endswith(".mp3") for url in asked)
    page.get_by_role("button", name="Pause", exact=True).click()
    assert now(page)["paused"]


def test_a_chapter_plays_from_its_moment(visit: Callable[..., Page]) -> None:
    """A timestamp moves the player of the page and leaves the page where it is."""
    page = visit(EPISODE)
    link = page.locator(".chapters a").nth(1)
    start = float(link.get_attribute("data-start") or "")
    assert start > 5
    before = page.url
    link.click()
    playing(page, start)
    assert now(page)["time"] < start + 5
    assert page.url == before
    expect(link).to_have_attribute("aria-current", "true")
    expect(page.locator("main .tune .part")).to_have_text("Threads, streams and waiting")
    expect(page).to_have_title(re.compile("^Threads, streams and waiting · Just enough CUDA"))


@pytest.mark.parametrize(
    "fragment",
    [
        "#t=0:20",
        *(pytest.param(form, marks=pytest.mark.thorough) for form in ("?t=20", "#t=20", "#t=npt:20,25", "#t-20")),
    ],
)
def test_a_link_to_a_moment_makes_the_player_ready_there(visit: Callable[..., Page], fragment: str) -> None:
    """A moment can be shared; it is shown, and nothing plays until the visitor says so."""
    page = visit(EPISODE + fragment)
    page.wait_for_function("document.querySelector('audio').readyState > 0")
    assert now(page) == {"time": 20, "paused": True}
    expect(page.locator("main .at")).to_have_text("0:20")
    expect(page.get_by_role("slider", name="Position")).to_have_attribute(
        "aria-valuetext", "20 seconds of 39 seconds, chapter Threads, streams and waiting"
    )


def test_a_link_to_a_moment_shows_the_player_on_a_small_phone(visit: Callable[..., Page]) -> None:
    """However long the title above it is; what is no time is passed over."""
    page = visit()
    page.set_viewport_size({"width": 320, "height": 420})
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.goto(f"{page.url}{EPISODE}#t=0:20")
    expect(page.locator("main .play")).to_be_in_viewport()
    expect(page.locator("main .at")).to_have_text("0:20")
    page.evaluate("location.hash = 't=....'")
    expect(page.locator("main .at")).to_have_text("0:20")
    assert not faults


def test_it_plays_on_while_one_browses(visit: Callable[..., Page]) -> None:
    """Pages are swapped in below the bar, with title, addresses, focus and history."""
    page = visit(EPISODE)
    page.evaluate("window.same = true")
    page.get_by_role("button", name="Play", exact=True).click()
    playing(page)
    page.get_by_role("link", name="Episodes").first.click()
    expect(page).to_have_title(re.compile("^Episodes"))
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    assert page.evaluate("document.querySelector('link[rel=canonical]').href").endswith("/podsite/episodes/")
    dock = page.get_by_role("region", name="Player")
    expect(dock).to_be_visible()
    expect(dock.get_by_role("link", name="Just enough CUDA")).to_have_attribute("href", re.compile(EPISODE))
    page.get_by_role("link", name="Vectorization").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Vectorization")
    playing(page, now(page)["time"])
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Episodes")
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Just enough CUDA to be dangerous")
    expect(page.locator("main podsite-player")).to_have_attribute("data-playing", "")
    assert page.evaluate("[window.same, document.querySelectorAll('audio').length]") == [True, 1]
    playing(page, now(page)["time"])


def test_without_something_to_hear_pages_are_opened_as_ever(visit: Callable[..., Page]) -> None:
    """Nothing is gained by swapping then."""
    page = visit(EPISODE)
    page.evaluate("window.same = true")
    page.get_by_role("link", name="Episodes").first.click()
    expect(page).to_have_title(re.compile("^Episodes"))
    assert page.evaluate("window.same") is None


@pytest.mark.thorough(like="test_what_was_begun_can_be_gone_on_with_wherever_it_is_listed")
def test_tomorrow_the_site_remembers(visit: Callable[..., Page]) -> None:
    """Where one stopped is offered on the home page and shown in lists and on the episode's page."""
    page = visit(EPISODE)
    page.get_by_role("slider", name="Position").fill("21")
    page.get_by_role("button", name="Play", exact=True).click()
    playing(page, 21)
    page.wait_for_function("document.querySelector('.dock')")  # what remembers comes with the bar
    page.goto(page.url.replace(EPISODE, ""))
    resume = page.get_by_role("region", name="Continue listening")
    expect(resume.get_by_role("link", name="Just enough CUDA")).to_be_visible()
    row = page.locator(f".rows:not(.resume *) .row[data-episode={EPISODE.split('/')[1]}]")
    expect(row.locator(".mark")).to_have_text(re.compile(r"^1\d sec left$"))
    resume.get_by_role("link", name="Continue at 0:21").click()
    playing(page, 21)
    expect(page.get_by_role("region", name="Player")).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    resume.get_by_role("button", name="Forget").click()
    expect(resume).to_be_hidden()
    expect(row.locator(".mark")).to_be_hidden()
