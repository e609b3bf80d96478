"""Promises of pages that are made to be shared: the player alone, what tells others of it, quotes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest

Build = Callable[..., Path]

SHOW = """
    title: "Quiet <Hours>"
    description: "Talks about the night."
    language: en
    author: "Ada Reef"
    url: https://example.org/quiet/
    artwork: static/artwork.jpg
    categories: [Technology]
    guid: 917393e3-1b1e-5cef-ace4-edaa54e1f810
    people: {ada: {name: "Ada Reef", role: Host}}
    search: false
    theme: {embed: true}
"""
OWLS = """
    title: "Owls & \\"moths\\""
    number: 2
    published: 2025-03-08
    summary: "It goes on."
    people: [ada]
    audio: {url: "https://cdn.example.com/2.mp3", length: 12345678, duration: "12:34"}
    quotes:
      - {text: "It is <dark>, and all is still.", person: ada}
      - {text: "Who calls?", start: "1:10", duration: 20}
"""
VTT = """WEBVTT

00:10.000 --> 00:14.000
<v Ada>Good evening, everybody.

00:14.500 --> 00:20.000
<v Ada>It is <dark>, and all is still.
"""
SILENT = 'title: "Silence"\npublished: 2025-03-09\nsummary: "Nothing to hear."\n'
FILES = {
    "show.yaml": SHOW,
    "episodes/002-owls.yaml": OWLS,
    "episodes/002-owls.vtt": VTT,
    "episodes/003-silence.yaml": SILENT,
}
EMBED = "https://example.org/quiet/episodes/owls/embed/"


@pytest.fixture(scope="session")
def output(shared: Callable[..., Path], made: Callable[..., Path]) -> Path:
    """The built site; one of its episodes has no audio, which is a warning."""
    return shared("excerpts", lambda folder: made(folder, FILES)) / "output"


def test_the_player_alone_is_a_page_for_other_sites(output: Path) -> None:
    """Without scripts a plain recording; its links leave the frame; search engines are led to the episode."""
    html = (output / "episodes/owls/embed/index.html").read_text("utf-8")
    assert '<base target="_blank">' in html
    assert '<link rel="canonical" href="https://example.org/quiet/episodes/owls/">' in html
    assert '<meta name="robots" content="noindex">' in html
    assert re.search(r'<audio controls preload="none" src="https://cdn.example.com/2.mp3"', html)
    assert '<a href="../../../episodes/owls/"' in html or '<a href="../"' in html
    assert "og:image" not in html
    assert "ld+json" not in html
    assert "/embed/" not in (output / "sitemap.xml").read_text("utf-8")


def test_other_sites_are_told_how_to_show_it(output: Path) -> None:
    """An oEmbed answer, the link that leads to it, a player card, and code to be copied, which all agree."""
    page = (output / "episodes/owls/index.html").read_text("utf-8")
    link = '<link rel="alternate" type="application/json+oembed"'
    assert f'{link} title="Owls &amp; &quot;moths&quot;" href="https://example.org/quiet/oembed/owls.json">' in page
    answer = json.loads((output / "oembed/owls.json").read_bytes())
    assert {"version", "type", "title", "author_name", "provider_name", "provider_url"} <= answer.keys()
    assert (answer["version"], answer["type"], answer["title"]) == ("1.0", "rich", 'Owls & "moths"')
    assert (answer["author_name"], answer["provider_name"]) == ("Ada Reef", "Quiet <Hours>")
    assert answer["provider_url"] == "https://example.org/quiet/"
    thumbnail = answer["thumbnail_url"].removeprefix("https://example.org/quiet/")
    assert (output / thumbnail).is_file()
    assert (answer["thumbnail_width"], answer["thumbnail_height"]) == (480, 480)
    (shown,) = re.findall(r'<code id="embed-code">(.*?)</code>', page)
    assert unescape(shown) == answer["html"]
    assert f'src="{EMBED}"' in answer["html"]
    assert f'height="{answer["height"]}"' in answer["html"]
    for name, content in (
        ("card", "player"),
        ("player", EMBED),
        ("player:width", str(answer["width"])),
        ("player:height", str(answer["height"])),
        ("player:stream", "https://cdn.example.com/2.mp3"),
        ("player:stream:content_type", "audio/mpeg"),
    ):
        assert f'<meta name="twitter:{name}" content="{content}">' in page


def test_an_episode_without_audio_has_nothing_to_embed(output: Path) -> None:
    """No page, no answer, no code, no player card."""
    assert not (output / "episodes/silence/embed").exists()
    assert not (output / "oembed/silence.json").exists()
    page = (output / "episodes/silence/index.html").read_text("utf-8")
    assert "embed" not in page
    assert '<meta name="twitter:card" content="summary_large_image">' in page


def test_a_show_may_keep_its_player_to_itself(site: Callable[..., Path], podsite: Callable[..., Any]) -> None:
    """`theme: {embed: false}`."""
    root = site(FILES | {"show.yaml": SHOW.replace("embed: true", "embed: false, cards: false")})
    assert podsite("build", root).status == 0
    assert not (root / "output/oembed").exists()
    assert not (root / "output/episodes/owls/embed").exists()
    assert "oembed" not in (root / "output/episodes/owls/index.html").read_text("utf-8")


def test_an_address_that_is_taken_is_told(site: Callable[..., Path], podsite: Callable[..., Any]) -> None:
    """Pages, files and old addresses can want what the player, its answer or a quote has."""
    taken = FILES | {
        "static/oembed/owls.json": "{}",
        "episodes/002-owls.yaml": OWLS + "    aliases: [episodes/owls/embed/, episodes/owls/quotes/t-70]\n",
    }
    done = podsite("build", site(taken))
    assert done.status == 1
    for path in ("oembed/owls.json", "episodes/owls/embed/index.html", "episodes/owls/quotes/t-70/index.html"):
        assert path in done.err


def test_a_quote_has_a_place_and_a_page(output: Path) -> None:
    """It plays its range, leads to its sentence and to the episode, and says who spoke, to machines too."""
    page = (output / "episodes/owls/index.html").read_text("utf-8")
    assert 'id="quote-it-is-dark-and-all-is"' in page
    assert '<a href="quotes/it-is-dark-and-all-is/">' in page
    quote = (output / "episodes/owls/quotes/it-is-dark-and-all-is/index.html").read_text("utf-8")
    assert "It is &lt;dark&gt;, and all is still." in quote
    assert 'src="https://cdn.example.com/2.mp3#t=14.5,20"' in quote
    assert 'href="../../#t=14.5"' in quote
    assert 'id="t=14.5"' in page
    assert 'href="../../?t=14.5"' in quote
    assert (output / "episodes/owls/quotes/it-is-dark-and-all-is/card.png").is_file()
    (graph,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', quote)
    (said,) = [one for one in json.loads(graph)["@graph"] if one["@type"] == "Quotation"]
    assert (said["text"], said["creator"]["name"]) == ("It is <dark>, and all is still.", "Ada Reef")
    other = (output / "episodes/owls/quotes/t-70/index.html").read_text("utf-8")
    assert 'src="https://cdn.example.com/2.mp3#t=70,90"' in other
    assert "https://example.org/quiet/episodes/owls/quotes/t-70/" in (output / "sitemap.xml").read_text("utf-8")
