"""What any RSS feed says of its episodes: read tolerantly, since it may be another program's or one of years ago."""

from __future__ import annotations

import html
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote

from podsite import values
from podsite.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemFacts:
    """What podcast apps know of an episode; None is what the source does not tell."""

    guid: str
    title: str
    published: datetime | None = None
    description: str | None = None  # as plain text, without the addresses of the site's own pages
    url: str | None = None
    length: int | None = None
    type: str | None = None
    duration: int | None = None
    sha256: str | None = None
    more: Mapping[str, str] = field(default_factory=dict)  # what `ITEM` reads; only feeds tell it, and then all of it

    @property
    def name(self) -> str:
        """What to call it: its title, else what it is known by."""
        return self.title or self.guid or self.url or "an episode without title"


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedFacts:
    """What podcast apps know of a show, and its episodes, newest first.

    `archived` are the guids that only later pages of the feed hold (RFC 5005); `is_cut` says that it goes on in a page
    that was not read. `scheduled` are episodes whose time is yet to come.
    """

    title: str | None = None
    guid: str | None = None
    address: str | None = None
    more: Mapping[str, str] = field(default_factory=dict)  # what `SHOW` reads
    items: tuple[ItemFacts, ...] = ()
    archived: frozenset[str] = frozenset()
    is_cut: bool = False
    scheduled: tuple[ItemFacts, ...] = ()

    def at(self, moment: datetime) -> FeedFacts:
        """What is out by then; the rest is scheduled."""
        later = tuple(item for item in self.items if item.published and item.published > moment)
        out = tuple(item for item in self.items if item not in later) if later else self.items
        return replace(self, items=out, scheduled=(*later, *self.scheduled))


def newest_first(items: Iterable[ItemFacts]) -> tuple[ItemFacts, ...]:
    """The order in which apps list them: by date, undated ones last, ties as they stand."""
    return tuple(sorted(items, key=lambda one: one.published or datetime.min.replace(tzinfo=UTC), reverse=True))


def facts_of_feed(xml: bytes) -> FeedFacts:
    """The facts of an RSS feed. Raises ValueError when the bytes are none."""
    root, channel = _parsed(xml)
    home = (_text(channel, "link") or "").rstrip("/")
    about, links = _Said(channel, home), _links(channel)
    more = {fact.name: fact.read(about) for fact in SHOW if fact.read}
    return FeedFacts(
        title=_text(channel, "title"),
        guid=_text(channel, "guid"),
        address=links.get("self"),
        more=more,
        # RSS 1.0 and some feeds beyond repair have their items outside the channel
        items=newest_first(_item(one, home, more) for one in root.iter() if _name(one) == "item"),
        is_cut="next" in links,
    )


def facts_of_feeds(pages: Sequence[bytes]) -> FeedFacts:
    """The facts of a feed in pages, the one that apps subscribe to first. Feeds of another guid are other feeds."""
    first, *others = map(facts_of_feed, pages)
    others = [one for one in others if one.guid == first.guid]
    items: dict[str, ItemFacts] = {}
    for page in (first, *others):
        items = {item.guid: item for item in page.items} | items
    recent = {item.guid for item in first.items}
    return replace(
        first,
        items=newest_first(items.values()),
        archived=frozenset(items.keys() - recent),
        is_cut=all(page.is_cut for page in (first, *others)),
    )


def pages_in_folder(folder: Path, path: str) -> Iterator[bytes]:
    """The feed at a path of a built site, and the archive pages it leads to. Raises ValueError as above."""
    following: Path | None = folder / path
    base, seen = None, set()
    while following and following not in seen:
        seen.add(following)
        xml = following.read_bytes()
        yield xml
        links = {relation: unquote(address) for relation, address in _links(_parsed(xml)[1]).items()}
        base = links.get("self", "").removesuffix(path) if base is None else base
        after = folder / links.get("next", "").removeprefix(base)
        inside = after.is_file() and after.resolve().is_relative_to(folder.resolve())
        following = after if inside else None


def _parsed(xml: bytes) -> tuple[Any, Any]:
    """The root and the channel of a feed, whatever is wrong with it."""
    from lxml import etree

    parser = etree.XMLParser(
        recover=True, resolve_entities=False, no_network=True, huge_tree=True, remove_comments=True
    )
    try:
        root = etree.fromstring(xml, parser)
    except etree.XMLSyntaxError:
        root = None
    channel = None if root is None else next((one for one in root.iter() if _name(one) == "channel"), None)
    if root is None or channel is None:
        raise ValueError("is no RSS feed")
    return root, channel


def _links(channel: Any) -> dict[str, str]:
    found = [one for one in channel if _name(one) == "link" and one.get("rel") and one.get("href")]
    return {one.get("rel"): one.get("href") for one in reversed(found)}


def _item(item: Any, home: str, show: Mapping[str, str]) -> ItemFacts:
    enclosure = next((one for one in item if _name(one) == "enclosure"), None)
    about = {} if enclosure is None else dict(enclosure.attrib)
    title, url = _text(item, "title") or "", about.get("url")
    page = (_text(item, "link") or "").rstrip("/")
    said = _Said(item, home, page, show)
    return ItemFacts(
        # without a guid, apps tell episodes apart by their recording
        guid=_text(item, "guid") or url or title,
        title=title,
        published=_date(_text(item, "pubDate") or _text(item, "date")),
        description=_plain(_text(item, "description") or "", home),
        url=url,
        length=int(about["length"]) if re.fullmatch(r"[1-9]\d{0,14}", about.get("length", ""), re.ASCII) else None,
        type=about.get("type") or None,
        duration=_duration(_text(item, "duration")),
        more={fact.name: fact.read(said) for fact in ITEM if fact.read},
    )


def _name(element: Any) -> str:
    """An element's name without namespace; empty for processing instructions."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _text(element: Any, name: str) -> str | None:
    """The text of the first child of that name that has one; RSS's own elements before those of namespaces."""
    children = sorted((one for one in element if _name(one) == name), key=lambda one: "}" in one.tag)
    texts = (" ".join("".join(one.itertext()).split()) for one in children)
    return next((text for text in texts if text), None)


def _plain(markup: str, home: str) -> str:
    """Words alone: where the links of a description lead changes with the site's address, and nobody reads it."""
    text = html.unescape(re.sub(r"<[^<>]*>", " ", markup))
    return " ".join((text.replace(home, "") if home else text).split())


def _date(text: str | None) -> datetime | None:
    try:
        found = parsedate_to_datetime(text or "")
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    try:
        return values.moment(text or "")  # some write ISO 8601
    except ValueError:
        return None


def _duration(text: str | None) -> int | None:
    try:
        return int(values.seconds(text or "")) or None
    except ValueError:
        return None


_SPACES = {
    "itunes": "itunes",
    "podcast-namespace": "podcast",
    "podcastindex": "podcast",
    "modules/content": "content",
    "simple-chapters": "psc",
    "purl.org/rss/1.0/": "",
    "atom": "atom",
}


@cache
def _prefixed(tag: str) -> str:
    """An element's name with the usual prefix of its namespace, which feeds spell in many ways."""
    space, _, name = tag.rpartition("}")
    known = next((prefix for part, prefix in _SPACES.items() if part in space.lower()), "?" if space else "")
    return f"{known}:{name}" if known else name


class _Said:
    """What a channel or an item says: of the site at `home`, the episode's `page`, and what the channel says."""

    def __init__(self, element: Any, home: str, page: str = "", show: Mapping[str, str] | None = None) -> None:
        self.home, self.show = f"{home}/" if home else "", show or {}
        self.own = (f"{page}/", self.home) if page else (self.home,)
        self._found = defaultdict(list)
        for one in element:
            if isinstance(one.tag, str):
                self._found[_prefixed(one.tag)].append(one)

    def all(self, name: str) -> Sequence[Any]:
        """The elements of that name."""
        return self._found.get(name, ())

    def text(self, *names: str) -> str:
        """The first text under one of the names."""
        return next((text for name in names for one in self.all(name) if (text := _words(one))), "")

    def is_so(self, name: str) -> str:
        """Whether it says yes, in one of the ways that feeds do."""
        return "yes" if self.text(name).lower() in {"yes", "true", "explicit"} else "no"

    def place(self, name: str, attribute: str) -> str:
        """The first address in an attribute, short where it is the site's own, which may move as a whole."""
        return next((self.short(one.get(attribute)) for one in self.all(name) if one.get(attribute)), "")

    def short(self, address: str) -> str:
        """An address without what the show's home or the episode's page have in common with it."""
        return address.removeprefix(next((own for own in self.own if address.startswith(own)), ""))

    def is_explicit(self) -> str:
        """Whether it is: an episode that says nothing is what the show is."""
        return self.is_so("itunes:explicit") if self.text("itunes:explicit") else self.show.get("explicit", "no")


def _words(element: Any) -> str:
    return " ".join("".join(element.itertext()).split())


def _listed(texts: Iterable[str]) -> str:
    return ", ".join(text for text in texts if text)


def _with(text: str, more: str | None) -> str:
    return f"{text} ({more})" if more else text


def _prose(*names: str) -> Callable[[_Said], str]:
    return lambda said: _plain(said.text(*names), said.home.rstrip("/"))


def _owner(said: _Said) -> str:
    return _listed(_words(part) for one in said.all("itunes:owner") for part in one.iterchildren("*"))


def _categories(said: _Said) -> str:
    found = said.all("itunes:category")
    return _listed(
        " > ".join([one.get("text", ""), *(below.get("text", "") for below in one.iterchildren("*"))]) for one in found
    )


def _blocked(said: _Said) -> str:
    services = (_with(_words(one), one.get("id")) for one in said.all("podcast:block"))
    return _listed([said.is_so("itunes:block"), *services])


def _people(said: _Said) -> str:
    return _listed(_with(_words(one), one.get("role", "host").lower()) for one in said.all("podcast:person"))


def _artwork(said: _Said) -> str:
    return said.place("itunes:image", "href") or _listed(
        said.short(_words(part)) for one in said.all("image") for part in one if _name(part) == "url"
    )


def _apple_title(said: _Said) -> str:
    return _listed({said.text("itunes:title")} - {said.text("title")})


def _counted(name: str, label: str) -> Callable[[_Said], str]:
    """A number that stands in two namespaces, one of which has a label for it."""

    def read(said: _Said) -> str:
        labels = (one.get(label) for one in said.all(f"podcast:{name}"))
        return _with(said.text(f"podcast:{name}", f"itunes:{name}"), next(labels, None))

    return read


def _chapters(said: _Said) -> str:
    return _listed(f"{one.get('start')} {one.get('title')}" for each in said.all("psc:chapters") for one in each)


def _transcripts(said: _Said) -> str:
    found = said.all("podcast:transcript")
    return _listed(_with(said.short(one.get("url", "")), one.get("language", "").lower()) for one in found)


def _soundbites(said: _Said) -> str:
    found = said.all("podcast:soundbite")
    return _listed(f"{one.get('startTime')} + {one.get('duration')} {_words(one)}".strip() for one in found)


def _recorded(said: _Said) -> str:
    return "yes" if any(one.get("url") for one in said.all("enclosure")) else "no"


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact and what to call it; what is not `read` is an attribute of the facts.

    Its change is `noticed` by listeners or only `told` to the podcaster; of a `place` listeners notice when something
    comes or goes, but not where it lies.
    """

    name: str
    words: str
    weight: Literal["noticed", "told", "place"]
    read: Callable[[_Said], str] | None = None


SHOW = (
    Fact("title", "title", "noticed"),
    Fact("apple_title", "title at Apple", "noticed", _apple_title),
    Fact("link", "link to the site", "told", lambda said: said.text("link")),
    Fact("description", "description", "noticed", _prose("description", "itunes:summary")),
    Fact("language", "language", "told", lambda said: said.text("language").lower()),
    Fact("author", "author", "noticed", lambda said: said.text("itunes:author")),
    Fact("owner", "owner, to whom directories write", "told", _owner),
    Fact("people", "people", "noticed", _people),
    Fact("explicit", "explicit", "noticed", _Said.is_explicit),
    Fact("order", "order of episodes", "noticed", lambda said: said.text("itunes:type").lower() or "episodic"),
    Fact("categories", "categories", "told", _categories),
    Fact("block", "block (by yes, Apple and others drop the show)", "noticed", _blocked),
    Fact("complete", "complete (by yes, apps look for new episodes no more)", "noticed",
         lambda said: said.is_so("itunes:complete")),
    Fact("new_feed_url", "new address of the feed, to which subscribers are led", "told",
         lambda said: said.text("itunes:new-feed-url")),
    Fact("artwork", "artwork", "noticed", _artwork),
    Fact("guid", "guid", "noticed"),
    Fact("locked", "locked against import by other hosts", "told", lambda said: said.is_so("podcast:locked")),
    Fact("copyright", "copyright", "told", lambda said: said.text("copyright")),
    Fact("license", "license", "told", lambda said: said.text("podcast:license")),
    Fact("medium", "medium", "noticed", lambda said: said.text("podcast:medium").lower() or "podcast"),
    Fact("address", "feed's address (subscribers follow where the old one leads to the new)", "told"),
)  # fmt: skip
ITEM = (
    Fact("guid", "guid", "noticed"),
    Fact("title", "title", "noticed"),
    Fact("apple_title", "title at Apple", "noticed", _apple_title),
    Fact("link", "address of its page", "place", lambda said: said.text("link").removeprefix(said.home)),
    Fact("published", "date", "noticed"),
    Fact("description", "description", "noticed"),
    Fact("notes", "notes", "noticed", _prose("content:encoded")),
    Fact("duration", "duration", "noticed"),
    Fact("recording", "recording (without one, apps drop the episode)", "noticed", _recorded),
    Fact("length", "length of the recording", "noticed"),
    Fact("type", "type of the recording", "noticed"),
    Fact("sha256", "content of the recording", "noticed"),
    Fact("url", "address of the recording", "place"),
    Fact("season", "season", "noticed", _counted("season", "name")),
    Fact("number", "number", "noticed", _counted("episode", "display")),
    Fact("kind", "kind", "noticed", lambda said: said.text("itunes:episodeType").lower() or "full"),
    Fact("explicit", "explicit", "noticed", _Said.is_explicit),
    Fact("block", "block (by yes, Apple and others drop the episode)", "noticed",
         lambda said: said.is_so("itunes:block")),
    Fact("artwork", "picture", "noticed", lambda said: _artwork(said) or said.show.get("artwork", "")),
    Fact("chapters", "chapters", "noticed", _chapters),
    Fact("chapters_file", "file of chapters", "place", lambda said: said.place("podcast:chapters", "url")),
    Fact("transcript", "transcript", "place", _transcripts),
    Fact("people", "people", "noticed", _people),
    Fact("soundbites", "soundbites", "told", _soundbites),
)  # fmt: skip
#: What an episode has from the show unless it has its own, so that a change of both is the show's.
INHERITED = ("explicit", "artwork")
