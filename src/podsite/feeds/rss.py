"""The RSS feeds of a show: feedgen assembles what it does right, our extension adds the rest, podsite decides.

Nothing here looks at the clock, the machine's zone or its locale: dates come from the content, so that the same
content gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from podsite import __version__, urls
from podsite.artifacts import Artifact
from podsite.errors import Problem
from podsite.feeds import Feed, channel, described, editions, item, jsonfeed, opml, texts
from podsite.feeds.described import DESCRIPTION_BYTES
from podsite.feeds.editions import Edition
from podsite.feeds.media import audio_of, enclosure_url
from podsite.feeds.tags import Source, Tag
from podsite.model import Episode
from podsite.read import Content
from podsite.site import Entry, Site

if TYPE_CHECKING:
    from podsite.notes import Rendered

_DOCS = "https://www.rssboard.org/rss-specification"


def rss(site: Site, notes: Mapping[str, Rendered], *, content: Content, description_html: str) -> Feed:
    """The feed of a site, with all that is written beside it.

    `notes` are the rendered show notes by slug, `description_html` the show's description as HTML for feeds.
    Warnings tell of episodes and facts that are left out, with the line they come from.
    """
    main = editions.main(site)
    source = Source(site, content, main)
    writer = _Writer(source, notes, described.reduced(texts.printable(description_html)))
    xml = writer.xml(main)
    others = [
        Artifact(urls.output_file(edition.path), writer.xml(edition), "show.yaml")
        for edition in (*editions.archive(site), *editions.by_choice(site))
    ]
    about = texts.plain(writer.description_html)
    contents = {entry.episode.slug: writer.words(entry)[0] for entry in main.entries}
    others.append(Artifact(jsonfeed.PATH, jsonfeed.json_feed(source, contents, about), "show.yaml"))
    others.append(Artifact(opml.PATH, opml.opml(source, about), "show.yaml"))
    own = {content.address(file) for file in content.static}  # files of static/ are the show's own and stay
    others = [artifact for artifact in others if artifact.path not in own]
    problems = tuple(_problems(source, writer.description_html))
    return Feed(xml, len(main.entries), problems, tuple(others))


class _Writer:
    """Writes the feeds of a site; what they say of an episode is made once for all of them."""

    def __init__(self, source: Source, notes: Mapping[str, Rendered], description_html: str) -> None:
        self.source = source
        self.notes = notes
        self.description_html = description_html
        self._words: dict[str, tuple[str, str]] = {}
        self._tags: dict[str, list[Tag]] = {}

    def xml(self, edition: Edition) -> bytes:
        """One feed as a file."""
        source = replace(self.source, edition=edition)
        feed = self._channel(source)
        for entry in edition.entries:
            self._add(feed, source, entry)
        # feedgen's own declaration has single quotes, which some readers that look at the first bytes do not expect
        xml: bytes = b'<?xml version="1.0" encoding="UTF-8"?>\n' + feed.rss_str(pretty=True, xml_declaration=False)
        _read_back(xml, len(edition.entries))
        return xml

    def words(self, entry: Entry) -> tuple[str, str]:
        """All there is to read about an episode, and what Apple shows of it."""
        found = self._words.get(entry.episode.slug)
        if found is None:
            rendered = self.notes.get(entry.episode.slug)
            full = texts.content(self.source, entry, rendered.feed_html if rendered else "")
            found = full, described.description(full, texts.closing(self.source, entry))
            self._words[entry.episode.slug] = found
        return found

    def _channel(self, source: Source) -> Any:
        from feedgen.feed import FeedGenerator
        from lxml.etree import CDATA

        from podsite.feeds import namespaces

        show, site, edition = source.site.show, source.site, source.edition
        home = source.page(edition.page)
        feed = FeedGenerator()
        feed.load_extension("podcast", atom=False)
        namespaces.register(feed)
        feed.title(edition.title)
        feed.link(href=source.page(edition.path), rel="self", type="application/rss+xml")
        feed.link(href=home, rel="alternate")  # last: feedgen takes the last link for the channel's own
        feed.description(CDATA(self._about(edition)))
        feed.language(show.language.lower())
        feed.generator(f"podsite {__version__}")
        feed.docs(_DOCS)
        feed.image(url=source.page(site.artwork.address), title=edition.title, link=home)
        feed.copyright(texts.holder(show.copyright))
        feed.lastBuildDate(max((entry.feed_date for entry in edition.entries), default=site.updated))
        feed.podcast.itunes_author(show.author)
        feed.podcast.itunes_type(show.order)
        if edition.guid == site.guid:  # the other feeds did not move with the show's
            feed.podcast.itunes_new_feed_url(show.feed.new_feed_url)
        feed.podcast.itunes_category([_category(*names) for names in dict.fromkeys(show.categories)])
        if show.owner:
            feed.podcast.itunes_owner(name=show.owner.name, email=show.owner.email)
        feed.podsite.is_dated = bool(edition.entries)
        feed.podsite.tags = list(channel.tags(source))
        return feed

    def _about(self, edition: Edition) -> str:
        """The show's description; in a feed of a part behind what that is, as far as there is room."""
        if not edition.intro:
            return self.description_html
        return described.description(edition.intro + self.description_html, "")

    def _add(self, feed: Any, source: Source, entry: Entry) -> None:
        from lxml.etree import CDATA

        episode, audio = entry.episode, audio_of(source, entry)
        full, short = self.words(entry)
        # appended, since feedgen would turn the order round; apps take the first item for the newest
        added = feed.add_entry(order="append")
        added.title(episode.title)
        # this site's page, where notes, transcript and chapters are; the original elsewhere is linked in the text
        added.link(href=source.page(entry.address))
        added.description(CDATA(short))
        added.content(full, type="CDATA")
        added.guid(entry.guid, permalink=False)
        added.pubDate(entry.feed_date)
        added.category([{"term": topic.name} for topic in entry.topics])
        if audio:
            added.enclosure(enclosure_url(source, audio), audio.length or 0, audio.type)
            if audio.duration:
                added.podcast.itunes_duration(audio.duration)
        added.podcast.itunes_season(episode.season or None)
        added.podcast.itunes_episode(episode.number or None)
        added.podcast.itunes_episode_type(episode.kind)
        if episode.slug not in self._tags:
            self._tags[episode.slug] = list(item.tags(self.source, entry))
        added.podsite.tags = self._tags[episode.slug]


def _category(name: str, below: str | None) -> dict[str, str]:
    return {"cat": name, "sub": below} if below else {"cat": name}


def _read_back(xml: bytes, items: int) -> None:
    """Parse what was written: a feed that no app can read must not leave the house."""
    from lxml import etree

    try:
        root = etree.fromstring(xml, etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True))
    except etree.XMLSyntaxError as error:
        raise RuntimeError(f"podsite wrote a feed that is not well-formed XML: {error}") from error
    found = len(root.findall("channel/item"))
    if found != items:
        raise RuntimeError(f"podsite wrote a feed with {found} items in place of {items}")


def _problems(source: Source, description_html: str) -> Iterator[Problem]:
    content, entries = source.content, source.edition.entries

    def problem(episode: Episode | None, path: str, message: str) -> Problem:
        return Problem(content.place(episode.file if episode else "show.yaml", path), path, message, "warning")

    size = len(description_html.encode())
    if size > DESCRIPTION_BYTES:
        yield problem(None, "description", _too_long(size))
    if not entries:
        yield problem(None, "", "the feed has no episode yet; directories take a show with its first one")
    for path, message in editions.unmatched(source.site):
        yield problem(None, path, message)
    for entry in source.site.entries:
        if not entry.audio:
            text = "left out of the feed, since podcast apps need something to play; add 'audio'"
            yield problem(entry.episode, "audio", text)
    for entry in entries:
        for path, message in _flaws(entry):
            yield problem(entry.episode, path, message)


def _flaws(entry: Entry) -> Iterator[tuple[str, str]]:
    episode = entry.episode
    for path, number in (("number", episode.number), ("season", episode.season)):
        if number == 0:
            yield path, f"Apple takes no {path} 0, so the feed leaves it out there; pages keep it"
    size = len(episode.summary.encode())
    if size > DESCRIPTION_BYTES:
        yield "summary", _too_long(size)


def _too_long(size: int) -> str:
    return f"{size:,} bytes is more than the {DESCRIPTION_BYTES:,} that Apple takes; make it shorter"
