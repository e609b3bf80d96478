"""What tests share: a small site on disk, the command line as a user runs it, a web server, Chromium."""

from __future__ import annotations

import contextlib
import functools
import gc
import io
import os
import shutil
import sys
import tempfile
import textwrap
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import hypothesis
import jinja2
import jinja2.meta
import pytest
from jinja2.bccache import Bucket
from PIL import Image

from podsite import cli

if TYPE_CHECKING:
    from playwright.sync_api import Browser

REPOSITORY = Path(__file__).resolve().parents[1]
if sys.dont_write_bytecode:  # neither these tests nor the programs they start should compile each module each time
    sys.dont_write_bytecode, sys.pycache_prefix = False, str(REPOSITORY / ".pytest_cache/bytecode")
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix
    del os.environ["PYTHONDONTWRITEBYTECODE"]
MEMORY, ENOUGH = Path("/dev/shm"), 3 * 2**30  # bytes
if "TMPDIR" not in os.environ and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ENOUGH:
    os.environ["TMPDIR"], tempfile.tempdir = str(MEMORY), None  # what is looked at once need not come to a disk
CI = os.environ.get("CI") == "true"
BARE = "chromium-headless-shell"
THOROUGH = pytest.StashKey[bool]()
NOW = 1_770_000_000  # seconds: February 2026, the instant of every build here that does not say otherwise

SHOW = """
    title: "Quiet Hours"
    description: "Talks about the night."
    language: en
    author: "Ada Reef"
    url: https://example.org/quiet/
    artwork: static/artwork.jpg
    categories: [Technology]
    guid: 917393e3-1b1e-5cef-ace4-edaa54e1f810
    search: false
    theme: {cards: false}
    people:
      ada: {name: "Ada Reef", role: Host}
"""
EPISODE = """
    title: "The first night"
    number: 1
    published: 2025-03-01
    summary: "What one hears when nothing is heard."
    people: [ada]
"""
#: A second of silence: MPEG-1 Layer III frames of 32 kbit/s, mono, 44.1 kHz.
SILENCE = (b"\xff\xfb\x10\xc0" + bytes(100)) * 39


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that rewrite the expected trees of tests/sites/, and that leave nothing out."""
    parser.addoption("--update-golden", action="store_true", help="rewrite tests/sites/*/expected/")
    parser.addoption("--thorough", action="store_true", help="all of what proves by sheer number, as with CI=true")


def pytest_configure(config: pytest.Config) -> None:
    """Let property tests try as many examples as this run is to have: `settings().max_examples`, or multiples of it."""
    config.stash[THOROUGH] = CI or config.getoption("--thorough")
    hypothesis.settings.register_profile("quick", deadline=None, max_examples=10)
    hypothesis.settings.register_profile("thorough", deadline=None, max_examples=100)
    hypothesis.settings.load_profile("thorough" if config.stash[THOROUGH] else "quick")
    _keep_to_one_processor()


def _keep_to_one_processor() -> None:
    """Where there are as many workers as processors, each has its own: a build that took them all would be no faster,
    and to begin processes costs more than a small site. What several of them make is asked for by `--jobs`.
    """
    worker, workers = (os.environ.get(f"PYTEST_XDIST_WORKER{name}", "") for name in ("", "_COUNT"))
    if worker and sys.platform == "linux":
        mine = sorted(os.sched_getaffinity(0))
        if int(workers) >= len(mine):
            os.sched_setaffinity(0, {mine[int(worker.removeprefix("gw")) % len(mine)]})


def pytest_report_header(config: pytest.Config) -> str:
    """Say how much is tried."""
    return "thorough: " + ("yes" if config.stash[THOROUGH] else "no, a part of what proves by number (see --thorough)")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is marked `thorough`, but where changes are let in."""
    if not config.stash[THOROUGH]:
        left_out = {*_repeats(items)}
        config.hook.pytest_deselected(items=[item for item in items if item in left_out])
        items[:] = [item for item in items if item not in left_out]


def _repeats(items: list[pytest.Item]) -> Iterator[pytest.Item]:
    """What is marked `thorough`; of a test marked `thorough(but_each=3)` all cases but the first, the fourth…

    `thorough(like="test_…")` names the test that makes a promise of the kind, and stays.
    """
    seen: Counter[str] = Counter()
    for item in items:
        if mark := item.get_closest_marker("thorough"):
            test, each = item.nodeid.partition("[")[0], mark.kwargs.get("but_each")
            if not each or seen[test] % each:
                yield item
            seen[test] += 1


@pytest.fixture(scope="session")
def thorough(request: pytest.FixtureRequest) -> bool:
    """Whether all is tried, as where changes are let in, or a part of it."""
    return request.config.stash[THOROUGH]


@dataclass(frozen=True)
class Done:
    """How a command ended: its exit status and what it printed."""

    status: int
    out: str
    err: str


Files = Mapping[str, str | bytes | None]
Site = Callable[..., Path]
Podsite = Callable[..., Done]
Serve = Callable[..., str]
Shared = Callable[[str, Callable[[Path], object]], Path]


def demand(found: Any, what: str) -> Any:
    """What a test needs beyond Python. On a continuous-integration machine it must be there."""
    if not found:
        why = f"{what}; scripts/test.py installs it where the machine lets it"
        pytest.fail(why) if CI else pytest.skip(why)
    return found


@pytest.fixture(scope="session")
def needed() -> Callable[[Any, str], Any]:
    """The function `demand`."""
    return demand


@pytest.fixture(scope="session")
def artwork() -> bytes:
    """A cover that directories would accept."""
    found = io.BytesIO()
    Image.new("RGB", (1400, 1400), "#123456").save(found, "JPEG", quality=50)
    return found.getvalue()


@pytest.fixture(scope="session")
def now() -> int:
    """The instant of the builds in tests, in seconds."""
    return NOW


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of this repository, which is a site, too."""
    return REPOSITORY


@pytest.fixture(scope="session")
def silence() -> bytes:
    """A recording of one silent second."""
    return SILENCE


def write_site(root: Path, artwork: bytes, files: Files) -> Path:
    """The small site of these tests, with the files given added, replaced or (None) left out."""
    whole: dict[str, str | bytes | None] = {
        "show.yaml": SHOW,
        "static/artwork.jpg": artwork,
        "episodes/001-first-night.yaml": EPISODE,
        "episodes/001-first-night.mp3": SILENCE,
    }
    for name, content in (whole | dict(files)).items():
        if content is not None:
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else textwrap.dedent(content).lstrip().encode())
    return root


@pytest.fixture(scope="session", autouse=True)
def compiled() -> Iterator[None]:
    """Templates of equal source are parsed, compiled and looked through once for all the builds of this process, and
    code that was kept is loaded once.
    """
    compile_template, parse = jinja2.Environment.compile, jinja2.Environment.parse
    asked, load = jinja2.meta.find_undeclared_variables, Bucket.bytecode_from_string
    known: dict[tuple[Any, ...], Any] = {}
    trees: dict[tuple[Any, ...], Any] = {}
    names: dict[int, Any] = {}
    loaded: dict[tuple[str, bytes], Any] = {}

    def remembered(environment: jinja2.Environment, *source: Any, **options: Any) -> Any:
        key = (type(environment), environment.autoescape, *source, *options.items())
        if key not in known:
            known[key] = compile_template(environment, *source, **options)
        return known[key]

    def read(environment: jinja2.Environment, *source: Any) -> Any:
        key = (type(environment), *source)
        if key not in trees:
            trees[key] = parse(environment, *source)
        return trees[key]

    def found(tree: Any) -> Any:
        if id(tree) not in names:
            names[id(tree)] = tree, asked(tree)  # with the tree, or another one could come to have its number
        return names[id(tree)][1]

    def code_of(bucket: Bucket, kept: bytes) -> None:
        key = bucket.checksum, kept
        if key not in loaded:
            load(bucket, kept)
            loaded[key] = bucket.code
        bucket.code = loaded[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Bucket, "bytecode_from_string", code_of)
        patch.setattr(jinja2.Environment, "compile", remembered)
        patch.setattr(jinja2.Environment, "parse", read)
        patch.setattr(jinja2.meta, "find_undeclared_variables", found)
        yield


@pytest.fixture(scope="session", autouse=True)
def hasty() -> Iterator[None]:
    """Nothing is waited for until it is on the disk: no test outlives the machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        yield


@pytest.fixture(scope="session")
def warm(shared: Shared, artwork: bytes) -> Path:
    """What other sites can use of the cache of a built one, so that not each test has to scale the cover again."""

    def make(folder: Path) -> None:
        status = status_of("build", write_site(folder, artwork, {}), "--quiet")
        assert status == 0
        for name in ("build", "marks", "output", "pages", "reading"):  # of this folder, or this output, alone
            shutil.rmtree(folder / ".podsite" / name)

    return shared("warm", make) / ".podsite"


def warmed(root: Path, warm: Path) -> Path:
    """A site with that cache."""
    return shutil.copytree(warm, root / ".podsite", copy_function=shutil.copyfile, dirs_exist_ok=True).parent


@pytest.fixture
def site(tmp_path: Path, artwork: bytes, warm: Path) -> Site:
    """Writes a small site that builds without a single warning, with files added, replaced or (None) left out."""

    def write(files: Files | None = None, *, folder: str = "site") -> Path:
        return warmed(write_site(tmp_path / folder, artwork, files or {}), warm)

    return write


@pytest.fixture(scope="session")
def written(artwork: bytes, warm: Path) -> Callable[[Path, Files], Path]:
    """Writes the small site of these tests with these files and builds it strictly, once for many tests."""

    def write(folder: Path, files: Files) -> Path:
        root = warmed(write_site(folder, artwork, files), warm)
        assert status_of("build", root, "--strict", "--quiet") == 0
        return folder / "output"

    return write


def status_of(*arguments: object) -> int:
    """Run the command line in this process; its exit status."""
    with pytest.MonkeyPatch.context() as patch, pytest.raises(SystemExit) as ended:
        patch.setattr(sys, "argv", ["podsite", *map(str, arguments)])
        cli.main()
    return int(ended.value.code or 0)


@pytest.fixture(scope="session")
def made(artwork: bytes, warm: Path) -> Callable[[Path, Files], Path]:
    """Writes the small site of these tests with `files` to a folder and builds it, once for many tests."""

    def make(root: Path, files: Files) -> Path:
        status = status_of("build", warmed(write_site(root, artwork, files), warm), "--quiet")
        assert status == 0
        return root

    return make


@pytest.fixture
def podsite(monkeypatch: pytest.MonkeyPatch) -> Podsite:
    """Runs the command line in this process, as `podsite ARGUMENTS` would in the folder `cwd`."""

    def run(*arguments: object, cwd: Path | None = None, **environment: str) -> Done:
        out, err = io.StringIO(), io.StringIO()
        with monkeypatch.context() as patch, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            for name, value in ({"SOURCE_DATE_EPOCH": str(NOW)} | environment).items():
                patch.setenv(name, value)
            if cwd:
                patch.chdir(cwd)
            status = status_of(*arguments)
        return Done(status, out.getvalue(), err.getvalue())

    return run


@pytest.fixture
def build(podsite: Podsite) -> Callable[..., Path]:
    """Builds a site strictly, which must succeed, and gives its output folder."""

    def built(root: Path, *options: object, **environment: str) -> Path:
        done = podsite("build", root, "--strict", *options, **environment)
        assert done.status == 0, done.err
        return root / "output"

    return built


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder by its path, without what podsite keeps for itself."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(".podsite")
    }


@pytest.fixture(name="tree")
def tree_fixture() -> Callable[[Path], dict[str, bytes]]:
    """The function `tree`."""
    return tree


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Shared:
    """Makes a folder once for all workers of a test run: the first to ask makes it, the others wait."""
    base = tmp_path_factory.getbasetemp()
    base = base.parent if worker_id != "master" else base

    def folder(name: str, make: Callable[[Path], object]) -> Path:
        with (base / f"{name}.lock").open("w", encoding="utf-8") as lock:
            if sys.platform != "win32":
                import fcntl

                fcntl.flock(lock, fcntl.LOCK_EX)
            if not (base / name).exists():
                make(base / f"{name}-unfinished")
                (base / f"{name}-unfinished").rename(base / name)
        return base / name

    return folder


@pytest.fixture(scope="session")
def own_site(shared: Shared) -> Path:
    """This repository's own site, built strictly by the README's command."""

    def make(folder: Path) -> None:
        status = status_of("build", REPOSITORY, "--output", folder, "--strict", "--quiet", "--jobs", 2)
        assert status == 0

    return shared("own-site", make)


class _Static(SimpleHTTPRequestHandler):
    """Files of a folder at a sub-path, as GitHub Pages serves them: 404.html for what is missing, byte ranges."""

    prefix = "/"
    protocol_version = "HTTP/1.1"
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {".vtt": "text/vtt", ".mp3": "audio/mpeg"}

    def translate_path(self, path: str) -> str:
        plain = unquote(urlsplit(path).path)
        inside = plain.removeprefix(self.prefix) if plain.startswith(self.prefix) else "outside/of/the/site"
        return str(Path(self.directory) / inside)

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        plain = urlsplit(self.path).path
        if path.is_dir() and not plain.endswith("/"):
            self._answer(301, b"", {"Location": plain + "/"})
            return
        path = path / "index.html" if path.is_dir() else path
        if not path.is_file():
            self._answer(404, (Path(self.directory) / "404.html").read_bytes(), {"Content-Type": "text/html"})
            return
        content, size = path.read_bytes(), path.stat().st_size
        head = {"Content-Type": self.guess_type(str(path)), "Accept-Ranges": "bytes"}
        wanted = self.headers.get("Range", "").removeprefix("bytes=").partition("-")
        if wanted[1] and wanted[0]:
            start, end = int(wanted[0]), min(int(wanted[2] or size - 1), size - 1)
            self._answer(206, content[start : end + 1], head | {"Content-Range": f"bytes {start}-{end}/{size}"})
        else:
            self._answer(200, content, head)

    do_HEAD = do_GET  # noqa: N815 - the name http.server looks for

    def _answer(self, status: int, body: bytes, head: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in head.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            with contextlib.suppress(ConnectionError):  # a browser may stop listening to a recording
                self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="session")
def serve() -> Iterator[Serve]:
    """Serves a folder on the loopback interface below a sub-path, and gives its address."""
    with contextlib.ExitStack() as running:

        def start(folder: Path, prefix: str = "/") -> str:
            handler = type("Handler", (_Static,), {"prefix": prefix})
            server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(handler, directory=str(folder)))
            thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
            thread.start()
            running.callback(thread.join)
            running.callback(server.server_close)
            running.callback(server.shutdown)
            return f"http://127.0.0.1:{server.server_port}{prefix}"

        yield start


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Chromium without its windows where it is installed, else playwright's own, else the system's."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        own = Path(playwright.chromium.executable_path).exists()
        names = [BARE] if own else [BARE, "chromium", "chromium-browser", "google-chrome"]
        program = next(filter(None, map(shutil.which, names)), None)
        demand(program or own, "there is no Chromium")
        browser = playwright.chromium.launch(
            executable_path=program,
            args=[
                "--no-sandbox",
                "--autoplay-policy=no-user-gesture-required",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-gpu",
                "--mute-audio",
            ],
        )
        yield browser
        browser.close()


def pytest_collection_finish() -> None:
    """What was imported and collected stays, so that nobody looks for garbage in it again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
