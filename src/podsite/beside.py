"""What lies beside an episode's YAML file in forms of its own: its transcript and chapters."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import PurePosixPath

from podsite import transcripts, values
from podsite.chapters import read as read_chapters
from podsite.chapters import stamps
from podsite.findings import Findings
from podsite.media import AudioFacts
from podsite.model import Episode
from podsite.parts import Chapter, Enclosure, Transcript
from podsite.values import clock_text

#: Endings of transcripts; of several beside one episode the first of these is read.
TRANSCRIPTS = (
    ".vtt", ".srt", ".transcript.json", ".transcript.html", ".transcript.txt",
    ".transcript.vtt", ".transcript.srt", ".json",
)  # fmt: skip
CHAPTERS = (".chapters.json", ".chapters.txt", ".psc")
_APART = 1.0  # seconds by which the same chapter may start elsewhere: some programs write whole seconds


def transcript(findings: Findings, said: Transcript | None, file: str, stem: str) -> Transcript | None:
    """The transcript that is named or lies beside the file, read; what was mended is noted."""
    if said is None or not said.file:
        beside = findings.beside(stem, *TRANSCRIPTS)
        if beside is None:
            if said:
                findings.problem(file, "transcript", "there is no transcript beside this file; name it: 'file: …'")
            return None
        said = replace(said or Transcript(), file=PurePosixPath(beside).name)
    found = findings.file(file, "transcript", said.file)
    if found is None:
        return said
    text = findings.text(found)
    ending = PurePosixPath(found).suffix.lower()
    if text is None or ending not in transcripts.READERS:
        return replace(said, file=found)
    spoken = transcripts.read(text, ending, said.speakers)
    findings.remarks(found, spoken.remarks)
    return replace(said, file=found, cues=spoken.cues, passages=spoken.passages, names=spoken.names)


def chapters(findings: Findings, episode: Episode, stem: str) -> tuple[Chapter, ...]:
    """An episode's chapters: of its file or a companion, else those inside the recording, else those in its notes."""
    said, source = _written(findings, episode.chapters, episode.file, stem)
    inside = _inside(findings, episode.audio)
    if said:
        found = tuple(
            replace(one, image=findings.image(source, f"chapters[{n}].image", one.image)) if one.image else one
            for n, one in enumerate(said, 1)
        )
        ordered = _in_order(findings, episode.file, found, episode.audio)
        if inside and not _alike(ordered, inside) and episode.audio:
            told = f"differ from those inside {episode.audio.file}, which some apps show; to write these into it, run"
            findings.problem(episode.file, "chapters", f"{told} 'podsite tag {episode.slug}'", "warning")
        return ordered
    end = _end(findings, episode.audio)
    noted = inside or stamps.chapters(episode.notes or "")
    return noted if inside or end is None or all(one.start <= end for one in noted) else ()


def _written(findings: Findings, found: tuple[Chapter, ...], file: str, stem: str) -> tuple[tuple[Chapter, ...], str]:
    """Chapters that somebody wrote down, and in which file."""
    companion = findings.beside(stem, *CHAPTERS)
    if companion is None:
        return found, file
    if found:
        findings.problem(file, "chapters", f"there is {PurePosixPath(companion).name} too; keep one of them")
    text = findings.text(companion)
    if text is None:
        return (), file
    listed, remarks = read_chapters(text)
    findings.remarks(companion, remarks)
    return listed, companion


def _inside(findings: Findings, audio: Enclosure | None) -> tuple[Chapter, ...]:
    """The chapters inside a recording of the site; those after its end are none."""
    if audio is None or audio.file is None or audio.file not in findings.facts:
        return ()
    end = _end(findings, audio)
    return tuple(one for one in findings.embedded(audio.file) if end is None or one.start <= end)


def _alike(some: tuple[Chapter, ...], others: tuple[Chapter, ...]) -> bool:
    """Whether a listener would take two lists of chapters for the same."""
    return len(some) == len(others) and all(
        abs(one.start - other.start) < _APART and values.folded(one.title) == values.folded(other.title)
        for one, other in zip(some, others, strict=True)
    )


def _end(findings: Findings, audio: Enclosure | None) -> int | None:
    facts = findings.facts.get(audio.file or "") if audio else None
    return facts.duration if isinstance(facts, AudioFacts) else audio.duration if audio else None


def _in_order(
    findings: Findings, file: str, found: tuple[Chapter, ...], audio: Enclosure | None
) -> tuple[Chapter, ...]:
    ordered = tuple(sorted(found, key=lambda chapter: chapter.start))
    if ordered != found:
        findings.problem(file, "chapters", "are not in the order of their starts; sorted here", "warning")
    for first, second in pairwise(ordered):
        if first.start == second.start:
            message = f"'{first.title}' and '{second.title}' start both at {clock_text(first.start)}"
            findings.problem(file, "chapters", message)
    end = _end(findings, audio)
    for index, chapter in enumerate(found, 1):
        if end is not None and chapter.start > end:
            message = f"starts at {clock_text(chapter.start)}, after the end at {clock_text(end)}"
            findings.problem(file, f"chapters[{index}].start", message)
    return ordered
