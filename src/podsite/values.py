"""Scalars with a grammar: each function reads one text a person wrote and gives the value, or says what is wrong.

Every function raises ValueError with a message that names what is expected; `decode` adds the place.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from functools import lru_cache
from urllib.parse import quote, urlsplit, urlunsplit

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_ASCII_CONTROL = bytes(number for number in range(128) if _CONTROL.match(chr(number)))
_BREAK = re.compile("[\r\n\x85\u2028\u2029]")
_CLOCK = re.compile(r"(?:(\d{1,5}):)?(\d{1,5}):(\d{1,2})(?:[.,](\d+))?")
_UNSPOKEN = re.compile("['’\ufe00-\ufe0f\U000e0100-\U000e01ef]")  # apostrophes, and how a sign is to be drawn
_READY_URL = re.compile(  # an address in which nothing is left to be checked or written otherwise
    r"https?://[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*"
    r"(/([\w/:@!$&'()*+,;=~.-]|%[0-9A-Fa-f]{2})*)?"
    r"(\?([\w/:@!$&'()*+,;=~.?\[\]-]|%[0-9A-Fa-f]{2})+)?"
    r"(#([\w/:@!$&'()*+,;=~.?-]|%[0-9A-Fa-f]{2})+)?",
    re.ASCII,
)
_LONGEST_NAME = 200  # bytes; file systems end at 255
_MOMENT = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})"
    r"(?:[Tt ]\s*(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(Z|z|UTC|GMT|[+-]\d{2}:?\d{2})?)?"
)


def control_character(text: str) -> tuple[int, str] | None:
    """Index and name (`U+0007`) of the first character that XML and HTML cannot carry, or None."""
    if text.isascii() and len(text.encode().translate(None, _ASCII_CONTROL)) == len(text):
        return None
    found = _CONTROL.search(text)
    return (found.start(), f"U+{ord(found.group()):04X}") if found else None


def line(text: str) -> str:
    """Text on one line, without spaces around it."""
    found = text.strip()
    if _BREAK.search(found):
        raise ValueError("expected text on one line, found a line break")
    return found


def truth(text: str) -> bool:
    """true or false; yes and no are understood too."""
    if text.casefold() in {"true", "yes"}:
        return True
    if text.casefold() in {"false", "no"}:
        return False
    raise ValueError(f"expected true or false, found '{text}'")


def explicit(text: str) -> bool:
    """`true`/`false`, and the older `explicit` and `clean` of the feeds."""
    known = {"explicit": True, "clean": False}
    try:
        return known[text.casefold()] if text.casefold() in known else truth(text)
    except ValueError:
        raise ValueError(f"expected true (explicit) or false (clean), found '{text}'") from None


def whole(text: str) -> int:
    """A whole number from 0; leading zeros do not make it octal."""
    if not re.fullmatch(r"\d{1,9}", text, re.ASCII):
        raise ValueError(f"expected a whole number such as 7, found '{text}'")
    return int(text)


def number(text: str) -> int:
    """An episode's number: whole, from 0."""
    try:
        return whole(text)
    except ValueError as error:
        raise ValueError(f"{error}; a label such as '{text}' belongs in display_number") from None


def decimal(text: str) -> float:
    """A number, with a fraction or without."""
    if not re.fullmatch(r"[+-]?\d{1,15}(\.\d+)?", text, re.ASCII):
        raise ValueError(f"expected a number, found '{text}'")
    return float(text)


def count(text: str) -> int:
    """A whole number from 1."""
    found = whole(text)
    if not found:
        raise ValueError("expected a whole number from 1, found '0'; leave the key out for no limit")
    return found


def percent(text: str) -> int:
    """A whole number from 0 to 100."""
    if not re.fullmatch(r"\d\d?|100", text, re.ASCII):
        raise ValueError(f"expected a number from 0 to 100, found '{text}'")
    return int(text)


def year(text: str) -> int:
    """A year of the common era."""
    if not re.fullmatch(r"\d{4}", text, re.ASCII):
        raise ValueError(f"expected a year such as 2021, found '{text}'")
    return int(text)


def size(text: str) -> int:
    """A file's length in bytes."""
    if not re.fullmatch(r"\d{1,15}", text, re.ASCII):
        tip = "; a length of time goes under 'duration'" if re.fullmatch(r"\d+[:.][\d.:]+", text) else ""
        raise ValueError(f"expected a length in bytes such as 1048576, found '{text}'{tip}")
    return int(text)


def seconds(text: str) -> float:
    """A point or span of time in seconds: `754`, `12:34`, `1:02:03`, with a fraction or without."""
    if re.fullmatch(r"\d{1,9}(\.\d+)?", text, re.ASCII):
        return float(text)
    clock = _CLOCK.fullmatch(text)
    if not clock or not text.isascii():
        raise ValueError(f"expected a time such as 12:34 or 1:02:03, found '{text}'")
    hours, minutes, rest = (int(part or 0) for part in clock.group(1, 2, 3))
    if rest > 59 or (clock.group(1) is not None and minutes > 59):
        raise ValueError(f"'{text}' is no time: minutes and seconds go from 0 to 59")
    return hours * 3600 + minutes * 60 + rest + float(f"0.{clock.group(4) or 0}")


def duration(text: str) -> int:
    """A duration in whole seconds, rounded down; a lone `35.51` is refused since it may mean either unit."""
    if re.fullmatch(r"\d+\.\d*[1-9]\d*", text, re.ASCII):
        raise ValueError(f"expected a duration such as 35:51 (minutes and seconds) or 35, found '{text}'")
    return int(seconds(text))


def iso_duration(length: float) -> str:
    """A duration for machines: `PT14M5S`."""
    hours, rest = divmod(int(length), 3600)
    minutes, left = divmod(rest, 60)
    parts = [f"{count}{unit}" for count, unit in ((hours, "H"), (minutes, "M"), (left, "S")) if count]
    return "PT" + ("".join(parts) or "0S")


def clock_text(length: float) -> str:
    """Seconds as people read them: `0:45`, `12:34`, `1:02:03`."""
    hours, rest = divmod(int(length), 3600)
    minutes, left = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"


def time_of_day(text: str) -> time:
    """A time of day, `08:00`."""
    found = re.fullmatch(r"([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?", text, re.ASCII)
    if not found:
        raise ValueError(f"expected a time of day such as 08:00, found '{text}'")
    return time(int(found[1]), int(found[2]), int(found[3] or 0))


def moment(text: str, local: tzinfo = UTC, at: time = time()) -> datetime:
    """An instant, in UTC. A text without an offset is meant in the zone `local`, a bare date at the time `at`.

    `24:00:00` is the next day's midnight, as ISO 8601 has it.
    """
    found = _MOMENT.fullmatch(text)
    if not found or not text.isascii():
        raise ValueError(f"expected a date such as 2024-05-01 or 2024-05-01 09:30 +02:00, found '{text}'")
    in_year, month, day, hour, minute, sec = (int(part) if part else None for part in found.groups()[:6])
    next_day = (hour, minute, sec or 0) == (24, 0, 0)
    offset = _offset(found[7]) or local
    try:
        the_day = date(in_year or 0, month or 0, day or 0)
        clock = at if hour is None else time(0 if next_day else hour, minute or 0, sec or 0)
        written = datetime.combine(the_day, clock, offset) + timedelta(days=next_day)
        instant = written.astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError(f"'{text}' does not exist; check the day and the time") from None
    if hour is not None and instant.astimezone(offset).replace(tzinfo=None) != written.replace(tzinfo=None):
        raise ValueError(f"'{text}' does not exist in {offset}: the clocks are put forward then; choose another time")
    return instant


def _offset(text: str | None) -> tzinfo | None:
    if text is None:
        return None
    if text[0] not in "+-":
        return UTC
    hours, minutes = int(text[1:3]), int(text[-2:])
    shift = timedelta(hours=hours, minutes=minutes)
    if hours > 14 or minutes > 59:
        raise ValueError(f"expected an offset from UTC such as +02:00, found '{text}'")
    return timezone(shift if text[0] == "+" else -shift)


@lru_cache(maxsize=4096)  # topics come again and again
def slug(text: str) -> str:
    """The part of an address that names a thing: NFC, lower case, letters and digits of any script, hyphens.

    Empty when `text` has no letter or digit. Marks count with the letter they stand on.
    """
    lower = _UNSPOKEN.sub("", unicodedata.normalize("NFC", text.lower()))
    named = lower
    if "#" in lower or "++" in lower:  # C, C++ and C# are three things
        named = re.sub(r"(?<=\w)#", "-sharp", re.sub(r"(?<=\w)\+\+", "pp", lower))
    if named.isascii():
        return re.sub("[^a-z0-9]+", "-", named).strip("-")
    kept = ""
    for char in named:
        is_mark = unicodedata.category(char) in {"Mn", "Mc"} and kept[-1:] not in {"", "-"}
        kept += char if char.isalnum() or is_mark else "-"
    return re.sub("-+", "-", unicodedata.normalize("NFC", kept)).strip("-")


def written_slug(text: str) -> str:
    """A slug as somebody wrote it: it must be one already."""
    proper = slug(text)
    if not text or proper != text:
        tip = f"; write '{proper}'" if proper else ""
        raise ValueError(f"expected lower-case letters, digits and hyphens, found '{text}'{tip}")
    if len(text.encode()) > _LONGEST_NAME:
        raise ValueError(f"is too long for a folder's name: {len(text)} characters")
    return text


def topic(text: str) -> str:
    """A topic: text on one line that can name a page."""
    found = line(text)
    name = slug(found)
    if not name and text.strip():
        raise ValueError(f"expected a topic with a letter or digit in it, found '{text}'")
    if len(name.encode()) > _LONGEST_NAME:
        raise ValueError(f"expected a topic of a few words, found {len(text)} characters")
    return found


def folded(text: str) -> str:
    """The form in which two names clash on some file system: Unicode's canonical caseless match, NFC."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).casefold())


def url(text: str) -> str:
    """An absolute http or https address, in ASCII: host by IDNA, the rest percent-encoded where it is not yet."""
    if _READY_URL.fullmatch(text) and "/.../" not in text:
        return text
    try:
        parts = urlsplit(text)
        host, port = _host(parts.hostname or ""), f":{parts.port}" if parts.port else ""
    except ValueError:
        raise ValueError(f"'{text}' has no host that can be looked up") from None
    if parts.scheme.lower() not in {"http", "https"} or not host:
        looks_bare = re.match(r"(www\.)?[\w-]+(\.[\w-]+)+(/|$)", text)
        tip = f"; write 'https://{text}'" if looks_bare else ""
        raise ValueError(f"expected an address that starts with https:// or http://, found '{text}'{tip}")
    if "…" in text or "/.../" in text:
        raise ValueError(f"'{text}' is shortened; expected the complete address")
    if re.search(r"\s\s|[\t\r\n]|\s\w+://", text):
        raise ValueError("expected one address, found several words or lines")
    if parts.username or parts.password:
        raise ValueError("an address in public must not carry a user name or password")
    safe = "/:@!$&'()*+,;=~-._"
    return urlunsplit(
        (parts.scheme.lower(), host + port, encode(parts.path, safe), encode(parts.query, safe + "?[]"),
         encode(parts.fragment, safe + "?"))
    )  # fmt: skip


def base_url(text: str) -> str:
    """The address of a site, below which all its pages lie."""
    found = url(text)
    parts = urlsplit(found)
    if parts.query or parts.fragment or not {".", ".."}.isdisjoint(parts.path.split("/")):
        raise ValueError(f"expected the plain address of the site, without '?', '#' and '..', found '{text}'")
    return found


def _host(text: str) -> str:
    """A host's name in ASCII. Raises ValueError when no such name can be looked up."""
    if re.fullmatch("[0-9a-f:.]*:[0-9a-f:.]*", text):
        return f"[{text}]"  # IPv6
    name = text.encode("idna").decode("ascii")
    if name and not re.fullmatch(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?", name):
        raise ValueError
    return name


def host(text: str) -> str:
    """A domain of one's own, `podcast.example.org`."""
    try:
        name = _host(text.lower())
    except ValueError:
        name = ""
    if "." not in name:
        raise ValueError(f"expected a domain such as podcast.example.org, found '{text}'")
    return name


def encode(text: str, safe: str = "/:@!$&'()*+,;=~-._") -> str:
    """Percent-encode what a URL cannot hold and leave valid `%XX` alone, so that doing it twice changes nothing."""
    if "%" not in text:
        return quote(text, safe=safe)
    return "".join(
        piece if re.fullmatch("%[0-9A-Fa-f]{2}", piece) else quote(piece, safe=safe)
        for piece in re.split("(%[0-9A-Fa-f]{2})", text)
    )


def file_path(text: str) -> str:
    """A file of the site, by its path in POSIX spelling; it cannot lead out of the site."""
    if "\\" in text:
        raise ValueError(f"expected a path with forward slashes, found '{text}'")
    if text.startswith(("/", "~")) or re.match(r"[A-Za-z]:", text):
        raise ValueError(f"expected a path inside the site, found the absolute '{text}'")
    parts = [part for part in text.split("/") if part not in {"", "."}]
    if ".." in parts or not parts:
        raise ValueError(f"expected a path inside the site, found '{text}'")
    return "/".join(parts)


def file_or_url(text: str) -> str:
    """A file of the site or an absolute http(s) address."""
    return url(text) if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", text) else file_path(text)


def is_url(text: str) -> bool:
    """Whether a `file_or_url` is an address."""
    return text.startswith(("http://", "https://"))


def address_path(text: str) -> str:
    """A path below the site's address, without the leading slash: an old address, another place for the feed."""
    if "?" in text or "#" in text or "://" in text or not text.strip("/"):
        raise ValueError(f"expected a path such as /2019/first-episode/, found '{text}'")
    if "%" in text:
        raise ValueError(f"expected the path in plain letters, without %-escapes, found '{text}'")
    return file_path(text.strip("/")) + "/" * text.endswith("/")


def link_target(text: str) -> str:
    """Where a link of the navigation leads: an address of the web, mail, or a path below the site's address."""
    if text == "/":
        return text
    if text.startswith("mailto:"):
        return "mailto:" + email(text.removeprefix("mailto:"))
    if text.startswith("//"):
        raise ValueError(f"expected /… for a page of the site or https://… for another, found '{text}'")
    return url(text) if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", text) else "/" + address_path(text)


def media_type(text: str) -> str:
    """A media type, `audio/mpeg`."""
    if not re.fullmatch(r"[a-z]+/[a-z0-9][a-z0-9.+-]*", text.lower()):
        raise ValueError(f"expected a media type such as audio/mpeg, found '{text}'")
    return text.lower()


def email(text: str) -> str:
    """A mail address."""
    if not re.fullmatch(r"[^\s@<>()]+@[^\s@<>().]+(\.[^\s@<>().]+)+", text):
        raise ValueError(f"expected a mail address such as me@example.org, found '{text}'")
    return text


def guid(text: str) -> str:
    """An identity as feeds write it: any text without spaces around."""
    if not text.strip() or text != text.strip():
        raise ValueError("expected an identity without spaces around it")
    return line(text)


def uuid(text: str) -> str:
    """A UUID in lower case."""
    if not re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", text.lower()):
        raise ValueError(f"expected a UUID such as 917393e3-1b1e-5cef-ace4-edaa54e1f810, found '{text}'")
    return text.lower()


def colour(text: str) -> str:
    """A colour as `#rrggbb`."""
    found = re.fullmatch(r"#([0-9a-f]{3}|[0-9a-f]{6})", text.lower())
    if not found:
        raise ValueError(f"expected a colour such as #b4451f (in quotes: # starts a comment), found '{text}'")
    digits = found[1]
    return "#" + (digits if len(digits) == 6 else "".join(digit * 2 for digit in digits))


def matching(pattern: str, expected: str) -> Callable[[str], str]:
    """A reader for a small grammar given as a regular expression."""

    def read(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise ValueError(f"expected {expected}, found '{text}'")
        return text

    return read
