"""Show notes: Markdown in; safe HTML for our pages and for the feed, plain text and tidy Markdown out.

The only door to `markdown`, opened at the first rendering. The text is hostile until the sanitiser has seen it; what
is added afterwards (highlighting, timestamps, addresses) is escaped by ourselves. Not for use by several threads.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING

from podsite.cache import digest
from podsite.notes import quick, text
from podsite.notes.again import MarkdownForm
from podsite.notes.code import highlight_css
from podsite.notes.forms import SCHEMES, FeedForm, PageForm
from podsite.notes.limits import is_tangled
from podsite.notes.lines import Stash, lenient
from podsite.notes.tree import BOXES, Node, tree
from podsite.records import dataclass

if TYPE_CHECKING:
    from nh3 import Cleaner

__all__ = ["Rendered", "highlight_css", "plain", "render"]

_TAGS = frozenset({
    "a", "abbr", "b", "blockquote", "br", "code", "del", "div", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr",
    "i", "img", "kbd", "li", "ol", "p", "pre", "strong", "sub", "sup", "table", "tbody", "td", "tfoot", "th",
    "thead", "tr", "ul",
})  # fmt: skip
_ATTRIBUTES = {
    "a": {"href", "title"},
    "abbr": {"title"},
    "code": {"class"},
    "img": {"alt", "height", "src", "title", "width"},
    "li": {"id"},
    "ol": {"start"},
    "sup": {"id"},
    "td": {"align", "colspan", "rowspan"},
    "th": {"align", "colspan", "rowspan"},
}
# elements whose contents are no text either
_SILENT = frozenset({
    "iframe", "math", "noembed", "noframes", "noscript", "object", "script", "style", "svg", "template",
    "textarea", "title",
})  # fmt: skip
# control characters, lone surrogates and non-characters: refused with their place where notes are read, so that
# here only Markdown's own placeholders (U+0002, U+0003) and the sanitiser are protected
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufeff\ufffe\uffff]")


@dataclass(frozen=True)
class Rendered:
    """Notes in their forms: HTML for our pages, HTML for `content:encoded`, plain text, and Markdown again.

    The last one is empty where nobody asked for it.
    """

    html: str
    feed_html: str
    text: str
    markdown: str = ""

    @property
    def key(self) -> bytes:
        """What tells these forms from others."""
        return digest(self.html, self.feed_html, self.text, self.markdown)

    @property
    def is_pictured(self) -> bool:
        """Whether they show an image anywhere."""
        return "<img " in self.html or "<img " in self.feed_html


def render(  # noqa: PLR0913 - each is a fact of the page the notes stand on
    source: str,
    *,
    base_url: str,
    page_link: Callable[[str], str] | None = None,
    audio: str | None = None,
    page_url: str | None = None,
    max_seconds: float | None = None,
    top: int = 3,
    twin: bool = True,
) -> Rendered:
    """The forms of Markdown notes; never fails, whatever `source` holds, unless `page_link` does.

    `base_url` is the absolute address of the page; `page_link` maps a relative href or src to the link from that page
    (None: as written), which the feed makes absolute. `audio` is the address of the audio from the
    page: timestamps up to `max_seconds` become links into it, in the feed links to `page_url`; without `audio` they
    stay text. `top` is the level of the notes' first heading. Without `twin` there is no Markdown among the forms.
    """
    nodes = _nodes(source, top, max_seconds)
    return Rendered(
        html=PageForm(base_url, page_link, audio).write(nodes).strip(),
        feed_html=FeedForm(base_url, page_link, audio, page_url).write(nodes).strip(),
        text=text.text(nodes),
        markdown=MarkdownForm(base_url, page_link, page_url).write(nodes) if twin else "",
    )


def plain(source: str) -> str:
    """Markdown as one line of plain text without addresses, for a description."""
    return " ".join(text.text(_nodes(source, 3, None)).split())


def _nodes(source: str, top: int, max_seconds: float | None) -> list[Node]:
    text = _CONTROL.sub("", source.replace("\r\n", "\n").replace("\r", "\n"))
    # once more, because HTML can spell control characters as references
    clean = _CONTROL.sub("", _cleaner().clean(_markup(text)))
    return tree(clean, top=top, max_seconds=max_seconds)


def _markup(text: str) -> str:
    """The HTML Markdown makes of a text, still hostile; text beyond reason only gets its paragraphs."""
    stash = Stash()
    try:
        lines = [line.expandtabs(4) for line in lenient(text.split("\n"), stash.store)]
        source = "\n".join((*lines, "", ""))
        if is_tangled(source):
            return _paragraphs(text)
        markup = quick.markup(source, stash.blocks)
        if markup is None:
            markup = _engine(source, stash.blocks)
        if "\x02" not in markup and "\x03" not in markup:  # a placeholder left over would have lost its text
            return markup
    except RecursionError:
        pass
    return _paragraphs(text)


def _engine(source: str, stashed: Iterable[str]) -> str:
    """The HTML Python-Markdown makes of a text in normal lines."""
    from podsite.notes.engine import engine

    markdown = engine().reset()
    for block in stashed:
        markdown.htmlStash.store(block)
    return markdown.convert(source)


def _paragraphs(text: str) -> str:
    paragraphs = (html.escape(part).replace("\n", "<br>") for part in re.split(r"\n\s*\n", text))
    return "".join(f"<p>{part}</p>\n" for part in paragraphs)


@cache
def _cleaner() -> Cleaner:
    from nh3 import Cleaner

    return Cleaner(
        tags=set(_TAGS | BOXES),
        clean_content_tags=set(_SILENT),
        attributes=_ATTRIBUTES,
        url_schemes=set(SCHEMES),
        link_rel=None,
    )
