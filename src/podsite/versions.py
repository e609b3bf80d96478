"""Versions of the things of a site: while they stay the same, nothing that can be read of a thing has changed.

They cost little to make, since an episode's is that of the files it was read from; a thing without a version may have
changed, and whoever read of it has to look.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from podsite.cache import digest
from podsite.read import Content
from podsite.site import Entry, Site
from podsite.tracing import PAGE, SITE, WORDS
from podsite.ways import Steps

#: A digest, or what tells as much and is cheaper to come by: data of which equal means the same.
Version = object

#: What is read of the site itself, by its attribute, and what that depends on beyond things with versions of their own.
_OF_SITE: dict[str, Callable[[Site], object]] = {
    "show": lambda _: "",
    "base_url": lambda site: site.base_url,
    "guid": lambda site: site.guid,
    "artwork": lambda site: site.artwork,
    "entries": lambda site: [*site.by_slug],
    "topics": lambda site: [group.address for group in site.topics],
    "seasons": lambda site: [group.address for group in site.seasons],
    "people": lambda site: [one.id for one in site.people],
    "routes": lambda site: [route.id for route in site.routes],
    "pages": lambda site: [page.address for page in site.pages],
    "updated": lambda site: site.updated,
}


def names_of(thing: str, paths: Iterable[Steps]) -> set[str]:
    """The names under which what was read of a thing has a version."""
    if thing == PAGE:
        return set()
    return {f"site.{steps[0]}" for steps in paths} if thing == SITE else {thing}


class Versions:
    """The versions of this build's things, and whether they are those of the last one."""

    def __init__(self, site: Site, content: Content, old: Mapping[str, Version]) -> None:
        self._site, self._content, self.old = site, content, old
        self._groups = {group.address: group for group in (*site.topics, *site.seasons)}
        self._people = {one.id: one for one in site.people}
        self._routes = {route.id: route for route in site.routes}
        self._own = {page.address: page for page in site.pages}
        self._kinds: Mapping[str, Callable[[str], Sequence[object] | None]] = {
            "show": self._show,
            WORDS: lambda _: (self._site.words,),
            "episode": self._entry,
            "group": self._group,
            "person": self._person,
            "path": self._route,
            "own": self._own_page,
        }
        self._same: dict[str, bool] = {}
        self.known: dict[str, Version] = {}

    def are_same(self, names: Iterable[str]) -> bool:
        """Whether all these things are as they were in the last build."""
        for name in names:
            same = self._same.get(name)
            if same is None:
                same = self._same[name] = self.of(name) is not None and self.old.get(name) == self.of(name)
            if not same:
                return False
        return True

    def of(self, name: str) -> Version | None:
        """The version of a thing; None where it has none."""
        if name not in self.known:
            parts = self._parts(name)
            if parts is None:
                return None
            self.known[name] = parts if name.startswith("episode ") else digest(*map(repr, parts))
        return self.known[name]

    def _parts(self, name: str) -> Sequence[object] | None:
        """What the version of a thing is made of."""
        kind, _, rest = name.partition(" ")
        if kind in self._kinds:
            return self._kinds[kind](rest)
        made = _OF_SITE.get(name.removeprefix("site."))
        return (made(self._site),) if made else None

    def _show(self, _: str) -> Sequence[object]:
        return self._site.show, self._site.artwork, [one.image for one in self._site.people]

    def _person(self, person_id: str) -> Sequence[object] | None:
        one = self._people.get(person_id)
        return (self.of("show"), one.image, one.roles, _slugs(one.entries)) if one else None

    def _route(self, path_id: str) -> Sequence[object] | None:
        route = self._routes.get(path_id)
        return (self.of("show"), route.duration, _slugs(stop.entry for stop in route.stops)) if route else None

    def _group(self, address: str) -> Sequence[object] | None:
        group = self._groups.get(address)
        return (group.name, group.description, _slugs(group.entries)) if group else None

    def _own_page(self, address: str) -> Sequence[object]:
        return (self._own.get(address),)

    def _entry(self, slug: str) -> Sequence[object] | None:
        entry = self._site.entry(slug)
        if entry is None:
            return None
        written = self._content.versions.get(entry.episode.file) or repr(entry.episode)
        audio, image = entry.audio, entry.image
        return (
            self.of("show"),
            written,
            entry.guid,
            entry.feed_date.timestamp(),
            entry.scheduled,
            audio and (audio.address, audio.type, audio.length, audio.duration),
            image and (image.address, image.width, image.height),
        )


def _slugs(entries: Iterable[Entry]) -> list[str]:
    return [entry.episode.slug for entry in entries]
