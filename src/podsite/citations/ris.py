"""RIS, which EndNote, Mendeley, RefWorks and Zotero read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import starmap

from podsite import values
from podsite.citations.work import EPISODE, Work

_TYPES = {
    "paper": "JOUR", "book": "BOOK", "code": "COMP", "talk": "SLIDE", "video": "VIDEO", "podcast": "SOUND",
    EPISODE: "SOUND",
}  # fmt: skip


def entries(works: Iterable[Work]) -> str:
    """The works as a .ris file, whose lines end as the format demands."""
    return "".join(map(entry, works))


def entry(work: Work) -> str:
    """One work."""
    return "".join(starmap("{}  - {}\r\n".format, _lines(work))) + "ER  - \r\n"


def _lines(work: Work) -> Iterator[tuple[str, str]]:
    yield "TY", _TYPES.get(work.kind or "", "ELEC")
    yield "ID", work.key
    yield "TI", work.title
    for name in work.names:
        yield "AU", name.sorted
    if work.year:
        yield "PY", str(work.year)
    if work.day:
        yield "DA", f"{work.day:%Y/%m/%d}"
    if work.show or work.arxiv:
        yield "T2", work.show or "arXiv"
    if work.number:
        yield "M1", work.number
    for tag, value in (("DO", work.doi), ("SN", work.isbn), ("UR", work.url), ("L2", work.archive), ("N1", work.note)):
        if value:
            yield tag, value
    if work.seconds:
        yield "M2", values.clock_text(work.seconds)
    if work.language:
        yield "LA", work.language
