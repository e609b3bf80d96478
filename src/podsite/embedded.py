"""The chapters inside a recording: those of an MP3's ID3 tag, and those of an M4A that Nero's box `chpl` lists."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from podsite.chapters.made import Remarks, chapter
from podsite.parts import Chapter

if TYPE_CHECKING:
    from mutagen.id3 import ID3

#: Endings of recordings that hold chapters.
OF_MP3, OF_MP4 = frozenset({".mp3"}), frozenset({".m4a", ".m4b", ".mp4", ".m4v"})


def chapters(path: Path) -> tuple[Chapter, ...]:
    """The chapters inside a file, in the order of their starts; none where it has none or cannot be read.

    An MP3's table of contents says which of its chapters are shown.
    """
    import mutagen

    ending, remarks = path.suffix.lower(), list[tuple[int, str]]()
    try:
        if ending in OF_MP3:
            return _of_id3(path, remarks)
        return _of_mp4(path, remarks) if ending in OF_MP4 else ()
    except (mutagen.MutagenError, ValueError, OverflowError):
        return ()


def _of_id3(path: Path, remarks: Remarks) -> tuple[Chapter, ...]:
    from mutagen.id3 import ID3

    tag = ID3(path)
    shown = _listed(tag)
    found = sorted(tag.getall("CHAP"), key=lambda one: one.start_time)
    made = (
        chapter(number, 0, remarks, start=one.start_time / 1000, title=_text(one.sub_frames), url=_link(one.sub_frames))
        for number, one in enumerate(found, 1)
        if shown is None or one.element_id in shown
    )
    return tuple(one for one in made if one)


def _listed(tag: ID3) -> set[str] | None:
    """The ids that tables of contents list, those inside one another included; None without a table."""
    tables = tag.getall("CTOC")
    return {one for table in tables for one in table.child_element_ids} if tables else None


def _text(frames: Any) -> str:
    return " ".join(str(text) for one in frames.getall("TIT2") for text in one.text)


def _link(frames: Any) -> str:
    return next((one.url for key in ("WXXX", "WOAF", "WOAS") for one in frames.getall(key)), "")


def _of_mp4(path: Path, remarks: Remarks) -> tuple[Chapter, ...]:
    from mutagen.mp4 import MP4

    found = sorted(MP4(path).chapters or (), key=lambda one: one.start)
    made = (chapter(number, 0, remarks, start=one.start, title=one.title) for number, one in enumerate(found, 1))
    return tuple(one for one in made if one)
