"""What apps download: the enclosures of items and streams, their addresses, types and lengths."""

from __future__ import annotations

from podsite.feeds import editions
from podsite.feeds.tags import Source
from podsite.media import AudioFacts, type_by_name
from podsite.parts import Alternate
from podsite.site import Audio, Entry

_HLS = "application/x-mpegurl"


def enclosure_url(source: Source, audio: Audio) -> str:
    """The address apps download from: complete, percent-encoded, with the analytics prefix if there is one.

    A prefix takes the address without `https://`, but with `http://`, or it would ask the wrong server.
    """
    url = source.page(audio.address)
    prefix = source.site.show.feed.prefix
    if not prefix or not url.startswith(("https://", "http://")) or url.startswith(prefix):
        return url
    return prefix.rstrip("/") + "/" + url.removeprefix("https://")


def audio_of(source: Source, entry: Entry) -> Audio | None:
    """What an item's enclosure is: the episode's recording, in the format of the feed where there is one."""
    wanted = source.edition.format
    found = (other for other in editions.alternates(entry) if wanted and editions.ending(other) == wanted)
    other = next(found, None)
    return alternate_audio(source, entry, other) if other else entry.audio


def alternate_audio(source: Source, entry: Entry, other: Alternate) -> Audio:
    """A recording in another format; it lasts as long as the episode."""
    return Audio(
        address=source.content.address(other.file, entry.episode) if other.file else other.url or "",
        type=alternate_type(other),
        length=alternate_length(source, other),
        duration=entry.audio.duration if entry.audio else None,
        file=other.file,
    )


def alternate_type(other: Alternate) -> str:
    """Its media type, as written or by its name."""
    return other.type or type_by_name(other.file or other.url or "") or "application/octet-stream"


def alternate_length(source: Source, other: Alternate) -> int | None:
    """Its length in bytes, as measured or as written; a playlist of HLS has none, which is written 0."""
    known = source.content.facts.get(other.file or other.url or "")
    length = known.length if isinstance(known, AudioFacts) else other.length
    return 0 if length is None and alternate_type(other).lower() == _HLS else length
