"""What each template may rely on: the contract with authors of themes, from which its documentation is generated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal

from podsite import urls
from podsite.citations.cite import Citation
from podsite.figures import Bar, Bin, Companion, Extent, Neighbour, Year
from podsite.images import Images
from podsite.model import Show
from podsite.parts import Chapter, Quote
from podsite.records import dataclass
from podsite.relations import Kin, Read
from podsite.site import Audio, Cited, Contributor, Entry, Group, Mention, Picture, Route, Site, Stop

Kind = Literal["home", "episode", "list", "person", "page", "embed", "quote"]


def shown(doc: str, default: Any = None) -> Any:
    """A field of a context, with the sentence that documents it."""
    return field(default=default, metadata={"doc": doc})


@dataclass(frozen=True, slots=True, kw_only=True)
class NavLink:
    """A link of the main navigation or the footer."""

    title: str
    address: str
    current: bool  # whether this page is there or below


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """A place to listen: its name, and the address of the show there."""

    name: str
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """Words of the transcript that belong together.

    `start` in seconds, if the transcript has times. `speaker` where it is another than before, with `person`, the id in
    show.yaml, where it is somebody there, and `page`, the address of theirs, where they have one. `html` is the text
    with an id at the beginning of each sentence.
    """

    anchor: str
    start: float | None
    speaker: str | None
    person: str | None
    page: str | None
    text: str
    html: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """The paragraphs of the transcript that are spoken in one chapter; or before the first, or without any."""

    anchor: str | None  # of the chapter's heading
    chapter: Chapter | None
    paragraphs: tuple[Paragraph, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """A topic's further reading: the topic's name and page, the page of its readings, and how many they are."""

    name: str
    topic: str
    address: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """Readings of one kind: its name, an anchor for links to it, how many there are, and those shown.

    `address` is the page that has all of them, where these are not all.
    """

    name: str
    anchor: str
    count: int
    readings: tuple[Cited, ...]
    address: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLink:
    """A page of a long list; the newest has no number where pages are counted from the oldest."""

    number: int | None
    address: str
    current: bool  # whether it is this page
    gap: bool  # whether pages before it are left out


@dataclass(frozen=True, slots=True, kw_only=True)
class Paging:
    """Where a page stands in a list of several: the pages before and after it as one reads on, and links to some."""

    newest_first: bool
    previous: str | None
    next: str | None
    links: tuple[PageLink, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Page:
    """What every template knows."""

    site: Site = shown("The whole site: `site.entries`, `site.topics`, `site.people`, `site.entry(slug)`, …")
    show: Show = shown("What show.yaml says.")
    address: str = shown("This page's address below the site's base: `episodes/intro/`; `` is the home page.")
    kind: Kind = shown("What the page is: home, episode, list, person, page, embed or quote.")
    title: str = shown("The page's title, without the show's name.")
    name: str = shown("What the way to the page calls it, where that is shorter than its title; else empty.", "")
    description: str = shown("One or two sentences about the page, plain text.")
    image: Picture | None = shown("The picture that stands for the page.")
    entry: Entry | None = shown("The episode the page is about; none on other pages.")
    crumbs: tuple[Mention, ...] = shown("The pages above this one, without home.", ())
    direction: str = shown("`ltr`, or `rtl` for scripts written from the right.", "ltr")
    spoken: str = shown("Language of the interface: the show's, or `en` where podsite does not speak that.", "en")
    navigation: tuple[NavLink, ...] = shown("The main navigation: sections that have something in them.", ())
    more: tuple[NavLink, ...] = shown("Pages of pages/ that the main navigation does not name, for the footer.", ())
    footer: str = shown("`theme.footer` as HTML.", "")
    notice: str = shown("`theme.notice` as HTML, to stand beside players; empty without it.", "")
    head: str = shown("Canonical link, social tags, JSON-LD and feed discovery, as HTML for <head>.", "")
    images: Images = shown("Makes pictures of the site in several sizes; used by the macro `picture`.")
    paging: Paging | None = shown("The other pages of a list that is too long for one page; else none.")
    root: str | None = shown("Path of the site, on a page that answers at any address (404.html); else none.")

    @property
    def card(self) -> str | None:
        """The address of the card that stands for the page in shared links: of a list, that of its first page."""
        if self.root is not None or self.kind == "embed":
            return None
        is_later = self.paging and self.paging.previous and self.crumbs
        return urls.card(self.crumbs[-1].address if is_later else self.address)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Home(Page):
    """The home page."""

    lead: str = shown("The first paragraph of the show's description, as HTML.")
    about: str = shown("What the description says behind it, as HTML; may be empty.", "")
    trailer: Audio | None = shown("The show's trailer; its title is `show.trailer.title`.")
    newest: Entry | None = shown("The newest episode, if there is one.")
    recent: tuple[Entry, ...] = shown("The ones before it, newest first.", ())
    services: tuple[Service, ...] = shown("Where to listen, from `listen`.", ())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Archive(Page):
    """A page of the list of all episodes."""

    entries: tuple[Entry, ...] = shown("The episodes of this page, newest first.", ())
    years: tuple[Mention, ...] = shown(
        "Every year of the show and the page where it begins, at an anchor of that name; none on a short list.", ()
    )
    density: tuple[Year, ...] = shown("On the first page the years with how much came out, where there are some.", ())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class EpisodePage(Page):
    """An episode; `entry` is never none here."""

    notes: str = shown("Show notes as HTML; empty without notes.", "")
    reads: tuple[Read, ...] = shown("Its further reading, with other episodes that recommend the same.", ())
    requires: tuple[Entry, ...] = shown("Episodes to hear first, in that order: those it requires, and theirs.", ())
    related: tuple[Kin, ...] = shown("Episodes that go well with it, and why.", ())
    newer: Entry | None = shown("The episode that came out next.")
    older: Entry | None = shown("The episode that came out before.")
    season: Mention | None = shown("Its season.")
    citation: Citation = shown("How it is cited: names, and files for programs that keep references.")
    transcript: tuple[Stretch, ...] = shown("The spoken words: paragraphs under the chapters.", ())
    paragraphs: int = shown("How many paragraphs the transcript has.", 0)
    embed: str | None = shown("HTML that shows the player on other sites; none where there is nothing to play.")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class EmbedPage(Page):
    """An episode's player alone, to be shown on other sites; `entry` is never none here."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class QuotePage(Page):
    """A quote of an episode, `entry`."""

    quote: Quote = shown("What was said: `text`, `person`, `start`.")
    until: float | None = shown("When it ends, in seconds, where that is known.")
    place: str | None = shown("The anchor of its sentence in the transcript, if there is one.")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Search(Page):
    """The search; only where the show has one. Without scripts it lists what there is."""

    index: tuple[str, ...] = shown(
        "Where the parts of the index lie, the programs that search it in the first; none where there is no index.", ()
    )
    entries: tuple[Entry, ...] = shown("The newest episodes, newest first.", ())
    topics: tuple[Group, ...] = shown("The topics with their episodes, by name; of very many, the first.", ())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Topics(Page):
    """The index of topics."""

    topics: tuple[Group, ...] = shown("The topics of this page with their episodes, by name.", ())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class GroupPage(Page):
    """A topic or a season."""

    group: Group = shown("Its name and all its episodes; behind the first page of a long list, only those of the page.")
    entries: tuple[Entry, ...] = shown("The episodes of this page in the order they are heard best.", ())
    shelf: Shelf | None = shown("What the episodes of a topic recommend, the newest first; only on its first page.")
    extent: Extent | None = shown("What all its episodes come to; only on the first page.")
    neighbours: tuple[Neighbour, ...] = shown("Topics that come up together with it; only on a topic's first page.", ())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class People(Page):
    """Everybody who takes part."""

    people: tuple[Contributor, ...] = shown("The people of this page, in the order of show.yaml.", ())


@dataclass(frozen=True, slots=True, kw_only=True)
class Billing:
    """Episodes in which a person had the same roles."""

    roles: tuple[str, ...]
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PersonPage(Page):
    """A person."""

    contributor: Contributor = shown(
        "The person, their roles and all episodes; behind the first page of a long list, only those of the page."
    )
    entries: tuple[Entry, ...] = shown("Their episodes on this page, newest first.", ())
    billings: tuple[Billing, ...] = shown("The same by what they did there; one where it was always the same.", ())
    companions: tuple[Companion, ...] = shown("With whom they are heard; only on the first page.", ())
    bio: str = shown("Their bio as HTML; only on the first page.", "")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Seasons(Page):
    """The list of seasons; only where there are any."""

    seasons: tuple[Group, ...] = shown("The seasons, first one first.", ())
    extents: tuple[Extent, ...] = shown("What the episodes of each of them come to.", ())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ReadingPage(Page):
    """Everything that episodes recommend."""

    shelves: tuple[Shelf, ...] = shown("The readings by kind; of very many, the newest of each kind.", ())
    topics: tuple[Tally, ...] = shown("Topics whose episodes recommend something.", ())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ShelfPage(Page):
    """Further reading of one kind or one topic; only where there is too much for reading.html, or the topic's page."""

    heading: str = shown("What the page is called by itself.", "")
    kicker: str = shown("What it belongs to.", "")
    mixed: bool = shown("Whether readings of several kinds are on it.", False)
    readings: tuple[Cited, ...] = shown("The readings of this page, those recommended last first.", ())
    count: int | None = shown("How many there are of the kind; only on the first page.")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Start(Page):
    """Where newcomers begin: the listening paths."""

    routes: tuple[Route, ...] = shown("The listening paths.", ())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PathPage(Page):
    """A listening path."""

    route: Route = shown(
        "Its title, description and all stops; behind the first page of a long path, only those of the page."
    )
    stops: tuple[Stop, ...] = shown("The stops of this page.", ())
    before: int = shown("How many stops come before them, on other pages.", 0)
    readings: int = shown("How many works the episodes of the path recommend.", 0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Statistics(Page):
    """The show in figures; only where there are two episodes or more."""

    extent: Extent = shown("What all episodes come to.")
    longest: Entry | None = shown("The episode that lasts longest, of those whose duration is known.")
    shortest: Entry | None = shown("And the one that is over soonest.")
    average: int = shown("How long such an episode lasts on average, in seconds.", 0)
    years: tuple[Year, ...] = shown("The years, newest first, with how much came out in each month.", ())
    lengths: tuple[Bin, ...] = shown("How long episodes last.", ())
    hosts: tuple[Bar, ...] = shown("Sites that episodes recommend most.", ())
    readings: tuple[Cited, ...] = shown("Readings that more than one episode recommends, most often first.", ())
    people: tuple[Bar, ...] = shown("Who takes part most often.", ())
    topics: tuple[Bar, ...] = shown("What comes up most often.", ())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Subscribe(Page):
    """How to follow the show."""

    feed: str = shown("The feed's full address.")
    services: tuple[Service, ...] = shown("Where the show is listed, from `listen`.", ())
    apps: tuple[Service, ...] = shown("Apps that can follow any feed, as links that open them with this one.", ())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class MarkdownPage(Page):
    """A page of pages/."""

    body: str = shown("Its text as HTML.", "")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class NotFound(Page):
    """What is shown for an address that does not exist; it answers at every depth, so `root` is set."""

    recent: tuple[Entry, ...] = shown("The newest episodes.", ())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Redirect(Page):
    """An old address of an episode; `entry` says where it is now."""

    @property
    def card(self) -> str | None:
        """That of the episode."""
        return urls.card(self.entry.address) if self.entry else None


#: A page to be made: its template, its context, and the file that asks for it.
Planned = tuple[str, Page, str]

#: Every page template and the context it is given.
PAGES: Mapping[str, type[Page]] = {
    "index.html": Home,
    "episodes.html": Archive,
    "episode.html": EpisodePage,
    "search.html": Search,
    "embed.html": EmbedPage,
    "quote.html": QuotePage,
    "topics.html": Topics,
    "topic.html": GroupPage,
    "people.html": People,
    "person.html": PersonPage,
    "seasons.html": Seasons,
    "season.html": GroupPage,
    "reading.html": ReadingPage,
    "shelf.html": ShelfPage,
    "start.html": Start,
    "path.html": PathPage,
    "statistics.html": Statistics,
    "subscribe.html": Subscribe,
    "page.html": MarkdownPage,
    "404.html": NotFound,
    "redirect.html": Redirect,
}
