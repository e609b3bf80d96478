"""What a build left in its output folder, and which of it still stands as it was written."""

from __future__ import annotations

import marshal
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from podsite.cache import Cache
from podsite.signatures import Signature, digest_at, digest_of, is_young, signature

if TYPE_CHECKING:
    from podsite.artifacts import Artifact

MANIFEST = ".podsite-manifest.json"
_KIND = "output"
_OWN = (MANIFEST,)
_Entry = tuple[bytes, Signature, bool]  # the digest of the content, the signature, whether it is too young to be sure


class Left:
    """The files of the last build into a folder. `digests` has those that nobody touched since, by path.

    A copied file has an empty digest: it counts as the file it was copied from.
    """

    def __init__(self, cache: Cache, output: str) -> None:
        self._cache, self._output = cache, output
        stored = cache.note(_KIND, self._output)
        self._entries: Mapping[str, _Entry] = marshal.loads(stored) if stored else {}  # noqa: S302 - only data
        self._made: dict[int, tuple[bytes, bytes]] = {}
        self.digests = {path: entry[0] for path, entry in self._entries.items() if self._stands(path, entry)}

    @property
    def is_whole(self) -> bool:
        """Whether there are any files, and all of them still stand."""
        return 0 < len(self.digests) == len(self._entries)

    @property
    def paths(self) -> tuple[str, ...]:
        """The files that were made of a site, without those podsite keeps in the folder for itself."""
        return tuple(sorted(path for path in self._entries if path not in _OWN))

    def holds(self, artifact: Artifact) -> bool:
        """Whether an artifact stands already just as it would be written."""
        content = artifact.content
        if not isinstance(content, (bytes, Path)):
            return True
        return isinstance(content, bytes) and self.digests.get(artifact.path) == self._digest(content)

    def _digest(self, content: bytes) -> bytes:
        """The digest of an artifact's bytes, made once: a feed may be large, and stand at several paths."""
        if id(content) not in self._made:
            self._made[id(content)] = content, digest_of(content)
        return self._made[id(content)][1]

    def _stands(self, path: str, entry: _Entry) -> bool:
        digest, known, young = entry
        place = f"{self._output}/{path}"
        return signature(place) == known and not (young and digest_at(place) != digest)

    def keep(self, artifacts: Iterable[Artifact]) -> None:
        """Remember what was written just now."""
        now = time.time_ns()
        entries = {path: entry for path in _OWN if (entry := self._noted(path, None, now))}
        for artifact in artifacts:
            content = artifact.content
            old = self._entries.get(artifact.path)
            digest = None if isinstance(content, (bytes, Path)) else content.digest
            if isinstance(content, bytes):
                digest = self._digest(content)
            if old and digest and old[0] == digest == self.digests.get(artifact.path) and not old[2]:
                entries[artifact.path] = old
            elif entry := self._noted(artifact.path, digest, now):
                entries[artifact.path] = entry
        if entries != self._entries:
            self._cache.keep(_KIND, self._output, marshal.dumps(entries))

    def _noted(self, path: str, digest: bytes | None, now: int) -> _Entry | None:
        place = f"{self._output}/{path}"
        found = signature(place)
        if found is None:
            return None
        young = is_young(found, now)
        return (digest_at(place) or b"") if young and digest is None else digest or b"", found, young
