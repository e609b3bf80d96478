"""Whole sites and the trees they must give, down to the byte: `tests/sites/README.md` says how to change them."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SITES = Path(__file__).parent / "sites"
TEXTS = {".html", ".md", ".xml", ".json", ".opml", ".txt", ".vtt", ".webmanifest"}


def parts(output: Path) -> tuple[dict[str, str], list[str]]:
    """The text files of an output folder, and the names of the others, styles and scripts among them."""
    files = sorted(path for path in output.rglob("*") if path.is_file() and not path.name.startswith(".podsite"))
    texts = {file.relative_to(output).as_posix(): file.read_bytes().decode() for file in files if file.suffix in TEXTS}
    return texts, [name for file in files if (name := file.relative_to(output).as_posix()) not in texts]


@pytest.mark.parametrize("name", sorted(path.parent.name for path in SITES.glob("*/show.yaml")))
def test_a_whole_site_is_as_expected(
    name: str, tmp_path: Path, build: Callable[..., Path], silence: bytes, request: pytest.FixtureRequest
) -> None:
    """Every page and feed of the site is what was reviewed; nothing is missing and nothing is new."""
    site, expected, others = SITES / name, SITES / name / "expected", SITES / name / "other-files.txt"
    root = tmp_path / name
    shutil.copytree(site, root, ignore=shutil.ignore_patterns("expected", "other-files.txt"))
    (root / "static").mkdir()
    shutil.copyfile(SITES / "artwork.png", root / "static/artwork.png")
    for episode in (root / "episodes").glob("*.yaml"):
        episode.with_suffix(".mp3").write_bytes(silence)
    texts, names = parts(build(root, "--no-search"))
    if request.config.getoption("--update-golden"):
        update(expected, texts)
        others.write_text("\n".join(names) + "\n", encoding="utf-8")
    found: dict[str, Any] = {
        path.relative_to(expected).as_posix(): path for path in expected.rglob("*") if path.is_file()
    }
    assert texts.keys() == found.keys()
    for path, text in texts.items():
        assert text == found[path].read_bytes().decode(), path
    assert names == others.read_text(encoding="utf-8").splitlines()


def update(expected: Path, texts: dict[str, str]) -> None:
    """Write the tree anew."""
    shutil.rmtree(expected, ignore_errors=True)
    for path, text in texts.items():
        (expected / path).parent.mkdir(parents=True, exist_ok=True)
        (expected / path).write_bytes(text.encode())
