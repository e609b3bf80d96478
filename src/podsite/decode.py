"""YAML nodes → the model's dataclasses, with every problem at its line and column.

Nodes, not values: PyYAML would turn `010` into 8, `No` into False and `12:34` into 754 before anyone could ask what
the field is. Here each scalar keeps its text and the field's type reads it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, time, tzinfo
from functools import cache
from typing import Any, Generic, TypeVar, cast

from podsite import shapes, syntax, values
from podsite.errors import Place, Problem, Severity, hint, nearest
from podsite.scalars import Scalar

T = TypeVar("T")

_MOST_ALIASES = 100
_ABSENT: Any = object()  # what a value becomes that could not be read; never part of the result
_NULL = frozenset({"", "~", "null", "Null", "NULL"})


@dataclass(frozen=True, slots=True)
class Clock:
    """How dates without an offset or time are meant: in which zone, at what time of day."""

    zone: tzinfo = UTC
    at: time = field(default_factory=time)


@dataclass(frozen=True, slots=True)
class Decoded(Generic[T]):
    """What a file said: the value (None when it has errors), the problems, and line and column of every key."""

    value: T | None
    problems: tuple[Problem, ...]
    places: dict[str, tuple[int, int]]


def decode(text: str, file: str, kind: type[T], clock: Clock | None = None) -> Decoded[T]:
    """Read one YAML text as a `kind` of the model. Raises nothing: everything wrong is in `problems`."""
    lines = syntax.lines_of(text)
    root, problem = _compose(text, file, lines)
    if problem is not None or root is None:
        return Decoded(None, (problem,) if problem else (), {})
    reader = _Reader(file, lines, clock or Clock())
    try:
        if clock is None and root.tag == _MAP:
            reader.clock = reader.written_clock(root)
        value = reader.value(root, shapes.shape(cast("Any", kind)), "")
    except RecursionError:
        reader.problems.append(Problem(Place(file), "", "is nested too deeply to be read"))
        value = _ABSENT
    failed = value is _ABSENT or any(one.severity == "error" for one in reader.problems)
    return Decoded(None if failed else value, tuple(reader.problems), reader.places)


_MAP, _SEQ, _STR = (f"tag:yaml.org,2002:{name}" for name in ("map", "seq", "str"))


@cache
def _loader() -> Any:
    """The fast loader where libyaml is built in, resolving no types: plain scalars stay text."""
    import yaml

    base = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return type("TextLoader", (base,), {"yaml_implicit_resolvers": {}})


def _compose(text: str, file: str, lines: list[str]) -> tuple[Any, Problem | None]:
    import yaml

    try:
        root = yaml.compose(text, Loader=_loader())
    except yaml.YAMLError as error:
        return None, syntax.problem(file, lines, error)
    except RecursionError:
        return None, Problem(Place(file), "", "is nested too deeply to be read")
    if root is None or (root.tag == _STR and root.value == ""):
        return None, Problem(Place(file), "", "is empty; expected keys such as 'title: …'")
    return root, None


class _Reader:
    """Reads the nodes of one file; a method for each shape."""

    def __init__(self, file: str, lines: list[str], clock: Clock) -> None:
        self.file, self.lines, self.clock = file, lines, clock
        self.problems: list[Problem] = []
        self.places: dict[str, tuple[int, int]] = {}
        self._readers: dict[type, Callable[[Any, Any, str], Any]] = {
            Scalar: self.scalar,
            shapes.Record: self.record,
            shapes.Listing: self.listing,
            shapes.Table: self.table,
            shapes.Choice: self.choice,
            shapes.Free: self.free,
        }
        self._open: list[int] = []
        self._seen: set[int] = set()
        self._aliases = 0

    def written_clock(self, root: Any) -> Clock:
        """The zone and publish time the file itself gives; problems with them are reported by their own keys."""
        written = {key.value: node.value for key, node in root.value if isinstance(node.value, str)}
        clock = Clock()
        try:
            clock = Clock(values.zone(written.get("timezone", "UTC")))
            return Clock(clock.zone, values.time_of_day(written.get("publish_time", "00:00")))
        except ValueError:
            return clock

    def problem(self, node: Any, path: str, message: str, severity: Severity = "error") -> Any:
        """Note something wrong at a node."""
        place = Place(self.file, node.start_mark.line + 1, node.start_mark.column + 1)
        self.problems.append(Problem(place, path, message, severity))
        return _ABSENT

    def value(self, node: Any, shape: shapes.Shape, path: str) -> Any:
        """Read a node by the shape its field has."""
        self.places[path] = (node.start_mark.line + 1, node.start_mark.column + 1)
        if not isinstance(node.value, str) and not self._enter(node, path):
            return _ABSENT
        found = self._readers[type(shape)](node, shape, path)
        if not isinstance(node.value, str):
            self._open.pop()
        return found

    def _enter(self, node: Any, path: str) -> bool:
        """Guard against aliases that repeat themselves without end or by the thousand."""
        if id(node) in self._open:
            self.problem(node, path, "an alias (*name) leads back into itself")
            return False
        if id(node) in self._seen:
            self._aliases += 1
            if self._aliases == _MOST_ALIASES:
                self.problem(node, path, f"more than {_MOST_ALIASES} aliases (*name); write the values out")
            if self._aliases >= _MOST_ALIASES:
                return False
        self._seen.add(id(node))
        self._open.append(id(node))
        return True

    def record(self, node: Any, shape: shapes.Record, path: str) -> Any:
        """A mapping with known keys; a scalar stands for the short one."""
        if node.tag == _STR and shape.short:
            short = shape.short[-1 if re.match("[A-Za-z][A-Za-z0-9+.-]*:", node.value) else 0]
            only = self.value(node, short.shape, path)
            return _ABSENT if only is _ABSENT else self._made(node, shape, {short.name: only}, path)
        if node.tag != _MAP:
            return self._unexpected(node, "a mapping of keys" + ("" if path else " at the top"), path)
        found: dict[str, Any] = {}
        for key, each in self._pairs(node, path):
            known = shape.keys.get(key.value)
            where = f"{path}.{key.value}" if path else key.value
            if known is None:
                if not key.value.startswith("x-"):
                    found |= self._unknown(key, shape, where)
            elif self._is_empty(each, known.shape):
                found[key.value] = self._empty(each, known, where)
            else:
                found[key.value] = self.value(each, known.shape, where)
        for name, known in shape.keys.items():
            if known.required and name not in found:
                found[name] = self.problem(node, path, f"missing key '{name}': {known.doc}")
        return self._made(node, shape, {name: one for name, one in found.items() if one is not None}, path)

    def _made(self, node: Any, shape: shapes.Record, found: dict[str, Any], path: str) -> Any:
        if any(one is _ABSENT for one in found.values()):
            return _ABSENT
        made = shape.kind(**found)
        faults = list(made.faults()) if hasattr(made, "faults") else []
        for key, message in faults:
            where = f"{path}.{key}" if key and path else key or path
            spot = self.places.get(where, (node.start_mark.line + 1, node.start_mark.column + 1))
            self.problems.append(Problem(Place(self.file, *spot), where, message))
        return _ABSENT if faults else made

    def _unknown(self, key: Any, shape: shapes.Record, where: str) -> dict[str, Any]:
        """Report a key; the one it was meant for counts as present, for one slip should be one problem."""
        meant = nearest(key.value, shape.keys)
        tip = f" (did you mean '{meant}'?)" if meant else ""
        if not tip and len(shape.keys) <= 12:
            tip = f"; known keys: {', '.join(shape.keys)}"
        elif not tip and "extra" in shape.keys:
            tip = "; keys of your own go under 'extra:' or start with 'x-'"
        self.problem(key, where, f"unknown key '{key.value}'{tip}")
        return {meant: _ABSENT} if meant else {}

    def _pairs(self, node: Any, path: str) -> Iterator[tuple[Any, Any]]:
        """Keys with their values: each once, merged ones (`<<`) behind the mapping's own."""
        own: dict[str, Any] = {}
        merged: list[Any] = []
        for key, each in node.value:
            if key.tag != _STR:
                self.problem(key, path, "a key must be text")
            elif key.value == "<<" and not key.style:
                merged += each.value if each.tag == _SEQ else [each]
            elif key.value in own:
                first = own[key.value].start_mark.line + 1
                self.problem(key, path, f"key '{key.value}' stands twice, first on line {first}; keep one")
            else:
                own[key.value] = key
                yield key, each
        for base in merged:
            if base.tag != _MAP or not self._enter(base, path):
                self.problem(base, path, "'<<' merges a mapping only, such as <<: *defaults")
                continue
            for key, each in self._pairs(base, path):
                if key.value not in own:
                    own[key.value] = key
                    yield key, each
            self._open.pop()

    def listing(self, node: Any, shape: shapes.Listing, path: str) -> Any:
        """A list; every item is read, so that all their problems show."""
        if node.tag != _SEQ:
            tip = f"; write '- {node.value}' on a line of its own" if node.tag == _STR else ""
            return self._unexpected(node, "a list", path, tip)
        items = []
        for index, each in enumerate(node.value):
            where = f"{path}[{index + 1}]"
            if self._is_empty(each, shape.item):
                items.append(self.problem(each, where, "is empty" + self._comment_tip(each)))
            else:
                items.append(self.value(each, shape.item, where))
        return _ABSENT if any(one is _ABSENT for one in items) else tuple(items)

    def table(self, node: Any, shape: shapes.Table, path: str) -> Any:
        """A mapping whose keys are the writer's own."""
        if node.tag != _MAP:
            return self._unexpected(node, "a mapping", path)
        found = {}
        for key, each in self._pairs(node, path):
            where = f"{path}.{key.value}"
            name = self.scalar(key, shape.key, where)
            found[name] = self.value(each, shape.item, where)
        return _ABSENT if any(_ABSENT in pair for pair in found.items()) else found

    def choice(self, node: Any, shape: shapes.Choice, path: str) -> Any:
        """One of a few words."""
        expected = f"one of {', '.join(shape.options)}"
        if node.tag != _STR:
            return self._unexpected(node, expected, path)
        if node.value not in shape.options:
            near = hint(node.value, shape.options)
            return self.problem(node, path, f"expected {expected}, found '{node.value}'{near}")
        return node.value

    def scalar(self, node: Any, scalar: Scalar, path: str) -> Any:
        """A text, read by its field's grammar."""
        if node.tag != _STR:
            return self._unexpected(node, scalar.name, path)
        control = values.control_character(node.value)
        if control:
            return self.problem(node, path, f"holds the control character {control[1]}; delete it")
        text = node.value if scalar.textual else node.value.strip()
        try:
            found = scalar.read(text, self.clock.zone, self.clock.at) if scalar.local else scalar.read(text)
        except ValueError as error:
            return self.problem(node, path, str(error))
        if found == "":
            return self.problem(node, path, f"is empty; expected {scalar.name}" + self._comment_tip(node))
        note = scalar.note(text) or (scalar.textual and self._comment_tip(node).removeprefix("; "))
        if note:
            self.problem(node, path, note, "warning")
        return found

    def free(self, node: Any, _: shapes.Free, path: str) -> Any:
        """Whatever YAML says, for a site's own templates: true, false and numbers are typed, the rest is text."""
        if node.tag == _MAP:
            found = {key.value: self.value(each, shapes.Free(), f"{path}.{key.value}")
                     for key, each in self._pairs(node, path)}  # fmt: skip
            return _ABSENT if _ABSENT in found.values() else found
        if node.tag == _SEQ:
            items = [self.value(each, shapes.Free(), f"{path}[{n}]") for n, each in enumerate(node.value, 1)]
            return _ABSENT if any(one is _ABSENT for one in items) else tuple(items)
        if node.tag != _STR:
            return self._unexpected(node, "text, a number, a list or a mapping", path)
        control = values.control_character(node.value)
        if control:
            return self.problem(node, path, f"holds the control character {control[1]}; delete it")
        return node.value if node.style else _typed(node.value)

    def _is_empty(self, node: Any, shape: shapes.Shape) -> bool:
        textual = isinstance(shape, Scalar) and shape.textual
        return node.tag == _STR and not node.style and node.value in ({""} if textual else _NULL)

    def _empty(self, node: Any, known: shapes.Key, where: str) -> Any:
        """A key without a value counts as left out, unless it is needed or a comment has swallowed the value."""
        tip = self._comment_tip(node)
        textual = isinstance(known.shape, Scalar) and known.shape.textual
        if known.required or (tip and textual):
            return self.problem(node, where, f"is empty; {known.doc}{tip}")
        return None

    def _comment_tip(self, node: Any) -> str:
        """Asks for quotes where a plain text is followed by ` #` on its line: YAML drops all from there on."""
        if node.style or node.start_mark.line >= len(self.lines):
            return ""
        end = node.end_mark if node.value else node.start_mark
        if end.line >= len(self.lines):
            return ""
        rest = self.lines[end.line][end.column :].strip()
        if not rest.startswith("#"):
            return ""
        whole = f"{node.value} {rest}".strip()
        return f"; YAML reads '{rest}' as a comment; did you mean {syntax.quoted(whole)}, in quotes?"

    def _unexpected(self, node: Any, expected: str, path: str, tip: str = "") -> Any:
        found = {_MAP: "a mapping", _SEQ: "a list", _STR: f"'{_short(node.value)}'"}.get(node.tag)
        if found is None:
            tag = node.tag.replace("tag:yaml.org,2002:", "!!")
            return self.problem(node, path, f"found the tag {tag}, which podsite does not read; put the text in quotes")
        if node.tag != _STR and getattr(node, "flow_style", False) and not tip:
            tip = "; a text that starts with [ or { must stand in quotes"
        return self.problem(node, path, f"expected {expected}, found {found}{tip}")


def _short(text: Any) -> str:
    first = str(text).strip().split("\n")[0]
    return first if len(first) <= 40 else first[:39] + "…"


def _typed(text: str) -> Any:
    if text in _NULL:
        return None
    if text in {"true", "false"}:
        return text == "true"
    if re.fullmatch(r"-?(0|[1-9]\d*)", text, re.ASCII):
        return int(text)
    return float(text) if re.fullmatch(r"-?(0|[1-9]\d*)\.\d+", text, re.ASCII) else text
