"""The pages that list what a site has: the archive, topics, seasons, people and listening paths.

Lists that grow with the show are cut into pages (`paging`) that are small for the reader and stay as they are when
an episode is added; so nothing on them but the first tells of the whole list. A short list is one page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from podsite import figures, shelves, urls
from podsite.contexts import (
    Archive,
    Billing,
    GroupPage,
    PathPage,
    People,
    PersonPage,
    Planned,
    Search,
    Seasons,
    Shelf,
    Start,
    Statistics,
    Topics,
)
from podsite.notes import Rendered
from podsite.paging import Part, in_order, newest_first
from podsite.relations import Relations
from podsite.site import Cited, Contributor, Entry, Group, Mention, Route, Site
from podsite.theme import trusted

# How many there are on a page, and at most one less than twice as many on a list's last one: of the weight of some
# 5 to 15 KB compressed.
EPISODES = 20
MEMBERS = 50  # episodes of a topic, a season, a person, a path
TOPICS = 100
PEOPLE = 200
BROWSED = 60  # episodes on the search page, which lists the newest by title alone
INDEXED = 300  # topics there


def archive(site: Site, common: Mapping[str, Any]) -> Iterator[Planned]:
    """All episodes, newest first."""
    words = site.words
    name = words.say("Episodes")
    parts = [*newest_first(site.entries, urls.archive(), EPISODES)]
    years = tuple(_years(site, parts))
    is_long = len(years) > 1 or len(parts) > 1
    density = figures.years(site, {year.name: year.address for year in years}) if is_long else ()
    for part in parts:
        yield "episodes.html", Archive(
            **common, address=part.address, kind="list", image=site.artwork, title=part.titled(name, words),
            description=part.described(
                words.say("All episodes of %(show)s, newest first.", show=site.show.title), words
            ),
            crumbs=part.crumbs(name, urls.archive()), paging=part.paging, entries=part.items,
            years=years if is_long else (), density=density if part.is_first else (),
        ), "show.yaml"  # fmt: skip


def _years(site: Site, parts: list[Part[Entry]]) -> Iterator[Mention]:
    """Each year and the page that has its newest episode."""
    zone, known = site.show.timezone, None
    for part in parts:
        for entry in part.items:
            year = entry.episode.published.astimezone(zone).year
            if year != known:
                yield Mention(f"{year:04}", part.address)
            known = year


def search(site: Site, index: tuple[str, ...], common: Mapping[str, Any]) -> Iterator[Planned]:
    """The search, where the show wants it; without an index it only lists what there is."""
    words = site.words
    if site.show.search:
        yield "search.html", Search(
            **common, address=urls.SEARCH, kind="list", title=words.say("Search"), image=site.artwork, index=index,
            description=words.say("Search %(show)s: episodes, their notes and what was said.", show=site.show.title),
            entries=site.entries[:BROWSED], topics=site.topics[:INDEXED],
        ), "show.yaml"  # fmt: skip


def groups(site: Site, relations: Relations, common: Mapping[str, Any]) -> Iterator[Planned]:
    """Topics and seasons: their indexes, and the episodes of each."""
    title, words = site.show.title, site.words
    topics = Mention(words.say("Topics"), urls.TOPICS)
    seasons = Mention(words.say("Seasons"), urls.SEASONS)
    for part in in_order(site.topics, urls.TOPICS, TOPICS) if site.topics else ():
        yield "topics.html", Topics(
            **common, address=part.address, kind="list", title=part.titled(topics.name, words), topics=part.items,
            description=part.described(
                words.say("What %(show)s talks about, and in which episodes.", show=title), words
            ),
            crumbs=part.crumbs(topics.name, urls.TOPICS), image=site.artwork, paging=part.paging,
        ), "show.yaml"  # fmt: skip
    near = figures.neighbours(site)
    for group in site.topics:
        name = words.say("Episodes about %(topic)s", topic=group.name)
        shelf = shelves.of_topic(group, relations)
        yield from _group(group, name, common, "topic.html", topics, near[group.address], shelf)
    if site.seasons:
        yield "seasons.html", Seasons(
            **common, address=urls.SEASONS, kind="list", title=seasons.name, seasons=site.seasons, image=site.artwork,
            description=words.say("The seasons of %(show)s.", show=title),
            extents=tuple(figures.extent(season.entries) for season in site.seasons),
        ), "show.yaml"  # fmt: skip
    for group in site.seasons:
        number = words.say("Season %(number)s", number=str(group.entries[0].episode.season))
        name = group.name if group.name == number else f"{number}: {group.name}"
        yield from _group(group, name, common, "season.html", seasons)


def _group(  # noqa: PLR0913, PLR0917 - each is a fact of the kind of group
    group: Group,
    title: str,
    common: Mapping[str, Any],
    template: str,
    above: Mention,
    near: tuple[figures.Neighbour, ...] = (),
    shelf: Shelf | None = None,
) -> Iterator[Planned]:
    site: Site = common["site"]
    is_serial = template == "season.html" and site.show.order == "serial"
    words, source = site.words, group.entries[-1].episode.file  # the first file that asks for it
    about = group.description or f"{site.show.title}: {title}."
    for part in (
        in_order(group.entries[::-1], group.address, MEMBERS)
        if is_serial
        else newest_first(group.entries, group.address, MEMBERS)
    ):
        first = part.is_first
        yield template, GroupPage(
            **common, address=part.address, kind="list", title=part.titled(title, words),
            name=part.titled(group.name, words), group=group if first else replace(group, entries=part.items),
            description=part.described(about, words), entries=part.items, image=site.artwork,
            extent=figures.extent(group.entries) if first else None, neighbours=near if first else (),
            shelf=shelf if first else None,
            crumbs=part.crumbs(group.name, group.address, above), paging=part.paging,
        ), source  # fmt: skip


def people(site: Site, bios: Mapping[str, Rendered], common: Mapping[str, Any]) -> Iterator[Planned]:
    """Everybody who takes part: their index, and the episodes of each; `bios` by the person's id."""
    words = site.words
    above = Mention(words.say("People"), urls.PEOPLE)
    for part in in_order(site.people, urls.PEOPLE, PEOPLE) if site.people else ():
        yield "people.html", People(
            **common, address=part.address, kind="list", title=part.titled(above.name, words), people=part.items,
            description=part.described(words.say("Who takes part in %(show)s.", show=site.show.title), words),
            image=site.artwork,
            crumbs=part.crumbs(above.name, urls.PEOPLE), paging=part.paging,
        ), "show.yaml"  # fmt: skip
    near = figures.companions(site)
    for one in site.people:
        yield from _person(one, bios.get(one.id), above, near[one.id], common)


def _person(
    one: Contributor,
    bio: Rendered | None,
    above: Mention,
    near: tuple[figures.Companion, ...],
    common: Mapping[str, Any],
) -> Iterator[Planned]:
    site: Site = common["site"]
    name, words = one.person.name, site.words
    title = words.say("Episodes with %(name)s", name=name)
    about = bio.text if bio else f"{site.show.title}: {title}."
    for part in newest_first(one.entries, one.address, MEMBERS):
        first = part.is_first
        yield "person.html", PersonPage(
            **common, address=part.address, kind="person" if first else "list", title=part.titled(title, words),
            name=part.titled(name, words), entries=part.items, image=one.image,
            contributor=one if first else replace(one, entries=part.items), billings=tuple(_billings(one, part.items)),
            description=part.described(about, words), companions=near if first else (),
            bio=trusted(bio.html if bio and first else ""), paging=part.paging,
            crumbs=part.crumbs(name, one.address, above),
        ), "show.yaml"  # fmt: skip


def _billings(one: Contributor, entries: tuple[Entry, ...]) -> Iterator[Billing]:
    """Episodes by the roles that somebody had in them, in the order in which the newest of each stand."""
    by_roles: dict[tuple[str, ...], list[Entry]] = defaultdict(list)
    for entry in entries:
        by_roles[tuple(dict.fromkeys(who.role for who in entry.people if who.id == one.id))].append(entry)
    yield from (Billing(roles=roles, entries=tuple(each)) for roles, each in by_roles.items())


def has_statistics(site: Site) -> bool:
    """Whether there is something to compare, and no page of the show's own at that address."""
    return len(site.entries) > 1 and all(own.address != urls.STATISTICS for own in site.pages)


def statistics(site: Site, common: Mapping[str, Any]) -> Iterator[Planned]:
    """The show in figures, once there is something to compare."""
    words, entries = site.words, site.entries
    if not has_statistics(site):
        return
    first = {year.name: year.address for year in _years(site, [*newest_first(entries, urls.archive(), EPISODES)])}
    timed = enumerate(entry.audio and entry.audio.duration for entry in entries)
    known = sorted((length, at) for at, length in timed if length)
    yield "statistics.html", Statistics(
        **common, address=urls.STATISTICS, kind="list", title=words.say("Statistics"), image=site.artwork,
        description=words.say("How often %(show)s comes out, how long it is, who and what comes up most.",
                              show=site.show.title),
        extent=figures.extent(entries), longest=entries[known[-1][1]] if known else None,
        shortest=entries[known[0][1]] if known else None,
        average=round(sum(length for length, _ in known) / len(known)) if known else 0,
        years=figures.years(site, first), lengths=figures.lengths(entries), hosts=figures.hosts(site),
        readings=tuple(_most_cited(site)),
        people=figures.bars((one.person.name, len(one.entries), one.address) for one in site.people),
        topics=figures.bars((topic.name, len(topic.entries), topic.address) for topic in site.topics),
        crumbs=(Mention(words.say("Episodes"), urls.archive()),),
    ), "show.yaml"  # fmt: skip


def _most_cited(site: Site) -> Iterator[Cited]:
    often = [cited for cited in site.readings if len(cited.entries) > 1]
    yield from sorted(often, key=lambda cited: -len(cited.entries))[: figures.MOST]


def paths(site: Site, relations: Relations, common: Mapping[str, Any]) -> Iterator[Planned]:
    """Listening paths: where newcomers begin, and each of them."""
    words = site.words
    start = Mention(words.say("Start here"), urls.START)
    if site.routes:
        yield "start.html", Start(
            **common, address=urls.START, kind="list", title=start.name, routes=site.routes, image=site.artwork,
            description=words.say("Where to begin with %(show)s.", show=site.show.title),
        ), "show.yaml"  # fmt: skip
    for route in site.routes:
        yield from _path(route, start, relations, common)


def _path(route: Route, start: Mention, relations: Relations, common: Mapping[str, Any]) -> Iterator[Planned]:
    site = relations.site
    readings = len(relations.recommended(stop.entry for stop in route.stops))
    title = site.words.say("Listening path: %(title)s", title=route.title)
    about = route.description or f"{site.show.title}: {title}."
    for part in in_order(route.stops, route.address, MEMBERS):
        yield "path.html", PathPage(
            **common, address=part.address, kind="list", title=part.titled(title, site.words), image=site.artwork,
            name=part.titled(route.title, site.words),
            route=route if part.is_first else replace(route, stops=part.items), stops=part.items, before=part.before,
            readings=readings if part.is_first else 0, description=part.described(about, site.words),
            crumbs=part.crumbs(route.title, route.address, start), paging=part.paging,
        ), "show.yaml"  # fmt: skip
