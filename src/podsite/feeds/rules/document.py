"""Rules about the document: well-formed XML, its beginning and end, its encoding, the root, the namespaces."""

from __future__ import annotations

from podsite.feeds.rules.names import KNOWN, OLD_PODCAST, PREFIXES, SPELLINGS, folded_namespace
from podsite.feeds.rules.rule import ALL, Feed, Hit, Hits, rule

#: What can be judged without a channel; where there is none, nothing else would say anything new.
EARLY = ("xml-", "rss-root")


def _flaws(feed: Feed, code: str) -> Hits:
    return (Hit(None, flaw.message, flaw.what, flaw.line) for flaw in feed.flaws(code))


@rule(
    "xml-malformed",
    ALL,
    "error",
    reason="A feed that is not well-formed XML is not read at all, and the show stops updating without a word.",
    remedy="write the feed with an XML library, which escapes '&' and '<' and closes what it opens",
    source="RSS 2.0; XML 1.0",
)
def malformed(feed: Feed) -> Hits:
    """Parses as XML."""
    return _flaws(feed, "xml-malformed")


@rule(
    "xml-entity",
    ALL,
    "error",
    reason="XML knows five entities; any other, such as '&nbsp;', makes the feed unreadable.",
    remedy="write the character itself, or its number such as '&#160;'",
    source="XML 1.0 section 4.6",
)
def entity(feed: Feed) -> Hits:
    """Has no entity of HTML."""
    return _flaws(feed, "xml-entity")


@rule(
    "xml-control",
    ALL,
    "error",
    reason="Control characters, which come along with pasted text, cannot stand in XML in any spelling.",
    remedy="take the character out",
    source="XML 1.0 section 2.2",
)
def control(feed: Feed) -> Hits:
    """Has no control character."""
    return _flaws(feed, "xml-control")


@rule(
    "xml-prolog",
    ALL,
    "error",
    reason="Whatever stands before '<?xml', even an empty line, makes the feed unreadable for strict readers.",
    remedy="let the feed begin with '<?xml'",
    source="XML 1.0 section 2.8",
)
def prolog(feed: Feed) -> Hits:
    """Begins with its declaration."""
    return _flaws(feed, "xml-prolog")


@rule(
    "xml-trailing",
    ALL,
    "warning",
    reason="Some readers stumble over what stands after the end of the feed, and it is rarely meant to be there.",
    remedy="let the feed end with '</rss>'",
    source="RSS Best Practices; Blubrry, typical feed issues",
)
def trailing(feed: Feed) -> Hits:
    """Ends with its root."""
    return _flaws(feed, "xml-trailing")


@rule(
    "xml-declaration",
    "apple spotify psp1",
    "warning",
    reason="Apple, Spotify and PSP-1 want an XML declaration that names the encoding.",
    remedy='begin the feed with \'<?xml version="1.0" encoding="UTF-8"?>\'',
    source="Apple 823; PSP-1",
)
def declaration(feed: Feed) -> Hits:
    """Has a declaration that names an encoding."""
    if not feed.tree.has_declaration:
        yield Hit(None, "the XML declaration is missing", line=1)
    elif feed.tree.encoding is None:
        yield Hit(None, "the XML declaration names no encoding", line=1)


@rule(
    "xml-encoding",
    "apple spotify psp1",
    "error",
    reason="Directories ask for UTF-8; in another encoding, letters outside ASCII come out wrong.",
    remedy="write the feed in UTF-8 and say so in its declaration",
    source="Apple 823; PSP-1; Spotify by Podbean's help",
)
def encoding(feed: Feed) -> Hits:
    """Is UTF-8."""
    found = feed.tree.encoding
    if found and found.lower() not in {"utf-8", "us-ascii"}:
        yield Hit(None, f"expected the encoding UTF-8, found '{found}'", found, 1)


@rule(
    "rss-root",
    ALL,
    "error",
    reason="Podcast directories read RSS; Apple takes no Atom feed since 2022.",
    remedy="write '<rss version=\"2.0\"><channel>…</channel></rss>'",
    source="RSS 2.0; Apple 4115",
)
def root(feed: Feed) -> Hits:
    """Is an rss element with a channel, and with nothing beside it."""
    found = feed.tree.root
    if found is None:
        yield Hit(None, "holds no XML element", line=1)
    elif found.name != "rss":
        yield Hit(found, f"expected the root 'rss', found '{found.written}'", found.written)
    elif feed.tree.channel is None:
        yield Hit(found, "has no channel")
    else:
        for node in found.children:
            if node.name in KNOWN and node.name != "channel":
                yield Hit(node, f"<{node.name}> stands outside of the channel, where no app looks", node.name)


@rule(
    "rss-version",
    "rss apple psp1",
    "error",
    reason="The version tells readers which RSS this is; podcasts are 2.0.",
    remedy="write '<rss version=\"2.0\">'",
    source="RSS 2.0",
)
def version(feed: Feed) -> Hits:
    """Says version 2.0."""
    found = feed.tree.root.get("version") if feed.tree.root else None
    if found != "2.0":
        yield Hit(feed.tree.root, f"expected version=\"2.0\", found '{found or ''}'", found or "")


@rule(
    "rss-channel-once",
    "rss apple psp1",
    "error",
    reason="A feed is one show; readers take the first channel and lose the others.",
    remedy="give each show a feed of its own",
    source="RSS 2.0",
)
def channel_once(feed: Feed) -> Hits:
    """Has one channel."""
    channels = [node for node in feed.tree.root.children if node.name == "channel"] if feed.tree.root else []
    for node in channels[1:]:
        yield Hit(node, f"expected one channel, found {len(channels)}")


@rule(
    "namespace-uri",
    "rss apple spotify psp1 podcast20 amazon youtube",
    "error",
    reason="Namespaces are compared letter by letter; under any other spelling all of their tags are ignored.",
    remedy="spell the namespace exactly as its specification does",
    source="Apple 823; podcast-namespace existing-namespaces.txt",
)
def namespace_uri(feed: Feed) -> Hits:
    """Spells the namespaces it knows as their specifications do."""
    proper = {folded_namespace(uri): uri for uri in PREFIXES}
    for uri, line in sorted(feed.tree.namespaces.items()):
        meant = proper.get(folded_namespace(uri))
        if meant and uri != meant:
            yield Hit(None, f"expected the namespace '{meant}', found '{uri}'", uri, line)


@rule(
    "apple-namespaces",
    "apple",
    "warning",
    reason="Apple wants the namespaces itunes and content declared.",
    remedy="declare xmlns:itunes and xmlns:content at the root",
    source="Apple 823",
)
def apple_namespaces(feed: Feed) -> Hits:
    """Declares itunes and content."""
    declared = set(map(folded_namespace, feed.tree.namespaces))
    for prefix in ("itunes", "content"):
        if folded_namespace(SPELLINGS[prefix]) not in declared:
            yield Hit(feed.tree.root, f'the namespace xmlns:{prefix}="{SPELLINGS[prefix]}" is not declared', prefix)


@rule(
    "p20-namespace",
    "podcast20",
    "warning",
    reason="The namespace's old address is still understood by most, but not by all apps.",
    remedy='declare xmlns:podcast="https://podcastindex.org/namespace/1.0"',
    source="podcast-namespace 1.0.md",
)
def podcast_namespace(feed: Feed) -> Hits:
    """Uses the namespace's present address."""
    if OLD_PODCAST in feed.tree.namespaces:
        line = feed.tree.namespaces[OLD_PODCAST]
        yield Hit(None, "the Podcasting 2.0 namespace has its old address", OLD_PODCAST, line)
