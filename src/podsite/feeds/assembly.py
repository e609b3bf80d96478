"""Channels and items as XML: feedgen assembles what it does right, our extension adds the rest.

Each is made alone, so that a feed of ten thousand items is never a tree, and read back before it goes on: what no app
can read must not leave the house.
"""

from __future__ import annotations

from email.utils import format_datetime
from xml.parsers.expat import ExpatError, ParserCreate

from feedgen.entry import FeedEntry
from feedgen.feed import FeedGenerator
from lxml import etree

from podsite import __version__
from podsite.feeds import END, channel, item, namespaces, texts
from podsite.feeds.media import enclosure_url
from podsite.feeds.tags import Source
from podsite.site import Audio, Entry

_DOCS = "https://www.rssboard.org/rss-specification"
_HEAD = b"<channel>\n"
#: What items use: all but Spotify's, which has tags for channels only.
_SPACES = {prefix: uri for prefix, uri in namespaces.NAMESPACES.items() if prefix != "spotify"} | {
    "content": "http://purl.org/rss/1.0/modules/content/"
}


def channel_xml(source: Source, about: str) -> bytes:
    """A feed without items; `about` is its description as HTML."""
    show, site, edition = source.site.show, source.site, source.edition
    home = source.page(edition.page)
    feed = FeedGenerator()
    feed.load_extension("podcast", atom=False)
    namespaces.register(feed)
    feed.title(edition.title)
    feed.link(href=source.page(edition.path), rel="self", type="application/rss+xml")
    feed.link(href=home, rel="alternate")  # last: feedgen takes the last link for the channel's own
    feed.description(etree.CDATA(about))
    feed.language(show.language.lower())
    feed.generator(f"podsite {__version__}")
    feed.docs(_DOCS)
    feed.image(url=source.page(site.artwork.address), title=edition.title, link=home)
    feed.copyright(texts.holder(show.copyright))
    feed.lastBuildDate(max((entry.feed_date for entry in edition.entries), default=site.updated))
    feed.podcast.itunes_author(show.author)
    feed.podcast.itunes_type(show.order)
    if edition.guid == site.guid:  # the other feeds did not move with the show's
        feed.podcast.itunes_new_feed_url(show.feed.new_feed_url)
    feed.podcast.itunes_category([_category(*names) for names in dict.fromkeys(show.categories)])
    if show.owner:
        feed.podcast.itunes_owner(name=show.owner.name, email=show.owner.email)
    feed.podsite.is_dated = bool(edition.entries)
    feed.podsite.tags = list(channel.tags(source))
    # feedgen's own declaration has single quotes, which some readers that look at the first bytes do not expect
    xml: bytes = b'<?xml version="1.0" encoding="UTF-8"?>\n' + feed.rss_str(pretty=True, xml_declaration=False)
    _read_back(xml)
    if not xml.endswith(END):
        raise RuntimeError("feedgen ends a feed in another way than podsite expects")
    return xml


def item_xml(source: Source, entry: Entry, audio: Audio | None, full: str, short: str) -> bytes:
    """An item as it stands in a feed; `full` is all there is to read about it, `short` what Apple shows of that."""
    episode = entry.episode
    made = FeedEntry()
    made.load_extension("podcast", atom=False)
    made.title(episode.title)
    # this site's page, where notes, transcript and chapters are; the original elsewhere is linked in the text
    made.link(href=source.page(entry.address))
    made.description(etree.CDATA(short))
    made.content(full, type="CDATA")
    made.guid(entry.guid, permalink=False)
    made.category([{"term": topic.name} for topic in entry.topics])
    if audio:
        made.enclosure(enclosure_url(source, audio), audio.length or 0, audio.type)
        if audio.duration:
            made.podcast.itunes_duration(audio.duration)
    made.podcast.itunes_season(episode.season or None)
    made.podcast.itunes_episode(episode.number or None)
    made.podcast.itunes_episode_type(episode.kind)
    # first into a feed, which declares the namespaces: each tag outside would declare its own, at twice the time
    root = etree.Element("rss", nsmap=_SPACES, version="2.0")
    element = made.rss_entry(extensions=False)
    etree.SubElement(root, "channel").append(element)
    # by hand: for each date, feedgen switches the locale of the process three times
    etree.SubElement(element, "pubDate").text = format_datetime(entry.feed_date)
    made.podcast.extend_rss(element)
    namespaces.append(element, item.tags(source, entry))
    xml: bytes = etree.tostring(root, pretty_print=True, encoding="UTF-8", xml_declaration=False)
    _read_back(xml)
    return xml[xml.index(_HEAD) + len(_HEAD) : -len(END)]


def _category(name: str, below: str | None) -> dict[str, str]:
    return {"cat": name, "sub": below} if below else {"cat": name}


def _read_back(xml: bytes) -> None:
    """Let a parser have it that did not write it."""
    try:
        ParserCreate(namespace_separator=" ").Parse(xml, True)
    except ExpatError as error:
        raise RuntimeError(f"podsite wrote a feed that is not well-formed XML: {error}") from error
