"""Promises of the house: who may import whom, which library comes in by which door, and how large a thing may grow.

Everything here reads the syntax trees of src/podsite; nothing of it is imported.
"""

from __future__ import annotations

import ast
import functools
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from html.parser import HTMLParser
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
PACKAGE = REPOSITORY / "src" / "podsite"

#: A module imports only modules of the lines above its own. Those not written yet have their place already.
#: The order differs from the first draft of the design where the code had to be cut finer:
#: - tables, vocabulary and scalars stand below the model, because its fields name the grammar of their values;
#: - syntax, shapes, nodes, plain, findings, companions, crosscheck and files are parts of decoding and reading;
#: - urls is pure and stands before read, which needs the addresses of the pages it reads;
#: - images, contexts, paging and listings stand between the theme and the pages, references right before build;
#: - messages needs what a build returns, and only cli needs messages.
LAYERS = """
    podsite
    records
    errors extras ending
    tables
    vocabulary normal
    values
    alphabets locales
    words.catalogues
    words.own
    words
    scalars
    parts
    podcasting
    model works
    signatures
    aside
    roots textfile artifacts packs toolchain crew
    cache
    paper
    remade left
    recall
    output
    commonmark
    shapes
    schema syntax
    advice
    nodes
    plain
    decode
    transcripts.timing transcripts.words
    transcripts.said
    transcripts.blocks transcripts.prose
    transcripts.webvtt transcripts.subrip transcripts.structured transcripts.markup transcripts.mending
    transcripts
    chapters.made
    chapters.simple chapters.structured
    chapters.stamps
    chapters media
    embedded
    files speakers
    findings urls
    quotes
    beside
    companions crosscheck
    pickles
    kept
    identity read
    linked
    site
    citations citations.names
    citations.work
    citations.bibtex citations.csl citations.ris citations.coins citations.prose
    citations.cite
    figures
    locked
    lock
    guard
    notes.limits notes.code notes.engine notes.quick
    notes.lines
    notes.tree
    notes.forms
    notes.text notes.again
    notes
    written marks
    relations
    citations.files
    ways
    tracing
    colour filters
    words.patterns
    stumbles
    compiling sources
    environment
    theme
    images
    illustrated versions
    memory contexts
    oembed
    dates paging paragraphs
    shelves excerpts
    listings
    pages
    cards.bidi cards.faces cards.tile
    cards.setting
    cards.canvas
    cards.drawing
    cards.shown
    cards
    feeds
    feeds.editions
    feeds.tags
    feeds.described feeds.shared feeds.texts feeds.namespaces feeds.media feeds.keys
    feeds.live
    feeds.channel feeds.item
    feeds.jsonfeed feeds.opml feeds.assembly
    feeds.items
    feeds.rss feeds.facts
    difference
    feeds.directories feeds.local
    feeds.rules.names feeds.rules.podcast_tags feeds.rules.moments
    feeds.rules.tree
    feeds.rules.parsing feeds.rules.rule
    feeds.rules.listing
    feeds.rules.addresses feeds.rules.categories feeds.rules.channel feeds.rules.dates feeds.rules.document
    feeds.rules.enclosures feeds.rules.guids feeds.rules.html feeds.rules.items feeds.rules.podcast20
    feeds.rules.tags feeds.rules.texts
    feeds.rules.artwork feeds.rules.channel_more feeds.rules.companions feeds.rules.lengths
    feeds.rules.podcast_parts feeds.rules.podcast_values
    feeds.rules.chapters feeds.rules.transcripts
    feeds.rules
    feeds.certify
    feeds.incremental
    feeds.certificates
    feeds.making
    twins
    llms sitemaps jsonld
    discovery
    findable bundle
    indexer
    search
    press
    references forms
    render
    build
    tagging.iso639 tagging.wanted tagging.cover tagging.exchange
    tagging.boxes
    tagging.mp3 tagging.mp4
    tagging
    check serve importer probe links deploy scaffold
    messages progress summaries
    cli.shared
    cli.recordings
    cli
    __main__
"""

#: The only modules that may import a library, lazily or not; a package stands for all its modules.
DOORS = {
    "click": {"cli", "progress"},
    "yaml": {"nodes"},
    "jinja2": {"theme", "filters", "environment", "compiling", "sources", "stumbles"},
    "markupsafe": {"theme", "filters", "environment", "words"},
    "markdown": {"notes"},
    "pymdownx": {"notes"},
    "pyromark": {"notes"},
    "nh3": {"notes"},
    "pygments": {"notes"},
    "feedgen": {"feeds.namespaces", "feeds.assembly"},
    "lxml": {"feeds"},
    "mutagen": {"media", "embedded", "tagging"},
    "PIL": {"media", "images", "cards", "scaffold", "tagging", "feeds.rules.artwork"},
    "uharfbuzz": {"cards"},
    "babel": {"filters", "locales"},
    "httpx": {"probe", "links", "importer"},
    "pagefind_bin": {"search"},
}

#: Parts of the standard library that reach the network.
NETWORK = {"urllib.request", "http", "socket", "ssl", "ftplib", "smtplib"}
NETWORK_DOORS = {"probe", "links", "serve", "importer", "deploy"}

#: What a build must not ask: two builds of one input are equal. `cli` passes in the one instant that counts;
#: `signatures` compares a file's time with the clock, to know whether that time can be relied on.
IMPURE = {
    "datetime.now", "datetime.today", "datetime.utcnow", "date.today", "time.time", "time.time_ns",
    "os.environ", "os.getenv", "uuid.uuid1", "uuid.uuid4",
}  # fmt: skip
IMPURE_MODULES = {"random", "secrets", "locale"}
CLOCKS = {"time.time_ns"}  # of the file system's times, which decide what is read and never what is written
IMPURE_DOORS = {
    "cli.shared": IMPURE,
    "extras": {"os.environ"},  # for a switch that changes no byte
    "left": CLOCKS,
    "signatures": CLOCKS,
    "scaffold": {"uuid.uuid4"},
    "indexer": {"os.environ"},  # which the indexer gets without its own settings
}

#: Calls named open that give bytes or pictures; `file` is a LocalFile of the feed's rules.
BINARY_OPENS = {"os.open", "Image.open", "PIL.Image.open", "file.open"}

MODULE_LINES = 400
FUNCTION_LINES = 40
BAD_NAME = re.compile(r"^_*(get|handle|process)_|(Manager|Helper|Handler|Processor|Utils?)$|(^|_)(utils?|helpers?)$")

ORDER = {name: level for level, line in enumerate(LAYERS.split("\n")) for name in line.split()}


def name_of(path: Path) -> str:
    """A module as LAYERS writes it: `feeds.rss`, `feeds`; `podsite` is the package itself."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts) or "podsite"


SOURCES = {name_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}


@functools.cache
def modules() -> dict[str, ast.Module]:
    """Every module by its name, parsed."""
    return {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in SOURCES.items()}


@functools.cache
def nodes(tree: ast.AST) -> tuple[ast.AST, ...]:
    """All of a tree, which is walked through once."""
    return tuple(ast.walk(tree))


def imported(tree: ast.AST) -> Iterator[str]:
    """Every module imported anywhere in the tree, with the names taken out of a package as `package.name`."""
    for node in nodes(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield full if full.removeprefix("podsite.") in ORDER or full in IMPURE else node.module or ""


def own(tree: ast.AST) -> set[str]:
    """Podsite's modules imported in the tree, as LAYERS writes them."""
    names = {name for name in imported(tree) if name.split(".")[0] == "podsite"}
    return {"podsite" if name == "podsite" else name.removeprefix("podsite.") for name in names}


def dotted(node: ast.AST) -> str:
    """`datetime.now` of the attribute chain; empty for anything else."""
    if isinstance(node, ast.Attribute):
        before = dotted(node.value)
        return f"{before}.{node.attr}" if before else ""
    return node.id if isinstance(node, ast.Name) else ""


def definitions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    """Every function, method and class of the tree."""
    for node in nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node


def is_stub(function: ast.FunctionDef) -> bool:
    """Whether its body is `...`, as in a protocol."""
    (first, *rest) = function.body
    return (
        not rest and isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and first.value.value is ...
    )


def public(tree: ast.Module) -> Iterator[ast.AST]:
    """The module, its public functions and classes, and the public methods of these."""
    yield tree
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef):
                methods = (each for each in node.body if isinstance(each, ast.FunctionDef) and not is_stub(each))
                yield from (each for each in methods if not each.name.startswith("_"))


def lines(node: ast.AST) -> int:
    """How many lines a function takes."""
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    return (node.end_lineno or 0) - node.lineno + 1


def faults(found: Callable[[str, ast.Module], Iterable[object]]) -> dict[str, list[object]]:
    """What a rule finds wrong in each module; modules without fault are left out."""
    each = {module: list(found(module, tree)) for module, tree in modules().items()}
    return {module: wrong for module, wrong in each.items() if wrong}


def test_each_module_has_a_place() -> None:
    """A new one gets it in LAYERS."""
    assert not modules().keys() - ORDER.keys()


def test_a_module_imports_only_those_before_it() -> None:
    """The layers hold: nothing reaches back, so every stage can be read and tested alone."""
    assert not faults(lambda module, tree: {n for n in own(tree) - {module} if ORDER[n] >= ORDER[module]})


def test_a_library_comes_in_by_its_door_only() -> None:
    """One library, one door: replacing or delaying a library concerns one module."""

    def through_the_wall(module: str, tree: ast.Module) -> set[str]:
        foreign = {name.split(".")[0] for name in imported(tree)} - sys.stdlib_module_names - {"podsite"}
        return {one for one in foreign if not {module, module.split(".", maxsplit=1)[0]} & DOORS.get(one, set())}

    assert not faults(through_the_wall), "a new library needs its door in DOORS"


def test_only_network_commands_know_the_network() -> None:
    """No build needs the network, so no module of the build can reach it."""

    def reached(module: str, tree: ast.Module) -> set[str]:
        found = {name for name in imported(tree) for part in NETWORK if (name + ".").startswith(part + ".")}
        return set() if module in NETWORK_DOORS else found

    assert not faults(reached)


def test_the_build_asks_no_clock_no_environment_and_no_locale() -> None:
    """The same input gives the same bytes: time comes in once, at the command line."""

    def asked(module: str, tree: ast.Module) -> set[str]:
        found = {name for node in nodes(tree) if (name := dotted(node)) in IMPURE}
        found |= {name for name in imported(tree) if name in IMPURE | IMPURE_MODULES}
        return found - IMPURE_DOORS.get(module, set())

    assert not faults(asked)


def test_modules_stay_readable() -> None:
    """No module grows past what one can keep in mind."""
    lengths = {module: len(path.read_text(encoding="utf-8").splitlines()) for module, path in SOURCES.items()}
    assert not {module: length for module, length in lengths.items() if length > MODULE_LINES}


def test_functions_stay_readable() -> None:
    """No function is longer than a screen."""
    assert not faults(
        lambda _, tree: [
            (node.name, lines(node))
            for node in definitions(tree)
            if not isinstance(node, ast.ClassDef) and lines(node) > FUNCTION_LINES
        ]
    )


def test_everything_public_says_what_it_is() -> None:
    """Modules, public functions, classes and methods have a docstring."""
    assert not faults(
        lambda module, tree: [
            getattr(node, "name", module)
            for node in public(tree)
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and not ast.get_docstring(node)
        ]
    )


def test_names_say_what_is_meant() -> None:
    """No get_, handle_, process_, Manager, Helper or utils: they say nothing."""

    def empty(module: str, tree: ast.Module) -> list[str]:
        names = [module.rpartition(".")[2], *(node.name for node in definitions(tree))]
        return [name for name in names if BAD_NAME.search(name) and name not in {*dir(HTMLParser), "get_source"}]

    assert not faults(empty)


def test_nothing_is_printed_but_by_the_command_line() -> None:
    """A library that prints cannot be used by another program."""
    assert not faults(
        lambda _, tree: [
            node.lineno for node in nodes(tree) if isinstance(node, ast.Call) and dotted(node.func) == "print"
        ]
    )


def test_text_is_read_and_written_in_a_named_encoding() -> None:
    """Text files are UTF-8 on every system, whatever its locale."""

    def nameless(_: str, tree: ast.Module) -> Iterator[int]:
        for node in nodes(tree):
            if not isinstance(node, ast.Call):
                continue
            called = node.func.attr if isinstance(node.func, ast.Attribute) else dotted(node.func)
            given = [*node.args, *(keyword.value for keyword in node.keywords)]
            modes = [one.value for one in given if isinstance(one, ast.Constant)]
            binary = any(isinstance(mode, str) and "b" in mode and len(mode) <= 3 for mode in modes)
            other = dotted(node.func) in BINARY_OPENS
            named = "encoding" in {keyword.arg for keyword in node.keywords}
            if called in {"open", "read_text", "write_text"} and not binary and not other and not named:
                yield node.lineno

    assert not faults(nameless)


def test_there_is_no_python_in_the_templates() -> None:
    """An editable install would take a .py file in templates/ for a module and fail."""
    assert not list((REPOSITORY / "templates").rglob("*.py"))


def test_the_layers_name_each_module_once() -> None:
    """LAYERS is a table without doubles."""
    assert len(LAYERS.split()) == len(set(LAYERS.split()))
