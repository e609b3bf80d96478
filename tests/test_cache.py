"""Promises of podsite.cache: it saves work, and nothing it holds or lacks can change a result or stop a build."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import podsite
from podsite.cache import Cache


class Work:
    """Something expensive that counts how often it is done."""

    def __init__(self, result: bytes = b"result") -> None:
        self.result, self.done = result, 0

    def __call__(self) -> bytes:
        self.done += 1
        return self.result


def stored(folder: Path) -> list[Path]:
    """The files that hold results."""
    return [path for path in folder.rglob("*") if path.is_file() and path.parent != folder]


def test_what_was_made_once_is_not_made_again(tmp_path: Path) -> None:
    """The next process too finds it, by its key."""
    work = Work()
    assert Cache(tmp_path).bytes("image", ["a", b"b"], work) == b"result"
    assert Cache(tmp_path).bytes("image", ["a", b"b"], work) == b"result"
    assert work.done == 1


def test_no_two_keys_share_a_result(tmp_path: Path) -> None:
    """Kind, division into parts, type of a part and podsite's version all count."""
    cache = Cache(tmp_path)
    keys: list[tuple[str, list[str | bytes]]] = [
        ("image", ["ab", "c"]),
        ("image", ["a", "bc"]),
        ("image", ["abc"]),
        ("image", ["abc", ""]),
        ("image", [b"abc"]),
        ("card", ["abc"]),
        ("image", []),
        ("image", ["a\udc80"]),
    ]
    for number, (kind, key) in enumerate(keys):
        cache.bytes(kind, key, Work(b"%d" % number))
    assert [cache.bytes(kind, key, Work(b"new")) for kind, key in keys] == [b"%d" % n for n in range(len(keys))]


def test_another_version_of_podsite_makes_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new podsite may compute otherwise, so it trusts no older result."""
    Cache(tmp_path).bytes("image", ["a"], Work(b"old"))
    monkeypatch.setattr("podsite.cache.__version__", "999")
    assert Cache(tmp_path).bytes("image", ["a"], Work(b"new")) == b"new"


@pytest.mark.parametrize("damage", [b"", b"short", b"\0" * 100])
def test_a_damaged_entry_is_made_again_and_mended(damage: bytes, tmp_path: Path) -> None:
    """Truncated or overwritten: the digest stored with the content tells."""
    cache, work = Cache(tmp_path), Work()
    cache.bytes("image", ["a"], work)
    (entry,) = stored(tmp_path)
    entry.write_bytes(damage)
    assert cache.bytes("image", ["a"], work) == b"result"
    assert cache.bytes("image", ["a"], work) == b"result"
    assert work.done == 2


def test_an_empty_result_is_remembered(tmp_path: Path) -> None:
    """Nothing is a result as well."""
    work = Work(b"")
    assert [Cache(tmp_path).bytes("image", [], work) for _ in range(2)] == [b"", b""]
    assert work.done == 1


def test_a_folder_that_cannot_be_used_is_no_error(tmp_path: Path) -> None:
    """A file in its place, or a folder in an entry's, only costs the work."""
    (tmp_path / "file").write_text("")
    assert Cache(tmp_path / "file").bytes("image", ["a"], Work()) == b"result"
    cache = Cache(tmp_path / "cache")
    cache.bytes("image", ["a"], Work())
    (entry,) = stored(tmp_path / "cache")
    entry.unlink()
    entry.mkdir()
    assert cache.bytes("image", ["a"], Work()) == b"result"
    assert list(entry.parent.iterdir()) == [entry], "no half-written file stays"


def test_without_a_folder_all_is_made_anew() -> None:
    """No cache is a cache that never remembers."""
    work = Work()
    assert [Cache(None).bytes("image", [], work) for _ in range(2)] == [b"result"] * 2
    assert work.done == 2


def test_a_failure_is_passed_on_and_not_remembered(tmp_path: Path) -> None:
    """What cannot be made leaves nothing behind."""

    def fail() -> bytes:
        raise ValueError("no image")

    with pytest.raises(ValueError, match="no image"):
        Cache(tmp_path / "cache").bytes("image", [], fail)
    assert not (tmp_path / "cache").exists()


def test_the_folder_tells_git_and_backups_to_pass_by(tmp_path: Path) -> None:
    """Both marks are there after the first result, and again when lost."""
    cache = Cache(tmp_path)
    for key in ("a", "b"):
        cache.bytes("image", [key], Work())
        assert (tmp_path / ".gitignore").read_text() == "*\n"
        assert (tmp_path / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55")
        (tmp_path / ".gitignore").unlink()
        (tmp_path / "CACHEDIR.TAG").unlink()


def test_two_processes_may_fill_it_at_once(tmp_path: Path) -> None:
    """Each reads only whole results while both write the same entries."""
    script = """
import sys
from pathlib import Path
from podsite.cache import Cache
for turn in range(5):
    for n in range(20):
        content = bytes([n]) * 100_000
        assert Cache(Path(sys.argv[1])).bytes("image", [str(n)], lambda: content) == content
        if turn % 2:
            for path in Path(sys.argv[1]).glob("image/*/[!.]*"):
                path.unlink(missing_ok=True)
"""
    env = os.environ | {"PYTHONPATH": str(Path(podsite.__file__).parents[1])}
    processes = [subprocess.Popen([sys.executable, "-c", script, str(tmp_path)], env=env) for _ in range(2)]
    assert [process.wait() for process in processes] == [0, 0]
    assert not [path for path in stored(tmp_path) if path.name.startswith(".")]
