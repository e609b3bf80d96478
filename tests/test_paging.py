"""Archive pages, and the feeds of topics, seasons, paths and formats: whole feeds, stable, read by foreign readers."""

from __future__ import annotations

import importlib.util
import uuid
import warnings
from pathlib import Path
from typing import Any

import feedparser
import podcastparser
import pytest
from lxml import etree

from podsite import discovery
from podsite.feeds import Feed
from podsite.feeds.certify import certify
from podsite.parts import Alternate, Enclosure, FeedSettings, Pick, Season, Step
from podsite.parts import Path as ListeningPath
from podsite.podcasting import ContentLink, Live
from podsite.site import link

_spec = importlib.util.spec_from_file_location("paging_factory", Path(__file__).parent / "feeds" / "factory.py")
assert _spec and _spec.loader
factory = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(factory)
episode, show = factory.episode, factory.show

BASE = "https://example.org/water/"
ATOM = {"atom": "http://www.w3.org/2005/Atom", "podcast": "https://podcastindex.org/namespace/1.0"}
ALL = (Pick(name="true"),)


def written(made: Feed) -> dict[str, bytes]:
    """Every RSS feed by its path."""
    others = {one.path: one.content for one in made.others if one.path.endswith(".xml")}
    assert all(isinstance(content, bytes) for content in others.values())
    return {"feed.xml": made.xml, **others}  # type: ignore[dict-item]


def site(count: int, limit: int, **said: Any) -> dict[str, bytes]:
    """The feeds of a show with so many episodes."""
    return written(factory.feed(*map(episode, range(1, count + 1)), of=show(feed=FeedSettings(limit=limit), **said)))


def titles(xml: bytes) -> list[str]:
    """The titles of a feed's items as feedparser reads them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        read = feedparser.parse(xml)
    assert not read.bozo
    return [one.title for one in read.entries]


def links(xml: bytes) -> dict[str, str]:
    """The paths of a feed's relations."""
    found = etree.fromstring(xml).findall("channel/atom:link", ATOM)
    return {one.get("rel", ""): one.get("href", "").removeprefix(BASE) for one in found}


def text(xml: bytes, path: str) -> str | None:
    """The text of one element of the channel."""
    return etree.fromstring(xml).findtext(f"channel/{path}", namespaces=ATOM)


# --- archive pages


def test_the_newest_stand_in_the_feed_and_all_others_are_found_by_following_next() -> None:
    """Whoever begins at the feed and follows `next` meets every episode."""
    feeds = site(8, 3)
    assert titles(feeds["feed.xml"]) == ["Episode 8", "Episode 7", "Episode 6"]
    met, path = list[str](), "feed.xml"
    while path:
        met += titles(feeds[path])
        path = links(feeds[path]).get("next", "")
    assert list(dict.fromkeys(met)) == [f"Episode {n}" for n in range(8, 0, -1)]


def test_pages_know_their_neighbours() -> None:
    """first, next, prev and last, as RFC 5005 has them; next is older."""
    feeds = site(8, 3)
    assert links(feeds["feed.xml"]) == {
        "self": "feed.xml", "first": "feed.xml", "next": "feed/page/2.xml", "last": "feed/page/1.xml",
    }  # fmt: skip
    assert links(feeds["feed/page/1.xml"]) == {
        "self": "feed/page/1.xml", "first": "feed.xml", "prev": "feed/page/2.xml", "last": "feed/page/1.xml",
    }  # fmt: skip
    assert links(feeds["feed/page/2.xml"])["prev"] == "feed/page/3.xml"
    assert links(feeds["feed/page/3.xml"])["prev"] == "feed.xml"


def test_no_new_episode_changes_a_page_that_is_full() -> None:
    """The bytes of every page but the newest stay for ever, whatever comes."""
    before = site(1, 3)
    for count in range(2, 20):
        after = site(count, 3)
        settled = sorted(path for path in before if path.startswith("feed/"))[:-1]
        assert [path for path in settled if after[path] != before[path]] == []
        assert before.keys() <= after.keys()
        before = after


@pytest.mark.parametrize(("count", "pages"), [(0, 0), (3, 0), (4, 2), (6, 2), (7, 3)])
def test_there_are_pages_only_where_something_is_left_out(count: int, pages: int) -> None:
    """A feed that holds everything has no archive, and no links to one."""
    feeds = site(count, 3)
    assert len(feeds) == 1 + pages
    assert ("next" in links(feeds["feed.xml"])) == bool(pages)


def test_pages_belong_to_the_same_show() -> None:
    """Same title and identity; and no stream, for pages must not change with it."""
    stream = Live(id="a", title="A", start=factory.NOW, content_links=(ContentLink(url="https://e.org/", text="W"),))
    feeds = site(8, 3, live=(stream,))
    assert {text(xml, "podcast:guid") for xml in feeds.values()} == {factory.GUID}
    assert [path for path, xml in feeds.items() if b"liveItem" in xml] == ["feed.xml"]


def test_podcastparser_finds_the_archive(tmp_path: Path) -> None:
    """gPodder's parser reads `first` and `next`."""
    (tmp_path / "feed.xml").write_bytes(site(8, 3)["feed.xml"])
    with (tmp_path / "feed.xml").open("rb") as file:
        read = podcastparser.parse(BASE + "feed.xml", file)
    assert read["paged_feed_next"] == BASE + "feed/page/2.xml"


# --- feeds of topics, seasons, paths and formats

PATH = ListeningPath(
    id="begin", title="Begin & go", description="a < b", episodes=(Step(episode="episode-3"), Step(episode="episode-1"))
)
EPISODES = (
    episode(1, topics=("Tides",), season=1),
    episode(2, topics=("Tides", "R&D"), season=2, audio=Enclosure(
        file="episodes/episode-2.mp3", alternates=(Alternate(url="https://cdn.example/2.opus", length=77_000),)
    )),
    episode(3, season=2),
)  # fmt: skip


def parted(**feed: Any) -> dict[str, bytes]:
    """The feeds of a show with these parts asked for."""
    of = show(feed=FeedSettings(**feed), paths=(PATH,), seasons={2: Season(name="The deep")})
    return written(factory.feed(*EPISODES, of=of))


def test_no_other_feed_is_made_unasked() -> None:
    """One feed is what most shows want."""
    assert list(parted()) == ["feed.xml"]


@pytest.mark.parametrize(
    ("asked", "path", "title", "held"),
    [
        ({"topics": ALL}, "topics/tides/feed.xml", "Deep Water: Tides", [2, 1]),
        ({"topics": (Pick(name="r&d"),)}, "topics/r-d/feed.xml", "Deep Water: R&D", [2]),
        ({"seasons": ALL}, "seasons/1/feed.xml", "Deep Water: Season 1", [1]),
        ({"seasons": (Pick(name="2"),)}, "seasons/2/feed.xml", "Deep Water: The deep", [3, 2]),
        ({"paths": ALL}, "start/begin/feed.xml", "Deep Water: Begin & go", [3, 1]),
        ({"alternates": ALL}, "feed-opus.xml", "Deep Water (opus)", [3, 2, 1]),
    ],
)
def test_a_part_of_the_show_is_a_whole_feed(
    asked: dict[str, Any], path: str, title: str, held: list[int], tmp_path: Path
) -> None:
    """Its own title, address and identity; its items are those of the show's feed, GUIDs and all."""
    feeds = parted(**asked)
    xml = feeds[path]
    assert text(xml, "title") == text(xml, "image/title") == title
    assert links(xml) == {"self": path}
    assert text(xml, "podcast:guid") == str(uuid.uuid5(uuid.UUID(factory.GUID), path))
    assert titles(xml) == [f"Episode {number}" for number in held]
    (tmp_path / "feed.xml").write_bytes(xml)
    with (tmp_path / "feed.xml").open("rb") as file:
        read = podcastparser.parse(BASE + path, file)
    whole = etree.fromstring(feeds["feed.xml"])
    guids = {item.findtext("title"): item.findtext("guid") for item in whole.iterfind("channel/item")}
    assert [one["guid"] for one in read["episodes"]] == [guids[f"Episode {number}"] for number in held]


def test_no_directory_refuses_any_of_them() -> None:
    """The certifier finds no error in parts and pages."""
    feeds = parted(topics=ALL, seasons=ALL, paths=ALL, alternates=ALL, limit=1)
    assert len(feeds) == 10
    found = {
        path: [one for one in certify(xml).findings if one.rule.severity == "error"] for path, xml in feeds.items()
    }
    assert {path: errors for path, errors in found.items() if errors} == {}


def test_the_identity_of_a_part_stays_when_the_site_moves() -> None:
    """It is made of the show's guid and the path, not of the address."""
    feeds = [
        written(factory.feed(*EPISODES, of=show(url=url, feed=FeedSettings(topics=ALL))))
        for url in ("https://example.org/water/", "https://new.example/")
    ]
    guids = [text(xml["topics/tides/feed.xml"], "podcast:guid") for xml in feeds]
    assert guids[0] == guids[1] != factory.GUID


def test_a_feed_of_a_format_has_its_recordings_where_there_are_some() -> None:
    """An episode without that format keeps its recording: better to hear it than to miss it."""
    items = etree.fromstring(parted(alternates=(Pick(name="opus"),))["feed-opus.xml"]).findall("channel/item/enclosure")
    assert [(one.get("url"), one.get("type"), one.get("length")) for one in items][1:] == [
        ("https://cdn.example/2.opus", "audio/ogg", "77000"),
        (BASE + "episodes/episode-1/episode-1.mp3", "audio/mpeg", "1234567"),
    ]


def test_a_path_tells_its_order_in_words() -> None:
    """Apps sort by date, so the description lists the steps."""
    described = text(parted(paths=ALL)["start/begin/feed.xml"], "description") or ""
    assert "<p>a &lt; b</p><ol><li>" in described
    assert described.index("Episode 3") < described.index("Episode 1")


def test_the_description_of_a_part_is_never_longer_than_apple_takes() -> None:
    """What the part is comes first; paragraphs of the show's description that have no room are left out."""
    long = f"<p>{'a' * 2000}</p><p>{'b' * 1990}</p>"
    made = factory.feed(*EPISODES, of=show(feed=FeedSettings(topics=ALL)), description_html=long)
    described = text(written(made)["topics/tides/feed.xml"], "description") or ""
    assert described == f'<p><a href="{BASE}topics/tides/">Tides</a></p><p>{"a" * 2000}</p>'
    assert text(made.xml, "description") == long


def test_parts_do_not_follow_the_show_to_its_new_address() -> None:
    """A subscriber to a topic would be sent to the whole show."""
    feeds = parted(topics=ALL, new_feed_url="https://new.example/feed.xml")
    assert [path for path, xml in feeds.items() if b"new-feed-url" in xml] == ["feed.xml"]


def test_a_part_that_has_no_episode_is_warned_about() -> None:
    """A misspelt topic must not go unseen; `false` asks for none."""
    picks = (Pick(name="Tidse"), Pick(name="false"))
    made = factory.feed(*EPISODES, of=show(feed=FeedSettings(topics=picks)))
    assert [str(one) for one in made.problems] == [
        "show.yaml: feed.topics[1]: warning: 'Tidse' has no episode that is out, so it has no feed"
    ]


def test_names_are_chosen_as_in_addresses_and_empty_feeds_are_not_written() -> None:
    """`02` is season 2; a topic without anything to play has no feed."""
    silent = episode(4, topics=("Silence",), audio=None)
    of = show(feed=FeedSettings(seasons=(Pick(name="02"),), topics=(Pick(name="silence"), Pick(name="TIDES"))))
    made = factory.feed(*EPISODES, silent, of=of)
    assert list(written(made)) == ["feed.xml", "topics/tides/feed.xml", "seasons/2/feed.xml"]


def test_pages_lead_to_the_feed_of_their_part() -> None:
    """Browsers and readers find the topic's feed on its page, after the show's own."""
    content = factory.content(*EPISODES, of=show(feed=FeedSettings(topics=ALL, alternates=ALL)))
    head = discovery.Head(link(content, factory.NOW)[0], content)
    page = type("Page", (), {"address": "topics/tides/", "root": None, "kind": "list", "entry": None})()
    tags = list(head._links(page))
    assert tags[:3] == [
        '<link rel="alternate" type="application/rss+xml" title="Deep Water" href="../../feed.xml">',
        '<link rel="alternate" type="application/rss+xml" title="Deep Water: Tides" href="feed.xml">',
        '<link rel="alternate" type="application/feed+json" title="Deep Water" href="../../feed.json">',
    ]
    page.address = ""
    assert 'title="Deep Water (opus)" href="feed-opus.xml"' in "".join(head._links(page))
