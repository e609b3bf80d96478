"""The least that a build can take in Python: what the libraries alone cost that podsite stands on, beside a peer's.

Nothing is made here of what they give: no page, no feed, no file.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median

from benchmarks.corpus import Corpus
from benchmarks.measure import timed
from benchmarks.podsite_tool import Podsite
from benchmarks.scenarios import COLD, ONE, Bench
from benchmarks.tool import Tool

IMPORTS = "import click, feedgen.feed, jinja2, markdown, yaml\n"
#: Every episode read and its notes made HTML, by as many processes as there are processors.
PARSING = (
    IMPORTS
    + """\
import os, pathlib, sys
files = sorted(pathlib.Path("episodes").iterdir())
count, number = int(sys.argv[1]), 0
children = []
while number < count - 1:
    number += 1
    child = os.fork()
    if not child:
        break
    children.append(child)
else:
    number = 0
converter = markdown.Markdown()
for file in files[number::count]:
    episode = yaml.load(file.read_bytes(), yaml.CSafeLoader)
    converter.reset()
    converter.convert(episode["notes"])
if number:
    os._exit(0)
sys.exit(any(os.waitpid(child, 0)[1] for child in children))
"""
)


def measure(peer: Tool, corpus: Corpus, folder: Path, rounds: int) -> Mapping[str, Sequence[float]]:
    """Wall seconds by what was measured, the same number of each, taken in turn."""
    own, bench = Podsite(), Bench(peer, folder / "peer", corpus)
    own.write_site(folder / "own", corpus)
    peer.write_site(bench.folder, corpus)
    timed(peer.command(), bench.folder, peer.environment())
    found: dict[str, list[float]] = {}
    for mark in range(1, rounds + 1):
        for scenario, code in ((COLD, PARSING), (ONE, IMPORTS)):
            scenario.prepare(bench, mark)
            found.setdefault(scenario.name, []).append(bench.build().wall)
            command = [sys.executable, "-c", code, str(os.cpu_count() or 1)]
            found.setdefault(f"libraries, {scenario.name}", []).append(
                timed(command, folder / "own", own.environment()).wall
            )
    return found


def ratios(found: Mapping[str, Sequence[float]]) -> Mapping[str, tuple[float, float, float]]:
    """By scenario: the peer's seconds, those of the libraries, and the median of the rounds' ratios."""
    told = {}
    for scenario in (COLD.name, ONE.name):
        peers, alone = found[scenario], found[f"libraries, {scenario}"]
        shares = [one / other for one, other in zip(alone, peers, strict=True)]
        told[scenario] = median(peers), median(alone), median(shares)
    return told
