"""Rules about dates: their form, the day of the week, the future, and the order of the items by them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from podsite.feeds.rules.listing import listed
from podsite.feeds.rules.moments import DATE, DAY_NAMES, DAYS, EXAMPLE, moment
from podsite.feeds.rules.rule import ALL, Feed, Hit, Hits, rule, shown
from podsite.feeds.rules.tree import Node, Part


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
            why = "does not exist" if DATE.fullmatch(node.text.strip()) else "is no RFC 2822 date"
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
        if when and name in DAYS and name != DAYS[when.weekday()]:
            yield Hit(node, f"'{shown(node.text)}' is a {DAY_NAMES[when.weekday()]}", node.text)


@rule(
    "pubdate-future",
    "rss apple spotify amazon",
    "warning",
    key="published",
    reason="What is in the feed is live at once; with a date in the future, apps sort it wrongly or hide it.",
    remedy="leave the episode out until its moment has come",
    source="W3C ImplausibleDate; greg 87",
    compares=True,
)
def future(feed: Feed) -> Hits:
    """Publishes nothing before its date."""
    limit = (feed.now + timedelta(days=1)).timestamp() if feed.now else None  # clocks and zones differ
    for one in listed(feed):
        if limit is not None and one.when is not None and one.when > limit:
            yield Hit(one.at("pubDate"), f"'{shown(one.date)}' is in the future", one.date)


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
    compares=True,
)
def duplicate(feed: Feed) -> Hits:
    """Gives each item a date of its own."""
    seen: dict[int, str] = {}
    for one in listed(feed):
        if one.when in seen:
            yield Hit(one.at("pubDate"), f"'{shown(seen[one.when].strip())}' has the same date", one.date)
        elif one.when is not None:
            seen[one.when] = one.title


@rule(
    "rss-order",
    "rss apple",
    "warning",
    key="published",
    reason="Many apps take the first item for the newest and look no further.",
    remedy="write the newest item first",
    source="ablog 171, 215; rustacean-station PR 108",
    compares=True,
)
def newest_first(feed: Feed) -> Hits:
    """Lists the newest item first; a serial show may go the other way."""
    if feed.channel.text_of("itunes:type").lower() == "serial":
        return
    dates = [(one, one.when) for one in listed(feed) if one.when is not None]
    # one finding, not one an item: a reversed feed is one mistake
    late = [one for (_, before), (one, when) in pairwise(dates) if when > before]
    if late:
        more = f" ({len(late) - 1} more like it)" if len(late) > 1 else ""
        yield Hit(late[0].at("pubDate"), f"the item is newer than the one before it{more}", late[0].date)
