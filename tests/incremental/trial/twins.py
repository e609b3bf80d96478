"""Two copies of one site: one is built again and again in place, the other from nothing each time. They must agree."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from podsite import build as pipeline
from podsite.errors import PodsiteError
from podsite.recall import Built, Options, Recall

OWN = frozenset({"output", ".podsite", "podsite.lock"})
#: The accepted changes: edits at random are no concern of the publish guard.
ACCEPT = ("*:guid", "*:published", "*:audio", "*:gone", "*:aliases", "show.yaml")

Tree = dict[str, bytes]


def tree(folder: Path) -> Tree:
    """Every file below a folder; a link is where it leads."""
    return dict(_tree(str(folder), ""))


def _tree(folder: str, path: str) -> Iterator[tuple[str, bytes]]:
    try:
        entries = [*os.scandir(folder)]
    except FileNotFoundError:
        return
    for entry in entries:
        name = path + entry.name
        if entry.is_symlink():
            yield name, b"-> " + os.fsencode(Path(entry).readlink())
        elif entry.is_dir():
            yield from _tree(entry.path, f"{name}/")
        else:
            yield name, Path(entry).read_bytes()


@dataclass
class Twins:
    """`site` is built in place; what its output should hold is known by building a copy of its sources from nothing."""

    site: Path
    clean: Path

    def first(self, options: Options) -> None:
        """Build the site for the first time; there is nothing to compare yet."""
        outcome(self.site, options)

    def build(self, options: Options) -> bool:
        """Build both and compare all there is to compare; whether there was something to build."""
        before = tree(self.site / "output")
        known = _lock(self.site)
        self._copy(known)
        wanted = outcome(self.clean, options)
        found = outcome(self.site, options)
        output = tree(self.site / "output")
        if isinstance(wanted, Built) and isinstance(found, Built):
            self._compare(wanted, found, before, output)
            assert _lock(self.site) == _lock(self.clean)
            again = Recall(self.site, self.site / "output", options).result()
            if _lock(self.site) == known:  # else there is nothing left to accept, which the next build has to say
                assert again is not None, "a build right behind another has something to do"
                assert facts(again) == facts(found)
        else:
            assert wanted == found
            assert output == before, "a build that fails leaves the output as it was"
            assert _lock(self.site) == known
        return isinstance(wanted, Built)

    def _compare(self, wanted: Built, found: Built, before: Tree, output: Tree) -> None:
        clean = tree(self.clean / "output")
        differing = [path for path in sorted(clean.keys() | output.keys()) if clean.get(path) != output.get(path)]
        assert not differing, f"not as a clean build makes them: {differing}"
        assert facts(wanted) == facts(found)
        pages = {path: content for path, content in clean.items() if not path.startswith(".podsite")}
        assert {*found.report.written, *found.report.unchanged} == {*pages}
        written = {path for path, content in pages.items() if before.get(path) != content}
        assert {*found.report.written} == written, "what was written is not what differs"

    def _copy(self, lock: bytes | None) -> None:
        """Bring the sources of the copy up to date, and take away everything that a build left there."""
        shutil.rmtree(self.clean / "output", ignore_errors=True)
        mine, other = (sources(root) for root in (self.site, self.clean))
        for path in other.keys() - mine.keys():
            (self.clean / path).unlink()
        for path, content in mine.items():
            if other.get(path) != content:
                put(self.clean / path, content)
        for folder in sorted((one for one in self.clean.rglob("*") if one.is_dir()), reverse=True):
            if not (self.site / folder.relative_to(self.clean)).is_dir():
                folder.rmdir()
        (self.clean / "podsite.lock").unlink(missing_ok=True)
        if lock is not None:
            (self.clean / "podsite.lock").write_bytes(lock)
        if not (self.clean / ".podsite").exists():
            (self.clean / ".podsite").write_bytes(b"")  # a file in its place: there is no cache


def _lock(root: Path) -> bytes | None:
    lock = root / "podsite.lock"
    return lock.read_bytes() if lock.exists() else None


def sources(root: Path) -> Tree:
    """Everything a site is made of, but its lock."""
    found: Tree = {}
    for name in os.listdir(root):
        if name not in OWN:
            at = root / name
            found |= dict(_tree(str(at), f"{name}/")) if at.is_dir() else {name: at.read_bytes()}
    return found


def put(path: Path, content: bytes) -> None:
    """Write a file of a tree."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if content.startswith(b"-> ") or path.is_symlink():
        path.unlink(missing_ok=True)
    if content.startswith(b"-> "):
        path.symlink_to(os.fsdecode(content[3:]))
    else:
        path.write_bytes(content)


def outcome(root: Path, options: Options) -> Built | str:
    """Build as the command does: what was built, or what stopped it."""
    recall = Recall(root, root / "output", options)
    try:
        return recall.result() or pipeline.build(root, root / "output", options, recall=recall)
    except PodsiteError as error:
        return f"{type(error).__name__}: {error}".replace(str(root), "ROOT")


def facts(built: Built) -> dict[str, Any]:
    """All that a build says but what it did to the output."""
    return {name: said for name, said in built._asdict().items() if name != "report"}
