"""Forms of transcripts: what is written in one is read again, with every word, at its time, by us and by others."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import escape
from itertools import pairwise, product
from pathlib import Path

import jsonschema
import pysubs2
import pytest
import webvtt
from hypothesis import example, given, settings
from hypothesis import strategies as st

from podsite import transcripts
from podsite.parts import Cue, Passage
from podsite.transcripts.words import lines, pieces

MEDIA = Path(__file__).with_name("media")
FILES = sorted(path for path in MEDIA.iterdir() if "chapters" not in path.name)
#: The transcript of the podcast namespace, as its examples have it.
PODCASTING = {
    "type": "object",
    "required": ["version", "segments"],
    "additionalProperties": False,
    "properties": {
        "version": {"const": "1.0.0"},
        "segments": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["startTime", "endTime", "body"],
                "additionalProperties": False,
                "properties": {
                    "speaker": {"type": "string", "minLength": 1},
                    "startTime": {"type": "number", "minimum": 0},
                    "endTime": {"type": "number", "exclusiveMinimum": 0},
                    "body": {"type": "string", "minLength": 1},
                },
            },
        },
    },
}

# A colon behind a name makes a speaker of it; SRT has tags that no sign can escape.
_WORD = st.text(st.characters(categories=("L", "N", "P", "S"), exclude_characters=":<>{}"), min_size=1, max_size=40)
_TEXT = st.lists(_WORD | st.sampled_from(["&amp;", "a&b", "--", "東京は", "42"]), min_size=1, max_size=24).map(" ".join)
_NAMES = st.sampled_from(["Ada Reef", "Bo", "SPEAKER_00", "Zoé Müller-Lind"])


@st.composite
def spoken(draw: st.DrawFn) -> tuple[Cue, ...]:
    """Cues, one after the other, at times to the millisecond; of each two speakers have two turns or more."""
    start, made = draw(st.integers(0, 20_000_000)), []
    rows = draw(st.lists(st.tuples(st.integers(100, 99_999), st.integers(0, 5_000), _TEXT), min_size=1, max_size=6))
    names = draw(st.lists(_NAMES, min_size=2, max_size=2, unique=True) | st.just([None, None]))
    for number, (length, pause, text) in enumerate([*rows, *rows[:3], (500, 0, "end"), (500, 0, "of it")]):
        cue = Cue(start=start / 1000, end=(start + length) / 1000, text=text, speaker=names[number % 2])
        start += length + pause
        made.append(cue)
    return tuple(made)


#: Names that leave no room on their line for the first word.
WIDE = tuple(
    Cue(start=start, end=start + 1, text=text, speaker=("Ada Reef", "Zoé Müller-Lind")[start % 2])
    for start, text in enumerate(("Yes.", "Donaudampfschiffahrt Donaudampfschiffahrt", "No.", "It is."))
)


def again(cues: tuple[Cue, ...], ending: str) -> tuple[Cue, ...]:
    """The cues read from what is written of them; nothing needs mending."""
    found = transcripts.read(transcripts.written(cues, ending).decode(), ending)
    assert (found.remarks, found.passages) == ((), ())
    return found.cues


def whole(parts: tuple[Cue, ...], cues: tuple[Cue, ...]) -> list[Cue]:
    """The cues that were cut for SRT, put together again."""
    made = []
    for cue in cues:
        inside = [one for one in parts if cue.start <= one.start < cue.end]
        assert all(before.end == after.start for before, after in pairwise(inside))
        (speaker,) = {one.speaker for one in inside}
        text = transcripts.words.joined(one.text for one in inside)
        made.append(Cue(start=inside[0].start, end=inside[-1].end, text=text, speaker=speaker))
    return made


@pytest.mark.parametrize(("first", "second"), [*product(transcripts.FORMS, repeat=2)])
@settings(max_examples=settings().max_examples // 4)
@given(cues=spoken())
@example(cues=WIDE)
def test_every_form_becomes_every_other_and_back(first: str, second: str, cues: tuple[Cue, ...]) -> None:
    """WebVTT and JSON keep everything; SRT keeps it too, in more and smaller cues."""
    there = again(again(again(cues, first), second), first)
    assert (whole(there, cues) if ".srt" in (first, second) else [*there]) == [*cues]


@settings(max_examples=settings().max_examples // 4)
@given(cues=spoken())
def test_srt_fits_a_small_screen(cues: tuple[Cue, ...]) -> None:
    """Two lines of 32 characters at most, but for words that are longer."""
    for block in transcripts.srt(cues).split("\n\n"):
        _, times, *inside = block.strip().split("\n")
        assert len(inside) <= 2
        assert all(len(line) <= 32 or " " not in line for line in inside), inside
        assert re.fullmatch(r"\d\d:\d\d:\d\d,\d{3} --> \d\d:\d\d:\d\d,\d{3}", times)


@settings(max_examples=settings().max_examples // 4)
@given(cues=spoken())
def test_webvtt_has_lines_of_65_characters(cues: tuple[Cue, ...]) -> None:
    inside = [line.partition(">")[2] if line.startswith("<v ") else line for line in transcripts.vtt(cues).split("\n")]
    assert all(len(line) <= 65 + 4 * line.count("&") or " " not in line for line in inside)


@settings(max_examples=settings().max_examples // 2)
@given(_TEXT, st.integers(4, 70), st.integers(1, 3))
def test_lines_are_joined_to_the_same_text(text: str, width: int, height: int) -> None:
    found = [*pieces(text, width, height)]
    assert transcripts.words.joined(line for piece in found for line in piece) == text
    assert all(len(piece) <= height for piece in found)
    assert transcripts.words.joined(lines(text, width)) == text


def test_a_long_cue_is_parted_where_a_sentence_ends() -> None:
    """And its time is shared by the length of what is said."""
    text = "The first sentence has forty letters, all right. And so on it goes for some more."
    written = transcripts.srt([Cue(start=1, end=9, text=text, speaker="Dr. Ada Reef")])
    assert written == (
        "1\n00:00:01,000 --> 00:00:06,247\nDr. Ada Reef: The first sentence\nhas forty letters, all right.\n\n"
        "2\n00:00:06,247 --> 00:00:09,000\nAnd so on it goes for some more.\n"
    )


def test_a_name_stands_in_srt_where_another_begins_to_speak() -> None:
    said = [("Yes.", "Ada"), ("And no.", "Ada"), ("Who knows.", "Bo")]
    cues = [Cue(start=n, end=n + 1, text=text, speaker=speaker) for n, (text, speaker) in enumerate(said)]
    assert transcripts.srt(cues).split("\n")[2::4] == ["Ada: Yes.", "And no.", "Bo: Who knows."]


def test_a_stop_near_the_beginning_parts_no_caption() -> None:
    """It would flash by."""
    text = "Yes, and then there comes a long row of words that goes on and on without any stop"
    assert next(pieces(text, 32, 2)) == ["Yes, and then there comes a long", "row of words that goes on and on"]


def test_chinese_and_japanese_are_broken_without_spaces() -> None:
    text = "これは長い文章です。" * 12
    cues = (Cue(start=0, end=30, text=text),)
    assert max(map(len, transcripts.vtt(cues).split("\n"))) == 65
    assert [one.text for one in again(cues, ".vtt")] == [text]
    assert whole(again(cues, ".srt"), cues) == [*cues]


def test_a_cue_without_time_for_its_lines_stays_one() -> None:
    cues = (Cue(start=1, end=1.002, text="word " * 40),)
    assert transcripts.srt(cues).count("-->") == 1


def test_a_name_that_is_longer_than_a_line_is_shortened() -> None:
    name = "Maria Theresia Amalia von und zu Hohenstein"
    assert transcripts.srt([Cue(start=0, end=2, text="Yes.", speaker=name)]).split("\n")[2:4] == [
        "Maria Theresia Amalia von und:",
        "Yes.",
    ]


@pytest.mark.thorough(but_each=3)
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_real_files_are_read_and_written_in_every_form(file: Path, tmp_path: Path) -> None:
    """And what is written is read by other readers, cue for cue."""
    found = transcripts.read(file.read_text("utf-8"), file.suffix)
    cues = found.cues
    assert len(cues) >= 50
    assert all(cue.start < cue.end and cue.text for cue in cues)
    assert all(before.end <= after.start or before.start == after.start for before, after in pairwise(cues))
    assert again(cues, ".vtt") == again(cues, ".json") == cues
    for ending in transcripts.FORMS:
        (tmp_path / f"out{ending}").write_bytes(transcripts.written(cues, ending))
    subtitles = webvtt.read(str(tmp_path / "out.vtt"))
    assert [(one.start_in_seconds, one.voice) for one in subtitles] == [(int(one.start), one.speaker) for one in cues]
    assert [one.start for one in pysubs2.load(str(tmp_path / "out.vtt"))] == [round(one.start * 1000) for one in cues]
    parts = transcripts.read((tmp_path / "out.srt").read_text("utf-8"), ".srt").cues
    times = [(round(one.start * 1000), round(one.end * 1000)) for one in parts]
    assert [(one.start, one.end) for one in pysubs2.load(str(tmp_path / "out.srt"))] == times
    assert len(webvtt.from_srt(str(tmp_path / "out.srt"))) == len(parts)
    jsonschema.validate(json.loads((tmp_path / "out.json").read_bytes()), PODCASTING)


def test_what_is_in_the_real_files_is_found() -> None:
    """Voices, names before colons, Podlove's speakers; what was mended is told with its cue and line."""
    found = {file.name: transcripts.read(file.read_text("utf-8"), file.suffix) for file in FILES}
    assert {name: (len(one.cues), one.names) for name, one in found.items()} == {
        "german.vtt": (367, ()),
        "long.srt": (678, ()),
        "podlove-transcript.json": (2521, ("bsb-ddsncida", "dusu", "rlbmg", "bufnm-lspl", "vtvawiv-liwuglro")),
        "short.vtt": (52, ()),
        "speakers.srt": (724, ("Assirln", "Dsdsbob")),
        "voices-overlaps.vtt": (1235, ("Assirln Tokmlrf", "Bmkabt Drrd")),
    }
    assert {name: one.remarks for name, one in found.items() if one.remarks} == {
        "long.srt": (
            (1109, "cue 278 does not end after its start; its end is guessed from its words"),
            (1113, "cue 279 ends after the next cue has begun; cut there"),
        ),
        "podlove-transcript.json": ((2, "cue 1 ends after the next cue has begun; cut there (1293 more like it)"),),
        "voices-overlaps.vtt": ((2046, "cue 682 ends after the next cue has begun; cut there (1 more like it)"),),
    }


def podlove(cues: tuple[Cue, ...]) -> str:
    """Cues as Podlove's publisher exports them."""
    return json.dumps([
        {"start": transcripts.clock(one.start), "start_ms": round(one.start * 1000), "end": transcripts.clock(one.end),
         "end_ms": round(one.end * 1000), "speaker": one.speaker and "1", "voice": one.speaker or "", "text": one.text}
        for one in cues
    ])  # fmt: skip


def podlove_seconds(cues: tuple[Cue, ...]) -> str:
    """Cues as Podlove's player takes them."""
    return json.dumps({"transcripts": [
        {"start": one.start, "end": one.end, "speaker": one.speaker, "text": one.text} for one in cues
    ]})  # fmt: skip


def markup(cues: tuple[Cue, ...]) -> str:
    """Cues as the podcast namespace writes HTML."""
    rows = [
        (f"<cite>{one.speaker}:</cite>\n" if one.speaker else "")
        + f"<time>{transcripts.clock(one.start)}</time>\n<p>{escape(one.text)}</p>\n"
        for one in cues
    ]
    return f"<!doctype html><title>No words</title><h1>None either</h1>\n{''.join(rows)}"


@pytest.mark.parametrize(("written", "ending"), [(podlove, ".json"), (podlove_seconds, ".json"), (markup, ".html")])
@settings(max_examples=settings().max_examples // 4)
@given(cues=spoken())
def test_forms_of_others_are_read_and_become_ours(
    written: Callable[[tuple[Cue, ...]], str], ending: str, cues: tuple[Cue, ...]
) -> None:
    """HTML has no ends: words last until the next ones."""
    found = transcripts.read(written(cues), ending)
    assert found.remarks == ()
    assert [(one.start, one.text, one.speaker) for one in found.cues] == [
        (one.start, one.text, one.speaker) for one in cues
    ]
    if ending == ".html":
        assert all(before.end == after.start for before, after in pairwise(found.cues))
    else:
        assert found.cues == cues
    for other in (".vtt", ".json"):
        assert again(found.cues, other) == found.cues


def test_words_of_a_file_of_single_words_are_joined_to_phrases() -> None:
    """As hosts export them: what is said in one breath is a cue."""
    said = "I find your lack of faith disturbing. Well said it was not me and that is all we know about it here"
    segments = [
        {"speaker": "A" if n < 7 else "B", "startTime": n / 2, "endTime": n / 2 + 0.25, "body": word}
        for n, word in enumerate(said.split())
    ]
    found = transcripts.read(json.dumps({"version": "1.0.0", "segments": segments}), ".json")
    assert [(one.start, one.end, one.text, one.speaker) for one in found.cues] == [
        (0, 3.25, "I find your lack of faith disturbing.", "A"),
        (3.5, 10.75, "Well said it was not me and that is all we know about it here", "B"),
    ]


def test_a_pause_between_single_words_parts_cues() -> None:
    starts = [*range(12), *range(40, 52)]
    segments = [{"startTime": start / 4, "endTime": start / 4 + 0.2, "body": "so"} for start in starts]
    found = transcripts.read(json.dumps({"segments": segments}), ".json")
    assert [(one.start, one.end) for one in found.cues] == [(0, 2.95), (10, 12.95)]


def test_what_is_no_segment_is_told_with_its_line() -> None:
    text = '{"segments": [\n{"startTime": 1, "endTime": 2, "body": "One"},\n{"startTime": "x", "body": "Two"},\n'
    text += '{"startTime": 3, "body": "Three\\u0007"},\n{"startTime": true, "body": ""}\n]}'
    found = transcripts.read(text, ".json")
    assert [(one.start, one.end, one.text) for one in found.cues] == [(1, 2, "One"), (3, 4, "Three")]
    assert found.remarks == (
        (3, "segment 2 has no 'startTime' in seconds; left out"),
        (4, "cue 3 holds the control character U+0007; left out"),
    )
    for wrong, told in (("[", "is no JSON"), ('{"a": 1}', "expected a mapping with a list of 'segments'")):
        (remark,) = transcripts.read(wrong, ".json").remarks
        assert told in remark[1]
    assert transcripts.read("[]", ".json").remarks == (
        (1, "holds no cue that can be read; expected a list of 'segments' with startTime, endTime and body"),
    )


PLAIN = [
    # paragraphs without anything
    ("One\nline.\n\nTwo.\n", [(None, "One line.", None), (None, "Two.", None)]),
    # names before a colon that stand there twice
    (
        "Ada: Hello.\n\nBo: Hi.\nAda: So.\n\nNote: this.\n\nBo: Yes.",
        [(None, "Hello.", "Ada"), (None, "Hi.", "Bo"), (None, "So.", "Ada"), (None, "Note: this.", "Ada"),
         (None, "Yes.", "Bo")],
    ),
    # times before the words, in brackets or not
    (
        "[00:01] Ada: Hello.\n\n(0:05) Bo: Hi.\n\n0:09 - Ada: So.\n\nBo: Yes.",
        [(1, "Hello.", "Ada"), (5, "Hi.", "Bo"), (9, "So. Yes.", "Ada")],
    ),
    # a name and a time over the words
    (
        "Ada Reef  0:03\nHello and\nwelcome.\n\nBo  1:02:03\nHi.\n",
        [(3, "Hello and welcome.", "Ada Reef"), (3723, "Hi.", "Bo")],
    ),
    # times that are part of a text
    (
        "12:30 was late.\n\nToo late.\n\nFar.",
        [(None, "12:30 was late.", None), (None, "Too late.", None), (None, "Far.", None)],
    ),
    ("5:00 x.\n\n4:00 y.", [(None, "5:00 x.", None), (None, "4:00 y.", None)]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), PLAIN)
@pytest.mark.parametrize("ending", [".txt", ".html"])
def test_plain_text_is_read_with_names_and_times_if_it_has_them(
    text: str, expected: list[tuple[float | None, str, str | None]], ending: str
) -> None:
    """No time is made up: where a file has none, its paragraphs have none. The same words in HTML read the same."""
    if ending == ".html":
        text = "".join(f"<p>{part}</p>" for part in re.split(r"\n(?=\n|Ada:)\n?", text))
    found = transcripts.read(text, ending)
    assert found.remarks == ()
    said: tuple[Cue | Passage, ...] = found.cues or found.passages
    assert [(getattr(one, "start", None), one.text, one.speaker) for one in said] == expected
    assert not (found.cues and found.passages)


def test_lines_without_an_empty_one_between_them_become_paragraphs() -> None:
    """Whisper writes a line for each sentence."""
    found = transcripts.read("\n".join(["Some sixty letters are enough for this line to end it here."] * 40), ".txt")
    assert [len(one.text) for one in found.passages] == [659, 659, 659, 419]


def test_known_speakers_count_even_once_and_in_any_spelling() -> None:
    text = "1\n00:01,0 --> 00:02,0\nbsb-1: Hello\n\n2\n00:03,0 --> 00:04,0\n[SPEAKER_01]: Ho\n"
    assert transcripts.read(text, ".srt", ("bsb-1", "SPEAKER_01")).names == ("bsb-1", "SPEAKER_01")
    assert transcripts.read(text, ".srt").names == ()


def test_names_before_a_colon_are_speakers_of_webvtt_without_voices() -> None:
    """As Zoom and WhisperX write it."""
    cues = [f"00:0{n}.000 --> 00:0{n}.500\n{name}: Hello {n}\n" for n, name in enumerate(("Ada", "[SPEAKER_00]") * 2)]
    text = "WEBVTT\n\n" + "\n".join(cues)
    assert transcripts.read(text, ".vtt").names == ("Ada", "SPEAKER_00")
    voiced = text + "\n00:05.000 --> 00:05.500\n<v Bo>Hello\n"
    assert transcripts.read(voiced, ".vtt").names == ("Bo",)


def test_webvtt_without_its_first_line_is_read_and_told() -> None:
    found = transcripts.read("00:01.000 --> 00:02.000\nHello\n", ".vtt")
    assert [one.text for one in found.cues] == ["Hello"]
    assert found.remarks == ((1, "does not begin with 'WEBVTT'; read all the same"),)
