"""Chapters that stand in show notes: lines that begin with their time, as Apple, Spotify and YouTube read them."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise

from podsite import values
from podsite.chapters.made import Remarks, chapter
from podsite.chapters.simple import seconds
from podsite.parts import Chapter

#: How many make a list, and by when the first must begin, in seconds: else they point at moments, and are no chapters.
FEWEST, FIRST = 3, 10.0

_TIME = r"(?:\d{1,2}:)?\d{1,3}:\d{2}"
_STAMPED = re.compile(
    rf"[ \t]*(?:[-*+•][ \t]+|\d{{1,3}}[.)][ \t]+)?(?:\*\*|__)?[\[(]?({_TIME})[\])]?(?:\([^()\s]*\))?(?:\*\*|__)?"
    r"(?:[ \t]*[-–—:|·][ \t]*|[ \t]+)(\S.*)"
)
_LINK = re.compile(r"!?\[([^\[\]]*)\]\(\s*<?([^()\s<>]*)>?[^()]*\)")
_MARKS = re.compile(r"\*\*|__|``?|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)")
_ANY_TIME = re.compile(rf"(?<![\d:]){_TIME}(?![\d:])")


def chapters(notes: str) -> tuple[Chapter, ...]:
    """The chapters in Markdown notes: the first list of three or more times from the beginning on, each with a title.

    Only empty lines may stand between them, and each must be later than the one before.
    """
    for run in _runs(notes.split("\n")):
        made = [one for number, row in enumerate(run, 1) if (one := _chapter(number, *row))]
        ordered = all(first.start < second.start for first, second in pairwise(made))
        if len(made) == len(run) >= FEWEST and made[0].start <= FIRST and ordered:
            return tuple(made)
    return ()


def are_in(markup: str, listed: Iterable[Chapter]) -> bool:
    """Whether HTML names the time of each chapter already, as a player that counts whole seconds shows it."""
    text = html.unescape(re.sub(r"<[^<>]*>", "", markup))
    times = Counter(seconds(found) for found in _ANY_TIME.findall(text))
    return Counter(float(int(one.start)) for one in listed) <= times


def _runs(lines: Iterable[str]) -> Iterator[list[tuple[str, str]]]:
    """Stretches of lines that begin with a time: the time and the rest of each."""
    run: list[tuple[str, str]] = []
    for line in lines:
        found = _STAMPED.fullmatch(line.rstrip())
        if found:
            run.append((found[1], found[2]))
        elif line.strip() and run:
            yield run
            run = []
    if run:
        yield run


def _chapter(number: int, time: str, words: str) -> Chapter | None:
    start = seconds(time)
    linked = _LINK.search(words)
    url = linked[2] if linked and values.is_url(linked[2]) else ""
    title = html.unescape(_MARKS.sub("", _LINK.sub(r"\1", words.rstrip("\\"))))
    remarks: Remarks = []  # what cannot be a chapter makes no list of chapters
    return None if start is None else chapter(number, 0, remarks, start=start, title=title, url=url)
