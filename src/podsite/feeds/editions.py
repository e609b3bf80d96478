"""Which RSS feeds a site has: the main one, its archive pages, those of topics, seasons, paths and formats.

A plan without XML: `rss` writes the feeds, `discovery` links to them from the pages they belong to.
"""

from __future__ import annotations

import html
import uuid
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from podsite import urls, values
from podsite.parts import Alternate, Pick
from podsite.records import dataclass
from podsite.site import Entry, Route, Site

_ALL = {"true", "yes", "all"}
_NONE = {"false", "no"}


@dataclass(frozen=True, slots=True, eq=False)
class Edition:
    """One feed of a site: its path and title, the page it belongs to, its episodes, newest first.

    `links` are relations (`next`, …) to the paths of other feeds; `intro` is HTML in front of the show's description.
    """

    path: str
    title: str
    guid: str
    page: str
    entries: tuple[Entry, ...]
    links: tuple[tuple[str, str], ...] = ()
    intro: str = ""
    format: str | None = None
    is_main: bool = False


def main(site: Site) -> Edition:
    """The show's feed, with the newest `feed.limit` episodes; its `next` leads to the archive."""
    show, entries = site.show, playable(site.entries)
    limit, last = show.feed.limit, _archive_pages(site, len(entries))
    links = (("first", show.feed.path), ("next", _page_path(site, last)), ("last", _page_path(site, 1))) if last else ()
    return Edition(show.feed.path, show.title, site.guid, urls.HOME, entries[:limit], links, is_main=True)


def archive(site: Site) -> Iterator[Edition]:
    """The pages that hold what `feed.limit` leaves out, each of `feed.limit` episodes, page 1 being the oldest.

    Pages are counted from the oldest episode and each is followed by one more, whose episodes are in the main feed
    as well. So a page has its episodes and its neighbours from the start, and no new episode ever changes it.
    """
    show, entries = site.show, playable(site.entries)
    limit, last = show.feed.limit or 0, _archive_pages(site, len(entries))
    oldest_first = entries[::-1]
    for number in range(1, last + 2 if last else 1):
        held = oldest_first[(number - 1) * limit : number * limit][::-1]
        links = [("first", show.feed.path), ("prev", _page_path(site, number + 1) if number <= last else None)]
        links += [("next", _page_path(site, number - 1) if number > 1 else None), ("last", _page_path(site, 1))]
        known = tuple((relation, path) for relation, path in links if path)
        if number > last:
            known = (*known[:1], ("prev", show.feed.path), *known[1:])
        yield Edition(_page_path(site, number), show.title, site.guid, urls.HOME, held, known)


def by_choice(site: Site) -> Iterator[Edition]:
    """The feeds asked for by `feed.topics`, `feed.seasons`, `feed.paths` and `feed.alternates`, but no empty one."""
    return (edition for edition in _asked(site) if edition.entries)


def _asked(site: Site) -> Iterator[Edition]:
    show, feed = site.show, site.show.feed
    for topic in site.topics:
        if chosen(feed.topics, topic.name):
            yield _part(site, topic.name, topic.address, topic.entries)
    for season in site.seasons:
        number = season.entries[0].episode.season
        if chosen(feed.seasons, str(number)):
            yield _part(site, show.season_name(number) or season.name, season.address, season.entries)
    for route in site.routes:
        if chosen(feed.paths, route.id):
            held = sorted((stop.entry for stop in route.stops), key=lambda entry: site.by_slug[entry.episode.slug])
            yield _part(site, route.title, route.address, held, _contents(site, route))
    for name in formats(site):
        if chosen(feed.alternates, name):
            path = _stem(feed.path) + f"-{name}.xml"
            newest = playable(site.entries)[: feed.limit]
            title = f"{show.title} ({name})"
            yield Edition(path, title, _guid(site, path), urls.HOME, newest, format=name)


def playable(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Those with something to play, without which podcast apps refuse an item."""
    return tuple(entry for entry in entries if entry.audio)


def formats(site: Site) -> tuple[str, ...]:
    """The file endings (`opus`) in which some episode is there besides its enclosure."""
    return tuple(sorted({ending(other) for entry in site.entries for other in alternates(entry)} - {""}))


def alternates(entry: Entry) -> Sequence[Alternate]:
    """An episode's recording in other formats."""
    return entry.episode.audio.alternates if entry.episode.audio else ()


def ending(other: Alternate) -> str:
    """The ending of its file's name, small and without the dot; empty where it has none fit for a name."""
    name = other.file or urlsplit(other.url or "").path
    found = PurePosixPath(name).suffix.lower().removeprefix(".")
    return found if found.isalnum() and found.isascii() else ""


def chosen(picks: Iterable[Pick], name: str) -> bool:
    """Whether something of that name is among those chosen; names are compared as in addresses."""
    wanted = {pick.name.casefold() for pick in picks}
    return bool(wanted & _ALL) or _key(name) in {_key(one) for one in wanted - _NONE}


def _key(name: str) -> str:
    return values.slug(name.lstrip("0") if name.isdigit() else name)


def unmatched(site: Site) -> Iterator[tuple[str, str]]:
    """Choices that no episode answers to: the key's path and what is wrong."""
    feed = site.show.feed
    known = {
        "topics": [topic.name for topic in site.topics],
        "seasons": [str(season.entries[0].episode.season) for season in site.seasons],
        "paths": [route.id for route in site.routes],
        "alternates": list(formats(site)),
    }
    for key, names in known.items():
        slugs = {_key(name) for name in names}
        for number, pick in enumerate(getattr(feed, key), 1):
            if pick.name.casefold() not in _ALL | _NONE and _key(pick.name) not in slugs:
                yield f"feed.{key}[{number}]", f"'{pick.name}' has no episode that is out, so it has no feed"


def _part(site: Site, name: str, page: str, entries: Iterable[Entry], intro: str = "") -> Edition:
    path, title = f"{page}feed.xml", f"{site.show.title}: {name}"
    home = f'<a href="{html.escape(urls.absolute(site.base_url, page))}">{html.escape(name, quote=False)}</a>'
    return Edition(path, title, _guid(site, path), page, playable(entries), intro=f"<p>{home}</p>{intro}")


def _contents(site: Site, route: Route) -> str:
    """What a path is for, and its order, which apps would not keep: they sort by date."""
    about = f"<p>{html.escape(route.description, quote=False)}</p>" if route.description else ""
    steps = (
        f'<li><a href="{html.escape(urls.absolute(site.base_url, stop.entry.address))}">'
        f"{html.escape(stop.entry.episode.title, quote=False)}</a></li>"
        for stop in route.stops
    )
    return f"{about}<ol>{''.join(steps)}</ol>"


def _guid(site: Site, path: str) -> str:
    """A feed's own identity, which stays wherever the site moves to."""
    return str(uuid.uuid5(uuid.UUID(site.guid), path))


def _archive_pages(site: Site, episodes: int) -> int:
    """How many pages it takes to hold what the main feed leaves out."""
    limit = site.show.feed.limit
    return -(-max(episodes - limit, 0) // limit) if limit else 0


def _page_path(site: Site, number: int) -> str:
    return f"{_stem(site.show.feed.path)}/page/{number}.xml"


def _stem(path: str) -> str:
    return path.rstrip("/").removesuffix(".xml")
