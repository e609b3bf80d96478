"""What search finds: every episode, person, topic and own page as a small HTML document for the indexer alone.

A document holds words and, as empty elements with an id, where on the page they stand: `t-754` and the like begin a
paragraph of the transcript, headings `c-754` a chapter. The first id is no place but tells what results show beside
the title: `@kind|2025-03-01`, without the date where there is none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC
from functools import cache
from html import escape

from podsite import pages
from podsite.cache import digest
from podsite.contexts import Paragraph, Stretch
from podsite.filters import seconds
from podsite.marks import Marks
from podsite.pages import Texts
from podsite.parts import Reading
from podsite.read import Content
from podsite.records import dataclass
from podsite.site import Entry, Site

#: How many documents are indexed together, at least. A site has at most four such parts or so, since a search asks
#: each of them; and the more there are, the less has to be indexed again after an edit.
PART = 128
PARTS = 4

# Scripts that are written without spaces; each of their letters is indexed as a word. The mark behind one says that in
# the text no space follows, and counts as punctuation, so the indexer passes it by.
GLUE = "⸱"
_LETTER = (
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff"
    r"\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]"
)
_Pairs = tuple[tuple[str, str], ...]
_SENTENCE = re.compile('<span id="([^"]+)">')


@dataclass(frozen=True, slots=True)
class Document:
    """A page that can be found: its address, what its text depends on, and how to make it."""

    address: str
    key: bytes
    html: Callable[[], str]


def parts(site: Site, content: Content, texts: Texts, marks: Marks) -> list[list[Document]]:
    """All documents in parts that are indexed apart: episodes in the order of their publication, so that a new one
    changes the last part only, which has everything else as well. None where there is nothing to find.
    """
    entries = [entry for entry in reversed(site.entries) if not entry.is_hidden]
    size = PART
    while size * PARTS < len(entries):
        size *= 2
    count = max(-(-len(entries) // size), 1)
    make = _Maker(site, content, texts, marks, is_cut=count > 1)
    found = [[make.episode(entry, at) for entry in entries[at * size : (at + 1) * size]] for at in range(count)]
    found[-1] += make.others(count - 1)
    return found if found[0] else []


@dataclass(frozen=True, slots=True)
class _Facts:
    """What is said of a page beside its words. `order` sorts by date; `filters` are names with values."""

    kind: str
    title: str
    filters: _Pairs
    label: str = ""
    day: str = ""
    order: str = ""


class _Maker:
    """Makes the documents of a site. Where it `is_cut`, a filter tells of which part a page is."""

    def __init__(self, site: Site, content: Content, texts: Texts, marks: Marks, *, is_cut: bool) -> None:
        self._site, self._content, self._texts, self._is_cut = site, content, texts, is_cut
        self._known = marks
        self._seasons = {entry: season.name for season in site.seasons for entry in season.entries}

    def episode(self, entry: Entry, part: int) -> Document:
        """An episode."""
        key = self._known.key("found", entry, lambda: self._key(entry))
        return Document(entry.address, key + repr(self._marks(part)).encode(), lambda: self._words(entry, part))

    def _words(self, entry: Entry, part: int) -> str:
        season = self._seasons.get(entry, "")
        return _html(self._site.show.language, self._facts(entry, part), _body(entry, self._notes(entry), season))

    def _key(self, entry: Entry) -> bytes:
        """What its words are made of, but for its part; to find that out costs less than they."""
        written = self._content.versions.get(entry.episode.file) or repr(entry.episode)
        roles = [(who.person.name, who.role) for who in entry.people]
        around = written, self._facts(entry, 0), roles, self._seasons.get(entry, "")
        return digest(entry.address, self._site.show.language, repr(around), self._notes(entry))

    def _notes(self, entry: Entry) -> str:
        rendered = self._texts.notes.get(entry.episode.slug)
        return rendered.text if rendered else ""

    def others(self, part: int) -> Iterator[Document]:
        """Own pages, people and topics."""
        site, texts, marks = self._site, self._texts, self._marks(part)
        for page in site.pages:
            yield self._plain(page.address, _Facts("page", page.title, marks), texts.pages[page.address].text)
        for one in site.people:
            bio, name = texts.bios.get(one.id), one.person.name
            facts = _Facts("person", name, (("person", name), *marks))
            yield self._plain(one.address, facts, bio.text if bio else "", ", ".join(one.roles))
        for topic in site.topics:
            yield self._plain(topic.address, _Facts("topic", topic.name, (("topic", topic.name), *marks)))

    def _plain(self, address: str, facts: _Facts, *words: str) -> Document:
        language = self._site.show.language
        body = "\n".join(f"<p>{_text(one)}</p>" for one in words)
        return Document(address, digest(address, language, repr(facts), *words), lambda: _html(language, facts, body))

    def _marks(self, part: int) -> _Pairs:
        return (("part", str(part)),) if self._is_cut else ()

    def _facts(self, entry: Entry, part: int) -> _Facts:
        episode = entry.episode
        day = episode.published.astimezone(self._site.show.timezone).date().isoformat()
        filters = [("topic", topic.name) for topic in entry.topics]
        filters += [("person", who.person.name) for who in entry.people]
        filters += [("season", self._seasons[entry])] if entry in self._seasons else []
        return _Facts(
            kind="episode",
            title=episode.title,
            filters=(*dict.fromkeys(filters), ("year", day[:4]), *self._marks(part)),
            label=entry.label or "",
            day=day,
            order=f"{entry.feed_date.astimezone(UTC):%Y%m%d%H%M%S}",
        )


def _body(entry: Entry, notes: str, season: str) -> str:
    """The words of an episode's page, each behind where it stands there."""
    episode = entry.episode
    people = ", ".join(f"{who.person.name} ({who.role})" for who in entry.people)
    topics = ", ".join([*(topic.name for topic in entry.topics), *filter(None, [season])])
    found = [
        f'<p data-pagefind-weight="3">{_text(episode.summary)}</p>',
        *(f"<p>{_text(quote.text)}</p>" for quote in episode.quotes),
        _section("notes", _text(notes)),
        _section("reading", "".join(map(_reading, episode.further_reading))),
        _section("people", _text(people), weight=3),
        _section("topics", _text(topics), weight=3),
        *_spoken(entry),
    ]
    return "\n".join(filter(None, found))


def _section(place: str, words: str, weight: int = 1) -> str:
    """Words behind an id of the page; nothing where there are none."""
    return f'<div data-pagefind-weight="{weight}"><a id="{place}"></a>{words}</div>' if words else ""


def _reading(reading: Reading) -> str:
    facts = (reading.title, *reading.authors, str(reading.year or ""), reading.note or "")
    return f"<p>{_text(', '.join(filter(None, facts)))}</p>"


def _spoken(entry: Entry) -> Iterator[str]:
    """The chapters, and below each what is said in it; one in which nobody speaks is a heading alone."""
    stretches = [*pages.spoken(entry)]
    talk = {stretch.chapter: stretch for stretch in stretches if stretch.chapter}
    for stretch in stretches:
        if stretch.chapter is None:
            yield _talk(stretch)
    for chapter in entry.episode.chapters:
        yield f'<h2 id="c-{seconds(chapter.start)}">{_text(chapter.title)}</h2>'
        if chapter in talk:
            yield _talk(talk[chapter])


def _talk(stretch: Stretch) -> str:
    """Paragraphs and their sentences in one element, so that the indexer puts no full stops between."""
    lines = (f'<a id="{part.anchor}"></a>{_sentences(part)}' for part in stretch.paragraphs)
    return "<div>" + "\n".join(lines) + "</div>"


def _sentences(part: Paragraph) -> str:
    """The words of a paragraph with an empty element before each sentence that has an address."""
    first, *others = _SENTENCE.split(part.html)
    found = [_spaced(first)]
    for place, words in zip(others[::2], others[1::2], strict=True):
        joined = found[-1][-1:].isspace() or words[:1].isspace()
        found += ["" if joined else f"{GLUE} ", f'<a id="{place}"></a>', _spaced(words)]
    return "".join(found).replace("</span>", "")


def _html(language: str, facts: _Facts, body: str) -> str:
    # a number would be sorted by its first seven digits
    marks = [("filter", name, value) for name, value in facts.filters] + [("sort", "date", f"on {facts.order}")]
    marks += [("meta", "number", facts.label)] if facts.label else []
    said = "".join(
        f'<i data-pagefind-{use}="{name}[data-v]" data-v="{escape(value)}"></i>' for use, name, value in marks
    )
    return (
        f'<!doctype html><html lang="{language}"><body data-pagefind-body>'
        f'<a id="@{facts.kind}|{facts.day}"></a>{said}'
        f'<h1 data-pagefind-meta="title">{_text(facts.title)}</h1>\n{body}</body></html>'
    )


def _text(words: str) -> str:
    """Words as HTML."""
    return _spaced(escape(words, quote=False))


def _spaced(words: str) -> str:
    """Words of scripts that are written without spaces, letter by letter."""
    return words if words.isascii() else _joint().sub(lambda found: f"{found[0]}{GLUE} ", words)


@cache
def _joint() -> re.Pattern[str]:
    """Where two letters meet between which there is no space; compiled when it is needed, since that takes long."""
    return re.compile(rf"{_LETTER}[^\w\s{GLUE}]*(?=\S)|\w[^\w\s{GLUE}]*(?={_LETTER})")
