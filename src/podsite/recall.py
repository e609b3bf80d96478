"""The quick way out: a build whose input and output are as the last one left them has nothing to do.

Nothing is imported here but what looks at files. What cannot be told for certain means that the build is made.
"""

from __future__ import annotations

import hashlib
import marshal
import os
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from podsite.cache import Cache
from podsite.crew import Crew, Errand
from podsite.left import Left
from podsite.signatures import Look, is_same

if TYPE_CHECKING:
    from podsite.errors import Problem

CACHE = ".podsite"
LOCK = "podsite.lock"
_KIND = "build"
_MANY = 4000  # files that are worth a process


class Options(NamedTuple):
    """How a site is to be built: at which instant, as what, and how strictly.

    `base_url` takes the place of the site's address; `drafts` and `future` show what is not out; `strict` lets warnings
    stop the build; `locked` keeps podsite.lock as it is; `accept` names changes that listeners may notice; `jobs` is
    how many processes share the work, None for as many as there are processors. Without `search`, nothing is indexed.
    """

    now: datetime
    base_url: str | None = None
    drafts: bool = False
    future: bool = False
    strict: bool = False
    locked: bool = False
    accept: tuple[str, ...] = ()
    jobs: int | None = 1
    search: bool = True

    @property
    def key(self) -> tuple[object, ...]:
        """What the result depends on, besides the instant."""
        return self.base_url, self.drafts, self.future, self.strict, self.locked, self.search, *sorted(self.accept)


class Waiting(NamedTuple):
    """An episode that is left out until its moment comes: in ISO form, and as its show's clock says it."""

    file: str
    title: str
    published: str
    shown: str


class Report(NamedTuple):
    """What a build did to the output folder: paths as in `Artifact`, each tuple sorted."""

    written: tuple[str, ...]
    unchanged: tuple[str, ...]
    removed: tuple[str, ...]


class Built(NamedTuple):
    """What a build made, what happened to the output folder, and the warnings on the way."""

    report: Report
    warnings: tuple[Problem, ...]
    episodes: int
    pages: int
    feed_items: int
    feed_bytes: int
    scheduled: tuple[Waiting, ...]


class Inputs(NamedTuple):
    """What a build looked at: files as they were before they were read, and folders with their names."""

    files: Mapping[str, Look]
    folders: Mapping[str, Iterable[str]]


class Span(NamedTuple):
    """How long a build's result holds when nothing is edited: from its instant up to (not including) another."""

    begin: datetime
    end: datetime | None

    def holds(self, now: datetime) -> bool:
        """Whether a build at `now` would give the same."""
        return self.begin <= now and (self.end is None or now < self.end)


class Recall:
    """What the last build of a site into a folder with these options was made of, and what it said."""

    def __init__(self, root: Path, output: Path, options: Options) -> None:
        self._root, self._output = str(root), os.path.realpath(output)
        self._about = repr((os.path.realpath(root), self._output, options.key))
        self._now = options.now
        self._jobs = Crew(options.jobs).size
        self.cache = Cache(root / CACHE)

    @cached_property
    def left(self) -> Left:
        """What the last build left in the output folder."""
        return Left(self.cache, self._output)

    def result(self) -> Built | None:
        """What the last build said, if this one would do nothing else; None when it has to be made."""
        stored = self.cache.note(_KIND, self._about)
        if stored is None:
            return None
        left, begin, end, count, files, folders, said = marshal.loads(stored)  # noqa: S302 - only data
        span = Span(datetime.fromisoformat(begin), datetime.fromisoformat(end) if end else None)
        if not span.holds(self._now):
            return None

        def are_as_they_were() -> bool:
            looked = marshal.loads(files)  # noqa: S302 - only data
            return all(is_same(f"{self._root}/{file}", known) for file, known in looked) and all(
                self._holds(folder, digest) for folder, digest in folders
            )

        # neither process reads what the other one looks at
        with Errand(are_as_they_were, apart=count >= _MANY and self._jobs > 1) as errand:
            # what stands there may be of a build with other options
            stands = left == self.left.mark and self.left.is_whole and errand.answer()
        return self._built(said) if stands else None

    def keep(self, inputs: Inputs, span: Span, built: Built) -> None:
        """Remember a build that was made; what it left in the folder is in `left` already."""
        folders = [(folder, self._digest(folder, names)) for folder, names in inputs.folders.items()]
        end = span.end.isoformat() if span.end else None
        warnings = [(one.place.file, one.place.line, one.place.column, one.path, one.message) for one in built.warnings]
        numbers = built.episodes, built.pages, built.feed_items, built.feed_bytes
        said = warnings, numbers, [tuple(one) for one in built.scheduled]
        files = marshal.dumps([*inputs.files.items()])
        facts = self.left.mark, span.begin.isoformat(), end, len(inputs.files), files, folders, said
        self.cache.keep(_KIND, self._about, marshal.dumps(facts))

    def _built(self, said: Any) -> Built:
        warnings, (episodes, pages, feed_items, feed_bytes), scheduled = said
        return Built(
            report=Report((), self.left.paths, ()),
            warnings=_problems(warnings) if warnings else (),
            episodes=episodes,
            pages=pages,
            feed_items=feed_items,
            feed_bytes=feed_bytes,
            scheduled=tuple(Waiting(*one) for one in scheduled),
        )

    def _holds(self, folder: str, digest: bytes) -> bool:
        place = f"{self._root}/{folder}" if folder else self._root
        try:
            names = os.listdir(place)
        except FileNotFoundError:
            names = []
        except OSError:  # a file now, or not to be read: the build will say so
            return False
        return self._digest(folder, names) == digest and not (folder and os.path.islink(place))  # noqa: PTH114

    def _digest(self, folder: str, names: Iterable[str]) -> bytes:
        """The names in a folder, without those that podsite itself makes there."""
        own = set() if folder else {CACHE, LOCK}
        above, _, name = self._output.rpartition("/")
        if above == os.path.realpath(f"{self._root}/{folder}"):
            own.add(name)
        kept = sorted(set(names) - own)
        return hashlib.sha256("\0".join(kept).encode("utf-8", "surrogatepass")).digest()


def _problems(warnings: Any) -> tuple[Problem, ...]:
    from podsite.errors import Place, Problem

    return tuple(
        Problem(Place(file, line, column), path, message, "warning") for file, line, column, path, message in warnings
    )
