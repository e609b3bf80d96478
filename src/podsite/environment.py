"""The Jinja environment that tells a trace what templates read; templates themselves notice nothing of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from datetime import datetime
from functools import wraps
from types import CodeType
from typing import Any, NamedTuple, cast

import jinja2
import markupsafe
from jinja2 import meta, nodes
from jinja2.filters import make_attrgetter
from jinja2.runtime import Context, Macro
from jinja2.utils import missing
from markupsafe import Markup, escape

from podsite.cache import digest
from podsite.compiling import Generator
from podsite.filters import Missing
from podsite.packs import Pack
from podsite.site import Site
from podsite.sources import Compiled
from podsite.stumbles import names_set, placed
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


#: Our own that ask by way of the environment for all they look at.
_ASKING = {"link", "absolute"}
#: Without making the result a Markup, which nobody asks for where it is put into a page at once.
_escaped: Callable[[str], str] = getattr(markupsafe, "_escape_inner", escape)


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
        if found is missing:
            return found
        value = found.value if type(found) is Later else found
        if key not in environment.trace.asked and environment.given.get(key, missing) is found:
            environment.trace.given(key, value)
        return value

    def call(self, called: Callable[..., Any], /, *arguments: Any, **named: Any) -> Any:
        """Call something for a template. Macros tell what they read themselves; the site only looks episodes up."""
        if type(called) is not Macro and type(getattr(called, "__self__", None)) is not Site:
            for each in (*arguments, *named.values()):
                self.environment.trace.whole(each)
        return super().call(called, *arguments, **named)


@jinja2.pass_context
def _gettext(context: _Context, text: str, /, **values: Any) -> str:
    return context.environment.translated(text, **values)


@jinja2.pass_context
def _script_text(context: _Context, text: str, /) -> str:
    return context.environment.noted(text).script(text)


@jinja2.pass_context
def _script_count(context: _Context, one: str, many: str, /) -> dict[str, str]:
    return context.environment.noted(one).script_count(one, many)


class Environment(jinja2.Environment):
    """Templates with autoescaping, strict about what is missing, whose reads are told to `trace`."""

    context_class = _Context
    code_generator_class = Generator

    def __init__(self, loader: jinja2.BaseLoader, compiled: Pack, words: Words) -> None:
        super().__init__(
            loader=loader,
            autoescape=True,
            undefined=Missing,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
            finalize=self.told,
            bytecode_cache=Compiled(compiled),
            extensions=["jinja2.ext.i18n"],
        )
        self.words = words
        self.newstyle_gettext = True  # {% trans %} is a call with its values
        self.policies["json.dumps_kwargs"] = {"sort_keys": True, "ensure_ascii": False}
        self.globals |= {"_": _gettext, "gettext": _gettext, "script_text": _script_text, "script_count": _script_count}
        self._patterns: dict[str, Pattern] = {}
        self._parsed: tuple[str, nodes.Template | None] = "", None
        self.trace: Any = _Nobody()
        self._pack = compiled
        self._included: dict[str, jinja2.Template] = {}
        self._steady: dict[str, Steady | None] = {}
        self._usual = frozenset({*self.globals, "show"})  # names that mean the same everywhere, unless they are set
        self.given: Mapping[str, Any] = {}

    def watch(self) -> None:
        """Let filters and tests that may look into their arguments tell so. To be called when all are known."""
        for name, function in self.filters.items():
            if name not in _SHALLOW and name not in _ASKING:
                self.filters[name] = self._telling(name, function)
        for name, function in self.tests.items():
            if name not in _BLIND_TESTS:
                self.tests[name] = self._comparing(function)

    def source(self, name: str) -> str:
        """The text of a template. Raises what its loader raises."""
        if self.loader is None:
            raise jinja2.TemplateNotFound(name)
        return self.loader.get_source(self, name)[0]

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        """A template as it was parsed, for those that ask for it one after another until it is compiled."""
        known, parsed = self._parsed
        if parsed is None or known != source:
            with placed(name, filename):
                parsed = super()._parse(source, name, filename)
            self._parsed = source, parsed
        return parsed

    def _generate(
        self, source: nodes.Template, name: str | None, filename: str | None, defer_init: bool = False
    ) -> str:
        self._parsed = "", None  # for this changes it
        with placed(name, filename):
            return super()._generate(source, name, filename, defer_init)

    def _compile(self, source: str, filename: str) -> CodeType:
        with placed(None, filename, source):
            return super()._compile(source, filename)

    def names_in(self, source: str) -> list[str | None]:
        """The templates that a source includes, extends or imports; None for one whose name is computed."""
        return [*meta.find_referenced_templates(self.parse(source))]

    def names_set(self, template: str) -> list[tuple[str, int]]:
        """The names that a template gives a meaning of its own, with the lines where it does."""
        return [*names_set(self.parse(self.source(template)))]

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

    def included(self, name: str, parent: str | None, context: _Context, values: Mapping[str, Any]) -> Iterator[str]:
        """What a template makes of the values at hand, some of which were set in the one that includes it."""
        steady = self._steady.get(name, missing)
        if steady is missing:
            steady = self._steady[name] = self._steadily(name, parent, context)
        own = {key: value for key, value in values.items() if value is not missing}
        if steady is not None and self._usual.isdisjoint(own) and self._usual.isdisjoint(context.vars):
            return iter((steady.told(self.trace),))
        template = self._included[name]
        known = {**context.parent, **context.vars, **own}
        return template.root_render_func(_Context(self, known, template.name, template.blocks))

    def _steadily(self, name: str, parent: str | None, context: _Context) -> Steady | None:
        """What a template makes on every page, if that depends on nothing but the show and the words.

        Notes the template as one that can be included.
        """
        template = self._included[name] = self.get_template(name, parent)
        if not isinstance(self.trace, Trace) or not self.is_plain(self.source(name)):
            return None
        trace, self.trace = self.trace, self.trace.beside()
        try:
            text = "".join(template.root_render_func(_Context(self, context.parent, template.name, template.blocks)))
            return Steady.of(text, self.trace)
        finally:
            self.trace = trace

    def is_plain(self, source: str) -> bool:
        """Whether a template asks for no value but the show, and for no other template."""
        at = digest("plain", source)
        known = self._pack.get(at)
        if known is None:
            parsed = self.parse(source)
            asked = meta.find_undeclared_variables(parsed) - {*self.globals, "show"}
            known = b"" if asked or [*meta.find_referenced_templates(parsed)] else b"1"
            self._pack.put(at, known)
        return bool(known)

    def shown(self, value: Any) -> str:
        """A value as HTML, which may look at all that is in it."""
        kind = type(value)
        if kind is str:
            return _escaped(value)
        if kind is Markup:
            return cast("Markup", value)
        self.trace.whole(value)
        return escape(value)

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
            if not named and all(type(each) in _CLOSED for each in arguments):
                return function(*arguments)
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


class Steady(NamedTuple):
    """What a template makes on every page, and what it reads for that: words, and attributes of the show."""

    text: str
    said: frozenset[str]
    reads: tuple[tuple[Any, str], ...]

    @classmethod
    def of(cls, text: str, trace: Trace) -> Steady | None:
        """As it was made once; None where it took more than that."""
        if not trace.asked <= {"show"} or not trace.is_of_show:
            return None
        return cls(text, frozenset(trace.said), tuple(trace.seen()))

    def told(self, trace: Any) -> str:
        """The text, for one more page."""
        trace.said |= self.said
        for record, attribute in self.reads:
            trace.given("show", record)
            trace.read(record, attribute, getattr(record, attribute))
        return self.text


class _Forgetful(set[str]):
    def add(self, _: str) -> None: ...


class _Nobody:
    """A trace that listens to nothing."""

    nodes: Mapping[int, Any] = {}
    asked: AbstractSet[str] = frozenset()
    lists = 0
    said = _Forgetful()

    def given(self, *_: Any) -> None: ...
    def read(self, *_: Any) -> None: ...
    def length(self, *_: Any) -> None: ...
    def whole(self, *_: Any) -> None: ...
    def compared(self, *_: Any) -> None: ...


#: Types of which nothing is told.
_CLOSED = frozenset({str, int, float, bool, Markup, datetime, Environment, _Context})
