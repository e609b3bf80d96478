"""What an item says in words: the full notes as HTML that stands in any app."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from podsite import urls, values
from podsite.chapters import stamps
from podsite.feeds.tags import Source
from podsite.parts import Reading
from podsite.site import Entry
from podsite.transcripts import clock

_SIGN = re.compile(r"^(?:(?:©|\(c\)|copyright\b)\s*)+", re.IGNORECASE)


def holder(copyright_line: str | None) -> str | None:
    """Who has the rights. Apps print word and sign themselves, so PSP-1 wants the line without them."""
    return copyright_line and (_SIGN.sub("", copyright_line) or copyright_line)


def closing(source: Source, entry: Entry) -> str:
    """Where the rest is of notes that are longer than apps take."""
    original = f" · {_link(entry.episode.link, 'Original episode')}" if entry.episode.link else ""
    return f"<p>{_link(source.page(entry.address), 'All of the show notes')}{original}</p>"


def content(source: Source, entry: Entry, notes_html: str) -> str:
    """All there is to read about an episode: summary, notes, people, chapters, further reading, the original page.

    Only the tags every app shows (p ul li a strong), and complete addresses, so that each link can be followed.
    """
    return "\n".join(
        [
            f"<p>{_plain(entry.episode.summary)}</p>",
            *([printable(notes_html)] if notes_html else []),
            *_people(entry),
            *_chapters(entry, notes_html),
            *_further_reading(entry),
            *_original(entry),
            f"<p>{_link(source.page(entry.address), 'Episode page')}</p>",
        ]
    )


def _people(entry: Entry) -> Iterator[str]:
    if entry.people:
        yield f"<p>With {', '.join(f'{_plain(who.person.name)} ({_plain(who.role)})' for who in entry.people)}.</p>"


def _chapters(entry: Entry, notes_html: str) -> Iterator[str]:
    """Chapters as lines that begin with their time: apps turn these into links that play from there.

    Notes that name all these times say it already.
    """
    if entry.episode.chapters and not stamps.are_in(notes_html, entry.episode.chapters):
        lines = (f"<li>{_time(chapter.start)} {_plain(chapter.title)}</li>" for chapter in entry.episode.chapters)
        yield from ("<p><strong>Chapters</strong></p>", f"<ul>{''.join(lines)}</ul>")


def _further_reading(entry: Entry) -> Iterator[str]:
    if entry.episode.further_reading:
        items = "".join(f"<li>{_reading(reading)}</li>" for reading in entry.episode.further_reading)
        yield from ("<p><strong>Further reading</strong></p>", f"<ul>{items}</ul>")


def _reading(reading: Reading) -> str:
    source = ", ".join([*reading.authors, *([str(reading.year)] if reading.year else [])])
    about = [_link(reading.url, reading.title or reading.url)]
    about += [f" ({_plain(source)})"] if source else []
    about += [f": {_plain(reading.note)}"] if reading.note else []
    about += [f" ({_link(reading.archive, 'archived copy')})"] if reading.archive else []
    return "".join(about)


def _original(entry: Entry) -> Iterator[str]:
    if entry.episode.link:
        yield f"<p>{_link(entry.episode.link, f'Original episode at {urls.host(entry.episode.link)}')}</p>"


def _link(url: str, words: str) -> str:
    return f'<a href="{html.escape(url)}">{_plain(words)}</a>'


def _plain(text: str) -> str:
    return html.escape(text, quote=False)


def _time(seconds: float) -> str:
    # Apple and others look for the form with hours
    return clock(int(seconds)).partition(".")[0]


def plain(markup: str) -> str:
    """The words of HTML in Apple's tags, on one line."""
    spaced = re.sub(r"</?(p|ol|ul|li)>", " ", markup)
    return " ".join(html.unescape(re.sub(r"<[^<>]*>", "", spaced)).split())


def printable(markup: str) -> str:
    """Without what XML cannot carry: decoding refuses it in YAML, but `&#7;` in Markdown brings it back as HTML."""
    while found := values.control_character(markup):
        markup = markup[: found[0]] + markup[found[0] + 1 :]
    return markup
