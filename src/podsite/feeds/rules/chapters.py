"""Rules about chapters: the files parse, chapters are in order and lie inside the episode's duration."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

from podsite.feeds.rules.companions import SLACK, clock_seconds, files, is_number, lasts
from podsite.feeds.rules.rule import Feed, Hit, Hits, LocalFile, rule, shown
from podsite.feeds.rules.tree import Node
from podsite.records import dataclass
from podsite.values import clock_text

_CLOCK = re.compile(r"(?:(\d{1,9}):)?(\d{1,2}):(\d{2})(?:\.(\d+))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Chapters:
    """A chapters file: what is wrong with it as a whole ('' for nothing), and its chapters' starts.

    `odd` are starts that are no numbers.
    """

    fault: str
    version: str = ""
    starts: Sequence[float] = ()
    odd: Sequence[Any] = ()


def _chapters(file: LocalFile) -> Chapters:
    try:
        found = json.loads(file.content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        return Chapters(f"is no JSON ({error})")
    listed = found.get("chapters") if isinstance(found, dict) else None
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        return Chapters("has no list of 'chapters'")
    starts = [one.get("startTime") for one in listed]
    odd = [start for start in starts if not is_number(start)]
    numbers = [start for start in starts if is_number(start)] if odd else starts
    return Chapters("", str(found.get("version") or ""), numbers, odd)


def _sound_chapters(feed: Feed) -> Iterator[tuple[Node, Chapters]]:
    for node, file in files(feed, "podcast:chapters"):
        found = file.fact(_chapters)
        if file.size is not None and not found.fault:
            yield node, found


@rule(
    "chapters-file",
    "apple podcast20",
    "error",
    key="chapters",
    reason="Chapters that cannot be read are not shown, and some players stop at them.",
    remedy="write JSON with version and a list of chapters, each with startTime in seconds",
    source="podcast-namespace jsonChapters.md; AntennaPod 4938",
)
def chapters_file(feed: Feed) -> Hits:
    """Has chapters in JSON with numbers for their starts."""
    for node, file in files(feed, "podcast:chapters"):
        if file.size is not None:
            found = file.fact(_chapters)
            if found.fault:
                yield Hit(node, f"the chapters file {found.fault}", found.fault)
            elif found.odd:
                odd = found.odd[0]
                yield Hit(node, f"a chapter's startTime is {odd!r}, no number of seconds", str(odd))


@rule(
    "chapters-version",
    "podcast20",
    "warning",
    key="chapters",
    reason="The version tells readers which fields to expect.",
    remedy='write "version": "1.2.0"',
    source="podcast-namespace jsonChapters.md",
)
def chapters_version(feed: Feed) -> Hits:
    """Names the version of its chapters."""
    for node, found in _sound_chapters(feed):
        if not re.fullmatch(r"1\.\d+(\.\d+)?", found.version):
            yield Hit(node, f"expected the version '1.2.0' in the chapters file, found '{shown(found.version)}'")


@rule(
    "chapters-order",
    "apple podcast20",
    "error",
    key="chapters",
    reason="Players take the first chapter that starts later for the next one, so that others are never shown.",
    remedy="sort the chapters by their starts",
    source="podcast-namespace jsonChapters.md; AntennaPod 4938",
)
def chapters_order(feed: Feed) -> Hits:
    """Lists chapters by their starts."""
    for node, found in _sound_chapters(feed):
        yield from _unordered(node, found.starts)
    for node, _, starts in feed.fact(_simple_chapters):
        yield from _unordered(node, [start for start in starts if start is not None])


def _unordered(node: Node, starts: Sequence[float]) -> Hits:
    late = next((after for before, after in pairwise(starts) if after < before), None)
    if late is not None:
        yield Hit(node, f"the chapter at {clock_text(late)} comes after one that starts later", clock_text(late))


@rule(
    "chapters-duration",
    "apple podcast20",
    "error",
    key="chapters",
    reason="A chapter after the end is never reached, and jumping to it ends the episode.",
    remedy="mend the chapter's start, or the duration",
    source="podcast-namespace jsonChapters.md",
)
def chapters_duration(feed: Feed) -> Hits:
    """Has chapters inside the episode."""
    for node, found in _sound_chapters(feed):
        yield from _outside(node, found.starts)
    for node, _, starts in feed.fact(_simple_chapters):
        yield from _outside(node, [start for start in starts if start is not None])


def _outside(node: Node, starts: Sequence[float]) -> Hits:
    end = lasts(node)
    if end and starts and max(starts) > end + SLACK:
        late = clock_text(max(starts))
        yield Hit(node, f"a chapter starts at {late}, after the end at {clock_text(end)}", late)


def _simple_chapters(feed: Feed) -> list[tuple[Node, list[Node], list[float | None]]]:
    """The simple chapters of each item, with their starts."""
    nodes = [(node, node.children) for item in feed.items for node in item.all("psc:chapters")]
    return [(node, inside, [_start(one.get("start") or "") for one in inside]) for node, inside in nodes]


@lru_cache(maxsize=65536)
def _start(text: str) -> float | None:
    clock = _CLOCK.fullmatch(text.strip())
    return clock_seconds(*clock.groups()) if clock else None


@rule(
    "psc-chapters",
    "spotify",
    "error",
    key="chapters",
    reason="Simple chapters count inside the item only, each with a start and a title; Spotify reads no others.",
    remedy='write <psc:chapter start="00:01:02.000" title="…"/> inside <psc:chapters> inside the item',
    source="podlove.org/simple-chapters; serious-bg PR 323",
)
def simple_chapters(feed: Feed) -> Hits:
    """Writes simple chapters by their specification."""
    for node in feed.channel.all("psc:chapters", "psc:chapter"):
        yield Hit(node, f"<{node.name}> stands outside of an item")
    for _, inside, starts in feed.fact(_simple_chapters):
        for one, start in zip(inside, starts, strict=True):
            written = one.get("start") or ""
            if start is None:
                yield Hit(one, f"expected a start such as '00:01:02.000', found '{shown(written)}'", written)
            elif not (one.get("title") or "").strip():
                yield Hit(one, f"the chapter at {shown(written)} has no title", written)
