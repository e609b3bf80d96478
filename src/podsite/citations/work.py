"""A thing to be cited, in no format: what an episode recommends, or an episode itself."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Mapping
from datetime import date

from podsite import urls, works
from podsite.citations.names import Name, name
from podsite.normal import arxiv, doi
from podsite.parts import Reading
from podsite.records import dataclass
from podsite.site import Entry, Site

EPISODE = "episode"  # the kind of an episode of the show itself
_HOSTS = {"Host", "Co-Host", "Guest Host"}

# Words of titles that say nothing.
_WORD = re.compile("[a-z0-9]+")
_EMPTY = frozenset(
    _WORD.findall(
        "a an and are as at be by can do does for from how i in into is it its lets my of on or our so some that the"
        " their there these this to towards under up using via we what when where which who why with you your about"
        " just not der die das ein eine und von zu im le la les un une des du de et el los las una y en il lo gli di"
        " e o os um uma"
    )
)
# How people write of authors whom they do not name.
_OTHERS = re.compile(r"(?:^|[\s,;]+)(?:et al\.?|and others)$|^others$", re.IGNORECASE)
_ISBN = re.compile(r"amazon\.[a-z.]+/dp/(\d{9}[\dX])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What there is to say about a work; `year` and, of an episode, its `day`; `host` is the site it lies on."""

    key: str
    kind: str | None
    title: str
    names: tuple[Name, ...]
    year: int | None
    url: str
    host: str
    has_more: bool = False  # whether there are authors besides, who are not named
    day: date | None = None
    doi: str | None = None
    arxiv: str | None = None
    isbn: str | None = None
    note: str | None = None
    archive: str | None = None
    show: str | None = None  # of an episode, like all that follows
    number: str | None = None
    seconds: int | None = None
    language: str | None = None


def of_reading(reading: Reading, key: str) -> Work:
    """A recommended work, called by its address where no title is known."""
    form = works.form_of(reading)
    return Work(
        key=key,
        kind=reading.kind,
        title=one_line(reading.title or reading.url),
        names=_names(reading),
        has_more=_has_more(reading),
        year=reading.year,
        url=reading.url,
        host=urls.host(reading.url),
        doi=doi(form),
        arxiv=arxiv(form),
        isbn=_isbn(form) if reading.kind == "book" else None,
        note=one_line(reading.note) if reading.note else None,
        archive=reading.archive,
    )


def _names(reading: Reading) -> tuple[Name, ...]:
    """Whom its authors name: of `Ada Reef et al.`, Ada Reef."""
    return tuple(
        Name(literal=one_line(each)) if each in reading.whole else name(named)
        for each in reading.authors
        if (named := _OTHERS.sub("", each)) or each in reading.whole
    )


def _has_more(reading: Reading) -> bool:
    return any(_OTHERS.search(each) for each in reading.authors if each not in reading.whole)


def of_episode(site: Site, entry: Entry) -> Work:
    """An episode; those who host it are its authors, else who makes the show."""
    show, episode = site.show, entry.episode
    hosts = [who.person.name for who in entry.people if who.role in _HOSTS] or [show.author]
    names = tuple(name(one) for one in hosts)
    day = episode.published.astimezone(show.timezone).date()
    return Work(
        key=base_key(names, day.year, episode.title, ""),
        kind=EPISODE,
        title=one_line(episode.title),
        names=names,
        year=day.year,
        day=day,
        url=urls.absolute(site.base_url, entry.address),
        host=urls.host(site.base_url),
        show=one_line(show.title),
        number=entry.label,
        seconds=entry.audio.duration if entry.audio else None,
        language=show.language,
    )


def keys(readings: Mapping[str, Reading]) -> dict[str, str]:
    """A key for each reading by its normal form: author, year, word. The first of those that would share one has it.

    Others get some letters of a digest, so that what is added later changes no key.
    """
    found: dict[str, str] = {}
    taken: set[str] = set()
    for form, reading in readings.items():
        key = base = base_key(_names(reading)[:1], reading.year, reading.title or "", form)
        digest = hashlib.sha256(form.encode()).hexdigest()
        length = 4
        while key in taken:
            key, length = f"{base}-{digest[:length]}", length + 4
        taken.add(key)
        found[form] = key
    return found


def base_key(names: tuple[Name, ...], year: int | None, title: str, form: str) -> str:
    """`yang2020dispatcher`: in small letters and digits, of whichever of its parts there are."""
    who = _letters(names[0].family or names[0].literal)[:24] if names else ""
    who = who or _letters(form.partition("/")[0].rpartition(".")[0].rpartition(".")[2])
    words = _WORD.findall(_folded(title.replace("'", "").replace("’", "")))
    word = next((word for word in words if word not in _EMPTY and not word.isdigit()), "")
    key = f"{who}{year or ''}{word[:24]}"
    return key if key.strip("0123456789") else "work" + hashlib.sha256(f"{form}{title}".encode()).hexdigest()[:8]


def _letters(text: str) -> str:
    return "".join(_WORD.findall(_folded(text)))


def _folded(text: str) -> str:
    """In small Latin letters, as far as it can be written in them."""
    plain = text.lower()
    if plain.isascii():
        return plain
    for letter, written in {"ß": "ss", "æ": "ae", "ø": "o", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th"}.items():
        plain = plain.replace(letter, written)
    return "".join(char for char in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(char))


def _isbn(form: str) -> str | None:
    """The ISBN in the address of a shop that puts it there."""
    found = _ISBN.fullmatch(form)
    if not found:
        return None
    digits = [10 if digit == "X" else int(digit) for digit in found[1]]
    right = sum(weight * digit for weight, digit in zip(range(10, 0, -1), digits, strict=True)) % 11 == 0
    return found[1] if right else None


def one_line(text: str) -> str:
    """A text without ends of lines, of whatever kind, and without runs of spaces."""
    return " ".join(text.split())
