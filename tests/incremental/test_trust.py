"""Promise: whatever lies in the cache, whoever put it there, the site is the same, and no code of it is run.

But for templates: what Jinja compiled of them is taken as it is, as Python takes its own __pycache__.
"""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from trial import edits, garden, twins

import podsite
from podsite.cache import Cache
from podsite.packs import Pack
from podsite.recall import Built

DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda content: content[:0],
    "cut": lambda content: content[: len(content) // 2],
    "a bit flipped": lambda content: content[:-1] + bytes([content[-1] ^ 1]) if content else b"x",
    "zeros": lambda content: bytes(len(content)),
    "noise": lambda content: zlib.compress(content)[: len(content)],
    "somebody else's": lambda content: b"podsite\x01" + content,
}
PLAIN = "import sys; from podsite.cli import main; sys.argv[0] = 'podsite'; main()"


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> twins.Twins:
    """A site that was built, and its twin that never is. Each test leaves it built."""
    folder = tmp_path_factory.mktemp("trust")
    pair = twins.Twins(folder / "site", folder / "clean")
    pair.clean.mkdir()
    show, episodes, files = garden.base()
    show["theme"] |= {"cards": False}
    for path, content in garden.tree(show, episodes, files).items():
        twins.put(pair.site / path, content)
    pair.first(edits.OPTIONS)
    return pair


@pytest.fixture(scope="module")
def built(pair: twins.Twins) -> Callable[[int], None]:
    """Edits one text of the site and builds it, which must give what a build from nothing gave the first time."""
    known: dict[int, tuple[twins.Tree, Any]] = {}

    def build(number: int) -> None:
        (pair.site / "episodes/001-tides.md").write_bytes(garden.NOTES[number])
        if number not in known:
            assert pair.build(edits.OPTIONS)
            known[number] = twins.tree(pair.site / "output"), twins.facts(twins.outcome(pair.site, edits.OPTIONS))
        else:
            found = twins.outcome(pair.site, edits.OPTIONS)
            assert isinstance(found, Built), found
            assert (twins.tree(pair.site / "output"), twins.facts(found)) == known[number]

    build(0)
    build(1)
    return build


@pytest.mark.thorough(but_each=6)
@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_anywhere_in_the_cache_changes_nothing(
    damage: str, pair: twins.Twins, built: Callable[[int], None], thorough: bool
) -> None:
    """To all files at once, and to those of some kinds, which are others for each damage; all is mended."""
    cache = pair.site / ".podsite"
    kinds = sorted(path.name for path in cache.iterdir() if path.is_dir())
    assert len(kinds) > 8
    some = kinds[[*DAMAGES].index(damage) :: len(DAMAGES)]
    for number, kind in enumerate((*(some if thorough else some[:1]), "")):
        for path in (cache / kind).rglob("*"):
            if path.is_file():
                path.write_bytes(DAMAGES[damage](path.read_bytes()))
        built(number % 2)  # an edit, so that there is something to do


class Order:
    """Something that gives an order when it is read back."""

    def __init__(self, mark: Path, how: Any) -> None:
        self.mark, self.how = mark, how

    def __reduce__(self) -> Any:
        return self.how(str(self.mark))


ORDERS: dict[str, Callable[[str], Any]] = {
    "os.mkdir": lambda mark: (os.mkdir, (mark,)),
    "eval": lambda mark: (eval, (f"__import__('os').mkdir({mark!r})",)),
    "getattr": lambda mark: (getattr, (mark, "upper")),
    "a process": lambda mark: (subprocess.Popen, (["mkdir", mark],)),
    "a module of podsite": lambda mark: (shutil.copytree, (".", mark)),
}


@pytest.mark.thorough(but_each=6)
@pytest.mark.parametrize("order", ORDERS)
def test_no_order_that_lies_in_the_cache_is_obeyed(
    order: str, pair: twins.Twins, built: Callable[[int], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under every key that a build looks up, among all results that are kept in packs but templates."""
    keys: dict[str, set[bytes]] = {}
    find = Pack.get

    def noted(pack: Pack, key: bytes) -> bytes | None:
        keys.setdefault(str(pack._folder), set()).add(key)
        return find(pack, key)

    (pair.site / "episodes/001-tides.md").write_bytes(garden.NOTES[2])
    with monkeypatch.context() as patch:
        patch.setattr(Pack, "get", noted)
        twins.outcome(pair.site, edits.OPTIONS)
    mark = tmp_path / "obeyed"
    payload = pickle.dumps(([], Order(mark, ORDERS[order]), (), {}), 5)
    assert str(pair.site / ".podsite/episodes") in keys
    cache = Cache(pair.site / ".podsite")
    shutil.rmtree(pair.site / ".podsite/episodes")
    for key in keys[str(pair.site / ".podsite/episodes")]:
        cache.pack("episode").put(key, payload)
    cache.save()
    with (pair.site / "show.yaml").open("ab") as show:
        show.write(b"\n")
    built([*ORDERS].index(order) % 2)
    assert not mark.exists()


def test_two_builds_at_once_share_a_cache(tmp_path: Path, thorough: bool) -> None:
    """Both give what one alone gives, from a cache that is empty at first; where all is tried, after an edit, too."""
    root, alone = tmp_path / "site", tmp_path / "alone"
    show, episodes, files = garden.base()
    show["theme"] |= {"cards": False}
    for path, content in garden.tree(show, episodes, files).items():
        twins.put(root / path, content)
        twins.put(alone / path, content)
    command = [sys.executable, "-c", PLAIN, "build", str(root), "--quiet", "--no-search"]
    environment = os.environ | {
        "PYTHONPATH": str(Path(podsite.__file__).parents[1]),
        "SOURCE_DATE_EPOCH": str(int(edits.NOW.timestamp())),
    }
    outputs = [tmp_path / "one", tmp_path / "two"]
    for text in garden.NOTES[: 2 if thorough else 1]:
        for site in (root, alone):
            (site / "episodes/001-tides.md").write_bytes(text)
        started = [subprocess.Popen([*command, "--output", str(output)], env=environment) for output in outputs]
        assert isinstance(twins.outcome(alone, edits.OPTIONS), Built)
        assert [process.wait() for process in started] == [0, 0]
        assert twins.tree(outputs[0]) == twins.tree(outputs[1]) == twins.tree(alone / "output")
    assert not [*(root / ".podsite").rglob(".part-*")]


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_cache_that_cannot_be_written_only_costs_time(pair: twins.Twins) -> None:
    """What it holds serves all the same."""
    for path in (pair.site / ".podsite").rglob("*"):
        path.chmod(0o500 if path.is_dir() else 0o400)
    (pair.site / ".podsite").chmod(0o500)
    (pair.site / "episodes/001-tides.md").write_bytes(garden.NOTES[0])
    assert isinstance(twins.outcome(pair.site, edits.OPTIONS), Built)
