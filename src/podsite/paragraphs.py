"""Cues → paragraphs: the spoken words as they are read on a page, each with an anchor that lasts.

Where a paragraph begins depends only on the cues around it, so that a correction far away moves no anchor.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from itertools import chain, count, pairwise

from podsite import values
from podsite.contexts import Paragraph, Stretch
from podsite.filters import seconds
from podsite.parts import Chapter, Cue, Passage
from podsite.records import dataclass
from podsite.theme import trusted
from podsite.transcripts.words import is_unspaced

PAUSE = 2.0  # seconds of silence that part two paragraphs
WINDOW = 45.0  # seconds; a long speech begins a new paragraph with the first sentence of each
NEAR = 15.0  # seconds; not where another speaks, pauses or begins a chapter so soon before or after
LONG = 240  # characters after which words without an end of a sentence can be linked to again
_EARLY = 0.5  # seconds by which what belongs to a chapter may begin before it
_NAMED = 40  # characters of a paragraph without times that name it
_MOMENT = re.compile('<span id="t=([0-9.]+)">')
_NOBODY: Mapping[str, str] = {}

_ENDS = re.compile(r"[.!?…]+[\"'”’»)\]]*(?=\s)|[。！？]+[」』）”’]*")
_ENDED = re.compile(r"(?:[.!?…]+[\"'”’»)\]]*|[。！？]+[」』）”’]*)\s*$")


def stretches(
    cues: Sequence[Cue], chapters: Sequence[Chapter] = (), homes: Mapping[str, str] = _NOBODY
) -> Iterator[Stretch]:
    """The paragraphs of a transcript under the chapters they are spoken in; a chapter in which nobody speaks is none.

    A paragraph's anchor tells its second, `t-754`; a second one in that second tells the fraction too, `t-754.6`. The
    speaker stands where it is another than before; `homes` are the addresses of people's pages, by their ids.
    """
    starts = [chapter.start - _EARLY for chapter in chapters]
    numbers = [bisect(starts, cue.start) for cue in cues]
    used: set[str] = set()
    under: list[Paragraph] = []
    number, speaker = 0, None
    for begin, end in _bounds(cues, numbers):
        if under and numbers[begin] != number:
            yield _stretch(chapters, number, under)
            under = []
        number = numbers[begin]
        part = _paragraph(cues[begin:end], used, homes)
        if part.text:
            under.append(_unnamed(part) if part.speaker == speaker else part)
            speaker = part.speaker
    if under:
        yield _stretch(chapters, number, under)


def untimed(passages: Iterable[Passage], homes: Mapping[str, str] = _NOBODY) -> Stretch:
    """Paragraphs without times. The first words are the anchor, for there is nothing else that lasts."""
    used: set[str] = set()
    parts: list[Paragraph] = []
    last = None
    for passage in passages:
        text = " ".join(passage.text.split())
        part = Paragraph(
            anchor=_free(used, f"p-{values.slug(text[:_NAMED]) or len(parts) + 1}"),
            start=None,
            speaker=passage.speaker,
            person=passage.person,
            page=homes.get(passage.person or ""),
            text=text,
            html=trusted(_escaped(text)),
        )
        parts.append(_unnamed(part) if passage.speaker == last else part)
        last = passage.speaker
    return Stretch(anchor=None, chapter=None, paragraphs=tuple(parts))


def anchor_at(spoken: Iterable[Stretch], start: float) -> str | None:
    """The anchor of the sentence or paragraph that is said at a moment; None before the first."""
    found = None
    for stretch in spoken:
        for part in stretch.paragraphs:
            if part.start is None or part.start > start:
                return found
            found = part.anchor
            for moment in _MOMENT.findall(part.html):
                found = f"t={moment}" if float(moment) <= start else found
    return found


def _unnamed(part: Paragraph) -> Paragraph:
    """A paragraph of whoever spoke before."""
    return replace(part, speaker=None, person=None, page=None)


def _stretch(chapters: Sequence[Chapter], number: int, parts: list[Paragraph]) -> Stretch:
    chapter = chapters[number - 1] if number else None
    anchor = f"c-{seconds(chapter.start)}" if chapter else None
    return Stretch(anchor=anchor, chapter=chapter, paragraphs=tuple(parts))


def _bounds(cues: Sequence[Cue], numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Where paragraphs begin and end, by the numbers of cues."""
    natural = [n for n in range(len(cues)) if _parts(cues, numbers, n)]
    times = [cues[n].start for n in natural]

    def is_alone(n: int) -> bool:
        """Whether no paragraph begins for another reason near a cue."""
        at = bisect(times, cues[n].start)
        return all(abs(cues[n].start - time) > NEAR for time in times[max(at - 1, 0) : at + 1])

    marks = sorted({*natural, *(n for n in _paced(cues) if is_alone(n))})
    yield from pairwise([*marks, len(cues)])


def _parts(cues: Sequence[Cue], numbers: Sequence[int], n: int) -> bool:
    """Whether a paragraph begins at a cue because another speaks, after a pause, or with a chapter."""
    if n == 0:
        return True
    cue, last = cues[n], cues[n - 1]
    return cue.speaker != last.speaker or cue.start - last.end > PAUSE or numbers[n] != numbers[n - 1]


def _paced(cues: Sequence[Cue]) -> Iterator[int]:
    """The first cue of each window that begins a sentence; of words without sentences simply the first."""
    firsts: dict[int, int] = {}
    sentences: dict[int, int] = {}
    for n, cue in enumerate(cues):
        window = int(cue.start // WINDOW)
        firsts.setdefault(window, n)
        if n and _ENDED.search(cues[n - 1].text):
            sentences.setdefault(window, n)
    for window, first in firsts.items():
        if window in sentences:
            yield sentences[window]
        elif window - 1 not in sentences:
            yield first


def _paragraph(cues: Sequence[Cue], used: set[str], homes: Mapping[str, str]) -> Paragraph:
    start, person = cues[0].start, cues[0].person
    anchor = _free(used, f"t-{int(start)}", f"t-{seconds(start)}")
    text, html = "", ""
    for sentence in _sentences(cues):
        space = "" if not text or _are_joined(text, sentence.words) else " "
        words = _escaped(sentence.words)
        # the first is found by the paragraph; an id that is a moment needs no script to lead there, nor to be known
        known = f"t={seconds(sentence.start)}"
        if text and known not in used:
            used.add(known)
            words = f'<span id="{known}">{words}</span>'
        text, html = text + space + sentence.words, html + space + words
    return Paragraph(
        anchor=anchor,
        start=start,
        speaker=cues[0].speaker,
        person=person,
        page=homes.get(person or ""),
        text=text,
        html=trusted(html),
    )


@dataclass(slots=True)
class _Sentence:
    """Words that can be linked to, and the start of the cue in which they begin."""

    start: float
    words: str

    @property
    def is_over(self) -> bool:
        """Whether what follows is another."""
        return bool(_ENDED.search(self.words)) or len(self.words) > LONG


def _sentences(cues: Sequence[Cue]) -> Iterator[_Sentence]:
    """The words of a paragraph from one sentence's beginning to the next; those that begin in one cue stay together."""
    last = _Sentence(cues[0].start, "")
    for cue in cues:
        words = " ".join(cue.text.split())
        if not words:
            continue
        if last.words and last.is_over:
            yield last
            last = _Sentence(cue.start, words)
            continue
        end = _ENDS.search(words) if last.words else None
        head, rest = (words[: end.end()], words[end.end() :].strip()) if end else (words, "")
        last.words += ("" if not last.words or _are_joined(last.words, head) else " ") + head
        if rest:
            yield last
            last = _Sentence(cue.start, rest)
    if last.words:
        yield last


def _are_joined(before: str, after: str) -> bool:
    """Whether two texts in a row have no space between."""
    return is_unspaced(before[-1]) and is_unspaced(after[0])


def _free(used: set[str], *names: str) -> str:
    """The first of the names that is not used yet, else the last with a number; it is used from then on."""
    numbered = (f"{names[-1]}-{number}" for number in count(2))
    found = next(each for each in chain(names, numbered) if each not in used)
    used.add(found)
    return found


def _escaped(text: str) -> str:
    return escape(text, quote=False)
