"""Rules about podcast: tags that have others inside, and about the parts of an episode they point to."""

from __future__ import annotations

import re

from podsite.feeds.rules.items import seconds
from podsite.feeds.rules.podcast_tags import TRANSCRIPT_TYPES
from podsite.feeds.rules.rule import Feed, Hit, Hits, rule, shown
from podsite.feeds.rules.tree import Node

_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)")
_NUMBER = re.compile(r"\d+(\.\d+)?", re.ASCII)
_ASPECT = re.compile(r"\d+(\.\d+)?(\s*[/:]\s*\d+(\.\d+)?)?")
_TYPE_BY_ENDING = {
    ".vtt": ("text/vtt",),
    ".srt": ("application/x-subrip",),
    ".json": ("application/json",),
    ".html": ("text/html",),
    ".txt": ("text/plain",),
}


def _inside(node: Node, name: str) -> list[Node]:
    return [child for child in node.children if child.name == name]


@rule(
    "p20-podroll",
    "podcast20",
    "error",
    key="podroll",
    reason="A podroll recommends at least one show, a publisher names exactly one feed of medium publisher.",
    remedy='add <podcast:remoteItem feedGuid="…"/>, for a publisher with medium="publisher"',
    source="podcast-namespace podroll.md, publisher.md",
)
def podroll(feed: Feed) -> Hits:
    """Has remote items in podroll and publisher."""
    for node in feed.of_podcast("podcast:podroll"):
        if not _inside(node, "podcast:remoteItem"):
            yield Hit(node, "<podcast:podroll> has no remoteItem")
    for node in feed.of_podcast("podcast:publisher"):
        items = _inside(node, "podcast:remoteItem")
        if len(items) != 1 or items[0].get("medium") != "publisher":
            yield Hit(node, 'expected one remoteItem with medium="publisher" in <podcast:publisher>')


@rule(
    "p20-image",
    "podcast20",
    "warning",
    key="artwork",
    reason="Apps choose a picture by its shape and purpose, each written in its own grammar.",
    remedy="write aspect-ratio as '16/9', and purposes as words in lower case with spaces between",
    source="podcast-namespace image.md",
)
def image(feed: Feed) -> Hits:
    """States shape and purposes of pictures."""
    for node in feed.of_podcast("podcast:image"):
        aspect, purpose = node.get("aspect-ratio"), node.get("purpose")
        if aspect is not None and not _ASPECT.fullmatch(aspect.strip()):
            yield Hit(node, f"expected an aspect-ratio such as '16/9', found '{shown(aspect)}'", aspect)
        if purpose is not None and not re.fullmatch(r"[a-z0-9-]+( [a-z0-9-]+)*", purpose):
            yield Hit(node, f"expected purposes such as 'artwork social', found '{shown(purpose)}'", purpose)


@rule(
    "p20-social",
    "podcast20",
    "error",
    key="social",
    reason="Apps open the discussion at uri; only a disabled one has none.",
    remedy='add uri, or write protocol="disabled"',
    source="podcast-namespace social-interact.md",
)
def social(feed: Feed) -> Hits:
    """Has an address for each discussion."""
    for node in feed.of_podcast("podcast:socialInteract"):
        protocol, uri = node.get("protocol"), (node.get("uri") or "").strip()
        if protocol and protocol != "disabled" and not re.match(r"[a-z][a-z0-9+.-]*:\S+$", uri, re.IGNORECASE):
            yield Hit(node, f"expected an address as uri for {shown(protocol)}, found '{shown(uri)}'", uri)


@rule(
    "p20-value",
    "podcast20",
    "error",
    key="value",
    reason="Money goes to recipients by their splits; without both, nobody is paid.",
    remedy="add <podcast:valueRecipient>, with splits that sum up to more than 0",
    source="podcast-namespace value.md",
)
def value(feed: Feed) -> Hits:
    """Has recipients who get something."""
    for node in feed.of_podcast("podcast:value"):
        recipients = _inside(node, "podcast:valueRecipient")
        splits = [one.get("split") or "" for one in recipients]
        if not recipients:
            yield Hit(node, "<podcast:value> has no valueRecipient")
        elif all(re.fullmatch("0+", split) for split in splits):
            yield Hit(node, "all splits of <podcast:value> are 0")


@rule(
    "p20-time-split",
    "podcast20",
    "error",
    key="value",
    reason="During a time split, money goes to one remote item or to recipients, not to both and not to nobody.",
    remedy="keep one remoteItem, or the recipients",
    source="podcast-namespace value-time-split.md",
)
def time_split(feed: Feed) -> Hits:
    """Sends each time split one way."""
    for node in feed.of_podcast("podcast:valueTimeSplit"):
        remote, recipients = _inside(node, "podcast:remoteItem"), _inside(node, "podcast:valueRecipient")
        if len(remote) > 1 or bool(remote) == bool(recipients):
            found = f"{len(remote)} remote items and {len(recipients)} recipients"
            yield Hit(node, f"expected one remoteItem or recipients in <podcast:valueTimeSplit>, found {found}", found)


@rule(
    "p20-live",
    "podcast20",
    "error",
    reason="Apps announce a live item by its start and open it at its content link.",
    remedy="write start and end as ISO 8601 with a zone, and add <podcast:contentLink>",
    source="podcast-namespace live-item.md",
)
def live(feed: Feed) -> Hits:
    """Says when and where a live item is."""
    for node in feed.of_podcast("podcast:liveItem"):
        for name in ("start", "end"):
            found = (node.get(name) or "").strip()
            if found and not _INSTANT.fullmatch(found):
                yield Hit(node, f"expected an ISO 8601 moment as {name}, found '{shown(found)}'", found)
        if not _inside(node, "podcast:contentLink"):
            yield Hit(node, "<podcast:liveItem> has no contentLink")


@rule(
    "p20-season",
    "podcast20",
    "error",
    key="number",
    reason="Apps sort by these numbers.",
    remedy="write a whole number for the season, a number for the episode; labels go into name and display",
    source="podcast-namespace season.md, episode.md",
)
def season(feed: Feed) -> Hits:
    """Numbers seasons and episodes."""
    for name, grammar in (("podcast:season", r"\d+"), ("podcast:episode", r"\d+(\.\d+)?")):
        for node in feed.of_podcast(name):
            found = node.text.strip()
            if found and not re.fullmatch(grammar, found, re.ASCII):
                yield Hit(node, f"expected a number in <{name}>, found '{shown(found)}'", found)


@rule(
    "p20-transcript-type",
    "podcast20",
    "error",
    key="transcript",
    reason="Apps choose how to read a transcript by its type.",
    remedy=f"write {', '.join(TRANSCRIPT_TYPES)}, as the file is",
    source="podcast-namespace transcript.md; podstr 7",
)
def transcript_type(feed: Feed) -> Hits:
    """Names transcripts' types, as their endings say."""
    for node in feed.of_podcast("podcast:transcript"):
        found, url = (node.get("type") or "").strip(), node.get("url") or ""
        known = next((types for end, types in _TYPE_BY_ENDING.items() if url.split("?")[0].lower().endswith(end)), None)
        if found and (found not in TRANSCRIPT_TYPES or (known and found not in known)):
            expected = f"'{known[0]}'" if known else "one of the types of the list"
            yield Hit(node, f"expected {expected} as type of the transcript, found '{shown(found)}'", found)


@rule(
    "p20-chapters-type",
    "podcast20",
    "error",
    key="chapters",
    reason="Apps read chapters of one type only.",
    remedy='write type="application/json+chapters"',
    source="podcast-namespace chapters.md",
)
def chapters_type(feed: Feed) -> Hits:
    """Names the chapters' type."""
    for node in feed.of_podcast("podcast:chapters"):
        found = (node.get("type") or "").strip()
        if found and found != "application/json+chapters":
            yield Hit(node, f"expected 'application/json+chapters', found '{shown(found)}'", found)


@rule(
    "p20-soundbite",
    "podcast20",
    "warning",
    key="soundbites",
    reason="A soundbite is meant to last 15 to 120 seconds and lies inside the episode.",
    remedy="choose a stretch of 15 to 120 seconds",
    source="podcast-namespace soundbite.md",
)
def soundbite(feed: Feed) -> Hits:
    """Has soundbites of 15 to 120 seconds."""
    for node in feed.of_podcast("podcast:soundbite"):
        start, found = node.get("startTime") or "", node.get("duration") or ""
        if not (_NUMBER.fullmatch(start) and _NUMBER.fullmatch(found)):
            continue
        end = seconds(node.part.text_of("itunes:duration"))
        if not 15 <= float(found) <= 120:
            yield Hit(node, f"the soundbite lasts {found} seconds", found)
        elif end and float(start) + float(found) > end:
            yield Hit(node, f"the soundbite ends after the episode, which lasts {end} seconds", start)


@rule(
    "p20-alternate",
    "podcast20",
    "error",
    key="audio",
    reason="An alternate enclosure is found at its sources.",
    remedy='add <podcast:source uri="…"/>',
    source="podcast-namespace alternate-enclosure.md",
)
def alternate(feed: Feed) -> Hits:
    """Has sources for alternates."""
    for node in feed.of_podcast("podcast:alternateEnclosure"):
        if not _inside(node, "podcast:source"):
            yield Hit(node, "<podcast:alternateEnclosure> has no source")
