"""The RSS feed, read back by lxml and by foreign readers."""

from __future__ import annotations

import html
import importlib.util
import os
import re
import subprocess
import sys
import uuid
import warnings
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import feedparser
import podcastparser
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from podsite import feeds, shapes, values
from podsite.feeds.certify import certify
from podsite.feeds.namespaces import NAMESPACES
from podsite.media import AudioFacts
from podsite.model import Episode, Show
from podsite.parts import (
    Alternate,
    Chapter,
    Credit,
    Cue,
    Enclosure,
    FeedSettings,
    Owner,
    Person,
    Reading,
    Transcript,
)
from podsite.podcasting import (
    Funding,
    License,
    Location,
    Recipient,
    RemoteItem,
    Social,
    Soundbite,
    TimeSplit,
    Trailer,
    Txt,
    UpdateFrequency,
    Value,
)

_spec = importlib.util.spec_from_file_location("feed_factory", Path(__file__).parent / "feeds" / "factory.py")
assert _spec and _spec.loader
factory = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(factory)
episode, feed, show = factory.episode, factory.feed, factory.show

NS = {
    "itunes": "http://www.itunes.com/dtds/podcast-1.0.dtd",
    "podcast": "https://podcastindex.org/namespace/1.0",
    "psc": "http://podlove.org/simple-chapters",
    "atom": "http://www.w3.org/2005/Atom",
    "content": "http://purl.org/rss/1.0/modules/content/",
}


def channel(made: feeds.Feed) -> Any:
    """The channel of a feed."""
    return etree.fromstring(made.xml)[0]


def found(made: feeds.Feed, path: str) -> list[str]:
    """What an XPath finds in the channel: texts of elements, or attributes."""
    return [one if isinstance(one, str) else one.text for one in channel(made).xpath(path, namespaces=NS)]


def foreign(made: feeds.Feed) -> Any:
    """The feed as feedparser sees it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        read = feedparser.parse(made.xml)
    assert not read.bozo
    return read


def podcatcher(made: feeds.Feed, tmp_path: Path) -> Any:
    """The feed as gPodder's parser sees it."""
    (tmp_path / "feed.xml").write_bytes(made.xml)
    with (tmp_path / "feed.xml").open("rb") as file:
        return podcastparser.parse("https://example.org/water/feed.xml", file)


# --- every key, as tests/feeds/README.md has it

PAIRS = sorted((Path(__file__).parent / "feeds").glob("*.yaml"))
assert [one.with_suffix(".xml").name for one in PAIRS] == [one.name for one in sorted(PAIRS[0].parent.glob("*.xml"))]


def grouped(parent: Any) -> dict[str, list[bytes]]:
    """The children of an element in their exact form, by name."""
    etree.indent(parent)
    elements: dict[str, list[bytes]] = {}
    for child in parent:
        child.tail = None
        elements.setdefault(child.tag, []).append(etree.tostring(child, method="c14n", exclusive=True))
    return elements


@pytest.mark.parametrize("path", PAIRS, ids=lambda path: path.stem)
def test_a_key_becomes_exactly_its_tags(path: Path) -> None:
    """Each element of a name that the .xml file holds is there as it stands, and no other of that name."""
    of, made = factory.decoded(path.read_text(encoding="utf-8"))
    whole = channel(feed(made, of=of))
    expected = etree.parse(path.with_suffix(".xml")).getroot()
    for wanted, parent in ((expected, whole), (expected.find("item"), whole.find("item"))):
        if wanted is not None:
            elements = {name: each for name, each in grouped(wanted).items() if name != "item"}
            found_elements = grouped(parent)
            assert {name: found_elements.get(name) for name in elements} == elements


@pytest.mark.parametrize("path", PAIRS, ids=lambda path: path.stem)
def test_no_directory_refuses_what_a_key_writes(path: Path) -> None:
    """The certifier, which reads the specifications on its own, finds no error."""
    of, made = factory.decoded(path.read_text(encoding="utf-8"))
    findings = certify(feed(made, of=of).xml).findings
    assert [str(one) for one in findings if one.rule.severity == "error"] == []


def test_the_reference_of_the_feed_names_every_key_and_every_tag() -> None:
    """What has a pair of files here is documented, and no documented key has gone."""
    text = (Path(__file__).parents[1] / "docs" / "reference" / "feed.md").read_text(encoding="utf-8")
    channel_part, item_part = re.findall(r"\n## (?:The channel|An item).*?(?=\n## )", text, re.DOTALL)
    for kind, part in ((Show, channel_part), (Episode, item_part)):
        keys = {
            key for cell in re.findall(r"^\| (`.*?) \|", part, re.MULTILINE) for key in re.findall(r"`(.+?)`", cell)
        }
        assert {key.partition(".")[0] for key in keys} <= shapes.record(kind).keys.keys()
    prefixes = {uri: f"{prefix}:" for prefix, uri in NAMESPACES.items()}
    written = {element.tag for path in PAIRS for element in etree.parse(path.with_suffix(".xml")).iter()}
    names = {prefixes.get(etree.QName(tag).namespace or "", "") + etree.QName(tag).localname for tag in written}
    unnamed = {name for name in names - {"channel", "item", "url"} if not re.search(rf"`{name}[`/ ]", text)}
    assert unnamed <= {"itunes:name", "itunes:email", "psc:chapter"}


@pytest.mark.parametrize("name", ["block-some", "block-all-but-one"])
def test_apple_is_not_blocked_with_others(name: str) -> None:
    """itunes:block has one meaning: not at Apple."""
    of, made = factory.decoded((PAIRS[0].parent / f"{name}.yaml").read_text(encoding="utf-8"))
    assert found(feed(made, of=of), "itunes:block") == []


GUID = factory.GUID
PAYEE = "recipients: {type: node, address: a, split: 1}"


@pytest.mark.parametrize(
    ("kind", "written", "path", "message"),
    [
        (Show, "block: spotifi", "block", "unknown service 'spotifi' (did you mean 'spotify'?)"),
        (
            Show,
            "block: no",
            "block",
            "expected 'true' or services such as amazon, found 'no'; leave the key out to be shown",
        ),
        (
            Show,
            f"remote_items: {GUID}",
            "remote_items",
            "a feed of the medium podcast holds none; write 'medium: mixed' or 'podcastL'",
        ),
        (
            Show,
            f"publisher: {{feed_guid: {GUID}, medium: music}}",
            "publisher",
            "expected the medium publisher, found 'music'; leave it out",
        ),
        (Show, "medium: vlog", "medium", "did you mean 'blog'?"),
        (
            Show,
            "update_frequency: {text: a, rrule: FREQ=WEEKLY;COUNT=3}",
            "update_frequency.rrule",
            "a rule with COUNT needs 'start', the date from which to count",
        ),
        (
            Show,
            "update_frequency: {text: a, rrule: weekly}",
            "update_frequency.rrule",
            "expected a rule such as FREQ=WEEKLY;BYDAY=MO, found 'weekly'",
        ),
        (
            Show,
            "update_frequency: {text: a, complete: yes}",
            "update_frequency.complete",
            "unknown key 'complete'; 'complete:' belongs at the top level, not indented",
        ),
        (Show, "license: Mine", "license", "the license 'Mine' needs 'url', where its terms stand"),
        (
            Show,
            f"funding: {{url: https://e.org/, text: {'x' * 129}}}",
            "funding.text",
            "expected at most 128 characters, found 129",
        ),
        (Show, f"location: {'x' * 129}", "location", "expected at most 128 characters, found 129"),
        (
            Show,
            "txt: {text: maybe, purpose: ai-content}",
            "txt.text",
            "expected true or false for the purpose ai-content, found 'maybe'",
        ),
        (
            Show,
            "trailer: {title: T, url: https://e.org/t.mp3, published: 2024-01-01, season: 0}",
            "trailer.season",
            "expected a whole number from 1, found '0'",
        ),
        (
            Show,
            "images: {image: https://e.org/a.png, aspect_ratio: wide}",
            "images.aspect_ratio",
            "expected width to height such as 16/9, found 'wide'",
        ),
        (
            Show,
            "images: {image: https://e.org/a.png, width: 0}",
            "images.width",
            "expected a whole number from 1, found '0'",
        ),
        (
            Show,
            "chat: {server: example.org, protocol: teams}",
            "chat.protocol",
            "expected one of irc, xmpp, nostr, matrix, found 'teams'",
        ),
        (
            Show,
            "live: {id: a, title: A, start: 2024-01-02, end: 2024-01-01, content_links: {url: https://e.org, text: W}}",
            "live.end",
            "ends before it begins; check date and time zone of 'start' and 'end'",
        ),
        (
            Show,
            "live: {id: a, title: A, start: 2024-01-02}",
            "live",
            "missing key 'content_links': Pages where it can be heard or watched.",
        ),
        (
            Show,
            "value: {type: lightning, method: keysend, recipients: {type: node, address: a, split: 0}}",
            "value.recipients",
            "every 'split' is 0, so nobody would be paid; give shares such as 95 and 5",
        ),
        (
            Show,
            "live: {id: a, title: A, start: 2024-01-02, audio: a.mp3, content_links: {url: https://e.org, text: W}}",
            "live.audio",
            "a stream comes from a server; give its address, https://…",
        ),
        (
            Show,
            "location: {name: London, country: uk}",
            "location.country",
            "expected a country code such as DE, found 'uk' (did you mean 'GB'?)",
        ),
        (Show, "seasons: {one: First}", "seasons.one", "expected a whole number such as 7, found 'one'"),
        (Episode, "social: {protocol: activitypub}", "social", "missing key 'uri': the activitypub post to answer to"),
        (Episode, "soundbites: {start: 1, duration: 0}", "soundbites.duration", "expected a length of time, found 0"),
        (
            Episode,
            f"value: {{type: l, method: k, {PAYEE}, time_splits: {{start: 1, duration: 2}}}}",
            "value.time_splits",
            "expected 'remote_item' (an item that is paid) or 'recipients', found neither",
        ),
        (
            Episode,
            "audio: {file: a.mp3, alternates: {file: a.opus, bitrate: 0}}",
            "audio.alternates.bitrate",
            "expected bits per second such as 64000",
        ),
        (
            Episode,
            "audio: {file: a.mp3, alternates: {file: a.opus, integrity: abc}}",
            "audio.alternates.integrity.value",
            "expected a hash such as sha384-…, found 'abc'",
        ),
        (
            Episode,
            "audio: {file: a.mp3, alternates: {file: a.opus, sources: here}}",
            "audio.alternates.sources",
            "expected an address such as https://example.org/a.mp3 or ipfs://…, found 'here'",
        ),
        (Episode, f"display_number: {'x' * 33}", "display_number", "expected at most 32 characters, found 33"),
    ],
)
def test_what_no_app_would_read_is_refused_where_it_is_written(
    kind: type, written: str, path: str, message: str
) -> None:
    """Closed lists, lengths and conditions of the tags are told at the key, before any feed is made."""
    [problem] = factory.problems(kind, written)
    assert problem.path == path
    assert message in problem.message


def test_a_service_that_is_not_on_the_list_is_blocked_all_the_same() -> None:
    """The list grows, so a slug that is near no other is only remarked on."""
    [remark] = factory.problems(Show, "block: [xyzradio]")
    assert (remark.severity, remark.message) == ("warning", "'xyzradio' is not on podcastindex.org's list of services")


# --- the channel


def test_the_channel_carries_everything_apple_and_psp1_ask_for() -> None:
    made = feed(episode(), of=show(owner=Owner(name="Ada", email="ada@example.org"), copyright="2024 Ada"))
    assert found(made, "title") == ["Deep Water"]
    assert found(made, "link") == ["https://example.org/water/"]
    assert found(made, "description") == ["<p>Talks about the <em>sea</em>.</p>"]
    assert found(made, "language") == ["en-gb"]
    assert found(made, "copyright") == ["2024 Ada"]
    assert found(made, "itunes:author") == ["Ada Reef"]
    assert found(made, "itunes:explicit") == ["false"]
    assert found(made, "itunes:type") == ["episodic"]
    assert found(made, "itunes:image/@href") == ["https://example.org/water/artwork.png"]
    assert found(made, "itunes:owner/itunes:email") == ["ada@example.org"]
    assert found(made, "atom:link[@rel='self'][@type='application/rss+xml']/@href") == [
        "https://example.org/water/feed.xml"
    ]
    assert found(made, "podcast:guid") == [factory.GUID]
    assert found(made, "podcast:locked") == ["yes"]
    assert found(made, "podcast:locked/@owner") == ["ada@example.org"]
    assert found(made, "image/url | image/title | image/link") == [
        "https://example.org/water/artwork.png",
        "Deep Water",
        "https://example.org/water/",
    ]


def test_categories_are_nested_and_each_is_written_once() -> None:
    categories = (("Science", "Physics"), ("Science", "Physics"), ("Science", "Chemistry"), ("Technology", None))
    made = feed(episode(), of=show(categories=categories))
    assert found(made, "itunes:category/@text") == ["Science", "Technology"]
    assert found(made, "itunes:category/itunes:category/@text") == ["Physics", "Chemistry"]


@pytest.mark.parametrize("name", ["cover.jpeg", "cover.JPG", "cover v2.png"])
def test_artwork_is_named_whatever_its_ending(name: str) -> None:
    made = feed(episode(), of=show(artwork=f"static/{name}"))
    assert found(made, "itunes:image/@href") == [f"https://example.org/water/{name.replace(' ', '%20')}"]


def test_artwork_elsewhere_keeps_its_query() -> None:
    made = feed(episode(), of=show(artwork="https://cdn.example.org/a.jpg?v=2"))
    assert found(made, "itunes:image/@href") == ["https://cdn.example.org/a.jpg?v=2"]


def test_items_come_after_all_other_elements_of_the_channel() -> None:
    names = [one.tag for one in channel(feed(episode(1), episode(2)))]
    assert names.index("item") == len(names) - 2


def test_namespaces_are_spelt_as_their_specifications_do() -> None:
    assert etree.fromstring(feed(episode()).xml).nsmap == NS


def test_the_file_begins_with_its_declaration_and_ends_with_the_root() -> None:
    xml = feed(episode()).xml
    assert xml.startswith(b'<?xml version="1.0" encoding="UTF-8"?>\n<rss ')
    assert xml.rstrip().endswith(b"</rss>")


def test_a_feed_that_moved_says_where_to() -> None:
    made = feed(episode(), of=show(feed=FeedSettings(new_feed_url="https://new.example.org/feed.xml")))
    assert found(made, "itunes:new-feed-url") == ["https://new.example.org/feed.xml"]


def test_the_feed_lies_at_its_path_and_at_every_old_one() -> None:
    site = factory.site(episode(), of=show(feed=FeedSettings(path="rss.xml", aliases=("old.xml", "feed/"))))
    made = feed(episode(), of=site.show)
    written = {one.path: one.content for one in feeds.artifacts(site, made)}
    assert written.pop("feed.json")
    assert written.pop("podcast.opml")
    assert written == dict.fromkeys(["rss.xml", "old.xml", "feed/index.html"], made.xml)
    assert found(made, "atom:link/@href") == ["https://example.org/water/rss.xml"]


def test_a_long_show_description_is_warned_about_and_not_cut() -> None:
    text = "<p>" + "ä" * 2000 + "</p>"
    made = feed(episode(), description_html=text)
    assert found(made, "description") == [text]
    assert [str(one) for one in made.problems] == [
        "show.yaml: description: warning: 4,007 bytes is more than the 4,000 that Apple takes; make it shorter"
    ]


def test_a_feed_that_apps_load_for_long_is_told_with_a_limit_that_helps() -> None:
    """Only a feed of more than ten megabytes, and only while nobody has said how many episodes it is to hold."""
    slugs = [f"night-{number}" for number in range(120)]
    episodes = [episode(1, slug=slug) for slug in slugs]
    notes = dict.fromkeys(slugs, f"<p>{'owls and mice ' * 7_000}</p>")
    (told,) = feed(*episodes, notes=notes).problems
    assert str(told) == (
        "show.yaml: feed.limit: warning: the feed has 120 episodes and 12 MB, which apps load again with every change; "
        "'feed: {limit: 50}' makes it about 5 MB and puts older ones on archive pages, which few apps read; "
        "'limit: 1000' keeps all"
    )
    assert feed(*episodes, notes=notes, of=show(feed=FeedSettings(limit=1000))).problems == ()
    assert feed(*episodes[:90], notes=notes).problems == ()


def test_podcasting_2_tags_of_the_channel() -> None:
    made = feed(
        episode(),
        of=show(
            locked=False,
            medium="audiobook",
            funding=(Funding(url="https://example.org/give", text="Give"),),
            license=License(name="CC-BY-4.0"),
            location=(Location(name="Kiel", geo="geo:54.32,10.14", osm="R62763", country="DE", rel="creator"),),
            txt=(Txt(text="abc", purpose="applepodcastsverify"),),
            trailer=Trailer(
                title="Trailer", url="static/t.mp3", published=datetime(2024, 1, 1, tzinfo=UTC), length=99, season=1
            ),
            update_frequency=UpdateFrequency(
                text="weekly", rrule="FREQ=WEEKLY;COUNT=9", start=datetime(2024, 1, 1, tzinfo=UTC)
            ),
            complete=True,
            podroll=(RemoteItem(feed_guid=factory.GUID, feed_url="https://x.example/f"),),
            publisher=RemoteItem(feed_guid=factory.GUID, medium="publisher"),
            value=(
                Value(
                    type="lightning",
                    method="keysend",
                    suggested=0.00000015,
                    recipients=(Recipient(type="node", address="02d5", split=95, name="Ada", fee=True),),
                    time_splits=(TimeSplit(start=60, duration=12.5, remote_item=RemoteItem(feed_guid=factory.GUID)),),
                ),
            ),
        ),
    )
    written = {
        "podcast:locked": "no",
        "podcast:medium": "audiobook",
        "podcast:funding[@url='https://example.org/give']": "Give",
        "podcast:license": "CC-BY-4.0",
        "podcast:location[@rel='creator'][@geo='geo:54.32,10.14'][@osm='R62763'][@country='DE']": "Kiel",
        "podcast:txt[@purpose='applepodcastsverify']": "abc",
        "podcast:trailer[@url='https://example.org/water/t.mp3'][@length='99'][@type='audio/mpeg'][@season='1']"
        "[@pubdate='Mon, 01 Jan 2024 00:00:00 +0000']": "Trailer",
        "podcast:updateFrequency[@complete='true'][@dtstart='2024-01-01T00:00:00Z'][@rrule='FREQ=WEEKLY;COUNT=9']": (
            "weekly"
        ),
        "itunes:complete": "Yes",
        f"podcast:podroll/podcast:remoteItem[@feedGuid='{factory.GUID}'][@feedUrl='https://x.example/f']": None,
        "podcast:publisher/podcast:remoteItem[@medium='publisher']": None,
        "podcast:value[@type='lightning'][@method='keysend'][@suggested='0.00000015']": "\n      ",
        "podcast:value/podcast:valueRecipient[@split='95'][@fee='true'][@name='Ada']": None,
        "podcast:value/podcast:valueTimeSplit[@startTime='60'][@duration='12.5']/podcast:remoteItem/@feedGuid": (
            factory.GUID
        ),
    }
    assert {path: found(made, path) for path in written} == {path: [text] for path, text in written.items()}


def test_hosts_stand_in_the_channel_and_guests_in_their_items() -> None:
    people = {
        "ada": Person(name="Ada Reef", url="https://ada.example/", image="static/ada.jpg"),
        "bo": Person(name="Bo Ray", role="Guest"),
        "cy": Person(name="Cy", role="Cover Art Designer"),
        "di": Person(name="Di"),
    }
    credited = (Credit(person="ada"), Credit(person="bo"), Credit(person="di", role="Guest"))
    made = feed(episode(1, people=credited), episode(2), of=show(people=people))
    assert found(made, "podcast:person") == ["Ada Reef", "Cy"]
    assert found(made, "podcast:person/@group") == ["cast", "visuals"]
    assert found(made, "item[2]/podcast:person") == ["Ada Reef", "Bo Ray", "Di"]
    assert found(made, "item[2]/podcast:person/@role") == ["host", "guest", "guest"]
    assert found(made, "item[2]/podcast:person/@href") == [
        "https://ada.example/",
        "https://example.org/water/people/bo/",
        "https://example.org/water/people/di/",
    ]
    assert found(made, "item[2]/podcast:person/@img") == ["https://example.org/water/ada.jpg"]


# --- items


def test_items_carry_everything_apple_and_psp1_ask_for(tmp_path: Path) -> None:
    made = feed(episode(3, season=2, kind="bonus", explicit=True, image="episodes/episode-3.jpg", topics=("Tides",)))
    item = "item/"
    assert found(made, item + "title") == ["Episode 3"]
    assert found(made, item + "link") == ["https://example.org/water/episodes/episode-3/"]
    assert found(made, item + "description")[0].startswith("<p>What happened on day 3.</p>")
    assert found(made, item + "guid[@isPermaLink='false']") == [str(uuid.uuid5(uuid.UUID(factory.GUID), "episode-3"))]
    assert found(made, item + "pubDate") == ["Wed, 03 Jan 2024 08:30:00 +0000"]
    assert found(made, item + "enclosure/@url") == ["https://example.org/water/episodes/episode-3/episode-3.mp3"]
    assert found(made, item + "enclosure/@length") == ["1234567"]
    assert found(made, item + "enclosure/@type") == ["audio/mpeg"]
    assert found(made, item + "itunes:duration") == ["754"]
    assert found(made, item + "itunes:explicit") == ["true"]
    assert found(made, item + "itunes:image/@href") == ["https://example.org/water/episodes/episode-3/episode-3.jpg"]
    assert found(made, item + "itunes:season") == ["2"]
    assert found(made, item + "itunes:episode") == ["3"]
    assert found(made, item + "itunes:episodeType") == ["bonus"]
    assert found(made, item + "category") == ["Tides"]
    assert not made.problems
    assert podcatcher(made, tmp_path)["episodes"][0]["total_time"] == 754


def test_the_newest_episode_comes_first() -> None:
    made = feed(episode(2), episode(9), episode(1), of=show(order="serial"))
    assert found(made, "item/title") == ["Episode 9", "Episode 2", "Episode 1"]
    assert [one.title for one in foreign(made).entries] == ["Episode 9", "Episode 2", "Episode 1"]
    assert found(made, "lastBuildDate") == ["Tue, 09 Jan 2024 08:30:00 +0000"]


def test_foreign_readers_see_what_was_meant(tmp_path: Path) -> None:
    chapters = (
        Chapter(start=0.0, title="Ünder water"),
        Chapter(start=61.5, title="Up", url="https://up.example/?a=1&b=2"),
    )
    made = feed(episode(1, title="R&B <live>", chapters=chapters), episode(2))
    entry = foreign(made).entries[1]
    assert entry.id == found(made, "item[2]/guid")[0]
    assert entry.enclosures[0].href.endswith("/episode-1.mp3")
    assert entry.published_parsed[:5] == (2024, 1, 1, 8, 30)
    assert entry.psc_chapters.chapters[1]["start_parsed"].total_seconds() == 61.5
    read = podcatcher(made, tmp_path)["episodes"]
    assert [one["guid"] for one in read] == found(made, "item/guid")
    assert read[1]["title"] == "R&B <live>"
    assert [(one["start"], one["title"], one.get("href")) for one in read[1]["chapters"]] == [
        (0, "Ünder water", None),
        (61, "Up", "https://up.example/?a=1&b=2"),
    ]
    assert read[1]["enclosures"] == [
        {
            "url": "https://example.org/water/episodes/episode-1/episode-1.mp3",
            "file_size": 1234567,
            "mime_type": "audio/mpeg",
        }
    ]


def test_an_episode_without_audio_is_left_out_with_a_warning() -> None:
    made = feed(episode(1, audio=None), episode(2))
    assert made.items == 1
    assert found(made, "item/title") == ["Episode 2"]
    assert [str(one) for one in made.problems] == [
        "episodes/episode-1.yaml:7:8: audio: warning: left out of the feed, since podcast apps need something to play; "
        "add 'audio'"
    ]


def test_unknown_length_and_duration_are_told_and_never_invented() -> None:
    made = feed(episode(1, audio=Enclosure(url="https://cdn.example.org/a.mp3")))
    assert found(made, "item/enclosure/@length") == ["0"]
    assert found(made, "item/itunes:duration") == []
    codes = {finding.rule.code for finding in certify(made.xml).findings}
    assert {"enclosure-length-zero", "item-duration"} <= codes


def test_number_and_season_0_are_kept_from_apple_with_a_warning() -> None:
    made = feed(episode(1, number=0, season=0, display_number="Zero"))
    assert found(made, "item/itunes:episode | item/itunes:season") == []
    assert found(made, "item/podcast:episode[@display='Zero']") == ["0"]
    assert found(made, "item/podcast:season") == ["0"]
    assert {one.path for one in made.problems} == {"number", "season"}


@pytest.mark.parametrize(
    ("audio", "url", "kind"),
    [
        ("media/Folge 1 – Äpfel.mp3", "media/Folge%201%20%E2%80%93%20%C3%84pfel.mp3", "audio/mpeg"),
        ("media/R&B.m4a", "media/R&B.m4a", "audio/x-m4a"),
        ("media/100%.opus", "media/100%25.opus", "audio/ogg"),
        ("media/a#1?.mp4", "media/a%231%3F.mp4", "video/mp4"),
    ],
)
def test_local_audio_is_named_by_a_complete_encoded_address(audio: str, url: str, kind: str) -> None:
    made = feed(episode(1, audio=Enclosure(file=audio)))
    assert found(made, "item/enclosure/@url") == [f"https://example.org/water/{url}"]
    assert found(made, "item/enclosure/@type") == [kind]


@pytest.mark.parametrize(
    ("audio", "expected"),
    [
        ("https://cdn.example.org/a%20b.mp3?x=1&y=2", "https://op3.dev/e/cdn.example.org/a%20b.mp3?x=1&y=2"),
        ("http://cdn.example.org/a.mp3", "https://op3.dev/e/http://cdn.example.org/a.mp3"),
        ("https://op3.dev/e/cdn.example.org/a.mp3", "https://op3.dev/e/cdn.example.org/a.mp3"),
    ],
)
def test_the_analytics_prefix_touches_enclosures_only(audio: str, expected: str) -> None:
    enclosure = Enclosure(url=audio, length=20_000, duration=60)
    plain = feed(episode(1, audio=enclosure))
    made = feed(episode(1, audio=enclosure), of=show(feed=FeedSettings(prefix="https://op3.dev/e")))
    assert found(made, "item/enclosure/@url") == [expected]
    assert made.xml.replace(expected.replace("&", "&amp;").encode(), b"") == plain.xml.replace(
        audio.replace("&", "&amp;").encode(), b""
    )


def test_the_limit_keeps_the_newest() -> None:
    made = feed(*map(episode, range(1, 6)), of=show(feed=FeedSettings(limit=2)))
    assert (made.items, found(made, "item/title")) == (2, ["Episode 5", "Episode 4"])


def test_a_show_without_episodes_has_a_feed_without_a_date() -> None:
    made = feed()
    assert found(made, "lastBuildDate | item") == []
    assert [one.message for one in made.problems] == [
        "the feed has no episode yet; directories take a show with its first one"
    ]


def test_podcasting_2_tags_of_an_item() -> None:
    made = feed(
        episode(
            1,
            transcript=Transcript(
                file="episodes/episode-1.srt", captions=True, cues=(Cue(start=0.0, end=1.0, text="Hi"),)
            ),
            chapters=(Chapter(start=3723.5, title="A", image="episodes/a b.jpg", url="https://a.example/"),),
            soundbites=(Soundbite(start=73.25, duration=30.0, title="Best"),),
            license=License(name="Own", url="https://own.example/"),
            location=(Location(name="Kiel"),),
            txt=(Txt(text="x"),),
            social=(Social(protocol="activitypub", uri="https://s.example/1", account_id="@a", priority=1),),
            audio=Enclosure(
                file="episodes/episode-1.mp3",
                alternates=(
                    Alternate(
                        url="https://cdn.example.org/a.opus", length=9, bitrate=64000.0, title="Small", default=False
                    ),
                    Alternate(file="episodes/episode-1.m4a"),
                ),
            ),
        ),
        facts={"episodes/episode-1.m4a": AudioFacts(777, 1)},
    )
    here = "https://example.org/water/episodes/episode-1"
    assert found(made, "item/podcast:transcript/@type") == ["text/vtt", "application/x-subrip", "application/json"]
    assert found(made, "item/podcast:transcript[3]/@rel") == []
    written = {
        f"podcast:transcript[@url='{here}/transcript.vtt'][@type='text/vtt'][@language='en-GB']/@rel": "captions",
        f"podcast:transcript[@url='{here}/transcript.srt'][@type='application/x-subrip']/@rel": "captions",
        "podcast:transcript[@type='application/json']/@url": f"{here}/transcript.json",
        f"podcast:chapters[@url='{here}/chapters.json']/@type": "application/json+chapters",
        "psc:chapters[@version='1.2']/psc:chapter[@start='01:02:03.500'][@title='A']"
        f"[@image='{here}/a%20b.jpg']/@href": ("https://a.example/"),
        "podcast:soundbite[@startTime='73.25'][@duration='30']": "Best",
        "podcast:license[@url='https://own.example/']": "Own",
        "podcast:location[@rel='subject']": "Kiel",
        "podcast:txt": "x",
        "podcast:socialInteract[@protocol='activitypub'][@uri='https://s.example/1'][@accountId='@a']/@priority": "1",
        "podcast:alternateEnclosure[@type='audio/ogg'][@length='9'][@bitrate='64000'][@title='Small']"
        "/podcast:source/@uri": "https://cdn.example.org/a.opus",
        "podcast:alternateEnclosure[@type='audio/x-m4a'][@length='777']"
        f"/podcast:source[@uri='{here}/episode-1.m4a']": None,
    }
    assert {path: found(made, "item/" + path) for path in written} == {path: [text] for path, text in written.items()}
    assert len(found(made, "item/enclosure")) == 1


def test_no_guid_moves_with_address_prefix_title_number_or_audio() -> None:
    before = feed(episode(1))
    moved = show(
        title="New", url="https://new.example/", feed=FeedSettings(path="rss.xml", prefix="https://op3.dev/e/")
    )
    after = feed(episode(1, title="New", number=7, audio=Enclosure(url="https://cdn.example.org/b.mp3")), of=moved)
    assert found(after, "item/guid") == found(before, "item/guid")
    assert found(after, "podcast:guid") == found(before, "podcast:guid") == [factory.GUID]


def test_a_guid_of_ones_own_is_kept_as_it_is() -> None:
    assert found(feed(episode(1, guid="https://old.example/?p=1&x")), "item/guid") == ["https://old.example/?p=1&x"]


def test_episodes_of_one_instant_get_dates_that_keep_their_order() -> None:
    at = datetime(2024, 5, 1, tzinfo=UTC)
    made = feed(episode(1, published=at), episode(2, published=at))
    assert list(zip(found(made, "item/title"), found(made, "item/pubDate"), strict=True)) == [
        ("Episode 2", "Wed, 01 May 2024 00:00:01 +0000"),
        ("Episode 1", "Wed, 01 May 2024 00:00:00 +0000"),
    ]


# --- texts


def test_ampersands_are_escaped_once(tmp_path: Path) -> None:
    made = feed(episode(1, title="R&B &amp; more"), of=show(title="Tom & Jerry", author="A & B"))
    assert foreign(made).feed.author == "A & B"
    assert podcatcher(made, tmp_path)["title"] == "Tom & Jerry"
    assert found(made, "item/title") == ["R&B &amp; more"]


def test_the_content_holds_notes_chapters_people_and_further_reading() -> None:
    made = feed(
        episode(
            1,
            people=(Credit(person="ada"),),
            chapters=(Chapter(start=0.0, title="Start"), Chapter(start=61.5, title="A < B")),
            further_reading=(
                Reading(url="https://r.example/?a=1&b=2", title="R & D", authors=("X", "Y"), year=2020, note="short"),
                Reading(url="https://bare.example/", archive="https://archive.example/1"),
            ),
            link="https://elsewhere.example/1",
        ),
        of=show(people={"ada": Person(name="Ada Reef")}),
        notes={"episode-1": "<p>Notes</p>"},
    )
    assert found(made, "item/content:encoded")[0].splitlines() == [
        "<p>What happened on day 1.</p>",
        "<p>Notes</p>",
        "<p>With Ada Reef (Host).</p>",
        "<p><strong>Chapters</strong></p>",
        "<ul><li>00:00:00 Start</li><li>00:01:01 A &lt; B</li></ul>",
        "<p><strong>Further reading</strong></p>",
        '<ul><li><a href="https://r.example/?a=1&amp;b=2">R &amp; D</a> (X, Y, 2020): short</li>'
        '<li><a href="https://bare.example/">https://bare.example/</a> '
        '(<a href="https://archive.example/1">archived copy</a>)</li></ul>',
        '<p><a href="https://elsewhere.example/1">Original episode at elsewhere.example</a></p>',
        '<p><a href="https://example.org/water/episodes/episode-1/">Episode page</a></p>',
    ]


def test_description_stands_before_content() -> None:
    names = [one.tag for one in channel(feed(episode())).find("item")]
    assert names.index("description") < names.index(f"{{{NS['content']}}}encoded")


def test_the_end_of_cdata_in_notes_breaks_nothing() -> None:
    made = feed(episode(1), notes={"episode-1": "<pre>a[b[0]]>1 ]]> c</pre>"})
    assert "<pre>a[b[0]]>1 ]]> c</pre>" in found(made, "item/content:encoded")[0]


def test_control_characters_of_markdown_entities_do_not_stop_the_feed() -> None:
    made = feed(episode(1), notes={"episode-1": "<p>bell\x07 \ufffe\ud83c.</p>"})
    assert "<p>bell .</p>" in found(made, "item/content:encoded")[0]


def test_a_summary_that_looks_like_html_is_shown_as_it_was_written() -> None:
    made = feed(episode(1, summary="vector<int> & co"))
    assert found(made, "item/description")[0].startswith("<p>vector&lt;int&gt; &amp; co</p>")
    assert foreign(made).entries[0].summary.startswith("<p>vector&lt;int&gt; &amp; co</p>")


def test_a_long_summary_is_warned_about_and_not_cut() -> None:
    made = feed(episode(1, summary="ä" * 2001))
    assert found(made, "item/description")[0].startswith(f"<p>{'ä' * 2001}</p>")
    assert [one.path for one in made.problems] == ["summary"]


def test_the_description_holds_the_notes_in_the_tags_apple_shows() -> None:
    """Apple reads only the description, and of its HTML only p, ol, ul, li and a."""
    notes = (
        "<h3>Code</h3><pre><code>if a &lt; b:\n    go()</code></pre><blockquote><p>So <code>x</code>.</p></blockquote>"
        '<ul><li>one <strong>two</strong><ol><li>deep</li></ol></li></ul><p><img src="https://a/b.png" alt="">'
        '<a href="https://a/?b=1&amp;c=2" rel="noopener">link</a><br>more</p>'
        "<table><tr><th>a</th><td>b</td></tr></table>"
    )
    [described] = found(feed(episode(1), notes={"episode-1": notes}), "item/description")
    assert (
        "<p><strong>Code</strong></p><p>if a &lt; b:</p><p>\u00a0\u00a0\u00a0\u00a0go()</p><p>So x.</p>"
        "<ul><li>one <strong>two</strong><ol><li>deep</li></ol></li></ul>"
        '<p><a href="https://a/?b=1&amp;c=2">link</a> more</p><p>a | b</p>'
    ) in described
    assert described.endswith(">Episode page</a></p>")


def test_a_long_list_is_cut_between_its_items() -> None:
    """Eighty links leave room for forty, and no item is halved."""
    items = "".join(f"<li><a href='https://example.org/{n}/{'x' * 50}'>Link {n}</a></li>" for n in range(80))
    [described] = found(feed(episode(1), notes={"episode-1": f"<ul>{items}</ul><p>Bye</p>"}), "item/description")
    assert 3800 < len(described.encode()) <= 4000
    assert described.count("<li>") == described.count("</li>") > 30
    assert "</li></ul><p><a href=" in described
    assert described.endswith(">All of the show notes</a></p>")


def test_notes_longer_than_apple_takes_end_at_a_block_and_say_where_the_rest_is() -> None:
    """4,000 bytes are counted in UTF-8, and no tag is left open."""
    paragraph = f"<p>{'ä' * 300} <a href='https://example.org/'>more</a></p>"
    [described] = found(feed(episode(1), notes={"episode-1": paragraph * 20}), "item/description")
    assert len(described.encode()) <= 4000
    assert described.endswith(">All of the show notes</a></p>")
    assert described.count("<p>") == described.count("</p>") and described.count("<a") == described.count("</a>")


_TEXT = st.text().filter(lambda text: text.strip() and values.control_character(text) is None)


@settings(max_examples=settings().max_examples // 2)
@given(title=_TEXT, summary=_TEXT)
def test_any_text_survives_the_feed(title: str, summary: str) -> None:
    made = feed(episode(1, title=title, summary=summary))
    assert found(made, "item/title") == [title]
    [described] = found(made, "item/description")
    # white space is folded where HTML is read
    assert described.startswith("<p>") and " ".join(summary.split()) in " ".join(html.unescape(described).split())


# --- determinism


def test_two_builds_give_the_same_bytes_whatever_the_machine() -> None:
    code = (
        "import importlib.util, sys;"
        f"spec = importlib.util.spec_from_file_location('f', {str(Path(factory.__file__))!r});"
        "f = importlib.util.module_from_spec(spec); spec.loader.exec_module(f);"
        "sys.stdout.buffer.write(f.feed(f.episode(1), f.episode(2)).xml)"
    )
    path = os.pathsep.join(one for one in sys.path if one)
    for extra in ({"TZ": "Asia/Tokyo", "LC_ALL": "de_DE.UTF-8"}, {"TZ": "America/Los_Angeles", "LC_ALL": "C"}):
        env = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "7", **extra}
        run = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, check=True)
        assert run.stdout == feed(episode(2), episode(1)).xml


def test_importing_the_feeds_imports_neither_feedgen_nor_lxml() -> None:
    code = "import sys, podsite.feeds.rss; print(sorted({'feedgen', 'lxml', 'dateutil'} & set(sys.modules)))"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(one for one in sys.path if one)}
    run = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, check=True, text=True)
    assert run.stdout.strip() == "[]"


# --- whole sites


def test_every_file_a_feed_names_is_written(
    site: Callable[..., Path], build: Callable[..., Path], silence: bytes, artwork: bytes
) -> None:
    """Other formats, pictures, the trailer and transcripts without cues are found, measured and published."""
    root = site(
        {
            "episodes/002-dawn.yaml": 'title: "Dawn"\npublished: 2024-03-03\nsummary: "Light."\n'
            "images: {image: 002-wide.jpg, alt: Dawn}\n"
            "audio: {file: 002-dawn.mp3, alternates: [{file: 002-small.mp3, bitrate: 8000}]}\n"
            "transcript: {file: 002-words.html, language: en}\n",
            "episodes/002-dawn.mp3": silence,
            "episodes/002-small.mp3": silence,
            "episodes/002-wide.jpg": artwork,
            "episodes/002-words.html": "<p>Words</p>",
            "media/t.mp3": silence,
            "media/live.jpg": artwork,
            "episodes/jo.jpg": artwork,
        }
    )
    more = (
        'images: {image: media/live.jpg, alt: On air}\ntrailer: {title: "T", url: media/t.mp3, published: 2024-01-01}\n'
        "live: {id: a, title: A, start: 2024-01-01, end: 2024-01-02, images: {image: media/live.jpg, alt: On air},\n"
        "  content_links: {url: https://e.org, text: W}}\n"
    )
    written = (root / "show.yaml").read_text(encoding="utf-8")
    people = "people:\n  jo: {name: Jo, image: episodes/jo.jpg}\n"
    (root / "show.yaml").write_text(written.replace("people:\n", people) + more, encoding="utf-8")
    output = build(root)
    base = etree.parse(output / "feed.xml").findtext("channel/link") or ""
    text = (output / "feed.xml").read_text(encoding="utf-8")
    named = set(re.findall(rf'="{base}([^"]+\.\w+)"', text))
    assert {"media/t.mp3", "media/live.jpg", "episodes/jo.jpg"} <= named
    assert {"episodes/dawn/002-small.mp3", "episodes/dawn/002-words.html"} <= named
    assert [one for one in named if not (output / one).is_file()] == []
    assert f'length="{len(silence)}" type="audio/mpeg">T</podcast:trailer>' in text
    assert f'type="audio/mpeg" length="{len(silence)}" bitrate="8000"' in text
