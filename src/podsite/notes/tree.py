"""Sanitised HTML as a small tree: headings renumbered, bare addresses linked, timestamps found.

Everything here runs after the sanitiser, on HTML that is well formed and holds no foreign tag.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field
from functools import cache
from html import unescape
from typing import TypeAlias

from podsite.notes.lines import STAMP
from podsite.records import dataclass

VOID = frozenset({"br", "hr", "img"})
# boxes that mean nothing in notes but keep their contents apart; all become div
BOXES = frozenset({
    "address", "article", "aside", "center", "dd", "details", "dl", "dt", "figcaption", "figure", "footer",
    "header", "main", "section", "summary",
})  # fmt: skip

_TAG = re.compile(r'<(/?)([a-z][a-z0-9]*)((?: [a-z]+="[^"]*")*)>')  # as the sanitiser writes them
_ATTRIBUTE = re.compile(r' ([a-z]+)="([^"]*)"')
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_IDLE_IF_EMPTY = frozenset({"p", "h3", "h4", "h5", "h6"})
_DEEPEST = 60  # elements inside each other; what is deeper loses its tags, not its text
_OPAQUE = frozenset({"a", "code", "pre", "kbd"})  # whose text is taken as written
_NOTE_ID = re.compile(r"fn(?:ref[0-9]*)?:")
_FINDS = {
    "url": r'(?P<url>(?<!\w)(?:https?://|www\.(?=[^\W_]))[^\s<>"`]+)',
    "mail": r"(?P<mail>(?<![\w.+/:@-])[\w.+-]{1,64}@(?:[a-zA-Z0-9-]{1,63}\.){1,8}[a-zA-Z]{2,24}(?![\w@-]))",
    "stamp": rf"(?P<stamp>(?<![\w:.,/+$€£@-]){STAMP}(?![\w:]|[.,/][0-9]))",
}
_DATE_BEFORE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2},?\s$")
_STAMP_NEAR = re.compile(r"[0-9]:[0-5][0-9]")
_CLOCK_AFTER = re.compile(r"\s?(?:[ap]\.?m\b|uhr\b|utc\b|gmt\b|[cemp][des]t\b|\+[0-9]{2}:)", re.IGNORECASE)
_TRAILING = ".,;:!?*~'\"…“”‘’«»‹›"


@dataclass(slots=True)
class Element:
    """An element of the notes; the tag `stamp` is a timestamp, its attribute `start` the moment in seconds."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Node] = field(default_factory=list)


Node: TypeAlias = Element | str


def tree(clean: str, *, top: int, max_seconds: float | None) -> list[Node]:
    """The nodes of sanitised HTML: the first heading has level `top`, stamps end at `max_seconds` (None: no end)."""
    builder = Builder(top, max_seconds)
    pieces = iter(_TAG.split(clean))
    builder.text(unescape(next(pieces)))
    for closing, tag, attributes, text in zip(pieces, pieces, pieces, pieces, strict=True):
        if closing:
            builder.end(tag)
        else:
            found = _ATTRIBUTE.findall(attributes) if attributes else ()
            builder.start(tag, {name: unescape(value) for name, value in found})
        builder.text(unescape(text))
    return builder.root.children


def text_of(nodes: list[Node]) -> str:
    """All text inside, as it stands."""
    return "".join(node if isinstance(node, str) else text_of(node.children) for node in nodes)


def _is_something(node: Node) -> bool:
    if isinstance(node, str):
        return bool(node.strip())
    return node.tag == "img" or any(map(_is_something, node.children))


def anchor(name: str) -> str:
    """The id on our page of a footnote or its reference, which Markdown calls `fn:NAME` or `fnref:NAME`."""
    return "notes-" + re.sub(r"[^\w-]+", "-", name)


class Builder:
    """Makes the tree of the tags and texts it is told, in their order."""

    def __init__(self, top: int, max_seconds: float | None) -> None:
        self.root = Element("")
        self.open: list[tuple[str, Element]] = [("", self.root)]  # the tag as written, the element as kept
        self.opaque = 0  # how many of the open elements have text that is taken as written
        self.outline: list[int] = []
        self.ids: set[str] = set()
        self.top = top
        self.max_seconds = max_seconds

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Open an element."""
        parent = self.open[-1][1]
        element = Element(self.kept(tag, parent), attributes)
        if attributes:
            self.name(element)
        if len(self.open) > _DEEPEST:
            element = parent
        else:
            parent.children.append(element)
        if tag not in VOID:
            self.open.append((tag, element))
            self.opaque += tag in _OPAQUE

    def end(self, tag: str) -> None:
        """Close the innermost element of this tag, and all that is open in it; without one nothing happens."""
        if self.open[-1][0] != tag and all(tag != written for written, _ in self.open):
            return
        closed = ""
        while closed != tag:
            closed, _ = self.open.pop()
            self.opaque -= closed in _OPAQUE
        self.drop_empty(self.open[-1][1])

    def text(self, text: str) -> None:
        """Add text where we are."""
        if not text:
            return
        children = self.open[-1][1].children
        kinds = () if self.opaque else _possible(text)
        if kinds:
            children.extend(_enriched(text, kinds, self.max_seconds))
        else:
            children.append(text)

    def drop_empty(self, parent: Element) -> None:
        """Take back a paragraph or heading that turned out to hold nothing."""
        last = parent.children[-1] if parent.children else ""
        if isinstance(last, Element) and last.tag in _IDLE_IF_EMPTY and not _is_something(last):
            parent.children.pop()

    def kept(self, tag: str, parent: Element) -> str:
        """The tag an element gets on our pages: headings without gaps in their levels, stray list items as boxes."""
        if tag in BOXES or (tag == "li" and parent.tag not in ("ul", "ol")):
            return "div"
        if tag not in _HEADINGS:
            return tag
        level = int(tag[1])
        while self.outline and self.outline[-1] >= level:
            self.outline.pop()
        self.outline.append(level)
        return f"h{min(6, self.top + len(self.outline) - 1)}"

    def name(self, element: Element) -> None:
        """Keep the id only of footnotes and their references, under our prefix and once."""
        written = element.attributes.pop("id", "")
        known = anchor(written)
        if element.tag in ("li", "sup") and _NOTE_ID.match(written) and known not in self.ids:
            self.ids.add(known)
            element.attributes["id"] = known
        href = element.attributes.get("href", "")
        if _NOTE_ID.match(href[1:]) and href[0] == "#":
            element.attributes["href"] = "#" + anchor(href[1:])


def _possible(text: str) -> tuple[str, ...]:
    """What of addresses and timestamps may be in this text: cheaper than to search for it in vain."""
    kinds: tuple[str, ...] = ()
    if "://" in text or "www." in text.lower():
        kinds += ("url",)
    if "@" in text:
        kinds += ("mail",)
    if ":" in text and _STAMP_NEAR.search(text):
        kinds += ("stamp",)
    return kinds


@cache
def _finder(kinds: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(_FINDS[kind] for kind in kinds), re.IGNORECASE)


def _enriched(text: str, kinds: tuple[str, ...], max_seconds: float | None) -> Iterator[Node]:
    """Running text with its addresses and timestamps as elements."""
    at = 0
    for found in _finder(kinds).finditer(text):
        written = _trimmed(found.group()) if found.lastgroup == "url" else found.group()
        element = _element(found, written, max_seconds)
        if element is None:
            continue
        if found.start() > at:
            yield text[at : found.start()]
        yield element
        at = found.start() + len(written)
    if at < len(text):
        yield text[at:]


def _element(found: re.Match[str], written: str, max_seconds: float | None) -> Element | None:
    if found.lastgroup == "stamp":
        start = _seconds(written)
        is_clock = _DATE_BEFORE.search(found.string[max(0, found.start() - 12) : found.start()])
        is_clock = is_clock or _CLOCK_AFTER.match(found.string, found.end())
        if is_clock or (max_seconds is not None and start > max_seconds):
            return None
        return Element("stamp", {"start": str(start)}, [written])
    if found.lastgroup == "mail":
        return Element("a", {"href": f"mailto:{written}"}, [written])
    if not re.match(r"https?://[^\W_]|www\.[^\W_][^/]*\.[^\W_]", written, re.IGNORECASE):
        return None
    return Element("a", {"href": written if written[:4].lower() == "http" else f"https://{written}"}, [written])


def _trimmed(url: str) -> str:
    """A bare address without the sentence's punctuation, and without a bracket that was opened before it."""
    while url:
        last = url[-1]
        opening = {")": "(", "]": "[", "}": "{"}.get(last)
        if last not in _TRAILING and (opening is None or url.count(last) <= url.count(opening)):
            break
        url = url[:-1]
    return url


def _seconds(stamp: str) -> int:
    total = 0
    for part in stamp.split(":"):
        total = total * 60 + int(part)
    return total
