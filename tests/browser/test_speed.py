"""Promises of speed that can be counted: bytes, requests, shifts of the layout, what is fetched ahead or found late."""

from __future__ import annotations

import gzip
import hashlib
import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import BrowserContext, Page, expect

EPISODE = "episodes/just-enough-cuda-to-be-dangerous/"
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 1}
LAPTOP = {"viewport": {"width": 1280, "height": 800}, "device_scale_factor": 2}

#: Lists as long as one page ever holds: 99 of a topic and a person, 199 topics, 196 readings.
COUNT = 99
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
    people: {ada: {name: "Ada Reef", role: Host}}
"""

PICTURES = "# Pictures\n\n![A wide one](/wide.png)\n\nThe cover:\n\n![The cover](/artwork.jpg)\n\nThat was the cover.\n"


def words(seed: str, count: int) -> str:
    """Words that no compression foresees, always the same ones."""
    digits = "".join(hashlib.sha256(f"{seed} {n}".encode()).hexdigest() for n in range(count // 8 + 1))
    letters = digits.translate(str.maketrans("0123456789", "ghijklmnop"))
    return " ".join(letters[n * 7 : n * 7 + 3 + int(digits[n], 16) % 5] for n in range(count))


def night(number: int) -> str:
    """An episode's file; it shares one topic with all others, and has two of its own."""
    readings = "".join(
        f"  - {{title: x{words(f'title {number} {n}', 8)}, url: 'https://e{number}-{n}.org/{number}', year: 2001}}\n"
        for n in range(4)
    )
    return (
        f'title: "Night {words(f"title {number}", 5)}"\nslug: night-{number}\nnumber: {number}\n'
        f"published: {2020 + number // 30}-{number % 30 // 3 + 1:02}-{number % 3 + 1:02}\n"
        f"summary: x{words(f'summary {number}', 40)}\npeople: [ada]\n"
        f"topics: [Sleep, x{words(f'one {number}', 2)}, x{words(f'two {number}', 2)}]\n"
        f"audio: {{url: 'https://cdn.example.com/{number}.mp3', length: 30000000, duration: '1:00:00'}}\n"
        f"further_reading:\n{readings}"
    )


def wide() -> bytes:
    """A picture that is not the cover."""
    found = io.BytesIO()
    Image.linear_gradient("L").resize((1600, 900)).save(found, "PNG")
    return found.getvalue()


def transcript() -> Iterator[str]:
    """WebVTT of 3,000 words, a paragraph every ten seconds."""
    yield "WEBVTT\n"
    for cue in range(60):
        at = f"{cue // 6:02}:{cue % 6}0.000 --> {cue // 6:02}:{cue % 6}1.000"
        yield f"{at}\n{words(f'cue {cue}', 49)} owl{cue}.\n"


@pytest.fixture(scope="session")
def long_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the site of long lists lies."""
    return tmp_path_factory.mktemp("long") / "site"


@pytest.fixture(scope="session")
def long_address(long_site: Path, serve: Callable[..., str]) -> str:
    """Where it is served."""
    return serve(long_site / "output", "/quiet/")


@pytest.fixture
def long(site: Callable[..., Path], build: Callable[..., Path], long_site: Path, long_address: str) -> str:
    """The address of a site of long lists and a long transcript; the first test that needs it builds it."""
    if not long_site.exists():
        files = {f"episodes/{number:03}-night.yaml": night(number) for number in range(1, COUNT + 1)}
        gone = {"episodes/001-first-night.yaml": None, "episodes/001-first-night.mp3": None}
        files |= {"pages/pictures.md": PICTURES, "static/wide.png": wide()}
        files |= {"show.yaml": SHOW, "episodes/099-night.vtt": "\n".join(transcript())}
        build(site(gone | files, folder=str(long_site)))
    return long_address


def weight(path: Path) -> int:
    """Bytes of a file as servers send it: texts compressed."""
    content = path.read_bytes()
    is_text = path.suffix in {".html", ".css", ".js", ".svg", ".json", ".webmanifest"}
    return len(gzip.compress(content, 6) if is_text else content)


@pytest.mark.usefixtures("long")
def test_the_fullest_page_of_a_list_is_light(long_site: Path) -> None:
    """No page is heavier than 50 KB, whatever it lists; the issue allows 100."""
    pages = {path.relative_to(long_site).as_posix(): weight(path) for path in (long_site / "output").rglob("*.html")}
    assert {
        "output/reading/more/index.html",
        "output/topics/index.html",
        "output/people/ada/index.html",
    } <= pages.keys()
    assert not {path: size for path, size in pages.items() if size > 50_000}


@pytest.mark.thorough(but_each=2)
@pytest.mark.parametrize("screen", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_a_first_visit_to_an_episode_is_light(
    context: Callable[..., BrowserContext], home: str, own_site: Path, screen: dict[str, Any]
) -> None:
    """The page, a style sheet, four scripts and one picture; and an icon that not every browser asks for."""
    page = context(**screen).new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(home + EPISODE, wait_until="networkidle")
    icons = {f"{home}{name}" for name in ("favicon.svg", "favicon.ico", "icon.png")}
    files = [url.removeprefix(home) for url in asked if url not in icons]
    assert [re.sub(r".*/|-\w{8}-\d+", "", name) for name in sorted(files)] == [
        "memory.js", "player.js", "site.css", "site.js", "transcript.js", "", "artwork.webp"
    ]  # fmt: skip
    sizes = [weight(own_site / (name + "index.html" if name.endswith("/") else name)) for name in files]
    assert sum(sizes) + weight(own_site / "favicon.svg") < 60_000


#: Shifts nobody asked for, and where; what the browser moves inside of its own player is none of ours.
SHIFTS = """() => { window.shifts = []; new PerformanceObserver(list => {
    for (const entry of list.getEntries())
        for (const { node } of entry.sources)
            if (node) shifts.push(`${entry.value}: ${(node.outerHTML || node.textContent).slice(0, 80)}`);
}).observe({ type: 'layout-shift', buffered: true }); }"""
#: Goes to the end and back, as dragging the scroll bar does, and waits for what comes into view.
SCROLL = """async () => {
    const painted = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
    for (const top of [0.3, 0.6, 1, 0.5, 0].map(part => part * document.documentElement.scrollHeight)) {
        scrollTo({ top, behavior: 'instant' });
        await painted();
    }
    return shifts;
}"""


@pytest.mark.thorough(but_each=2)
@pytest.mark.parametrize("screen", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_nothing_on_a_page_moves_by_itself(
    context: Callable[..., BrowserContext], home: str, long: str, screen: dict[str, Any], thorough: bool
) -> None:
    """On each kind of page, while it loads and while it is scrolled, however long its lists are.

    Where not all is tried, a phone shows some kinds.
    """
    page = context(**screen).new_page()
    page.add_init_script(f"({SHIFTS})()")
    kinds = ["", "episodes/", EPISODE, "topics/", "people/", "people/ezyang/", "reading/", "start/", "start/internals/"]
    found = {}
    urls = [home + kind for kind in [*kinds, "subscribe/", "404.html"]] + [
        long + kind
        for kind in (
            "episodes/",
            "episodes/night-99/",
            "topics/",
            "topics/sleep/",
            "people/ada/",
            "reading/more/",
            "pictures/",
        )
    ]
    for url in urls if thorough else urls[2::6]:
        page.goto(url, wait_until="load")
        found[url] = page.evaluate(SCROLL)
    assert {url: shifts for url, shifts in found.items() if shifts} == {}


def test_the_rest_of_a_long_reading_list_is_fetched_when_somebody_filters_it(
    context: Callable[..., BrowserContext], long: str
) -> None:
    """Not before; then it is looked through whole, and the newest stand alone again when nothing is asked for."""
    page = context().new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(long)))
    page.goto(long + "reading/", wait_until="networkidle")
    assert [url for url in asked if "reading/more/" in url] == []
    shown = page.locator(".readings > li:visible")
    expect(shown).to_have_count(10)
    page.get_by_label("Filter by words").fill(f"x{words('title 1 0', 8)}")
    expect(page.locator("output")).to_have_text("1 title")
    assert "reading/more/" in asked
    link = shown.locator(".cited a")
    assert link.evaluate("link => link.href") == long + "episodes/night-1/"
    expect(page.locator(".onward")).to_be_hidden()
    page.get_by_label("Filter by words").fill("nothing like it")
    page.get_by_role("button", name="Show everything").click()
    expect(shown).to_have_count(10)
    expect(page.locator(".onward")).to_be_visible()
    page.route("**/reading/more/", lambda route: route.abort())
    with page.expect_event("requestfailed"):
        page.goto(long + "reading/?q=nothing+like+it")
    expect(page.locator(".onward")).to_be_visible()
    expect(page.get_by_text("Nothing here has all of that.")).to_be_hidden()


def test_a_page_is_fetched_ahead_once_its_link_is_touched(visit: Callable[..., Page]) -> None:
    """The rules parse, and pages are not run before they are opened; recordings and other sites are left alone."""
    page = visit(EPISODE)
    session = page.context.new_cdp_session(page)
    rules: list[dict[str, Any]] = []
    fetched: set[str] = set()
    session.on("Preload.ruleSetUpdated", lambda told: rules.append(told["ruleSet"]))
    session.on("Preload.prefetchStatusUpdated", lambda told: fetched.add(told["prefetchUrl"]))
    session.on("Preload.prerenderStatusUpdated", lambda told: fetched.add(f"run: {told['key']['url']}"))
    session.send("Preload.enable")
    for link in ("a[download]", "main a[href^='https:']"):
        page.locator(link).first.hover()
        page.mouse.down()
        page.mouse.move(1, 1)
        page.mouse.up()
    following = page.locator(".pager a").first
    address = following.evaluate("link => link.href")
    following.click()
    page.wait_for_url(address)
    assert page.evaluate("performance.getEntriesByType('navigation')[0].deliveryType") == "navigational-prefetch"
    assert fetched == {address}
    assert rules
    assert not [rule for rule in rules if "errorType" in rule]


def test_every_page_has_the_same_rules(own_site: Path) -> None:
    """So that one hash lets them pass a content security policy."""
    pattern = re.compile(r'<script type="speculationrules">.*?</script>|<script>.*?</script>')
    pages = [path.read_text("utf-8") for path in own_site.rglob("*.html") if path.parent.name != "embed"]
    assert len({tuple(pattern.findall(page)) for page in pages}) == 1


def test_a_moment_deep_in_a_folded_transcript_is_shown(long: str, tab: Callable[..., Page]) -> None:
    """Its address leads there, though what lies before it has not been laid out; so does the search of the browser."""
    page = tab(reduced_motion="reduce")
    page.goto(long + "episodes/night-99/#t-400")
    paragraph = page.locator("#t-400")
    assert paragraph.evaluate("part => getComputedStyle(part).contentVisibility") == "auto"
    expect(paragraph).to_be_in_viewport()
    page.evaluate("scrollTo(0, 0)")
    expect(paragraph).not_to_be_in_viewport()
    assert page.evaluate("find('owl23')")
    expect(page.locator("#t-230")).to_be_in_viewport()


@pytest.mark.thorough(like="test_the_archive_leads_to_every_year")
def test_a_year_of_the_archive_leads_to_its_newest_episode(long: str, tab: Callable[..., Page]) -> None:
    """On whichever page that is."""
    page = tab(reduced_motion="reduce")
    page.goto(long + "episodes/")
    page.get_by_role("navigation", name="Years").get_by_role("link", name="2021").click()
    expect(page).to_have_url(re.compile(r"/episodes/page/\d/#2021$"))
    expect(page.get_by_role("heading", name="2021")).to_be_in_viewport()
