"""The parts of Podcasting 2.0: places, terms, payments, live streams and all else that only podcast apps read.

https://github.com/Podcastindex-org/podcast-namespace/tree/main/docs/tags
"""

from __future__ import annotations

import re
from typing import Literal

from podsite import tables
from podsite.errors import hint
from podsite.parts import Enclosure, Faults, key
from podsite.records import dataclass
from podsite.scalars import (
    AspectRatio,
    Caption,
    Country,
    Decimal,
    FileOrUrl,
    Geo,
    Guid,
    Host,
    Line,
    MediaType,
    Moment,
    Osm,
    Percent,
    Positive,
    Proof,
    Seconds,
    Service,
    Size,
    Slug,
    Text,
    Truth,
    Url,
    Uuid,
    Whole,
)

Medium = Literal[
    "podcast", "music", "video", "film", "audiobook", "newsletter", "blog", "publisher", "course",
    "podcastL", "musicL", "videoL", "filmL", "audiobookL", "newsletterL", "blogL", "publisherL", "courseL", "mixed",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Soundbite:
    """A stretch that stands for the episode."""

    start: Seconds = key("Where it starts.")
    duration: Seconds = key("How long it is; 15 to 120 seconds serve best.")
    title: Caption | None = key("Its title, at most 128 characters.", default=None)

    def faults(self) -> Faults:
        """Nothing can be heard in no time."""
        return _lasting(self.duration)


@dataclass(frozen=True, slots=True, kw_only=True)
class Location:
    """A place the show or episode is about, or where it is made."""

    name: Caption = key("Its name, at most 128 characters.", short=True)
    rel: Literal["subject", "creator"] = key("Whether it is the subject or the maker's place.", default="subject")
    geo: Geo | None = key("Coordinates, `geo:52.52,13.40`.", default=None)
    osm: Osm | None = key("OpenStreetMap object, `R62422`.", default=None)
    country: Country | None = key("ISO 3166-1 code.", default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class License:
    """The terms under which others may use the work."""

    name: Caption = key("A listed slug such as CC-BY-4.0, or a name of your own.", short=True)
    url: Url | None = key("Where the terms stand; needed for a name of your own.", default=None)

    def faults(self) -> Faults:
        """A name that is not on the list says nothing without its terms."""
        if self.url is None and self.name.casefold() not in {one.casefold() for one in tables.LICENSES}:
            yield "", f"the license '{self.name}' needs 'url', where its terms stand{hint(self.name, tables.LICENSES)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Txt:
    """A free text for machines, such as a directory's proof of ownership."""

    text: Proof = key("The text, at most 4,000 characters.", short=True)
    purpose: Caption | None = key("What for: verify, applepodcastsverify, release, ai-content, …", default=None)

    def faults(self) -> Faults:
        """Whether artificial intelligence made the content is told by true or false alone."""
        if self.purpose == "ai-content" and self.text not in {"true", "false"}:
            yield "text", f"expected true or false for the purpose ai-content, found '{self.text}'"


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteItem:
    """A show or episode in another feed."""

    feed_guid: Uuid = key("The other feed's podcast:guid.", short=True)
    feed_url: Url | None = key("The other feed's address.", default=None)
    item_guid: Guid | None = key("Guid of the episode in it.", default=None)
    medium: Medium | None = key("The other feed's medium.", default=None)
    title: Line | None = key("Its title.", default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipient:
    """Who receives a share of what listeners pay."""

    type: Literal["node", "lnaddress"] = key("Kind of address.")
    address: Line = key("Where payments go.")
    split: Whole = key("Share of the whole.")
    name: Line | None = key("Who it is.", default=None)
    custom_key: Line | None = key("Custom record key.", default=None)
    custom_value: Line | None = key("Custom record value.", default=None)
    fee: Truth = key("Whether it is a fee taken before the splits.", default=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeSplit:
    """A stretch during which payments go elsewhere."""

    start: Seconds = key("Where it starts.")
    duration: Seconds = key("How long it is.")
    remote_start: Seconds | None = key("Start in the other item.", default=None)
    remote_percentage: Percent | None = key("Share that goes to the other item, 0 to 100.", default=None)
    remote_item: RemoteItem | None = key("The item that is paid.", default=None)
    recipients: tuple[Recipient, ...] = key("Who is paid, where it is no item.", default=())

    def faults(self) -> Faults:
        """Exactly one of remote_item and recipients."""
        yield from _lasting(self.duration)
        if bool(self.remote_item) == bool(self.recipients):
            found = "found both; keep one" if self.recipients else "found neither"
            yield "", f"expected 'remote_item' (an item that is paid) or 'recipients', {found}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """How listeners can pay."""

    type: Line = key("Payment layer, such as lightning.")
    method: Line = key("Transport, such as keysend.")
    suggested: Decimal | None = key("Suggested amount a minute.", default=None)
    recipients: tuple[Recipient, ...] = key("Who is paid.")
    time_splits: tuple[TimeSplit, ...] = key("Stretches that pay others.", default=())

    def faults(self) -> Faults:
        """Somebody must get something."""
        if not any(one.split for one in self.recipients):
            yield "recipients", "every 'split' is 0, so nobody would be paid; give shares such as 95 and 5"


@dataclass(frozen=True, slots=True, kw_only=True)
class Social:
    """The place where an episode is discussed."""

    protocol: Literal["disabled", "activitypub", "twitter", "lightning", "atproto", "hive", "matrix", "nostr"] = key(
        "The network."
    )
    uri: Line | None = key("The root post.", default=None)
    account_id: Line | None = key("Account that posted it.", default=None)
    account_url: Url | None = key("Page of that account.", default=None)
    priority: Whole | None = key("Order among several.", default=None)

    def faults(self) -> Faults:
        """Every protocol but `disabled` needs the post."""
        if self.protocol != "disabled" and not self.uri:
            yield "", f"missing key 'uri': the {self.protocol} post to answer to"


@dataclass(frozen=True, slots=True, kw_only=True)
class Funding:
    """A way to support the show."""

    url: Url = key("Where to give.", short=True)
    text: Caption = key("What the button says, at most 128 characters.", default="Support the show")


@dataclass(frozen=True, slots=True, kw_only=True)
class Trailer:
    """A short recording that says what the show or a season is about."""

    title: Caption = key("Its title, at most 128 characters.")
    url: FileOrUrl = key("The media file.")
    published: Moment = key("When it came out.")
    length: Size | None = key("Length in bytes.", default=None)
    type: MediaType | None = key("Media type.", default=None)
    season: Positive | None = key("Season it announces.", default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateFrequency:
    """How often episodes come."""

    text: Caption = key("In words, such as 'every other Monday'.", short=True)
    start: Moment | None = key("First date of the rule; a rule with COUNT needs it.", default=None)
    rrule: Line | None = key("RFC 5545 recurrence rule.", default=None)

    def faults(self) -> Faults:
        """The rule is one, and its end can be found."""
        rule = self.rrule or "FREQ=DAILY"
        if not re.fullmatch(r"[A-Z]+=[A-Z0-9,+-]+(;[A-Z]+=[A-Z0-9,+-]+)*", rule) or not re.search(_FREQUENCY, rule):
            yield "rrule", f"expected a rule such as FREQ=WEEKLY;BYDAY=MO, found '{rule}'"
        if "COUNT=" in rule and self.start is None:
            yield "rrule", "a rule with COUNT needs 'start', the date from which to count"


_FREQUENCY = r"(^|;)FREQ=(SECONDLY|MINUTELY|HOURLY|DAILY|WEEKLY|MONTHLY|YEARLY)(;|$)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A service that is asked not to show the feed, or the one exception."""

    service: Service = key("Its slug on podcastindex.org's list, such as `amazon`; `true` for all.", short=True)
    allowed: Truth = key("Whether it may show the feed all the same.", default=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Illustration:
    """A further picture (or moving one) for apps, of any shape."""

    image: FileOrUrl = key("The picture.", short=True)
    alt: Line | None = key("What it shows, for those who do not see it.", default=None)
    aspect_ratio: AspectRatio | None = key("Width to height, `16/9`; a local picture is measured.", default=None)
    width: Positive | None = key("Width in pixels; a local picture is measured.", default=None)
    height: Positive | None = key("Height in pixels; a local picture is measured.", default=None)
    type: MediaType | None = key("Media type; else by the file's ending.", default=None)
    purpose: Caption | None = key(
        "What for, in words with spaces between: artwork, social, canvas, banner, publisher, circular, poster.",
        default=None,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """The room where listeners talk to each other."""

    server: Host = key("The chat server's domain.")
    protocol: Literal["irc", "xmpp", "nostr", "matrix"] = key("The network.")
    account_id: Line | None = key("Your account there.", default=None)
    space: Line | None = key("The room or channel.", default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentLink:
    """Where the same can be heard or watched, for apps that cannot play it."""

    url: Url = key("The page.")
    text: Caption = key("What the link says, at most 128 characters.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """A live stream, announced to apps beforehand."""

    id: Slug = key("Its lasting identity among the show's streams.")
    title: Line = key("Its title.")
    start: Moment = key("When it begins.")
    end: Moment | None = key("When it ends.", default=None)
    status: Literal["pending", "live", "ended"] = key("What holds now; apps go by this.", default="pending")
    summary: Text | None = key("A paragraph about it.", default=None)
    audio: Enclosure | None = key("The stream.", default=None)
    content_links: tuple[ContentLink, ...] = key("Pages where it can be heard or watched.")
    images: tuple[Illustration, ...] = key("Pictures for apps.", default=())
    chat: Chat | None = key("Where listeners talk meanwhile.", default=None)

    def faults(self) -> Faults:
        """It ends after it began, and comes from a server."""
        if self.audio is not None and self.audio.file:
            yield "audio", "a stream comes from a server; give its address, https://…"
        if self.end is not None and self.end <= self.start:
            yield "end", "ends before it begins; check date and time zone of 'start' and 'end'"


@dataclass(frozen=True, slots=True, kw_only=True)
class Spotify:
    """What only Spotify reads."""

    countries: tuple[Country, ...] = key("Countries where the show is at home, the first before all.", default=())
    newest: Positive | None = key("How many of the newest episodes Spotify keeps.", default=None)


def _lasting(duration: float) -> Faults:
    if not duration:
        yield "duration", "expected a length of time, found 0"
