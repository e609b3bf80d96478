"""Promise: a page is made again if and only if its bytes change, whatever of show and episodes is changed."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from trial import garden, twins, whole

from podsite import urls
from podsite.build import make
from podsite.lock import read as lock_of
from podsite.model import Episode, Show
from podsite.recall import Built, Options
from podsite.theme import Theme

OPTIONS = Options(now=datetime(2026, 2, 1, tzinfo=UTC), accept=twins.ACCEPT, search=False)
#: Into how many parts the changes are divided, and how many of them the first part makes where not all are made.
PARTS = 8
FEW = 4
SEED = int(os.environ.get("PODSITE_SEED", "0"))
#: By the end of its name, what cannot be left out because of another key.
NEEDED = {
    "Show.people left out": "episodes name people",
    "Show.medium left out": "a podcast has no remote items",
    "Enclosure.url left out": "there is no file either",
    "Transcript.file left out": "there is none beside the episode",
    "Alternate.url left out": "there is no file either",
    "Pick.name left out": "nothing is picked then",
    "TimeSplit.remote_item left out": "there are no recipients either",
}
#: What a page reads without showing all of it, so that it is made again for nothing.
FOR_NOTHING = {
    "Episode.slug changed": "an episode of another slug counts as another episode",
    "Episode.image left out": "lists show pictures of the site only, and have to ask whether it is one",
}


class Bench:
    """A site in one folder, built in place; it knows which pages the last build rendered."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.rendered: set[str] = set()
        self.base = garden.tree(*whole.site(), whole.FILES)
        self.files: twins.Tree = {}

    def begin(self) -> None:
        """Build the site for the first time."""
        for file, content in self.base.items():
            twins.put(self.root / file, content)
        built = twins.outcome(self.root, OPTIONS)
        assert isinstance(built, Built), built
        self.files = self.base

    def build(self, show: Any, episodes: Any) -> tuple[set[str], set[str]]:
        """Build what is changed: the pages that were rendered, and those whose bytes differ from before."""
        files = garden.tree(show, episodes, whole.FILES)
        for file, content in files.items():
            if self.files.get(file) != content:
                twins.put(self.root / file, content)
        self.files = files
        before = pages(twins.tree(self.root / "output"))
        self.rendered.clear()
        built = twins.outcome(self.root, OPTIONS)
        assert isinstance(built, Built), "\n".join(line for line in built.splitlines() if "warning: " not in line)
        rendered = {*self.rendered}
        after = pages(twins.tree(self.root / "output"))
        assert after == self.fresh(), "not as made from nothing"
        return rendered, {path for path, content in after.items() if before.get(path) != content}

    def fresh(self) -> twins.Tree:
        """Every page made anew."""
        made = make(self.root, lock_of(self.root), OPTIONS)
        return pages({one.path: one.content for one in made.artifacts if isinstance(one.content, bytes)})


def pages(files: twins.Tree) -> twins.Tree:
    """The pages among files."""
    return {path: content for path, content in files.items() if path.endswith(".html")}


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """A built site with everything set."""
    bench = Bench(tmp_path_factory.mktemp("whole"))
    render = Theme.render

    def noted(theme: Theme, template: str, context: Any, page: str = "", trace: Any = None) -> str:
        bench.rendered.add(urls.output_file(context["address"]))
        return render(theme, template, context, page, trace)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Theme, "render", noted)
        bench.begin()
        yield bench


def every_change() -> Iterator[whole.Change]:
    """Every key of every part, changed and left out."""
    for kind in (Show, Episode):
        yield from (one for one in whole.changes(kind) if not one.name.endswith(tuple(NEEDED)))


@pytest.mark.parametrize("part", [0, *(pytest.param(n, marks=pytest.mark.thorough) for n in range(1, PARTS))])
def test_exactly_the_pages_whose_bytes_change_are_made_again(part: int, bench: Bench, thorough: bool) -> None:
    """Whichever key is changed or left out, and when the site goes from one such change to another."""
    names = [change.name for change in every_change()]
    assert len(names) > 500
    chosen = {*names[part::PARTS]} if thorough else {*random.Random(SEED).sample(names, FEW)}
    before = ""
    for change in every_change():
        if change.name in chosen:
            rendered, differing = bench.build(change.show, change.episodes)
            assert differing <= rendered, change.name
            known = {before, change.name} & FOR_NOTHING.keys()
            assert known or rendered <= differing, (before, change.name, rendered - differing)
            before = change.name
