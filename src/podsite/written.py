"""Markdown rendered once per content: a text comes from the cache as long as its links lead where they did."""

from __future__ import annotations

import marshal
from collections.abc import Callable

from podsite.cache import Cache, digest
from podsite.notes import Rendered, render

_PACK = "note"


class Written:
    """Renders the Markdown of a site."""

    def __init__(self, cache: Cache) -> None:
        self._pack = cache.pack(_PACK)

    def render(  # noqa: PLR0913 - the facts of `notes.render`
        self,
        source: str,
        page_link: Callable[[str], str],
        *,
        base_url: str,
        audio: str | None = None,
        page_url: str | None = None,
        max_seconds: float | None = None,
        top: int = 3,
    ) -> Rendered:
        """As `notes.render`. `page_link` is asked for every link of the text, whether it was rendered before or not."""
        key = digest(source, base_url, audio, page_url, repr(max_seconds), str(top))
        stored = self._pack.get(key)
        if stored is not None:
            links, html, feed_html, text = marshal.loads(stored)  # noqa: S302 - only data
            if all(page_link(link) == answer for link, answer in links):
                return Rendered(html, feed_html, text)
        asked: dict[str, str] = {}

        def answered(link: str) -> str:
            asked[link] = page_link(link)
            return asked[link]

        made = render(
            source,
            base_url=base_url,
            page_link=answered,
            audio=audio,
            page_url=page_url,
            max_seconds=max_seconds,
            top=top,
        )
        self._pack.put(key, marshal.dumps(([*asked.items()], made.html, made.feed_html, made.text)))
        return made
