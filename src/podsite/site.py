"""The linked whole: which episodes are out, in which order, with their neighbours, people, topics and readings.

`link` is a pure function of the content and the instant of the build; nothing here reads a file or a clock.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from functools import cache, partial

from podsite import tables, urls, values, works
from podsite.alphabets import order
from podsite.errors import Problem
from podsite.identity import show_guid
from podsite.linked import Appearance, Audio, Cited, Contributor, Entry, Group, Mention, Picture, Route, Stop
from podsite.media import AudioFacts, ImageFacts, type_by_name
from podsite.model import Episode, Show
from podsite.parts import Credit, Path
from podsite.quotes import quoted
from podsite.read import Content, OwnPage
from podsite.records import dataclass
from podsite.speakers import Circle
from podsite.words import ENGLISH, Words

__all__ = [
    "Appearance",
    "Audio",
    "Cited",
    "Contributor",
    "Entry",
    "Group",
    "Mention",
    "Picture",
    "Route",
    "Site",
    "Stop",
    "is_scheduled",
    "link",
    "show_guid",
]


@dataclass(frozen=True, slots=True)
class Site:
    """Everything the pages and feeds are made of."""

    show: Show
    base_url: str
    guid: str
    artwork: Picture
    entries: tuple[Entry, ...]  # newest first
    topics: tuple[Group, ...]
    seasons: tuple[Group, ...]
    people: tuple[Contributor, ...]
    readings: tuple[Cited, ...]
    routes: tuple[Route, ...]
    pages: tuple[OwnPage, ...]
    scheduled: tuple[Episode, ...]  # left out until their moment comes
    by_slug: Mapping[str, int]
    words: Words = ENGLISH  # of the interface, in the language of the show

    def entry(self, slug: str) -> Entry | None:
        """The episode of that slug, if it is out."""
        index = self.by_slug.get(slug)
        return None if index is None else self.entries[index]

    def newer(self, entry: Entry) -> Entry | None:
        """The episode that came out next."""
        index = self.by_slug[entry.episode.slug]
        return self.entries[index - 1] if index else None

    def older(self, entry: Entry) -> Entry | None:
        """The episode that came out before."""
        index = self.by_slug[entry.episode.slug] + 1
        return self.entries[index] if index < len(self.entries) else None

    def out(self, slugs: Iterable[str]) -> tuple[Entry, ...]:
        """Those of the named episodes that are out, in the order named."""
        return tuple(entry for entry in map(self.entry, slugs) if entry)

    @property
    def updated(self) -> datetime | None:
        """When the newest episode came out: the date of everything that lists episodes."""
        return max((entry.feed_date for entry in self.entries), default=None)


def is_scheduled(episode: Episode, now: datetime) -> bool:
    """Whether its moment is still to come."""
    return episode.published > now


def link(
    content: Content, now: datetime, *, drafts: bool = False, future: bool = False, base_url: str | None = None
) -> tuple[Site, list[Problem]]:
    """The site as it stands at `now`, and warnings about what was decided on the way."""
    show, words = content.show, Words(content.show.language, content.show.own_words)
    kept = [episode for episode in content.episodes if drafts or not episode.draft]
    waiting = [episode for episode in kept if is_scheduled(episode, now)]
    out = sorted((episode for episode in kept if future or not is_scheduled(episode, now)), key=_order)
    problems: list[Problem] = []
    entries = tuple(reversed([*_entries(content, out, now, problems)]))
    site = Site(
        show=show,
        base_url=urls.base(base_url or show.url),
        guid=show.guid or content.show_guid or show_guid(show),
        artwork=_picture(content, show.artwork) or Picture(show.artwork),
        entries=entries,
        topics=_topics(content, entries, problems),
        seasons=_seasons(show, words, entries),
        people=_people(content, entries),
        readings=_readings(entries),
        routes=_routes(show, {entry.episode.slug: entry for entry in entries}),
        pages=content.pages,
        scheduled=() if future else tuple(sorted(waiting, key=_order)),
        by_slug={entry.episode.slug: index for index, entry in enumerate(entries)},
        words=words,
    )
    return site, problems


def _order(episode: Episode) -> tuple[datetime, int, int, str]:
    number = episode.number if episode.number is not None else -1
    return episode.published, episode.season or 0, number, episode.title


def _entries(content: Content, out: list[Episode], now: datetime, problems: list[Problem]) -> Iterator[Entry]:
    """Oldest first. Feeds need distinct dates, so later parts of one instant are moved by whole seconds."""
    show, last = content.show, None
    namespace = uuid.UUID(show.guid or content.show_guid or show_guid(show))
    appearance, circle = cache(partial(_appearance, content)), Circle(show.people)
    for episode in out:
        date = episode.published if last is None or episode.published > last else last + timedelta(seconds=1)
        if date != episode.published:
            text = (
                f"another episode came out at the same moment; the feed says {date:%H:%M:%S} UTC so that apps "
                "keep the order; give them different times"
            )
            problems.append(Problem(content.place(episode.file, "published"), "published", text, "warning"))
        last = date
        yield Entry(
            episode=episode,
            guid=episode.guid or content.guids.get(episode.slug) or str(uuid.uuid5(namespace, episode.slug)),
            feed_date=date,
            audio=_audio(content, episode),
            image=_picture(content, episode.image, episode),
            people=tuple([appearance(credit) for credit in episode.people]),
            topics=tuple(_mentions(episode.topics)),
            scheduled=is_scheduled(episode, now),
            speakers=circle.speakers(episode),
            chapter_pictures=tuple([_picture(content, chapter.image, episode) for chapter in episode.chapters]),
            quotes=quoted(episode),
        )


def _mentions(topics: tuple[str, ...]) -> Iterator[Mention]:
    """Each topic once, as it is first written and where it stands last."""
    names = {values.slug(name): name for name in reversed(topics)}
    return (Mention(name, urls.topic(slug)) for slug, name in reversed(names.items()))


def _audio(content: Content, episode: Episode) -> Audio | None:
    enclosure = episode.audio
    if enclosure is None:
        return None
    name = enclosure.file or enclosure.url or ""
    facts = content.facts.get(enclosure.file or "")
    known = facts if isinstance(facts, AudioFacts) else AudioFacts(None, None)
    return Audio(
        address=content.address(enclosure.file, episode) if enclosure.file else name,
        type=enclosure.type or type_by_name(name) or "audio/mpeg",
        length=known.length if known.length is not None else enclosure.length,
        duration=enclosure.duration if enclosure.duration is not None else known.duration,
        file=enclosure.file,
    )


def _picture(content: Content, image: str | None, episode: Episode | None = None) -> Picture | None:
    if image is None or values.is_url(image):
        return Picture(image) if image else None
    facts = content.facts.get(image)
    address = content.address(image, episode)
    if not isinstance(facts, ImageFacts):
        return Picture(address, file=image)
    return Picture(address, facts.width, facts.height, image)


def _appearance(content: Content, credit: Credit) -> Appearance:
    person = content.show.people[credit.person]
    role = credit.role or person.role
    group = credit.group or person.group or _group_of(role)
    return Appearance(credit.person, person, role, group, _picture(content, person.image))


def _group_of(role: str) -> str:
    return next((group for group, roles in tables.ROLES.items() if role in roles), "Cast")


def _topics(content: Content, entries: tuple[Entry, ...], problems: list[Problem]) -> tuple[Group, ...]:
    members: dict[str, list[Entry]] = defaultdict(list)
    names: dict[str, tuple[str, str]] = {}
    for entry in reversed(entries):
        for mention in entry.topics:
            members[mention.address].append(entry)
            name, file = names.setdefault(mention.address, (mention.name, entry.episode.file))
            if name != mention.name:
                text = f"'{mention.name}' is shown as '{name}', as {file} writes it; spell the topic one way"
                where = f"topics[{entry.episode.topics.index(mention.name) + 1}]"
                problems.append(Problem(content.place(entry.episode.file, where), where, text, "warning"))
    said = {urls.topic(values.slug(name)): text for name, text in content.show.topics.items()}
    groups = (Group(names[at][0], at, tuple(reversed(each)), said.get(at)) for at, each in members.items())
    return tuple(sorted(groups, key=lambda group: (order(group.name, content.show.language), group.address)))


def _seasons(show: Show, words: Words, entries: tuple[Entry, ...]) -> tuple[Group, ...]:
    members: dict[int, list[Entry]] = defaultdict(list)
    for entry in entries:
        if entry.episode.season is not None:
            members[entry.episode.season].append(entry)
    said = {number: season.description for number, season in show.seasons.items()}
    return tuple(
        Group(
            show.season_name(one) or words.say("Season %(number)s", number=str(one)),
            urls.season(one),
            tuple(each),
            said.get(one),
        )
        for one, each in sorted(members.items())
    )


def _people(content: Content, entries: tuple[Entry, ...]) -> tuple[Contributor, ...]:
    found: dict[str, list[tuple[Entry, str]]] = defaultdict(list)
    for entry in entries:
        for who in entry.people:
            found[who.id].append((entry, who.role))
    return tuple(
        Contributor(
            id=name,
            person=person,
            image=_picture(content, person.image),
            roles=tuple(dict.fromkeys(role for _, role in found[name])),
            entries=tuple(dict.fromkeys(entry for entry, _ in found[name])),
        )
        for name, person in content.show.people.items()
        if name in found
    )


def _readings(entries: tuple[Entry, ...]) -> tuple[Cited, ...]:
    cited = works.listed((entry, entry.episode.further_reading) for entry in reversed(entries))
    return tuple(Cited(form, reading, tuple(where)) for form, (reading, where) in cited.items())


def _routes(show: Show, out: Mapping[str, Entry]) -> tuple[Route, ...]:
    def stops(path: Path) -> tuple[Stop, ...]:
        return tuple(Stop(out[step.episode], step.reason) for step in path.episodes if step.episode in out)

    routes = (Route(path.id, path.title, path.description, stops(path)) for path in show.paths)
    return tuple(route for route in routes if route.stops)
