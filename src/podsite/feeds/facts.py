"""What any RSS feed says of its episodes: read tolerantly, since it may be another program's or one of years ago."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from podsite import values


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemFacts:
    """What podcast apps know of an episode; None is what the source does not tell."""

    guid: str
    title: str
    published: datetime | None = None
    description: str | None = None  # as plain text, without the addresses of the site's own pages
    url: str | None = None
    length: int | None = None
    type: str | None = None
    duration: int | None = None
    sha256: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedFacts:
    """What podcast apps know of a show, and its episodes, newest first."""

    title: str | None = None
    guid: str | None = None
    address: str | None = None
    items: tuple[ItemFacts, ...] = ()


def newest_first(items: Iterator[ItemFacts]) -> tuple[ItemFacts, ...]:
    """The order in which apps list them: by date, undated ones last, ties as they stand."""
    return tuple(sorted(items, key=lambda one: one.published or datetime.min.replace(tzinfo=UTC), reverse=True))


def facts_of_feed(xml: bytes) -> FeedFacts:
    """The facts of an RSS feed. Raises ValueError when the bytes are none."""
    from lxml import etree

    parser = etree.XMLParser(
        recover=True, resolve_entities=False, no_network=True, huge_tree=True, remove_comments=True
    )
    try:
        root = etree.fromstring(xml, parser)
    except etree.XMLSyntaxError:
        root = None
    channel = None if root is None else next((one for one in root.iter() if _name(one) == "channel"), None)
    if root is None or channel is None:
        raise ValueError("is no RSS feed")
    home = (_text(channel, "link") or "").rstrip("/")
    links = [one for one in channel if _name(one) == "link" and one.get("rel") == "self"]
    return FeedFacts(
        title=_text(channel, "title"),
        guid=_text(channel, "guid"),
        address=links[0].get("href") if links else None,
        # RSS 1.0 and some feeds beyond repair have their items outside the channel
        items=newest_first(_item(one, home) for one in root.iter() if _name(one) == "item"),
    )


def _item(item: Any, home: str) -> ItemFacts:
    enclosure = next((one for one in item if _name(one) == "enclosure"), None)
    about = {} if enclosure is None else dict(enclosure.attrib)
    title, url = _text(item, "title") or "", about.get("url")
    return ItemFacts(
        # without a guid, apps tell episodes apart by their recording
        guid=_text(item, "guid") or url or title,
        title=title,
        published=_date(_text(item, "pubDate") or _text(item, "date")),
        description=_plain(_text(item, "description") or "", home),
        url=url,
        length=int(about["length"]) if re.fullmatch(r"[1-9]\d{0,14}", about.get("length", ""), re.ASCII) else None,
        type=about.get("type") or None,
        duration=_duration(_text(item, "duration")),
    )


def _name(element: Any) -> str:
    """An element's name without namespace; empty for processing instructions."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _text(element: Any, name: str) -> str | None:
    """The text of the first child of that name that has one; RSS's own elements before those of namespaces."""
    children = sorted((one for one in element if _name(one) == name), key=lambda one: "}" in one.tag)
    texts = (" ".join("".join(one.itertext()).split()) for one in children)
    return next((text for text in texts if text), None)


def _plain(markup: str, home: str) -> str:
    """Words alone: where the links of a description lead changes with the site's address, and nobody reads it."""
    text = html.unescape(re.sub(r"<[^<>]*>", " ", markup))
    return " ".join((text.replace(home, "") if home else text).split())


def _date(text: str | None) -> datetime | None:
    try:
        found = parsedate_to_datetime(text or "")
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    try:
        return values.moment(text or "")  # some write ISO 8601
    except ValueError:
        return None


def _duration(text: str | None) -> int | None:
    try:
        return int(values.seconds(text or "")) or None
    except ValueError:
        return None
