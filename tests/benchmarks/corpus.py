"""A show of any size: the same seed gives the same bytes, in shapes that real shows have."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from random import Random

from benchmarks import words

SEED = 20260101
LAST_DAY = datetime(2025, 12, 26, 6, tzinfo=UTC)
WEEKLY_UP_TO = 1500  # longer shows are daily ones, or they would begin before there was radio
TOPICS_AT_MOST = 60


@dataclass(frozen=True, slots=True)
class Reading:
    """A thing that an episode recommends."""

    title: str
    url: str
    kind: str | None
    year: int | None


@dataclass(frozen=True, slots=True)
class Episode:
    """An episode, as every generator is told of it."""

    number: int
    slug: str
    title: str
    season: int | None
    published: datetime
    summary: str
    notes: str
    audio: str
    length: int
    duration: int
    people: tuple[str, ...]
    topics: tuple[str, ...]
    further_reading: tuple[Reading, ...]

    @property
    def stem(self) -> str:
        """The name of its file, without the ending."""
        return f"{self.number:05}-{self.slug}"


@dataclass(frozen=True, slots=True)
class Corpus:
    """A show with its episodes, oldest first; `people` are names by id."""

    title: str
    description: str
    author: str
    email: str
    url: str
    category: str
    people: dict[str, str]
    episodes: tuple[Episode, ...]

    @property
    def newest_first(self) -> tuple[Episode, ...]:
        """The episodes in the order of lists and feed."""
        return self.episodes[::-1]

    @property
    def topics(self) -> dict[str, list[Episode]]:
        """Every topic with its episodes, newest first; topics by name."""
        found: dict[str, list[Episode]] = {}
        for episode in self.newest_first:
            for topic in episode.topics:
                found.setdefault(topic, []).append(episode)
        return dict(sorted(found.items()))

    def edited(self, mark: int) -> tuple[Corpus, Episode]:
        """The show after an edit of title and notes of the episode in the middle, and that episode."""
        place = len(self.episodes) // 2
        old = self.episodes[place]
        link = f"A correction of [revision {mark}](https://example.org/corrections/{mark}) stands below the first one."
        new = replace(old, title=f"{old.title}, revision {mark}", notes=f"{old.notes}\n\n{link}")
        return replace(self, episodes=(*self.episodes[:place], new, *self.episodes[place + 1 :])), new


def slug_of(text: str) -> str:
    """A text as part of an address."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def corpus(size: int, seed: int = SEED) -> Corpus:
    """A show of that many episodes."""
    rng = Random(f"{seed}/{size}")
    people = {slug_of(first): f"{first} {last}" for first, last in zip(words.FIRST, words.LAST, strict=True)}
    names = _topics(max(4, min(size // 25, TOPICS_AT_MOST)))
    days = 7 if size <= WEEKLY_UP_TO else 1
    titles = _titles(rng, size)
    episodes = tuple(
        _episode(rng, number, title, LAST_DAY - timedelta(days=days * (size - number)), names, [*people])
        for number, title in enumerate(titles, 1)
    )
    return Corpus(
        title="The Long Count",
        description="How ordinary things came to be as they are, told slowly and in order.",
        author="Ada Reef",
        email="ada@example.org",
        url="https://quiet-harbour.github.io/the-long-count/",
        category="History",
        people=people,
        episodes=episodes,
    )


def _topics(count: int) -> list[str]:
    pairs = [f"{one} and {other.lower()}" for one, other in zip(words.SUBJECTS, words.SUBJECTS[7:], strict=False)]
    return [*words.SUBJECTS, *pairs, *(f"{one} at night" for one in words.SUBJECTS)][:count]


def _titles(rng: Random, size: int) -> list[str]:
    """As many titles, no two of which have one slug."""
    found: dict[str, str] = {}
    while len(found) < size:
        title = f"The {rng.choice(words.ADJECTIVES)} {rng.choice(words.NOUNS)}"
        title += f" and the {rng.choice(words.NOUNS)}" if rng.random() < 0.6 else f" {rng.choice(words.VERBS)}"
        title += f" {rng.choice(words.ADVERBS)}" if rng.random() < 0.5 else ""
        title += f" {rng.choice(words.EXTRAS)}" if rng.random() < 0.1 else ""
        found.setdefault(slug_of(title), title)
    return [*found.values()]


def _episode(  # noqa: PLR0917 - what one episode is made of
    rng: Random, number: int, title: str, published: datetime, topics: list[str], people: list[str]
) -> Episode:
    duration = rng.randint(600, 5400)
    slug = slug_of(title)
    return Episode(
        number=number,
        slug=slug,
        title=title,
        season=number // 160 + 1 if number // 40 % 4 == 3 else None,
        published=published,
        summary=" ".join(_sentence(rng) for _ in range(rng.randint(1, 3))),
        notes=_notes(rng, duration),
        audio=f"https://media.example.org/the-long-count/{number:05}-{slug}.mp3",
        length=duration * 16_000 + rng.randint(0, 9999),
        duration=duration,
        people=(people[0], *rng.sample(people[1:], rng.randint(0, 2))),
        topics=tuple(rng.sample(topics, rng.randint(1, 4))),
        further_reading=tuple(_reading(rng) for _ in range(rng.randint(0, 4))),
    )


def _reading(rng: Random) -> Reading:
    title = _capital(f"{rng.choice(words.ADJECTIVES)} {rng.choice(words.NOUNS)}s of the {rng.choice(words.NOUNS)}")
    year = rng.randint(1950, 2025) if rng.random() < 0.7 else None
    kind = rng.choice(words.KINDS) if rng.random() < 0.8 else None
    return Reading(title, f"https://library.example.org/{slug_of(title)}/{rng.randint(1, 999)}", kind, year)


def _sentence(rng: Random) -> str:
    return _capital(" ".join(_clause(rng))) + rng.choice("....?!")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _clause(rng: Random) -> Iterator[str]:
    for part in range(rng.randint(1, 3)):
        if part:
            yield rng.choice(words.JOINTS)
        yield rng.choice(words.SMALL)
        if rng.random() < 0.6:
            yield rng.choice(words.ADJECTIVES)
        yield rng.choice(words.NOUNS)
        yield rng.choice(words.VERBS)
        yield rng.choice(words.SMALL)
        yield rng.choice(words.NOUNS)
        if rng.random() < 0.4:
            yield rng.choice(words.ADVERBS)


def _rich(rng: Random) -> str:
    """A sentence with a link, code, or words that stand out."""
    noun = rng.choice(words.NOUNS)
    inline = (
        f"[the {noun}](https://notes.example.net/{noun}/{rng.randint(1, 9999)})",
        f"`{rng.choice(words.CODE)}`",
        f"*{noun}*",
        f"**{rng.choice(words.ADJECTIVES)} {noun}**",
    )
    chosen = inline[0] if rng.random() < 0.4 else rng.choice(inline[1:])
    return _capital(f"{' '.join(_clause(rng))} {rng.choice(words.JOINTS)} {chosen} {rng.choice(words.VERBS)} it.")


def _notes(rng: Random, duration: int) -> str:
    """Show notes in Markdown, of 500 to 2,000 bytes."""
    wanted = int(rng.triangular(600, 1950, 1350))
    blocks = [_paragraph(rng)]
    extras = [block for chance, block in ((0.6, _list), (0.15, _listing), (0.5, _paragraph)) if rng.random() < chance]
    blocks += [block(rng) for block in extras]
    if rng.random() < 0.2:
        blocks.append(_times(rng, duration))
    while sum(map(len, blocks)) < wanted - 250:
        blocks.append(_paragraph(rng))
    text = "\n\n".join(blocks)
    while len(text.encode()) > 2000:
        blocks.pop()
        text = "\n\n".join(blocks)
    return text if len(text) >= 500 else f"{text}\n\n{_paragraph(rng)}"


def _paragraph(rng: Random) -> str:
    return " ".join(_rich(rng) if rng.random() < 0.35 else _sentence(rng) for _ in range(rng.randint(2, 4)))


def _list(rng: Random) -> str:
    head = f"## The {rng.choice(words.ADJECTIVES)} {rng.choice(words.NOUNS)}\n\n" if rng.random() < 0.5 else ""
    return head + "\n".join(
        f"- {_rich(rng) if rng.random() < 0.5 else _sentence(rng)}" for _ in range(rng.randint(3, 5))
    )


def _listing(rng: Random) -> str:
    return words.LISTING.format(name=rng.choice(words.NOUNS), number=rng.randint(1, 99))


def _times(rng: Random, duration: int) -> str:
    moments = sorted(rng.randint(0, duration - 1) for _ in range(rng.randint(3, 6)))
    return "\n".join(f"- {clock(moment)} {_sentence(rng)}" for moment in moments)


def clock(seconds: int) -> str:
    """A duration as all themes show it: `12:34`, `1:02:03`."""
    hours, rest = divmod(seconds, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"


def artwork() -> bytes:
    """A cover that directories accept."""
    from PIL import Image

    found = io.BytesIO()
    Image.new("RGB", (1400, 1400), "#27465a").save(found, "PNG", optimize=True)
    return found.getvalue()
