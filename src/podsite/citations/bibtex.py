"""BibTeX, as BibTeX, biber, JabRef and Zotero read it: UTF-8, specials of TeX escaped, braces always even."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import starmap

from podsite.citations.names import Name
from podsite.citations.work import EPISODE, Work

# What has a meaning in TeX, written as Zotero does. BibTeX counts escaped braces too, so each is given another.
_SPECIAL = re.compile(r"[\\{}%#&_~^$`]|-(?=-)|'(?=')")
_WRITTEN = {
    "\\": r"{\textbackslash}", "{": r"\{\vphantom{\}}", "}": r"\vphantom{\{}\}", "~": r"{\textasciitilde}",
    "^": r"{\textasciicircum}", "`": r"{\textasciigrave}", "-": "-{}", "'": "'{}",
}  # fmt: skip
_TYPES = {
    "book": "book", "code": "software", "video": "video", "podcast": "audio", EPISODE: "audio", "talk": "misc",
}  # fmt: skip
_HELD = re.compile(r"\w[A-Z]|[A-Z].*[\d+#]|\d.*[A-Z]")
_UNEVEN = str.maketrans({"{": "%7B", "}": "%7D", "\\": "%5C"})


def entries(works: Iterable[Work]) -> str:
    """The works as a .bib file."""
    return "\n".join(map(entry, works))


def entry(work: Work) -> str:
    """One work."""
    fields = "".join(starmap("  {} = {{{}}},\n".format, _fields(work)))
    return f"@{_type(work)}{{{work.key},\n{fields}}}\n"


def _type(work: Work) -> str:
    if work.kind == "paper":
        return "misc" if work.arxiv else "article"
    return _TYPES.get(work.kind or "", "online")


def _fields(work: Work) -> Iterator[tuple[str, str]]:
    if work.names:
        yield "author", " and ".join([*map(_name, work.names), *(["others"] if work.has_more else [])])
    yield "title", _title(work.title)
    if work.show:
        yield "maintitle", _title(work.show)
        yield "titleaddon", "Audio podcast episode"
        yield "howpublished", _escaped(f"Podcast episode, {work.show}")
    if work.number:
        yield "number", _escaped(work.number)
    if work.kind == "talk":
        yield "type", "Talk"
    if work.day:
        yield "date", work.day.isoformat()
    if work.year:
        yield "year", str(work.year)
    if work.arxiv:
        yield from (("eprint", work.arxiv), ("archiveprefix", "arXiv"))
    # these are taken to the letter
    yield from _literal("doi", work.doi)
    yield from _literal("isbn", work.isbn)
    yield from _literal("url", work.url)
    yield from _literal("archiveurl", work.archive)
    if work.note:
        yield "annote", _escaped(work.note)
    if work.language:
        yield "langid", work.language


def _literal(field: str, value: str | None) -> Iterator[tuple[str, str]]:
    if value:
        yield field, value.translate(_UNEVEN)


def _name(name: Name) -> str:
    """A name in the form `von Last, Jr, First`, whose commas no part may have."""
    if name.literal:
        return f"{{{_escaped(name.literal)}}}"
    surname = f"{name.particle} {_part(name.family)}" if name.particle else _part(name.family)
    return ", ".join(filter(None, (surname, _part(name.suffix), _part(name.given))))


def _part(text: str) -> str:
    """A part of a name; one with a word that BibTeX would take for a joint, or without capitals, is held together."""
    escaped = _escaped(text)
    is_odd = re.search(r"(?i)\band\b", text) or (text and text[0].islower())
    return f"{{{escaped}}}" if is_odd else escaped


def _title(text: str) -> str:
    """A title, in which styles may make letters small but for those of words that would be others: `CUDA`, `C++`."""
    return " ".join(f"{{{_escaped(word)}}}" if _HELD.search(word) else _escaped(word) for word in text.split(" "))


def _escaped(text: str) -> str:
    return _SPECIAL.sub(lambda found: _WRITTEN.get(found[0], f"\\{found[0]}"), text)
