"""The site that is edited: small, and rich in what depends on one another; with templates that ask for odd things."""

from __future__ import annotations

import io
import json
import struct
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from PIL import Image

#: A second of silence: MPEG-1 Layer III frames of 32 kbit/s, mono, 44.1 kHz.
SILENCE = (b"\xff\xfb\x10\xc0" + bytes(100)) * 39


def picture(colour: str, side: int = 8) -> bytes:
    """A square PNG. Those of one size have equally many bytes."""
    out = io.BytesIO()
    Image.new("RGB", (side, side), colour).save(out, "PNG")
    content = out.getvalue()
    rest = 200 - len(content) - 12
    return content + struct.pack(">I", rest) + b"paDd" + bytes(rest) + bytes(4)


PICTURES = [picture(colour) for colour in ("#123456", "#654321", "#abcdef")] + [picture("red", 12)]
RECORDINGS = [SILENCE, SILENCE[:-1] + b"\x01", SILENCE * 3]
TRANSCRIPTS = [
    f"WEBVTT\n\n00:00.000 --> 00:00.400\n<v Ada>{one}\n\n00:00.500 --> 00:00.900\n<v Bo>Yes.\n".encode()
    for one in ("Listen.", "Silence", "Who is <there>?")
]
CHAPTERS = [
    json.dumps({"version": "1.2.0", "chapters": [{"startTime": 0, "title": one}]}).encode() for one in ("In", "Up")
]
NOTES = [
    b"See [the tides](001-tides.yaml) and [home](/).\n\nAt 0:01 it *ends*.\n",
    b"Read [about it](../pages/about.md), or ![a picture](../static/one.png).\n",
    b"# Head\n\nA [topic](/topics/tides/) at 00:01.\n",
    b"Nothing. `code` and <b>bold</b>\n",
    b"To [dew](004-dew.yaml) and [a file](moon.txt)\n",
]

SHOW: dict[str, Any] = {
    "title": "Quiet Hours",
    "description": "Talks about the **night**.\n\nMore of [it](/about/).",
    "language": "en",
    "author": "Ada Reef",
    "url": "https://quiet.fm/hours/",
    "artwork": "https://pictures.example/cover.jpg",
    "categories": ["Technology"],
    "guid": "917393e3-1b1e-5cef-ace4-edaa54e1f810",
    "timezone": "Europe/Berlin",
    "people": {
        "ada": {"name": "Ada Reef", "role": "Host", "bio": "Knows *owls*.", "image": "static/two.png"},
        "bo": {"name": "Bo Fjord", "role": "Guest", "url": "https://bo.example/"},
    },
    "seasons": {"1": "The beginning"},
    "navigation": [{"title": "About", "url": "/about/"}],
    "theme": {"footer": "Made [at night](/about/).", "notice": "Read by a machine."},
    "feed": {"topics": ["Tides"], "paths": True},
    "paths": [
        {"id": "start", "title": "Begin", "episodes": [{"episode": "tides", "reason": "First."}, "owls"]},
        {"id": "deep", "title": "Go on", "episodes": ["moon", "owls", "tides"]},
    ],
    "extra": {"mood": "calm", "colours": {"night": "blue", "day": [1, 2]}},
}
EPISODES: dict[str, dict[str, Any]] = {
    "001-tides": {
        "title": "Tides", "number": 1, "season": 1, "published": "2025-03-01", "summary": "The sea comes and goes.",
        "people": ["ada", {"person": "bo", "role": "Guest"}], "topics": ["Tides", "Night"], "aliases": ["old/tides/"],
        "further_reading": [{"title": "On tides", "url": "https://tides.example/", "kind": "book", "authors": ["Lu"]}],
        "chapters": [{"start": 0, "title": "Ebb"}, {"start": "0:01", "title": "Flow", "url": "https://flow.example/"}],
        "quotes": [{"text": "It goes.", "start": 0, "person": "bo"}], "extra": {"stars": 5},
    },
    "002-owls": {
        "title": "Owls & mice", "number": 2, "season": 1, "published": "2025-03-08 06:00", "summary": "Who hears whom.",
        "people": ["ada"], "topics": ["Night"], "requires": ["tides"], "notes": "As [before](001-tides.yaml): *hoo*.",
        "further_reading": ["https://tides.example/", {"title": "Owls", "url": "https://owls.example/", "note": "old"}],
        "audio": {"url": "https://audio.example/owls.mp3", "length": 12345678, "duration": "12:34"}, "explicit": True,
    },
    "003-moon": {
        "title": "The moon", "number": 1, "season": 2, "published": "2025-03-15", "summary": "Far away. " * 20,
        "people": ["bo"], "topics": ["Tides"], "requires": ["owls"], "related": ["tides"], "kind": "bonus",
        "further_reading": [{"url": f"https://moon.example/{n}", "title": f"Moon {n}"} for n in range(42)],
        "transcript": "static/spoken.vtt", "image": "static/two.png", "license": "CC-BY-4.0",
    },
    "004-dew": {
        "title": "Dew", "published": "2025-03-15", "summary": "Falls.", "display_number": "X",
        "topics": ["Dew", "Night"], "link": "https://dew.example/", "related": ["moon", "owls"],
    },
    "005-draft": {"title": "Draft", "published": "2025-03-02", "summary": "No.", "draft": True, "topics": ["New"]},
    "006-later": {"title": "Late", "published": "2026-05-01", "summary": "Yes.", "topics": ["Night"], "people": ["bo"]},
    "007-last": {"title": "Much later", "published": "2026-06-01 12:00", "summary": "Not so soon.", "number": 9},
}  # fmt: skip
FILES = {
    "episodes/001-tides.mp3": RECORDINGS[0],
    "episodes/001-tides.vtt": TRANSCRIPTS[0],
    "episodes/001-tides.md": NOTES[1],
    "episodes/003-moon.md": NOTES[0],
    "episodes/004-dew.png": PICTURES[0],
    "pages/about.md": b"# About us\n\nWe like [tides](../episodes/001-tides.yaml).\n",
    "static/one.png": PICTURES[0],
    "static/two.png": PICTURES[1],
    "static/three.png": PICTURES[2],
    "static/one.mp3": RECORDINGS[0],
    "static/spoken.vtt": TRANSCRIPTS[1],
}

#: Templates of a site's own. Several of one name are what its author tries one after the other.
TEMPLATES: Mapping[str, tuple[str, ...]] = {
    "page.html": (
        '{% extends "podsite/page.html" %}{% block main %}{{ super() }}{% for entry in site.entries %}'
        "{% if loop.changed(entry.episode.season) %}<hr>{% endif %}{{ entry.label }}{% endfor %}{% endblock %}",
        '{% extends "base.html" %}{% block main %}{{ body }}{{ site.entries | length }}{{ show.extra | tojson }}'
        "{{ site.entries | map(attribute='episode.title') | join(', ') }}{% endblock %}",
        '{% extends "base.html" %}{% block main %}{% for key, group in site.entries | groupby("episode.kind") %}'
        "<b>{{ key }}</b>{% for entry in group %}{{ (site.newer(entry) or entry).episode.title }},{% endfor %}"
        "{% endfor %}{% endblock %}",
        '{% extends "base.html" %}{% block main %}{{ site.entries[0].episode }}{{ site.people | first }}'
        '{% set w = site.entries | sort(attribute="episode.title") | last %}{{ w.episode.summary }}{% endblock %}',
        '{% extends "base.html" %}{% block main %}{{ "all: " ~ site.entries[-1].audio ~ "%s" % (site.artwork,) }}'
        '{{ site.entries | map(attribute="audio") | join(";") }}{{ site.entries | join("!", attribute="image") }}'
        "{{ site.updated }}{{ site.routes[0].duration if site.routes }}{% endblock %}",
        '{% extends "base.html" %}{% block main %}{{ site.entries | selectattr("episode.number") | list | count }}'
        '{{ site.entries | map(attribute="audio") | select | unique | list | length }}{{ site.by_slug }}'
        '{{ site.entries | unique(attribute="audio") | list | length }}{{ site.readings[-1].reading }}'
        "{% for cited in site.readings if cited.reading.year %}{{ cited.entries[0].label }}{% endfor %}{% endblock %}",
    ),
    "topic.html": (
        '{% extends "podsite/topic.html" %}{% block main %}{{ super() }}{{ group == site.topics[0] }}'
        "{% if entries[0] in site.entries[:2] %}new{% endif %}{{ site.topics.index(group) }}{% endblock %}",
        '{% extends "base.html" %}{% macro one(entry) %}{{ entry.episode.title }}{{ caller() }}{% endmacro %}'
        "{% block main %}{% set ns = namespace(n=0) %}{% for entry in entries %}{% call one(entry) %}"
        "{{ entry.people | length }}{% endcall %}{% set ns.n = ns.n + (entry.audio.length if entry.audio else 0) %}"
        "{% endfor %}{{ ns.n }}{% endblock %}",
    ),
    "episode.html": (
        '{% extends "podsite/episode.html" %}{% from "partials/mine.html" import mine with context %}'
        '{% block main %}{{ super() }}{{ mine(entry) }}{% include "partials/" ~ entry.episode.kind ~ ".html" '
        "ignore missing %}{% if false %}{% include 'partials/none.html' %}{% endif %}{% endblock %}",
        '{% extends "podsite/episode.html" %}{% block main %}{{ super() }}{% for other in site.entries '
        "if other != entry and other.topics == entry.topics %}{{ other.episode.title }}{% endfor %}"
        "{{ entry.episode.extra.stars if entry.episode.extra else '-' }}{{ entry.episode.published > site.updated }}"
        "{{ site.entry('moon').episode.summary if site.entry('moon') }}{% endblock %}",
    ),
    "partials/mine.html": (
        "{% macro mine(entry) %}{{ show.people.values() | map(attribute='name') | join('/') }}{{ title }}"
        "{% for one in entry.people %}{{ one.person.bio }}{{ one.person is sameas show.people[one.id] }}{% endfor %}"
        "{% endmacro %}",
        "{% macro mine(entry) %}{{ show.extra.get('mood') }}{% set older = site.older(entry) %}"
        "{{ older.episode if older }}{{ varargs | length }}{% endmacro %}",
        "{% macro mine(entry) %}{{ entry.episode.transcript.cues | map(attribute='text') | join(' ') "
        "if entry.episode.transcript }}{{ entry.episode.further_reading | last }}{% endmacro %}",
    ),
    "partials/full.html": ("full", "{{ newest | default('none') }}", "{{ show.theme.footer }}"),
    "partials/bonus.html": (
        "bonus",
        "{{ entry.episode.related | sort | join if entry }}",
        "{{ site.show.title | upper }}",
    ),
    "partials/row.html": (
        "<li>{{ entry.episode.title }} {{ loop.index ~ '/' ~ loop.length if loop is defined }}"
        "{{ entry.episode.topics | tojson }}</li>",
        '{% include "podsite/partials/row.html" %}',
    ),
    "base.html": (
        '<title>{{ title }}</title>{{ head }}{% include ["partials/no.html", "partials/bonus.html"] ignore missing %}'
        "<main>{% block main %}{% endblock %}</main>{{ footer }}{{ navigation }}{{ paging }}{{ crumbs }}",
        '{% extends "podsite/base.html" %}{% block title %}{{ show.title }}{% endblock %}',
    ),
    "partials/footer.html": (
        "<footer>{{ site.entries | map(attribute='feed_date') | max }}{{ site.guid }}{{ show.timezone }}</footer>",
        "<footer>{{ show.owner }}{{ (site.scheduled | list)[:1] }}"
        "{{ site.pages | map(attribute='title') | list }}</footer>",
    ),
    "assets/site.css": ("body{color:red}", "body{color:tan}"),
    "assets/own.js": ("1", "2"),
    "unused.html": ("{{ nothing }}", "{% if %}"),
}
BROKEN = (b"\xff\xfe\x00", b"title: [", b"{% if %}", b"title: x\ntitel: y\n", b"")


def written(what: Mapping[str, Any]) -> bytes:
    """A mapping as YAML."""
    return json.dumps(what, indent=1, ensure_ascii=False).encode()


def tree(show: Mapping[str, Any], episodes: Mapping[str, Any], files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The site as files."""
    said = {f"episodes/{name}.yaml": written(episode) for name, episode in episodes.items()}
    return {"show.yaml": written(show), **said, **files}


def base() -> tuple[dict[str, Any], dict[str, Any], dict[str, bytes]]:
    """Show, episodes and files as they are at first; to be changed freely."""
    return deepcopy(SHOW), deepcopy(EPISODES), dict(FILES)
