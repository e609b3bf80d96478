"""Promises of the player's controls: each by mouse and by key, said in words, and none takes what is not its own."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, Route, expect

Open = Callable[..., Page]

#: The recording that plays, else the first.
MEDIA = "[...document.querySelectorAll('audio, video')].sort((one, other) => one.paused - other.paused)[0]"
#: The functions that a page gives to the keys of the system, by their name.
SPY = """navigator.mediaSession.setActionHandler = function (name, act) {
    (window.keys ??= {})[name] = act;
    return MediaSession.prototype.setActionHandler.call(this, name, act);
}"""


def media(page: Page, name: str) -> Any:
    """A property of the recording."""
    return page.evaluate(f"{MEDIA}.{name}")


def at(page: Page, time: float, within: float = 1.5) -> None:
    """Wait until it is there."""
    page.wait_for_function(f"(time => time >= {time} && time < {time + within})({MEDIA}.currentTime)")


def said(page: Page) -> Locator:
    """What the player says at the moment."""
    return page.locator("[role=status]:not(:empty)")


def test_buttons_and_slider_go_where_they_say(talk: Open) -> None:
    """Steps, chapters, and any place of the slider; screen readers hear words."""
    page = talk()
    position = page.get_by_role("slider", name="Position")
    page.get_by_role("button", name="Forward 30 seconds").click()
    at(page, 30)
    page.get_by_role("button", name="Back 15 seconds").click()
    at(page, 15)
    page.get_by_role("button", name="Next chapter").click()
    at(page, 40)
    expect(position).to_have_attribute("aria-valuetext", "40 seconds of 1 minute 59 seconds, chapter Midnight")
    page.get_by_role("button", name="Next chapter").click()
    at(page, 80)
    page.get_by_role("button", name="Previous chapter").click()
    at(page, 40)
    box = position.bounding_box()
    assert box
    position.click(position={"x": box["width"] * 0.75, "y": box["height"] / 2})
    at(page, 88, within=3)
    expect(page.locator("main .tune .part")).to_have_text("Dawn")
    assert page.locator("main .ticks i").count() == 2
    assert media(page, "paused"), "to look for a place is not to play"


def test_speed_volume_and_silence_are_remembered(talk: Open) -> None:
    """For every episode, from one visit to the next."""
    page = talk()
    page.get_by_label("Speed").select_option("1.5×")
    page.get_by_role("slider", name="Volume").fill("0.4")
    page.get_by_role("button", name="Mute").click()
    page.goto(page.url.replace("first", "second"))
    expect(page.get_by_label("Speed")).to_have_value("1.5")
    expect(page.get_by_role("button", name="Mute")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function(f"!{MEDIA}.paused")
    assert [media(page, name) for name in ("playbackRate", "volume", "muted")] == [1.5, 0.4, True]


def test_keys_control_the_player(talk: Open) -> None:
    """Letters, arrows, and the space bar while the player is in sight."""
    page = talk()
    page.keyboard.press("k")
    page.wait_for_function(f"!{MEDIA}.paused")
    page.keyboard.press("k")
    page.wait_for_function(f"{MEDIA}.paused")
    for key, time in (("l", 30), ("j", 15), ("ArrowRight", 20), ("ArrowLeft", 15), ("Shift+ArrowRight", 40)):
        page.keyboard.press(key)
        at(page, time)
    page.keyboard.press("Shift+ArrowLeft")
    at(page, 0)
    page.keyboard.press(">")
    expect(said(page)).to_have_text("Speed 1.25×")
    page.keyboard.press("<")
    page.keyboard.press("<")
    expect(said(page)).to_have_text("Speed 0.75×")
    page.keyboard.press("m")
    assert media(page, "muted")
    page.keyboard.press("Space")
    page.wait_for_function(f"!{MEDIA}.paused")
    assert page.evaluate("scrollY") == 0


def test_keys_are_left_to_their_owners(talk: Open) -> None:
    """Fields, buttons, links, lists, dialogs and the browser's own shortcuts keep them."""
    page = talk()
    page.evaluate("document.querySelector('main').insertAdjacentHTML('afterbegin', '<input><textarea></textarea>')")
    for selector in ("main > input", "main > textarea", "select >> nth=0"):
        page.locator(selector).focus()
        for key in ("k", "l", "m", "?", "ArrowRight", " "):
            page.keyboard.press(key)
    expect(page.locator("main > input")).to_have_value("klm? ")
    assert media(page, "paused")
    assert not media(page, "muted")
    page.get_by_role("button", name="Forward 30 seconds").focus()
    page.keyboard.press("Space")
    at(page, 30)
    page.get_by_role("link", name="Episodes").first.focus()
    for key in ("ArrowRight", "Space", "Control+ArrowRight", "Alt+l"):
        page.keyboard.press(key)
    page.keyboard.press("Control+l")
    assert media(page, "paused")
    assert media(page, "currentTime") == 30


def test_the_slider_moves_by_keys_and_says_where(talk: Open) -> None:
    """Five seconds an arrow; the ends by Home and End."""
    page = talk()
    position = page.get_by_role("slider", name="Position")
    position.focus()
    for key, time in (("ArrowRight", 5), ("ArrowUp", 10), ("ArrowDown", 5), ("ArrowLeft", 0)):
        page.keyboard.press(key)
        at(page, time, within=0.1)
    expect(position).to_have_attribute("aria-valuetext", "0 seconds of 1 minute 59 seconds, chapter Dusk")
    page.keyboard.press("End")
    expect(position).to_have_attribute("aria-valuetext", re.compile("^1 minute 5[89] seconds of"))


def test_help_holds_the_focus_and_gives_it_back(talk: Open) -> None:
    """Single keys can be switched off there, for those whose software types them."""
    page = talk()
    link = page.get_by_role("link", name="Episodes").first
    link.focus()
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys and settings")
    expect(dialog).to_be_visible()
    for _ in range(6):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.closest('dialog') || document.activeElement === document.body")
    page.keyboard.press("k")
    assert media(page, "paused")
    dialog.get_by_label("Single keys").uncheck()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(link).to_be_focused()
    page.keyboard.press("k")
    page.reload()
    page.keyboard.press("l")
    assert media(page, "currentTime") == 0
    page.keyboard.press("ArrowRight")
    at(page, 5)


def test_the_timer_puts_it_to_sleep(context: Callable[..., BrowserContext], talk_address: str) -> None:
    """After some minutes, or at the end of the chapter."""
    page = context().new_page()
    page.clock.install()
    page.goto(f"{talk_address}episodes/first-night/")
    timer = page.get_by_label("Sleep timer").first
    timer.select_option("15 min")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function(f"{MEDIA}.currentTime > 0.3")  # heard, so that nothing of its start is still to be told
    page.clock.fast_forward("14:50")
    assert not media(page, "paused")
    page.clock.fast_forward("00:11")
    page.wait_for_function(f"{MEDIA}.paused")
    expect(said(page)).to_have_text("Paused by the sleep timer")
    expect(timer).to_have_value("")
    page.locator("main podsite-player").evaluate("player => player.go(39.6)")
    timer.select_option("End of the chapter")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function(f"!{MEDIA}.paused")
    page.wait_for_function(f"{MEDIA}.paused")
    at(page, 39.5)


def test_a_link_to_this_moment_can_be_copied(talk: Open) -> None:
    """By one button; where the browser forbids it, the link is shown, ready to be copied."""
    page = talk("episodes/first-night/#t=1:02")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    button = page.get_by_role("button", name="Copy link at 1:02")
    button.click()
    expect(said(page)).to_have_text("Copied")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.endswith("/quiet/episodes/first-night/#t=1:02")
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject() }")
    button.click()
    expect(said(page)).to_have_text(link)
    assert page.evaluate("getSelection().toString()") == link


def test_the_system_knows_what_plays_and_its_keys_work(
    context: Callable[..., BrowserContext], talk_address: str
) -> None:
    """Title, chapter and artwork; every action; of the chapter its own picture."""
    page = context().new_page()
    page.add_init_script(SPY)
    page.goto(f"{talk_address}episodes/first-night/#t=35")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function("navigator.mediaSession.metadata")
    told = page.evaluate(
        "(({title, artist, album, artwork}) => [title, artist, album, artwork])(navigator.mediaSession.metadata)"
    )
    assert told[:3] == ["The first night", "Dusk", "Quiet Hours"]
    assert [one["sizes"] for one in told[3]] == ["192x192", "480x480"]
    assert all(one["src"].startswith(f"{talk_address}images/artwork-") for one in told[3])
    page.evaluate("keys.seekforward({})")
    at(page, 65, within=3)
    page.wait_for_function("navigator.mediaSession.metadata.artist === 'Midnight'")
    assert "moon" in page.evaluate("navigator.mediaSession.metadata.artwork[0].src")
    page.evaluate("keys.seekbackward({seekOffset: 5})")
    at(page, 60, within=3)
    page.evaluate("keys.seekto({seekTime: 90})")
    at(page, 90, within=3)
    page.evaluate("keys.pause()")
    page.wait_for_function(f"{MEDIA}.paused")
    assert page.evaluate("keys.previoustrack") is None, "there is none before the first"
    page.evaluate("keys.play()")
    page.wait_for_function(f"!{MEDIA}.paused")
    page.evaluate("keys.nexttrack()")
    expect(page.get_by_role("region", name="Player").get_by_role("link", name="The second night")).to_be_visible()
    page.evaluate("keys.stop()")
    expect(page.get_by_role("region", name="Player")).to_be_hidden()


def test_a_stretch_plays_to_its_end(talk: Open) -> None:
    """A quote's link: from here to there, then it rests; played again, it goes on."""
    page = talk("episodes/first-night/#t=10,10.3")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function(f"{MEDIA}.currentTime >= 10.3 && {MEDIA}.paused")
    at(page, 10.3, within=0.7)
    page.get_by_role("button", name="Play", exact=True).click()
    page.evaluate(f"{MEDIA}.playbackRate = 4")
    page.wait_for_function(f"{MEDIA}.currentTime > 11.1")


def test_a_missing_recording_is_said_and_tried_again(talk: Open) -> None:
    """In words, with a way on; the place is kept."""
    page = talk("episodes/lost-night/")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(said(page)).to_have_text("The recording is not there (error 404).")
    expect(page.get_by_role("button", name="Try again")).to_be_visible()


def test_who_is_offline_is_told_and_goes_on_later(context: Callable[..., BrowserContext], talk_address: str) -> None:
    """The link's moment is kept."""
    page = context().new_page()
    page.goto(f"{talk_address}episodes/first-night/")
    page.get_by_role("button", name="Forward 30 seconds").click()
    page.context.set_offline(True)
    page.get_by_role("button", name="Play", exact=True).click()
    expect(said(page)).to_contain_text("You seem to be offline")
    page.context.set_offline(False)
    page.get_by_role("button", name="Try again").click()
    page.wait_for_function(f"!{MEDIA}.paused && {MEDIA}.currentTime > 30")
    expect(said(page)).to_have_count(0)


def test_what_the_browser_cannot_play_is_said(tab: Callable[..., Page], talk_address: str) -> None:
    """The download is still there."""
    page = tab()
    page.route("**/*.mp3", lambda route: route.fulfill(body="Not a sound.", content_type="audio/mpeg"))
    page.goto(f"{talk_address}episodes/first-night/")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(said(page)).to_contain_text("This browser cannot play the recording")
    expect(page.get_by_role("link", name="Download")).to_be_visible()


def test_a_silent_refusal_is_explained(talk: Open) -> None:
    """Where a browser lets nothing begin by itself, it says what to do."""
    page = talk()
    page.evaluate("""() => {
            HTMLMediaElement.prototype.play = () => Promise.reject(new DOMException('', 'NotAllowedError'));
        }""")
    page.keyboard.press("k")
    expect(said(page)).to_contain_text("Press Play")


def test_other_tabs_fall_silent(context: Callable[..., BrowserContext], talk_address: str) -> None:
    """One recording at a time, wherever it began."""
    profile = context()
    pages = [profile.new_page(), profile.new_page()]
    for page in pages:
        page.goto(f"{talk_address}episodes/first-night/")
        page.get_by_role("button", name="Play", exact=True).click()
        page.wait_for_function(f"!{MEDIA}.paused")
    pages[0].wait_for_function(f"{MEDIA}.paused")
    assert not media(pages[1], "paused")


@pytest.fixture(scope="module")
def film() -> bytes:
    """Two seconds of pictures as a browser recorded them, whose length is not written anywhere."""
    return (Path(__file__).with_name("film.webm")).read_bytes()


def test_films_have_the_same_controls(tab: Callable[..., Page], talk_address: str, film: bytes) -> None:
    """And captions; in the bar the picture plays on."""
    page = tab()
    page.route("**/*.mp4", lambda route: route.fulfill(body=film, content_type="video/webm"))
    page.goto(f"{talk_address}episodes/seen-night/")
    video = page.locator("main video")
    expect(video).to_be_visible()
    page.set_viewport_size({"width": 1280, "height": 500})
    page.get_by_role("button", name="Captions").click()
    page.wait_for_function("document.querySelector('main video').textTracks[0].mode === 'showing'")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function(f"!{MEDIA}.paused && {MEDIA}.currentTime > 0.1")
    assert video.evaluate("video => video.offsetHeight") <= 375  # picture and controls fit into the window
    page.get_by_role("link", name="Episodes").first.click()
    expect(page.locator(".dock video")).to_be_visible()
    page.locator(".dock").get_by_role("button", name="More").click()
    expect(page.locator(".dock video")).to_be_in_viewport(ratio=1)
    page.go_back()
    expect(page.locator("main video")).to_be_visible()
    assert page.locator("video").count() == 1


def test_a_recording_of_unknown_length_plays(tab: Callable[..., Page], talk_address: str, film: bytes) -> None:
    """Streams have no length; what has gone by is shown."""
    page = tab()
    page.route("**/*.mp3", lambda route: route.fulfill(body=film, content_type="video/webm"))

    def undated(route: Any) -> None:
        body = route.fetch().text().replace('data-duration="4"', "").replace('max="4"', "")
        route.fulfill(body=body, content_type="text/html")

    page.route("**/second-night/", undated)
    page.goto(f"{talk_address}episodes/second-night/")
    expect(page.get_by_role("slider", name="Position")).to_be_disabled()
    page.get_by_role("button", name="Play", exact=True).click()
    page.evaluate(f"{MEDIA}.playbackRate = 2")
    page.wait_for_function(f"{MEDIA}.currentTime > 1")
    expect(page.locator("main .at")).to_have_text("0:01")


#: What screen readers would hear of a player: changed names, values in words, live text.
HEARD = """() => {
    window.heard = [];
    new MutationObserver(list => heard.push(...list.map(({attributeName}) => attributeName)))
        .observe(document.querySelector('main podsite-player'), {
            subtree: true, attributeFilter: ['aria-label', 'aria-valuetext', 'aria-pressed', 'aria-current'],
        });
    const live = document.querySelector('main [role=status]');
    new MutationObserver(() => heard.push(live.textContent)).observe(live, {childList: true, characterData: true});
}"""


def test_the_passing_of_time_is_not_read_aloud(talk: Open) -> None:
    """Nothing that screen readers follow changes while it plays."""
    page = talk()
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function(f"{MEDIA}.currentTime > 0.1 && document.querySelector('.dock')")
    page.evaluate(f"{MEDIA}.playbackRate = 4")
    page.wait_for_function(f"{MEDIA}.currentTime > 1")
    page.evaluate(HEARD)
    page.wait_for_function(f"{MEDIA}.currentTime > 4.2")
    assert page.evaluate("heard") == []


def test_waiting_for_the_recording_is_shown(tab: Callable[..., Page], talk_address: str) -> None:
    """Until it can be heard."""
    page = tab()
    held: list[Route] = []
    page.route("**/*.mp3", lambda route: route.continue_() if held else held.append(route))
    page.goto(f"{talk_address}episodes/first-night/")
    page.get_by_role("button", name="Play", exact=True).click()
    player = page.locator("main podsite-player")
    expect(player).to_have_attribute("data-busy", "")
    held[0].continue_()
    expect(player).not_to_have_attribute("data-busy", "")
