"""Plan → HTML artifacts: templates filled, but only for pages that would not come out as they are already there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from podsite import colour, notes, pages, urls
from podsite.artifacts import Artifact, Standing
from podsite.cache import Cache
from podsite.contexts import Page, Planned
from podsite.environment import Later
from podsite.images import Images
from podsite.memory import Made, Memory, Pictures
from podsite.model import Show
from podsite.pages import Texts
from podsite.read import Content
from podsite.site import Site
from podsite.theme import FOLDER, Theme, trusted
from podsite.tracing import Things, Trace

STYLES = "assets/site.css"


@dataclass(frozen=True, slots=True)
class Press:
    """What pages are printed with. `standing` gives the digest of what an output path holds from the last build."""

    site: Site
    content: Content
    texts: Texts
    images: Images
    head: Callable[[Page], str]
    cache: Cache
    standing: Mapping[str, bytes]
    place: str

    def artifacts(self) -> Iterator[Artifact]:
        """Every HTML page, the pictures they show, and the theme's assets."""
        theme = Theme(self.content.root, self.cache, self.content.files)
        things = Things(self.site)
        memory = Memory(self.cache, self.place, things, self.images)
        for planned in pages.plan(self.site, self.content, self.texts):
            yield self._page(planned, theme, things, memory)
        memory.save()
        yield from self.images.artifacts()
        yield from _assets(self.site.show, theme)

    def _page(self, planned: Planned, theme: Theme, things: Things, memory: Memory) -> Artifact:
        template, page, source = planned
        path, version = urls.output_file(page.address), theme.version(template)
        given = self._given(page)
        known = memory.unchanged(page.address, version, lambda: given)
        if known is not None and self.standing.get(path) == known:
            return Artifact(path, Standing(f"{self.place}/{path}", known), source)
        trace = Trace(things)
        pictures = Pictures(self.images, trace)
        html = theme.render(template, {**given, "images": pictures}, page.address or "the home page", trace).encode()
        memory.note(page.address, version, html, Made(given, trace, pictures))
        return Artifact(path, html, source)

    def _given(self, page: Page) -> Given:
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
        )


class Given(dict[str, Any]):
    """What a template is given, by name; what is to be made later is made when it is looked up."""

    def __getitem__(self, name: str) -> Any:
        found = super().__getitem__(name)
        return found.value if type(found) is Later else found


def _assets(show: Show, theme: Theme) -> Iterator[Artifact]:
    """The theme's assets; the style sheet with the show's colour and fonts and the colours of code behind it."""
    choice = colour.inks(show.theme.accent).css
    if show.theme.fonts:
        choice += f":root{{--display:var(--{show.theme.fonts})}}"
    for path, content in theme.assets():
        extra = f"\n{choice}\n{notes.highlight_css()}".encode() if path == STYLES else b""
        yield Artifact(path, content + extra, f"{FOLDER}/{path}")
