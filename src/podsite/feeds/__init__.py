"""The feeds of a site. Nothing heavy is imported until an item is made: `podsite.feeds.rss.rss`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from podsite import urls
from podsite.artifacts import Artifact
from podsite.aside import Laid
from podsite.errors import Problem
from podsite.records import dataclass
from podsite.site import Site

#: Where the JSON Feed is, and what it is.
JSON_FEED, JSON_FEED_TYPE = "feed.json", "application/feed+json"
#: How a feed of ours ends after its items.
END = b"  </channel>\n</rss>\n"


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """An RSS feed as it is written: its path in the site, its bytes, and what these are made of.

    `key` tells the feed from any other, `items` each of its items; equal ones have equal bytes. The items lie between
    the offsets `cuts`, one more than there are items.
    """

    path: str
    content: bytes | Laid
    key: bytes
    items: tuple[bytes, ...]
    cuts: tuple[int, ...]

    @property
    def xml(self) -> bytes:
        """Its bytes, read anew each time where they were laid aside. Raises OSError when they cannot be read."""
        return self.content if isinstance(self.content, bytes) else self.content.read()

    def part(self, start: int, end: int) -> bytes:
        """Its bytes from one offset to another. Raises OSError as `xml` does."""
        return self.content[start:end] if isinstance(self.content, bytes) else self.content.part(start, end)

    @property
    def size(self) -> int:
        """How many bytes it has."""
        return len(self.content) if isinstance(self.content, bytes) else self.content.length


@dataclass(frozen=True, slots=True)
class Feed:
    """The RSS feeds of a show, its own first, and warnings about what was left out.

    `others` are the feeds and lists beside it: archive pages, feeds of topics and formats, JSON Feed, OPML. `made` is
    how many items were not in the cache; `keys` are those of the show's own items, by slugs.
    """

    documents: tuple[Document, ...]
    problems: tuple[Problem, ...]
    others: tuple[Artifact, ...]
    made: int
    keys: Mapping[str, bytes]

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
        yield Artifact(urls.output_file(path), feed.documents[0].content, "show.yaml")
    yield from feed.others
