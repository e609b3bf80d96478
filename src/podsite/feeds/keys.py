"""What an item or a channel is made of, as plain values: the key under which it is kept.

A field that a model gets is in the key from the start; only what no feed can show is named here, to be left out.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import datetime
from functools import cache
from operator import attrgetter
from types import NoneType
from typing import Any

from podsite.companions import files_of_show
from podsite.feeds.tags import Source
from podsite.model import Episode
from podsite.quotes import soundbites
from podsite.site import Entry

_NOTHING: tuple[()] = ()
_PLAIN = frozenset({str, int, float, bool, bytes, NoneType})
#: What no item shows of an episode, and what it shows as `Entry` has it, resolved.
_LEFT_OUT = frozenset(
    {"notes", "quotes", "requires", "related", "draft", "aliases", "translations", "extra", "file"}
    | {"published", "guid", "image", "people", "topics", "explicit", "transcript"}
)
_DUMP = 2  # the format of marshal in which equal values give equal bytes, whatever else refers to them


def packed(value: Any) -> bytes:
    """Bytes that two values share only when they are equal."""
    return marshal.dumps(_flat(value), _DUMP)


def of_item(source: Source, entry: Entry, notes: bytes | None) -> bytes:
    """All that an item's texts and tags depend on, but for the format of its enclosure; `notes` is the key of those."""
    episode, show, transcript = entry.episode, source.site.show, entry.episode.transcript
    measured = [one.file for one in episode.audio.alternates if one.file] if episode.audio else []
    measured += [one.image for one in episode.images]
    facts = (
        source.site.base_url,
        show.feed.prefix,
        _each(_of_episodes()(episode)),
        entry.guid,
        entry.feed_date.isoformat(),
        _flat(entry.audio),
        (entry.image or source.site.artwork).address,
        [
            (who.id, who.role, who.group, who.person.name, who.person.url, who.image.address if who.image else None)
            for who in entry.people
        ],
        [topic.name for topic in entry.topics],
        _flat(soundbites(episode)) if episode.quotes else None,
        show.explicit if episode.explicit is None else episode.explicit,
        show.season_name(episode.season),
        (transcript.file, transcript.language or show.language, transcript.captions, bool(transcript.cues))
        if transcript
        else None,
        [_flat(source.content.facts.get(file)) for file in measured],
        notes,
    )
    return marshal.dumps(facts, _DUMP)


def of_channel(source: Source, description_html: str) -> bytes:
    """All that a channel depends on: any fact of the show, and what a feed says of itself."""
    site, edition = source.site, source.edition
    facts = (
        site.base_url,
        site.guid,
        site.show,
        site.artwork.address,
        site.updated,
        [(one.id, one.roles) for one in site.people],
        [source.content.facts.get(file) for file in files_of_show(site.show)],
        (edition.path, edition.title, edition.guid, edition.page, edition.links, edition.intro, edition.is_main),
        max((entry.feed_date for entry in edition.entries), default=None),
        description_html,
    )
    return packed(facts)


@cache
def _of_episodes() -> Callable[[Episode], tuple[Any, ...]]:
    return attrgetter(*(field.name for field in fields(Episode) if field.name not in _LEFT_OUT))


def _flat(value: Any) -> Any:
    """The value in what marshal writes; records keep their names, so that two kinds with equal fields differ."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is tuple or kind is list:
        return _rows(value) or _each(value)
    if kind is datetime:
        return value.isoformat()
    if is_dataclass(kind):
        return (kind.__qualname__, *_each(_record(kind)(value)))
    if isinstance(value, Mapping):
        return [(_flat(name), _flat(one)) for name, one in value.items()]
    return repr(value)


def _each(values: Sequence[Any]) -> tuple[Any, ...]:
    return tuple([one if type(one) in _PLAIN or one is _NOTHING else _flat(one) for one in values])


def _rows(values: Sequence[Any]) -> tuple[str, bytes] | None:
    """Records of one kind, such as chapters; None where there are none, or not of plain values alone."""
    kinds = set(map(type, values))
    kind = kinds.pop() if len(kinds) == 1 else None
    if kind is None or not is_dataclass(kind):
        return None
    try:
        return kind.__qualname__, marshal.dumps([*map(_record(kind), values)], _DUMP)
    except ValueError:
        return None


@cache
def _record(kind: type) -> Callable[[Any], tuple[Any, ...]]:
    names = [field.name for field in fields(kind)]
    return attrgetter(*names, names[0])  # one more, since of a single name it would give no tuple
