"""The files of a site, by the exact spelling of their names: what works on a Mac must work on the web server too."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from podsite.errors import UsageError, hint
from podsite.values import folded

SHOW = "show.yaml"
_DROPPINGS = frozenset({".DS_Store", "Thumbs.db", "desktop.ini", ".gitkeep", ".gitignore"})


def find_root(start: Path) -> Path:
    """The folder with show.yaml, here or above. Raises UsageError when there is none."""
    begin = start.resolve()
    if not begin.is_dir():
        raise UsageError(f"{start} is no folder; name the folder that holds {SHOW}")
    for folder in (begin, *begin.parents):
        names = os.listdir(folder) if os.access(folder, os.R_OK) else []
        if SHOW in names:
            return folder
        other = next((name for name in names if name.lower() in {SHOW, "show.yml"}), None)
        if other:
            raise UsageError(f"found {folder / other}; rename it to {SHOW}")
    raise UsageError(f"no {SHOW} in {begin} or above; run 'podsite init' to begin a site")


class Files:
    """The files below a site's root, named by POSIX paths relative to it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._listings: dict[str, dict[str, str]] = {}

    def names(self, folder: str) -> dict[str, str]:
        """Names in a folder, each under its folded form; empty when there is no such folder."""
        if folder not in self._listings:
            try:
                found = os.listdir(self.root / folder)
            except OSError:
                found = []
            self._listings[folder] = {folded(name): name for name in sorted(found)}
        return self._listings[folder]

    def fault(self, file: str) -> str | None:
        """Why `file` cannot be used: missing, spelt otherwise on disk, no file, or outside the site."""
        folder = ""
        for part in PurePosixPath(file).parts:
            names = self.names(folder)
            actual = names.get(folded(part))
            if actual is None:
                near = hint(part, names.values())
                return f"there is no file '{file}'{near}"
            if actual != part:
                return f"there is no file '{file}': on disk it is spelt '{actual}'; letter case counts on web servers"
            folder = f"{folder}/{part}" if folder else part
        path = (self.root / file).resolve()
        if not path.is_relative_to(self.root.resolve()):
            return f"'{file}' leads out of the site through a link"
        return None if path.is_file() else f"'{file}' is no file"

    def first(self, *candidates: str) -> str | None:
        """The first of the candidates that can be used."""
        return next((file for file in candidates if self.fault(file) is None), None)

    def below(self, folder: str) -> Iterator[str]:
        """Every file of a folder and its subfolders, sorted; what systems drop there by themselves is passed over."""
        for place, folders, names in os.walk(self.root / folder):
            folders.sort()
            for name in sorted(names):
                if name not in _DROPPINGS and not name.startswith("._"):
                    yield (Path(place) / name).relative_to(self.root).as_posix()
