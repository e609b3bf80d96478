"""podsite, with the plain theme that all share or with its own."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from benchmarks.corpus import Corpus, Episode, clock
from benchmarks.tool import Tool, quoted

GUID = "1d1f0a5e-5a0f-5e53-9d1c-6f8f2f9e6b11"


class Podsite(Tool):
    """podsite of this repository, or the one that is installed. `fast` lets it use its optional extra."""

    theme_folder = "templates"
    base = "base.html"
    output = "output"
    caches = (".podsite",)
    styles = "templates/assets/site.css"
    from_oldest = True

    def __init__(self, *, fast: bool = False, own_theme: bool = False) -> None:
        self.name = "podsite[fast]" if fast else "podsite"
        self.fast = fast
        self.theme = None if own_theme else "podsite"

    def version(self) -> str | None:
        """Its name and version, or None where it is not installed."""
        if importlib.util.find_spec("podsite") is None:
            return None
        from podsite import __version__

        return f"{self.name} {__version__}"

    def command(self) -> list[str]:
        """The command that builds the site: the installed script, as users start it."""
        return [*script(), "build", "--quiet"]

    def environment(self) -> dict[str, str]:
        """Variables of the command's environment; the fast extra is switched off unless it is wanted."""
        found = super().environment() | {"PODSITE_FAST": "0"}
        if self.fast:
            del found["PODSITE_FAST"]
        return found

    def config(self, corpus: Corpus) -> Mapping[str, str]:
        """show.yaml."""
        people = "\n".join(f"  {one}: {{name: {quoted(name)}}}" for one, name in corpus.people.items())
        return {
            "show.yaml": f"""\
title: {quoted(corpus.title)}
description: {quoted(corpus.description)}
language: en
author: {quoted(corpus.author)}
owner: {{name: {quoted(corpus.author)}, email: {corpus.email}}}
url: {corpus.url}
artwork: static/artwork.png
categories: [{corpus.category}]
guid: {GUID}
timezone: UTC
publish_time: "06:00"
theme: {{cards: false{"" if self.theme is None else ", embed: false, exports: false, markdown: false"}}}
people:
{people}
{"search: false" if self.theme else ""}
"""
        }

    def episode(self, corpus: Corpus, episode: Episode) -> tuple[str, str]:  # noqa: ARG002 - people are named by id
        """The YAML file of an episode."""
        lines = [
            f"title: {quoted(episode.title)}",
            f"number: {episode.number}",
            *([f"season: {episode.season}"] if episode.season else []),
            f"published: {episode.published:%Y-%m-%d}",
            f"summary: {quoted(episode.summary)}",
            "audio:",
            f"  url: {episode.audio}",
            f"  length: {episode.length}",
            "  type: audio/mpeg",
            f"  duration: {quoted(clock(episode.duration))}",
            f"people: [{', '.join(episode.people)}]",
            f"topics: [{', '.join(map(quoted, episode.topics))}]",
        ]
        if episode.further_reading:
            lines.append("further_reading:")
        for reading in episode.further_reading:
            lines.append(f"  - title: {quoted(reading.title)}")
            lines.append(f"    url: {reading.url}")
            lines += [f"    kind: {reading.kind}"] if reading.kind else []
            lines += [f"    year: {reading.year}"] if reading.year else []
        lines += ["notes: |", *(f"  {line}".rstrip() for line in episode.notes.splitlines())]
        return f"episodes/{episode.stem}.yaml", "\n".join(lines) + "\n"


def script() -> list[str]:
    """The installed command `podsite`, else the module."""
    installed = Path(sys.executable).with_name("podsite.exe" if os.name == "nt" else "podsite")
    return [str(installed)] if installed.exists() else [sys.executable, "-m", "podsite"]
