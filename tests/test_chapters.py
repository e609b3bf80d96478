"""Chapters in JSON, in and out."""

from __future__ import annotations

import json

import pytest

from podsite.chapters import chapters_json, read
from podsite.parts import Chapter


def test_podcasting_2_chapters_are_read() -> None:
    text = json.dumps(
        {
            "version": "1.2.0",
            "chapters": [
                {"startTime": 0, "title": "Start", "img": "https://a.example/ä.jpg", "url": "https://a.example/"},
                {"startTime": 61.5, "title": "Two\nlines", "endTime": 70},
            ],
        }
    )
    assert read("\ufeff" + text) == (
        (
            Chapter(start=0.0, title="Start", url="https://a.example/", image="https://a.example/%C3%A4.jpg"),
            Chapter(start=61.5, title="Two lines"),
        ),
        [],
    )


def test_podlove_chapters_are_read() -> None:
    text = '{"chapters": [{"start": "00:01:08.500", "title": "K", "href": "", "image": ""}]}'
    assert read(text) == ((Chapter(start=68.5, title="K"),), [])


def test_silent_chapters_are_no_chapters_to_jump_to() -> None:
    assert read('{"chapters": [{"startTime": 3, "toc": false, "img": "https://a.example/x.png"}]}') == ((), [])


@pytest.mark.parametrize(
    ("chapter", "remark"),
    [
        ('{"startTime": 141.9}', "chapter 2 at 2:21 has no title; left out"),
        ('{"startTime": -1, "title": "A"}', "chapter 2 has no 'startTime' in seconds; left out"),
        ('{"startTime": true, "title": "A"}', "chapter 2 has no 'startTime' in seconds; left out"),
        ('{"startTime": NaN, "title": "A"}', "chapter 2 has no 'startTime' in seconds; left out"),
        ('{"startTime": "soon", "title": "A"}', "chapter 2 has no 'startTime' in seconds; left out"),
        ('{"startTime": 1, "title": "A\\u0007"}', "chapter 2 has the control character U+0007 in its title; left out"),
    ],
)
def test_what_is_no_chapter_is_left_out_with_its_line(chapter: str, remark: str) -> None:
    chapters, remarks = read(f'{{"chapters": [\n{{"startTime": 0, "title": "Start"}},\n{chapter}\n]}}')
    assert (chapters, remarks) == ((Chapter(start=0.0, title="Start"),), [(3, remark)])


def test_a_bad_link_costs_the_link_and_not_the_chapter() -> None:
    chapters, remarks = read('{"chapters": [{"startTime": 0, "title": "A", "url": "javascript:alert(1)"}]}')
    assert chapters == (Chapter(start=0.0, title="A"),)
    assert [line for line, _ in remarks] == [1]
    assert "javascript:alert(1)" in remarks[0][1]


@pytest.mark.parametrize("text", ["", "{", "[1", "<x>", '{"chapters": 3}', "{}", "null"])
def test_a_file_that_is_no_list_of_chapters_says_so(text: str) -> None:
    chapters, [(line, message)] = read(text)
    assert (chapters, line) == ((), 1)
    assert message.endswith("no chapters are shown")


def test_written_chapters_have_complete_addresses_and_are_read_back() -> None:
    made = (
        Chapter(start=0.0, title="Ünder", url="https://a.example/"),
        Chapter(start=61.5, title="Up", image="episodes/x.jpg"),
    )
    written = chapters_json(made, title="One", podcast="Show", picture=lambda file: f"https://e.example/{file}")
    assert json.loads(written) == {
        "version": "1.2.0",
        "title": "One",
        "podcastName": "Show",
        "chapters": [
            {"startTime": 0, "title": "Ünder", "url": "https://a.example/"},
            {"startTime": 61.5, "title": "Up", "img": "https://e.example/episodes/x.jpg"},
        ],
    }
    assert [chapter.title for chapter in read(written.decode())[0]] == ["Ünder", "Up"]
