"""`python -m benchmarks`, from the folder tests/: measures podsite beside its peers, prints Markdown."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks import scenarios, table
from benchmarks.corpus import corpus
from benchmarks.hugo_tool import Hugo
from benchmarks.measure import CommandError
from benchmarks.podsite_tool import Podsite
from benchmarks.tool import Tool

REFERENCE = "Hugo"


def main() -> int:
    """Measure what is asked for; 1 where podsite or Hugo could not be measured."""
    options = _arguments()
    tools, missing = _tools(options.peers, fast=options.fast)
    for name in missing:
        _say(f"{name} is not installed, and left out")
    print("Measured on", table.machine(), end=".\n")  # noqa: T201 - what the command is for
    print("Versions:", ", ".join(str(tool.version()) for tool in tools), end=".\n")  # noqa: T201
    try:
        for size in options.sizes:
            _compare(tools, size, options)
    except (CommandError, scenarios.WorkError) as error:
        _say(str(error))
        return 1
    return int(any(name in missing for name in ("podsite", REFERENCE)))


def _compare(tools: Sequence[Tool], size: int, options: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory(prefix="podsite-bench-") as folder:
        found = scenarios.run(
            tools, corpus(size), Path(folder), scenarios=options.scenarios, rounds=options.rounds, say=_say
        )
    print(f"\n{size:,} episodes, medians of {options.rounds} rounds\n")  # noqa: T201
    print(table.comparison(found, options.scenarios, REFERENCE), end="\n\n")  # noqa: T201
    print(table.processors(found, options.scenarios))  # noqa: T201


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--sizes", type=_numbers, default=[1000, 10_000], help="numbers of episodes: 100,1000")
    parser.add_argument("--rounds", type=int, default=5, help="builds of each tool in each scenario")
    parser.add_argument("--peers", type=_names, default=["podsite", "hugo"], help="tools: hugo,podsite")
    parser.add_argument(
        "--scenarios",
        type=_scenarios,
        default=list(scenarios.ALL),
        help="first words of scenarios: " + ",".join(each.name.split()[0] for each in scenarios.ALL),
    )
    parser.add_argument("--fast", action="store_true", help="measure podsite with its optional extra, too")
    return parser.parse_args()


def _numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def _names(text: str) -> list[str]:
    return [part.strip().lower() for part in text.split(",")]


def _scenarios(text: str) -> list[scenarios.Scenario]:
    return [each for each in scenarios.ALL if each.name.split()[0] in text.split(",")]


def _tools(names: Sequence[str], *, fast: bool) -> tuple[list[Tool], list[str]]:
    """The tools that are asked for and installed, and the names of those that are not."""
    known: dict[str, Tool] = {"hugo": Hugo(), "podsite": Podsite()}
    asked = [known[name] for name in names]
    asked += [Podsite(fast=True)] if fast else []
    found = [tool for tool in asked if tool.version() is not None]
    return found, [tool.name for tool in asked if tool not in found]


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")


if __name__ == "__main__":
    sys.exit(main())
