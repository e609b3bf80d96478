"""What an episode's file says of title, number, artwork, chapters and language, written into its recording.

Recordings are changed only here, and only when asked: their sound never, everything else at once or not at all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from pathlib import Path

from podsite import lock as locks
from podsite.cache import Cache
from podsite.embedded import OF_MP3, OF_MP4
from podsite.errors import ContentError, OutputError, Place, Problem, UsageError, hint
from podsite.lock import Lock
from podsite.model import Episode
from podsite.read import Content, read
from podsite.recall import CACHE
from podsite.records import dataclass
from podsite.tagging import boxes, cover, mp3, mp4
from podsite.tagging.exchange import exchanged
from podsite.tagging.iso639 import three_letters
from podsite.tagging.wanted import MOST_CHAPTERS, Wanted
from podsite.values import is_url


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a recording: what was written into it, or would be; when it went out; whether it is left alone."""

    slug: str
    file: str
    changes: tuple[str, ...]
    published: datetime | None
    is_left: bool

    @property
    def is_out(self) -> bool:
        """Whether listeners have it."""
        return self.published is not None


def tag(
    root: Path, slugs: Collection[str], now: datetime, *, write: bool = True, published: bool = False
) -> Iterator[Outcome]:
    """Write into the local MP3 and M4A recordings of the episodes of these slugs, of all without any.

    Recordings that listeners have by `now` are left as they are, unless `published`. Without `write` nothing is
    written. Raises ContentError, UsageError for a slug of no such episode, OutputError when a file cannot be written.
    """
    content = read(root, Cache(root / CACHE))
    lock = locks.read(root)
    out = locks.known(lock, now) if lock else None
    for episode in _chosen(content, slugs):
        file = episode.audio.file if episode.audio and episode.audio.file else ""
        date = _went_out(out, episode)
        wanted = _wanted(content, episode, root / file)
        changes = _edited(root, file, wanted, write=write and (published or date is None))
        yield Outcome(episode.slug, file, changes, date, is_left=bool(changes and date and not published))


def _chosen(content: Content, slugs: Collection[str]) -> Sequence[Episode]:
    known = {one.slug: one for one in content.episodes}
    for slug in slugs:
        if slug not in known:
            raise UsageError(f"no episode '{slug}'{hint(slug, known)}")
        if not _is_taggable(known[slug]):
            raise UsageError(f"'{slug}' has no MP3 or M4A in the site; recordings elsewhere are tagged where they lie")
    return [one for one in content.episodes if _is_taggable(one) and (not slugs or one.slug in slugs)]


def _is_taggable(episode: Episode) -> bool:
    file = episode.audio.file if episode.audio else None
    return file is not None and Path(file).suffix.lower() in OF_MP3 | OF_MP4


def _went_out(out: Lock | None, episode: Episode) -> datetime | None:
    """When an episode's recording first went out, by whichever name it has in the lock."""
    file = episode.audio.file if episode.audio else None
    for slug, one in out.episodes.items() if out else ():
        if slug == episode.slug or one.guid == episode.guid or (one.audio and one.audio.file == file):
            return one.first
    return None


def _wanted(content: Content, episode: Episode, path: Path) -> Wanted:
    show, transcript = content.show, episode.transcript
    spoken = (transcript.language if transcript else None) or show.language
    return Wanted(
        title=episode.title,
        number=episode.number,
        chapters=episode.chapters[:MOST_CHAPTERS],
        language=three_letters(spoken),
        cover=_cover(content.root, episode.image or show.artwork),
        duration=_duration(path),
    )


def _cover(root: Path, image: str) -> bytes | None:
    """The artwork; none where it lies elsewhere or is no picture of pixels."""
    if is_url(image) or image.lower().endswith(".svg"):
        return None
    try:
        return cover.jpeg(root / image)
    except ValueError as error:
        raise ContentError([Problem(Place(image), "", str(error))]) from error


def _duration(path: Path) -> float:
    import mutagen

    found = mutagen.File(path)
    return float(found.info.length) if found and found.info else 0.0


def _edited(root: Path, file: str, wanted: Wanted, *, write: bool) -> tuple[str, ...]:
    """What is to be written; with `write` it is, to a copy that takes the file's place when it is whole."""
    import mutagen

    path = root / file
    edit, sound = (mp3.edit, mp3.sound) if path.suffix.lower() in OF_MP3 else (mp4.edit, boxes.sound)
    try:
        changes = edit(path, wanted, write=False)
        if changes and write:
            exchanged(path, lambda copy: edit(copy, wanted, write=True), sound)
    except (mutagen.MutagenError, ValueError) as error:
        raise ContentError([Problem(Place(file), "", f"cannot be tagged: {error}")]) from error
    except OSError as error:
        raise OutputError(f"{file}: cannot be written: {error.strerror or error}") from error
    return changes
