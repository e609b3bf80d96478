"""A file exchanged for an edited copy of it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path


def exchanged(path: Path, edit: Callable[[Path], object], sound: Callable[[Path], bytes]) -> None:
    """Put a copy that `edit` changed into the place of a file, whole or not at all.

    Raises ValueError, and leaves everything as it is, where what `sound` tells of the two is not the same.
    """
    path = path.resolve()  # a link stays one
    copy = path.with_name(f".{path.name}.tagged")
    try:
        shutil.copy2(path, copy)
        edit(copy)
        if sound(copy) != sound(path):
            raise ValueError("its sound would not stay as it is")
        with copy.open("rb") as written:
            os.fsync(written.fileno())
        copy.replace(path)
        _settle(path.parent)
    finally:
        copy.unlink(missing_ok=True)
        copy.with_name(f"{copy.name}.new").unlink(missing_ok=True)


def _settle(folder: Path) -> None:
    """Let the disk take down that a file's name stands for another now; Windows does so by itself."""
    if os.name == "posix":
        entry = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(entry)
        finally:
            os.close(entry)
