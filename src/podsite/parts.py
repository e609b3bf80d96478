"""The parts that shows and episodes are made of: readings, chapters, people, enclosures and the Podcasting 2.0 facts.

Each class is a mapping of the YAML files; each field a key of it, with the sentence that documents it.
Frozen, without I/O. Times are seconds, lengths bytes, moments aware and in UTC.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, field
from typing import Any, Literal

from podsite import tables
from podsite.errors import hint
from podsite.scalars import (
    AddressPath,
    Caption,
    Colour,
    Count,
    Country,
    Decimal,
    Duration,
    Email,
    FileOrUrl,
    FilePath,
    Geo,
    Group,
    Guid,
    Label,
    Language,
    Line,
    LinkTarget,
    Markdown,
    MediaType,
    Moment,
    Osm,
    Percent,
    Proof,
    Role,
    Seconds,
    Size,
    Slug,
    Text,
    Truth,
    Url,
    Uuid,
    Whole,
    Year,
)

#: A fault inside one mapping, found once its fields are read: the key it concerns and what is wrong.
Faults = Iterator[tuple[str, str]]


def key(doc: str, *, short: bool = False, default: Any = MISSING, factory: Any = MISSING) -> Any:
    """A key of a YAML mapping. `short` marks the one a bare scalar fills when it stands for the whole mapping."""
    return field(default=default, default_factory=factory, metadata={"doc": doc, "short": short})


def derived(doc: str, default: Any = None) -> Any:
    """A field that is no key: `read` fills it from the file's name or its companions."""
    return field(default=default, metadata={"doc": doc, "derived": True})


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One thing to read, hear or watch after an episode."""

    url: Url = key("Complete address of what is recommended.", short=True)
    title: Line | None = key("Its title; the address stands in where none is given.", default=None)
    kind: Literal["article", "paper", "book", "code", "docs", "issue", "talk", "video", "podcast"] | None = key(
        "What it is.", default=None
    )
    authors: tuple[Line, ...] = key("Who wrote it, one name each.", default=())
    year: Year | None = key("Year of publication.", default=None)
    note: Line | None = key("A remark shown behind the link.", default=None)
    archive: Url | None = key("An archived copy.", default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """A stretch of an episode, from its start to the next chapter's."""

    start: Seconds = key("Where it starts: seconds, `12:34` or `1:02:03`.")
    title: Line = key("Its title.")
    url: Url | None = key("An address that goes with it.", default=None)
    image: FileOrUrl | None = key("A picture shown while it plays.", default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """One timed stretch of a transcript: from `start` to `end` (seconds), who speaks, and the words."""

    start: float
    end: float
    text: str
    speaker: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """The spoken words of an episode, in a companion file."""

    file: FilePath = key("The transcript: .vtt, .srt, .json, .html or .txt.", short=True)
    language: Language | None = key("Its language, where it is not the show's.", default=None)
    captions: Truth = key("Whether the cues are made to be shown over a video.", default=False)
    cues: tuple[Cue, ...] = derived("The timed words.", ())


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternate:
    """The same episode in another format or quality."""

    file: FilePath | None = key("The media file.", short=True, default=None)
    url: Url | None = key("Its address, where it lies elsewhere.", short=True, default=None)
    type: MediaType | None = key("Media type; else by the file's ending.", default=None)
    length: Size | None = key("Length in bytes; read from a local file.", default=None)
    bitrate: Decimal | None = key("Bits per second.", default=None)
    height: Whole | None = key("Height of a video in pixels.", default=None)
    language: Language | None = key("Its language.", default=None)
    title: Label | None = key("What it is called in a list, at most 32 characters.", default=None)
    rel: Label | None = key("What sets it apart, at most 32 characters.", default=None)
    codecs: Line | None = key("RFC 6381 codecs string.", default=None)
    default: Truth = key("Whether it is the same file as `audio`.", default=False)

    def faults(self) -> Faults:
        """Exactly one of file and url."""
        return _one_source(self.file, self.url)


@dataclass(frozen=True, slots=True, kw_only=True)
class Enclosure:
    """The audio (or video) of an episode."""

    file: FilePath | None = key(
        "A media file, beside the YAML file or by its path in the site.", short=True, default=None
    )
    url: Url | None = key("Its address, where it lies elsewhere.", short=True, default=None)
    length: Size | None = key("Length in bytes; read from a local file.", default=None)
    type: MediaType | None = key("Media type; else by the file's ending.", default=None)
    duration: Duration | None = key("Duration; read from a local file.", default=None)
    alternates: tuple[Alternate, ...] = key("The same in other formats.", default=())

    def faults(self) -> Faults:
        """Exactly one of file and url."""
        return _one_source(self.file, self.url)


def _one_source(file: str | None, url: str | None) -> Faults:
    if not file and not url:
        yield "", "expected 'file' (in the site) or 'url' (elsewhere)"
    if file and url:
        yield "url", "found both 'file' and 'url'; keep one"


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody who takes part in the show; episodes name them by their id in `people`."""

    name: Line = key("Full name.", short=True)
    role: Role = key("Role by the podcast taxonomy.", default="Host")
    group: Group | None = key("Group of the role; else the one the role belongs to.", default=None)
    url: Url | None = key("Their own page.", default=None)
    image: FileOrUrl | None = key("Portrait.", default=None)
    bio: Markdown | None = key("A few sentences about them.", default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Credit:
    """That a person takes part in an episode."""

    person: Slug = key("Id of the person in show.yaml.", short=True)
    role: Role | None = key("Role in this episode, where it is not the usual one.", default=None)
    group: Group | None = key("Group of that role.", default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """A moment worth sharing."""

    text: Text = key("The words.", short=True)
    start: Seconds | None = key("Where they are said.", default=None)
    duration: Seconds | None = key("For how long.", default=None)
    person: Slug | None = key("Id of who says them.", default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Soundbite:
    """A stretch that stands for the episode."""

    start: Seconds = key("Where it starts.")
    duration: Seconds = key("How long it is; 15 to 120 seconds serve best.")
    title: Caption | None = key("Its title, at most 128 characters.", default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Location:
    """A place the show or episode is about, or where it is made."""

    name: Line = key("Its name.", short=True)
    rel: Literal["subject", "creator"] = key("Whether it is the subject or the maker's place.", default="subject")
    geo: Geo | None = key("Coordinates, `geo:52.52,13.40`.", default=None)
    osm: Osm | None = key("OpenStreetMap object, `R62422`.", default=None)
    country: Country | None = key("ISO 3166-1 code.", default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class License:
    """The terms under which others may use the work."""

    name: Line = key("A listed slug such as CC-BY-4.0, or a name of your own.", short=True)
    url: Url | None = key("Where the terms stand; needed for a name of your own.", default=None)

    def faults(self) -> Faults:
        """A name that is not on the list says nothing without its terms."""
        if self.url is None and self.name.casefold() not in {one.casefold() for one in tables.LICENSES}:
            yield "", f"the license '{self.name}' needs 'url', where its terms stand{hint(self.name, tables.LICENSES)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Txt:
    """A free text for machines, such as a directory's proof of ownership."""

    text: Proof = key("The text, at most 4,000 characters.", short=True)
    purpose: Line | None = key("What for: verify, applepodcastsverify, ai-content, …", default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteItem:
    """A show or episode in another feed."""

    feed_guid: Uuid = key("The other feed's podcast:guid.", short=True)
    feed_url: Url | None = key("The other feed's address.", default=None)
    item_guid: Guid | None = key("Guid of the episode in it.", default=None)
    medium: Line | None = key("The other feed's medium.", default=None)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """How listeners can pay."""

    type: Line = key("Payment layer, such as lightning.")
    method: Line = key("Transport, such as keysend.")
    suggested: Decimal | None = key("Suggested amount a minute.", default=None)
    recipients: tuple[Recipient, ...] = key("Who is paid.")
    time_splits: tuple[TimeSplit, ...] = key("Stretches that pay others.", default=())


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
    season: Whole | None = key("Season it announces.", default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateFrequency:
    """How often episodes come."""

    text: Line = key("In words, such as 'every other Monday'.", short=True)
    complete: Truth = key("Whether the show has ended.", default=False)
    start: Moment | None = key("First date of the rule.", default=None)
    rrule: Line | None = key("RFC 5545 recurrence rule.", default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """Who answers for the feed; directories write to this address."""

    name: Line = key("Name.")
    email: Email = key("Mail address; it becomes public with the feed.")


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedSettings:
    """Where the feed lies and what it holds."""

    path: AddressPath = key("Path of the feed.", default="feed.xml")
    limit: Count | None = key("How many of the newest episodes the feed holds; all without it.", default=None)
    aliases: tuple[AddressPath, ...] = key("Old paths where the feed stays readable.", default=())
    new_feed_url: Url | None = key("The feed's new address, once it has moved away.", default=None)
    prefix: Url | None = key("Analytics prefix of enclosure addresses in the feed.", default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link of the navigation or the footer."""

    title: Line = key("What it says.")
    url: LinkTarget = key("A page of the site (`/about/`) or an address of the web.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """How the site looks."""

    accent: Colour | None = key("The one accent colour, `#rrggbb`.", default=None)
    fonts: Literal["serif", "sans", "mono"] | None = key("Family of the headings.", default=None)
    footer: Markdown | None = key("A line for the foot of every page.", default=None)
    social: tuple[Link, ...] = key("Links to the show's accounts.", default=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """An episode on a listening path."""

    episode: Slug = key("Slug of the episode.", short=True)
    reason: Line | None = key("Why it stands here.", default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """Episodes in the order in which a newcomer hears them best."""

    id: Slug = key("Its part of the address.")
    title: Line = key("Its title.")
    description: Text | None = key("What one knows at its end.", default=None)
    episodes: tuple[Step, ...] = key("The episodes, in order.")


Extra = Mapping[str, Any]
