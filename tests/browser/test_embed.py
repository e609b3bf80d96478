"""Promises of the player on other sites, and of pages of quotes, in Chromium."""

from __future__ import annotations

import functools
import itertools
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage, Error, Frame, Page, expect

from podsite import colour

EPISODE = "episodes/just-enough-cuda-to-be-dangerous/"
EMBED = EPISODE + "embed/"
QUOTE = EPISODE + "quotes/you-can-work-on-the-gpu/"
#: What docs/how-to/embed-an-episode.md gives to sites that want the frame as high as the player.
LISTENS = """<script>
addEventListener("message", ({ source, data }) => {
  for (const frame of document.querySelectorAll("iframe"))
    if (frame.contentWindow === source && data?.podsite === "height") frame.height = data.height;
});
</script>"""


class _Host(BaseHTTPRequestHandler):
    """Another site: every address is a page with the frame that its query asks for."""

    body = b""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def elsewhere() -> Iterator[Callable[[str], str]]:
    """Serves a page with some HTML from an origin of its own, and gives its address."""
    servers: list[ThreadingHTTPServer] = []

    def serve(html: str) -> str:
        page = f"<!doctype html><html lang=en><title>Blog</title><body><h1>Blog</h1>{html}"
        handler = type("Handler", (_Host,), {"body": page.encode()})
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        servers.append(server)
        threading.Thread(target=functools.partial(server.serve_forever, 0.02), daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}/"

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


def framed(page: Page, elsewhere: Callable[[str], str], address: str, more: str = "", height: int = 400) -> Frame:
    """The player in the frame of another site."""
    frame = f'<iframe src="{address}" title="Episode" width="600" height="{height}" allow="autoplay; clipboard-write">'
    page.goto(elsewhere(f"{more}{frame}</iframe>"))
    found = page.frame(url=address)
    assert found
    found.wait_for_load_state()
    return found


@pytest.fixture
def page(tab: Callable[..., Page]) -> Iterator[Page]:
    """A tab in which nothing may be said in the console."""
    page, faults = tab(), list[str]()

    def console(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            faults.append(message.text)

    def failed(error: Error) -> None:
        faults.append(str(error))

    page.on("console", console)
    page.on("pageerror", failed)
    yield page
    page.remove_listener("console", console)
    page.remove_listener("pageerror", failed)
    assert [fault for fault in faults if "favicon" not in fault and "404" not in fault] == []


def test_it_plays_on_another_site(page: Page, home: str, elsewhere: Callable[[str], str]) -> None:
    """By one click, at the moment its address names; other pages open outside of the frame."""
    frame = framed(page, elsewhere, home + EMBED + "?t=20")
    frame.get_by_role("button", name="Play", exact=True).click()
    frame.wait_for_function("[...document.querySelectorAll('audio')].some(one => !one.paused && one.currentTime > 20)")
    with page.context.expect_page() as opened:
        frame.get_by_role("link", name="Just enough CUDA").first.click()
    assert opened.value.url == home + EPISODE
    assert frame.url == home + EMBED + "?t=20"


def test_the_page_around_it_can_fit_the_frame(page: Page, home: str, elsewhere: Callable[[str], str]) -> None:
    """The player tells its height, also when something unfolds; the page needs three lines of script, or none."""
    frame = framed(page, elsewhere, home + EMBED, LISTENS, height=50)
    inner = "document.querySelector('main').offsetHeight"
    page.wait_for_function("+document.querySelector('iframe').height > 200")
    before = page.evaluate("+document.querySelector('iframe').height")
    assert abs(before - frame.evaluate(inner)) <= 3
    frame.locator("details.marks summary").click()
    page.wait_for_function(f"+document.querySelector('iframe').height > {before}")
    frame.locator("details.marks summary").click()
    page.wait_for_function(f"+document.querySelector('iframe').height <= {before}")
    assert frame.evaluate("document.documentElement.scrollHeight <= innerHeight + 1")


def test_its_colours_are_chosen_by_the_address_and_can_be_read(page: Page, home: str, thorough: bool) -> None:
    """Whatever the system has, and whatever the accent is."""
    style = "getComputedStyle(document.documentElement)"
    asks = [*itertools.product(("dark", "light"), ("00ff00", "#000080", "777777", "f7f2e8"))]
    for asked, accent in asks if thorough else asks[::5]:
        page.emulate_media(color_scheme="light" if asked == "dark" else "dark")
        page.goto(f"{home}{EMBED}?theme={asked}&accent={accent.replace('#', '%23')}")
        papers = colour.DARK_PAPERS if asked == "dark" else colour.LIGHT_PAPERS
        names = ["--paper", f"--accent-{asked}", f"--on-accent-{asked}"]
        paper, ink, on_ink = page.evaluate(f"names => names.map(name => {style}.getPropertyValue(name))", names)
        assert paper == papers[0], (asked, accent)
        assert all(colour.contrast(ink, paper) >= 4.5 for paper in papers), (asked, accent)
        assert colour.contrast(ink, on_ink) >= 4.5, (asked, accent)
        if colour.contrast("#" + accent.strip("#"), papers[1]) >= 4.6:
            assert ink == "#" + accent.strip("#")


def test_an_address_that_makes_no_sense_changes_nothing(page: Page, home: str, thorough: bool) -> None:
    """Nothing of it gets into the page."""
    queries = (
        "?theme=%22%3E%3Cscript%3E", "?accent=red;background:url(//x.test)", "?accent=12345",
        "?accent=1234567&theme=DARK", "?accent=expression(1)&t=%3Cimg%20src=x%20onerror=alert(1)%3E",
    )  # fmt: skip
    for query in queries if thorough else queries[1::3]:
        page.goto(home + EMBED + query)
        found = page.evaluate("[document.documentElement.style.length, document.documentElement.dataset.theme]")
        assert found == [0, None], query
        assert page.evaluate("document.querySelectorAll('body script:not([type]), img[onerror]').length") == 0, query


def test_without_scripts_it_is_a_plain_recording(context: Callable[..., BrowserContext], home: str) -> None:
    """With its picture, its title and the show's name; and no button that would do nothing."""
    page = context(java_script_enabled=False, viewport={"width": 320, "height": 500}).new_page()
    page.goto(home + EMBED)
    expect(page.locator("audio[controls]")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("Just enough CUDA to be dangerous")
    expect(page.locator("button:visible")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") == 320


def test_the_code_to_embed_can_be_copied(context: Callable[..., BrowserContext], home: str) -> None:
    """By keys alone."""
    page = context(permissions=["clipboard-read", "clipboard-write"]).new_page()
    page.goto(home + EPISODE)
    page.locator(".embedding summary").press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Copy the code")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".embedding button")).to_have_text("Copied")
    code = page.evaluate("navigator.clipboard.readText()")
    assert code.startswith('<iframe src="https://example.org/podsite/episodes/just-enough')


def test_a_quote_plays_its_range_and_stops(page: Page, home: str) -> None:
    """By the browser itself, as its address says; so it does without scripts too."""
    page.goto(home + QUOTE)
    source = page.locator("main audio").get_attribute("src") or ""
    start, end = map(float, source.partition("#t=")[2].split(","))
    page.locator("main audio").evaluate("audio => { audio.playbackRate = 4; audio.play(); }")
    page.wait_for_function(f"document.querySelector('main audio').currentTime > {start}")
    page.locator("main audio").evaluate("(audio, time) => { audio.currentTime = time; }", max(start, end - 1))
    page.wait_for_function("document.querySelector('main audio').paused")
    assert abs(page.evaluate("document.querySelector('main audio').currentTime") - end) < 1.5


def test_a_quote_leads_to_its_sentence_and_is_copied(context: Callable[..., BrowserContext], home: str) -> None:
    """The link is the lasting one, whatever address it was opened by."""
    page = context(permissions=["clipboard-read", "clipboard-write"], reduced_motion="reduce").new_page()
    page.goto(home + QUOTE + "?utm=1")
    page.get_by_role("button", name="Copy link", exact=True).click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == "https://example.org/podsite/" + QUOTE
    page.get_by_role("link", name="Read it in the transcript").click()
    expect(page.locator(".words :target")).to_be_in_viewport()
    expect(page.locator(".words :target")).to_contain_text("You can work on the GPU side")
    page.get_by_role("link", name="Link to this quote").click()
    expect(page).to_have_url(home + QUOTE)
    page.get_by_role("link", name="Hear the whole episode").click()
    page.wait_for_function("document.querySelector('audio').currentTime > 5")
    assert page.evaluate("document.querySelector('audio').paused")


@pytest.mark.parametrize(("path", "width"), [
    (EMBED + "?theme=dark&accent=ffff00", 1280),
    *(pytest.param(path, width, marks=pytest.mark.thorough) for path, width in (
        (EMBED, 320), (EMBED, 1280), (EMBED + "?theme=dark&accent=ffff00", 320), (QUOTE, 320), (QUOTE, 1280),
    )),
])  # fmt: skip
def test_axe_finds_nothing(page: Page, home: str, barriers: Callable[[Page], list[str]], path: str, width: int) -> None:
    """Light and dark, narrow and wide."""
    page.set_viewport_size({"width": width, "height": 700})
    page.goto(home + path)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert not barriers(page)
