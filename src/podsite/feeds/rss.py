"""The RSS feeds of a show, spliced of channels and items that are made once per content.

Nothing here looks at the clock, the machine's zone or its locale: dates come from the content, so that the same
content gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from podsite import urls
from podsite.artifacts import Artifact
from podsite.aside import Aside, Laid, laid
from podsite.cache import Cache, digest
from podsite.crew import Crew
from podsite.errors import Problem
from podsite.feeds import END, JSON_FEED, Document, Feed, described, editions, jsonfeed, keys, opml, texts
from podsite.feeds.described import DESCRIPTION_BYTES
from podsite.feeds.editions import Edition
from podsite.feeds.items import Items
from podsite.feeds.tags import Source
from podsite.model import Episode
from podsite.read import Content
from podsite.roots import SHOW
from podsite.site import Entry, Site

if TYPE_CHECKING:
    from podsite.marks import Marks
    from podsite.notes import Rendered


def rss(  # noqa: PLR0913 - what a feed is made of, and with
    site: Site,
    notes: Mapping[str, Rendered],
    *,
    content: Content,
    description_html: str,
    cache: Cache,
    crew: Crew | None = None,
    marks: Marks | None = None,
    aside: Aside | None = None,
) -> Feed:
    """The feed of a site, with all that is written beside it.

    `notes` are the rendered show notes by slug, `description_html` the show's description as HTML for feeds.
    Warnings tell of episodes and facts that are left out, with the line they come from. What is large and asked for
    late is put `aside`, where that is given.
    """
    aside = aside or Aside(None)
    source = Source(site, content, editions.main(site))
    items = Items(source, notes, cache, marks)
    items.prepare(crew or Crew())
    writer = _Writer(source, items, description_html, cache, aside)
    main = writer.document(source.edition)
    others = [writer.document(edition) for edition in (*editions.archive(site), *editions.by_choice(site))]
    about = texts.plain(writer.about)
    beside = [Artifact(urls.output_file(one.path), one.content, SHOW) for one in others]
    beside.append(Artifact(JSON_FEED, _light(jsonfeed.json_feed(source, writer.items.json(), about), aside), SHOW))
    beside.append(Artifact(opml.PATH, opml.opml(source, about), SHOW))
    own = content.published
    return Feed(
        documents=(main, *(one for one in others if urls.output_file(one.path) not in own)),
        problems=tuple(_problems(source, writer.about, main.size)),
        others=tuple(artifact for artifact in beside if artifact.path not in own),
        made=writer.items.made,
        keys=writer.items.keys,
    )


def _light(content: Iterator[bytes], aside: Aside) -> bytes | Laid:
    """What is hardly read until it is written, out of memory where it is large."""
    begun = bytearray()
    for piece in content:
        begun += piece
        if len(begun) > _LIGHT_BYTES:
            return laid(chain((bytes(begun),), content), aside)
    return bytes(begun)


#: Bytes of a feed beyond which it is advised to shorten it, and those it is shortened to. Apps look once an hour, and
#: hosts keep feeds below one megabyte; yet shows of 500 episodes have six in real life, and no harm.
_HEAVY_BYTES, _LIGHT_BYTES = 10_000_000, 1_000_000
_FEW = 50  # episodes; no feed is advised to hold fewer


class _Writer:
    """Writes the feeds of a site; `about` is the show's description in the few tags of descriptions."""

    def __init__(self, source: Source, items: Items, description_html: str, cache: Cache, aside: Aside) -> None:
        self.items = items
        self._aside = aside
        self._source = source
        self._pack = cache.pack("feed-channel")
        key = digest(b"about", description_html)
        about = self._pack.get(key)
        if about is None:
            about = described.reduced(texts.printable(description_html)).encode()
            self._pack.put(key, about)
        self.about = about.decode()

    def document(self, edition: Edition) -> Document:
        """One feed as a file."""
        source = replace(self._source, edition=edition)
        key, channel = self._channel(source)
        begin = channel.removesuffix(END)
        names, cuts = list[bytes](), [len(begin)]

        def pieces() -> Iterator[bytes]:
            yield begin
            for name, xml in self.items.rss(source):
                names.append(name)
                cuts.append(cuts[-1] + len(xml))
                yield xml
            yield END

        content = _light(pieces(), self._aside)
        return Document(edition.path, content, digest(key, *names), tuple(names), tuple(cuts))

    def _channel(self, source: Source) -> tuple[bytes, bytes]:
        key = digest(b"channel", keys.of_channel(source, self.about))
        channel = self._pack.get(key)
        if channel is None:
            from podsite.feeds.assembly import channel_xml

            channel = channel_xml(source, self._about(source.edition))
            self._pack.put(key, channel)
        return key, channel

    def _about(self, edition: Edition) -> str:
        """The show's description; in a feed of a part behind what that is, as far as there is room."""
        return described.description(edition.intro + self.about, "") if edition.intro else self.about


def _problems(source: Source, description_html: str, feed_bytes: int) -> Iterator[Problem]:
    content, entries = source.content, source.edition.entries

    def problem(episode: Episode | None, path: str, message: str) -> Problem:
        return Problem(content.place(episode.file if episode else SHOW, path), path, message, "warning")

    size = len(description_html.encode())
    if size > DESCRIPTION_BYTES:
        yield problem(None, "description", _too_long(size))
    if not entries:
        yield problem(None, "", "the feed has no episode yet; directories take a show with its first one")
    if feed_bytes > _HEAVY_BYTES and len(entries) > 2 * _FEW and source.site.show.feed.limit is None:
        yield problem(None, "feed.limit", _too_heavy(len(entries), feed_bytes))
    for path, message in editions.unmatched(source.site):
        yield problem(None, path, message)
    for entry in source.site.entries:
        if not entry.audio:
            text = "left out of the feed, since podcast apps need something to play; add 'audio'"
            yield problem(entry.episode, "audio", text)
    for entry in entries:
        for path, message in _flaws(entry):
            yield problem(entry.episode, path, message)


def _flaws(entry: Entry) -> Iterator[tuple[str, str]]:
    episode = entry.episode
    for path, number in (("number", episode.number), ("season", episode.season)):
        if number == 0:
            yield path, f"Apple takes no {path} 0, so the feed leaves it out there; pages keep it"
    size = len(episode.summary.encode())
    if size > DESCRIPTION_BYTES:
        yield "summary", _too_long(size)


def _too_heavy(episodes: int, size: int) -> str:
    """The advice to write a limit. Which one is up to the show, since what is not in the feed is not listed either."""
    limit = max(episodes * _LIGHT_BYTES // size // _FEW * _FEW, _FEW)
    light = limit * size / episodes / 1_000_000
    return (
        f"the feed has {episodes:,} episodes and {size / 1_000_000:,.0f} MB, which apps load again with every change; "
        f"'feed: {{limit: {limit}}}' makes it about {light:,.0f} MB and puts older ones on archive pages, "
        f"which few apps read; 'limit: {-(-episodes // 1000) * 1000}' keeps all"
    )


def _too_long(size: int) -> str:
    return f"{size:,} bytes is more than the {DESCRIPTION_BYTES:,} that Apple takes; make it shorter"
