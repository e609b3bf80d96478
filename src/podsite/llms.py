"""llms.txt: what the show is and where its pages are as text, for programs that read for people.

https://llmstxt.org/: a title, a summary, and lists of links under headings; what stands under `Optional` may be left
out where there is little room.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from podsite import commonmark, twins, urls
from podsite.commonmark import begun, escaped, link
from podsite.feeds import JSON_FEED
from podsite.filters import shorten
from podsite.site import Entry, Site

PATH = "llms.txt"
_NEWEST = 100  # episodes with a summary; older ones are optional
_SUMMARY = 200  # characters


def text(site: Site, summary: str) -> str:
    """The file's text; `summary` is the show's description as plain text."""
    show = site.show
    shown = [entry for entry in site.entries if not entry.is_hidden]
    first, *others = summary.split("\n\n")
    blocks = [commonmark.heading(1, escaped(show.title)), f"> {begun(escaped(first))}"]
    blocks += [begun(escaped(each)) for each in others]
    blocks.append(" ".join(_about(site, len(shown))))
    for title, lines in (
        (site.words.say("Start here"), _paths(site)),
        (site.words.say("Episodes"), (_episode(site, entry) for entry in shown[:_NEWEST])),
        (site.words.say("Pages"), _pages(site)),
        ("Optional", _optional(site, shown[_NEWEST:])),
    ):
        if listed := "\n".join(lines):
            blocks += [f"## {title}", listed]
    return "\n\n".join(blocks) + "\n"


def _about(site: Site, count: int) -> Iterator[str]:
    show = site.show
    say, author = site.words.say, escaped(show.author)
    yield say("A podcast by %(author)s, in the language %(language)s.", author=author, language=f"`{show.language}`")
    if count and show.theme.markdown:
        yield say("Episodes are linked as Markdown, with notes, chapters, further reading and transcript.")


def _paths(site: Site) -> Iterator[str]:
    for route in site.routes:
        said = f": {escaped(route.description)}" if route.description else ""
        yield f"- {link(escaped(route.title), urls.absolute(site.base_url, route.address))}{said}"


def _episode(site: Site, entry: Entry) -> str:
    return f"{_title(site, entry)}: {escaped(shorten(entry.episode.summary, _SUMMARY))}"


def _title(site: Site, entry: Entry) -> str:
    number = f"{escaped(entry.label)}. " if entry.label else ""
    address = twins.address(entry) if site.show.theme.markdown else entry.address
    return f"- {link(number + escaped(entry.episode.title), urls.absolute(site.base_url, address))}"


def _pages(site: Site) -> Iterable[str]:
    pages = [(own.title, own.address) for own in site.pages]
    return (f"- {link(escaped(title), urls.absolute(site.base_url, address))}" for title, address in pages)


def _optional(site: Site, older: Iterable[Entry]) -> Iterator[str]:
    show, say = site.show, site.words.say
    for title, address, is_there in (
        (say("RSS feed"), show.feed.path, True),
        (say("JSON feed"), JSON_FEED, True),
        (say("Topics"), urls.TOPICS, bool(site.topics)),
        (say("People"), urls.PEOPLE, bool(site.people)),
        (say("Further reading"), urls.READING, bool(site.readings)),
    ):
        if is_there:
            yield f"- {link(escaped(title), urls.absolute(site.base_url, address))}"
    yield from (_title(site, entry) for entry in older)
