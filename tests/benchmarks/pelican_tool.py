"""Pelican with its content cache on, and nothing made that is not compared."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from urllib.parse import urlsplit

from benchmarks.corpus import Corpus, Episode, clock
from benchmarks.tool import PEERS, Tool

FOLDER = PEERS / "pelican" / ".venv"
#: An environment of its own: Pelican holds Pygments back at an older version.
PYTHON = FOLDER / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
INSTALL = (
    [sys.executable, "-m", "venv", str(FOLDER)],
    [str(PYTHON), "-m", "pip", "install", "--quiet", "pelican[markdown]>=4.11"],
)
CONFIG = """\
import json
from email.utils import format_datetime

SITENAME = {title!r}
SITESUBTITLE = {description!r}
AUTHOR = {author!r}
EMAIL = {email!r}
ITUNES_CATEGORY = {category!r}
SITEURL = {url!r}
ROOT = {root!r}
TIMEZONE = "UTC"
DEFAULT_LANG = "en"

PATH = "content"
ARTICLE_PATHS = ["episodes"]
STATIC_PATHS = ["static"]
EXTRA_PATH_METADATA = {{
    "static/artwork.png": {{"path": "artwork.png"}},
    "static/assets/site.css": {{"path": "assets/site.css"}},
}}
ARTICLE_URL = "episodes/{{slug}}/"
ARTICLE_SAVE_AS = "episodes/{{slug}}/index.html"
TAG_URL = "topics/{{slug}}/"
TAG_SAVE_AS = "topics/{{slug}}/index.html"
CATEGORY_SAVE_AS = AUTHOR_SAVE_AS = ""
DIRECT_TEMPLATES = ["index", "episodes", "tags", "feed", "sitemap"]
EPISODES_SAVE_AS = "episodes/index.html"
TAGS_SAVE_AS = "topics/index.html"
FEED_SAVE_AS = "feed.xml"
SITEMAP_SAVE_AS = "sitemap.xml"
PAGINATED_TEMPLATES = {{"episodes": 20, "tag": 50}}
PAGINATION_PATTERNS = [
    (1, "{{base_name}}/", "{{base_name}}/index.html"),
    (2, "{{base_name}}/page/{{number}}/", "{{base_name}}/page/{{number}}/index.html"),
]
FEED_ALL_ATOM = CATEGORY_FEED_ATOM = TRANSLATION_FEED_ATOM = AUTHOR_FEED_ATOM = AUTHOR_FEED_RSS = None
FORMATTED_FIELDS = []

THEME = "theme"
THEME_STATIC_PATHS = []
PLUGIN_PATHS = ["plugins"]
PLUGINS = ["neighbours"]
JINJA_ENVIRONMENT = {{"trim_blocks": True, "lstrip_blocks": True, "autoescape": True}}
JINJA_FILTERS = {{"fromjson": json.loads, "rfc822": format_datetime}}

CACHE_CONTENT = LOAD_CONTENT_CACHE = True
"""

#: A plugin of the site, for Pelican itself knows no neighbours.
PLUGIN = """\
from itertools import pairwise
from pelican import signals


def link(generator):
    for newer, older in pairwise(generator.articles):
        older.newer, newer.older = newer, older


def register():
    signals.article_generator_finalized.connect(link)
"""


class Pelican(Tool):
    """The Pelican that `--install` fetches from PyPI."""

    name = "Pelican"
    theme = "pelican"
    theme_folder = "theme"
    base = "templates/base.html"
    output = "output"
    caches = ("cache",)
    static = "content/static"
    styles = "content/static/assets/site.css"

    def version(self) -> str | None:
        """Its name and version, or None where it is not installed."""
        python = _python()
        if python is None:
            return None
        told = subprocess.run([python, "-m", "pelican", "--version"], capture_output=True, text=True, check=True)
        return f"Pelican {told.stdout.strip()}"

    def command(self) -> list[str]:
        """The command that builds the site."""
        return [_python() or "python", "-m", "pelican", "--settings", "pelicanconf.py", "--quiet"]

    def config(self, corpus: Corpus) -> Mapping[str, str]:
        """pelicanconf.py and the site's plugin."""
        url = corpus.url.rstrip("/")
        text = CONFIG.format(
            title=corpus.title,
            description=corpus.description,
            author=corpus.author,
            email=corpus.email,
            category=corpus.category,
            url=url,
            root=urlsplit(url).path,
        )
        return {"pelicanconf.py": text, "plugins/neighbours.py": PLUGIN}

    def episode(self, corpus: Corpus, episode: Episode) -> tuple[str, str]:
        """The Markdown file of an episode; what has several values stands in it as JSON."""
        reading = [
            {"title": one.title, "url": one.url, "kind": one.kind, "year": one.year} for one in episode.further_reading
        ]
        fields = {
            "Title": episode.title,
            "Slug": episode.slug,
            "Date": episode.published.isoformat(),
            "Summary": episode.summary,
            "Number": episode.number,
            "Season": episode.season,
            "Audio": episode.audio,
            "Length": episode.length,
            "Duration": clock(episode.duration),
            "People": ", ".join(corpus.people[one] for one in episode.people),
            "Tags": ", ".join(episode.topics),
            "Reading": json.dumps(reading) if reading else None,
        }
        head = "\n".join(f"{key}: {value}" for key, value in fields.items() if value is not None)
        return f"content/episodes/{episode.stem}.md", f"{head}\n\n{episode.notes}\n"


def _python() -> str | None:
    """The Python that has Pelican."""
    if PYTHON.exists():
        return str(PYTHON)
    return sys.executable if importlib.util.find_spec("pelican") else None
