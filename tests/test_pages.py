"""Promises of podsite.pages: which pages there are, what they say, and that every link between them leads somewhere."""

from __future__ import annotations

import dataclasses
import posixpath
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from podsite.pages import PAGES

TEMPLATES = Path(__file__).parents[1] / "templates"
Build = Callable[..., Path]
Tree = Callable[[Path], dict[str, bytes]]
Podsite = Callable[..., Any]

SHOW = """
    title: "Quiet Hours"
    description: "Talks about **the night**."
    language: en
    search: false
    author: "Ada Reef"
    url: https://example.org/quiet/
    artwork: static/artwork.jpg
    categories: [Technology]
    guid: 917393e3-1b1e-5cef-ace4-edaa54e1f810
    listen: {apple: "1566080008", pocketcasts: "https://pca.st/abc"}
    navigation: [{title: "About", url: /about/}]
    theme: {cards: false, accent: "#ffcc00", fonts: sans, footer: "Made at [night](/about/)."}
    people:
      ada: {name: "Ada Reef", role: Host, bio: "She *listens*."}
      bo: {name: "Bo Lind", role: Guest}
    paths:
      - id: begin
        title: "Begin"
        description: "From dusk on."
        episodes: [first-night, {episode: second-night, reason: "It follows."}]
"""
SECOND = """
    title: "Second <night> & more"
    number: 2
    season: 1
    published: 2025-03-08
    summary: "It goes on."
    people: [ada, {person: bo}]
    topics: ["Sleep", "Öl & Licht"]
    requires: [first-night]
    related: [first-night]
    link: https://example.com/original
    audio: {url: "https://cdn.example.com/2.mp3", length: 1234567, duration: "12:34"}
    aliases: [old/second, second.html]
    notes: "See 1:05 for the moon."
    chapters: [{start: "0:00", title: "Dusk"}, {start: "1:05", title: "Moon", url: "https://example.com/moon"}]
    quotes: [{text: "It is dark.", start: "1:10", person: bo}]
    further_reading:
      - {title: "On Sleep", url: "https://example.com/sleep", kind: paper, authors: [A. One], year: 1999,
         note: "Old.", archive: "https://archive.example.com/1"}
      - https://example.com/plain
"""
#: A second of silence: MPEG-1 Layer III frames of 32 kbit/s, mono, 44.1 kHz.
SILENCE = (b"\xff\xfb\x10\xc0" + bytes(100)) * 39
VTT = """WEBVTT

00:00.000 --> 00:04.000
<v Ada>Good evening.

00:04.000 --> 00:06.000
<v Bo>Good night.
"""
RICH = {
    "show.yaml": SHOW,
    "episodes/002-second-night.yaml": SECOND,
    "episodes/002-second-night.vtt": VTT,
    "pages/about.md": "# About\n\nWords with a [link](/episodes/second-night/).\n",
}


@pytest.fixture(scope="session")
def rich(shared: Callable[..., Path], written: Build) -> Path:
    """That site, built once for the tests that change nothing of it."""
    return shared("rich", lambda folder: written(folder, RICH)) / "output"


class Page(HTMLParser):
    """The links, texts and ids of a page."""

    def __init__(self, html: bytes) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.append((tag, found))
        self.ids += filter(None, [found.get("id")])
        self.links += filter(None, [found.get("href"), found.get("src"), found.get("poster")])
        for part in (found.get("srcset") or "").split(","):
            self.links += part.split()[:1]


def pages(files: dict[str, bytes]) -> Iterator[tuple[str, Page]]:
    """Every page of a built site, by its path."""
    for path, content in files.items():
        if path.endswith(".html"):
            yield path, Page(content)


def dead_links(files: dict[str, bytes], base: str = "/quiet/") -> list[str]:
    """Links to the site's own files that lead nowhere, and fragments that no id answers."""
    parsed = dict(pages(files))
    dead = []
    for path, page in parsed.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme:
                continue
            absolute = posixpath.normpath(posixpath.join(posixpath.dirname(base + path), unquote(parts.path)))
            target = absolute.removeprefix(base.rstrip("/")).lstrip("/") if parts.path else path
            found = next((name for name in (target, posixpath.join(target, "index.html")) if name in files), None)
            wrong_fragment = found in parsed and parts.fragment and parts.fragment not in parsed[found].ids
            if found is None or wrong_fragment:
                dead.append(f"{path}: {link}")
    return dead


def test_every_template_of_a_page_declares_its_context() -> None:
    """Authors of themes can rely on each field, and each field says what it is."""
    assert {path.name for path in TEMPLATES.glob("*.html")} - {"base.html"} == set(PAGES)
    for context in PAGES.values():
        assert context.__doc__
        undocumented = [field.name for field in dataclasses.fields(context) if not field.metadata.get("doc")]
        assert not undocumented, context


def test_a_site_has_every_page_its_content_asks_for(site: Callable[..., Path], build: Build, tree: Tree) -> None:
    """Sections with content, one page each for what is in them, redirects, own pages; and all links lead somewhere."""
    searched = SHOW.replace("search: false", "search: true")
    files = tree(build(site(RICH | {"show.yaml": searched}), "--no-search"))
    made = {path.removesuffix("index.html") for path in files if path.endswith(".html")}
    assert made == {
        "", "404.html", "about/", "episodes/", "episodes/first-night/", "episodes/first-night/embed/",
        "episodes/second-night/", "episodes/second-night/embed/", "episodes/second-night/quotes/t-70/", "old/second/",
        "people/", "people/ada/", "people/bo/", "reading/", "search/", "seasons/", "seasons/1/", "second.html",
        "statistics/",
        "start/", "start/begin/", "subscribe/", "topics/", "topics/sleep/", "topics/öl-licht/",
    }  # fmt: skip
    assert dead_links(files) == []


def test_an_empty_show_has_no_empty_sections(site: Callable[..., Path], podsite: Podsite, tree: Tree) -> None:
    """Before the first episode there is a home page that says so, and no link to what does not exist yet."""
    root = site({"episodes/001-first-night.yaml": None, "episodes/001-first-night.mp3": None})
    assert podsite("build", root).status == 0
    files = tree(root / "output")
    assert b"The first episode is on its way" in files["index.html"]
    assert not [path for path in files if path.startswith(("topics", "people", "reading", "start", "seasons"))]
    assert dead_links(files) == []


def test_pages_are_the_same_at_a_root_and_under_a_sub_path(site: Callable[..., Path], build: Build, tree: Tree) -> None:
    """Only 404.html, the tags of <head>, and addresses to be copied know where the site lies."""
    root = site(RICH)
    bodies = []
    for base in ("https://example.org/", "https://example.org/a/b"):
        files = tree(build(root, "--base-url", base))
        bodies.append(
            {
                path: re.sub(
                    rb'<details class="cite">.*?</details>|(?<="embed-code">).*?<',
                    b"",
                    content.partition(b"<body>")[2],
                    flags=re.DOTALL,
                )
                for path, content in files.items()
                if path.endswith(".html") and path not in {"404.html", "subscribe/index.html"}
            }
        )
    assert bodies[0] == bodies[1]


def test_the_not_found_page_works_at_any_depth(rich: Path) -> None:
    """GitHub Pages serves 404.html for every address, so it links from the site's root."""
    html = (rich / "404.html").read_text("utf-8")
    page = Page(html.encode())
    own = [link for link in page.links if not urlsplit(link).scheme]
    assert own
    assert [link for link in own if not link.startswith(("/quiet/", "#"))] == []
    assert '<p>Made at <a href="/quiet/about/">night</a>.</p>' in html


def test_an_old_address_leads_to_the_episode(rich: Path) -> None:
    """A refresh, a canonical link and a plain link; folders and files alike."""
    for path, link in (("old/second/index.html", "../../episodes/"), ("second.html", "episodes/")):
        html = (rich / path).read_text("utf-8")
        assert f'content="0; url={link}second-night/"' in html
        assert '<link rel="canonical" href="https://example.org/quiet/episodes/second-night/">' in html
        assert f'<a href="{link}second-night/">Second &lt;night&gt; &amp; more</a>' in html


def test_an_episode_can_be_played_without_scripts(rich: Path) -> None:
    """A native player that loads nothing before it is asked to, a download, and links into the recording."""
    page = Page((rich / "episodes" / "second-night" / "index.html").read_bytes())
    (audio,) = (tag for name, tag in page.tags if name == "audio")
    assert audio["src"] == "https://cdn.example.com/2.mp3"
    assert audio["preload"] == "none"
    assert "controls" in audio
    starts = [(tag["href"], tag["data-start"]) for name, tag in page.tags if name == "a" and "data-start" in tag]
    assert ("https://cdn.example.com/2.mp3#t=65", "65") in starts
    downloads = [tag["href"] for name, tag in page.tags if "download" in tag]
    assert downloads[0] == "https://cdn.example.com/2.mp3"
    assert not [href for href in downloads[1:] if href.endswith(".mp3")]


def test_an_episode_shows_everything_its_file_says(rich: Path) -> None:
    """Facts, people, topics, readings, chapters, transcript, neighbours and the original's page."""
    html = (rich / "episodes" / "second-night" / "index.html").read_text("utf-8")
    for text in (
        "Second &lt;night&gt; &amp; more", "March 8, 2025", "13\xa0min", "PT12M34S", "1.2\xa0MB", "It goes on.",
        "Hear these first", "Goes well with", "On Sleep", "A. One", "1999", "Old.", "Archived copy", "https://example.com/plain",
        "Bo Lind", "Guest", "Öl &amp; Licht", "Dusk", "example.com", "It is dark.", "Season 1", "Episode 2",
        "Original episode at <bdi>example.com</bdi>", "Good evening.", 'id="t-0"', 'id="t-4"', "The first night",
        "transcript.vtt",
    ):  # fmt: skip
        assert text in html, text


def test_what_is_played_is_labelled_where_it_is_played(site: Callable[..., Path], build: Build) -> None:
    """The show's notice and the original's address stand inside the frame of each player."""
    show = SHOW.replace("theme: {", 'theme: {notice: "Read by [a machine](/about/).", ')
    show += '    trailer: {title: "What is to come", url: static/trailer.mp3, published: 2025-01-01}\n'
    output = build(site(RICH | {"show.yaml": show, "static/trailer.mp3": SILENCE}))
    for path, up, players in (("index.html", "", 2), ("episodes/second-night/index.html", "../../", 1)):
        html = (output / path).read_text("utf-8")
        frame_pattern = r'<(div|podsite-player) class="player"(.*?)(?:</div>\s*</div>|</podsite-player>)'
        frames = re.findall(frame_pattern, html, re.DOTALL)
        assert len(frames) == players
        for _, frame in frames:
            assert f'<p>Read by <a href="{up}about/">a machine</a>.</p>' in frame
        original = '<a href="https://example.com/original">Original episode at <bdi>example.com</bdi></a>'
        assert [original in frame for _, frame in frames] == [False, True][-players:]


def test_the_trailer_is_offered_on_the_home_page(site: Callable[..., Path], build: Build) -> None:
    """By a native player that loads nothing before it is asked to."""
    trailer = '    trailer: {title: "To come", url: static/trailer.mp3, published: 2025-01-01}\n'
    output = build(site(RICH | {"show.yaml": SHOW + trailer, "static/trailer.mp3": SILENCE}))
    page = Page((output / "index.html").read_bytes())
    (first, _) = (tag for name, tag in page.tags if name == "audio")
    assert (first["src"], first["preload"], first["aria-label"]) == ("trailer.mp3", "none", "To come")


def test_an_episode_without_a_recording_says_so(site: Callable[..., Path], podsite: Podsite) -> None:
    """Its chapters look as ever, but lead nowhere."""
    second = SECOND.replace(
        'audio: {url: "https://cdn.example.com/2.mp3", length: 1234567, duration: "12:34"}', "x-a: 1"
    )
    root = site(RICH | {"episodes/002-second-night.yaml": second, "episodes/002-second-night.vtt": None})
    assert podsite("build", root).status == 0
    html = (root / "output" / "episodes" / "second-night" / "index.html").read_text("utf-8")
    assert "<p>There is no recording of this episode here.</p>" in html
    assert '<div class="chapter"><span class="time">1:05</span> <bdi>Moon</bdi></div>' in html
    assert "data-start" not in html


def test_seasons_are_called_as_the_show_names_them(site: Callable[..., Path], build: Build) -> None:
    """The name on the page of the episode, of the season and of all seasons; its number where there is none."""
    output = build(site(RICH | {"show.yaml": SHOW + '    seasons: {1: "The beginning"}\n'}))
    for path in ("seasons", "seasons/1", "episodes/second-night"):
        assert "<bdi>The beginning</bdi>" in (output / path / "index.html").read_text("utf-8")
    assert "<bdi>Season 1</bdi>" in (output / "seasons" / "1" / "index.html").read_text("utf-8")


def test_own_pages_are_linked_at_the_foot_once(site: Callable[..., Path], build: Build) -> None:
    """Those that the navigation names and those that nobody names."""
    html = (build(site(RICH | {"pages/imprint.md": "# Imprint\n"})) / "index.html").read_text("utf-8")
    foot = Page(html.partition("<footer")[2].encode())
    assert [foot.links.count(link) for link in ("about/", "imprint/")] == [1 + 1, 1]  # the footer's text has one, too
    assert "imprint/" not in Page(html.partition("<footer")[0].encode()).links


def test_pages_load_nothing_from_other_servers(site: Callable[..., Path], podsite: Podsite, tree: Tree) -> None:
    """Pictures that lie there are not shown, and each key that names one is told; recordings wait to be asked."""
    show = SHOW.replace("artwork: static/artwork.jpg", "artwork: https://cdn.example.com/art.jpg")
    show = show.replace(
        'role: Host, bio: "', 'role: Host, image: "https://cdn.example.com/ada.jpg", bio: "![a](//x.org/a.png) '
    )
    second = SECOND.replace(
        'notes: "', 'image: https://cdn.example.com/2.jpg\n    notes: "![One](https://x.org/1.png) '
    )
    second = second.replace("2.mp3", "2.mp4")
    root = site(RICH | {"show.yaml": show, "episodes/002-second-night.yaml": second})
    done = podsite("build", root)
    told = re.findall(
        r"^\S+/(\S+?):\d+:\d+: (\S+): warning: (?:an image )?lies elsewhere: pages", done.err, re.MULTILINE
    )
    assert sorted(told) == [
        ("002-second-night.yaml", "image"), ("002-second-night.yaml", "notes"),
        ("show.yaml", "artwork"), ("show.yaml", "people.ada.bio"), ("show.yaml", "people.ada.image"),
    ]  # fmt: skip
    files = tree(root / "output")
    loaded = {
        (name, value)
        for _, page in pages(files)
        for name, tag in page.tags
        for value in (tag.get("src"), tag.get("poster"), tag.get("srcset"), tag.get("href") if name == "link" else None)
        if value and "://" in value and tag.get("rel") != "canonical" and not (tag.get("type") or "").endswith("oembed")
    }
    assert loaded == {("source", "https://cdn.example.com/2.mp4"), ("video", "https://cdn.example.com/2.mp4#t=70")}
    assert b">One</a>" in files["episodes/second-night/index.html"]
    assert b'class="thumb initials"' in files["people/index.html"]


def test_a_site_without_icons_gets_them_from_its_cover(site: Callable[..., Path], build: Build, tree: Tree) -> None:
    """So that browsers need not ask for /favicon.ico; what the site has in static/ stays in use."""
    own = {"static/favicon.ico": b"icon"}
    for files, made in (({}, ["icon", "apple-touch-icon"]), (own, ["apple-touch-icon"])):
        output = tree(build(site(files, folder=f"site{len(files)}")))
        links = [tag for name, tag in Page(output["404.html"]).tags if name == "link" and "icon" in (tag["rel"] or "")]
        assert [link["rel"] for link in links] == ["icon", "apple-touch-icon"]
        assert [link["rel"] for link in links if "/quiet/images/" in (link["href"] or "")] == made
        assert {(link["href"] or "").removeprefix("/quiet/") for link in links} <= output.keys()


def test_an_episode_is_called_as_its_show_calls_it(site: Callable[..., Path], build: Build) -> None:
    """A label in place of the number, and a mark where the language is strong, each where it differs or not."""
    second = SECOND + '    display_number: "Special 3"\n    explicit: true\n'
    output = build(site(RICH | {"episodes/002-second-night.yaml": second}))
    html = (output / "episodes" / "second-night" / "index.html").read_text("utf-8")
    assert "<bdi>Special 3</bdi></p>" in html
    assert "Episode Special 3" not in html
    assert "<span>Explicit</span>" in html
    assert "Explicit" not in (output / "episodes" / "first-night" / "index.html").read_text("utf-8")


def test_a_serial_offers_its_first_episode_to_newcomers(site: Callable[..., Path], build: Build) -> None:
    """The newest is where regular listeners go on, not where one begins."""
    html = (build(site(RICH | {"show.yaml": SHOW + "    order: serial\n"})) / "index.html").read_text("utf-8")
    assert 'Begin with the first episode: <a href="episodes/first-night/">' in html


def test_navigation_marks_where_one_is(rich: Path) -> None:
    """The page itself is `page`, a page above it `true`; the show's own links are there too."""
    marks = {}
    for path in ("episodes/index.html", "episodes/first-night/index.html", "about/index.html"):
        page = Page((rich / path).read_bytes())
        marks[path] = [
            (tag["href"], tag["aria-current"]) for name, tag in page.tags if name == "a" and "aria-current" in tag
        ]
    assert marks == {
        "episodes/index.html": [("./", "page")],
        "episodes/first-night/index.html": [("../", "true")],
        "about/index.html": [("./", "page")],
    }


def test_the_style_sheet_has_the_shows_accent_and_fonts(rich: Path) -> None:
    """One file for everything: the theme, the choice of the show, the colours of code."""
    styles = (rich / "assets" / "site.css").read_text("utf-8")
    assert "--accent-dark:#ffcc00" in styles
    assert "--display:var(--sans)" in styles
    assert ".highlight" in styles


def test_the_page_for_subscribing_has_the_feed_and_the_shows_places(rich: Path) -> None:
    """An address to copy, apps that take any feed, and the directories of `listen`."""
    html = (rich / "subscribe" / "index.html").read_text("utf-8")
    for text in (
        '<code id="feed-address">https://example.org/quiet/feed.xml</code>',
        "https://podcasts.apple.com/podcast/id1566080008",
        "https://pca.st/abc",
        "https://antennapod.org/deeplink/subscribe?url=https%3A%2F%2Fexample.org%2Fquiet%2Ffeed.xml",
        "podcast://example.org/quiet/feed.xml",
    ):
        assert text in html


def test_pages_say_their_language_and_direction(site: Callable[..., Path], build: Build) -> None:
    """Hebrew and Arabic are written from the right."""
    root = site(
        {"show.yaml": SHOW.replace("language: en", "language: he")}
        | {k: v for k, v in RICH.items() if k != "show.yaml"}
    )
    output = build(root)
    assert '<html lang="he" dir="rtl">' in (output / "index.html").read_text("utf-8")
    lead = '<span lang="en" dir="ltr">Everything the episodes recommend: '  # else its full stop would jump to the front
    assert lead in (output / "reading" / "index.html").read_text("utf-8")


def test_a_template_of_the_site_changes_its_pages(site: Callable[..., Path], build: Build) -> None:
    """One block of the frame replaced, the rest inherited; extra keys of show.yaml at hand."""
    root = site(
        RICH
        | {
            "show.yaml": SHOW + '    extra: {motto: "Hush"}\n',
            "templates/base.html": "{% extends 'podsite/base.html' %}"
            "{% block head %}<!-- {{ show.extra.motto }} -->{% endblock %}",
        }
    )
    html = (build(root) / "episodes" / "first-night" / "index.html").read_text("utf-8")
    assert "<!-- Hush -->" in html
    assert "The first night" in html


def test_a_mistake_in_a_template_stops_the_build(site: Callable[..., Path], podsite: Podsite) -> None:
    """Told like every other mistake, and nothing is written."""
    root = site(RICH | {"templates/partials/row.html": "<li>{{ entry.titel }}</li>"})
    done = podsite("build", root)
    assert (done.status, (root / "output").exists()) == (1, False)
    assert "templates/partials/row.html:1:1: Entry has no 'titel'" in done.err


@pytest.mark.parametrize("count", [0, 13])
def test_a_long_transcript_can_be_folded(site: Callable[..., Path], build: Build, count: int) -> None:
    """A short one lies open; a long one waits behind a line that says how long it is."""
    lines = [f"00:{n:02}.000 --> 00:{n:02}.500\n<v {('Bo', 'Dr. X')[n % 2]}>Line {n}.\n" for n in range(count or 2)]
    root = site(RICH | {"episodes/002-second-night.vtt": "WEBVTT\n\n" + "\n".join(lines)})
    html = (build(root) / "episodes" / "second-night" / "index.html").read_text("utf-8")
    assert ("<summary><bdi>Show 13 paragraphs</bdi></summary>" in html) == bool(count)
