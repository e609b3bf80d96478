"""A site in which everything is set that show.yaml and an episode can say, and every change of one thing of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from podsite import shapes
from podsite.model import Episode, Show

from . import garden, samples

SUBJECT = "005-subject"  # the episode with everything
FILES = {
    **{f"static/{name}.png": content for name, content in zip(("one", "two", "three"), garden.PICTURES, strict=False)},
    **{f"static/{name}.mp3": content for name, content in zip(("one", "two"), garden.RECORDINGS, strict=False)},
    **{f"static/{name}.vtt": content for name, content in zip(("one", "two"), garden.TRANSCRIPTS, strict=False)},
    "pages/about.md": b"# About\n\nUs.\n",
}


class Change(NamedTuple):
    """One thing changed: where (`Show.feed.FeedSettings.limit changed`), and the site with it until the next change."""

    name: str
    show: dict[str, Any]
    episodes: dict[str, Any]


def site() -> tuple[dict[str, Any], dict[str, Any]]:
    """The show, and its episodes: one with everything, and those that it names."""
    others = {
        f"00{n}-{slug}": {
            "title": f"About {slug}",
            "number": 10 + n,
            "published": f"2025-01-0{n} 23:30 Z",
            "summary": "Short.",
            "audio": {"url": f"https://audio.example/{slug}.mp3", "length": 12_345_678, "duration": 754},
        }
        for n, slug in enumerate(samples.SLUGS, 1)
    }
    return samples.filled(Show), {**others, SUBJECT: {**samples.filled(Episode)}}


def changes(kind: type[Show | Episode]) -> Iterator[Change]:
    """Each key of each part in turn with another value, and left out, where it may be."""
    record = shapes.record(kind)
    show, episodes = site()
    said = show if kind is Show else episodes[SUBJECT]
    for spot in _spots(record, said, kind.__name__):
        holder, key, path = spot.holder, spot.key, spot.path
        old = holder[key]
        for new in _others(spot, old):
            if new is None:
                del holder[key]
            else:
                holder[key] = new
            what = "left out" if new is None else "changed"
            yield Change(f"{path} {what}", show, episodes)
            holder[key] = old


class _Spot(NamedTuple):
    holder: dict[str, Any]
    key: str
    shape: shapes.Shape
    path: str
    is_required: bool


def _others(spot: _Spot, old: Any) -> Iterator[Any]:
    yield next((one for one in reversed(samples.values(spot.shape, spot.path)) if one != old), None)
    if not spot.is_required:
        yield None


def _spots(record: shapes.Record, said: dict[str, Any], path: str) -> Iterator[_Spot]:
    """Every key that is set, with its path; of lists and tables the first element counts."""
    for key in record.keys.values():
        if key.name not in said:
            continue
        below = samples.below(path, record, key.name)
        yield _Spot(said, key.name, key.shape, below, key.required)
        inner, found = key.shape, said[key.name]
        if isinstance(inner, shapes.Listing):
            inner, found = inner.item, found[0]
        elif isinstance(inner, shapes.Table):
            below, inner, found = f"{below}.value", inner.item, next(iter(found.values()))
        if isinstance(inner, shapes.Record) and isinstance(found, dict):
            yield from _spots(inner, found, below)
