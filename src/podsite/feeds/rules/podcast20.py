"""Rules about podcast: tags that hold for all of them, read from the table of the namespace."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from podsite.errors import hint
from podsite.feeds.rules.podcast_tags import CHOICES, LIMITS, NUMBERS, SPECS, Need, Spec
from podsite.feeds.rules.rule import Feed, Hit, Hits, rule, shown
from podsite.feeds.rules.tree import Node


def _known(feed: Feed) -> Iterator[tuple[Node, str, Spec]]:
    for node in feed.podcast:
        name = node.name.removeprefix("podcast:")
        spec = SPECS.get(name)
        if spec:
            yield node, name, spec


@rule(
    "p20-place",
    "podcast20",
    "error",
    reason="Apps look for a tag where the namespace puts it, and nowhere else.",
    remedy="move it to where it belongs",
    source="podcast-namespace docs/tags",
)
def place(feed: Feed) -> Hits:
    """Puts tags where they belong."""
    for node, _, spec in _known(feed):
        parent = node.parent.name.removeprefix("podcast:") if node.parent else ""
        if parent not in spec.parents:
            yield Hit(node, f"<{node.name}> stands in <{parent}>, not in {' or '.join(spec.parents)}", parent)


@rule(
    "p20-once",
    "podcast20",
    "error",
    reason="Of two tags where one belongs, some readers take the first and some the last.",
    remedy="keep one of them",
    source="podcast-namespace docs/tags",
)
def once(feed: Feed) -> Hits:
    """Has each single tag once."""
    for name, spec in SPECS.items():
        for before, node in pairwise(feed.of_podcast(f"podcast:{name}") if spec.once else ()):
            if before.parent is node.parent:
                yield Hit(node, f"<{node.name}> comes more than once")


@rule(
    "p20-attribute",
    "podcast20",
    "error",
    reason="Without the attributes it requires, a tag says nothing.",
    remedy="add the attribute",
    source="podcast-namespace docs/tags",
)
def required(feed: Feed) -> Hits:
    """Has the attributes a tag requires."""
    return _lacking(feed, "R")


def _lacking(feed: Feed, need: Need) -> Hits:
    for tag, spec in SPECS.items():
        needed = [name for name, each in spec.attributes.items() if each == need]
        for node in feed.of_podcast(f"podcast:{tag}") if needed else ():
            for name in needed:
                if not (node.get(name) or "").strip():
                    yield Hit(node, f"<{node.name}> has no {name}", name)


@rule(
    "p20-recommended",
    "podcast20",
    "warning",
    reason="Apps that show the tag need the attribute to show all of it.",
    remedy="add the attribute",
    source="podcast-namespace docs/tags",
)
def recommended(feed: Feed) -> Hits:
    """Has the attributes a tag recommends."""
    return _lacking(feed, "r")


@rule(
    "p20-attribute-unknown",
    "podcast20",
    "warning",
    reason="An attribute the tag does not have is ignored, so what it says is lost.",
    remedy="write the attribute as the namespace does",
    source="podcast-namespace docs/tags",
)
def unknown(feed: Feed) -> Hits:
    """Has no attributes a tag does not know."""
    for node, _, spec in _known(feed):
        for name in node.attributes:
            if name not in spec.attributes and not name.startswith("{"):
                yield Hit(node, f"<{node.name}> has no attribute {name}{hint(name, spec.attributes)}", name)


@rule(
    "p20-text",
    "podcast20",
    "error",
    reason="The tag's text is what it says; without it there is nothing to show.",
    remedy="add the text, or leave the tag out",
    source="podcast-namespace docs/tags",
)
def text(feed: Feed) -> Hits:
    """Has text where a tag needs it."""
    for node, _, spec in _known(feed):
        if spec.text and not spec.may_be_silent and not node.text.strip():
            yield Hit(node, f"<{node.name}> is empty")


@rule(
    "p20-length",
    "podcast20",
    "warning",
    reason="The namespace limits texts, and apps cut what is longer.",
    remedy="make it shorter",
    source="podcast-namespace docs/tags",
)
def length(feed: Feed) -> Hits:
    """Keeps texts and labels within the namespace's limits."""
    for node, _, spec in _known(feed):
        size = len(node.text.strip())
        if spec.text in {128, 4000} and size > spec.text:
            yield Hit(node, f"<{node.name}> has {size} characters; {spec.text} are taken", node.text)
    for (name, attribute), limit in LIMITS.items():
        for node in feed.of_podcast(f"podcast:{name}"):
            value = node.get(attribute) or ""
            if len(value) > limit:
                yield Hit(node, f"{attribute} of <{node.name}> has {len(value)} characters; {limit} are taken", value)


@rule(
    "p20-number",
    "podcast20",
    "error",
    reason="Apps calculate with these values; what is no number is dropped.",
    remedy="write the number in digits",
    source="podcast-namespace docs/tags",
)
def numbers(feed: Feed) -> Hits:
    """Has numbers where they belong."""
    for (name, attribute), (grammar, called) in NUMBERS.items():
        for node in feed.of_podcast(f"podcast:{name}"):
            value = (node.get(attribute) or "").strip()
            if value and not re.fullmatch(grammar, value, re.ASCII):
                yield Hit(node, f"expected {called} as {attribute} of <{node.name}>, found '{shown(value)}'", value)


@rule(
    "p20-choice",
    "podcast20",
    "error",
    reason="The list of values is closed, and apps ignore any other.",
    remedy="write one of the values of the list",
    source="podcast-namespace docs/tags",
)
def choices(feed: Feed) -> Hits:
    """Takes values from the lists that are closed."""
    for (name, attribute), listed in CHOICES.items():
        for node in feed.of_podcast(f"podcast:{name}"):
            value = (node.get(attribute) or "").strip() if attribute else node.text.strip()
            if value and value not in listed:
                where = f"{attribute} of <{node.name}>" if attribute else f"<{node.name}>"
                yield Hit(node, f"expected {_listed(listed)} as {where}, found '{shown(value)}'", value)


def _listed(values: tuple[str, ...]) -> str:
    quoted = [f"'{value}'" for value in values]
    return " or ".join([", ".join(quoted[:-1]), quoted[-1]]) if len(quoted) > 1 else quoted[0]
