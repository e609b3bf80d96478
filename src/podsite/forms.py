"""What is written beside an episode's page for apps: its transcript and chapters, each in the forms they read.

A transcript is written again only where it or its speakers' names changed, or where the output has something else.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from podsite import chapters, urls
from podsite.artifacts import Artifact, Standing
from podsite.cache import Cache, digest
from podsite.crew import Crew
from podsite.read import Content
from podsite.signatures import digest_of
from podsite.site import Entry, Site
from podsite.speakers import named
from podsite.transcripts import FORMS, written
from podsite.values import is_url


class _Job(NamedTuple):
    """A transcript to be written in one form: whose, the ending of the file, its path, and the key of its content."""

    entry: Entry
    ending: str
    path: str
    key: bytes


@dataclass(frozen=True, slots=True)
class Forms:
    """Writes them. `standing` gives the digest of what an output path of the folder `place` holds already."""

    site: Site
    content: Content
    cache: Cache
    standing: Mapping[str, bytes]
    place: str

    def artifacts(self, crew: Crew) -> Iterator[Artifact]:
        """Every file; `crew` shares the writing of transcripts."""
        jobs = [*self._jobs()]
        pack = self.cache.pack("transcript")
        standing = {job.path: known for job in jobs if (known := pack.get(job.key)) == self.standing.get(job.path)}
        missing = [job for job in jobs if not standing.get(job.path)]
        made: dict[str, bytes] = {}
        for share in crew.share(missing, _written):
            made |= dict(share)
        for job in jobs:
            known = standing.get(job.path)
            if known:
                yield Artifact(job.path, Standing(f"{self.place}/{job.path}", known), job.entry.episode.file)
            else:
                pack.put(job.key, digest_of(made[job.path]))
                yield Artifact(job.path, made[job.path], job.entry.episode.file)
        for entry in self.site.entries:
            if entry.chapters_address:
                yield Artifact(entry.chapters_address, self._chapters(entry), entry.episode.file)

    def _jobs(self) -> Iterator[_Job]:
        for entry in self.site.entries:
            transcript = entry.episode.transcript
            if transcript and transcript.cues:
                said = self.content.versions.get(entry.episode.file) or repr(transcript.cues)
                names = marshal.dumps(sorted((name, who.name) for name, who in entry.speakers.items()), 2)
                for ending in FORMS:
                    path = f"{entry.address}transcript{ending}"
                    yield _Job(entry, ending, path, digest("transcript", ending, said, names))

    def _chapters(self, entry: Entry) -> bytes:
        def picture(image: str) -> str:
            address = image if is_url(image) else self.content.address(image, entry.episode)
            return urls.absolute(self.site.base_url, address)

        return chapters.chapters_json(
            entry.episode.chapters, title=entry.episode.title, podcast=self.site.show.title, picture=picture
        )


def _written(jobs: Sequence[_Job]) -> list[tuple[str, bytes]]:
    """The files, by their paths."""
    made = []
    for job in jobs:
        transcript = job.entry.episode.transcript
        cues = tuple(named(transcript.cues, job.entry.speakers)) if transcript else ()
        made.append((job.path, written(cues, job.ending)))
    return made
