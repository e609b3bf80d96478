"""Promises of builds that are disturbed, and of caches that travel: the next build is right, wherever it runs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from trial import edits, garden, twins

import podsite
from podsite.recall import Built

#: Files of every kind, each with two contents that it gets one after the other; where it can be, of equally many bytes.
REPLACED: dict[str, tuple[str, bytes, bytes]] = {
    "a picture of a person": ("static/two.png", *garden.PICTURES[:2]),
    "a picture in notes": ("static/one.png", *garden.PICTURES[1:3]),
    "a recording": ("episodes/001-tides.mp3", *garden.RECORDINGS[1:]),
    "a transcript": ("episodes/001-tides.vtt", *garden.TRANSCRIPTS[:2]),
    "notes": ("episodes/001-tides.md", *garden.NOTES[:2]),
    "an episode": ("episodes/005-fog.yaml", *(
        f"title: Fog {n}\npublished: 2025-05-01\nsummary: Nothing is seen.\n".encode() for n in range(2)
    )),
    "a page": ("pages/about.md", b"# One\n\nText.\n", b"# Two\n\nText.\n"),
    "a template": ("templates/page.html", *(one.encode() for one in garden.TEMPLATES["page.html"][:2])),
    "a part of templates": ("templates/partials/row.html", *(
        one.encode() for one in garden.TEMPLATES["partials/row.html"][:2]
    )),
    "a style sheet": ("templates/assets/site.css", *(
        one.encode() for one in garden.TEMPLATES["assets/site.css"][:2]
    )),
}  # fmt: skip


class Disturber:
    """Replaces a file once, when it is opened for reading or when it has been read."""

    def __init__(self) -> None:
        self._file, self._content, self._is_early, self._was_opened = "", b"", False, False
        sys.addaudithook(self._heard)  # it cannot be taken away again, but does nothing when it waits for nothing

    def wait(self, file: Path, content: bytes, *, is_early: bool) -> None:
        """Replace this file next, at the moment it is opened or at the next one that another file is."""
        self._file, self._content, self._is_early, self._was_opened = str(file), content, is_early, False

    @property
    def is_done(self) -> bool:
        """Whether it was replaced."""
        return not self._file

    def _heard(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self._file or event != "open" or not isinstance(arguments[0], str | os.PathLike):
            return
        is_it = os.fspath(arguments[0]) == self._file
        if is_it if self._is_early else self._was_opened and not is_it:
            file, self._file = self._file, ""
            Path(file).write_bytes(self._content)
        self._was_opened |= is_it


@pytest.fixture(scope="module")
def disturber() -> Iterator[Disturber]:
    """What replaces files while a build goes on."""
    found = Disturber()
    yield found
    found.wait(Path(), b"", is_early=False)


def planted(root: Path) -> Path:
    """The site of these tests, which does without cards, written to a folder."""
    show, episodes, files = garden.base()
    show["theme"] |= {"cards": False}
    for path, content in garden.tree(show, episodes, files).items():
        twins.put(root / path, content)
    return root


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> twins.Twins:
    """That site, built, and its twin that never is."""
    folder = tmp_path_factory.mktemp("moments")
    pair = twins.Twins(planted(folder / "site"), folder / "clean")
    pair.clean.mkdir()
    pair.first(edits.OPTIONS)
    return pair


@pytest.mark.thorough(but_each=11)
@pytest.mark.parametrize("what", REPLACED)
@pytest.mark.parametrize("is_early", [True, False], ids=["before it is read", "after it was"])
def test_what_is_replaced_while_a_build_goes_on_is_noticed_by_the_next(
    what: str, is_early: bool, pair: twins.Twins, disturber: Disturber
) -> None:
    """Whichever of both the build took, the one behind it gives what a build from nothing gives."""
    name, first, second = REPLACED[what]
    twins.put(pair.site / name, first)
    disturber.wait(pair.site / name, second, is_early=is_early)
    assert isinstance(twins.outcome(pair.site, edits.OPTIONS), Built)
    assert disturber.is_done, "the build has not read it"
    assert (pair.site / name).read_bytes() == second
    assert pair.build(edits.OPTIONS)


def test_a_picture_that_went_and_came_back_is_shown_again(pair: twins.Twins) -> None:
    """The build in between fails, since notes show it, and leaves nothing behind that the next one would believe."""
    picture, content = pair.site / "static/one.png", garden.PICTURES[0]
    (pair.site / "episodes/001-tides.md").write_bytes(garden.NOTES[1])
    twins.put(picture, content)
    assert pair.build(edits.OPTIONS)
    picture.unlink()
    assert not pair.build(edits.OPTIONS)
    twins.put(picture, content)
    assert pair.build(edits.OPTIONS)


PLAIN = "import sys; from podsite.cli import main; sys.argv[0] = 'podsite'; main()"
#: Builds as above, but waits before it puts the first file of the output in its place.
HELD = """
import sys
def wait(event, arguments):
    if event == "os.rename" and "output" in str(arguments[1]):
        print("writing", flush=True)
        sys.stdin.readline()
sys.addaudithook(wait)
"""


def command(site: object, *options: str) -> list[str]:
    """A build of the site in a process of its own; its code is put before it."""
    return ["build", str(site), "--quiet", "--no-search", *options]


def surroundings(**more: str) -> dict[str, str]:
    """What these processes find in their environment."""
    places = {"PYTHONPATH": str(Path(podsite.__file__).parents[1])}
    return os.environ | places | {"SOURCE_DATE_EPOCH": str(int(edits.NOW.timestamp()))} | more


def test_of_two_builds_into_one_folder_one_is_refused(tmp_path: Path, podsite: Callable[..., Any]) -> None:
    """It says so and harms nothing; the other ends as it would have alone, and then the first one may come again."""
    root = planted(tmp_path / "site")
    alone = shutil.copytree(root, tmp_path / "alone")
    assert podsite(*command(alone)).status == 0
    held = subprocess.Popen(
        [sys.executable, "-c", HELD + PLAIN, *command(root)],
        env=surroundings(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert held.stdin
    assert held.stdout
    try:
        assert held.stdout.readline() == "writing\n"
        done = podsite(*command(root))
        assert (done.status, "another podsite build is writing here; wait for it to end" in done.err) == (1, True)
    finally:
        held.communicate("\n" * 10_000)
    assert held.returncode == 0
    assert twins.tree(root / "output") == twins.tree(alone / "output")
    assert podsite(*command(root)).status == 0
    assert twins.tree(root / "output") == twins.tree(alone / "output")


#: Two machines that agree in nothing: environment, umask, and the folder from which the site is built.
MACHINES: list[tuple[dict[str, str], int, str]] = [
    ({"TZ": "Asia/Tokyo", "LC_ALL": "de_DE.UTF-8", "PYTHONHASHSEED": "1"}, 0o077, "."),
    ({"TZ": "America/Los_Angeles", "LC_ALL": "C", "PYTHONHASHSEED": "0"}, 0o002, "pages"),
]


def built_there(machine: int, root: Path) -> twins.Tree:
    """Build a site as one of the machines does; its output."""
    environment, umask, below = MACHINES[machine]
    where = root / below
    subprocess.run(
        [sys.executable, "-c", PLAIN, *command(os.path.relpath(root, where))],
        env=surroundings(**environment), umask=umask, cwd=where, check=True,
    )  # fmt: skip
    return twins.tree(root / "output")


def test_a_cache_may_travel(tmp_path: Path, podsite: Callable[..., Any], thorough: bool) -> None:
    """To a machine that agrees in nothing, into another folder, where every file is new: the bytes are the same.

    Without the output, when something was edited on the way; and where all is tried, with it, as it was.
    """
    first = planted(tmp_path / "first/site")
    made = built_there(0, first)
    if thorough:
        copied = shutil.copytree(first, tmp_path / "elsewhere", copy_function=shutil.copy)
        assert built_there(1, copied) == made
    ignored = shutil.ignore_patterns("output")
    edited = shutil.copytree(first, tmp_path / "a/clone", ignore=ignored, copy_function=shutil.copy)
    (edited / "episodes/001-tides.md").write_bytes(garden.NOTES[2])
    clean = shutil.copytree(edited, tmp_path / "clean", ignore=shutil.ignore_patterns(".podsite"))
    assert podsite(*command(clean)).status == 0
    assert built_there(1, edited) == twins.tree(clean / "output") != made
