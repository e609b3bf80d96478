"""The two HTML forms of notes: for the feed, and, with more, for our own pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from html import escape
from urllib.parse import quote, urldefrag, urljoin, urlsplit

from podsite.notes.code import highlight
from podsite.notes.tree import VOID, Element, Node, text_of

SCHEMES = frozenset({"http", "https", "mailto", "tel"})

_NUMBERS = {"ol": ("start",), "td": ("colspan", "rowspan"), "th": ("colspan", "rowspan")}
_BACK = "#notes-fnref"
# addresses that need neither resolving nor escaping, as nearly all are
_PLAIN = re.compile(
    r"https?://[a-z0-9.-]+(?:/(?:[\w.~!$&'()*+,=:@/-]|%[0-9a-fA-F]{2})*)?"
    r"(?:\?(?:[\w.~!$&'()*+,=:@/?-]|%[0-9a-fA-F]{2})+)?(?:#(?:[\w.~!$&'()*+,=:@/?-]|%[0-9a-fA-F]{2})+)?",
    re.ASCII,
)


class FeedForm:
    """HTML for `content:encoded`: every address absolute, no class, id or script hook."""

    def __init__(
        self, base_url: str, page_link: Callable[[str], str] | None, audio: str | None, page_url: str | None = None
    ) -> None:
        self.base_url = base_url
        self.page_link = page_link
        self.audio = audio
        self.page_url = page_url

    def write(self, nodes: Iterable[Node]) -> str:
        """The HTML of these nodes."""
        return "".join([
            escape(node, quote=False) if isinstance(node, str) else self.element(node) for node in nodes
        ])  # fmt: skip

    def element(self, element: Element) -> str:
        """The HTML of an element."""
        match element.tag:
            case "a":
                return self.link(element)
            case "img":
                return self.image(element)
            case "stamp":
                return self.stamp(element)
            case "pre":
                return self.code(*code_of(element))
            case _:
                return self.tag(element, self.attributes(element) if element.attributes else {})

    def tag(self, element: Element, attributes: dict[str, str]) -> str:
        """An element with exactly these attributes."""
        tag = start = element.tag
        for name, value in attributes.items():
            start += f' {name}="{escape(value)}"'
        return f"<{start}>" if tag in VOID else f"<{start}>{self.write(element.children)}</{tag}>"

    def attributes(self, element: Element) -> dict[str, str]:
        """What an element keeps of its attributes, links and images apart."""
        kept = {name: element.attributes.get(name, "") for name in _NUMBERS.get(element.tag, ())}
        kept = {name: value for name, value in kept.items() if re.fullmatch(r"[0-9]{1,6}", value)}
        if element.tag == "abbr" and element.attributes.get("title"):
            kept["title"] = element.attributes["title"]
        align = element.attributes.get("align", "")
        return kept | (self.alignment(align) if align in ("left", "right", "center") else {})

    def alignment(self, align: str) -> dict[str, str]:
        """How a table's cell says where its text stands."""
        return {"align": align}

    def address(self, url: str) -> str | None:
        """The address `url` of the notes has in this form; None where it is no address."""
        if url[0] == "#":
            return absolute(self.page_url or self.base_url, url)
        return absolute(self.base_url, self.linked(url))

    def linked(self, url: str) -> str:
        """A link as the page has it: `page_link` decides where relative ones lead."""
        return self.page_link(url) if self.page_link and _kind(url) == "relative" else url

    def link(self, element: Element) -> str:
        """A link; without a usable address only its text."""
        written = element.attributes.get("href", "").strip()
        if written.startswith(_BACK):
            return ""
        url = self.address(written) if written else None
        return self.tag(element, {"href": url} | _title(element)) if url else self.write(element.children)

    def image(self, element: Element) -> str:
        """An image, always with an alternative; without a usable address only that."""
        written = element.attributes.get("src", "").strip()
        url = self.address(written) if written else None
        alt = element.attributes.get("alt", "")
        if not url or urlsplit(url).scheme not in ("", "http", "https"):
            return escape(alt, quote=False)
        size = {name: element.attributes.get(name, "") for name in ("width", "height")}
        size = {name: value for name, value in size.items() if re.fullmatch(r"[0-9]{1,5}", value)}
        return self.tag(element, {"src": url, "alt": alt} | _title(element) | size | self.loading())

    def loading(self) -> dict[str, str]:
        """How an image says when it is to be loaded."""
        return {}

    def stamp(self, element: Element) -> str:
        """A timestamp: a link to this moment on the episode's page."""
        text = self.write(element.children)
        if self.audio is None or self.page_url is None:
            return text
        return f'<a href="{escape(_moment(self.page_url, element))}">{text}</a>'

    def code(self, code: str, language: str) -> str:  # noqa: ARG002 - the page's form needs the language
        """A code block."""
        return f"<pre><code>{escape(code, quote=False)}</code></pre>"


class PageForm(FeedForm):
    """HTML for our own pages: links as `page_link` says, highlighted code, timestamps that open the audio.

    Pages load nothing from other servers: an image there becomes a link to it.
    """

    _in_link = False

    def element(self, element: Element) -> str:
        """The HTML of an element; a table stands in a box that can scroll by keyboard."""
        written = super().element(element)
        return f'<div class="table-scroll" tabindex="0">{written}</div>' if element.tag == "table" else written

    def attributes(self, element: Element) -> dict[str, str]:
        """The feed's attributes and the ids of footnotes."""
        own = {"id": element.attributes["id"]} if "id" in element.attributes else {}
        return own | super().attributes(element)

    def alignment(self, align: str) -> dict[str, str]:
        """A class, because HTML knows `align` no more."""
        return {"class": f"align-{align}"}

    def address(self, url: str) -> str | None:
        """The address as the page needs it: relative ones through `page_link`, fragments as they are."""
        kind = _kind(url)
        if kind is None:
            return None
        if kind == "absolute":
            return absolute(self.base_url, url)
        return _tidy(url if url[0] == "#" else self.linked(url))

    def link(self, element: Element) -> str:
        """A link; one that leaves tells the other site nothing, footnotes say what they are."""
        written = element.attributes.get("href", "").strip()
        url = self.address(written) if written else None
        if not url:
            return self.write(element.children)
        more = {"rel": "noopener noreferrer"} if _kind(written) == "absolute" and url[:4] == "http" else {}
        if url.startswith("#notes-fn"):
            more = {"role": "doc-backlink" if url.startswith(_BACK) else "doc-noteref"}
        self._in_link = True
        written = self.tag(element, {"href": url} | _title(element) | more)
        self._in_link = False
        return written

    def image(self, element: Element) -> str:
        """An image of the site; one of another server is named, and linked where that is no link already."""
        url = self.address(element.attributes.get("src", "").strip() or "#") or ""
        elsewhere = urlsplit(url)
        if elsewhere.scheme not in ("http", "https") or elsewhere.netloc == urlsplit(self.base_url).netloc:
            return super().image(element)
        if element.attributes.get("width") == "1":  # it only counts visitors
            return ""
        words = element.attributes.get("alt", "").strip() or elsewhere.hostname or url
        named = Element("a", {"href": url}, [words])
        return escape(words, quote=False) if self._in_link else self.link(named)

    def loading(self) -> dict[str, str]:
        """Images of notes are never the first thing to see."""
        return {"loading": "lazy"}

    def stamp(self, element: Element) -> str:
        """A timestamp: a link into the audio, which a script may turn into a jump of the player."""
        text = self.write(element.children)
        if self.audio is None:
            return text
        href = escape(_moment(self.audio, element))
        return f'<a class="timestamp" href="{href}" data-start="{element.attributes["start"]}">{text}</a>'

    def code(self, code: str, language: str) -> str:
        """A highlighted code block that can scroll by keyboard."""
        name = f' class="language-{escape(language)}"' if language else ""
        return f'<pre class="highlight" tabindex="0"><code{name}>{highlight(code, language)}</code></pre>'


@lru_cache(maxsize=4096)
def absolute(base: str, url: str) -> str | None:
    """`url` resolved against `base`; None where it is no address or its scheme is not one of ours."""
    if _PLAIN.fullmatch(url):
        return url
    if _kind(url) is None:
        return None
    try:
        joined = urljoin(base, _unbroken(url))
    except ValueError:
        return None
    return _tidy(joined)


@lru_cache(maxsize=4096)
def _kind(url: str) -> str | None:
    """Whether an address is `absolute` or `relative`; None where it is none, or none that is allowed."""
    if _PLAIN.fullmatch(url):
        return "absolute"
    try:
        parts = urlsplit(_unbroken(url))
    except ValueError:
        return None
    if parts.scheme and parts.scheme not in SCHEMES:
        return None
    return "absolute" if parts.scheme or parts.netloc else "relative"


def _unbroken(url: str) -> str:
    """Without what browsers drop (line breaks) or read as something else (`\\` as `/`)."""
    return re.sub(r"[\t\n\r]", "", url).strip().replace("\\", "%5C")


def _tidy(url: str) -> str:
    """An address with everything escaped that may not stand in one; escaped parts stay as they are."""
    found = re.match(r"((?:https?:)?//[^/?#]*)?(.*)", _unbroken(url), re.IGNORECASE | re.DOTALL)
    host, path = (found[1] or "", found[2]) if found else ("", url)
    return host + quote(re.sub(r"%(?![0-9a-fA-F]{2})", "%25", path), safe=";/?:@&=+$,#%!*'()~")


def _moment(url: str, element: Element) -> str:
    return _moments(url) + element.attributes["start"]


@lru_cache(maxsize=16)
def _moments(url: str) -> str:
    """What the address of every moment of a page or recording begins with."""
    return _tidy(f"{urldefrag(url).url}#t=")


def _title(element: Element) -> dict[str, str]:
    title = element.attributes.get("title", "")
    return {"title": title} if title and not element.attributes.get("href", "").startswith("#notes-") else {}


def code_of(element: Element) -> tuple[str, str]:
    """The text of a code block and its language, or ""."""
    inner = element.children[0] if len(element.children) == 1 else ""
    name = inner.attributes.get("class", "") if isinstance(inner, Element) and inner.tag == "code" else ""
    found = re.match(r"language-([\w+#.-]{1,40})$", name)
    return text_of(element.children).rstrip("\n"), found[1].lower() if found else ""
