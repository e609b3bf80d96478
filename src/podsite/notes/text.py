"""Notes as plain text, as apps without HTML, search and descriptions need them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from podsite.notes.tree import Element, Node, text_of

_BLOCKS = frozenset({
    "blockquote", "div", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "ol", "p", "pre", "table", "ul",
})  # fmt: skip
_AROUND_BREAK = re.compile(r" *\n *")
_BLANKS = re.compile(r" {2,}")


def text(nodes: Iterable[Node]) -> str:
    """Paragraphs with a blank line between; of links only the words stay."""
    return "\n\n".join(_blocks(nodes))


def _blocks(nodes: Iterable[Node]) -> Iterator[str]:
    run: list[Node] = []
    for node in (*nodes, Element("hr")):
        if isinstance(node, str) or node.tag not in _BLOCKS:
            run.append(node)
            continue
        # lines are broken where the text says so (br), never where its source happened to be
        paragraph = _inline(run).strip()
        if "\n" in paragraph:
            paragraph = _AROUND_BREAK.sub("\n", paragraph)
        run.clear()
        if paragraph:
            yield paragraph
        yield from filter(None, _block(node))


def _block(element: Element) -> Iterable[str]:
    match element.tag:
        case "hr":
            return ()
        case "pre":
            return (text_of(element.children).strip("\n"),)
        case "ul" | "ol":
            return ("\n".join(_items(element)),)
        case "table":
            return ("\n".join(_rows(element)),)
        case "blockquote":
            quoted = text(element.children)
            return (re.sub(r"^(?=.)", "> ", quoted, flags=re.MULTILINE),)
        case _:
            return _blocks(element.children)


def _items(element: Element) -> Iterator[str]:
    start = element.attributes.get("start", "")
    number = int(start) if re.fullmatch(r"[0-9]{1,6}", start) else 1
    for child in element.children:
        if isinstance(child, Element):
            marker = "• " if element.tag == "ul" else f"{number}. "
            number += 1
            content = "\n".join(_blocks(child.children))
            yield marker + content.replace("\n", "\n" + " " * len(marker))


def _rows(element: Element) -> Iterator[str]:
    for child in element.children:
        if isinstance(child, Element) and child.tag == "tr":
            cells = (cell for cell in child.children if isinstance(cell, Element))
            yield " | ".join(" ".join(text(cell.children).split()) for cell in cells)
        elif isinstance(child, Element):
            yield from _rows(child)


def _inline(nodes: Iterable[Node]) -> str:
    return "".join(_run(node) for node in nodes)


def _run(node: Node) -> str:
    if isinstance(node, str):
        words = node.replace("\n", " ").replace("\t", " ")
        return _BLANKS.sub(" ", words) if "  " in words else words
    match node.tag:
        case "br":
            return "\n"
        case "img":
            return node.attributes.get("alt", "")
        case "a":
            return _link(node)
        case _ if node.tag in _BLOCKS:
            return f"\n{text([node])}\n"
        case _:
            return _inline(node.children)


def _link(element: Element) -> str:
    """A link's words; a footnote's number in square brackets, and nothing for its way back."""
    words = _inline(element.children)
    href = element.attributes.get("href", "")
    if href.startswith("#notes-fn"):
        return "" if href.startswith("#notes-fnref") else f"[{words}]"
    return words
