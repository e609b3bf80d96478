"""Promises of the first milliseconds: a command imports only what it needs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import podsite

SCRIPT = """
import json, sys
from podsite.cli import main
sys.argv = ["podsite", *sys.argv[1:]]
try:
    main()
finally:
    tops = {name.partition(".")[0] for name in sys.modules}
    print(json.dumps(sorted(tops - sys.stdlib_module_names)), file=sys.stderr)
"""


def libraries(*arguments: str, cwd: Path) -> set[str]:
    """The libraries that a fresh process has imported at the end of a command."""
    # -S: without it, what an environment imports by itself at start-up would count
    done = subprocess.run(
        [sys.executable, "-S", "-c", SCRIPT, *arguments],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(Path(podsite.__file__).parents[1]), *sys.path])},
        cwd=cwd,
        capture_output=True,
        text=True,
        check=True,
    )
    names = json.loads(done.stderr.splitlines()[-1])
    return {name for name in names if not name.startswith(("_", "cython_"))} - {"podsite"}


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["build", "--help"], ["templates", "--help"]])
def test_version_and_help_import_click_and_no_other_library(arguments: list[str], tmp_path: Path) -> None:
    """Completion and help answer at once, however many libraries a build needs."""
    assert libraries(*arguments, cwd=tmp_path) == {"click"}


def test_init_and_new_do_without_the_libraries_of_a_build(tmp_path: Path) -> None:
    """Beginning an episode does not wait for Markdown, Jinja or feedgen."""
    assert not libraries("init", ".", cwd=tmp_path) & {"jinja2", "markdown", "feedgen", "babel", "nh3", "lxml"}
    assert libraries("new", "A title", cwd=tmp_path) <= {"click", "yaml"}


def test_schema_needs_click_only(tmp_path: Path) -> None:
    """An editor that asks for the schema gets it without delay."""
    assert libraries("schema", "episode", cwd=tmp_path) == {"click"}
