"""The ID3 tag of an MP3: https://id3.org/id3v2-chapters-1.0."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from podsite.tagging import cover
from podsite.tagging.wanted import Wanted

if TYPE_CHECKING:
    from mutagen.id3 import ID3

_FRONT = 3  # the kind of picture that is the cover
_TABLE = "toc"
_PIECE = 1 << 20


def edit(path: Path, wanted: Wanted, *, write: bool) -> tuple[str, ...]:
    """What has to be written into a file, in words; with `write` it is. Other frames stay as they are."""
    tag, minor = _tag(path)
    encoding = 1 if minor == 3 else 3  # version 2.3 knows no UTF-8
    changed = tuple(_edited(tag, wanted, encoding))
    if write and changed:
        tag.save(path, v2_version=minor)
        _set_in_order(path, minor)
    return changed


def sound(path: Path) -> bytes:
    """A digest of everything between the tag before and the old tag of 128 bytes behind the sound."""
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(10)
        begin = 0
        if head[:3] == b"ID3":
            begin = 10 + _bytes_of(head[6:10]) + (10 if head[5] & 0x10 else 0)
        file.seek(max(size - 128, begin))
        left = size - begin - (128 if file.read(3) == b"TAG" else 0)
        digest = hashlib.sha256()
        file.seek(begin)
        while left > 0 and (piece := file.read(min(_PIECE, left))):
            digest.update(piece)
            left -= len(piece)
    return digest.digest()


def _set_in_order(path: Path, minor: int) -> None:
    """Put the frames of chapters in the order of their starts: mutagen sorts by size, and some players go by it."""
    with path.open("r+b") as file:
        size = _bytes_of(file.read(10)[6:10])
        content = file.read(size)
        frames, at = [], 0
        while content[at : at + 1] > b"\0":
            length = _bytes_of(content[at + 4 : at + 8], 7 if minor == 4 else 8) + 10
            frames.append(content[at : at + length])
            at += length
        ordered = iter(sorted((one for one in frames if one[:4] == b"CHAP"), key=_chapter_start))
        made = b"".join(next(ordered) if one[:4] == b"CHAP" else one for one in frames)
        file.seek(10)
        file.write(made + content[at:])


def _chapter_start(frame: bytes) -> int:
    begin = frame.index(b"\0", 10) + 1  # behind the id, which ends with a zero
    return int.from_bytes(frame[begin : begin + 4])


def _bytes_of(written: bytes, bits: int = 7) -> int:
    """A number of four bytes, of which the lowest bits count."""
    return sum(byte << bits * place for place, byte in enumerate(reversed(written)))


def _tag(path: Path) -> tuple[ID3, int]:
    """The tag as it is, and the version to write it in: its own, or 2.4 where it is older or there is none."""
    from mutagen.id3 import ID3, ID3NoHeaderError

    try:
        tag = ID3(path, translate=False)
    except ID3NoHeaderError:
        return ID3(), 4
    if tag.version[:2] < (2, 3):
        return ID3(path), 4
    return tag, tag.version[1]


def _edited(tag: ID3, wanted: Wanted, encoding: int) -> Iterator[str]:
    from mutagen import id3

    if _text(tag, "TIT2") != wanted.title:
        tag.setall("TIT2", [id3.TIT2(encoding=encoding, text=wanted.title)])
        yield "title"
    if wanted.number is not None and _text(tag, "TRCK").partition("/")[0] != str(wanted.number):
        tag.setall("TRCK", [id3.TRCK(encoding=encoding, text=str(wanted.number))])
        yield f"number {wanted.number}"
    if wanted.language and _text(tag, "TLAN") != wanted.language:
        tag.setall("TLAN", [id3.TLAN(encoding=encoding, text=wanted.language)])
        yield f"language {wanted.language}"
    if wanted.cover and not any(
        one.type == _FRONT and cover.are_alike(one.data, wanted.cover) for one in _pictures(tag)
    ):
        others = [one for one in _pictures(tag) if one.type != _FRONT]
        taken = {one.desc for one in others}
        name = next(name for name in ("Cover", *(f"Cover {n}" for n in range(len(taken) + 1))) if name not in taken)
        front = id3.APIC(encoding=encoding, mime="image/jpeg", type=_FRONT, desc=name, data=wanted.cover)
        tag.setall("APIC", [front, *others])
        yield "artwork"
    if wanted.chapters and not _has_chapters(tag, wanted):
        _set_chapters(tag, wanted, encoding)
        yield f"{wanted.count} with table of contents"


def _text(tag: Any, name: str) -> str:
    return next((str(one.text[0]) for one in tag.getall(name) if one.text), "")


def _pictures(tag: ID3) -> list[Any]:
    found: list[Any] = tag.getall("APIC")
    return found


def _link(frames: Any) -> str | None:
    return next((one.url for one in frames.getall("WXXX")), None)


def _has_chapters(tag: ID3, wanted: Wanted) -> bool:
    """Whether the chapters are there, all listed in order by one table at the top."""
    from mutagen.id3 import CTOCFlags

    found = sorted(tag.getall("CHAP"), key=lambda one: one.start_time)
    there = [(one.start_time, _text(one.sub_frames, "TIT2"), _link(one.sub_frames)) for one in found]
    if there != [(start, one.title, one.url) for start, _, one in wanted.spans]:
        return False
    top = [one for one in tag.getall("CTOC") if one.flags & CTOCFlags.TOP_LEVEL]
    ids = [one.element_id for one in found]
    return len(top) == 1 and bool(top[0].flags & CTOCFlags.ORDERED) and top[0].child_element_ids == ids


def _set_chapters(tag: ID3, wanted: Wanted, encoding: int) -> None:
    """Write chapters and table anew; what else a chapter at the same place holds, such as its picture, stays."""
    from mutagen import id3

    before = {one.start_time: one.sub_frames for one in tag.getall("CHAP")}
    made, ids = [], []
    for number, (start, end, one) in enumerate(wanted.spans):
        frames = [frame for frame in before.get(start, {}).values() if frame.FrameID not in {"TIT2", "WXXX"}]
        frames.append(id3.TIT2(encoding=encoding, text=one.title))
        if one.url:
            frames.append(id3.WXXX(encoding=encoding, desc="", url=one.url))
        ids.append(f"chapter{number}")
        made.append(id3.CHAP(element_id=ids[-1], start_time=start, end_time=end, sub_frames=frames))
    flags = id3.CTOCFlags.TOP_LEVEL | id3.CTOCFlags.ORDERED
    tag.setall("CHAP", made)
    tag.setall("CTOC", [id3.CTOC(element_id=_TABLE, flags=flags, child_element_ids=ids, sub_frames=[])])
