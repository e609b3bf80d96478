"""Forms of chapters: each is read, none loses a title or a millisecond, and it is told which of several counts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mutagen.id3 import CHAP, CTOC, ID3, TIT2, WXXX, CTOCFlags

from podsite.chapters import chapters_json, read, stamps
from podsite.embedded import chapters as inside
from podsite.parts import Chapter
from podsite.transcripts import clock

Podsite = Callable[..., Any]
MEDIA = Path(__file__).with_name("media")
EPISODE = "title: The first night\npublished: 2025-03-01\nsummary: What one hears.\nnumber: 1\n"
NOTES = "notes: |\n  - 0:00 Begin\n  - 0:00:30 [Middle](https://a.example/)\n  - **1:00** End\n"

_TITLE = st.lists(
    st.text(st.characters(categories=("L", "N", "P", "S"), exclude_characters="<>"), min_size=1, max_size=12),
    min_size=1,
    max_size=4,
).map(" ".join)
_URL = st.none() | st.sampled_from(["https://a.example/", "https://b.example/x?y=1&z=%20"])


@st.composite
def listed(draw: st.DrawFn, step: int = 1) -> tuple[Chapter, ...]:
    """Chapters in order; their starts are multiples of `step` milliseconds."""
    starts = sorted(draw(st.sets(st.integers(0, 4 * 3_600_000 // step), min_size=1, max_size=8)))
    return tuple(Chapter(start=start * step / 1000, title=draw(_TITLE), url=draw(_URL)) for start in starts)


def as_lines(chapters: tuple[Chapter, ...]) -> str:
    """Chapters as Auphonic and Podlove write them, a line each."""
    return "".join(f"{clock(one.start)} {one.title}{f' <{one.url}>' if one.url else ''}\n" for one in chapters)


def as_markup(chapters: tuple[Chapter, ...]) -> str:
    """Chapters as XML of their own."""
    rows = "".join(
        f'<psc:chapter start="{clock(one.start)}" title="{escape(one.title)}"'
        + (f' href="{escape(one.url)}"' if one.url else "")
        + " />\n"
        for one in chapters
    )
    spaces = 'xmlns:psc="http://podlove.org/simple-chapters"'
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<psc:chapters version="1.2" {spaces}>\n{rows}</psc:chapters>\n'


def as_podlove(chapters: tuple[Chapter, ...]) -> str:
    """Chapters as Podlove's player takes them."""
    return json.dumps([
        {"start": clock(one.start), "title": one.title, "href": one.url or "", "image": ""} for one in chapters
    ])  # fmt: skip


def as_json(chapters: tuple[Chapter, ...]) -> str:
    """Chapters as podsite writes them."""
    return chapters_json(chapters, title="One", podcast="Show").decode()


FORMS = [as_lines, as_markup, as_podlove, as_json]


@pytest.mark.parametrize("first", FORMS)
@pytest.mark.parametrize("second", FORMS)
@settings(max_examples=settings().max_examples // 4)
@given(chapters=listed())
def test_every_form_becomes_every_other_and_back(
    first: Callable[..., str], second: Callable[..., str], chapters: tuple[Chapter, ...]
) -> None:
    """With titles, addresses and every millisecond."""
    there, remarks = read(first(chapters))
    back, more = read(second(there))
    assert (read(first(back))[0], remarks, more) == (chapters, [], [])


@settings(max_examples=settings().max_examples // 2)
@given(listed(1000).filter(lambda found: len(found) >= stamps.FEWEST))
def test_chapters_in_notes_are_read_to_the_second(chapters: tuple[Chapter, ...]) -> None:
    """Titles are words, without marks of Markdown."""
    begun = [Chapter(start=0, title="Begin"), *chapters[1:]]
    said = [Chapter(start=one.start, title=re.sub(r"[^\w ]", "x", one.title), url=one.url) for one in begun]
    said = [Chapter(start=one.start, title=one.title.replace("_", "x"), url=one.url) for one in said]
    lines = [f"- {clock(one.start)[:-4]} {f'[{one.title}]({one.url})' if one.url else one.title}" for one in said]
    assert stamps.chapters("\n".join(["Before.", "", *lines, "", "After."])) == tuple(said)


@pytest.mark.parametrize(
    ("notes", "titles"),
    [
        ("00:00 A\n01:00 B\n1:02:00 C", "A B C"),
        ("(0:00) A\n\n[1:00] – B\n\n2:00 | C", "A B C"),
        ("1. **0:00** *A*\n2. 1:00: `B`\n3. [2:00](#t=120) C \\", "A B C"),
        ("* 0:05 A\n* 1:00 B\n* 2:00 C", "A B C"),
        ("0:00 A\n1:00 B", ""),  # too few
        ("1:00 A\n2:00 B\n3:00 C", ""),  # moments, not chapters
        ("0:00 A\n2:00 B\n1:00 C", ""),  # not in order
        ("0:00 A\n1:00\n2:00 C", ""),  # one without a title
        ("0:00 A\nText.\n1:00 B\n2:00 C", ""),  # lines of a text
        ("At 5:00 sharp.\n\n0:00 A\n0:30 B\n1:00 C", "A B C"),
        ("", ""),
    ],
)
def test_only_a_list_from_the_beginning_on_makes_chapters_of_notes(notes: str, titles: str) -> None:
    assert [one.title for one in stamps.chapters(notes)] == titles.split()


def test_real_files_are_read() -> None:
    many, remarks = read((MEDIA / "chapters-many.json").read_text("utf-8"))
    assert (len(many), many[1], remarks) == (56, Chapter(start=141.883, title="Bmsowohrnurt 1985"), [])
    podlove, remarks = read((MEDIA / "podlove-chapters.json").read_text("utf-8"))
    assert ([one.start for one in podlove], remarks) == ([0, 8, 10], [])


def test_ends_places_and_silent_chapters_are_passed_over() -> None:
    text = json.dumps(
        {
            "version": "1.2.0",
            "chapters": [
                {"startTime": 0, "title": "A", "endTime": 5, "location": {"name": "Kiel", "geo": "geo:1,2"}},
                {"startTime": 3, "toc": False, "img": "https://a.example/x.png"},
            ],
        }
    )
    assert read(text) == ((Chapter(start=0, title="A"),), [])


def test_what_is_no_chapter_is_told_with_its_line() -> None:
    found, remarks = read("00:00:00 A\n\nHello\n99:99 B\n00:01:00\n00:02:00 C <javascript:x>\n")
    assert found == (Chapter(start=0, title="A"), Chapter(start=120, title="C"))
    assert [line for line, _ in remarks] == [3, 4, 5, 6]
    found, remarks = read('<psc:chapters>\n<psc:chapter start="x" title="A"/>\n<psc:chapter start="1" title=""/>')
    assert (found, [line for line, _ in remarks]) == ((), [2, 3])


def recording(silence: bytes, *chapters: tuple[int, str, str | None]) -> bytes:
    """A minute's MP3 with chapters inside; those whose title begins with a dot are not in the table of contents."""
    import io

    tag = ID3()
    for number, (start, title, url) in enumerate(chapters):
        frames = [TIT2(encoding=3, text=title), *([WXXX(encoding=3, url=url)] if url else [])]
        tag.add(CHAP(element_id=f"c{number}", start_time=start, end_time=start + 1, sub_frames=frames))
    ids = [f"c{number}" for number, (_, title, _) in enumerate(chapters) if title[0] != "."]
    inner = CTOC(element_id="inner", flags=CTOCFlags.ORDERED, child_element_ids=ids[1:])
    tag.add(inner)
    flags = CTOCFlags.TOP_LEVEL | CTOCFlags.ORDERED
    tag.add(CTOC(element_id="toc", flags=flags, child_element_ids=[*ids[:1], "inner"]))
    file = io.BytesIO(silence * 61)
    tag.save(file)
    return file.getvalue()


def test_chapters_inside_a_recording_are_those_its_tables_list(tmp_path: Path, silence: bytes) -> None:
    file = tmp_path / "x.mp3"
    file.write_bytes(recording(silence, (1500, "B", "https://b.example/"), (0, "A", None), (2000, ".hidden", None)))
    assert inside(file) == (
        Chapter(start=0, title="A"),
        Chapter(start=1.5, title="B", url="https://b.example/"),
    )
    for nothing in (b"", silence, b"ID3\x04\x00\x00\xff\xff"):
        file.write_bytes(nothing)
        assert inside(file) == ()


@pytest.mark.thorough(but_each=3)
@pytest.mark.parametrize(
    ("files", "starts", "told"),
    [
        ({"yaml": "chapters: [{start: 0, title: A}, {start: 0:30, title: B}]\n" + NOTES, "mp3": True}, [0, 30], True),
        ({"chapters.txt": "0:00 A\n0:20 B\n", "yaml": NOTES}, [0, 20], False),
        ({"psc": '<psc:chapter start="0:10" title="A"/>'}, [10], False),
        ({"mp3": True, "yaml": NOTES}, [0, 40], False),
        ({"yaml": NOTES}, [0, 30, 60], False),
        ({"yaml": "audio: {url: https://a.example/a.mp3, length: 400000, duration: 50}\n" + NOTES}, [], False),
        ({"yaml": "chapters: [{start: 0, title: a}, {start: 40.5, title: b}]\n", "mp3": True}, [0, 40.5], False),
    ],
)
def test_what_counts_is_what_is_written_then_the_recording_then_the_notes(
    site: Callable[..., Path],
    podsite: Podsite,
    silence: bytes,
    *,
    files: dict[str, Any],
    starts: list[float],
    told: bool,
) -> None:
    """Other chapters inside the recording are told, since some apps show those."""
    beside = {f"episodes/001-first-night.{ending}": text for ending, text in files.items() if ending != "yaml"}
    chapters = [(0, "A", None), (40_000, "B", None)] if "mp3" in files else []
    beside["episodes/001-first-night.mp3"] = recording(silence, *chapters)
    beside["episodes/001-first-night.yaml"] = EPISODE + files.get("yaml", "")
    root = site(beside)
    done = podsite("build", root)
    assert ("differ from those inside episodes/001-first-night.mp3" in done.err) == told, done.err
    page = root / "output/episodes/first-night/chapters.json"
    found = json.loads(page.read_bytes())["chapters"] if page.exists() else []
    assert [one["startTime"] for one in found] == starts
    feed = (root / "output/feed.xml").read_text("utf-8")
    again = read(feed)[0]  # Podlove's chapters in the item are the same to the millisecond
    assert [(one.start, one.title) for one in again] == [(one["startTime"], one["title"]) for one in found]


def test_times_that_stand_in_the_notes_are_not_told_twice(
    site: Callable[..., Path], podsite: Podsite, silence: bytes
) -> None:
    """Apple takes them from the description; chapters of another source are added to it."""
    chapters = "chapters: [{start: 0, title: One}, {start: 30, title: Two}, {start: 31, title: Three}]\n"
    for more, listed in (("", False), (chapters, True), (chapters.replace("31", "60"), False)):
        root = site(
            {
                "episodes/001-first-night.yaml": EPISODE + NOTES + more,
                "episodes/001-first-night.mp3": silence * 61,
            }
        )
        assert podsite("build", root).status == 0
        feed = (root / "output/feed.xml").read_text("utf-8")
        assert ("<strong>Chapters</strong>" in feed) == listed
        assert ("00:00:30 Two" in feed) == listed
