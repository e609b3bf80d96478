"""Site → plan: every page of the site, with its template and what that is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import partial
from itertools import starmap
from typing import Any
from urllib.parse import quote, urlsplit

from podsite import excerpts, listings, oembed, shelves, tables, urls, values
from podsite.citations import cite
from podsite.contexts import (
    PAGES,
    EpisodePage,
    Home,
    MarkdownPage,
    NavLink,
    NotFound,
    Page,
    Planned,
    Redirect,
    Service,
    Stretch,
    Subscribe,
)
from podsite.dates import changed
from podsite.marks import Marks
from podsite.media import type_by_name
from podsite.model import Show
from podsite.notes import Rendered
from podsite.paragraphs import stretches, untimed
from podsite.read import Content
from podsite.records import dataclass
from podsite.relations import Relations
from podsite.site import Audio, Entry, Mention, Site
from podsite.speakers import named
from podsite.theme import FOLDER, trusted
from podsite.words import marked

__all__ = ["PAGES", "Sheet", "Texts", "asked", "more", "navigation", "plan", "spoken"]

RECENT = 8
_NOBODY: Mapping[str, str] = {}

#: Apps that follow any feed: how the link is made of the feed's address (bare = without its scheme).
_APPS = (
    ("Apple Podcasts", "podcast://{bare}"),
    ("AntennaPod", "https://antennapod.org/deeplink/subscribe?url={quoted}"),
    ("Overcast", "overcast://x-callback-url/add?url={quoted}"),
    ("Pocket Casts", "pktc://subscribe/{bare}"),
    ("Castro", "castros://subscribe/{bare}"),
    ("Podcast Addict", "podcastaddict://{bare}"),
)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page to be made: its template, its address, the file that asks for it, and how to make what is given to it.

    `entry` is the episode that it is a page of, and `around` plain data that tells which other episodes it speaks of;
    `changed` when the newest of what the page shows came out.
    """

    template: str
    address: str
    source: str
    page: Callable[[], Page]
    entry: Entry | None = None
    changed: datetime | None = None
    around: object = None


@dataclass(frozen=True, slots=True)
class Texts:
    """The Markdown texts of a site, rendered: notes by slug, own pages by address, bios by the person's id."""

    description: Rendered
    notes: Mapping[str, Rendered]
    pages: Mapping[str, Rendered]
    bios: Mapping[str, Rendered]
    footer: Callable[[Page], str]  # its HTML, with the links that it has on a page
    notice: Callable[[Page], str]


def plan(site: Site, content: Content, texts: Texts, marks: Marks, index: tuple[str, ...] = ()) -> Iterator[Sheet]:
    """Each page: its template, what that is given (still without what depends on its address alone), its source.

    `index` are the addresses of the parts of the search index.
    """
    common = {"site": site, "show": site.show, "direction": site.show.direction, "spoken": site.words.spoken}
    yield _sheet(*_home(site, content, texts, common))
    yield from starmap(_sheet, (*_entrance(site, common), *listings.archive(site, common)))
    relations = Relations(site)
    yield from _episodes(site, texts, relations, marks, common)
    for part in (
        listings.search(site, index, common),
        listings.groups(site, relations, common),
        listings.people(site, texts.bios, common),
        shelves.reading(site, relations, common),
        listings.paths(site, relations, common),
        listings.statistics(site, common),
        _own_pages(site, texts, common),
        _redirects(site, common),
    ):
        yield from starmap(_sheet, part)


def _sheet(template: str, page: Page, source: str) -> Sheet:
    return Sheet(template, page.address, source, lambda: page, changed=changed(page))


def _home(site: Site, content: Content, texts: Texts, common: Mapping[str, Any]) -> Planned:
    show, html = site.show, texts.description.html
    first, end, rest = html.partition("</p>") if html.startswith("<p>") else (html, "", "")
    return "index.html", Home(
        **common, address=urls.HOME, kind="home", title=show.title, description=texts.description.text,
        image=site.artwork, lead=trusted(first + end), about=trusted(rest.strip()), trailer=_trailer(content),
        newest=site.entries[0] if site.entries else None, recent=site.entries[1 : 1 + RECENT],
        services=_services(show),
    ), "show.yaml"  # fmt: skip


def _trailer(content: Content) -> Audio | None:
    """The show's trailer as what is played."""
    trailer = content.show.trailer
    if trailer is None:
        return None
    file = None if values.is_url(trailer.url) else trailer.url
    return Audio(
        address=content.address(file) if file else trailer.url,
        type=trailer.type or type_by_name(trailer.url) or "audio/mpeg",
        length=trailer.length,
        duration=None,
        file=file,
    )


def _entrance(site: Site, common: Mapping[str, Any]) -> Iterator[Planned]:
    show, words = site.show, site.words
    feed = urls.absolute(site.base_url, show.feed.path)
    bare = feed.split("://", 1)[1]
    apps = tuple(
        Service(name=name, address=made.format(bare=bare, quoted=quote(feed, safe=""))) for name, made in _APPS
    )
    yield "subscribe.html", Subscribe(
        **common, address=urls.SUBSCRIBE, kind="page", title=words.say("Subscribe"), feed=feed,
        description=words.say("Follow %(show)s in the podcast app of your choice.", show=show.title),
        services=_services(show), apps=apps, image=site.artwork,
    ), "show.yaml"  # fmt: skip
    yield "404.html", NotFound(
        **common, address=urls.NOT_FOUND, kind="page", title=words.say("Page not found"),
        description=words.say("There is nothing at this address."), recent=site.entries[:3],
        root=urlsplit(site.base_url).path,
    ), f"{FOLDER}/404.html"  # fmt: skip


def _episodes(
    site: Site, texts: Texts, relations: Relations, marks: Marks, common: Mapping[str, Any]
) -> Iterator[Sheet]:
    archive = Mention(site.words.say("Episodes"), urls.archive())
    seasons = {entry: Mention(season.name, season.address) for season in site.seasons for entry in season.entries}
    homes = {one.id: one.address for one in site.people}

    def page(entry: Entry) -> EpisodePage:
        episode, ties = entry.episode, relations.of(entry)
        rendered = texts.notes.get(episode.slug)
        transcript = tuple(spoken(entry, homes))
        return EpisodePage(
            **common, address=entry.address, kind="episode", title=episode.title, description=episode.summary,
            image=entry.image or site.artwork, entry=entry, crumbs=(archive,),
            notes=trusted(rendered.html if rendered else ""),
            transcript=transcript, paragraphs=sum(len(each.paragraphs) for each in transcript),
            reads=ties.reads, requires=ties.first, related=ties.kin,
            newer=site.newer(entry), older=site.older(entry), season=seasons.get(entry),
        )  # fmt: skip

    def words(entry: Entry) -> Iterator[Stretch]:
        return spoken(entry, homes)

    tied = relations.keys(marks)
    for entry in site.entries:
        neighbours = site.newer(entry), site.older(entry)
        around = tied[entry.episode.slug], [other and other.episode.slug for other in neighbours]
        file, date = entry.episode.file, entry.feed_date
        yield Sheet("episode.html", entry.address, file, partial(page, entry), entry, date, around)
        for part in excerpts.of_episode(site, entry, words, common):
            yield Sheet(part.template, part.address, file, part.page, entry, date)


def asked(site: Site, page: Page) -> Mapping[str, Callable[[], object]]:
    """What is made of an episode for templates that ask for it, by the names of its context."""
    if not isinstance(page, EpisodePage) or page.entry is None:
        return {}
    return {
        "citation": partial(cite.citation, site, page.entry),
        "embed": partial(oembed.code, site, page.entry),
    }


def spoken(entry: Entry, homes: Mapping[str, str] = _NOBODY) -> Iterator[Stretch]:
    """The words of an episode: of cues, or as they stand in a transcript without times; `homes` are people's pages."""
    transcript = entry.episode.transcript
    if transcript:
        yield from stretches([*named(transcript.cues, entry.speakers)], entry.episode.chapters, homes)
        if transcript.passages:
            yield untimed(named(transcript.passages, entry.speakers), homes)


def _own_pages(site: Site, texts: Texts, common: Mapping[str, Any]) -> Iterator[Planned]:
    for own in site.pages:
        body = texts.pages[own.address]
        yield "page.html", MarkdownPage(
            **common, address=own.address, kind="page", title=own.title, image=site.artwork,
            description=own.description or body.text.split("\n\n")[0], body=trusted(body.html),
        ), own.file  # fmt: skip


def _redirects(site: Site, common: Mapping[str, Any]) -> Iterator[Planned]:
    for entry in site.entries:
        for alias in entry.episode.aliases:
            is_file = alias.endswith((".html", ".htm"))
            yield "redirect.html", Redirect(
                **common, address=alias if is_file else alias.rstrip("/") + "/", kind="page", entry=entry,
                title=entry.episode.title, description=entry.episode.summary, image=entry.image or site.artwork,
            ), entry.episode.file  # fmt: skip


def navigation(site: Site, address: str) -> Iterator[NavLink]:
    """Sections that have something in them, then the show's own links; what visitors come for stands first."""
    sections = (
        (marked("Episodes"), "episodes/", bool(site.entries)),
        (marked("Start here"), urls.START, bool(site.routes)),
        (marked("Subscribe"), urls.SUBSCRIBE, True),
        (marked("Topics"), urls.TOPICS, bool(site.topics)),
        (marked("Seasons"), urls.SEASONS, bool(site.seasons)),
        (marked("Reading"), urls.READING, bool(site.readings)),
        (marked("People"), urls.PEOPLE, bool(site.people)),
    )
    for title, target, is_there in sections:
        if is_there:
            yield NavLink(title=site.words.say(title), address=target, current=address.startswith(target))
    for link in site.show.navigation:
        target = link.url.removeprefix("/")
        yield NavLink(title=link.title, address=target, current=bool(target) and address.startswith(target))


def more(site: Site, address: str, navigation: tuple[NavLink, ...]) -> Iterator[NavLink]:
    """The pages of pages/ that the navigation does not name, and the show in figures."""
    named = {link.address.rstrip("/") for link in navigation}
    if listings.has_statistics(site) and urls.STATISTICS.rstrip("/") not in named:
        title = site.words.say("Statistics")
        yield NavLink(title=title, address=urls.STATISTICS, current=address == urls.STATISTICS)
    for own in site.pages:
        if own.address.rstrip("/") not in named:
            yield NavLink(title=own.title, address=own.address, current=own.address == address)


def _services(show: Show) -> tuple[Service, ...]:
    """Where the show is listed: a known service by its id there, any service by its address."""
    found = []
    for key, value in show.listen.items():
        name, made = tables.LISTEN.get(key, (key, "{}"))
        is_full = value.startswith(("http://", "https://"))
        found.append(Service(name=name, address=value if is_full else made.format(value)))
    return tuple(found)
