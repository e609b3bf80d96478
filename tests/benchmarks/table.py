"""What was measured, as Markdown."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from operator import attrgetter
from pathlib import Path
from statistics import median

from benchmarks.measure import Cost
from benchmarks.scenarios import Bench, Scenario, medians

NONE = "–"
MIB = 1 << 20


def rows(head: Sequence[str], body: Iterable[Sequence[str]]) -> str:
    """A table."""
    lines = [head, ["---", *(["---:"] * (len(head) - 1))], *body]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def comparison(benches: Sequence[Bench], scenarios: Sequence[Scenario], reference: str) -> str:
    """Seconds of each tool in each scenario and its peak memory, with the ratios to the reference."""
    base = next((bench.peak for bench in benches if bench.tool.name == reference), None)
    seconds = _seconds(benches, scenarios, reference, attrgetter("wall"))
    peaks = [_memory(bench.peak, base if bench.tool.name != reference else None) for bench in benches]
    head = [_head("seconds", benches, reference), *(scenario.name for scenario in scenarios), "peak memory, cold"]
    return rows(head, [[*line, peak] for line, peak in zip(seconds, peaks, strict=True)])


def processors(benches: Sequence[Bench], scenarios: Sequence[Scenario], reference: str) -> str:
    """Seconds of processor time of each tool in each scenario, with the ratios to the reference."""
    head = [_head("processor seconds", benches, reference), *(scenario.name for scenario in scenarios)]
    return rows(head, _seconds(benches, scenarios, reference, attrgetter("cpu")))


def _head(unit: str, benches: Sequence[Bench], reference: str) -> str:
    return f"{unit} (× {reference})" if reference in {bench.tool.name for bench in benches} else unit


def _seconds(
    benches: Sequence[Bench], scenarios: Sequence[Scenario], reference: str, of: Callable[[Cost], float]
) -> list[list[str]]:
    """Medians; a ratio is the median of the rounds' ratios, for the two of one round met the same moment."""
    costs = {bench.tool.name: bench.costs for bench in benches}

    def cell(tool: str, scenario: str) -> str:
        own, other = ([of(cost) for cost in costs.get(name, {}).get(scenario, ())] for name in (tool, reference))
        if not own:
            return NONE
        ratios = [one / beside for one, beside in zip(own, other, strict=False)] if tool != reference else []
        return _number(median(own)) + (f" ({_number(median(ratios))}×)" if ratios else "")

    return [[tool, *(cell(tool, scenario.name) for scenario in scenarios)] for tool in costs]


def growth(found: Mapping[int, Bench], scenarios: Sequence[Scenario]) -> str:
    """Seconds of one tool by the size of the show, and how much more the largest takes than the next smaller."""
    costs = {size: medians(bench) for size, bench in found.items()}
    named = [each.name for each in scenarios if all(each.name in cost for cost in costs.values())]
    head = ["episodes", *named, "cold, ms an episode", "peak memory, cold"]
    body = []
    for size, cost in costs.items():
        each = f"{cost['cold'].wall / size * 1000:.1f}" if "cold" in cost else NONE
        body.append([f"{size:,}", *(_number(cost[name].wall) for name in named), each, _memory(found[size].peak, None)])
    for smaller, larger in pairwise(sorted(costs)):
        ratios = [f"{_number(costs[larger][name].wall / costs[smaller][name].wall)}×" for name in named]
        body.append([f"{larger:,} to {smaller:,}", *ratios, NONE, NONE])
    return rows(head, body)


def floor(found: Mapping[int, Mapping[str, tuple[float, float, float]]], reference: str) -> str:
    """Seconds of the libraries alone by the size of the show, with the ratios to the reference's builds."""
    body = [
        [f"{size:,}", scenario, _number(peer), f"{_number(alone)} ({_number(ratio)}×)"]
        for size, scenarios in found.items()
        for scenario, (peer, alone, ratio) in scenarios.items()
    ]
    return rows(["episodes", "scenario", f"{reference}, seconds", "the libraries alone"], body)


def start(own: float, bare: float) -> str:
    """Milliseconds of `--version`."""
    body = [["bare click", f"{bare * 1000:.0f}", NONE], ["podsite", f"{own * 1000:.0f}", f"{_number(own / bare)}×"]]
    return rows(["`--version`", "ms", "to bare click"], body)


def _memory(peak: int | None, reference: int | None) -> str:
    if peak is None:
        return NONE
    ratio = f" ({_number(peak / reference)}×)" if reference else ""
    return f"{peak / MIB:,.0f} MiB{ratio}"


def _number(value: float) -> str:
    """Two digits that count."""
    if value >= 9.95:
        return f"{value:,.0f}" if value >= 99.5 else f"{value:.1f}"
    return f"{value:.2f}" if value >= 0.095 else f"{value:.3f}"


def machine() -> str:
    """Where it was measured."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        named = [line.partition(":")[2].strip() for line in info.read_text().splitlines() if "model name" in line]
        model = named[0] if named else model
    load = f"; load before {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"{os.cpu_count()} processors ({model}), {platform.system()}, Python {platform.python_version()}{load}"
