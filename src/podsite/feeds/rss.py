"""The show's RSS feed: feedgen assembles what it does right, our extension adds the rest, podsite decides.

Nothing here looks at the clock, the machine's zone or its locale: dates come from the content, so that the same
content gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from podsite import __version__, urls
from podsite.errors import Problem
from podsite.feeds import Feed, channel, described, item, texts
from podsite.feeds.described import DESCRIPTION_BYTES
from podsite.feeds.tags import Source
from podsite.model import Episode
from podsite.parts import Enclosure
from podsite.read import Content
from podsite.site import Audio, Entry, Site

if TYPE_CHECKING:
    from podsite.notes import Rendered

_DOCS = "https://www.rssboard.org/rss-specification"


def rss(site: Site, notes: Mapping[str, Rendered], *, content: Content, description_html: str) -> Feed:
    """The feed of a site.

    `notes` are the rendered show notes by slug, `description_html` the show's description as HTML for feeds.
    Warnings tell of episodes and facts that are left out, with the line they come from.
    """
    source = Source(site, content)
    description_html = described.reduced(texts.printable(description_html))
    playable = [entry for entry in site.entries if entry.audio]
    entries = playable[: site.show.feed.limit]
    feed = _channel(source, description_html, is_dated=bool(entries))
    for entry in entries:
        rendered = notes.get(entry.episode.slug)
        _add(feed, source, entry, rendered.feed_html if rendered else "")
    # feedgen's own declaration has single quotes, which some readers that look at the first bytes do not expect
    xml = b'<?xml version="1.0" encoding="UTF-8"?>\n' + feed.rss_str(pretty=True, xml_declaration=False)
    _read_back(xml, len(entries))
    return Feed(xml, len(entries), tuple(_problems(source, entries, description_html)))


def enclosure_url(source: Source, audio: Audio) -> str:
    """The address apps download from: complete, percent-encoded, with the analytics prefix if there is one.

    A prefix takes the address without `https://`, but with `http://`, or it would ask the wrong server.
    """
    url = source.page(audio.address)
    prefix = source.site.show.feed.prefix
    if not prefix or not url.startswith(("https://", "http://")) or url.startswith(prefix):
        return url
    return prefix.rstrip("/") + "/" + url.removeprefix("https://")


def _channel(source: Source, description_html: str, *, is_dated: bool) -> Any:
    from feedgen.feed import FeedGenerator
    from lxml.etree import CDATA

    from podsite.feeds import namespaces

    show, site = source.site.show, source.site
    home = source.page(urls.HOME)
    feed = FeedGenerator()
    feed.load_extension("podcast", atom=False)
    namespaces.register(feed)
    feed.title(show.title)
    feed.link(href=source.page(show.feed.path), rel="self", type="application/rss+xml")
    feed.link(href=home, rel="alternate")  # last: feedgen takes the last link for the channel's own
    feed.description(CDATA(description_html))
    feed.language(show.language.lower())
    feed.generator(f"podsite {__version__}")
    feed.docs(_DOCS)
    feed.image(url=source.page(site.artwork.address), title=show.title, link=home)
    feed.copyright(show.copyright)
    feed.lastBuildDate(site.updated)
    feed.podcast.itunes_author(show.author)
    feed.podcast.itunes_type(show.order)
    feed.podcast.itunes_new_feed_url(show.feed.new_feed_url)
    feed.podcast.itunes_category([_category(*names) for names in dict.fromkeys(show.categories)])
    if show.owner:
        feed.podcast.itunes_owner(name=show.owner.name, email=show.owner.email)
    feed.podsite.is_dated = is_dated
    feed.podsite.tags = list(channel.tags(source))
    return feed


def _category(name: str, below: str | None) -> dict[str, str]:
    return {"cat": name, "sub": below} if below else {"cat": name}


def _add(feed: Any, source: Source, entry: Entry, notes_html: str) -> None:
    from lxml.etree import CDATA

    episode, audio = entry.episode, entry.audio
    full = texts.content(source, entry, notes_html)
    # appended, since feedgen would turn the order round; apps take the first item for the newest
    added = feed.add_entry(order="append")
    added.title(episode.title)
    # this site's page, where notes, transcript and chapters are; the original elsewhere is linked in the text
    added.link(href=source.page(entry.address))
    added.description(CDATA(described.description(full, texts.closing(source, entry))))
    added.content(full, type="CDATA")
    added.guid(entry.guid, permalink=False)
    added.pubDate(entry.feed_date)
    added.category([{"term": topic.name} for topic in entry.topics])
    if audio:
        added.enclosure(enclosure_url(source, audio), audio.length or 0, audio.type)
        if audio.duration:
            added.podcast.itunes_duration(audio.duration)
    added.podcast.itunes_season(episode.season or None)
    added.podcast.itunes_episode(episode.number or None)
    added.podcast.itunes_episode_type(episode.kind)
    added.podsite.tags = list(item.tags(source, entry))


def _read_back(xml: bytes, items: int) -> None:
    """Parse what was written: a feed that no app can read must not leave the house."""
    from lxml import etree

    try:
        root = etree.fromstring(xml, etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True))
    except etree.XMLSyntaxError as error:
        raise RuntimeError(f"podsite wrote a feed that is not well-formed XML: {error}") from error
    found = len(root.findall("channel/item"))
    if found != items:
        raise RuntimeError(f"podsite wrote a feed with {found} items in place of {items}")


def _problems(source: Source, entries: list[Entry], description_html: str) -> Iterator[Problem]:
    content = source.content

    def problem(episode: Episode | None, path: str, message: str) -> Problem:
        return Problem(content.place(episode.file if episode else "show.yaml", path), path, message, "warning")

    size = len(description_html.encode())
    if size > DESCRIPTION_BYTES:
        yield problem(None, "description", _too_long(size))
    if not entries:
        yield problem(None, "", "the feed has no episode yet; directories take a show with its first one")
    for entry in source.site.entries:
        if not entry.audio:
            text = "left out of the feed, since podcast apps need something to play; add 'audio'"
            yield problem(entry.episode, "audio", text)
    for entry in entries:
        for path, message in _flaws(entry):
            yield problem(entry.episode, path, message)


def _flaws(entry: Entry) -> Iterator[tuple[str, str]]:
    episode, audio = entry.episode, entry.audio
    if audio and not audio.length:
        yield (
            "audio",
            f"the length of {_named(episode.audio)} is not known, and many apps refuse 0; add 'length' (bytes)",
        )
    if audio and not audio.duration:
        yield "audio", f"the duration of {_named(episode.audio)} is not known, so apps show none; add 'duration'"
    for path, number in (("number", episode.number), ("season", episode.season)):
        if number == 0:
            yield path, f"Apple takes no {path} 0, so the feed leaves it out there; pages keep it"
    size = len(episode.summary.encode())
    if size > DESCRIPTION_BYTES:
        yield "summary", _too_long(size)


def _named(audio: Enclosure | None) -> str:
    return f"'{audio.file or audio.url}'" if audio else "the audio"


def _too_long(size: int) -> str:
    return f"{size:,} bytes is more than the {DESCRIPTION_BYTES:,} that Apple takes; make it shorter"
