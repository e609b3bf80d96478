"""Files that are made early and written late: laid aside in a nameless file, so that they need no memory meanwhile.

Processes that are copies of one another share that file, each with regions of its own.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from podsite.records import dataclass
from podsite.signatures import hasher

_PIECE = 1 << 20  # bytes


class Aside:
    """The file, below `folder`; where it cannot be made or written, nothing is laid aside."""

    def __init__(self, folder: Path | None) -> None:
        self._file = None
        if folder is not None and hasattr(os, "pwrite"):
            import tempfile

            with suppress(OSError):
                folder.mkdir(parents=True, exist_ok=True)
                self._file = tempfile.TemporaryFile(dir=folder, buffering=0)  # noqa: SIM115 - open to the end

    def __del__(self) -> None:
        if self._file is not None:
            self._file.close()

    def write(self, offset: int, content: bytes) -> bool:
        """Whether this content could be put there."""
        with suppress(OSError):
            return self._file is not None and os.pwrite(self._file.fileno(), content, offset) == len(content)
        return False

    def read(self, offset: int, length: int) -> bytes:
        """What was put there. Raises OSError when it cannot be read."""
        return os.pread(self._file.fileno(), length, offset) if self._file else b""


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

    def pieces(self) -> Iterator[bytes]:
        """The content, piece by piece. Raises OSError when it cannot be read."""
        for start in range(0, self.length, _PIECE):
            wanted = min(_PIECE, self.length - start)
            found = self.aside.read(self.offset + start, wanted)
            if len(found) != wanted:
                raise OSError("what was laid aside is gone")
            yield found


def laid(pieces: Iterable[bytes], aside: Aside) -> bytes | Laid:
    """A content of many pieces, laid aside at the beginning of a file of its own if that can be done."""
    length, hashed, held = 0, hasher(), list[bytes]()  # held is what could not be written, which is all from then on
    for piece in _gathered(pieces):
        hashed.update(piece)
        if held or not aside.write(length, piece):
            held.append(piece)
        else:
            length += len(piece)
    if not held:
        return Laid(aside, 0, length, hashed.digest())
    return aside.read(0, length) + b"".join(held)


def _gathered(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The same in larger pieces."""
    some = bytearray()
    for piece in pieces:
        some += piece
        if len(some) >= _PIECE:
            yield bytes(some)
            some.clear()
    yield bytes(some)


class Region:
    """A part of the file, from `offset` up to (not including) `end`, for one process to fill."""

    def __init__(self, aside: Aside, offset: int, end: int) -> None:
        self._aside, self._offset, self._end = aside, offset, end

    def lay(self, content: bytes) -> int | None:
        """Where the content was put; None where there was no room for it."""
        offset = self._offset
        if offset + len(content) > self._end or not self._aside.write(offset, content):
            return None
        self._offset += len(content)
        return offset
