"""Speakers: whom of show.yaml a transcript means, and what is said where it means nobody."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from podsite.model import Episode
from podsite.parts import Credit, Cue, Person, Transcript
from podsite.speakers import Circle, Speaker, named

Podsite = Callable[..., Any]
PEOPLE = {
    "ada": Person(name="Ada Reef"),
    "zoe": Person(name="Dr. Zoé Müller"),
    "ann-one": Person(name="Ann One"),
    "ann-two": Person(name="Ann Two"),
    "twin": Person(name="Ada Reef"),
}


def met(make: Callable[..., Episode], names: tuple[str, ...], here: tuple[str, ...], **mapping: str) -> dict[str, str]:
    """Who the names are, by id."""
    people = tuple(Credit(person=one) for one in here)
    transcript = Transcript(file="x.vtt", names=names, speakers=mapping)
    found = Circle(PEOPLE).speakers(make(people=people, transcript=transcript))
    assert all(speaker.name == PEOPLE[speaker.person].name for speaker in found.values())
    return {name: speaker.person for name, speaker in found.items()}


@pytest.fixture
def make(now: int) -> Callable[..., Episode]:
    """An episode with what counts here."""
    from datetime import UTC, datetime

    return lambda **more: Episode(title="x", published=datetime.fromtimestamp(now, UTC), summary="x", **more)


def test_a_name_is_known_without_case_accents_or_titles(make: Callable[..., Episode]) -> None:
    names = ("ADA  reef", "dr zoe muller", "Zoé", "nobody", "zoe")
    assert met(make, names, ("ada", "zoe")) == {
        "ADA  reef": "ada",
        "dr zoe muller": "zoe",
        "Zoé": "zoe",
        "zoe": "zoe",
    }


def test_a_first_name_is_enough_only_for_one_who_takes_part(make: Callable[..., Episode]) -> None:
    assert met(make, ("Ann",), ("ann-one",)) == {"Ann": "ann-one"}
    assert met(make, ("Ann",), ("ann-one", "ann-two")) == {}
    assert met(make, ("Ann",), ()) == {}
    assert met(make, ("Ann One",), ()) == {"Ann One": "ann-one"}


def test_of_two_of_one_name_the_one_who_takes_part_is_meant(make: Callable[..., Episode]) -> None:
    assert met(make, ("Ada Reef",), ("twin",)) == {"Ada Reef": "twin"}
    assert met(make, ("Ada Reef",), ()) == {}


def test_what_the_episode_says_comes_first(make: Callable[..., Episode]) -> None:
    assert met(make, ("Zoé", "SPEAKER_01"), ("zoe",), Zoé="ada", SPEAKER_01="zoe") == {
        "Zoé": "ada",
        "SPEAKER_01": "zoe",
    }


def test_names_are_written_as_the_show_writes_them() -> None:
    cues = [Cue(start=0, end=1, text="Hi", speaker="ada"), Cue(start=1, end=2, text="Ho", speaker="x")]
    first, second = named(cues, {"ada": Speaker("Ada Reef", "ada")})
    assert (first.speaker, first.person) == ("Ada Reef", "ada")
    assert second == cues[1]


def test_page_and_files_name_the_person(site: Callable[..., Path], podsite: Podsite) -> None:
    """And a mapping without a file is of the companion."""
    words = "WEBVTT\n\n00:01.000 --> 00:02.000\n<v SPEAKER_00>Hello.\n"
    root = site(
        {
            "episodes/001-first-night.vtt": words,
            "episodes/001-first-night.yaml": dedent("""
            title: "The first night"
            published: 2025-03-01
            summary: "What one hears."
            people: [ada]
            transcript: {speakers: {SPEAKER_00: ada}}
        """),
        }
    )
    assert podsite("build", root, "--strict").status == 0
    page = root / "output/episodes/first-night"
    shown = (page / "index.html").read_text("utf-8").partition('class="transcript"')[2]
    assert "Ada Reef" in shown
    assert "SPEAKER_00" not in shown
    assert "<v Ada Reef>Hello." in (page / "transcript.vtt").read_text("utf-8")


def test_another_name_in_show_yaml_reaches_every_file(site: Callable[..., Path], podsite: Podsite) -> None:
    """Though nothing of the episode changed, and its transcript is not read again."""
    root = site({"episodes/001-first-night.vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\n<v ada>Hello.\n"})
    show = root / "show.yaml"
    for name in ("Ada Reef", "Ada Lind"):
        show.write_text(show.read_text("utf-8").replace("Ada Reef", name), encoding="utf-8")
        assert podsite("build", root, "--strict").status == 0
        for ending in ("vtt", "srt", "json"):
            written = root / f"output/episodes/first-night/transcript.{ending}"
            assert name in written.read_text("utf-8"), ending


@pytest.mark.parametrize(
    ("mapping", "voices", "told"),
    [
        ("", "Ada Reef", None),
        ("", "ada:Guest", None),  # one of them is known, so the other may well be a listener on the telephone
        ("", "X:Y", "names 'X', 'Y', none of them one of the people; say who is who: 'speakers: {X: ada}'"),
        ("transcript: {speakers: {X: adda}}", "X", "no person 'adda' in show.yaml (did you mean 'ada'?)"),
        ("transcript: {speakers: {Xa: ada}}", "Xb", "nobody speaks as 'Xa' in episodes/001-first-night.vtt"),
        ("transcript: {language: de}", None, "there is no transcript beside this file; name it: 'file: …'"),
    ],
)
def test_speakers_of_nobody_are_told_without_noise(
    site: Callable[..., Path], podsite: Podsite, mapping: str, voices: str | None, told: str | None
) -> None:
    cues = [f"00:0{n}.000 --> 00:0{n}.900\n<v {name}>Hello.\n" for n, name in enumerate((voices or "").split(":"))]
    episode = f"title: x\npublished: 2025-03-01\nsummary: x\npeople: [ada]\n{mapping}\n"
    words = "WEBVTT\n\n" + "\n".join(cues) if voices else None
    done = podsite("build", site({"episodes/001-first-night.yaml": episode, "episodes/001-first-night.vtt": words}))
    if told is None:
        assert (done.status, "speak" in done.err, "none of them" in done.err) == (0, False, False), done.err
    else:
        assert told in done.err
