"""When the newest of what a page shows came out: the date that a sitemap may give the page.

Other edits have no date in a site's files, and the clock is none of the site's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any

from podsite.contexts import (
    Archive,
    GroupPage,
    Home,
    Page,
    PathPage,
    People,
    PersonPage,
    ReadingPage,
    Seasons,
    ShelfPage,
    Start,
    Statistics,
    Topics,
)
from podsite.site import Entry

#: By the kind of page, the episodes of which one is the newest that it shows.
_NEWEST: Mapping[type[Page], Callable[[Any], Iterable[Entry]]] = {
    Home: lambda page: page.site.entries,
    Statistics: lambda page: page.site.entries,
    Archive: lambda page: page.entries,
    Topics: lambda page: (topic.entries[0] for topic in page.topics),
    GroupPage: lambda page: page.entries,
    People: lambda page: (one.entries[0] for one in page.people),
    PersonPage: lambda page: page.entries,
    Seasons: lambda page: (season.entries[0] for season in page.seasons),
    ReadingPage: lambda page: (cited.entries[-1] for shelf in page.shelves for cited in shelf.readings),
    ShelfPage: lambda page: (cited.entries[-1] for cited in page.readings),
    Start: lambda page: (stop.entry for route in page.routes for stop in route.stops),
    PathPage: lambda page: (stop.entry for stop in page.stops),
}


def changed(page: Page) -> datetime | None:
    """The date of the newest episode that a page is about; None where it is about none."""
    newest = _NEWEST.get(type(page))
    return max((entry.feed_date for entry in newest(page)), default=None) if newest else None
