"""COinS: what Zotero's button in a browser reads off a page, one empty element for each work.

https://www.zotero.org/support/dev/exposing_metadata: of several on one page, visitors choose. The type of a work is
told in Zotero's own words, as it tells it when it writes COinS itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

from podsite.citations.work import EPISODE, Work
from podsite.citations.work import of_reading as work_of
from podsite.parts import Reading

_SAFE = ":/"
_CODES = {code: quote(chr(code), safe=_SAFE) for code in range(128)}
_TYPES = {
    "paper": "journalArticle", "book": "book", "code": "computerProgram", "issue": "forumPost",
    "talk": "presentation", "video": "videoRecording", "podcast": "podcast", EPISODE: "podcast",
}  # fmt: skip


def of_reading(reading: Reading) -> str:
    """The attribute for something that an episode recommends."""
    return title(work_of(reading, ""))


def title(work: Work) -> str:
    """The attribute `title` of the element, as text: to be escaped like all other."""
    return "&".join([f"{name}={_quoted(value)}" for name, value in _fields(work)])


def _quoted(text: str) -> str:
    """A value as it stands in a query."""
    return text.translate(_CODES) if text.isascii() else quote(text, safe=_SAFE, errors="replace")


def _fields(work: Work) -> Iterator[tuple[str, str]]:
    yield "ctx_ver", "Z39.88-2004"
    yield "rft_val_fmt", "info:ofi/fmt:kev:mtx:dc"
    kind = "preprint" if work.kind == "paper" and work.arxiv else _TYPES.get(work.kind or "", "webpage")
    yield "rft.type", kind
    yield "rft.title", work.title
    for name in work.names:
        yield ("rft.aucorp", name.literal) if name.literal else ("rft.au", name.sorted)
    if work.year:
        yield "rft.date", work.day.isoformat() if work.day else str(work.year)
    if work.doi:
        yield "rft_id", f"info:doi/{work.doi}"
    yield "rft.identifier", work.url
    if work.show:
        yield "rft.source", work.show
    if work.language:
        yield "rft.language", work.language
