"""Markdown rendered once per content: a text comes from the cache as long as its links lead where they did."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

from podsite.cache import Cache, digest
from podsite.crew import Crew
from podsite.notes import Rendered, render

_PACK = "note"


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

    @cached_property
    def key(self) -> bytes:
        """What its forms depend on besides where its links lead."""
        facts = self.source, self.base_url, self.audio, self.page_url, repr(self.max_seconds), str(self.top), self.root
        return digest(*facts)

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
        )


class Written:
    """Renders the Markdown of a site."""

    def __init__(self, cache: Cache, crew: Crew) -> None:
        self._cache, self._pack, self._crew = cache, cache.pack(_PACK), crew

    def prepare(self, texts: Sequence[Text]) -> None:
        """Render what is not in the cache, together with others, so that `render` finds it."""
        missing = [text for text in texts if not self._pack.has(text.key)]
        self._cache.prepare(self._crew, missing, lambda part: [self.render(text) for text in part])

    def render(self, text: Text) -> Rendered:
        """The forms of a text. Its `page_link` is asked for every link, whether it was rendered before or not."""
        key = text.key
        stored = self._pack.get(key)
        if stored is not None:
            with suppress(ValueError, TypeError, EOFError):  # somebody else's
                links, *forms = marshal.loads(stored)  # noqa: S302 - only data
                if all(text.page_link(link) == answer for link, answer in links):
                    return Rendered(*forms)
        asked: dict[str, str] = {}

        def answered(link: str) -> str:
            asked[link] = text.page_link(link)
            return asked[link]

        made = text.rendered(answered)
        self._pack.put(key, marshal.dumps(([*asked.items()], made.html, made.feed_html, made.text, made.markdown)))
        return made
