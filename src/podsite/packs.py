"""Many small results in few files: what was computed for each episode, found by a digest of what it depends on.

A pack is a folder of segments. A segment is written once, whole and under a name made of its content, and never
changed, so that several processes may use one pack at once; when there are too many, they are joined to one.
"""

from __future__ import annotations

import hashlib
import os
import struct
import zlib
from collections.abc import Set as AbstractSet
from contextlib import suppress
from pathlib import Path

KEY = 16  # bytes of a key
_MAGIC = b"podsite\x01"
_HEAD = struct.Struct("<8sII")  # magic, how many entries, checksum of the index
_ENTRY = struct.Struct(f"<{KEY}sQII")  # key; where the result lies, its length and checksum
_MOST_SEGMENTS = 8
_MUCH = 4_000_000  # bytes
_ENDING = ".pack"
_STAGED = ".part-"
_ABANDONED = 3600  # seconds after which nobody still writes to it

_BLOCK = 1 << 16  # bytes that are read at once, since what lies side by side is mostly asked for one after another


class Pack:
    """Results by key, kept in `folder` (None: nowhere). What is damaged or not to be read is simply not there."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._new: dict[bytes, bytes] = {}
        self._used: set[bytes] = set()
        self._segments: list[Path] = []
        self._stored: _Found | None = None

    def get(self, key: bytes) -> bytes | None:
        """The result kept under a key; None when there is none."""
        found = self._new.get(key)
        if found is not None:
            return found
        if self._stored is None:
            self._stored = self._read()
        place = self._stored.get(key)
        if place is None:
            return None
        segment, offset, length, checksum = place
        result = segment.read(offset, length)
        if zlib.crc32(result) != checksum:
            return None
        self._used.add(key)
        return result

    def put(self, key: bytes, result: bytes) -> None:
        """Keep a result under a key of `KEY` bytes."""
        self._new[key] = result

    def has(self, key: bytes) -> bool:
        """Whether there is a result under a key, as far as can be told without reading it."""
        if self._stored is None:
            self._stored = self._read()
        if key in self._stored:
            self._used.add(key)
            return True
        return key in self._new

    @property
    def fresh(self) -> dict[bytes, bytes]:
        """What was put in and not saved yet."""
        return self._new

    def taken(self, but: AbstractSet[bytes]) -> dict[bytes, bytes]:
        """What was put in and not saved yet, but for some, and is to be put in elsewhere: here it is there no more."""
        return {key: self._new.pop(key) for key in [*self._new] if key not in but}

    @property
    def is_heavy(self) -> bool:
        """Whether what is new takes much memory."""
        return sum(map(len, self._new.values())) > _MUCH

    def relieve(self) -> None:
        """Write what is new, so that memory is free for what comes, and read it from the disk when it is asked for."""
        if self._folder is not None:
            with suppress(OSError):
                self._add(self._folder)

    def save(self) -> None:
        """Write what is new; what the folder does not take is computed again next time. No file is open afterwards."""
        if self._folder is None:
            return
        with suppress(OSError):
            if len(self._segments) + bool(self._new) > _MOST_SEGMENTS:
                self._join(self._folder)
            elif self._new:
                self._add(self._folder)
        self._stored = None

    def _add(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._used |= self._new.keys()
        _write(folder, self._new)
        self._new = {}
        self._stored = None

    def _join(self, folder: Path) -> None:
        """Put one segment in the place of all; what this build did not need is left behind."""
        kept = {key: result for key in sorted(self._used) if (result := self.get(key)) is not None}
        written = _write(folder, kept | self._new)
        self._new = {}
        self._stored = None  # which closes the segments: some systems delete no file that is open
        for segment in self._segments:
            if segment != written:
                segment.unlink(missing_ok=True)

    def _read(self) -> _Found:
        found: _Found = {}
        names = []
        with suppress(OSError):
            names = [name for name in os.listdir(self._folder or "") if name.endswith(_ENDING)]
        segments = [(self._folder or Path()) / name for name in names]
        self._segments = sorted(segments, key=_age)  # of two results for a key the later one counts
        for segment in self._segments:
            with suppress(OSError, ValueError):
                found |= _index(_Segment(segment))
        return found


def _age(segment: Path) -> tuple[int, str]:
    """When a segment was written, and its name where that is the same."""
    with suppress(OSError):
        return segment.stat().st_mtime_ns, segment.name
    return 0, segment.name


class _Segment:
    """The file of a segment, open for as long as somebody may ask for what is in it; nothing of it stays in memory."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb", buffering=0)
        self._size = os.fstat(self._file.fileno()).st_size
        self._start, self._block = 0, b""

    def read(self, offset: int, length: int) -> bytes:
        """So many bytes from a place of the file; fewer where there are none, or where they cannot be read."""
        at = offset - self._start
        if at < 0 or at + length > len(self._block):
            self._start, self._block, at = offset, b"", 0
            with suppress(OSError):
                self._block = self._read(offset, min(max(length, _BLOCK), max(0, self._size - offset)))
        return self._block[at : at + length]

    def _read(self, offset: int, length: int) -> bytes:
        if hasattr(os, "pread"):  # processes that are copies of one another have one place in the file
            return os.pread(self._file.fileno(), length, offset)
        self._file.seek(offset)
        return self._file.read(length)

    def __del__(self) -> None:
        if hasattr(self, "_file"):
            self._file.close()


_Found = dict[bytes, tuple[_Segment, int, int, int]]  # key → the segment, and there offset, length, checksum


def _index(segment: _Segment) -> _Found:
    """Where each result of a segment lies; ValueError when it is no whole segment."""
    head = segment.read(0, _HEAD.size)
    if len(head) < _HEAD.size:
        raise ValueError
    magic, count, checksum = _HEAD.unpack(head)
    index = segment.read(_HEAD.size, count * _ENTRY.size)
    if magic != _MAGIC or len(index) != count * _ENTRY.size or zlib.crc32(index) != checksum:
        raise ValueError
    return {key: (segment, offset, length, crc) for key, offset, length, crc in _ENTRY.iter_unpack(index)}


def _write(folder: Path, results: dict[bytes, bytes]) -> Path:
    """Write a segment whole or not at all, whoever else is writing."""
    offset = _HEAD.size + len(results) * _ENTRY.size
    entries = []
    for key, result in results.items():
        entries.append(_ENTRY.pack(key, offset, len(result), zlib.crc32(result)))
        offset += len(result)
    index = b"".join(entries)
    path = folder / f"{hashlib.sha256(index).hexdigest()[:32]}{_ENDING}"
    store(path, _HEAD.pack(_MAGIC, len(results), zlib.crc32(index)), index, *results.values())
    return path


def store(path: Path, *content: bytes) -> None:
    """Write a file whole or not at all, whoever else is writing it. What killed processes left half done beside it is
    removed when it is old enough to be nobody's.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    staged = path.with_name(f"{_STAGED}{os.getpid()}-{path.name}")
    try:
        with staged.open("wb") as file:
            file.writelines(content)
        staged.replace(path)
    except BaseException:
        staged.unlink(missing_ok=True)
        raise
    with suppress(OSError):
        for left in [path.with_name(name) for name in os.listdir(path.parent) if name.startswith(_STAGED)]:
            if left.stat().st_mtime < path.stat().st_mtime - _ABANDONED:
                left.unlink()
