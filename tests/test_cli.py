"""Promises of the command line itself: exit statuses, help, and what happens to errors."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import click
import pytest

from podsite import __version__, cli
from podsite.progress import Progress


def all_commands(group: click.Group, before: tuple[str, ...] = ()) -> dict[tuple[str, ...], click.Command]:
    """Every command by its words: ("templates", "list")."""
    found: dict[tuple[str, ...], click.Command] = {}
    for name, command in group.commands.items():
        found[*before, name] = command
        if isinstance(command, click.Group):
            found |= all_commands(command, (*before, name))
    return found


COMMANDS = all_commands(cli.commands)


def test_version_names_the_program_and_its_version(podsite: Any) -> None:
    """A bug report can quote it."""
    assert podsite("--version").out == f"podsite {__version__}\n"


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_explains_itself(podsite: Any, words: tuple[str, ...]) -> None:
    """--help and -h say what the command does and what each option means."""
    done = podsite(*words, "--help")
    assert done.status == 0
    assert done.out == podsite(*words, "-h").out
    command = COMMANDS[words]
    assert command.help
    assert all(option.help for option in command.params if isinstance(option, click.Option))


@pytest.mark.parametrize(
    "arguments",
    [
        ["biuld"],
        ["build", "--strickt"],
        ["build", "--format", "xml"],
        ["new"],
        ["schema", "page"],
        ["templates", "copy"],
    ],
    ids=" ".join,
)
def test_wrong_usage_exits_with_2_and_a_remedy(podsite: Any, arguments: list[str]) -> None:
    """Scripts can tell a wrong command line from a wrong site."""
    done = podsite(*arguments)
    assert (done.status, done.out) == (2, "")
    assert "Error: " in done.err


def test_a_misspelt_option_gets_a_hint(podsite: Any) -> None:
    """The nearest option is named."""
    assert "Did you mean --strict?" in podsite("build", "--strickt").err.replace("'", "")


def test_a_bug_of_podsites_shows_its_traceback(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only mistakes a user can mend are made short; everything else is worth a report."""
    monkeypatch.setattr(sys, "argv", ["podsite", "build", str(site())])
    monkeypatch.setattr("podsite.build.link", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        cli.main()


def test_interrupting_says_so_in_one_word(site: Any, podsite: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C ends a build without a traceback, with the status shells expect."""

    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("podsite.build.link", interrupted)
    done = podsite("build", site())
    assert (done.status, done.out, done.err.strip()) == (130, "", "stopped")


def test_a_long_build_says_how_far_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    """On a terminal one line shows the step and the time, and goes away at the end."""
    progress = Progress(time.monotonic() - 75, hidden=False)
    progress("writing", 40, 800)
    told = capsys.readouterr().err
    assert told.startswith("\r")
    assert told.endswith("writing 40 of 800 (1:15)")
    progress.clear()
    assert capsys.readouterr().err.startswith("\r")


def test_a_short_or_quiet_build_shows_no_progress(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing flickers within the first second, and nothing at all where nobody watches."""
    for progress in (Progress(time.monotonic(), hidden=False), Progress(time.monotonic() - 75, hidden=True)):
        progress("rendering page", 1, 2)
        progress.clear()
    assert capsys.readouterr().err == ""


def test_the_module_runs_as_a_program(site: Any) -> None:
    """`python -m podsite` is `podsite`."""
    done = subprocess.run([sys.executable, "-m", "podsite", "build", str(site()), "--quiet"], check=False)
    assert done.returncode == 0


@pytest.mark.thorough(but_each=3)
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize(
    "arguments", [["build", "SITE", "-v"], ["build", "SITE", "--format", "json"], ["schema", "show"]]
)
def test_what_cannot_be_printed_is_told_in_one_line(site: Any, arguments: list[str]) -> None:
    """A full disk behind `>` is no bug of podsite's, and no success either."""
    root = str(site())
    command = [sys.executable, "-m", "podsite", *(root if word == "SITE" else word for word in arguments)]
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "podsite: cannot print: No space left on device\n")


@pytest.mark.thorough(but_each=2)
@pytest.mark.skipif(sys.platform == "win32", reason="pipes there end otherwise")
@pytest.mark.parametrize("wrong", [False, True], ids=["a build that goes well", "a build with mistakes"])
def test_a_reader_that_stops_reading_ends_the_command_in_silence(site: Any, wrong: bool) -> None:
    """As with `podsite build --verbose | head`."""
    root = site({"episodes/002-x.yaml": "titel: x\n"} if wrong else {})
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "podsite", "build", str(root), "-v", "--format", "github" if wrong else "text"]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, "")


@pytest.fixture
def mortal() -> list[str]:
    """What to put before a command so that it may not read everything, as the superuser may."""
    if not hasattr(os, "geteuid"):
        pytest.skip("permissions are another thing on this system")
    before = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []
    if before and (not shutil.which("setpriv") or subprocess.run([*before, "true"], check=False).returncode):
        pytest.skip("the superuser may read everything")
    return before


def test_a_cache_that_may_not_be_read_only_costs_time(
    site: Any, build: Any, tree: Any, now: int, mortal: list[str]
) -> None:
    """As one does that another user has left: whatever it holds is made again."""
    root = site()
    show = (root / "show.yaml").read_text("utf-8").replace("cards: false", "cards: true")
    (root / "show.yaml").write_text(show, "utf-8")
    made = tree(build(root))
    folders = [path for path in (root / ".podsite").iterdir() if path.is_dir()]
    assert root / ".podsite/drawings" in folders
    for folder in folders:
        folder.chmod(0)
    shutil.rmtree(root / "output")
    command = [*mortal, sys.executable, "-m", "podsite", "build", str(root), "--quiet"]
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(now)}
    done = subprocess.run(command, env=environment, stderr=subprocess.PIPE, text=True, check=False)
    for folder in folders:
        folder.chmod(0o755)
    assert (done.returncode, done.stderr) == (0, "")
    assert tree(root / "output") == made


@pytest.mark.thorough(but_each=3)
@pytest.mark.parametrize(
    "arguments",
    [
        ["build", "LOCKED/site"], ["build", "SITE", "--output", "LOCKED/out"], ["check", "LOCKED/feed.xml"],
        ["diff", "LOCKED/feed.xml", "--site", "SITE"], ["init", "LOCKED/site"],
    ],
)  # fmt: skip
def test_what_may_not_be_looked_at_is_told(site: Any, tmp_path: Path, mortal: list[str], arguments: list[str]) -> None:
    """In one line, with its name."""
    root, locked = site(), tmp_path / "locked"
    locked.mkdir(mode=0)
    names = [word.replace("SITE", str(root)).replace("LOCKED", str(locked)) for word in arguments]
    done = subprocess.run(
        [*mortal, sys.executable, "-m", "podsite", *names], stderr=subprocess.PIPE, text=True, check=False
    )
    locked.chmod(0o755)
    assert done.returncode == 1
    assert re.fullmatch(rf"podsite: {re.escape(str(locked))}/[a-z./]+: Permission denied; .* again.*\n", done.stderr)


@pytest.mark.parametrize("command", ["build", "check", "init"])
def test_a_name_that_no_file_can_have_is_told(podsite: Any, command: str) -> None:
    """A slip in a script brings nobody a traceback."""
    done = podsite(command, "x" * 5000)
    assert done.status == 1
    assert re.fullmatch(r"podsite: .*x{5000}.*; mend that and run podsite again\n", done.err)


def test_an_error_of_the_system_elsewhere_shows_its_traceback(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a failure to print is told in a line; a file that vanishes under our hands is worth a report."""

    def broken(*_: Any, **__: Any) -> None:
        raise OSError("not while printing")

    monkeypatch.setattr(sys, "argv", ["podsite", "build", str(site())])
    monkeypatch.setattr("podsite.build.link", broken)
    with pytest.raises(OSError, match="not while printing"):
        cli.main()


def test_a_locale_without_letters_builds_any_title(site: Any) -> None:
    """A build in the C locale writes and prints what ASCII cannot."""
    root = site({"episodes/002-夜.yaml": 'title: "夜"\npublished: 2031-01-01\nsummary: "夜"\n'})
    done = subprocess.run(
        [sys.executable, "-m", "podsite", "build", str(root)],
        env=os.environ | {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert "1 episode scheduled" in done.stdout.decode(errors="replace")


@pytest.mark.parametrize("kind", ["show", "episode"])
def test_schema_prints_the_schema_alone(podsite: Any, kind: str) -> None:
    """Its output can be written to a file as it is."""
    assert json.loads(podsite("schema", kind).out)["$schema"].startswith("http://json-schema.org/draft-07/")
