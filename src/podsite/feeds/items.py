"""The items of a site's feeds, in RSS and in JSON: each made once per content, then taken from the cache."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from podsite.cache import Cache, digest
from podsite.crew import Crew
from podsite.feeds import described, jsonfeed, keys, texts
from podsite.feeds.media import audio_of
from podsite.feeds.tags import Source
from podsite.site import Audio, Entry

if TYPE_CHECKING:
    from podsite.marks import Marks
    from podsite.notes import Rendered


#: All there is to read about an episode, and what Apple shows of it; both are HTML.
_Words = tuple[str, str]
#: Items are made in batches, each step for all of one: a processor that does one thing a while is a quarter faster
#: than one that goes from HTML to XML to JSON for each, and the texts of no more than these are kept.
_BATCH = 64


class _Item(NamedTuple):
    entry: Entry
    audio: Audio | None
    key: bytes


class Items:
    """Writes the items of a site. `source` is that of the show's own feed, `notes` the rendered ones by slug."""

    def __init__(self, source: Source, notes: Mapping[str, Rendered], cache: Cache, marks: Marks | None = None) -> None:
        self.made = 0  # how many the cache did not have
        self._cache, self._marks = cache, marks
        self._source = source
        self._notes = notes
        self._rss = cache.pack("feed-item")
        self._json = cache.pack("json-item")
        self._keys: dict[str, bytes] = {}
        self._words: dict[str, _Words] = {}

    @property
    def keys(self) -> Mapping[str, bytes]:
        """The keys of the items that were asked for, by the slugs of their episodes."""
        return self._keys

    def prepare(self, crew: Crew) -> None:
        """Make what the cache does not have of the show's own feed, together with others."""
        missing = [entry for entry in self._source.edition.entries if not self._rss.has(self._key(entry))]
        self._cache.prepare(crew, missing, self._prepared)
        self.made += len(missing)

    def _prepared(self, missing: Sequence[Entry]) -> None:
        for entries in _batches(missing):
            self._make([_Item(entry, entry.audio, self._key(entry)) for entry in entries])
            self._make_json(entries)

    def rss(self, source: Source) -> Iterator[tuple[bytes, bytes]]:
        """Each item of a feed as XML, under the key that tells it from every other."""
        for entries in _batches(source.edition.entries):
            items = [_Item(entry, audio := audio_of(source, entry), self._key_with(entry, audio)) for entry in entries]
            known = {item.key: xml for item in items if (xml := self._rss.get(item.key)) is not None}
            missing = [item for item in items if item.key not in known]
            if missing:
                known |= self._make(missing)
                self.made += len(missing)
                if source.edition.is_main:
                    self._make_json([item.entry for item in missing])  # now that their words are at hand
            yield from ((item.key, known[item.key]) for item in items)

    def json(self) -> Iterator[bytes]:
        """Each item of the JSON Feed."""
        for entries in _batches(self._source.edition.entries):
            known = {key: item for key in map(self._key, entries) if (item := self._json.get(key)) is not None}
            known |= self._make_json([entry for entry in entries if self._key(entry) not in known])
            yield from (known[self._key(entry)] for entry in entries)

    def _make(self, missing: Sequence[_Item]) -> dict[bytes, bytes]:
        from podsite.feeds.assembly import item_xml

        made = {}
        for item, words in zip(missing, self._texts(item.entry for item in missing), strict=True):
            made[item.key] = item_xml(self._source, item.entry, item.audio, *words)
            self._rss.put(item.key, made[item.key])
        return made

    def _make_json(self, missing: Sequence[Entry]) -> dict[bytes, bytes]:
        made = {}
        for entry, (full, _) in zip(missing, self._texts(missing), strict=True):
            key = self._key(entry)
            made[key] = jsonfeed.item(self._source, entry, full)
            self._json.put(key, made[key])
        return made

    def _key(self, entry: Entry) -> bytes:
        slug = entry.episode.slug
        found = self._keys.get(slug)
        if found is None:
            marks = self._marks
            found = marks.key("item", entry, lambda: self._new_key(entry)) if marks else self._new_key(entry)
            self._keys[slug] = found
        return found

    def _new_key(self, entry: Entry) -> bytes:
        rendered = self._notes.get(entry.episode.slug)
        return digest(keys.of_item(self._source, entry, rendered.key if rendered else None))

    def _key_with(self, entry: Entry, audio: Audio | None) -> bytes:
        """The key with an enclosure of another format, where it is one."""
        key = self._key(entry)
        return key if audio is entry.audio else digest(key, keys.packed(audio))

    def _notes_html(self, entry: Entry) -> str:
        rendered = self._notes.get(entry.episode.slug)
        return rendered.feed_html if rendered else ""

    def _texts(self, entries: Iterable[Entry]) -> list[_Words]:
        """What episodes say in words; kept for the next call, or for good where feeds of other formats will ask."""
        known = {entry.episode.slug: self._words.get(entry.episode.slug) or self._said(entry) for entry in entries}
        self._words = self._words | known if self._source.site.show.feed.alternates else known
        return [*known.values()]

    def _said(self, entry: Entry) -> _Words:
        full = texts.content(self._source, entry, self._notes_html(entry))
        return full, described.description(full, texts.closing(self._source, entry))


def _batches(entries: Sequence[Entry]) -> Iterator[Sequence[Entry]]:
    return (entries[start : start + _BATCH] for start in range(0, len(entries), _BATCH))
