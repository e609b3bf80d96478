"""How long the first answer takes: `podsite --version` beside a bare click program with the same commands."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from statistics import median

import click

from benchmarks.measure import timed
from benchmarks.podsite_tool import Podsite, script

HEAD = """\
import click


@click.group()
@click.version_option("1")
def commands():
    pass


def main():
    commands()
"""
#: What pip writes for an installed command.
SCRIPT = """\
#!{python}
import sys
from bare import main
if __name__ == "__main__":
    sys.exit(main())
"""


def measure(folder: Path, rounds: int) -> tuple[float, float]:
    """Median seconds of `podsite --version` and of the bare program's, started in turn."""
    (folder / "bare.py").write_text(bare(), encoding="utf-8")
    start = folder / "start.py"
    start.write_text(SCRIPT.format(python=sys.executable), encoding="utf-8")
    start.chmod(0o755)
    by_python = [sys.executable] if os.name == "nt" else []
    commands = ([*script(), "--version"], [*by_python, str(start), "--version"])
    environment = Podsite().environment()
    for command in commands:  # so that all is compiled
        timed(command, folder, environment)
    walls = [[timed(command, folder, environment).wall for command in commands] for _ in range(rounds)]
    own, other = (median(column) for column in zip(*walls, strict=True))
    return own, other


def bare() -> str:
    """A program with podsite's commands and their options, which does nothing."""
    from podsite.cli import commands

    return HEAD + "".join(_command(name, command) for name, command in _commands(commands))


def _commands(group: click.Group) -> list[tuple[str, click.Command]]:
    found: list[tuple[str, click.Command]] = []
    for name, command in group.commands.items():
        inner = command.commands.items() if isinstance(command, click.Group) else [(name, command)]
        found += inner
    return found


def _command(name: str, command: click.Command) -> str:
    options = [param.opts[0] for param in command.params if isinstance(param, click.Option)]
    lines = [f"@commands.command({name!r})", *(f"@click.option({option!r}, help='An option.')" for option in options)]
    return "\n".join(["", "", *lines, f"def {name.replace('-', '_')}_command(**_):", "    pass", ""])
