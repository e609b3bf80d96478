"""Markdown rendered once per content: a text comes from the cache as long as its links lead where they did."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property

from podsite.cache import Cache, digest
from podsite.crew import Crew
from podsite.notes import Rendered, render
from podsite.records import dataclass

_PACK, _ABOUT = "note", "noted"  # the forms of a text, and what is told of them


@dataclass(kw_only=True)
class Text:
    """A Markdown text and the facts of the page it stands on, as `notes.render` takes them, but for its links."""

    source: str
    page_link: Callable[[str], str]
    base_url: str
    audio: str | None = None
    page_url: str | None = None
    max_seconds: float | None = None
    top: int = 3
    root: str | None = None  # as of the page, where that answers at any address: its links are others
    twin: bool = False  # whether it is wanted as Markdown again

    @cached_property
    def key(self) -> bytes:
        """What its forms depend on besides where its links lead."""
        plain = repr((self.max_seconds, self.top, self.twin))
        return digest(self.source, self.base_url, self.audio, self.page_url, plain, self.root)

    def rendered(self, page_link: Callable[[str], str]) -> Rendered:
        """Its forms, made anew."""
        return render(
            self.source,
            base_url=self.base_url,
            page_link=page_link,
            audio=self.audio,
            page_url=self.page_url,
            max_seconds=self.max_seconds,
            top=self.top,
            twin=self.twin,
        )


class _Recalled(Rendered):
    """Forms that are taken from the cache each time one is asked for, so that those of a whole show need no memory."""

    def __init__(self, key: bytes, *, is_pictured: bool, forms: Callable[[], Rendered]) -> None:
        self.__dict__.update(_key=key, _is_pictured=is_pictured, _forms=forms)

    def _of(self) -> Rendered:
        forms: Callable[[], Rendered] = self.__dict__["_forms"]
        return forms()

    @property
    def html(self) -> str:
        return self._of().html

    @property
    def feed_html(self) -> str:
        return self._of().feed_html

    @property
    def text(self) -> str:
        return self._of().text

    @property
    def markdown(self) -> str:
        return self._of().markdown

    @property
    def key(self) -> bytes:
        found: bytes = self.__dict__["_key"]
        return found

    @property
    def is_pictured(self) -> bool:
        found: bool = self.__dict__["_is_pictured"]
        return found


class Written:
    """Renders the Markdown of a site."""

    def __init__(self, cache: Cache, crew: Crew) -> None:
        self._cache, self._crew = cache, crew
        self._pack, self._about = cache.pack(_PACK), cache.pack(_ABOUT)

    def prepare(self, texts: Sequence[Text]) -> None:
        """Render what is not in the cache, together with others, so that `render` finds it."""
        missing = [text for text in texts if not self._is_known(text)]
        self._cache.prepare(self._crew, missing, self._prepared)

    def _prepared(self, texts: Sequence[Text]) -> None:
        for text in texts:
            self._make(text)

    def _is_known(self, text: Text) -> bool:
        about = self._about.get(text.key)
        return about is not None and self._pack.has(_told(text, about))

    def render(self, text: Text) -> Rendered:
        """The forms of a text. Its `page_link` is asked for every link, whether it was rendered before or not."""
        about = self._about.get(text.key)
        told = about and _told(text, about)
        if about and told and self._pack.has(told):
            with suppress(ValueError, TypeError, EOFError):  # somebody else's
                links, is_pictured = marshal.loads(about)  # noqa: S302 - only data
                if all(text.page_link(link) == answer for link, answer in links):
                    return self._recalled(text, told, is_pictured=is_pictured)
        return self._make(text)

    def _recalled(self, text: Text, told: bytes, *, is_pictured: bool) -> Rendered:
        return _Recalled(told, is_pictured=is_pictured, forms=lambda: self._kept(text, told))

    def _kept(self, text: Text, told: bytes) -> Rendered:
        """The forms in the cache; made again where somebody took or damaged them meanwhile."""
        stored = self._pack.get(told)
        with suppress(ValueError, TypeError, EOFError):
            return Rendered(*marshal.loads(stored or b""))  # noqa: S302 - only data
        return text.rendered(text.page_link)

    def _make(self, text: Text) -> Rendered:
        asked: dict[str, str] = {}

        def answered(link: str) -> str:
            asked[link] = text.page_link(link)
            return asked[link]

        made = text.rendered(answered)
        about = marshal.dumps(([*asked.items()], made.is_pictured))
        told = _told(text, about)
        self._about.put(text.key, about)
        self._pack.put(told, marshal.dumps((made.html, made.feed_html, made.text, made.markdown)))
        return self._recalled(text, told, is_pictured=made.is_pictured)


def _told(text: Text, about: bytes) -> bytes:
    """The key of the forms of a text whose links lead where `about` says."""
    return digest(text.key, about)
