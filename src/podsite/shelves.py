"""Pages of further reading: all of it, by kind and by topic."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from podsite import urls
from podsite.citations.prose import SHELVES
from podsite.contexts import Planned, ReadingPage, Shelf, ShelfPage, Tally
from podsite.paging import newest_first
from podsite.relations import Relations
from podsite.site import Cited, Group, Mention, Site
from podsite.words import Words

READINGS = 100  # on a page, and at most one less than twice as many
FEW = 10  # of a kind on a page that shows all kinds of very many, and of a topic with more than twice as many


def reading(site: Site, relations: Relations, common: Mapping[str, Any]) -> Iterator[Planned]:
    """All of it on one page, or the newest of each kind there and each kind on pages of its own; topics with much."""
    words = site.words
    by_kind: dict[str | None, list[Cited]] = defaultdict(list)
    for cited in site.readings:
        by_kind[cited.reading.kind].append(cited)
    kinds = [(kind, name, by_kind[kind]) for kind, name in SHELVES.items() if by_kind[kind]]
    above = Mention(words.say("Further reading"), urls.READING)
    is_long = len(site.readings) >= 2 * READINGS
    if site.readings:
        yield "reading.html", ReadingPage(
            **common, address=urls.READING, kind="list", title=above.name, image=site.artwork,
            description=words.say("Everything that episodes of %(show)s recommend.", show=site.show.title),
            shelves=tuple(_shelf(kind or "more", name, all_, words, is_long=is_long) for kind, name, all_ in kinds),
            topics=tuple(_tallies(site, relations)),
        ), "show.yaml"  # fmt: skip
    for _, name, readings in kinds if is_long else ():
        if len(readings) > FEW:
            title = words.say(name)
            told = words.say("What episodes of %(show)s recommend: %(name)s.", show=site.show.title, name=title)
            page = {"title": title, "heading": title, "kicker": above.name, "description": told}
            yield from _pages(page, readings[::-1], urls.shelf(name), (above,), common)
    for topic in site.topics:
        yield from _of_topic(topic, relations, common)


def of_topic(topic: Group, relations: Relations) -> Shelf | None:
    """What the episodes of a topic recommend, as its page shows it: the newest, and where all of it is."""
    found = relations.of_topic(topic)
    if not found:
        return None
    is_long = len(found) > 2 * FEW
    return Shelf(
        name=relations.site.words.say("Further reading"), anchor="reading", count=len(found),
        readings=found[:FEW] if is_long else found, address=urls.of_topic(topic.address) if is_long else None,
    )  # fmt: skip


def _of_topic(topic: Group, relations: Relations, common: Mapping[str, Any]) -> Iterator[Planned]:
    """The pages of a topic's readings, where they are too many for its own page."""
    words, found = relations.site.words, relations.of_topic(topic)
    if len(found) > 2 * FEW:
        above = (Mention(words.say("Topics"), urls.TOPICS), Mention(topic.name, topic.address))
        title = words.say("%(name)s: further reading", name=topic.name)
        show = relations.site.show.title
        told = words.say("What episodes of %(show)s recommend: %(name)s.", show=show, name=topic.name)
        page = {
            "title": title, "heading": words.say("Further reading"), "kicker": topic.name, "description": told,
            "mixed": True,
        }  # fmt: skip
        yield from _pages(page, found, urls.of_topic(topic.address), above, common)


def _tallies(site: Site, relations: Relations) -> Iterator[Tally]:
    for topic in site.topics:
        count = len(relations.of_topic(topic))
        if count:
            address = urls.of_topic(topic.address) if count > 2 * FEW else topic.address
            yield Tally(name=topic.name, topic=topic.address, address=address, count=count)


def _shelf(anchor: str, name: str, readings: list[Cited], words: Words, *, is_long: bool) -> Shelf:
    shown = readings[: -FEW - 1 : -1] if is_long else readings
    more = urls.shelf(name) if len(shown) < len(readings) else None
    return Shelf(name=words.say(name), anchor=anchor, count=len(readings), readings=tuple(shown), address=more)


def _pages(
    page: Mapping[str, Any], readings: Sequence[Cited], address: str, above: tuple[Mention, ...],
    common: Mapping[str, Any],
) -> Iterator[Planned]:  # fmt: skip
    site: Site = common["site"]
    for part in newest_first(readings, address, READINGS):
        told = {
            **page,
            "title": part.titled(page["title"], site.words),
            "description": part.described(page["description"], site.words),
        }
        yield "shelf.html", ShelfPage(
            **common, **told, address=part.address, kind="list", image=site.artwork, readings=part.items,
            count=len(readings) if part.is_first else None, paging=part.paging,
            crumbs=(*above, Mention(page["heading"], address)) if not part.is_first else above,
        ), "show.yaml"  # fmt: skip
