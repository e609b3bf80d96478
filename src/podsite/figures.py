"""What can be counted of a site: how many, how long, how often, what stands together. Pure functions of the site."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from podsite import urls
from podsite.linked import seconds
from podsite.records import dataclass
from podsite.site import Contributor, Entry, Group, Site

MOST = 12  # rows of a chart, and bins of a distribution
SOME = 8  # neighbours of a topic or a person
#: Widths of the bins of a distribution of lengths, in seconds.
_STEPS = (5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400)


@dataclass(frozen=True, slots=True)
class Year:
    """A year of the show: its name, how many episodes came out in each month, in all, and how long they last.

    `peak` is the most that came out in any month of any year. `address` is the page of the archive where it begins.
    """

    name: str
    address: str
    count: int
    duration: int  # seconds, as far as known
    months: tuple[int, ...]
    peak: int


@dataclass(frozen=True, slots=True)
class Bar:
    """A row of a chart: what is counted, how often, and the share of the longest row, in per cent."""

    name: str
    count: int
    share: int
    address: str | None = None


@dataclass(frozen=True, slots=True)
class Bin:
    """How many episodes last from `start` to `end` seconds, without the end."""

    start: int
    end: int
    count: int
    share: int


@dataclass(frozen=True, slots=True)
class Extent:
    """What a list of episodes comes to: how many, how many seconds, the first and the last of them."""

    count: int
    duration: int
    first: Entry
    last: Entry


@dataclass(frozen=True, slots=True)
class Companion:
    """Somebody who is heard together with another, and in how many episodes."""

    person: Contributor
    count: int


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A topic that comes up together with another, and in how many episodes."""

    topic: Group
    count: int


def extent(entries: Sequence[Entry]) -> Extent:
    """What episodes in the order of their dates, either way, come to."""
    ends = sorted((entries[0], entries[-1]), key=lambda entry: entry.feed_date)
    return Extent(len(entries), seconds(entries), *ends)


def years(site: Site, address: Mapping[str, str]) -> tuple[Year, ...]:
    """Every year of the show, newest first; `address` has their pages by name."""
    zone = site.show.timezone
    dated = [(entry.episode.published.astimezone(zone), entry) for entry in site.entries]
    found = []
    for number, group in groupby(dated, key=lambda pair: pair[0].year):
        pairs = [*group]
        months = Counter(moment.month for moment, _ in pairs)
        counts = tuple(months[month] for month in range(1, 13))
        found.append((f"{number:04}", len(pairs), seconds(entry for _, entry in pairs), counts))
    peak = max((max(counts) for *_, counts in found), default=0)
    return tuple(
        Year(name, address.get(name, urls.archive()), count, duration, counts, peak)
        for name, count, duration, counts in found
    )


def lengths(entries: Iterable[Entry]) -> tuple[Bin, ...]:
    """How episodes of known duration spread over bins of one round width, from the shortest to the longest."""
    known = [entry.audio.duration for entry in entries if entry.audio and entry.audio.duration]
    if not known:
        return ()
    step = next((step for step in _STEPS if max(known) // step - min(known) // step < MOST), _STEPS[-1])
    counts = Counter(length // step for length in known)
    most = max(counts.values())
    return tuple(
        Bin(at * step, (at + 1) * step, counts[at], _share(counts[at], most))
        for at in range(min(counts), max(counts) + 1)
    )


def hosts(site: Site) -> tuple[Bar, ...]:
    """The sites that episodes recommend most; each episode counts for each of its readings."""
    places: Counter[str] = Counter()
    for cited in site.readings:
        places[cited.reading.url.partition("://")[2].partition("/")[0]] += len(cited.entries)
    named: Counter[str] = Counter()
    for place, count in places.items():
        named[urls.host(f"https://{place}")] += count
    return bars((name, count, None) for name, count in named.items())


def bars(counted: Iterable[tuple[str, int, str | None]]) -> tuple[Bar, ...]:
    """Names with how often they stand and their pages as the longest rows of a chart; equal ones in their order."""
    first = sorted(counted, key=lambda one: -one[1])[:MOST]
    return tuple(Bar(name, count, _share(count, first[0][1]), address) for name, count, address in first)


def companions(site: Site) -> Mapping[str, tuple[Companion, ...]]:
    """With whom each person is heard, by their id: those with whom they are heard most often."""
    people = {one.id: one for one in site.people}
    met = _together(([who.id for who in entry.people] for entry in site.entries), [*people])
    return {one: tuple(Companion(people[other], count) for other, count in others) for one, others in met.items()}


def neighbours(site: Site) -> Mapping[str, tuple[Neighbour, ...]]:
    """Which topics come up together, by their addresses: of each those that do so most often."""
    topics = {topic.address: topic for topic in site.topics}
    met = _together(([topic.address for topic in entry.topics] for entry in site.entries), [*topics])
    return {one: tuple(Neighbour(topics[other], count) for other, count in others) for one, others in met.items()}


def _together(sets: Iterable[Sequence[str]], order: Sequence[str]) -> dict[str, list[tuple[str, int]]]:
    """Which others each key stands with and how often, most often first, then in the order given."""
    met: dict[str, Counter[str]] = {key: Counter() for key in order}
    for keys in sets:
        alone = dict.fromkeys(keys)
        for key in alone if len(alone) > 1 else ():
            met[key].update([*alone])
    rank = {key: at for at, key in enumerate(order)}
    for key, others in met.items():
        others.pop(key, None)
    return {key: sorted(others.items(), key=lambda one: (-one[1], rank[one[0]]))[:SOME] for key, others in met.items()}


def _share(count: int, most: int) -> int:
    return max(1, round(100 * count / most)) if count else 0
