"""What happens to a site between two builds, and the rounds in which all tools are timed one after the other."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchmarks import facts
from benchmarks.corpus import Corpus
from benchmarks.measure import Cost, peak_memory, timed
from benchmarks.tool import FOOTER, Tool

Say = Callable[[str], None]


class WorkError(Exception):
    """A tool's site says something else than it must; the message holds the first differences."""


@dataclass(slots=True)
class Bench:
    """A tool with its site on disk, and what the site must say after the next build."""

    tool: Tool
    folder: Path
    corpus: Corpus
    footer: str = FOOTER
    peak: int | None = None
    costs: dict[str, list[Cost]] = field(default_factory=dict)

    @property
    def output(self) -> Path:
        """Where the site is built."""
        return self.folder / self.tool.output

    def build(self) -> Cost:
        """Build the site, timed."""
        return timed(self.tool.command(), self.folder, self.tool.environment())

    def check(self, when: str) -> None:
        """Hold the built site against what it must say; one with a theme of its own says it in its own way."""
        if self.tool.theme is None:
            return
        found = facts.differences(facts.expected(self.corpus, self.footer), facts.read(self.output, self.corpus.url))
        if found:
            raise WorkError(f"{self.tool.name}, {when}: the work is not the same:\n  " + "\n  ".join(found))


@dataclass(frozen=True, slots=True)
class Scenario:
    """A way to come to a build: `prepare` makes it so, given the number of the round."""

    name: str
    prepare: Callable[[Bench, int], None]
    concerns: Callable[[Tool], bool] = lambda _: True


def _cold(bench: Bench, _: int) -> None:
    bench.tool.forget(bench.folder)


def _nothing(_bench: Bench, _: int) -> None:
    """The site stays as it was built."""


def _one(bench: Bench, mark: int) -> None:
    bench.corpus, episode = bench.corpus.edited(mark)
    bench.tool.write_episode(bench.folder, bench.corpus, episode)


def _template(bench: Bench, mark: int) -> None:
    bench.footer = f"{FOOTER}, revision {mark}"
    bench.tool.write_footer(bench.folder, bench.footer)


def _config(bench: Bench, mark: int) -> None:
    bench.corpus = replace(bench.corpus, title=f"The Long Count {mark}")
    bench.tool.write_config(bench.folder, bench.corpus)


def _restored(bench: Bench, _: int) -> None:
    """As on a build server: a fresh clone, in which every file is new, and the cache of the build before."""
    bench.tool.forget(bench.folder, caches=False)
    for path in bench.folder.rglob("*"):
        if path.is_file() and not set(path.relative_to(bench.folder).parts) & {*bench.tool.caches}:
            os.utime(path)


COLD = Scenario("cold", _cold)
NOTHING = Scenario("nothing changed", _nothing)
ONE = Scenario("one episode changed", _one)
TEMPLATE = Scenario("template changed", _template)
CONFIG = Scenario("show changed", _config)
RESTORED = Scenario("fresh clone, cache kept", _restored, lambda tool: bool(tool.caches))
ALL = (COLD, NOTHING, ONE, TEMPLATE, CONFIG, RESTORED)
OF_OWN_THEME = (COLD, NOTHING, ONE)


def run(
    tools: Iterable[Tool], corpus: Corpus, folder: Path, *, scenarios: Sequence[Scenario], rounds: int, say: Say
) -> list[Bench]:
    """Measure every tool with a show in every scenario. Raises CommandError and WorkError."""
    benches = [Bench(tool, folder / f"{number}-{tool.name}", corpus) for number, tool in enumerate(tools)]
    for bench in benches:
        say(f"{bench.tool.name}: writing the site, and a first build to weigh its memory")
        bench.tool.write_site(bench.folder, corpus)
        bench.peak = peak_memory(bench.tool.command(), bench.folder, bench.tool.environment())
        bench.check("first build")
    for scenario in scenarios:
        concerned = [bench for bench in benches if scenario.concerns(bench.tool)]
        for mark in range(1, rounds + 1):
            for bench in concerned:
                scenario.prepare(bench, mark)
                cost = bench.build()
                bench.costs.setdefault(scenario.name, []).append(cost)
                say(f"{scenario.name}, round {mark}: {bench.tool.name} {cost.wall:.2f} s")
        for bench in concerned:
            bench.check(scenario.name)
    return benches


def medians(bench: Bench) -> Mapping[str, Cost]:
    """The middle costs of each scenario."""
    return {
        name: Cost(_median([cost.wall for cost in costs]), _median([cost.cpu for cost in costs]))
        for name, costs in bench.costs.items()
    }


def _median(values: Sequence[float]) -> float:
    from statistics import median

    return median(values)
