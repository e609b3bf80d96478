"""The tags of an M4A or MP4."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from podsite import embedded
from podsite.tagging import boxes, cover
from podsite.tagging.wanted import Wanted

if TYPE_CHECKING:
    from mutagen.mp4 import MP4Tags

_TITLE, _NUMBER, _COVER = "\xa9nam", "trkn", "covr"


def edit(path: Path, wanted: Wanted, *, write: bool) -> tuple[str, ...]:
    """What has to be written into a file, in words; with `write` it is. Other tags stay as they are."""
    from mutagen.mp4 import MP4

    file = MP4(path)
    if file.tags is None:
        file.add_tags()
    tags: Any = file.tags
    changed = tuple(_edited(tags, wanted))
    inside = tuple(_inside(path, wanted))
    if write and changed:
        file.save()
    if write and inside:
        boxes.rewrite(path, wanted)
    return changed + inside


def _edited(tags: MP4Tags, wanted: Wanted) -> Iterator[str]:
    from mutagen.mp4 import MP4Cover

    if tags.get(_TITLE) != [wanted.title]:
        tags[_TITLE] = [wanted.title]
        yield "title"
    number, total = next(iter(tags.get(_NUMBER) or [(None, 0)]))
    if wanted.number is not None and number != wanted.number:
        tags[_NUMBER] = [(wanted.number, total)]
        yield f"number {wanted.number}"
    pictures = tags.get(_COVER) or []
    if wanted.cover and not (pictures and cover.are_alike(bytes(pictures[0]), wanted.cover)):
        tags[_COVER] = [MP4Cover(wanted.cover, imageformat=MP4Cover.FORMAT_JPEG), *pictures[1:]]
        yield "artwork"


def _inside(path: Path, wanted: Wanted) -> Iterator[str]:
    if wanted.language and boxes.language(path) != wanted.language:
        yield f"language {wanted.language}"
    listed = [(one.start, boxes.fitting(one.title)) for one in wanted.chapters]
    if listed and [(one.start, one.title) for one in embedded.chapters(path)] != listed:
        yield wanted.count
