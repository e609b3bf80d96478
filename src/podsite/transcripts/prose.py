"""Plain text: paragraphs with names before a colon, and times where somebody wrote them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import pairwise

from podsite.records import dataclass
from podsite.transcripts.said import Remarks, Said, names_in, turns
from podsite.transcripts.timing import TIME, seconds

_MARK = rf"[\[(]?{TIME}[\])]?"
_BEFORE = re.compile(rf"{_MARK}(?:\s*[-–—:]\s+|\s+|$)(.*)")
_BEHIND = re.compile(rf"((?:[^\W\d_a-z][\w.'’-]*)(?: [^\Wa-z_][\w.'’-]*){{0,3}})\s+{_MARK}:?(?:\s+(.*)|$)")
_LONG = 600  # characters after which lines without an empty one between them make another paragraph
_ENDS = (".", "!", "?", "…", "。", '."', ".”")


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of text: its number, the time it begins with, the name behind which the time stands, the rest."""

    number: int
    start: float | None
    name: str | None
    rest: str


def read(text: str, known: Collection[str], _: Remarks) -> list[Said]:
    """The paragraphs of a text."""
    return paragraphs([(number, line) for number, line in enumerate(text.split("\n"), 1)], known)


def paragraphs(rows: Iterable[tuple[int, str]], known: Collection[str]) -> list[Said]:
    """Lines with their numbers as paragraphs; times count only where most have one, in order, as names that recur."""
    rows = [(number, line.strip()) for number, line in rows]
    found = [_line(number, line) for number, line in rows]
    blocks = sum(bool(line) for (_, before), (_, line) in pairwise([(0, ""), *rows]) if not before)
    starts = [one.start for one in found if one.start is not None]
    if len(starts) * 2 < blocks or any(after < before for before, after in pairwise(starts)):
        found = [_Line(number, None, None, line) for number, line in rows]
    named = frozenset(one.name for one in found if one.name)
    names = names_in((one.rest for one in found), {*known, *named})
    said: list[Said] = []
    speaker: str | None = None
    for begin, who, lines, line in _paragraphs(found, names):
        start = begin
        for name, words in turns(lines, names, who or speaker):
            speaker = name
            if words:
                said.append(Said(start, None, words, name, len(said) + 1, line))
                start = None  # what another says in the same paragraph has no time of its own
    return said


def _line(number: int, line: str) -> _Line:
    before, behind = _BEFORE.match(line), _BEHIND.match(line)
    if before:
        return _Line(number, seconds(*before.groups()[:4]), None, before[5])
    if behind:
        return _Line(number, seconds(*behind.groups()[1:5]), behind[1], behind[6] or "")
    return _Line(number, None, None, line)


def _paragraphs(
    found: Iterable[_Line], names: Collection[str]
) -> Iterator[tuple[float | None, str | None, list[str], int]]:
    """The start, the speaker if named apart, the lines and the number of the first line of each paragraph."""
    found = list(found)
    has_gaps = any(not one.rest and one.start is None for one in found[:-1])
    held: list[_Line] = []
    for one in found:
        is_empty = not one.rest and one.start is None
        begins = is_empty or one.start is not None or _begins(one.rest, names)
        if held and (begins or (not has_gaps and _is_long(held))):
            yield held[0].start, held[0].name, [line.rest for line in held if line.rest], held[0].number
            held = []
        if not is_empty:
            held.append(one)
    if held:
        yield held[0].start, held[0].name, [line.rest for line in held if line.rest], held[0].number


def _begins(line: str, names: Collection[str]) -> bool:
    return bool(names) and next(iter(turns([line], names, None)))[0] is not None


def _is_long(held: list[_Line]) -> bool:
    return sum(len(one.rest) for one in held) > _LONG and held[-1].rest.endswith(_ENDS)
