"""Chapters: JSON of Podcasting 2.0 and of Podlove, simple chapters as lines and XML in; JSON of Podcasting 2.0 out."""

from __future__ import annotations

from podsite.chapters import simple, stamps, structured
from podsite.chapters.made import Remarks
from podsite.chapters.structured import MEDIA_TYPE, VERSION, chapters_json
from podsite.parts import Chapter

__all__ = ["MEDIA_TYPE", "VERSION", "Remarks", "chapters_json", "read", "stamps"]


def read(text: str) -> tuple[tuple[Chapter, ...], Remarks]:
    """The chapters of a file as they follow there, and what was left out of it: line (0 = unknown) and message.

    The text tells its form. Silent chapters (`toc: false`, pictures that change without a title) are no chapters to
    jump to and left out; so are ends and places.
    """
    text = text.removeprefix("\ufeff")
    first = text.lstrip()[:1]
    if not first.isdigit() and first != "<":
        return structured.read(text)
    remarks: Remarks = []
    found = tuple((simple.markup if first == "<" else simple.lines)(text, remarks))
    if not found and not remarks:
        remarks.append((1, "holds no chapter; no chapters are shown"))
    return found, remarks
