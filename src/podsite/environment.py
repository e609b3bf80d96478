"""The Jinja environment that tells a trace what templates read; templates themselves notice nothing of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from functools import wraps
from typing import Any

import jinja2
from jinja2 import meta, nodes
from jinja2.bccache import Bucket
from jinja2.compiler import CodeGenerator, Frame, operators
from jinja2.filters import make_attrgetter
from jinja2.idtracking import VAR_LOAD_RESOLVE
from jinja2.runtime import Context, Macro
from jinja2.utils import missing
from markupsafe import Markup

from podsite.cache import digest
from podsite.filters import Missing
from podsite.packs import Pack
from podsite.site import Site
from podsite.tracing import Trace, is_record
from podsite.words import Words
from podsite.words.catalogues import BETWEEN, key
from podsite.words.patterns import Pattern

# Jinja's own that look at nothing inside the things they are given, but by way of the environment.
_SHALLOW = frozenset({
    "batch", "count", "d", "default", "first", "items", "last", "length", "list", "map", "random", "reject",
    "rejectattr", "reverse", "select", "selectattr", "slice",
})  # fmt: skip
# Shallow where they name an attribute; the latter look into its values.
_BY_ATTRIBUTE = frozenset({"max", "min", "sort", "sum"})
_OF_ATTRIBUTE = frozenset({"groupby", "join", "unique"})
_BLIND_TESTS = frozenset({
    "boolean", "callable", "defined", "divisibleby", "escaped", "even", "false", "filter", "float", "integer",
    "iterable", "mapping", "none", "number", "odd", "sequence", "string", "test", "true", "undefined",
})  # fmt: skip


class Later:
    """A value of a page that is made when a template asks for it."""

    __slots__ = ("_made", "_make")

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make
        self._made: Any = missing

    @property
    def value(self) -> Any:
        """The value, made once."""
        if self._made is missing:
            self._made = self._make()
        return self._made


class _Context(Context):
    """Tells which of the values given to a page are asked for."""

    environment: Environment

    def resolve_or_missing(self, key: str) -> Any:
        if key in self.vars:
            return self.vars[key]
        found = self.parent.get(key, missing)
        environment = self.environment
        is_given = found is not missing and environment.given.get(key, missing) is found
        value = found.value if type(found) is Later else found
        if is_given:
            environment.trace.given(key, value)
        return value

    def call(self, called: Callable[..., Any], /, *arguments: Any, **named: Any) -> Any:
        """Call something for a template. Macros tell what they read themselves; the site only looks episodes up."""
        if type(called) is not Macro and type(getattr(called, "__self__", None)) is not Site:
            for each in (*arguments, *named.values()):
                self.environment.trace.whole(each)
        return super().call(called, *arguments, **named)


_PRINTED = "printed"  # in place of the name of a filter: its node is printed as part of a text


class _Generator(CodeGenerator):
    """Compiles templates so that comparisons, lengths and texts put together tell what they read."""

    def visit_Compare(self, node: nodes.Compare, frame: Frame) -> None:  # noqa: N802 - Jinja's name
        self.write("(")
        self._operand("compared", node.expr, frame)
        for operand in node.ops:
            self.write(f" {operators[operand.op]} ")
            self._operand("compared", operand.expr, frame)
        self.write(")")

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:  # noqa: N802
        super().visit_Concat(nodes.Concat([_printed(each) for each in node.nodes]), frame)

    def visit_Mod(self, node: nodes.BinExpr, frame: Frame) -> None:  # noqa: N802
        super().visit_Mod(nodes.Mod(_printed(node.left), _printed(node.right)), frame)

    def visit_Filter(self, node: nodes.Filter, frame: Frame) -> None:  # noqa: N802
        if node.name in {"length", "count"} and isinstance(node.node, nodes.Getattr):
            self.write("environment.length(")
            self.visit(node.node.node, frame)
            self.write(f", {node.node.attr!r})")
        elif node.name == _PRINTED and node.node:
            self._operand("told", node.node, frame)
        else:
            super().visit_Filter(node, frame)

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:  # noqa: N802
        """A call that says words of the interface goes to the environment without detours."""
        if not self._says(node, frame):
            super().visit_Call(node, frame, forward_caller=forward_caller)
            return
        assert isinstance(node.node, nodes.Name)  # noqa: S101 - as _says has seen
        self.write(f"environment.{_SPEECH[node.node.name]}(")
        for argument in node.args:
            self._operand("told", argument, frame)
            self.write(", ")
        self.write("{")
        for named in node.kwargs:
            self.write(f"{named.key!r}: ")
            self._operand("told", named.value, frame)
            self.write(", ")
        self.write("})")

    @staticmethod
    def _says(node: nodes.Call, frame: Frame) -> bool:
        """Whether a call says a text that stands in the template, by a name that means no variable there."""
        name = node.node
        if not isinstance(name, nodes.Name) or name.name not in _SPEECH or node.dyn_args or node.dyn_kwargs:
            return False
        loaded = frame.symbols.find_load(frame.symbols.find_ref(name.name) or "")
        is_ours = loaded is not None and loaded[0] == VAR_LOAD_RESOLVE
        texts = node.args[: 1 if _SPEECH[name.name] == "phrase" else 2]
        return is_ours and all(isinstance(text, nodes.Const) for text in texts)

    def _operand(self, how: str, node: nodes.Expr, frame: Frame) -> None:
        if isinstance(node, nodes.Literal):
            self.visit(node, frame)
        else:
            self.write(f"environment.{how}(")
            self.visit(node, frame)
            self.write(")")


def _printed(node: nodes.Expr) -> nodes.Expr:
    return node if isinstance(node, nodes.Literal) else nodes.Filter(node, _PRINTED, [], [], None, None)


@jinja2.pass_context
def _gettext(context: _Context, text: str, /, **values: Any) -> str:
    return context.environment.translated(text, **values)


@jinja2.pass_context
def _script_text(context: _Context, text: str, /) -> str:
    return context.environment.noted(text).script(text)


@jinja2.pass_context
def _script_count(context: _Context, one: str, many: str, /) -> dict[str, str]:
    return context.environment.noted(one).script_count(one, many)


# What templates say words of the interface with, and what a call with a text of the template's own is compiled to:
# {{ _("Hello") }}, {{ ngettext("%(num)s hour", "%(num)s hours", n) }}, {{ pgettext("of pages", "More") }}.
_SPEECH = {"_": "phrase", "gettext": "phrase", "ngettext": "phrase_of", "pgettext": "phrase_in"}


class ReadOnce(jinja2.ChoiceLoader):
    """Reads each template once, so that what a page is known by is what it is made of, though somebody may be editing.

    `notice` is told each file's name before it is read.
    """

    def __init__(self, loaders: Sequence[jinja2.BaseLoader], notice: Callable[[str], None]) -> None:
        super().__init__(loaders)
        self._notice = notice
        self._read: dict[str, tuple[str, str | None, Callable[[], bool] | None]] = {}

    def get_source(self, environment: jinja2.Environment, template: str) -> Any:
        """The text of a template, its file, and a function that is not used."""
        if template not in self._read:
            for folder in self._folders():
                self._notice(f"{folder}/{template}")
            self._read[template] = super().get_source(environment, template)
        return self._read[template]

    def load(
        self,
        environment: jinja2.Environment,
        name: str,
        globals: MutableMapping[str, Any] | None = None,  # noqa: A002
    ) -> jinja2.Template:
        """The template of a name, from the text that was read."""
        return jinja2.BaseLoader.load(self, environment, name, globals)

    def _folders(self) -> Iterator[str]:
        for loader in self.loaders:
            if isinstance(loader, jinja2.FileSystemLoader):
                yield from map(str, loader.searchpath)


class _Compiled(jinja2.BytecodeCache):
    """Templates as Python code, kept from one build to the next."""

    def __init__(self, pack: Pack) -> None:
        self._pack = pack

    def load_bytecode(self, bucket: Bucket) -> None:
        stored = self._pack.get(digest(bucket.key, bucket.checksum))
        if stored is not None:
            bucket.bytecode_from_string(stored)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._pack.put(digest(bucket.key, bucket.checksum), bucket.bytecode_to_string())


class Environment(jinja2.Environment):
    """Templates with autoescaping, strict about what is missing, whose reads are told to `trace`."""

    context_class = _Context
    code_generator_class = _Generator

    def __init__(self, loader: jinja2.BaseLoader, compiled: Pack, words: Words) -> None:
        super().__init__(
            loader=loader,
            autoescape=True,
            undefined=Missing,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
            finalize=self.told,
            bytecode_cache=_Compiled(compiled),
            extensions=["jinja2.ext.i18n"],
        )
        self.words = words
        self.newstyle_gettext = True  # {% trans %} is a call with its values
        self.policies["json.dumps_kwargs"] = {"sort_keys": True, "ensure_ascii": False}
        self.globals |= {"_": _gettext, "gettext": _gettext, "script_text": _script_text, "script_count": _script_count}
        self._patterns: dict[str, Pattern] = {}
        self.trace: Any = _Nobody()
        self.given: Mapping[str, Any] = {}

    def watch(self) -> None:
        """Let filters and tests that may look into their arguments tell so. To be called when all are known."""
        for name, function in self.filters.items():
            if name not in _SHALLOW and function.__module__ != "podsite.filters":
                self.filters[name] = self._telling(name, function)
        for name, function in self.tests.items():
            if name not in _BLIND_TESTS:
                self.tests[name] = self._comparing(function)

    def source(self, name: str) -> str:
        """The text of a template. Raises what its loader raises."""
        if self.loader is None:
            raise jinja2.TemplateNotFound(name)
        return self.loader.get_source(self, name)[0]

    def names_in(self, source: str) -> list[str | None]:
        """The templates that a source includes, extends or imports; None for one whose name is computed."""
        return [*meta.find_referenced_templates(self.parse(source))]

    def traced(self, template: str, context: Mapping[str, Any], trace: Trace | None) -> str:
        """The page that a template makes of its context, while `trace` is told what it reads."""
        self.trace, self.given = trace or _Nobody(), context
        return self.get_template(template).render(context)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """An attribute or item, as templates ask for it."""
        try:
            value = getattr(obj, attribute)
        except AttributeError:
            value = super().getattr(obj, attribute)
        if is_record[type(obj)]:
            node = self.trace.nodes.get(id(obj))
            if node is None or attribute not in node.seen or node.lists < self.trace.lists:
                self.trace.read(obj, attribute, value)
        return value

    def getitem(self, obj: Any, argument: Any) -> Any:
        """An item or attribute, as templates ask for it."""
        value = super().getitem(obj, argument)
        if is_record[type(obj)]:
            self.trace.read(obj, argument, value)
        return value

    def length(self, obj: Any, attribute: str) -> int:
        """How many elements an attribute has, without looking at them."""
        if not is_record[type(obj)] or not hasattr(obj, attribute):
            return len(self.getattr(obj, attribute))
        self.trace.length(obj, attribute)
        return len(getattr(obj, attribute))

    def noted(self, text: str, meaning: str = "") -> Words:
        """The words of the interface; the page depends on what a text is in them."""
        self.trace.said.add(key(text, meaning))
        return self.words

    def phrase(self, text: str, values: Mapping[str, Any], meaning: str = "") -> Markup:
        """A text of a template in the site's language, its values escaped."""
        at = f"{meaning}{BETWEEN}{text}" if meaning else text
        self.trace.said.add(at)
        pattern = self._patterns.get(at)
        if pattern is None:
            self._patterns[at] = pattern = Pattern(self.words.source(text, meaning))
        return pattern.filled(values, self.words) if pattern.places else pattern.start

    def phrase_of(self, one: str, many: str, count: int, values: Mapping[str, Any]) -> Markup:
        """The form of a text of a template that goes with a number."""
        source = self.noted(one).source_of(one, many, count)
        pattern = self._patterns.get(source)
        if pattern is None:
            self._patterns[source] = pattern = Pattern(source)
        return pattern.filled({"num": count, **values}, self.words)

    def phrase_in(self, meaning: str, text: str, values: Mapping[str, Any]) -> Markup:
        """A text of a template in one of its meanings."""
        return self.phrase(text, values, meaning)

    def translated(self, text: str, **values: Any) -> str:
        """A text from anywhere in the site's language, if podsite knows it; not to be trusted as HTML."""
        words = self.noted(text)
        return words.say(text, **values) if values else words.say(text.replace("%", "%%"))

    def told(self, value: Any) -> Any:
        """A value whose inside may be looked at."""
        if type(value) is not str:
            self.trace.whole(value)
        return value

    def compared(self, value: Any) -> Any:
        """A value that is compared with another."""
        if type(value) is not str:
            self.trace.compared(value)
        return value

    def _telling(self, name: str, function: Any) -> Callable[..., Any]:
        """A filter that tells of everything it is given; what can be looked at only once is made a list for that."""

        @wraps(function)
        def telling(*arguments: Any, **named: Any) -> Any:
            arguments = tuple([*each] if isinstance(each, Iterator) else each for each in arguments)
            attribute = named.get("attribute", arguments[2] if name == "groupby" and len(arguments) > 2 else None)
            if attribute is None or name not in _BY_ATTRIBUTE | _OF_ATTRIBUTE:
                for each in (*arguments, *named.values()):
                    if not isinstance(each, (str, jinja2.Environment, Context)):
                        self.trace.whole(each)
            elif name in _OF_ATTRIBUTE:
                for each in map(make_attrgetter(self, attribute), arguments[1]):
                    self.trace.whole(each)
            return function(*arguments, **named)

        return telling

    def _comparing(self, function: Any) -> Callable[..., Any]:
        @wraps(function)
        def comparing(*arguments: Any) -> Any:
            for each in arguments:
                if not isinstance(each, (str, jinja2.Environment, Context)):
                    self.trace.compared(each)
            return function(*arguments)

        return comparing


class _Forgetful(set[str]):
    def add(self, _: str) -> None: ...


class _Nobody:
    """A trace that listens to nothing."""

    nodes: Mapping[int, Any] = {}
    lists = 0
    said = _Forgetful()

    def given(self, *_: Any) -> None: ...
    def read(self, *_: Any) -> None: ...
    def length(self, *_: Any) -> None: ...
    def whole(self, *_: Any) -> None: ...
    def compared(self, *_: Any) -> None: ...
