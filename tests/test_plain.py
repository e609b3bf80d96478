"""The short way through a file nothing is wrong with finds what the long way finds, and is the one that is taken."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import time
from pathlib import Path
from typing import Any
from unittest import mock
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from podsite import nodes, plain
from podsite.decode import Clock, Decoded, decode
from podsite.lock import Lock
from podsite.model import Episode, PageHead, Show
from podsite.parts import Reading

ROOT = Path(__file__).parents[1]
BERLIN = Clock(ZoneInfo("Europe/Berlin"), time(6))
EPISODE = 'title: "T"\npublished: 2024-05-01\nsummary: "S"\n'


def facts(found: Decoded[Any]) -> list[Any]:
    """Everything that reading a text gives, the types of all values included."""
    return [repr(found.value), found.value, found.problems, dict(found.places), repr(found.rough), found.faulty]


def both_ways(text: str, kind: type, clock: Clock | None = None) -> tuple[list[Any], list[Any]]:
    """What is found the usual way, and what the long way finds."""
    usual = facts(decode(text, "x.yaml", kind, clock))
    with mock.patch.object(plain, "value", side_effect=plain.Unsure):
        return usual, facts(decode(text, "x.yaml", kind, clock))


def files() -> Iterator[Path]:
    """Every YAML file of the repository: the demonstration site, whole sites of tests, mistakes, feeds."""
    for folder in ("episodes", "tests"):
        yield from sorted(one for one in (ROOT / folder).rglob("*") if re.search(r"\.ya?ml$", one.name))
    yield from (ROOT / "show.yaml", ROOT / "podsite.lock")


@pytest.mark.thorough(but_each=2)
@pytest.mark.parametrize("kind", [Episode, Show, PageHead, Lock])
def test_every_file_at_hand_is_read_alike_both_ways(kind: type) -> None:
    """As a show, an episode, a page's head and a lock: what it is not gives problems, and these are the same too."""
    for path in files():
        usual, long = both_ways(path.read_text("utf-8", "replace"), kind)
        assert usual == long, path


KEYS = [*Episode.__dataclass_fields__, "x-own", "<<", "titel", "? a", '"title"', "'notes'", "- title", "a b"]
WORDS = [
    "", " ", "~", "null", "a", "7", "007", "-1", "1.5", "1e3", "yes", "No", "true", "full", "12:34", "2024-05-01",
    "2024-05-01 09:30 +02:00", "2024-03-31 02:30", "https://example.org/a?b=c#d", "https://e.org/ä b", "a.mp3", "~ # c",
    "# c", "a # c", "a#c", "a: b", "C&A", "&amp;", "&a b", "*a", "! a", "!!str a", "a!", "'a'", '"a"', '"\\a"',
    '"a\\u0007"', "'it''s'", '"7"', '""', "[]", "{}", "[a, b]", "[a, , b]", "[~]", "[a, [b]]", "[https://e.org/a]",
    "{a: b}", "{a: b, a: c}", "{url: https://e.org/a}", "{url: https://e.org/a, title: A # c",
    "{file: a.mp3, length: 20000}",
    "|", ">", "|-", ">+", "|2", "| # c", "@a", "`a`", "%a", "a\tb", "\ta", "ä\u2028b", "a\x85b", "\u00a0", "🎧",
    "a\ufeff", "*a*", "- a",
]  # fmt: skip
LINES = [
    "",
    "#",
    "# c",
    "- a",
    "- title: A",
    "  url: https://e.org/a",
    "  a",
    "    b",
    "  # c",
    "...",
    "---",
    "  - a: b",
]
ENDS = ["\n", "\n", "\n", "\r\n", "\r", "\x85", "\u2028"]
INDICATORS = ["", ":", "- ", "&a ", "!", "*", "#", " #", '"', "'", "\\", "\n", "\n  ", "\t", "{", "]", "~"]
INDENTS = st.sampled_from(["", "", "", "  ", "- ", "  - "])
SPACES = st.sampled_from([" ", " ", " ", "  ", "", "\t", "\n  "])
PAIRS = st.builds("{}{}:{}{}".format, INDENTS, st.sampled_from(KEYS), SPACES, st.sampled_from(WORDS))


def put_together(head: str, lines: list[str], end: str) -> str:
    """A text that is nearly an episode."""
    return head + end.join([*lines, ""])


@given(
    st.builds(
        put_together,
        st.sampled_from([EPISODE, EPISODE, EPISODE, ""]),
        st.lists(PAIRS | st.sampled_from(LINES), max_size=5),
        st.sampled_from(ENDS),
    )
)
@settings(max_examples=4 * settings().max_examples)
@example(EPISODE + "extra: " + "[" * 40 + "]" * 40)
@example(EPISODE + 'extra: {a: "1", b: 1, c: ~, d: "", "e": "\\u0001"}')
@example(EPISODE + "\ufefflink: https://e.org/")
@example("\ufeff\ufeff" + EPISODE)
@example(EPISODE + "x-a: 1\nx-a: 2")
@example(EPISODE + "summary: again")
@example(EPISODE + "people: []\ntopics: \nnumber: # none\nkind: ''")
@example(EPISODE + "notes: # none")
@example(EPISODE + "x-a: b!\n? a: b!\n")
@example("? title\n: T\n" + EPISODE)
def test_every_text_is_read_alike_both_ways(text: str) -> None:
    """Values, their types, problems, warnings and places."""
    usual, long = both_ways(text, Episode, BERLIN)
    assert usual == long


@given(st.sampled_from([*files()]).map(lambda path: path.read_text("utf-8", "replace")), st.data())
def test_a_real_file_with_something_changed_is_read_alike_both_ways(text: str, data: st.DataObject) -> None:
    """A stretch taken out, and indicators of YAML put in."""
    start = data.draw(st.integers(0, len(text)))
    rest = text[start + data.draw(st.integers(0, 3)) :]
    change = data.draw(st.sampled_from(INDICATORS))
    kind = Show if "categories:" in text else Episode
    usual, long = both_ways(text[:start] + change + rest, kind)
    assert usual == long


def test_a_file_without_fault_is_parsed_once_and_its_places_only_when_asked_for() -> None:
    """All of the demonstration site goes the short way."""
    with mock.patch.object(nodes, "compose", side_effect=nodes.compose) as parsed:
        found = [
            decode(path.read_text("utf-8"), path.name, Episode) for path in sorted((ROOT / "episodes").glob("*.yaml"))
        ]
        assert parsed.call_count == len(found) > 0
        assert {len(one.problems) for one in found} == {0}
        assert {one.places["title"][1] for one in found} == {8}
        assert {one.places["published"][1] for one in found} == {12}
        assert parsed.call_count == 2 * len(found)


def test_a_bare_scalar_is_no_file() -> None:
    """What stands for a reading inside a file is none at its root."""
    usual, long = both_ways("https://example.org/", Reading)
    assert usual == long
