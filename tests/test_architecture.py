"""Promises of the house: who may import whom, which library comes in by which door, and how large a thing may grow.

Everything here reads the syntax trees of src/podsite; nothing of it is imported.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]
PACKAGE = REPOSITORY / "src" / "podsite"

#: A module imports only modules of the lines above its own. Those not written yet have their place already.
#: The order differs from the first draft of the design where the code had to be cut finer:
#: - tables, vocabulary and scalars stand below the model, because its fields name the grammar of their values;
#: - syntax, shapes, findings, companions, crosscheck and files are parts of decoding and reading;
#: - urls is pure and stands before read, which needs the addresses of the pages it reads;
#: - images and contexts stand between the theme and the pages, references right before build;
#: - messages needs what a build returns, and only cli needs messages.
LAYERS = """
    podsite
    errors
    tables
    vocabulary
    values
    scalars
    parts
    podcasting
    model
    textfile artifacts cache
    output
    shapes
    schema syntax
    advice
    decode
    transcripts chapters media
    files
    findings
    companions crosscheck
    urls
    read
    site
    lock
    guard
    notes.limits notes.code
    notes.lines
    notes.tree
    notes.forms
    notes.text
    notes
    colour filters
    theme
    images
    contexts
    pages
    feeds.editions
    feeds.tags
    feeds.described feeds.shared feeds.texts feeds.namespaces feeds.media
    feeds.live
    feeds.channel feeds.item
    feeds.jsonfeed feeds.opml
    feeds
    feeds.rss feeds.facts
    difference
    feeds.rules.names feeds.rules.podcast_tags
    feeds.rules.tree
    feeds.rules.parsing feeds.rules.rule
    feeds.rules.addresses feeds.rules.categories feeds.rules.channel feeds.rules.dates feeds.rules.document
    feeds.rules.enclosures feeds.rules.guids feeds.rules.html feeds.rules.items feeds.rules.podcast20
    feeds.rules.tags feeds.rules.texts
    feeds.rules.artwork feeds.rules.channel_more feeds.rules.companions feeds.rules.lengths
    feeds.rules.podcast_parts feeds.rules.podcast_values
    feeds.rules.chapters feeds.rules.transcripts
    feeds.rules
    feeds.certify
    jsonld
    search discovery cards
    references
    render
    build
    check serve importer probe links deploy scaffold
    messages
    cli
    __main__
"""

#: The only modules that may import a library, lazily or not; a package stands for all its modules.
DOORS = {
    "click": {"cli"},
    "yaml": {"decode", "lock"},
    "jinja2": {"theme", "filters"},
    "markupsafe": {"theme", "filters"},
    "markdown": {"notes"},
    "pymdownx": {"notes"},
    "nh3": {"notes"},
    "pygments": {"notes"},
    "feedgen": {"feeds.namespaces", "feeds.rss"},
    "lxml": {"feeds"},
    "mutagen": {"media"},
    "PIL": {"media", "images", "cards", "scaffold", "feeds.rules.artwork"},
    "babel": {"filters"},
    "httpx": {"probe", "links", "importer"},
}

#: Parts of the standard library that reach the network.
NETWORK = {"urllib.request", "http", "socket", "ssl", "ftplib", "smtplib"}
NETWORK_DOORS = {"probe", "links", "serve", "importer", "deploy"}

#: What a build must not ask: two builds of one input are equal. `cli` passes in the one instant that counts;
#: `output` compares a file's time with the clock, to know whether that time can be relied on.
IMPURE = {
    "datetime.now", "datetime.today", "datetime.utcnow", "date.today", "time.time", "time.time_ns",
    "os.environ", "os.getenv", "uuid.uuid1", "uuid.uuid4",
}  # fmt: skip
IMPURE_MODULES = {"random", "secrets", "locale"}
IMPURE_DOORS = {"cli": IMPURE, "output": {"time.time_ns"}, "scaffold": {"uuid.uuid4"}}

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


MODULES = {name_of(path): ast.parse(path.read_text(encoding="utf-8")) for path in sorted(PACKAGE.rglob("*.py"))}
SOURCES = {name_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def imported(tree: ast.AST) -> Iterator[str]:
    """Every module imported anywhere in the tree, with the names taken out of a package as `package.name`."""
    for node in ast.walk(tree):
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
    for node in ast.walk(tree):
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


@pytest.fixture(params=MODULES)
def module(request: pytest.FixtureRequest) -> str:
    """Each module in turn."""
    name: str = request.param
    return name


def test_a_module_has_a_place_and_imports_only_those_before_it(module: str) -> None:
    """The layers hold: nothing reaches back, so every stage can be read and tested alone."""
    assert module in ORDER, f"give {module} a place in LAYERS"
    above = {name for name in own(MODULES[module]) - {module} if ORDER[name] >= ORDER[module]}
    assert not above, f"{module} must not import {above}"


def test_a_library_comes_in_by_its_door_only(module: str) -> None:
    """One library, one door: replacing or delaying a library concerns one module."""
    tops = {name.split(".")[0] for name in imported(MODULES[module])}
    foreign = tops - sys.stdlib_module_names - {"podsite"}
    assert foreign <= DOORS.keys(), "a new library needs its door in DOORS"
    assert not {name for name in foreign if not {module, module.split(".", maxsplit=1)[0]} & DOORS[name]}


def test_only_network_commands_know_the_network(module: str) -> None:
    """No build needs the network, so no module of the build can reach it."""
    reached = {name for name in imported(MODULES[module]) for part in NETWORK if (name + ".").startswith(part + ".")}
    assert not reached or module in NETWORK_DOORS


def test_the_build_asks_no_clock_no_environment_and_no_locale(module: str) -> None:
    """The same input gives the same bytes: time comes in once, at the command line."""
    tree = MODULES[module]
    asked = {name for node in ast.walk(tree) if (name := dotted(node)) in IMPURE}
    asked |= {name for name in imported(tree) if name in IMPURE | IMPURE_MODULES}
    assert asked <= IMPURE_DOORS.get(module, set())


def test_modules_stay_readable(module: str) -> None:
    """No module grows past what one can keep in mind."""
    assert len(SOURCES[module].read_text(encoding="utf-8").splitlines()) <= MODULE_LINES


def test_functions_stay_readable(module: str) -> None:
    """No function is longer than a screen."""
    long = {
        node.name: (node.end_lineno or 0) - node.lineno + 1
        for node in definitions(MODULES[module])
        if not isinstance(node, ast.ClassDef) and (node.end_lineno or 0) - node.lineno + 1 > FUNCTION_LINES
    }
    assert not long


def test_everything_public_says_what_it_is(module: str) -> None:
    """Modules, public functions, classes and methods have a docstring."""
    silent = [
        getattr(node, "name", module)
        for node in public(MODULES[module])
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and not ast.get_docstring(node)
    ]
    assert not silent


def test_names_say_what_is_meant(module: str) -> None:
    """No get_, handle_, process_, Manager, Helper or utils: they say nothing."""
    names = [module.rpartition(".")[2], *(node.name for node in definitions(MODULES[module]))]
    assert not [name for name in names if BAD_NAME.search(name) and name not in dir(HTMLParser)]


def test_nothing_is_printed_but_by_the_command_line(module: str) -> None:
    """A library that prints cannot be used by another program."""
    assert not [
        node for node in ast.walk(MODULES[module]) if isinstance(node, ast.Call) and dotted(node.func) == "print"
    ]


def test_text_is_read_and_written_in_a_named_encoding(module: str) -> None:
    """Text files are UTF-8 on every system, whatever its locale."""
    nameless = []
    for node in ast.walk(MODULES[module]):
        if not isinstance(node, ast.Call):
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else dotted(node.func)
        modes = [one.value for one in [*node.args, *(k.value for k in node.keywords)] if isinstance(one, ast.Constant)]
        binary = any(isinstance(mode, str) and "b" in mode and len(mode) <= 3 for mode in modes)
        other = dotted(node.func) in BINARY_OPENS
        if called in {"open", "read_text", "write_text"} and not binary and not other:
            nameless += [node.lineno] * ("encoding" not in {keyword.arg for keyword in node.keywords})
    assert not nameless


def test_there_is_no_python_in_the_templates() -> None:
    """An editable install would take a .py file in templates/ for a module and fail."""
    assert not list((REPOSITORY / "templates").rglob("*.py"))


def test_the_layers_name_each_module_once() -> None:
    """LAYERS is a table without doubles."""
    assert len(LAYERS.split()) == len(set(LAYERS.split()))
