"""Eleventy 3 with Nunjucks, tuned: neighbours and topics made once, notes not run through a template language."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from urllib.parse import urlsplit

from benchmarks.corpus import Corpus, Episode
from benchmarks.tool import PEERS, Tool, fields, front_matter

FOLDER = PEERS / "eleventy"
PACKAGE = FOLDER / "node_modules" / "@11ty" / "eleventy"
BARE = ("--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts")
INSTALL = ["npm", "install", "--prefix", str(FOLDER), *BARE, "@11ty/eleventy@3"]


class Eleventy(Tool):
    """The Eleventy that `--install` fetches from npm."""

    name = "Eleventy"
    theme = "eleventy"
    theme_folder = "content"
    base = "_includes/base.njk"
    output = "_site"

    def version(self) -> str | None:
        """Its name and version, or None where it is not installed."""
        manifest = PACKAGE / "package.json"
        if not manifest.is_file() or shutil.which("node") is None:
            return None
        return f"Eleventy {json.loads(manifest.read_text(encoding='utf-8'))['version']}"

    def command(self) -> list[str]:
        """Node with Eleventy's program, without npx before it."""
        return ["node", str(PACKAGE / "cmd.cjs"), "--config=content/eleventy.config.mjs", "--quiet"]

    def config(self, corpus: Corpus) -> Mapping[str, str]:
        """The data that all templates know."""
        url = corpus.url.rstrip("/")
        told = {
            "title": corpus.title,
            "description": corpus.description,
            "author": corpus.author,
            "email": corpus.email,
            "category": corpus.category,
            "url": url,
            "root": urlsplit(url).path,
        }
        return {"content/_data/show.json": json.dumps(told, ensure_ascii=False, indent=2)}

    def episode(self, corpus: Corpus, episode: Episode) -> tuple[str, str]:
        """The Markdown file of an episode."""
        return f"content/episodes/{episode.stem}.md", f"{front_matter(fields(corpus, episode))}\n{episode.notes}\n"
