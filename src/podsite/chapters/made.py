"""A chapter as any form gives it, checked; what is wrong with it is told, and costs no more than it must."""

from __future__ import annotations

from podsite import values
from podsite.parts import Chapter

#: What was left out: line, counted from 1 (0: unknown), and message.
Remarks = list[tuple[int, str]]


def chapter(  # noqa: PLR0913 - they are what a chapter is made of
    number: int, line: int, remarks: Remarks, *, start: float, title: str, url: str = "", image: str = ""
) -> Chapter | None:
    """The chapter; None without a title. `number` counts those of the file from 1."""
    words = " ".join(title.split())
    if not words:
        remarks.append((line, f"chapter {number} at {values.clock_text(start)} has no title; left out"))
        return None
    if control := values.control_character(words):
        remarks.append((line, f"chapter {number} has the control character {control[1]} in its title; left out"))
        return None
    links: dict[str, str | None] = {"url": None, "img": None}
    for key, written, reader in (("url", url, values.url), ("img", image, values.file_or_url)):
        if written.strip():
            try:
                links[key] = reader(written.strip())
            except ValueError as error:
                remarks.append((line, f"chapter {number}: {error}; its {key} is left out"))
    return Chapter(start=round(start, 3), title=words, url=links["url"], image=links["img"])
