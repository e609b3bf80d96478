"""What a recording is to say of itself."""

from __future__ import annotations

from collections.abc import Sequence

from podsite.parts import Chapter
from podsite.records import dataclass

#: How many chapters a table of contents can list.
MOST_CHAPTERS = 255


@dataclass(frozen=True, slots=True)
class Wanted:
    """The facts of an episode for its recording; None and no chapters leave what is there.

    `language` has three letters, `duration` is in seconds, `cover` a JPEG.
    """

    title: str
    number: int | None
    chapters: Sequence[Chapter]
    language: str | None
    cover: bytes | None
    duration: float

    @property
    def count(self) -> str:
        """How many chapters there are, in words."""
        return "1 chapter" if len(self.chapters) == 1 else f"{len(self.chapters)} chapters"

    @property
    def spans(self) -> list[tuple[int, int, Chapter]]:
        """The chapters with their starts and ends in milliseconds."""
        starts = [round(one.start * 1000) for one in self.chapters]
        ends = [*starts[1:], max([round(self.duration * 1000), *starts])]
        return list(zip(starts, ends, self.chapters, strict=True))
