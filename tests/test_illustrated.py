"""Promises of podsite.illustrated: pictures of texts are shown in sizes, and keep what their author said of them."""

from __future__ import annotations

import io
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

NOTES = """
    title: "The first night"
    number: 1
    published: 2025-03-01
    summary: "What one hears when nothing is heard."
    people: [ada]
    notes: |
      One ![An "owl" > a mouse](<an owl.png> "Title") and ![small](/small.png).

      ![drawn](/moon.svg) ![moving](/moving.gif) ![elsewhere](https://pictures.example/a.png)

          <img src="/small.png">
"""


class Pictures(HTMLParser):
    """The picture elements of a page: their sources and their images."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[dict[str, str | None]] = []
        self.sources: dict[str, str | None] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "source":
            self.sources = dict(attrs)
        if tag == "img":
            self.found.append({**dict(attrs), "srcset": self.sources.get("srcset")})

    def handle_endtag(self, tag: str) -> None:
        if tag == "picture":
            self.sources = {}


def png(width: int, height: int) -> bytes:
    found = io.BytesIO()
    Image.linear_gradient("L").resize((width, height)).save(found, "PNG")
    return found.getvalue()


@pytest.fixture
def root(site: Any) -> Path:
    """A site with pictures in all its texts."""
    moving = io.BytesIO()
    Image.new("L", (8, 8)).save(moving, "GIF", save_all=True, append_images=[Image.new("L", (8, 8), 255)])
    root: Path = site({
        "episodes/001-first-night.yaml": NOTES,
        "episodes/an owl.png": png(2000, 1000),
        "static/small.png": png(200, 100),
        "static/moon.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>',
        "static/moving.gif": moving.getvalue(),
        "pages/about.md": "# About\n\n![Us](/small.png)\n",
    })  # fmt: skip
    show = root / "show.yaml"
    show.write_text(show.read_text().replace('"Talks about the night."', '"Talks.\\n\\n![Night](/small.png)"'))
    return root


def pictures(page: Path) -> dict[str | None, dict[str, str | None]]:
    """The pictures of a page by what they show, without the cover."""
    return {
        one["alt"]: one for one in Pictures(page.read_text()).found if one["alt"] not in {"", "Cover of Quiet Hours"}
    }


def test_pictures_of_texts_come_in_sizes(root: Path, podsite: Any) -> None:
    """In WebP and one for every browser, with width and height, loaded when they are needed; all of them are there."""
    assert podsite("build", root).status == 0
    page = root / "output/episodes/first-night/index.html"
    owl = pictures(page)['An "owl" > a mouse']
    assert (owl["width"], owl["height"], owl["loading"], owl["title"]) == ("2000", "1000", "lazy", "Title")
    assert [size.split()[1] for size in (owl["srcset"] or "").split(", ")] == ["320w", "640w", "960w", "1320w"]
    small = pictures(page)["small"]
    assert (small["width"], small["height"]) == ("200", "100")
    assert [size.split()[1] for size in (small["srcset"] or "").split(", ")] == ["200w"]
    for one in (owl, small):
        for link in [one["src"], *(size.split()[0] for size in (one["srcset"] or "").split(", "))]:
            assert (page.parent / (link or "")).resolve().is_file()
    assert pictures(root / "output/about/index.html")["Us"]["srcset"] == "../images/" + (
        (small["srcset"] or "").removeprefix("../../images/")
    )
    assert pictures(root / "output/index.html")["Night"]["width"] == "200"


def test_what_cannot_be_resized_stays_as_it_is_written(root: Path, podsite: Any) -> None:
    """Drawings, moving pictures, code about pictures; the feed has the file itself."""
    assert podsite("build", root).status == 0
    page = root / "output/episodes/first-night/index.html"
    found = pictures(page)
    assert found["drawn"]["src"] == "../../moon.svg"
    assert found["moving"]["src"] == "../../moving.gif"
    assert found["moving"]["srcset"] is None
    assert "elsewhere" not in found
    assert "&lt;img src" in page.read_text()
    feed = (root / "output/feed.xml").read_text()
    assert "https://example.org/quiet/episodes/first-night/an%20owl.png" in feed
    assert "<picture" not in feed


def test_another_picture_of_the_same_name_is_shown_in_the_next_build(root: Path, podsite: Any) -> None:
    """Its page is made again, and no size of the old one is left."""
    assert podsite("build", root).status == 0
    before = pictures(root / "output/about/index.html")["Us"]
    (root / "static/small.png").write_bytes(png(180, 90))
    assert podsite("build", root).status == 0
    after = pictures(root / "output/about/index.html")["Us"]
    assert (after["width"], after["height"]) == ("180", "90")
    assert before["src"] != after["src"]
    assert not (root / "output/about" / (before["src"] or "")).exists()
