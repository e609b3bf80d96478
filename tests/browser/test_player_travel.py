"""Promises of browsing while something plays: pages are swapped in below it, or opened as ever where that is wiser."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

EPISODE = "episodes/just-enough-cuda-to-be-dangerous/"

#: The recording that plays.
HEARD = "[...document.querySelectorAll('audio')].find(one => !one.paused)"


@pytest.fixture
def listening(tab: Callable[..., Page], home: str) -> Callable[..., Page]:
    """A page of the site, or some of its pages changed by `routes`, where a recording plays."""

    def opened(
        path: str = EPISODE, routes: dict[str, Callable[[Route], None]] | None = None, viewport: Any = None
    ) -> Page:
        page = tab()
        if viewport:
            page.set_viewport_size(viewport)
        for pattern, answer in (routes or {}).items():
            page.route(pattern, answer)
        page.goto(home + path)
        page.evaluate("window.same = true")
        page.locator("main .play").click()
        page.wait_for_function(f"{HEARD}?.currentTime > 0.1 && document.querySelector('.dock')")
        return page

    return opened


def edited(old: str, new: str) -> Callable[[Route], None]:
    """Answers with a page in which something is replaced."""

    def answer(route: Route) -> None:
        response = route.fetch()
        text = response.text()
        assert old in text
        route.fulfill(response=response, body=text.replace(old, new))

    return answer


def is_same(page: Page) -> bool:
    """Whether it is the page that was opened, and still plays."""
    return bool(page.evaluate(f"window.same && !!{HEARD}"))


def test_back_and_forward_find_their_place(listening: Callable[..., Page]) -> None:
    """Where one was on a page is where one comes back to."""
    page = listening(viewport={"width": 900, "height": 500})
    page.get_by_role("link", name="Episodes").first.click()
    expect(page).to_have_title(re.compile("^Episodes"))
    assert page.evaluate("scrollY") == 0
    # at once, whatever the browser makes of wishes for motion, and shown before one goes on
    page.evaluate(
        """new Promise(done => {
            scrollTo({top: 700, behavior: 'instant'});
            requestAnimationFrame(() => requestAnimationFrame(done));
        })"""
    )
    page.locator(".row a").nth(4).evaluate("link => link.click()")
    expect(page.locator("article.episode")).to_be_visible()
    assert page.evaluate("scrollY") == 0
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Episodes")
    page.wait_for_function("Math.abs(scrollY - 700) < 5")


def test_a_link_to_a_place_leads_there(listening: Callable[..., Page], thorough: bool) -> None:
    """From page to page, and on the way forward."""
    page = listening(viewport={"width": 900, "height": 500})
    if thorough:
        page.get_by_role("link", name="Episodes").first.click()
        expect(page).to_have_title(re.compile("^Episodes"))
        page.locator(".row a").nth(4).evaluate("link => link.click()")
        expect(page.locator("article.episode")).to_be_visible()
        page.go_back()
        expect(page.get_by_role("heading", level=1)).to_have_text("Episodes")
        page.go_forward()
        expect(page.locator("article.episode")).to_be_visible()
    page.evaluate(
        """document.querySelector('main')
            .insertAdjacentHTML('afterbegin', '<a href="../vectorization/#notes">There</a>')"""
    )
    page.get_by_role("link", name="There").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Vectorization")
    expect(page.get_by_role("heading", name="Notes")).to_be_in_viewport()
    assert is_same(page)


def test_everything_about_the_new_page_is_its_own(listening: Callable[..., Page], home: str) -> None:
    """Links, alternates, descriptions, structured data, the current entry of the navigation, pictures and buttons."""
    page = listening()
    page.get_by_role("link", name="People").first.click()
    expect(page).to_have_title(re.compile("^People"))
    facts = """() => [
        ...[...document.head.querySelectorAll('link:not([rel=stylesheet]), meta, script[type$="ld+json"]')]
            .map(each => [each.rel, each.href, each.content, each.type, each.textContent]),
        ...[...document.querySelectorAll('body > :not(.dock, script) :is(a, img)')].map(each => each.href || each.src),
        document.documentElement.lang, document.querySelectorAll('[aria-current=page]').length]"""
    swapped = page.evaluate(facts)
    other = page.context.new_page()
    other.goto(home + "people/")
    assert swapped == other.evaluate(facts)
    other.close()
    page.get_by_role("button", name="Colour theme").click()
    expect(page.get_by_role("button", name="Colour theme")).to_contain_text("Light")
    assert is_same(page)


def test_scripts_of_a_page_run_when_it_is_swapped_in(listening: Callable[..., Page]) -> None:
    """Those that are new are fetched, then every script hears of the page."""
    script = """document.addEventListener('podsite:page', ({detail}) =>
        (window.told ??= []).push([document.title.split(' · ')[0], detail.first]))"""
    page = listening(
        routes={
            "**/people/": edited("</head>", '<script type="module" src="../assets/extra.js"></script></head>'),
            "**/assets/extra.js": lambda route: route.fulfill(body=script, content_type="text/javascript"),
        }
    )
    page.get_by_role("link", name="People").first.click()
    page.wait_for_function("window.told")
    page.get_by_role("link", name="Topics").first.click()
    page.wait_for_function("window.told.length === 2")
    assert page.evaluate("told") == [["People", False], ["Topics", False]]
    assert is_same(page)


ODD = {
    "a page that says so": ("**/people/", edited("<main ", "<main data-no-swap ")),
    "other styles": ("**/people/", edited("assets/site.css", "assets/site.css?v=2")),
    "code of its own": ("**/people/", edited("</main>", "<script>window.ran = true</script></main>")),
    "an error": (
        "**/people/",
        lambda route: route.fulfill(status=500, body="<h1>Broken</h1>", content_type="text/html"),
    ),
    "no page": ("**/people/", lambda route: route.fulfill(body="Text", content_type="text/plain")),
}


@pytest.mark.thorough(but_each=5)
@pytest.mark.parametrize("why", ODD)
def test_what_is_odd_is_opened_as_ever(listening: Callable[..., Page], why: str) -> None:
    """The recording stops then, and where it was is known."""
    pattern, answer = ODD[why]
    page = listening(routes={pattern: answer})
    page.get_by_role("link", name="People").first.click()
    page.wait_for_function("!window.same && document.readyState === 'complete'")
    assert page.url.endswith("/people/")


def test_files_new_tabs_and_other_sites_are_left_to_the_browser(listening: Callable[..., Page]) -> None:
    """So are downloads, and links into the page."""
    page = listening()
    with page.expect_download():
        page.get_by_role("link", name="Download").click()
    page.get_by_role("link", name="Transcript", exact=True).click()
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Episodes").first.click(modifiers=["ControlOrMeta"])
    opened.value.close()
    assert is_same(page)
    page.get_by_role("link", name="RSS feed").click()
    page.wait_for_url("**/feed.xml")


def test_a_second_click_before_the_page_is_there_leads_where_it_says(listening: Callable[..., Page]) -> None:
    """Though the address has changed already, links of the old page keep their meaning."""
    page = listening(routes={"**/people/": lambda _: None})  # never answered
    link = page.locator(".titles a").first
    address = link.evaluate("link => link.href")
    page.get_by_role("link", name="People").first.click()
    page.wait_for_url("**/people/")
    link.click()
    page.wait_for_url(address)
    expect(page.locator("article.episode")).to_be_visible()
    assert is_same(page)


def test_the_bar_can_be_used_anywhere_and_closed(listening: Callable[..., Page]) -> None:
    """What lies under it can be reached; closed, pages open as ever."""
    page = listening()
    page.get_by_role("link", name="Episodes").first.click()
    dock = page.get_by_role("region", name="Player")
    expect(dock).to_be_visible()
    dock.get_by_role("button", name="More").click()
    expect(dock.get_by_role("button", name="More")).to_have_attribute("aria-expanded", "true")
    dock.locator("summary").click()
    dock.get_by_role("link", name="The original episode").click()
    page.wait_for_function(f"{HEARD}.currentTime >= 32")
    dock.get_by_role("link", name="Play the episode before").click()
    expect(dock.get_by_role("link", name="Inference mode")).to_be_visible()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    foot = page.locator(".colophon a").last
    assert foot.evaluate("link => link.getBoundingClientRect().bottom") < dock.evaluate("dock => dock.offsetTop")
    dock.get_by_role("button", name="Close the player").click()
    expect(dock).to_be_hidden()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.get_by_role("link", name="People").first.click()
    page.wait_for_function("!window.same")


def test_moments_of_other_episodes_play_from_anywhere(listening: Callable[..., Page], home: str) -> None:
    """As hits of a search do; what plays is what the bar names."""
    page = listening("")
    page.evaluate(
        """document.querySelector('main').insertAdjacentHTML('afterbegin',
            '<p data-episode="vectorization"><a href="episodes/vectorization/#t=20" data-start="20">Twenty</a></p>')"""
    )
    page.get_by_role("link", name="Twenty").click()
    page.wait_for_function(f"{HEARD}?.currentTime > 20")
    dock = page.get_by_role("region", name="Player")
    expect(dock.get_by_role("link", name="Vectorization")).to_be_visible()
    assert page.locator("audio").evaluate_all("all => all.filter(one => !one.paused).length") == 1
    page.evaluate(
        "document.dispatchEvent(new CustomEvent('podsite:seek', {detail: {slug: 'inference-mode', time: 9}}))"
    )
    expect(dock.get_by_role("link", name="Inference mode")).to_have_attribute("href", f"{home}episodes/inference-mode/")
    page.wait_for_function(f"{HEARD}?.currentTime > 9")
    assert page.url == home
