"""The pages that list what a site has: the archive, topics, seasons, people and listening paths.

Lists that grow with the show are cut into pages (`paging`) that are small for the reader and stay as they are when
an episode is added; so nothing on them but the first tells of the whole list. A short list is one page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from podsite import shelves, urls
from podsite.contexts import (
    Archive,
    GroupPage,
    PathPage,
    People,
    PersonPage,
    Planned,
    Seasons,
    Shelf,
    Start,
    Topics,
)
from podsite.notes import Rendered
from podsite.paging import Part, in_order, newest_first
from podsite.relations import Relations
from podsite.site import Contributor, Entry, Group, Mention, Route, Site
from podsite.theme import trusted

# How many there are on a page, and at most one less than twice as many on a list's last one: of the weight of some
# 5 to 15 KB compressed.
EPISODES = 20
MEMBERS = 50  # episodes of a topic, a season, a person, a path
TOPICS = 100
PEOPLE = 200


def archive(site: Site, common: Mapping[str, Any]) -> Iterator[Planned]:
    """All episodes, newest first."""
    words = site.words
    name = words.say("Episodes")
    parts = [*newest_first(site.entries, urls.archive(), EPISODES)]
    years = tuple(_years(site, parts)) if len(parts) > 1 else ()
    for part in parts:
        yield "episodes.html", Archive(
            **common, address=part.address, kind="list", image=site.artwork, title=part.titled(name, words),
            description=words.say("All episodes of %(show)s, newest first.", show=site.show.title),
            crumbs=part.crumbs(name, urls.archive()), paging=part.paging, entries=part.items, years=years,
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


def groups(site: Site, relations: Relations, common: Mapping[str, Any]) -> Iterator[Planned]:
    """Topics and seasons: their indexes, and the episodes of each."""
    title, words = site.show.title, site.words
    topics = Mention(words.say("Topics"), urls.TOPICS)
    seasons = Mention(words.say("Seasons"), urls.SEASONS)
    for part in in_order(site.topics, urls.TOPICS, TOPICS) if site.topics else ():
        yield "topics.html", Topics(
            **common, address=part.address, kind="list", title=part.titled(topics.name, words), topics=part.items,
            description=words.say("What %(show)s talks about, and in which episodes.", show=title),
            crumbs=part.crumbs(topics.name, urls.TOPICS), image=site.artwork, paging=part.paging,
        ), "show.yaml"  # fmt: skip
    for group in site.topics:
        shelf = shelves.of_topic(group, relations)
        yield from _group(group, common, "topic.html", topics, shelf)
    if site.seasons:
        yield "seasons.html", Seasons(
            **common, address=urls.SEASONS, kind="list", title=seasons.name, seasons=site.seasons, image=site.artwork,
            description=words.say("The seasons of %(show)s.", show=title),
        ), "show.yaml"  # fmt: skip
    for group in site.seasons:
        yield from _group(group, common, "season.html", seasons)


def _group(
    group: Group, common: Mapping[str, Any], template: str, above: Mention, shelf: Shelf | None = None
) -> Iterator[Planned]:
    site: Site = common["site"]
    is_serial = template == "season.html" and site.show.order == "serial"
    source = group.entries[-1].episode.file  # the first file that asks for it
    for part in (
        in_order(group.entries[::-1], group.address, MEMBERS)
        if is_serial
        else newest_first(group.entries, group.address, MEMBERS)
    ):
        shown = group if part.is_first else replace(group, entries=part.items)
        yield template, GroupPage(
            **common, address=part.address, kind="list", title=part.titled(group.name, site.words), group=shown,
            description=site.words.say("Episodes of %(show)s: %(name)s.", show=site.show.title, name=group.name),
            entries=part.items, image=site.artwork, shelf=shelf if part.is_first else None,
            crumbs=part.crumbs(group.name, group.address, above), paging=part.paging,
        ), source  # fmt: skip


def people(site: Site, bios: Mapping[str, Rendered], common: Mapping[str, Any]) -> Iterator[Planned]:
    """Everybody who takes part: their index, and the episodes of each; `bios` by the person's id."""
    words = site.words
    above = Mention(words.say("People"), urls.PEOPLE)
    for part in in_order(site.people, urls.PEOPLE, PEOPLE) if site.people else ():
        yield "people.html", People(
            **common, address=part.address, kind="list", title=part.titled(above.name, words), people=part.items,
            description=words.say("Who takes part in %(show)s.", show=site.show.title), image=site.artwork,
            crumbs=part.crumbs(above.name, urls.PEOPLE), paging=part.paging,
        ), "show.yaml"  # fmt: skip
    for one in site.people:
        yield from _person(one, bios.get(one.id), above, common)


def _person(one: Contributor, bio: Rendered | None, above: Mention, common: Mapping[str, Any]) -> Iterator[Planned]:
    site: Site = common["site"]
    name, title, words = one.person.name, site.show.title, site.words
    for part in newest_first(one.entries, one.address, MEMBERS):
        first = part.is_first
        yield "person.html", PersonPage(
            **common, address=part.address, kind="person" if first else "list", title=part.titled(name, words),
            contributor=one if first else replace(one, entries=part.items), entries=part.items, image=one.image,
            description=(bio.text if bio else "") or words.say("%(name)s in %(show)s.", name=name, show=title),
            bio=trusted(bio.html if bio and first else ""), paging=part.paging,
            crumbs=part.crumbs(name, one.address, above),
        ), "show.yaml"  # fmt: skip


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
    for part in in_order(route.stops, route.address, MEMBERS):
        yield "path.html", PathPage(
            **common, address=part.address, kind="list", title=part.titled(route.title, site.words), image=site.artwork,
            route=route if part.is_first else replace(route, stops=part.items), stops=part.items, before=part.before,
            readings=readings if part.is_first else 0,
            description=route.description or site.words.say("A listening path through %(show)s.", show=site.show.title),
            crumbs=part.crumbs(route.title, route.address, start), paging=part.paging,
        ), "show.yaml"  # fmt: skip
