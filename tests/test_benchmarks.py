"""Promises of the benchmark: a show that is always the same, equal work that is really held equal, a readable table."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))  # `python -m benchmarks` runs in this folder

from benchmarks import facts, floor, scenarios, startup, table
from benchmarks.corpus import corpus
from benchmarks.hugo_tool import Hugo
from benchmarks.measure import CommandError, Cost, peak_memory, timed
from benchmarks.podsite_tool import Podsite
from benchmarks.tool import FOOTER

Build = Callable[..., Path]


def test_the_same_seed_gives_the_same_show_and_another_seed_another() -> None:
    """Tables of different days tell of the same bytes."""
    first = corpus(30)
    assert first == corpus(30)
    assert first.episodes != corpus(30, seed=1).episodes


def test_a_show_has_the_shapes_of_real_ones() -> None:
    """Notes of 500 to 2,000 bytes, about 1,300 on average; one to four topics; as many slugs as episodes."""
    episodes = corpus(300).episodes
    sizes = [len(episode.notes.encode()) for episode in episodes]
    assert min(sizes) >= 500
    assert max(sizes) <= 2000
    assert 1200 < sum(sizes) / len(sizes) < 1400
    assert {len(episode.topics) for episode in episodes} == {1, 2, 3, 4}
    assert {len(episode.further_reading) for episode in episodes} == {0, 1, 2, 3, 4}
    assert len({episode.slug for episode in episodes}) == len(episodes)
    assert {(newer.published - older.published).days for older, newer in pairwise(episodes)} == {7}
    for mark in ("\n- ", "```", "](https://", "`", "**", "\n## "):
        assert any(mark in episode.notes for episode in episodes), mark


def test_podsite_builds_the_show_without_a_single_warning(tmp_path: Path, build: Build) -> None:
    """What is measured is a site as its author would want it, and its lock is kept as for real shows."""
    Podsite().write_site(tmp_path / "site", corpus(12))
    build(tmp_path / "site")
    assert (tmp_path / "site" / "podsite.lock").exists()


def test_equal_work_is_held_against_what_the_show_says(tmp_path: Path, build: Build) -> None:
    """podsite's pages, links and items are those of the show, also after an edit; whatever is missing is told."""
    bench = scenarios.Bench(Podsite(), tmp_path / "site", corpus(40))
    bench.tool.write_site(bench.folder, bench.corpus)
    for scenario in (scenarios.COLD, scenarios.ONE, scenarios.TEMPLATE, scenarios.CONFIG):
        scenario.prepare(bench, 1)
    build(bench.folder)
    wanted = facts.expected(bench.corpus, bench.footer, from_oldest=True)
    assert facts.differences(wanted, facts.read(bench.output, bench.corpus.url)) == []
    assert wanted.pages[""].footer == f"{FOOTER}, revision 1"

    newest = bench.corpus.episodes[-1]
    page = f"episodes/{newest.slug}/index.html"
    damages = {
        f"no page episodes/{newest.slug}/": (page, "", ""),
        f"no link ('episodes/{bench.corpus.episodes[-2].slug}/'": (page, 'rel="prev" href="', 'name="'),
        "heading": (page, "<h1>", "<h1>Not "),
        "elsewhere": (page, "https://notes.example.net/", "https://example.org/"),
        "item 1": ("feed.xml", f"<title>{newest.title}", "<title>Another"),
        "39 items": ("feed.xml", "<item>", "<gone>"),
        "39 guids": ("feed.xml", "<guid ", "<old "),
        "the sitemap lacks": ("sitemap.xml", f"episodes/{newest.slug}/", "episodes/another/"),
    }
    for told, (file, old, new) in damages.items():
        whole = (bench.output / file).read_text(encoding="utf-8")
        damage(bench.output / file, old, new)
        assert any(told in line for line in facts.differences(wanted, facts.read(bench.output, bench.corpus.url))), told
        (bench.output / file).write_text(whole, encoding="utf-8")


def damage(path: Path, old: str, new: str) -> None:
    """Replace a text at its first place, and an end tag that belongs to it; without any, delete the file."""
    if not old:
        path.unlink()
        return
    before, found, after = path.read_text(encoding="utf-8").partition(old)
    assert found, old
    after = after.replace(f"</{old[1:].rstrip(' >')}>", f"</{new[1:].rstrip(' >')}>", 1)
    path.write_text(before + new + after, encoding="utf-8")


def test_the_table_has_medians_and_ratios() -> None:
    """A line for each tool, a column for each scenario, a dash for what was not measured; ratios of paired rounds."""
    show = corpus(4)
    cold = [Cost(3.0, 2.0), Cost(1.0, 2.5), Cost(2.0, 3.0)]
    benches = [
        scenarios.Bench(Podsite(), Path("a"), show, peak=50 << 20, costs={"cold": cold}),
        scenarios.Bench(
            Hugo(), Path("b"), show, peak=100 << 20, costs={"cold": [Cost(6.0, 5.0), *[Cost(4.0, 5.0)] * 2]}
        ),
    ]
    told = table.comparison(benches, (scenarios.COLD, scenarios.ONE), "Hugo").splitlines()
    assert told == [
        "| seconds (× Hugo) | cold | one episode changed | peak memory, cold |",
        "| --- | ---: | ---: | ---: |",
        "| podsite | 2.00 (0.50×) | – | 50 MiB (0.50×) |",
        "| Hugo | 4.00 | – | 100 MiB |",
    ]
    told = table.processors(benches, (scenarios.COLD,), "Hugo").splitlines()
    assert told[2:] == ["| podsite | 2.50 (0.50×) |", "| Hugo | 5.00 |"]
    sizes = {10: benches[0], 100: replace(benches[1])}
    assert table.growth(sizes, (scenarios.COLD,)).splitlines()[2:] == [
        "| 10 | 2.00 | 200.0 | 50 MiB |",
        "| 100 | 4.00 | 40.0 | 100 MiB |",
        "| 100 to 10 | 2.00× | – | – |",
    ]
    assert "| podsite | 60 | 1.20× |" in table.start(0.06, 0.05)


def test_the_libraries_alone_are_beside_the_peers_builds() -> None:
    """By scenario, with ratios of paired rounds."""
    cold, one = {"cold": [4.0, 2.0, 3.0]}, {"one episode changed": [1.0, 1.0, 2.0]}
    alone = {"libraries, cold": [2.0, 2.0, 3.0], "libraries, one episode changed": [0.5, 0.2, 0.2]}
    told = table.floor({1000: floor.ratios(cold | one | alone)}, "Hugo").splitlines()
    assert told == [
        "| episodes | scenario | Hugo, seconds | the libraries alone |",
        "| --- | ---: | ---: | ---: |",
        "| 1,000 | cold | 3.00 | 2.00 (1.00×) |",
        "| 1,000 | one episode changed | 1.00 | 0.20 (0.20×) |",
    ]


@pytest.mark.thorough(but_each=2)
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no process is copied")
@pytest.mark.parametrize("processes", [1, 2])
def test_the_libraries_read_every_episode(tmp_path: Path, processes: int) -> None:
    """Whichever cannot be read stops them, whoever of them comes to it."""
    Podsite().write_site(tmp_path / "show", corpus(3))
    command = [sys.executable, "-c", floor.PARSING, str(processes)]
    timed(command, tmp_path / "show", Podsite().environment())
    for path in sorted((tmp_path / "show/episodes").iterdir()):
        right = path.read_bytes()
        path.write_text("notes: [", encoding="utf-8")
        with pytest.raises(CommandError):
            timed(command, tmp_path / "show", Podsite().environment())
        path.write_bytes(right)


def test_a_command_is_measured_with_its_children(tmp_path: Path) -> None:
    """Processor time and memory of a program that the command starts count, too."""
    child = "b = b'x' * 60_000_000; sum(range(3_000_000))"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    command = [sys.executable, "-S", "-c", parent]
    assert timed(command, tmp_path, {}).cpu > 0.02
    peak = peak_memory(command, tmp_path, {})
    assert peak is None or peak > 60_000_000
    with pytest.raises(CommandError, match="no such thing"):
        timed([sys.executable, "-S", "-c", "raise SystemExit('no such thing')"], tmp_path, {})


def test_the_bare_program_has_podsites_commands(capsys: pytest.CaptureFixture[str]) -> None:
    """`podsite --version` is compared with a program that has as many commands and options."""
    program: dict[str, Callable[..., object]] = {}
    exec(startup.bare(), program)
    with pytest.raises(SystemExit):
        program["commands"](["build", "--help"])
    assert "--accept" in capsys.readouterr().out
