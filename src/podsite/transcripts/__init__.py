"""Transcripts: WebVTT, SRT, JSON, HTML and plain text in; WebVTT, SRT and JSON out.

Reading is our own, because real files need it. Of 810 of them 227 have a cue that ends before it begins; webvtt-py
0.6 and pysubs2 1.8 pass such times on, as they do overlaps. webvtt-py refuses WebVTT without its first line and SRT
without numbers, keeps `&amp;` as it stands, takes `<int>` for a tag and two voices in one cue for one; pysubs2
refuses a byte order mark and knows no voices. Neither tells the line of what it found, nor reads names before a
colon. The tests read what is written here with both.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

from podsite import values
from podsite.parts import Cue, Passage
from podsite.records import dataclass
from podsite.transcripts import markup, mending, prose, structured, subrip, webvtt
from podsite.transcripts.said import Remarks, Said
from podsite.transcripts.structured import write as transcript_json
from podsite.transcripts.subrip import write as srt
from podsite.transcripts.timing import clock
from podsite.transcripts.webvtt import write as vtt

__all__ = ["FORMS", "READERS", "Cue", "Remarks", "Spoken", "clock", "read", "srt", "vtt", "written"]

#: What reads a transcript, by the ending of its file; lines end in `\n`.
READERS: dict[str, Callable[[str, Collection[str], Remarks], Iterable[Said]]] = {
    ".vtt": webvtt.read,
    ".srt": subrip.read,
    ".json": structured.read,
    ".html": markup.read,
    ".htm": markup.read,
    ".txt": prose.read,
}
#: What is written of cues: media types by the ending of the file, the best one first.
FORMS = {".vtt": "text/vtt", ".srt": "application/x-subrip", ".json": "application/json"}


@dataclass(frozen=True, slots=True)
class Spoken:
    """What a transcript says: cues in the order of their starts, or passages if it has no times; what was mended."""

    cues: tuple[Cue, ...] = ()
    passages: tuple[Passage, ...] = ()
    remarks: tuple[tuple[int, str], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody who speaks, in the order they begin."""
        said = self.cues or self.passages
        return tuple(dict.fromkeys(one.speaker for one in said if one.speaker))


def read(text: str, suffix: str, known: Collection[str] = ()) -> Spoken:
    """What a transcript says, and what was mended: line and message.

    `suffix` is the file's ending, one of `READERS`; `known` are speakers that are known to be in it. Nothing is
    refused: what is no cue is left out, an end that does not come after its start is guessed, and a cue that runs
    into the next is cut there.
    """
    remarks: Remarks = []
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    said = [one for each in READERS[suffix.lower()](text, known, remarks) if (one := _clean(each, remarks)).text]
    if not said and not remarks:
        wanted = "words" if suffix.lower() in {".html", ".htm", ".txt"} else "lines such as '00:01.000 --> 00:04.000'"
        wanted = "a list of 'segments' with startTime, endTime and body" if suffix.lower() == ".json" else wanted
        remarks.append((1, f"holds no cue that can be read; expected {wanted}"))
    if any(one.start is not None for one in said):
        cues = tuple(mending.cues(said, remarks))
        return Spoken(cues=cues, remarks=tuple(sorted(remarks)))
    passages = tuple(Passage(text=one.text, speaker=one.speaker) for one in said)
    return Spoken(passages=passages, remarks=tuple(sorted(remarks)))


def written(cues: Sequence[Cue], ending: str) -> bytes:
    """Cues in one of the `FORMS`."""
    if ending == ".json":
        return transcript_json(cues)
    return (srt if ending == ".srt" else vtt)(cues).encode()


def _clean(said: Said, remarks: Remarks) -> Said:
    """Without characters that no page may carry, which JSON and HTML can spell."""
    text, speaker = said.text, said.speaker
    while found := values.control_character(text):
        remarks.append((said.line, f"cue {said.number} holds the control character {found[1]}; left out"))
        text = text[: found[0]] + text[found[0] + 1 :]
    while speaker and (found := values.control_character(speaker)):
        speaker = speaker[: found[0]] + speaker[found[0] + 1 :]
    return said if (text, speaker) == (said.text, said.speaker) else replace(said, text=text, speaker=speaker)
