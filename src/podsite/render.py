"""Site → artifacts: every text rendered once, then pages, feeds, media and what machines look for; nothing written."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from itertools import chain
from typing import NamedTuple

from podsite import discovery, feeds, findable, oembed, pages, twins, urls
from podsite.artifacts import Artifact
from podsite.citations.files import Exports
from podsite.companions import files_of_episode, files_of_show
from podsite.contexts import Page
from podsite.errors import Problem, Severity
from podsite.feeds import Feed
from podsite.feeds.making import Judging, Making, Said
from podsite.forms import Forms
from podsite.illustrated import Illustrated
from podsite.images import Images
from podsite.marks import Marks
from podsite.notes import Rendered
from podsite.paper import Paper, Progress
from podsite.press import Press, assets
from podsite.read import Content
from podsite.references import References
from podsite.search import Indexing
from podsite.site import Entry, Site
from podsite.theme import Theme
from podsite.written import Text, Written


class Files(NamedTuple):
    """Every file of a site (media as the files to copy), its feed, what is said of feeds, and all that is wrong."""

    artifacts: list[Artifact]
    feed: Feed
    said: Said
    problems: list[Problem]


def render(
    site: Site, content: Content, paper: Paper, progress: Progress = lambda *_: None, judging: Judging | None = None
) -> Files:
    """What is to be written, with what directories say of feeds if that is wanted."""
    references = References(content)
    images = Images(content.root, paper.cache, content.files)
    published = content.published
    illustrated = Illustrated(images, lambda address: references.files.get(address) or published.get(address))
    texts = _texts(site, references, Written(paper.cache, paper.crew), illustrated)
    marks = Marks(paper.cache, paper.place, site, content, texts.notes)
    forms = [*Forms(site, content).artifacts(paper)]
    theme = Theme(content.root, paper.cache, content.files, site.words)
    ready = [*assets(site.show, theme, paper.cache)]

    def named() -> Iterator[Artifact]:
        return chain(forms, ready, _media(site, content, references))

    making = Making(site, content, texts.notes, texts.description.feed_html, marks, paper, named, judging)
    with making, _indexing(site, content, texts, marks, paper) as indexing:
        press = Press(site, content, texts, marks, images, discovery.Head(site, content, images), theme, paper)
        embeds = [*oembed.artifacts(site, images, marks, paper)]  # before pictures are made, for they ask for some
        others: list[Artifact] = []
        problems: list[Problem] = []
        artifacts, changed = _pressed(
            press, indexing.addresses, indexing.watching(progress),
            lambda sheets: others.extend(_others(press, forms, sheets, progress, problems)),
        )  # fmt: skip
        feed, said = making.finish()
        index = indexing.finish()
        if indexing.addresses and not index:  # it failed in the end, and pages must not speak of it
            artifacts, changed = _pressed(press, (), progress)
    artifacts += [*ready, *index, *others, *embeds, *feeds.artifacts(site, feed), *_media(site, content, references)]
    marks.save()
    paths = [artifact.path for artifact in artifacts]
    artifacts += discovery.artifacts(site, content, paths, changed, texts.description.text)
    problems += [*feed.problems, *references.problems({artifact.path for artifact in artifacts})]
    problems += [*_elsewhere(site, content, texts), *_unsearched(site, content, indexing)]
    return Files(artifacts, feed, said, problems)


def _pressed(
    press: Press,
    index: tuple[str, ...],
    progress: Progress,
    further: Callable[[list[pages.Sheet]], None] = lambda _: None,
) -> tuple[list[Artifact], dict[str, datetime]]:
    """The pages that lead to an index of these addresses, or to none; by address, when the newest on them came out.

    What else needs the plan of the pages is done by `further`: it is gone afterwards, with all that it knows.
    """
    sheets = [*pages.plan(press.site, press.content, press.texts, press.marks, index)]
    made = [*press.artifacts(sheets, progress)]
    changed = {sheet.address: sheet.changed for sheet in sheets if sheet.changed}
    further(sheets)
    return made, changed


def _others(
    press: Press,
    forms: Sequence[Artifact],
    sheets: list[pages.Sheet],
    progress: Progress,
    problems: list[Problem],
) -> Iterator[Artifact]:
    """What is made beside pages: cards, Markdown twins, transcripts and chapters (`forms`), reading lists."""
    site, content, paper, theme = press.site, press.content, press.paper, press.site.show.theme
    if theme.cards:
        from podsite.cards import Cards

        cards = Cards(site, content, press.images, paper.cache, paper.standing, paper.place)
        yield from cards.artifacts(sheets, paper.crew, progress)
        problems += cards.problems
    if theme.markdown:
        yield from twins.Twins(site, content, press.texts.notes).artifacts(press.marks, paper)
    yield from forms
    if theme.exports:
        yield from Exports(site, press.marks, paper).artifacts(content.published)


def _indexing(site: Site, content: Content, texts: pages.Texts, marks: Marks, paper: Paper) -> Indexing:
    """The search index in the making, while everything else is made."""
    parts = findable.parts(site, content, texts, marks) if paper.searched and site.show.search else []
    return Indexing(site.show.language, parts, paper.cache, paper.standing, paper.place, paper.crew.size)


def _unsearched(site: Site, content: Content, indexing: Indexing) -> Iterator[Problem]:
    """What to say when there is no index though there should be."""
    if indexing.failure:
        is_required = site.show.search == "required"
        what = "search is required, and there is none" if is_required else "the site goes out without search"
        message = f"{what}: {indexing.failure}; to do without, write 'search: false'"
        severity: Severity = "error" if is_required else "warning"
        yield Problem(content.place("show.yaml", "search"), "search", message, severity)


def _texts(site: Site, references: References, written: Written, illustrated: Illustrated) -> pages.Texts:
    """Every Markdown text of the site, rendered once, with pictures in sizes but for the lines that all pages have."""

    def whole(found: Rendered, origin: str) -> Rendered:
        if not found.is_pictured:
            return found
        return Rendered(illustrated.html(found.html, origin), found.feed_html, found.text, found.markdown)

    def rendered(source: str, origin: str, file: str, path: str = "", root: str | None = None) -> Rendered:
        page_link = references.resolver(origin, file, path, root=root)
        # these texts follow the page's own heading
        base_url = urls.absolute(site.base_url, origin)
        return written.render(Text(source=source, page_link=page_link, base_url=base_url, top=2, root=root))

    def line(key: str, source: str | None) -> Callable[[Page], str]:
        @functools.cache
        def at(folder: str, root: str | None) -> str:
            return rendered(source or "", folder, "show.yaml", f"theme.{key}", root).html

        # all pages of one depth share their links to other pages, so the line is rendered once for each depth
        return lambda page: at("x/" * page.address.count("/"), page.root)

    show = site.show
    notes = {entry.episode.slug: _notes(site, entry, references) for entry in site.entries}
    written.prepare([*notes.values()])
    return pages.Texts(
        description=whole(rendered(show.description, urls.HOME, "show.yaml", "description"), urls.HOME),
        notes={slug: whole(written.render(text), urls.episode(slug)) for slug, text in notes.items()},
        pages={page.address: whole(rendered(page.body, page.address, page.file), page.address) for page in site.pages},
        bios={
            one.id: whole(rendered(one.person.bio, one.address, "show.yaml", f"people.{one.id}.bio"), one.address)
            for one in site.people
            if one.person.bio
        },
        footer=line("footer", show.theme.footer),
        notice=line("notice", show.theme.notice),
    )


def _notes(site: Site, entry: Entry, references: References) -> Text:
    episode, audio = entry.episode, entry.audio
    page_url = urls.absolute(site.base_url, entry.address)
    return Text(
        source=episode.notes or "",
        page_link=references.resolver(entry.address, episode.file, "notes", episode),
        base_url=page_url,
        audio=urls.relative(entry.address, audio.address) if audio else None,
        page_url=page_url,
        max_seconds=audio.duration if audio else None,
        twin=site.show.theme.markdown,
    )


def _elsewhere(site: Site, content: Content, texts: pages.Texts) -> Iterator[Problem]:
    """A warning for each key that names a picture of another server, which pages therefore do not show."""

    def warning(file: str, path: str, what: str) -> Problem:
        message = f"{what}: pages load nothing from other servers and show no picture; keep the file in the site"
        return Problem(content.place(file, path), path, message, "warning")

    pictures = [("show.yaml", "artwork", site.artwork)]
    pictures += [("show.yaml", f"people.{one.id}.image", one.image) for one in site.people if one.image]
    pictures += [(entry.episode.file, "image", entry.image) for entry in site.entries if entry.image]
    yield from (warning(file, path, "lies elsewhere") for file, path, picture in pictures if picture.file is None)
    written = [("show.yaml", "description", texts.description)]
    written += [("show.yaml", f"people.{one}.bio", text) for one, text in texts.bios.items()]
    written += [(entry.episode.file, "notes", texts.notes[entry.episode.slug]) for entry in site.entries]
    written += [(page.file, "", texts.pages[page.address]) for page in site.pages]
    for file, path, text in written:
        # on pages, links stand in for those elsewhere
        if text.is_pictured and text.html.count("<img ") < text.feed_html.count("<img "):
            yield warning(file, path, "an image lies elsewhere")


def _media(site: Site, content: Content, references: References) -> Iterator[Artifact]:
    """Everything that is copied as it is: audio, pictures, transcripts without times."""
    copies = {address: (file, file) for address, file in content.published.items()}
    for address, file in references.files.items():
        copies.setdefault(address, (file, file))
    for address, file, source in _originals(site, content):
        copies.setdefault(address, (file, source))
    for address, (file, source) in copies.items():
        yield Artifact(address, content.root / file, source)


def _originals(site: Site, content: Content) -> Iterator[tuple[str, str, str]]:
    """Media that lie outside static/: the address each is published at, its file, and the file that names it."""
    named: list[tuple[str, str, Entry | None]] = [(file, "show.yaml", None) for file in files_of_show(site.show)]
    named += [(file, entry.episode.file, entry) for entry in site.entries for file in files_of_episode(entry.episode)]
    for file, source, at in named:
        if not file.startswith("static/"):
            yield content.address(file, at.episode if at else None), file, source
