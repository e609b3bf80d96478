"""Our tags as a feedgen extension: the only place where they become XML.

feedgen 1.0.0 refuses `true` for itunes:explicit, drops artwork by its ending, and knows no Podcasting 2.0; an
extension may write tags of any namespace, after feedgen's own and before the items.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from feedgen.ext.base import BaseExtension
from feedgen.feed import FeedGenerator
from lxml import etree

from podsite.feeds.tags import Tag

#: Exactly as their specifications spell them: a reader that compares sees no tag under any other spelling.
NAMESPACES = {
    # https://help.apple.com/itc/podcasts_connect/#/itcb54353390
    "itunes": "http://www.itunes.com/dtds/podcast-1.0.dtd",
    # https://github.com/Podcastindex-org/podcast-namespace
    "podcast": "https://podcastindex.org/namespace/1.0",
    # https://podlove.org/simple-chapters/
    "psc": "http://podlove.org/simple-chapters",
    "atom": "http://www.w3.org/2005/Atom",
    # declared only where it is used
    "spotify": "http://www.spotify.com/ns/rss",
}


class FeedExtension(BaseExtension):  # type: ignore[misc]
    """Writes `tags` into the channel."""

    def __init__(self) -> None:
        self.tags: list[Tag] = []
        self.is_dated = True

    def extend_ns(self) -> dict[str, str]:
        """The namespaces of all our tags, declared once at the root."""
        used = {tag.name.partition(":")[0] for tag in self.tags}
        return {prefix: uri for prefix, uri in NAMESPACES.items() if prefix != "spotify" or prefix in used}

    def extend_rss(self, feed: etree._Element) -> etree._Element:
        """Append the channel's tags; feedgen calls this before it appends the items."""
        channel = feed[0]
        built = channel.find("lastBuildDate")
        if built is not None and not self.is_dated:
            channel.remove(built)  # else feedgen would have stamped the clock
        append(channel, self.tags)
        return feed


def register(feed: FeedGenerator) -> None:
    """Give a feed the attribute `podsite` with our extension."""
    feed.register_extension("podsite", FeedExtension, atom=False)


def append(parent: etree._Element, tags: Iterable[Tag]) -> None:
    """Write tags behind what an element holds."""
    for tag in tags:
        element = etree.SubElement(parent, _full(tag.name), dict(tag.attributes))
        if tag.text is not None:
            element.text = tag.text
        append(element, tag.children)


@cache
def _full(name: str) -> str:
    """A tag's name as lxml writes it."""
    prefix, _, own = name.rpartition(":")
    return f"{{{NAMESPACES[prefix]}}}{own}" if prefix else own
