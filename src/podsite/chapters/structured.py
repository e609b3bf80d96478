"""Chapters in JSON: Podcasting 2.0 (1.2) and Podlove in, Podcasting 2.0 out.

https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/examples/chapters/jsonChapters.md
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

from podsite import values
from podsite.chapters.made import Remarks, chapter
from podsite.parts import Chapter
from podsite.textfile import lines_of

VERSION = "1.2.0"
MEDIA_TYPE = "application/json+chapters"

_START = r'"(?:startTime|start)"\s*:'


def read(text: str) -> tuple[tuple[Chapter, ...], Remarks]:
    """The chapters of a JSON file as they follow there, and what was left out of it: line (0 = unknown) and message.

    Silent chapters (`toc: false`, pictures that change without a title) are no chapters to jump to and left out.
    """
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else 0
        return (), [(line, f"is no JSON ({error}); no chapters are shown")]
    listed = found.get("chapters") if isinstance(found, dict) else found
    if not isinstance(listed, list):
        return (), [(1, "expected a mapping with a list of 'chapters'; no chapters are shown")]
    remarks: Remarks = []
    lines = lines_of(text, _START, len(listed))
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
    words = str(found.get("title") or "")
    url, image = (str(found.get(key) or found.get(older) or "") for key, older in (("url", "href"), ("img", "image")))
    return chapter(number, line, remarks, start=start, title=words, url=url, image=image)


def _seconds(found: Any) -> float | None:
    """Seconds as a number, or as a text such as `00:01:30.500`, which Podlove writes."""
    if isinstance(found, int | float) and not isinstance(found, bool) and 0 <= found < 1e9:
        return float(found)
    try:
        return values.seconds(found) if isinstance(found, str) else None
    except ValueError:
        return None
