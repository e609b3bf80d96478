"""Promises of the words of the interface: complete in every language, right with every number, the show's own first."""

from __future__ import annotations

import functools
import importlib.util
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from babel import Locale, localedata

from podsite.locales import digits, plural
from podsite.words import Words, catalogues
from podsite.words.catalogues import FOLDER, LANGUAGES, Text

REPOSITORY = Path(__file__).parents[1]
Build = Callable[..., Path]
Podsite = Callable[..., Any]
FOREIGN = [language for language in LANGUAGES if language != "en"]
PLACE = re.compile(r"%\(\w+\)s")
TAG = re.compile(r"<[^<>]*>")


def script() -> Any:
    """The script that makes the catalogues."""
    spec = importlib.util.spec_from_file_location("script_words", REPOSITORY / "scripts/words.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SCRIPT = script()


@functools.cache
def messages() -> list[Any]:
    """Every word of the interface."""
    return list(SCRIPT.messages())


def forms(text: Text) -> list[str]:
    """Every form of a text."""
    return [text] if isinstance(text, str) else [*text.values()]


def in_language(language: str) -> Iterator[tuple[Any, Text]]:
    """Every message and what a catalogue makes of it."""
    texts = catalogues.texts(language)
    return ((message, texts.get(message.key, "")) for message in messages())


def in_words(language: str) -> Iterator[tuple[Any, Text]]:
    """Those that it has words for."""
    return ((message, text) for message, text in in_language(language) if text)


def test_the_catalogues_are_what_the_script_makes_of_templates_and_code() -> None:
    """`python scripts/words.py` changes nothing: none stale, none left out, and builds read what translators wrote."""
    assert [path.name for path, text in SCRIPT.files() if path.read_text(encoding="utf-8") != text] == []
    assert {path.stem for path in FOLDER.glob("*.po")} == {path.stem for path in FOLDER.glob("*.json")} == {*LANGUAGES}


@pytest.mark.parametrize("language", FOREIGN)
def test_a_catalogue_is_complete(language: str) -> None:
    """Every word has its translation, with a form for each kind of number of the language, and none is a guess."""
    kinds = SCRIPT.kinds(language)
    assert [message.key for message, text in in_language(language) if not all(forms(text))] == []
    for message, text in in_language(language):
        assert isinstance(text, str) if len(message.forms) == 1 else [*text] == kinds, message.key
    assert "fuzzy" not in (FOLDER / f"{language}.po").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", FOREIGN)
def test_translations_have_the_places_and_tags_of_the_original(language: str) -> None:
    """Only a form for one, two or none of something may do without the number; of spans there may be two for one."""
    for message, text in in_words(language):
        wanted = Counter(PLACE.findall(message.forms[-1]))
        for form in forms(text):
            found = Counter(PLACE.findall(form))
            if isinstance(text, dict) and "%(num)s" not in form:
                assert {kind for kind, one in text.items() if one == form} <= {"zero", "one", "two"} or (
                    "%(num)s" not in message.forms[-1]
                ), form
                found["%(num)s"] = wanted["%(num)s"]
            assert +found == +wanted, form
            assert {*TAG.findall(form)} == {*TAG.findall(message.forms[-1])}, form
            assert not re.search(r"%(?!\(\w+\)s|%)", form), form


#: What typographers of a language would not let pass.
SLIPS = {
    "fr": r"[^\s\u00a0\u202f][:;?!](?!//)|(?<![\u00a0\u202f]) [:;?!]|\s'|\w'\w",
    "de": r"\w'\w|\"",
    "it": r"\w'\w|\"",
    "es": r"\"|^[^¿]*\?",
    "pt": r"\"",
    "nl": r"\w'\w|\"",
    "ja": r"[ぁ-んァ-ヶ一-龠][,.:!?]|[,.:!?](?=[ぁ-んァ-ヶ一-龠])",
    "zh": r"[一-龠][,.:!?;]|[,.:!?;](?=[一-龠])",
    "zh-Hant": r"[一-龠][,.:!?;]|[,.:!?;](?=[一-龠])|[“”]",
    "ar": r"[؀-ۿ][,;?]",
}


@pytest.mark.parametrize("language", FOREIGN)
def test_translations_keep_the_rules_of_their_typography(language: str) -> None:
    """Spaces before French colons, full-width punctuation, Arabic commas, no typewriter's apostrophes."""
    for _, text in in_words(language):
        for form in forms(text):
            assert not re.search(SLIPS[language], TAG.sub("", PLACE.sub("x", form))), form
            assert form == form.strip(), form


def test_scripts_say_nothing_themselves() -> None:
    """What JavaScript shows comes from the page: no file sets a text or a label to words of its own."""
    shown = re.compile(r"""(?:textContent|innerText|ariaLabel|title|placeholder|alt)\s*=\s*["'`][^"'`]*[A-Za-z]{2}""")
    labelled = re.compile(
        r"""setAttribute\(\s*["'](?:aria-label|title|alt|placeholder)["']\s*,\s*["'`][^"'`]*[A-Za-z]"""
    )
    for path in (REPOSITORY / "templates/assets").rglob("*.js"):
        text = path.read_text(encoding="utf-8")
        assert not shown.findall(text) + labelled.findall(text), path.name


@pytest.mark.parametrize(
    ("language", "counts"),
    [
        ("en", {0: "0 episodes", 1: "1 episode", 1024: "1,024 episodes"}),
        ("de", {1: "1 Folge", 2: "2 Folgen", 1024: "1.024 Folgen"}),
        ("fr", {0: "0 épisode", 1: "1 épisode", 2: "2 épisodes", 1_000_000: "1\u202f000\u202f000 d’épisodes"}),
        ("ja", {1: "1件のエピソード", 2: "2件のエピソード"}),
        ("ar", {0: "لا حلقات", 1: "حلقة واحدة", 2: "حلقتان", 3: "3 حلقات", 11: "11 حلقة", 100: "100 حلقة"}),
        ("ar-EG", {3: "٣ حلقات", 1024: "١٬٠٢٤ حلقة"}),
        ("de-AT", {2: "2 Folgen"}),
        ("pt-PT", {2: "2 episódios"}),
        ("zh-TW", {2: "2 集"}),
        ("zh-Hans-HK", {2: "2 集"}),
        ("tlh", {2: "2 episodes"}),
    ],
)  # fmt: skip
def test_a_number_has_its_form_in_every_language(language: str, counts: dict[int, str]) -> None:
    """With its digits and groups; a region speaks the language, an unknown language English."""
    words = Words(language)
    said = {count: words.count("%(num)s episode", "%(num)s episodes", count) for count in counts}
    assert said == counts


def test_words_for_scripts_have_every_form_a_browser_may_ask_for() -> None:
    """By the names of Intl.PluralRules, with places in braces."""
    arabic = Words("ar").script_count("%(num)s episode", "%(num)s episodes")
    assert {*arabic} == {"zero", "one", "two", "few", "many", "other"}
    assert arabic["few"] == "{num} حلقات"
    assert all(plural(count, "ar") in arabic for count in range(200))
    assert Words("en").script_count("%(num)s episode", "%(num)s episodes") == {
        "one": "{num} episode", "other": "{num} episodes"
    }  # fmt: skip


EPISODE = """
    title: "The first night"
    number: 1
    published: 2025-03-01
    summary: "What one hears when nothing is heard."
    people: [ada]
"""
SHOW = """
    title: "{title}"
    description: "Talks about the night."
    language: {language}
    author: "Ada Reef"
    url: https://example.org/quiet/
    artwork: static/artwork.jpg
    categories: [Technology]
    guid: 917393e3-1b1e-5cef-ace4-edaa54e1f810
    people: {{ada: {{name: "Ada Reef", role: Co-Host}}}}
    search: false
"""


def show(language: str, more: str = "", title: str = "Quiet Hours") -> dict[str, str]:
    """A show in a language."""
    return {"show.yaml": SHOW.format(language=language, title=title) + more}


def page(out: Path, address: str = "") -> str:
    """A page's HTML."""
    return (out / address / "index.html").read_text(encoding="utf-8")


def test_a_show_is_shown_in_its_language(site: Callable[..., Path], podsite: Podsite) -> None:
    """Words of templates, titles made in Python, roles, dates, words for scripts: nothing is marked as English."""
    root = site(show("de-AT"))
    assert podsite("build", root).status == 0
    home, person = page(root / "output"), page(root / "output", "people/ada/")
    for said in (
        "Zum Inhalt springen",
        "Ein Podcast von <bdi>Ada Reef</bdi>",
        ">Folgen</a>",
        "1. März 2025",
        '"Kopiert"',
    ):
        assert said in home
    assert "Co-Moderation" in person
    assert "<title>Folgen mit Ada Reef · Quiet Hours</title>" in person
    assert 'lang="en"' not in home + person


def test_a_language_that_podsite_does_not_speak_is_english_and_marked_so(
    site: Callable[..., Path], podsite: Podsite
) -> None:
    """Screen readers change their voice for it; the show's own words stay in its language."""
    root = site(show("fi"))
    assert podsite("build", root).status == 0
    home = page(root / "output")
    assert '<html lang="fi" dir="ltr">' in home
    assert '<span lang="en" dir="ltr">A podcast by <bdi>Ada Reef</bdi></span>' in home


OWN = """
    words:
      Subscribe: "Follow <us> & 100%"
      "A podcast by <bdi>%(author)s</bdi>": "1 < 2 & <bdi>%(author)s</bdi> speaks"
      "%(num)s episodes": {one: "a single show", other: "%(num)s shows"}
"""


def test_a_show_says_it_in_its_own_words(site: Callable[..., Path], podsite: Podsite) -> None:
    """They are text, escaped like any, but for the tags that the original has."""
    root = site(show("en", OWN))
    assert podsite("build", root).status == 0
    home = page(root / "output")
    assert ">Follow &lt;us&gt; &amp; 100%</a>" in home
    assert "1 &lt; 2 &amp; <bdi>Ada Reef</bdi> speaks" in home
    assert "<title>Follow &lt;us&gt; &amp; 100% · Quiet Hours</title>" in page(root / "output", "subscribe/")
    assert "a single show" in page(root / "output", "episodes/")


def test_own_words_are_found_by_what_is_shown(site: Callable[..., Path], podsite: Podsite) -> None:
    """A German show names what it reads on its pages."""
    root = site(show("de", '    words: {Abonnieren: Dranbleiben, "%(num)s Folgen": "%(num)s Stück"}\n'))
    assert podsite("build", root).status == 0
    assert ">Dranbleiben</a>" in page(root / "output")
    assert "1 Stück" in page(root / "output", "episodes/")


def test_own_words_make_a_language_that_podsite_does_not_speak(site: Callable[..., Path], podsite: Podsite) -> None:
    """With the forms of its numbers; nothing is marked as English then."""
    more = '    words: {Subscribe: Tilaa, "%(num)s episodes": {one: "%(num)s jakso", other: "%(num)s jaksoa"}}\n'
    root = site(show("fi", more))
    assert podsite("build", root).status == 0
    assert ">Tilaa</a>" in page(root / "output")
    assert "1 jakso" in page(root / "output", "episodes/")
    assert 'lang="en"' not in page(root / "output")


def test_a_change_of_words_makes_the_pages_that_say_them(site: Callable[..., Path], podsite: Podsite) -> None:
    """And no others; what was said before is nowhere left, and back again all is as it was."""
    quoting = EPISODE + '    quotes: [{text: "It is dark."}]\n'
    root = site(show("de", "    words: {Zitate: Perlen}\n") | {"episodes/001-first-night.yaml": quoting})

    def built(words: str) -> dict[str, tuple[bytes, int]]:
        text = re.sub(r"\nwords: .*\n", f"\nwords: {words}\n", (root / "show.yaml").read_text(encoding="utf-8"))
        (root / "show.yaml").write_text(text, encoding="utf-8")
        assert podsite("build", root).status == 0
        found = (root / "output").rglob("*.html")
        return {path.relative_to(root / "output").as_posix(): (path.read_bytes(), path.stat().st_ino) for path in found}

    first, second = built("{Zitate: Perlen}"), built("{Zitate: Schätze}")
    changed = {path for path, (content, _) in second.items() if first[path][0] != content}
    assert changed == {"episodes/first-night/index.html"}
    assert {path for path, (_, number) in second.items() if first[path][1] != number} == changed
    assert not any(b"Perlen" in content for content, _ in second.values())
    again = built("{Zitate: Perlen}")
    assert {path: one[0] for path, one in again.items()} == {path: one[0] for path, one in first.items()}


def test_all_numbers_of_a_page_are_written_in_one_way(site: Callable[..., Path], podsite: Podsite) -> None:
    """In Egypt with Arabic digits, even those that name an episode or a year."""
    root = site(show("ar-EG") | {"episodes/001-first-night.yaml": EPISODE.replace("number: 1", "number: 12")})
    assert podsite("build", root).status == 0
    text = re.sub(
        r"<script.*?</script>|<style.*?</style>|<[^>]*>", " ", page(root / "output", "episodes/"), flags=re.DOTALL
    )
    assert "١٢" in text
    assert "٢٠٢٥" in text
    assert re.findall("[0-9]+", text.replace("&#34;", "")) == []


def test_digits_are_those_that_the_language_is_written_with() -> None:
    """Of every language that babel knows, whether it has to be asked or not."""
    for name in localedata.locale_identifiers():
        shown = digits("0123456789", name.replace("_", "-"))
        assert [unicodedata.decimal(one) for one in shown] == [*range(10)], name
        assert (shown == "0123456789") is (Locale.parse(name).default_numbering_system == "latn"), name
