"""The sitemap: every page for search engines, when the newest of what it shows came out, its picture and translations.

https://www.sitemaps.org/protocol.html, with Google's extensions for images and for pages in other languages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from html import escape

from podsite import urls
from podsite.artifacts import Artifact
from podsite.records import dataclass
from podsite.site import Site

PATH = "sitemap.xml"
LIMIT = 50_000  # pages of one file
ANY_LANGUAGE = "x-default"

_SPACES = (
    ("", "http://www.sitemaps.org/schemas/sitemap/0.9"),
    ("image", "http://www.google.com/schemas/sitemap-image/1.1"),
    ("xhtml", "http://www.w3.org/1999/xhtml"),
)


@dataclass(frozen=True, slots=True)
class Listed:
    """A page of the sitemap: its address, when it changed, the address of its picture, its forms by language."""

    address: str
    changed: datetime | None = None
    picture: str | None = None
    languages: tuple[tuple[str, str], ...] = ()


def listed(site: Site, paths: Iterable[str], changed: Mapping[str, datetime]) -> Iterator[Listed]:
    """Pages for search engines: not the redirects, nor feeds at addresses that look like pages."""
    pictures = dict(_pictures(site))
    other = {entry.address: entry.episode.translations for entry in site.entries if entry.episode.translations}
    other[urls.HOME] = site.show.translations
    apart = {alias.rstrip("/") for entry in site.entries for alias in entry.episode.aliases}
    apart |= {path.rstrip("/") for path in (site.show.feed.path, *site.show.feed.aliases)}
    hidden = [entry for entry in site.entries if entry.is_hidden]
    apart |= {
        address.rstrip("/") for entry in hidden for address in (entry.address, *(q.address for q in entry.quotes))
    }
    apart |= {urls.embed(entry.episode.slug).rstrip("/") for entry in site.entries}
    for path in paths:
        address = path.removesuffix("index.html")
        if path.rpartition("/")[2] == "index.html" and address.rstrip("/") not in apart:
            languages = tuple(translations(site, address, other[address])) if address in other else ()
            yield Listed(address, changed.get(address), pictures.get(address), languages)


def translations(site: Site, address: str, others: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """A page in each of its languages and where strangers are sent, as full addresses; nothing without others.

    All of these pages name the same one for strangers: the English one, else that whose language comes first.
    """
    if not others:
        return
    pages = dict(sorted({**others, site.show.language: urls.absolute(site.base_url, address)}.items()))
    yield from pages.items()
    english = [page for tag, page in pages.items() if tag.split("-")[0] == "en"]
    yield ANY_LANGUAGE, [*english, *pages.values()][0]


def sitemap(site: Site, pages: Iterable[Listed]) -> Iterator[Artifact]:
    """The sitemap of pages; above 50,000 an index of several."""
    ordered = sorted(pages, key=lambda page: page.address)
    parts = [ordered[start : start + LIMIT] for start in range(0, len(ordered), LIMIT)] or [[]]
    if len(parts) == 1:
        yield Artifact(PATH, _file(site, "urlset", "url", parts[0]), "show.yaml")
        return
    names = [f"sitemap-{number}.xml" for number in range(1, len(parts) + 1)]
    for name, part in zip(names, parts, strict=True):
        yield Artifact(name, _file(site, "urlset", "url", part), "show.yaml")
    dates = [max((page.changed for page in part if page.changed), default=None) for part in parts]
    index = [Listed(name, date) for name, date in zip(names, dates, strict=True)]
    yield Artifact(PATH, _file(site, "sitemapindex", "sitemap", index), "show.yaml")


def _pictures(site: Site) -> Iterator[tuple[str, str]]:
    """What stands for a page and no other: the cover for the home page, an episode's own artwork, a portrait."""
    yield urls.HOME, site.artwork.address
    for one in site.people:
        if one.image:
            yield one.address, one.image.address
    for entry in site.entries:
        if entry.image:
            yield entry.address, entry.image.address


def _file(site: Site, root: str, each: str, pages: Iterable[Listed]) -> bytes:
    lines = []
    for page in pages:
        lines += [f" <{each}>", f"  <loc>{_full(site, page.address)}</loc>"]
        lines += [f"  <lastmod>{page.changed.isoformat()}</lastmod>"] if page.changed else []
        for language, target in page.languages:
            lines.append(f'  <xhtml:link rel="alternate" hreflang="{language}" href="{escape(target)}" />')
        if page.picture:
            lines.append(f"  <image:image><image:loc>{_full(site, page.picture)}</image:loc></image:image>")
        lines.append(f" </{each}>")
    whole = "\n".join(lines)
    spaces = " ".join(
        f'xmlns{f":{prefix}" if prefix else ""}="{space}"'
        for prefix, space in _SPACES
        if not prefix or f"<{prefix}:" in whole
    )
    text = f"<{root} {spaces}>\n{whole}\n</{root}>" if lines else f"<{root} {spaces} />"
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()


def _full(site: Site, address: str) -> str:
    return escape(urls.absolute(site.base_url, address), quote=False)
