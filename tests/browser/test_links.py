"""Promises of links: every one of every page leads somewhere, at a root and under a sub-path."""

from __future__ import annotations

import urllib.error
import urllib.request
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urldefrag, urljoin, urlsplit
from xml.etree import ElementTree as ET


class Links(HTMLParser):
    """The addresses a page links to or loads, and the ids it has."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.ids: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.ids.add(value or "")
            elif name in {"href", "src", "poster"} and value and (tag, name) != ("link", "canonical"):
                self.found.add(value)
            elif name == "srcset":
                self.found |= {each.split()[0] for each in (value or "").split(",")}


def fetched(url: str) -> tuple[int, str, str]:
    """Status, media type and text of an address; text only of pages."""
    try:
        with urllib.request.urlopen(url) as response:
            kind = response.headers.get_content_type()
            return response.status, kind, response.read().decode() if kind == "text/html" else ""
    except urllib.error.HTTPError as error:
        with error:
            return error.code, "", ""


def crawl(start: list[str], origin: str) -> tuple[dict[str, Links], list[str]]:
    """Every page reached from the addresses, and every link that leads nowhere."""
    pages: dict[str, Links] = {}
    dead: list[str] = []
    seen: set[str] = set()
    queue = [(url, "the beginning") for url in start]
    wanted: list[tuple[str, str, str]] = []
    while queue:
        url, source = queue.pop()
        bare, fragment = urldefrag(url)
        if fragment and not fragment.startswith("t="):
            wanted.append((bare, fragment, source))
        if bare in seen or not bare.startswith(origin):
            continue
        seen.add(bare)
        status, kind, text = fetched(bare)
        if status != 200:
            dead.append(f"{bare}: {status}, linked from {source}")
        if kind == "text/html":
            pages[bare] = links = Links()
            links.feed(text)
            queue += [(urljoin(bare, link), bare) for link in links.found]
    dead += [f"{b}#{f}: no such id, linked from {s}" for b, f, s in wanted if b in pages and f not in pages[b].ids]
    return pages, dead


def test_every_internal_link_of_every_page_resolves(address: str, paths: list[str]) -> None:
    """Pages, pictures, recordings, styles, feeds: everything linked is there, fragments included."""
    origin = "{0.scheme}://{0.netloc}".format(urlsplit(address))
    pages, dead = crawl([address], origin)
    assert not dead
    found = {page.removeprefix(address).partition("?")[0] for page in pages}
    assert found == {path for path in paths if not path.endswith("/embed/")}  # to those only other sites lead


def test_a_missing_page_leads_back_into_the_site(home: str) -> None:
    """404.html answers at any depth: its links work from everywhere below the site's address."""
    origin = "{0.scheme}://{0.netloc}".format(urlsplit(home))
    links = Links()
    links.feed(fetched(home + "404.html")[2])
    leading = [urljoin(home + "a/b/c/", link) for link in links.found if not link.startswith("#")]
    _, dead = crawl(leading, origin)
    assert len(leading) > 10
    assert not dead


def test_the_sitemap_lists_every_page_once_and_nothing_else(own_site: Path, paths: list[str]) -> None:
    """Search engines learn of each page by the address its canonical link gives."""
    space = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
    listed = [each.text or "" for each in ET.parse(own_site / "sitemap.xml").iter(f"{space}loc")]
    found = sorted(url.removeprefix("https://example.org/podsite/") for url in listed)
    assert found == [path for path in paths if not path.endswith("/embed/")]
