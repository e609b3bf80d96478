"""Full-text search: the index of a site, made by pagefind while pages are made.

The only door to pagefind, a program that comes as a Python package; where there is none for a system, one on the PATH
will do. What goes wrong is told and stops nothing here: `build` knows whether a show can go out without search.
"""

from __future__ import annotations

import marshal
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from podsite import bundle
from podsite.artifacts import Artifact, Standing
from podsite.cache import Cache, digest
from podsite.findable import Document
from podsite.roots import SHOW
from podsite.signatures import digest_of
from podsite.urls import INDEX

_LISTED, _KEPT = "indexed", "index"  # notes of the cache for each part: paths with digests; the files themselves

#: Seconds after which the indexer is given up, however little it has to read; and bytes it reads in each further one.
PATIENCE = 60.0
_PACE = 200_000

#: The indexer's names for languages whose words it knows by another tag.
_LANGUAGES = {"nb": "no", "nn": "no"}


class Failed(Exception):  # noqa: N818 - the name says what happened
    """There is no index; the message says why."""


def program() -> Path:
    """Where pagefind is. Raises Failed."""
    with suppress(ImportError, OSError):
        import pagefind_bin

        return Path(pagefind_bin.get_executable())
    found = shutil.which("pagefind")
    if found is None:
        raise Failed("pagefind is not installed; run 'pip install pagefind-bin'")
    return Path(found)


@dataclass(frozen=True, slots=True)
class _Run:
    """The indexer at work in a folder, and until when it may be."""

    folder: Path
    process: subprocess.Popen[bytes]
    deadline: float

    def end(self) -> None:
        """Leave nothing behind."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


@dataclass(slots=True)
class _Part:
    """Documents that are indexed together; `artifacts` as soon as they are known."""

    number: int
    documents: Sequence[Document]
    key: bytes
    artifacts: list[Artifact] | None = None
    run: _Run | None = None

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
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
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

    def _start(self, part: _Part) -> _Run:
        """Let a process index a part."""
        self._waiting.remove(part)
        try:
            folder = Path(tempfile.mkdtemp(prefix="podsite-index-"))
            try:
                total = _write(part.documents, folder / "site")
                process = self._started(folder)
            except BaseException:
                shutil.rmtree(folder, ignore_errors=True)
                raise
        except OSError as error:
            raise Failed(f"pagefind could not be started: {error}") from error
        part.run = _Run(folder, process, time.monotonic() + PATIENCE + total / _PACE)
        return part.run

    def _started(self, folder: Path) -> subprocess.Popen[bytes]:
        """The indexer at work on the documents in a folder; it is told all there, and takes no settings elsewhere."""
        settings = ("--site", "site", "--output-path", "index", "--force-language", self._language, "--quiet")
        environment = {name: value for name, value in os.environ.items() if not name.upper().startswith("PAGEFIND_")}
        with (folder / "said").open("wb") as said:
            return subprocess.Popen(  # noqa: S603 - no shell, and nothing of the content among the arguments
                [str(program()), *settings], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=said,
                stderr=said,
            )  # fmt: skip

    @property
    def _language(self) -> str:
        first = self.language.split("-")[0].lower()
        return _LANGUAGES.get(first, first)

    def _made(self, part: _Part, run: _Run) -> list[Artifact]:
        """The files of a part, as soon as its process has written them; the next one takes its place."""
        try:
            status = run.process.wait(max(0.0, run.deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            raise Failed("pagefind came to no end, and was stopped") from None
        for waiting in self._waiting[:1]:
            self._start(waiting)
        if status:
            said = (run.folder / "said").read_bytes().decode(errors="replace").strip() or "it says nothing"
            raise Failed(f"pagefind failed with status {status}: {said.splitlines()[-1][:300]}")
        try:
            files = bundle.files(run.folder / "index", with_code=part.number == 0)
        except bundle.Unreadable as error:
            raise Failed(f"pagefind wrote what podsite cannot read; version 1.5 is expected ({error})") from None
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


def _write(documents: Sequence[Document], folder: Path) -> int:
    """Write the documents where the indexer takes their addresses from; how many bytes they are."""
    total = 0
    for document in documents:
        place = folder / document.address
        place.mkdir(parents=True, exist_ok=True)
        total += (place / "index.html").write_bytes(document.html().encode("utf-8", "replace"))
    return total
