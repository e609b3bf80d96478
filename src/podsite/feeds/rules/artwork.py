"""Rules about artwork: pixels, shape, format, colour, transparency, weight. They judge pictures that are local."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from podsite.feeds.rules.enclosures import ending
from podsite.feeds.rules.rule import Feed, Hit, Hits, LocalFile, rule, shown
from podsite.feeds.rules.tree import Node
from podsite.media import opened
from podsite.records import dataclass

_ENDINGS = {".jpg": "JPEG", ".jpeg": "JPEG", ".png": "PNG"}
_SMALLEST, _LARGEST = 1400, 3000
_HEAVY = 1_000_000  # bytes


@dataclass(frozen=True, slots=True)
class Picture:
    """What a picture's head says."""

    width: int
    height: int
    format: str
    mode: str
    has_alpha: bool


def _artwork(feed: Feed) -> Mapping[str, list[Node]]:
    """The pictures named: by each address, where channel and items first have it. Of these only one is told."""
    return feed.fact(_found)


def _found(feed: Feed) -> Mapping[str, list[Node]]:
    found: dict[str, list[Node]] = {}
    for node in feed.each("itunes:image"):
        url = (node.get("href") or "").strip()
        if url and (url not in found or found[url][-1].parent is not node.parent):
            found.setdefault(url, []).append(node)
    return found


def _pictures(feed: Feed) -> Iterator[tuple[str, list[Node], Picture]]:
    for url, nodes in _artwork(feed).items():
        file = feed.file(url)
        found = file.fact(_picture) if file and file.size else None
        if found:
            yield url, nodes, found


def _hits(nodes: list[Node], message: str, what: str, url: str) -> Hits:
    return (Hit(node, message, what, once=url) for node in nodes)


def _picture(file: LocalFile) -> Picture | None:
    import PIL.Image

    try:
        with file.open() as content, opened(content) as image:
            alpha = image.mode in {"RGBA", "LA", "PA", "RGBa", "La"} or "transparency" in image.info
            return Picture(*image.size, image.format or "", image.mode, alpha)
    except (PIL.UnidentifiedImageError, PIL.Image.DecompressionBombError, OSError, SyntaxError, ValueError):
        return None


@rule(
    "artwork-ending",
    "apple psp1",
    "error",
    key="artwork",
    reason="Apple takes artwork by its file's ending, .jpg or .png.",
    remedy="give the file the ending .jpg or .png",
    source="Apple, A Podcaster's Guide to RSS; PSP-1",
)
def ending_known(feed: Feed) -> Hits:
    """Ends in .jpg or .png."""
    for url, nodes in _artwork(feed).items():
        if ending(url) not in _ENDINGS:
            yield from _hits(nodes, f"the address '{shown(url)}' ends in '{ending(url)}'", url, url)


@rule(
    "artwork-missing-file",
    "apple spotify psp1",
    "error",
    key="artwork",
    reason="The feed promises a picture that the site does not have.",
    remedy="add the file, or mend its address",
    source="Apple 896",
)
def missing_file(feed: Feed) -> Hits:
    """Is there."""
    for url, nodes in _artwork(feed).items():
        file = feed.file(url)
        if file and file.size is None:
            yield from _hits(nodes, f"the site has no file for '{shown(url)}'", url, url)


@rule(
    "artwork-readable",
    "apple spotify psp1",
    "error",
    key="artwork",
    reason="What is no picture cannot be shown.",
    remedy="save it again as JPEG or PNG",
    source="Apple 896",
)
def readable(feed: Feed) -> Hits:
    """Is a picture."""
    for url, nodes in _artwork(feed).items():
        file = feed.file(url)
        if file and file.size is not None and file.fact(_picture) is None:
            yield from _hits(nodes, f"'{shown(url)}' is no picture that can be read", url, url)


@rule(
    "apple-artwork-size",
    "apple psp1",
    "error",
    key="artwork",
    reason="Apple refuses covers outside 1400 to 3000 pixels, and shows no episode artwork below.",
    remedy="make it 3000 × 3000 pixels",
    source="Apple 896; request-for-explanation 28; Seriously-Simple-Podcasting 737",
)
def size(feed: Feed) -> Hits:
    """Has 1400 to 3000 pixels."""
    for url, nodes, found in _pictures(feed):
        if not (min(found.width, found.height) >= _SMALLEST and max(found.width, found.height) <= _LARGEST):
            pixels = f"{found.width} × {found.height}"
            yield from _hits(
                nodes, f"the artwork has {pixels} pixels; {_SMALLEST} to {_LARGEST} are taken", pixels, url
            )


@rule(
    "artwork-square",
    "apple spotify psp1",
    "error",
    key="artwork",
    reason="Artwork is square; other shapes are refused or cut.",
    remedy="make width and height equal; other shapes go into podcast:image",
    source="Apple 896; PSP-1",
)
def square(feed: Feed) -> Hits:
    """Is square."""
    for url, nodes, found in _pictures(feed):
        if found.width != found.height:
            pixels = f"{found.width} × {found.height}"
            yield from _hits(nodes, f"the artwork is not square: {pixels} pixels", pixels, url)


@rule(
    "artwork-format",
    "apple spotify psp1",
    "error",
    key="artwork",
    reason="Directories take JPEG and PNG, and believe the ending.",
    remedy="save it in the format that its ending names",
    source="Apple, A Podcaster's Guide to RSS; AzuraCast 8366",
)
def image_format(feed: Feed) -> Hits:
    """Is the JPEG or PNG that its ending says."""
    for url, nodes, found in _pictures(feed):
        named = _ENDINGS.get(ending(url))
        if named and found.format != named:
            message = f"the artwork ends in '{ending(url)}' and is {found.format}"
            yield from _hits(nodes, message, found.format, url)


@rule(
    "artwork-mode",
    "apple spotify psp1",
    "error",
    key="artwork",
    reason="Directories take RGB; CMYK, made for print, is refused, and grey ones show wrongly.",
    remedy="save it in RGB",
    source="Apple 896; PSP-1; dullhunk/cdyf 282",
)
def mode(feed: Feed) -> Hits:
    """Is RGB."""
    for url, nodes, found in _pictures(feed):
        if found.mode not in {"RGB", "RGBA", "P", "PA"}:
            yield from _hits(nodes, f"the artwork is {found.mode}, not RGB", found.mode, url)


@rule(
    "artwork-alpha",
    "apple",
    "error",
    key="artwork",
    reason="Apple refuses covers with transparency.",
    remedy="save it without an alpha channel",
    source="Apple 896",
)
def alpha(feed: Feed) -> Hits:
    """Has no transparency, on the show's cover."""
    for url, nodes, found in _pictures(feed):
        if found.has_alpha:
            covers = [node for node in nodes if not node.part.is_item]
            yield from _hits(covers, f"the cover has transparency ({found.mode})", found.mode, url)


@rule(
    "artwork-weight",
    "apple spotify",
    "warning",
    key="artwork",
    reason="Apps load the cover in lists; beyond a megabyte it comes late or not at all.",
    remedy="save it as JPEG with less quality, best below 512 KB",
    source="Podigee help; PRX help",
)
def weight(feed: Feed) -> Hits:
    """Is no heavier than a megabyte."""
    for url, nodes in _artwork(feed).items():
        file = feed.file(url)
        if file and (file.size or 0) > _HEAVY:
            yield from _hits(nodes, f"the artwork has {(file.size or 0) / 1_000_000:.1f} MB", str(file.size), url)
