"""Promises of podsite.relations: what is heard first, what else recommends a thing, what goes well together and why."""

from __future__ import annotations

import cProfile
import marshal
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from podsite.decode import decode
from podsite.files import Files
from podsite.model import Episode, Show
from podsite.parts import Reading
from podsite.read import Content
from podsite.relations import MOST_ALSO, MOST_FIRST, MOST_KIN, Relations
from podsite.site import Entry, Site, link

SHOW = """
title: T
description: D
language: en
author: A
url: https://example.org/
artwork: static/a.jpg
categories: [Technology]
guid: 917393e3-1b1e-5cef-ace4-edaa54e1f810
"""
BEGIN = datetime(2020, 1, 1, tzinfo=UTC)


def episode(number: int, **facts: object) -> Episode:
    """An episode of a day, `e3`."""
    return Episode(
        title=f"E{number}", published=BEGIN + timedelta(days=number), summary="S", slug=f"e{number}",
        file=f"episodes/{number:05}.yaml", **facts,  # type: ignore[arg-type]
    )  # fmt: skip


def related(*episodes: Episode) -> Relations:
    """The ties of a site with these episodes."""
    show = decode(SHOW, "show.yaml", Show).value
    assert show is not None
    root = Path("/nowhere")
    content = Content(
        root=root, show=show, episodes=episodes, pages=(), static=(), facts={}, places={}, warnings=(),
        files=Files(root),
    )  # fmt: skip
    return Relations(link(content, BEGIN + timedelta(days=100_000))[0])


def slugs(entries: object) -> list[str]:
    """Episodes by their slugs."""
    return [entry.episode.slug for entry in entries]  # type: ignore[attr-defined]


def kin(relations: Relations, slug: str) -> list[tuple[str, bool, int, bool, list[str]]]:
    """What goes well with an episode."""
    entry = relations.site.entry(slug)
    assert entry
    found = relations.of(entry).kin
    return [(o.entry.episode.slug, o.named, o.links, o.follows, [t.name for t in o.topics]) for o in found]


def first(relations: Relations, slug: str) -> list[str]:
    """What is heard before an episode."""
    entry = relations.site.entry(slug)
    assert entry
    return slugs(relations.of(entry).first)


def read(*names: str) -> dict[str, tuple[Reading, ...]]:
    """Readings of these names."""
    return {"further_reading": tuple(Reading(url=f"https://example.org/{name}") for name in names)}


def test_all_that_leads_to_an_episode_is_heard_first_in_order() -> None:
    """What they require too, each once, nothing before what it requires, else by date."""
    relations = related(
        episode(1), episode(2, requires=("e1",)), episode(3), episode(4, requires=("e3", "e2")),
        episode(5, requires=("e4", "e1")), episode(6, requires=("e7",)), episode(7),
    )  # fmt: skip
    assert first(relations, "e5") == ["e1", "e3", "e2", "e4"]
    assert first(relations, "e6") == ["e7"]
    assert first(relations, "e1") == []


def test_of_a_long_way_the_last_steps_are_told() -> None:
    """Those it requires, but not what these require already."""
    chain = [episode(n, requires=tuple(f"e{m}" for m in (n - 1, n - 2) if m > 0)) for n in range(1, 40)]
    relations = related(*chain, episode(50, requires=("e3", "e30", "e39")), episode(51, requires=("e50",)))
    assert first(relations, "e8") == [f"e{n}" for n in range(1, 8)]
    assert first(relations, f"e{MOST_FIRST + 1}") == [f"e{n}" for n in range(1, MOST_FIRST + 1)]
    assert first(relations, f"e{MOST_FIRST + 2}") == [f"e{MOST_FIRST + 1}"]
    assert first(relations, "e50") == ["e39"]
    assert first(relations, "e51") == ["e50"]


def test_a_reading_tells_who_else_recommends_it() -> None:
    """The nearest before and after, by whichever of its addresses; of many it says that there are others."""
    relations = related(*(episode(n, **read("a", f"own{n}")) for n in range(1, 8)))
    middle, edge = relations.site.entry("e4"), relations.site.entry("e1")
    assert middle
    assert edge
    shared, own = relations.of(middle).reads
    assert (slugs(shared.also), shared.more) == (["e2", "e3", "e5", "e6"], True)
    assert (own.also, own.more) == ((), False)
    assert (slugs(relations.of(edge).reads[0].also), MOST_ALSO) == (["e2", "e3"], 4)
    few = related(episode(1, **read("a")), episode(2, **read("a")))
    one = few.site.entry("e1")
    assert one
    assert not few.of(one).reads[0].more


def test_a_reading_is_completed_by_what_others_say() -> None:
    """Its kind, authors, year and archived copy; the remark of another episode is not taken over."""
    url = "https://example.org/a"
    told = Reading(
        url=url, title="A", kind="paper", authors=("B C",), year=2020, note="N", archive="https://a.example/"
    )
    relations = related(episode(1, further_reading=(Reading(url=url),)), episode(2, further_reading=(told,)))
    entry = relations.site.entry("e1")
    assert entry
    found = relations.of(entry).reads[0].reading
    assert (found.title, found.kind, found.year, found.archive, found.note) == ("A", "paper", 2020, told.archive, None)


def test_what_goes_well_with_an_episode_is_told_with_the_reason() -> None:
    """Those it names, in its order; then those that name it, share links, build on it, share topics."""
    relations = related(
        episode(1, topics=("A", "B"), **read("x", "y")),
        episode(2, topics=("A",)),
        episode(3, topics=("C",), **read("y", "x")),
        episode(4, requires=("e1",)),
        episode(5, related=("e1", "e3")),
    )
    assert kin(relations, "e1") == [
        ("e3", False, 2, False, []),
        ("e5", True, 0, False, []),
        ("e4", False, 0, True, []),
        ("e2", False, 0, False, ["A"]),
    ]
    assert kin(relations, "e5") == [("e1", True, 0, False, []), ("e3", True, 0, False, [])]


def test_what_is_heard_first_is_not_told_twice() -> None:
    """Nor is the episode itself."""
    relations = related(episode(1, topics=("A",)), episode(2, topics=("A",), requires=("e1",)))
    assert kin(relations, "e2") == []
    assert [one[0] for one in kin(relations, "e1")] == ["e2"]


def test_the_nearest_in_time_come_first_and_a_new_episode_changes_few() -> None:
    """Of a topic with many episodes only the neighbours of a new one tell of it."""
    many = [episode(n, topics=("A",)) for n in range(1, 60)]
    before, after = related(*many), related(*many, episode(60, topics=("A",)))
    assert [one[0] for one in kin(before, "e30")] == ["e29", "e31", "e28", "e32"]
    changed = [one.slug for one in many if kin(before, one.slug) != kin(after, one.slug)]
    assert changed == ["e58", "e59"]


LISTS = st.lists(st.integers(1, 12), max_size=3, unique=True)


@given(st.lists(st.tuples(LISTS, LISTS, LISTS, st.lists(st.sampled_from("ABC"), max_size=3)), min_size=2, max_size=12))
def test_ties_hold_their_rules_whatever_the_site(made: list[tuple[list[int], list[int], list[int], list[str]]]) -> None:
    """Nothing is its own kin, nothing comes twice, lists are short, the key is data and tells ties apart."""
    count = len(made)
    episodes = [
        episode(
            n,
            requires=tuple(f"e{m}" for m in requires if m < n),
            related=tuple(f"e{m}" for m in named if m <= count and m != n),
            topics=tuple(topics),
            **read(*map(str, links)),
        )
        for n, (requires, named, links, topics) in enumerate(made, 1)
    ]
    relations = related(*episodes)
    for entry in relations.site.entries:
        ties = relations.of(entry)
        others = slugs(one.entry for one in ties.kin)
        named = slugs(relations.site.out(entry.episode.related))
        assert others[: len(named)] == named
        assert len(others) == len({*others}) <= max(MOST_KIN, len(named))
        assert entry.episode.slug not in others
        assert {*others} - {*named} == {*others} - {*named} - {*slugs(ties.first)}
        seen: set[Entry] = set()
        for step in ties.first:
            known = {*relations.site.out(step.episode.requires)} & {*ties.first}
            assert known <= seen
            seen.add(step)
        assert all(one.named or one.links or one.follows or one.topics for one in ties.kin)
        assert ties.key(entry) == Relations(relations.site).of(entry).key(entry)


def test_work_grows_with_the_number_of_episodes() -> None:
    """However many share one topic and one link, and stand in one row of requirements."""

    def calls(count: int) -> int:
        chain = [
            episode(n, topics=("A", "B"), requires=(f"e{n - 1}",) if n > 1 else (), **read("x", f"y{n}"))
            for n in range(1, count + 1)
        ]
        relations = related(*chain)
        profile = cProfile.Profile()
        profile.runcall(lambda: [relations.of(entry) for entry in relations.site.entries])
        return sum(one.callcount for one in profile.getstats())

    assert calls(1000) < 11 * calls(100)


def test_the_site_type_is_what_ties_are_made_of() -> None:
    """A site without episodes has none."""
    assert isinstance(related().site, Site)
    assert related().recommended(()) == ()


def test_the_key_of_ties_tells_all_that_is_said_of_them() -> None:
    """Whatever differs in them that other episodes' own versions do not tell; it is data that can be kept."""
    relations = related(
        episode(1, topics=("A", "B"), **read("x")), episode(2, topics=("A",), **read("x")),
        episode(3, requires=("e1",)), episode(4, requires=("e3",), topics=("B",), **read("x")),
    )  # fmt: skip
    one, other, third = (relations.site.entry(slug) for slug in ("e4", "e2", "e1"))
    assert one
    assert other
    assert third
    ties = relations.of(one)
    (said,), (kin_, *_) = ties.reads, ties.kin
    reads = [
        replace(said, also=()), replace(said, more=not said.more),
        replace(said, reading=replace(said.reading, year=1)), replace(said, reading=replace(said.reading, title="T")),
    ]  # fmt: skip
    kinds = [
        replace(kin_, entry=third), replace(kin_, named=not kin_.named), replace(kin_, links=7),
        replace(kin_, follows=not kin_.follows), replace(kin_, topics=third.topics),
    ]  # fmt: skip
    others = [replace(ties, reads=(each,)) for each in reads]
    others += [replace(ties, kin=(each, *ties.kin[1:])) for each in kinds]
    others += [replace(ties, first=()), replace(ties, first=ties.first[::-1]), replace(ties, kin=())]
    keys = [marshal.dumps(each.key(one), 2) for each in (ties, *others)]
    assert len({*keys}) == len(keys)
    assert marshal.loads(keys[0]) == ties.key(one)


def night(n: int, more: str = "further_reading: []") -> str:
    """An episode file."""
    return (
        f'title: "Night {n}"\nslug: night-{n}\nnumber: {n}\npublished: 2025-03-{n:02}\nsummary: "Dark."\n'
        f"people: [ada]\n{more}\n"
        f"audio: {{url: 'https://cdn.example.com/{n}.mp3', length: 1000000, duration: 60}}\n"
    )


FILES: dict[str, str | None] = {
    "episodes/001-first-night.yaml": None,
    "episodes/001-first-night.mp3": None,
    "episodes/1.yaml": night(1, "topics: [Sea]\nfurther_reading: ['https://example.com/a']"),
    "episodes/2.yaml": night(2, "further_reading: ['http://www.example.com/a/?utm_source=x']"),
    "episodes/3.yaml": night(3, "requires: [night-2]"),
    "episodes/4.yaml": night(4, "requires: [night-3]"),
    "episodes/5.yaml": night(5),
}


def test_pages_tell_ties_in_words(site: Callable[..., Path], build: Callable[..., Path]) -> None:
    """Who else recommends a thing, what goes well and why, and the way to an episode."""
    pages = build(site(FILES))
    one, two, four = ((pages / f"episodes/night-{n}/index.html").read_text("utf-8") for n in (1, 2, 4))
    assert re.search(r'Also recommended in\s+<a href="../night-2/"', one)
    assert '<span class="aside">shares 1 link</span>' in one
    assert '<span class="aside">builds on this one</span>' in two
    before = four.partition('id="first"')[2].partition("</section>")[0]
    assert re.findall(r'href="../(night-\d)/"', before) == ["night-2", "night-3"]
    cited = re.sub("<[^>]*>", "", one.partition('id="citation">')[2].partition("</p>")[0])
    assert cited == (
        "Reef, A. (Host). (2025, March 1). Night 1 (No. 1) [Audio podcast episode]. In Quiet Hours. "
        "https://example.org/quiet/episodes/night-1/"
    )


#: Edits of an episode that change what is said on the page of another, which does not name it yet, or not any more.
EDITS = {
    "a topic is shared": (5, "topics: [Sea]", 1),
    "a link is shared": (5, "further_reading: ['https://m.example.com/a']", 1),
    "a link is shared no more": (2, "further_reading: []", 1),
    "a reading has a year elsewhere": (
        2,
        "further_reading: [{url: 'https://example.com/a', year: 1999, kind: book}]",
        1,
    ),
    "what is required requires more": (3, "requires: [night-2, night-1]", 4),
    "what is required requires less": (3, "requires: []", 4),
    "an episode builds on it": (5, "requires: [night-1]", 1),
    "an episode names it": (5, "related: [night-1]", 1),
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the site lies that is edited; the first test that needs it builds it."""
    return tmp_path_factory.mktemp("ties") / "site"


@pytest.mark.thorough(but_each=8)
@pytest.mark.parametrize("edit", EDITS)
def test_a_page_is_made_again_when_its_ties_change(  # noqa: PLR0917
    edit: str,
    built: Path,
    site: Callable[..., Path],
    build: Callable[..., Path],
    tree: Callable[..., dict[str, bytes]],
    warm: Path,
) -> None:
    """By edits of other episodes; and comes out as if it had been made from nothing."""
    root = built if built.exists() else site(FILES, folder=str(built))
    before = tree(build(root))
    edited, text, told = EDITS[edit]
    (root / f"episodes/{edited}.yaml").write_text(night(edited, text), encoding="utf-8")
    after = tree(build(root))
    page = f"episodes/night-{told}/index.html"
    assert before[page] != after[page]
    fresh = shutil.copytree(root, root.with_name("fresh"), ignore=shutil.ignore_patterns("output", ".podsite"))
    shutil.copytree(warm / "image", fresh / ".podsite/image")
    assert tree(build(fresh)) == after
    shutil.rmtree(fresh)
    (root / f"episodes/{edited}.yaml").write_text(FILES[f"episodes/{edited}.yaml"] or "", encoding="utf-8")
    assert tree(build(root)) == before
