"""What happens to a site between two builds, and the rounds in which all tools are timed one after the other."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from statistics import median

from benchmarks import facts
from benchmarks.corpus import Corpus
from benchmarks.measure import CommandError, Cost, peak_memory, timed
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
    failed: bool = False
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
        wanted = facts.expected(self.corpus, self.footer, from_oldest=self.tool.from_oldest)
        found = facts.differences(wanted, facts.read(self.output, self.corpus.url))
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
TEMPLATE = Scenario("template changed", _template, lambda tool: tool.theme is not None)
CONFIG = Scenario("show changed", _config)
RESTORED = Scenario("fresh clone, cache kept", _restored, lambda tool: bool(tool.caches))
ALL = (COLD, NOTHING, ONE, TEMPLATE, CONFIG, RESTORED)


def run(
    tools: Iterable[Tool], corpus: Corpus, folder: Path, *, scenarios: Sequence[Scenario], rounds: int, say: Say
) -> list[Bench]:
    """Measure every tool with a show in every scenario. One that fails, or does other work, takes no further part."""
    benches = [Bench(tool, folder / f"{number}-{tool.name}", corpus) for number, tool in enumerate(tools)]
    for bench in benches:
        say(f"{bench.tool.name}: writing the site, and a first build to weigh its memory")
        _attempt(bench, partial(_begin, bench), say)
    for scenario in scenarios:
        concerned = [bench for bench in benches if scenario.concerns(bench.tool)]
        for mark in range(1, rounds + 1):
            for bench in concerned:
                _attempt(bench, partial(_measure, bench, scenario, mark, say), say)
        for bench in concerned:
            _attempt(bench, partial(bench.check, scenario.name), say)
    return benches


def _attempt(bench: Bench, work: Callable[[], None], say: Say) -> None:
    if bench.failed:
        return
    try:
        work()
    except (CommandError, WorkError, OSError) as error:
        bench.failed = True
        say(f"{bench.tool.name} is left out. {error}")


def _begin(bench: Bench) -> None:
    bench.tool.write_site(bench.folder, bench.corpus)
    bench.peak = peak_memory(bench.tool.command(), bench.folder, bench.tool.environment())
    bench.check("first build")


def _measure(bench: Bench, scenario: Scenario, mark: int, say: Say) -> None:
    scenario.prepare(bench, mark)
    cost = bench.build()
    bench.costs.setdefault(scenario.name, []).append(cost)
    say(f"{scenario.name}, round {mark}: {bench.tool.name} {cost.wall:.2f} s")


def medians(bench: Bench) -> Mapping[str, Cost]:
    """The middle costs of each scenario."""
    return {
        name: Cost(median(cost.wall for cost in costs), median(cost.cpu for cost in costs))
        for name, costs in bench.costs.items()
    }
