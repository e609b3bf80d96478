"""Promises of equal bytes: the same content gives the same site, whoever builds it, wherever and how often."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

#: Lists folders in reverse order, as another file system might, then runs podsite.
SHUFFLED = """
import os, sys
listdir, scandir, walk = os.listdir, os.scandir, os.walk
class Scan:
    def __init__(self, found):
        self.found = iter(found)
    def __iter__(self):
        return self.found
    def __next__(self):
        return next(self.found)
    def __enter__(self):
        return self
    def __exit__(self, *_):
        pass
    def close(self):
        pass
def scanned(*given):
    with scandir(*given) as entries:
        return Scan(sorted(entries, key=lambda entry: entry.name, reverse=True))
os.listdir = lambda *given: sorted(listdir(*given), reverse=True)
os.scandir = scanned
from podsite.cli import main
sys.argv[0] = "podsite"
main()
"""
PLAIN = "from podsite.cli import main; main()"

#: Two machines that agree in nothing, neither with each other nor with the one these tests run on.
WORLDS = {
    "Tokyo, German locale, hash seed 1": (
        PLAIN, {"TZ": "Asia/Tokyo", "LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8", "PYTHONHASHSEED": "1"}
    ),
    "Los Angeles, C locale, hash seed 0, folders listed backwards": (
        SHUFFLED, {"TZ": "America/Los_Angeles", "LC_ALL": "C", "PYTHONHASHSEED": "0"}
    ),
}  # fmt: skip


@pytest.fixture(scope="session")
def reference(own_site: Path) -> dict[str, bytes]:
    """This repository's site, as a plain build made it."""
    return files(own_site)


def files(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, the manifest included."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.thorough(but_each=2)
@pytest.mark.parametrize("world", WORLDS)
def test_time_zone_locale_hash_seed_and_folder_order_change_no_byte(
    reference: dict[str, bytes], tmp_path: Path, world: str, repository: Path
) -> None:
    """Two people who build one commit get one site."""
    script, environment = WORLDS[world]
    command = [sys.executable, "-c", script, "build", str(repository), "--output", str(tmp_path / "out"), "--quiet"]
    subprocess.run(command, env=os.environ | environment, check=True)
    built = files(tmp_path / "out")
    assert built.keys() == reference.keys()
    assert not [name for name, content in built.items() if content != reference[name]]


def test_a_second_build_of_this_repository_writes_nothing(podsite: Any, tmp_path: Path, repository: Path) -> None:
    """What is unchanged is not touched, audio and pictures included."""
    for _ in range(2):
        told = json.loads(podsite("build", repository, "--output", tmp_path / "out", "--format", "json").out)
    assert (told["summary"]["written"], told["summary"]["removed"]) == ([], [])


def test_a_fresh_cache_gives_the_same_bytes_as_an_old_one(podsite: Any, site: Any, tree: Any) -> None:
    """What is remembered between builds saves time and decides nothing."""
    one, two = site(folder="one"), site(folder="two")
    for path in sorted((two / ".podsite").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    for root in (one, two):
        assert podsite("build", root).status == 0
    assert tree(one / "output") == tree(two / "output")
