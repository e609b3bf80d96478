"""Promises of podsite.works: a work is listed once, with all that any episode knows of it."""

from __future__ import annotations

from podsite.citations.names import Name
from podsite.citations.work import of_reading
from podsite.parts import Reading
from podsite.works import completed, listed, prepared


def test_a_work_is_listed_once_with_all_who_recommend_it() -> None:
    """By the address it had first, in the order of their coming; an episode that names it twice counts once."""
    one = Reading(url="https://arxiv.org/abs/2101.00001v2")
    other = Reading(url="https://arxiv.org/pdf/2101.00001", title="Everything", kind="paper", year=2021)
    third = Reading(url="https://example.org/", title="Home")
    found = listed([("a", (one, other)), ("b", (third, other)), ("c", (one,))])
    assert [*found] == ["arxiv.org/abs/2101.00001", "example.org"]
    reading, where = found["arxiv.org/abs/2101.00001"]
    assert (reading.url, reading.title, reading.kind, reading.year) == (one.url, "Everything", "paper", 2021)
    assert where == ["a", "b", "c"]


def test_what_is_known_is_not_replaced() -> None:
    """The first to say something is right; a remark is of the episode that makes it."""
    one = Reading(url="https://example.org/", title="First", authors=("A",))
    other = Reading(url="https://example.org/", title="Second", note="Read it.", archive="https://archive.example/1")
    ((reading, _),) = listed([(1, (one,)), (2, (other,))]).values()
    assert (reading.title, reading.authors, reading.note) == ("First", ("A",), None)
    assert reading.archive == "https://archive.example/1"


def test_braces_keep_a_name_whole_and_are_not_shown() -> None:
    """Around a whole name; others are part of it."""
    one = prepared(Reading(url="https://example.org/", authors=("{Ada Reef}", "Bo {Lim}", "{}", "{ Night Shift }")))
    assert one.authors == ("Ada Reef", "Bo {Lim}", "{}", "Night Shift")
    assert one.whole == ("Ada Reef", "Night Shift")
    assert of_reading(one, "k").names[0] == Name(literal="Ada Reef")
    assert of_reading(prepared(Reading(url="https://a.example/", authors=("Ada Reef",))), "k").names[0].family == "Reef"
    assert completed(Reading(url="https://example.org/", authors=("A B",)), one).whole == ()
    assert completed(Reading(url="https://example.org/"), one).whole == one.whole
