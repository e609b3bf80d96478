"""A real podcast client subscribes, lists and downloads: gPodder, by its command `gpo`, over the loopback interface."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import feedparser
import pytest

Gpo = Callable[..., str]


@pytest.fixture
def gpo(tmp_path: Path, needed: Any) -> Gpo:
    """Runs gpo with a profile of its own, out of reach of any network; gives what it prints."""
    program = needed(shutil.which("gpo"), "gpodder is not installed")
    nowhere = "http://127.0.0.1:9"  # nobody answers on the discard port, so nothing but the loopback can be reached
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment |= {
        "GPODDER_HOME": str(tmp_path / "gpodder"),
        "HOME": str(tmp_path),
        "http_proxy": nowhere,
        "https_proxy": nowhere,
        "no_proxy": "127.0.0.1",
    }

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [program, *arguments], env=environment, cwd=tmp_path, capture_output=True, text=True, check=True
        )
        return re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", done.stdout + done.stderr)

    return run


@pytest.fixture
def feed(tmp_path: Path, repository: Path, serve: Callable[..., str], podsite: Any) -> tuple[str, Path]:
    """This repository's site, built for the address it is served at: the feed's address, and the output folder."""
    output = tmp_path / "out"
    home = serve(output, "/podsite/")
    done = podsite("build", repository, "--output", output, "--base-url", home)
    assert done.status == 0, done.err
    return home + "feed.xml", output


def test_gpodder_subscribes_and_lists_every_episode(gpo: Gpo, feed: tuple[str, Path]) -> None:
    """The feed is understood by a client that knows nothing of podsite."""
    url, output = feed
    gpo("subscribe", url)
    assert "PyTorch Developer Podcast" in gpo("list")
    listed = gpo("episodes", url)
    titles = [item.title for item in feedparser.parse(output / "feed.xml").entries]
    assert len(titles) == 8
    assert [title for title in titles if title not in listed] == []


def test_gpodder_downloads_an_episode_whose_bytes_equal_the_file(
    gpo: Gpo, feed: tuple[str, Path], tmp_path: Path
) -> None:
    """What a listener gets is the recording, complete and unchanged."""
    url, output = feed
    newest = feedparser.parse(output / "feed.xml").entries[0]
    gpo("subscribe", url)
    gpo("download", url, newest.id)
    (downloaded,) = (tmp_path / "gpodder").rglob("*.mp3")
    (original,) = (output / "episodes" / newest.link.rstrip("/").rpartition("/")[2]).glob("*.mp3")
    assert downloaded.read_bytes() == original.read_bytes()
