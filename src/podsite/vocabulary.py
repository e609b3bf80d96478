"""Words of closed lists: languages, time zones, Apple's categories, the taxonomy's roles and groups.

Like those of `values`, each function reads one text, or raises ValueError that says what is expected.
"""

from __future__ import annotations

import re
import zoneinfo
from collections.abc import Iterable
from datetime import UTC, tzinfo
from functools import cache

from podsite import tables
from podsite.errors import hint, nearest

_SOME_ROLES = "; expected a role such as Host, Co-Host, Guest, Producer or Editor"


@cache
def zone(text: str) -> tzinfo:
    """A time zone of the IANA database: `Europe/Berlin`, `UTC`."""
    if text.upper() == "UTC":
        return UTC
    try:
        if text.partition("/")[0] in {"localtime", "Factory", "posix", "posixrules", "right"}:
            raise ValueError  # this machine's own zone, or a technical variant
        return zoneinfo.ZoneInfo(text)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        near = _zone_hint(text) or "; expected a name such as Europe/Berlin"
        raise ValueError(f"unknown time zone '{text}'{near}") from None


def _zone_hint(text: str) -> str:
    """The zone of a city or of an abbreviation, else the nearest name."""
    cities = _cities()
    abbreviated = (tables.ZONES[word] for word in re.split("[^A-Z]+", text) if word in tables.ZONES)
    meant = cities.get(text.replace("_", " ").casefold()) or next(abbreviated, None)
    return f" (did you mean '{meant}'?)" if meant else hint(text, cities.values())


@cache
def _cities() -> dict[str, str]:
    """Every zone by its city, in plain words."""
    known = sorted(name for name in zoneinfo.available_timezones() if "/" in name)
    return {name.rpartition("/")[2].replace("_", " ").casefold(): name for name in known}


def language(text: str) -> str:
    """A BCP 47 language tag in its usual spelling: `en_us` → `en-US`."""
    parts = text.replace("_", "-").split("-")
    code = parts[0].lower()
    replaced = {long: short for short, longs in tables.LANGUAGES.items() for long in longs}
    if code in tables.LANGUAGE_NAMES or code in replaced:
        better = language("-".join([tables.LANGUAGE_NAMES.get(code) or replaced[code], *parts[1:]]))
        raise ValueError(f"expected a language code, found '{text}' (did you mean '{better}'?)")
    if not re.fullmatch(r"[a-z]{2,3}", code) or (len(code) == 2 and code not in tables.LANGUAGES):
        raise ValueError(f"unknown language '{text}'; expected a code such as en, de or pt-BR")
    if not all(re.fullmatch(r"[A-Za-z0-9]{2,8}", part) for part in parts[1:]):
        raise ValueError(f"'{text}' is no language tag; expected a code such as en, de or pt-BR")
    cased = [part.upper() if len(part) == 2 else part.title() if len(part) == 4 else part for part in parts[1:]]
    return "-".join([code, *cased])


def category(text: str) -> tuple[str, str | None]:
    """An Apple category, `Technology` or `Society & Culture > Documentary`: the name and the subcategory's."""
    top, mark, sub = (part.strip() for part in re.split("([>:/])", text + ">", maxsplit=1))
    sub = sub.strip("> ")
    known = {name.casefold(): name for name in tables.CATEGORIES}
    successors = {name.casefold(): name for name in tables.RETIRED_CATEGORIES}
    if top.casefold() in known:
        name = known[top.casefold()]
        subs = {one.casefold(): one for one in tables.CATEGORIES[name]}
        if not sub:
            return name, None
        if sub.casefold() not in subs:
            raise ValueError(f"'{name}' has no subcategory '{sub}'{hint(sub, subs.values()) or _one_of(subs.values())}")
        if mark != ">":
            raise ValueError(f"expected a category such as '{name} > {subs[sub.casefold()]}', found '{text}'")
        return name, subs[sub.casefold()]
    if top.casefold() in successors:
        successor = tables.RETIRED_CATEGORIES[successors[top.casefold()]]
        raise ValueError(f"Apple retired the category '{top}' in 2019; write '{successor}'")
    for name, subs_of in tables.CATEGORIES.items():
        for one in subs_of:
            if one.casefold() == top.casefold():
                raise ValueError(f"'{top}' is a subcategory; write '{name} > {one}'")
    raise ValueError(f"unknown Apple category '{top}'{hint(top, tables.CATEGORIES) or _one_of(tables.CATEGORIES)}")


def _one_of(names: Iterable[str]) -> str:
    listed = ", ".join(names)
    return f"; expected one of {listed}" if listed else ""


def role(text: str) -> str:
    """A role of the podcast taxonomy in its usual spelling."""
    known = {one.casefold(): one for roles in tables.ROLES.values() for one in roles}
    if text.casefold() not in known:
        raise ValueError(f"unknown role '{text}'{hint(text, known.values()) or _SOME_ROLES}")
    return known[text.casefold()]


def group(text: str) -> str:
    """A group of the podcast taxonomy in its usual spelling."""
    known = {one.casefold(): one for one in tables.ROLES}
    if text.casefold() not in known:
        raise ValueError(f"unknown group '{text}'{hint(text, known.values()) or _one_of(tables.ROLES)}")
    return known[text.casefold()]


def service(text: str) -> str:
    """A service that shows feeds, by its slug; `all` for every one, which may be written `true`."""
    slug = text.casefold()
    if slug in {"true", "yes", "all"}:
        return "all"
    if slug in {"false", "no"}:
        raise ValueError(f"expected 'true' or services such as amazon, found '{text}'; leave the key out to be shown")
    if slug not in tables.SERVICES and (near := nearest(slug, tables.SERVICES, cutoff=0.8)):
        raise ValueError(f"unknown service '{text}' (did you mean '{near}'?)")
    if not re.fullmatch(r"[a-z0-9]+([.-][a-z0-9]+)*", slug):
        raise ValueError(f"expected a service's slug such as amazon, found '{text}'")
    return slug


def country(text: str) -> str:
    """A country by its code of ISO 3166-1."""
    code = text.upper()
    if code not in tables.COUNTRIES:
        tip = " (did you mean 'GB'?)" if code in {"UK", "EN"} else ""
        raise ValueError(f"expected a country code such as DE, found '{text}'{tip}")
    return code
