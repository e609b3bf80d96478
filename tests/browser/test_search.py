"""Promises of the search page: what was said is found, and played from where it was said."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from podsite import findable

SHOW = """
    title: "Night Radio"
    description: "Talks about the night."
    language: en
    author: "Ada Reef"
    url: https://example.org/radio/
    artwork: static/artwork.jpg
    categories: [Technology]
    guid: 917393e3-1b1e-5cef-ace4-edaa54e1f810
    seasons: {2: "The second winter"}
    people:
      ada: {name: "Ada Reef", role: Host, bio: "Listens to owls."}
      bo: {name: "Bo Fjord", role: Guest}
"""
OWLS = """
    title: "Owls & <img src=x onerror=alert(1)></script>"
    number: 1
    season: 1
    published: 2024-03-01
    summary: "Who is awake when all others sleep."
    people: [ada]
    topics: [Birds, Night]
    chapters:
      - {start: 0, title: "Beginning"}
      - {start: 70, title: "In the barn"}
    further_reading:
      - {title: "The Goodness of Owls", url: "https://example.org/owls", authors: ["Cy Kestrel"], year: 1999}
"""
OWLS_SAID = """WEBVTT

00:00:00.000 --> 00:00:05.000
Good evening, and welcome to the programme.

00:00:05.000 --> 00:00:12.000
Tonight we sit very still.

00:01:10.500 --> 00:01:16.000
Here in the barn it is dark.

00:01:16.500 --> 00:01:22.000
Listen: the barn owl hears a mouse under forty centimetres of snow, <b>really</b> &amp; always.

00:01:40.000 --> 00:01:46.000
Then it flies without any sound.
"""
TIDES = """
    title: "Tides"
    number: 2
    season: 2
    published: 2025-03-01
    summary: "The moon pulls, and the water follows."
    people: [ada, bo]
    topics: [Sea, Night]
"""
TIDES_SAID = """WEBVTT

00:00:00.000 --> 00:00:08.000
Water hears nothing, unlike the owl.

00:00:30.000 --> 00:00:38.000
機械学習は楽しいです。夜の海を聞く。
"""
LATER = 'title: "Owls to come"\nnumber: 3\npublished: 2099-01-01\nsummary: "Scheduled owls."\n'
DRAFT = 'title: "Owls unfinished"\nnumber: 4\npublished: 2025-01-01\nsummary: "Draft owls."\ndraft: true\n'


@pytest.fixture(scope="session")
def radio(shared: Any, made: Any, silence: bytes) -> Path:
    """A site with things to be found, and things that must not be."""

    def make(folder: Path) -> None:
        files: dict[str, str | bytes | None] = {
            "show.yaml": SHOW, "episodes/001-owls.yaml": OWLS, "episodes/001-owls.vtt": OWLS_SAID,
            "episodes/002-tides.yaml": TIDES, "episodes/002-tides.vtt": TIDES_SAID, "episodes/003-later.yaml": LATER,
            "episodes/004-draft.yaml": DRAFT, "pages/about.md": "# About us\n\nWe broadcast from a lighthouse.\n",
            "episodes/001-first-night.yaml": None, "episodes/001-first-night.mp3": None,
        }  # fmt: skip
        files |= {f"episodes/{name}.mp3": silence * 120 for name in ("001-owls", "002-tides")}
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(findable, "PART", 1)  # so that the index has two parts
            made(folder, files)

    return shared("radio", make) / "output"


@pytest.fixture(scope="session", params=["/radio/", "/"], ids=["under a sub-path", "at the root"])
def anywhere(request: pytest.FixtureRequest, radio: Path, serve: Callable[..., str]) -> str:
    """Where the site is served: under a sub-path, and at a domain's root."""
    return serve(radio, request.param)


@pytest.fixture(scope="session")
def station(radio: Path, serve: Callable[..., str]) -> str:
    """Where the site is served at its own address."""
    return serve(radio, "/radio/")


@pytest.fixture
def found(tab: Callable[..., Page], station: str) -> Callable[[str], Page]:
    """Opens the search page with a question in its address, and waits for the answer."""

    def opened(query: str) -> Page:
        page = tab()
        page.goto(f"{station}search/?{query}")
        page.wait_for_function(ANSWERED)
        return page

    return opened


#: Whether the search page has answered.
ANSWERED = "document.querySelector('[role=status]').textContent && !document.querySelector('.found[aria-busy]')"


@pytest.fixture
def asked(found: Callable[[str], Page]) -> Callable[[str], Page]:
    """Types questions into one search page after another, and waits for the answer to each."""
    opened: list[Page] = []

    def answered(question: str) -> Page:
        if not opened:
            opened.append(found("q=dusk"))
        (page,) = opened
        page.evaluate("document.querySelector('[role=status]').textContent = ''")
        page.get_by_role("searchbox").fill(question)
        page.get_by_role("searchbox").press("Enter")
        page.wait_for_function(ANSWERED)
        return page

    return answered


def titles(page: Page) -> list[str]:
    """The titles of what was found, in their order."""
    return page.locator(".hits h2").all_inner_texts()


@pytest.mark.thorough(but_each=2)
def test_a_phrase_that_was_only_spoken_is_found_under_its_chapter_and_plays_from_its_second(
    tab: Callable[..., Page], anywhere: str
) -> None:
    """Wherever the site lies; and nothing is asked of another server."""
    page = tab()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{anywhere}search/")
    page.get_by_role("searchbox").fill("forty centimetres of snow")
    hit = page.locator(".hits li").first
    expect(page.get_by_role("status")).to_contain_text("1 result")
    expect(hit.locator(".under")).to_have_text("In the barn")
    passage = hit.locator(".passages a")
    expect(passage.locator(".time")).to_have_text("1:16")
    assert "snow, <b>really</b>" not in passage.inner_html()
    assert passage.locator("mark").all_inner_texts() == ["forty", "centimetres", "of", "snow"]

    passage.click()
    page.wait_for_url(re.compile(r"/episodes/owls/#t=76\.5"))
    audio = page.locator("audio").first
    page.wait_for_function("document.querySelector('audio').currentTime === 76.5")
    expect(audio).to_have_js_property("paused", True)
    expect(page.get_by_text("forty centimetres of snow")).to_be_in_viewport()
    assert {urlsplit(url).netloc for url in asked} == {urlsplit(anywhere).netloc}


def test_the_link_to_a_passage_names_words_that_stand_on_the_page(found: Callable[[str], Page], radio: Path) -> None:
    """Browsers show them there: as a text fragment, whose parts follow one another in the transcript."""
    page = found("q=hears")
    links = [link.get_attribute("href") or "" for link in page.locator(".passages a").all()]
    assert links
    for link in links:
        address, _, fragment = link.partition(":~:text=")
        html = (radio / "episodes" / address.split("/episodes/")[1].split("/")[0] / "index.html").read_text("utf-8")
        said = " ".join(re.sub(r"<[^>]*>", "", html.split('class="words')[1]).split())
        parts = [unquote(part.removesuffix("-").removeprefix("-")) for part in fragment.split(",")]
        assert " ".join(parts) in said, parts


def test_titles_names_notes_readings_topics_and_pages_are_found(asked: Callable[[str], Page]) -> None:
    """Each by a word that stands nowhere else, with the place it was found in."""
    places = {"Kestrel": "Further reading", "fjord": "People", "sea": "Topics"}
    for word, place in places.items():
        page = asked(word)
        expect(page.locator(".hits .under", has_text=place).first).to_be_visible()
    assert titles(asked("lighthouse")) == ["About us"]
    assert titles(asked("tide"))[0] == "Tides"  # another form of the word
    assert "Ada Reef" in titles(asked("owls"))  # her bio


@pytest.mark.thorough(like="test_what_is_not_out_is_not_indexed_not_even_in_a_preview")
def test_what_is_not_out_is_not_found(asked: Callable[[str], Page]) -> None:
    """Neither drafts nor scheduled episodes are in the index."""
    for word in ("scheduled", "unfinished", "draft"):
        page = asked(word)
        expect(page.get_by_role("status")).to_contain_text("Nothing was found")
        assert titles(page) == []


def test_hostile_titles_and_questions_are_text(found: Callable[[str], Page], thorough: bool) -> None:
    """Neither becomes an element, and no question is an error."""
    page = found("q=owls")
    assert "Owls & <img src=x onerror=alert(1)></script>" in titles(page)
    assert page.locator(".hits img, .hits script").count() == 0
    questions = ("<img src=x>", "%", "x" * 3000, "a.*b(", '"', "\\", "'; --", "}{", "C++", "⸱")
    for question in questions if thorough else questions[:3]:
        page.get_by_role("searchbox").fill(question)
        page.get_by_role("searchbox").press("Enter")
        page.wait_for_function(ANSWERED)
        assert "could not be loaded" not in page.get_by_role("status").inner_text(), question


def test_filters_narrow_with_counts_and_the_address_tells_all(found: Callable[[str], Page], thorough: bool) -> None:
    """The address alone brings the same page back; going back undoes a choice."""
    page = found("q=owl")
    assert {"Tides", "Owls & <img src=x onerror=alert(1)></script>"} <= set(titles(page))
    topics = page.get_by_label("Topic").locator("option").all_inner_texts()
    assert topics == ["All topics", "Birds (1)", "Night (2)", "Sea (1)"]
    page.get_by_label("Season").select_option(label="The second winter (1)")
    expect(page.locator(".hits h2")).to_have_text(["Tides"])
    assert parse_qs(urlsplit(page.url).query) == {"q": ["owl"], "season": ["The second winter"]}
    assert page.get_by_label("Topic").locator("option").all_inner_texts() == ["All topics", "Night (1)", "Sea (1)"]
    assert page.get_by_label("Season").locator("option").all_inner_texts()[1:] == [
        "Season 1 (1)",
        "The second winter (1)",
    ]
    page.reload()
    expect(page.locator(".hits h2")).to_have_text(["Tides"])
    expect(page.get_by_label("Season")).to_have_value("The second winter")
    page.go_back()
    expect(page.get_by_label("Season")).to_have_value("")
    expect(page.locator(".hits h2")).not_to_have_count(1)
    page.go_forward()
    expect(page.locator(".hits h2")).to_have_text(["Tides"])
    if thorough:
        assert titles(found("person=Bo Fjord")) == ["Bo Fjord", "Tides"] or titles(page) == ["Tides", "Bo Fjord"]
    assert titles(found("year=2024")) == ["Owls & <img src=x onerror=alert(1)></script>"]


@pytest.mark.thorough(like="test_an_index_of_one_part_is_searched_as_well")
def test_the_newest_come_first_when_asked(found: Callable[[str], Page]) -> None:
    """Instead of the best."""
    best = titles(found("q=owl"))
    newest = titles(found("q=owl&sort=date"))
    assert best[0].startswith("Owls")
    assert [title for title in newest if title in ("Tides", best[0])] == ["Tides", best[0]]


def test_the_keyboard_does_it_all(found: Callable[[str], Page]) -> None:
    """A slash goes to the question, arrows through what was found, Escape back and then empties it."""
    page = found("q=owl")
    page.keyboard.press("/")
    field = page.get_by_role("searchbox")
    expect(field).to_be_focused()
    page.keyboard.press("ArrowDown")
    links = page.locator(".hits a")
    expect(links.nth(0)).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(links.nth(1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(field).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    expect(field).to_be_focused()
    page.keyboard.press("Escape")
    expect(field).to_have_value("")
    expect(page.locator(".hits li")).to_have_count(0)
    expect(page.locator(".browse")).to_be_visible()
    page.keyboard.type("tides")
    expect(page.locator(".hits h2").first).to_have_text("Tides")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/episodes/tides/$"))


@pytest.mark.thorough(like="test_the_keyboard_does_it_all")
def test_a_slash_on_any_page_leads_to_the_question_ready_to_be_typed(tab: Callable[..., Page], station: str) -> None:
    """Without a further key or click."""
    page = tab()
    page.goto(f"{station}people/")
    page.keyboard.press("/")
    page.wait_for_url(f"{station}search/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.type("tides")
    expect(page.locator(".hits h2").first).to_have_text("Tides")


def test_an_index_of_one_part_is_searched_as_well(visit: Callable[..., Page]) -> None:
    """This repository's own site has a small one."""
    page = visit("search/?q=dispatcher&sort=date")
    expect(page.locator(".hits h2")).to_contain_text(["History and constraints of the dispatcher"])
    [total] = re.findall(r"\d+", page.get_by_role("status").inner_text())
    assert int(total) == page.locator(".hits > li").count()
    numbers = [int(each) for each in page.locator(".hits .numeral").all_inner_texts() if each.isdigit()]
    assert numbers == sorted(numbers, reverse=True)


def test_scripts_without_spaces_are_searched_by_the_letter(found: Callable[[str], Page], thorough: bool) -> None:
    """A part of a sentence is found, shown as it is written, and not its letters in another order."""
    page = found("q=学習は楽")
    expect(page.locator(".hits h2")).to_have_text(["Tides"])
    expect(page.locator(".passages a bdi")).to_have_text("機械学習は楽しいです。夜の海を聞く。")
    assert "".join(page.locator(".passages mark").all_inner_texts()) == "学習は楽"
    if thorough:
        expect(found("q=習学").get_by_role("status")).to_contain_text("Nothing was found")


@pytest.mark.thorough(like="test_titles_names_notes_readings_topics_and_pages_are_found")
def test_words_are_found_in_the_forms_of_the_language(
    shared: Any, made: Any, serve: Callable[..., str], tab: Callable[..., Page]
) -> None:
    """Those of the show's; umlauts need not be typed."""
    files = {
        "show.yaml": SHOW.replace("language: en", "language: de"),
        "episodes/001-first-night.yaml": 'title: "Vögel im Winter"\nnumber: 1\npublished: 2024-03-01\n'
        'summary: "Was gesungen wurde."\n',
    }
    page = tab()
    home = serve(shared("birds", lambda folder: made(folder, files)) / "output")
    for word in ("Vogel", "vögeln", "vogel", "gesungen"):
        page.goto(f"{home}search/?q={word}")
        page.wait_for_function(ANSWERED)
        expect(page.get_by_role("status")).to_have_text("1 Ergebnis")
        expect(page.locator(".hits h2")).to_have_text(["Vögel im Winter"])


def test_without_scripts_the_page_lists_what_there_is(tab: Callable[..., Page], station: str) -> None:
    """Episodes and topics, and no field that would do nothing."""
    page = tab(scripts=False)
    page.goto(f"{station}search/?q=owl")
    expect(page.locator("form")).to_be_hidden()
    expect(page.locator(".browse").get_by_role("link", name="Tides")).to_be_visible()
    expect(page.locator(".browse").get_by_role("link", name="Birds")).to_be_visible()


def test_an_index_that_cannot_be_loaded_is_told_and_the_list_stays(
    context: Callable[..., BrowserContext], station: str
) -> None:
    """In words; and the next try may succeed."""
    page = context().new_page()
    gone: list[Route] = []

    def refuse(route: Route) -> None:
        gone.append(route)
        route.abort()

    page.route("**/pagefind/pagefind.js", refuse)
    page.goto(f"{station}search/?q=owl")
    expect(page.get_by_role("status")).to_have_text("The search could not be loaded. Everything there is stands below.")
    expect(page.locator(".browse")).to_be_visible()
    assert gone


def test_every_page_leads_to_the_search(tab: Callable[..., Page], station: str, radio: Path) -> None:
    """By a link in its header, to browsers by a description, to search engines by an action."""
    page = tab()
    page.goto(f"{station}episodes/tides/")
    page.get_by_role("banner").get_by_role("link", name="Search").click()
    page.wait_for_url(re.compile("/search/$"))
    home = (radio / "index.html").read_text("utf-8")
    assert '<link rel="search" type="application/opensearchdescription+xml"' in home
    data = json.loads(home.split('<script type="application/ld+json">')[1].split("</script>")[0])
    [website] = [node for node in data["@graph"] if node["@type"] == "WebSite"]
    assert (
        website["potentialAction"]["target"]["urlTemplate"]
        == "https://example.org/radio/search/?q={search_term_string}"
    )
    assert 'template="https://example.org/radio/search/?q={searchTerms}"' in (radio / "opensearch.xml").read_text(
        "utf-8"
    )
