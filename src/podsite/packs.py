"""Many small results in few files: what was computed for each episode, found by a digest of what it depends on.

A pack is a folder of segments. A segment is written once, whole and under a name made of its content, and never
changed, so that several processes may use one pack at once; when there are too many, they are joined to one.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import struct
import zlib
from contextlib import suppress
from pathlib import Path

KEY = 16  # bytes of a key
_MAGIC = b"podsite\x01"
_HEAD = struct.Struct("<8sII")  # magic, how many entries, checksum of the index
_ENTRY = struct.Struct(f"<{KEY}sQII")  # key; where the result lies, its length and checksum
_MOST_SEGMENTS = 8
_ENDING = ".pack"

_Found = dict[bytes, tuple[memoryview, int, int, int]]  # key → the segment's bytes, offset, length, checksum


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
        data, offset, length, checksum = place
        result = bytes(data[offset : offset + length])
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

    def save(self) -> None:
        """Write what is new; what the folder does not take is computed again next time."""
        if not self._new or self._folder is None:
            return
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            if len(self._segments) < _MOST_SEGMENTS:
                _write(self._folder, self._new)
            else:  # one segment takes the place of all; what this build did not need is left behind
                kept = {key: result for key in sorted(self._used) if (result := self.get(key)) is not None}
                written = _write(self._folder, kept | self._new)
                for segment in self._segments:
                    if segment != written:
                        segment.unlink(missing_ok=True)
            self._new = {}  # from now on it is read from the disk, so that memory stays free for what comes
            self._stored = None

    def _read(self) -> _Found:
        found: _Found = {}
        names = []
        with suppress(OSError):
            names = [name for name in os.listdir(self._folder or "") if name.endswith(_ENDING)]
        segments = [(self._folder or Path()) / name for name in names]
        self._segments = sorted(segments, key=_age)  # of two results for a key the later one counts
        for segment in self._segments:
            with suppress(OSError, ValueError), segment.open("rb") as file:
                found |= _index(memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)))
        return found


def _age(segment: Path) -> tuple[int, str]:
    """When a segment was written, and its name where that is the same."""
    with suppress(OSError):
        return segment.stat().st_mtime_ns, segment.name
    return 0, segment.name


def _index(data: memoryview) -> _Found:
    """Where each result of a segment lies; ValueError when it is no whole segment."""
    if len(data) < _HEAD.size:
        raise ValueError
    magic, count, checksum = _HEAD.unpack(data[: _HEAD.size])
    index = data[_HEAD.size : _HEAD.size + count * _ENTRY.size]
    if magic != _MAGIC or len(index) != count * _ENTRY.size or zlib.crc32(index) != checksum:
        raise ValueError
    return {key: (data, offset, length, crc) for key, offset, length, crc in _ENTRY.iter_unpack(index)}


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
    """Write a file whole or not at all, whoever else is writing it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    staged = path.with_name(f".part-{os.getpid()}-{path.name}")
    try:
        with staged.open("wb") as file:
            file.writelines(content)
        staged.replace(path)
    except BaseException:
        staged.unlink(missing_ok=True)
        raise
