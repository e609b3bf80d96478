"""Rules about HTML in descriptions and notes: tags apps show, links that lead somewhere, nothing cut or unsafe."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from podsite.feeds.rules.rule import Feed, Hit, Hits, rule, shown
from podsite.feeds.rules.tree import Node

_SHOWN = frozenset({"p", "ol", "ul", "li", "a", "b", "i", "strong", "em"})
_UNSAFE = ("script", "iframe", "object", "embed", "form", "style", "link", "meta", "base", "applet")
_PAIRED = ("a", "ul", "ol", "strong", "em", "b", "i")
_NAME = re.compile(r"<([a-z][a-z0-9-]*)")
_ADDRESS = re.compile(r"""<[A-Za-z][^<>]*?\s(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))""", re.IGNORECASE)
_EVENT = re.compile(r"""<[A-Za-z][^<>]*\s(on[a-z]+)\s*=|(javascript\s*):""", re.IGNORECASE)
_EVENT_NAME = re.compile(r"\son[a-z]+\s*$")
_UNSAFE_TAG = re.compile(rf"<({'|'.join(_UNSAFE)})\b")
_OPEN_END = re.compile(r"<(?:/|[A-Za-z])[^<>]*$")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


class _Markup(NamedTuple):
    node: Node
    text: str
    lower: str
    names: set[str]  # of the tags that begin, in small letters
    is_simple: bool  # each '=' is that of a link to a full address: the usual case, quick to know by counting


def _texts(feed: Feed) -> list[_Markup]:
    """The texts with HTML in them."""
    return feed.fact(_found)


def _found(feed: Feed) -> list[_Markup]:
    found = []
    for node in feed.each("description", "content:encoded", "itunes:summary"):
        text = node.text
        if "<" in text:
            lower = text.lower()
            is_simple = text.count("=") == text.count('href="http')
            found.append(_Markup(node, text, lower, set(_NAME.findall(lower)), is_simple))
    return found


@rule(
    "description-tags",
    "apple psp1",
    "warning",
    reason="Of a description's HTML, apps show p, ol, ul, li, a, b, i, strong and em; the rest is dropped.",
    remedy="use these tags only; the full HTML can stand in content:encoded",
    source="Apple, A Podcaster's Guide to RSS; PSP-1",
)
def tags(feed: Feed) -> Hits:
    """Uses only tags that apps show in descriptions."""
    for node, _, _, names, _ in _texts(feed):
        if node.name == "description" and not names <= _SHOWN:
            other = min(names - _SHOWN - set(_UNSAFE), default=None)
            if other:
                yield Hit(node, f"the description holds <{other}>", other)


@rule(
    "html-relative",
    "rss apple psp1",
    "error",
    reason="Apps do not know which page a relative address belongs to, so the link is dead.",
    remedy="write the complete address",
    source="W3C ContainsRelRef; wagtail-cookiecutter 175",
)
def relative(feed: Feed) -> Hits:
    """Has only complete addresses in HTML."""
    for node, text, _, _, is_simple in _texts(feed):
        for address in () if is_simple else _addresses(text):
            if not _SCHEME.match(address):
                yield Hit(node, f"the address '{shown(address)}' in <{node.name}> is relative", address)
                break


def _addresses(text: str) -> Iterator[str]:
    for found in _ADDRESS.finditer(text):
        yield (found[1] or found[2] or found[3] or "").strip()


@rule(
    "html-unsafe",
    "rss",
    "warning",
    reason="Scripts, frames and forms are dropped by apps, or run where they should not.",
    remedy="take them out; link to the page that has them",
    source="W3C SecurityRisk",
)
def unsafe(feed: Feed) -> Hits:
    """Has no scripts, frames or forms in HTML."""
    for node, _, text, names, is_simple in _texts(feed):
        tag = None if names <= _SHOWN else _UNSAFE_TAG.search(text)
        event = None if tag or (is_simple and "javascript" not in text) else _event(text)
        if tag:
            yield Hit(node, f"<{node.name}> holds <{tag[1]}>", tag[1])
        elif event:
            yield Hit(node, f"<{node.name}> holds '{event[1] or event[2]}'", event[1] or event[2])


def _event(text: str) -> re.Match[str] | None:
    """What runs a script, in HTML in small letters."""
    # to look before each '=' is quicker than to look into each tag, which is done only where that finds something
    before = (piece[-32:] for piece in text.split("=")[:-1])
    suspect = "javascript" in text or any(map(_EVENT_NAME.search, before))
    return _EVENT.search(text) if suspect else None


@rule(
    "html-cut",
    "rss apple psp1",
    "warning",
    reason="HTML cut in the middle makes links and lists swallow the text that follows in the app.",
    remedy="close what is open; cut between paragraphs",
    source="stack-blog PR 165",
)
def cut(feed: Feed) -> Hits:
    """Has no HTML that ends inside a tag or a link."""
    for node, text, lower, names, _ in _texts(feed):
        end = _OPEN_END.search(text[-400:]) if text.rfind("<") > text.rfind(">") else None
        unclosed = _unclosed(lower, names)
        if end:
            yield Hit(node, f"<{node.name}> ends inside a tag: '{shown(end[0])}'", end[0])
        elif unclosed:
            yield Hit(node, f"<{node.name}> does not close <{unclosed}>", unclosed)


def _unclosed(text: str, names: set[str]) -> str | None:
    if 2 * text.count("</") == text.count("<"):
        return None  # as many tags end as begin: the usual case, and quick to know
    return next((name for name in _PAIRED if name in names and _opened(text, name) > text.count(f"</{name}>")), None)


def _opened(text: str, name: str) -> int:
    return text.count(f"<{name}>") + text.count(f"<{name} ")


@rule(
    "description-first",
    "rss",
    "warning",
    reason="Readers that take the first text they find would take the long one for the summary.",
    remedy="write <description> before <content:encoded>",
    source="W3C NeedDescriptionBeforeContent",
)
def description_first(feed: Feed) -> Hits:
    """Writes the description before the full notes."""
    for item in feed.items:
        order = [node.name for node in item.nodes if node.name in {"description", "content:encoded"}]
        if order[:1] == ["content:encoded"] and "description" in order:
            yield Hit(item.first("content:encoded"), "<content:encoded> stands before <description>")
