"""What lies beside an episode's YAML file under the same name: audio, transcript, chapters, picture, notes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath

from podsite import beside, values
from podsite.findings import Findings
from podsite.media import TYPES, AudioFacts, audio_facts, type_by_name
from podsite.model import Episode, Show
from podsite.parts import Alternate, Enclosure, Quote, Transcript
from podsite.podcasting import Illustration
from podsite.quotes import settled
from podsite.values import clock_text, is_url
from podsite.works import prepared

_AUDIO = tuple(ending for ending, kind in TYPES.items() if kind.startswith(("audio/", "video/")))
_IMAGES = (".jpg", ".jpeg", ".png", ".webp")
_NOTES = ".md"
_ENDINGS = frozenset({*_AUDIO, *_IMAGES, *beside.TRANSCRIPTS, *beside.CHAPTERS, _NOTES})


def joined(findings: Findings, episode: Episode, file: str) -> Episode:
    """The episode of `file` with its slug and everything its companions say."""
    stem = file.removesuffix(".yaml")
    audio = _audio(findings, episode.audio, file, stem)
    transcript = beside.transcript(findings, episode.transcript, file, stem)
    made = replace(
        episode,
        file=file,
        slug=episode.slug or slug_of(file, episode),
        audio=audio,
        notes=_notes(findings, episode.notes, file, stem),
        image=findings.image(file, "image", episode.image or findings.beside(stem, *_IMAGES)),
        images=illustrations(findings, file, "images", episode.images),
        transcript=transcript,
        quotes=tuple(_quotes(findings, episode.quotes, file, transcript)),
        further_reading=tuple(map(prepared, episode.further_reading)),
    )
    return replace(made, chapters=beside.chapters(findings, made, stem))


def illustrations(
    findings: Findings, file: str, path: str, images: tuple[Illustration, ...]
) -> tuple[Illustration, ...]:
    """Pictures for apps with their files found and measured; moving ones are only found."""
    return tuple(
        replace(one, image=_illustration(findings, file, f"{path}[{n}].image", one) or one.image)
        for n, one in enumerate(images, 1)
    )


def _illustration(findings: Findings, file: str, path: str, one: Illustration) -> str | None:
    if is_url(one.image) or not (type_by_name(one.image) or "").startswith("video/"):
        return findings.image(file, path, one.image)
    return findings.file(file, path, one.image)


def files_of_show(show: Show) -> Iterator[str]:
    """Every file of the site that show.yaml names for pages and feeds."""
    named = [show.artwork, *(one.image for one in show.people.values()), *(one.image for one in show.images)]
    named += [one.image for stream in show.live for one in stream.images]
    named += [show.trailer.url] if show.trailer else []
    yield from (file for file in named if file and not is_url(file))


def files_of_episode(episode: Episode) -> Iterator[str]:
    """Every file of the site that a feed names beside the transcripts and chapters written anew."""
    audio, transcript = episode.audio, episode.transcript
    named = [audio.file if audio else None, episode.image, *(one.image for one in episode.chapters)]
    named += [one.file for one in audio.alternates] if audio else []
    named += [one.image for one in episode.images]
    named += [transcript.file] if transcript and not transcript.cues else []
    yield from (file for file in named if file and not is_url(file))


def slug_of(file: str, episode: Episode) -> str:
    """The slug a file's name gives: without the number in front; the number or date where no letter is left."""
    named = named_slug(file)
    if named:
        return named
    return f"episode-{episode.number}" if episode.number is not None else f"{episode.published:%Y-%m-%d}"


def named_slug(file: str) -> str:
    """The slug in a file's name alone; empty when the name has none."""
    stem = PurePosixPath(file).stem
    rest = stem.lstrip("0123456789")
    return values.slug(rest) or (values.slug(stem) if rest else "")


def stems_of(name: str) -> Iterator[str]:
    """The stems that a file named `name` can be a companion of: what stands before each of its dots."""
    return (name[:index] for index, char in enumerate(name) if char == ".")


def misspelt(name: str, stem: str) -> str | None:
    """The name a file must have to be read as a companion of a stem, when only its ending's case is in the way."""
    ending = name.removeprefix(f"{stem}.")
    return f"{stem}.{ending.lower()}" if f".{ending.lower()}" in _ENDINGS - {f".{ending}"} else None


def _audio(findings: Findings, said: Enclosure | None, file: str, stem: str) -> Enclosure | None:
    if said is None:
        beside = [one for ending in _AUDIO if (one := findings.beside(stem, ending))]
        if not beside:
            return None
        if len(beside) > 1:
            names = ", ".join(PurePosixPath(one).name for one in beside)
            findings.problem(file, "audio", f"found {names}; say which is the one: 'audio: …'")
        said = Enclosure(file=PurePosixPath(beside[0]).name)
    if said.alternates:
        said = replace(said, alternates=tuple(_alternates(findings, file, said)))
    if said.file is None:
        return said
    found = findings.file(file, "audio", said.file)
    if found is None:
        return said
    findings.measure(file, "audio", found, audio_facts)
    _compare(findings, file, said, findings.facts.get(found))
    return replace(said, file=found)


def _alternates(findings: Findings, file: str, enclosure: Enclosure) -> Iterator[Alternate]:
    """The other formats, each local one found and measured."""
    for number, other in enumerate(enclosure.alternates, 1):
        path = f"audio.alternates[{number}]"
        found = findings.file(file, path, other.file) if other.file else None
        if found:
            findings.measure(file, path, found, audio_facts)
        yield replace(other, file=found or other.file)


def _compare(findings: Findings, file: str, said: Enclosure, facts: object) -> None:
    """The file is right: what the YAML says otherwise is reported, since apps would show it wrong."""
    if not isinstance(facts, AudioFacts):
        return
    if said.length is not None and said.length != facts.length:
        findings.problem(
            file, "audio.length", f"the file has {facts.length} bytes, not {said.length}; take the key out", "warning"
        )
    if said.duration is not None and facts.duration is not None and abs(said.duration - facts.duration) > 2:
        findings.problem(
            file,
            "audio.duration",
            f"the file lasts {clock_text(facts.duration)}, not {clock_text(said.duration)}; take the key out",
            "warning",
        )


def _notes(findings: Findings, said: str | None, file: str, stem: str) -> str | None:
    companion = findings.beside(stem, _NOTES)
    if companion is None:
        return said
    if said is not None:
        findings.problem(file, "notes", f"there is {PurePosixPath(companion).name} too; keep one of them")
    return findings.text(companion)


def _quotes(findings: Findings, said: tuple[Quote, ...], file: str, transcript: Transcript | None) -> Iterator[Quote]:
    """The quotes with what the transcript tells of them; one that it should have and has not is noted."""
    cues = transcript.cues if transcript else ()
    for number, quote in enumerate(settled(said, cues), 1):
        if cues and quote.start is None:
            message = "these words are not in the transcript; write 'start: …' so that the quote can be played"
            findings.problem(file, f"quotes[{number}]", message, "warning")
        yield quote
