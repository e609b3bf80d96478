"""Chapters in JSON: Podcasting 2.0 (1.2) and Podlove in, Podcasting 2.0 out.

https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/examples/chapters/jsonChapters.md
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from podsite import values
from podsite.parts import Chapter

VERSION = "1.2.0"
MEDIA_TYPE = "application/json+chapters"

Remarks = list[tuple[int, str]]
_START = re.compile(r'"(?:startTime|start)"\s*:')


def read(text: str) -> tuple[tuple[Chapter, ...], Remarks]:
    """The chapters of a JSON file as they follow there, and what was left out of it: line (0 = unknown) and message.

    Silent chapters (`toc: false`, pictures that change without a title) are no chapters to jump to and left out.
    """
    try:
        found = json.loads(text.removeprefix("\ufeff"))
    except ValueError as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else 0
        return (), [(line, f"is no JSON ({error}); no chapters are shown")]
    listed = found.get("chapters") if isinstance(found, dict) else found
    if not isinstance(listed, list):
        return (), [(1, "expected a mapping with a list of 'chapters'; no chapters are shown")]
    remarks: Remarks = []
    lines = _lines(text, len(listed))
    read_each = (_chapter(one, number, lines[number - 1], remarks) for number, one in enumerate(listed, 1))
    return tuple(chapter for chapter in read_each if chapter), remarks


def chapters_json(
    chapters: Iterable[Chapter], *, title: str, podcast: str, picture: Callable[[str], str] = str
) -> bytes:
    """The chapters of the episode `title` of the show `podcast` as a file for apps.

    `picture` gives the full web address of a chapter's image, which may be a file of the site.
    """
    listed = [
        {
            "startTime": int(chapter.start) if chapter.start.is_integer() else chapter.start,
            "title": chapter.title,
            **({"img": picture(chapter.image)} if chapter.image else {}),
            **({"url": chapter.url} if chapter.url else {}),
        }
        for chapter in chapters
    ]
    found = {"version": VERSION, "title": title, "podcastName": podcast, "chapters": listed}
    return (json.dumps(found, ensure_ascii=False, indent=1) + "\n").encode()


def _lines(text: str, count: int) -> list[int]:
    starts = [text.count("\n", 0, found.start()) + 1 for found in _START.finditer(text)]
    return starts if len(starts) == count else [0] * count


def _chapter(found: Any, number: int, line: int, remarks: Remarks) -> Chapter | None:
    if not isinstance(found, dict):
        remarks.append((line, f"chapter {number} is no mapping; left out"))
        return None
    if found.get("toc") is False:
        return None
    start = _seconds(found.get("startTime", found.get("start")))
    if start is None:
        remarks.append((line, f"chapter {number} has no 'startTime' in seconds; left out"))
        return None
    title = " ".join(str(found.get("title") or "").split())
    if not title:
        remarks.append((line, f"chapter {number} at {values.clock_text(start)} has no title; left out"))
        return None
    if control := values.control_character(title):
        remarks.append((line, f"chapter {number} has the control character {control[1]} in its title; left out"))
        return None
    links = dict(_links(found, number, line, remarks))
    return Chapter(start=start, title=title, url=links.get("url"), image=links.get("img"))


def _seconds(found: Any) -> float | None:
    """Seconds as a number, or as a text such as `00:01:30.500`, which Podlove writes."""
    if isinstance(found, int | float) and not isinstance(found, bool) and 0 <= found < 1e9:
        return float(found)
    try:
        return values.seconds(found) if isinstance(found, str) else None
    except ValueError:
        return None


def _links(found: dict[str, Any], number: int, line: int, remarks: Remarks) -> Iterator[tuple[str, str]]:
    for key, older, reader in (("url", "href", values.url), ("img", "image", values.file_or_url)):
        written = found.get(key) or found.get(older)
        if written:
            try:
                yield key, reader(str(written))
            except ValueError as error:
                remarks.append((line, f"chapter {number}: {error}; its {key} is left out"))
