"""Certify a feed: parse what was emitted, hold every rule against it, and say which directories it satisfies.

It needs no network and no clock, and the same bytes give the same certificate.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from functools import cached_property

from podsite.crew import uncollected
from podsite.errors import Place
from podsite.feeds.directories import Directory
from podsite.feeds.local import Local
from podsite.feeds.rules import EARLY, RULES, Feed, Hit, Rule
from podsite.feeds.rules.names import CHANNEL_KEYS, ITEM_KEYS
from podsite.feeds.rules.parsing import parse
from podsite.feeds.rules.rule import Spot, shown
from podsite.feeds.rules.tree import Node, Part
from podsite.read import Content
from podsite.records import dataclass
from podsite.site import Site

#: How much a broken error counts for a score, where a warning counts 1.
ERROR_WEIGHT = 4


@dataclass(frozen=True, slots=True)
class Finding:
    """A place where a feed breaks a rule: the item's guid (None: the channel), line in the XML, what was found."""

    rule: Rule
    message: str
    item: str | None
    line: int
    what: str
    key: str
    once: str = ""  # of several with one text here, only the first of a feed is told

    def __str__(self) -> str:
        return f"{self.message}; {self.rule.remedy} [{self.rule.code}]"


@dataclass(frozen=True)
class Certificate:
    """What a feed was found to be: every finding, in the order of the feed."""

    findings: tuple[Finding, ...]
    is_podcast: bool = True  # False: there is no channel, so that most rules could not be judged

    @cached_property
    def broken(self) -> Mapping[str, int]:
        """How often each broken rule is broken, by its code."""
        counts: dict[str, int] = {}
        for finding in self.findings:
            counts[finding.rule.code] = counts.get(finding.rule.code, 0) + 1
        return counts

    def of(self, directories: Iterable[str]) -> Certificate:
        """The same as these directories see it: only findings of their rules."""
        wanted = set(directories)
        kept = tuple(one for one in self.findings if wanted.intersection(one.rule.directories))
        return Certificate(kept, self.is_podcast)

    def score(self, directory: Directory) -> int:
        """The share of a directory's rules that hold, from 0 to 100; an error weighs as much as four warnings.

        How often a rule is broken does not count. 100 means that none is; it is never reached by rounding. What has
        no channel scores 0.
        """
        if not self.is_podcast:
            return 0
        rules = [one for one in RULES if directory in one.directories]
        kept = sum(_weight(one) for one in rules if one.code not in self.broken)
        return 100 * kept // sum(map(_weight, rules))

    def verdict(self, directory: Directory) -> str:
        """`accepted`, `accepted with warnings` or `refused`."""
        found = {one.rule.severity for one in self.of([directory]).findings}
        return "refused" if "error" in found else "accepted with warnings" if found else "accepted"


def _weight(rule: Rule) -> int:
    return ERROR_WEIGHT if rule.severity == "error" else 1


def certify(
    xml: bytes, *, local: Local = lambda _: None, now: datetime | None = None, url: str | None = None
) -> Certificate:
    """Hold every rule against a feed.

    `local` gives the file (or its bytes) behind an address of the feed, `MISSING` where the site ought to have one
    and has not, and None for what lies elsewhere. `now` is the instant to call dates future by, `url` the
    address the feed is served at; without them these are not judged.
    """
    with uncollected():
        feed = Feed(parse(xml), local, now, url)
        rules = RULES if feed.tree.channel is not None else [one for one in RULES if one.code.startswith(EARLY)]
        found = [finding_of(rule, hit) for rule in rules for hit in rule.broken(feed)]
    return Certificate(in_order(found), feed.tree.channel is not None)


def in_order(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings as a certificate has them, sorted by their lines; what is to be told once is told where it is first.

    Those of one rule come as the channel and the items follow.
    """
    told: dict[tuple[str, str], Finding] = {}
    kept = [one for one in found if not one.once or told.setdefault((one.rule.code, one.once), one) is one]
    return tuple(sorted(kept, key=lambda one: (one.line, one.rule.code, one.message, one.item or "", one.what)))


def finding_of(rule: Rule, hit: Hit) -> Finding:
    """What a rule's hit says, without the tree it was found in."""
    node = hit.node
    if isinstance(node, Spot):
        key = ITEM_KEYS.get(node.name)
        return Finding(rule, hit.message, node.item, node.line, shown(hit.what), key or rule.key, hit.once)
    part = part_of(node)
    key = _key(node, part) if node and part else None
    line = node.line if node else hit.line
    what = shown(hit.what or (node.text if node else ""))
    return Finding(rule, hit.message, part.guid if part else None, line, what, key or rule.key, hit.once)


def part_of(node: Node | None) -> Part | None:
    """The channel or item a node is of; None for what lies above or beside the channel."""
    while node is not None and not isinstance(node, Part):
        node = node.parent
    return node


def _key(node: Node, part: Part) -> str | None:
    """The YAML key the tag comes from; a tag inside another comes from that one's."""
    while node is not part and node.parent is not None and node.parent is not part:
        node = node.parent
    return (ITEM_KEYS if part.is_item else CHANNEL_KEYS).get(node.name)


def places(certificate: Certificate, site: Site, content: Content) -> Iterator[tuple[Finding, Place]]:
    """Each finding with the line of the YAML file that the value came from."""
    files = {entry.guid: entry.episode.file for entry in site.entries}
    for finding in certificate.findings:
        yield finding, content.place(files.get(finding.item or "", "show.yaml"), finding.key)
