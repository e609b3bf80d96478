"""The boxes of an MP4 that mutagen does not write: Nero's list of chapters, and the language of the sound.

A file is a row of boxes, each with its size and name; `moov` holds all that is said of the sound, in boxes of its own.
https://developer.apple.com/documentation/quicktime-file-format
"""

from __future__ import annotations

import hashlib
import shutil
import struct
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from podsite.parts import Chapter
from podsite.tagging.wanted import Wanted

_PIECE = 1 << 20
_UNITS = 10_000_000  # of Nero's times, in a second


def rewrite(path: Path, wanted: Wanted) -> None:
    """Write chapters and language into a file; where sound moves, what points to it is moved too.

    Raises ValueError for a file without `moov`, or in fragments.
    """
    with path.open("rb") as file:
        places = {name: (start, size) for name, start, size, _ in _top(file)}
        if b"moov" not in places or b"moof" in places:
            raise ValueError("is no MP4 whose chapters can be written")
        start, size = places[b"moov"]
        file.seek(start)
        before = file.read(size)
        inner = _edited(before[_head(before) :], wanted)
        moved = len(inner) + 8 - size
        inner = _each(inner, b"trak", lambda trak: _shifted(trak, start, moved))
        made = path.with_name(f"{path.name}.new")
        with made.open("wb") as out:
            file.seek(0)
            out.write(file.read(start))
            out.write(_box(b"moov", inner))
            file.seek(start + size)
            shutil.copyfileobj(file, out, _PIECE)
    made.replace(path)


def language(path: Path) -> str | None:
    """The language of the sound; None where the file has none."""
    return next((_letters(inner) for inner in _media_heads(_moov(path))), None)


def sound(path: Path) -> bytes:
    """A digest of what the boxes of sound hold."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        for name, start, size, head in list(_top(file)):
            if name == b"mdat":
                file.seek(start + head)
                left = size - head
                while left and (piece := file.read(min(_PIECE, left))):
                    digest.update(piece)
                    left -= len(piece)
    return digest.digest()


def fitting(title: str) -> str:
    """As much of a title as Nero's list has room for: 255 bytes."""
    return title.encode()[:255].decode(errors="ignore")


def _moov(path: Path) -> bytes:
    with path.open("rb") as file:
        for name, start, size, head in list(_top(file)):
            if name == b"moov":
                file.seek(start + head)
                return file.read(size - head)
    return b""


def _top(file: BinaryIO) -> Iterator[tuple[bytes, int, int, int]]:
    """The boxes of a file: name, start, size, and the size of the head."""
    end, at = file.seek(0, 2), 0
    while at + 8 <= end:
        file.seek(at)
        size, name = struct.unpack(">I4s", file.read(8))
        head = 8
        if size == 1:
            (size,), head = struct.unpack(">Q", file.read(8)), 16
        elif size == 0:
            size = end - at
        if size < head:
            return
        yield name, at, size, head
        at += size


def _head(box: bytes) -> int:
    return 16 if struct.unpack(">I", box[:4])[0] == 1 else 8


def _box(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I4s", len(content) + 8, name) + content


def _inner(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The boxes inside one, by name, without their heads; what is left over at the end has no name."""
    at = 0
    while at + 8 <= len(content):
        size, name = struct.unpack(">I4s", content[at : at + 8])
        if size < 8 or at + size > len(content):
            break
        yield name, content[at + 8 : at + size]
        at += size
    if at < len(content):
        yield b"", content[at:]


def _each(content: bytes, wanted: bytes, edit: Callable[[bytes], bytes]) -> bytes:
    """The content of a box with all inner boxes of a name edited."""
    parts = ((name, edit(inner) if name == wanted else inner) for name, inner in _inner(content))
    return b"".join(_box(name, inner) if name else inner for name, inner in parts)


def _edited(moov: bytes, wanted: Wanted) -> bytes:
    if wanted.language:
        spoken = _packed(wanted.language)
        moov = _each(moov, b"trak", lambda trak: _each(trak, b"mdia", lambda mdia: _spoken(mdia, spoken)))
    if not wanted.chapters:
        return moov
    listed = _box(b"chpl", _chapters(wanted.chapters))
    others = [(name, inner) for name, inner in _inner(moov)]
    if not any(name == b"udta" for name, _ in others):
        return moov + _box(b"udta", listed)

    def with_chapters(udta: bytes) -> bytes:
        kept = b"".join(_box(name, inner) if name else inner for name, inner in _inner(udta) if name != b"chpl")
        return listed + kept

    return _each(moov, b"udta", with_chapters)


def _chapters(chapters: Sequence[Chapter]) -> bytes:
    rows = [(round(one.start * 1000) * (_UNITS // 1000), fitting(one.title).encode()) for one in chapters]
    head = struct.pack(">B3xIB", 1, 0, len(rows))  # version, flags, what is kept free, how many
    return head + b"".join(struct.pack(">QB", start, len(title)) + title for start, title in rows)


def _media_heads(moov: bytes) -> Iterator[bytes]:
    """The heads of all tracks of sound."""
    for trak in (inner for name, inner in _inner(moov) if name == b"trak"):
        for mdia in (inner for name, inner in _inner(trak) if name == b"mdia"):
            found = dict(_inner(mdia))
            if found.get(b"hdlr", b"")[8:12] == b"soun" and b"mdhd" in found:
                yield found[b"mdhd"]


def _spoken(mdia: bytes, spoken: bytes) -> bytes:
    """A track's `mdia` with the language, if it is one of sound."""
    if dict(_inner(mdia)).get(b"hdlr", b"")[8:12] != b"soun":
        return mdia

    def changed(mdhd: bytes) -> bytes:
        at = _language_at(mdhd)
        return mdhd[:at] + spoken + mdhd[at + 2 :]

    return _each(mdia, b"mdhd", changed)


def _language_at(mdhd: bytes) -> int:
    return 32 if mdhd[0] == 1 else 20


def _packed(language: str) -> bytes:
    """Three letters in fifteen bits."""
    first, second, third = (ord(letter) - 0x60 for letter in language)
    return struct.pack(">H", first << 10 | second << 5 | third)


def _letters(mdhd: bytes) -> str | None:
    at = _language_at(mdhd)
    (packed,) = struct.unpack(">H", mdhd[at : at + 2])
    found = "".join(chr(0x60 + (packed >> shift & 0x1F)) for shift in (10, 5, 0))
    return found if found.isalpha() and found != "und" else None


def _shifted(trak: bytes, start: int, moved: int) -> bytes:
    """A track whose places of sound behind `start` are moved."""

    def table(form: str) -> Callable[[bytes], bytes]:
        size = struct.calcsize(f">{form}")

        def changed(content: bytes) -> bytes:
            count = struct.unpack(">I", content[4:8])[0]
            places = struct.unpack(f">{count}{form}", content[8 : 8 + count * size])
            shifted = (place + moved if place > start else place for place in places)
            return content[:8] + struct.pack(f">{count}{form}", *shifted) + content[8 + count * size :]

        return changed

    def tables(stbl: bytes) -> bytes:
        return _each(_each(stbl, b"stco", table("I")), b"co64", table("Q"))

    return _each(trak, b"mdia", lambda mdia: _each(mdia, b"minf", lambda minf: _each(minf, b"stbl", tables)))
