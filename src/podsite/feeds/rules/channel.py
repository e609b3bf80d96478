"""Rules about the show: what the channel must have, and the closed lists its values come from."""

from __future__ import annotations

import re

from podsite import tables
from podsite.feeds.rules.rule import Feed, Hit, Hits, rule, shown

_MAIL = re.compile(r"[^\s@<>()]+@[^\s@<>()]+\.[^\s@<>().]+")


def _missing(feed: Feed, name: str) -> Hits:
    if not feed.channel.all(name):
        yield Hit(feed.channel, f"the channel has no <{name}>")


@rule(
    "channel-title",
    "rss apple spotify psp1 youtube",
    "error",
    key="title",
    reason="No directory takes a show without a name.",
    remedy="add the show's title",
    source="RSS 2.0; Apple; PSP-1",
)
def title(feed: Feed) -> Hits:
    """Has a title."""
    return _missing(feed, "title")


@rule(
    "channel-link",
    "rss psp1",
    "error",
    key="url",
    reason="RSS and PSP-1 require the show's web page.",
    remedy="add the address of the show's page",
    source="RSS 2.0; PSP-1",
)
def link(feed: Feed) -> Hits:
    """Has a link."""
    return _missing(feed, "link")


@rule(
    "channel-description",
    "rss apple spotify psp1",
    "error",
    key="description",
    reason="No directory takes a show that does not say what it is about.",
    remedy="add the show's description",
    source="RSS 2.0; Apple; PSP-1; 10up/simple-podcasting 203",
)
def description(feed: Feed) -> Hits:
    """Has a description."""
    return _missing(feed, "description")


@rule(
    "channel-language",
    "apple psp1",
    "error",
    key="language",
    reason="Apple and PSP-1 require the language, by which shows are listed for countries.",
    remedy="add the language, such as 'en'",
    source="Apple; PSP-1",
)
def language(feed: Feed) -> Hits:
    """Has a language."""
    return _missing(feed, "language")


@rule(
    "language-code",
    "rss apple psp1",
    "error",
    key="language",
    reason="A language that is no ISO 639 code fails at Apple.",
    remedy="write two letters, with a region if needed: 'en', 'pt-br'",
    source="Apple, A Podcaster's Guide to RSS; ISO 639",
)
def language_code(feed: Feed) -> Hits:
    """Names its language by an ISO 639 code of two letters."""
    for node in feed.channel.all("language"):
        code = node.text.strip()
        if code and not is_language(code):
            three = next((two for two, others in tables.LANGUAGES.items() if code.lower() in others), None)
            near = three or tables.LANGUAGE_NAMES.get(code.lower())
            tip = f" (did you mean '{near}'?)" if near else ""
            yield Hit(node, f"expected a language such as 'en' or 'en-us', found '{shown(code)}'{tip}", code)


def is_language(code: str) -> bool:
    """Whether it is a language as feeds write it."""
    primary, _, rest = code.lower().partition("-")
    return primary in tables.LANGUAGES and re.fullmatch(r"([a-z]{4}(-|$))?([a-z]{2}|\d{3})?", rest) is not None


@rule(
    "channel-image",
    "apple spotify psp1 amazon youtube",
    "error",
    key="artwork",
    reason="No directory lists a show without a cover.",
    remedy="add the artwork, 3000 × 3000 pixels",
    source="Apple; PSP-1",
)
def image(feed: Feed) -> Hits:
    """Has artwork."""
    return _missing(feed, "itunes:image")


@rule(
    "channel-explicit",
    "apple psp1",
    "error",
    key="explicit",
    reason="Apple and PSP-1 require the statement whether there is strong language.",
    remedy="add <itunes:explicit> with true or false",
    source="Apple; PSP-1",
)
def explicit(feed: Feed) -> Hits:
    """Says whether it is explicit."""
    return _missing(feed, "itunes:explicit")


@rule(
    "itunes-explicit",
    "rss apple psp1",
    "error",
    key="explicit",
    reason="The value is true or false; the older yes, no and clean are refused or misread.",
    remedy="write 'true' or 'false'",
    source="Apple; PSP-1; W3C InvalidTrueFalse",
)
def explicit_value(feed: Feed) -> Hits:
    """Writes true or false, in channel and items."""
    for node in feed.each("itunes:explicit"):
        if node.text.strip() and node.text.strip() not in {"true", "false"}:
            yield Hit(node, f"expected 'true' or 'false', found '{shown(node.text)}'", node.text)


@rule(
    "spotify-author",
    "spotify",
    "error",
    key="author",
    reason="Spotify refuses a show without an author; Apple and PSP-1 recommend one.",
    remedy="add <itunes:author>",
    source="AzuraCast PR 4840",
)
def author(feed: Feed) -> Hits:
    """Has an author."""
    return _missing(feed, "itunes:author")


@rule(
    "spotify-owner-email",
    "rss spotify",
    "warning",
    key="owner",
    reason="Spotify asks for an address when a show is submitted, to send its code to, and later does without; "
    "so this is judged only when an owner is given.",
    remedy="give the owner a mail address, or leave the owner out once the show is submitted",
    source="PodcastGenerator 327; W3C MissingItunesEmail",
)
def owner_email(feed: Feed) -> Hits:
    """Has a mail address where it has an owner."""
    for owner in feed.channel.all("itunes:owner"):
        mails = [node for node in owner.children if node.name == "itunes:email"]
        if not mails:
            yield Hit(owner, "the owner has no <itunes:email>")
        for node in mails:
            if node.text.strip() and not is_mail(node.text.strip()):
                yield Hit(node, f"expected a mail address, found '{shown(node.text)}'", node.text)


def is_mail(text: str) -> bool:
    """Whether it is a mail address."""
    return _MAIL.fullmatch(text) is not None


@rule(
    "itunes-type",
    "apple psp1",
    "error",
    key="order",
    reason="Apple knows two orders; any other value is ignored, and serials come out backwards.",
    remedy="write 'episodic' or 'serial'",
    source="Apple, A Podcaster's Guide to RSS",
)
def order(feed: Feed) -> Hits:
    """Is episodic or serial."""
    for node in feed.channel.all("itunes:type"):
        found = node.text.strip()
        if found and found.lower() not in {"episodic", "serial"}:
            yield Hit(node, f"expected 'episodic' or 'serial', found '{shown(found)}'", found)


@rule(
    "itunes-yes",
    "apple",
    "warning",
    reason="Only 'Yes' has an effect in itunes:block and itunes:complete; 'true' does nothing.",
    remedy="write 'Yes', or leave the tag out",
    source="Apple, A Podcaster's Guide to RSS",
)
def yes(feed: Feed) -> Hits:
    """Writes Yes where only that counts."""
    for node in feed.each("itunes:block", "itunes:complete"):
        if node.text.strip().lower() not in {"yes", "no"}:
            yield Hit(node, f"<{node.name}> is '{shown(node.text)}', which has no effect", node.text)


@rule(
    "rss-items",
    "apple spotify",
    "error",
    reason="Directories take a show with its first episode.",
    remedy="publish an episode",
    source="Apple; PodcastGenerator 327",
)
def items(feed: Feed) -> Hits:
    """Has an item."""
    if not feed.items:
        yield Hit(feed.channel, "the channel has no item")
