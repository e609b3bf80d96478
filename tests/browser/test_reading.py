"""Promises of the reading list and of listening paths in a browser: they filter, remember, and do without scripts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, expect

Open = Callable[..., Page]


@pytest.fixture
def reading(context: Callable[..., BrowserContext], home: str) -> Open:
    """Opens a page of the site; whatever it complains about, and whatever it asks of other hosts, is a fault."""

    def opened(path: str = "reading/", **settings: object) -> Page:
        page = context(**settings).new_page()
        faults: list[str] = []
        page.on("console", lambda message: faults.append(message.text))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on(
            "request", lambda asked: faults.append(asked.url) if not asked.url.startswith((home, "data:")) else None
        )
        page.faults = faults  # type: ignore[attr-defined]
        page.goto(home + path)
        return page

    return opened


def shown(page: Page) -> list[str]:
    """The titles that are to be seen."""
    return page.locator(".readings > li:visible .work").all_inner_texts()


def test_the_list_is_filtered_by_words_kind_and_topic(reading: Open) -> None:
    """All of them at once; accents and capitals do not count; how many are left is announced."""
    page = reading()
    everything = shown(page)
    page.get_by_label("Filter by words").fill("RFC  gitHÜB")
    expect(page.locator("output")).to_have_text("4 titles")
    assert all("RFC" in title for title in shown(page))
    page.locator("select[name=kind]").select_option(label="Issues and pull requests")
    expect(page.locator("output")).to_have_text("2 titles")
    expect(page.get_by_role("heading", name="Papers")).to_be_hidden()
    page.get_by_label("Filter by words").fill("")
    page.locator("select[name=kind]").select_option(label="All kinds")
    page.locator("select[name=topic]").select_option(label="CUDA")
    assert 0 < len(shown(page)) < len(everything)
    cited = page.locator(".readings > li:visible .cited a").all_inner_texts()
    assert {text.split()[-1] for text in cited} == {"3", "6"}
    page.get_by_label("Filter by words").fill("nothing like it")
    expect(page.get_by_text("Nothing here has all of that.")).to_be_visible()
    page.get_by_role("button", name="Show everything").click()
    expect(page.locator("output")).to_have_text("")
    assert shown(page) == everything
    expect(page.get_by_label("Filter by words")).to_be_focused()
    assert page.faults == []  # type: ignore[attr-defined]


def test_a_filtered_list_can_be_linked_to(reading: Open) -> None:
    """What is asked for stands in the address; the way back leads to the page before."""
    page = reading()
    page.get_by_label("Filter by words").press_sequentially("vec")
    page.locator("select[name=kind]").select_option(label="Code")
    assert parse_qs(urlsplit(page.url).query) == {"q": ["vec"], "kind": ["code"]}
    found = shown(page)
    page.reload()
    expect(page.get_by_label("Filter by words")).to_have_value("vec")
    assert shown(page) == found == ["The Vec256 classes"]
    odd = reading("reading/?q=%3Cimg+src%3Dx%3E&kind=none&topic=../&other=1")
    expect(odd.get_by_text("Nothing here has all of that.")).to_be_visible()
    assert odd.faults == []  # type: ignore[attr-defined]


def test_without_scripts_all_of_it_is_there_and_nothing_that_needs_them(reading: Open) -> None:
    """The list, the kinds, the topics, the files; no filter and no copy button."""
    page = reading(java_script_enabled=False)
    assert len(shown(page)) == page.locator(".readings > li").count() > 20
    assert page.locator("form.filter").is_hidden()
    assert page.get_by_role("link", name="BibTeX").is_visible()
    assert page.get_by_role("link", name="Dispatcher").last.is_visible()
    page.goto(page.url.replace("reading/", "episodes/inference-mode/"))
    page.locator("summary", has_text="Cite this episode").click()
    assert page.locator("#citation").is_visible()
    assert not any(button.is_visible() for button in page.locator("[data-copy]").all())


def test_files_can_be_had_from_the_page(reading: Open) -> None:
    """A list under its own address, the citation of an episode from the page itself."""
    page = reading("episodes/inference-mode/")
    with page.expect_download() as listed:
        page.locator(".text").get_by_role("link", name="BibTeX").click()
    assert "@online{" in Path(listed.value.path()).read_text("utf-8")
    page.locator("summary", has_text="Cite this episode").click()
    with page.expect_download() as cited:
        page.locator(".cite").get_by_role("link", name="CSL-JSON").click()
    assert cited.value.suggested_filename == "yang2021inference.json"
    (item,) = json.loads(Path(cited.value.path()).read_text("utf-8"))
    assert (item["type"], item["number"], item["container-title"]) == ("broadcast", "5", "PyTorch Developer Podcast")
    assert item["author"] == [{"family": "Yang", "given": "Edward"}]


def test_zotero_finds_the_episode_and_its_reading(reading: Open) -> None:
    """By the rule of its translator: an element `span` of the class, with a title that says what it is."""
    page = reading("episodes/inference-mode/")
    titles = page.evaluate(
        """() => [...document.querySelectorAll('span[class="Z3988"][title]')].map((one) => {
            const told = new URLSearchParams(one.title);
            return [told.get('rft.type'), told.get('rft.title'), told.get('rft_val_fmt')];
        })"""
    )
    assert [kind for kind, _, _ in titles].count("podcast") == 1
    assert len(titles) == 1 + page.locator(".readings > li").count()
    assert {form for _, _, form in titles} == {"info:ofi/fmt:kev:mtx:dc"}
    assert page.locator("meta[name='citation_title']").get_attribute("content") == "Inference mode"


def test_a_path_shows_how_far_one_came(reading: Open) -> None:
    """By a tick, which stays; the next episode is offered; the page of all paths knows, too."""
    page = reading("start/internals/")
    ticks = page.get_by_label("I have heard this")
    first = page.locator(".stops h2").first.inner_text()
    second = page.locator(".stops h2").nth(1).inner_text()
    assert page.locator(".progress").is_hidden()
    ticks.first.check()
    expect(page.locator(".progress")).to_contain_text("1 of 8 heard")
    expect(page.locator(".progress a")).to_have_text(f"Go on with {second}")
    page.reload()
    expect(ticks.first).to_be_checked()
    expect(page.locator(".row", has_text=first).locator(".mark")).to_have_text("Heard")
    page.get_by_role("link", name="Start here").first.click()
    expect(page.locator(".progress")).to_have_text("1 of 8 heard")
    page.go_back()
    for tick in ticks.all():
        tick.check()
    expect(page.locator(".progress span")).to_have_text("All of it heard")
    for tick in ticks.all():
        tick.uncheck()
    expect(page.locator(".progress")).to_be_hidden()
    assert page.faults == []  # type: ignore[attr-defined]


@pytest.mark.thorough(like="test_without_scripts_all_of_it_is_there_and_nothing_that_needs_them")
def test_a_path_is_whole_without_scripts(reading: Open) -> None:
    """Every stop with its reason, no ticks."""
    page = reading("start/internals/", java_script_enabled=False)
    assert page.locator(".stops h2").count() == 8
    assert page.locator(".tick:visible").count() == 0
