"""Text files as people save them: UTF-8 with or without a byte order mark, or UTF-16 with one."""

from __future__ import annotations

import codecs
from pathlib import Path

from podsite.errors import ContentError, Place, Problem
from podsite.values import control_character


def load(path: Path, file: str) -> str:
    """The text of `path`, called `file` in messages.

    Raises ContentError when it cannot be read, is in another encoding, or holds characters no page may carry.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise ContentError([Problem(Place(file), "", f"cannot be read: {error.strerror or error}")]) from error
    text = _decoded(raw, file)
    found = control_character(text)
    if found:
        index, name = found
        message = f"holds the control character {name}, which no page or feed may carry; delete it"
        raise ContentError([Problem(_place(file, text[:index]), "", message)])
    return text


def _decoded(raw: bytes, file: str) -> str:
    wide = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return raw.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode("utf-8", "replace") if not wide else ""
        message = f"is not UTF-8 (byte 0x{raw[error.start]:02X}); save it as UTF-8"
        raise ContentError([Problem(_place(file, before), "", message)]) from error


def _place(file: str, before: str) -> Place:
    line = before.count("\n") + 1
    return Place(file, line, len(before) - (before.rfind("\n") + 1) + 1)
