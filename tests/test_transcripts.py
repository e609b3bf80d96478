"""Transcripts: every real oddity is read, and what was mended is told with its line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from podsite import transcripts
from podsite.parts import Cue

GUESSED = "cue 1 does not end after its start; its end is guessed from its words"
Found = list[tuple[float, float, str, str | None]]


def cues(text: str, suffix: str = ".vtt") -> Found:
    """The cues of a text that needs no mending."""
    found = transcripts.read(text, suffix)
    assert found.remarks == ()
    return [(cue.start, cue.end, cue.text, cue.speaker) for cue in found.cues]


def test_webvtt_is_read_with_everything_it_may_hold() -> None:
    text = """\
\ufeffWEBVTT Kind: captions; Language: en

NOTE
said --> never

STYLE
::cue { color: red }

REGION
id:fred

intro
00:01.500 --> 00:04.000 align:start position:10%
<v.loud Ada Reef><i>Hello</i> &amp; <c.big>welcome</c></v>
to <00:02.000>vector<int> &lt;b&gt;

2
01:00:04.000 --> 01:00:05.250
- No name here

NOTE the end
"""
    found = transcripts.read(text, ".vtt")
    assert [(cue.start, cue.end, cue.text, cue.speaker) for cue in found.cues] == [
        (1.5, 4.0, "Hello & welcome to vector<int> <b>", "Ada Reef"),
        (3604.0, 3605.25, "- No name here", None),
    ]
    assert found.remarks == ((4, "'said --> never' is no line of times; left out with the words below"),)


def test_line_ends_of_windows_and_old_macs_are_read() -> None:
    unix = "WEBVTT\n\n00:01.000 --> 00:02.000\nA\nB\n\n00:02.000 --> 00:03.000\nC\n"
    expected = [(1.0, 2.0, "A B", None), (2.0, 3.0, "C", None)]
    for ends in ("\n", "\r\n", "\r"):
        assert cues(unix.replace("\n", ends)) == expected


def test_two_voices_in_a_cue_share_its_time() -> None:
    text = "WEBVTT\n\n00:00.000 --> 00:10.000\n<v A>12345678\n<v B>12</v>\n"
    assert cues(text) == [(0.0, 8.0, "12345678", "A"), (8.0, 10.0, "12", "B")]


def test_cues_without_an_empty_line_between_them_are_told_apart() -> None:
    text = "WEBVTT\n00:01.000 --> 00:02.000\nA\n00:02.000 --> 00:03.000\nB\n\nname\n00:03.000 --> 00:04.000\nC"
    assert [text for _, _, text, _ in cues(text)] == ["A", "B", "C"]


def test_srt_is_read_with_commas_points_and_without_numbers() -> None:
    text = (
        "1\n00:00:00,060 --> 00:00:02.5\nA {\\an8}<font color='red'>b</font>\n\n\n00:00:03,000 --> 00:00:04\n<i>C</i>\n"
    )
    assert cues(text, ".srt") == [(0.06, 2.5, "A b", None), (3.0, 4.0, "C", None)]


def test_an_empty_line_inside_an_srt_cue_ends_nothing() -> None:
    text = "1\n00:00:01,000 --> 00:00:02,000\nA\n\nB\n\n2\n00:00:03,000 --> 00:00:04,000\nC\n"
    assert [text for _, _, text, _ in cues(text, ".SRT")] == ["A B", "C"]


def test_names_before_a_colon_are_speakers_only_if_they_speak_again() -> None:
    lines = ["Ada: Hello", "and welcome", "Dr. Bo Ray: Thanks", "Remember: this", "Ada: Yes\nDr. Bo Ray: No", "it: x"]
    text = "".join(f"{n}\n00:00:0{n},000 --> 00:00:0{n + 1},000\n{line}\n\n" for n, line in enumerate(lines, 1))
    assert [(text, speaker) for _, _, text, speaker in cues(text, ".srt")] == [
        ("Hello", "Ada"),
        ("and welcome", "Ada"),
        ("Thanks", "Dr. Bo Ray"),
        ("Remember: this", "Dr. Bo Ray"),
        ("Yes", "Ada"),
        ("No", "Dr. Bo Ray"),
        ("it: x", "Dr. Bo Ray"),
    ]


@pytest.mark.parametrize(
    ("times", "mended", "remark"),
    [
        (["00:01 00:01", "00:05 00:06"], [(1, 2), (5, 6)], GUESSED),
        (["00:03 00:02", "00:03.5 00:06"], [(3, 3.5), (3.5, 6)], GUESSED),
        (["00:01 00:09", "00:05 00:06"], [(1, 5), (5, 6)], "cue 1 ends after the next cue has begun; cut there"),
        (["00:05 00:06", "00:01 00:02"], [(1, 2), (5, 6)], "cue 1 starts after the cue that follows it; sorted"),
    ],
)  # fmt: skip
def test_impossible_times_are_mended_with_cue_and_line(
    times: list[str], mended: list[tuple[float, float]], remark: str
) -> None:
    text = "WEBVTT\n\n" + "".join(f"{one.replace(' ', ' --> ')}\nHi\n\n" for one in times)
    found = transcripts.read(text, ".vtt")
    assert [(cue.start, cue.end) for cue in found.cues] == mended
    assert found.remarks == ((3, remark),)


def test_many_faults_of_a_kind_are_one_remark() -> None:
    text = "WEBVTT\n\n" + "".join(f"00:0{n}.000 --> 00:0{n}.000\nHi\n\n" for n in range(1, 6))
    found = transcripts.read(text, ".vtt")
    assert found.remarks == (
        (3, "cue 1 does not end after its start; its end is guessed from its words (4 more like it)"),
    )


def test_two_who_speak_at_once_are_left_so() -> None:
    text = "WEBVTT\n\n00:01.000 --> 00:03.000\n<v A>Yes\n\n00:01.000 --> 00:02.000\n<v B>No\n"
    assert [(start, end) for start, end, _, _ in cues(text)] == [(1.0, 3.0), (1.0, 2.0)]


def test_a_file_without_cues_says_what_was_expected() -> None:
    expected = (1, "holds no cue that can be read; expected lines such as '00:01.000 --> 00:04.000'")
    assert transcripts.read("Hello", ".srt") == transcripts.Spoken(remarks=(expected,))


def test_written_webvtt_has_voices_short_lines_and_no_stray_arrow() -> None:
    words = "a --> b & <i> " + "word " * 20
    written = transcripts.vtt([Cue(start=3723.5, end=3725.0, text=words.strip(), speaker="A & B")])
    assert written.startswith("WEBVTT\n\n01:02:03.500 --> 01:02:05.000\n<v A &amp; B>a --&gt; b &amp; &lt;i&gt; word")
    assert max(len(line.partition(">")[2]) for line in written.splitlines()[3:]) <= 65 + 20


@given(st.text(), st.sampled_from([*transcripts.READERS]))
def test_no_text_whatever_is_refused(text: str, suffix: str) -> None:
    transcripts.read(f"00:01 --> 00:02\n{text}\n00:03 --> 00:01\n{text}", suffix)
