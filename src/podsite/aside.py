"""Files that are made early and written late: laid aside in a nameless file, so that they need no memory meanwhile.

Processes that are copies of one another share that file, and take turns to write to it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from podsite.records import dataclass
from podsite.signatures import hasher

if sys.platform != "win32":
    import fcntl

_PIECE = 1 << 20  # bytes


class Aside:
    """The file, below `folder`; where it cannot be made or written, nothing is laid aside."""

    def __init__(self, folder: Path | None) -> None:
        self._file = None
        if folder is not None and sys.platform != "win32":
            import tempfile

            with suppress(OSError):
                folder.mkdir(parents=True, exist_ok=True)
                self._file = tempfile.TemporaryFile(dir=folder, buffering=0)  # noqa: SIM115 - open to the end

    def __del__(self) -> None:
        if self._file is not None:
            self._file.close()

    def lay(self, content: bytes) -> int | None:
        """Where the content was put, behind all that is there; None where it could not be put."""
        if self._file is None or sys.platform == "win32":
            return None
        file = self._file.fileno()
        with suppress(OSError):
            fcntl.lockf(file, fcntl.LOCK_EX)  # others write, too
            try:
                offset = os.fstat(file).st_size
                return offset if os.pwrite(file, content, offset) == len(content) else None
            finally:
                fcntl.lockf(file, fcntl.LOCK_UN)
        return None

    def read(self, offset: int, length: int) -> bytes:
        """What was put there. Raises OSError when it cannot be read."""
        if self._file is None or sys.platform == "win32":
            return b""
        return os.pread(self._file.fileno(), length, offset)


@dataclass(frozen=True, slots=True)
class Laid:
    """The content of a file, laid aside: where it is, its length in bytes, its digest."""

    aside: Aside
    offset: int
    length: int
    digest: bytes

    def read(self) -> bytes:
        """The content. Raises OSError when it cannot be read."""
        return b"".join(self.pieces())

    def part(self, start: int, end: int) -> bytes:
        """The content from one offset to another. Raises OSError when it cannot be read."""
        found = self.aside.read(self.offset + start, end - start)
        if len(found) != end - start:
            raise OSError("what was laid aside is gone")
        return found

    def pieces(self) -> Iterator[bytes]:
        """The content, piece by piece. Raises OSError when it cannot be read."""
        for start in range(0, self.length, _PIECE):
            yield self.part(start, min(start + _PIECE, self.length))


def laid(pieces: Iterable[bytes], aside: Aside) -> bytes | Laid:
    """A content of many pieces, laid aside if that can be done; nobody else may lay anything there meanwhile. Raises
    OSError where that began well, and what was written cannot be read.
    """
    start, length, hashed = 0, 0, hasher()
    held: list[bytes] = []  # what could not be written, which is all from then on
    for piece in _gathered(pieces):
        hashed.update(piece)
        offset = None if held else aside.lay(piece)
        if offset is not None and (not length or offset == start + length):
            start, length = offset - length, length + len(piece)
        else:
            held.append(piece)
    whole = Laid(aside, start, length, hashed.digest())
    return whole.read() + b"".join(held) if held else whole


def _gathered(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The same in pieces of a fit size, so that none takes much memory again."""
    some = bytearray()
    for piece in (each[at : at + _PIECE] for each in pieces for at in range(0, len(each), _PIECE)):
        some += piece
        if len(some) >= _PIECE:
            yield bytes(some)
            some.clear()
    yield bytes(some)
