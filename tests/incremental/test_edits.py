"""Promise: a build after any edits gives what a build from nothing gives, byte for byte, and says the same."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, note, seed, settings
from hypothesis import strategies as st
from trial import edits, garden, twins

PARTS = 8
#: How many sequences of edits each part of the test tries, and the seed from which they are drawn: 512 in all where
#: changes are let in. `PODSITE_SEQUENCES=700 PODSITE_SEED=1 pytest tests/incremental` tries others, as many as wanted.
SEQUENCES = int(os.environ.get("PODSITE_SEQUENCES", "0"))
MANY, FEW = 64, 1
SEED = int(os.environ.get("PODSITE_SEED", "0"))
QUIET: dict[str, Any] = {"deadline": None, "database": None, "suppress_health_check": list(HealthCheck)}
MOST_STEPS = 4
_LATER = 10**9  # nanoseconds


@pytest.mark.thorough(but_each=4)
@pytest.mark.parametrize("part", range(PARTS))
def test_after_any_edits_a_build_in_place_equals_one_from_nothing(part: int, thorough: bool) -> None:
    """Content, files and their times, templates, options, the clock, the output, the cache: in any order."""

    @seed(SEED * PARTS + part)
    # nothing is made shorter: that takes minutes, and what was edited is told in words
    @settings(max_examples=SEQUENCES or (MANY if thorough else FEW), phases=[Phase.generate], **QUIET)
    @given(data=st.data())
    def sequence(data: Any) -> None:
        with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
            if data.draw(st.booleans()):  # so that files count as old, though no test waits for them to get so
                clock = time.time_ns
                patch.setattr("time.time_ns", lambda: clock() + _LATER)
            patch.setattr("podsite.crew.LEAST", 5)  # so that two processes share the little there is
            _build_and_edit(data.draw, Path(folder))

    sequence()


def _build_and_edit(draw: Callable[[Any], Any], folder: Path) -> None:
    pair = twins.Twins(folder / "site", folder / "clean")
    site = edits.Site(*garden.base())
    site.show["theme"] |= {"cards": draw(st.integers(0, 2)) == 0}  # to draw them takes as long as all the rest
    drawn = draw(st.sets(st.sampled_from(sorted(garden.TEMPLATES)), max_size=4))
    for name in sorted(drawn):
        site.files[f"templates/{name}"] = draw(st.sampled_from(garden.TEMPLATES[name])).encode()
    pair.clean.mkdir()
    _write(site, pair.site, {})
    pair.first(site.options)
    past, is_well = [site.kept()], True
    for _ in range(draw(st.integers(1, MOST_STEPS))):
        written = garden.tree(site.show, site.episodes, site.files)
        chosen = draw(st.lists(st.sampled_from(edits.EDITS), min_size=1, max_size=3))
        if draw(st.integers(0, 9)) < (2 if is_well else 8):
            site.show, site.episodes, site.files = past[draw(st.integers(0, 2**16)) % len(past)]
            site.told.append("reverted")
        for edit in chosen:
            if edit not in edits.ON_DISK:
                edit(draw, site, pair.site)
        _write(site, pair.site, written)
        for edit in chosen:
            if edit in edits.ON_DISK:
                edit(draw, site, pair.site)
        note(f"{site.told}")
        site.told.clear()
        is_well = pair.build(site.options)
        if is_well:
            past.append(site.kept())


def _write(site: edits.Site, root: Path, before: twins.Tree) -> None:
    """Bring the files on disk up to what the site says; those that say what they said stay untouched."""
    now = garden.tree(site.show, site.episodes, site.files)
    for file in before.keys() - now.keys():
        (root / file).unlink(missing_ok=True)
    for file, content in now.items():
        if before.get(file) != content or not (root / file).exists():
            twins.put(root / file, content)
