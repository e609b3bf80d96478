"""The feeds of a site. Nothing heavy is imported until an item is made: `podsite.feeds.rss.rss`."""

from __future__ import annotations

from collections.abc import Iterator

from podsite import urls
from podsite.artifacts import Artifact
from podsite.errors import Problem
from podsite.records import dataclass
from podsite.site import Site

#: How a feed of ours ends after its items.
END = b"  </channel>\n</rss>\n"


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """An RSS feed as it is written: its path in the site, its bytes, and what these are made of.

    `key` tells the feed from any other, `items` each of its items; equal ones have equal bytes. The items lie between
    the offsets `cuts`, one more than there are items.
    """

    path: str
    xml: bytes
    key: bytes
    items: tuple[bytes, ...]
    cuts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Feed:
    """The RSS feeds of a show, its own first, and warnings about what was left out.

    `others` are the feeds and lists beside it: archive pages, feeds of topics and formats, JSON Feed, OPML. `made` is
    how many items were not in the cache.
    """

    documents: tuple[Document, ...]
    problems: tuple[Problem, ...]
    others: tuple[Artifact, ...]
    made: int

    @property
    def xml(self) -> bytes:
        """The show's own feed as it is written."""
        return self.documents[0].xml

    @property
    def items(self) -> int:
        """How many items the show's own feed holds."""
        return len(self.documents[0].items)


def artifacts(site: Site, feed: Feed) -> Iterator[Artifact]:
    """The feed at its path, the same bytes at every old path, where a static host cannot redirect, and the others."""
    settings = site.show.feed
    for path in dict.fromkeys((settings.path, *settings.aliases)):
        yield Artifact(urls.output_file(path), feed.xml, "show.yaml")
    yield from feed.others
