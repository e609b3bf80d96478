"""Rules about the length of an enclosure in bytes, and about how it goes with the duration."""

from __future__ import annotations

from podsite.feeds.rules.enclosures import enclosures, ending
from podsite.feeds.rules.items import seconds
from podsite.feeds.rules.rule import ALL, Feed, Hit, Hits, rule, shown, whole

_TINY = 1000  # bytes; nothing to hear is smaller
_SPOTIFY = 200_000_000


@rule(
    "enclosure-length",
    ALL,
    "error",
    key="audio",
    reason="The length is the file's size in bytes; Spotify refuses feeds without, and apps show a wrong progress.",
    remedy="write the size in bytes; the duration has a tag of its own",
    source="RSS 2.0; Podlatch 33 by Spotify's specification 1.9; AzuraCast 8594",
)
def length(feed: Feed) -> Hits:
    """States a length in bytes."""
    for item, node, _ in enclosures(feed):
        found = (node.get("length") or "").strip()
        size, lasts = whole(found), seconds(item.text_of("itunes:duration"))
        if size is None:
            yield Hit(node, f"expected a length in bytes, found '{shown(found)}'", found)
        elif 0 < size < _TINY or (lasts and size == lasts):
            yield Hit(node, f"the length {size} is too small for bytes", found)


@rule(
    "enclosure-length-zero",
    "apple spotify psp1",
    "warning",
    key="audio",
    reason="RSS writes 0 for an unknown size, and many apps refuse to download it.",
    remedy="write the size in bytes",
    source="spotifeed 16; nikola 2338",
)
def zero(feed: Feed) -> Hits:
    """Knows its length."""
    for _, node, _ in enclosures(feed):
        found = (node.get("length") or "").strip()
        if whole(found) == 0:
            yield Hit(node, "the length is 0, which stands for unknown", found)


@rule(
    "enclosure-length-file",
    ALL,
    "error",
    key="audio",
    reason="With a wrong length, downloads break off or never end.",
    remedy="write the file's size in bytes",
    source="RSS 2.0",
)
def length_of_file(feed: Feed) -> Hits:
    """States the length of the file."""
    for _, node, url in enclosures(feed):
        file, found = feed.file(url), whole((node.get("length") or "").strip())
        if file and file.size is not None and found is not None and found >= _TINY and found != file.size:
            yield Hit(node, f"the length is {found}, and the file has {file.size} bytes", str(found))


@rule(
    "duration-plausible",
    "apple amazon",
    "warning",
    key="audio",
    reason="A duration in the wrong unit shows hours for minutes.",
    remedy="write the duration in seconds",
    source="serious-bg 354; wp-calypso 38652",
)
def plausible(feed: Feed) -> Hits:
    """Has a duration that goes with the length: 4 to 4,000 kbit a second for audio."""
    for item, node, _ in enclosures(feed):
        size, lasts = whole((node.get("length") or "").strip()), seconds(item.text_of("itunes:duration"))
        is_audio = (node.get("type") or "").startswith("audio/")
        if is_audio and lasts and size is not None and size >= _TINY and size != lasts:
            rate = size * 8 / lasts / 1000
            if not 4 <= rate <= 4000:
                duration = item.first("itunes:duration")
                yield Hit(duration, f"{size} bytes in {lasts} seconds would be {rate:,.1f} kbit a second", str(lasts))


@rule(
    "spotify-length",
    "spotify",
    "warning",
    key="audio",
    reason="Spotify takes MP3 files of up to 200 MB as they are, and converts or refuses larger ones.",
    remedy="make the file smaller: 128 kbit a second are enough for speech",
    source="Podbean help (undated)",
)
def spotify(feed: Feed) -> Hits:
    """Is no more than 200 MB of MP3."""
    for _, node, url in enclosures(feed):
        found = whole((node.get("length") or "").strip()) or 0
        if ending(url) == ".mp3" and found > _SPOTIFY:
            yield Hit(node, f"the file has {found // 1_000_000} MB", str(found))
