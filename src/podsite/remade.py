"""Files that are made again only where they would come out otherwise than they stand in the output folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar

from podsite.artifacts import Artifact, Standing
from podsite.paper import Paper
from podsite.records import dataclass
from podsite.signatures import digest_of

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Job(Generic[T]):
    """A file to be made: its path, the key of everything it is made of, the file that asks for it, and of what."""

    path: str
    key: bytes
    source: str
    of: T


def remade(
    jobs: Sequence[Job[T]], write: Callable[[Job[T]], bytes], kind: str, paper: Paper, *, least: int | None = None
) -> Iterator[Artifact]:
    """Every file, in the order of the jobs; those that have to be made are shared out, as `Crew.share` has it.

    The pack of that `kind` keeps, by key, the digests of files: what one holds is told by what it is made of.
    """
    pack, standing, place = paper.cache.pack(kind), paper.standing, paper.place
    known = {job.path: pack.get(job.key) for job in jobs}
    stands = {path: digest for path, digest in known.items() if digest and standing.get(path) == digest}
    missing = [job for job in jobs if job.path not in stands]
    made: dict[str, bytes] = {}
    for share in paper.crew.share(missing, lambda part: [(job.path, write(job)) for job in part], least):
        made |= dict(share)
    for job in jobs:
        content = made.get(job.path)
        if content is None:
            yield Artifact(job.path, Standing(f"{place}/{job.path}", stands[job.path]), job.source)
        else:
            pack.put(job.key, digest_of(content))
            yield Artifact(job.path, content, job.source)
