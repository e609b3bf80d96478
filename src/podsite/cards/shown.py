"""What the card of a page shows."""

from __future__ import annotations

from typing import NamedTuple

from podsite import urls
from podsite.cards.drawing import Card
from podsite.contexts import GroupPage, Home, Page, PathPage, PersonPage, QuotePage
from podsite.filters import duration_text
from podsite.pages import Sheet
from podsite.site import Entry, Picture, Site


class Shown(NamedTuple):
    """A card, where it lies, and the picture on it."""

    address: str
    card: Card
    picture: Picture | None


def shown(site: Site, sheet: Sheet) -> Shown | None:
    """The card of a page; None of one that has none: it shows that of another, or is found at any address."""
    if sheet.entry and sheet.template == "episode.html":
        return Shown(urls.card(sheet.address), _of_episode(site, sheet.entry), sheet.entry.image or site.artwork)
    page = sheet.page()
    if page.card != urls.card(page.address):
        return None
    return Shown(urls.card(page.address), _of_page(site, page), page.image or site.artwork)


def _of_episode(site: Site, entry: Entry) -> Card:
    episode, audio = entry.episode, entry.audio
    facts = []
    if audio and audio.duration:
        facts.append(duration_text(int(audio.duration), site.show.language))
    if episode.kind != "full":
        facts.append(site.words.say(episode.kind.capitalize()))
    return Card(episode.title, site.show.title, entry.label or "", tuple(facts), plays=audio is not None)


def _of_page(site: Site, page: Page) -> Card:
    title, above = page.title, site.show.title
    facts: tuple[str, ...] = ()
    if isinstance(page, QuotePage):
        who = site.show.people[page.quote.person].name if page.quote.person else ""
        of = page.entry.episode.title if page.entry else ""
        return Card(page.quote.text, above, facts=(who, of), kind="quote", plays=page.quote.start is not None)
    if isinstance(page, Home):
        above = site.show.author if site.show.author != title else ""
    elif isinstance(page, GroupPage):
        title, facts = page.group.name, (_counted(site, len(page.group.entries)),)
    elif isinstance(page, PersonPage):
        one = page.contributor
        roles = (site.words.say(role) for role in one.roles[:2])
        title, facts = one.person.name, (*roles, _counted(site, len(one.entries)))
    elif isinstance(page, PathPage):
        title, length = page.route.title, page.route.duration
        facts = (
            _counted(site, len(page.route.stops)),
            *([duration_text(length, site.show.language)] if length else ()),
        )
    return Card(title, above, facts=facts)


def _counted(site: Site, count: int) -> str:
    return site.words.count("%(num)s episode", "%(num)s episodes", count) if count else ""
