"""A site made of model objects, for tests that need no files."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from podsite.cache import Cache
from podsite.decode import Clock, decode
from podsite.errors import Problem
from podsite.feeds import Feed
from podsite.feeds.rss import rss
from podsite.files import Files
from podsite.media import AudioFacts, ImageFacts
from podsite.model import Episode, Show
from podsite.notes import Rendered
from podsite.parts import Enclosure
from podsite.read import Content
from podsite.site import Site, link

NOW = datetime(2026, 1, 1, tzinfo=UTC)
GUID = "917393e3-1b1e-5cef-ace4-edaa54e1f810"


def show(**said: Any) -> Show:
    """A show with everything directories ask for."""
    facts: dict[str, Any] = {
        "title": "Deep Water",
        "description": "Talks about the sea.",
        "language": "en-GB",
        "author": "Ada Reef",
        "url": "https://example.org/water/",
        "artwork": "static/artwork.png",
        "categories": (("Science", "Natural Sciences"), ("Technology", None)),
        "guid": GUID,
    }
    return Show(**facts | said)


def episode(day: int = 1, **said: Any) -> Episode:
    """The episode of that number, out on that day of January 2024."""
    slug = said.get("slug", f"episode-{day}")
    facts: dict[str, Any] = {
        "title": f"Episode {day}",
        "published": datetime(2024, 1, day, 8, 30, tzinfo=UTC),
        "summary": f"What happened on day {day}.",
        "slug": slug,
        "number": day,
        "audio": Enclosure(file=f"episodes/{slug}.mp3"),
        "file": f"episodes/{slug}.yaml",
    }
    return Episode(**facts | said)


def content(
    *episodes: Episode, of: Show | None = None, facts: Mapping[str, AudioFacts | ImageFacts] | None = None
) -> Content:
    """The content of a site; each local audio file has 1,234,567 bytes and lasts 12:34."""
    known: dict[str, AudioFacts | ImageFacts] = {
        one.audio.file: AudioFacts(1_234_567, 754) for one in episodes if one.audio and one.audio.file
    }
    known["static/artwork.png"] = ImageFacts(3000, 3000, "PNG", "RGB", 100_000)
    return Content(
        root=Path("/nowhere"),
        show=of or show(),
        episodes=episodes,
        pages=(),
        static=("static/artwork.png",),
        facts=known | dict(facts or {}),
        places={one.file: {"audio": (7, 8), "number": (3, 9)} for one in episodes},
        warnings=(),
        files=Files(Path("/nowhere")),
    )


def site(*episodes: Episode, of: Show | None = None) -> Site:
    """The linked site."""
    return link(content(*episodes, of=of), NOW)[0]


def feed(
    *episodes: Episode,
    of: Show | None = None,
    notes: Mapping[str, str] | None = None,
    description_html: str = "<p>Talks about the <em>sea</em>.</p>",
    facts: Mapping[str, AudioFacts | ImageFacts] | None = None,
    cache: Cache | None = None,
) -> Feed:
    """The feed of a site with these episodes; `notes` is their HTML by slug."""
    source = content(*episodes, of=of, facts=facts)
    rendered = {slug: Rendered(html, html, html) for slug, html in (notes or {}).items()}
    linked, _ = link(source, NOW)
    return rss(linked, rendered, content=source, description_html=description_html, cache=cache or Cache(None))


def decoded(text: str, day: int = 1) -> tuple[Show, Episode]:
    """A show and an episode of that day, from YAML with keys under `show:` and `episode:` as people write them."""
    blocks = re.findall(r"^(show|episode):\n((?:[ ]{2}.*\n|\n)+)", text, re.MULTILINE)
    written = {name: textwrap.dedent(body) for name, body in blocks}
    of = _decoded(Show, _SHOW, written.get("show", ""))
    made = _decoded(Episode, _EPISODE.format(day=day), written.get("episode", ""), Clock(of.timezone, of.publish_time))
    return of, replace(made, slug=f"episode-{day}", file=f"episodes/episode-{day}.yaml")


def _decoded(kind: type[Any], base: str, written: str, clock: Clock | None = None) -> Any:
    """A text with its keys in place of those of the base; nothing may be said against it."""
    found = decode(_filled(base, written), "x.yaml", kind, clock)
    assert found.problems == (), found.problems
    return found.value


def _filled(base: str, written: str) -> str:
    own = set(re.findall(r"^(\w+):", written, re.MULTILINE))
    return "\n".join([*(line for line in base.splitlines() if line.partition(":")[0] not in own), written])


def problems(kind: type[Any], written: str) -> tuple[Problem, ...]:
    """What is said against keys of a show or an episode."""
    return decode(_filled(_SHOW if kind is Show else _EPISODE.format(day=1), written), "x.yaml", kind).problems


_SHOW = f"""\
title: "Deep Water"
description: "Talks about the sea."
language: en-GB
author: "Ada Reef"
url: https://example.org/water/
artwork: static/artwork.png
categories: [Science > Natural Sciences]
guid: {GUID}
"""
_EPISODE = """\
title: "Episode {day}"
published: 2024-01-{day:02} 08:30
summary: "What happened on day {day}."
number: {day}
audio: episodes/episode-{day}.mp3
"""
