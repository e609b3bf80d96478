"""Rules about episodes: what an item must have, its identity, its numbers."""

from __future__ import annotations

import re
from functools import lru_cache

from podsite.feeds.rules.listing import listed
from podsite.feeds.rules.rule import Feed, Hit, Hits, rule, shown, whole

_DURATION = re.compile(r"\d+|(\d+:)?[0-5]?\d:[0-5]\d|\d+:[0-5]\d", re.ASCII)


def _missing(feed: Feed, name: str) -> Hits:
    for item in feed.items:
        if not item.all(name):
            yield Hit(item, f"the item has no <{name}>")


@rule(
    "item-title",
    "rss apple spotify psp1 amazon youtube",
    "error",
    key="title",
    reason="An episode without a title cannot be listed.",
    remedy="add the episode's title",
    source="Apple; PSP-1",
)
def title(feed: Feed) -> Hits:
    """Each item has a title."""
    return _missing(feed, "title")


@rule(
    "item-pubdate",
    "apple spotify psp1 amazon",
    "warning",
    key="published",
    reason="Apps sort by the date, and Apple shows it.",
    remedy="add <pubDate>",
    source="Apple; PSP-1",
)
def pubdate(feed: Feed) -> Hits:
    """Each item has a date."""
    return _missing(feed, "pubDate")


@rule(
    "item-description",
    "apple psp1 amazon",
    "warning",
    key="summary",
    reason="Apple reads the description only, and Amazon shows nothing without one.",
    remedy="add a <description>",
    source="Apple; PSP-1; serious-bg 354",
)
def description(feed: Feed) -> Hits:
    """Each item has a description."""
    return _missing(feed, "description")


@rule(
    "item-duration",
    "apple psp1 amazon",
    "warning",
    key="audio",
    reason="Without it, Amazon shows 0 seconds and other apps no length at all.",
    remedy="add <itunes:duration> in seconds",
    source="Apple; PSP-1; serious-bg 354; pocket-casts-android 5228",
)
def duration(feed: Feed) -> Hits:
    """Each item has a duration."""
    return _missing(feed, "itunes:duration")


@rule(
    "item-link",
    "apple psp1",
    "warning",
    key="link",
    reason="The link leads to the episode's page with its notes.",
    remedy="add a <link>",
    source="Apple; PSP-1",
)
def link(feed: Feed) -> Hits:
    """Each item has a link."""
    return _missing(feed, "link")


@rule(
    "psp1-item-image",
    "psp1",
    "warning",
    key="image",
    reason="PSP-1 recommends artwork for each episode; the show's cover will do.",
    remedy="add <itunes:image>",
    source="PSP-1",
)
def image(feed: Feed) -> Hits:
    """Each item has artwork."""
    return _missing(feed, "itunes:image")


@rule(
    "item-explicit",
    "apple psp1",
    "warning",
    key="explicit",
    reason="Apple and PSP-1 recommend the statement for each episode.",
    remedy="add <itunes:explicit> with true or false",
    source="Apple; PSP-1",
)
def explicit(feed: Feed) -> Hits:
    """Each item says whether it is explicit."""
    return _missing(feed, "itunes:explicit")


@rule(
    "itunes-duration",
    "apple psp1 amazon",
    "error",
    key="audio",
    reason="Apps that cannot read the duration show 0:00.",
    remedy="write whole seconds such as '754', or '12:34'",
    source="Apple; web-standards/podcast-old 188",
)
def duration_form(feed: Feed) -> Hits:
    """Writes durations as seconds or as hours, minutes and seconds; never 0."""
    for item in feed.items:
        for node in item.all("itunes:duration"):
            text = node.text.strip()
            if text and not (_DURATION.fullmatch(text) and seconds(text)):
                yield Hit(node, f"expected seconds or H:MM:SS, found '{shown(text)}'", text)


@lru_cache(maxsize=65536)
def seconds(text: str) -> int | None:
    """A duration in seconds, None when it is none."""
    if not _DURATION.fullmatch(text):
        return None
    parts = [whole(part) for part in text.split(":")]
    found = [part for part in parts if part is not None]
    return sum(part * 60**power for power, part in enumerate(reversed(found))) if len(found) == len(parts) else None


@rule(
    "itunes-number",
    "apple psp1",
    "error",
    key="number",
    reason="Apple takes only whole numbers from 1 and drops all others.",
    remedy="write a whole number from 1, or leave the tag out and use podcast:episode or podcast:season",
    source="Apple; PSP-1",
)
def numbers(feed: Feed) -> Hits:
    """Numbers episodes and seasons from 1."""
    for item in feed.items:
        for node in item.all("itunes:episode", "itunes:season"):
            text = node.text.strip()
            if text and not whole(text):
                yield Hit(node, f"<{node.name}> is '{shown(text)}'", text)


@rule(
    "serial-number",
    "apple psp1",
    "error",
    key="number",
    reason="Serial shows are sorted by their numbers; an episode without one has no place.",
    remedy="add <itunes:episode>, or make the show episodic",
    source="Apple; PSP-1",
    compares=True,
)
def serial_number(feed: Feed) -> Hits:
    """Numbers each full episode of a serial show."""
    if feed.channel.text_of("itunes:type").lower() == "serial":
        for one in listed(feed):
            if one.lacks_number:
                yield Hit(one.at("item"), "the show is serial, and the item has no <itunes:episode>")


@rule(
    "itunes-episode-type",
    "apple psp1",
    "error",
    key="kind",
    reason="Apple knows three kinds of episodes; any other is taken for a full one.",
    remedy="write 'full', 'trailer' or 'bonus'",
    source="Apple, A Podcaster's Guide to RSS",
)
def episode_type(feed: Feed) -> Hits:
    """Is full, trailer or bonus."""
    for item in feed.items:
        for node in item.all("itunes:episodeType"):
            found = node.text.strip()
            if found and found.lower() not in {"full", "trailer", "bonus"}:
                yield Hit(node, f"expected 'full', 'trailer' or 'bonus', found '{shown(found)}'", found)
