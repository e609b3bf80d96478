"""The output folder: what must not be written to, changed-only atomic writes, pruning by manifest.

Two things of podsite's own live in the folder: the manifest of what it wrote there and, while a build runs, a staging
folder. A build killed at any moment leaves a folder that the next one takes up again.
"""

from __future__ import annotations

import errno
import filecmp
import json
import os
import shutil
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

from podsite.artifacts import Artifact, Standing, all_folders, flaw, folders, refuse_collisions
from podsite.aside import Laid
from podsite.crew import Crew
from podsite.errors import OutputError
from podsite.left import MANIFEST
from podsite.recall import Report
from podsite.values import folded

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

STAGING = ".podsite-staging"
_LOCK = ".podsite-lock"  # on Windows only: elsewhere the folder itself is locked
_VERSION = 1
_MANY = 1000  # files that each process must have to write: copying one takes longer than writing some hundred
_REMEDY = "empty the folder yourself or choose another output folder"
# A first build killed early leaves its staging folder, a fresh git worktree its .git: both still count as empty.
_NOTHING = {STAGING, _LOCK, ".git", ".gitignore", ".gitattributes", ".gitkeep", ".keep", ".DS_Store"}
_JUNCTION = 0xA0000003  # IO_REPARSE_TAG_MOUNT_POINT: a folder that is a link, unknown to S_ISLNK
_Kind = Literal["missing", "file", "folder", "link", "other"]
_KINDS: dict[int, _Kind] = {stat.S_IFLNK: "link", stat.S_IFREG: "file", stat.S_IFDIR: "folder"}
_Paths = frozenset[str] | set[str]


def _no(_: Artifact) -> bool:
    return False


def refuse(output: Path, root: Path, sources: Iterable[Path]) -> None:
    """Raise OutputError, saying why and what to do, if `output` is no place where podsite may write.

    That is at or above the site's `root`, the home folder or a drive's root; at, above or inside one of the site's
    `sources` (folders that need not exist); something that is no folder; or a folder with files in it but no
    manifest of podsite's. Links are followed first. Nothing is written.
    """
    where, inputs = _resolved(output), {f"{source}, which the site is made from": source for source in sources}
    places = {"the site's own folder": root, **inputs}
    with suppress(RuntimeError):  # no home to be known, none to be protected
        places["your home folder"] = Path.home()
    try:
        found = [f"is or contains {name}" for name, place in places.items() if _is_inside(_resolved(place), where)]
        found += [f"lies in {name}" for name, place in inputs.items() if _is_inside(where, _resolved(place))]
    except OSError as error:  # a folder on the way is not to be looked into
        raise _explained(error, error.filename or output) from error
    if output.parts[:1] and output.parts[0].startswith("~"):
        found = ["begins with a '~' that the shell did not replace by your home folder"]
    elif where.parent == where:
        found = ["is the root of a drive"]
    if found:
        raise OutputError(f"{output}: {found[0]}; podsite needs a folder for the built site alone, such as 'output'")
    try:
        if where.is_symlink() or where.exists():
            _refuse_foreign(where)
    except OSError as error:
        raise _explained(error, output) from error


def write(  # noqa: PLR0913 - each is told apart by its name
    artifacts: Sequence[Artifact],
    output: Path,
    *,
    last: Sequence[str] = (),
    stands: Callable[[Artifact], bool] = _no,
    checked: bool = False,
    crew: Crew | None = None,
    done: Callable[[Sequence[Artifact]], None] = lambda _: None,
) -> Report:
    """Make `output` hold the artifacts: write those that differ, remove what an earlier build wrote and this did not.

    Everything is staged first, then moved into place one atomic rename each, the paths in `last` (the feeds) at the
    end and in that order, then the stale files go. Files podsite did not write stay; where one of them stands in an
    artifact's way with other content, nothing is done. A copied file carries its source's modification time; as that
    proves nothing, its content is compared like all other. What `stands` there, as the caller knows, is not looked at
    again; the caller is asked about each artifact before anything is written.

    Raises OutputError for paths unfit or colliding (unless they were `checked`), a folder not ours, another build at
    work, files in the way, a source that cannot be read, a full disk or a missing permission; the message says if
    anything was changed.
    """
    if not checked:
        refuse_collisions(artifacts)
    root = _resolved(output)
    try:
        root.mkdir(parents=True, exist_ok=True)
        with _locked(root):
            order = {path: number for number, path in enumerate(last, 1)}
            report = _update(artifacts, root, order, stands, crew or Crew())
            done(artifacts)
            return report
    except OSError as error:
        raise _explained(error, error.filename or root) from error


def _update(
    artifacts: Sequence[Artifact], root: Path, last: dict[str, int], stands: Callable[[Artifact], bool], crew: Crew
) -> Report:
    """`write`, with the folder locked."""
    _refuse_foreign(root)
    staging = root / STAGING
    if _standing(staging)[0] == "folder":  # left by a killed build; a link of that name is not ours and stops us
        shutil.rmtree(staging)
    old, new = _listed(root), frozenset(a.path for a in artifacts)
    stale = frozenset(path for path in old - new if not flaw(path))  # a manifest may be edited: nothing outside
    stand = [one.path for one in artifacts if stands(one) and one.path in old]
    there = frozenset(stand)
    moved = [one for one in artifacts if one.path not in there]
    changed, unchanged = _sift(moved, root, old, {folded(path) for path in stale})
    unchanged += stand
    removed: list[str] = []
    if changed or old != new:
        changed.sort(key=lambda artifact: last.get(artifact.path, 0))
        staging.mkdir()
        try:
            for _ in crew.share([*enumerate(changed)], lambda part: _stage(part, staging), _MANY):
                pass
            # From here to the end the manifest lists old and new: the next build knows whatever a kill leaves.
            if not new <= old:
                _list(stale | new, staging, root)
            try:
                removed = _replace(changed, root, staging, stale, new, crew)
                if new != old:
                    _list(new, staging, root)
            except OSError as error:
                raise _explained(error, error.filename2 or error.filename, "the site is partly new") from error
        finally:
            shutil.rmtree(staging, ignore_errors=True)
    return Report(tuple(sorted(a.path for a in changed)), tuple(sorted(unchanged)), tuple(sorted(removed)))


def _sift(artifacts: Sequence[Artifact], root: Path, old: _Paths, twins: _Paths) -> tuple[list[Artifact], list[str]]:
    """The artifacts to be written and the paths that need not be; OutputError naming all that is in the way.

    `twins` are the folded paths of stale files. Where a file name's case changed, a case-insensitive disk would show
    the stale file under the new name; it is always written anew.
    """
    folders = _Folders(root)
    changed, unchanged, blocked = [], [], {}
    for artifact in artifacts:
        kind, at = folders[artifact.path.rpartition("/")[0]]
        if kind == "folder":
            at, target = artifact.path, root / artifact.path
            kind, found = _standing(target)
            if kind == "file" and folded(at) not in twins and _equal(artifact.content, target, found):
                unchanged.append(at)
                continue
            if kind == "folder":
                at = _foreign_inside(target, root, old)
        if kind == "missing" or not at or at in old or folded(at) in twins:
            changed.append(artifact)
        else:
            what = "is a link" if kind == "link" else "was not written by podsite"
            wanted = f"{artifact.path} (from {artifact.source})"
            blocked[at] = f"{at}: is in the way of {wanted} and {what}; move it away or delete it"
    if blocked:
        raise OutputError("\n".join(blocked.values()))
    return changed, unchanged


def _equal(content: bytes | Path | Standing | Laid, target: Path, found: os.stat_result) -> bool:
    """Whether the file `target`, of status `found`, holds `content` already; reads as little as that takes."""
    if isinstance(content, bytes):
        return len(content) == found.st_size and target.read_bytes() == content
    if isinstance(content, Laid):
        with target.open("rb") as file:
            return content.length == found.st_size and all(file.read(len(one)) == one for one in content.pieces())
    if isinstance(content, Standing):
        return False
    source = content.stat()
    filecmp.clear_cache()  # it goes by size and time
    if source.st_size != found.st_size or not filecmp.cmp(content, target, shallow=False):
        return False
    if source.st_mtime_ns != found.st_mtime_ns:
        with suppress(OSError):
            _date(target, source)
    return True


def _date(target: Path, source: os.stat_result) -> None:
    """Give a copy its source's time: programs that carry a site elsewhere may go by it."""
    os.utime(target, ns=(source.st_mtime_ns, source.st_mtime_ns))


def _stage(changed: Iterable[tuple[int, Artifact]], staging: Path) -> None:
    """Write each artifact to the staging folder under its number; OutputError when that fails."""
    for number, artifact in changed:
        staged = f"{staging}/{number}"
        try:
            if isinstance(artifact.content, (bytes, Laid)):
                with open(staged, "wb") as file:  # noqa: PTH123 - a path object costs more than the rest
                    file.writelines(
                        artifact.content.pieces() if isinstance(artifact.content, Laid) else (artifact.content,)
                    )
            elif isinstance(artifact.content, Path):
                before = artifact.content.stat()
                shutil.copyfile(artifact.content, staged)
                _date(Path(staged), before)
        except OSError as error:
            raise _explained(error, f"{artifact.path} (from {artifact.source})") from error


def _replace(  # noqa: PLR0913, PLR0917 - what goes where, what goes away, and who does it
    changed: Sequence[Artifact], root: Path, staging: Path, stale: _Paths, new: _Paths, crew: Crew
) -> list[str]:
    """Move what is staged into place and remove the stale paths; those that stood there are returned."""
    needed = all_folders(new)
    taken = {folded(path) for path in new | needed} if stale else set()
    # Stale files in a new one's way go first: a file where a folder comes and the reverse, and names that differ only
    # in case, since removing these afterwards would remove the new file on a case-insensitive disk.
    in_the_way = {name for path in stale for name in (path, *folders(path)) if folded(name) in taken}
    first = {path for path in stale if not in_the_way.isdisjoint((path, *(set(folders(path)) - needed)))}
    removed = _removed(first, root, needed)
    # All folders before any file: a disk too full for them shows before a page has changed.
    wanted = sorted(all_folders(artifact.path for artifact in changed))
    for _ in crew.share([f"{root}/{folder}" for folder in wanted], _made, _MANY):
        pass
    for number, artifact in enumerate(changed):
        os.replace(f"{staging}/{number}", f"{root}/{artifact.path}")  # noqa: PTH105 - as above
    return removed + _removed(stale - first, root, needed)


def _made(folders: Sequence[str]) -> None:
    """Make folders, of which those above others come first; another process may be making them, too."""
    for folder in folders:
        os.makedirs(folder, exist_ok=True)  # noqa: PTH103 - a path object costs more than the rest


def _removed(paths: _Paths, root: Path, needed: _Paths) -> list[str]:
    """Remove the files `paths` and the folders this empties, but those `needed`; never through a link."""
    removed = []
    folders = _Folders(root)
    for path in sorted(paths):
        if folders[path.rpartition("/")[0]][0] == "folder" and _standing(root / path)[0] in ("file", "link"):
            (root / path).unlink()
            removed.append(path)
    for folder in sorted(all_folders(paths) - needed, reverse=True):  # what is inside comes first
        if folders[folder][0] == "folder":
            with suppress(OSError):  # not empty: something foreign is in it
                (root / folder).rmdir()
    return removed


class _Folders(dict[str, tuple[_Kind, str]]):
    """What each folder path in `root` is, asked of the disk once, and the path that decided it: it, or one above."""

    def __init__(self, root: Path) -> None:
        self.root, self[""] = root, ("folder", "")

    def __missing__(self, folder: str) -> tuple[_Kind, str]:
        above = self[folder.rpartition("/")[0]]
        self[folder] = (_standing(self.root / folder)[0], folder) if above[0] == "folder" else above
        return self[folder]


def _standing(path: Path) -> tuple[_Kind, os.stat_result]:
    """What stands at `path`, links not followed, and its status (an empty one when nothing does)."""
    try:
        found = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return "missing", os.stat_result((0,) * 10)
    junction = getattr(found, "st_reparse_tag", 0) == _JUNCTION
    return "link" if junction else _KINDS.get(stat.S_IFMT(found.st_mode), "other"), found


def _foreign_inside(folder: Path, root: Path, old: _Paths) -> str:
    """The first path at or below `folder` that podsite did not make, or '' when all of it may go."""
    ours = old | all_folders(old)
    inside = (folder, *sorted(folder.rglob("*")))
    return next((path for entry in inside if (path := entry.relative_to(root).as_posix()) not in ours), "")


def _refuse_foreign(where: Path) -> None:
    """Raise OutputError unless `where` is a folder that is ours or as good as empty."""
    if not where.is_dir():
        raise OutputError(f"{where}: is not a folder; move it away or choose another output folder")
    names = {entry.name for entry in where.iterdir()}
    if MANIFEST not in names and (foreign := sorted(names - _NOTHING)):
        some = ", ".join(foreign[:3]) + (", …" if len(foreign) > 3 else "")
        raise OutputError(f"{where}: holds files podsite did not write ({some}); {_REMEDY}")


def _listed(root: Path) -> frozenset[str]:
    """The paths in the folder's manifest, none when it has no manifest; OutputError when it is not to be trusted."""
    try:
        manifest = json.loads((root / MANIFEST).read_bytes())
        if manifest["version"] == _VERSION and all(isinstance(path, str) for path in manifest["files"]):
            return frozenset(manifest["files"])
        found = f"has version {manifest['version']}, and this podsite knows {_VERSION}"
    except FileNotFoundError:
        return frozenset()
    except (ValueError, KeyError, TypeError, RecursionError):
        found = "is damaged"
    raise OutputError(f"{root / MANIFEST}: {found}, so podsite cannot tell which files are its own; {_REMEDY}")


def _list(paths: _Paths, staging: Path, root: Path) -> None:
    """Write the manifest, atomically: the same paths give the same bytes."""
    about = "Written by podsite: the files it may replace and delete in this folder. It touches no others."
    manifest = json.dumps({"about": about, "version": _VERSION, "files": sorted(paths)}, ensure_ascii=False, indent=1)
    staged = staging / MANIFEST
    with staged.open("wb") as file:
        file.write(manifest.encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())  # the next build mends a page torn by a power cut, but not a torn manifest
    staged.replace(root / MANIFEST)


@contextmanager
def _locked(root: Path) -> Iterator[None]:
    """Hold the folder's lock; OutputError when another build does. The system drops it when the process ends."""
    windows = sys.platform == "win32"
    lock = os.open(root / _LOCK, os.O_RDWR | os.O_CREAT) if windows else os.open(root, os.O_RDONLY)
    try:
        try:
            if sys.platform == "win32":
                msvcrt.locking(lock, msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:  # others than these: a disk without locks, as on some networks, is no reason to stop
            if error.errno in (errno.EAGAIN, errno.EACCES, errno.EDEADLK):
                raise OutputError(f"{root}: another podsite build is writing here; wait for it to end") from error
        yield
    finally:
        os.close(lock)


def _resolved(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _is_inside(inner: Path, outer: Path) -> bool:
    """Whether `inner` is `outer` or below it, also where the disk knows one folder under two spellings."""
    above = [folder for folder in (inner, *inner.parents) if folder.exists()] if outer.exists() else []
    return inner.is_relative_to(outer) or any(folder.samefile(outer) for folder in above)


def _explained(error: OSError, path: object, state: str = "the site there is as it was") -> OutputError:
    """The system's error as one to mend: what it concerns, what the system says, what to do, how things stand."""
    remedy = "mend that"
    if error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC), errno.EFBIG):
        remedy = "free some space"
    elif isinstance(error, PermissionError) or error.errno == errno.EROFS:
        remedy = "allow writing there or choose another output folder"
    return OutputError(f"{path}: {error.strerror or error}; {remedy} and build again ({state})")
