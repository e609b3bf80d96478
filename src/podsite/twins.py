"""The Markdown twin of each episode: its page for programs that read text, as https://llmstxt.org/ proposes.

Facts, notes, chapters, further reading and the whole transcript, in plain Markdown that no text of an episode can
break. It lies beside the page, under the page's file name with `.md` behind it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from podsite import commonmark, urls, values
from podsite.artifacts import Artifact
from podsite.cache import digest
from podsite.commonmark import begun, escaped, link
from podsite.marks import Marks
from podsite.notes import Rendered
from podsite.pages import spoken
from podsite.paper import Paper
from podsite.parts import Reading
from podsite.read import Content
from podsite.remade import Job, remade
from podsite.site import Entry, Site

MEDIA_TYPE = "text/markdown"
FILE = "index.html.md"
_PACK = "twin"


def address(entry: Entry) -> str:
    """Where an episode's twin lies."""
    return entry.address + FILE


class Twins:
    """Makes the twins of a site."""

    def __init__(self, site: Site, content: Content, notes: Mapping[str, Rendered]) -> None:
        self._site, self._content, self._notes = site, content, notes
        show = site.show
        self._frame = repr((show.title, show.timezone, site.base_url, show.explicit, site.words))

    def artifacts(self, marks: Marks, paper: Paper) -> Iterator[Artifact]:
        """Every twin, newest episode first; those that stand as they would come out are not made."""
        jobs = [Job(address(one), self._known(one, marks), one.episode.file, one) for one in self._site.entries]
        return remade(jobs, self._written, _PACK, paper)

    def _written(self, job: Job[Entry]) -> bytes:
        return self.text(job.of).encode()

    def _known(self, entry: Entry, marks: Marks) -> bytes:
        return marks.key(_PACK, entry, lambda: self._key(entry))

    def _key(self, entry: Entry) -> bytes:
        """A key of everything that `text` depends on."""
        episode, audio = entry.episode, entry.audio
        written = self._content.versions.get(episode.file) or repr(episode)
        around = (
            audio and (audio.address, audio.duration),
            entry.label,
            self._site.show.season_name(episode.season),
            [(who.person.name, who.role) for who in entry.people],
            [(topic.name, topic.address) for topic in entry.topics],
            entry.speakers,
            [quote.person and self._site.show.people[quote.person].name for quote in episode.quotes],
        )
        notes = self._notes.get(episode.slug)
        return digest(written, self._frame, repr(around), notes.markdown if notes else None)

    def text(self, entry: Entry) -> str:
        """The twin of an episode."""
        blocks = [commonmark.heading(1, escaped(entry.episode.title)), f"> {begun(escaped(entry.episode.summary))}"]
        blocks.append("\n".join(f"- {name}: {value}" for name, value in self._facts(entry)))
        say = self._site.words.say
        for title, between, parts in (
            (say("Notes"), "\n\n", self._notes_of(entry)),
            (say("Quotes"), "\n\n", self._quotes(entry)),
            (say("Chapters"), "\n", self._chapters(entry)),
            (say("Further reading"), "\n", map(self._read, entry.episode.further_reading)),
            (say("Transcript"), "\n\n", self._transcript(entry)),
        ):
            if text := between.join(parts):
                blocks += [f"## {title}", text]
        return "\n\n".join(blocks) + "\n"

    def _facts(self, entry: Entry) -> Iterator[tuple[str, str]]:
        site, episode, audio, say = self._site, entry.episode, entry.audio, self._site.words.say
        yield say("Podcast"), link(escaped(site.show.title), site.base_url)
        yield say("Page"), f"<{urls.absolute(site.base_url, entry.address)}>"
        if entry.label:
            yield say("Episode"), escaped(entry.label)
        if episode.season is not None:
            name = site.show.season_name(episode.season)
            yield say("Season"), f"{episode.season}{f' ({escaped(name)})' if name else ''}"
        yield say("Published"), episode.published.astimezone(site.show.timezone).date().isoformat()
        if audio:
            yield say("Recording"), f"<{urls.absolute(site.base_url, audio.address)}>"
        if audio and audio.duration:
            yield say("Duration"), values.clock_text(audio.duration)
        for who in entry.people:
            yield escaped(say(who.role.replace("%", "%%"))), escaped(who.person.name)
        if entry.topics:
            yield say("Topics"), ", ".join(escaped(topic.name) for topic in entry.topics)
        yield say("Language"), (episode.transcript and episode.transcript.language) or site.show.language

    def _notes_of(self, entry: Entry) -> Iterator[str]:
        notes = self._notes.get(entry.episode.slug)
        if notes and notes.markdown:
            yield notes.markdown

    def _quotes(self, entry: Entry) -> Iterator[str]:
        for quote in entry.episode.quotes:
            person = f"  \n> — {escaped(self._site.show.people[quote.person].name)}" if quote.person else ""
            yield f"> {begun(escaped(quote.text))}{person}"

    @staticmethod
    def _chapters(entry: Entry) -> Iterator[str]:
        for chapter in entry.episode.chapters:
            more = f" (<{chapter.url}>)" if chapter.url else ""
            yield f"- {values.clock_text(chapter.start)} {escaped(chapter.title)}{more}"

    @staticmethod
    def _transcript(entry: Entry) -> Iterator[str]:
        for stretch in spoken(entry, {}):
            if stretch.chapter:
                yield commonmark.heading(3, escaped(stretch.chapter.title))
            for part in stretch.paragraphs:
                time = f"{values.clock_text(part.start)} " if part.start is not None else ""
                speaker = f"**{escaped(part.speaker)}:** " if part.speaker else ""
                yield time + speaker + (escaped(part.text) if time or speaker else begun(escaped(part.text)))

    def _read(self, reading: Reading) -> str:
        say = self._site.words.say
        facts: Sequence[str | None] = (
            ", ".join(map(escaped, reading.authors)),
            str(reading.year) if reading.year else None,
            escaped(say(reading.kind.capitalize())) if reading.kind else None,
            escaped(reading.note) if reading.note else None,
            link(escaped(say("Archived copy")), reading.archive) if reading.archive else None,
        )
        known = "; ".join(fact for fact in facts if fact)
        title = link(escaped(reading.title), reading.url) if reading.title else f"<{reading.url}>"
        return f"- {title}{f': {known}' if known else ''}"
