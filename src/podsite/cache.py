"""What was computed before, kept by content: for what is expensive and depends on nothing but its key."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from podsite import __version__

_Bytes = bytes  # the method of that name hides the type inside the class
_DIGEST = 32  # bytes of a sha256
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
            for mark, text in _MARKS.items():
                if not (self._folder / mark).exists():
                    _store(self._folder / mark, text)
            _store(path, hashlib.sha256(content).digest() + content)
        return content


def _name(kind: str, key: Sequence[str | bytes]) -> str:
    """A digest in which no two keys are alike: each part is preceded by its type and length."""
    digest = hashlib.sha256()
    for part in (kind, __version__, *key):
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        digest.update(b"%c%d:" % (b"b" if isinstance(part, bytes) else b"s", len(data)) + data)
    return digest.hexdigest()


def _store(path: Path, content: bytes) -> None:
    """Write a file whole or not at all, whoever else is writing it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, staged = tempfile.mkstemp(prefix=".part-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(staged).replace(path)
    except BaseException:
        Path(staged).unlink(missing_ok=True)
        raise
