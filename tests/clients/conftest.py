"""What the tests with podcast clients share: this repository's show, published and then grown by an episode."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from mutagen.mp3 import MP3

from podsite.build import Options, build

NEW = """
title: "One more night"
number: 9
published: "2021-05-14T13:00:00Z"
summary: "What a client sees when an episode comes out."
people: [ezyang]
chapters:
  - {start: "0:00", title: "As it was"}
  - {start: "0:21", title: "As it is now"}
"""
Facts = dict[str, Any]
Client = Callable[..., str]


@dataclass(frozen=True)
class Published:
    """A show at two moments: the output folders with eight episodes and with nine, and the address of both.

    `said` is what the site's own files say of the nine, newest first.
    """

    home: str
    root: Path
    before: Path
    after: Path
    live: Path
    said: list[Facts]

    @property
    def feed(self) -> str:
        """What one subscribes to."""
        return self.home + "feed.xml"

    def serve(self, output: Path) -> None:
        """Let the address lead to this output folder from now on."""
        self.live.unlink(missing_ok=True)
        self.live.symlink_to(output)


@pytest.fixture(scope="session")
def published(
    tmp_path_factory: pytest.TempPathFactory,
    repository: Path,
    serve: Callable[..., str],
    now: int,
    own_site: Path,
) -> Published:
    """This repository's show, built for a loopback address before and after one more episode comes out."""
    folder = tmp_path_factory.mktemp("published")
    root, before, after, live = (folder / name for name in ("site", "before", "after", "live"))
    home = serve(live, "/podsite/")
    assert own_site.exists()  # else its pictures would have to be scaled again
    for name in ("episodes", "static", ".podsite/image"):
        shutil.copytree(repository / name, root / name)
    for name in ("show.yaml", "podsite.lock"):
        shutil.copy(repository / name, root)
    show = (root / "show.yaml").read_text(encoding="utf-8")
    assert "\ntheme:\n" in show
    (root / "show.yaml").write_text(show.replace("\ntheme:\n", "\ntheme:\n  cards: false\n"), encoding="utf-8")
    options = Options(now=datetime.fromtimestamp(now, UTC), base_url=home, search=False)
    build(root, before, options)
    for path in (root / "episodes").glob("008-*.*"):
        shutil.copy(path, path.with_name("009-one-more-night" + path.suffix))
    (root / "episodes/009-one-more-night.yaml").write_text(NEW, encoding="utf-8")
    build(root, after, options)
    known = yaml.safe_load((root / "podsite.lock").read_text(encoding="utf-8"))["episodes"]
    files = sorted((root / "episodes").glob("*.yaml"), reverse=True)
    return Published(home, root, before, after, live, [facts(path, home, known) for path in files])


def facts(path: Path, home: str, known: dict[str, Any]) -> Facts:
    """What an episode's file, its recording and the lock say, at the addresses that the documentation promises."""
    said = yaml.safe_load(path.read_text(encoding="utf-8"))
    slug, audio = path.stem.partition("-")[2], path.with_suffix(".mp3")
    page = f"{home}episodes/{slug}/"
    minutes = [(one["start"].split(":"), one["title"]) for one in said["chapters"]]
    return {
        "guid": known[slug]["guid"],
        "title": said["title"],
        "number": said["number"],
        "link": page,
        "date": datetime.fromisoformat(said["published"]).timestamp(),
        "duration": int(MP3(audio).info.length),
        "enclosure": page + audio.name,
        "length": audio.stat().st_size,
        "type": "audio/mpeg",
        "chapters": [(60 * int(start[0]) + int(start[1]), title) for start, title in minutes],
        "chapters file": page + "chapters.json",
        "transcripts": [
            (page + "transcript.vtt", "text/vtt", "en"),
            (page + "transcript.srt", "application/x-subrip", "en"),
            (page + "transcript.json", "application/json", "en"),
        ],
        "person": "Edward Yang",
        "role": ("host", "cast"),
        "person's page": home + "people/ezyang/",
    }


@pytest.fixture
def client(tmp_path: Path, needed: Any) -> Client:
    """Runs a program with a home of its own, out of reach of any network; gives what it prints."""
    nowhere = "http://127.0.0.1:9"  # nobody answers on the discard port, so nothing but the loopback can be reached
    foreign = re.compile(r"PYTHON|XDG_|.*_proxy$", re.IGNORECASE)
    environment = {name: value for name, value in os.environ.items() if not foreign.match(name)}
    environment |= {
        "GPODDER_HOME": str(tmp_path / "gpodder"),
        "HOME": str(tmp_path),
        "LC_ALL": "C.UTF-8",
        "http_proxy": nowhere,
        "https_proxy": nowhere,
        "no_proxy": "127.0.0.1",
    }

    def run(program: str, *arguments: object) -> str:
        found = needed(shutil.which(program), f"{program} is not installed")
        command = [found, *map(str, arguments)]
        done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=True)
        return re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", done.stdout)

    return run
