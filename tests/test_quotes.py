"""Promises of podsite.quotes: when words are said, names that last, and soundbites."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from podsite.model import Episode
from podsite.parts import Cue, Enclosure, Quote
from podsite.podcasting import Soundbite
from podsite.quotes import Span, Words, quoted, settled, soundbites

CUES = [
    Cue(start=2, end=5.5, text="Good evening, and welcome."),
    Cue(start=5.5, end=9, text="It's dark; nobody can see"),
    Cue(start=9, end=12.25, text="the owls. They are quiet,"),
    Cue(start=40, end=44, text="Nobody can see the owls!"),
    Cue(start=50, end=55, text="夜は静かで、"),
    Cue(start=55, end=58, text="誰も眠らない。"),
]


@pytest.mark.parametrize(
    ("text", "near", "span"),
    [
        ("welcome", None, Span(2, 5.5)),
        ("It’s DARK\nnobody can see — the owls", None, Span(5.5, 12.25)),
        ("nobody can see the owls", None, Span(5.5, 12.25)),
        ("Nobody can see the owls.", 39, Span(40, 44)),
        ("静かで誰も眠らない", None, Span(50, 58)),
        ("come", None, None),
        ("nobody can see the moon", None, None),
        ("…", None, None),
        # not word for word: its first four words and its last four are there, and not too far from one another
        ("Good evening and welcome, my friends: nobody can see the owls", None, Span(2, 12.25)),
        ("Nobody can see the owls: good evening and welcome", None, None),
    ],
)
def test_words_are_found_where_they_are_said(text: str, near: float | None, span: Span | None) -> None:
    """Case, punctuation, apostrophes and line ends do not matter; of two places the nearer counts."""
    assert Words(CUES).find(text, near) == span


def settle(*quotes: Quote) -> list[tuple[str, float | None, float | None]]:
    """Name, start and duration of quotes."""
    return [(one.anchor, one.start, one.duration) for one in settled(quotes, CUES)]


def test_what_is_not_written_comes_from_the_transcript() -> None:
    """What is written stays, and the name depends on that alone."""
    assert settle(
        Quote(text="They are quiet"),
        Quote(text="Nobody can see the owls", start=38.0),
        Quote(text="welcome", start=3, duration=10),
        Quote(text="welcome", start=300),
        Quote(text="Nobody knows"),
    ) == [
        ("they-are-quiet", 9, 3.25),
        ("t-38", 38.0, 6.0),
        ("t-3", 3, 10),
        ("t-300", 300, None),
        ("nobody-knows", None, None),
    ]  # fmt: skip


def test_names_are_each_their_own_and_last() -> None:
    """By the second, then by its fraction, then by the words; by six words where there is no moment."""
    quotes = [
        Quote(text=text, start=start) for start, text in ((10803.2, "One"), (10803.25, "Two"), (10803.25, "Three"))
    ]
    quotes += [Quote(text="a b c d e f g"), Quote(text="A, b, c, d, e, f!"), Quote(text="…")]
    found = [one.anchor for one in settled(quotes, ())]
    assert found == ["t-10803", "t-10803.25", "t-10803.25-three", "a-b-c-d-e-f", "a-b-c-d-e-f-2", "quote"]
    assert next(settled(quotes[1:], ())).anchor == "t-10803"
    episode = _episode(quotes=tuple(settled(quotes[:1], ())))
    (one,) = quoted(episode)
    assert one.address == "episodes/owls/quotes/t-10803/"


def _episode(**facts: Any) -> Episode:
    audio = Enclosure(url="https://cdn.example.com/1.mp3", duration=600)
    return Episode(
        **{
            "title": "Owls",
            "slug": "owls",
            "summary": "S.",
            "published": datetime(2025, 1, 1, tzinfo=UTC),
            "audio": audio,
        }
        | facts
    )


def test_quotes_become_soundbites() -> None:
    """Of 15 to 120 seconds, inside the episode, once; those that are written come first."""
    long = "word " * 40
    quotes = (
        Quote(text="Short", start=10, duration=4),
        Quote(text=long, start=60, duration=30.5),
        Quote(text="Said twice", start=100.5, duration=20),
        Quote(text="Too long", start=200, duration=121),
        Quote(text="At the end", start=590, duration=9),
        Quote(text="When?", start=None, duration=20),
        Quote(text="How long?", start=300),
    )
    written = Soundbite(start=100, duration=25, title="Mine")
    found = soundbites(_episode(quotes=quotes, soundbites=(written,)))
    assert [(bite.start, bite.duration) for bite in found] == [(100, 25), (10, 15), (60, 30.5)]
    assert found[1].title == "Short"
    assert len(found[2].title or "") <= 128
    assert (found[2].title or "").endswith("word…")
    assert soundbites(_episode(quotes=quotes, audio=None)) == ()


def test_a_quote_that_is_not_in_the_transcript_is_told(site: Callable[..., Path], podsite: Callable[..., Any]) -> None:
    """Kindly, with its place; one with a start, or without a transcript, is fine."""
    vtt = "WEBVTT\n\n00:00.100 --> 00:00.900\nGood evening, owls.\n"
    text = (
        'title: "Owls"\npublished: 2025-03-08\nsummary: "S."\naudio: 001-first-night.mp3\n'
        'quotes:\n  - "Good evening"\n  - "Good morning"\n  - {text: "Good night", start: 0}\n'
    )
    root = site({"episodes/002-owls.yaml": text, "episodes/002-owls.vtt": vtt})
    done = podsite("build", root)
    assert done.status == 0
    told = [line for line in done.err.splitlines() if "quotes" in line]
    assert told == [
        "episodes/002-owls.yaml:7:5: quotes[2]: warning: these words are not in the transcript; write 'start: …' so "
        "that the quote can be played"
    ] or (len(told) == 1 and "quotes[2]: warning: these words are not in the transcript" in told[0])


def test_the_feed_has_the_soundbites_of_quotes(site: Callable[..., Path], build: Callable[..., Path]) -> None:
    """An edit of a quote makes the item again, though it came from the cache before."""
    text = (
        'title: "Owls"\npublished: 2025-03-08\nsummary: "S."\n'
        'audio: {url: "https://cdn.example.com/2.mp3", length: 12000000, duration: "12:34"}\n'
        'quotes: [{text: "Who calls?", start: "1:10", duration: 20}]\n'
    )
    root = site({"episodes/002-owls.yaml": text})

    def bites() -> list[tuple[Any, ...]]:
        feed = etree.parse(build(root) / "feed.xml").getroot()
        found = feed.iterfind(".//{https://podcastindex.org/namespace/1.0}soundbite")
        return [(one.get("startTime"), one.get("duration"), one.text) for one in found]

    assert bites() == [("70", "20", "Who calls?")]
    (root / "episodes/002-owls.yaml").write_text(text.replace("Who calls?", "Who is it?"), encoding="utf-8")
    assert bites() == [("70", "20", "Who is it?")]
