"""Rules about enclosures: one an item, its type by its ending and by its content."""

from __future__ import annotations

from functools import lru_cache
from urllib.parse import unquote, urlsplit

from podsite.feeds.rules.listing import Listed, listed
from podsite.feeds.rules.rule import ALL, Feed, Hit, Hits, rule, shown
from podsite.feeds.rules.tree import Node, Part

#: The types that go with an ending; the first is the one to write.
TYPES = {
    ".mp3": ("audio/mpeg",),
    ".m4a": ("audio/x-m4a", "audio/m4a", "audio/mp4"),
    ".m4b": ("audio/x-m4b", "audio/x-m4a", "audio/mp4"),
    ".aac": ("audio/aac", "audio/x-aac"),
    ".ogg": ("audio/ogg", "audio/vorbis", "audio/opus", "application/ogg"),
    ".oga": ("audio/ogg",),
    ".opus": ("audio/ogg", "audio/opus"),
    ".flac": ("audio/flac", "audio/x-flac"),
    ".wav": ("audio/wav", "audio/x-wav"),
    ".mp4": ("video/mp4", "audio/mp4"),
    ".m4v": ("video/x-m4v", "video/m4v", "video/mp4"),
    ".mov": ("video/quicktime",),
    ".webm": ("video/webm", "audio/webm"),
    ".pdf": ("application/pdf",),
}
_APPLE = {".m4a", ".mp3", ".mov", ".mp4", ".m4v", ".pdf"}
_HEADS = (
    (b"ID3", 0, "mpeg"),
    (b"ftyp", 4, "mp4"),
    (b"OggS", 0, "ogg"),
    (b"fLaC", 0, "flac"),
    (b"RIFF", 0, "wav"),
    (b"%PDF", 0, "pdf"),
    (b"\x1aE\xdf\xa3", 0, "webm"),
)
_FAMILIES = {
    "mpeg": {".mp3"},
    "mp4": {".m4a", ".m4b", ".mp4", ".m4v", ".mov"},
    "ogg": {".ogg", ".oga", ".opus"},
    "flac": {".flac"},
    "wav": {".wav"},
    "pdf": {".pdf"},
    "webm": {".webm"},
    "aac": {".aac"},
}


@lru_cache(maxsize=65536)
def ending(url: str) -> str:
    """The file's ending in an address, in lower case; '' when it has none."""
    try:
        path = unquote(urlsplit(url.strip()).path)
    except ValueError:
        return ""
    name = path.rstrip("/").rpartition("/")[2]
    dot = name.rfind(".")
    return name[dot:].lower() if 0 < dot < len(name) - 1 else ""


def enclosures(feed: Feed) -> list[tuple[Part, Node, str]]:
    """Each enclosure with its item and its address."""
    return feed.fact(_found)


def _found(feed: Feed) -> list[tuple[Part, Node, str]]:
    return [(item, node, (node.get("url") or "").strip()) for item in feed.items for node in item.all("enclosure")]


@rule(
    "item-enclosure",
    ALL,
    "error",
    key="audio",
    reason="An item without an enclosure is no episode: there is nothing to play.",
    remedy="add the enclosure, or leave the item out",
    source="Apple; PSP-1; phptownhall.com PR 16",
)
def missing(feed: Feed) -> Hits:
    """Each item has an enclosure."""
    for item in feed.items:
        if not item.all("enclosure"):
            yield Hit(item, "the item has no <enclosure>")


@rule(
    "enclosure-one",
    ALL,
    "error",
    key="audio",
    reason="Of several enclosures, some apps play the first and some the last.",
    remedy="keep the one every app plays; put the others into podcast:alternateEnclosure",
    source="RSS 2.0 by Best Practices; fossified/podcast 24",
)
def single(feed: Feed) -> Hits:
    """Has one enclosure an item."""
    for item in feed.items:
        for node in item.all("enclosure")[1:]:
            yield Hit(node, f"the item has {len(item.all('enclosure'))} enclosures", node.get("url") or "")


@rule(
    "enclosure-duplicate",
    "apple",
    "error",
    key="audio",
    reason="Apple ignores an episode whose audio is that of another.",
    remedy="give each episode its own file",
    source="Apple 823",
    compares=True,
)
def duplicate(feed: Feed) -> Hits:
    """Uses each enclosure's address once."""
    seen: dict[str, Listed] = {}
    for one in listed(feed):
        for number, url in enumerate(one.urls):
            first = seen.setdefault(url, one)
            if url and first is not one:
                yield Hit(one.at("enclosure", number), f"'{shown(first.title.strip())}' has the same enclosure", url)


@rule(
    "apple-enclosure-ending",
    "apple",
    "warning",
    key="audio",
    reason="Apple lists an episode by its file's ending, and knows .mp3 .m4a .mp4 .m4v .mov and .pdf.",
    remedy="serve the audio as .mp3 or .m4a; add other formats as alternates",
    source="Apple, A Podcaster's Guide to RSS; Proclaim v10.5.4",
)
def apple_ending(feed: Feed) -> Hits:
    """Ends in an ending Apple lists."""
    for _, node, url in enclosures(feed):
        found = ending(url)
        if url and found not in _APPLE:
            what = f"ends in '{shown(found)}'" if found else "has no ending"
            yield Hit(node, f"the address '{shown(url)}' {what}", url)


@rule(
    "enclosure-type",
    ALL,
    "error",
    key="audio",
    reason="Apps choose their player by the type; with a wrong one there is nothing to play.",
    remedy="write the type of the file, 'audio/mpeg' for .mp3, 'audio/x-m4a' for .m4a",
    source="Apple; AntennaPod 2190; code-maven 39",
)
def media_type(feed: Feed) -> Hits:
    """Names the type that goes with the file's ending."""
    for _, node, url in enclosures(feed):
        found = (node.get("type") or "").strip()
        known = TYPES.get(ending(url))
        if found and known and found.lower() not in known:
            yield Hit(node, f"expected type=\"{known[0]}\" for '{ending(url)}', found '{shown(found)}'", found)
        elif found and not known and not found.lower().startswith(("audio/", "video/", "application/")):
            yield Hit(node, f"expected a media type such as audio/mpeg, found '{shown(found)}'", found)


@rule(
    "enclosure-content",
    ALL,
    "error",
    key="audio",
    reason="A file that is not what its ending says does not play everywhere.",
    remedy="give the file its right ending, or convert it",
    source="Apple, A Podcaster's Guide to RSS",
)
def content(feed: Feed) -> Hits:
    """Is what its ending says."""
    for _, node, url in enclosures(feed):
        file = feed.file(url)
        family = _family(file.head(12)) if file and file.size else None
        if family and ending(url) in TYPES and ending(url) not in _FAMILIES[family]:
            yield Hit(node, f"'{shown(url)}' holds {family}", family)


def _family(head: bytes) -> str | None:
    for mark, at, family in _HEADS:
        if head[at : at + len(mark)] == mark:
            return family
    if len(head) > 1 and head[0] == 0xFF and head[1] & 0xE0 == 0xE0:
        return "aac" if head[1] & 0x06 == 0 else "mpeg"  # the layer's bits; ADTS has none
    return None


@rule(
    "enclosure-missing-file",
    ALL,
    "warning",
    key="audio",
    reason="The feed promises a file that the site does not have.",
    remedy="add the file or mend its address, unless you bring it to the server yourself",
    source="serious-bg PR 323",
)
def missing_file(feed: Feed) -> Hits:
    """Points to files that are there."""
    for _, node, url in enclosures(feed):
        file = feed.file(url)
        if file and file.size is None:
            yield Hit(node, f"the site has no file for '{shown(url)}'", url)
