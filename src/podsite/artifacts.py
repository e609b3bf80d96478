"""Files to be written, and whether they can stand side by side on every system a site is built, kept or served on."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

from podsite.aside import Laid
from podsite.errors import OutputError
from podsite.records import dataclass
from podsite.values import folded

_FLAWS = (
    (re.compile(r'[\x00-\x1f\x7f-\x9f\ud800-\udfff\\<>:"|?*]'), "is not allowed in file names on every system"),
    (re.compile(r"(^|/)\.{0,2}(/|$)"), "could lead out of the output folder"),
    (re.compile(r"[^/]*[. ](/|$)"), "ends in a dot or a space, which Windows drops"),
    (re.compile(r"(?i)(?<![^/])(con|prn|aux|nul|con(in|out)\$|(com|lpt)[0-9¹²³]) *(?![^/.])"), "is a Windows device"),
    (re.compile(r"(?i)^\.podsite-[^/]*"), "is a name podsite keeps for itself"),
)


#: Paths like nearly all there are: of short names, none of them a device's whatever its ending, without a last dot.
_FINE = re.compile(
    r"(?:(?!(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:[./]|$))[a-z0-9][a-z0-9_-]{0,99}(?:\.[a-z0-9_-]{1,50}){0,3}(?:/(?=.)|$))+"
)


@dataclass(frozen=True, slots=True)
class Standing:
    """What a file holds already, by its path and the digest of its content: it would be made again just so."""

    file: str
    digest: bytes


@dataclass(frozen=True, slots=True)
class Artifact:
    """A file to be written: where (POSIX, relative to the output folder), what, and from which source file.

    `content` is the bytes, here or laid aside, an existing file to be copied as it is, however large, or what stands
    there already.
    `source` is for messages.
    """

    path: str
    content: bytes | Path | Standing | Laid
    source: str


@dataclass(frozen=True, slots=True)
class Clash:
    """A path that cannot be written: unfit for some system, which `flaw` tells, or wanted by all of `by` at once."""

    path: str
    by: tuple[Artifact, ...]
    flaw: str = ""

    def __str__(self) -> str:
        if self.flaw:
            return f"{self.by[0].source}: cannot write {self.path!r}: {self.flaw}"
        by = " and by ".join(dict.fromkeys(f"{a.source} (as {a.path})" for a in self.by))
        remedy = "give all but one another slug, path or file name (capitals count as small letters)"
        return f"{self.path}: wanted by {by}; {remedy}"


def refuse_collisions(artifacts: Sequence[Artifact]) -> None:
    """Raise OutputError naming everything that `clashes` finds."""
    if faults := sorted(map(str, clashes(artifacts))):
        raise OutputError("\n".join(faults))


def clashes(artifacts: Sequence[Artifact], standing: Collection[str] = ()) -> list[Clash]:
    """Every path that is unfit for some system, and every one that is wanted twice.

    Paths are compared as macOS and Windows do, case-folded and normalised; a file where another artifact needs a
    folder, and a folder spelled two ways, collide too. What stands somewhere already was fit when it was written;
    paths that are `standing` together, in the output folder, have been looked at as well.
    """
    paths = {artifact.path for artifact in artifacts}
    if len(paths) == len(artifacts) and all(path in standing for path in paths):
        return []
    new = (one for one in artifacts if not isinstance(one.content, Standing))
    found = [Clash(one.path, (one,), fault) for one in new if (fault := flaw(one.path))]
    claims: dict[str, list[Artifact]] = defaultdict(list)
    for artifact in artifacts:
        claims[folded(artifact.path)].append(artifact)
    spellings: dict[str, set[str]] = defaultdict(set)
    for folder in all_folders(artifact.path for artifact in artifacts):
        spellings[folded(folder)].add(folder)
    clashing = {key for key, spelled in spellings.items() if key in claims or len(spelled) > 1}
    for artifact in artifacts if clashing else ():  # only now is it worth asking each for its folders again
        for key in {folded(folder) for folder in folders(artifact.path)} & clashing:
            claims[key].append(artifact)
    for key, claimed in claims.items():
        if len(claimed) > 1:
            wanted = "/".join(claimed[0].path.split("/")[: key.count("/") + 1])
            found.append(Clash(wanted, tuple(claimed)))
    return found


def flaw(path: str) -> str:
    """Why `path` cannot be an artifact's on every system podsite and its sites are used on; '' when it can."""
    if _FINE.fullmatch(path):
        return ""
    for pattern, what in _FLAWS:
        if found := pattern.search(path):
            return f"{found[0]!r} {what}; choose another name"
    longest = max(path.split("/"), key=lambda segment: len(segment.encode()))
    return f"{longest!r} is longer than 255 bytes; shorten it" if len(longest.encode()) > 255 else ""


def folders(path: str) -> Iterator[str]:
    """The folders above `path`, innermost first: `a/b/c` gives `a/b`, then `a`."""
    while path := path.rpartition("/")[0]:
        yield path


def all_folders(paths: Iterable[str]) -> set[str]:
    """Every folder above any of the paths."""
    found: set[str] = set()
    for folder in {path.rpartition("/")[0] for path in paths}:
        above = folder
        while above and above not in found:
            found.add(above)
            above = above.rpartition("/")[0]
    return found
