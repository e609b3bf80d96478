"""SRT, in and out."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from podsite.parts import Cue
from podsite.transcripts.blocks import blocks, parts
from podsite.transcripts.said import Remarks, Said, names_in, turns
from podsite.transcripts.timing import clock
from podsite.transcripts.words import pieces

_TAG = re.compile(r"</?(?:[bius]|font)(?:\s[^<>]*)?>|\{\\[^{}]*\}", re.IGNORECASE)
_WIDTH, _HEIGHT = 32, 2  # characters and lines that fit a small screen, as the podcast namespace recommends


def read(text: str, known: Collection[str], remarks: Remarks) -> Iterator[Said]:
    """The cues of a file, with comma or point, with or without numbers."""
    found = [
        replace(block, lines=tuple(_TAG.sub("", one) for one in block.lines))
        for block in blocks(text.split("\n"), remarks)
    ]
    names = names_in((line for block in found for line in block.lines), known)
    speaker: str | None = None
    for number, block in enumerate(found, 1):
        said = list(turns(block.lines, names, speaker))
        speaker = said[-1][0]
        yield from parts(block, number, said)


def write(cues: Iterable[Cue]) -> str:
    """Cues as an SRT file: two lines of 32 characters at most, the speaker's name where another begins.

    A longer cue becomes several, which share its time by their length. An arrow `-->` would end a cue: it is `→`.
    """
    written: list[str] = []
    speaker: str | None = None
    for cue in cues:
        name = f"{_short(cue.speaker)}:" if cue.speaker and cue.speaker != speaker else ""
        speaker = cue.speaker
        found = [*pieces(cue.text.replace("-->", "→"), _WIDTH, _HEIGHT, name)]
        for start, end, inside in _shared(round(cue.start * 1000), round(cue.end * 1000), found):
            times = f"{clock(start / 1000, ',')} --> {clock(end / 1000, ',')}"
            written.append(f"{len(written) + 1}\n{times}\n" + "\n".join(inside) + "\n")
    return "\n".join(written)


def _short(name: str) -> str:
    """As many words of a name as leave room on a line."""
    kept = name
    while len(kept) > _WIDTH - 2 and " " in kept:
        kept = kept.rpartition(" ")[0]
    return kept.replace(":", "")[: _WIDTH - 2]


def _shared(start: int, end: int, found: list[list[str]]) -> Iterator[tuple[int, int, list[str]]]:
    """Each piece with its start and end in milliseconds; where there is no time to share, all lines as one."""
    if end - start < len(found):
        yield start, end, [line for piece in found for line in piece]
        return
    sizes = [sum(map(len, piece)) for piece in found]
    done, begin = 0, start
    for index, (piece, size) in enumerate(zip(found, sizes, strict=True), 1):
        done += size
        share = start + round((end - start) * done / sum(sizes))
        until = end if index == len(found) else min(max(share, begin + 1), end - (len(found) - index))
        yield begin, until, piece
        begin = until
