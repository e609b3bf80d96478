"""Scalars with a grammar: what a person may write, what it means, and that nothing else than an answer comes back."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta, timezone
from typing import Any, get_args
from unittest import mock
from urllib.parse import unquote, urlsplit
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from podsite import scalars, values, vocabulary
from podsite.scalars import Scalar

BERLIN = ZoneInfo("Europe/Berlin")
ANYTHING = st.text() | st.text("0123456789:.,-+ TZ/%#?~_abz\\\u0660é", max_size=24)


def types() -> dict[str, Scalar]:
    """Every scalar type of the model, by its name in scalars.py."""
    named = {name: get_args(one)[1:] for name, one in vars(scalars).items() if get_args(one)}
    return {name: rest[0] for name, rest in named.items() if rest and isinstance(rest[0], Scalar)}


def refusal(read: Callable[..., Any], text: str, *more: object) -> str:
    """What the reader says to a text that it must not take."""
    with pytest.raises(ValueError) as refused:
        read(text, *more)
    return str(refused.value)


class TestAnyText:
    """Whatever somebody writes, a reader gives a value or says what it expects."""

    @pytest.mark.thorough(but_each=4)
    @pytest.mark.parametrize("name", types())
    @given(text=ANYTHING)
    @example(text="9" * 5000)
    @example(text="9" * 400 + ":00")
    @example(text="\ud800")
    @example(text="[::1]:80")
    @example(text="https://[")
    def test_a_reader_never_fails_but_with_a_message(self, name: str, text: str) -> None:
        """Only ValueError comes out, with words in it, and its remarks never fail."""
        scalar = types()[name]
        try:
            scalar.read(text)
        except ValueError as error:
            assert str(error)
            assert not re.search(r"sys\.|int\(\)|codec|literal", str(error).replace(text, ""))
        else:
            scalar.note(text)

    @pytest.mark.thorough(but_each=4)
    @pytest.mark.parametrize("name", types())
    def test_a_type_says_what_it_expects(self, name: str) -> None:
        """Its name completes the sentence 'expected …'."""
        assert types()[name].name


class TestTruth:
    """Only boolean fields read yes and no."""

    @pytest.mark.parametrize(("text", "value"), [("true", True), ("No", False), ("YES", True), ("False", False)])
    def test_yes_and_no_are_understood(self, text: str, value: bool) -> None:
        """In any case of letters."""
        assert values.truth(text) is value

    @pytest.mark.parametrize("text", ["on", "1", "y", ""])
    def test_other_words_are_refused(self, text: str) -> None:
        """Nothing is guessed."""
        assert "expected true or false" in refusal(values.truth, text)

    @pytest.mark.parametrize(
        ("text", "value"), [("yes", True), ("clean", False), ("explicit", True), ("Yes", True), ("false", False)]
    )
    def test_explicit_takes_the_words_of_older_feeds(self, text: str, value: bool) -> None:
        """clean and explicit are what Apple once asked for."""
        assert values.explicit(text) is value


class TestNumbers:
    """Numbers are decimal, and labels are no numbers."""

    @pytest.mark.parametrize(("text", "value"), [("010", 10), ("08", 8), ("016", 16), ("0", 0), ("7", 7)])
    def test_leading_zeros_do_not_make_a_number_octal(self, text: str, value: int) -> None:
        """YAML 1.1 reads 010 as 8."""
        assert values.number(text) == value

    @pytest.mark.parametrize("text", ["T1", "T-0", "p01", "1.5", "12a", "-1", "Season 1 Episode 1", "1_000", "٣"])
    def test_a_label_is_sent_to_display_number(self, text: str) -> None:
        """The message names the key for it."""
        assert refusal(values.number, text).endswith(f"a label such as '{text}' belongs in display_number")

    @pytest.mark.parametrize("text", ["1231.08", "00:55:39", "47:58"])
    def test_a_length_that_reads_like_a_duration_is_refused(self, text: str) -> None:
        """Bytes and seconds have two keys."""
        assert "a length of time goes under 'duration'" in refusal(values.size, text)

    @given(st.integers(0, 10**15 - 1))
    def test_a_length_round_trips(self, length: int) -> None:
        """Any file's size can be written."""
        assert values.size(str(length)) == length

    @pytest.mark.parametrize("text", ["0", "00"])
    def test_a_count_begins_at_one(self, text: str) -> None:
        """A feed of nothing is nobody's wish."""
        assert "leave the key out" in refusal(values.count, text)

    @pytest.mark.parametrize(("text", "value"), [("0", 0), ("07", 7), ("100", 100)])
    def test_a_percentage_ends_at_a_hundred(self, text: str, value: int) -> None:
        """101 is more than the whole."""
        assert values.percent(text) == value
        assert "from 0 to 100" in refusal(values.percent, "101")


class TestDurations:
    """One field, one type: seconds."""

    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("59:30", 3570),
            ("1:02:03", 3723),
            ("00:59:30", 3570),
            ("1:02:03.5", 3723),
            ("109:46", 6586),
            ("5711.0", 5711),
            ("00:49.53", 49),
            ("754", 754),
            ("0:00", 0),
            ("24:00:00", 86400),
        ],
    )
    def test_every_usual_spelling_gives_whole_seconds(self, text: str, value: int) -> None:
        """Base 60 never happens; fractions are rounded down."""
        assert values.duration(text) == value

    @pytest.mark.parametrize("text", ["00:50:95", "1:60", "1:60:00"])
    def test_the_clock_ends_at_59(self, text: str) -> None:
        """A slip is not carried over into the next place."""
        assert "minutes and seconds go from 0 to 59" in refusal(values.duration, text)

    @pytest.mark.parametrize("text", ["https://example.org/a.mp3", "an hour", "1h", "-1", "1:2:3:4", ":30", "٣:٠٠"])
    def test_other_texts_are_no_durations(self, text: str) -> None:
        """The message shows two spellings that are."""
        assert "12:34 or 1:02:03" in refusal(values.duration, text)

    def test_minutes_with_a_point_are_refused(self) -> None:
        """35.51 may mean either unit."""
        assert "35:51 (minutes and seconds)" in refusal(values.duration, "35.51")

    def test_more_than_an_hour_in_minutes_is_remarked(self) -> None:
        """It is understood and shown as it will be read."""
        note = types()["Duration"].note
        assert note("109:46") == "'109:46' is read as 1:49:46; write '1:49:46'"
        assert note("59:59") is None

    @given(st.integers(0, 359_999_999))
    def test_seconds_round_trip_through_the_clock(self, length: int) -> None:
        """What is shown reads back as itself."""
        assert values.seconds(values.clock_text(length)) == length

    @given(st.integers(0, 10**6), st.integers(0, 999))
    def test_chapters_keep_their_fractions(self, whole: int, thousandth: int) -> None:
        """Points in time are not rounded."""
        clock = f"{values.clock_text(whole)}.{thousandth:03}"
        assert values.seconds(clock) == pytest.approx(whole + thousandth / 1000)


class TestMoments:
    """Dates are instants; the show's zone says what an author meant, never the machine's."""

    @pytest.mark.parametrize(
        ("text", "utc"),
        [
            ("2024-05-01", "2024-05-01T04:00:00"),
            ("2024-5-1", "2024-05-01T04:00:00"),
            ("2024-01-01", "2024-01-01T05:00:00"),
            ("2024-05-01 10:00", "2024-05-01T08:00:00"),
            ("2024-05-01T10:00:30", "2024-05-01T08:00:30"),
            ("2024-05-01 10:00Z", "2024-05-01T10:00:00"),
            ("2024-05-01 10:00 UTC", "2024-05-01T10:00:00"),
            ("2024-05-01 10:00 +05:30", "2024-05-01T04:30:00"),
            ("2024-05-01T10:00:00.123-0400", "2024-05-01T14:00:00"),
            ("2024-02-29", "2024-02-29T05:00:00"),
            ("2024-05-01 24:00:00", "2024-05-01T22:00:00"),
            ("2024-05-01 24:00", "2024-05-01T22:00:00"),
            ("2024-12-31 24:00:00 Z", "2025-01-01T00:00:00"),
        ],
    )
    def test_a_text_means_one_instant(self, text: str, utc: str) -> None:
        """A bare date is meant at the publish time; 24:00:00 is the next midnight."""
        found = values.moment(text, BERLIN, time(6))
        assert found == datetime.fromisoformat(utc).replace(tzinfo=UTC)
        assert found.tzinfo is UTC

    @pytest.mark.parametrize(
        "text",
        [
            "2024-02-30",
            "2023-02-29",
            "2024-13-01",
            "2024-00-10",
            "0000-01-01",
            "2024-05-01 24:28:20",
            "2024-05-01 24:00:01",
            "2024-05-01 25:00",
            "2024-05-01 10:61",
            "9999-12-31 24:00",
            "0001-01-01 00:00 +05:00",
        ],
    )
    def test_what_the_calendar_lacks_is_refused(self, text: str) -> None:
        """In the same words on every version of Python."""
        assert refusal(values.moment, text) == f"'{text}' does not exist; check the day and the time"

    @pytest.mark.parametrize(
        "text", ["May 1, 2024", "1.5.2024", "01/05/2024", "2024-05", "20240501", "Invalid Date", "2024-05-01 9am", ""]
    )
    def test_other_spellings_are_told_two_that_are_right(self, text: str) -> None:
        """Day and month are never guessed."""
        assert "2024-05-01 09:30 +02:00" in refusal(values.moment, text)

    @pytest.mark.parametrize("text", ["2024-05-01 09:00 +15:00", "2024-05-01 09:00 -30:00", "2024-05-01 09:00 +02:75"])
    def test_an_offset_no_place_has_is_refused(self, text: str) -> None:
        """A real feed says -3000."""
        assert "expected an offset from UTC" in refusal(values.moment, text)

    def test_a_time_the_clocks_skip_is_refused(self) -> None:
        """There is no 02:30 on the night of summer time; a bare date still means that day."""
        assert "the clocks are put forward then" in refusal(values.moment, "2024-03-31 02:30", BERLIN)
        assert values.moment("2024-03-31", BERLIN, time(2, 30)) == datetime(2024, 3, 31, 1, 30, tzinfo=UTC)

    def test_a_time_the_clocks_show_twice_is_the_first(self) -> None:
        """02:30 on the night of winter time is meant in summer time."""
        assert values.moment("2024-10-27 02:30", BERLIN) == datetime(2024, 10, 27, 0, 30, tzinfo=UTC)

    @given(
        st.datetimes(datetime(1, 1, 3), datetime(9999, 12, 29)),  # noqa: DTZ001 - a clock on a wall
        st.sampled_from(["UTC", "Europe/Berlin", "Asia/Tokyo", "America/Los_Angeles", "Asia/Kathmandu"]),
        st.integers(-14 * 60, 14 * 60),
    )
    def test_a_moment_of_any_zone_round_trips(self, wall: datetime, name: str, minutes: int) -> None:
        """Written with its offset it is the same instant, whatever zone the show has."""
        wall = wall.replace(microsecond=0)
        written = wall.replace(tzinfo=timezone(timedelta(minutes=minutes)))
        sign, shift = ("-" if minutes < 0 else "+"), abs(minutes)
        text = f"{wall.isoformat(' ')} {sign}{shift // 60:02}:{shift % 60:02}"
        assert values.moment(text, vocabulary.zone(name)) == written


class TestZones:
    """Zones are those of the IANA database; no abbreviation, no machine's own."""

    @pytest.mark.parametrize(
        ("text", "meant"),
        [
            ("GMT/BST", "Europe/London"),
            ("CEST", "Europe/Berlin"),
            ("PST", "America/Los_Angeles"),
            ("Berlin", "Europe/Berlin"),
            ("New York", "America/New_York"),
            ("Europe/berlin", "Europe/Berlin"),
            ("Europe/Brelin", "Europe/Berlin"),
        ],
    )
    def test_an_unknown_zone_is_answered_with_the_one_meant(self, text: str, meant: str) -> None:
        """It never falls back to UTC."""
        assert refusal(vocabulary.zone, text) == f"unknown time zone '{text}' (did you mean '{meant}'?)"

    @pytest.mark.parametrize("text", ["localtime", "Factory", "../../etc/localtime", "", "UTC+2"])
    def test_the_machines_own_zone_is_none(self, text: str) -> None:
        """The same site gives the same dates everywhere."""
        assert "unknown time zone" in refusal(vocabulary.zone, text)

    def test_utc_needs_no_database(self) -> None:
        """In any case of letters."""
        assert vocabulary.zone("utc") is UTC


class TestLanguages:
    """Tags of BCP 47, in their usual spelling."""

    @pytest.mark.parametrize(
        ("text", "tag"),
        [
            ("no", "no"),
            ("en_US", "en-US"),
            ("EN", "en"),
            ("zh_hans_cn", "zh-Hans-CN"),
            ("ckb", "ckb"),
            ("pt-br", "pt-BR"),
        ],
    )
    def test_a_tag_is_spelt_as_usual(self, text: str, tag: str) -> None:
        """Norwegian stays Norwegian."""
        assert vocabulary.language(text) == tag

    @pytest.mark.parametrize(
        ("text", "meant"), [("ger-de", "de-DE"), ("English", "en"), ("eng", "en"), ("Deutsch", "de")]
    )
    def test_names_and_older_codes_are_answered_with_the_code(self, text: str, meant: str) -> None:
        """They are errors, since apps show them to nobody."""
        assert f"did you mean '{meant}'?" in refusal(vocabulary.language, text)

    @pytest.mark.parametrize("text", ["xx", "x", "en-", "en--US", "", "e n"])
    def test_what_is_no_tag_is_refused(self, text: str) -> None:
        """The message shows some that are."""
        assert "en, de or pt-BR" in refusal(vocabulary.language, text)


class TestCategories:
    """Apple's names, and no others."""

    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("Technology", ("Technology", None)),
            ("technology", ("Technology", None)),
            ("Society & Culture > Documentary", ("Society & Culture", "Documentary")),
            ("society & culture>documentary", ("Society & Culture", "Documentary")),
        ],
    )
    def test_a_category_is_read_with_its_subcategory(self, text: str, value: tuple[str, str | None]) -> None:
        """In Apple's own spelling."""
        assert vocabulary.category(text) == value

    @pytest.mark.parametrize(
        ("text", "meant"),
        [
            ("Tecnology", "did you mean 'Technology'?"),
            ("Games & Hobbies", "write 'Leisure'"),
            ("Business:Marketing", "'Business > Marketing'"),
            ("Documentary", "write 'Society & Culture > Documentary'"),
            ("Arts > Boks", "did you mean 'Books'?"),
            ("Technology > Gadgets", "'Technology' has no subcategory 'Gadgets'"),
        ],
    )
    def test_a_wrong_category_is_answered_with_the_right_one(self, text: str, meant: str) -> None:
        """Typos, retired names, other separators, and subcategories alone."""
        assert meant in refusal(vocabulary.category, text)


class TestSlugs:
    """A slug names a folder: any script, nothing that leads elsewhere, nothing that two systems see differently."""

    @pytest.mark.parametrize(
        ("text", "slug"),
        [
            ("Обзор", "обзор"),
            ("گوشه‌ها", "گوشه-ها"),
            ("日本語 の 題", "日本語-の-題"),
            ("Äpfel & Birnen", "äpfel-birnen"),
            ("A\u0308pfel", "äpfel"),
            ("Don’t panic!", "dont-panic"),
            ("C", "c"),
            ("C++", "cpp"),
            ("C#", "c-sharp"),
            ("MySQL", "mysql"),
            ("../../etc/passwd", "etc-passwd"),
            ("1️⃣ first", "1-first"),
        ],
    )
    def test_letters_of_every_script_stay(self, text: str, slug: str) -> None:
        """Lower case, composed, hyphens between words."""
        assert values.slug(text) == slug

    @pytest.mark.parametrize("text", ["🦒", "🎙️", "❤️‍🔥", "…", "../..", "\u0301", ""])
    def test_a_text_without_letters_has_no_slug(self, text: str) -> None:
        """Not even an invisible one; who asks must fall back to number or date."""
        assert values.slug(text) == ""

    @given(ANYTHING)
    @example("İstanbul")
    @example("ΑΣ'Σ")
    @example("ǅ\u0345")
    def test_a_slug_of_any_text_is_a_slug(self, text: str) -> None:
        """Making one twice changes nothing, and it is composed, small, and one folder's name."""
        slug = values.slug(text)
        assert values.slug(slug) == slug
        assert slug == unicodedata.normalize("NFC", slug) == slug.lower()
        assert not re.search(r"[\s/\\.%?#:]|^-|-$|--", slug)
        if slug and len(slug.encode()) <= 200:
            assert values.written_slug(slug) == slug

    @given(st.text(st.characters(codec="ascii")) | st.sampled_from(["C++", "#c", "C# it's", "A++b#", "--a--b"]))
    def test_ascii_is_named_by_the_rules_of_all_scripts(self, text: str) -> None:
        """The quick way for plain letters: behind a letter that needs the long way, the same comes out."""
        assert values.slug(f"é-{text}") == f"é-{values.slug(text)}".rstrip("-")

    @pytest.mark.parametrize(
        "text", ["../index", "%2e%2e/x", "/etc/x", "a/b", "a.b", "My-Episode", "a b", "-a", "a_b", ".."]
    )
    def test_a_written_slug_must_be_one(self, text: str) -> None:
        """Nothing leaves the output folder, escaped or not."""
        assert "expected lower-case letters, digits and hyphens" in refusal(values.written_slug, text)

    def test_a_slug_fits_into_a_file_system(self) -> None:
        """Bytes count there."""
        assert "too long" in refusal(values.written_slug, "я" * 101)
        assert "a few words" in refusal(values.topic, "я" * 101)

    @pytest.mark.parametrize("text", ["🦒", "!?"])
    def test_a_topic_can_name_a_page(self, text: str) -> None:
        """Its page would lie at //, else."""
        assert "a letter or digit" in refusal(values.topic, text)


class TestAddresses:
    """Web addresses come out in ASCII, whole, and lead to the web."""

    @given(
        st.from_regex(values._READY_URL, fullmatch=True)
        | st.builds("http{}://{}{}{}".format, *[st.text("a1.-:/?#%4[]@_~s&=;", max_size=9)] * 4)
    )
    @example("http://" + "a" * 63 + ".de/")
    @example("http://" + "a" * 64 + ".de/")
    @example("https://example.org/a/.../b")
    @example("https://example.org?")
    @example("https://example.org/#")
    @example("https://example.org:80/")
    def test_what_needs_no_change_is_known_at_a_glance(self, text: str) -> None:
        """The quick way for addresses written as they should be finds what the long one finds."""

        def found() -> str:
            try:
                return values.url(text)
            except ValueError as error:
                return f"refused: {error}"

        with mock.patch.object(values, "_READY_URL", re.compile("(?!)")):
            thorough = found()
        assert found() == thorough

    @pytest.mark.parametrize(
        ("text", "url"),
        [
            ("https://example.org/Folge 1 – Äpfel.mp3", "https://example.org/Folge%201%20%E2%80%93%20%C3%84pfel.mp3"),
            ("https://e.org/a%20b.mp3", "https://e.org/a%20b.mp3"),
            ("https://op3.dev/e/host/a.mp3?x=1&y=2", "https://op3.dev/e/host/a.mp3?x=1&y=2"),
            ("HTTPS://Müller.Example/ä?ö#ü", "https://xn--mller-kva.example/%C3%A4?%C3%B6#%C3%BC"),
            ("https://e.org/100%", "https://e.org/100%25"),
            ("https://[::1]:8000/a", "https://[::1]:8000/a"),
            ("http://e.org:8080", "http://e.org:8080"),
        ],
    )
    def test_an_address_is_encoded_once(self, text: str, url: str) -> None:
        """The host by IDNA, the rest percent-encoded where it is not yet."""
        assert values.url(text) == url

    @given(st.from_regex(r"https://[a-z]{1,9}\.example/[^\s?#…]{0,12}(\?[^\s#…]{0,8})?", fullmatch=True))
    def test_encoding_twice_changes_nothing(self, text: str) -> None:
        """No %2520, and the path still means what was written."""
        try:
            url = values.url(text)
        except ValueError:
            assume(False)
        assert url.isascii()
        assert values.url(url) == url
        assert unquote(urlsplit(url).path, errors="surrogateescape") == unquote(
            urlsplit(text).path, errors="surrogateescape"
        )

    @given(st.text())
    def test_encoding_any_text_is_idempotent(self, text: str) -> None:
        """Whatever was encoded stays."""
        assume(not any("\ud800" <= char <= "\udfff" for char in text))
        assert values.encode(values.encode(text)) == values.encode(text)

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ("javascript:alert(1)", "starts with https://"),
            ("data:text/html,x", "starts with https://"),
            ("ftp://example.org/a.mp3", "starts with https://"),
            ("example.org/a.mp3", "write 'https://example.org/a.mp3'"),
            ("//example.org/a.mp3", "starts with https://"),
            ("https://", "starts with https://"),
            ("https://github.com/.../a.py", "is shortened"),
            ("https://example.org/a…z", "is shortened"),
            ("https://exa mple.org/", "no host"),
            ("https://a..b/", "no host"),
            ("https://example.org:port/", "no host"),
            ("https://[/", "no host"),
            ("https://jo:secret@example.org/", "password"),
            ("https://e.org/a https://e.org/b", "expected one address"),
            ("https://e.org/a\nb", "expected one address"),
        ],
    )
    def test_what_leads_nowhere_is_refused(self, text: str, why: str) -> None:
        """No scheme but http and https, no secrets, nothing shortened."""
        assert why in refusal(values.url, text)

    @pytest.mark.parametrize("text", ["https://x.org/", "x", "a b.org", "x.org/y", "x.org:80", ""])
    def test_a_domain_is_nothing_but_a_domain(self, text: str) -> None:
        """GitHub reads the CNAME file as one."""
        assert "podcast.example.org" in refusal(values.host, text)
        assert values.host("Podcast.Example.ORG") == "podcast.example.org"


class TestPaths:
    """Files of the site are named by paths that cannot leave it."""

    @pytest.mark.parametrize(
        "text",
        [
            "../../secret.mp3",
            "a/../../b",
            "a/..",
            "/etc/passwd",
            "~/a.mp3",
            "C:/a.mp3",
            "c:a.mp3",
            "a\\b.mp3",
            "",
            ".",
            "./",
        ],
    )
    def test_a_path_out_of_the_site_is_refused(self, text: str) -> None:
        """Not by dots, not by roots, not by drives."""
        assert re.search("path inside the site|forward slashes", refusal(values.file_path, text))

    @given(ANYTHING)
    def test_no_text_leads_out_of_the_site(self, text: str) -> None:
        """What is taken has no step upwards, however it was written."""
        try:
            path = values.file_path(text)
        except ValueError:
            return
        assert not path.startswith("/")
        assert not {"..", ".", ""} & set(path.split("/"))
        assert values.file_path(path) == path

    @pytest.mark.parametrize("text", ["a/./b", "a//b", "./a/b", "a/b/"])
    def test_a_path_is_written_one_way(self, text: str) -> None:
        """So that two spellings are one file."""
        assert values.file_path(text) == "a/b"

    @given(ANYTHING)
    def test_no_old_address_leaves_the_output(self, text: str) -> None:
        """Redirect pages are files too."""
        try:
            path = values.address_path(text)
        except ValueError:
            return
        assert not path.startswith("/")
        assert not {"..", "."} & set(path.split("/"))
        assert "//" not in path

    @pytest.mark.parametrize(
        ("text", "path"), [("/2019/one/", "2019/one/"), ("2019/one.html", "2019/one.html"), ("//a//b/", "a/b/")]
    )
    def test_an_old_address_keeps_its_ending(self, text: str, path: str) -> None:
        """A page stays a page and a file a file."""
        assert values.address_path(text) == path

    @pytest.mark.parametrize(
        ("text", "target"),
        [
            ("/", "/"),
            ("/about/", "/about/"),
            ("about/", "/about/"),
            ("mailto:jo@example.org", "mailto:jo@example.org"),
            ("https://example.org/é", "https://example.org/%C3%A9"),
        ],
    )
    def test_a_link_leads_to_a_page_the_web_or_a_mail_box(self, text: str, target: str) -> None:
        """Nowhere else."""
        assert values.link_target(text) == target

    @pytest.mark.parametrize("text", ["//evil.example/", "javascript:alert(1)", "mailto:", "../x", "#top", "?q"])
    def test_a_link_that_leads_elsewhere_is_refused(self, text: str) -> None:
        """No other scheme, no other host by accident."""
        assert refusal(values.link_target, text)


class TestTexts:
    """Words stay words."""

    @pytest.mark.parametrize("char", ["\x00", "\x07", "\x10", "\x7f", "\x92", "\ud83c", "\ufffe", "\uffff"])
    def test_a_control_character_is_found(self, char: str) -> None:
        """With its index and its name."""
        assert values.control_character(f"ab{char}") == (2, f"U+{ord(char):04X}")

    @pytest.mark.parametrize("text", ["a\tb\r\nc", "🎧", "\u00a0", "\u200d", "ﷺ", "\x85"])
    def test_ordinary_text_has_none(self, text: str) -> None:
        """Tabs, line ends and every script are fine."""
        assert values.control_character(text) is None

    @pytest.mark.parametrize("text", ["a\nb", "a\rb", "a\u2028b", "a\x85b"])
    def test_a_line_is_one(self, text: str) -> None:
        """Titles have no line breaks."""
        assert "one line" in refusal(values.line, text)

    @given(ANYTHING, st.sampled_from(["NFC", "NFD"]))
    def test_folded_names_are_equal_where_a_file_system_would_mix_them_up(self, text: str, form: Any) -> None:
        """Case and composition do not count."""
        assert values.folded(unicodedata.normalize(form, text)) == values.folded(text)

    @pytest.mark.parametrize(("text", "value"), [("#ABC", "#aabbcc"), ("#b4451f", "#b4451f")])
    def test_a_colour_has_six_digits(self, text: str, value: str) -> None:
        """Short forms are written out."""
        assert values.colour(text) == value

    @pytest.mark.parametrize("name", ["Role", "Group"])
    def test_the_taxonomy_is_read_in_any_case(self, name: str) -> None:
        """And given in its own."""
        found = {"Role": ("co-host", "Co-Host"), "Group": ("cast", "Cast")}[name]
        assert types()[name].read(found[0]) == found[1]

    @pytest.mark.parametrize(("text", "meant"), [("&amp;", "&"), ("&#39;", "'"), ("&quot;", '"')])
    def test_escaped_text_is_remarked(self, text: str, meant: str) -> None:
        """Listeners would read it as it stands."""
        assert types()["Line"].note(f"Tom {text} Jerry") == f"found '{text}'; this text is plain, write '{meant}'"
        assert types()["Line"].note("Tom & Jerry") is None
