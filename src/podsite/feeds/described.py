"""The item's description: the notes in the few tags Apple and PSP-1 show, within the bytes they take.

Apple Podcasts reads only this, so whoever listens there would miss notes and links that stand in content:encoded alone.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element

#: Apple and PSP-1 count bytes, not characters.
DESCRIPTION_BYTES = 4000

_INLINE = {"a": "a", "b": "strong", "strong": "strong", "i": "em", "em": "em"}
_SPACE = " \t\r\n"  # but not the no-break spaces that indent code
_LISTS = frozenset({"ol", "ul"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_GROUPS = frozenset({"blockquote", "div", "section", "dl", "dt", "dd", "figure", "details", "summary"})


def reduced(markup: str) -> str:
    """All of `markup` in Apple's tags."""
    return "".join(_blocks(_parsed(markup)))


def description(markup: str, closing: str) -> str:
    """As many whole blocks of `markup` as fit, in Apple's tags; where some do not, `closing` says where the rest is.

    The first block always stays, however long. Nothing is cut inside a paragraph, a list's item or a tag.
    """
    blocks = [*_blocks(_parsed(markup))]
    if _size(blocks) <= DESCRIPTION_BYTES:
        return "".join(blocks)
    kept = blocks[:1]
    for block in blocks[1:]:
        room = DESCRIPTION_BYTES - _size([*kept, closing])
        if _size([block]) > room:
            kept.append(_beginning(block, room))
            break
        kept.append(block)
    return "".join([*kept, closing])


def _beginning(block: str, room: int) -> str:
    """As many items of a list as fit into `room` bytes; nothing of another block."""
    found = re.match(r"<([ou]l)>", block)
    end = block.rfind("</li>", 0, room) if found else -1
    while found and end > 0:
        part = block[: end + len("</li>")]
        whole = f"{part}</{found[1]}>"
        if _size([whole]) <= room and part.count("<li>") == part.count("</li>"):  # not inside a list of an item
            return whole
        end = block.rfind("</li>", 0, end)
    return ""


def _size(blocks: Iterable[str]) -> int:
    return sum(len(block.encode()) for block in blocks)


def _parsed(markup: str) -> _Element:
    from lxml.html import fragment_fromstring

    root: _Element = fragment_fromstring(markup, create_parent="div")
    return root


def _blocks(parent: _Element) -> Iterator[str]:
    yield from _paragraph(parent.text or "")
    for element in parent:
        tag = str(element.tag)
        if tag in _LISTS:
            yield _list(element, tag)
        elif tag in _HEADINGS:
            yield from _paragraph(f"<strong>{_inline(element)}</strong>", raw=True)
        elif tag == "pre":
            yield from _code(element)
        elif tag == "table":
            yield from _table(element)
        elif tag in _GROUPS:
            yield from _blocks(element)
        elif tag != "hr":
            yield from _paragraph(_inline(element), raw=True)
        yield from _paragraph(element.tail or "")


def _paragraph(text: str, *, raw: bool = False) -> Iterator[str]:
    if text.strip():
        yield f"<p>{(text if raw else html.escape(text, quote=False)).strip(_SPACE)}</p>"


def _list(element: _Element, tag: str) -> str:
    items = "".join(f"<li>{_inline(item).strip()}</li>" for item in element if item.tag == "li")
    return f"<{tag}>{items}</{tag}>"


def _code(element: _Element) -> Iterator[str]:
    """Code, a paragraph a line, for apps fold line breaks and leading spaces."""
    for line in "".join(map(str, element.itertext())).rstrip().split("\n"):
        bare = line.lstrip(" ")
        indent = "\u00a0" * (len(line) - len(bare))
        yield from _paragraph(indent + html.escape(bare, quote=False), raw=True)


def _table(element: _Element) -> Iterator[str]:
    for row in element.iter("tr"):
        yield from _paragraph(" | ".join(_inline(cell).strip() for cell in row), raw=True)


def _inline(element: _Element) -> str:
    """The text of an element with the inline tags apps show; a list inside a list becomes one of its own."""
    parts = [html.escape(element.text or "", quote=False)]
    for child in element:
        tag, inner = str(child.tag), ""
        if tag in _LISTS:
            inner = _list(child, tag)
        elif tag == "br":
            inner = " "
        elif tag == "pre":
            inner = html.escape(" ".join("".join(map(str, child.itertext())).split()), quote=False)
        elif tag in _INLINE:
            href = f' href="{html.escape(child.get("href", ""))}"' if tag == "a" else ""
            inner = f"<{_INLINE[tag]}{href}>{_inline(child)}</{_INLINE[tag]}>"
        elif isinstance(child.tag, str):
            inner = _inline(child)
        parts += [inner, html.escape(child.tail or "", quote=False)]
    return "".join(parts)
