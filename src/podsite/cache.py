"""What was computed before, kept by content: for what is expensive and depends on nothing but its key."""

from __future__ import annotations

import functools
import hashlib
import marshal
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from podsite import __version__
from podsite.packs import KEY, Pack, store
from podsite.toolchain import fingerprint

if TYPE_CHECKING:
    from podsite.aside import Aside
    from podsite.crew import Crew, Errand

T = TypeVar("T")
_Bytes = bytes  # the method of that name hides the type inside the class
_DIGEST = 32  # bytes of a sha256
_ROUND = 5000  # items after which what was made of them is written, so that memory does not grow with a site
# They tell git and backup programs that the folder holds nothing of worth.
_MARKS = {
    ".gitignore": b"*\n",
    "CACHEDIR.TAG": b"Signature: 8a477f597d28d172789f06886806bc55\n"
    b"# podsite's cache: safe to delete at any time. See https://bford.info/cachedir/\n",
}


class Cache:
    """A store in one folder (a site's `.podsite/`), or none at all when the folder is None.

    Losing it costs time and nothing else: what is missing, damaged or not to be read is computed again, and a folder
    that cannot be written is left alone, without an error. Several processes may use one folder at once.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._packs: dict[str, Pack] = {}

    def pack(self, kind: str) -> Pack:
        """The small results of one kind, each under a key that `digest` makes; they are kept by `save`."""
        if kind not in self._packs:
            self._packs[kind] = Pack(self._folder / f"{kind}s" if self._folder else None)
        return self._packs[kind]

    def prepare(
        self, crew: Crew, items: Sequence[T], work: Callable[[Sequence[T]], Any], least: int | None = None
    ) -> list[Any]:
        """Let `work`, whose results go to the packs, be done by several processes; afterwards this one finds them.

        What `work` returns of each part, plain data, is returned in the order of the parts.
        """

        def shared(part: Sequence[T]) -> tuple[Any, dict[str, dict[_Bytes, _Bytes]]]:
            before = self._fresh()
            said = work(part)
            return said, {kind: pack.taken(before.get(kind, set())) for kind, pack in self._packs.items()}

        told = []
        rounds = -(-len(items) // _ROUND) or 1
        length = -(-len(items) // rounds) or 1
        for start in range(0, len(items), length):
            for said, made in crew.share(items[start : start + length], shared, least):
                told.append(said)
                for kind, results in made.items():
                    for key, result in results.items():
                        self.pack(kind).put(key, result)
            self._relieve()
        return told

    def errand(self, work: Callable[[], T], *, apart: bool) -> Errand[T]:
        """Work for another process, if it is to be `apart`, while this one goes on.

        That one saves each pack to which the work added something, for the next build.
        """
        from podsite.crew import Errand

        before: dict[str, set[_Bytes]] = {}

        def begun() -> T:
            before.update(self._fresh())
            return work()

        def kept() -> None:
            for kind, pack in self._packs.items():
                if not pack.fresh.keys() <= before.get(kind, set()):
                    pack.save()

        return Errand(begun, apart=apart, last=kept)

    def _fresh(self) -> dict[str, set[_Bytes]]:
        """The keys of what was put into each pack and is not saved yet."""
        return {kind: set(pack.fresh) for kind, pack in self._packs.items()}

    def _relieve(self) -> None:
        """Write what takes much memory, and read it when it is asked for."""
        heavy = [pack for pack in self._packs.values() if pack.is_heavy]
        if heavy and self._folder is not None:
            with suppress(OSError):
                self._mark(self._folder)
            for pack in heavy:
                pack.relieve()

    def aside(self) -> Aside:
        """Room for files that are made early and written late; none where there is no folder to hold them."""
        if self._folder is not None:
            with suppress(OSError):
                self._mark(self._folder)
        from podsite.aside import Aside

        return Aside(self._folder)

    def note(self, kind: str, about: str) -> _Bytes | None:
        """What was last kept under a name, if this podsite wrote it and nothing happened to it."""
        with suppress(OSError):
            stored = self._note(kind, about).read_bytes() if self._folder else b""
            if stored[:_DIGEST] == hashlib.sha256(fingerprint() + stored[_DIGEST:]).digest():
                return stored[_DIGEST:]
        return None

    def keep(self, kind: str, about: str, content: _Bytes) -> None:
        """Put a note in the place of the last one of that name."""
        if self._folder is not None:
            with suppress(OSError):
                self._mark(self._folder)
                store(self._note(kind, about), hashlib.sha256(fingerprint() + content).digest() + content)

    def _note(self, kind: str, about: str) -> Path:
        return (self._folder or Path()) / kind / hashlib.sha256(about.encode("utf-8", "surrogatepass")).hexdigest()[:32]

    def save(self) -> None:
        """Keep what the packs got to know so far; from then on it is read from the disk."""
        if self._folder is not None:
            with suppress(OSError):
                self._mark(self._folder)
        for pack in self._packs.values():
            pack.save()

    def bytes(self, kind: str, key: Sequence[str | _Bytes], make: Callable[[], _Bytes]) -> _Bytes:
        """What `make()` returns, from the cache if it was made before by this version of podsite.

        `kind` names the sort of thing and is a plain file name; `key` holds everything the result depends on.
        Raises what `make` raises, and stores nothing then.
        """
        if self._folder is None:
            return make()
        name = _name(kind, key)
        path = self._folder / kind / name[:2] / name[2:]
        with suppress(OSError):
            stored = path.read_bytes()
            if hashlib.sha256(stored[_DIGEST:]).digest() == stored[:_DIGEST]:
                return stored[_DIGEST:]
        content = make()
        with suppress(OSError):
            self._mark(self._folder)
            store(path, hashlib.sha256(content).digest() + content)
        return content

    def has(self, kind: str, key: Sequence[str | _Bytes]) -> bool:
        """Whether there is something that `bytes` would take, as far as can be told without reading it."""
        name = _name(kind, key)
        return self._folder is not None and os.path.exists(self._folder / kind / name[:2] / name[2:])  # noqa: PTH110 - never raises

    @staticmethod
    def _mark(folder: Path) -> None:
        for mark, text in _MARKS.items():
            if not (folder / mark).exists():
                store(folder / mark, text)


def digest(*parts: str | bytes | None) -> bytes:
    """The key of a result in a pack: of everything it depends on, podsite's version included.

    Lists of parts that differ have keys that differ.
    """
    return _hashed(parts)[:KEY]


def _name(kind: str, key: Sequence[str | bytes]) -> str:
    return _hashed((kind, *key)).hex()


def _hashed(parts: Sequence[str | bytes | None]) -> bytes:
    hashed = _begun(__version__, fingerprint()).copy()
    hashed.update(marshal.dumps(tuple(map(_bare, parts)), 2))  # 2: equal data, equal bytes
    return hashed.digest()


def _bare(part: str | bytes | None) -> str | bytes | None:
    """A part as marshal knows it: it refuses texts that are marked as safe HTML."""
    return part if part is None or type(part) in (str, bytes) else str(part)


@functools.cache
def _begun(version: str, made_by: bytes) -> hashlib._Hash:
    return hashlib.sha256(version.encode() + made_by)
