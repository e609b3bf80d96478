"""Points in time as transcripts and chapters write them."""

from __future__ import annotations

import re

READING = 15  # characters a second, where the end of words has to be guessed
#: The parts of a time: hours if there are any, minutes, seconds, fraction if there is one.
TIME = r"(?:(\d{1,4}):)?(\d{1,3}):(\d{1,2})(?:[.,](\d{1,9}))?"


def clock(seconds: float, point: str = ".") -> str:
    """A point in time as WebVTT and Podlove write it: `01:02:03.500`."""
    whole, milliseconds = divmod(round(seconds * 1000), 1000)
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}{point}{milliseconds:03}"


def seconds(hours: str | None, minutes: str, whole: str, fraction: str | None) -> float:
    """The seconds that the parts of `TIME` come to, to the millisecond."""
    return round(int(hours or 0) * 3600 + int(minutes) * 60 + int(whole) + float(f"0.{fraction or 0}"), 3)


def written(text: str) -> float | None:
    """The seconds that a text such as `12:34` or `00:12:34.500` means, if it is one."""
    found = re.fullmatch(rf"\s*{TIME}\s*", text)
    return seconds(*found.groups()) if found else None


def guessed(start: float, words: str) -> float:
    """The end of words that begin at `start`, by how long it takes to say them."""
    return round(start + max(1.0, len(words) / READING), 3)
