"""Certifying what is new in a feed finds what certifying all of it finds, finding for finding."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import random
import re
import sys
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from podsite.cache import Cache
from podsite.feeds import Document
from podsite.feeds.certificates import remarks
from podsite.feeds.certify import certify
from podsite.feeds.incremental import judged
from podsite.feeds.local import LocalFiles

_spec = importlib.util.spec_from_file_location("mutated", Path(__file__).parent / "test_rules.py")
assert _spec and _spec.loader
mutated = importlib.util.module_from_spec(_spec)
sys.modules["mutated"] = mutated  # its dataclasses look themselves up
_spec.loader.exec_module(mutated)

NOW = datetime(2026, 2, 1, tzinfo=UTC)
URL = mutated.URL
ITEM = re.compile(rb"^[ \t]*<item\b.*?</item>[ \t]*\r?\n", re.DOTALL | re.MULTILINE | re.IGNORECASE)
DEFECTS = {one.name: (one.xml, mutated.files_of(one)) for one in mutated.MUTATIONS}
FEEDS = DEFECTS | {path.stem: (path.read_bytes(), {}) for path in mutated.REAL}


def document(head: bytes, items: list[bytes], tail: bytes) -> Document:
    """A feed of these parts, as podsite would splice it."""
    cuts = [len(head)]
    for item in items:
        cuts.append(cuts[-1] + len(item))
    names = tuple(hashlib.sha256(item).digest()[:16] for item in items)
    xml = b"".join((head, *items, tail))
    return Document("feed.xml", xml, hashlib.sha256(xml).digest()[:16], names, tuple(cuts))


def split(xml: bytes) -> Document:
    """A feed cut at its items, as far as they stand on lines of their own and behind one another."""
    found = [*ITEM.finditer(xml)]
    while found and any(xml[one.end() : two.start()].strip() for one, two in pairwise(found)):
        found.pop()
    if not found:
        return document(xml, [], b"")
    starts = [one.start() for one in found] + [found[-1].end()]
    items = [xml[start:end] for start, end in pairwise(starts)]
    return document(xml[: starts[0]], items, xml[starts[-1] :])


def parts(feed: Document) -> tuple[bytes, list[bytes], bytes]:
    """What a feed is spliced of."""
    items = [feed.xml[start:end] for start, end in pairwise(feed.cuts)]
    return feed.xml[: feed.cuts[0]], items, feed.xml[feed.cuts[-1] :]


def same(feed: Document, cache: Cache, files: dict[str, bytes]) -> int:
    """Certify both ways; how many items were looked at."""
    local = LocalFiles(mutated.BASE, None, files)
    found = judged(feed, cache, local, now=NOW, url=URL)
    assert found.findings == certify(feed.xml, local=local, now=NOW, url=URL).findings
    return found.items


GOOD = split(mutated.GOOD.encode())


def test_nearly_every_feed_splits() -> None:
    """What follows would prove little if each feed were certified as a whole."""
    assert same(GOOD, Cache(None), mutated.good_files()) == len(GOOD.items) > 1
    whole = {
        name
        for name, (xml, files) in FEEDS.items()
        if judged(split(xml), Cache(None), LocalFiles(mutated.BASE, None, files), now=NOW, url=URL).states is None
    }
    assert len(whole) < len(FEEDS) / 6


@pytest.mark.thorough(but_each=8)
@pytest.mark.parametrize(("xml", "files"), FEEDS.values(), ids=FEEDS)
def test_a_defect_among_known_items_is_found_as_in_the_whole(
    xml: bytes, files: dict[str, bytes], thorough: bool
) -> None:
    """When it comes, while it stays, behind and before sound items, and when it is gone again."""
    cache = Cache(None)
    same(GOOD, cache, files)
    feed = split(xml)
    head, items, tail = parts(feed)
    _, sound, _ = parts(GOOD)
    orders = [[*sound, *items], items[1:], items, items, [*items, *sound, *items[:1]], items[::-1]]
    for order in orders if thorough else orders[:2]:
        same(document(head, order, tail), cache, files)


@given(st.integers(0, 10**9))
def test_any_mixture_of_items_is_judged_as_the_whole(seed: int) -> None:
    """Items of many feeds under one channel, some known and some new, in two builds after one another."""
    chosen, cache = random.Random(seed), Cache(None)
    items = [item for xml, _ in chosen.sample([*DEFECTS.values()], 12) for item in parts(split(xml))[1]]
    head, _, tail = parts(GOOD)
    for _ in range(2):
        picked = chosen.sample(items, chosen.randint(1, min(8, len(items))))
        same(document(head, picked, tail), cache, mutated.good_files())


def test_only_new_items_are_looked_at() -> None:
    """One of many costs one, in whichever batch; none, when none is new."""
    head, items, tail = parts(GOOD)
    many = [items[0].replace(b"424e8c05", b"%08d" % n).replace(b"3.mp3", b"%d.mp3" % n) for n in range(300)]
    cache = Cache(None)
    assert same(document(head, many, tail), cache, {}) == 300
    many[280] = many[280].replace(b"<title>", b"<title>\n")
    assert same(document(head, many, tail), cache, {}) == 1
    assert same(document(head, many[1:], tail), cache, {}) == 0
    assert same(document(head.replace(b"Quiet", b"Loud"), many, tail), cache, {}) == 0


def test_a_file_that_changes_is_looked_at_again(tmp_path: Path) -> None:
    """Its item is judged anew, and no other; the same when it comes, and when it goes."""
    (tmp_path / "3.mp3").write_bytes(mutated.good_files()["3.mp3"])
    cache = Cache(None)

    def looked(files: dict[str, Any]) -> tuple[int, int]:
        local = LocalFiles(mutated.BASE, None, mutated.good_files() | files)
        said = remarks(GOOD, cache, local, now=NOW, url=URL)
        whole = certify(GOOD.xml, local=local, now=NOW, url=URL).findings
        assert [one.text for one in said.found] == [str(one) for one in whole]
        return said.judged, len(said.found)

    on_disk = {"3.mp3": tmp_path / "3.mp3"}
    assert looked(on_disk) == (len(GOOD.items), 0)
    assert looked(on_disk) == (0, 0)
    os.utime(tmp_path / "3.mp3", (1, 1))
    assert looked(on_disk) == (1, 0)
    (tmp_path / "3.mp3").write_bytes(b"ID3 and too short")
    assert looked(on_disk) == (1, 1)
    (tmp_path / "3.mp3").unlink()
    assert looked(on_disk) == (1, 1)
    assert looked({"3.vtt": b"no transcript"})[1] == 1


def test_a_date_that_may_be_future_is_judged_with_each_build() -> None:
    """What was in the future yesterday is out today."""
    cache = Cache(None)
    early, local = datetime(2020, 1, 1, tzinfo=UTC), LocalFiles(mutated.BASE, None, mutated.good_files())
    for now in (NOW, early, NOW, early):
        found = remarks(GOOD, cache, local, now=now, url=URL).found
        assert len(found) == (0 if now is NOW else len(GOOD.items))
