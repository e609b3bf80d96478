"""Rules about the rest of the channel: the self link, RSS's own image and addresses, PSP-1 and Spotify."""

from __future__ import annotations

import re

from podsite.feeds.rules.channel import is_mail
from podsite.feeds.rules.rule import Feed, Hit, Hits, rule, shown, whole
from podsite.feeds.rules.tree import Node

_RSS_MAIL = re.compile(r"(\S+)( \([^()]+\))?")


def _self_links(feed: Feed) -> list[Node]:
    return [node for node in feed.channel.all("atom:link") if node.get("rel") == "self"]


@rule(
    "psp1-self",
    "rss psp1",
    "error",
    key="feed",
    reason="The self link is the feed's lasting address; by it apps know the feed again after a move.",
    remedy='add <atom:link rel="self" type="application/rss+xml" href="…"/> with the feed\'s own address',
    source="PSP-1; W3C MissingAtomSelfLink",
)
def self_link(feed: Feed) -> Hits:
    """Has a self link."""
    if not _self_links(feed):
        yield Hit(feed.channel, 'the channel has no <atom:link rel="self">')


@rule(
    "atom-self-type",
    "psp1",
    "warning",
    key="feed",
    reason="The self link says what it leads to.",
    remedy='write type="application/rss+xml"',
    source="PSP-1",
)
def self_type(feed: Feed) -> Hits:
    """Names the self link's type."""
    for node in _self_links(feed):
        found = node.get("type") or ""
        if found != "application/rss+xml":
            yield Hit(node, f"expected type=\"application/rss+xml\" at the self link, found '{shown(found)}'", found)


@rule(
    "atom-self-url",
    "rss psp1",
    "warning",
    key="feed",
    reason="A self link that leads elsewhere sends apps there, and listeners lose the show when that address goes.",
    remedy="write the address the feed is served at",
    source="W3C SelfDoesntMatchLocation",
)
def self_url(feed: Feed) -> Hits:
    """Links to where it is."""
    for node in _self_links(feed):
        found = (node.get("href") or "").strip()
        if feed.url and found and found != feed.url:
            yield Hit(node, f"the self link is '{shown(found)}', and the feed lies at '{shown(feed.url)}'", found)


@rule(
    "psp1-guid",
    "psp1 podcast20",
    "warning",
    key="guid",
    reason="By podcast:guid, directories know the show again, whatever its address becomes.",
    remedy="add <podcast:guid> with the UUID made of the feed's first address",
    source="PSP-1; podcast-namespace guid.md",
)
def guid(feed: Feed) -> Hits:
    """Has a podcast:guid."""
    if not feed.channel.all("podcast:guid"):
        yield Hit(feed.channel, "the channel has no <podcast:guid>")


@rule(
    "psp1-locked",
    "psp1",
    "warning",
    key="locked",
    reason="By podcast:locked, others are kept from importing the show to another host.",
    remedy="add <podcast:locked>yes</podcast:locked>",
    source="PSP-1",
)
def locked(feed: Feed) -> Hits:
    """Says whether it is locked."""
    if not feed.channel.all("podcast:locked"):
        yield Hit(feed.channel, "the channel has no <podcast:locked>")


@rule(
    "psp1-copyright",
    "psp1",
    "warning",
    key="copyright",
    reason="Apps write the word and the sign themselves, so that listeners would see them twice.",
    remedy="name the holder only, without 'Copyright' and '©'",
    source="PSP-1",
)
def copyright_text(feed: Feed) -> Hits:
    """Names the holder of the copyright without word or sign."""
    for node in feed.channel.all("copyright"):
        if re.match(r"\s*(copyright\b|©|\(c\)|℗)", node.text, re.IGNORECASE):
            yield Hit(node, f"'{shown(node.text)}' begins with the word or the sign", node.text)


@rule(
    "rss-image",
    "rss",
    "error",
    key="artwork",
    reason="RSS's own image has an address, a title and a link; without one of them it is invalid.",
    remedy="write url, title and link into <image>",
    source="RSS 2.0",
)
def rss_image(feed: Feed) -> Hits:
    """Has url, title and link in its image."""
    for node in feed.channel.all("image"):
        there = {child.name for child in node.children if child.text.strip()}
        for name in ("url", "title", "link"):
            if name not in there:
                yield Hit(node, f"<image> has no <{name}>", name)


@rule(
    "rss-image-title",
    "rss",
    "warning",
    key="artwork",
    reason="The image's title stands in for the picture, so it is the show's title.",
    remedy="write the channel's title and link into <image>",
    source="W3C ImageTitleDoesntMatch",
)
def image_title(feed: Feed) -> Hits:
    """Gives its image the show's title."""
    for node in feed.channel.all("image"):
        for child in node.children:
            found = child.text.strip()
            if child.name == "title" and found and found != feed.channel.text_of("title"):
                yield Hit(child, f"the image's title is '{shown(found)}', not the channel's", found)


@rule(
    "rss-image-size",
    "rss",
    "error",
    key="artwork",
    reason="RSS allows its image 144 pixels of width and 400 of height; podcast artwork is larger.",
    remedy="leave width and height out",
    source="RSS 2.0; W3C image.py",
)
def image_size(feed: Feed) -> Hits:
    """States no size above RSS's limits."""
    limits = {"width": 144, "height": 400}
    for node in feed.channel.all("image"):
        for child in node.children:
            limit = limits.get(child.name)
            found = child.text.strip()
            if limit and not 0 < (whole(found) or 0) <= limit:
                yield Hit(child, f"expected a {child.name} of 1 to {limit} pixels, found '{shown(found)}'", found)


@rule(
    "rss-mail",
    "rss",
    "warning",
    reason="RSS writes people as a mail address with the name in brackets.",
    remedy="write 'ada@example.org (Ada Reef)'",
    source="RSS profile by W3C EmailFormat",
)
def rss_mail(feed: Feed) -> Hits:
    """Writes managing editor, webmaster and authors as mail addresses."""
    for node in feed.each("managingEditor", "webMaster", "author"):
        found = _RSS_MAIL.fullmatch(node.text.strip())
        if not found or not is_mail(found[1]):
            yield Hit(node, f"<{node.name}> is '{shown(node.text)}'", node.text)


@rule(
    "rss-ttl",
    "rss",
    "warning",
    reason="The time to live is a whole number of minutes.",
    remedy="write minutes such as '60'",
    source="RSS 2.0",
)
def ttl(feed: Feed) -> Hits:
    """States its time to live in minutes."""
    for node in feed.channel.all("ttl"):
        if not node.text.strip().isdecimal():
            yield Hit(node, f"expected minutes, found '{shown(node.text)}'", node.text)


@rule(
    "spotify-tags",
    "spotify",
    "warning",
    reason="Spotify's own tags hold country codes and a number of episodes; anything else is ignored.",
    remedy="write two-letter countries with spaces between, and a number from 1 in recentCount",
    source="npm feedsmith namespaces/spotify",
)
def spotify(feed: Feed) -> Hits:
    """Fills Spotify's tags in their grammar."""
    for node in feed.channel.all("spotify:countryOfOrigin"):
        if not re.fullmatch(r"[A-Za-z]{2}( [A-Za-z]{2})*", node.text.strip()):
            yield Hit(node, f"expected countries such as 'de at', found '{shown(node.text)}'", node.text)
    for node in feed.channel.all("spotify:limit"):
        count = node.get("recentCount") or ""
        if not re.fullmatch(r"[1-9]\d*", count):
            yield Hit(node, f"expected a number in recentCount, found '{shown(count)}'", count)
