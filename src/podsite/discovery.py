"""How machines find the site: tags of <head>, robots, web manifest, and the files GitHub Pages looks for.

Links between files of the site are relative, so that the same bytes work anywhere; addresses are complete only where
the web demands it: canonical links, cards, structured data, the sitemap.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from html import escape
from typing import Literal, Protocol

from podsite import jsonld, llms, oembed, sitemaps, twins, urls
from podsite.artifacts import Artifact
from podsite.feeds import JSON_FEED, JSON_FEED_TYPE, editions
from podsite.feeds.editions import Edition
from podsite.images import CARD, Images
from podsite.media import type_by_name
from podsite.read import Content
from podsite.site import Entry, Mention, Picture, Site

RSS = "application/rss+xml"
OPENSEARCH = "application/opensearchdescription+xml"
ROBOTS = "robots.txt"
MANIFEST = "site.webmanifest"
NOJEKYLL = ".nojekyll"
CNAME = "CNAME"

_DESCRIPTION = 300  # characters; search engines and cards show less
_WIDE = 1.5  # width to height from which a picture fills a large card

# Icons in <head>: file of static/, relation, further attributes; with `sizes` browsers prefer the SVG to the .ico.
_ICONS = (
    ("favicon.ico", "icon", ' sizes="32x32"'),
    ("favicon.svg", "icon", ' type="image/svg+xml"'),
    ("favicon.png", "icon", ' type="image/png"'),
    ("apple-touch-icon.png", "apple-touch-icon", ""),
)
_MADE_ICONS = (("icon", 96), ("apple-touch-icon", 180))  # relations of those made of the cover, and their pixels
_APP_ICONS = (("icon-192.png", "192x192"), ("icon-512.png", "512x512"))


class Page(Protocol):
    """What a page says about itself. `crumbs` are the pages above it without home; `root` is set on 404.html."""

    @property
    def address(self) -> str: ...
    @property
    def kind(self) -> Literal["home", "episode", "list", "person", "page", "embed", "quote"]: ...
    @property
    def title(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def image(self) -> Picture | None: ...
    @property
    def entry(self) -> Entry | None: ...
    @property
    def crumbs(self) -> tuple[Mention, ...]: ...
    @property
    def root(self) -> str | None: ...
    @property
    def card(self) -> str | None: ...


class Head:
    """Writes the tags of a page's <head> that are for machines, as safe HTML; call it with the page.

    Icons that static/ lacks are made of the cover by `images`.
    """

    def __init__(self, site: Site, content: Content, images: Images | None = None) -> None:
        self.site = site
        self.icons = [*_icons(site, content, images)]
        #: Cards that the show has drawn itself, at the places of podsite's.
        self.own_cards = {address for address in content.published if address.endswith("card.png")}
        self.people = {one.address: one for one in site.people}
        self.feeds: dict[str, list[Edition]] = defaultdict(list)  # those of topics and the like, by their page
        for edition in editions.by_choice(site):
            self.feeds[edition.page].append(edition)

    def __call__(self, page: Page) -> str:
        """The tags, one a line. A page without a lasting address (404.html) has only what its browser needs."""
        if page.kind == "embed" and page.entry:
            return "\n".join(self._embedded(page.entry))
        lines = [_meta("name", "description", _shortened(page.description)), *self._links(page)]
        if page.root is None:
            lines += [f'<link rel="canonical" href="{escape(self._absolute(page.address))}">', *self._card(page)]
        if page.root is not None or (page.entry and page.entry.is_hidden):
            lines.append(_meta("name", "robots", "noindex"))
        else:
            lines.append(jsonld.script(self._nodes(page)))
        return "\n".join(filter(None, lines))

    @property
    def common(self) -> str:
        """What is the same on every page and stands in no file of the site's content: icons and feeds."""
        feeds = [(page, edition.title, edition.path) for page, each in self.feeds.items() for edition in each]
        return repr((self.icons, feeds, self.site.show.theme.cards, sorted(self.own_cards)))

    def _absolute(self, address: str) -> str:
        return urls.absolute(self.site.base_url, address)

    def _embedded(self, entry: Entry) -> Iterator[str]:
        """Of a player alone: its page is the episode's, and search engines need no other."""
        yield f'<link rel="canonical" href="{escape(self._absolute(entry.address))}">'
        yield _meta("name", "robots", "noindex")
        yield '<link rel="icon" href="data:,">'

    def _links(self, page: Page) -> Iterator[str]:
        def link(target: str) -> str:
            # a page that answers at any depth can only link from the root
            return escape(page.root + urls.relative("", target) if page.root else urls.relative(page.address, target))

        show = self.site.show
        own = [(RSS, edition.title, edition.path) for edition in self.feeds.get(page.address, ())]
        for kind, title, path in (
            (RSS, show.title, show.feed.path),
            *own,
            (JSON_FEED_TYPE, show.title, JSON_FEED),
        ):
            yield f'<link rel="alternate" type="{kind}" title="{escape(title)}" href="{link(path)}">'
        if page.kind == "episode" and page.entry:
            if show.theme.markdown:
                yield f'<link rel="alternate" type="{twins.MEDIA_TYPE}" href="{link(twins.address(page.entry))}">'
            if oembed.is_offered(self.site, page.entry):
                answer = self._absolute(urls.oembed(page.entry.episode.slug))
                title = escape(page.title)
                yield f'<link rel="alternate" type="{oembed.MEDIA_TYPE}" title="{title}" href="{escape(answer)}">'
        for language, target in self._translations(page):
            yield f'<link rel="alternate" hreflang="{language}" href="{escape(target)}">'
        for file, relation, more in self.icons:
            yield f'<link rel="{relation}" href="{link(file)}"{more}>'
        if not any(relation == "icon" for _, relation, _ in self.icons):
            yield '<link rel="icon" href="data:,">'  # else browsers ask for /favicon.ico
        yield f'<link rel="manifest" href="{link(MANIFEST)}">'
        if show.search:
            yield f'<link rel="search" type="{OPENSEARCH}" title="{escape(show.title)}" href="{link(urls.OPENSEARCH)}">'

    def _translations(self, page: Page) -> Iterable[tuple[str, str]]:
        if page.kind == "home":
            return sitemaps.translations(self.site, page.address, self.site.show.translations)
        if page.kind == "episode" and page.entry and not page.entry.is_hidden:
            return sitemaps.translations(self.site, page.address, page.entry.episode.translations)
        return ()

    def _card(self, page: Page) -> Iterator[str]:
        """Open Graph, and the one tag of Twitter's that it lacks."""
        site, entry = self.site, page.entry if page.kind == "episode" else None
        yield _meta("property", "og:site_name", site.show.title)
        yield _meta("property", "og:type", {"episode": "article", "person": "profile"}.get(page.kind, "website"))
        yield _meta("property", "og:title", page.title)
        yield _meta("property", "og:description", _shortened(page.description))
        yield _meta("property", "og:url", self._absolute(page.address))
        yield _meta("property", "og:locale", _locale(site.show.language))
        yield from self._pictured(page)
        if entry and entry.audio:
            kind = "video" if entry.audio.is_video else "audio"
            yield _meta("property", f"og:{kind}", self._absolute(entry.audio.address))
            yield _meta("property", f"og:{kind}:type", entry.audio.type)
        if entry:
            yield _meta("property", "article:published_time", entry.episode.published.isoformat())

    def _pictured(self, page: Page) -> Iterator[str]:
        """The picture that stands for the page: its card, else its own or the cover; and how large it is shown."""
        site, card = self.site, page.card if self.site.show.theme.cards else None
        picture = page.image or site.artwork
        if card:
            is_own = card in self.own_cards  # of a size that nobody asked for
            picture = Picture(card) if is_own else Picture(card, *CARD)
            alt = page.title if page.kind == "home" else f"{page.title} · {site.show.title}"
        elif picture == site.artwork:
            alt = site.words.say("Cover of %(show)s", show=site.show.title)
        else:
            alt = page.title
        yield _meta("property", "og:image", self._absolute(picture.address))
        yield _meta("property", "og:image:type", type_by_name(picture.address) or "")
        yield _meta("property", "og:image:width", str(picture.width or ""))
        yield _meta("property", "og:image:height", str(picture.height or ""))
        yield _meta("property", "og:image:alt", alt)
        if page.kind == "episode" and page.entry and oembed.is_offered(site, page.entry):
            yield from self._player(page.entry)
            return
        is_wide = card or (picture.width and picture.height and picture.width >= _WIDE * picture.height)
        yield _meta("name", "twitter:card", "summary_large_image" if is_wide else "summary")

    def _player(self, entry: Entry) -> Iterator[str]:
        """Twitter's tags of a player that is shown inside the card."""
        yield _meta("name", "twitter:card", "player")
        yield _meta("name", "twitter:player", self._absolute(urls.embed(entry.episode.slug)))
        yield _meta("name", "twitter:player:width", str(oembed.WIDTH))
        yield _meta("name", "twitter:player:height", str(oembed.height(entry)))
        if entry.audio:
            yield _meta("name", "twitter:player:stream", self._absolute(entry.audio.address))
            yield _meta("name", "twitter:player:stream:content_type", entry.audio.type)

    def _nodes(self, page: Page) -> Iterator[jsonld.Node]:
        site = self.site
        if page.kind == "home":
            yield jsonld.website(site)
            yield jsonld.series(site, page.description)
            return
        if page.kind == "episode" and page.entry:
            yield jsonld.episode(site, page.entry)
        if page.kind == "quote" and page.entry:
            quoted = next((one.quote for one in page.entry.quotes if one.address == page.address), None)
            if quoted:
                yield jsonld.quotation(site, page.entry, quoted)
        if page.address in self.people:
            yield jsonld.person(site, self.people[page.address], page.description)
        home, here = Mention(site.show.title, urls.HOME), Mention(page.name or page.title, page.address)
        yield jsonld.breadcrumbs(site, (home, *page.crumbs, here))


def _icons(site: Site, content: Content, images: Images | None) -> Iterator[tuple[str, str, str]]:
    """The show's own icons, and those made of the cover where a relation has none: address, relation, attributes."""
    published = content.published
    own = [icon for icon in _ICONS if icon[0] in published]
    yield from own
    for relation, width in _MADE_ICONS:
        address = images.icon(site.artwork, width) if images and relation not in {each[1] for each in own} else None
        if address:
            yield address, relation, f' sizes="{width}x{width}"'


def artifacts(
    site: Site, content: Content, paths: Iterable[str], changed: Mapping[str, datetime], summary: str
) -> Iterator[Artifact]:
    """Sitemap, robots.txt, llms.txt, web manifest, .nojekyll and CNAME; `paths` are those of all artifacts made so far.

    `changed` tells, by address, when the newest of what a page shows came out; `summary` is the show's description.

    A file of static/ at one of these paths is the show's own and stays.
    """
    written = frozenset(paths)
    made = [
        *sitemaps.sitemap(site, sitemaps.listed(site, written, changed)),
        Artifact(llms.PATH, llms.text(site, summary).encode(), "show.yaml"),
        Artifact(ROBOTS, robots(site), "show.yaml"),
        Artifact(MANIFEST, manifest(site, content), "show.yaml"),
        Artifact(NOJEKYLL, b"", "show.yaml"),  # else GitHub Pages would leave out what begins with an underscore
    ]
    if site.show.search:
        made.append(Artifact(urls.OPENSEARCH, opensearch(site), "show.yaml"))
    if site.show.cname:
        made.append(Artifact(CNAME, f"{site.show.cname}\n".encode(), "show.yaml"))
    yield from (artifact for artifact in made if artifact.path not in written)


def robots(site: Site) -> bytes:
    """Everybody is welcome, and here is the sitemap."""
    return f"User-agent: *\nAllow: /\n\nSitemap: {urls.absolute(site.base_url, sitemaps.PATH)}\n".encode()


def manifest(site: Site, content: Content) -> bytes:
    """The web manifest, for sites put on a home screen; its links are relative to it."""
    show, published = site.show, content.published
    icons = [{"src": file, "sizes": sizes, "type": "image/png"} for file, sizes in _APP_ICONS if file in published]
    facts = {
        "name": show.title,
        "id": "./",
        "start_url": "./",
        "scope": "./",
        "display": "minimal-ui",
        "lang": show.language,
        "dir": show.direction,
        **({"theme_color": show.theme.accent} if show.theme.accent else {}),
        "icons": icons,
    }
    return (json.dumps(facts, ensure_ascii=False, indent=1) + "\n").encode()


def opensearch(site: Site) -> bytes:
    """How browsers search the site from their address bar: https://github.com/dewitt/opensearch."""
    show = site.show
    answer = urls.absolute(site.base_url, urls.SEARCH) + "?q={searchTerms}"
    texts = {
        "ShortName": show.title[:16].strip(),  # what the specification allows
        "LongName": show.title[:48].strip(),
        "Description": site.words.say("Search %(show)s", show=show.title)[:1024],
        "Language": show.language,
        "InputEncoding": "UTF-8",
    }
    lines = [f" <{name}>{escape(text, quote=False)}</{name}>" for name, text in texts.items()]
    lines.append(f' <Url type="text/html" template="{escape(answer)}" />')
    space = "http://a9.com/-/spec/opensearch/1.1/"
    return "\n".join(
        ('<?xml version="1.0" encoding="UTF-8"?>', f'<OpenSearchDescription xmlns="{space}">', *lines,
         "</OpenSearchDescription>", "")
    ).encode()  # fmt: skip


def _meta(attribute: str, name: str, value: str) -> str:
    return f'<meta {attribute}="{name}" content="{escape(value)}">' if value else ""


def _shortened(text: str) -> str:
    """On one line and not longer than anybody shows, cut between words."""
    line = " ".join(text.split())
    return line if len(line) <= _DESCRIPTION else line[: _DESCRIPTION - 1].rsplit(" ", 1)[0] + "…"


def _locale(language: str) -> str:
    """`en_GB` for Open Graph, which knows languages only with a country."""
    first, *rest = language.split("-")
    country = next((part for part in rest if len(part) == 2), "")
    return f"{first}_{country}" if country else ""
