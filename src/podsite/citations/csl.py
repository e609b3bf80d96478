"""CSL-JSON, which Zotero, pandoc and citation processors read."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from podsite import values
from podsite.citations.names import Name
from podsite.citations.work import EPISODE, Work

_TYPES = {
    "book": "book", "code": "software", "issue": "post", "talk": "speech", "video": "motion_picture",
    "podcast": "broadcast", EPISODE: "broadcast",
}  # fmt: skip


def entries(works: Iterable[Work]) -> str:
    """The works as a .json file: one line each."""
    lines = (json.dumps(item(work), ensure_ascii=False, separators=(", ", ": ")) for work in works)
    return "[\n" + ",\n".join(lines) + "\n]\n"


def item(work: Work) -> dict[str, Any]:
    """One work."""
    names = [_name(one) for one in work.names]
    parts = [work.day.year, work.day.month, work.day.day] if work.day else [work.year]
    facts: dict[str, Any] = {
        "id": work.key,
        "citation-key": work.key,
        "type": _type(work),
        "title": work.title,
        "author": names,
        "host": names if work.show else None,
        "issued": {"date-parts": [parts]} if work.year else None,
        "container-title": work.show or (work.host if _type(work) in {"webpage", "post"} else None),
        "number": work.number,
        "genre": "Audio podcast episode" if work.show else None,
        "dimensions": values.clock_text(work.seconds) if work.seconds else None,
        "DOI": work.doi,
        "ISBN": work.isbn,
        "URL": work.url,
        "archive_location": work.archive,
        "note": work.note,
        "language": work.language,
    }
    if work.arxiv:
        facts |= {"publisher": "arXiv", "number": f"arXiv:{work.arxiv}"}
    return {key: value for key, value in facts.items() if value}


def _type(work: Work) -> str:
    if work.kind == "paper":
        return "article" if work.arxiv else "article-journal"
    return _TYPES.get(work.kind or "", "webpage")


def _name(name: Name) -> dict[str, str]:
    if name.literal:
        return {"literal": name.literal}
    parts = {
        "family": name.family,
        "given": name.given,
        "non-dropping-particle": name.particle,
        "suffix": name.suffix,
    }
    return {key: value for key, value in parts.items() if value}
