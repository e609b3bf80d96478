"""What ties episodes to each other: what is to be heard first, what they both recommend, what goes well together.

All of it follows from the site and takes time in proportion to it: of episodes that share a topic or a reading only
those nearest in time are looked at, so that a new episode changes what is said on few other pages.
"""

from __future__ import annotations

import marshal
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial

from podsite import works
from podsite.cache import digest
from podsite.marks import Marks
from podsite.parts import Reading
from podsite.records import dataclass
from podsite.site import Cited, Entry, Group, Mention, Site

MOST_FIRST = 8  # a longer way to an episode is told by its last steps only
MOST_KIN = 4  # besides those that the episode itself names
MOST_ALSO = 4  # other episodes that recommend the same thing
_NEAR = 2  # episodes before and after, of those that share a topic or a reading

_NAMED, _LINK, _FOLLOWS, _TOPIC = 5, 4, 3, 1  # what a tie counts


@dataclass(frozen=True, slots=True)
class Read:
    """A reading of an episode, and the other episodes nearest to it that recommend it too; `more` tells of yet others.

    What the episode does not say about it is taken from them.
    """

    reading: Reading
    also: tuple[Entry, ...]
    more: bool


@dataclass(frozen=True, slots=True)
class Kin:
    """An episode that goes well with another, and why: one of them names the other, or they have so many links in
    common, or it requires the other (`follows`), or they share topics.
    """

    entry: Entry
    named: bool
    links: int
    follows: bool
    topics: tuple[Mention, ...]


@dataclass(frozen=True, slots=True)
class Ties:
    """What ties an episode to others: its readings, what to hear before it, what goes well with it."""

    reads: tuple[Read, ...]
    first: tuple[Entry, ...]
    kin: tuple[Kin, ...]

    def key(self, entry: Entry) -> object:
        """Plain data that differs where they do, beyond what the episodes themselves say."""
        own = entry.episode.further_reading
        return (
            [_key_of(read, reading) for read, reading in zip(self.reads, own, strict=True)],
            [step.episode.slug for step in self.first],
            [
                (one.entry.episode.slug, one.named, one.links, one.follows, [topic.address for topic in one.topics])
                for one in self.kin
            ],
        )


def _key_of(read: Read, own: Reading) -> object:
    others = None if read.reading is own else works.facts_of(read.reading)
    return [other.episode.slug for other in read.also], read.more, others


class Relations:
    """The ties of a site's episodes."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.cited = {cited.form: cited for cited in site.readings}
        self._order = {entry: at for at, entry in enumerate(reversed(site.entries))}
        self._known_forms: dict[Entry, frozenset[str]] = {}
        self._known_topics: dict[Entry, frozenset[str]] = {}
        self._places: dict[int, dict[Entry, int]] = {}
        self._by_topic: dict[str, tuple[Cited, ...]] = {}
        self._ties: dict[Entry, Ties] = {}

    def recommended(self, entries: Iterable[Entry]) -> tuple[Cited, ...]:
        """What episodes recommend, each work once, in their order."""
        forms = (works.form_of(reading) for entry in entries for reading in entry.episode.further_reading)
        return tuple(self.cited[form] for form in dict.fromkeys(forms))

    def of_topic(self, topic: Group) -> tuple[Cited, ...]:
        """What the episodes of a topic recommend, the newest first."""
        if topic.address not in self._by_topic:
            self._by_topic[topic.address] = self.recommended(reversed(topic.entries))[::-1]
        return self._by_topic[topic.address]

    def of(self, entry: Entry) -> Ties:
        """The ties of an episode."""
        if entry not in self._ties:
            first = self.first(entry) if entry.episode.requires else ()
            reads = tuple([self._read(entry, reading) for reading in entry.episode.further_reading])
            self._ties[entry] = Ties(reads, first, self.kin(entry, first))
        return self._ties[entry]

    def keys(self, marks: Marks) -> Mapping[str, object]:
        """Of each episode, by slug, plain data that differs where its ties do."""
        entries = self.site.entries
        facts = [marks.key("tied", entry, partial(_facts, entry)) for entry in entries]
        return marks.together("ties", facts, lambda: {one.episode.slug: self.of(one).key(one) for one in entries})

    def _read(self, entry: Entry, reading: Reading) -> Read:
        cited = self.cited[works.form_of(reading)]
        if len(cited.entries) == 1 and cited.reading is reading:
            return Read(reading, (), False)
        also = _nearest(cited.entries, self._place(cited.entries, entry), MOST_ALSO // 2)
        return Read(works.completed(reading, cited.reading), also, len(also) < len(cited.entries) - 1)

    def first(self, entry: Entry) -> tuple[Entry, ...]:
        """The episodes to hear before another, in the order to hear them: all, or of a long way its last steps."""
        found: dict[Entry, None] = {}
        open_ends = [*self._required(entry)]
        while open_ends and len(found) <= MOST_FIRST:
            step = open_ends.pop()
            if step not in found:
                found[step] = None
                open_ends += self._required(step)
        last = [*found] if len(found) <= MOST_FIRST else self._last_steps(entry)
        return tuple(sorted(last, key=lambda step: (self._depth[step], self._order[step])))

    def _last_steps(self, entry: Entry) -> list[Entry]:
        """What an episode requires, but for what is required on the way to another of them."""
        steps = self._required(entry)
        return [step for step in steps if not any(self._leads(other, step) for other in steps if other is not step)]

    def _leads(self, entry: Entry, wanted: Entry) -> bool:
        """Whether an episode is required by another, however indirectly."""
        seen: set[Entry] = set()
        open_ends = [entry]
        while open_ends:
            step = open_ends.pop()
            if step is wanted:
                return True
            if step not in seen and self._depth[step] > self._depth[wanted]:
                seen.add(step)
                open_ends += self._required(step)
        return False

    def _required(self, entry: Entry) -> tuple[Entry, ...]:
        return self.site.out(entry.episode.requires) if entry.episode.requires else ()

    @cached_property
    def _depth(self) -> dict[Entry, int]:
        """How many steps are at least to be taken before an episode, by the longest way to it."""
        depth: dict[Entry, int] = {}
        for start in self.site.entries:
            open_ends = [start]
            while open_ends:
                entry = open_ends[-1]
                steps = self._required(entry)
                if entry not in depth and (missing := [step for step in steps if step not in depth]):
                    open_ends += missing
                else:
                    depth[entry] = max((depth[step] + 1 for step in steps), default=0)
                    open_ends.pop()
        return depth

    def kin(self, entry: Entry, but: Sequence[Entry] = ()) -> tuple[Kin, ...]:
        """Episodes that go well with another: those it names, then those with the strongest ties, the nearest first.

        Those of `but` are left out.
        """
        named = self.site.out(entry.episode.related)
        left, order, here = {entry, *named, *but}, self._order, self._order[entry]
        strength = self._strengths(entry)
        ranked = [
            (-strength(other), abs(order[other] - here), order[other], other)  # no two have one place in the order
            for other in self._near(entry)
            if other not in left
        ]
        ranked.sort()
        tied = [Kin(other, True, 0, False, ()) for other in named]
        return (*tied, *(self._tie(entry, one[-1]) for one in ranked[: max(0, MOST_KIN - len(tied))]))

    def _strengths(self, entry: Entry) -> Callable[[Entry], int]:
        """How strong the tie of an episode is with each other, by all that `Kin` tells of it."""
        forms, topics = self._forms(entry), self._addresses(entry)
        naming, following = self._naming.get(entry, ()), self._following.get(entry, ())

        def strength(other: Entry) -> int:
            shared = _LINK * len(forms & self._forms(other)) + _TOPIC * len(topics & self._addresses(other))
            return shared + _NAMED * (other in naming) + _FOLLOWS * (other in following)

        return strength

    def _near(self, entry: Entry) -> Iterable[Entry]:
        """Episodes that have some tie to another, nearest in time, each once."""
        found = dict.fromkeys((*self._following.get(entry, ()), *self._naming.get(entry, ())))
        for entries in self._circles(entry):
            found |= dict.fromkeys(_nearest(entries, self._place(entries, entry), _NEAR))
        return found

    def _circles(self, entry: Entry) -> Iterator[Sequence[Entry]]:
        for form in self._forms(entry):
            if len(self.cited[form].entries) > 1:
                yield self.cited[form].entries
        for topic in entry.topics:
            yield self._topics[topic.address]

    def _tie(self, entry: Entry, other: Entry) -> Kin:
        links = len(self._forms(entry) & self._forms(other))
        named, follows = (other in back.get(entry, ()) for back in (self._naming, self._following))
        addresses = self._addresses(other)
        topics = tuple(topic for topic in entry.topics if topic.address in addresses)
        return Kin(other, named, links, follows, topics)

    def _addresses(self, entry: Entry) -> frozenset[str]:
        """The addresses of its topics."""
        found = self._known_topics.get(entry)
        if found is None:
            found = self._known_topics[entry] = frozenset([topic.address for topic in entry.topics])
        return found

    def _forms(self, entry: Entry) -> frozenset[str]:
        found = self._known_forms.get(entry)
        if found is None:
            found = frozenset(works.form_of(reading) for reading in entry.episode.further_reading)
            self._known_forms[entry] = found
        return found

    @cached_property
    def _following(self) -> Mapping[Entry, Sequence[Entry]]:
        """The first episodes that require another."""
        return self._back(self._required)

    @cached_property
    def _naming(self) -> Mapping[Entry, Sequence[Entry]]:
        """The first episodes that say that another goes well with them."""
        return self._back(lambda entry: self.site.out(entry.episode.related))

    def _back(self, targets: Callable[[Entry], Iterable[Entry]]) -> Mapping[Entry, Sequence[Entry]]:
        found: dict[Entry, list[Entry]] = defaultdict(list)
        for entry in self._order:
            for target in targets(entry):
                if len(found[target]) < MOST_KIN:
                    found[target].append(entry)
        return found

    @cached_property
    def _topics(self) -> dict[str, tuple[Entry, ...]]:
        return {topic.address: topic.entries for topic in self.site.topics}

    def _place(self, entries: Sequence[Entry], entry: Entry) -> int:
        """Where an episode stands in a list of some."""
        if id(entries) not in self._places:
            self._places[id(entries)] = {one: at for at, one in enumerate(entries)}
        return self._places[id(entries)][entry]


def recommended(marks: Marks, site: Site) -> bytes:
    """A key of all that a site's episodes recommend."""
    return digest(*(marks.key("recommended", entry, partial(_recommended, entry)) for entry in site.entries))


def _recommended(entry: Entry) -> bytes:
    """What tells of an episode what it recommends."""
    return digest(entry.episode.slug, marshal.dumps([*map(works.facts_of, entry.episode.further_reading)], 2))


def _facts(entry: Entry) -> bytes:
    """A key of all that an episode says of others and of what it recommends."""
    topics = [topic.address for topic in entry.topics]
    return digest(_recommended(entry), marshal.dumps((topics, entry.episode.requires, entry.episode.related), 2))


def _nearest(entries: Sequence[Entry], place: int, each: int) -> tuple[Entry, ...]:
    """The neighbours of a place in a list: at most so many on each side."""
    return (*entries[max(0, place - each) : place], *entries[place + 1 : place + 1 + each])
