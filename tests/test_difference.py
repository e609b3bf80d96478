"""Promises of `podsite diff`: what listeners will notice, against any earlier state, in a podcaster's words."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from podsite import difference as differences
from podsite import lock as locks
from podsite.cache import Cache
from podsite.difference import Difference, difference, facts_of_lock, markdown, resolve, text
from podsite.errors import ContentError, UsageError
from podsite.feeds.facts import ITEM, SHOW, FeedFacts, ItemFacts, facts_of_feed, facts_of_feeds, newest_first
from podsite.read import read
from podsite.site import link

NOW = datetime(2026, 2, 2, tzinfo=UTC)
DAY = datetime(2025, 3, 1, 6, tzinfo=UTC)
FEED = """\
<?xml version="1.0" encoding="UTF-8"?>
<!-- made by hand -->
<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:atom="http://www.w3.org/2005/Atom"
  xmlns:podcast="https://podcastindex.org/namespace/1.0">
<channel>
  <atom:link rel="self" href="https://example.org/feed.xml"/>
  <title>Quiet Hours</title>
  <link>https://example.org/</link>
  <podcast:guid>917393e3-1b1e-5cef-ace4-edaa54e1f810</podcast:guid>
  <image><title>Not the show's</title><link>https://example.org/nor/this</link></image>
  <item>
    <itunes:title>Short</itunes:title>
    <title>The  first night</title>
    <guid isPermaLink="false">one</guid>
    <pubDate>Sat, 01 Mar 2025 08:00:00 +0200</pubDate>
    <description><![CDATA[<p>What one &amp; all hear. <a href="https://example.org/1/">https://example.org/1/</a></p>]]></description>
    <enclosure url="https://example.org/1.mp3" length="4056" type="audio/mpeg"/>
    <itunes:duration>1:02:03</itunes:duration>
  </item>
</channel>
</rss>
"""
FIRST = ItemFacts(
    guid="one",
    title="The first night",
    published=DAY,
    description="What one & all hear. /1/",
    url="https://example.org/1.mp3",
    length=4056,
    type="audio/mpeg",
    duration=3723,
    more={fact.name: "" for fact in ITEM if fact.read}
    | {"apple_title": "Short", "recording": "yes", "kind": "full", "block": "no"}
    | {"explicit": "no"},
)


def night(number: int) -> ItemFacts:
    """The episode of that number, a day after the one before."""
    return ItemFacts(
        guid=f"guid-{number}",
        title=f"Night {number}",
        published=DAY + timedelta(days=number),
        url=f"https://example.org/{number}.mp3",
        length=1_000_000 + number,
        type="audio/mpeg",
        duration=600 + number,
    )


def feed(*items: ItemFacts) -> FeedFacts:
    """A feed of episodes."""
    return FeedFacts(
        title="Nights", guid="show", address="https://example.org/feed.xml", items=newest_first(iter(items))
    )


OLD = feed(*map(night, range(4)))


def with_changes(number: int, **facts: object) -> FeedFacts:
    """The feed `OLD` with facts of one episode changed."""
    return feed(*(replace(one, **facts) if one.guid == f"guid-{number}" else one for one in OLD.items))  # type: ignore[arg-type]


def test_a_feed_tells_what_apps_know() -> None:
    """RSS's own elements before those of namespaces, dates in UTC, words without markup or the site's address."""
    found = facts_of_feed(FEED.encode())
    assert found == FeedFacts(
        more=found.more,
        title="Quiet Hours",
        guid="917393e3-1b1e-5cef-ace4-edaa54e1f810",
        address="https://example.org/feed.xml",
        items=(FIRST,),
    )


@pytest.mark.parametrize(
    ("old", "new", "facts"),
    [
        ("</channel>\n</rss>\n", "", {}),
        ("first night</title>", "first night & more</title>", {"title": "The first night more"}),
        ('<guid isPermaLink="false">one</guid>', "<guid/>", {"guid": "https://example.org/1.mp3"}),
        ("Sat, 01 Mar 2025 08:00:00 +0200", "2025-03-01T06:00:00Z", {}),
        ("Sat, 01 Mar 2025 08:00:00 +0200", "Sat, 01 Mar 2025 06:00:00 -0000", {}),
        ("Sat, 01 Mar 2025 08:00:00 +0200", "yesterday", {"published": None}),
        ("Sat, 01 Mar 2025 08:00:00 +0200", "Sat, 01 Mar 99999 08:00:00 +0200", {"published": None}),
        ('length="4056"', 'length="47:58"', {"length": None}),
        ('length="4056"', 'length="0"', {"length": None}),
        ("<itunes:duration>1:02:03<", "<itunes:duration>at-the-races<", {"duration": None}),
        ("<enclosure ", "<nothing ", {"url": None, "length": None, "type": None}),
    ],
)  # fmt: skip
def test_a_feed_with_mistakes_tells_what_is_left(old: str, new: str, facts: dict[str, object]) -> None:
    """Other programs' feeds are as they are; what cannot be read is not told, and nothing fails."""
    assert old in FEED
    found = facts_of_feed(FEED.replace(old, new).encode())
    more = {**FIRST.more, "recording": "no" if "url" in facts else "yes"}
    assert found.items == (replace(FIRST, more=more, **facts),)  # type: ignore[arg-type]


@pytest.mark.parametrize("content", [b"", b"hello", b"<html><body>Sign in</body></html>", b"\x00\x01", b"<?xml?>"])
def test_what_is_no_feed_is_told(content: bytes) -> None:
    """A page in place of a feed is a mistake to hear of, not an empty show."""
    with pytest.raises(UsageError, match=r"^old\.xml: is no RSS feed$"):
        differences.old_feed(content, "old.xml")


def test_an_entity_in_a_feed_reads_no_file(tmp_path: Path) -> None:
    """A feed from the web must not make podsite tell what is on the disk."""
    secret = tmp_path / "secret"
    secret.write_text("hunter2", encoding="utf-8")
    doctype = f'<!DOCTYPE rss [<!ENTITY x SYSTEM "{secret.as_uri()}">]>\n<rss '
    found = facts_of_feed(FEED.replace("<rss ", doctype, 1).replace("Quiet Hours", "&x;").encode())
    assert "hunter2" not in str(found)


WHOLE = FEED.replace(
    "<image>",
    """<copyright>Ada</copyright><podcast:license>ARR</podcast:license>
  <description>Of nights.</description><language>en-GB</language><itunes:author>Ada</itunes:author>
  <itunes:owner><itunes:name>Ada</itunes:name><itunes:email>ada@example.org</itunes:email></itunes:owner>
  <itunes:explicit>false</itunes:explicit><itunes:type>serial</itunes:type>
  <itunes:category text="Arts"><itunes:category text="Books"/></itunes:category>
  <itunes:image href="https://example.org/cover.jpg"/><podcast:locked>yes</podcast:locked>
  <podcast:person role="Host">Ada</podcast:person><podcast:medium>podcast</podcast:medium>
  <itunes:block>No</itunes:block><itunes:complete>No</itunes:complete>
  <itunes:new-feed-url>https://example.org/feed.xml</itunes:new-feed-url><image>""",
).replace(
    "</item>",
    """<link>https://example.org/1/</link><content:encoded xmlns:content="http://purl.org/rss/1.0/modules/content/"
      >&lt;p&gt;All that was heard.&lt;/p&gt;</content:encoded>
    <itunes:season>1</itunes:season><itunes:episode>1</itunes:episode><itunes:episodeType>bonus</itunes:episodeType>
    <itunes:explicit>true</itunes:explicit><itunes:block>no</itunes:block>
    <itunes:image href="https://example.org/1.jpg"/><podcast:chapters url="https://example.org/1/chapters.json"/>
    <chapters xmlns="http://podlove.org/simple-chapters"><chapter start="00:00:00" title="Dusk"/></chapters>
    <podcast:transcript url="https://example.org/1/transcript.vtt" language="en"/>
    <podcast:person role="guest">Bo</podcast:person>
    <podcast:soundbite startTime="10" duration="20">Owl</podcast:soundbite></item>""",
)
SEEN = [
    # of the show: its name, what becomes of the feed, whether listeners notice, what is told
    ("title", "<title>Quiet Hours<", "<title>Loud Hours<", True, "title: Quiet Hours → Loud Hours"),
    ("description", "Of nights.", "Of days.", True, "description: Of nights. → Of days."),
    ("language", "en-GB", "de", False, "language: en-gb → de"),
    ("author", "author>Ada", "author>Bo", True, "author: Ada → Bo"),
    ("copyright", "copyright>Ada", "copyright>Bo", False, "copyright: Ada → Bo"),
    ("license", "ARR", "CC-BY-4.0", False, "license: ARR → CC-BY-4.0"),
    ("owner", "ada@example.org", "bo@example.org", False, "write: Ada, ada@example.org → Ada, bo@example.org"),
    ("people", 'role="Host">Ada', 'role="Host">Bo', True, "people: Ada (host) → Bo (host)"),
    ("explicit", "false", "true", True, "explicit: no → yes"),
    ("order", "serial", "episodic", True, "order of episodes: serial → episodic"),
    ("categories", "Books", "Food", False, "categories: Arts > Books → Arts > Food"),
    ("block", "block>No<", "block>Yes<", True, "block (by yes, Apple and others drop the show): no → yes"),
    ("block", "<itunes:block>No", '<podcast:block id="x">yes</podcast:block><itunes:block>No', True, "no, yes (x)"),
    ("complete", "complete>No<", "complete>Yes<", True, "apps look for new episodes no more): no → yes"),
    ("new_feed_url", "-url>https://example.org", "-url>https://example.net", False, "subscribers are led"),
    ("artwork", "/cover.jpg", "/new.jpg", True, "artwork: cover.jpg → new.jpg"),
    ("guid", "917393e3", "017393e3", True, "guid: 917393e3-1b1e-5cef-ace4-edaa54e1f810 → 0173"),
    ("locked", "locked>yes", "locked>no", False, "locked against import by other hosts: yes → no"),
    ("medium", "medium>podcast", "medium>music", True, "medium: podcast → music"),
    ("address", '"https://example.org/feed.xml"', '"https://example.org/rss"', False, "feed's address"),
    ("apple_title", "<itunes:author>", "<itunes:title>At Apple</itunes:title><itunes:author>", True, "none → At Apple"),
    # of the episode
    ("item title", "The  first night", "Night one", True, "title: The first night → Night one"),
    ("item apple_title", ">Short<", ">Shorter<", True, "title at Apple: Short → Shorter"),
    ("item link", "<link>https://example.org/1/", "<link>https://example.org/one/", False, "its page: 1/ → one/"),
    ("item description", "What one &amp; all", "What some", True, "description: What one & all hear"),
    ("item notes", "All that was heard", "Some of it", True, "notes: All that was heard. → Some of it."),
    ("item published", "01 Mar 2025", "02 Mar 2025", True, "date: 2025-03-01 06:00 UTC → 2025-03-02 06:00 UTC"),
    ("item duration", "1:02:03", "1:02:04", True, "duration: 1:02:03 → 1:02:04"),
    ("item url", '"https://example.org/1.mp3"', '"https://example.net/1.mp3"', False, "address of the recording"),
    ("item length", '"4056"', '"4057"', True, "length of the recording: 4,056 bytes → 4,057 bytes"),
    ("item type", "audio/mpeg", "audio/mp4", True, "type of the recording: audio/mpeg → audio/mp4"),
    ("item recording", "<enclosure ", "<nothing ", True, "recording (without one, apps drop the episode): yes → no"),
    ("item guid", ">one<", ">two<", True, "guid: one → two"),
    ("item season", "season>1<", "season>2<", True, "season: 1 → 2"),
    ("item number", "episode>1<", "episode>2<", True, "number: 1 → 2"),
    ("item kind", "bonus", "full", True, "kind: bonus → full"),
    ("item explicit", "explicit>true<", "explicit>false<", True, "explicit: yes → no"),
    ("item block", "block>no<", "block>yes<", True, "block (by yes, Apple and others drop the episode): no → yes"),
    ("item artwork", "/1.jpg", "/2.jpg", True, "picture: 1.jpg → 2.jpg"),
    ("item artwork", "/1.jpg", "/cover.jpg", True, "picture: 1.jpg → cover.jpg"),
    ("item chapters", "Dusk", "Dawn", True, "chapters: 00:00:00 Dusk → 00:00:00 Dawn"),
    ("item chapters_file", "podcast:chapters ", "podcast:none ", True, "file of chapters: chapters.json → none"),
    ("item chapters_file", "chapters.json", "c.json", False, "file of chapters: chapters.json → c.json"),
    ("item transcript", "podcast:transcript ", "podcast:none ", True, "transcript: transcript.vtt (en) → none"),
    ("item people", ">Bo<", ">Cy<", True, "people: Bo (guest) → Cy (guest)"),
    ("item soundbites", ">Owl<", ">Fox<", False, "soundbites: 10 + 20 Owl → 10 + 20 Fox"),
]  # fmt: skip


def compared(old: str, new: str) -> Difference:
    """The difference of two feeds."""
    return difference(facts_of_feed(old.encode()), facts_of_feed(new.encode()))


@pytest.mark.parametrize(("name", "old", "new", "noticed", "told"), SEEN)
def test_every_fact_of_a_feed_is_seen(name: str, old: str, new: str, noticed: bool, told: str) -> None:
    """Field by field, each by its words, and whether listeners notice."""
    assert WHOLE.count(old) >= 1
    found = compared(WHOLE, WHOLE.replace(old, new))
    assert told in text(found, "old")
    assert found.noticed is noticed
    changes = [*found.twice, *found.downloaded_again, *found.changed]
    names = [one.name for one in found.show] + [f"item {one.name}" for change in changes for one in change.fields]
    assert name in names
    assert len(names) == (3 if name == "item link" else 1)  # files beside a page move along with it


def test_no_fact_is_forgotten() -> None:
    """Each is proved above but two: a fingerprint no feed tells, and with the link a whole site moves."""
    seen = {name for name, *_ in SEEN}
    assert {fact.name for fact in SHOW} | {f"item {fact.name}" for fact in ITEM} == seen | {"link", "item sha256"}


def test_what_a_feed_leaves_out_is_what_apps_take_for_granted() -> None:
    """Another program that writes the usual values, or another spelling of a namespace, changes nothing."""
    plain = "<itunes:explicit>no</itunes:explicit><itunes:type>episodic</itunes:type><itunes:block>no</itunes:block>"
    item = "<itunes:episodeType>full</itunes:episodeType><itunes:explicit>clean</itunes:explicit></item>"
    spelt = FEED.replace("podcast-1.0.dtd", "Podcast-1.0.DTD").replace("<image>", f"{plain}<image>", 1)
    assert text(compared(FEED, spelt.replace("</item>", item)), "old").endswith(":\n\nNothing listeners will notice.\n")


def test_what_an_episode_has_from_the_show_is_told_of_the_show() -> None:
    """Another cover is one change, not one of each episode without a picture of its own."""
    plain = WHOLE.replace("<itunes:explicit>true</itunes:explicit>", "").replace("/1.jpg", "/cover.jpg")
    found = compared(plain, plain.replace("/cover.jpg", "/new.jpg").replace("false", "true"))
    assert [one.name for one in found.show] == ["explicit", "artwork"]
    assert not found.changed


def test_a_site_that_moves_as_a_whole_is_not_told_picture_by_picture() -> None:
    """Pages, pictures, chapters and transcripts move along with the show's address."""
    found = compared(WHOLE, WHOLE.replace("https://example.org/", "https://example.net/shows/"))
    assert not found.noticed
    assert {one.name for one in found.changed[0].fields} == {"url"}
    assert "link to the site: https://example.org/ → https://example.net/shows/" in text(found, "old")


def page(name: str, following: str, *numbers: int) -> bytes:
    """A page of a feed with those episodes."""
    items = "".join(
        f"<item><title>Night {number}</title><guid>{number}</guid><pubDate>2025-03-0{number}T06:00:00Z</pubDate></item>"
        for number in numbers
    )
    after = f'<atom:link rel="next" href="https://example.org/{following}"/>' if following else ""
    head = FEED.partition("<item>")[0].replace("feed.xml", name)
    return f"{head}{after}{items}</channel></rss>".encode()


FULL = page("feed.xml", "", 4, 3, 2, 1)
PAGES = [page("feed.xml", "feed/page/1.xml", 4, 3), page("feed/page/1.xml", "", 2, 1)]


def test_the_pages_of_a_feed_are_one_feed() -> None:
    """The first tells of the show; feeds of another guid, such as a topic's, are left out."""
    other = page("topic.xml", "", 9).replace(b"917393e3", b"017393e3")
    found = facts_of_feeds([*PAGES, other])
    assert [item.guid for item in found.items] == ["4", "3", "2", "1"]
    assert (set(found.archived), found.is_cut) == ({"2", "1"}, False)
    assert found.address == "https://example.org/feed.xml"


def test_what_slides_into_the_archive_is_not_gone() -> None:
    """With a limit, an episode leaves the first page and stays in the feed: told, but not as a loss."""
    found = difference(facts_of_feed(FULL), facts_of_feeds(PAGES))
    assert not found.noticed
    assert text(found, "old") == (
        "Compared with old:\n\n"
        "No longer in the feed's first page (2), kept in its archive; for instance:\n"
        "  Night 2 (2025-03-02 06:00 UTC)\n"
        "  Night 1 (2025-03-01 06:00 UTC)\n\n"
        "Nothing listeners will notice.\n"
    )
    assert [item.guid for item in difference(facts_of_feed(FULL), facts_of_feeds([PAGES[0]])).gone] == []


def test_an_episode_deleted_from_the_archive_is_gone() -> None:
    """Wherever it lay."""
    found = difference(facts_of_feeds(PAGES), facts_of_feeds([PAGES[0], page("feed/page/1.xml", "", 2)]))
    assert [item.guid for item in found.gone] == ["1"]


def test_of_a_feed_in_pages_the_first_is_enough() -> None:
    """A file or an address is one page: what is older may be in the others, and is neither new nor gone."""
    after = [page("feed.xml", "feed/page/2.xml", 5, 4), page("feed/page/2.xml", "", 3, 2, 1)]
    found = difference(facts_of_feed(PAGES[0]), facts_of_feeds(after))
    assert [item.guid for item in found.new] == ["5"]
    assert [item.guid for item in found.archived] == ["3"]
    assert not found.gone


def test_of_an_output_folder_all_pages_are_read(tmp_path: Path) -> None:
    """They lie where their links lead, and never outside the folder."""
    (tmp_path / "site/feed/page").mkdir(parents=True)
    (tmp_path / "site/feed.xml").write_bytes(PAGES[0])
    assert resolve(str(tmp_path / "site"), tmp_path).facts.is_cut
    (tmp_path / "site/feed/page/1.xml").write_bytes(PAGES[1].replace(b"</title>", b"</title>", 1))
    found = resolve(str(tmp_path / "site"), tmp_path)
    assert found.facts == facts_of_feeds(PAGES)
    (tmp_path / "1.xml").write_bytes(PAGES[1])
    (tmp_path / "site/feed.xml").write_bytes(PAGES[0].replace(b"feed/page/1.xml", b"../1.xml"))
    assert len(resolve(str(tmp_path / "site"), tmp_path).facts.items) == 2
    (tmp_path / "site/feed.xml").write_bytes(PAGES[0].replace(b"feed/page/1.xml", b"feed.xml"))
    assert len(resolve(str(tmp_path / "site"), tmp_path).facts.items) == 2


def test_an_episode_moved_into_the_future_is_gone_until_then() -> None:
    """It is in no feed before its time."""
    later = with_changes(2, published=NOW + timedelta(days=9)).at(NOW)
    found = difference(OLD, later)
    assert not found.changed
    assert "Gone: apps will drop them:\n  Night 2 (2025-03-03 06:00 UTC; comes back on 2026-02-11 00:00 UTC)" in text(
        found, "old"
    )


def test_equal_feeds_have_nothing_to_notice() -> None:
    """Nothing is told but that."""
    found = difference(OLD, OLD)
    assert not found.noticed
    assert text(found, "old.xml") == "Compared with old.xml:\n\nNothing listeners will notice.\n"


def test_a_fact_that_one_side_does_not_tell_is_no_change() -> None:
    """The lock knows no descriptions, a feed no fingerprints."""
    assert not difference(with_changes(2, description="Words", sha256="0" * 64), OLD).noticed


def test_another_address_of_recording_or_feed_is_not_noticed() -> None:
    """A prefix, another host, another base URL: told, but not as something listeners see."""
    moved = [replace(one, url=f"https://op3.dev/e/example.org/{one.guid}.mp3") for one in OLD.items]
    found = difference(OLD, replace(feed(*moved), address="https://example.net/feed.xml"))
    assert not found.noticed
    assert text(found, "the feed") == (
        "Compared with the feed:\n\n"
        "The show:\n"
        "  the show itself\n"
        "      feed's address (subscribers follow where the old one leads to the new): https://example.org/feed.xml → https://example.net/feed.xml\n\n"
        "Lying elsewhere (4), which nobody notices; for instance:\n"
        "  Night 3\n"
        "      address of the recording: https://example.org/3.mp3 → https://op3.dev/e/example.org/guid-3.mp3\n"
        "  Night 2\n"
        "      address of the recording: https://example.org/2.mp3 → https://op3.dev/e/example.org/guid-2.mp3\n\n"
        "Nothing listeners will notice.\n"
    )


EVERYTHING = (
    FeedFacts(
        title="Nights",
        guid="show",
        items=(night(6), night(5), night(4), night(3), night(2), replace(night(1), description="Long " * 30)),
    ),
    FeedFacts(
        title="Days",
        guid="show",
        items=(
            night(7),
            replace(night(6), guid="other"),
            replace(night(5), length=2_000_000, sha256="1" * 64),
            replace(night(4), title="Day *4* @ada #4", duration=3700),
            replace(night(1), description="Long " * 20 + "and short"),
            replace(night(3), published=DAY),
        ),
    ),
)
TEXT = """\
Compared with old.xml:

The show:
  the show itself
      title: Nights → Days

New: apps will list them, and download them for those who wish:
  Night 7 (2025-03-08 06:00 UTC)

Twice: another guid, so apps will show them a second time:
  Night 6
      guid: guid-6 → other

Downloaded again: another recording:
  Night 5
      length of the recording: 1,000,005 bytes → 2,000,000 bytes

Moved in the list:
  Night 3 (2025-03-01 06:00 UTC)

Changed:
  Day *4* @ada #4
      title: Night 4 → Day *4* @ada #4
      duration: 10:04 → 1:01:40
  Night 1
      description: …Long Long Long Long Long Long Long Long Long Long Long Long … → …Long Long Long Long and short
  Night 3
      date: 2025-03-04 06:00 UTC → 2025-03-01 06:00 UTC

Gone: apps will drop them:
  Night 2 (2025-03-03 06:00 UTC)

Listeners will notice: 1 new, 1 twice, 1 downloaded again, 1 moved, 3 changed, 1 gone.
"""


def test_everything_listeners_notice_is_told_by_what_apps_do() -> None:
    """New, twice, downloaded again, moved, changed field by field, gone; then the sum of it."""
    assert text(difference(*EVERYTHING), "old.xml") == TEXT


def test_markdown_says_the_same_and_calls_nobody() -> None:
    """A comment on a pull request: no markup out of titles, no @mention, no link to an issue."""
    found = markdown(difference(*EVERYTHING), "old.xml")
    assert "- Day \\*4\\* @<!-- -->ada #<!-- -->4\n  - title: Night 4 → Day \\*4\\*" in found
    assert "**Gone: apps will drop them**\n\n- Night 2 \\(2025-03-03 06:00 UTC\\)\n" in found
    assert found.endswith(TEXT.splitlines()[-1] + "\n")


@pytest.mark.parametrize("fact", [{"type": "audio/x-m4a"}, {"length": 5}])
def test_another_recording_is_downloaded_again(fact: dict[str, object]) -> None:
    """Length and type tell of another recording."""
    found = difference(OLD, with_changes(2, **fact))
    assert [change.new.title for change in found.downloaded_again] == ["Night 2"]
    assert found.noticed


def test_another_fingerprint_is_another_recording() -> None:
    """Two locks tell a swap that length does not."""
    found = difference(with_changes(2, sha256="0" * 64), with_changes(2, sha256="1" * 64))
    assert "content of the recording: 000000000000 → 111111111111" in text(found, "podsite.lock")


def test_all_guids_changed_is_told_episode_by_episode() -> None:
    """The worst that can happen to a feed is not mistaken for new and gone episodes."""
    found = difference(OLD, feed(*(replace(one, guid=f"new-{one.guid}") for one in OLD.items)))
    assert len(found.twice) == len(OLD.items)
    assert not found.new
    assert not found.gone


def test_an_episode_is_known_again_by_date_and_recording() -> None:
    """Also with another title."""
    assert difference(OLD, with_changes(1, guid="other", title="Other")).twice
    assert difference(OLD, with_changes(1, guid="other", title="Other", url="https://example.org/x.mp3")).gone


@given(st.permutations(range(7)))
def test_the_fewest_episodes_are_told_as_moved(order: list[int]) -> None:
    """Without those told, old and new order are the same; one episode moved is one told."""
    new = feed(*(replace(night(number), published=DAY + timedelta(days=at)) for at, number in enumerate(order)))
    old = feed(*map(night, range(7)))
    moved = {item.guid for item in difference(old, new).reordered}
    assert [one.guid for one in old.items if one.guid not in moved] == [
        one.guid for one in new.items if one.guid not in moved
    ]
    one_moved = order[:3] + order[4:] == sorted(order[:3] + order[4:])
    assert not one_moved or len(moved) <= 1


@pytest.fixture
def root(site: Callable[..., Path]) -> Path:
    """A small site with its lock."""
    folder = site()
    save(folder)
    return folder


def save(root: Path) -> locks.Lock:
    """Write the lock of the site as it is now."""
    content = read(root)
    lock = locks.lock_of(link(content, NOW)[0], root, locks.read(root), Cache(root / ".podsite"))
    locks.write(root, lock)
    return lock


def rename(root: Path, old: str, new: str) -> None:
    """Change words in the first episode."""
    file = root / "episodes/001-first-night.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


def test_the_lock_is_what_is_compared_with_by_default(root: Path) -> None:
    """What went out last, without a network."""
    old = resolve(None, root)
    rename(root, "The first night", "Night one")
    found = difference(old.facts, facts_of_lock(save(root)))
    assert old.is_lock
    assert "title: The first night → Night one" in text(found, old.name)
    assert text(found, old.name).startswith("Compared with podsite.lock:")


def test_without_a_lock_something_to_compare_with_is_asked_for(site: Callable[..., Path]) -> None:
    """The first build has nothing before it."""
    with pytest.raises(UsageError, match=r"there is no podsite\.lock yet; build once, or name a feed"):
        resolve(None, site())


def test_a_feed_file_or_the_folder_it_lies_in_can_be_compared_with(tmp_path: Path) -> None:
    """Any feed, also one that podsite did not write, and a feed at another path."""
    (tmp_path / "feed.xml").write_text(FEED, encoding="utf-8")
    (tmp_path / "rss").write_text(FEED, encoding="utf-8")
    for named, path in ((str(tmp_path / "rss"), "feed.xml"), (str(tmp_path), "feed.xml"), (str(tmp_path), "rss")):
        old = resolve(named, tmp_path, path)
        assert (old.facts.items, old.is_lock, old.name) == ((FIRST,), False, named)


def test_a_folder_without_a_feed_is_told(tmp_path: Path) -> None:
    """A slip in the folder's name is no empty feed."""
    with pytest.raises(UsageError, match=r"holds no feed\.xml; expected the folder of a built site"):
        resolve(str(tmp_path), tmp_path)


def test_another_lock_can_be_compared_with(root: Path) -> None:
    """By its file, such as that of another checkout."""
    old = resolve(str(root / locks.NAME), root)
    assert old.is_lock
    assert old.facts == facts_of_lock(save(root))


def git(root: Path, *arguments: str, date: str = "2026-01-01T00:00:00Z") -> None:
    """Run git as somebody without settings of their own, at some time."""
    settings = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(root), *settings, *arguments], check=True, capture_output=True,
                   env=os.environ | {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date})  # fmt: skip


@pytest.fixture
def repository(root: Path) -> Path:
    """The small site in a subfolder of a git repository: a commit without the lock, one with it, one with another."""
    git(root.parent, "init", "--initial-branch", "main", ".")
    git(root.parent, "add", "site/show.yaml")
    git(root.parent, "commit", "--message", "Begin")
    git(root.parent, "add", "site/podsite.lock")
    git(root.parent, "commit", "--message", "Lock")
    rename(root, "The first night", "Night one")
    save(root)
    git(root.parent, "commit", "--all", "--message", "Another title")
    return root


@pytest.mark.parametrize(
    ("revision", "title"), [("HEAD", "Night one"), ("main", "Night one"), ("HEAD~1", "The first night")]
)
def test_a_git_revision_can_be_compared_with(repository: Path, revision: str, title: str) -> None:
    """By the lock it holds, also where the site is not the whole repository."""
    old = resolve(revision, repository)
    assert ([item.title for item in old.facts.items], old.is_lock) == ([title], True)
    assert old.name == f"podsite.lock at {revision}"


def test_a_revision_without_a_lock_is_told(repository: Path) -> None:
    """It may be older than the lock."""
    with pytest.raises(UsageError, match=r"there is no podsite\.lock in 'HEAD~2'; name a commit in which the lock"):
        resolve("HEAD~2", repository)


def test_a_damaged_lock_of_a_revision_is_told_as_such(repository: Path) -> None:
    """With the revision, since the file in the folder is another."""
    (repository / locks.NAME).write_text("<<<<<<< HEAD\n", encoding="utf-8")
    git(repository, "commit", "--all", "--message", "Damage")
    with pytest.raises(ContentError, match=r"podsite\.lock at HEAD:1:1: a merge conflict is left in the file"):
        resolve("HEAD", repository)


@pytest.mark.parametrize("old", ["HAED", "--output=x", "HEAD:show.yaml", "https"])
def test_what_is_nothing_at_all_is_wrong_usage(repository: Path, old: str) -> None:
    """Neither file nor folder nor revision, and never an option of git's."""
    with pytest.raises(UsageError, match=f"'{old}' is no feed file, no output folder and no git revision"):
        resolve(old, repository)


@pytest.mark.parametrize("old", [None, "HEAD"])
def test_a_scheduled_episode_is_new_on_its_day(repository: Path, old: str | None) -> None:
    """The lock is committed before the episode's time; who knew the show by then did not know the episode."""
    rename(repository, "2025-03-01", "2026-01-20")
    lock = save(repository)
    git(repository, "commit", "--all", "--message", "Schedule", date="2026-01-10T12:00:00+01:00")
    found = resolve(old, repository)
    assert found.since == datetime(2026, 1, 10, 11, tzinfo=UTC)

    def new_at(now: datetime) -> list[str]:
        return [item.title for item in difference(found.at(now), facts_of_lock(lock, now)).new]

    assert new_at(datetime(2026, 1, 19, tzinfo=UTC)) == []
    assert new_at(datetime(2026, 1, 20, 9, tzinfo=UTC)) == ["Night one"]


def test_an_episode_that_was_out_when_the_lock_was_committed_is_not_new(repository: Path) -> None:
    """Nor is anything where git knows of no commit of the lock."""
    found = resolve(None, repository)
    assert difference(found.at(NOW), facts_of_lock(save(repository), NOW)) == Difference()
    git(repository, "rm", "--cached", "--quiet", locks.NAME)
    git(repository, "commit", "--message", "Without")
    assert resolve(str(repository / locks.NAME), repository).since is None


def test_outside_a_repository_that_is_said(root: Path) -> None:
    """The likely reason why a revision is not found."""
    with pytest.raises(UsageError, match=r"\(.+ is in no git repository\)$"):
        resolve("HEAD", root)


def test_a_rename_a_prefix_and_another_address_go_unnoticed(
    site: Callable[..., Path], build: Callable[..., Path]
) -> None:
    """The promise of the whole: built before and after, the feeds differ in nothing listeners will notice."""
    before = build(site(folder="before"))
    guid = facts_of_feed((before / "feed.xml").read_bytes()).items[0].guid
    root = site(folder="after")
    for name in ("yaml", "mp3"):
        (root / f"episodes/001-first-night.{name}").rename(root / f"episodes/001-night-one.{name}")
    with (root / "episodes/001-night-one.yaml").open("a", encoding="utf-8") as file:
        file.write(f"guid: {guid}\naliases: [/episodes/first-night/]\n")
    show = (root / "show.yaml").read_text(encoding="utf-8")
    (root / "show.yaml").write_text(f"{show}feed: {{prefix: 'https://op3.dev/e/'}}\n", encoding="utf-8")
    after = build(root, "--base-url", "https://nights.example.net/")
    old, new_feed = (facts_of_feed((folder / "feed.xml").read_bytes()) for folder in (before, after))
    found = difference(old, new_feed)
    assert text(found, "before").endswith("\n\nNothing listeners will notice.\n")
    assert old.items[0].url != new_feed.items[0].url


def test_odd_nodes_and_missing_titles_stop_no_comparison() -> None:
    """Any feed can be compared with, whatever its maker put between the tags."""
    head = '<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "x">]>'
    odd = FEED[FEED.index("<rss") :].replace("<image>", "<itunes:category text='A'>&a;</itunes:category><image>", 1)
    odd = odd.replace("<image>", "<itunes:owner>&a;<?x y?><itunes:name>Ada</itunes:name></itunes:owner><image>", 1)
    assert text(compared(head + odd, head + odd), "old").endswith("Nothing listeners will notice.\n")


def test_seconds_that_keep_two_dates_apart_are_no_change() -> None:
    """What the guard lets pass is not told as a change that looks like none."""
    found = compared(FEED, re.sub(r":00 (GMT|\+0000)", r":01 \1", FEED, count=1))
    assert not found.noticed and not found.changed
