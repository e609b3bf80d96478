"""The files beside an episode, chapters and transcripts, and the rule that they are there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from podsite.feeds.rules.items import seconds
from podsite.feeds.rules.rule import Feed, Hit, Hits, LocalFile, rule, shown
from podsite.feeds.rules.tree import Node

_ENDLESS = 10**12  # seconds; nothing is that long
SLACK = 2.0  # seconds: durations are rounded, and encoders add silence


def files(feed: Feed, name: str) -> Iterator[tuple[Node, LocalFile]]:
    """The podcast: elements of a name with the local files they point to."""
    for node in feed.of_podcast(name):
        file = feed.file((node.get("url") or "").strip())
        if file:
            yield node, file


def lasts(node: Node) -> int | None:
    """The duration of the episode a node is of, in seconds."""
    return seconds(node.part.text_of("itunes:duration"))


@rule(
    "companion-missing",
    "podcast20",
    "error",
    reason="The feed promises a file that the site does not have; players wait for it, and some stop.",
    remedy="add the file, or leave the tag out",
    source="serious-bg PR 323; anytime_podcast_player 56",
)
def missing(feed: Feed) -> Hits:
    """Points to chapters and transcripts that are there."""
    for name in ("podcast:chapters", "podcast:transcript"):
        for node, file in files(feed, name):
            if file.size is None:
                url = node.get("url") or ""
                yield Hit(node, f"the site has no file for '{shown(url)}'", url)


def is_number(found: Any) -> bool:
    """Whether JSON gave a number of seconds; Infinity, which Python's reader takes too, is none."""
    return isinstance(found, int | float) and not isinstance(found, bool) and 0 <= found < _ENDLESS


def clock_seconds(hours: str | None, minutes: str, whole: str, fraction: str | None) -> float:
    """A point in time from the parts of `01:02:03.500`."""
    return int(hours or 0) * 3600 + int(minutes) * 60 + int(whole) + float(f"0.{fraction or 0}")
