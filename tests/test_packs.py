"""Promises of podsite.packs: every small result comes back as it was put in, or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from podsite.cache import Cache, digest
from podsite.packs import KEY, Pack, store


def key(number: int) -> bytes:
    """A key of its own for each number."""
    return number.to_bytes(KEY, "big")


def filled(folder: Path, numbers: range) -> None:
    """A build that puts these numbers into the pack."""
    pack = Pack(folder)
    for number in numbers:
        if pack.get(key(number)) is None:
            pack.put(key(number), b"%d" % number)
    pack.save()


def test_what_was_put_in_comes_back_in_the_next_process(tmp_path: Path) -> None:
    """Empty results too; what was never put in does not."""
    pack = Pack(tmp_path)
    pack.put(key(1), b"one")
    pack.put(key(2), b"")
    assert pack.get(key(1)) == b"one"
    pack.save()
    assert [Pack(tmp_path).get(key(number)) for number in (1, 2, 3)] == [b"one", b"", None]


def test_one_new_result_is_written_alone(tmp_path: Path) -> None:
    """What is there already is neither read as a whole nor written again."""
    filled(tmp_path, range(1000))
    (first,) = tmp_path.iterdir()
    before = first.stat()
    filled(tmp_path, range(1001))
    (second,) = set(tmp_path.iterdir()) - {first}
    assert second.stat().st_size < 100
    assert first.stat() == before
    filled(tmp_path, range(1001))
    assert set(tmp_path.iterdir()) == {first, second}, "nothing new, nothing written"


def test_many_segments_become_one_that_holds_what_is_used(tmp_path: Path) -> None:
    """A pack does not grow for ever: what no build asks for goes when the segments are joined."""
    for size in range(1, 12):
        filled(tmp_path, range(size, size + 3))
    assert len(list(tmp_path.iterdir())) <= 8
    assert [Pack(tmp_path).get(key(number)) for number in (1, 11, 12, 13)] == [None, b"11", b"12", b"13"]


@pytest.mark.parametrize("damage", [b"", b"short", b"\0" * 200])
def test_a_damaged_segment_holds_nothing(damage: bytes, tmp_path: Path) -> None:
    """Cut off or overwritten: its results are made again."""
    filled(tmp_path, range(3))
    (segment,) = tmp_path.iterdir()
    segment.write_bytes(damage)
    assert Pack(tmp_path).get(key(1)) is None
    filled(tmp_path, range(3))
    assert Pack(tmp_path).get(key(1)) == b"1"


def test_a_damaged_result_is_not_there(tmp_path: Path) -> None:
    """One byte turned in the middle of the file."""
    filled(tmp_path, range(3))
    (segment,) = tmp_path.iterdir()
    content = segment.read_bytes()
    segment.write_bytes(content[:-2] + b"x" + content[-1:])
    assert [Pack(tmp_path).get(key(number)) for number in range(3)] == [b"0", None, b"2"]


def test_a_folder_that_cannot_be_used_is_no_error(tmp_path: Path) -> None:
    """A file in its place only costs the work, and no folder at all as well."""
    (tmp_path / "file").write_text("")
    for pack in (Pack(tmp_path / "file"), Pack(None)):
        pack.put(key(1), b"one")
        assert pack.get(key(1)) == b"one"
        pack.save()
        assert pack.get(key(1)) in {b"one", None}


def test_two_processes_may_save_at_once(tmp_path: Path) -> None:
    """Neither takes away what the other wrote."""
    one, other = Pack(tmp_path), Pack(tmp_path)
    one.put(key(1), b"one")
    other.put(key(2), b"two")
    one.save()
    other.save()
    assert [Pack(tmp_path).get(key(number)) for number in (1, 2)] == [b"one", b"two"]


def test_a_cache_keeps_its_packs_when_told_to(tmp_path: Path) -> None:
    """One pack for each kind, under keys made of all they depend on, behind the marks of a cache."""
    cache = Cache(tmp_path / ".podsite")
    cache.pack("note").put(digest("a", "b"), b"text")
    assert not (tmp_path / ".podsite").exists()
    cache.save()
    assert Cache(tmp_path / ".podsite").pack("note").get(digest("a", "b")) == b"text"
    assert (tmp_path / ".podsite" / "CACHEDIR.TAG").exists()
    assert len({digest("ab"), digest("a", "b"), digest("a", b"b"), digest("ab", None), digest()}) == 5


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="this system does not tell which files are open")
def test_no_file_stays_open(tmp_path: Path) -> None:
    """However many builds a process makes, and whoever keeps a pack."""

    def opened() -> set[str]:
        links = (Path("/proc/self/fd") / number for number in os.listdir("/proc/self/fd"))
        return {str(link.readlink()) for link in links if link.is_symlink()}

    filled(tmp_path, range(3))
    pack = Pack(tmp_path)
    assert pack.get(key(1)) == b"1"
    assert any(str(tmp_path) in path for path in opened())
    pack.save()
    assert not any(str(tmp_path) in path for path in opened())
    assert pack.get(key(2)) == b"2"


def test_what_a_killed_process_left_half_done_is_removed_in_time(tmp_path: Path) -> None:
    """As soon as nobody can be writing it still; what is being written stays."""
    old, young = (tmp_path / f".part-{number}-x.pack" for number in (1, 2))
    for path in (old, young):
        path.write_bytes(b"half")
    os.utime(old, (0, 0))
    store(tmp_path / "note", b"whole")
    assert [path.name for path in sorted(tmp_path.iterdir())] == [young.name, "note"]
