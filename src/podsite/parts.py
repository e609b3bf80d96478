"""The parts that shows and episodes are made of: readings, chapters, people, enclosures, feeds, themes and paths.

Each class is a mapping of the YAML files; each field a key of it, with the sentence that documents it.
Frozen, without I/O. Times are seconds, lengths bytes, moments aware and in UTC.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, field
from typing import Any, Literal

from podsite.records import dataclass
from podsite.scalars import (
    AddressPath,
    Caption,
    Colour,
    Count,
    Decimal,
    Duration,
    Email,
    FileOrUrl,
    FilePath,
    Group,
    Label,
    Language,
    Line,
    LinkTarget,
    Markdown,
    MediaType,
    Positive,
    Role,
    Seconds,
    Size,
    Slug,
    Text,
    Truth,
    Uri,
    Url,
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
    authors: tuple[Line, ...] = key(
        "Who wrote it, one name each; `{…}` around that of an organisation keeps it whole in citations.", default=()
    )
    year: Year | None = key("Year of publication.", default=None)
    note: Line | None = key("A remark shown behind the link.", default=None)
    archive: Url | None = key("An archived copy.", default=None)
    form: str = derived("The normal form of its address, which other addresses of the same work have as well.", "")
    whole: tuple[str, ...] = derived("Those of its authors whose names have no parts: they were written in braces.", ())


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """A stretch of an episode, from its start to the next chapter's."""

    start: Seconds = key("Where it starts: seconds, `12:34` or `1:02:03`.")
    title: Line = key("Its title.")
    url: Url | None = key("An address that goes with it.", default=None)
    image: FileOrUrl | None = key("A picture shown while it plays.", default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """One timed stretch of a transcript: from `start` to `end` (seconds), who speaks, and the words.

    `speaker` is the name, `person` the id of who that is in show.yaml, where somebody is meant.
    """

    start: float
    end: float
    text: str
    speaker: str | None = None
    person: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A paragraph of a transcript without times: who speaks, as in a `Cue`, and the words."""

    text: str
    speaker: str | None = None
    person: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """The spoken words of an episode, in a companion file: as cues, or as passages where the file has no times."""

    file: FilePath = key(
        "The transcript: .vtt, .srt, .json, .html or .txt; else the companion file.", short=True, default=""
    )
    language: Language | None = key("Its language, where it is not the show's.", default=None)
    captions: Truth = key("Whether the cues are made to be shown over a video.", default=False)
    speakers: Mapping[Line, Slug] = key(
        "Who is who, where names do not tell: a speaker as the file writes it, and the person's id.", factory=dict
    )
    cues: tuple[Cue, ...] = derived("The timed words, with the speakers' names as the file writes them.", ())
    passages: tuple[Passage, ...] = derived("The words without times, if the file has none.", ())
    names: tuple[str, ...] = derived("Everybody who speaks, as the file writes them, in the order they begin.", ())

    @property
    def has_words(self) -> bool:
        """Whether there is anything to read, with times or without."""
        return bool(self.cues or self.passages)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a file lies besides, by any protocol."""

    uri: Uri = key("Its address: `https://…`, `ipfs://…`, a torrent.", short=True)
    type: MediaType | None = key("Media type, where it is not the file's own, as with a torrent.", default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Integrity:
    """A proof that a file is what it was."""

    value: Line = key("The hash or signature, `sha384-…`.", short=True)
    type: Literal["sri", "pgp-signature"] = key("Subresource Integrity, or a PGP signature.", default="sri")

    def faults(self) -> Faults:
        """Subresource Integrity names its hash."""
        if self.type == "sri" and not self.value.startswith(("sha256-", "sha384-", "sha512-")):
            yield "value", f"expected a hash such as sha384-…, found '{self.value}'"


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternate:
    """The same episode in another format or quality."""

    file: FilePath | None = key("The media file.", short=True, default=None)
    url: Url | None = key("Its address, where it lies elsewhere.", short=True, default=None)
    type: MediaType | None = key("Media type; else by the file's ending.", default=None)
    length: Size | None = key("Length in bytes; read from a local file.", default=None)
    bitrate: Decimal | None = key("Bits per second.", default=None)
    height: Positive | None = key("Height of a video in pixels.", default=None)
    language: Language | None = key("Its language.", default=None)
    title: Label | None = key("What it is called in a list, at most 32 characters.", default=None)
    rel: Label | None = key("What sets it apart, at most 32 characters.", default=None)
    codecs: Line | None = key("RFC 6381 codecs string.", default=None)
    default: Truth = key("Whether it is the same file as `audio`.", default=False)
    sources: tuple[Source, ...] = key("Further addresses of the same file.", default=())
    integrity: Integrity | None = key("A proof that a download is complete and unchanged.", default=None)

    def faults(self) -> Faults:
        """Exactly one of file and url; a stream has no bits in no time."""
        yield from _one_source(self.file, self.url)
        if self.bitrate is not None and self.bitrate <= 0:
            yield "bitrate", "expected bits per second such as 64000"


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

    name: Caption = key("Full name, at most 128 characters.", short=True)
    role: Role = key("Role by the podcast taxonomy.", default="Host")
    group: Group | None = key("Group of the role; else the one the role belongs to.", default=None)
    url: Url | None = key("Their own page.", default=None)
    image: FileOrUrl | None = key("Portrait.", default=None)
    links: tuple[Url, ...] = key("Further pages of theirs: accounts, a blog, a publisher's page.", default=())
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
    start: Seconds | None = key("Where they are said; else where the transcript has them.", default=None)
    duration: Seconds | None = key("For how long; else as long as the transcript says.", default=None)
    person: Slug | None = key("Id of who says them.", default=None)
    anchor: str = derived("Its part of its page's address, and of the anchor on the episode's page.", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Season:
    """What a season is called, and what it is about."""

    name: Caption = key("Its name, at most 128 characters.", short=True)
    description: Text | None = key("A paragraph about it, for its page.", default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """Who answers for the feed; directories write to this address."""

    name: Line = key("Name.")
    email: Email = key("Mail address; it becomes public with the feed.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick:
    """One of several that is chosen; `true` chooses all."""

    name: Line = key("Its name, number or id.", short=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedSettings:
    """Where the feed lies and what it holds."""

    path: AddressPath = key("Path of the feed.", default="feed.xml")
    limit: Count | None = key("How many of the newest episodes the feed holds; all without it.", default=None)
    aliases: tuple[AddressPath, ...] = key("Old paths where the feed stays readable.", default=())
    new_feed_url: Url | None = key("The feed's new address, once it has moved away.", default=None)
    prefix: Url | None = key("Analytics prefix of enclosure addresses in the feed.", default=None)
    hub: Url | None = key("WebSub hub that tells apps of new episodes.", default=None)
    topics: tuple[Pick, ...] = key("Topics with a feed of their own: names, or `true` for all.", default=())
    seasons: tuple[Pick, ...] = key("Seasons with a feed of their own: numbers, or `true`.", default=())
    paths: tuple[Pick, ...] = key("Listening paths with a feed of their own: ids, or `true`.", default=())
    alternates: tuple[Pick, ...] = key(
        "Formats of `alternates` with a feed of their own, by file ending (`opus`), or `true`.", default=()
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link of the navigation or the footer."""

    title: Line = key("What it says.")
    url: LinkTarget = key("A page of the site (`/about/`) or an address of the web.")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerSettings:
    """What the buttons of the player do."""

    back: Positive = key("Seconds that the button back goes.", default=15)
    forward: Positive = key("Seconds that the button forward goes.", default=30)


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """How the site looks."""

    accent: Colour | None = key("The one accent colour, `#rrggbb`.", default=None)
    fonts: Literal["serif", "sans", "mono"] | None = key("Family of the headings.", default=None)
    footer: Markdown | None = key("A line for the foot of every page.", default=None)
    notice: Markdown | None = key(
        "A line beside every player, such as who reads the episode or where the original is.", default=None
    )
    social: tuple[Link, ...] = key("Links to the show's accounts.", default=())
    player: PlayerSettings = key("How far the player's buttons go.", factory=PlayerSettings)
    embed: Truth = key(
        "Whether each episode has a small page with its player, to be shown on other sites.", default=True
    )
    cards: Truth = key("Whether each page gets a picture for shared links, drawn of its title.", default=True)
    exports: Truth = key("Whether reading lists are there as files for reference managers, too.", default=True)
    markdown: Truth = key(
        "Whether each episode's page is there as Markdown, too, for programs that read text.", default=True
    )


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """What to say in place of words of the interface: one text, or one for each kind of number, as CLDR has them."""

    other: Text = key("The text; with other kinds beside it, the one for all other numbers.", short=True)
    zero: Text | None = key("For none, in languages that have words for it, such as Arabic.", default=None)
    one: Text | None = key("For 1, and what the language counts like it.", default=None)
    two: Text | None = key("For two of them.", default=None)
    few: Text | None = key("For a few, as Arabic, Polish and Russian count.", default=None)
    many: Text | None = key("For many, as the language counts.", default=None)

    @property
    def text(self) -> str | Mapping[str, str]:
        """The one text, or each by its kind."""
        kinds = {kind: getattr(self, kind) for kind in ("zero", "one", "two", "few", "many")}
        kinds = {kind: text for kind, text in kinds.items() if text is not None}
        return {**kinds, "other": self.other} if kinds else self.other
