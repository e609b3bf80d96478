"""The linked site: what is out, in which order, with which identity, neighbours, topics, people and readings."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from podsite.decode import decode
from podsite.errors import Problem
from podsite.files import Files
from podsite.media import AudioFacts
from podsite.model import Episode, Show
from podsite.read import Content
from podsite.site import Site, link, show_guid

NOW = datetime(2024, 6, 1, tzinfo=UTC)
SHOW = (
    'title: "T"\ndescription: "D"\nlanguage: en\nauthor: "Jo"\nurl: https://example.org/show\n'
    "artwork: static/cover.png\ncategories: [Technology]\npeople: {jo: Jo, al: {name: Al, role: Editor}}\n"
)
GUID = "guid: 917393e3-1b1e-5cef-ace4-edaa54e1f810\n"


def decoded(text: str, kind: type, **more: str) -> Any:
    """A value of the model, as its file says."""
    found = decode(text, "x.yaml", kind)
    assert found.value is not None, found.problems
    return found.value if not more else type(found.value)(**{**_fields(found.value), **more})


def _fields(value: Any) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__dataclass_fields__}


def episode(slug: str, more: str = "", published: str = "2024-05-01") -> Episode:
    """An episode that its file and its name describe."""
    title = "" if more.startswith("title:") or "\ntitle:" in more else f'title: "{slug}"\n'
    found: Episode = decoded(
        f'{title}published: {published}\nsummary: "S"\nslug: {slug}\n{more}', Episode, file=f"episodes/{slug}.yaml"
    )
    return found


def content(*episodes: Episode, show: str = "", facts: dict[str, Any] | None = None) -> Content:
    """What reading a site gives."""
    return Content(
        root=Path(),
        show=decoded(SHOW + show, Show),
        episodes=episodes,
        pages=(),
        static=(),
        facts=facts or {},
        places={one.file: {"published": (2, 12), "topics[1]": (5, 10)} for one in episodes},
        warnings=(),
        files=Files(Path()),
    )


def site(*episodes: Episode, show: str = "", **how: Any) -> Site:
    """The linked site, about which nothing is said."""
    found, problems = link(content(*episodes, show=show), NOW, **how)
    assert problems == []
    return found


def slugs(of: Site) -> list[str]:
    """Which episodes are out, newest first."""
    return [entry.episode.slug for entry in of.entries]


class TestOrder:
    """Newest first; parts of one moment by season, number and title."""

    def test_the_newest_comes_first(self) -> None:
        """By instant, not by file name or as written."""
        found = site(
            episode("a", published='"2024-05-01 10:00 +02:00"'),
            episode("b", published='"2024-05-01 09:00 Z"'),
            episode("c", published="2024-05-01"),
        )
        assert slugs(found) == ["b", "a", "c"]

    @pytest.mark.parametrize("order", [1, -1])
    def test_equal_dates_follow_season_number_and_title(self, order: int) -> None:
        """Whatever the order of files."""
        parts = [
            episode("a", "number: 10\n"),
            episode("b", "number: 2\n"),
            episode("c", 'number: 2\ntitle: "Z"\n'),
            episode("d", "season: 2\nnumber: 1\n"),
            episode("e"),
        ]
        found, _ = link(content(*parts[::order]), NOW)
        assert slugs(found) == ["d", "a", "b", "c", "e"]

    def test_equal_dates_are_moved_by_seconds_and_told(self) -> None:
        """Apps order by date alone."""
        found, problems = link(content(*(episode(slug, f"number: {n}\n") for n, slug in enumerate("abcd"))), NOW)
        start = datetime(2024, 5, 1, tzinfo=UTC)
        assert [entry.feed_date - start for entry in reversed(found.entries)] == [
            timedelta(seconds=n) for n in range(4)
        ]
        assert all(entry.episode.published == start for entry in found.entries)
        assert str(problems[0]) == (
            "episodes/b.yaml:2:12: published: warning: another episode came out at the same moment; the feed says "
            "00:00:01 UTC so that apps keep the order; give them different times"
        )
        assert [one.place.file for one in problems] == [f"episodes/{slug}.yaml" for slug in "bcd"]

    @given(st.lists(st.integers(0, 5), max_size=12))
    def test_feed_dates_are_distinct_and_in_order(self, seconds: list[int]) -> None:
        """However many fall on one moment, or on the seconds behind it."""
        parts = [episode(f"e{n}", published=f'"2024-05-01 00:00:0{second}"') for n, second in enumerate(seconds)]
        found, _ = link(content(*parts), NOW)
        dates = [entry.feed_date for entry in found.entries]
        assert dates == sorted(set(dates), reverse=True)
        assert all(entry.feed_date >= entry.episode.published for entry in found.entries)

    def test_neighbours_are_those_in_time(self) -> None:
        """The newest has none above it, the oldest none below."""
        found = site(*(episode(slug, published=f"2024-05-0{n}") for n, slug in enumerate("abc", 1)))
        newest, middle, oldest = found.entries
        assert (found.newer(newest), found.newer(middle), found.older(middle), found.older(oldest)) == (
            None,
            newest,
            oldest,
            None,
        )

    def test_a_serial_show_has_the_same_order_in_data(self) -> None:
        """Only pages turn it round; feeds must not."""
        parts = [episode("a", published="2024-05-01"), episode("b", published="2024-05-02")]
        assert slugs(site(*parts, show="order: serial\n")) == slugs(site(*parts)) == ["b", "a"]

    def test_number_zero_is_shown(self) -> None:
        """0 is a number."""
        (entry,) = site(episode("a", "number: 0\n")).entries
        assert entry.label == "0"
        (entry,) = site(episode("a", 'number: 0\ndisplay_number: "zero"\n')).entries
        assert entry.label == "zero"


class TestOut:
    """An episode is in all outputs or in none."""

    PARTS = (
        episode("out"),
        episode("later", published="2024-07-01"),
        episode("draft", "draft: true\n"),
        episode("draft-later", "draft: true\n", published="2024-08-01"),
    )

    @pytest.mark.parametrize(
        ("how", "expected"),
        [
            ({}, ["out"]),
            ({"future": True}, ["later", "out"]),
            ({"drafts": True}, ["draft", "out"]),
            ({"drafts": True, "future": True}, ["draft-later", "later", "draft", "out"]),
        ],
    )
    def test_scheduled_episodes_and_drafts_are_out_when_asked_for(
        self, how: dict[str, bool], expected: list[str]
    ) -> None:
        """--future and --drafts, and both."""
        found, _ = link(content(*self.PARTS), NOW, **how)  # type: ignore[arg-type]
        assert sorted(slugs(found)) == sorted(expected)

    def test_scheduled_episodes_are_listed_with_their_moment(self) -> None:
        """So that nobody wonders where one is; drafts are no announcement."""
        found = site(*self.PARTS)
        assert [one.slug for one in found.scheduled] == ["later"]
        assert [one.slug for one in site(*self.PARTS[:2], future=True).scheduled] == []

    @pytest.mark.parametrize(("second", "is_out"), [(0, True), (1, False)])
    def test_the_instant_decides_not_the_date(self, second: int, is_out: bool) -> None:
        """A moment in another zone is the same moment."""
        part = episode("a", published=f'"2024-06-01 10:00:0{second} +10:00"')
        assert bool(link(content(part), NOW)[0].entries) is is_out

    def test_what_leads_to_an_episode_that_is_not_out_is_left_out_too(self) -> None:
        """Paths, topics, people, readings and references."""
        later = "topics: [t]\npeople: [al]\nfurther_reading: [https://e.org/]\n"
        parts = (episode("a", "related: [b]\n"), episode("b", later, published="2024-07-01"))
        paths = "paths: [{id: p, title: P, episodes: [b]}, {id: q, title: Q, episodes: [b, a]}]\n"
        found = site(*parts, show=paths)
        assert (found.topics, found.people, found.readings, found.entry("b")) == ((), (), (), None)
        assert [(route.id, len(route.stops)) for route in found.routes] == [("q", 1)]
        assert found.out(parts[0].related) == ()


class TestIdentity:
    """GUIDs never move."""

    @pytest.mark.parametrize(
        ("url", "path", "guid"),
        [
            ("https://podnews.net/", "rss", "9b024349-ccf0-5f69-a609-6b82873eab3c"),
            ("http://podnews.net", "rss", "9b024349-ccf0-5f69-a609-6b82873eab3c"),
            ("https://mp3s.nashownotes.com/", "pc20rss.xml", "917393e3-1b1e-5cef-ace4-edaa54e1f810"),
            ("https://podnews.net/", "rss/", "9b024349-ccf0-5f69-a609-6b82873eab3c"),
        ],
    )
    def test_a_show_without_guid_gets_the_one_of_the_podcast_guid_rule(self, url: str, path: str, guid: str) -> None:
        """The two examples of the specification; scheme and closing slash do not count."""
        text = SHOW.replace("https://example.org/show", url) + f"feed: {{path: {path}}}\n"
        assert show_guid(decoded(text, Show)) == guid

    def test_a_written_guid_stands_whatever_the_address(self) -> None:
        """It is the show's own."""
        assert show_guid(decoded(SHOW + GUID, Show)) == GUID.split()[1]

    CHANGES: tuple[Callable[[], Site], ...] = (
        lambda: site(episode("a", 'title: "Another"\nnumber: 9\n'), show=GUID),
        lambda: site(episode("a", published="2020-01-01"), show=GUID),
        lambda: site(episode("a", "audio: https://other.example/b.mp3\n"), show=GUID),
        lambda: site(episode("a"), show=GUID + "feed: {prefix: https://op3.dev/e/, path: rss.xml}\n"),
        lambda: site(episode("a"), show=GUID, base_url="http://localhost:8000/x"),
    )

    @pytest.mark.parametrize("changed", CHANGES)
    def test_an_episodes_guid_moves_with_nothing_but_its_slug(self, changed: Callable[[], Site]) -> None:
        """Not with title, date, audio, prefix, feed path or address."""
        (before,) = site(episode("a"), show=GUID).entries
        (after,) = changed().entries
        assert after.guid == before.guid == str(uuid.uuid5(uuid.UUID(GUID.split()[1]), "a"))

    def test_a_new_address_of_the_show_moves_no_guid(self) -> None:
        """Once the show's own is written down."""
        here = content(episode("a"), show=GUID)
        there = decoded(SHOW.replace("example.org/show", "moved.example") + GUID, Show)
        moved = Content(**{**_fields(here), "show": there})
        assert link(here, NOW)[0].entries[0].guid == link(moved, NOW)[0].entries[0].guid

    def test_another_slug_is_another_guid_and_a_written_one_stands(self) -> None:
        """guid: keeps an imported identity."""
        first, second = site(episode("a"), episode("b", published="2024-05-02"), show=GUID).entries
        assert first.guid != second.guid
        assert site(episode("a", 'guid: "https://old.example/?p=1"\n')).entries[0].guid == "https://old.example/?p=1"

    def test_the_preview_address_does_not_change_the_shows_guid(self) -> None:
        """--base-url is for looking at it."""
        assert site(base_url="http://localhost:8000").guid == site().guid

    @pytest.mark.parametrize("url", ["https://example.org/show", "https://example.org/show/"])
    def test_both_spellings_of_the_base_are_one(self, url: str) -> None:
        """With and without the slash."""
        assert site(base_url=url).base_url == "https://example.org/show/"


class TestGroups:
    """Topics, seasons, people and readings gather episodes."""

    def test_spellings_of_a_topic_are_merged_and_told(self) -> None:
        """The first episode's spelling is shown; MySQL and Mysql would be one folder on a Mac."""
        parts = (episode("a", "topics: [MySQL]\n"), episode("b", "topics: [Mysql, MYSQL]\n", published="2024-05-02"))
        found, problems = link(content(*parts), NOW)
        (topic,) = found.topics
        assert (topic.name, topic.address) == ("MySQL", "topics/mysql/")
        assert [entry.episode.slug for entry in topic.entries] == ["b", "a"]
        assert list(map(str, problems)) == [
            "episodes/b.yaml:5:10: topics[1]: warning: 'Mysql' is shown as 'MySQL', as episodes/a.yaml writes it; "
            "spell the topic one way"
        ]

    def test_topics_of_every_script_have_pages_of_their_own(self) -> None:
        """C, C++ and C# are three things."""
        found = site(episode("a", 'topics: ["C", "C++", "C#", "Обзор", "日本"]\n'))
        assert [topic.address for topic in found.topics] == [
            "topics/c/", "topics/c-sharp/", "topics/cpp/", "topics/обзор/", "topics/日本/"
        ]  # fmt: skip

    def test_seasons_are_in_their_order(self) -> None:
        """Season 10 after season 2; 0 is one, too."""
        parts = [episode(f"e{n}", f"season: {n}\n", published=f"2024-05-{n + 1:02}") for n in (10, 2, 0)]
        assert [season.name for season in site(*parts).seasons] == ["Season 0", "Season 2", "Season 10"]

    def test_people_are_gathered_with_their_roles(self) -> None:
        """In the order of show.yaml; the usual role where an episode gives none."""
        parts = (
            episode("a", "people: [al, jo]\n"),
            episode("b", "people: [{person: jo, role: Guest}]\n", published="2024-05-02"),
        )
        jo, al = site(*parts).people
        assert (jo.id, jo.roles, len(jo.entries)) == ("jo", ("Guest", "Host"), 2)
        assert (al.id, al.roles, [entry.episode.slug for entry in al.entries]) == ("al", ("Editor",), ["a"])
        assert [(who.id, who.role, who.group) for who in site(*parts).entries[1].people] == [
            ("al", "Editor", "Writing"),
            ("jo", "Host", "Cast"),
        ]

    def test_one_reading_is_listed_once_with_all_that_cite_it(self) -> None:
        """However its address is spelt; the first episode's words are kept."""
        parts = (
            episode("a", 'further_reading: [{url: https://www.e.org/x/, title: "X"}, https://e.org/y]\n'),
            episode("b", 'further_reading: [{url: "http://e.org/x#p", title: "Other"}]\n', published="2024-05-02"),
        )
        first, second = site(*parts).readings
        assert (first.reading.title, [entry.episode.slug for entry in first.entries]) == ("X", ["a", "b"])
        assert [entry.episode.slug for entry in second.entries] == ["a"]

    def test_a_path_sums_up_what_is_known(self) -> None:
        """And keeps its own order."""
        parts = (
            episode("a", "audio: {url: https://e.org/a.mp3, duration: 10:00}\n"),
            episode("b", "audio: https://e.org/b.mp3\n", published="2024-05-02"),
        )
        (route,) = site(*parts, show='paths: [{id: p, title: P, episodes: [a, {episode: b, reason: "R"}]}]\n').routes
        assert [(stop.entry.episode.slug, stop.reason) for stop in route.stops] == [("a", None), ("b", "R")]
        assert route.duration == 600


class TestAudio:
    """What is played, from the file's facts or from what is written."""

    def test_facts_of_the_file_complete_what_is_written(self) -> None:
        """A local file lies with its episode's page."""
        part = episode("a", "audio: {file: episodes/001-a.mp3}\n")
        found, _ = link(content(part, facts={"episodes/001-a.mp3": AudioFacts(4056, 61)}), NOW)
        audio = found.entries[0].audio
        assert audio is not None
        assert (audio.address, audio.type, audio.length, audio.duration) == (
            "episodes/a/001-a.mp3",
            "audio/mpeg",
            4056,
            61,
        )

    @pytest.mark.parametrize(
        ("written", "kind"),
        [
            ("https://op3.dev/e/h/a.m4a?x=1&y=2", "audio/x-m4a"),
            ("{url: https://e.org/a.m4a, type: audio/mp4}", "audio/mp4"),
            ("https://e.org/a.opus", "audio/ogg"),
        ],
    )
    def test_the_type_comes_from_the_path_unless_written(self, written: str, kind: str) -> None:
        """A query is no ending."""
        audio = site(episode("a", f"audio: {written}\n")).entries[0].audio
        assert audio is not None
        assert audio.type == kind

    def test_nothing_is_invented(self) -> None:
        """What is unknown stays so."""
        audio = site(episode("a", "audio: https://e.org/a.mp3\n")).entries[0].audio
        assert audio is not None
        assert (audio.length, audio.duration) == (None, None)
        assert site(episode("a")).entries[0].audio is None


def test_an_empty_site_is_a_site() -> None:
    """Before the first episode."""
    found = site()
    assert (found.entries, found.updated, found.topics) == ((), None, ())


def test_the_site_is_as_new_as_its_newest_episode() -> None:
    """No clock is read."""
    found = site(episode("a"), episode("b", published="2024-05-09"))
    assert found.updated == datetime(2024, 5, 9, tzinfo=UTC)


@given(
    st.permutations([episode(f"e{n}", f"topics: [T{n % 2}]\n", published=f"2024-05-0{n % 3 + 1}") for n in range(5)])
)
def test_linking_does_not_depend_on_the_order_of_files(parts: list[Episode]) -> None:
    """Neither does what is said."""

    def told(of: tuple[Site, list[Problem]]) -> Any:
        found, problems = of
        return [(one.episode.slug, one.feed_date, one.guid) for one in found.entries], sorted(problems)

    assert told(link(content(*parts), NOW)) == told(link(content(*sorted(parts, key=lambda one: one.slug)), NOW))
