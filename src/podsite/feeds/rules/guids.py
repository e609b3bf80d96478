"""Rules about identities: of episodes and of the show."""

from __future__ import annotations

import re
import uuid

from podsite.feeds.rules.listing import listed
from podsite.feeds.rules.rule import ALL, Feed, Hit, Hits, rule, shown

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@rule(
    "item-guid",
    "apple psp1 podcast20",
    "error",
    key="guid",
    reason="Without an identity apps take another in its place, and show the episode again when that changes.",
    remedy="add a <guid> that never changes",
    source="Apple 4115; PSP-1; measured: Podcast Index's reader drops such items",
)
def guid(feed: Feed) -> Hits:
    """Each item has a guid."""
    for item in feed.items:
        if not item.all("guid"):
            yield Hit(item, "the item has no <guid>")


@rule(
    "guid-duplicate",
    ALL,
    "error",
    key="guid",
    reason="Apps take two items with one identity for one episode, and Apple does not process the second.",
    remedy="give each item a guid of its own",
    source="Apple 4115; AntennaPod 3275, 5621",
    compares=True,
)
def guid_duplicate(feed: Feed) -> Hits:
    """Each guid is there once."""
    seen: dict[str, str] = {}
    for one in listed(feed):
        if one.guid and one.guid in seen:
            same = f"'{shown(seen[one.guid].strip())}' has the same guid '{shown(one.guid)}'"
            yield Hit(one.at("guid"), same, one.guid)
        seen.setdefault(one.guid, one.title)


@rule(
    "guid-permalink",
    "rss apple psp1",
    "warning",
    key="guid",
    reason='Unless it says isPermaLink="false", a guid is an address, and readers open it as one.',
    remedy='write isPermaLink="false"',
    source="RSS 2.0; PSP-1",
)
def permalink(feed: Feed) -> Hits:
    """Says of a guid that is no address that it is none."""
    for item in feed.items:
        for node in item.all("guid"):
            text = node.text.strip()
            says = node.get("isPermaLink") or "true"
            if says not in {"true", "false"}:
                yield Hit(node, f'expected isPermaLink="true" or "false", found \'{shown(says)}\'', says)
            elif text and says == "true" and not text.startswith(("https://", "http://")):
                yield Hit(node, f"the guid '{shown(text)}' is no address", text)


@rule(
    "guid-enclosure",
    "psp1",
    "warning",
    key="guid",
    reason="A guid that is the audio's address changes with host or prefix, and listeners get every episode twice.",
    remedy="for new episodes, use a UUID; leave published ones as they are",
    source="castanet 209; nikola PR 2675",
)
def guid_enclosure(feed: Feed) -> Hits:
    """Takes no enclosure's address for a guid."""
    for item in feed.items:
        enclosure = item.first("enclosure")
        found = item.text_of("guid")
        if found and enclosure and found == (enclosure.get("url") or "").strip():
            yield Hit(item.first("guid"), "the guid is the address of the enclosure", found)


@rule(
    "p20-guid",
    "podcast20",
    "error",
    key="guid",
    reason="A show's identity is a UUID in lower case, compared letter by letter.",
    remedy="write the UUID that podcast:guid's rule makes of the feed's first address",
    source="podcast-namespace guid.md",
)
def show_guid(feed: Feed) -> Hits:
    """Is a UUID in lower case, as are the feeds it names."""
    found = [(node, node.text.strip()) for node in feed.channel.all("podcast:guid")]
    found += [(node, (node.get("feedGuid") or "").strip()) for node in feed.of_podcast("podcast:remoteItem")]
    for node, text in found:
        if text and not _UUID.fullmatch(text):
            yield Hit(node, f"expected a UUID in lower case, found '{shown(text)}'", text)


@rule(
    "p20-guid-version",
    "podcast20",
    "warning",
    key="guid",
    reason="The rule of podcast:guid makes a UUID of version 5, so that anybody can make it again from the address.",
    remedy="leave it as it is when directories know the show by it; else compute it by the rule",
    source="podcast-namespace guid.md",
)
def show_guid_version(feed: Feed) -> Hits:
    """Is a UUID of version 5."""
    for node in feed.channel.all("podcast:guid"):
        text = node.text.strip()
        if _UUID.fullmatch(text) and uuid.UUID(text).version != 5:
            yield Hit(node, f"'{text}' is a UUID of version {uuid.UUID(text).version or 'unknown'}", text)
