"""Times that cannot be, put right: words without an end, cues out of order, empty ones, and those that overlap."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

from podsite.parts import Cue
from podsite.transcripts.said import Remarks, Said
from podsite.transcripts.timing import guessed
from podsite.transcripts.words import joined


def cues(said: Iterable[Said], remarks: Remarks) -> Iterator[Cue]:
    """Words as cues in the order of their starts, each after its start and before the next; what was mended is told.

    Words that have no time belong to those before.
    """
    found = [*_timed(said)]
    ordered = sorted(found, key=lambda one: one.start or 0)
    late = [one for one, after in pairwise(found) if (after.start or 0) < (one.start or 0)]
    empty: list[Said] = []
    over: list[Said] = []
    for one, after in zip(ordered, [*ordered[1:], None], strict=False):
        start, end = one.start or 0.0, one.end
        limit = after.start if after and (after.start or 0) > start else None  # else two who speak at once
        if end is None:  # the file has none: the words last until the next ones
            end = limit if limit is not None else guessed(start, one.text)
        elif end <= start:
            empty.append(one)
            end = guessed(start, one.text) if limit is None else min(guessed(start, one.text), limit)
        elif limit is not None and end > limit:
            over.append(one)
            end = limit
        yield Cue(start=start, end=end, text=one.text, speaker=one.speaker)
    _tell(remarks, late, "starts after the cue that follows it; sorted")
    _tell(remarks, empty, "does not end after its start; its end is guessed from its words")
    _tell(remarks, over, "ends after the next cue has begun; cut there")


def _timed(said: Iterable[Said]) -> Iterator[Said]:
    """Words that have a time, each with what follows without one; what comes before all times is put to the first."""
    held: Said | None = None
    for one in said:
        if held is None or (one.start is not None and held.start is not None):
            if held:
                yield held
            held = one
        else:
            text, start = joined((held.text, one.text)), held.start if held.start is not None else one.start
            held = replace(held, text=text, start=start, end=held.end if one.end is None else one.end)
    if held:
        yield held


def _tell(remarks: Remarks, found: list[Said], message: str) -> None:
    if found:
        more = f" ({len(found) - 1} more like it)" if len(found) > 1 else ""
        remarks.append((found[0].line, f"cue {found[0].number} {message}{more}"))
