"""Rules about what single podcast: tags say: identities, people, places, terms, dates, money."""

from __future__ import annotations

import re

from podsite import tables
from podsite.errors import hint
from podsite.feeds.rules.channel import is_language, is_mail
from podsite.feeds.rules.enclosures import TYPES, ending
from podsite.feeds.rules.moments import EXAMPLE, moment
from podsite.feeds.rules.rule import Feed, Hit, Hits, rule, shown

_GEO = re.compile(r"geo:-?\d{1,2}(\.\d+)?,-?\d{1,3}(\.\d+)?(,-?\d+(\.\d+)?)?(;[a-z]+=[\w.%-]+)*", re.IGNORECASE)
_OSM = re.compile(r"[NWR]\d+(#\d+)?")
_INSTANT = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?")
_RRULE = re.compile(r"[A-Z]+=[A-Z0-9+,-]+(;[A-Z]+=[A-Z0-9+,-]+)*")
_FREQUENCIES = {"SECONDLY", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"}
_ROLES = {role.lower() for roles in tables.ROLES.values() for role in roles}
_GROUPS = {group.lower() for group in tables.ROLES}
_MEDIUMS = {*tables.MEDIUMS, *(f"{one}L" for one in tables.MEDIUMS), "mixed"}


@rule(
    "p20-locked-owner",
    "podcast20",
    "error",
    key="owner",
    reason="The host that wants to import the show writes to this address.",
    remedy="write a mail address, or leave owner out",
    source="podcast-namespace locked.md",
)
def locked_owner(feed: Feed) -> Hits:
    """Names the owner by a mail address."""
    for node in feed.of_podcast("podcast:locked"):
        owner = node.get("owner")
        if owner is not None and not is_mail(owner.strip()):
            yield Hit(node, f"expected a mail address as owner, found '{shown(owner)}'", owner)


@rule(
    "p20-person-role",
    "podcast20",
    "warning",
    key="people",
    reason="Apps group people by the roles of the taxonomy; others are shown as host or not at all.",
    remedy="take a role of the Podcast Taxonomy",
    source="podcast-namespace taxonomy.json",
)
def role(feed: Feed) -> Hits:
    """Takes roles from the taxonomy."""
    for node in feed.of_podcast("podcast:person"):
        found = (node.get("role") or "host").strip()
        if found.lower() not in _ROLES:
            yield Hit(node, f"'{shown(found)}' is no role of the taxonomy{hint(found, _ROLES)}", found)


@rule(
    "p20-person-group",
    "podcast20",
    "warning",
    key="people",
    reason="Apps group people by the groups of the taxonomy.",
    remedy="take the group that has the role",
    source="podcast-namespace taxonomy.json",
)
def group(feed: Feed) -> Hits:
    """Takes groups from the taxonomy."""
    for node in feed.of_podcast("podcast:person"):
        found = (node.get("group") or "cast").strip()
        if found.lower() not in _GROUPS:
            yield Hit(node, f"'{shown(found)}' is no group of the taxonomy{hint(found, _GROUPS)}", found)


@rule(
    "p20-location",
    "podcast20",
    "error",
    key="location",
    reason="A place is found by its coordinates, its OpenStreetMap object or its country, each in its own grammar.",
    remedy='write geo="geo:52.52,13.40", osm="R62422", country="DE"',
    source="podcast-namespace location.md; RFC 5870; ISO 3166-1",
)
def location(feed: Feed) -> Hits:
    """Writes places in their grammars."""
    for node in feed.of_podcast("podcast:location"):
        for name, grammar in (("geo", _GEO), ("osm", _OSM), ("country", re.compile("[A-Za-z]{2}"))):
            found = (node.get(name) or "").strip()
            if found and not grammar.fullmatch(found):
                yield Hit(node, f"'{shown(found)}' is no {name} of a location", found)


@rule(
    "p20-medium",
    "podcast20",
    "error",
    key="medium",
    reason="Apps choose how to show a feed by its medium, and know only those of the list.",
    remedy="write 'podcast' or another medium of the list",
    source="podcast-namespace medium.md",
)
def medium(feed: Feed) -> Hits:
    """Takes the medium from the list."""
    found = [(node, node.text.strip()) for node in feed.of_podcast("podcast:medium")]
    found += [(node, (node.get("medium") or "").strip()) for node in feed.of_podcast("podcast:remoteItem")]
    for node, text in found:
        if text and text not in _MEDIUMS:
            yield Hit(node, f"'{shown(text)}' is no medium{hint(text, _MEDIUMS)}", text)


@rule(
    "p20-license",
    "podcast20",
    "error",
    key="license",
    reason="Terms that are not on the list can be read only at an address.",
    remedy=f"write one of {', '.join(tables.LICENSES)}, or add url",
    source="podcast-namespace license.md",
)
def licence(feed: Feed) -> Hits:
    """Has an address for terms that are not on the list."""
    known = {one.lower() for one in tables.LICENSES}
    for node in feed.of_podcast("podcast:license"):
        found = node.text.strip()
        if found and found.lower() not in known and not (node.get("url") or "").strip():
            yield Hit(node, f"'{shown(found)}' is not on the list and has no url{hint(found, tables.LICENSES)}", found)


@rule(
    "p20-trailer-date",
    "podcast20",
    "error",
    key="trailer",
    reason="A trailer's date is written like an item's.",
    remedy=f"write it as RFC 2822 does: '{EXAMPLE}'",
    source="podcast-namespace trailer.md",
)
def trailer_date(feed: Feed) -> Hits:
    """Dates trailers by RFC 2822."""
    for node in feed.of_podcast("podcast:trailer"):
        found = (node.get("pubdate") or "").strip()
        if found and moment(found) is None:
            yield Hit(node, f"'{shown(found)}' is no RFC 2822 date", found)


@rule(
    "p20-media-type",
    "podcast20",
    "error",
    key="audio",
    reason="Apps choose their player by the type.",
    remedy="write the type that goes with the file's ending",
    source="podcast-namespace trailer.md, alternate-enclosure.md",
)
def media_type(feed: Feed) -> Hits:
    """Gives trailers and alternates the type of their files."""
    found = [(node, node.get("url") or "", node.get("type") or "") for node in feed.of_podcast("podcast:trailer")]
    for node in feed.of_podcast("podcast:alternateEnclosure"):
        sources = [one.get("uri") or "" for one in node.children if one.name == "podcast:source"]
        found.append((node, sources[0] if sources else "", node.get("type") or ""))
    for node, url, written in found:
        known, kind = TYPES.get(ending(url)), written.strip().partition(";")[0].lower()
        if kind and ((known and kind not in known) or not re.fullmatch(r"[a-z]+/[a-z0-9.+-]+", kind)):
            expected = f'"{known[0]}"' if known else "a media type"
            yield Hit(node, f"expected {expected} as type of <{node.name}>, found '{shown(kind)}'", kind)


@rule(
    "p20-txt",
    "podcast20",
    "error",
    key="txt",
    reason="The statement about AI is true or false; apps do not read anything else.",
    remedy="write 'true' or 'false'",
    source="podcast-namespace txt.md",
)
def txt(feed: Feed) -> Hits:
    """Says true or false about AI."""
    for node in feed.of_podcast("podcast:txt"):
        if node.get("purpose") == "ai-content" and node.text.strip() not in {"", "true", "false"}:
            yield Hit(node, f"expected 'true' or 'false' for ai-content, found '{shown(node.text)}'", node.text)


@rule(
    "p20-block-id",
    "podcast20",
    "warning",
    reason="Services are blocked by the slugs of a list, in lower case; another name blocks nobody.",
    remedy="write the service's slug",
    source="podcast-namespace serviceslugs.txt",
)
def block_id(feed: Feed) -> Hits:
    """Names services by slugs."""
    for node in feed.of_podcast("podcast:block"):
        found = node.get("id")
        if found is not None and not re.fullmatch("[a-z0-9]+", found):
            yield Hit(node, f"'{shown(found)}' is no slug of a service", found)


@rule(
    "p20-update-frequency",
    "podcast20",
    "error",
    key="update_frequency",
    reason="Apps compute the next episode from the rule, which they cannot when it is written otherwise.",
    remedy="write rrule as RFC 5545 does ('FREQ=WEEKLY;BYDAY=MO'), dtstart as ISO 8601; COUNT needs dtstart",
    source="podcast-namespace update-frequency.md; RFC 5545",
)
def update_frequency(feed: Feed) -> Hits:
    """States the frequency by RFC 5545."""
    for node in feed.of_podcast("podcast:updateFrequency"):
        start, rrule = (node.get("dtstart") or "").strip(), (node.get("rrule") or "").strip()
        parts = dict(part.partition("=")[::2] for part in rrule.split(";"))
        if start and not _INSTANT.fullmatch(start):
            yield Hit(node, f"expected an ISO 8601 date as dtstart, found '{shown(start)}'", start)
        if rrule and not (_RRULE.fullmatch(rrule) and parts.get("FREQ") in _FREQUENCIES):
            yield Hit(node, f"'{shown(rrule)}' is no recurrence rule", rrule)
        elif "COUNT" in parts and not start:
            yield Hit(node, "rrule counts, and dtstart is missing", rrule)


@rule(
    "p20-transcript-language",
    "podcast20",
    "error",
    key="transcript",
    reason="Apps choose a transcript or an alternate by its language.",
    remedy="write a language such as 'en'",
    source="podcast-namespace transcript.md; ISO 639",
)
def languages(feed: Feed) -> Hits:
    """Names languages by their codes."""
    for tag, name in (("podcast:transcript", "language"), ("podcast:alternateEnclosure", "lang")):
        for node in feed.of_podcast(tag):
            found = (node.get(name) or "").strip()
            if found and not is_language(found):
                yield Hit(node, f"expected a language such as 'en' as {name}, found '{shown(found)}'", found)
