"""Promise: every word of the interface comes from the catalogues.

A show in Greek letters says each word of the interface in ⟦brackets⟧, by `words:` of show.yaml. So whatever is written
in Latin letters outside of brackets, on any page, was not marked for translation.
"""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import yaml

from podsite import tables
from podsite.pages import PAGES

REPOSITORY = Path(__file__).parents[1]
PATH = [f"e-{at}" for at in range(1, 30)]
KINDS = ("article", "paper", "book", "code", "docs", "issue", "talk", "video", "podcast", None)

#: What stands in Latin letters in every language: names of apps and services, addresses, formats, units.
NAMES = {name for name, _ in tables.LISTEN.values()} | {
    "Apple Podcasts", "AntennaPod", "Overcast", "Pocket Casts", "Castro", "Podcast Addict", "CC BY 4.0", "cc-by-4.0",
    "WebVTT", "SRT", "JSON", "BibTeX", "CSL-JSON", "RIS", "Markdown",
}  # fmt: skip
PLAIN = re.compile(r"https?://\S+|[\w.-]+\.(?:example|org|com)\b\S*|\b(?:\d+\s)?(?:kB|MB|GB|byte)\b")
ATTRIBUTES = ("aria-label", "title", "alt", "placeholder", "label", "aria-description", "aria-valuetext")
METAS = ("description", "og:title", "og:description", "og:image:alt", "og:site_name", "twitter:title")


def every_word() -> dict[str, Any]:
    """Each text of the interface, and itself in brackets."""
    spec = importlib.util.spec_from_file_location("script_words", REPOSITORY / "scripts/words.py")
    assert spec and spec.loader
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return {one.forms[-1]: f"⟦{one.forms[-1]}⟧" for one in script.messages()}


def episode(number: int) -> dict[str, Any]:
    """An episode with everything an episode can have, all of it in Greek letters."""
    readings: list[Any] = [
        {"url": f"https://a.example/{number}/{at}", "title": f"Βιβλίο {number} {at}", "authors": ["Άλφα", "Βήτα"],
         "year": 2000, "note": "Σημείωση", "archive": "https://a.example/1"} | ({"kind": kind} if kind else {})
        for at, kind in enumerate(KINDS if number % 2 else ())
    ]  # fmt: skip
    return {
        "title": f"Τίτλος {number}", "number": number, "season": 1 + number % 2, "explicit": number % 2 == 0,
        "published": f"20{20 + number // 12}-{1 + number % 12:02}-01", "summary": "Περίληψη.",
        "kind": "bonus" if number == 3 else "trailer" if number == 2 else "full",
        "people": ["ada", {"person": "bo", "role": "Guest"}], "topics": ["Ύπνος", f"Θέμα {number % 4}"],
        "audio": {"url": f"https://audio.example/{number}.mp3", "length": 12_345_678, "duration": "1:02:34"},
        "chapters": [{"start": "0:00", "title": "Αρχή"}, {"start": "1:05", "title": "Μέση", "url": "https://a.example/m"}],
        "quotes": [{"text": "Λόγος.", "start": "1:10", "person": "bo"}], "notes": "Σημειώσεις 1:05.",
        "further_reading": readings, "link": "https://example.org/original", "license": "cc-by-4.0",
        "social": [{"protocol": "activitypub", "uri": "https://social.example/1"}],
        **({"requires": ["e-1"], "related": ["e-1"]} if number > 1 else {}),
    }  # fmt: skip


TRANSCRIPT = "WEBVTT\n" + "".join(
    f"\n{at // 60:02}:{at % 60:02}.000 --> {at // 60:02}:{at % 60:02}.900\n<v Άντα>{'Λόγια ' * 40}.\n"
    for at in range(0, 150, 5)
)


@pytest.fixture(scope="module")
def pages(shared: Any, artwork: bytes, warm: Path) -> dict[str, str]:
    """The pages of such a show, by their path."""
    output = shared("pseudo", lambda root: make(root, artwork, warm)) / "output"
    return {
        path.relative_to(output).as_posix(): path.read_text(encoding="utf-8") for path in sorted(output.rglob("*.html"))
    }


def make(root: Path, artwork: bytes, warm: Path) -> None:
    """Write the show and build it, with a cache that knows its cover."""
    from click.testing import CliRunner

    from podsite.cli import commands

    show = {
        "title": "Νύχτα", "description": "Περιγραφή.\n\nΚι άλλη.", "language": "el", "author": "Άντα",
        "url": "https://example.org/n/", "artwork": "static/artwork.jpg", "categories": ["Technology"],
        "guid": "917393e3-1b1e-5cef-ace4-edaa54e1f810", "copyright": "© Άντα", "license": "cc-by-4.0",
        "listen": {"apple": "1566080008", "overcast": "https://overcast.example/1"},
        "people": {"ada": {"name": "Άντα", "role": "Host", "image": "static/artwork.jpg", "url": "https://ada.example/"},
                   "bo": {"name": "Μπο", "role": "Guest", "bio": "Βίος."}},
        "paths": [{"id": "p", "title": "Δρόμος", "description": "Εδώ.", "episodes": [*PATH]}],
        "trailer": {"title": "Πρώτα", "url": "https://audio.example/t.mp3", "published": "2025-01-01"},
        "seasons": {1: "Πρώτη"}, "theme": {"notice": "Προσοχή.", "footer": "Τέλος."}, "words": every_word(),
    }  # fmt: skip
    files = {"show.yaml": show} | {f"episodes/{at:03}-e-{at}.yaml": episode(at) for at in range(1, 42)}
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(yaml.safe_dump(content, allow_unicode=True), encoding="utf-8")
    (root / "static").mkdir()
    (root / "static/artwork.jpg").write_bytes(artwork)
    (root / "episodes/041-e-41.vtt").write_text(TRANSCRIPT, encoding="utf-8")
    silent = yaml.safe_load((root / "episodes/040-e-40.yaml").read_text(encoding="utf-8")) | {"draft": True}
    (root / "episodes/040-e-40.yaml").write_text(
        yaml.safe_dump({key: value for key, value in silent.items() if key != "audio"}), encoding="utf-8"
    )
    shutil.copytree(warm, root / ".podsite")
    done = CliRunner().invoke(commands, ["build", str(root), "--drafts"])
    assert (root / "output/index.html").exists(), done.output


UNSAID = {"script", "style", "kbd", "code"}


class Seen(HTMLParser):
    """What a visitor reads or hears of a page: texts in their order, attributes, and what its JSON says.

    Keys of the keyboard are no words, nor is code to be copied.
    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.labels: list[str] = []
        self.json: list[Any] = []
        self._inside: str | None = None
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Note what it says besides its content."""
        found = {name: value or "" for name, value in attributes}
        if found.get("class") != "Z3988":  # the title of such a span is read by reference managers
            self.labels += [found[name] for name in ATTRIBUTES if name in found]
        if tag == "meta" and (found.get("name") or found.get("property")) in METAS:
            self.labels.append(found.get("content", ""))
        self._inside = f"{tag} {found.get('type', '')}" if tag in UNSAID else self._inside

    def handle_endtag(self, tag: str) -> None:
        """Whatever follows is text again."""
        self._inside = None if tag in UNSAID else self._inside

    def handle_data(self, data: str) -> None:
        """A text of the page, or of a script that holds data."""
        if self._inside is None:
            self.texts.append(data)
        elif "json" in self._inside:
            self.json.append(json.loads(data))


def unmarked(text: str) -> list[str]:
    """What is in Latin letters and not in brackets."""
    before = None
    while before != text:
        before, text = text, re.sub(r"⟦[^⟦⟧]*⟧", " ", text)
    for name in sorted(NAMES, key=len, reverse=True):
        text = text.replace(name, " ")
    return re.findall(r"[A-Za-z][A-Za-z ]*", PLAIN.sub(" ", text))


def said(data: Any, key: str = "") -> Iterator[str]:
    """The texts of JSON that are meant for people: all of those for scripts, names and descriptions of JSON-LD."""
    if isinstance(data, dict):
        for name, each in data.items():
            yield from said(each, name if "@context" in data or "@type" in data else key)
    elif isinstance(data, list):
        for each in data:
            yield from said(each, key)
    elif isinstance(data, str) and key in {"", "name", "description", "alternateName", "text", "headline"}:
        yield data


def test_no_page_says_a_word_that_is_not_in_the_catalogues(pages: dict[str, str]) -> None:
    """Text, labels, titles, descriptions for search engines, and what scripts will show."""
    found: dict[str, set[str]] = {}
    for path, html in pages.items():
        seen = Seen(html)
        texts = [" ".join(seen.texts), *seen.labels, *said(seen.json)]
        for word in {word for text in texts for word in unmarked(text)}:
            found.setdefault(word, set()).add(path)
    assert {word: sorted(paths)[:2] for word, paths in found.items()} == {}


def test_every_kind_of_page_is_looked_at(pages: dict[str, str]) -> None:
    """Long lists and single things; else the promise above says nothing of them."""
    assert len(PAGES) <= len(pages)
    for part in (
        "episodes/page/1/",
        "episodes/e-41/",
        "topics/",
        "people/ada/",
        "seasons/1/",
        "reading/papers/",
        "start/p/",
    ):
        assert f"{part}index.html" in pages
    assert "404.html" in pages


def test_a_word_that_is_not_marked_would_be_found() -> None:
    """In brackets across tags it is none, beside them it is."""
    seen = Seen('<p>⟦By <b>Α</b> ⟦one⟧ more⟧ Now <i title="Hint">Β</i></p><script>var a</script>')
    assert unmarked("".join(seen.texts)) == ["Now "]
    assert [unmarked(label) for label in seen.labels] == [["Hint"]]
