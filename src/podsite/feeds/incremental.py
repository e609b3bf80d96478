"""Certify a feed of ours by what is new in it: what was found in an item before is true wherever it stands now.

Rules judge channel and items one by one, or compare what is known of each (`Rule.compares`). So new items alone are
parsed, in batches inside the channel, and what is found is kept under all that it depends on: the item, the beginning
of the document, and the files of the site that the item points to. The result is `certify`'s, finding for finding; a
feed that does not split into sound items is left to that.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import blake2b
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, NamedTuple

from podsite.cache import Cache, digest
from podsite.crew import Crew, uncollected
from podsite.feeds import Document
from podsite.feeds.certify import Finding, certify, finding_of, in_order, part_of
from podsite.feeds.local import LocalFiles, State
from podsite.feeds.rules import RULES, Feed
from podsite.feeds.rules.listing import Listed, in_short
from podsite.feeds.rules.parsing import parse
from podsite.feeds.rules.rule import FILES, TABLE
from podsite.feeds.rules.tree import Node, Part
from podsite.packs import KEY, Pack
from podsite.records import dataclass

#: How many items are parsed at once, and lines: parsers lose count at 65,535.
_BATCH_ITEMS, _BATCH_LINES = 256, 40_000


@dataclass(frozen=True, slots=True)
class Judged:
    """What `certify` finds in a feed, and how many items had to be looked at for it.

    `states` are those of the files looked at, by their paths, and None where the next feed has to be judged anew;
    `newest` is the latest date in seconds.
    """

    findings: tuple[Finding, ...]
    states: Mapping[str, State] | None
    newest: int | None
    items: int


class _Known(NamedTuple):
    """What is known of an item, in what JSON has; lines are counted from the item's first, which is 0."""

    lines: int  # how many it has
    states: dict[str, State]
    findings: list[list[Any]]
    short: list[Any]


class _Batch(NamedTuple):
    """What was found in some items, and in the channel around them."""

    feed: Feed
    items: list[_Known]
    channel: list[Finding]
    states: dict[str, State]
    end: int  # the line behind the items


def judged(  # noqa: PLR0913 - what is judged, and with what
    document: Document,
    cache: Cache,
    local: LocalFiles,
    *,
    now: datetime | None = None,
    url: str | None = None,
    crew: Crew | None = None,
) -> Judged:
    """What `certify` finds in a feed, at the cost of what is new in it."""
    splice = _Splice(document, local, now, url)
    with uncollected():
        found = splice.judged(cache, crew or Crew()) if splice.is_ours else None
    if found is None:
        whole = certify(document.xml, local=local, now=now, url=url)
        return Judged(whole.findings, None, None, len(document.items))
    return found


class _Splice:
    """A feed as items inside a channel."""

    def __init__(self, document: Document, local: LocalFiles, now: datetime | None, url: str | None) -> None:
        self._document = document
        self._local, self._now, self._url = local, now, url
        cuts = document.cuts
        self._head, self._tail = document.part(0, cuts[0]), document.part(cuts[-1], document.size)
        self._start = self._head.count(b"\n") + 1  # the line of the first item
        channel = self._head.find(b"<channel")
        self._prolog = self._head[: self._head.find(b">", channel) + 1]
        #: What declares entities is none of ours; what has no items is quickly certified as a whole.
        self.is_ours = bool(document.items) and channel > 0 and b"<!" not in self._prolog

    def judged(self, cache: Cache, crew: Crew) -> Judged | None:
        """What is found; None when the feed does not split."""
        pack = cache.pack("certified-item")
        context = digest(self._prolog, self._local.key)
        keys = [blake2b(item, key=context, digest_size=KEY).digest() for item in self._document.items]
        known = self._kept([pack.get(key) for key in keys])
        new = [number for number, one in enumerate(known) if one is None]
        if crew.size > 1 and len(new) > 2 * _BATCH_ITEMS:
            # all but the first batch, in which the channel is judged here, with others
            cache.prepare(crew, new[_BATCH_ITEMS:], lambda numbers: self._prepared(numbers, keys, pack))
            known = self._kept([pack.get(key) for key in keys])
        first: _Batch | None = None
        left = [number for number in new if known[number] is None]
        for numbers in self._batches(left or [0]):
            batch = self._batch(numbers)
            if batch is None:
                return None
            for number, one in zip(numbers, batch.items, strict=True):
                known[number] = one
                pack.put(keys[number], json.dumps(one, separators=(",", ":")).encode())
            if first is not None:
                batch.feed.tree.forget()
            first = first or batch
        return self._whole(first, [one for one in known if one], len(new)) if first else None

    def _prepared(self, new: Sequence[int], keys: Sequence[bytes], pack: Pack) -> None:
        for numbers in self._batches(new):
            batch = self._batch(numbers)
            for number, one in zip(numbers, batch.items if batch else (), strict=False):
                pack.put(keys[number], json.dumps(one, separators=(",", ":")).encode())
            if batch:
                batch.feed.tree.forget()

    def _kept(self, kept: Sequence[bytes | None]) -> list[_Known | None]:
        """What is known of items whose files are still the same."""
        same = self._local.is_same
        data = json.loads(b"[" + b",".join([one or b"null" for one in kept]) + b"]")
        known = [_Known(*one) if one else None for one in data]
        return [one if one and all(same(path, was) for path, was in one.states.items()) else None for one in known]

    def _piece(self, number: int) -> bytes:
        cuts = self._document.cuts
        return self._document.part(cuts[number], cuts[number + 1])

    def _batches(self, numbers: Sequence[int]) -> Iterator[list[int]]:
        batch: list[int] = []
        lines = 0
        for number in numbers:
            more = self._piece(number).count(b"\n")
            if batch and (len(batch) == _BATCH_ITEMS or lines + more > _BATCH_LINES):
                yield batch
                batch, lines = [], 0
            batch.append(number)
            lines += more
        yield batch

    def _batch(self, numbers: Sequence[int]) -> _Batch | None:
        """Judge some items, and the channel; None when these are not what they ought to be."""
        pieces = [self._piece(number) for number in numbers]
        starts = [*accumulate((piece.count(b"\n") for piece in pieces), initial=self._start)]
        looked: set[str] = set()

        def look(url: str) -> Path | bytes | None:
            if self._local.path(url) is not None:
                looked.add(url)
            return self._local(url)

        feed = Feed(parse(b"".join((self._head, *pieces, self._tail))), look, self._now, self._url)
        if not _is_sound(feed, starts):
            return None
        found = _by_part(feed)
        urls = _urls(feed, looked)
        if not looked <= set().union(*urls):
            return None  # a rule takes an address from where it is not looked for, so nobody knows whose it is
        states, *of_items = [self._states(one) for one in urls]
        known = []
        for item, short, (start, end), files in zip(
            feed.items, in_short(feed), pairwise(starts), of_items, strict=True
        ):
            data = [_data(one, start) for one in found.get(item, ())]
            known.append(_Known(end - start, files, data, _short(short, start)))
        return _Batch(feed, known, found.get(feed.channel, []), states, starts[-1])

    def _states(self, urls: Iterable[str]) -> dict[str, State]:
        paths = (self._local.path(url) or "" for url in sorted(urls))
        return {path: self._local.state(path) for path in paths}

    def _whole(self, batch: _Batch, known: Sequence[_Known], new: int) -> Judged:
        """What was found in channel and items, each at its line, and what comparing the items finds."""
        starts = [*accumulate((one.lines for one in known), initial=self._start)]
        further = starts[-1] - batch.end  # how much lower the end of the channel stands than where it was judged
        found = [replace(one, line=one.line + further) if one.line >= batch.end else one for one in batch.channel]
        states = dict(batch.states)
        for one, start in zip(known, starts, strict=False):
            states |= one.states
            found += [_finding(data, one.short[0], start) for data in one.findings]
        items: Sequence[Listed] = [Listed._make((*one.short, start)) for one, start in zip(known, starts, strict=False)]
        batch.feed.know(in_short, items)
        found += [finding_of(rule, hit) for rule in RULES if rule.compares for hit in rule.broken(batch.feed)]
        batch.feed.tree.forget()
        newest = max((one.when for one in items if one.when is not None), default=None)
        return Judged(in_order(found), states, newest, new)


def _is_sound(feed: Feed, starts: Sequence[int]) -> bool:
    """Whether the document has no flaw, each item begins in its piece, and all else stands before or behind them."""
    tree = feed.tree
    if tree.flaws or tree.skipped or tree.channel is None or len(feed.items) != len(starts) - 1:
        return False
    items = zip(feed.items, pairwise(starts), strict=True)
    outside = (node.line for node in tree.channel.nodes if node.name != "item")
    return all(start <= item.line < end for item, (start, end) in items) and not any(
        starts[0] <= line < starts[-1] for line in outside
    )


def _by_part(feed: Feed) -> dict[Part, list[Finding]]:
    """What rules find in each item; under the channel all else."""
    found: dict[Part, list[Finding]] = {}
    for rule in RULES:
        for hit in () if rule.compares else rule.broken(feed):
            part = part_of(hit.node) if isinstance(hit.node, Node) else None
            found.setdefault(part or feed.channel, []).append(finding_of(rule, hit))
    return found


def _urls(feed: Feed, looked: set[str]) -> list[set[str]]:
    """For the channel and each item, its addresses that were looked behind."""
    found: dict[Part, set[str]] = {part: set() for part in feed.parts}
    for name, attribute in FILES.items() if looked else ():
        for node in feed.of_podcast(name) if name.startswith("podcast:") else feed.each(name):
            url = (node.get(attribute) or "").strip()
            if url in looked:
                found[node.part].add(url)
    return [*found.values()]


def _data(finding: Finding, start: int) -> list[Any]:
    return [finding.rule.code, finding.message, finding.line - start, finding.what, finding.key, finding.once]


def _finding(data: Sequence[Any], name: str | None, start: int) -> Finding:
    code, message, line, what, key, once = data
    return Finding(TABLE[code], message, name, line + start, what, key, once)


def _short(item: Listed, start: int) -> list[Any]:
    return list(item._replace(lines=[line - start for line in item.lines]))[:-1]
