"""Rules about Apple's categories."""

from __future__ import annotations

from podsite import tables
from podsite.errors import hint
from podsite.feeds.rules.rule import Feed, Hit, Hits, rule, shown
from podsite.feeds.rules.tree import Node


@rule(
    "channel-category",
    "apple psp1",
    "error",
    key="categories",
    reason="Apple and PSP-1 require a category, under which the show is listed.",
    remedy="add one of Apple's categories",
    source="Apple; PSP-1",
)
def category(feed: Feed) -> Hits:
    """Has a category."""
    if not feed.channel.all("itunes:category"):
        yield Hit(feed.channel, "the channel has no <itunes:category>")


@rule(
    "apple-category",
    "apple psp1",
    "error",
    key="categories",
    reason="The list of categories is closed; under any other name the show is not listed.",
    remedy="write a category of Apple's list into the attribute text",
    source="Apple's categories, in force since August 2019",
)
def category_name(feed: Feed) -> Hits:
    """Uses categories of Apple's list, subcategories inside their own."""
    for node in feed.channel.all("itunes:category"):
        yield from _category(node, tables.CATEGORIES)
        name = (node.get("text") or "").strip()
        for below in node.children:
            if name in tables.CATEGORIES and below.name == "itunes:category":
                yield from _category(below, dict.fromkeys(tables.CATEGORIES[name], ()), f" of '{name}'")


def _category(node: Node, known: dict[str, tuple[str, ...]], of: str = "") -> Hits:
    name = (node.get("text") or "").strip()
    if not name and node.text.strip():
        written = node.text.strip()
        yield Hit(node, f"'{shown(written)}' belongs into the attribute: <itunes:category text=\"…\"/>", written)
    elif name and name not in known:
        successor = tables.RETIRED_CATEGORIES.get(name)
        parent = next((one for one, below in tables.CATEGORIES.items() if name in below), None)
        tip = f"; Apple retired it in 2019 for '{successor}'" if successor else hint(name, known)
        if parent and not of:
            tip = f"; it belongs inside '{parent}'"
        yield Hit(node, f"'{shown(name)}' is no category{of}{tip}", name)
