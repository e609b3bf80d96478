"""Rules about tags as such: their names, their place, how often they come, and that they hold something."""

from __future__ import annotations

from itertools import pairwise

from podsite.errors import hint
from podsite.feeds.rules import names
from podsite.feeds.rules.rule import ALL, Feed, Hit, Hits, rule
from podsite.feeds.rules.tree import Node, Part

#: Attributes without which an element says nothing.
_NEEDED = {
    "enclosure": ("url", "type"),
    "itunes:image": ("href",),
    "itunes:category": ("text",),
    "atom:link": ("href",),
    "media:thumbnail": ("url",),
}
#: Elements whose text is what they say; an empty one is worse than none.
_TEXTS = (
    "title", "link", "description", "language", "guid", "pubDate", "lastBuildDate", "content:encoded",
    "itunes:author", "itunes:title", "itunes:type", "itunes:explicit", "itunes:duration", "itunes:episode",
    "itunes:season", "itunes:episodeType", "itunes:new-feed-url",
)  # fmt: skip


@rule(
    "tag-case",
    ALL,
    "error",
    reason="XML tells capitals from small letters, so a tag in another case is ignored.",
    remedy="write the tag as its specification does",
    source="Apple 823",
)
def tag_case(feed: Feed) -> Hits:
    """Writes known tags in the right case."""
    for node in feed.each(*sorted(feed.tree.miscased)):
        if not node.name.endswith(node.written):
            yield Hit(node, f"expected <{node.name}>, found <{node.written}>", node.written)


def _unknown(feed: Feed, prefix: str, known: frozenset[str]) -> Hits:
    for name, nodes in feed.by_name.items():
        if name.startswith(prefix) and name not in known:
            tip = hint(name, known)
            yield from (Hit(node, f"unknown tag <{name}>{tip}", name) for node in nodes)


@rule(
    "rss-unknown",
    "rss",
    "warning",
    reason="A tag that RSS does not know is ignored, so what it says is lost.",
    remedy="use the tag that RSS 2.0 has for it, or one of a namespace",
    source="RSS 2.0; W3C UndefinedElement",
)
def rss_unknown(feed: Feed) -> Hits:
    """Uses only RSS's own tags where no namespace is named."""
    both = names.RSS_ITEM & names.RSS_CHANNEL
    for name, nodes in feed.by_name.items():
        for node in nodes if name not in both and ":" not in name else ():
            parent = node.parent.part if node.parent else feed.channel
            known = names.RSS_ITEM if parent.is_item else names.RSS_CHANNEL
            if name not in known:
                yield Hit(node, f"<{name}> is no tag of {_called(parent)}{hint(name, known)}", name)


def _called(part: Part) -> str:
    return "an item" if part.is_item else "the channel"


@rule(
    "itunes-unknown",
    "apple",
    "warning",
    reason="A tag Apple does not know is ignored, so what it says is lost.",
    remedy="use a tag of Apple's list",
    source="Apple, A Podcaster's Guide to RSS",
)
def itunes_unknown(feed: Feed) -> Hits:
    """Uses only itunes: tags that exist."""
    return _unknown(feed, "itunes:", names.ITUNES)


@rule(
    "p20-unknown",
    "podcast20",
    "warning",
    reason="A tag the namespace does not have is ignored, so what it says is lost.",
    remedy="use a tag of the Podcasting 2.0 namespace",
    source="podcast-namespace docs/tags",
)
def podcast_unknown(feed: Feed) -> Hits:
    """Uses only podcast: tags that exist."""
    return _unknown(feed, "podcast:", names.PODCAST)


@rule(
    "rss-once",
    ALL,
    "error",
    reason="Of two tags where one belongs, some readers take the first and some the last.",
    remedy="keep one of them",
    source="RSS 2.0; W3C DuplicateElement",
)
def once(feed: Feed) -> Hits:
    """Has each single tag once."""
    for name in names.ONCE:
        for before, node in pairwise(feed.by_name.get(name, ())):
            if before.parent is node.parent:
                yield Hit(node, f"<{name}> comes more than once in {_called(node.part)}")


@rule(
    "rss-item-last",
    "rss",
    "warning",
    reason="Readers that stream stop looking for the show's facts at the first item.",
    remedy="write all items after the channel's other tags",
    source="RSS profile by W3C MisplacedItem",
)
def item_last(feed: Feed) -> Hits:
    """Has its items at the end."""
    seen = False
    for node in feed.channel.nodes:
        if node.name == "item":
            seen = True
        elif seen:
            yield Hit(node, f"<{node.name}> stands after an item", node.name)


@rule(
    "value-empty",
    ALL,
    "error",
    reason="An empty tag is read as a wrong value: an empty e-mail or GUID gets feeds refused, where none would not.",
    remedy="fill it or leave the tag out",
    source="AzuraCast PR 4840; starter-kit-podcaster 3",
)
def empty(feed: Feed) -> Hits:
    """Has no empty tag where a value belongs."""
    owners = [node for owner in feed.channel.all("itunes:owner") for node in owner.children]
    for node in (*feed.each(*_TEXTS), *owners):
        if not node.text.strip() and node.is_text:
            yield Hit(node, f"<{node.name}> is empty")
    for node in feed.each(*_NEEDED):
        for attribute in _NEEDED[node.name]:
            if not (node.get(attribute) or "").strip() and not _is_old_category(node):
                yield Hit(node, f"<{node.name}> has no {attribute}")


def _is_old_category(node: Node) -> bool:
    return node.name == "itunes:category" and bool(node.text.strip())  # apple-category says more about it


@rule(
    "text-elements",
    ALL,
    "error",
    reason="HTML that is not escaped becomes elements of the feed, and readers show nothing of it.",
    remedy="put the HTML into CDATA, or escape it",
    source="Apple, A Podcaster's Guide to RSS; case PRX feeder 1030",
)
def elements(feed: Feed) -> Hits:
    """Has no elements inside texts."""
    for node in feed.each(*_TEXTS, "itunes:summary", "itunes:subtitle", "copyright"):
        if not node.is_text:
            inside = node.children[0].written
            yield Hit(node, f"<{node.name}> holds the element <{inside}>", inside)
