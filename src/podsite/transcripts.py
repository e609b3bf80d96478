"""Transcripts: WebVTT and SRT in, WebVTT out.

Of 810 real files 227 have a cue that ends before it begins, and many SRT files have no numbers or write points for
commas. So reading is our own: webvtt-py refuses those files whole and knows no lines to name in a warning.
"""

from __future__ import annotations

import html
import re
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from podsite.parts import Cue

__all__ = ["READERS", "Cue", "Remarks", "clock", "read", "vtt"]

_TIME = r"(?:(\d+):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?"
_TIMING = re.compile(rf"\s*{_TIME}\s*-->\s*{_TIME}(?=\s|$)")
# Only the tags that captions have: `vector<int>` in a talk about code is text.
_VTT_TAG = re.compile(r"</?(?:[bciuv]|lang|ruby|rt)(?:[.\s][^<>]*)?>|<\d[\d:.]*>")
_VOICE = re.compile(r"<v(?:\.[^\s<>]*)?\s+([^<>]*)>")
_SRT_TAG = re.compile(r"</?(?:[bius]|font)(?:\s[^<>]*)?>|\{\\[^{}]*\}", re.IGNORECASE)
_NAME = re.compile(r"(?:-\s*)?((?:[^\W\d_a-z][\w.'’-]*)(?: [^\Wa-z_][\w.'’-]*){0,3}):\s+(?=\S)")
_LINE = 65  # characters, as Apple recommends
_READING = 15  # characters a second, where a cue's end has to be guessed

Remarks = list[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class _Block:
    """A cue as it stands in the file: the line of its times, counted from 1, its times, and the lines below."""

    line: int
    start: float
    end: float
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Read:
    """A cue with the number it has in the file and its line, for warnings."""

    cue: Cue
    number: int
    line: int


def read(text: str, suffix: str) -> tuple[tuple[Cue, ...], Remarks]:
    """The cues of a transcript in the order of their starts, and what was mended: line and message.

    `suffix` is the file's ending, one of `READERS`. Nothing is refused: what is no cue is left out, an end that
    does not come after its start is guessed, and a cue that runs into the next is cut there.
    """
    remarks: Remarks = []
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    found = list(READERS[suffix.lower()](lines, remarks))
    if not found:
        remarks.append((1, "holds no cue that can be read; expected lines such as '00:01.000 --> 00:04.000'"))
    return tuple(one.cue for one in _mended(found, remarks)), sorted(remarks)


def vtt(cues: Iterable[Cue]) -> str:
    """Cues as a WebVTT file, each with its speaker as a voice, as Apple reads them; lines of at most 65 characters."""
    return "\n".join(["WEBVTT\n", *map(_vtt_cue, cues)])


def clock(seconds: float) -> str:
    """A point in time as WebVTT and Podlove write it: `01:02:03.500`."""
    whole, milliseconds = divmod(round(seconds * 1000), 1000)
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}.{milliseconds:03}"


def _vtt_cue(cue: Cue) -> str:
    voice = f"<v {_escaped(cue.speaker)}>" if cue.speaker else ""
    words = textwrap.wrap(cue.text, _LINE, break_long_words=False, break_on_hyphens=False)
    return f"{clock(cue.start)} --> {clock(cue.end)}\n{voice}" + "\n".join(map(_escaped, words)) + "\n"


def _escaped(text: str) -> str:
    return html.escape(text, quote=False)  # `>` too, so that no text holds the arrow of a timing line


def _webvtt(lines: list[str], remarks: Remarks) -> Iterator[_Read]:
    for number, block in enumerate(_blocks(lines, remarks), 1):
        # a cue ends at the first empty line; notes and styles come after one
        end = next((n for n, line in enumerate(block.lines) if not line.strip()), len(block.lines))
        yield from _parts(block, number, _voices(" ".join(block.lines[:end])))


def _voices(text: str) -> Iterator[tuple[str | None, str]]:
    pieces = _VOICE.split(text)  # text, name, text, name, text …
    for name, words in zip([None, *pieces[1::2]], pieces[::2], strict=True):
        yield html.unescape(name).strip() if name else None, html.unescape(_VTT_TAG.sub("", words))


def _subrip(lines: list[str], remarks: Remarks) -> Iterator[_Read]:
    blocks = [
        replace(block, lines=tuple(_SRT_TAG.sub("", one) for one in block.lines)) for block in _blocks(lines, remarks)
    ]
    named = Counter(found[1] for block in blocks for line in block.lines if (found := _NAME.match(line.strip())))
    # once could be any word before a colon; who speaks, speaks again
    names = {name for name, count in named.items() if count > 1}
    speaker: str | None = None
    for number, block in enumerate(blocks, 1):
        turns = list(_turns(block, names, speaker))
        speaker = turns[-1][0] if turns else speaker
        yield from _parts(block, number, turns)


def _turns(block: _Block, names: set[str], speaker: str | None) -> Iterator[tuple[str | None, str]]:
    """Who says what in a cue: a name stands only where the speaker changes."""
    words: list[str] = []
    for line in map(str.strip, block.lines):
        found = _NAME.match(line)
        if found and found[1] in names:
            if words:
                yield speaker, " ".join(words)
            speaker, words = found[1], [line[found.end() :]]
        else:
            words.append(line)
    yield speaker, " ".join(words)


def _blocks(lines: list[str], remarks: Remarks) -> Iterator[_Block]:
    """The stretches between lines of times, which are the one thing all these files have in common."""
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
        yield _Block(index + 1, _seconds(*found.groups()[:4]), _seconds(*found.groups()[4:]), words)


def _body(lines: list[str], *, last: bool) -> tuple[str, ...]:
    """A cue's lines: up to a line of times that cannot be read, without the name or number of the next cue."""
    broken = next((n for n, line in enumerate(lines) if "-->" in line), None)
    if broken is not None:
        lines, last = lines[:broken], False
    if last or not lines or not lines[-1].strip():
        return tuple(lines)
    begins_block = len(lines) > 1 and not lines[-2].strip()
    return tuple(lines[:-1] if begins_block or lines[-1].strip().isdigit() else lines)


def _seconds(hours: str | None, minutes: str, seconds: str, fraction: str | None) -> float:
    return round(int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds) + float(f"0.{fraction or 0}"), 3)


def _parts(block: _Block, number: int, said: Iterable[tuple[str | None, str]]) -> Iterator[_Read]:
    """One cue for each speaker in a block; the block's time is shared out by the length of what they say."""
    turns = [(who, " ".join(words.split())) for who, words in said]
    turns = [(who, words) for who, words in turns if words]
    total, start = sum(len(words) for _, words in turns), block.start
    for index, (who, words) in enumerate(turns, 1):
        share = round(start + (block.end - block.start) * len(words) / total, 3)
        end = block.end if index == len(turns) else share
        yield _Read(Cue(start=start, end=end, text=words, speaker=who), number, block.line)
        start = end


def _mended(found: list[_Read], remarks: Remarks) -> Iterator[_Read]:
    ordered = sorted(found, key=lambda one: one.cue.start)
    late = [one for one, after in pairwise(found) if after.cue.start < one.cue.start]
    empty: list[_Read] = []
    over: list[_Read] = []
    for one, after in zip(ordered, [*ordered[1:], None], strict=False):
        cue, limit = one.cue, after.cue.start if after else None
        if limit is not None and limit <= cue.start:
            limit = None  # two who speak at once
        if cue.end <= cue.start:
            empty.append(one)
            guess = round(cue.start + max(1.0, len(cue.text) / _READING), 3)
            cue = replace(cue, end=guess if limit is None else min(guess, limit))
        elif limit is not None and cue.end > limit:
            over.append(one)
            cue = replace(cue, end=limit)
        yield replace(one, cue=cue)
    for kind, message in (
        (late, "starts after the cue that follows it; sorted"),
        (empty, "does not end after its start; its end is guessed from its words"),
        (over, "ends after the next cue has begun; cut there"),
    ):
        if kind:
            more = f" ({len(kind) - 1} more like it)" if len(kind) > 1 else ""
            remarks.append((kind[0].line, f"cue {kind[0].number} {message}{more}"))


#: What reads a transcript's lines, by the ending of its file.
READERS: dict[str, Callable[[list[str], Remarks], Iterator[_Read]]] = {".vtt": _webvtt, ".srt": _subrip}
