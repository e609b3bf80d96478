"""What readers find in a transcript, and who says it where names stand in the text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from podsite.records import dataclass
from podsite.transcripts.words import joined

#: What was mended: line, counted from 1, and message.
Remarks = list[tuple[int, str]]

_NAME = re.compile(
    r"(?:(?:-|>>)\s*)?(?:\[([^\[\]:]{1,60})\]|((?:[^\W\d_a-z][\w.'’-]*)(?: [^\Wa-z_][\w.'’-]*){0,3})):(?:\s+|$)"
)


@dataclass(frozen=True, slots=True)
class Said:
    """Some words of a transcript: when (seconds, None where the file does not tell), what, and by whom.

    `number` counts the cues or paragraphs of the file from 1, as `line` does its lines (0: unknown), for warnings.
    """

    start: float | None
    end: float | None
    text: str
    speaker: str | None
    number: int
    line: int


def names_in(lines: Iterable[str], known: Collection[str]) -> frozenset[str]:
    """Who speaks, of names that stand before a colon: those that are known, and those that stand there twice.

    A word that stands there once could be any; who speaks, speaks again.
    """
    found = Counter(name for line in lines if (name := _named(line, known)[0]))
    return frozenset(name for name, count in found.items() if count > 1 or name in known)


def _named(line: str, known: Collection[str]) -> tuple[str | None, str]:
    """The name before a line's words, if any, and the words behind it."""
    line = line.strip()
    own = next((name for name in known if line.startswith(f"{name}:")), None)
    if own:
        return own, line[len(own) + 1 :].strip()
    found = _NAME.match(line)
    return (" ".join((found[1] or found[2]).split()), line[found.end() :]) if found else (None, line)


def turns(lines: Iterable[str], names: Collection[str], speaker: str | None) -> Iterator[tuple[str | None, str]]:
    """Who says what of lines in a row: a name stands only where the speaker changes."""
    words: list[str] = []
    for line in lines:
        name, rest = _named(line, names)
        if name in names:
            if words:
                yield speaker, joined(words)
            speaker, words = name, [rest]
        else:
            words.append(line)
    yield speaker, joined(words)
