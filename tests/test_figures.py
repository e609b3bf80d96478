"""Figures are what counting by hand gives; pages say them in words as in bars, and no two pages are alike."""

from __future__ import annotations

import importlib.util
import re
import shutil
import textwrap
from datetime import UTC, datetime, timedelta, timezone
from html import unescape
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from podsite import figures
from podsite.build import make
from podsite.parts import Credit, Enclosure, Person, Reading
from podsite.recall import Options
from podsite.site import Site, link

_spec = importlib.util.spec_from_file_location("feed_factory", Path(__file__).parent / "feeds" / "factory.py")
assert _spec and _spec.loader
factory = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(factory)

GOLDEN = sorted((Path(__file__).parent / "sites").glob("*/expected"))
PEOPLE = {
    name: Person(name=name.title(), role=role) for name, role in (("ada", "Host"), ("bo", "Guest"), ("chi", "Guest"))
}
HOSTS = ("https://one.example/", "http://www.one.example/", "https://two.example/", "https://three.example:8080/")
_EPISODES = st.lists(
    st.tuples(
        st.datetimes(datetime(2019, 12, 30), datetime(2024, 1, 2)),  # noqa: DTZ001 - as hypothesis wants them
        st.one_of(st.none(), st.integers(1, 9000)),
        st.lists(st.sampled_from([*PEOPLE]), max_size=4),
        st.lists(st.sampled_from(["Tides", "Owls", "Moon", "tides"]), max_size=4),
        st.lists(st.tuples(st.sampled_from(HOSTS), st.integers(1, 3)), max_size=4),
    ),
    min_size=1,
    max_size=12,
)


def site_of(facts: list[Any], **said: Any) -> Site:
    """A site of episodes: when each came out, how long it lasts, with whom, about what, and what it recommends."""
    episodes = [
        factory.episode(
            1,
            slug=f"e-{number}",
            title=f"E {number}",
            number=number,
            published=moment.replace(tzinfo=UTC),
            audio=Enclosure(url=f"https://a.example/{number}.mp3", duration=duration),
            people=tuple(Credit(person=one) for one in people),
            topics=tuple(topics),
            further_reading=tuple(Reading(url=f"{host}{name}", title=f"R {name}") for host, name in readings),
            file=f"episodes/e-{number}.yaml",
        )
        for number, (moment, duration, people, topics, readings) in enumerate(facts)
    ]
    return link(factory.content(*episodes, of=factory.show(people=PEOPLE, **said)), factory.NOW)[0]


@given(facts=_EPISODES, hours=st.integers(-11, 12))
def test_years_and_months_are_those_of_the_shows_own_clock(facts: list[Any], hours: int) -> None:
    zone = timezone(timedelta(hours=hours))
    site = site_of(facts, timezone=zone)
    found = figures.years(site, {"2021": "episodes/page/2/"})
    there = [(moment.replace(tzinfo=UTC).astimezone(zone), duration or 0) for moment, duration, *_ in facts]
    assert [year.name for year in found] == sorted({str(moment.year) for moment, _ in there}, reverse=True)
    for year in found:
        inside = [(moment, length) for moment, length in there if str(moment.year) == year.name]
        assert year.count == len(inside) == sum(year.months)
        assert year.duration == sum(length for _, length in inside)
        assert year.months == tuple(sum(moment.month == month for moment, _ in inside) for month in range(1, 13))
        assert year.peak == max(max(other.months) for other in found)
        assert year.address == ("episodes/page/2/" if year.name == "2021" else "episodes/")


@given(facts=_EPISODES)
def test_lengths_fall_into_few_bins_without_gaps(facts: list[Any]) -> None:
    site = site_of(facts)
    found = figures.lengths(site.entries)
    known = [duration for _, duration, *_ in facts if duration]
    assert len(found) <= figures.MOST
    assert sum(one.count for one in found) == len(known)
    assert all(before.end == after.start for before, after in pairwise(found))
    for one in found:
        assert one.count == sum(one.start <= length < one.end for length in known)
        assert one.share == (max(1, round(100 * one.count / max(b.count for b in found))) if one.count else 0)
    assert not found or (found[0].count and found[-1].count)


@given(facts=_EPISODES)
def test_what_stands_together_is_counted_once_an_episode(facts: list[Any]) -> None:
    site = site_of(facts)
    sets = [{*people} for _, _, people, _, _ in facts]
    met = figures.companions(site)
    assert met.keys() == {one for each in sets for one in each}
    for one, others in met.items():
        expected = {other: sum({one, other} <= each for each in sets) for other in PEOPLE if other != one}
        assert {each.person.id: each.count for each in others} == {key: n for key, n in expected.items() if n}
        assert [each.count for each in others] == sorted((each.count for each in others), reverse=True)
    named = [{name.lower() for name in topics} for *_, topics, _ in facts]
    near = figures.neighbours(site)
    for first, second in combinations(near, 2):
        slugs = {address.split("/")[1] for address in (first, second)}
        together = sum(slugs <= each for each in named)
        counts = [n.count for n in near[first] if n.topic.address == second]
        assert counts == ([together] if together else [])


@given(facts=_EPISODES)
def test_a_host_counts_once_for_each_reading_of_each_episode(facts: list[Any]) -> None:
    """With or without www, whatever the scheme and port."""
    site = site_of(facts)
    expected: dict[str, int] = {}
    for *_, readings in facts:
        for host, name in {(re.sub(r"https?://(www\.)?|:\d+|/", "", host), name) for host, name in readings}:
            expected[host] = expected.get(host, 0) + 1
            assert name
    found = figures.hosts(site)
    assert {bar.name: bar.count for bar in found} == expected
    assert [bar.count for bar in found] == sorted(expected.values(), reverse=True)


def test_a_chart_has_the_longest_rows_only() -> None:
    bars = figures.bars((f"n{n}", n % 7, None) for n in range(40))
    assert len(bars) == figures.MOST
    assert [bar.count for bar in bars] == [6] * 5 + [5] * 5 + [4] * 2
    assert [bar.name for bar in bars][:3] == ["n6", "n13", "n20"]  # equal ones as they stood
    assert (bars[0].share, bars[-1].share) == (100, 67)
    assert figures.bars([]) == ()


#: Title, season, date, duration, people and topics of each.
EPISODES = (
    ("One", 1, "2023-12-31", 900, "ada, bo", "Tides, Moon"),
    ("Two", 1, "2024-02-02", 1800, "ada, {person: ada, role: Narrator}", "Tides"),
    ("Three", 2, "2024-02-09", 3600, "{person: ada, role: Editor}, bo", "Moon, Tides"),
)
SHOW = """
    title: "Quiet Hours"
    description: "Talks about the night."
    language: en
    author: "Ada Reef"
    url: https://example.org/quiet/
    artwork: static/artwork.jpg
    categories: [Technology]
    guid: 917393e3-1b1e-5cef-ace4-edaa54e1f810
    people:
      ada: {name: "Ada Reef", role: Host, url: https://ada.example/, links: [https://social.example/@ada]}
      bo: {name: "Bo Fjord", role: Guest}
    topics: {Tides: "What the moon does to the sea."}
    seasons: {1: {name: "Salt", description: "At the coast."}}
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory, artwork: bytes, warm: Path) -> dict[str, str]:
    """The pages of a small site, by their addresses."""
    root = tmp_path_factory.mktemp("figures")
    files = {"show.yaml": textwrap.dedent(SHOW).encode(), "static/artwork.jpg": artwork}
    for number, (title, season, date, duration, people, topics) in enumerate(EPISODES, 1):
        text = (
            f'title: "{title}"\nsummary: "About {title}."\nnumber: {number}\nseason: {season}\npublished: {date}\n'
            f'audio: {{url: "https://a.example/{number}.mp3", length: 12345678, duration: {duration}}}\n'
            f"people: [{people}]\ntopics: [{topics}]\n"
        )
        files[f"episodes/{number}.yaml"] = text.encode()
    for path, content in files.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_bytes(content)
    shutil.copytree(warm, root / ".podsite")
    made = make(root, None, Options(now=factory.NOW)).artifacts
    html = {one.path: one.content for one in made if isinstance(one.content, bytes) and one.path.endswith(".html")}
    return {path.removesuffix("index.html"): content.decode() for path, content in html.items()}


def words(html: str) -> str:
    """The text of a page's main part, without markup."""
    main = html.partition('<main id="content"')[2].partition("</main>")[0]
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", main)).split())


def test_the_page_of_figures_says_them(pages: dict[str, str]) -> None:
    html, text = pages["statistics/"], words(pages["statistics/"])
    assert "Episodes 3 Time to hear it all 1 hr 45 min Average length 35 min First episode Dec 31, 2023" in text
    assert 'aria-label="February 2"' in html
    assert 'aria-label="December 1"' in html
    assert "2024 0 2 0 0 0 0 0 0 0 0 0 0 2023 0 0 0 0 0 0 0 0 0 0 0 1" in text  # the table of the same
    assert "from 15 min 1 from 20 min 0 from 25 min 0 from 30 min 1" in text or "from 10 min 1" in text
    assert "Longest: Three , 1 hr Shortest: One , 15 min" in text
    assert "Tides 3 Moon 2" in text
    assert "Ada Reef 3 Bo Fjord 2" in text
    assert "Where the reading comes from" not in text
    assert 'href="../episodes/#2024"' in html
    assert 'href="../statistics/"' in pages["people/"]  # from every page's foot


def test_the_archive_shows_its_years(pages: dict[str, str]) -> None:
    html = pages["episodes/"]
    assert [*re.findall(r'<li><a href="\./#(\d+)">', html)] == ["2024", "2023"]
    assert re.findall(r'<h2 id="(\d+)">', html) == ["2024", "2023"]
    assert html.count('class="months"') == 2


def test_a_person_is_shown_by_what_they_did_and_with_whom(pages: dict[str, str]) -> None:
    html, text = pages["people/ada/"], words(pages["people/ada/"])
    assert re.findall(r'rel="me" href="([^"]+)"', html)[:2] == ["https://ada.example/", "https://social.example/@ada"]
    headings = [re.sub("<.*?>", "", heading) for heading in re.findall(r"<h3[^>]*>(.*?)</h3>", html)]
    assert headings == ["Editor", "Host and Narrator", "Host"]
    assert "Heard together with Bo Fjord 2" in text
    assert "<h3" in pages["people/bo/"]
    assert 'class="kicker"><bdi>' not in pages["people/bo/"].partition("<section")[2]  # always the same role


def test_topics_and_seasons_say_what_they_are_about(pages: dict[str, str]) -> None:
    assert "What the moon does to the sea. 3 episodes · 1 hr 45 min".replace(" · ", " ") in words(
        pages["topics/tides/"]
    )
    assert "Comes up together with Moon 2" in words(pages["topics/tides/"])
    seasons = words(pages["seasons/"])
    assert "Salt At the coast. 2 episodes 45 min December 31, 2023 – February 2, 2024" in seasons
    assert "Season 2 1 episode 1 hr February 9, 2024" in seasons
    assert '<meta name="description" content="At the coast.">' in pages["seasons/1/"]


@pytest.mark.parametrize("site", ["small", *(path.parent.name for path in GOLDEN)])
def test_no_two_pages_have_one_title_or_one_description(site: str, pages: dict[str, str]) -> None:
    """Of all that search engines may list."""
    if site != "small":
        folder = Path(__file__).parent / "sites" / site / "expected"
        pages = {path.as_posix(): path.read_text(encoding="utf-8") for path in folder.rglob("*.html")}
    listed = {path: html for path, html in pages.items() if 'name="robots"' not in html}
    assert listed
    for pattern in (
        r"<title>(.*?)</title>",
        r'<meta name="description" content="(.*?)">',
        r'<link rel="canonical" href="(.*?)">',
    ):
        found = [re.findall(pattern, html, re.DOTALL) for html in listed.values()]
        assert all(len(each) == 1 and each[0].strip() for each in found)
        assert len({each[0] for each in found}) == len(found), pattern
