"""Where a site begins. Nothing is imported here but what a build with nothing to do needs anyway."""

from __future__ import annotations

import os
from pathlib import Path

SHOW = "show.yaml"


def find_root(start: Path) -> Path:
    """The folder with show.yaml, here or above. Raises UsageError when there is none."""
    begin = start.resolve()
    if not begin.is_dir():
        raise _usage(f"{start} is no folder; name the folder that holds {SHOW}")
    for folder in (begin, *begin.parents):
        names = os.listdir(folder) if os.access(folder, os.R_OK) else []
        if SHOW in names:
            return folder
        other = next((name for name in names if name.lower() in {SHOW, "show.yml"}), None)
        if other:
            raise _usage(f"found {folder / other}; rename it to {SHOW}")
    raise _usage(f"no {SHOW} in {begin} or above; run 'podsite init' to begin a site")


def _usage(message: str) -> Exception:
    from podsite.errors import UsageError

    return UsageError(message)
