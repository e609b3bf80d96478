"""A tag of a feed as a plain value, and what every function that makes tags works from.

Tags are made of these values in `channel` and `item`; only `namespaces` turns them into XML. So a new tag is one
small function there, without lxml or feedgen, and the escaping is in one place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from datetime import datetime

from podsite import urls, values
from podsite.feeds.editions import Edition
from podsite.model import Episode
from podsite.read import Content
from podsite.records import dataclass
from podsite.site import Site

#: What an attribute may be; None leaves it out, and a truth is written `true` or `false`.
Scalar = str | int | float | bool | datetime | None


@dataclass(frozen=True, slots=True)
class Tag:
    """One element: `podcast:person`, or `title` of RSS itself, with its text, attributes and children."""

    name: str
    text: str | None = None
    attributes: Mapping[str, str] = field(default_factory=dict)
    children: tuple[Tag, ...] = ()


Tags = Iterator[Tag]


@dataclass(frozen=True, slots=True)
class Source:
    """What tags are made of: the linked site, the content for the addresses of its files, and the feed they are for."""

    site: Site
    content: Content
    edition: Edition

    def url(self, target: str, episode: Episode | None = None) -> str:
        """The full web address of a file of the site (or, as it is, of a full address)."""
        address = target if values.is_url(target) else self.content.address(target, episode)
        return urls.absolute(self.site.base_url, address)

    def page(self, address: str) -> str:
        """The full web address of an address of the site."""
        return urls.absolute(self.site.base_url, address)


def tag(name: str, text: str | None = None, attributes: Mapping[str, Scalar] | None = None, *children: Tag) -> Tag:
    """A tag; attributes without a value are left out."""
    written = {key: _written(value) for key, value in (attributes or {}).items() if value is not None}
    return Tag(name, text, written, children)


def truth(value: bool) -> str:
    """`true` or `false`, the only spelling Apple and Podcasting 2.0 take."""
    return "true" if value else "false"


def number(value: float) -> str:
    """A number without a needless fraction: `12`, `12.5`, `0.25`; to the millisecond."""
    return f"{value:.3f}".rstrip("0").rstrip(".")


def moment(value: datetime | None) -> str | None:
    """ISO 8601 in UTC, as Podcasting 2.0 writes moments: `2024-05-01T09:30:00Z`."""
    return value.isoformat().replace("+00:00", "Z") if value else None


def _written(value: Scalar) -> str:
    match value:
        case bool():
            return truth(value)
        case datetime():
            from email.utils import format_datetime

            return format_datetime(value)
        case float():
            return number(value)
    return str(value)
