"""The feeds of a site. Nothing heavy is imported until a feed is made: `podsite.feeds.rss.rss`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from podsite import urls
from podsite.artifacts import Artifact
from podsite.errors import Problem
from podsite.site import Site


@dataclass(frozen=True, slots=True)
class Feed:
    """The show's RSS feed as it is written: its bytes, how many items it holds, and warnings about what was left out.

    `others` are the feeds and lists beside it: archive pages, feeds of topics and formats, JSON Feed, OPML.
    """

    xml: bytes
    items: int
    problems: tuple[Problem, ...]
    others: tuple[Artifact, ...] = ()


def artifacts(site: Site, feed: Feed) -> Iterator[Artifact]:
    """The feed at its path, the same bytes at every old path, where a static host cannot redirect, and the others."""
    settings = site.show.feed
    for path in dict.fromkeys((settings.path, *settings.aliases)):
        yield Artifact(urls.output_file(path), feed.xml, "show.yaml")
    yield from feed.others


def documents(site: Site, feed: Feed) -> Iterator[tuple[str, bytes]]:
    """Every RSS feed of the site that differs from the others, by its path."""
    yield site.show.feed.path, feed.xml
    for other in feed.others:
        if isinstance(other.content, bytes) and b"<rss" in other.content[:200]:
            yield other.path, other.content
