"""Quotes: moments worth sharing. When they are said, where the transcript tells; how to name them; as soundbites."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from podsite import urls, values
from podsite.model import Episode
from podsite.parts import Cue, Quote
from podsite.podcasting import Soundbite
from podsite.records import dataclass

SHORTEST, LONGEST = 15.0, 120.0  # seconds of a soundbite, as its specification recommends
_SAME = 1.0  # seconds within which a soundbite begins where a quote does
_NEAR = 30.0  # seconds around the moment that is written, in which the words must be to tell how long they take
_EDGE = 4  # words at each end of a quote that must be in the transcript where not all of it is
_NAMED = 6  # words that name a quote without a moment
_LONGEST_NAME = 60  # characters
_CAPTION = 128  # characters of a soundbite's title

_APOSTROPHE = re.compile("['’]")


class Span(NamedTuple):
    """From when to when words are said, in seconds."""

    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quote with the address of its page."""

    quote: Quote
    address: str


class Words:
    """The words of a transcript, to look for others in."""

    def __init__(self, cues: Sequence[Cue]) -> None:
        self._cues = cues
        self._owners: list[int] = []
        tokens: list[str] = []
        for number, cue in enumerate(cues):
            found = _tokens(cue.text)
            tokens += found
            self._owners += [number] * len(found)
        self._text = f" {' '.join(tokens)} "

    def find(self, text: str, near: float | None = None) -> Span | None:
        """When a text is said; of several times the one nearest to a moment, else the first.

        Letter case, punctuation and line ends do not matter. Of a text that is not there word for word, it is enough
        if the transcript has its beginning and, not much later than it would, its end.
        """
        tokens = _tokens(text)
        if not tokens:
            return None
        spans = [*self._exact(tokens)] or [*self._by_edges(tokens)]
        return min(spans, key=lambda span: abs(span.start - near) if near is not None else span.start, default=None)

    def _exact(self, tokens: Sequence[str]) -> Iterator[Span]:
        for at in self._places(tokens):
            yield self._span(at, at + len(tokens) - 1)

    def _by_edges(self, tokens: Sequence[str]) -> Iterator[Span]:
        if len(tokens) < 2 * _EDGE:
            return
        ends = [at + _EDGE - 1 for at in self._places(tokens[-_EDGE:])]
        for at in self._places(tokens[:_EDGE]):
            last = next((end for end in ends if at < end <= at + 2 * len(tokens)), None)
            if last is not None:
                yield self._span(at, last)

    def _places(self, tokens: Sequence[str]) -> Iterator[int]:
        """The numbers of the words at which some words stand."""
        wanted = f" {' '.join(tokens)} "
        at = self._text.find(wanted)
        while at >= 0:
            yield self._text.count(" ", 0, at)
            at = self._text.find(wanted, at + 1)

    def _span(self, first: int, last: int) -> Span:
        return Span(self._cues[self._owners[first]].start, self._cues[self._owners[last]].end)


def settled(quotes: Sequence[Quote], cues: Sequence[Cue]) -> Iterator[Quote]:
    """The quotes with their names, and with start and duration as far as the transcript tells what is not written.

    A quote is named by the moment that is written, else by its first words: its address lasts as long as these do.
    """
    words = Words(cues) if quotes and cues else None
    used: set[str] = set()
    for quote in quotes:
        span = words.find(quote.text, quote.start) if words else None
        start = quote.start if quote.start is not None else span.start if span else None
        duration = quote.duration
        if duration is None and span and start is not None and abs(span.start - start) <= _NEAR:
            duration = round(span.end - start, 3)
        anchor = next(name for name in _names(quote) if name not in used)
        used.add(anchor)
        yield replace(quote, start=start, duration=duration if duration and duration > 0 else None, anchor=anchor)


def _names(quote: Quote) -> Iterator[str]:
    """What a quote may be called, the best name first."""
    words = values.slug(" ".join(quote.text.split()[:_NAMED]))[:_LONGEST_NAME].strip("-") or "quote"
    if quote.start is None:
        yield words
    else:
        exact = f"t-{quote.start:.3f}".rstrip("0").rstrip(".")
        yield f"t-{int(quote.start)}"
        yield exact
        words = f"{exact}-{words}"
        yield words
    number = 1
    while True:
        number += 1
        yield f"{words}-{number}"


def quoted(episode: Episode) -> tuple[Quoted, ...]:
    """The quotes of an episode with their addresses."""
    return tuple(Quoted(quote, urls.quote(episode.slug, quote.anchor)) for quote in episode.quotes)


def soundbites(episode: Episode) -> tuple[Soundbite, ...]:
    """The soundbites of an episode: those that are written, then its quotes that are none of these.

    A quote of less than 15 seconds goes on until then; one of more than two minutes, or of unknown length, is none.
    """
    found = [*episode.soundbites]
    end = episode.audio.duration if episode.audio else None
    for quote in episode.quotes if episode.audio else ():
        if quote.start is None or quote.duration is None:
            continue
        start, duration = quote.start, max(quote.duration, SHORTEST)
        fits = duration <= LONGEST and (end is None or start + duration <= end)
        if fits and all(abs(bite.start - start) > _SAME for bite in found):
            found.append(Soundbite(start=start, duration=duration, title=_caption(quote.text)))
    return tuple(found)


def _caption(text: str) -> str:
    """A text as a title, cut between words."""
    line = " ".join(text.split())
    return line if len(line) <= _CAPTION else line[: _CAPTION - 1].rsplit(" ", 1)[0] + "…"


@cache
def _token() -> re.Pattern[str]:
    """A word, or a letter of scripts that are written without spaces. Compiled when it is needed: that takes long."""
    return re.compile(r"[⺀-⿕々〆〇ぁ-鿿]|[^\W_]+")


def _tokens(text: str) -> list[str]:
    return _token().findall(_APOSTROPHE.sub("", text.casefold()))
