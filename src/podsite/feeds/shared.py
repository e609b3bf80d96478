"""Tags of the Podcasting 2.0 namespace that channels and items share.

https://github.com/Podcastindex-org/podcast-namespace/tree/main/docs/tags
"""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd

from podsite import tables
from podsite.feeds.tags import Source, Tag, Tags, tag
from podsite.media import ImageFacts, type_by_name
from podsite.model import Episode
from podsite.podcasting import (
    Chat,
    ContentLink,
    Funding,
    Illustration,
    License,
    Location,
    Recipient,
    RemoteItem,
    TimeSplit,
    Txt,
    Value,
)


def home(own: str | None, page: str | None) -> str | None:
    """A person's own page; ours in its place where theirs has no https, which the namespace asks for."""
    return own if own and own.startswith("https://") else page or own


def person(name: str, role: str, group: str | None, image: str | None, href: str | None) -> Tag:
    """podcast:person, with the role and group of the taxonomy in lower case, as apps compare them."""
    group = group or next((one for one, roles in tables.ROLES.items() if role in roles), "Cast")
    return tag("podcast:person", name, {"role": role.lower(), "group": group.lower(), "img": image, "href": href})


def locations(places: Iterable[Location]) -> Tags:
    """podcast:location as revised in 2025."""
    for place in places:
        facts = {"rel": place.rel, "geo": place.geo, "osm": place.osm, "country": place.country}
        yield tag("podcast:location", place.name, facts)


def licences(terms: License | None) -> Tags:
    """podcast:license; the address is needed for terms that are not on the list."""
    if terms:
        yield tag("podcast:license", terms.name, {"url": terms.url})


def texts(each: Iterable[Txt]) -> Tags:
    """podcast:txt, proofs of ownership among them."""
    for txt in each:
        yield tag("podcast:txt", txt.text, {"purpose": txt.purpose})


def funding(ways: Iterable[Funding]) -> Tags:
    """podcast:funding: where to give, and what the button says."""
    for way in ways:
        yield tag("podcast:funding", way.text, {"url": way.url})


def pictures(source: Source, images: Iterable[Illustration], episode: Episode | None = None) -> Tags:
    """podcast:image, with the size and shape of a local picture as measured."""
    for one in images:
        known = source.content.facts.get(one.image)
        measured = (known.width, known.height) if isinstance(known, ImageFacts) else (None, None)
        width, height = one.width or measured[0], one.height or measured[1]
        facts = {
            "href": source.url(one.image, episode),
            "alt": one.alt,
            "aspect-ratio": one.aspect_ratio or _shape(width, height),
            "width": width,
            "height": height,
            "type": one.type or type_by_name(one.image),
            "purpose": one.purpose,
        }
        yield tag("podcast:image", None, facts)


def chat(room: Chat | None) -> Tags:
    """podcast:chat."""
    if room:
        facts = {
            "server": room.server,
            "protocol": room.protocol,
            "accountId": room.account_id,
            "space": room.space,
        }
        yield tag("podcast:chat", None, facts)


def content_links(links: Iterable[ContentLink]) -> Tags:
    """podcast:contentLink."""
    for link in links:
        yield tag("podcast:contentLink", link.text, {"href": link.url})


def values(each: Iterable[Value]) -> Tags:
    """podcast:value with its recipients and time splits."""
    for value in each:
        facts = {"type": value.type, "method": value.method, "suggested": _exact(value.suggested)}
        yield tag("podcast:value", None, facts, *map(_recipient, value.recipients), *map(_split, value.time_splits))


def remote_item(item: RemoteItem) -> Tag:
    """podcast:remoteItem: a show or an episode in another feed."""
    facts = {
        "feedGuid": item.feed_guid,
        "feedUrl": item.feed_url,
        "itemGuid": item.item_guid,
        "medium": item.medium,
        "title": item.title,
    }
    return tag("podcast:remoteItem", None, facts)


def _shape(width: int | None, height: int | None) -> str | None:
    if not width or not height:
        return None
    return f"{width // gcd(width, height)}/{height // gcd(width, height)}"


def _exact(amount: float | None) -> str | None:
    # suggested amounts are fractions of a bitcoin: 0.00000015 must not become 1.5e-07, nor 0
    return None if amount is None else f"{amount:.11f}".rstrip("0").rstrip(".")


def _recipient(who: Recipient) -> Tag:
    facts = {
        "name": who.name,
        "type": who.type,
        "address": who.address,
        "customKey": who.custom_key,
        "customValue": who.custom_value,
        "split": who.split,
        "fee": who.fee or None,
    }
    return tag("podcast:valueRecipient", None, facts)


def _split(split: TimeSplit) -> Tag:
    facts = {
        "startTime": split.start,
        "duration": split.duration,
        "remoteStartTime": split.remote_start,
        "remotePercentage": split.remote_percentage,
    }
    whom = (remote_item(split.remote_item),) if split.remote_item else map(_recipient, split.recipients)
    return tag("podcast:valueTimeSplit", None, facts, *whom)
