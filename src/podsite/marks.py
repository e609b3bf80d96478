"""What tells of each episode whether anything made of it would come out otherwise, and keys that are made of that.

A mark is plain data, and comparing it with that of the last build costs a fraction of making a key anew.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from podsite.cache import Cache, digest
from podsite.notes import Rendered
from podsite.read import Content
from podsite.site import Entry, Site

T = TypeVar("T")

_KIND = "marks"
_Known = tuple[Any, dict[str, bytes]]  # a mark, and keys by their kinds


class Marks:
    """The marks of a site's episodes. `place` is the output folder, `notes` are the rendered ones by slug."""

    def __init__(self, cache: Cache, place: str, site: Site, content: Content, notes: Mapping[str, Rendered]) -> None:
        self._cache, self._place, self._content, self._notes = cache, place, content, notes
        stored = cache.note(_KIND, place)
        self._old: dict[str, _Known] = {}
        self._together: dict[str, tuple[bytes, Any]] = {}
        if stored:
            self._old, self._together = marshal.loads(stored)  # noqa: S302 - only data
        self._new: dict[str, _Known] = {}
        self._is_changed = False
        self._frame = _frame(site)

    def key(self, kind: str, entry: Entry, make: Callable[[], bytes]) -> bytes:
        """A key that depends on nothing but the show, an episode with all that is beside it, and its notes."""
        keys = self._keys(entry)
        found = keys.get(kind)
        if found is None:
            found = keys[kind] = make()
            self._is_changed = True
        return found

    def learn(self, kind: str, entry: Entry, key: bytes) -> None:
        """Note a key that another process made."""
        self.key(kind, entry, lambda: key)

    def together(self, kind: str, facts: Iterable[bytes], make: Callable[[], T]) -> T:
        """Plain data that depends on nothing but the facts that keys tell, of all episodes as a rule."""
        key = digest(*facts)
        known = self._together.get(kind)
        if known is None or known[0] != key:
            known = self._together[kind] = key, make()
            self._is_changed = True
        made: T = known[1]
        return made

    def _keys(self, entry: Entry) -> dict[str, bytes]:
        slug = entry.episode.slug
        known = self._new.get(slug)
        if known is None:
            mark, known = self._mark(entry), self._old.get(slug)
            if known is None or known[0] != mark:
                known = mark, {}
            self._new[slug] = known
        return known[1]

    def _mark(self, entry: Entry) -> Any:
        episode, audio, image = entry.episode, entry.audio, entry.image
        notes = self._notes.get(episode.slug)
        return (
            self._frame,
            self._content.versions.get(episode.file) or repr(episode),
            entry.guid,
            entry.feed_date.timestamp(),
            entry.scheduled,
            audio and (audio.address, audio.type, audio.length, audio.duration),
            image and (image.address, image.width, image.height),
            notes and notes.key,
        )

    def save(self) -> None:
        """Keep the marks and keys of this build."""
        if self._is_changed or len(self._new) != len(self._old):
            self._cache.keep(_KIND, self._place, marshal.dumps((self._new, self._together)))


def _frame(site: Site) -> bytes:
    """What an episode is shown with that is not its own."""
    pictures = [one.image for one in site.people]
    return digest(repr((site.show, site.base_url, site.guid, site.artwork, pictures)), repr(site.words))
