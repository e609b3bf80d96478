"""What search engines, cards, feed readers and home screens learn from a site."""

from __future__ import annotations

import importlib.util
import json
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from podsite import discovery, values
from podsite.media import ImageFacts
from podsite.parts import Chapter, Credit, Cue, Link, Person, Reading, Theme, Transcript
from podsite.site import Entry, Mention, Picture, Site, link

_spec = importlib.util.spec_from_file_location("feed_factory", Path(__file__).parent / "feeds" / "factory.py")
assert _spec and _spec.loader
factory = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(factory)
episode, show = factory.episode, factory.show

BASE = "https://example.org/water/"
LINKS = ("https://social.example/@ada",)
STATIC = ("static/favicon.ico", "static/favicon.svg", "static/apple-touch-icon.png", "static/icon-192.png")


@dataclass(frozen=True, slots=True)
class Page:
    """A page as `discovery` needs it."""

    address: str
    title: str = "Title"
    name: str = ""
    description: str = "About it."
    kind: Literal["home", "episode", "list", "person", "page"] = "page"
    image: Picture | None = None
    entry: Entry | None = None
    crumbs: tuple[Mention, ...] = ()
    root: str | None = None
    card: str | None = None


class Tags(HTMLParser):
    """Collects the start tags and the structured data of a piece of HTML."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.data: list[Any] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.data.append(json.loads(data))

    def meta(self, name: str) -> list[str | None]:
        """The contents of a meta tag."""
        return [tag["content"] for _, tag in self.found if name in {tag.get("name"), tag.get("property")}]

    def link(self, relation: str) -> list[str | None]:
        """Where links of a relation lead."""
        return [tag["href"] for kind, tag in self.found if kind == "link" and tag.get("rel") == relation]

    def node(self, kind: str) -> dict[str, Any]:
        """The one node of a type."""
        [node] = [node for graph in self.data for node in graph["@graph"] if node["@type"] == kind]
        return node


def site_of(*episodes: Any, **said: Any) -> tuple[Site, Any]:
    content = replace(factory.content(*episodes, of=show(**said)), static=("static/artwork.png", *STATIC))
    return link(content, factory.NOW)[0], content


def head(page: Page, *episodes: Any, **said: Any) -> Tags:
    return Tags(discovery.Head(*site_of(*episodes, **said))(page))


def test_every_page_names_itself_and_leads_to_the_feed() -> None:
    found = head(Page("topics/tides/"))
    assert found.link("canonical") == [BASE + "topics/tides/"]
    assert found.meta("og:url") == [BASE + "topics/tides/"]
    assert ("link", {
        "rel": "alternate", "type": "application/rss+xml", "title": "Deep Water", "href": "../../feed.xml",
    }) in found.found  # fmt: skip
    assert found.link("icon") == ["../../favicon.ico", "../../favicon.svg"]
    assert found.link("apple-touch-icon") == ["../../apple-touch-icon.png"]
    assert found.link("manifest") == ["../../site.webmanifest"]
    assert found.meta("robots") == []


def test_icons_that_are_not_there_are_not_linked() -> None:
    content = factory.content(episode())
    found = Tags(discovery.Head(link(content, factory.NOW)[0], content)(Page("")))
    assert found.link("apple-touch-icon") == []
    assert found.link("icon") == ["data:,"]  # or browsers would ask for /favicon.ico
    assert json.loads(discovery.manifest(link(content, factory.NOW)[0], content))["icons"] == []


def test_a_card_has_the_cover_with_its_size() -> None:
    found = head(Page("", kind="home", title="Deep Water"))
    assert found.meta("og:image") == [BASE + "artwork.png"]
    assert (found.meta("og:image:width"), found.meta("og:image:height")) == (["3000"], ["3000"])
    assert found.meta("og:image:alt") == ["Cover of Deep Water"]
    assert found.meta("og:site_name") == ["Deep Water"]
    assert found.meta("og:locale") == ["en_GB"]
    assert found.meta("og:type") == ["website"]
    assert found.meta("twitter:card") == ["summary"]


def test_a_wide_picture_gets_a_large_card() -> None:
    found = head(Page("x/", image=Picture("x/card.png", 1200, 630)))
    assert found.meta("twitter:card") == ["summary_large_image"]
    assert found.meta("og:image:alt") == ["Title"]


def test_an_episode_is_described_in_full() -> None:
    one = episode(
        3,
        season=2,
        people=(Credit(person="ada"),),
        topics=("Tides", "Moon"),
        transcript=Transcript(file="x.vtt", cues=(Cue(start=0.0, end=1.0, text="Hi"),)),
        chapters=(Chapter(start=0.0, title="A"), Chapter(start=90.5, title="B")),
        further_reading=(
            Reading(url="https://p.example/", title="Paper", kind="paper", authors=("X",), year=2020),
            Reading(url="https://bare.example/"),
        ),
    )
    site, content = site_of(one, people={"ada": Person(name="Ada Reef", url="https://ada.example/", links=LINKS)})
    page = Page(
        "episodes/episode-3/",
        kind="episode",
        title="Episode 3",
        entry=site.entries[0],
        crumbs=(Mention("Episodes", "episodes/"),),
    )
    found = Tags(discovery.Head(site, content)(page))
    here = BASE + "episodes/episode-3/"
    assert found.node("PodcastEpisode") == {
        "@type": "PodcastEpisode",
        "@id": here + "#episode",
        "name": "Episode 3",
        "url": here,
        "description": "What happened on day 3.",
        "datePublished": "2024-01-03T08:30:00+00:00",
        "episodeNumber": 3,
        "timeRequired": "PT12M34S",
        "associatedMedia": {
            "@type": "AudioObject",
            "contentUrl": here + "episode-3.mp3",
            "encodingFormat": "audio/mpeg",
            "contentSize": "1234567 B",
            "duration": "PT12M34S",
            "caption": {
                "@type": "MediaObject",
                "contentUrl": here + "transcript.vtt",
                "encodingFormat": "text/vtt",
                "inLanguage": "en-GB",
            },
            "transcript": here + "transcript.vtt",
        },
        "partOfSeries": {"@type": "PodcastSeries", "@id": BASE + "#podcast", "name": "Deep Water", "url": BASE},
        "partOfSeason": {
            "@type": "PodcastSeason",
            "name": "Season 2",
            "seasonNumber": 2,
            "url": BASE + "seasons/2/",
        },
        "author": {"@type": "Person", "name": "Ada Reef"},
        "actor": [
            {
                "@type": "Person",
                "@id": BASE + "people/ada/#person",
                "name": "Ada Reef",
                "url": BASE + "people/ada/",
                "sameAs": ["https://ada.example/", "https://social.example/@ada"],
            }
        ],
        "image": {"@type": "ImageObject", "url": BASE + "artwork.png", "width": "3000 px", "height": "3000 px"},
        "keywords": ["Tides", "Moon"],
        "inLanguage": "en-GB",
        "isAccessibleForFree": True,
        "accessibilityFeature": ["transcript"],
        "citation": [
            {
                "@type": "ScholarlyArticle",
                "name": "Paper",
                "url": "https://p.example/",
                "author": [{"@type": "Person", "name": "X"}],
                "datePublished": "2020",
            },
            {"@type": "CreativeWork", "url": "https://bare.example/"},
        ],
        "hasPart": [
            {"@type": "Clip", "name": "A", "startOffset": 0, "endOffset": 90.5, "url": here + "#t=0"},
            {"@type": "Clip", "name": "B", "startOffset": 90.5, "endOffset": 754, "url": here + "#t=90.5"},
        ],
    }
    steps = found.node("BreadcrumbList")["itemListElement"]
    assert [(step["position"], step["name"], step["item"]["@id"]) for step in steps] == [
        (1, "Deep Water", BASE),
        (2, "Episodes", BASE + "episodes/"),
        (3, "Episode 3", here),
    ]
    assert found.meta("og:audio") == [here + "episode-3.mp3"]
    assert found.meta("og:audio:type") == ["audio/mpeg"]
    assert found.meta("article:published_time") == ["2024-01-03T08:30:00+00:00"]


def test_episode_number_0_is_a_number() -> None:
    site, content = site_of(episode(1, number=0))
    page = Page("episodes/episode-1/", kind="episode", entry=site.entries[0])
    assert Tags(discovery.Head(site, content)(page)).node("PodcastEpisode")["episodeNumber"] == 0


def test_the_home_page_describes_the_show() -> None:
    found = head(
        Page("", kind="home", title="Deep Water", description="Talks."),
        listen={"apple": "123", "My App": "https://my.example/x", "rss": "https://f.example/"},
        theme=Theme(social=(Link(title="M", url="https://m.example/@a"), Link(title="Mail", url="mailto:a@b.example"))),
    )
    series = found.node("PodcastSeries")
    assert series["webFeed"] == BASE + "feed.xml"
    assert series["description"] == "Talks."
    assert series["genre"] == ["Natural Sciences", "Technology"]
    assert series["sameAs"] == [
        "https://podcasts.apple.com/podcast/id123",
        "https://my.example/x",
        "https://f.example/",
        "https://m.example/@a",
    ]
    assert found.node("WebSite")["url"] == BASE


def test_a_person_has_their_own_facts() -> None:
    people = {"bo": Person(name="Bo Ray", url="https://bo.example/")}
    page = Page("people/bo/", kind="person", title="Bo Ray", description="Dives.")
    found = head(page, episode(1, people=(Credit(person="bo"),)), people=people)
    assert found.node("Person") == {
        "@type": "Person",
        "@id": BASE + "people/bo/#person",
        "name": "Bo Ray",
        "url": BASE + "people/bo/",
        "description": "Dives.",
        "sameAs": ["https://bo.example/"],
    }


def test_a_page_that_answers_anywhere_links_from_the_root_and_is_kept_out_of_indexes() -> None:
    found = head(Page("404.html", root="/water/"))
    assert found.meta("robots") == ["noindex"]
    assert found.link("canonical") == found.meta("og:url") == found.data == []
    assert found.link("alternate") == ["/water/feed.xml", "/water/feed.json"]
    assert found.link("manifest") == ["/water/site.webmanifest"]


def test_drafts_and_scheduled_episodes_are_kept_out_of_indexes() -> None:
    content = factory.content(
        episode(1), episode(2, published=datetime(2031, 1, 1, tzinfo=UTC)), episode(3, draft=True)
    )
    site, _ = link(content, factory.NOW, drafts=True, future=True)
    robots = {
        entry.episode.slug: Tags(
            discovery.Head(site, content)(Page(entry.address, kind="episode", entry=entry))
        ).meta("robots")
        for entry in site.entries
    }  # fmt: skip
    assert robots == {"episode-1": [], "episode-2": ["noindex"], "episode-3": ["noindex"]}


def test_long_descriptions_are_cut_between_words() -> None:
    [text] = head(Page("", description="word " * 100)).meta("description")
    assert text is not None
    assert len(text) <= 300
    assert text.endswith("word…")


_TEXT = st.text().filter(lambda text: text.strip() and values.control_character(text) is None)


@settings(max_examples=settings().max_examples // 2)
@given(_TEXT)
def test_no_text_breaks_out_of_the_head(text: str) -> None:
    hostile = f"</script><!-- <script>\"'&{text}"
    site, content = site_of(episode(1, title=hostile, summary=hostile))
    page = Page("episodes/episode-1/", title=hostile, description=hostile, kind="episode", entry=site.entries[0])
    html = discovery.Head(site, content)(page)
    found = Tags(html)
    assert html.count("<script") == html.count("</script>") == 1
    assert found.node("PodcastEpisode")["name"] == hostile
    assert {tag for tag, _ in found.found} == {"meta", "link", "script"}


# --- files


def written(site: Site, content: Any, paths: list[str]) -> dict[str, bytes]:
    return {
        one.path: one.content
        for one in discovery.artifacts(site, content, paths, {}, "About.")
        if isinstance(one.content, bytes)
    }


def test_robots_name_the_sitemap() -> None:
    site, content = site_of()
    assert written(site, content, [])["robots.txt"].decode() == (
        f"User-agent: *\nAllow: /\n\nSitemap: {BASE}sitemap.xml\n"
    )


def test_the_manifest_is_relative_and_has_the_icons_that_are_there() -> None:
    site, content = site_of(theme=Theme(accent="#0a5e63"), language="ar")
    assert json.loads(discovery.manifest(site, content)) == {
        "name": "Deep Water",
        "id": "./",
        "start_url": "./",
        "scope": "./",
        "display": "minimal-ui",
        "lang": "ar",
        "dir": "rtl",
        "theme_color": "#0a5e63",
        "icons": [{"src": "icon-192.png", "sizes": "192x192", "type": "image/png"}],
    }


@pytest.mark.parametrize("cname", [None, "pod.example.org"])
def test_github_pages_finds_what_it_looks_for(cname: str | None) -> None:
    made = written(*site_of(cname=cname), [])
    assert made[".nojekyll"] == b""
    assert made.get("CNAME") == (f"{cname}\n".encode() if cname else None)


def test_a_file_of_the_shows_own_stays() -> None:
    assert "robots.txt" not in written(*site_of(), ["robots.txt"])


def test_artwork_of_unknown_size_has_no_size_in_the_card() -> None:
    content = replace(factory.content(episode()), facts={"x.png": ImageFacts(1, 1, "PNG", "RGB", 1)})
    found = Tags(discovery.Head(link(content, factory.NOW)[0], content)(Page("")))
    assert found.meta("og:image") == [BASE + "artwork.png"]
    assert found.meta("og:image:width") == []
