"""Podlove's simple chapters, as lines and as XML: https://podlove.org/simple-chapters/."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from podsite import values
from podsite.chapters.made import Remarks, chapter
from podsite.parts import Chapter

_LINE = re.compile(r"(\d[\d:.,]*)\s+(.*?)(?:\s+<([^<>\s]*)>)?(?:\s+<([^<>\s]*)>)?\s*")


def lines(text: str, remarks: Remarks) -> Iterator[Chapter]:
    """Chapters of lines such as `00:01:30.500 Title <https://…>`; a second address is a picture's."""
    number = 0
    for at, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        number += 1
        found = _LINE.fullmatch(line.strip())
        start = seconds(found[1]) if found else None
        if found is None or start is None:
            remarks.append((at, f"expected a line such as '00:01:30.500 Title', found '{line.strip()[:60]}'; left out"))
        elif made := chapter(
            number, at, remarks, start=start, title=found[2], url=found[3] or "", image=found[4] or ""
        ):
            yield made


def markup(text: str, remarks: Remarks) -> Iterator[Chapter]:
    """Chapters of XML: each `psc:chapter` with start, title, href and image."""
    page = _Elements()
    page.feed(text)
    page.close()
    for number, (line, said) in enumerate(page.found, 1):
        written = said.get("start", "")
        start = seconds(written)
        if start is None:
            remarks.append((line, f"chapter {number} has the start '{written}', expected 00:01:30.500; left out"))
        elif made := chapter(
            number, line, remarks, start=start, title=said.get("title", ""),
            url=said.get("href", ""), image=said.get("image", ""),
        ):  # fmt: skip
            yield made


def seconds(written: str) -> float | None:
    """Seconds of a text such as `00:01:30.500`, `1:30` or `90.5`; None for any other."""
    try:
        return values.seconds(written.strip().replace(",", "."))
    except ValueError:
        return None


class _Elements(HTMLParser):
    """The attributes of each chapter, whatever the prefix of its name, with its line; it expands no entity."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[int, dict[str, str]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep a chapter's attributes."""
        if tag.rpartition(":")[2] == "chapter":
            self.found.append((self.getpos()[0], {name: value or "" for name, value in attrs}))
