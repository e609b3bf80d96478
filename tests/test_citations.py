"""Promises of podsite.citations: other programs read from its files just what the show's files say."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any
from urllib.parse import unquote

import bibtexparser
import jsonschema
import markdown
import pytest
import rispy
from hypothesis import example, given
from hypothesis import strategies as st
from pybtex.database import Person, parse_string
from pylatexenc.latex2text import LatexNodes2Text

from podsite.citations import bibtex, coins, csl, prose, ris
from podsite.citations.names import Name, name
from podsite.citations.work import Work, keys, of_reading
from podsite.parts import Reading
from podsite.works import form_of

#: Titles and names as somebody may write them: a Line of the model has no control characters and no outer spaces.
PIECES = [
    *"{}\\%#&_~^$\"'`@,=-<>[]()*|! aAzZ19",
    " and ",
    "--",
    "''",
    "``",
    "\\textbf{",
    "漢字",
    "مرحبا",
    "\u200f",
    "🎙",
]
HOSTILE = (
    st.lists(
        st.sampled_from(PIECES) | st.characters(exclude_categories=("Cs", "Cc", "Z", "Cf"), max_codepoint=0x2FFFF),
        min_size=1,
        max_size=12,
    )
    .map(lambda pieces: " ".join("".join(pieces).split()))
    .filter(bool)
)
KINDS = ["article", "paper", "book", "code", "docs", "issue", "talk", "video", "podcast", None]
READINGS = st.builds(
    Reading,
    url=st.sampled_from([
        "https://example.org/a?b=1&c=%7B2%7D#d", "https://arxiv.org/pdf/2101.00001v2", "https://doi.org/10.1145/1_2",
        "https://doi.org/10.1002/(SICI)1%3A2%3C3%3A%3AAID%3E%7B4", "https://www.amazon.com/dp/0128119861",
    ]),
    title=HOSTILE | st.none(),
    kind=st.sampled_from(KINDS),
    authors=st.lists(HOSTILE, max_size=3).map(tuple),
    year=st.integers(1000, 2100) | st.none(),
    note=HOSTILE | st.none(),
    archive=st.sampled_from([None, "https://web.archive.org/web/2020/https://example.org/a"]),
)  # fmt: skip
WORKS = READINGS.map(lambda reading: of_reading(reading, "key2020word"))


def plain(tex: str) -> str:
    """What TeX would print; of the invisible braces that make braces even, nothing."""
    tex = tex.replace("\\vphantom{\\}}", "").replace("\\vphantom{\\{}", "").replace("{\\textasciicircum}", "\ue000")
    return (
        LatexNodes2Text(keep_comments=True, math_mode="verbatim", strict_latex_spaces=True)
        .latex_to_text(tex)
        .replace("\ue000", "^")
    )


def shown(one: Name) -> str:
    """A name with its parts in the order of BibTeX."""
    return one.literal or ", ".join(part for part in (one.surname, one.suffix, one.given) if part)


@given(st.lists(WORKS, min_size=1, max_size=3))
@example(
    [
        of_reading(
            Reading(url="https://a.example/", title='{\\ "unbalanced @article{x, } % 100 # & _ ~ ^ $', authors=("A",)),
            "a",
        )
    ]
)
def test_bibtex_survives_two_foreign_parsers(works: list[Work]) -> None:
    """Every field comes back, whatever is in it, and none is added."""
    named = [work.__class__(**{**fields(work), "key": f"key{n}"}) for n, work in enumerate(works)]
    text = bibtex.entries(named)
    library = bibtexparser.parse_string(text)
    assert not library.failed_blocks
    assert [one.key for one in library.entries] == [work.key for work in named]
    data = parse_string(text, "bibtex")
    for work, one in zip(named, library.entries, strict=True):
        found = {field.key: field.value for field in one.fields}
        assert plain(found["title"]) == work.title
        assert found["url"] == work.url
        assert plain(found.get("annote", "")) == (work.note or "")
        assert found.get("year") == (str(work.year) if work.year else None)
        assert found.get("eprint") == work.arxiv
        people = data.entries[work.key].persons.get("author", [])
        assert [told(person) for person in people] == [shown(one) for one in work.names]


def fields(work: Work) -> dict[str, Any]:
    """The facts of a work."""
    return {one: getattr(work, one) for one in Work.__dataclass_fields__}


def told(person: Person) -> str:
    """A name as pybtex took it apart."""
    surname = " ".join([*person.prelast_names, *person.last_names])
    given = " ".join([*person.first_names, *person.middle_names])
    return plain(", ".join(part for part in (surname, " ".join(person.lineage_names), given) if part))


@given(st.lists(WORKS, max_size=3))
def test_ris_survives_a_foreign_parser(works: list[Work]) -> None:
    """Each line is one field, whatever is in it."""
    found = rispy.loads(ris.entries(works))
    assert [one["title"] for one in found] == [work.title for work in works]
    for one, work in zip(found, works, strict=True):
        assert one.get("authors", []) == [shown(each) for each in work.names]
        assert one["urls"] == [work.url]
        assert one.get("year") == (str(work.year) if work.year else None)
        assert one.get("notes", []) == ([work.note] if work.note else [])
        assert one["type_of_reference"] in rispy.TYPE_OF_REFERENCE_MAPPING
        assert one.get("doi") == work.doi


NAMES = {"type": "array", "items": {"type": "object", "additionalProperties": False, "minProperties": 1, "properties": {
    part: {"type": "string", "minLength": 1}
    for part in ("family", "given", "literal", "suffix", "non-dropping-particle")
}}}  # fmt: skip
#: Of the schema of citationstyles.org what these files use: https://github.com/citation-style-language/schema
CSL = {"type": "array", "items": {
    "type": "object", "additionalProperties": False, "required": ["id", "type"],
    "properties": {
        "type": {"enum": [
            "article", "article-journal", "book", "broadcast", "motion_picture", "post", "software", "speech",
            "webpage",
        ]},
        "author": NAMES, "host": NAMES,
        "issued": {"type": "object", "additionalProperties": False, "properties": {"date-parts": {
            "type": "array", "minItems": 1, "maxItems": 2,
            "items": {"type": "array", "minItems": 1, "maxItems": 3, "items": {"type": ["string", "number"]}},
        }}},
        **{field: {"type": "string"} for field in (
            "id", "citation-key", "title", "container-title", "number", "genre", "dimensions", "DOI", "ISBN", "URL",
            "archive_location", "note", "language", "publisher",
        )},
    },
}}  # fmt: skip


@given(st.lists(WORKS, max_size=3))
def test_csl_holds_to_its_schema(works: list[Work]) -> None:
    """And says what the works say."""
    found = json.loads(csl.entries(works))
    jsonschema.validate(found, CSL)
    assert [(one["title"], one["URL"], one.get("note")) for one in found] == [
        (work.title, work.url, work.note) for work in works
    ]


@given(WORKS)
def test_markdown_shows_the_very_words(work: Work) -> None:
    """Nothing of a title becomes markup."""
    html = markdown.markdown(prose.markdown(work.title, [("Papers", [work])], "Archived copy"))
    text = [" ".join(unescape(re.sub("<[^>]*>", "", line)).split()) for line in html.split("\n") if line.strip()]
    assert text[0] == work.title
    assert text[2].startswith(f"{work.title}. ")
    assert re.findall(r'href="([^"]*)"', unescape(html))[:1] == [work.url]
    assert not work.note or work.note in text[2]


def read_by_zotero(title: str) -> dict[str, list[str]]:
    """The fields as Zotero takes them apart: at & and =, a plus sign counting as a space."""
    found: dict[str, list[str]] = {}
    for part in title.split("&"):
        key, _, value = part.partition("=")
        assert "=" not in value
        found.setdefault(key, []).append(unquote(value.replace("+", " ")))
    return found


@given(WORKS)
def test_coins_are_read_as_they_were_meant(work: Work) -> None:
    """By the rules of Zotero."""
    found = read_by_zotero(coins.title(work))
    assert found["rft_val_fmt"] == ["info:ofi/fmt:kev:mtx:dc"]
    assert found["rft.title"] == [work.title]
    assert found["rft.identifier"] == [work.url]
    assert found.get("rft.aucorp", []) + found.get("rft.au", []) == sorted(
        map(shown, work.names), key=lambda text: text not in {one.literal for one in work.names}
    )


@pytest.mark.parametrize(
    ("written", "parts"),
    [
        ("Edward Z. Yang", Name(given="Edward Z.", family="Yang")),
        ("Yang, Edward Z.", Name(given="Edward Z.", family="Yang")),
        ("Wen-mei W. Hwu", Name(given="Wen-mei W.", family="Hwu")),
        ("Ludwig van Beethoven", Name(given="Ludwig", particle="van", family="Beethoven")),
        ("Charles de la Vallée Poussin", Name(given="Charles", particle="de la", family="Vallée Poussin")),
        ("van Rossum, Guido", Name(given="Guido", particle="van", family="Rossum")),
        ("Martin Luther King Jr.", Name(given="Martin Luther", family="King", suffix="Jr.")),
        ("King, Jr., Martin Luther", Name(given="Martin Luther", family="King", suffix="Jr.")),
        ("bell hooks", Name(given="bell", family="hooks")),
        ("Plato", Name(literal="Plato")),
        ("PyTorch Team", Name(literal="PyTorch Team")),
        ("The Rust Project Developers", Name(literal="The Rust Project Developers")),
        ("Massachusetts Institute of Technology", Name(literal="Massachusetts Institute of Technology")),
        ("Simon & Schuster, Inc.", Name(literal="Simon & Schuster, Inc.")),
        ("王小明", Name(literal="王小明")),
        ("山田 太郎", Name(given="太郎", family="山田")),
        ("김 철수", Name(given="철수", family="김")),
        ("Анна Ахматова", Name(given="Анна", family="Ахматова")),
        ("A, B, C, D", Name(literal="A, B, C, D")),
        ("van", Name(literal="van")),
        (", ", Name(literal=",")),
    ],
)
def test_names_are_taken_apart(written: str, parts: Name) -> None:
    """People by family and given names, organisations and single names not at all."""
    assert name(written) == parts


@given(st.text(max_size=20))
def test_no_name_makes_it_fail(text: str) -> None:
    """Whatever somebody writes."""
    one = name(text)
    assert bool(one.literal) != bool(one.family) or not text.strip()


def test_names_have_initials() -> None:
    """In the style of APA."""
    assert [name(text).short for text in ("Edward Z. Yang", "Jean-Luc Picard", "Plato", "Martin Luther King Jr.")] == [
        "Yang, E. Z.", "Picard, J.-L.", "Plato", "King, M. L., Jr.",
    ]  # fmt: skip


def readings(*titles: str, **facts: Any) -> dict[str, Reading]:
    """Readings by their normal form."""
    made = [Reading(url=f"https://example.org/{n}", title=title, **facts) for n, title in enumerate(titles)]
    return {form_of(one): one for one in made}


def test_keys_are_author_year_and_word() -> None:
    """In letters that every program takes; what has no author is called by its site, what has no words by a digest."""
    by = {"authors": ("Edward Z. Yang",), "year": 2020}
    assert [*keys(readings("Let's talk about the PyTorch dispatcher", **by)).values()] == ["yang2020talk"]
    assert [*keys(readings("Über Bücher", authors=("Jürgen Groß",))).values()] == ["grossuber"]
    assert [*keys(readings("The CUDA guide")).values()] == ["examplecuda"]
    assert [*keys(readings("深層学習", authors=("山田 太郎",), year=2019)).values()] == ["example2019"]
    assert re.fullmatch("work[0-9a-f]{8}", keys({"1.2.3.4": Reading(url="https://1.2.3.4/", title="1984")})["1.2.3.4"])


@pytest.mark.parametrize("written", ["Ada Reef et al.", "Ada Reef, et al", "Reef, Ada and others"])
def test_authors_who_are_not_named_become_no_name(written: str) -> None:
    """BibTeX has a word for them; in other formats those stand who are named."""
    work = of_reading(Reading(url="https://p.example/a", title="Owls", authors=(written,), year=2020), "reef2020owls")
    assert work.names == (Name(given="Ada", family="Reef"),)
    [person, others] = parse_string(bibtex.entry(work), "bibtex").entries["reef2020owls"].persons["author"]
    assert (person, str(others)) == (Person(last="Reef", first="Ada"), "others")
    assert re.findall(r"AU  - .*\w", ris.entry(work)) == ["AU  - Reef, Ada"]
    assert "Ada Reef, et al., 2020" in prose.markdown("", [("", [work])], "")
    whole = Reading(url="https://p.example/a", authors=("Owls et al.",), whole=("Owls et al.",))
    assert of_reading(whole, "key").names == (Name(literal="Owls et al."),)


def test_a_key_stays_when_others_come() -> None:
    """The first has the plain one; those behind it have some letters that are their own."""
    few = keys(readings("Talk one", "Talk two", authors=("A B",)))
    more = keys(readings("Talk one", "Talk two", "Talk three", authors=("A B",)))
    assert few["example.org/0"] == "btalk"
    assert re.fullmatch("btalk-[0-9a-f]{4}", few["example.org/1"])
    assert more.items() > few.items()
    assert len({*more.values()}) == 3


@given(st.lists(READINGS, max_size=6))
def test_keys_are_unique_and_plain(many: list[Reading]) -> None:
    """Whatever the readings are called."""
    found = keys({form_of(one): one for one in many})
    assert len({*found.values()}) == len(found)
    assert all(re.fullmatch(r"[a-z0-9]+(-[0-9a-f]+)?", key) for key in found.values())


def test_each_kind_has_its_type() -> None:
    """Papers with their identifiers, books with the number that a shop's address tells."""
    made = {kind: of_reading(Reading(url="https://example.org/", title="T", kind=kind), "k") for kind in KINDS}
    types = {kind: bibtex.entry(work).partition("{")[0] for kind, work in made.items()}
    assert types == {
        "article": "@online", "paper": "@article", "book": "@book", "code": "@software", "docs": "@online",
        "issue": "@online", "talk": "@misc", "video": "@video", "podcast": "@audio", None: "@online",
    }  # fmt: skip
    preprint = of_reading(Reading(url="https://arxiv.org/pdf/2101.00001v3", kind="paper"), "k")
    assert "@misc{k," in bibtex.entry(preprint)
    assert "eprint = {2101.00001},\n  archiveprefix = {arXiv}," in bibtex.entry(preprint)
    assert csl.item(preprint)["type"] == "article"
    published = of_reading(Reading(url="https://dl.acm.org/doi/10.1145/1.2", kind="paper"), "k")
    assert csl.item(published)["DOI"] == "10.1145/1.2"
    assert "DO  - 10.1145/1.2\r\n" in ris.entry(published)
    book = of_reading(Reading(url="https://www.amazon.com/x/dp/0128119861/ref=y", kind="book"), "k")
    assert "isbn = {0128119861}" in bibtex.entry(book)
    assert "isbn" not in bibtex.entry(of_reading(Reading(url="https://amazon.com/dp/0128119862", kind="book"), "k"))


def test_words_that_capitals_make_are_held() -> None:
    """Styles make the other letters of a title small."""
    work = of_reading(Reading(url="https://example.org/", title="CUDA, C++ and Python in PyTorch on an A100"), "k")
    assert "title = {{CUDA,} {C++} and Python in {PyTorch} on an {A100}}" in bibtex.entry(work)
