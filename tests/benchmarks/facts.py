"""What a built site says: pages, links between them, and the items of the feed; told by the corpus or read back.

The two must be equal, or the tools compared did not do the same work.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from lxml import etree, html

from benchmarks.corpus import Corpus, Episode, clock, slug_of

ON_PAGE = 20  # episodes on a page of the index
OF_TOPIC = 50  # and of a topic
ON_HOME = 9
COMPARED = re.compile(r"((episodes|topics)/((?!.*/reading/).+/)?)?")
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


def expected(corpus: Corpus, footer: str, *, from_oldest: bool) -> Facts:
    """What every tool must make of a corpus. Pages of lists may be cut `from_oldest`, as podsite does."""
    pages = dict(_pages(corpus, footer, from_oldest=from_oldest))
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
    return Facts(pages, items, len(items), frozenset(address for address in pages if "/page/" not in address))


def _pages(corpus: Corpus, footer: str, *, from_oldest: bool) -> Iterator[tuple[str, Page]]:
    frame = frozenset({("", corpus.title), ("episodes/", "Episodes"), ("topics/", "Topics")})
    newest, topics = corpus.newest_first, corpus.topics
    lists = [("episodes/", "Episodes", newest, ON_PAGE)]
    lists += [(*_topic(name), tuple(episodes), OF_TOPIC) for name, episodes in topics.items()]

    yield "", Page(corpus.title, footer, frame | {_link(episode) for episode in newest[:ON_HOME]})
    yield "topics/", Page("Topics", footer, frame | {_topic(topic) for topic in topics})
    for address, heading, episodes, size in lists:
        for part, links in _parts(address, episodes, size, from_oldest=from_oldest):
            yield part, Page(heading, footer, frame | links)
    for newer, episode, older in zip((None, *newest), newest, (*newest[1:], None), strict=False):
        around = {_link(one) for one in (newer, older) if one}
        elsewhere = [*LINKS.findall(episode.notes), *(one.url for one in episode.further_reading)]
        yield (
            _link(episode)[0],
            Page(
                heading=episode.title,
                footer=footer,
                links=frame | around | {_topic(topic) for topic in episode.topics},
                elsewhere=tuple(sorted(elsewhere)),
                shown=(f"{episode.published:%Y-%m-%d}", episode.audio, clock(episode.duration), episode.summary),
            ),
        )


def _parts(
    address: str, episodes: tuple[Episode, ...], size: int, *, from_oldest: bool
) -> Iterator[tuple[str, frozenset[Link]]]:
    """The pages of a list, newest episodes first, with their links.

    From the newest, the last page holds the rest; `from_oldest` the first page has it besides its own and they are
    numbered the other way round.
    """
    count = max(1, len(episodes) // size) if from_oldest else -(-len(episodes) // size)
    rest = len(episodes) - count * size if from_oldest else 0
    numbers = range(count, 0, -1) if from_oldest else range(1, count + 1)
    addresses = [address, *(f"{address}page/{number}/" for number in numbers[1:])]
    for at, part in enumerate(addresses):
        links = {_link(episode) for episode in episodes[at * size + (rest if at else 0) : (at + 1) * size + rest]}
        links |= {(addresses[at - 1], "Newer episodes")} if at else set()
        links |= {(addresses[at + 1], "Older episodes")} if at + 1 < count else set()
        yield part, frozenset(links)


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
    return Facts(pages, tuple(items), len(guids), frozenset(filter(COMPARED.fullmatch, inside)))


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
