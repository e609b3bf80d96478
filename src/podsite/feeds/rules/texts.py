"""Rules about texts: their length, their spaces, and that nothing was escaped twice."""

from __future__ import annotations

import re
from collections.abc import Iterator

from podsite.feeds.rules.listing import listed
from podsite.feeds.rules.rule import Feed, Hit, Hits, rule, shown, whole
from podsite.feeds.rules.tree import Node

_SHORT = ("title", "itunes:title", "itunes:author", "itunes:subtitle", "itunes:keywords", "copyright")
_ONE_LINE = (*_SHORT, "link", "guid", "language", "itunes:type", "itunes:explicit", "itunes:duration", "category")
_FORMATTED = re.compile(
    r"<(b|i|em|strong|p|a|span|div|font|u|sup|sub|h[1-6])\b[^<>]*>(?:(?!<\1\b|</\1>).)*</\1>|<br\s*/?>",
    re.IGNORECASE | re.DOTALL,
)
_ESCAPED = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|#\d+|#x[0-9a-f]+);", re.IGNORECASE)
_ESCAPED_IN_HTML = re.compile(r"&amp;(?:amp|nbsp|quot|apos|#\d+|#x[0-9a-f]+);", re.IGNORECASE)
_CODE = re.compile(r"<(code|pre)\b(?:(?!<\1\b|</\1>).)*</\1>", re.IGNORECASE | re.DOTALL)
_NUMBERED = re.compile(
    r"\s*(?:(?:episode|ep\.?|folge|s\d+\s*e|#)\s*)?#?(\d{1,9})(?:\s*[:.)|–—-]\s|\s*$)", re.IGNORECASE | re.ASCII
)
_C1 = re.compile("[\x80-\x84\x86-\x9f]")
LIMIT_BYTES = 4000


def _short(feed: Feed) -> Iterator[Node]:
    yield from feed.each(*_SHORT)
    for owner in feed.channel.all("itunes:owner"):
        yield from owner.children


@rule(
    "text-length",
    "rss apple psp1",
    "warning",
    reason="Apple and PSP-1 limit short texts to 255 characters and cut what is longer.",
    remedy="make it shorter",
    source="Apple, A Podcaster's Guide to RSS; PSP-1",
)
def length(feed: Feed) -> Hits:
    """Keeps titles and names within 255 characters."""
    for node in _short(feed):
        if len(node.text.strip()) > 255:
            yield Hit(node, f"<{node.name}> has {len(node.text.strip())} characters; 255 are taken", node.text)


@rule(
    "text-spaces",
    "apple psp1",
    "warning",
    reason="Apps compare and show values as they are, with the spaces around them.",
    remedy="take the spaces around the value out",
    source="Apple, A Podcaster's Guide to RSS; PSP-1",
)
def spaces(feed: Feed) -> Hits:
    """Has no spaces around values."""
    for node in feed.each(*_ONE_LINE):
        if node.text != node.text.strip() and node.text.strip() and node.is_text:
            yield Hit(node, f"<{node.name}> has spaces around '{shown(node.text)}'", node.text)


@rule(
    "description-length",
    "apple psp1",
    "warning",
    reason="Apple and PSP-1 take 4,000 bytes of a description and cut what is longer.",
    remedy="make it shorter; the full text can stand in content:encoded",
    source="Apple, A Podcaster's Guide to RSS; PSP-1",
)
def description_length(feed: Feed) -> Hits:
    """Keeps descriptions within 4,000 bytes."""
    for node in feed.each("description"):
        size = len(node.text.encode()) if len(node.text) > LIMIT_BYTES // 4 else 0
        if size > LIMIT_BYTES:
            yield Hit(node, f"the description has {size:,} bytes; {LIMIT_BYTES:,} are taken", node.text)


@rule(
    "itunes-summary",
    "podcast20",
    "warning",
    reason="A summary is one or two sentences; apps that show it show the description, too.",
    remedy="say in a sentence or two what it is about, or leave <itunes:summary> out",
    source="podcast-namespace docs/other-recommendations.md; W3C",
)
def summary(feed: Feed) -> Hits:
    """Has a summary that is short and no copy of the description."""
    for part in feed.parts:
        for node in part.all("itunes:summary"):
            if len(node.text) > 4000:
                yield Hit(node, f"the summary has {len(node.text):,} characters; 4,000 are taken", node.text)
            elif node.text.strip() and node.text.strip() == part.text_of("description"):
                yield Hit(node, "the summary is a copy of the description", node.text)


@rule(
    "title-markup",
    "rss apple psp1",
    "warning",
    reason="Titles and names are plain text: apps show the tags as they are.",
    remedy="take the tags out",
    source="W3C ContainsHTML; Apple",
)
def markup(feed: Feed) -> Hits:
    """Has no HTML in titles and names."""
    for node in _short(feed):
        if "<" in node.text and (found := _FORMATTED.search(node.text)):
            yield Hit(node, f"<{node.name}> holds '{shown(found[0])}'", node.text)


@rule(
    "double-escape",
    "rss apple psp1",
    "warning",
    reason="A text escaped twice shows '&amp;' where '&' is meant.",
    remedy="escape the text once",
    source="Seriously-Simple-Podcasting 726; PRX feeder 1030",
)
def escaped_twice(feed: Feed) -> Hits:
    """Escapes texts once."""
    for node in (*_short(feed), *feed.each("category", "podcast:person")):
        if "&" in node.text and (found := _ESCAPED.search(node.text)):
            yield Hit(node, f"<{node.name}> shows '{found[0]}' to listeners", node.text)
    for node in feed.each("description", "content:encoded", "itunes:summary"):
        if _ESCAPED_IN_HTML.search(node.text) and (found := _ESCAPED_IN_HTML.search(_CODE.sub("", node.text))):
            yield Hit(node, f"<{node.name}> shows '{found[0][0]}{found[0][5:]}' to listeners", found[0])


@rule(
    "text-control",
    "rss",
    "warning",
    reason="Characters U+0080 to U+009F are invisible; they come from text in a Windows encoding read as another.",
    remedy="write the character that was meant, often ’ “ ” – or …",
    source="case thunder-lightning (U+0092 in a title)",
)
def c1(feed: Feed) -> Hits:
    """Has no control characters of the upper half."""
    for node in feed.each(*_SHORT, "description", "content:encoded", "itunes:summary"):
        if not node.text.isascii() and (found := _C1.search(node.text)):
            yield Hit(node, f"<{node.name}> holds the control character U+{ord(found[0]):04X}", found[0])


@rule(
    "apple-title-number",
    "apple",
    "warning",
    key="title",
    reason="Apps show the number beside the title, so that listeners would see it twice.",
    remedy="take the number out of the title; it has tags of its own",
    source="Apple, A Podcaster's Guide to RSS",
)
def title_number(feed: Feed) -> Hits:
    """Has no episode number in titles."""
    for item in feed.items:
        number, node = item.text_of("itunes:episode"), item.first("title")
        found = _NUMBERED.match(node.text) if node else None
        if node and found and int(found[1]) == whole(number):
            yield Hit(node, f"'{shown(node.text)}' begins with the number {number}", node.text)


@rule(
    "apple-title-show",
    "apple",
    "warning",
    key="title",
    reason="Apps show the show's name beside the title, so that listeners would see it twice.",
    remedy="take the show's name out of the title",
    source="Apple, A Podcaster's Guide to RSS",
    compares=True,
)
def title_show(feed: Feed) -> Hits:
    """Has no show name in titles."""
    show = re.escape(feed.channel.text_of("title"))
    if not show:
        return
    pattern = re.compile(rf"\s*{show}\s*(?:[:|–—#-]|\s\d)|.*\s[|–—-]\s*{show}\s*$", re.IGNORECASE)
    for one in listed(feed):
        if pattern.match(one.title):
            yield Hit(one.at("title"), f"'{shown(one.title)}' holds the show's name", one.title)
