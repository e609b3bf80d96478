"""Links that Markdown makes inside the site: where they lead, which files they need published, which lead nowhere."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Iterator
from urllib.parse import unquote, urljoin

from podsite import urls
from podsite.errors import Problem, hint
from podsite.files import Files
from podsite.model import Episode
from podsite.read import Content


class References:
    """Resolves the relative links of a site's Markdown and remembers them, to be checked once all files are known."""

    def __init__(self, content: Content) -> None:
        self._content = content
        self._files = Files(content.root)
        self._pages = {page.file: page.address for page in content.pages}
        self._pages |= {episode.file: urls.episode(episode.slug) for episode in content.episodes}
        self._used: dict[tuple[str, str, str], str] = {}
        self.files: dict[str, str] = {}  # files beside the Markdown that must be published: address → file of the site

    def resolver(self, origin: str, file: str, path: str = "", episode: Episode | None = None) -> Callable[[str], str]:
        """How links written in `file` (at the key `path`) are written on the page at the address `origin`.

        A link may name a page of the site from its root (`/about/`), relative to the page, or a file beside `file`.
        """

        def link(href: str) -> str:
            bare = href.split("#", 1)[0].split("?", 1)[0]
            if not bare:
                return href
            address = self._address(unquote(bare), origin, file, episode)
            self._used[(file, path, href)] = address
            return urls.relative(origin, address) + href[len(bare) :]

        return link

    def _address(self, target: str, origin: str, file: str, episode: Episode | None) -> str:
        if target.startswith("/"):
            return target.lstrip("/")
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(file), target))
        if beside in self._pages:
            return self._pages[beside]
        if not beside.startswith("..") and self._files.fault(beside) is None:
            address = self._content.address(beside, episode)
            if not beside.startswith("static/"):
                self.files[address] = beside
            return address
        return urljoin(f"/{origin}", target).lstrip("/")

    def problems(self, paths: Collection[str]) -> Iterator[Problem]:
        """The links that lead to none of the files written (`paths`, relative to the output folder)."""
        for (file, path, href), address in self._used.items():
            if urls.output_file(address) not in paths and urls.output_file(f"{address}/") not in paths:
                pages = [each.removesuffix("index.html") for each in paths if each.endswith(".html")]
                message = f"the link '{href}' leads to no page or file of the site{hint(address, pages)}"
                yield Problem(self._content.place(file, path), path, message)
