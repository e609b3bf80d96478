"""Promises of podsite.aside: what is made early and written late needs no memory, and is written all the same."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from podsite import press
from podsite.aside import Aside, Laid, laid
from podsite.crew import Crew
from podsite.signatures import digest_of

pytestmark = pytest.mark.skipif(not hasattr(os, "pwrite"), reason="on this system everything stays in memory")

EPISODE = """
title: "Episode {0}"
summary: "What number {0} is about."
published: 2021-05-{0:02}
audio: {{url: "https://example.net/{0}.mp3", length: 960000, duration: 60, type: audio/mpeg}}
notes: "Notes of **number {0}**."
"""


def test_what_is_laid_aside_comes_back(tmp_path: Path) -> None:
    """Each content behind the other, whole and piece by piece; of the file itself nothing is to be seen."""
    aside = Aside(tmp_path)
    assert [aside.lay(b"one"), aside.lay(b""), aside.lay(b"three")] == [0, 3, 3]
    assert Laid(aside, 3, 5, b"").read() == b"three"
    large = bytes(range(256)) * 10_000
    found = laid((large[start : start + 1000] for start in range(0, len(large), 1000)), Aside(tmp_path))
    assert isinstance(found, Laid)
    assert (found.length, found.digest) == (len(large), digest_of(large))
    assert b"".join(found.pieces()) == large
    assert max(map(len, found.pieces())) < len(large)
    assert not [*tmp_path.iterdir()]


def test_processes_take_turns(tmp_path: Path) -> None:
    """Nothing lies upon anything else, and the file is no longer than what is in it: not every disk saves on holes."""
    aside = Aside(tmp_path)
    contents = [bytes([number]) * (number + 1) for number in range(200)]
    shares = Crew(4).share(contents, lambda part: [(aside.lay(each), len(each), each[:1]) for each in part], 1)
    laid_out = [one for share in shares for one in share]
    assert [Laid(aside, offset, length, b"").read() for offset, length, _ in laid_out] == contents
    assert sum(length for _, length, _ in laid_out) == len(aside.read(0, 1 << 20))


def test_what_has_no_room_stays_where_it_is(tmp_path: Path) -> None:
    """Without a folder, and where the system takes nothing."""
    assert Aside(None).lay(b"content") is None
    assert laid([b"con", b"tent"], Aside(None)) == b"content"
    (tmp_path / "file").write_text("")
    assert laid([b"content"], Aside(tmp_path / "file")) == b"content"


def test_a_disk_that_fills_up_costs_memory_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was written by then is read back."""
    aside, wrote = Aside(tmp_path), os.pwrite
    content = bytes(range(256)) * 10_000

    def full(file: int, piece: bytes, offset: int) -> int:
        if offset:
            raise OSError(errno.ENOSPC, "no space left")
        return wrote(file, piece, offset)

    monkeypatch.setattr(os, "pwrite", full)
    assert laid([content[:1_500_000], content[1_500_000:]], aside) == content


def test_what_is_gone_is_told(tmp_path: Path) -> None:
    """Rather than a short file."""
    with pytest.raises(OSError, match="gone"):
        Laid(Aside(tmp_path), 0, 5, b"").read()


def test_pages_that_were_laid_aside_are_written_as_others_are(
    site: Callable[..., Path],
    build: Callable[..., Path],
    tree: Callable[[Path], dict[str, bytes]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """By one process and by several; the build after them has nothing to do."""
    root = site({f"episodes/e{number}.yaml": EPISODE.format(number) for number in range(1, 29)})
    expected = tree(build(root, "--no-search"))
    monkeypatch.setattr(press, "_VERY_MANY", 0)
    for jobs in ("1", "2"):
        output = tmp_path / f"by-{jobs}"
        build(root, "--no-search", "--jobs", jobs, "--output", output)
        assert tree(output) == expected
        before = {path: path.stat().st_mtime_ns for path in output.rglob("*.html")}
        build(root, "--no-search", "--jobs", jobs, "--output", output)
        assert {path: path.stat().st_mtime_ns for path in output.rglob("*.html")} == before
