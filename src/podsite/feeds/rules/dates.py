"""Rules about dates: their form, the day of the week, the future, and the order of the items by them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache
from itertools import pairwise

from podsite.feeds.rules.rule import ALL, Feed, Hit, Hits, rule, shown
from podsite.feeds.rules.tree import Node, Part

_DAY_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_DAYS = tuple(name[:3] for name in _DAY_NAMES)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_ZONES = {"GMT": 0, "UT": 0, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7}
_DATE = re.compile(
    rf"(?:({'|'.join(_DAYS)}), )?(\d{{1,2}}) ({'|'.join(_MONTHS)}) (\d{{4}}) (\d\d):(\d\d):(\d\d) "
    rf"([+-]\d{{4}}|{'|'.join(_ZONES)})",
    re.ASCII,
)
EXAMPLE = "Sat, 01 Mar 2025 08:00:00 +0000"


@lru_cache(maxsize=65536)
def moment(text: str) -> datetime | None:
    """The instant an RFC 2822 date names, None when it is none. The day of the week is not looked at."""
    found = _DATE.fullmatch(text.strip())
    if not found:
        return None
    day, year, hour, minute, second = (int(found[n]) for n in (2, 4, 5, 6, 7))
    zone = found[8]
    try:
        if zone in _ZONES:
            offset = timedelta(hours=_ZONES[zone])
        else:
            offset = timedelta(hours=int(zone[:3]), minutes=int(zone[0] + zone[3:]))
        return datetime(year, _MONTHS.index(found[3]) + 1, day, hour, minute, second, tzinfo=timezone(offset))
    except ValueError:
        return None


def _dates(feed: Feed) -> Iterator[Node]:
    return (node for node in feed.each("pubDate", "lastBuildDate") if node.text.strip())


def dated(feed: Feed) -> Iterator[tuple[Part, Node, datetime]]:
    """The items whose date can be read."""
    for item in feed.items:
        node = item.first("pubDate")
        when = moment(node.text) if node else None
        if node and when:
            yield item, node, when


@rule(
    "rss-pubdate",
    ALL,
    "error",
    key="published",
    reason="Apps that cannot read a date drop the episode or show it as new each day.",
    remedy=f"write it as RFC 2822 does: '{EXAMPLE}', with English names, seconds and a numeric zone",
    source="RSS 2.0; RFC 2822; AntennaPod 545, 2801, 4219",
)
def date_form(feed: Feed) -> Hits:
    """Writes dates by RFC 2822, and only moments that exist."""
    for node in _dates(feed):
        if moment(node.text) is None:
            why = "does not exist" if _DATE.fullmatch(node.text.strip()) else "is no RFC 2822 date"
            yield Hit(node, f"<{node.name}> is '{shown(node.text)}', which {why}", node.text)


@rule(
    "pubdate-weekday",
    "rss",
    "error",
    key="published",
    reason="Readers that check the day of the week refuse a date whose day is wrong.",
    remedy="write the day of the week that belongs to the date, or none",
    source="RFC 2822; AntennaPod 4219",
)
def weekday(feed: Feed) -> Hits:
    """Names the right day of the week."""
    for node in _dates(feed):
        when = moment(node.text)
        name = node.text.strip()[:3]
        if when and name in _DAYS and name != _DAYS[when.weekday()]:
            yield Hit(node, f"'{shown(node.text)}' is a {_DAY_NAMES[when.weekday()]}", node.text)


@rule(
    "pubdate-future",
    "rss apple spotify amazon",
    "warning",
    key="published",
    reason="What is in the feed is live at once; with a date in the future, apps sort it wrongly or hide it.",
    remedy="leave the episode out until its moment has come",
    source="W3C ImplausibleDate; greg 87",
)
def future(feed: Feed) -> Hits:
    """Publishes nothing before its date."""
    limit = feed.now + timedelta(days=1) if feed.now else None  # clocks and zones differ
    for _, node, when in dated(feed):
        if limit and when > limit:
            yield Hit(node, f"'{shown(node.text)}' is in the future", node.text)


@rule(
    "pubdate-early",
    "rss",
    "warning",
    key="published",
    reason="Dates before 1970 are negative for many apps, and gPodder failed at them.",
    remedy="publish the episode with the day it went online",
    source="gpodder PR 135",
)
def early(feed: Feed) -> Hits:
    """Has no date before 1970."""
    for _, node, when in dated(feed):
        if when < datetime(1970, 1, 1, tzinfo=UTC):
            yield Hit(node, f"'{shown(node.text)}' is before 1970", node.text)


@rule(
    "pubdate-duplicate",
    "rss apple",
    "warning",
    key="published",
    reason="Of two episodes with one date, apps choose the order themselves.",
    remedy="give them different times",
    source="ablog 171, 215",
)
def duplicate(feed: Feed) -> Hits:
    """Gives each item a date of its own."""
    seen: dict[datetime, Part] = {}
    for item, node, when in dated(feed):
        if when in seen:
            yield Hit(node, f"'{shown(seen[when].text_of('title'))}' has the same date", node.text)
        seen.setdefault(when, item)


@rule(
    "rss-order",
    "rss apple",
    "warning",
    key="published",
    reason="Many apps take the first item for the newest and look no further.",
    remedy="write the newest item first",
    source="ablog 171, 215; rustacean-station PR 108",
)
def newest_first(feed: Feed) -> Hits:
    """Lists the newest item first; a serial show may go the other way."""
    if feed.channel.text_of("itunes:type").lower() == "serial":
        return
    listed = list(dated(feed))
    late = [
        after for before, after in pairwise(listed) if after[2] > before[2]
    ]  # one finding, not one an item: a reversed feed is one mistake
    if late:
        more = f" ({len(late) - 1} more like it)" if len(late) > 1 else ""
        yield Hit(late[0][1], f"the item is newer than the one before it{more}", late[0][1].text)
