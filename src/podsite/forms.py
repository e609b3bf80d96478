"""What is written beside an episode's page for apps: its transcript and chapters, each in the forms they read.

A transcript is written again only where it or its speakers' names changed, or where the output has something else.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterator

from podsite import chapters, urls
from podsite.artifacts import Artifact
from podsite.cache import digest
from podsite.paper import Paper
from podsite.read import Content
from podsite.records import dataclass
from podsite.remade import Job, remade
from podsite.site import Entry, Site
from podsite.speakers import named
from podsite.transcripts import FORMS, written
from podsite.values import is_url

_Form = tuple[Entry, str]  # an episode, and the ending of one of the forms of its transcript


@dataclass(frozen=True, slots=True)
class Forms:
    """Writes them."""

    site: Site
    content: Content

    def artifacts(self, paper: Paper) -> Iterator[Artifact]:
        """Every file; transcripts that stand as they would come out are not made."""
        yield from remade([*self._jobs()], _written, "transcript", paper)
        for entry in self.site.entries:
            if entry.chapters_address:
                yield Artifact(entry.chapters_address, self._chapters(entry), entry.episode.file)

    def _jobs(self) -> Iterator[Job[_Form]]:
        for entry in self.site.entries:
            transcript = entry.episode.transcript
            if transcript and transcript.cues:
                said = self.content.versions.get(entry.episode.file) or repr(transcript.cues)
                names = marshal.dumps(sorted((name, who.name) for name, who in entry.speakers.items()), 2)
                for ending in FORMS:
                    path, key = f"{entry.address}transcript{ending}", digest("transcript", ending, said, names)
                    yield Job(path, key, entry.episode.file, (entry, ending))

    def _chapters(self, entry: Entry) -> bytes:
        def picture(image: str) -> str:
            address = image if is_url(image) else self.content.address(image, entry.episode)
            return urls.absolute(self.site.base_url, address)

        return chapters.chapters_json(
            entry.episode.chapters, title=entry.episode.title, podcast=self.site.show.title, picture=picture
        )


def _written(job: Job[_Form]) -> bytes:
    """A transcript in one form."""
    entry, ending = job.of
    transcript = entry.episode.transcript
    return written(tuple(named(transcript.cues, entry.speakers)) if transcript else (), ending)
