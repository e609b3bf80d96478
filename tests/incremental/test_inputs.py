"""Promises of what counts as an input: whatever a build reads, under whatever name and at whatever moment."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from podsite.crew import LEAST, Crew
from podsite.findings import Findings

Site = Callable[..., Path]
Run = Callable[..., Any]


def about(output: Path) -> str:
    """The page of pages/about.md."""
    return (output / "about" / "index.html").read_text(encoding="utf-8")


def shows(output: Path, word: str) -> bool:
    """Whether any page has a word."""
    return any(word in page.read_text(encoding="utf-8") for page in output.rglob("*.html"))


@pytest.mark.thorough(but_each=3)
@pytest.mark.parametrize(
    ("named", "file"),
    [
        ('{% set n = "one" %}{% include "assets/icons/" ~ n ~ ".svg" %}', "assets/icons/one.svg"),
        ('{% include "inc/" ~ ".hidden.html" %}', "inc/.hidden.html"),
        ('{% include "inc/" ~ "old.html~" %}', "inc/old.html~"),
        ('{% include ".gitignore" %}', ".gitignore"),
        ('{% include "._odd.html" %}', "._odd.html"),
    ],
)
def test_a_page_follows_every_file_its_template_can_include(named: str, file: str, site: Site, build: Run) -> None:
    """An asset, a hidden file, what editors leave behind; by its name or by one that is put together."""
    root = site({"pages/about.md": "# About\n", "templates/page.html": named, f"templates/{file}": "first"})
    assert about(build(root)) == "first"
    (root / "templates" / file).write_text("other", encoding="utf-8")
    assert about(build(root)) == "other"


def test_an_edit_while_a_build_goes_on_is_not_taken_for_what_was_there(
    site: Site, build: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody saves an episode between two looks of the build at it, and takes it back later."""
    root = site()
    file = min((root / "episodes").glob("*.yaml"))
    written = file.read_text(encoding="utf-8")
    edited = written.replace("summary: ", "summary: EDITED ")
    assert edited != written
    decoded = Findings.decoded

    def saved(self: Findings, name: str, *rest: Any) -> Any:
        if name == f"episodes/{file.name}":
            file.write_text(edited, encoding="utf-8")
        found = decoded(self, name, *rest)
        file.write_text(written, encoding="utf-8")
        return found

    with monkeypatch.context() as patch:
        patch.setattr(Findings, "decoded", saved)
        assert shows(build(root), "EDITED")
    assert not shows(build(root), "EDITED")


def test_a_folder_that_became_a_link_or_a_file_is_noticed(site: Site, build: Run, podsite: Run, tmp_path: Path) -> None:
    """Though every file in it is the same file as before."""
    root = site({"static/more/note.txt": "text"})
    (root / "pages").mkdir(exist_ok=True)
    build(root)
    (root / "static" / "more").rename(tmp_path / "more")
    (root / "static" / "more").symlink_to(tmp_path / "more")
    done = podsite("build", root)
    assert (done.status, "is a link to a folder" in done.err) == (1, True)
    (root / "static" / "more").unlink()
    build(root)
    (root / "pages").rmdir()
    (root / "pages").write_text("", encoding="utf-8")
    done = podsite("build", root)
    assert (done.status, "expected a folder" in done.err) == (1, True)


def test_nobody_works_on_when_nobody_waits(tmp_path: Path) -> None:
    """A part that fails ends the others: no process outlives the command that began it."""
    if not hasattr(os, "fork"):
        pytest.skip("this system copies no processes")
    begun_by = os.getpid()

    def work(part: Any) -> Any:
        (tmp_path / str(os.getpid())).touch()
        while os.getpid() != begun_by or len(list(tmp_path.iterdir())) < 2:
            pass
        raise ValueError(f"the part that begins with {part[0]}")

    with pytest.raises(ValueError, match="the part that begins with 0"):
        list(Crew(2).share(range(2 * LEAST), work))
    (other,) = [int(path.name) for path in tmp_path.iterdir() if int(path.name) != os.getpid()]
    with pytest.raises(ProcessLookupError):
        os.kill(other, 0)
