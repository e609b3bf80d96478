"""Promises of what the site remembers: it helps, it can be forgotten, and nothing that is stored can do harm."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import ConsoleMessage, Error, Page, expect

PLAYS = """document.querySelector('.dock')
    && [...document.querySelectorAll('audio')].some(one => !one.paused && one.currentTime > 0.1)"""
KEY = "podsite /quiet/"


def episode(**facts: Any) -> dict[str, Any]:
    """What is stored of an episode."""
    known = {
        "title": "The first night",
        "address": "episodes/first-night/",
        "duration": 119,
        "time": 50,
        "heard": False,
    }
    return known | {"when": 1} | facts


@pytest.fixture
def remembering(tab: Callable[..., Page], talk_address: str) -> Iterator[Callable[..., Page]]:
    """Opens a page in a browser that has something stored; whatever the page complains about is a fault."""
    page, faults = tab(), list[str]()
    prepared = page.context.new_cdp_session(page)  # what it lets run before a page goes with it
    prepared.send("Page.enable")

    def console(message: ConsoleMessage) -> None:
        faults.append(message.text)

    def failed(error: Error) -> None:
        faults.append(str(error))

    def opened(stored: str, path: str = "", script: str = "") -> Page:
        store = f"localStorage.getItem('{KEY}') ?? localStorage.setItem('{KEY}', {json.dumps(stored)})"
        prepared.send("Page.addScriptToEvaluateOnNewDocument", {"source": script or store})
        page.goto(talk_address + path)
        return page

    page.on("console", console)
    page.on("pageerror", failed)
    page.faults = faults  # type: ignore[attr-defined]
    yield opened
    page.remove_listener("console", console)
    page.remove_listener("pageerror", failed)
    prepared.detach()


def test_what_was_begun_can_be_gone_on_with_wherever_it_is_listed(remembering: Callable[..., Page]) -> None:
    """The newest first, three at most; what was heard is marked."""
    episodes = {f"night-{n}": episode(title=f"Night {n}", address=f"episodes/night-{n}/", when=n) for n in range(5)}
    episodes |= {"first-night": episode(when=9), "second-night": episode(time=0, heard=True)}
    page = remembering(json.dumps({"episodes": episodes}))
    begun = page.get_by_role("region", name="Continue listening")
    expect(begun.get_by_role("heading", level=3)).to_have_text(["The first night", "Night 4", "Night 3"])
    expect(begun.locator(".mark").first).to_have_text("1 min left")
    page.get_by_role("link", name="Episodes").first.click()
    rows = page.locator(".row[data-episode]")
    expect(rows.filter(has_text="The first night").locator(".mark")).to_have_text("1 min left")
    expect(rows.filter(has_text="The second night").locator(".mark")).to_have_text("Heard")
    rows.get_by_role("link", name="The first night").click()
    expect(page.locator("main .at")).to_have_text("0:50")
    assert page.faults == []  # type: ignore[attr-defined]


@pytest.mark.thorough(but_each=10)
@pytest.mark.parametrize(
    "stored",
    [
        json.dumps({"speed": "fast", "volume": -1, "muted": 1, "episodes": {"first-night": episode(time="soon")}}),
        json.dumps({"speed": 99, "volume": 99, "episodes": {"__proto__": episode(), "first-night": episode(time=1e9)}}),
        "{", "null", "[]", '"text"', "7", '{"episodes": 7}', '{"speed": 1e999}', '{"episodes": {"first-night": null}}',
    ],
)  # fmt: skip
def test_damaged_memory_does_no_harm(remembering: Callable[..., Page], stored: str) -> None:
    """What is no longer understood counts as unknown."""
    page = remembering(stored, "episodes/first-night/")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function("!document.querySelector('audio').paused")
    assert 0.5 <= page.evaluate("document.querySelector('audio').playbackRate") <= 3
    page.get_by_role("button", name="Pause", exact=True).click()
    page.goto(page.url.replace("episodes/first-night/", ""))
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.faults == []  # type: ignore[attr-defined]


def test_what_is_stored_is_shown_as_text_and_leads_nowhere_else(remembering: Callable[..., Page]) -> None:
    """Another site below the same domain could write there."""
    episodes = {
        "a": episode(title="<img src=x onerror=alert(1)>", address="episodes/a/"),
        "b": episode(address="javascript:alert(1)"),
        "c": episode(address="https://evil.example/"),
        "d": episode(address="../elsewhere/"),
        "e": episode(time=170000, duration=118),
    }
    page = remembering(json.dumps({"episodes": episodes}))
    begun = page.get_by_role("region", name="Continue listening")
    expect(begun.get_by_role("heading", level=3)).to_have_text(["<img src=x onerror=alert(1)>"])
    assert page.faults == []  # type: ignore[attr-defined]


REFUSED = "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('', 'SecurityError') }})"
FULL = "Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError') }"


@pytest.mark.thorough(but_each=2)
@pytest.mark.parametrize("script", [REFUSED, FULL], ids=["refused", "full"])
def test_without_storage_it_is_remembered_while_one_stays(remembering: Callable[..., Page], script: str) -> None:
    """Private windows refuse, and storage may be full."""
    page = remembering("", "episodes/first-night/", script)
    page.get_by_label("Speed").select_option("2×")
    page.get_by_role("slider", name="Position").fill("50")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function(PLAYS)
    page.get_by_role("link", name="Quiet Hours").first.click()
    expect(page.get_by_role("region", name="Continue listening")).to_be_visible()
    expect(page.locator(".dock")).to_be_visible()
    assert page.evaluate("document.querySelector('.dock audio').playbackRate") == 2
    assert page.faults == []  # type: ignore[attr-defined]


def test_an_episode_heard_to_its_end_is_marked_and_the_next_one_follows_if_one_likes(
    remembering: Callable[..., Page],
) -> None:
    """It begins anew then; what follows is the one that came out after it."""
    begun = episode(title="The second night", address="episodes/second-night/", duration=4, time=2.5)
    stored = {"onward": True, "speed": 3, "episodes": {"second-night": begun}}
    page = remembering(json.dumps(stored), "episodes/second-night/")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function("document.querySelector('.dock .name')?.textContent === 'The lost night'")
    heard = json.loads(page.evaluate(f"localStorage.getItem('{KEY}')"))["episodes"]["second-night"]
    assert (heard["heard"], heard["time"]) == (True, 0)
    assert page.evaluate("Object.keys(localStorage).length") == 1


def test_all_of_it_can_be_forgotten(remembering: Callable[..., Page]) -> None:
    """In the player's settings, which say what is kept and where."""
    page = remembering(json.dumps({"speed": 2, "episodes": {"first-night": episode()}}), "episodes/first-night/")
    expect(page.locator("main .at")).to_have_text("0:50")
    page.get_by_role("button", name="Keys and settings").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("are kept in this browser, and are sent to nobody")
    dialog.get_by_role("button", name="Forget what I have heard").click()
    expect(page.locator("main .at")).to_have_text("0:00")
    stored = json.loads(page.evaluate(f"localStorage.getItem('{KEY}')"))
    assert (stored["episodes"], stored["speed"]) == ({}, 2)
