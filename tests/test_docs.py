"""Promises of the documentation: commands run, examples build, links lead somewhere, generated pages are current."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from podsite.decode import decode
from podsite.model import Show

REPOSITORY = Path(__file__).resolve().parents[1]
PAGES = [
    *(path for path in REPOSITORY.glob("*.md")),
    *REPOSITORY.glob("docs/**/*.md"),
    *(path for path in REPOSITORY.glob("tests/**/*.md") if ".peers" not in path.parts),  # which others wrote
]
GUIDES = [
    "README.md",
    "docs/tutorial.md",
    *(f"docs/how-to/{path.name}" for path in REPOSITORY.glob("docs/how-to/*.md")),
]
PROSE = [page for page in PAGES if not page.is_relative_to(REPOSITORY / "tests" / "notes")]


def text(name: str) -> str:
    """A file of the repository."""
    return (REPOSITORY / name).read_text(encoding="utf-8")


def blocks(name: str, language: str) -> list[str]:
    """The fenced examples in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text(name), re.DOTALL | re.MULTILINE)


def script(name: str) -> Any:
    """A script of the repository as a module."""
    spec = importlib.util.spec_from_file_location(f"script_{name}", REPOSITORY / "scripts" / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def commands(name: str) -> Iterator[tuple[str, list[str]]]:
    """Every call of podsite in a page's shell examples: the command, and its options."""
    for block in blocks(name, "sh"):
        for line in re.findall(r"(?:^|/|&& )podsite (.+)$", block, re.MULTILINE):
            yield line, re.findall(r"--[a-z-]+", line)


@pytest.mark.parametrize("name", ["keys.md", "commands.md", "templates.md"])
def test_the_reference_is_what_the_code_says(name: str) -> None:
    """Generated pages are current; `python scripts/reference.py` writes them."""
    assert text(f"docs/reference/{name}") == script("reference").pages()[name]


def anchors(page: Path) -> set[str]:
    """The fragments under which the headings of a page can be linked to."""
    heads = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PROSE, ids=lambda page: page.relative_to(REPOSITORY).as_posix())
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    """Files and headings that a page links to exist."""
    dead = []
    prose = re.sub(r"^```.*?^```$|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    for target in re.findall(r"\]\(([^)\s]+)\)", prose):
        file, _, fragment = target.partition("#")
        if "://" in file or file.startswith("mailto:"):
            continue
        found = (page.parent / file).resolve() if file else page
        if not found.exists() or (fragment and fragment not in anchors(found)):
            dead.append(target)
    assert not dead


def test_two_commands_of_the_readme_do_all_the_set_up() -> None:
    """One line builds the site from a clone, one passes the tests; .ci/run runs the second as it stands."""
    build, test = blocks("README.md", "sh")
    assert build.strip() == "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/podsite build"
    assert test.strip() == "python3 scripts/test.py"
    assert test.strip() in text(".ci/run")
    assert ".ci/run" in text(".github/workflows/ci.yml")


def test_a_test_that_is_left_out_names_one_that_stays() -> None:
    """What CONTRIBUTING.md says of `thorough(like="…")`: that other one is there, and always runs."""
    files = [path for path in (REPOSITORY / "tests").rglob("test_*.py") if ".peers" not in path.parts]
    written = "\n".join(path.read_text(encoding="utf-8") for path in files)
    names = set(re.findall(r'@pytest\.mark\.thorough\(like="(\w+)"\)', written))
    assert names
    for name in names:
        before, definition, _ = written.partition(f"def {name}(")
        assert definition, f"there is no {name}"
        marks = re.findall(r"@pytest\.mark\.thorough(?!\(but_each)", before.rpartition("\n\n")[2])
        assert not marks, f"{name} is left out, too"


def test_the_readmes_episode_builds_without_a_warning(site: Any, podsite: Any, silence: bytes) -> None:
    """What is shown can be copied."""
    (example,) = blocks("README.md", "yaml")
    assert len(example.splitlines()) <= 11
    root = site({"episodes/002-the-first-frost.yaml": example, "episodes/002-the-first-frost.mp3": silence * 800})
    done = podsite("build", root, "--strict")
    assert (done.status, done.err) == (0, "")


def test_the_tutorial_leads_to_a_site(podsite: Any, tmp_path: Path) -> None:
    """Every step of it, as it is written, ends in a strict build without a warning."""
    show, episode, owner, listen, theme = blocks("docs/tutorial.md", "yaml")
    podsite("init", "garden", cwd=tmp_path)
    root = tmp_path / "garden"
    done = podsite("build", cwd=root)
    told = done.out.splitlines()[-1]
    assert re.sub(r"\d+(?= files)|[\d.]+(?= s$)", "…", told) in text("docs/tutorial.md").splitlines()
    guid = next(line for line in text_of(root / "show.yaml").splitlines() if line.startswith("guid:"))
    (root / "show.yaml").write_text(f"{show}{guid}\n{owner}{listen}{theme}", encoding="utf-8")
    done = podsite("build", cwd=root)
    assert done.status == 1
    assert done.err in text("docs/tutorial.md")
    recording = (root / "episodes/001-hello-world.mp3").read_bytes()
    for path in list((root / "episodes").glob("001-hello-world.*")):
        path.unlink()
    podsite("new", "The first frost", cwd=root)
    written = root / "episodes/001-the-first-frost.yaml"
    modeline = text_of(written).splitlines()[0]
    written.write_text(f"{modeline}\n{episode}", encoding="utf-8")
    written.with_suffix(".mp3").write_bytes(recording * 100)
    done = podsite("build", "--strict", cwd=root)
    assert (done.status, done.err) == (0, "")


def text_of(path: Path) -> str:
    """The text of a file."""
    return path.read_text(encoding="utf-8")


def test_commands_in_the_documentation_exist() -> None:
    """No example calls what is not there."""
    reference = text("docs/reference/commands.md")
    called = [call for page in GUIDES for call in commands(page)]
    assert called
    for line, options in called:
        words = re.match(r"(templates \w+|\w+|--version)", line)
        assert words
        assert words[0] == "--version" or f"## podsite {words[0]}\n" in reference
        assert all(f"`{option}`" in reference for option in options if option != "--version")


def test_the_help_points_to_documentation_that_exists(podsite: Any) -> None:
    """What --help names is in the source."""
    (named,) = re.findall(r"docs/[\w.]+\.md", podsite("--help").out)
    assert (REPOSITORY / named).is_file()


def test_the_changelog_has_a_place_for_the_next_change() -> None:
    """Changes that users notice are gathered under Unreleased until a version is made."""
    assert "\n## [Unreleased]\n" in text("CHANGELOG.md")


def test_this_repositorys_show_is_a_good_example() -> None:
    """show.yaml of the demonstration site decodes without a remark."""
    assert decode(text("show.yaml"), "show.yaml", Show).problems == ()
