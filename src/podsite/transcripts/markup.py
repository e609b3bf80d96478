"""HTML: `cite`, `time` and `p` as the podcast namespace has them, or any page's paragraphs."""

from __future__ import annotations

from collections.abc import Collection
from html.parser import HTMLParser

from podsite.transcripts import prose, timing
from podsite.transcripts.said import Remarks, Said

_BLOCKS = frozenset({
    "address", "article", "blockquote", "body", "br", "dd", "div", "dl", "dt", "hr", "html", "li", "main", "ol", "p",
    "section", "table", "td", "th", "tr", "ul",
})  # fmt: skip
_SILENT = frozenset({"head", "title", "script", "style", "template", "nav", "h1", "h2", "h3", "h4", "h5", "h6"})


def read(text: str, known: Collection[str], _: Remarks) -> list[Said]:
    """The paragraphs of a page; where it marks neither speakers nor times, they are read as plain text."""
    page = _Page()
    page.feed(text)
    page.close()
    page.end()
    if page.is_marked:
        return page.said
    rows = [row for one in page.said for row in ((one.line, one.text), (one.line, ""))]
    return prose.paragraphs(rows, known)


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.said: list[Said] = []
        self.is_marked = False
        self._start: float | None = None
        self._speaker: str | None = None
        self._words: list[str] = []
        self._line = 1
        self._inside: str | None = None  # cite or time
        self._mark: list[str] = []
        self._silent: list[str] = []

    def handle_starttag(self, tag: str, _: list[tuple[str, str | None]]) -> None:
        """Begin a paragraph, a speaker or a time."""
        if tag in _SILENT:
            self._silent.append(tag)
        elif tag in ("cite", "time"):
            self.end()
            self._inside, self._mark, self.is_marked = tag, [], True
        elif tag in _BLOCKS:
            self.end()

    def handle_endtag(self, tag: str) -> None:
        """End what has begun."""
        if self._silent:
            if tag == self._silent[-1]:
                self._silent.pop()
        elif tag == self._inside:
            words = " ".join("".join(self._mark).split())
            if tag == "cite":
                self._speaker = words.removesuffix(":").strip() or None
            else:
                self._start = timing.written(words.strip("[]()"))
            self._inside = None
        elif tag in _BLOCKS:
            self.end()

    def handle_data(self, data: str) -> None:
        """Words, of a paragraph or of a mark."""
        if self._silent:
            return
        if self._inside:
            self._mark.append(data)
            return
        if not "".join(self._words).strip():
            before = data[: len(data) - len(data.lstrip())]
            self._line = self.getpos()[0] + before.count("\n")
        self._words.append(data)

    def end(self) -> None:
        """Keep the paragraph that ends here."""
        words = " ".join("".join(self._words).split())
        self._words = []
        if words:
            said = Said(self._start, None, words, self._speaker, len(self.said) + 1, self._line)
            self.said.append(said)
            self._start = None
