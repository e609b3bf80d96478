"""Find and read show.yaml, episodes/, pages/ and what lies beside them; every problem of every file in one run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from podsite import urls
from podsite.errors import Place, Problem
from podsite.media import AudioFacts, ImageFacts
from podsite.model import Episode, Show


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnPage:
    """A Markdown page of pages/: `pages/about.md` answers at `about/`."""

    title: str
    address: str
    body: str  # Markdown without the title
    file: str
    description: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """Everything a site's files say, checked: the input of `link`."""

    root: Path
    show: Show
    episodes: tuple[Episode, ...]  # every file, drafts and scheduled ones too, by file name
    pages: tuple[OwnPage, ...]
    static: tuple[str, ...]  # files of static/, by their path in the site
    facts: Mapping[str, AudioFacts | ImageFacts]  # of local media, by their path in the site
    places: Mapping[str, Mapping[str, tuple[int, int]]]  # line and column of every key, by file
    warnings: tuple[Problem, ...]

    def place(self, file: str, path: str) -> Place:
        """Where a file says something: the nearest place known for `further_reading[2].url`."""
        known = self.places.get(file, {})
        while path and path not in known:
            path = path[: max(path.rfind("."), path.rfind("["), 0)]
        return Place(file, *known.get(path, (0, 0)))

    def address(self, file: str, episode: Episode | None = None) -> str:
        """Where a file of the site is published: static/ is the root; an episode's companions lie with its page."""
        path = PurePosixPath(file)
        if path.parts[0] == "static":
            return str(PurePosixPath(*path.parts[1:]))
        if episode is not None and path.parts[0] == "episodes":
            return urls.episode(episode.slug) + path.name
        return str(path)
