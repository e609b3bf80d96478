"""Links that Markdown makes inside the site: where they lead, which files they need published, which lead nowhere."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Iterator
from urllib.parse import unquote, urljoin

from podsite import textfile, urls
from podsite.errors import Hints, Place, Problem
from podsite.model import Episode
from podsite.read import Content


class References:
    """Resolves the relative links of a site's Markdown and remembers them, to be checked once all files are known."""

    def __init__(self, content: Content) -> None:
        self._content = content
        self._files = content.files
        self._pages = {page.file: page.address for page in content.pages}
        self._pages |= {episode.file: urls.episode(episode.slug) for episode in content.episodes}
        self._used: dict[tuple[str, str, str], str] = {}
        self.files: dict[str, str] = {}  # files beside the Markdown that must be published: address → file of the site

    def resolver(
        self, origin: str, file: str, path: str = "", episode: Episode | None = None, root: str | None = None
    ) -> Callable[[str], str]:
        """How links written in `file` (at the key `path`) are written on the page at the address `origin`.

        A link may name a page of the site from its root (`/about/`), relative to the page, or a file beside `file`.
        `root` is the path of the site, for a page that answers at any address.
        """

        def written(href: str) -> str:
            bare = href.split("#", 1)[0].split("?", 1)[0]
            if not bare:
                return href
            address = self._address(unquote(bare), origin, file, episode)
            self._used[(file, path, href)] = address
            link = urls.relative(origin, address) if root is None else urls.absolute(root, address)
            return link + href[len(bare) :]

        return written

    def _address(self, target: str, origin: str, file: str, episode: Episode | None) -> str:
        if target.startswith("/"):
            return target.lstrip("/")
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(file), target))
        if beside in self._pages:
            return self._pages[beside]
        if not beside.startswith("..") and self._files.first(beside):
            address = self._content.address(beside, episode)
            if not beside.startswith("static/"):
                self.files[address] = beside
            return address
        return urljoin(f"/{origin}", target).lstrip("/")

    def problems(self, paths: Collection[str]) -> Iterator[Problem]:
        """The links that lead to none of the files written (`paths`, relative to the output folder)."""
        tip = Hints("/" + each.removesuffix("index.html") for each in paths if each.endswith(".html"))
        waiting = {address for address in self._pages.values() if address.startswith("episodes/")}
        for (file, path, href), address in self._used.items():
            if urls.output_file(address) not in paths and urls.output_file(f"{address}/") not in paths:
                if address in waiting:
                    told = f"the link '{href}' leads to an episode that is not out: a draft, or still scheduled"
                else:
                    told = f"the link '{href}' leads to no page or file of the site{tip('/' + address)}"
                yield Problem(self._place(file, path, href), path, told)

    def _place(self, file: str, path: str, href: str) -> Place:
        """The line in which the link stands: in the file itself, or in the .md beside it that holds the notes."""
        known = self._content.place(file, path)
        for name, first in ((file, max(known.line, 1)), (file.removesuffix(".yaml") + ".md", 1)):
            source = self._content.root / name
            lines = textfile.load(source, name).splitlines() if source.is_file() else []
            for number, line in enumerate(lines[first - 1 :], first):
                if href in line:
                    return Place(name, number, line.index(href) + 1)
        return known
