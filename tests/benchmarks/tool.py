"""What all generators under test have in common: a folder with the show in their own form, and edits of it."""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from benchmarks.corpus import Corpus, Episode, artwork, clock

HERE = Path(__file__).resolve().parent
THEMES = HERE / "themes"
PEERS = HERE / ".peers"  # what `--install` fetches; git does not see it
FOOTER = "Made with a plain theme"


class Tool(ABC):
    """A static-site generator: how to write a show for it, and which command builds it."""

    name: str
    theme: str | None  # folder of THEMES
    theme_folder: str  # where the theme's files stand in a site
    base: str  # the template of all pages, below that folder
    output: str
    caches: tuple[str, ...] = ()
    static: str = "static"
    styles: str = "static/assets/site.css"
    from_oldest: bool = False  # whether pages of lists are cut and counted from the oldest episode

    @abstractmethod
    def version(self) -> str | None:
        """Its name and version, or None where it is not installed."""

    @abstractmethod
    def command(self) -> list[str]:
        """The command that builds the site, to be run in the site's folder."""

    @abstractmethod
    def config(self, corpus: Corpus) -> Mapping[str, str]:
        """The files that tell of the show, by name."""

    @abstractmethod
    def episode(self, corpus: Corpus, episode: Episode) -> tuple[str, str]:
        """The name and text of an episode's file."""

    def environment(self) -> dict[str, str]:
        """Variables of the command's environment; Python keeps what it compiles, as it does for users."""
        return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def write_site(self, folder: Path, corpus: Corpus) -> None:
        """Write the whole site; anything that was there before goes."""
        shutil.rmtree(folder, ignore_errors=True)
        if self.theme is not None:
            shutil.copytree(THEMES / self.theme, folder / self.theme_folder)
            _write(folder / self.styles, (THEMES / "site.css").read_bytes())
        _write(folder / self.static / "artwork.png", artwork())
        self.write_config(folder, corpus)
        for episode in corpus.episodes:
            self.write_episode(folder, corpus, episode)

    def write_config(self, folder: Path, corpus: Corpus) -> None:
        """Write what tells of the show."""
        for name, text in self.config(corpus).items():
            _write(folder / name, text.encode())

    def write_episode(self, folder: Path, corpus: Corpus, episode: Episode) -> None:
        """Write one episode's file."""
        name, text = self.episode(corpus, episode)
        _write(folder / name, text.encode())

    def write_footer(self, folder: Path, footer: str) -> None:
        """Change the text at the end of all pages, in the template they share."""
        template = folder / self.theme_folder / self.base
        text = re.sub(rf"{FOOTER}[^<]*", footer, template.read_text(encoding="utf-8"))
        template.write_text(text, encoding="utf-8")

    def forget(self, folder: Path, *, caches: bool = True) -> None:
        """Put the output away and, unless they are to stay, the caches.

        They are not deleted, since some file systems make new files slowly for a while after many were deleted.
        """
        away = Path(tempfile.mkdtemp(prefix="away-", dir=folder.parent))
        for name in (self.output, *(self.caches if caches else ())):
            with suppress(FileNotFoundError):
                (folder / name).rename(away / name)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def quoted(text: object) -> str:
    """A value in double quotes, as YAML, JSON and TOML read it; nothing for None."""
    return json.dumps(text, ensure_ascii=False)


def front_matter(fields: Mapping[str, object]) -> str:
    """YAML between two lines of dashes, each value in the flow form that JSON shares; None is left out."""
    lines = [f"{key}: {quoted(value)}" for key, value in fields.items() if value is not None]
    return "\n".join(["---", *lines, "---", ""])


def fields(corpus: Corpus, episode: Episode) -> dict[str, object]:
    """What stands at the head of an episode's file, for tools that read Markdown with YAML before it."""
    reading = [
        {"title": one.title, "url": one.url, "kind": one.kind, "year": one.year} for one in episode.further_reading
    ]
    return {
        "title": episode.title,
        "slug": episode.slug,
        "date": episode.published.isoformat(),
        "description": episode.summary,
        "number": episode.number,
        "season": episode.season,
        "audio": {"url": episode.audio, "length": episode.length, "duration": clock(episode.duration)},
        "people": [corpus.people[one] for one in episode.people],
        "topics": list(episode.topics),
        "reading": reading,
    }
