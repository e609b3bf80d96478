"""Cues between lines of times, which are what WebVTT and SRT have in common."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from podsite.records import dataclass
from podsite.transcripts.said import Remarks, Said
from podsite.transcripts.timing import TIME, seconds

_TIMING = re.compile(rf"\s*{TIME}\s*-->\s*{TIME}(?=\s|$)")


@dataclass(frozen=True, slots=True)
class Block:
    """A cue as it stands in the file: the line of its times, counted from 1, its times, and the lines below."""

    line: int
    start: float
    end: float
    lines: tuple[str, ...]


def blocks(lines: Sequence[str], remarks: Remarks) -> Iterator[Block]:
    """The stretches between lines of times."""
    timings: list[tuple[int, re.Match[str]]] = []
    for index, line in enumerate(lines):
        if "-->" in line:
            found = _TIMING.match(line)
            if found:
                timings.append((index, found))
            else:
                remarks.append((index + 1, f"'{line.strip()}' is no line of times; left out with the words below"))
    for number, (index, found) in enumerate(timings):
        last = number + 1 == len(timings)
        words = _body(lines[index + 1 :] if last else lines[index + 1 : timings[number + 1][0]], last=last)
        yield Block(index + 1, seconds(*found.groups()[:4]), seconds(*found.groups()[4:]), words)


def _body(lines: Sequence[str], *, last: bool) -> tuple[str, ...]:
    """A cue's lines: up to a line of times that cannot be read, without the name or number of the next cue."""
    broken = next((n for n, line in enumerate(lines) if "-->" in line), None)
    if broken is not None:
        lines, last = lines[:broken], False
    if last or not lines or not lines[-1].strip():
        return tuple(lines)
    begins_block = len(lines) > 1 and not lines[-2].strip()
    return tuple(lines[:-1] if begins_block or lines[-1].strip().isdigit() else lines)


def parts(block: Block, number: int, turns: Iterable[tuple[str | None, str]]) -> Iterator[Said]:
    """One cue for each speaker in a block; the block's time is shared out by the length of what they say."""
    said = [(who, " ".join(words.split())) for who, words in turns]
    said = [(who, words) for who, words in said if words]
    total, start = sum(len(words) for _, words in said), block.start
    for index, (who, words) in enumerate(said, 1):
        share = round(start + (block.end - block.start) * len(words) / total, 3)
        end = block.end if index == len(said) else share
        yield Said(start, end, words, who, number, block.line)
        start = end
