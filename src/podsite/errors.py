"""What can be wrong and where: the only errors podsite raises for what a user can mend.

Only `cli` catches these; any other exception is a bug of podsite's own and shows its traceback.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import field
from typing import Literal

from podsite.records import dataclass

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A spot in a file: its path relative to the site, and line and column counted from 1 (0 = the whole file)."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing wrong: its place, the key it concerns (`further_reading[2].url`), what was found and how to mend it."""

    place: Place
    path: str
    message: str
    severity: Severity = field(default="error", compare=False)

    def __str__(self) -> str:
        where = f"{self.place}: {self.path}: " if self.path else f"{self.place}: "
        return where + ("warning: " if self.severity == "warning" else "") + self.message


class PodsiteError(Exception):
    """The base of every error a user can mend; its text is the message to print."""


class ContentError(PodsiteError):
    """Something in show.yaml, an episode, a page or a companion file is wrong; holds every problem found."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(problems))
        super().__init__("\n".join(map(str, self.problems)))


class TemplateError(ContentError):
    """A template is missing, does not parse, or asks for something that is not there."""


class OutputError(PodsiteError):
    """The output folder cannot or must not be written."""


class UsageError(PodsiteError):
    """The command line asks for something that makes no sense here; exits with 2."""


def nearest(found: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The known word nearest to `found`, or None when none is near: 1 is equal, 0 has nothing in common."""
    words = {word.casefold(): word for word in known}
    matcher = difflib.SequenceMatcher(b=found.casefold())
    best = (cutoff, "")
    for word in words:
        matcher.set_seq1(word)
        if matcher.real_quick_ratio() >= best[0] and matcher.quick_ratio() >= best[0]:
            best = max(best, (matcher.ratio(), word))
    return words[best[1]] if best[1] else None


def hint(found: str, known: Iterable[str]) -> str:
    """` (did you mean 'title'?)` for the known word nearest to `found`, or nothing when none is near."""
    near = nearest(found, known)
    return f" (did you mean '{near}'?)" if near else ""


class Hints:
    """Hints for what may be thousands of slips, each to be compared with thousands of words: the first few get one."""

    MOST = 20

    def __init__(self, known: Iterable[str]) -> None:
        self._known = known
        self._given = 0

    def __call__(self, found: str) -> str:
        """The hint for one of them."""
        self._given += 1
        if self._given == 1:
            self._known = sorted(self._known)
        return hint(found, self._known) if self._given <= self.MOST else ""


def listed(words: Iterable[str]) -> str:
    """Words as a sentence lists them: `a, b and c`; empty without any."""
    *first, last = [*words] or [""]
    return f"{', '.join(first)} and {last}" if first else last
