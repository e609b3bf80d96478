"""Notes as plain text, as apps without HTML, search and descriptions need them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from podsite.notes_forms import absolute
from podsite.notes_tree import Element, Node, text_of

_BLOCKS = frozenset({
    "blockquote", "div", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "ol", "p", "pre", "table", "ul",
})  # fmt: skip


def text(nodes: Iterable[Node], base_url: str | None) -> str:
    """Paragraphs with a blank line between; links are followed by their address, none where `base_url` is None."""
    return "\n\n".join(_blocks(nodes, base_url))


def _blocks(nodes: Iterable[Node], base_url: str | None) -> Iterator[str]:
    run: list[Node] = []
    for node in (*nodes, Element("hr")):
        if isinstance(node, str) or node.tag not in _BLOCKS:
            run.append(node)
            continue
        # lines are broken where the text says so (br), never where its source happened to be
        paragraph = re.sub(r" *\n *", "\n", _inline(run, base_url)).strip()
        run.clear()
        if paragraph:
            yield paragraph
        yield from filter(None, _block(node, base_url))


def _block(element: Element, base_url: str | None) -> Iterable[str]:
    match element.tag:
        case "hr":
            return ()
        case "pre":
            return (text_of(element.children).strip("\n"),)
        case "ul" | "ol":
            return ("\n".join(_items(element, base_url)),)
        case "table":
            return ("\n".join(_rows(element, base_url)),)
        case "blockquote":
            quoted = text(element.children, base_url)
            return (re.sub(r"^(?=.)", "> ", quoted, flags=re.MULTILINE),)
        case _:
            return _blocks(element.children, base_url)


def _items(element: Element, base_url: str | None) -> Iterator[str]:
    start = element.attributes.get("start", "")
    number = int(start) if re.fullmatch(r"[0-9]{1,6}", start) else 1
    for child in element.children:
        if isinstance(child, Element):
            marker = "• " if element.tag == "ul" else f"{number}. "
            number += 1
            content = "\n".join(_blocks(child.children, base_url))
            yield marker + content.replace("\n", "\n" + " " * len(marker))


def _rows(element: Element, base_url: str | None) -> Iterator[str]:
    for child in element.children:
        if isinstance(child, Element) and child.tag == "tr":
            cells = (cell for cell in child.children if isinstance(cell, Element))
            yield " | ".join(" ".join(text(cell.children, base_url).split()) for cell in cells)
        elif isinstance(child, Element):
            yield from _rows(child, base_url)


def _inline(nodes: Iterable[Node], base_url: str | None) -> str:
    return "".join(_run(node, base_url) for node in nodes)


def _run(node: Node, base_url: str | None) -> str:
    if isinstance(node, str):
        return re.sub(r"[ \t\n]+", " ", node)
    match node.tag:
        case "br":
            return "\n"
        case "img":
            return node.attributes.get("alt", "")
        case "a":
            return _link(node, base_url)
        case _ if node.tag in _BLOCKS:
            return f"\n{text([node], base_url)}\n"
        case _:
            return _inline(node.children, base_url)


def _link(element: Element, base_url: str | None) -> str:
    """The link's text, and its address in brackets where that says more."""
    words = _inline(element.children, base_url)
    href = element.attributes.get("href", "")
    if href.startswith("#notes-fn"):
        return "" if href.startswith("#notes-fnref") else f"[{words}]"
    url = absolute(base_url, href) if base_url is not None and href and href[0] != "#" else None
    if not url or _bare(url) == _bare(words):
        return words
    return f"{words} ({url})" if words.strip() else url


def _bare(url: str) -> str:
    return re.sub(r"^(?:https?://|mailto:|tel:)?(?:www\.)?|/$", "", url.strip().lower())
