"""WebVTT, in and out: https://www.w3.org/TR/webvtt1/."""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterable, Iterator

from podsite.parts import Cue
from podsite.transcripts.blocks import Block, blocks, parts
from podsite.transcripts.said import Remarks, Said, names_in, turns
from podsite.transcripts.timing import clock
from podsite.transcripts.words import joined, lines

# Only the tags that captions have: `vector<int>` in a talk about code is text.
_TAG = re.compile(r"</?(?:[bciuv]|lang|ruby|rt)(?:[.\s][^<>]*)?>|<\d[\d:.]*>")
_VOICE = re.compile(r"<v(?:\.[^\s<>]*)?\s+([^<>]*)>")
_LINE = 65  # characters, as Apple recommends


def read(text: str, known: Collection[str], remarks: Remarks) -> Iterator[Said]:
    """The cues of a file. Names before a colon are speakers only where no cue has a voice; Zoom writes such files."""
    rows = text.split("\n")
    if not re.match(r"WEBVTT(?:\s|$)", text):
        remarks.append((1, "does not begin with 'WEBVTT'; read all the same"))
    # a cue ends at the first empty line; notes and styles come after one
    found = [(block, _until_empty(block)) for block in blocks(rows, remarks)]
    if any("<v" in line for _, inside in found for line in inside):
        for number, (block, inside) in enumerate(found, 1):
            yield from parts(block, number, _voices(joined(inside)))
        return
    plain = [(block, tuple(map(_unmarked, inside))) for block, inside in found]
    names = names_in((line for _, inside in plain for line in inside), known)
    speaker: str | None = None
    for number, (block, inside) in enumerate(plain, 1):
        said = list(turns(inside, names, speaker))
        speaker = said[-1][0]
        yield from parts(block, number, said)


def write(cues: Iterable[Cue]) -> str:
    """Cues as a WebVTT file, each with its speaker as a voice, as Apple reads them; lines of at most 65 characters."""
    return "\n".join(["WEBVTT\n", *map(_cue, cues)])


def _cue(cue: Cue) -> str:
    voice = f"<v {_escaped(cue.speaker)}>" if cue.speaker else ""
    words = "\n".join(map(_escaped, lines(cue.text, _LINE)))
    return f"{clock(cue.start)} --> {clock(cue.end)}\n{voice}{words}\n"


def _escaped(text: str) -> str:
    return html.escape(text, quote=False)  # `>` too, so that no text holds the arrow of a timing line


def _until_empty(block: Block) -> tuple[str, ...]:
    end = next((n for n, line in enumerate(block.lines) if not line.strip()), len(block.lines))
    return block.lines[:end]


def _unmarked(words: str) -> str:
    return html.unescape(_TAG.sub("", words))


def _voices(text: str) -> Iterator[tuple[str | None, str]]:
    found = _VOICE.split(text)  # text, name, text, name, text …
    for name, words in zip([None, *found[1::2]], found[::2], strict=True):
        yield html.unescape(name).strip() if name else None, _unmarked(words)
