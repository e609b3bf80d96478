"""What the sitemap says of pages: all of them, when they changed, their pictures and translations; and llms.txt."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from podsite import discovery, llms, sitemaps
from podsite.parts import Credit, FeedSettings, Person, Step
from podsite.parts import Path as ListeningPath
from podsite.site import Site, link

_spec = importlib.util.spec_from_file_location("feed_factory", Path(__file__).parent / "feeds" / "factory.py")
assert _spec and _spec.loader
factory = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(factory)
episode, show = factory.episode, factory.show

BASE = "https://example.org/water/"
GOLDEN = sorted((Path(__file__).parent / "sites").glob("*/expected"))
SPACES = {
    "s": "http://www.sitemaps.org/schemas/sitemap/0.9",
    "image": "http://www.google.com/schemas/sitemap-image/1.1",
    "xhtml": "http://www.w3.org/1999/xhtml",
}
#: What sitemaps.org and Google's extensions let stand in a sitemap, in their order.
SCHEMA = etree.XMLSchema(file=str(Path(__file__).parent / "sitemap.xsd"))


def site_of(*episodes: Any, **said: Any) -> tuple[Site, Any]:
    content = factory.content(*episodes, of=show(**said))
    return link(content, factory.NOW)[0], content


def sitemap(site: Site, paths: list[str], changed: Mapping[str, datetime] | None = None) -> etree._Element:
    """The sitemap of pages, which is valid."""
    made = {one.path: one.content for one in sitemaps.sitemap(site, sitemaps.listed(site, paths, changed or {}))}
    assert isinstance(made["sitemap.xml"], bytes)
    root = etree.fromstring(made["sitemap.xml"])
    SCHEMA.assertValid(root)
    return root


def texts(root: etree._Element, path: str) -> list[str]:
    return [one.text or "" for one in root.iterfind(f".//{path}", SPACES)]


def test_it_lists_pages_and_nothing_else() -> None:
    site, _ = site_of(
        episode(1, aliases=("old/one/", "two.html")), feed=FeedSettings(aliases=("feed/",)), title="A & B"
    )
    paths = ["index.html", "episodes/episode-1/index.html", "404.html", "old/one/index.html", "two.html",
             "feed/index.html", "feed.xml", "ä & b/index.html", "episodes/index.html",
             "episodes/episode-1/index.html.md"]  # fmt: skip
    date = datetime(2024, 1, 1, 8, 30, tzinfo=UTC)
    found = sitemap(site, paths, {"": date, "episodes/": date})
    assert texts(found, "s:loc") == [BASE, BASE + "episodes/", BASE + "episodes/episode-1/", BASE + "%C3%A4%20&%20b/"]
    assert texts(found, "s:lastmod") == ["2024-01-01T08:30:00+00:00"] * 2
    assert etree.tostring(found) == etree.tostring(sitemap(site, paths[::-1], {"": date, "episodes/": date}))


def test_drafts_and_scheduled_episodes_are_not_in_it() -> None:
    content = factory.content(
        episode(1), episode(2, published=datetime(2031, 1, 1, tzinfo=UTC)), episode(3, draft=True)
    )
    site, _ = link(content, factory.NOW, drafts=True, future=True)
    paths = [f"episodes/episode-{number}/index.html" for number in (1, 2, 3)]
    assert texts(sitemap(site, paths), "s:loc") == [BASE + "episodes/episode-1/"]
    assert "Episode 2" not in llms.text(site, "About.")


def test_a_page_has_the_picture_that_is_its_own() -> None:
    people = {"ada": Person(name="Ada", image="https://elsewhere.example/ada.jpg"), "bo": Person(name="Bo")}
    site, _ = site_of(episode(1, people=(Credit(person="ada"), Credit(person="bo"))), people=people)
    found = sitemap(
        site, ["index.html", "episodes/episode-1/index.html", "people/ada/index.html", "people/bo/index.html"]
    )
    pictures = {texts(page, "s:loc")[0]: texts(page, "image:loc") for page in found}
    assert pictures == {
        BASE: [BASE + "artwork.png"],
        BASE + "episodes/episode-1/": [],
        BASE + "people/ada/": ["https://elsewhere.example/ada.jpg"],
        BASE + "people/bo/": [],
    }


def languages(page: etree._Element) -> list[tuple[str | None, str | None]]:
    return [(one.get("hreflang"), one.get("href")) for one in page.iterfind("xhtml:link", SPACES)]


def test_translations_are_told_with_the_page_itself_and_the_page_for_strangers() -> None:
    here, there = BASE + "episodes/episode-1/", "https://example.org/wasser/episodes/eins/"
    site, content = site_of(
        episode(1, translations={"de": there}),
        episode(2),
        translations={"fr": "https://example.org/eau/", "de": "https://example.org/wasser/"},
    )
    pages = {
        texts(page, "s:loc")[0]: languages(page)
        for page in sitemap(site, ["index.html", "episodes/episode-1/index.html", "episodes/episode-2/index.html"])
    }
    assert pages == {
        BASE: [
            ("de", "https://example.org/wasser/"),
            ("en-GB", BASE),
            ("fr", "https://example.org/eau/"),
            ("x-default", BASE),
        ],
        here: [("de", there), ("en-GB", here), ("x-default", here)],
        BASE + "episodes/episode-2/": [],
    }
    head = discovery.Head(site, content)
    written = head(page(site, 1))
    assert [f'hreflang="{language}" href="{target}"' in written for language, target in pages[here]] == [True] * 3
    assert "hreflang" not in head(page(site, 0))


def page(site: Site, index: int) -> Any:
    """The page of an episode, as `discovery` needs it."""
    entry = site.entries[index]

    class Page:
        address, kind, title, name, description = entry.address, "episode", "T", "", "D"
        image, crumbs, root, card = None, (), None, None

    Page.entry = entry  # type: ignore[attr-defined]
    return Page()


@pytest.mark.parametrize(
    ("mine", "others", "strangers"),
    [
        ("de", ("fr", "en-US"), "en-US"),
        ("en-US", ("fr", "de"), "en-US"),
        ("fr", ("de", "ja"), "de"),
        ("de", ("fr", "ja"), "de"),
    ],
)
def test_sister_sites_agree_where_strangers_are_sent(mine: str, others: tuple[str, ...], strangers: str) -> None:
    """English, or what comes first: whichever of the sites is asked."""
    site, _ = site_of(language=mine, translations={other: f"https://{other}.example/" for other in others})
    told = dict(sitemaps.translations(site, "", site.show.translations))
    assert told["x-default"] == told[strangers]


def test_a_large_site_has_an_index_of_sitemaps() -> None:
    site, _ = site_of()
    dates = {0: datetime(2024, 1, 1, tzinfo=UTC), 50_000: datetime(2025, 1, 1, tzinfo=UTC)}
    pages = (sitemaps.Listed(f"p/{n:05}/", dates.get(n)) for n in range(50_001))
    made = {
        one.path: etree.fromstring(one.content)
        for one in sitemaps.sitemap(site, pages)
        if isinstance(one.content, bytes)
    }
    assert list(made) == ["sitemap-1.xml", "sitemap-2.xml", "sitemap.xml"]
    assert texts(made["sitemap.xml"], "s:loc") == [BASE + "sitemap-1.xml", BASE + "sitemap-2.xml"]
    assert [moment[:4] for moment in texts(made["sitemap.xml"], "s:lastmod")] == ["2024", "2025"]
    assert [len(made[name]) for name in ("sitemap-1.xml", "sitemap-2.xml")] == [50_000, 1]
    for one in made.values():
        SCHEMA.assertValid(one)


@pytest.mark.parametrize("expected", GOLDEN, ids=lambda path: path.parent.name)
def test_the_sitemap_of_a_whole_site_is_valid_and_complete(expected: Path) -> None:
    """Every page that is not kept out of indexes is in it, once."""
    root = etree.parse(str(expected / "sitemap.xml")).getroot()
    SCHEMA.assertValid(root)
    listed = texts(root, "s:loc")
    pages = [path for path in expected.rglob("index.html") if 'name="robots"' not in path.read_text(encoding="utf-8")]
    assert len(listed) == len({*listed}) == len(pages)
    base = min(listed, key=len)
    assert {*listed} == {base + path.relative_to(expected).as_posix().removesuffix("index.html") for path in pages}


# --- llms.txt


def test_llms_txt_has_the_form_that_is_asked_for() -> None:
    """A title, a summary, and lists of links under headings."""
    paths = (ListeningPath(id="start", title="All", description="For *all*.", episodes=(Step(episode="episode-1"),)),)
    site, _ = site_of(*(episode(day, title=f"Day [{day}]") for day in range(1, 4)), paths=paths)
    assert llms.text(site, "Talks about *the* sea.\n\nAnd more.").splitlines() == [
        "# Deep Water",
        "",
        "> Talks about \\*the\\* sea.",
        "",
        "And more.",
        "",
        "A podcast by Ada Reef, in the language `en-GB`. Episodes are linked as Markdown, with notes, chapters, "
        "further reading and transcript.",
        "",
        "## Start here",
        "",
        f"- [All]({BASE}start/start/): For \\*all\\*.",
        "",
        "## Episodes",
        "",
        *(
            f"- [{day}. Day \\[{day}\\]]({BASE}episodes/episode-{day}/index.html.md): What happened on day {day}."
            for day in (3, 2, 1)
        ),
        "",
        "## Optional",
        "",
        f"- [RSS feed]({BASE}feed.xml)",
        f"- [JSON feed]({BASE}feed.json)",
    ]


def test_of_many_episodes_the_older_ones_are_optional(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llms, "_NEWEST", 2)
    site, _ = site_of(*(episode(day) for day in range(1, 6)))
    text = llms.text(site, "About.")
    before, after = text.split("## Optional")
    assert [f"Episode {day}]" in before for day in range(1, 6)] == [False, False, False, True, True]
    assert [f"Episode {day}]" in after for day in range(1, 6)] == [True, True, True, False, False]


def test_a_file_of_the_shows_own_stays() -> None:
    site, content = site_of(episode(1))
    own = replace(content, static=("static/llms.txt",))
    assert "llms.txt" not in {one.path for one in discovery.artifacts(site, own, ["llms.txt"], {}, "About.")}
