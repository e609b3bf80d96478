"""Plan → HTML artifacts: templates filled, but only for pages that would not come out as they are already there."""

from __future__ import annotations

import marshal
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from functools import cached_property
from typing import Any, NamedTuple

from podsite import colour, notes, pages, urls
from podsite.artifacts import Artifact, Standing
from podsite.aside import Aside, Laid
from podsite.cache import Cache
from podsite.cache import digest as key_of
from podsite.contexts import Page
from podsite.crew import swept
from podsite.discovery import Head
from podsite.environment import Later
from podsite.errors import TemplateError
from podsite.images import Images
from podsite.marks import Marks
from podsite.memory import Made, Memory, Pictures
from podsite.model import Show
from podsite.pages import Sheet, Texts
from podsite.paper import Paper, Progress
from podsite.read import Content
from podsite.records import dataclass
from podsite.relations import recommended
from podsite.signatures import digest_of
from podsite.site import Site
from podsite.theme import FOLDER, Theme, trusted
from podsite.tracing import CITED, SITE, WORDS, Trace

STYLES = "assets/site.css"
_MANY = 100  # pages beyond which all templates are made ready together
_VERY_MANY = 1000  # pages beyond which they are not kept in memory
_MIXED = 17  # a prime, since pages of different weight take turns


@dataclass(frozen=True, slots=True)
class Press:
    """What pages are printed of, and with."""

    site: Site
    content: Content
    texts: Texts
    marks: Marks
    images: Images
    head: Head
    theme: Theme
    paper: Paper

    def artifacts(self, sheets: Sequence[Sheet], progress: Progress = lambda *_: None) -> Iterator[Artifact]:
        """Every HTML page, and the pictures they show; the filling of templates is shared out."""
        cache, crew, theme = self.paper.cache, self.paper.crew, self.theme
        if len(sheets) > _MANY:
            theme.prepare({sheet.template for sheet in sheets}, crew)
        memory = Memory(cache, self.paper.place, self.site, self.content, self.images)
        keys = _Keys(self, memory)
        plan = [_Job(sheet, theme.version(sheet.template), keys.of(sheet)) for sheet in sheets]
        standing = {job.sheet.address: found for job in plan if (found := self._standing(job, memory))}
        missing = [job for job in plan if job.sheet.address not in standing]
        printed = self._shared(missing, memory, progress)
        for job in plan:
            sheet = job.sheet
            path = urls.output_file(sheet.address)
            yield Artifact(path, standing.get(sheet.address) or printed[sheet.address], sheet.source)
        memory.save()
        yield from self.images.artifacts(self.paper)

    def _shared(self, missing: Sequence[_Job], memory: Memory, progress: Progress) -> dict[str, bytes | Laid]:
        """Pages by address. Of templates that fail the first page of the plan is told, whoever came to which first."""
        mixed = [job for start in range(_MIXED) for job in missing[start::_MIXED]]  # heavy pages stand together
        aside = self.paper.cache.aside() if len(missing) > _VERY_MANY else Aside(None)

        try:
            shares = self.paper.crew.share(mixed, lambda part: self._printed(part, aside, memory, progress))
            pages = dict(page for share in shares for page in memory.adopted(share))
        except TemplateError:
            self._printed(missing, aside, memory, progress)
            raise
        return {at: one if isinstance(one, bytes) else Laid(aside, *one) for at, one in pages.items()}

    def _standing(self, job: _Job, memory: Memory) -> Standing | None:
        """What stands in the output folder, if the page would come out just so."""
        sheet, path = job.sheet, urls.output_file(job.sheet.address)
        known = memory.unchanged(sheet.address, job.version, job.key, lambda: self.given(sheet.page()))
        stands = known is not None and self.paper.standing.get(path) == known
        return Standing(f"{self.paper.place}/{path}", known) if known and stands else None

    def _printed(self, jobs: Sequence[_Job], aside: Aside, memory: Memory, progress: Progress) -> Any:
        """The pages, or where they were laid with their lengths and digests, and how they were made."""
        made = []
        for number, (sheet, version, key) in enumerate(swept(jobs), 1):
            given = self.given(sheet.page())
            trace = Trace(memory.things)
            pictures = Pictures(self.images, trace)
            context = {**given, "images": pictures}
            html = self.theme.printed(sheet.template, context, sheet.address or "the home page", trace)
            digest, offset = digest_of(html), aside.lay(html)
            page = html if offset is None else (offset, len(html), digest)
            made.append((page, sheet.address, memory.known(version, key, digest, Made(given, trace, pictures))))
            progress("rendering page", number, len(jobs))
        return memory.sent(made)

    def given(self, page: Page) -> Given:
        """What a template is given: the facts of the page, and what is made of them when it is asked for."""
        site, address = self.site, page.address
        navigation = Later(lambda: tuple(pages.navigation(site, address)))
        return Given(
            {one.name: getattr(page, one.name) for one in fields(page)}
            | {
                "navigation": navigation,
                "more": Later(lambda: tuple(pages.more(site, address, navigation.value))),
                "footer": Later(lambda: trusted(self.texts.footer(page))),
                "notice": Later(lambda: trusted(self.texts.notice(page))),
                "head": Later(lambda: trusted(self.head(page))),
            }
            | {name: Later(make) for name, make in pages.asked(site, page).items()}
        )


class _Job(NamedTuple):
    """A page to be made, the version of its template, and the key of what it is given."""

    sheet: Sheet
    version: bytes
    key: object


class _Keys:
    """Keys of pages: of all that is given to a page besides what things with versions hold."""

    def __init__(self, press: Press, memory: Memory) -> None:
        self._press, self._things, self._versions = press, memory.things, memory.versions
        self._frame: bytes | None = None  # made with the first page

    def of(self, sheet: Sheet) -> object:
        """The key of a page: plain data; None where it has none, so that it has to be looked at."""
        self._frame = self._frame or self._around(sheet)
        entry, version = sheet.entry, self._versions.of
        if entry is None:
            return self._of_list(sheet)
        rendered = self._press.texts.notes.get(entry.episode.slug)
        return (
            sheet.template,
            version(f"episode {entry.episode.slug}"),
            self._frame,
            rendered.key if rendered else None,
            sheet.around,
            version("site.people") if entry.speakers else None,  # they are linked to where they have a page
        )

    def _of_list(self, sheet: Sheet) -> object:
        """The key of a page that is not of one episode; it stands for the things on it as well."""
        facts, names = self._things.of_page(sheet.page())
        about: list[Any] = [self._works] if CITED in names else []
        about += [self._versions.of(name) for name in sorted(names | {"show"}) if name not in (SITE, WORDS, CITED)]
        return None if None in about else (sheet.template, self._frame, key_of(marshal.dumps((facts, about), 2)))

    @cached_property
    def _works(self) -> bytes:
        """What all episodes together recommend."""
        return recommended(self._press.marks, self._press.site)

    def _around(self, sheet: Sheet) -> bytes:
        """What surrounds every page in the same way, as it would be around an episode: its address makes the rest."""
        press = self._press
        given = press.given(replace(sheet.page(), address="episodes/any/"))
        frame = [given[name] for name in ("navigation", "more", "footer", "notice", "direction")]
        return key_of(repr(frame), repr(press.site.words), press.head.common, repr(self._versions.of("site.base_url")))


class Given(dict[str, Any]):
    """What a template is given, by name; what is to be made later is made when it is looked up."""

    def __getitem__(self, name: str) -> Any:
        found = super().__getitem__(name)
        return found.value if type(found) is Later else found


def assets(show: Show, theme: Theme, cache: Cache) -> Iterator[Artifact]:
    """The theme's assets; the style sheet with the show's colour and fonts and the colours of code behind it."""
    choice = colour.inks(show.theme.accent).css
    if show.theme.fonts:
        choice += f":root{{--display:var(--{show.theme.fonts})}}"
    code = cache.bytes("style", ["code"], lambda: notes.highlight_css().encode())
    for path, content in theme.assets():
        extra = b"\n".join((b"", choice.encode(), code)) if path == STYLES else b""
        yield Artifact(path, content + extra, f"{FOLDER}/{path}")
