"""Promises of the search index: it holds what is out, is made only when it must be, and its absence stops nothing."""

from __future__ import annotations

import gzip
import os
import re
import signal
import subprocess
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from podsite import findable, indexer

pagefind_bin = pytest.importorskip("pagefind_bin")


def audio(name: str) -> str:
    """A recording elsewhere."""
    return f'audio: {{url: "https://audio.example/{name}.mp3", length: 1000000, duration: "1:00"}}\n'


EPISODES = {
    f"episodes/{number:03}-{word}.yaml": f"""
        title: "About {word}"
        number: {number}
        published: 2025-0{number}-01
        summary: "This is said of {word}."
        people: [ada]
        topics: ["{topic}", Night]
        audio: {{url: "https://audio.example/{word}.mp3", length: 1000000, duration: "1:00"}}
    """
    for number, (word, topic) in enumerate((("owls", "Birds"), ("tides", "Sea"), ("moths", "Light"), ("dew", "Sea")), 1)
}
NOTHING = {"episodes/001-first-night.yaml": None, "episodes/001-first-night.mp3": None}


#: A program that answers each message with an empty object.
BABBLER = """
import os
while message := os.read(0, 65536):
    os.write(1, message.count(b",") * b"e30=,")
"""


@pytest.fixture
def searched(site: Callable[..., Path]) -> Callable[..., Path]:
    """Writes the small site with four episodes and a search, with files added, replaced or left out."""

    def write(files: dict[str, Any] | None = None, *, folder: str = "site", needed: str = "true") -> Path:
        root = site({**NOTHING, **EPISODES, **(files or {})}, folder=folder)
        show = root / "show.yaml"
        show.write_text(show.read_text("utf-8").replace("search: false", f"search: {needed}"), "utf-8")
        return root

    return write


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], Path]:
    """Puts a shell script in pagefind's place; it may call the real one as "$REAL". Gives the file it may write to."""

    def used(script: str) -> Path:
        program, log = tmp_path / "indexer", tmp_path / "log"
        real = pagefind_bin.get_executable()
        program.write_text(f"#!/bin/sh\nREAL='{real}'; LOG='{log}'\n{script}\n", "utf-8")
        program.chmod(0o755)
        module = types.ModuleType("pagefind_bin")
        module.get_executable = lambda: program  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "pagefind_bin", module)
        log.touch()
        return log

    return used


@pytest.fixture
def none(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """No pagefind anywhere, as on a system that has none."""
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "pagefind_bin", None)
        patch.setenv("PATH", "")
        yield patch


def index(files: dict[str, bytes]) -> dict[str, bytes]:
    """The files of the index alone."""
    return {path: content for path, content in files.items() if path.startswith("pagefind/")}


def told(files: dict[str, bytes]) -> str:
    """Every page as the index holds it."""
    fragments = (gzip.decompress(files[path]).decode() for path in sorted(files) if path.endswith(".pf_fragment"))
    return "\n".join(fragments)


def form(files: dict[str, bytes]) -> bool:
    """Whether the search page has something to search with."""
    return b"data-index" in files["search/index.html"]


@pytest.mark.thorough(but_each=2)
@pytest.mark.parametrize("size", [128, 1])
def test_the_same_site_gives_the_same_index(
    size: int, searched: Callable[..., Path], build: Callable[..., Path], tree: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever builds it, by however many processes, and whatever pagefind is told elsewhere."""
    monkeypatch.setattr(findable, "PART", size)
    first = index(tree(build(searched())))
    again = tree(build(searched(folder="again"), "--jobs", "2", PAGEFIND_ROOT_SELECTOR="h1", PAGEFIND_SITE="/"))
    assert index(again) == first
    assert len([path for path in first if path.endswith("pagefind-entry.json")]) == (4 if size == 1 else 1)
    assert len([path for path in first if path.endswith(".js")]) == 2


def test_the_index_follows_each_edit_as_if_made_anew(
    searched: Callable[..., Path],
    build: Callable[..., Path],
    tree: Any,
    monkeypatch: pytest.MonkeyPatch,
    thorough: bool,
) -> None:
    """Episodes edited and added; people and own pages; an output folder that was lost or touched.

    Compared at the end, and where changes are let in after each edit.
    """
    monkeypatch.setattr(findable, "PART", 1)
    root = searched()
    output = build(root)

    def edited(name: str, old: str, new: str) -> None:
        (root / name).write_text((root / name).read_text("utf-8").replace(old, new), "utf-8")

    def lost() -> None:
        for path in output.glob("pagefind/fragment/*"):
            path.write_bytes(b"")

    steps: list[Callable[[], object]] = [
        lambda: edited("episodes/002-tides.yaml", "is said", "was told"),
        lambda: edited("episodes/004-dew.yaml", "[\"Sea\"", "[\"Grass\""),
        lambda: [edited(f"{name}.yaml", "Night", "Dusk") for name in ("episodes/001-owls", "episodes/003-moths")],
        lambda: (root / "episodes/000-fog.yaml").write_text(
            f"title: Fog\npublished: 2024-01-01\nsummary: Nothing is seen.\n{audio('fog')}", "utf-8"
        ),
        lambda: edited("show.yaml", "name: \"Ada Reef\"", "name: \"Ada Cliff\""),
        lambda: ((root / "pages").mkdir(), (root / "pages/about.md").write_text("# About\n\nUs.\n", "utf-8")),
        lost,
    ]  # fmt: skip
    for number, step in enumerate(steps):
        step()
        build(root)
        if thorough or step is lost:
            build(root, "--output", root / f"fresh{number}")
            assert index(tree(output)) == index(tree(root / f"fresh{number}")), number
    assert "Ada Cliff" in told(tree(output))
    assert "Dusk" in told(tree(output))


def test_only_what_changed_is_indexed(
    searched: Callable[..., Path], build: Callable[..., Path], use: Callable[[str], Path], monkeypatch: Any
) -> None:
    """A build with nothing to do, or with an edit that no search finds, starts no indexer; an edit starts one."""
    monkeypatch.setattr(findable, "PART", 1)
    log = use('echo run >> "$LOG"; exec "$REAL" "$@"')
    root = searched()

    def runs() -> int:
        before = len(log.read_text().split())
        build(root)
        return len(log.read_text().split()) - before

    assert runs() == 4
    assert runs() == 0
    show = root / "show.yaml"
    show.write_text(show.read_text("utf-8") + 'copyright: "All mine"\n', "utf-8")
    assert runs() == 0
    (root / "episodes/002-tides.yaml").write_text(
        (root / "episodes/002-tides.yaml").read_text("utf-8").replace("is said", "was said"), "utf-8"
    )
    assert runs() == 1


def test_what_is_not_out_is_not_indexed_not_even_in_a_preview(
    searched: Callable[..., Path], build: Callable[..., Path], tree: Any
) -> None:
    """Drafts and scheduled episodes have pages there, and stay unfound."""
    root = searched({
        "episodes/005-draft.yaml": f"title: Unfinished\npublished: 2025-05-01\nsummary: No.\ndraft: true\n{audio('5')}",
        "episodes/006-later.yaml": f"title: Tomorrow\npublished: 2099-05-01\nsummary: No.\n{audio('6')}",
    })  # fmt: skip
    files = tree(build(root, "--drafts", "--future"))
    assert "episodes/draft/index.html" in files
    assert "episodes/later/index.html" in files
    assert "Unfinished" not in told(files)
    assert "Tomorrow" not in told(files)
    assert told(files).count('"url":"/episodes/') == 4


def test_a_draft_can_be_built_without_an_index(
    searched: Callable[..., Path], build: Callable[..., Path], tree: Any, use: Callable[[str], Path]
) -> None:
    """Then the search page lists what there is, and the index goes when it was there."""
    log = use('echo run >> "$LOG"; exec "$REAL" "$@"')
    root = searched()
    files = tree(build(root, "--no-search"))
    assert not index(files)
    assert not form(files)
    assert b"About owls" in files["search/index.html"]
    assert log.read_text() == ""
    with_index = tree(build(root))
    assert form(with_index)
    assert tree(build(root, "--no-search")) == files
    assert tree(build(root)) == with_index


def test_a_show_may_want_no_search(searched: Callable[..., Path], build: Callable[..., Path], tree: Any) -> None:
    """Then there is no page for it, and no link leads there."""
    files = tree(build(searched(needed="false")))
    assert not index(files)
    assert not [path for path in files if path.startswith("search/") or path == "opensearch.xml"]
    assert not [path for path, content in files.items() if path.endswith(".html") and b"data-find" in content]


@pytest.mark.thorough(but_each=3)
@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("echo 'cannot do it' >&2; exit 3", "pagefind failed with status 3: cannot do it"),
        ("exit 1", "pagefind failed with status 1: it says nothing"),
        (f"exec '{sys.executable}' -c '{BABBLER}'", "pagefind wrote what podsite cannot read"),
        ("echo 'Hello! What can I do for you?'; sleep 600", "pagefind wrote what podsite cannot read"),
        ("while :; do printf 'e30=,'; done", "pagefind wrote what podsite cannot read"),
        ("exec sleep 600", "pagefind came to no end, and was stopped"),
    ],
    ids=["fails", "fails without a word", "writes something else", "talks", "does not stop talking", "hangs"],
)
def test_an_indexer_that_goes_wrong_stops_nothing(  # noqa: PLR0917
    script: str,
    said: str,
    searched: Callable[..., Path],
    podsite: Callable[..., Any],
    tree: Any,
    use: Callable[[str], Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The build warns, and goes on without search; the next one tries again, whether anything was edited or not."""
    use(script)
    root = searched()
    with monkeypatch.context() as patch:
        patch.setattr(indexer, "PATIENCE", 0.3 if script == "exec sleep 600" else 60.0)
        done = podsite("build", root)
    assert done.status == 0
    assert f"show.yaml:9:9: search: warning: the site goes out without search: {said}" in done.err
    files = tree(root / "output")
    assert not index(files)
    assert not form(files)
    assert b"About owls" in files["search/index.html"]
    use('exec "$REAL" "$@"')
    assert podsite("build", root).err == ""
    assert form(tree(root / "output"))


@pytest.mark.usefixtures("none")
def test_where_there_is_no_indexer_the_build_says_so(
    searched: Callable[..., Path], podsite: Callable[..., Any], tree: Any
) -> None:
    """With what to do about it."""
    root = searched()
    done = podsite("build", root)
    assert done.status == 0
    assert re.search(
        r"search: warning: .*pagefind is not installed; run 'pip install pagefind-bin'; to do without, ", done.err
    )
    assert not form(tree(root / "output"))
    assert podsite("build", root, "--no-search").err == ""


def test_a_show_may_require_its_search(
    searched: Callable[..., Path], podsite: Callable[..., Any], none: pytest.MonkeyPatch
) -> None:
    """Then a build without an index fails before anything is written, and says why."""
    root = searched(needed="required")
    done = podsite("build", root)
    assert done.status == 1
    assert "show.yaml:9:9: search: search is required, and there is none: pagefind is not installed" in done.err
    assert not (root / "output").exists()
    none.undo()
    assert podsite("build", root).status == 0
    assert podsite("build", root, "--no-search").status == 0


def test_an_indexer_on_the_path_will_do(
    searched: Callable[..., Path], podsite: Callable[..., Any], none: pytest.MonkeyPatch, tmp_path: Path, tree: Any
) -> None:
    """For systems that the Python package does not know."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/pagefind").symlink_to(pagefind_bin.get_executable())
    none.setenv("PATH", str(tmp_path / "bin"))
    root = searched()
    assert podsite("build", root).err == ""
    assert index(tree(root / "output"))


def test_another_word_than_those_known_is_told(searched: Callable[..., Path], podsite: Callable[..., Any]) -> None:
    """With the words that may stand there."""
    done = podsite("build", searched(needed="perhaps"))
    assert "show.yaml:9:9: search: expected true, false or required, found 'perhaps'" in done.err


def test_a_long_show_has_a_light_search_page(site: Callable[..., Path], build: Callable[..., Path], tree: Any) -> None:
    """It lists the newest and leads to the others."""
    episodes = {
        f"episodes/{number:03}-night-{number}.yaml": (
            f'title: "Night {number}"\nnumber: {number}\npublished: 2025-{1 + number // 28:02}-{1 + number % 28:02}\n'
            f'summary: "Dark."\ntopics: ["Topic {number}"]\n{audio(str(number))}'
        )
        for number in range(1, 91)
    }
    root = site({**NOTHING, **episodes})
    show = root / "show.yaml"
    show.write_text(show.read_text("utf-8").replace("search: false", "search: true"), "utf-8")
    page = tree(build(root, "--no-search"))["search/index.html"].decode()
    assert page.count(">Night ") == 60
    assert "Night 90" in page
    assert 'href="../episodes/"><bdi>All 90 episodes' in page


@pytest.mark.thorough(but_each=3)
@pytest.mark.skipif(sys.platform == "win32", reason="processes are asked to end in another way there")
@pytest.mark.parametrize(
    ("name", "status", "again"),
    [
        ("SIGTERM", 143, False),
        ("SIGHUP", 129, False),
        ("SIGINT", 130, False),
        ("SIGINT", 130, True),
        ("SIGTERM", 143, True),
    ],
)
def test_who_ends_a_build_ends_its_indexer(
    name: str, status: int, again: bool, searched: Callable[..., Path], tmp_path: Path
) -> None:
    """No process is left behind, no folder, and nothing half done."""
    root, log, temporary, program = searched(), tmp_path / "log", tmp_path / "temporary", tmp_path / "bin/pagefind"
    temporary.mkdir()
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\necho $$ > '{log}.new'; mv '{log}.new' '{log}'; exec sleep 600\n", "utf-8")
    program.chmod(0o755)
    heard = f"signal.signal(signal.{name}, signal.SIG_DFL)"  # whoever runs the tests may have reason to ignore it
    script = (
        f"import signal, sys; {heard}; sys.modules['pagefind_bin'] = None; from podsite.cli import program; program()"
    )
    environment = os.environ | {"TMPDIR": str(temporary), "PATH": f"{program.parent}:{os.environ['PATH']}"}
    command = [sys.executable, "-c", script, "build", str(root)]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as process:
        while not log.exists():
            assert process.poll() is None
        process.send_signal(getattr(signal, name))
        while again and process.poll() is None:
            process.send_signal(getattr(signal, name))
        _, said = process.communicate(timeout=30)
    assert process.returncode == status, said
    assert "Traceback" not in said
    with pytest.raises(ProcessLookupError):
        os.kill(int(log.read_text("utf-8")), 0)
    assert not [*temporary.iterdir()]
    assert not (root / "output").exists()
