"""Lenient lines: lists, fences and chapter marks as people write them, put the way Python-Markdown wants them.

Python-Markdown knows nested blocks only at four spaces and lists only after a blank line. This walk over the lines
follows CommonMark's idea of a list item instead (two columns past its marker are inside) and re-indents.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import field

from podsite.notes.code import block
from podsite.records import dataclass

STAMP = r"(?:[0-9]{1,2}:[0-5][0-9]|[0-9]{1,3}):[0-5][0-9]"

_DEEPEST_LIST, _DEEPEST_QUOTE = 10, 6

_MARKER = re.compile(r"([-*+•]|([0-9]{1,9})[.)])[ \t]+(?=\S)")
_FENCE = re.compile(r"(`{3,}(?=[^`]*$)|~{3,})(.*)")
_RULE = re.compile(r"([-*_])[ \t]*(?:\1[ \t]*){2,}$")
_HEADING = re.compile(r"#{1,6}(?:[ \t]|$)")
_UNDERLINE = re.compile(r"(?:=+|-+)[ \t]*$")
_HASHTAG = re.compile(r"#+(?=[^#\s])")
_STAMPED = re.compile(rf"\W{{0,6}}{STAMP}(?![\w:])")
_TABLE_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_VERBATIM = re.compile(r"<(?:(!--)|(pre|script|style|textarea)\b)", re.IGNORECASE)
_HTML = re.compile(
    r"</?(?:address|article|aside|blockquote|center|details|div|dl|dt|dd|figure|footer|form|h[1-6]|header|iframe"
    r"|li|main|nav|ol|p|section|summary|table|tbody|td|th|thead|tr|ul)\b",
    re.IGNORECASE,
)


class Stash:
    """Blocks of HTML that are made already, each with a placeholder as Python-Markdown's own stash gives them."""

    def __init__(self) -> None:
        self.blocks: list[str] = []

    def store(self, block: str) -> str:
        """Keep a block; the placeholder for it."""
        self.blocks.append(block)
        return f"\x02wzxhzdk:{len(self.blocks) - 1}\x03"


def lenient(lines: Sequence[str], stash: Callable[[str], str], depth: int = 0) -> list[str]:
    """The same text in lines Python-Markdown reads as meant; `stash` keeps a code block's HTML for a placeholder."""
    walk = _Walk(lines, stash, depth)
    while walk.at < len(lines):
        walk.step()
    return walk.out


@dataclass(slots=True)
class _Item:
    column: int  # of the marker, counted from 0
    ordered: bool
    apart: bool  # whether a blank line parts it from the item around it

    def holds(self, column: int) -> bool:
        """Whether a block that starts in `column` belongs to this item."""
        return column >= self.column + 2


@dataclass(slots=True)
class _Walk:
    """Where the walk stands: the open list items, and what the last line written was."""

    lines: Sequence[str]
    stash: Callable[[str], str]
    depth: int
    at: int = 0
    out: list[str] = field(default_factory=list)
    items: list[_Item] = field(default_factory=list)
    pending: str = ""  # list markers whose content comes next
    last: str = "blank"  # blank, text, item, more (of an item's first paragraph) or code

    def step(self) -> None:
        """Take the next line, or the next whole fence, quote or HTML block."""
        column, text = _split(self.lines[self.at])
        if not text:
            self.out.append("")
            self.last = "blank"
            self.at += 1
        elif not self.items and column >= 4 and self.last in ("blank", "code"):
            self.emit(" " * column + text, "code")
            self.at += 1
        else:
            self.block(column, text)

    def block(self, column: int, text: str) -> None:
        """Take a block that starts with `text` in `column`; the line may be the rest of a list item's first."""
        fence = _FENCE.match(text)
        marker = None if _RULE.match(text) else _MARKER.match(text)
        if fence:
            self.fence(column, fence)
        elif text.startswith(">"):
            self.quote(column, text)
        elif (_VERBATIM.match(text) or _HTML.match(text)) and not self.pending:
            self.html(column, text)
        elif marker and self.opens(column, marker):
            self.item(column, text, marker)
        else:
            self.text(column, text)
            self.at += 1

    def fence(self, column: int, fence: re.Match[str]) -> None:
        """Stash a fenced code block; one that is never closed ends with its list item or the text, as in CommonMark."""
        self.leave(column)
        closing = re.compile(rf"{re.escape(fence[1][0])}{{{len(fence[1])},}}[ \t]*$")
        code = []
        self.at += 1
        while self.at < len(self.lines):
            line = self.lines[self.at]
            indent, text = _split(line)
            if text and self.items and not self.items[-1].holds(indent):
                break
            self.at += 1
            if indent <= column + 3 and closing.match(text):
                break
            code.append(" " * max(0, indent - column) + text if column else line)
        if not self.pending:
            self.gap()
        language = re.match(r"[\w+#.-]*", fence[2].lstrip(" \t{."))
        self.emit(self.stash(block("\n".join(code), language[0] if language else "")), "text")
        self.gap()

    def quote(self, column: int, text: str) -> None:
        """Walk through a quotation's lines by themselves, then quote them again."""
        self.leave(column)
        inner = [text[1:].removeprefix(" ")]
        self.at += 1
        while self.at < len(self.lines):
            indent, text = _split(self.lines[self.at])
            if not text.startswith(">") or (self.items and not self.items[-1].holds(indent)):
                break
            inner.append(text[1:].removeprefix(" "))
            self.at += 1
        if not self.pending:
            self.gap()
        if self.depth >= _DEEPEST_QUOTE:
            inner = [line.lstrip("> \t") for line in inner]
        quoted = "\n".join(lenient(inner, self.stash, self.depth + 1))
        # a quote that begins on its item's first line goes on below the marker, as Markdown wants it
        prefix, below = self.pending or self.indent(), self.indent(bool(self.pending))
        for line in quoted.rstrip("\n").split("\n"):
            self.out.append(f"{prefix}> {line}" if line else f"{prefix}>")
            prefix = below
        self.pending = ""
        self.last = "text"
        if quoted.endswith("\n"):
            self.gap()  # its last block has ended, so the next line does not go on with it

    def html(self, column: int, text: str) -> None:
        """Copy an HTML block: to the next blank line, or, where blank lines mean nothing, to its closing tag."""
        self.leave(column)
        opened = _VERBATIM.match(text)
        end = ("-->" if opened[1] else f"</{opened[2].lower()}") if opened else ""
        indent = self.indent()
        while self.at < len(self.lines):
            line = self.lines[self.at].expandtabs(4)
            if not (end or line.strip()):
                break
            self.out.append(indent + line.strip() if self.items and not end else line)
            self.at += 1
            if end and end in line.lower():
                break
        self.last = "text"

    def opens(self, column: int, marker: re.Match[str]) -> bool:
        """Whether this marker starts an item: a year at the start of a wrapped line does not."""
        if self.last == "blank" or self.pending or not marker[2] or int(marker[2]) < 2:
            return True
        return any(item.ordered and abs(item.column - column) < 2 for item in self.items)

    def item(self, column: int, text: str, marker: re.Match[str]) -> None:
        """Open a list item, as deep as its column says, then take the rest of the line as its first block."""
        closed = []
        while self.items and (not self.items[-1].holds(column) or len(self.items) >= _DEEPEST_LIST):
            closed.append(self.items.pop())
        ordered = bool(marker[2])
        changes = closed[-1].ordered != ordered if closed else not self.items
        if changes or self.last in ("text", "code") or any(item.apart for item in closed[:-1]):
            self.gap()
        apart = bool(self.items and not self.pending and self.out and not self.out[-1])
        self.pending += ("" if self.pending else self.indent()) + (f"{marker[2]}. " if ordered else "- ")
        self.items.append(_Item(column, ordered, apart))
        self.block(column + marker.end(), text[marker.end() :])
        self.pending = ""

    def text(self, column: int, text: str) -> None:
        """Write a line of a paragraph, a heading, a rule or a table."""
        heading = _HEADING.match(text)
        if self.pending:
            self.emit(_HASHTAG.sub(_entities, text, count=1) if text[0] == "#" else text, "item")
            return
        if self.last == "blank" or heading or (_RULE.match(text) and self.items):
            self.leave(column)
        underline = self.last == "text" and not self.items and _UNDERLINE.match(text)
        if heading or self.starts_table(text):
            self.gap()
        if _HASHTAG.match(text) and not heading:
            text = _HASHTAG.sub(_entities, text, count=1)  # #podcast is no heading
        if text.endswith("\\") and not text.endswith("\\\\"):
            text = text[:-1] + "  "  # CommonMark's other line break
        if self.last in ("text", "item", "more") and self.is_chapter_line():
            self.out[-1] += "  "
        code = 4 + column - self.items[-1].column - 8 if self.items and self.last in ("blank", "code") else 0
        kind = "code" if code >= 4 else "more" if self.last in ("item", "more") else "text"
        self.emit(" " * code + text if kind == "code" else text, kind)
        if heading or underline:
            self.gap()

    def starts_table(self, text: str) -> bool:
        """Whether this is a table's head, so that no blank line is needed before it."""
        following = self.lines[self.at + 1] if self.at + 1 < len(self.lines) else ""
        return "|" in text and "|" in following and bool(_TABLE_RULE.match(following))

    def is_chapter_line(self) -> bool:
        """Whether this line and a neighbour begin with a timestamp, so that a line each is meant."""
        near = self.lines[max(0, self.at - 1) : self.at + 2]
        return bool(_STAMPED.match(self.lines[self.at])) and sum(map(bool, map(_STAMPED.match, near))) > 1

    def leave(self, column: int) -> None:
        """Close the items that a new block in `column` is not part of."""
        if self.pending:
            return
        closed = False
        while self.items and not self.items[-1].holds(column):
            self.items.pop()
            closed = True
        if closed:
            self.gap()

    def gap(self) -> None:
        """Make sure a blank line comes before what follows."""
        if self.out and self.out[-1]:
            self.out.append("")
        self.last = "blank"

    def indent(self, but: int = 0) -> str:
        """The blanks before a line inside the open items, or all `but` the last."""
        return "    " * (len(self.items) - but)

    def emit(self, text: str, kind: str) -> None:
        """Write a line inside the open items."""
        self.out.append(((self.pending or self.indent()) + text).rstrip("\n"))
        self.pending = ""
        self.last = kind


def _split(line: str) -> tuple[int, str]:
    """The column a line's text starts in (tabs reach every fourth), and the text; two blanks at its end stay."""
    text = line.lstrip(" \t")
    column = len(line[: len(line) - len(text)].expandtabs(4))
    return column, text.rstrip(" \t") + ("  " if text.endswith("  ") else "")


def _entities(found: re.Match[str]) -> str:
    return "&#35;" * len(found.group())  # a backslash would be seen in HTML
