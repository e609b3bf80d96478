"""Rules about URLs, wherever a feed has one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from podsite.feeds.rules.rule import ALL, Feed, Hit, Hits, rule, shown
from podsite.feeds.rules.tree import Node

#: Elements whose text is an address, and attributes that hold one.
_TEXTS = ("link", "itunes:new-feed-url", "docs", "comments")
_ATTRIBUTES = {
    "enclosure": "url",
    "itunes:image": "href",
    "atom:link": "href",
    "media:thumbnail": "url",
}
_PODCAST = {
    "podcast:funding": ("url",),
    "podcast:person": ("img", "href"),
    "podcast:license": ("url",),
    "podcast:trailer": ("url",),
    "podcast:remoteItem": ("feedUrl",),
    "podcast:image": ("href",),
    "podcast:contentLink": ("href",),
    "podcast:transcript": ("url",),
    "podcast:chapters": ("url",),
    "podcast:source": ("uri",),
    "podcast:socialInteract": ("accountUrl",),
}
#: What apps load by themselves.
_LOADED = {"enclosure", "itunes:image", "atom:link", "itunes:new-feed-url"}
_ABSOLUTE = re.compile(r"https?://(?:[^/?#@]*@)?(?:\[[0-9a-f:.]+\]|[^/?#:@\s\[\]]+)(?::\d+)?(?:[/?#]|$)", re.IGNORECASE)
#: Unencrypted, and not on this machine: a preview of a site is no feed to warn of.
_OPEN = re.compile(r"http://(?!(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?:[:/?#]|$))", re.IGNORECASE)
#: What no rule has anything against, as nearly all addresses are: encrypted, plain, complete, with nothing in it that
#: could be escaped twice.
_SOUND = re.compile(r"https://[A-Za-z0-9.-]+(?:/[!-$\'-~]*(?:%(?!25)[!-$\'-~]*)*)?", re.ASCII).fullmatch
_ESCAPED = re.compile(r"&(?:amp|#0*38|#x0*26);", re.IGNORECASE)


def _suspects(feed: Feed) -> list[tuple[Node, str]]:
    """Every address of the feed but those in HTML, with its node, if anything can be said against it."""
    return feed.fact(_found)


def _found(feed: Feed) -> list[tuple[Node, str]]:
    return [(node, url) for node, url in _all(feed) if url and not _SOUND(url)]


def _all(feed: Feed) -> Iterator[tuple[Node, str]]:
    for node in feed.each(*_TEXTS):
        yield node, node.text.strip()
    for image in feed.channel.all("image"):
        yield from ((child, child.text.strip()) for child in image.children if child.name in {"url", "link"})
    for name, attribute in _ATTRIBUTES.items():
        for node in feed.each(name):
            yield node, (node.get(attribute) or "").strip()
    yield from _podcast(feed)


def _podcast(feed: Feed) -> Iterator[tuple[Node, str]]:
    for name, attributes in _PODCAST.items():
        for node in feed.of_podcast(name):
            for attribute in attributes:
                yield node, (node.get(attribute) or "").strip()


@rule(
    "url-ascii",
    ALL,
    "error",
    reason="Addresses are ASCII without spaces; with any other character, apps ask for something that is not there.",
    remedy="percent-encode the path, and write the host by IDNA",
    source="Apple 823; gpodder 1445; AntennaPod 302",
)
def ascii_only(feed: Feed) -> Hits:
    """Has addresses in ASCII without spaces."""
    for node, url in _suspects(feed):
        if not _is_plain(url):
            yield Hit(node, f"the address '{shown(url)}' holds a space or a letter outside ASCII", url)


@rule(
    "url-absolute",
    ALL,
    "error",
    reason="A feed is read far from its site, so an address without a host leads nowhere.",
    remedy="write the complete address, with https://",
    source="RSS 2.0; W3C InvalidFullLink",
)
def absolute(feed: Feed) -> Hits:
    """Has complete http(s) addresses."""
    for node, url in _suspects(feed):
        if _is_plain(url) and not _is_absolute(url) and not _is_stream(node, url):
            yield Hit(node, f"expected an address that starts with https://, found '{shown(url)}'", url)


def _is_plain(url: str) -> bool:
    return url.isascii() and url.isprintable() and " " not in url


def _is_absolute(url: str) -> bool:
    return _ABSOLUTE.match(url) is not None


def _is_stream(node: Node, url: str) -> bool:
    """Whether it is one of the other addresses that alternate enclosures may have: IPFS, magnet links."""
    return node.name == "podcast:source" and re.match(r"[a-z][a-z0-9+.-]*:", url) is not None


@rule(
    "url-https",
    "apple psp1",
    "warning",
    reason="Apps refuse or warn of what comes unencrypted, and Apple's do by default.",
    remedy="serve it by https and write https://",
    source="Google Podcasts' requirement of one protocol; Apple's transport security",
)
def https(feed: Feed) -> Hits:
    """Loads audio, artwork and the feed by https."""
    for node, url in _suspects(feed):
        if node.name in _LOADED and _OPEN.match(url):
            yield Hit(node, f"<{node.name}> has the unencrypted address '{shown(url)}'", url)


@rule(
    "p20-https",
    "podcast20",
    "warning",
    reason="The namespace asks for https in every address of its tags.",
    remedy="write https://, or leave the address out where there is none",
    source="podcast-namespace 1.0.md",
)
def podcast_https(feed: Feed) -> Hits:
    """Has https addresses in podcast: tags."""
    for node, url in _suspects(feed):
        if node.name in _PODCAST and _OPEN.match(url):
            yield Hit(node, f"<{node.name}> has the unencrypted address '{shown(url)}'", url)


@rule(
    "url-escaped",
    ALL,
    "error",
    reason="An address escaped twice is another address, where nothing is found.",
    remedy="escape it once: '&' as '&amp;' in the XML, a space as '%20'",
    source="PodFetch 680; case 70 of op3 prefixes",
)
def escaped(feed: Feed) -> Hits:
    """Escapes addresses once."""
    for node, url in _suspects(feed):
        found = _ESCAPED.search(url) or re.search(r"%25(?:20|[CcDdEe][0-9A-Fa-f]%25)", url)
        if found:
            yield Hit(node, f"the address '{shown(url)}' is escaped twice ('{found[0]}')", url)
