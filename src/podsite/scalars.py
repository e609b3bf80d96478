"""The scalar types of the model: what a field of each type accepts, in YAML and in the JSON Schema.

A model field says `title: Line`; the decoder and the schema find the rule in the annotation, type checkers see `str`.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping
from dataclasses import field
from datetime import datetime, time, tzinfo
from typing import Annotated, Any, Literal

from podsite import tables, values, vocabulary
from podsite.records import dataclass


def _no_note(_: str) -> str | None:
    return None


@dataclass(frozen=True, slots=True, eq=False)
class Scalar:
    """How one kind of text is read: the word for it, its reader, its JSON Schema, and remarks that are no errors."""

    name: str
    read: Callable[..., Any]
    schema: Mapping[str, Any] = field(default_factory=lambda: {"type": "string"})
    textual: bool = False  # any words: `~` and `null` are words here, and a `#` behind them is suspicious
    local: bool = False  # needs the show's time zone and publish time
    note: Callable[[str], str | None] = _no_note  # a warning for what was accepted all the same


def _escaped(text: str) -> str | None:
    found = "&" in text and re.search(r"&(amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);", text)
    if not found:
        return None
    return f"found '{found[0]}'; this text is plain, write '{html.unescape(found[0])}'"


def _respelled(text: str) -> str | None:
    tag = vocabulary.language(text)
    return f"'{text}' is read as '{tag}'; write '{tag}'" if "_" in text else None


def _lone_minutes(text: str) -> str | None:
    found = re.fullmatch(r"(\d+):\d\d?([.,]\d+)?", text)
    spelled = values.clock_text(values.seconds(text))
    return f"'{text}' is read as {spelled}; write '{spelled}'" if found and int(found[1]) > 59 else None


def _tiny(text: str) -> str | None:
    count = values.size(text)  # 0 stands for what has no length, such as a stream
    return f"{count} bytes is hardly a recording; is this the duration?" if 0 < count < 10_000 else None


def _positive(text: str) -> int:
    found = values.whole(text)
    if not found:
        raise ValueError("expected a whole number from 1, found '0'")
    return found


def _uri(text: str) -> str:
    if re.match("https?:", text, re.IGNORECASE):
        return values.url(text)
    return values.matching(_URI, "an address such as https://example.org/a.mp3 or ipfs://…")(text)


def _aspect_ratio(text: str) -> str:
    found = re.fullmatch(r"([1-9]\d{0,4})\s*[/:]\s*([1-9]\d{0,4})", text, re.ASCII)
    if not found:
        raise ValueError(f"expected width to height such as 16/9, found '{text}'")
    return f"{found[1]}/{found[2]}"


def _unlisted(text: str) -> str | None:
    known = {"true", "yes", "all", *tables.SERVICES}
    return None if text.casefold() in known else f"'{text}' is not on podcastindex.org's list of services"


def _needed(text: str) -> bool | str:
    if text.casefold() == "required":
        return "required"
    try:
        return values.truth(text)
    except ValueError:
        raise ValueError(f"expected true, false or required, found '{text}'") from None


def _pattern(pattern: str) -> dict[str, Any]:
    return {"type": "string", "pattern": pattern}


def _words(pattern: str, expected: str) -> Scalar:
    return Scalar(expected, values.matching(pattern, expected), _pattern(f"^(?:{pattern})$"))


def _line(most: int = 0) -> Scalar:
    """Text on one line; with `most`, the number of characters that feeds and apps take."""

    def read(text: str) -> str:
        found = values.line(text)
        if most and len(found) > most:
            raise ValueError(f"expected at most {most:,} characters, found {len(found):,}")
        return found

    rule = {**_TEXT, "pattern": r"^\s*\S.*\s*$", **({"maxLength": most} if most else {})}
    return Scalar("a line of text", read, rule, textual=True, note=_escaped)


_TEXT = {"type": ["string", "number", "boolean"], "pattern": r"\S"}  # editors read `title: 1984` as a number, we do not
_URI = r"[A-Za-z][A-Za-z0-9+.-]+:[^\s<>\"]+"
_ADDRESS = r"(?!.*(…|/\.\.\./))[Hh][Tt][Tt][Pp][Ss]?://[^\s/?#]"
_FILE = r"(?![A-Za-z][A-Za-z0-9+.-]*:)(?!.*(^|/)\.\.(/|$))[^/~\\][^\\]*$"
_TIME = r"^\d{1,9}(\.\d+)?$|^\d+(:[0-5]?\d){1,2}([.,]\d+)?$"
_SPAN = r"^\d{1,9}(\.0*)?$|^\d+(:[0-5]?\d){1,2}([.,]\d+)?$"
_BOOLEANS = [True, False, "yes", "no", "Yes", "No", "YES", "NO"]
_DATE = r"^\d{4}-\d{1,2}-\d{1,2}([Tt ]\s*\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?\s*(Z|z|UTC|GMT|[+-]\d{2}:?\d{2})?)?$"

Line = Annotated[str, _line()]
Label = Annotated[str, _line(32)]
Caption = Annotated[str, _line(128)]
Proof = Annotated[str, _line(4000)]
Topic = Annotated[str, Scalar("a topic", values.topic, {**_TEXT, "maxLength": 200}, textual=True, note=_escaped)]
Text = Annotated[str, Scalar("text", str.strip, _TEXT, textual=True, note=_escaped)]
Markdown = Annotated[str, Scalar("Markdown", str.rstrip, _TEXT, textual=True)]
Truth = Annotated[bool, Scalar("true or false", values.truth, {"enum": _BOOLEANS})]
Needed = Annotated[
    bool | Literal["required"],
    Scalar("true, false or required", _needed, {"enum": [*_BOOLEANS, "required"]}),
]
Explicit = Annotated[
    bool,
    Scalar(
        "true or false",
        values.explicit,
        {"enum": [*_BOOLEANS, "explicit", "clean", "Explicit", "Clean"]},
    ),
]
_WHOLE = {"anyOf": [{"type": "integer", "minimum": 0}, _pattern(r"^\d+$")]}
Whole = Annotated[int, Scalar("a whole number", values.whole, _WHOLE)]
Count = Annotated[
    int,
    Scalar("a whole number", values.count, {"anyOf": [{"type": "integer", "minimum": 1}, _pattern(r"^0*[1-9]\d*$")]}),
]
Positive = Annotated[
    int,
    Scalar("a whole number", _positive, {"anyOf": [{"type": "integer", "minimum": 1}, _pattern(r"^0*[1-9]\d*$")]}),
]
Percent = Annotated[
    int,
    Scalar(
        "a number from 0 to 100",
        values.percent,
        {"anyOf": [{"type": "integer", "minimum": 0, "maximum": 100}, _pattern(r"^(\d\d?|100)$")]},
    ),
]
Number = Annotated[int, Scalar("a whole number", values.number, _WHOLE)]
Decimal = Annotated[
    float,
    Scalar("a number", values.decimal, {"anyOf": [{"type": "number"}, _pattern(r"^[+-]?\d+(\.\d+)?$")]}),
]
Size = Annotated[int, Scalar("a length in bytes", values.size, _WHOLE, note=_tiny)]
_SECONDS = {"anyOf": [{"type": "number", "minimum": 0}, _pattern(_TIME)]}
Seconds = Annotated[float, Scalar("a time", values.seconds, _SECONDS, note=_lone_minutes)]
Duration = Annotated[
    int,
    Scalar(
        "a duration",
        values.duration,
        {"anyOf": [{"type": "integer", "minimum": 0}, _pattern(_SPAN)]},
        note=_lone_minutes,
    ),
]
Moment = Annotated[datetime, Scalar("a date or moment", values.moment, _pattern(_DATE), local=True)]
TimeOfDay = Annotated[
    time, Scalar("a time of day", values.time_of_day, _pattern(r"^([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d)?$"))
]
Zone = Annotated[tzinfo, Scalar("a time zone", vocabulary.zone)]
Language = Annotated[
    str,
    Scalar("a language", vocabulary.language, _pattern("^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$"), note=_respelled),
]
_NAMED = {"type": ["string", "integer"], "pattern": r"^[^\s!-,./:-@A-Z\[-`{-\x7f]+$"}
Slug = Annotated[str, Scalar("a slug", values.written_slug, _NAMED)]
Url = Annotated[str, Scalar("a web address", values.url, _pattern(f"^{_ADDRESS}"))]
Uri = Annotated[str, Scalar("an address", _uri, _pattern(f"^{_URI}$"))]
BaseUrl = Annotated[str, Scalar("a site's address", values.base_url, _pattern(f"^{_ADDRESS}"))]
FileOrUrl = Annotated[
    str,
    Scalar("a file of the site or a web address", values.file_or_url, _pattern(f"^{_ADDRESS}|^{_FILE}")),
]
FilePath = Annotated[str, Scalar("a file of the site", values.file_path, _pattern(f"^{_FILE}"))]
LinkTarget = Annotated[
    str,
    Scalar(
        "a page's path or a web address", values.link_target, _pattern(f"^{_ADDRESS}|^mailto:|^/?[^/?#:]*(/[^?#:]*)?$")
    ),
]
AddressPath = Annotated[str, Scalar("a path below the site's address", values.address_path, _pattern(r"^[^?#%\\]+$"))]
MediaType = Annotated[str, Scalar("a media type", values.media_type, _pattern("^[A-Za-z]+/[A-Za-z0-9.+-]+$"))]
Email = Annotated[str, Scalar("a mail address", values.email, _pattern(r"^[^\s@]+@[^\s@]+\.[^\s@]+$"))]
Guid = Annotated[str, Scalar("an identity", values.guid, _TEXT, textual=True)]
Uuid = Annotated[str, Scalar("a UUID", values.uuid, _pattern("^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"))]
Colour = Annotated[str, Scalar("a colour", values.colour, _pattern("^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$"), textual=True)]
Category = Annotated[
    tuple[str, str | None],
    Scalar(
        "an Apple category",
        vocabulary.category,
        {
            "enum": [
                *tables.CATEGORIES,
                *(f"{top} > {sub}" for top, subs in tables.CATEGORIES.items() for sub in subs),
            ]
        },
    ),
]
Role = Annotated[
    str,
    Scalar(
        "a role",
        vocabulary.role,
        {"type": "string", "examples": [role for roles in tables.ROLES.values() for role in roles]},
    ),
]
Group = Annotated[str, Scalar("a group", vocabulary.group, {"type": "string", "examples": list(tables.ROLES)})]
Country = Annotated[str, Scalar("a country code", vocabulary.country, _pattern("^[A-Za-z]{2}$"))]
Geo = Annotated[str, _words(r"geo:-?\d+(\.\d+)?,-?\d+(\.\d+)?(;.*)?", "coordinates such as geo:52.52,13.40")]
Osm = Annotated[str, _words(r"[NWR]\d+(#\d+)?", "an OpenStreetMap object such as R62422")]
AspectRatio = Annotated[
    str, Scalar("width to height", _aspect_ratio, _pattern(r"^[1-9]\d{0,4}\s*[/:]\s*[1-9]\d{0,4}$"))
]
Service = Annotated[
    str,
    Scalar(
        "a service",
        vocabulary.service,
        {"type": ["string", "boolean"], "examples": ["all", *tables.SERVICES]},
        note=_unlisted,
    ),
]
Host = Annotated[str, Scalar("a domain", values.host, _pattern(r"^[^\s/:@?#.]+(\.[^\s/:@?#.]+)+$"))]
Year = Annotated[
    int, Scalar("a year", values.year, {"anyOf": [{"type": "integer", "maximum": 9999}, _pattern(r"^\d{4}$")]})
]
