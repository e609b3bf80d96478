"""The theme: where a template comes from, the Jinja environment, and template errors with file and line.

A site's own templates/ comes first, then the bundled theme; the bundled one answers as `podsite/NAME` too, so that
a site's base.html can extend podsite/base.html. Templates are plain files: podsite does not run from a zip archive.
"""

from __future__ import annotations

import json
import re
import traceback
from collections.abc import Collection, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from podsite import __version__
from podsite.cache import Cache, digest
from podsite.errors import OutputError, Place, PodsiteError, Problem, TemplateError, UsageError, hint
from podsite.files import Files
from podsite.records import dataclass
from podsite.words import ENGLISH, Words

if TYPE_CHECKING:
    import jinja2

    from podsite.crew import Crew
    from podsite.tracing import Trace

FOLDER = "templates"
ASSETS = "assets/"

_PACK = "template"
_NAMED = re.compile(r"""\{%-?\s*(?:extends|include|import|from)\s+["']([^"']+)["']""")
_FEW = 8  # templates that are worth a process of their own

_OURS = "; unless a template of the site's own has a part in it, this is a fault of podsite's: please report it"


@dataclass(frozen=True, slots=True)
class ThemeFile:
    """A file of the theme: its name (`partials/row.html`) and whose it is."""

    name: str
    origin: Literal["site", "podsite"]


def _key_of_names(source: str) -> bytes:
    """Under which it is known which templates a source names."""
    return digest("names", source)


class Theme:
    """The templates and assets of a site: its own, and the bundled ones where it has none."""

    def __init__(
        self, root: Path | None, cache: Cache | None = None, files: Files | None = None, words: Words = ENGLISH
    ) -> None:
        import jinja2

        from podsite import filters
        from podsite.environment import Environment
        from podsite.sources import ReadOnce

        self._bundled = _bundled()
        self._own = root / FOLDER if root is not None else None
        self._inputs = files
        if root is not None:
            _refuse_unusable(files or Files(root))
        bundled = jinja2.FileSystemLoader(self._bundled)
        loaders: list[jinja2.BaseLoader] = [bundled, jinja2.PrefixLoader({"podsite": bundled})]
        if self._own is not None and self._own.is_dir():
            loaders.insert(0, jinja2.FileSystemLoader(self._own))
        self._cache = cache or Cache(None)
        self._versions: dict[str, bytes] = {}
        self._environment = Environment(ReadOnce(loaders, self._noticed), self._cache.pack(_PACK), words)
        filters.install(self._environment)
        self._environment.watch()

    def _noticed(self, filename: str) -> None:
        """A file of the theme is about to be read: one of the site's own is an input, whatever it is called."""
        path = Path(filename)
        if self._own is not None and self._inputs is not None and path.is_relative_to(self._own):
            self._inputs.looked(f"{FOLDER}/{path.relative_to(self._own).as_posix()}")

    def render(self, template: str, context: Mapping[str, Any], page: str = "", trace: Trace | None = None) -> str:
        """The page that a template makes of its context. Raises TemplateError, which names the `page`.

        Values of the context may be `Later`. What the template reads of the site is told to `trace`.
        """
        try:
            return self._environment.traced(template, context, trace)
        except PodsiteError:
            raise
        except Exception as error:
            place, message = self._told(error, template, context)
            if place is None:  # nobody's fault but ours
                raise
            raise self._error(place, message, page) from error

    def printed(self, template: str, context: Mapping[str, Any], page: str = "", trace: Trace | None = None) -> bytes:
        """What `render` makes, as it is written to a file. Raises TemplateError."""
        text = self.render(template, context, page, trace)
        try:
            return text.encode()
        except UnicodeEncodeError as error:
            before, found = text[max(0, error.start - 30) : error.start].strip(), ascii(text[error.start])
            place = self._place(str(self._file(template)))
            fault = f"makes a character that no page can hold: {found}, behind {before!r}; leave it out"
            raise self._error(place, fault, page) from error

    def _told(self, error: Exception, template: str, context: Mapping[str, Any]) -> tuple[Place | None, str]:
        """Where a template failed, and what is told of it; no place where no template was being filled."""
        import jinja2

        if isinstance(error, jinja2.TemplateSyntaxError):
            return self._place(error.filename or template, error.lineno), error.message or "does not parse"
        if isinstance(error, OSError) and error.filename:
            return self._place(str(error.filename)), f"cannot be read: {error.strerror or error}"
        blamed, at = self._blamed(error)
        if isinstance(error, jinja2.TemplateNotFound):
            names = [file.name for file in self.listing() if not file.name.startswith(ASSETS)]
            return blamed or Place(template), f"there is no template '{error.name}'{hint(str(error.name), names)}"
        if isinstance(error, RecursionError):
            return blamed or Place(template), "leads back into itself without end"
        message = f"{type(error).__name__}: {error}"
        if isinstance(error, MemoryError):
            message = "takes more memory than there is"
        elif isinstance(error, jinja2.TemplateError):
            blamed = blamed or Place(template)
            message = _explained(error, [*context, *self._environment.globals])
        elif blamed is not None and not blamed.file.startswith(f"{FOLDER}/"):
            at += _OURS
        return blamed, message + at + self._renamed(error)

    def _renamed(self, error: Exception) -> str:
        """How to mend it where a template of the site's own has given a name of Jinja's or ours another meaning."""
        for frame in traceback.extract_tb(error.__traceback__):
            place = self._place(frame.filename)
            if place.file.startswith(f"{FOLDER}/"):
                for name, line in self._environment.names_set(place.file.removeprefix(f"{FOLDER}/")):
                    if name in self._environment.globals:
                        return f"; {place.file}:{line} sets '{name}', which others need as it is: choose another name"
        return ""

    def prepare(self, templates: Collection[str], crew: Crew) -> None:
        """Compile templates, and those they name, together with others, so that none of them has to.

        What they name is guessed here: a name too many costs time, and one that is not found is compiled when it is
        needed.
        """
        pack = self._cache.pack(_PACK)
        sources: dict[str, str | None] = {}
        open_ends = sorted(templates)
        while open_ends:
            name = open_ends.pop()
            if name not in sources:
                sources[name] = source = self._readable(name)
                open_ends += _NAMED.findall(source or "")
        missing = [name for name, source in sources.items() if source and not pack.has(_key_of_names(source))]
        parts = sources.keys() - set(templates)
        self._cache.prepare(crew, missing, lambda names: self._compiled(names, parts), _FEW)

    def _readable(self, name: str) -> str | None:
        """The source of a template; None where that is not to be had, which is told when a page needs it."""
        import jinja2

        with suppress(jinja2.TemplateError, OSError):
            return self._environment.source(name)
        return None

    def _compiled(self, names: Iterable[str], parts: AbstractSet[str]) -> None:
        """Compile templates; `parts` are those that others include."""
        import jinja2

        for name in names:
            with suppress(jinja2.TemplateError, OSError, RecursionError):
                source = self._environment.source(name)
                self._named(source)
                if name in parts:
                    self._environment.is_plain(source)
                self._environment.get_template(name)

    def version(self, template: str) -> bytes:
        """A digest of a template and all it can include, extend or import: equal ones make equal pages of equal facts.

        One that cannot be read has none in common with any other.
        """
        if template not in self._versions:
            reachable: dict[str, bytes | None] = {}
            self._reach(template, reachable)
            self._versions[template] = digest(*(part for pair in sorted(reachable.items()) for part in pair))
        return self._versions[template]

    def _reach(self, name: str, reached: dict[str, bytes | None]) -> None:
        """Note the source of a template and of every one it names."""
        import jinja2

        if name in reached:
            return
        try:
            source = self._environment.source(name)
            reached[name] = source.encode("utf-8", "surrogatepass")
            for other in self._named(source):
                self._reach(other, reached)
        except (jinja2.TemplateError, OSError, RecursionError):
            reached.setdefault(name, None)

    def _named(self, source: str) -> Iterable[str]:
        """The templates that a source names; all there are where it computes a name."""
        pack, key = self._cache.pack(_PACK), _key_of_names(source)
        stored = pack.get(key)
        found: list[str | None] = json.loads(stored) if stored is not None else self._environment.names_in(source)
        if stored is None:
            pack.put(key, json.dumps(found).encode())
        if None in found:  # it may name any file at all, assets and hidden ones included
            return self._environment.list_templates()
        return [name for name in found if name]

    def assets(self) -> Iterator[tuple[str, bytes]]:
        """Every asset, by name: the path it is published at, and its bytes. Bundled scripts go without remarks."""
        for file in self.listing():
            if file.name.startswith(ASSETS):
                path = self._file(file.name)
                try:
                    content = path.read_bytes()
                    is_ours = file.name.endswith(".js") and content == self._original(file.name)
                    yield file.name, _unremarked(content) if is_ours else content
                except OSError as error:
                    fault = f"cannot be read: {error.strerror or error}"
                    raise self._error(self._place(str(path)), fault, "") from error

    def listing(self) -> tuple[ThemeFile, ...]:
        """Every file of the theme, by name, with whose it is."""
        own = set(_files(self._own)) if self._own is not None else set()
        names = own | set(_files(self._bundled))
        return tuple(ThemeFile(name, "site" if name in own else "podsite") for name in sorted(names))

    def source(self, name: str) -> bytes:
        """The bundled file of that name, under a remark of the version it comes from where it is a template."""
        names = list(_files(self._bundled))
        if name not in names:
            raise UsageError(f"the theme has no file '{name}'{hint(name, names) or '; see podsite templates list'}")
        text = (self._bundled / name).read_bytes()
        remark = f"{{# {name} of podsite {__version__} #}}\n" if name.endswith(".html") else ""
        return remark.encode() + text

    def copy(self, name: str) -> Path:
        """Put a copy of a bundled file into the site's templates/, to be changed there. One that exists stays."""
        if self._own is None:
            raise UsageError("there is no site to copy the template to")
        target = self._own / name
        content = self.source(name)
        if target.exists():
            raise UsageError(f"{FOLDER}/{name} exists already; delete it first to start again from the original")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        except OSError as error:
            raise OutputError(f"{target} cannot be written: {error.strerror or error}") from error
        return target

    def _file(self, name: str) -> Path:
        if self._own is not None and (self._own / name).is_file():
            return self._own / name
        return self._bundled / name.removeprefix("podsite/")

    def _original(self, name: str) -> bytes | None:
        """The bundled file of that name."""
        path = self._bundled / name
        return path.read_bytes() if path.is_file() else None

    def _place(self, filename: str, line: int = 0) -> Place:
        """The place as its author knows it: `templates/…` in the site, `podsite/…` in the bundled theme."""
        path = Path(filename)
        column = 1 if line else 0
        for folder, prefix in ((self._own, FOLDER), (self._bundled, "podsite")):
            if folder is not None and path.is_relative_to(folder):
                return Place(f"{prefix}/{path.relative_to(folder).as_posix()}", line, column)
        return Place(filename, line, column)

    def _blamed(self, error: BaseException) -> tuple[Place | None, str]:
        """The innermost line of a template that an error passed through, one of the site's own if there is any: what a
        bundled one stumbles over was given to it. And where the error arose, if that is elsewhere.
        """
        frames = traceback.extract_tb(error.__traceback__)
        places = [(frame.filename, self._place(frame.filename, frame.lineno or 0)) for frame in reversed(frames)]
        known = [place for filename, place in places if place.file != filename]
        own = [place for place in known if place.file.startswith(f"{FOLDER}/")]
        if not own or own[0] == known[0]:
            return (known[0] if known else None), ""
        return own[0], f" (in {known[0].file}:{known[0].line}, which it uses)"

    def _error(self, place: Place, message: str, page: str) -> TemplateError:
        where = f" (rendering {page})" if page else ""
        return TemplateError([Problem(place, "", message + where)])


def _unremarked(script: bytes) -> bytes:
    """A bundled script without the lines that are remarks and without indentation: a sixth of it, when compressed.

    Only for scripts that are written so: no text in them goes over several lines.
    """
    lines = (line.strip() for line in script.splitlines())
    return b"\n".join(line for line in lines if line and not line.startswith(b"//")) + b"\n"


def trusted(html: str) -> str:
    """Text that is HTML already, so that templates do not escape it again."""
    import markupsafe

    return markupsafe.Markup(html)  # noqa: S704 - the one place where it is said, for what `notes` has sanitised


def _refuse_unusable(files: Files) -> None:
    """A template that cannot be read would silently be the bundled one; one that is a link could publish anything."""
    found = {file: files.fault(file) for file in files.below(FOLDER)}
    faults = {file: fault for file, fault in found.items() if fault} | files.faults
    if faults:
        raise TemplateError([Problem(Place(file), "", fault) for file, fault in faults.items()])


def _bundled() -> Path:
    """The bundled theme: beside this module in an installed podsite, at the repository's top in a checkout."""
    here = Path(__file__).resolve().parent
    for folder in (here / FOLDER, here.parent.parent / FOLDER):
        if (folder / "base.html").is_file():
            return folder
    raise PodsiteError("podsite's own templates are missing; reinstall it: pip install --force-reinstall podsite")


def _files(folder: Path) -> Iterator[str]:
    """Names of the files below a folder, without what editors and file managers leave behind."""
    for path in folder.rglob("*"):
        if path.is_file() and not path.name.startswith(".") and not path.name.endswith("~"):
            yield path.relative_to(folder).as_posix()


def _explained(error: jinja2.TemplateError, known: list[str]) -> str:
    """Jinja's message; for an unknown variable with the nearest known one."""
    message = error.message or str(error)
    name = message.split("'")[1] if message.endswith("' is undefined") else ""
    return message + hint(name, known) if name else message
