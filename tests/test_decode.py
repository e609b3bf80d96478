"""Decoding: every key with its shorthands, texts typed by field, problems at their places, and no text that fails."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields
from datetime import UTC, datetime, time
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from podsite import parts, shapes
from podsite.decode import Clock, Decoded, decode
from podsite.model import Episode, PageHead, Show

ROOT = Path(__file__).parents[1]
EPISODE = 'title: "T"\npublished: 2024-05-01\nsummary: "S"\n'
SHOW = (
    'title: "T"\ndescription: "D"\nlanguage: en\nauthor: "Jo"\nurl: https://example.org/\n'
    "artwork: static/cover.png\ncategories: [Technology]\n"
)
FULL_SHOW = (
    SHOW
    + """
explicit: no
order: serial
owner: {name: "Jo", email: jo@example.org}
copyright: "2024 Jo"
license: {name: "My terms", url: https://example.org/terms}
guid: 917393E3-1B1E-5CEF-ACE4-EDAA54E1F810
locked: false
timezone: Europe/Berlin
publish_time: 06:00
people:
  jo: {name: "Jo", role: host, group: cast, url: https://example.org/jo, image: static/jo.jpg, bio: "Hello.",
    links: [https://social.example/@jo, https://jo.example/]}
  al: "Al"
funding: [{url: https://example.org/give, text: "Give"}, https://example.org/more]
listen: {apple: 1566080008, spotify: https://open.spotify.com/show/x}
trailer: {title: "Hello", url: static/t.mp3, published: 2024-01-01, length: 20_000_000, type: audio/mpeg, season: 1}
medium: mixed
remote_items: 917393e3-1b1e-5cef-ace4-edaa54e1f810
location: [{name: "Berlin", rel: creator, geo: "geo:52.52,13.40", osm: R62422, country: DE}, "Paris"]
txt: [{text: "abc", purpose: verify}, "free"]
complete: true
block: [all, {service: google, allowed: yes}, spotify]
podping: true
spotify: {countries: [DE, AT], newest: 20}
apple_title: "T on Apple"
seasons: {1: "The beginning", 02: {name: "The rest", description: "All of it."}}
topics: {"Seas & tides": "What moves the water."}
translations: {de: https://example.org/de/}
chat: {server: irc.example.org, protocol: irc, account_id: "@jo", space: "#t"}
images:
  - static/wide.jpg
  - {image: https://example.org/b.png, alt: "B", aspect_ratio: 16/9, width: 1600, height: 900, type: image/png,
    purpose: banner social}
live:
  - id: one
    title: "Live"
    start: 2024-01-01 20:00 +01:00
    end: 2024-01-01 21:00 +01:00
    status: ended
    summary: "We talk."
    audio: https://example.org/live.mp3
    content_links: {url: https://example.org/live, text: "Watch"}
    images: static/live.jpg
    chat: {server: example.org, protocol: xmpp}
update_frequency: {text: "weekly", start: 2024-01-01, rrule: FREQ=WEEKLY}
podroll: [{feed_guid: 917393e3-1b1e-5cef-ace4-edaa54e1f810, feed_url: https://example.org/f, title: "F"}]
publisher: {feed_guid: 917393e3-1b1e-5cef-ace4-edaa54e1f810, medium: publisher}
value:
  - type: lightning
    method: keysend
    suggested: 0.00000005
    recipients: [{type: node, address: a, split: 99, name: "Jo", custom_key: "k", custom_value: "v", fee: true}]
    time_splits: [{start: 60, duration: 90, remote_percentage: 50, remote_start: 0,
      remote_item: {feed_guid: 917393e3-1b1e-5cef-ace4-edaa54e1f810, item_guid: x}}]
feed: {path: feed.xml, limit: 300, aliases: [rss.xml], new_feed_url: https://example.org/new.xml, prefix: https://op3.dev/e/,
  hub: https://hub.example.org/, topics: true, seasons: [1], paths: [{name: start}], alternates: opus}
navigation: [{title: "About", url: /about/}]
search: required
theme:
  {cards: false, embed: false, exports: false, markdown: false, player: {back: 10, forward: 20}, accent: "#b4451f",
   notice: "*Read*", fonts: serif,
   footer: "*Bye*", social: [{title: "M", url: https://example.org/@m}]}
paths: [{id: start, title: "Start", description: "D", episodes: [one, {episode: two, reason: "R"}]}]
cname: podcast.example.org
words:
  Subscribe: Follow
  "%(num)s episode":
    {zero: no shows, one: a show, two: a pair of shows, few: some shows, many: many shows, other: "%(num)s shows"}
extra: {anything: [1, 2.5, true, null, text]}
x-mine: {anything: goes}
"""
).replace("20_000_000", "20000000")
FULL_EPISODE = (
    EPISODE
    + """
slug: the-slug
notes: "*Notes*"
further_reading:
  - https://example.org/a
  - {url: https://example.org/b, title: "B", kind: paper, authors: ["A", "B"], year: 2020, note: "N", archive: https://example.org/c}
number: 010
display_number: "10a"
translations: {de: https://example.org/de/episodes/eins/}
season: 2
kind: bonus
audio:
  file: a.mp3
  length: 1000000
  type: audio/mpeg
  duration: 1:02:03
  alternates: [a.opus, {url: https://example.org/a.m4a, type: audio/x-m4a, length: 1000000, bitrate: 64000, height: 720,
    language: de, title: "Deutsch", rel: "dub", codecs: "mp4a.40.2", default: false, integrity: sha384-abc,
    sources: [ipfs://abc, {uri: https://example.org/a.torrent, type: application/x-bittorrent}]}]
link: https://example.org/original
image: a.jpg
people: [jo, {person: al, role: Guest, group: Cast}]
topics: [Rust, "C++"]
requires: [one]
related: [two]
chapters: [{start: 0, title: "Intro", url: https://example.org/, image: i.jpg}, {start: 1:30, title: "News"}]
transcript: {file: a.vtt, language: en, captions: false, speakers: {SPEAKER_00: ezyang}}
soundbites: [{start: 60, duration: 30, title: "Best"}]
quotes: ["Q", {text: "Q", start: 1:00, duration: 5, person: jo}]
explicit: clean
guid: "urn:x:1"
draft: yes
aliases: [/old/path/]
license: CC-BY-4.0
location: "Berlin"
social:
  - {protocol: activitypub, uri: https://example.org/1, account_id: "@m", account_url: https://e.org/@m, priority: 1}
value: {type: lightning, method: keysend, recipients: {type: lnaddress, address: a@example.org, split: 1}}
txt: "abc"
funding: https://example.org/give
content_links: [{url: https://example.org/watch, text: "Watch"}]
images: [a-wide.jpg]
chat: {server: example.org, protocol: matrix}
block: true
apple_title: "T on Apple"
extra: {mine: 1}
"""
)
GOOD = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "episodes").glob("*.yaml"))]
GOOD += [FULL_SHOW, FULL_EPISODE, (ROOT / "show.yaml").read_text(encoding="utf-8")]


def episode(more: str = "", head: str = EPISODE) -> Episode:
    """An episode's file that must be without errors."""
    found = decode(head + more, "e.yaml", Episode)
    assert found.value is not None, found.problems
    return found.value


def show(more: str = "") -> Show:
    """A show.yaml that must be without errors."""
    found = decode(SHOW + more, "show.yaml", Show)
    assert found.value is not None, found.problems
    return found.value


def said(found: Decoded[Any]) -> list[str]:
    """The messages without the file's name."""
    return [str(one).partition(":")[2] for one in found.problems]


def records(shape: shapes.Shape, seen: set[type]) -> Iterator[shapes.Record]:
    """Every mapping of the model below a shape, once."""
    match shape:
        case shapes.Record():
            if shape.kind not in seen:
                seen.add(shape.kind)
                yield shape
                for key in shape.keys.values():
                    yield from records(key.shape, seen)
        case shapes.Listing() | shapes.Table():
            yield from records(shape.item, seen)
        case _:
            return


RECORDS = [*records(shapes.shape(Show), set()), *records(shapes.shape(Episode), set())]


class TestEveryKey:
    """What the design promises can be written is read."""

    @pytest.mark.parametrize(("kind", "text"), [(Show, FULL_SHOW), (Episode, FULL_EPISODE)], ids=["show", "episode"])
    def test_every_key_is_accepted(self, kind: type, text: str) -> None:
        """The example holds each key of the model, and nothing is said against it."""
        found = decode(text, "x.yaml", kind)
        assert said(found) == []
        assert {key for key in shapes.shape(kind).keys if key not in found.places} == set()

    @pytest.mark.thorough(but_each=4)
    @pytest.mark.parametrize("record", RECORDS, ids=lambda one: one.kind.__name__)
    def test_every_nested_key_is_accepted(self, record: shapes.Record) -> None:
        """Each key of each part of the model stands in one of the examples."""
        written = {path.rpartition(".")[2] for path in decode(FULL_SHOW, "x", Show).places}
        written |= {path.rpartition(".")[2] for path in decode(FULL_EPISODE, "x", Episode).places}
        assert set(record.keys) - written == set()

    @pytest.mark.parametrize("record", RECORDS, ids=lambda one: one.kind.__name__)
    def test_a_slip_in_any_key_is_answered_with_the_key_meant(self, record: shapes.Record) -> None:
        """At every level, for every key: two letters swapped or one doubled."""
        for name in record.keys:
            text = "".join(f"{other}: x\n" for other in record.keys if other != name)
            slip = name + name[-1]
            (problem,) = [
                one
                for one in decode(text + f"{slip}: x\n", "x.yaml", record.kind).problems
                if "unknown key" in one.message
            ]
            assert problem.message == f"unknown key '{slip}' (did you mean '{name}'?)"
            assert problem.place.line == len(record.keys)

    @pytest.mark.parametrize(
        ("short", "long"),
        [
            ("audio: a.mp3", "audio: {file: a.mp3}"),
            ("audio: https://example.org/a.mp3", "audio: {url: https://example.org/a.mp3}"),
            ("audio: {file: a.mp3, alternates: a.opus}", "audio: {file: a.mp3, alternates: [{file: a.opus}]}"),
            ("transcript: a.vtt", "transcript: {file: a.vtt}"),
            ("people: [jo]", "people: [{person: jo}]"),
            ("people: jo", "people: [{person: jo}]"),
            ("further_reading: [https://e.org/]", "further_reading: [{url: https://e.org/}]"),
            ("further_reading: {url: https://e.org/}", "further_reading: [{url: https://e.org/}]"),
            ("quotes: [Q]", "quotes: [{text: Q}]"),
            ("license: CC-BY-4.0", "license: {name: CC-BY-4.0}"),
            ("location: Berlin", "location: [{name: Berlin}]"),
            ("txt: a", "txt: [{text: a}]"),
        ],
    )
    def test_one_scalar_stands_for_a_mapping_with_one_main_field(self, short: str, long: str) -> None:
        """And one such mapping for a list of one."""
        assert episode(short) == episode(long)

    @pytest.mark.parametrize(
        ("short", "long"),
        [
            ("people: {jo: Jo}", "people: {jo: {name: Jo}}"),
            ("seasons: {1: A}", "seasons: {1: {name: A}}"),
            ("funding: https://e.org/", "funding: [{url: https://e.org/}]"),
            ("update_frequency: weekly", "update_frequency: {text: weekly}"),
            ("paths: [{id: a, title: A, episodes: one}]", "paths: [{id: a, title: A, episodes: [{episode: one}]}]"),
        ],
    )
    def test_the_show_has_its_shorthands_too(self, short: str, long: str) -> None:
        """Wherever one field says it all."""
        assert show(short) == show(long)

    @pytest.mark.parametrize("key", ["notes", "number", "guid", "topics", "audio", "kind", "draft"])
    def test_an_optional_key_without_value_counts_as_left_out(self, key: str) -> None:
        """As in a file begun from a template."""
        assert episode(f"{key}:\n") == episode()

    @pytest.mark.parametrize("key", ["number", "audio", "season", "explicit"])
    @pytest.mark.parametrize("nothing", ["~", "null"])
    def test_a_written_nothing_is_nothing(self, key: str, nothing: str) -> None:
        """Where no text is meant."""
        assert episode(f"{key}: {nothing}\n") == episode()

    def test_keys_that_begin_with_x_are_free(self) -> None:
        """At every level, whatever they hold."""
        assert episode("x-mine: {a: [b]}\naudio: {file: a.mp3, x-note: later}") == episode("audio: a.mp3")

    def test_extra_keeps_the_types_a_template_needs(self) -> None:
        """true, false, null and numbers; everything else is text."""
        text = 'extra: {a: true, b: 7, c: 2.5, d: null, e: no, f: 010, g: "7", h: [1, x], i: {j: 1:30}, k: 2024-05-01}'
        assert episode(text).extra == {
            "a": True, "b": 7, "c": 2.5, "d": None, "e": "no", "f": "010", "g": "7", "h": (1, "x"),
            "i": {"j": "1:30"}, "k": "2024-05-01",
        }  # fmt: skip


class TestTextTypedByField:
    """A scalar is what its field says, never what YAML 1.1 thinks."""

    @pytest.mark.parametrize(
        "text",
        ["No", "no", "On", "Yes", "Null", "~", "1984", "3.10", "1_000", "1:30", "2024-05-01", "0x1F", "1e3", ".5", "="],
    )
    def test_a_title_is_the_text_as_written(self, text: str) -> None:
        """Not false, not a float, not a date."""
        assert episode(head=f'title: {text}\npublished: 2024-05-01\nsummary: "S"\n').title == text

    def test_norwegian_is_a_language(self) -> None:
        """Its code is no boolean."""
        assert decode(SHOW.replace("language: en", "language: no"), "show.yaml", Show).value.language == "no"  # type: ignore[union-attr]

    @pytest.mark.parametrize(("text", "number"), [("010", 10), ("08", 8), ("016", 16), ("0", 0), ('"7"', 7)])
    def test_a_number_is_decimal(self, text: str, number: int) -> None:
        """And 0 is a number, not nothing."""
        assert episode(f"number: {text}").number == number

    @pytest.mark.parametrize(
        ("text", "seconds"), [("59:30", 3570), ("1:02:03", 3723), ("00:59:30", 3570), ("1:02:03.5", 3723), ("754", 754)]
    )
    def test_a_duration_is_seconds(self, text: str, seconds: int) -> None:
        """However it is spelt."""
        audio = episode(f"audio: {{file: a.mp3, duration: {text}}}").audio
        assert audio is not None
        assert audio.duration == seconds

    @pytest.mark.parametrize(("text", "value"), [("yes", True), ("no", False), ("True", True), ("clean", False)])
    def test_a_boolean_field_reads_yes_and_no(self, text: str, value: bool) -> None:
        """And the words of older feeds for explicit."""
        assert episode(f"explicit: {text}").explicit is value

    def test_a_quoted_value_of_another_type_is_typed_all_the_same(self) -> None:
        """Quotes never hurt."""
        found = episode('number: "7"\ndraft: "no"\nkind: "bonus"\nseason: "01"')
        assert (found.number, found.draft, found.kind, found.season) == (7, False, "bonus", 1)

    def test_a_long_text_may_be_folded(self) -> None:
        """Lines of a plain or folded text are joined."""
        assert episode(head="title: One\n  two\npublished: 2024-05-01\nsummary: >-\n  a\n  b\n").title == "One two"


class TestDates:
    """Dates without zone are meant in the show's."""

    def test_an_episode_is_read_by_the_clock_it_is_given(self) -> None:
        """A bare date is the publish time in the show's zone."""
        clock = Clock(ZoneInfo("Europe/Berlin"), time(6))
        found = decode(EPISODE, "e.yaml", Episode, clock).value
        assert found is not None
        assert found.published == datetime(2024, 5, 1, 4, tzinfo=UTC)

    @pytest.mark.parametrize("order", [1, -1])
    def test_the_show_reads_its_own_dates_by_its_own_clock(self, order: int) -> None:
        """Wherever in the file zone and publish time stand."""
        lines = [
            "timezone: Asia/Tokyo\npublish_time: 09:00\n",
            'trailer: {title: "T", url: a.mp3, published: 2024-05-02}\n',
        ]
        trailer = show("".join(lines[::order])).trailer
        assert trailer is not None
        assert trailer.published == datetime(2024, 5, 2, 0, tzinfo=UTC)

    def test_without_a_zone_utc_is_meant(self) -> None:
        """Never the machine's own."""
        assert episode().published == datetime(2024, 5, 1, tzinfo=UTC)


class TestYaml:
    """The parts of YAML that people use work; those that build things do not."""

    @pytest.mark.parametrize(
        "text", ["---\n" + EPISODE, EPISODE + "...\n", "%YAML 1.1\n---\n" + EPISODE, "\ufeff" + EPISODE]
    )
    def test_document_marks_and_a_byte_order_mark_are_fine(self, text: str) -> None:
        """One document is one document."""
        assert decode(text, "e.yaml", Episode).value == episode()

    def test_windows_line_ends_are_fine(self) -> None:
        """Git may have put them there."""
        assert decode(FULL_EPISODE.replace("\n", "\r\n"), "e.yaml", Episode).value == episode(head=FULL_EPISODE)

    def test_a_tab_behind_a_value_is_fine(self) -> None:
        """YAML 1.2 allows it, and nobody sees it."""
        assert episode('number: 7\t# seven\nlink: "https://e.org/"\t\n').number == 7

    def test_keys_merged_from_a_mapping_give_way_to_written_ones(self) -> None:
        """They override without being duplicates."""
        found = episode("x-defaults: &d {kind: bonus, season: 3}\n<<: *d\nseason: 4\n")
        assert (found.kind, found.season) == ("bonus", 4)

    def test_several_mappings_may_be_merged(self) -> None:
        """The first that has a key counts."""
        found = episode("x-a: &a {kind: bonus}\nx-b: &b {kind: trailer, season: 3}\n<<: [*a, *b]\n")
        assert (found.kind, found.season) == ("bonus", 3)

    def test_an_alias_repeats_a_value(self) -> None:
        """Now and then it is handy."""
        assert episode("x-jo: &jo {person: jo, role: Host}\npeople: [*jo]\n").people[0].role == "Host"

    def test_an_unknown_alias_is_a_problem(self) -> None:
        """It begins with an asterisk, which a text may not."""
        assert said(decode(EPISODE + "topics:\n  - *rust\n", "e.yaml", Episode))[0].startswith(
            "5:5: a value that starts with *"
        )

    def test_a_tag_is_refused_wherever_it_stands(self) -> None:
        """Before a text, a list, a mapping, a key, an anchored value or everything."""
        for text in [
            "topics: !!seq [a]",
            "audio: !!map {file: a.mp3}",
            "!!str kind: full",
            "guid: &a !!str x",
            "guid: ! x",
        ]:
            assert decode(EPISODE + text, "e.yaml", Episode).value is None, text
        assert decode("!!map\n" + EPISODE, "e.yaml", Episode).value is None

    def test_the_slower_loader_finds_the_same(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Where libyaml is not built in, texts and places are the same."""
        from podsite import nodes

        def found() -> list[Any]:
            nodes._loader.cache_clear()
            each = [decode(text, "x.yaml", Show if "categories:" in text else Episode) for text in GOOD]
            return [(one, dict(one.places)) for one in each]

        with monkeypatch.context() as without:
            without.delattr(yaml, "CSafeLoader")
            slow = found()
        assert slow == found()

    def test_an_empty_front_matter_is_a_page_head_without_keys(self) -> None:
        """Where nothing is required, nothing is missing."""
        assert decode("\n", "pages/about.md", PageHead).value == PageHead()


class TestPlaces:
    """Every key is known by line and column."""

    def test_places_are_counted_from_one(self) -> None:
        """In characters, not in bytes."""
        found = decode(
            'title: "Ä🎧"\npublished: 2024-05-01\nsummary: S\nfurther_reading: [{title: "Ä🎧", url: https://e.org/}]\n',
            "e",
            Episode,
        )
        assert found.places["published"] == (2, 12)
        assert found.places["further_reading[1].url"] == (4, 38)

    def test_all_problems_come_at_once(self) -> None:
        """In the order of the file but for missing keys."""
        lines = said(decode("number: a\nseason: b\nkind: c\nexplicit: d\n", "e.yaml", Episode))
        assert [line.partition(":")[0] for line in lines] == ["1", "2", "3", "4", "1", "1", "1"]

    def test_a_long_value_is_shown_by_its_beginning(self) -> None:
        """A message stays on one line."""
        (line,) = said(decode(EPISODE + "number: |\n" + "  many words\n" * 50, "e.yaml", Episode))
        assert line.startswith("4:9: number: expected a whole number such as 7, found 'many words…'; a label")

    def test_a_key_of_several_lines_does_not_break_the_message(self) -> None:
        """Nor the path in front of it."""
        (line,) = said(decode(EPISODE + '"a\\nb\\u2028c": 1\n', "e.yaml", Episode))
        assert line.startswith("4:1: a…: unknown key 'a…'")

    def test_faults_inside_a_mapping_stand_at_their_key(self) -> None:
        """Where one of two must go."""
        assert said(decode(EPISODE + "audio:\n  file: a.mp3\n  url: https://e.org/a.mp3\n", "e.yaml", Episode)) == [
            "6:8: audio.url: found both 'file' and 'url'; keep one"
        ]


def mutilated() -> st.SearchStrategy[str]:
    """Good files with a stretch taken out, put in, or doubled."""
    marks = "\t|#| #|: |- |[|]|{|}|&a |*a|!|!!str |>|'|%|@|\n|\n---\n|<<: |? |\x07|\ud800|\u2028|\ufeff|\\|~| |  |\r"
    scraps = st.sampled_from([*marks.split("|"), "|", '"', "null", "9" * 400]) | st.text(max_size=5)

    @st.composite
    def text(draw: st.DrawFn) -> str:
        found = draw(st.sampled_from(GOOD))[: draw(st.integers(200, 3000))]
        for _ in range(draw(st.integers(1, 4))):
            start = draw(st.integers(0, len(found)))
            stop = min(len(found), start + draw(st.integers(0, 12)))
            found = found[:start] + draw(scraps) + found[draw(st.sampled_from([start, stop])) :]
        return found

    return text()


def structures() -> st.SearchStrategy[Any]:
    """Lists and mappings of texts, with keys the model knows among others."""
    keys = st.sampled_from(
        ["title", "audio", "people", "paths", "extra", "value", "chapters", "x-a", "topics", "theme"]
    )
    keys |= st.text(max_size=3)

    def deeper(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        return st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4)

    return st.recursive(st.text(max_size=6), deeper, max_leaves=12)


class TestAnyText:
    """No text makes podsite fail."""

    def check(self, text: str, kind: type) -> None:
        """Nothing is raised; each problem is one line of words at a place in the text."""
        found = decode(text, "x.yaml", kind)
        assert (found.value is None) == any(one.severity == "error" for one in found.problems)
        for one in found.problems:
            assert not re.search("[\r\n\x85\u2028\u2029]", str(one))
            assert not re.search(r"Traceback|object at 0x|NoneType|<class|podsite\.\w+\.", one.message)
            assert one.place.line <= text.count("\n") + len(re.findall("\r(?!\n)|[\x85\u2028\u2029]", text)) + 2

    @given(st.text())
    @example("\ud83c")
    @example("\x00")
    @example("? [a]\n: b")
    @example("[[[[" * 300)
    @example("- " * 5000)
    @example("!!str [a]")
    @example("timezone: !!str [a]\nnumber: !!str {a: b}\n<<: !!map x\n!!str {a: b}: c")
    @example("{a: " * 900)
    @example("!<")
    @example("%TAG ! x")
    @example("&a [*a]")
    @example("a: &a\n  <<: *a")
    @example("title: \ufeff\ufeff")
    @example("timezone: [a]\npublish_time: {}\n")
    def test_any_text_gets_an_answer(self, text: str) -> None:
        """As an episode and as a show."""
        self.check(text, Episode)
        self.check(text, Show)

    @given(mutilated())
    def test_a_mutilated_file_gets_an_answer(self, text: str) -> None:
        """The slips of a person in an otherwise good file."""
        self.check(text, Episode)
        self.check(text, Show)

    @given(structures())
    def test_any_structure_gets_an_answer(self, value: Any) -> None:
        """Lists, mappings and texts where others are due."""
        text = yaml.safe_dump(value, allow_unicode=True)
        self.check(text, Episode)
        self.check(text, Show)


def test_every_class_of_the_model_is_reached_by_a_test() -> None:
    """A part that no key leads to would be dead."""
    reached = {record.kind for record in RECORDS}
    own = {one for one in vars(parts).values() if isinstance(one, type) and one.__module__ == parts.__name__}
    derived = {parts.Cue, parts.Passage}
    assert own - reached == derived
    assert all(field.metadata.get("doc") for kind in own - derived for field in fields(kind))
