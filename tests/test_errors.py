"""Hints: the nearest word is the library's, and many slips among many words do not take minutes to tell."""

from __future__ import annotations

import difflib
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from podsite import errors
from podsite.errors import ContentError
from podsite.read import read

SHOW = (
    'title: "T"\ndescription: "D"\nlanguage: en\nauthor: "Jo"\nurl: https://example.org/\n'
    "artwork: https://example.org/cover.png\ncategories: [Technology]\n"
)
WORDS = st.text("abcd-1", max_size=8)


@given(WORDS, st.lists(WORDS), st.sampled_from([0.6, 0.8]))
def test_the_nearest_word_is_the_one_difflib_finds(found: str, known: list[str], cutoff: float) -> None:
    """Looked for in less time, as most words cannot be the nearest."""
    near = [word for word in difflib.get_close_matches(found, set(known), n=1, cutoff=cutoff) if word]
    assert errors.nearest(found, known, cutoff) == (near[0] if near else None)


@pytest.mark.parametrize("key", ["related: [episode-{}x]", "audio: episode-{}x.mp3"])
def test_of_many_slips_only_the_first_are_compared_with_every_word(tmp_path: Path, key: str) -> None:
    """All of them are told; a hint for each would take a site of thousands of episodes many minutes."""
    (tmp_path / "show.yaml").write_text(SHOW, "utf-8")
    (tmp_path / "episodes").mkdir()
    for number in range(100, 160):
        text = f'title: "T"\npublished: 2024-05-01\nsummary: "S"\n{key.format(number)}\n'
        (tmp_path / "episodes" / f"{number}-episode-{number}.yaml").write_text(text, "utf-8")
    with mock.patch.object(errors, "nearest", side_effect=errors.nearest) as asked, pytest.raises(ContentError) as told:
        read(tmp_path)
    assert len(told.value.problems) == 60
    assert asked.call_count == errors.Hints.MOST
    assert sum("did you mean" in one.message for one in told.value.problems) == errors.Hints.MOST
