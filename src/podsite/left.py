"""What a build left in its output folder, and which of it still stands as it was written."""

from __future__ import annotations

import marshal
import time
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from podsite.cache import Cache
from podsite.signatures import Signature, digest_at, digest_of, is_young, look, signature

if TYPE_CHECKING:
    from podsite.artifacts import Artifact

MANIFEST = ".podsite-manifest.json"
_KIND = "output"
_OWN = (MANIFEST,)


#: A file as it was written: the digest of its content, empty where that is not known; its signature, and whether that
#: is too young to be sure; of one that was copied the signature of its source, unless that was too young.
_Entry = tuple[bytes, Signature, bool, Signature | None]


class Left:
    """The files of the last build into a folder."""

    def __init__(self, cache: Cache, output: str) -> None:
        self._cache, self._output = cache, output
        stored = cache.note(_KIND, self._output)
        self.mark: bytes  # tells what was left from what any other build left
        self._stored: bytes
        self.mark, self._stored = marshal.loads(stored) if stored else (b"", b"")  # noqa: S302 - only data
        self._sources: dict[str, Signature] = {}
        self._made: dict[int, tuple[bytes, bytes]] = {}
        self._grown: dict[str, _Entry] = {}  # young when they were written, and now certain

    @cached_property
    def _entries(self) -> Mapping[str, _Entry]:
        """The files, by path; read when they are asked for."""
        return marshal.loads(self._stored) if self._stored else {}  # noqa: S302 - only data

    @cached_property
    def digests(self) -> Mapping[str, bytes]:
        """What the files that nobody touched since hold, by path; they are looked at when this is first asked for."""
        place = f"{self._output}/"
        found = {
            path: entry[0]
            for path, entry in self._entries.items()
            if signature(place + path) == entry[1] and (not entry[2] or self._stands(path, entry))
        }
        if self._grown:
            self._entries = {**self._entries, **self._grown}
            self._keep(self._entries)
        return found

    @property
    def is_whole(self) -> bool:
        """Whether there are any files, and all of them still stand."""
        return 0 < len(self.digests) == len(self._entries)

    @property
    def paths(self) -> tuple[str, ...]:
        """The files that were made of a site, without those podsite keeps in the folder for itself."""
        return tuple(sorted(path for path in self._entries if path not in _OWN))

    def holds(self, artifact: Artifact) -> bool:
        """Whether an artifact stands already just as it would be written; to be asked before it is."""
        path, content = artifact.path, artifact.content
        if isinstance(content, Path):
            return self._is_copy(path, content)
        return self.digests.get(path) == (self._digest(content) if isinstance(content, bytes) else content.digest)

    def _is_copy(self, path: str, content: Path) -> bool:
        """Whether a file was copied from one that nobody touched since, which is remembered as it is now."""
        source, digest = look(str(content))
        if source is None or digest is not None:  # too young to be known again
            return False
        self._sources[path] = source
        return path in self.digests and self._entries[path][3] == source

    def _digest(self, content: bytes) -> bytes:
        """The digest of an artifact's bytes, made once: a feed may be large, and stand at several paths."""
        if id(content) not in self._made:
            self._made[id(content)] = content, digest_of(content)
        return self._made[id(content)][1]

    def _stands(self, path: str, entry: _Entry) -> bool:
        """Whether a file that looks as it did, when that was no proof, is as it was written."""
        digest, written, _, source = entry
        place, now = f"{self._output}/{path}", time.time_ns()
        if signature(place) != written or digest_at(place) != digest:
            return False
        if not is_young(written, now):
            self._grown[path] = digest, written, False, source
        return True

    def keep(self, artifacts: Iterable[Artifact]) -> None:
        """Remember what was written just now: of each artifact it was asked before whether it stands."""
        now = time.time_ns()
        entries = {path: entry for path in _OWN if (entry := self._noted(path, None, now))}
        new = {path for path in entries if entries[path] != self._entries.get(path)}
        for artifact in artifacts:
            path = artifact.path
            old, source = self._entries.get(path), self._sources.get(path)
            digest = self._known(artifact, old, source)
            if old and not old[2] and path in self.digests and (old[0], old[3]) == (digest, source):
                entries[path] = old
            elif entry := self._noted(path, digest, now, source):
                entries[path] = entry
                new.add(path)
        if new or len(entries) != len(self._entries):
            self.mark = digest_of(self.mark + repr(sorted((path, entries[path]) for path in new)).encode())
            self._keep(entries)

    def _keep(self, entries: Mapping[str, _Entry]) -> None:
        facts = marshal.dumps(dict(sorted(entries.items())))  # which are asked for in order, again and again
        self._cache.keep(_KIND, self._output, marshal.dumps((self.mark, facts)))

    def _known(self, artifact: Artifact, old: _Entry | None, source: Signature | None) -> bytes | None:
        """The digest of what an artifact holds, as far as it is known without reading."""
        content = artifact.content
        if isinstance(content, bytes):
            return self._digest(content)
        if not isinstance(content, Path):
            return content.digest
        return old[0] if old and source and old[3] == source else None

    def _noted(self, path: str, digest: bytes | None, now: int, source: Signature | None = None) -> _Entry | None:
        place = f"{self._output}/{path}"
        found = signature(place)
        if found is None:
            return None
        young = is_young(found, now)
        known = digest or (digest_at(place) if young else None) or b""
        return known, found, young, source
