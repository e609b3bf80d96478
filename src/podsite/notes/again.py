"""Notes as Markdown again: of what they hold once they are safe, so that nothing in them reaches beyond itself.

What a reader writes may leave a fence open, count headings from one, or link to the page it stands on. Here every
block is closed, headings have their level, addresses are complete, and words are escaped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from podsite import commonmark
from podsite.notes.forms import FeedForm, code_of
from podsite.notes.tree import Element, Node, text_of

_BLOCKS = frozenset({
    "blockquote", "div", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "ol", "p", "pre", "table", "ul",
})  # fmt: skip
_APART = "<!-- -->"  # between two lists, which would be one
_MARKS = {"b": "**", "strong": "**", "em": "*", "i": "*"}
_END = Element("ul")  # an empty list behind the last block, so that words before it are told
_INDENT = 4  # columns that all readers of Markdown take for the inside of an item


class MarkdownForm:
    """The Markdown of notes; addresses as in the feed."""

    def __init__(self, base_url: str, page_link: Callable[[str], str] | None, page_url: str | None = None) -> None:
        self._addresses = FeedForm(base_url, page_link, None, page_url)

    def write(self, nodes: Iterable[Node]) -> str:
        """The blocks of these nodes, with a blank line between."""
        return "\n\n".join(self._blocks(nodes))

    def _blocks(self, nodes: Iterable[Node]) -> Iterator[str]:
        run: list[Node] = []
        last = ""
        for node in (*nodes, _END):
            if isinstance(node, str) or node.tag not in _BLOCKS:
                run.append(node)
                continue
            if paragraph := self._paragraph(run):
                last = "p"
                yield paragraph
            run.clear()
            for block in filter(None, self._block(node)):
                if node.tag in {"ul", "ol"} and last in {"ul", "ol"}:
                    yield _APART
                last = node.tag
                yield block

    def _paragraph(self, nodes: Iterable[Node]) -> str:
        lines = (" ".join(line.split()) for line in self._inline(nodes).split("\n"))
        return "  \n".join(commonmark.begun(line) for line in lines if line)

    def _block(self, element: Element) -> Iterator[str]:
        match element.tag:
            case "hr":
                yield "---"
            case "pre":
                yield _fenced(*code_of(element))
            case "ul" | "ol":
                yield "\n".join(self._items(element))
            case "table":
                yield "\n".join(_ruled([*self._rows(element)]))
            case "blockquote":
                quoted = self.write(element.children)
                yield "\n".join(f"> {line}".rstrip() for line in quoted.split("\n")) if quoted else ""
            case "h1" | "h2" | "h3" | "h4" | "h5" | "h6":
                words = " ".join(self._inline(element.children).split())
                yield commonmark.heading(int(element.tag[1]), words) if words else ""
            case _:
                yield from self._blocks(element.children)

    def _items(self, element: Element) -> Iterator[str]:
        start = element.attributes.get("start", "")
        number = int(start) if re.fullmatch(r"[0-9]{1,6}", start) else 1
        for child in element.children:
            if isinstance(child, Element):
                marker = ("-" if element.tag == "ul" else f"{number}.").ljust(_INDENT - 1) + " "
                number += 1
                between = "\n" if all(map(_is_tight, child.children)) else "\n\n"
                inside = between.join(self._blocks(child.children)).replace("\n", "\n" + " " * len(marker))
                yield re.sub(r"^[ ]+$", "", marker + inside, flags=re.MULTILINE).rstrip()

    def _rows(self, element: Element) -> Iterator[list[str]]:
        for child in element.children:
            if isinstance(child, Element) and child.tag == "tr":
                cells = [cell for cell in child.children if isinstance(cell, Element)]
                yield [" ".join(self._inline(cell.children).replace("|", "\\|").split()) for cell in cells]
            elif isinstance(child, Element):
                yield from self._rows(child)

    def _inline(self, nodes: Iterable[Node]) -> str:
        out = ""
        for node in nodes:
            piece = _words(node) if isinstance(node, str) else self._run(node)
            # two marks side by side would be read as one
            out += _APART + piece if out.endswith(("*", "`")) and piece.startswith(("*", "`")) else piece
        return out

    def _run(self, element: Element) -> str:
        tag = element.tag
        if tag == "br":
            return "\n"
        if tag == "img":
            url = self._address(element.attributes.get("src", ""))
            words = _words(element.attributes.get("alt", ""))
            return "!" + commonmark.link(words, url) if url else words
        if tag == "a":
            return self._link(element)
        if tag == "code":
            return _code(text_of(element.children))
        words = self._inline(element.children)
        if tag in _MARKS:
            return _marked(_MARKS[tag], words)
        return f" {words} " if tag in _BLOCKS else words

    def _link(self, element: Element) -> str:
        """A link; a footnote's number in square brackets, and nothing for its way back."""
        words = " ".join(self._inline(element.children).split())
        href = element.attributes.get("href", "")
        if href.startswith("#notes-fn"):
            return "" if href.startswith("#notes-fnref") else f"\\[{words}\\]"
        url = self._address(href)
        if url and text_of(element.children) == url:
            return f"<{url}>"
        return commonmark.link(words or _words(url), url) if url else words

    def _address(self, written: str) -> str | None:
        written = written.strip()
        return self._addresses.address(written) if written else None


def _is_tight(node: Node) -> bool:
    """Whether it stands in an item without a blank line around it; numbers from 2 on are no list without one."""
    if isinstance(node, str) or node.tag not in _BLOCKS:
        return True
    return node.tag == "ul" or (node.tag == "ol" and node.attributes.get("start", "1") == "1")


def _words(text: str) -> str:
    """Words of a run, with the blanks that part them from what is beside them."""
    inside = commonmark.escaped(text)
    if not inside:
        return " " if text else ""
    return (" " if text[0].isspace() else "") + inside + (" " if text[-1].isspace() else "")


def _marked(mark: str, words: str) -> str:
    """Emphasis; where its marks would not be seen as such, only the words."""
    return f"{mark}{words}{mark}" if words and words[0].isalnum() and words[-1].isalnum() else words


def _code(text: str) -> str:
    line = " ".join(text.split())
    if not line:
        return ""
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", line)), default=0))
    return f"{fence} {line} {fence}" if "`" in line else f"{fence}{line}{fence}"


def _fenced(code: str, language: str) -> str:
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", code)), default=0))
    return f"{fence}{language}\n{code}\n{fence}"


def _ruled(rows: list[list[str]]) -> Iterator[str]:
    """Rows as a table, whose first one is its head."""
    width = max(map(len, rows), default=0)
    for number, row in enumerate(rows):
        yield f"| {' | '.join([*row, *[''] * (width - len(row))])} |"
        if number == 0:
            yield f"|{' --- |' * width}"
