"""Promises of podsite.filters: what templates can do with values."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import jinja2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podsite import filters


def render(template: str, language: str = "en", zone: str = "UTC", address: str = "episodes/one/", **more: Any) -> str:
    """A template rendered with the filters, on a page of a show in that language and time zone."""
    environment = jinja2.Environment(autoescape=True, undefined=filters.Missing)
    filters.install(environment)
    show = SimpleNamespace(language=language, timezone=ZoneInfo(zone))
    return environment.from_string(template).render(show=show, address=address, **more)


LATE = datetime(2021, 5, 13, 22, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("language", "zone", "shown", "machine"),
    [
        ("en", "UTC", "May 13, 2021", "2021-05-13"),
        ("en-GB", "UTC", "13 May 2021", "2021-05-13"),
        ("de", "Europe/Berlin", "14. Mai 2021", "2021-05-14"),
        ("ja", "Asia/Tokyo", "2021年5月14日", "2021-05-14"),
        ("he", "UTC", "13 במאי 2021", "2021-05-13"),
        ("en-XX-nowhere", "UTC", "May 13, 2021", "2021-05-13"),
        ("tlh", "UTC", "May 13, 2021", "2021-05-13"),
    ],
)
def test_a_date_is_the_day_of_the_shows_zone_in_its_language(
    language: str, zone: str, shown: str, machine: str
) -> None:
    """Late evening in UTC is the next day in Berlin and Tokyo; languages babel does not know read as English."""
    assert render("{{ at | date }}|{{ at | day }}", language, zone, at=LATE) == f"{shown}|{machine}"


def test_a_date_can_be_shorter_or_follow_a_pattern() -> None:
    """The styles of the language, or a pattern of one's own."""
    assert render("{{ at | date('medium') }}|{{ at | date('yyyy') }}", at=LATE) == "May 13, 2021|2021"


@pytest.mark.parametrize(
    ("length", "shown", "iso"),
    [
        (0, "0 sec", "PT0S"),
        (45, "45 sec", "PT45S"),
        (845, "14 min", "PT14M5S"),
        (3600, "1 hr", "PT1H"),
        (3599, "1 hr", "PT59M59S"),
        (3725, "1 hr 2 min", "PT1H2M5S"),
    ],
)
def test_durations_read_well_for_people_and_machines(length: int, shown: str, iso: str) -> None:
    """Whole minutes, seconds only below one; ISO 8601 beside it."""
    assert render("{{ it | duration }}|{{ it | iso_duration }}", it=length).replace("\xa0", " ") == f"{shown}|{iso}"


def test_numbers_and_sizes_follow_the_language() -> None:
    """Thousands and decimals as the language writes them."""
    template = "{{ 12345 | number }}|{{ 12345678 | file_size }}|{{ 351234 | file_size }}|{{ 5 | file_size }}"
    assert render(template).replace("\xa0", " ") == "12,345|12.3 MB|351 kB|5 byte"
    assert render("{{ 12345 | number }}|{{ 12345678 | file_size }}", "de").replace("\xa0", " ") == "12.345|12,3 MB"


def test_a_count_has_its_word() -> None:
    """One episode, several episodes, no episodes."""
    assert render("{{ 1 | counted('day', 'days') }}, {{ 0 | counted('day', 'days') }}") == "1 day, 0 days"


@pytest.mark.parametrize(
    ("address", "target", "link"),
    [
        ("", "episodes/one/", "episodes/one/"),
        ("episodes/one/", "", "../../"),
        ("episodes/one/", "episodes/one/a.mp3#t=12.5", "a.mp3#t=12.5"),
        ("topics/ü/", "topics/ü/", "./"),
        ("", "topics/ü/", "topics/%C3%BC/"),
        ("episodes/one/", "https://example.org/x", "https://example.org/x"),
    ],
)
def test_links_are_relative_to_their_page(address: str, target: str, link: str) -> None:
    """The same page works at a domain's root and under a sub-path."""
    assert render("{{ to | link }}", address=address, to=target) == link


def test_a_page_that_answers_anywhere_links_from_the_root() -> None:
    """404.html is served at every depth, and knows the path of its site."""
    assert render("{{ 'people/' | link }}", root="/show/") == "/show/people/"


@given(st.text(max_size=80), st.integers(2, 40))
def test_shortened_text_is_the_texts_beginning(text: str, length: int) -> None:
    """It never is longer than asked, and where nothing was cut nothing is changed but spaces."""
    short = filters.shorten(text, length)
    whole = " ".join(text.split())
    assert len(short) <= length
    assert short == whole or (short.endswith("…") and whole.startswith(short[:-1]))


def test_text_is_cut_between_words() -> None:
    """No half word and no comma stands before the ellipsis; a text of one word is cut all the same."""
    assert filters.shorten("A tensor, is two objects", 12) == "A tensor…"
    assert filters.shorten("機械学習のためのテンソル入門", 6) == "機械学習の…"


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://www.example.org:8080/a?b", "example.org"),
        ("https://xn--bcher-kva.example/", "bücher.example"),
        ("https://docs.example.org", "docs.example.org"),
    ],
)
def test_a_host_is_shown_as_people_know_it(url: str, name: str) -> None:
    """Without www. and port, with the letters of its script."""
    assert filters.host(url) == name


def test_initials_stand_for_a_name() -> None:
    """First and last word, whatever the script; a name without letters has none."""
    assert [filters.initials(name) for name in ("Edward Z. Yang", "Åsa", "山田 太郎", "(?)")] == ["EY", "Å", "山太", ""]


def test_seconds_have_no_needless_fraction() -> None:
    """`#t=754`, not `#t=754.000`."""
    assert [filters.seconds(time) for time in (0, 754.0, 12.5, 0.1 + 0.2)] == ["0", "754", "12.5", "0.3"]
