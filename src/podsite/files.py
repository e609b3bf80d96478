"""The files of a site, by the exact spelling of their names: what works on a Mac must work on the web server too."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from podsite.errors import Hints
from podsite.signatures import Look, look
from podsite.values import folded

DROPPINGS = frozenset({".DS_Store", "Thumbs.db", "desktop.ini", ".gitkeep", ".gitignore"})


def _below(place: str, root: Path) -> str:
    found = Path(place).relative_to(root).as_posix()
    return "" if found == "." else found


class Files:
    """The files below a site's root, named by POSIX paths relative to it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.faults: dict[str, str] = {}  # folders that cannot be read, and why
        self._listings: dict[str, frozenset[str]] = {}
        self._walked: dict[str, frozenset[str]] = {}
        self._ordinary: dict[str, frozenset[str]] = {}  # those of the names that are files themselves, not links
        self._told: dict[str, tuple[Mapping[str, str], Hints]] = {}
        self._sound: dict[str, frozenset[str]] = {}  # the same where the folder too is known to be as it is named
        self.used: dict[str, Look] = {}  # files that were asked for, as they were just before
        self.asked: set[str] = set()  # the same since somebody last put an empty set here

    def names(self, folder: str) -> frozenset[str]:
        """The names in a folder; none when there is no such folder."""
        if folder not in self._listings:
            self._listings[folder] = self._ordinary[folder] = frozenset()
            try:
                with os.scandir(self.root / folder) as found:
                    entries = [*found]
                self._listings[folder] = frozenset([one.name for one in entries])
                self._ordinary[folder] = frozenset([one.name for one in entries if one.is_file(follow_symlinks=False)])
            except OSError as error:
                self._note(folder, error)
        return self._listings[folder]

    def is_sound(self, file: str) -> bool:
        """Whether the listing of its folder already says that a file can be used; else `fault` has to look at it."""
        folder, _, name = file.rpartition("/")
        if folder not in self._sound:
            names = self.names(folder)
            plain = not folder or str(PurePosixPath(folder)) == folder
            inside = plain and names and not self._stray(folder) and self._leads_out(folder) is None
            self._sound[folder] = self._ordinary[folder] if inside else frozenset()
        self.looked(file)
        return name in self._sound[folder]

    def looked(self, file: str) -> Look:
        """How a file is just before it is read, for the next build to know it by."""
        self.asked.add(file)
        if file not in self.used:
            self.used[file] = look(f"{self.root}/{file}")
        return self.used[file]

    @property
    def listings(self) -> Mapping[str, frozenset[str]]:
        """The folders that were looked into, and what was in them."""
        return self._walked | self._listings

    def _note(self, folder: str, error: OSError) -> None:
        """Remember a folder that is there and cannot be read: passing it over would take its pages off the site."""
        if isinstance(error, NotADirectoryError):
            if (self.root / folder).is_file() and "/" not in folder:
                self.faults[folder] = "is a file; expected a folder of that name"
        elif not isinstance(error, FileNotFoundError):
            self.faults[folder] = f"cannot be read: {error.strerror or error}"

    def fault(self, file: str) -> str | None:
        """Why `file` cannot be used: missing, spelt otherwise on disk, no file, or outside the site."""
        if self.is_sound(file):
            return None
        stray = self._stray(file)
        if stray:
            folder, part = stray
            spelt, tip = self._tips(folder)
            other = spelt.get(folded(part))
            if other:
                return f"there is no file '{file}': on disk it is spelt '{other}'; letter case counts on web servers"
            return f"there is no file '{file}'{tip(part)}"
        self.looked(file)
        return self._leads_out(file) or (None if (self.root / file).is_file() else f"'{file}' is no file")

    def _leads_out(self, file: str) -> str | None:
        """How the links on the way to `file` lead out of the site, or nowhere."""
        try:
            path = (self.root / file).resolve()
        except (OSError, RuntimeError):  # Python before 3.13 raises the latter
            return f"'{file}' is a link that leads to itself"
        return None if path.is_relative_to(self.root.resolve()) else f"'{file}' leads out of the site through a link"

    def _tips(self, folder: str) -> tuple[Mapping[str, str], Hints]:
        """For names that are not in a folder: those in it by their folded form, and hints at near ones."""
        if folder not in self._told:
            names = sorted(self.names(folder), reverse=True)
            self._told[folder] = {folded(name): name for name in names}, Hints(names)
        return self._told[folder]

    def _stray(self, file: str) -> tuple[str, str] | None:
        """The first part of a path that is not there in this spelling, behind the folder in which it is missed."""
        folder = ""
        for part in PurePosixPath(file).parts:
            names = self.names(folder)
            if part not in names:
                return folder, part
            folder = f"{folder}/{part}" if folder else part
        return None

    def first(self, *candidates: str) -> str | None:
        """The first of the candidates that can be used."""
        return next(
            (one for one in candidates if self.is_sound(one) or not (self._stray(one) or self.fault(one))), None
        )

    def below(self, folder: str) -> Iterator[str]:
        """Every file of a folder and its subfolders, sorted; what systems drop there by themselves is passed over."""

        def note(error: OSError) -> None:
            self._note(Path(error.filename).relative_to(self.root).as_posix(), error)

        for place, folders, names in os.walk(self.root / folder, onerror=note):
            folders.sort()
            self._walked[_below(place, self.root)] = frozenset((*folders, *names))
            for name in folders:
                if (Path(place) / name).is_symlink():
                    linked = (Path(place) / name).relative_to(self.root).as_posix()
                    self.faults[linked] = "is a link to a folder; put the folder itself here"
            for name in sorted(names):
                if name not in DROPPINGS and not name.startswith("._"):
                    yield (Path(place) / name).relative_to(self.root).as_posix()
