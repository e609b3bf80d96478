"""What a built site says: pages, links between them, and the items of the feed; told by the corpus or read back.

The two must be equal, or the tools compared did not do the same work.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from lxml import etree, html

from benchmarks.corpus import Corpus, Episode, clock, slug_of

PAGER = frozenset({"Newer episodes", "Older episodes"})
ON_HOME = 9
COMPARED = re.compile(r"((episodes|topics)/(.+/)?)?")
LINKS = re.compile(r"\]\((https://[^)]+)\)")
ITUNES = "{http://www.itunes.com/dtds/podcast-1.0.dtd}"
CONTENT = "{http://purl.org/rss/1.0/modules/content/}encoded"
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"

Link = tuple[str, str]  # address below the site's base, and the link's text


@dataclass(frozen=True, slots=True)
class Page:
    """A page: its heading, its links to other pages that are compared, and what only an episode's page has."""

    heading: str
    footer: str
    links: frozenset[Link]
    elsewhere: tuple[str, ...] = ()  # links of notes and further reading, sorted
    shown: tuple[str, ...] = ()  # date, recording and summary


@dataclass(frozen=True, slots=True)
class Item:
    """An item of the feed."""

    title: str
    link: str
    published: datetime
    enclosure: tuple[str, str, str]
    number: str
    duration: str
    elsewhere: frozenset[str] = field(compare=False)  # links of its notes; some add the further reading


@dataclass(frozen=True, slots=True)
class Facts:
    """A site: its compared pages by address, the items in their order, and the addresses in the sitemap."""

    pages: dict[str, Page]
    items: tuple[Item, ...]
    guids: int  # how many different ones
    sitemap: frozenset[str]


def expected(corpus: Corpus, footer: str) -> Facts:
    """What every tool must make of a corpus."""
    pages = dict(_pages(corpus, footer))
    items = tuple(
        Item(
            title=episode.title,
            link=f"{corpus.url}episodes/{episode.slug}/",
            published=episode.published,
            enclosure=(episode.audio, str(episode.length), "audio/mpeg"),
            number=str(episode.number),
            duration=str(episode.duration),
            elsewhere=frozenset(LINKS.findall(episode.notes)),
        )
        for episode in corpus.newest_first
    )
    return Facts(pages, items, len(items), frozenset(pages))


def _pages(corpus: Corpus, footer: str) -> Iterator[tuple[str, Page]]:
    frame = frozenset({("", corpus.title), ("episodes/", "Episodes"), ("topics/", "Topics")})
    newest, topics = corpus.newest_first, corpus.topics

    def page(heading: str, *links: Link) -> Page:
        return Page(heading, footer, frame | frozenset(links))

    yield "", page(corpus.title, *map(_link, newest[:ON_HOME]))
    yield "episodes/", page("Episodes", *map(_link, newest))
    yield "topics/", page("Topics", *map(_topic, topics))
    for topic, episodes in topics.items():
        yield _topic(topic)[0], page(topic, *map(_link, episodes))
    for newer, episode, older in zip((None, *newest), newest, (*newest[1:], None), strict=False):
        links = [*map(_topic, episode.topics), *(_link(one) for one in (newer, older) if one)]
        elsewhere = [*LINKS.findall(episode.notes), *(one.url for one in episode.further_reading)]
        yield (
            _link(episode)[0],
            Page(
                heading=episode.title,
                footer=footer,
                links=frame | frozenset(links),
                elsewhere=tuple(sorted(elsewhere)),
                shown=(f"{episode.published:%Y-%m-%d}", episode.audio, clock(episode.duration), episode.summary),
            ),
        )


def _topic(name: str) -> Link:
    return f"topics/{slug_of(name)}/", name


def _link(episode: Episode) -> Link:
    return f"episodes/{episode.slug}/", episode.title


def read(output: Path, base: str) -> Facts:
    """What a built site says; `base` is its address."""
    found = {
        path.parent.relative_to(output).as_posix().removeprefix(".").rstrip("/"): path
        for path in output.rglob("index.html")
    }
    addresses = {f"{name}/" if name else "": path for name, path in found.items()}
    pages = {address: _page(path, address, base) for address, path in addresses.items() if COMPARED.fullmatch(address)}
    items = [_item(item) for item in etree.parse(str(output / "feed.xml")).iter("item")]
    guids = {guid.text for guid in etree.parse(str(output / "feed.xml")).iter("guid") if guid.text}
    listed = [str(loc.text) for loc in etree.parse(str(output / "sitemap.xml")).iter(SITEMAP)]
    inside = [url.removeprefix(base) for url in listed if url.startswith(base)]
    return Facts(_joined(pages), tuple(items), len(guids), frozenset(filter(COMPARED.fullmatch, inside)))


def _joined(pages: dict[str, Page]) -> dict[str, Page]:
    """Lists of several pages as one: tools cut them in other places, and count from the newest or from the oldest.

    A page that its list leads to by none of its pagers stays as it is, a page too many.
    """
    whole: dict[str, Page] = {}
    led_to = {address for page in pages.values() for address, text in page.links if text in PAGER}
    for address, page in sorted(pages.items()):
        front = re.sub(r"page/\d+/$", "", address)
        links = frozenset(link for link in page.links if link[1] not in PAGER)
        if address != front and address in led_to and front in whole:
            links |= whole[front].links
        else:
            front = address
        whole[front] = replace(page, links=links)
    return whole


def _page(path: Path, address: str, base: str) -> Page:
    tree = html.document_fromstring(path.read_bytes(), parser=html.HTMLParser(encoding="utf-8"))
    root = urlsplit(base).path
    links: set[Link] = set()
    elsewhere = []
    for link in tree.iter("a"):
        href = link.get("href", "")
        if href.startswith("https://") and not href.startswith(base):
            elsewhere.append(href)
            continue
        target = urljoin(root + address, href.removeprefix(base.removesuffix(root)))
        if target.startswith(root) and COMPARED.fullmatch(target.removeprefix(root)):
            links.add((target.removeprefix(root), _text(link)))
    is_episode = address.startswith("episodes/") and not re.fullmatch(r"episodes/(page/\d+/)?", address)
    return Page(
        heading=_text(next(tree.iter("h1"), None)),
        footer=_text(next(tree.iter("footer"), None)),
        links=frozenset(links),
        elsewhere=tuple(sorted(url for url in elsewhere if "/media." not in url)) if is_episode else (),
        shown=tuple(_shown(tree)) if is_episode else (),
    )


def _shown(tree: html.HtmlElement) -> Iterator[str]:
    time = next(tree.iter("time"), None)
    yield str(time.get("datetime"))[:10] if time is not None else ""
    yield from (str(audio.get("src")) for audio in tree.iter("audio"))
    line = _text(tree.find(".//p[@class='facts']")).split(" · ")
    yield line[1] if len(line) > 1 else ""
    yield _text(tree.find(".//p[@class='summary']"))


def _item(item: etree._Element) -> Item:
    enclosure = item.find("enclosure")

    def said(name: str) -> str:
        return str(enclosure.get(name)) if enclosure is not None else ""

    body = item.findtext(CONTENT) or "<p></p>"
    urls = (str(link.get("href")) for link in html.fragment_fromstring(body, create_parent="div").iter("a"))
    return Item(
        title=item.findtext("title") or "",
        link=item.findtext("link") or "",
        published=parsedate_to_datetime(item.findtext("pubDate") or ""),
        enclosure=(said("url"), said("length"), said("type")),
        number=item.findtext(f"{ITUNES}episode") or "",
        duration=_seconds(item.findtext(f"{ITUNES}duration") or ""),
        elsewhere=frozenset(urls),
    )


def _seconds(duration: str) -> str:
    """A duration of a feed in seconds, in whichever form it stands."""
    total = 0
    for part in duration.split(":"):
        total = total * 60 + int(part or 0)
    return str(total)


def _text(element: html.HtmlElement | None) -> str:
    return " ".join(element.text_content().split()) if element is not None else ""


def differences(wanted: Facts, found: Facts, at_most: int = 5) -> list[str]:
    """What a site lacks or has beyond what is wanted, in words; none where the work is the same."""
    return [line for lines in _differences(wanted, found) for line in lines[:at_most]]


def _differences(wanted: Facts, found: Facts) -> Iterator[list[str]]:
    yield [f"no page {address}" for address in sorted(wanted.pages.keys() - found.pages.keys())]
    yield [f"a page {address} too many" for address in sorted(found.pages.keys() - wanted.pages.keys())]
    yield [
        f"page {address or 'home'}: {line}"
        for address in sorted(wanted.pages.keys() & found.pages.keys())
        for line in _unlike(wanted.pages[address], found.pages[address])
    ]
    yield [f"feed: {len(found.items)} items, not {len(wanted.items)}"] if len(found.items) != len(wanted.items) else []
    yield [
        f"feed, item {number}: {found_one} instead of {wanted_one}"
        for number, (wanted_one, found_one) in enumerate(zip(wanted.items, found.items, strict=False), 1)
        if wanted_one != found_one or not wanted_one.elsewhere <= found_one.elsewhere
    ]
    yield [f"feed: {found.guids} guids, not {wanted.guids}"] if found.guids != wanted.guids else []
    yield [f"the sitemap lacks {address or 'home'}" for address in sorted(wanted.sitemap - found.sitemap)]


def _unlike(wanted: Page, found: Page) -> Iterator[str]:
    for name in ("heading", "footer", "elsewhere", "shown"):
        if getattr(wanted, name) != getattr(found, name):
            yield f"{name}: {getattr(found, name)!r} instead of {getattr(wanted, name)!r}"
    yield from (f"no link {link}" for link in sorted(wanted.links - found.links))
    yield from (f"a link {link} too many" for link in sorted(found.links - wanted.links))
