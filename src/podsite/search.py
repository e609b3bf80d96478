"""Full-text search: the index of a site, made by pagefind while pages are made.

The only door to pagefind, a program that comes as a Python package; where there is none for a system, one on the PATH
will do. What goes wrong is told and stops nothing here: `build` knows whether a show can go out without search.
"""

from __future__ import annotations

import marshal
import os
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from pathlib import Path
from types import TracebackType
from typing import Self

from podsite import bundle
from podsite.artifacts import Artifact, Standing
from podsite.cache import Cache, digest
from podsite.ending import REQUEST
from podsite.findable import Document
from podsite.indexer import UNREADABLE, Failed, Run
from podsite.paper import Progress
from podsite.records import dataclass
from podsite.roots import SHOW
from podsite.signatures import digest_of
from podsite.urls import INDEX

_LISTED, _KEPT = "indexed", "index"  # notes of the cache for each part: paths with digests; the files themselves

#: The indexer's names for languages whose words it knows by another tag.
_LANGUAGES = {"nb": "no", "nn": "no"}


def program() -> Path:
    """Where pagefind is. Raises Failed."""
    with suppress(ImportError, OSError):
        import pagefind_bin

        return Path(pagefind_bin.get_executable())
    found = shutil.which("pagefind")
    if found is None:
        raise Failed("pagefind is not installed; run 'pip install pagefind-bin'")
    return Path(found)


@dataclass(slots=True)
class _Part:
    """Documents that are indexed together; `artifacts` as soon as they are known."""

    number: int
    documents: Sequence[Document]
    key: bytes
    artifacts: list[Artifact] | None = None
    run: Run | None = None

    @property
    def address(self) -> str:
        return f"{INDEX}{self.number}/" if self.number else INDEX


@dataclass(slots=True)
class Indexing:
    """The index of a site in the making: begun with the context, behind which neither a process nor a file stays.

    `failure` says why there is no index; `addresses` are then not to be relied on.
    `standing` has the digests of what lies in the output folder `place`; `size` is how many processes may work.
    """

    language: str
    documents: Sequence[Sequence[Document]]
    cache: Cache
    standing: Mapping[str, bytes]
    place: str
    size: int = 1
    failure: str = ""
    _parts: list[_Part] = field(default_factory=list)
    _waiting: list[_Part] = field(default_factory=list)

    @property
    def addresses(self) -> tuple[str, ...]:
        """Where the parts of the index will be."""
        return tuple(part.address for part in self._parts)

    def __enter__(self) -> Self:
        try:
            self._begin()
        except Failed as error:
            self.failure = str(error)
        except BaseException:  # somebody ends the build just now
            self._end()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._end()

    def _end(self) -> None:
        with REQUEST.held():
            for part in self._parts:
                if part.run:
                    part.run.end()

    def _begin(self) -> None:
        """Find what is known of the index, and start to make the rest."""
        if not self.documents:
            return
        made_by = f"{_size(program())} {self._language}"
        for number, documents in enumerate(self.documents):
            part = _Part(number, documents, digest(made_by, *(f"{one.address} {one.key.hex()}" for one in documents)))
            part.artifacts = self._known(part)
            self._parts.append(part)
        self._waiting = [part for part in self._parts if part.artifacts is None]
        for part in self._waiting[: self.size]:
            self._start(part)

    def watching(self, progress: Progress) -> Progress:
        """`progress` that lets further parts begin where others have come to an end."""
        begun_by = os.getpid()

        def told(what: str, done: int, of: int) -> None:
            progress(what, done, of)
            if self._waiting and not self.failure and os.getpid() == begun_by:
                self._proceed()

        return told

    def _proceed(self) -> None:
        busy = sum(part.run is not None and not part.run.is_done for part in self._parts)
        try:
            for part in self._waiting[: max(0, self.size - busy)]:
                self._start(part)
        except Failed as error:
            self.failure = str(error)

    def finish(self) -> list[Artifact]:
        """The files of the index; none where it failed."""
        found: list[Artifact] = []
        try:
            for part in () if self.failure else self._parts:
                known = part.artifacts
                found += known if known is not None else self._made(part, part.run or self._start(part))
        except Failed as error:
            self.failure, found = str(error), []
        return found

    def _known(self, part: _Part) -> list[Artifact] | None:
        """The files of a part as the last build left or kept them, if nothing in it has changed."""
        about = f"{self.place} {part.number}"
        listed = _noted(self.cache, _LISTED, about, part.key)
        if listed is None:
            return None
        if all(self.standing.get(path) == known for path, known in listed):
            return [Artifact(path, Standing(f"{self.place}/{path}", known), SHOW) for path, known in listed]
        kept = _noted(self.cache, _KEPT, about, part.key)
        return None if kept is None else [Artifact(path, content, SHOW) for path, content in kept]

    def _start(self, part: _Part) -> Run:
        """Let a process index a part."""
        self._waiting.remove(part)
        with REQUEST.held():
            part.run = Run(program(), self._language, part.documents)
        return part.run

    @property
    def _language(self) -> str:
        first = self.language.split("-")[0].lower()
        return _LANGUAGES.get(first, first)

    def _made(self, part: _Part, run: Run) -> list[Artifact]:
        """The files of a part, as soon as its process has made them; the next one takes its place."""
        found = run.files()
        run.end()
        for waiting in self._waiting[:1]:
            self._start(waiting)
        try:
            files = bundle.files(found, with_code=part.number == 0)
        except bundle.Unreadable as error:
            raise Failed(f"{UNREADABLE} ({error})") from None
        made = [(f"{part.address}{name}", content) for name, content in files.items()]
        about = f"{self.place} {part.number}"
        listed = [(path, digest_of(content)) for path, content in made]
        self.cache.keep(_KEPT, about, part.key + marshal.dumps(made))
        self.cache.keep(_LISTED, about, part.key + marshal.dumps(listed))
        return [Artifact(path, content, SHOW) for path, content in made]


def _size(program: Path) -> int:
    """How large the indexer is, which tells one found on the PATH from another; Python's counts by its version."""
    try:
        return program.stat().st_size
    except OSError as error:
        raise Failed(f"pagefind is not to be read: {error}") from error


def _noted(cache: Cache, kind: str, about: str, key: bytes) -> Sequence[tuple[str, bytes]] | None:
    """What a note holds if it is of this key."""
    stored = cache.note(kind, about)
    if stored is None or not stored.startswith(key):
        return None
    # nothing but data, as its digest tells
    noted: Sequence[tuple[str, bytes]] = marshal.loads(stored[len(key) :])  # noqa: S302
    return noted
