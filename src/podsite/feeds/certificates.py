"""What directories say of a site's feeds, remembered from build to build: rules are read only for what is new."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from podsite.cache import Cache, digest
from podsite.crew import Crew
from podsite.errors import Problem, Severity
from podsite.feeds import Document
from podsite.feeds.local import LocalFiles
from podsite.read import Content
from podsite.site import Site


class Remark(NamedTuple):
    """A finding as builds tell it: the directories that make it, the item's guid (None: the channel), its key."""

    directories: list[str]
    item: str | None
    key: str
    text: str
    severity: Severity


class Remarks(NamedTuple):
    """All findings in a feed, in its order, and how many of its items had to be looked at for them."""

    found: list[Remark]
    judged: int


def remarks(  # noqa: PLR0913 - what is judged, and with what
    document: Document, cache: Cache, local: LocalFiles, *, now: datetime | None, url: str, crew: Crew | None = None
) -> Remarks:
    """What is to be said of a feed that is served at `url`, at the cost of what is new in it since it was said before.

    `now` is the instant to call dates future by.
    """
    pack = cache.pack("certificate")
    key = digest(document.key, local.key, url)
    kept = pack.get(key)
    if kept is not None:
        newest, states, rows = json.loads(kept)
        if not _is_future(newest, now) and all(local.is_same(path, was) for path, was in states.items()):
            return Remarks([Remark(*row) for row in rows], 0)
    from podsite.feeds.incremental import judged

    found = judged(document, cache, local, now=now, url=url, crew=crew)
    said = [Remark([*one.rule.directories], one.item, one.key, str(one), one.rule.severity) for one in found.findings]
    if found.states is not None and not _is_future(found.newest, now):
        pack.put(key, json.dumps([found.newest, found.states, said], separators=(",", ":")).encode())
    return Remarks(said, found.items)


def _is_future(newest: int | None, now: datetime | None) -> bool:
    """Whether a date may be called future, so that what is said changes with the hour."""
    return newest is not None and now is not None and newest > (now + timedelta(days=1)).timestamp()


def problems(found: Iterable[Remark], site: Site, content: Content) -> Iterator[Problem]:
    """The remarks as problems at the lines of the YAML files that the values came from."""
    files = {entry.guid: entry.episode.file for entry in site.entries}
    for one in found:
        file = files.get(one.item or "", "show.yaml")
        yield Problem(content.place(file, one.key), one.key, one.text, one.severity)
