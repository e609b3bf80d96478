"""Text files as people save them: UTF-8 with or without a byte order mark, or UTF-16 with one."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from podsite.errors import ContentError, Place, Problem
from podsite.values import control_character


def load(path: Path, file: str) -> str:
    """The text of `path`, called `file` in messages; its lines end in `\\n`, whatever system wrote it.

    Raises ContentError when it cannot be read, is in another encoding, or holds characters no page may carry.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise ContentError([Problem(Place(file), "", f"cannot be read: {error.strerror or error}")]) from error
    text = _decoded(raw, file)
    problem = unprintable(text, file)
    if problem:
        raise ContentError([problem])
    return text


def unprintable(text: str, file: str) -> Problem | None:
    """The first character of a text that no page or feed may carry, as a problem."""
    found = control_character(text)
    if not found:
        return None
    index, name = found
    message = f"holds the control character {name}, which no page or feed may carry; delete it"
    return Problem(_place(file, text[:index]), "", message)


def _decoded(raw: bytes, file: str) -> str:
    wide = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    raw = raw.removeprefix(codecs.BOM_UTF8)
    try:
        text = raw.decode("utf-16" if wide else "utf-8")
        index = text.find("\0")  # every other byte of UTF-16 without a mark
        if index < 0:
            return text.replace("\r\n", "\n").replace("\r", "\n")
        before, byte = text[:index], 0
    except UnicodeDecodeError as error:
        before, byte = raw[: error.start].decode("utf-8", "replace") if not wide else "", raw[error.start]
    message = f"is not UTF-8 (byte 0x{byte:02X}); save it as UTF-8"
    raise ContentError([Problem(_place(file, before), "", message)])


def _place(file: str, before: str) -> Place:
    line = before.count("\n") + 1
    return Place(file, line, len(before) - (before.rfind("\n") + 1) + 1)


def lines_of(text: str, key: str, count: int) -> list[int]:
    """The lines on which the pattern `key` stands in a JSON text; zeros (unknown) where it is not `count` times."""
    lines, line, at = [], 1, 0
    for found in re.finditer(key, text):
        line += text.count("\n", at, found.start())
        at = found.start()
        lines.append(line)
    return lines if len(lines) == count else [0] * count
