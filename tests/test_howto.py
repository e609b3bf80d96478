"""Promises of docs/how-to/: each page, done as it is written on the tutorial's garden, has the results it shows.

A page is read from top to bottom. A block of shell commands is run; a bare block under it is what they print, with
`…` for what may vary, and without one the commands must succeed. A block of YAML begins with a comment that names a
file; its keys are put into that file in the place of those of the same name.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGES = sorted((DOCS / "how-to").glob("*.md"))
GUID = "2f2f9dfb-3b8f-5a1c-9d2e-6c0b8a5e7f10"
SECOND = 'title: "Under the snow"\nnumber: 2\npublished: 2025-11-28\nsummary: "What roots do in winter."\n'
BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)


def blocks(page: Path) -> list[tuple[str, str]]:
    """The fenced blocks of a page, those in its lists too: language and text."""
    return [(kind, textwrap.dedent(text)) for _, kind, text in BLOCK.findall(page.read_text(encoding="utf-8"))]


@pytest.fixture
def garden(tmp_path: Path, artwork: bytes, silence: bytes, now: int) -> tuple[Path, dict[str, str]]:
    """The site that the tutorial leads to, with a second episode, committed and published; and how to run commands."""
    if sys.platform == "win32" or not (shutil.which("git") and shutil.which("bash")):
        pytest.skip("the pages are written for a shell and git")
    show, episode, *_ = (text for kind, text in blocks(DOCS / "tutorial.md") if kind == "yaml")
    root, programs = tmp_path / "garden", tmp_path / "programs"
    files = {"show.yaml": f"{show}guid: {GUID}\n", ".gitignore": "output/\n.podsite/\n"}
    files |= {"episodes/001-the-first-frost.yaml": episode, "episodes/002-under-the-snow.yaml": SECOND}
    sounds = {f"episodes/{name}.mp3": silence * 100 for name in ("001-the-first-frost", "002-under-the-snow")}
    sounds["episodes/002-under-the-snow.mp3"] += silence
    for name, content in ({name: text.encode() for name, text in files.items()} | sounds).items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)
    (root / "static").mkdir()
    (root / "static/artwork.jpg").write_bytes(artwork)
    programs.mkdir()
    (programs / "podsite").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m podsite "$@"\n', encoding="utf-8")
    (programs / "podsite").chmod(0o755)
    who = {f"GIT_{role}_{fact}": "ada@example.org" for role in ("AUTHOR", "COMMITTER") for fact in ("NAME", "EMAIL")}
    given = {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "SOURCE_DATE_EPOCH": str(now)}
    environment = os.environ | who | given
    begin = "git init -q -b main && podsite build --strict --quiet && git add . && git commit -q -m 'Two episodes'"
    subprocess.run(["bash", "-e", "-c", begin], cwd=root, env=environment, check=True)
    return root, environment


def put(root: Path, block: str) -> None:
    """Put the keys of a block of YAML into the file that its first line names."""
    named = re.match(r"# (\S+\.yaml)\n", block)
    assert named, f"the block names no file: {block}"
    path = root / named[1]
    text = path.read_text(encoding="utf-8")
    keys = re.findall(r"^(\w+):", block, re.MULTILINE)
    text = re.sub(rf"^(?:{'|'.join(keys)}):.*\n(?:[ -].*\n|\n(?= ))*", "", text, flags=re.MULTILINE)
    path.write_text(text + block[named.end() :], encoding="utf-8")


def pattern(shown: str) -> str:
    """An output as it is shown, for comparison: `…` stands for anything, and lines may be broken at spaces."""
    return r"\s+".join(".*?".join(map(re.escape, word.split("…"))) for word in shown.split())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_how_to_has_the_results_it_shows(page: Path, garden: tuple[Path, dict[str, str]]) -> None:
    """Who does what a page says gets what it shows, and at its end a site that builds strictly."""
    root, environment = garden

    def run(commands: str) -> subprocess.CompletedProcess[str]:
        command = ["bash", "-e", "-c", f"{{ {commands.strip()}\n}} 2>&1"]
        return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)

    steps = blocks(page)
    assert any(kind == "sh" for kind, _ in steps)
    for number, (kind, block) in enumerate(steps):
        if kind == "yaml":
            put(root, block)
        elif kind == "sh":
            done = run(block)
            following, shown = steps[number + 1] if number + 1 < len(steps) else ("end", "")
            if following == "":
                assert re.fullmatch(pattern(shown), done.stdout.strip(), re.DOTALL), done.stdout
            else:
                assert done.returncode == 0, done.stdout
    done = run("podsite build --strict")
    assert done.returncode == 0, done.stdout
    done = run("podsite build --strict --locked")
    assert done.returncode == 0, done.stdout


def test_the_how_to_pages_are_listed() -> None:
    """docs/README.md leads to each of them."""
    listed: Callable[[str], bool] = (DOCS / "README.md").read_text(encoding="utf-8").__contains__
    assert all(listed(f"(how-to/{page.name})") for page in PAGES)
