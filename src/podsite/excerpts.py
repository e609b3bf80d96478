"""Pages of an episode that are made to be shared: its player alone, and each of its quotes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from podsite import oembed, urls
from podsite.contexts import EmbedPage, QuotePage, Stretch
from podsite.paragraphs import anchor_at
from podsite.quotes import Quoted
from podsite.records import dataclass
from podsite.site import Entry, Mention, Site

#: What says the words of an episode.
Spoken = Callable[[Entry], Iterable[Stretch]]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A page to be made of a part of an episode: its template, its address, how to make what is given to it."""

    template: str
    address: str
    page: Callable[[], EmbedPage | QuotePage]


def of_episode(site: Site, entry: Entry, spoken: Spoken, common: Mapping[str, Any]) -> Iterator[Excerpt]:
    """The player alone, then each quote."""
    if oembed.is_offered(site, entry):
        yield Excerpt("embed.html", urls.embed(entry.episode.slug), partial(_embed, site, entry, common))
    for quoted in entry.quotes:
        yield Excerpt("quote.html", quoted.address, partial(_quote, site, entry, quoted, spoken, common))


def _embed(site: Site, entry: Entry, common: Mapping[str, Any]) -> EmbedPage:
    return EmbedPage(
        **common, address=urls.embed(entry.episode.slug), kind="embed", title=entry.episode.title,
        description=entry.episode.summary, image=entry.image or site.artwork, entry=entry,
    )  # fmt: skip


def _quote(site: Site, entry: Entry, quoted: Quoted, spoken: Spoken, common: Mapping[str, Any]) -> QuotePage:
    quote, episode, words = quoted.quote, entry.episode, site.words
    start, duration = quote.start, quote.duration
    until = start + duration if start is not None and duration else None
    place = anchor_at(spoken(entry), start) if start is not None else None
    return QuotePage(
        **common, address=quoted.address, kind="quote", title=words.say("A quote from %(title)s", title=episode.title),
        description=quote.text, image=entry.image or site.artwork, entry=entry, quote=quote,
        crumbs=(Mention(words.say("Episodes"), urls.archive()), Mention(episode.title, entry.address)),
        until=until, place=place,
    )  # fmt: skip
