"""Tags of the Podcasting 2.0 namespace that channels and items share.

https://github.com/Podcastindex-org/podcast-namespace/tree/main/docs/tags
"""

from __future__ import annotations

from collections.abc import Iterable

from podsite import tables
from podsite.feeds.tags import Tag, Tags, tag
from podsite.parts import License, Location, Recipient, RemoteItem, TimeSplit, Txt, Value


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
