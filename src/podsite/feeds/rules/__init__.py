"""The named rules a feed is judged by. A new one is a function of a few lines under `@rule` in one of these modules."""

from __future__ import annotations

from podsite.feeds.rules import (
    addresses,
    artwork,
    categories,
    channel,
    channel_more,
    chapters,
    companions,
    dates,
    document,
    enclosures,
    guids,
    html,
    items,
    lengths,
    podcast20,
    podcast_parts,
    podcast_values,
    tags,
    texts,
    transcripts,
)
from podsite.feeds.rules.document import EARLY
from podsite.feeds.rules.rule import ALL, TABLE, Feed, Hit, Rule, rule

__all__ = ["ALL", "EARLY", "RULES", "Feed", "Hit", "Rule", "rule"]

#: By subject, in the order the reference shows them; importing a module adds its rules.
MODULES = (
    document, tags, channel, categories, channel_more, items, guids, dates, texts, html, addresses, enclosures, lengths,
    artwork, podcast20, podcast_values, podcast_parts, companions, chapters, transcripts,
)  # fmt: skip

#: Every rule.
RULES: tuple[Rule, ...] = tuple(
    one for module in MODULES for one in TABLE.values() if one.broken.__module__ == module.__name__
)
