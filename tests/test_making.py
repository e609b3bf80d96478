"""Feeds are made and judged while pages are: whoever does it, the site and what is said of it are the same."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from podsite import crew
from podsite.feeds import incremental, making

COVER = "https://example.org/quiet/assets/cover.jpg"
MISSING = "https://example.org/quiet/assets/none.jpg"
EPISODE = """\
title: "Night {n}"
published: 2025-03-{n:02}
summary: "What the harbour sounds like at night."
audio: {{url: "https://media.example/{n}.mp3", length: 960000, type: audio/mpeg, duration: "1:00"}}
image: {image}
"""


@pytest.fixture
def pictured(site: Callable[..., Path], artwork: bytes) -> Path:
    """A site with an episode whose picture comes with the theme."""
    return site({"templates/assets/cover.jpg": artwork, "episodes/004-night.yaml": EPISODE.format(n=4, image=COVER)})


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the processes that made feeds, this one's excluded."""
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    made = making.Making._packed
    here = os.getpid()

    def noting(self: making.Making, of: crew.Crew) -> Any:
        os.write(writing, b"1" if os.getpid() == here else b"2")
        return made(self, of)

    monkeypatch.setattr(making.Making, "_packed", noting)
    found: list[int] = []
    finish = making.Making.finish

    def noted(self: making.Making) -> Any:
        by_then = finish(self)
        found.extend(os.read(reading, 9))
        return by_then

    monkeypatch.setattr(making.Making, "finish", noted)
    return found


def write(path: Path, content: bytes) -> None:
    """Put a file into a site."""
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_said_of_files_is_true_of_all_that_is_written(
    pictured: Path, podsite: Any, artwork: bytes, jobs: int
) -> None:
    """Though feeds are judged before the theme's files are known, and what was said before is remembered."""
    for number in (1, 2):
        done = podsite("build", pictured, "--jobs", jobs)
        assert (done.status, "artwork" in done.err) == (0, False)
        write(pictured / f"pages/more{number}.md", b"# More\n")
    write(pictured / "episodes/005-dawn.yaml", EPISODE.format(n=5, image=MISSING).encode())
    for _ in range(2):
        done = podsite("build", pictured, "--jobs", jobs)
        assert done.status == 1
        told, *_ = [line for line in done.err.splitlines() if "error: " in line or "none.jpg" in line]
        assert "episodes/005-dawn.yaml:5" in told
        assert "none.jpg" in told
    write(pictured / "templates/assets/none.jpg", artwork)
    assert podsite("build", pictured, "--jobs", jobs).status == 0
    (pictured / "templates/assets/cover.jpg").unlink()
    assert "cover.jpg" in podsite("build", pictured, "--jobs", jobs).err


@pytest.mark.skipif(sys.platform != "linux", reason="other systems begin no second process")
@pytest.mark.parametrize(("jobs", "many", "by"), [(1, 4000, b"1"), (2, 4000, b"2"), (2, 1, b"1")])
def test_another_process_makes_them_where_that_pays(  # noqa: PLR0917 - fixtures and cases
    pictured: Path, podsite: Any, tree: Any, elsewhere: list[int], monkeypatch: pytest.MonkeyPatch,
    jobs: int, many: int, by: bytes,
) -> None:  # fmt: skip
    """A crew of one has none; two that know all episodes of a very large site would take too much memory. What is
    written does not tell who made it.
    """
    monkeypatch.setattr(making, "_MANY", many)
    assert podsite("build", pictured, "--jobs", jobs, "--output", pictured.parent / "made").status == 0
    assert bytes(elsewhere) == by
    monkeypatch.undo()
    assert podsite("build", pictured, "--jobs", 1, "--output", pictured.parent / "alone").status == 0
    assert tree(pictured.parent / "made") == tree(pictured.parent / "alone")


def test_large_feeds_come_out_the_same_from_wherever_they_were_laid(
    pictured: Path, podsite: Any, tree: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Out of memory in between, with items told apart where they lie."""
    from podsite.feeds import rss

    monkeypatch.setattr(rss, "_LIGHT_BYTES", 100)
    for jobs in (1, 2):
        assert podsite("build", pictured, "--jobs", jobs, "--output", pictured.parent / f"laid{jobs}").status == 0
    monkeypatch.undo()
    assert podsite("build", pictured, "--output", pictured.parent / "held").status == 0
    assert tree(pictured.parent / "laid1") == tree(pictured.parent / "laid2") == tree(pictured.parent / "held")


@pytest.mark.parametrize("jobs", [1, 2])
def test_each_item_is_judged_once(pictured: Path, podsite: Any, monkeypatch: pytest.MonkeyPatch, jobs: int) -> None:
    """Of all items when they are new, and then of the one that was edited; whoever does it."""
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    batch = incremental._Splice._batch

    def counted(self: Any, numbers: Sequence[int]) -> Any:
        os.write(writing, b"%d " % len(numbers))
        return batch(self, numbers)

    monkeypatch.setattr(incremental._Splice, "_batch", counted)
    for edit in ("", "more", "and more"):
        path = pictured / "episodes/004-night.yaml"
        path.write_text(path.read_text("utf-8").replace("Night 4", f"Night 4 {edit}"), encoding="utf-8")
        assert podsite("build", pictured, "--jobs", jobs).status == 0
        assert sum(map(int, os.read(reading, 999).split())) == (1 if edit else 2)


def test_only_builds_judge_beforehand(pictured: Path, podsite: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A check does so when it is asked, and the whole feed at once."""

    def judged(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(making.Making, "_judged", judged)
    assert podsite("check", pictured).status == 0
    with pytest.raises(AssertionError):
        podsite("build", pictured, "--jobs", 1)
