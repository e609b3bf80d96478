"""What the linked whole is made of: episodes with all that belongs to them, topics, people, readings, paths."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from datetime import datetime

from podsite import urls
from podsite.model import Episode
from podsite.parts import Person, Reading
from podsite.quotes import Quoted
from podsite.records import dataclass
from podsite.speakers import Speaker


@dataclass(frozen=True, slots=True)
class Audio:
    """What is played: its address (full where it lies elsewhere), media type, length (bytes), duration (seconds)."""

    address: str
    type: str
    length: int | None
    duration: int | None
    file: str | None = None

    @property
    def is_video(self) -> bool:
        """Whether it has pictures."""
        return self.type.startswith("video/")


@dataclass(frozen=True, slots=True)
class Picture:
    """An image of the site: its address (full where it lies elsewhere); width and height where known, in pixels."""

    address: str
    width: int | None = None
    height: int | None = None
    file: str | None = None


@dataclass(frozen=True, slots=True)
class Mention:
    """A topic or season as a link: its name and its page's address."""

    name: str
    address: str


@dataclass(frozen=True, slots=True)
class Appearance:
    """A person in an episode, in one role."""

    id: str
    person: Person
    role: str
    group: str
    image: Picture | None

    @property
    def address(self) -> str:
        """Their page."""
        return urls.person(self.id)


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """An episode that is out, with all that belongs to it resolved; entries are compared by identity."""

    episode: Episode
    guid: str
    feed_date: datetime  # published, moved by seconds where two episodes share an instant
    audio: Audio | None
    image: Picture | None
    people: tuple[Appearance, ...]
    topics: tuple[Mention, ...]
    scheduled: bool = False
    speakers: Mapping[str, Speaker] = field(default_factory=dict)  # by the names in its transcript
    chapter_pictures: tuple[Picture | None, ...] = ()  # one for each chapter
    quotes: tuple[Quoted, ...] = ()

    @property
    def address(self) -> str:
        """Its page."""
        return urls.episode(self.episode.slug)

    @property
    def is_hidden(self) -> bool:
        """Whether search engines should not know it: a draft, or scheduled, in a site built to look at those."""
        return self.scheduled or self.episode.draft

    @property
    def label(self) -> str | None:
        """The number as it is shown: `display_number`, else the number."""
        episode = self.episode
        return episode.display_number or (str(episode.number) if episode.number is not None else None)

    @property
    def has_words(self) -> bool:
        """Whether its page has the spoken words, with times or without."""
        return bool((found := self.episode.transcript) and (found.cues or found.passages))

    @property
    def transcript_address(self) -> str | None:
        """The WebVTT file this site serves of its transcript."""
        return self.address + "transcript.vtt" if self.episode.transcript and self.episode.transcript.cues else None

    @property
    def chapters_address(self) -> str | None:
        """The JSON chapters this site serves."""
        return self.address + "chapters.json" if self.episode.chapters else None


def seconds(entries: Iterable[Entry]) -> int:
    """How long episodes last together, as far as known."""
    return sum(entry.audio.duration or 0 for entry in entries if entry.audio)


@dataclass(frozen=True, slots=True)
class Group:
    """Episodes that share a topic or a season, newest first, and what show.yaml says of it."""

    name: str
    address: str
    entries: tuple[Entry, ...]
    description: str | None = None


@dataclass(frozen=True, slots=True)
class Contributor:
    """A person with every episode they take part in, newest first, and the roles they had."""

    id: str
    person: Person
    image: Picture | None
    roles: tuple[str, ...]
    entries: tuple[Entry, ...]

    @property
    def address(self) -> str:
        """Their page."""
        return urls.person(self.id)


@dataclass(frozen=True, slots=True)
class Cited:
    """A reading once, however often it is recommended, with the episodes that do, oldest first."""

    form: str  # its address's normal form
    reading: Reading
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Stop:
    """A step of a listening path."""

    entry: Entry
    reason: str | None


@dataclass(frozen=True, slots=True)
class Route:
    """A listening path with its episodes that are out; duration in seconds."""

    id: str
    title: str
    description: str | None
    stops: tuple[Stop, ...]

    @property
    def address(self) -> str:
        """Its page."""
        return urls.path(self.id)

    @property
    def duration(self) -> int:
        """How long all of it takes to hear, as far as known."""
        return seconds(stop.entry for stop in self.stops)
