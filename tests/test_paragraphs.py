"""Promises of podsite.paragraphs: how the spoken words are read on a page, and that links to them last."""

from __future__ import annotations

import re
from html import unescape
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from podsite.contexts import Paragraph, Stretch
from podsite.paragraphs import LONG, NEAR, PAUSE, WINDOW, stretches, untimed
from podsite.parts import Chapter, Cue, Passage


def cue(start: float, end: float, text: str, speaker: str | None = None) -> Cue:
    """A cue of a transcript."""
    return Cue(start=start, end=end, text=text, speaker=speaker)


def spoken(count: int, each: float = 4.0, *, text: str = "Word number {}.") -> list[Cue]:
    """Cues without a pause, each a sentence unless `text` says otherwise."""
    return [cue(n * each, (n + 1) * each, text.format(n)) for n in range(count)]


def parts(made: list[Stretch]) -> list[Paragraph]:
    """The paragraphs of all stretches."""
    return [part for stretch in made for part in stretch.paragraphs]


def paragraphs(cues: list[Cue]) -> list[Paragraph]:
    """The paragraphs of cues without chapters."""
    return parts([*stretches(cues)])


def test_a_paragraph_ends_where_another_speaks_or_after_a_pause() -> None:
    """The speaker is named where it changes."""
    cues = [cue(0, 2, "One", "A"), cue(2, 4, "two", "A"), cue(4, 6, "Three", "B"), cue(7 + PAUSE, 11, "four", "B")]
    made = [(part.anchor, part.speaker, part.text) for part in paragraphs(cues)]
    assert made == [("t-0", "A", "One two"), ("t-4", "B", "Three"), ("t-9", None, "four")]


def test_a_long_speech_is_parted_between_sentences_about_as_often() -> None:
    """Neither inside a sentence nor in pieces that are hardly worth a paragraph."""
    cues = [cue(n * 5, n * 5 + 5, f"and {n}{'.' if n % 3 == 2 else ''}") for n in range(60)]
    made = paragraphs(cues)
    assert len(made) == 300 // WINDOW + 1
    assert all(part.text.endswith(".") for part in made)
    assert all(NEAR < after.start - one.start < 2 * WINDOW for one, after in pairwise(made))  # type: ignore[operator]


def test_no_paragraph_begins_for_its_length_near_one_that_begins_anyway() -> None:
    """A speaker who says two words more after the minute is full does not get them alone."""
    cues = [cue(n, n + 1, f"{n}.", "A" if n < WINDOW + 3 else "B") for n in range(70)]
    assert [part.start for part in paragraphs(cues)] == [0, WINDOW + 3]


def test_words_without_any_sentence_are_parted_all_the_same() -> None:
    """As programs write down what they hear."""
    made = paragraphs(spoken(100, text="word number {} and"))
    assert len(made) == 400 // WINDOW + 1
    assert "<span" in made[0].html or len(made[0].text) <= LONG


def test_words_are_joined_as_their_script_writes_them() -> None:
    """Chinese and Japanese without spaces, Korean and Latin with."""
    pairs = [("そして", "その先へ。"), ("안녕", "하세요"), ("half", "way"), ("AIは", "Python")]
    joined = [paragraphs([cue(0, 1, one), cue(1, 2, two)])[0].text for one, two in pairs]
    assert joined == ["そしてその先へ。", "안녕 하세요", "half way", "AIは Python"]


def test_a_sentence_is_linked_to_at_the_cue_in_which_it_begins() -> None:
    """The first of a paragraph by the paragraph; those that begin in one cue stay together."""
    cues = [
        cue(10, 13, "Good evening. Tonight we"),
        cue(13.25, 16, "talk about <owls>. They are"),
        cue(16.5, 18, "quiet. Are they? Yes."),
        cue(18, 20, 'They "are."'),
        cue(20, 21, "Well."),
    ]
    (part,) = paragraphs(cues)
    assert part.html == (
        'Good evening. <span id="t=13.25">They are quiet.</span> <span id="t=16.5">Are they? Yes.</span>'
        ' <span id="t=18">They "are."</span> <span id="t=20">Well.</span>'
    ).replace("Good evening.", "Good evening. Tonight we talk about &lt;owls&gt;.")
    (japanese,) = paragraphs([cue(0, 1, "はい。でも"), cue(1, 2, "ちがう。「そう。」"), cue(2, 3, "ね")])
    assert japanese.html == 'はい。でもちがう。<span id="t=1">「そう。」</span><span id="t=2">ね</span>'


def test_two_paragraphs_in_one_second_have_anchors_of_their_own() -> None:
    """The fraction tells them apart; where even that is the same, a number."""
    cues = [cue(7, 8, "A", "A"), cue(7.25, 8, "B", "B"), cue(7.25, 8, "C", "C"), cue(7.5, 8, "D", "D")]
    assert [part.anchor for part in paragraphs(cues)] == ["t-7", "t-7.25", "t-7.25-2", "t-7.5"]


def test_chapters_part_the_words_and_stand_above_them() -> None:
    """A chapter in which nobody speaks has no heading; what comes before the first has none either."""
    chapters = [Chapter(start=start, title=title) for start, title in ((6, "Dusk"), (9, "Music"), (9.5, "Moon"))]
    made = [*stretches([cue(1, 2, "Hi."), cue(5.8, 9, "It is dark."), cue(9.2, 12, "It is light.")], chapters)]
    assert [(each.anchor, each.chapter and each.chapter.title) for each in made] == [
        (None, None), ("c-6", "Dusk"), ("c-9.5", "Moon"),
    ]  # fmt: skip
    assert [part.text for part in parts(made)] == ["Hi.", "It is dark.", "It is light."]


def test_speakers_are_linked_to_where_they_have_a_page() -> None:
    """Somebody of show.yaml who takes part in no episode has none."""
    ada = Cue(start=0, end=1, text="Hi.", speaker="Ada Reef", person="ada")
    bo = Cue(start=1, end=2, text="Ho.", speaker="Bo", person="bo")
    (stretch,) = stretches([ada, bo, cue(2, 3, "Oh.", "Cy")], (), {"ada": "people/ada/"})
    assert [(part.speaker, part.person, part.page) for part in stretch.paragraphs] == [
        ("Ada Reef", "ada", "people/ada/"), ("Bo", "bo", None), ("Cy", None, None),
    ]  # fmt: skip


def test_words_without_times_are_found_by_their_first_ones() -> None:
    """There is nothing else that lasts when words before them come or go."""
    ada = ["Good  evening,\nlisteners.", "It is dark & still."]
    said = [Passage(text=text, speaker="Ada", person="ada") for text in ada]
    stretch = untimed([*said, Passage(text="…"), Passage(text=ada[0])], {"ada": "people/ada/"})
    assert [(part.anchor, part.speaker, part.page, part.start) for part in stretch.paragraphs] == [
        ("p-good-evening-listeners", "Ada", "people/ada/", None), ("p-it-is-dark-still", None, None, None),
        ("p-3", None, None, None), ("p-good-evening-listeners-2", None, None, None),
    ]  # fmt: skip
    assert stretch.paragraphs[1].html == "It is dark &amp; still."


rows = st.lists(
    st.tuples(
        st.floats(0, 50).map(lambda number: round(number, 3)),
        st.floats(0, 9),
        st.text("ab c.<&。あ", max_size=300),
        st.sampled_from([None, "A", "B"]),
    ),
    max_size=60,
)


@given(rows, st.lists(st.floats(0, 60), max_size=4, unique=True))
def test_no_word_of_a_transcript_is_lost_and_every_anchor_leads_to_one_place(
    rows: list[tuple[float, float, str, str | None]], starts: list[float]
) -> None:
    """Whatever the cues overlap or leave empty."""
    cues = [cue(start, start + length, text, speaker) for start, length, text, speaker in sorted(rows, key=str)]
    chapters = [Chapter(start=start, title="C") for start in sorted(starts)]
    made = [*stretches(sorted(cues, key=lambda one: one.start), chapters)]
    said = "".join("".join(one.text.split()) for one in sorted(cues, key=lambda one: one.start))
    assert "".join("".join(part.text.split()) for part in parts(made)) == said
    assert all(unescape(re.sub("</?span[^>]*>", "", part.html)) == part.text for part in parts(made))
    ids = [part.anchor for part in parts(made)] + [each.anchor for each in made if each.anchor]
    ids += re.findall('<span id="(.*?)">', " ".join(part.html for part in parts(made)))
    assert len({*ids}) == len(ids)


@given(st.integers(0, 199), st.text("ab. ", min_size=1, max_size=80), st.booleans())
def test_a_correction_moves_no_anchor_that_is_a_minute_or_more_away(at: int, words: str, is_gone: bool) -> None:
    """Links that were shared lead where they led, though somebody mends a word, or a cue goes."""
    cues = spoken(200)
    mended = [*cues[:at], *([] if is_gone else [cue(cues[at].start, cues[at].end, words)]), *cues[at + 1 :]]
    far = 2 * WINDOW

    def anchors(cues: list[Cue]) -> set[str]:
        return {part.anchor for part in paragraphs(cues) if abs((part.start or 0) - at * 4) > far}

    assert anchors(mended) == anchors(cues)


@pytest.mark.parametrize("text", ["Word number {} and no more.", "word number {} without an end"])
def test_a_day_of_talk_is_parted_in_no_time(text: str) -> None:
    """The work grows with the words, not with their square: counted in paragraphs, of which there is one a window."""
    made = paragraphs(spoken(20_000, text=text))
    assert len(made) == 80_000 // WINDOW + 1
