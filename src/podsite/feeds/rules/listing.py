"""What is known of each item to rules that hold items against one another, or against the show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from podsite.feeds.rules.moments import moment
from podsite.feeds.rules.rule import Feed, Spot
from podsite.feeds.rules.tree import Node, Part


class Listed(NamedTuple):
    """An item in short: its texts as they stand, its date in seconds since 1970, its enclosures' addresses.

    `lines` are those of the item, its title, guid and date, then of its enclosures, all counted from `start`.
    """

    name: str | None  # as findings call it
    title: str
    guid: str
    date: str
    when: int | None
    urls: Sequence[str]
    lines: Sequence[int]
    lacks_number: bool  # a full episode without itunes:episode
    start: int = 0

    def at(self, tag: str, number: int = 0) -> Spot:
        """The place of one of its tags; the item's own place for `item`."""
        return Spot(self.start + self.lines[_PLACES.index(tag) + number], self.name, tag)


_PLACES = ("item", "title", "guid", "pubDate", "enclosure")


def listed(feed: Feed) -> Sequence[Listed]:
    """Every item of the feed, as they follow."""
    return feed.fact(in_short)


def in_short(feed: Feed) -> Sequence[Listed]:
    """The same, from the items themselves."""
    return [_of(item) for item in feed.items]


def _of(item: Part) -> Listed:
    title, guid, date = item.first("title"), item.first("guid"), item.first("pubDate")
    enclosures = item.all("enclosure")
    when = moment(date.text) if date else None
    return Listed(
        item.guid,
        title.text if title else "",
        guid.text.strip() if guid else "",
        date.text if date else "",
        int(when.timestamp()) if when else None,
        tuple([(node.get("url") or "").strip() for node in enclosures]),
        (item.line, *map(_line, (title, guid, date)), *map(_line, enclosures)),
        item.text_of("itunes:episodeType").lower() in {"", "full"} and not item.all("itunes:episode"),
    )


def _line(node: Node | None) -> int:
    return node.line if node else 0
