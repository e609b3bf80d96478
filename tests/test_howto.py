"""Promises of docs/how-to/: each page, done as it is written on the tutorial's garden, has the results it shows.

A page is read from top to bottom. A block of shell commands is run; a bare block under it is what they print, with
`…` for what may vary, and without one the commands must succeed. A block of YAML begins with a comment that names a
file; its keys are put into that file in the place of those of the same name.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from podsite.cli import commands

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGES = sorted((DOCS / "how-to").glob("*.md"))
GUID = "2f2f9dfb-3b8f-5a1c-9d2e-6c0b8a5e7f10"
SECOND = 'title: "Under the snow"\nnumber: 2\npublished: 2025-11-28\nsummary: "What roots do in winter."\n'
BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)


def blocks(page: Path) -> list[tuple[str, str]]:
    """The fenced blocks of a page, those in its lists too: language and text."""
    return [(kind, textwrap.dedent(text)) for _, kind, text in BLOCK.findall(page.read_text(encoding="utf-8"))]


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory, artwork: bytes, silence: bytes, warm: Path) -> Path:
    """The site that the tutorial leads to, with a second episode, published once and committed."""
    if sys.platform == "win32" or not (shutil.which("git") and shutil.which("bash")):
        pytest.skip("the pages are written for a shell and git")
    show, episode, *_ = (text for kind, text in blocks(DOCS / "tutorial.md") if kind == "yaml")
    root = tmp_path_factory.mktemp("published") / "garden"
    shutil.copytree(warm, root / ".podsite")
    texts = {"show.yaml": f"{show}guid: {GUID}\n", ".gitignore": "output/\n.podsite/\n"}
    texts |= {"episodes/001-the-first-frost.yaml": episode, "episodes/002-under-the-snow.yaml": SECOND}
    files = {name: text.encode() for name, text in texts.items()} | {"static/artwork.jpg": artwork}
    files["episodes/001-the-first-frost.mp3"] = silence * 100
    files["episodes/002-under-the-snow.mp3"] = silence * 101
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)
    assert CliRunner().invoke(commands, ["build", str(root), "--strict"]).exit_code == 0
    shell("git init -q -b main && git add . && git commit -q -m 'Two episodes'", root)
    return root


def shell(script: str, folder: Path) -> str:
    """What commands of the shell print; they must succeed."""
    who = {f"GIT_{role}_{fact}": "ada@example.org" for role in ("AUTHOR", "COMMITTER") for fact in ("NAME", "EMAIL")}
    command = ["bash", "-e", "-c", script]
    done = subprocess.run(command, cwd=folder, env=os.environ | who, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


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


@pytest.mark.thorough(but_each=6)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_how_to_has_the_results_it_shows(page: Path, published: Path, tmp_path: Path, podsite: Any) -> None:
    """Who does what a page says gets what it shows, and at its end a site that builds strictly."""
    root = shutil.copytree(published, tmp_path / "garden")
    steps = blocks(page)
    assert any(kind == "sh" for kind, _ in steps)
    for number, (kind, block) in enumerate(steps):
        if kind == "yaml":
            put(root, block)
        if kind != "sh":
            continue
        following, shown = steps[number + 1] if number + 1 < len(steps) else ("end", "")
        told = ""
        for line in block.splitlines():
            name, *arguments = shlex.split(line)
            done = podsite(*arguments, cwd=root) if name == "podsite" else None
            told += f"{done.err}{done.out}" if done else shell(line, root)
            assert not done or done.status == 0 or not following, told
        assert following or re.fullmatch(pattern(shown), told.strip(), re.DOTALL), told
    for options in (["--strict"], ["--strict", "--locked"]):
        done = podsite("build", *options, cwd=root)
        assert done.status == 0, done.err


def test_the_how_to_pages_are_listed() -> None:
    """docs/README.md leads to each of them."""
    listed = (DOCS / "README.md").read_text(encoding="utf-8")
    assert all(f"(how-to/{page.name})" in listed for page in PAGES)
