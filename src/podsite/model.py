"""Show and Episode: what show.yaml and an episode's file say, as frozen dataclasses without I/O.

Every field is a key of the YAML file, but for those marked as derived, which `read` fills in.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, time
from typing import Literal

from podsite.parts import (
    Chapter,
    Credit,
    Enclosure,
    Extra,
    Faults,
    FeedSettings,
    Link,
    Owner,
    Path,
    Person,
    Quote,
    Reading,
    Season,
    Theme,
    Transcript,
    Wording,
    derived,
    key,
)
from podsite.podcasting import (
    Block,
    Chat,
    ContentLink,
    Funding,
    Illustration,
    License,
    Live,
    Location,
    Medium,
    RemoteItem,
    Social,
    Soundbite,
    Spotify,
    Trailer,
    Txt,
    UpdateFrequency,
    Value,
)
from podsite.records import dataclass
from podsite.scalars import (
    AddressPath,
    BaseUrl,
    Category,
    Explicit,
    FileOrUrl,
    Guid,
    Host,
    Label,
    Language,
    Line,
    Markdown,
    Moment,
    Needed,
    Number,
    Slug,
    Text,
    TimeOfDay,
    Topic,
    Truth,
    Url,
    Uuid,
    Whole,
    Zone,
)
from podsite.tables import RIGHT_TO_LEFT
from podsite.words import own


@dataclass(frozen=True, slots=True, kw_only=True)
class Show:
    """The show and its site, as show.yaml describes them."""

    title: Line = key("The show's name, and nothing but the name.")
    description: Markdown = key("What the show is about; directories take up to 4,000 bytes.")
    language: Language = key("Language of show and site, `en` or `pt-BR`.")
    author: Line = key("Who makes it, as directories print it.")
    url: BaseUrl = key("The site's address; a sub-path, as project pages have, is fine.")
    artwork: FileOrUrl = key("The cover: square, 1400 to 3000 pixels, JPEG or PNG, RGB.")
    categories: tuple[Category, ...] = key("Apple's categories: `Technology`, `Society & Culture > Documentary`.")
    explicit: Explicit = key("Whether episodes may hold strong language.", default=False)
    order: Literal["episodic", "serial"] = key(
        "Whether the newest or the first episode is heard first.", default="episodic"
    )
    owner: Owner | None = key("Name and mail address for directories; both appear in the feed.", default=None)
    copyright: Line | None = key("Copyright line.", default=None)
    license: License | None = key("Terms for others.", default=None)
    guid: Uuid | None = key("The show's lasting identity (podcast:guid).", default=None)
    locked: Truth = key("Whether other hosts are kept from importing the feed.", default=True)
    timezone: Zone = key("Time zone of dates without an offset.", default=UTC)
    publish_time: TimeOfDay = key("Time of day at which a bare date is meant.", default=time())
    people: Mapping[Slug, Person] = key("Who takes part, by an id that episodes refer to.", factory=dict)
    funding: tuple[Funding, ...] = key("Ways to support the show.", default=())
    listen: Mapping[Line, Line] = key(
        "Where to listen: a service's name and the show's id or address there.", factory=dict
    )
    trailer: Trailer | None = key("What the show is about, to hear.", default=None)
    medium: Medium = key("Medium by Podcasting 2.0.", default="podcast")
    location: tuple[Location, ...] = key("Places.", default=())
    txt: tuple[Txt, ...] = key("Texts for machines, such as proofs of ownership.", default=())
    update_frequency: UpdateFrequency | None = key("How often episodes come.", default=None)
    podroll: tuple[RemoteItem, ...] = key("Shows you recommend.", default=())
    publisher: RemoteItem | None = key("The publisher's feed.", default=None)
    remote_items: tuple[RemoteItem, ...] = key("What a list of other feeds' episodes holds.", default=())
    value: tuple[Value, ...] = key("How listeners can pay.", default=())
    seasons: Mapping[Whole, Season] = key("Names of seasons, by number.", factory=dict)
    topics: Mapping[Topic, Text] = key("What topics are about, by their name: a paragraph for each page.", factory=dict)
    translations: Mapping[Language, BaseUrl] = key(
        "The show's sites in other languages, by language; each of them names this one too.", factory=dict
    )
    images: tuple[Illustration, ...] = key("Further pictures for apps, of any shape.", default=())
    chat: Chat | None = key("The room where listeners talk.", default=None)
    live: tuple[Live, ...] = key("Live streams, past and to come.", default=())
    complete: Truth = key("Whether the show has ended: no episode will follow.", default=False)
    block: tuple[Block, ...] = key("Services that must not show the feed; `true` for all.", default=())
    podping: Truth | None = key("Whether changes are announced by Podping.", default=None)
    spotify: Spotify | None = key("What only Spotify reads.", default=None)
    apple_title: Line | None = key("The show's name at Apple, where it must differ.", default=None)
    feed: FeedSettings = key("Where the feed lies and what it holds.", factory=FeedSettings)
    navigation: tuple[Link, ...] = key("Further links of the main navigation.", default=())
    theme: Theme = key("How the site looks.", factory=Theme)
    search: Needed = key(
        "Whether the site can be searched; with `required`, a build fails where that cannot be made.", default=True
    )
    paths: tuple[Path, ...] = key("Listening paths for newcomers.", default=())
    cname: Host | None = key("Custom domain of GitHub Pages; writes the CNAME file.", default=None)
    words: Mapping[Line, Wording] = key("Words of the interface, and what to say in their place.", factory=dict)
    extra: Extra = key("Keys of your own, for your own templates.", factory=dict)

    @property
    def own_words(self) -> Mapping[str, str | Mapping[str, str]]:
        """What the show says in place of words of the interface."""
        return {said: wording.text for said, wording in self.words.items()}

    @property
    def direction(self) -> Literal["ltr", "rtl"]:
        """Which way its language is written."""
        return "rtl" if self.language.split("-")[0] in RIGHT_TO_LEFT else "ltr"

    def season_name(self, number: int | None) -> str | None:
        """What the season of a number is called, where it has a name."""
        season = self.seasons.get(number) if number is not None else None
        return season.name if season else None

    def faults(self) -> Faults:
        """Only feeds that are lists hold items of other feeds; a publisher's feed names shows."""
        if self.remote_items and not self.medium.endswith("L") and self.medium not in {"mixed", "publisher"}:
            yield "remote_items", f"a feed of the medium {self.medium} holds none; write 'medium: mixed' or 'podcastL'"
        if self.publisher and self.publisher.medium not in {None, "publisher"}:
            yield "publisher", f"expected the medium publisher, found '{self.publisher.medium}'; leave it out"
        for said, fault in own.faults(self.language, self.own_words) if self.words else ():
            yield f"words.{said}", fault
        if self.language in self.translations:
            yield f"translations.{self.language}", "is the language of this site itself; name the other ones"


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """One episode, as its file and the companions beside it describe it."""

    title: Line = key("The episode's title, without number or show name.")
    published: Moment = key("When it comes out: a date or a moment; in the future it is scheduled.")
    summary: Text = key("One paragraph that says what it is about.")
    slug: Slug = key("Its part of the address; else from the file's name.", default="")
    notes: Markdown | None = key("Show notes; or in the companion .md file.", default=None)
    further_reading: tuple[Reading, ...] = key("What to read, hear and watch next.", default=())
    number: Number | None = key("The episode's number.", default=None)
    display_number: Label | None = key("A label shown in place of the number, at most 32 characters.", default=None)
    season: Whole | None = key("The season's number.", default=None)
    kind: Literal["full", "trailer", "bonus"] = key("Full episode, trailer or bonus.", default="full")
    audio: Enclosure | None = key("The recording: a file, an address, or both facts in a mapping.", default=None)
    link: Url | None = key("The episode's original page elsewhere.", default=None)
    image: FileOrUrl | None = key("Artwork of this episode; or the companion .jpg or .png.", default=None)
    people: tuple[Credit, ...] = key("Who takes part, by id.", default=())
    topics: tuple[Topic, ...] = key("Topics; each gets a page.", default=())
    requires: tuple[Slug, ...] = key("Slugs of episodes to hear first.", default=())
    related: tuple[Slug, ...] = key("Slugs of episodes that go well with it.", default=())
    chapters: tuple[Chapter, ...] = key("Chapters; or in a companion file, the recording or the notes.", default=())
    transcript: Transcript | None = key("Transcript; or the companion file.", default=None)
    soundbites: tuple[Soundbite, ...] = key("Stretches that stand for the episode.", default=())
    quotes: tuple[Quote, ...] = key("Moments worth sharing.", default=())
    explicit: Explicit | None = key("Whether it holds strong language, where it differs from the show.", default=None)
    guid: Guid | None = key("Its lasting identity; else made of the show's guid and the slug.", default=None)
    draft: Truth = key("Whether it is left out of the site.", default=False)
    aliases: tuple[AddressPath, ...] = key("Old paths that lead here.", default=())
    translations: Mapping[Language, Url] = key(
        "The episode's pages in other languages, by language; each of them names this one too.", factory=dict
    )
    license: License | None = key("Terms for others.", default=None)
    location: tuple[Location, ...] = key("Places.", default=())
    social: tuple[Social, ...] = key("Where it is discussed.", default=())
    value: tuple[Value, ...] = key("How listeners can pay.", default=())
    txt: tuple[Txt, ...] = key("Texts for machines.", default=())
    funding: tuple[Funding, ...] = key("Ways to support this episode.", default=())
    content_links: tuple[ContentLink, ...] = key("Pages where it can be heard or watched too.", default=())
    images: tuple[Illustration, ...] = key("Further pictures for apps, of any shape.", default=())
    chat: Chat | None = key("The room where listeners talk about it.", default=None)
    block: Truth = key("Whether Apple is asked not to show it.", default=False)
    apple_title: Line | None = key("Its title at Apple, where it must differ.", default=None)
    extra: Extra = key("Keys of your own, for your own templates.", factory=dict)
    file: str = derived("Path of its file in the site.", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageHead:
    """The front matter of a page in pages/."""

    title: Line | None = key("The page's title; else its first heading.", default=None)
    description: Line | None = key("A sentence for search engines and shared links.", default=None)
