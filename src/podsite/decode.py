"""YAML nodes → the model's dataclasses, with every problem at its line and column.

Each scalar keeps its text, and the field's type reads it. Files without a fault go the short way (`plain`); what
stands here is the long one, which knows places, gives advice and goes on after a mistake.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from datetime import UTC, datetime, time, tzinfo
from functools import cached_property
from typing import Any, Generic, TypeVar, cast

from podsite import advice, nodes, plain, shapes, syntax, values, vocabulary
from podsite.advice import NULL
from podsite.errors import Place, Problem, Severity, hint
from podsite.nodes import MAP, SEQ, STR
from podsite.records import dataclass
from podsite.scalars import Scalar

T = TypeVar("T")

_MOST_ALIASES = 100
_ABSENT: Any = object()  # what a value becomes that could not be read; never part of the result


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
    places: Mapping[str, tuple[int, int]]
    rough: T | None = None  # what could be read all the same, for checks that go on: faulty keys stand at defaults
    faulty: frozenset[str] = frozenset()  # the keys at the top that could not be read


def decode(text: str, file: str, kind: type[T], clock: Clock | None = None) -> Decoded[T]:
    """Read one YAML text as a `kind` of the model. Raises nothing: everything wrong is in `problems`."""
    text = text.removeprefix("\ufeff")
    try:
        root = nodes.compose(text)
        known = clock or _written_clock(root)
        value = plain.value(root, text, kind, known.zone, known.at)
    except (plain.Unsure, nodes.NotYaml, RecursionError):
        return _thoroughly(text, file, kind, clock)
    return Decoded(value, (), Places(lambda: _thoroughly(text, file, kind, clock).places), value)


class Places(Mapping[str, tuple[int, int]]):
    """Line and column of every key of a text without a problem, found the long way once somebody asks."""

    def __init__(self, find: Callable[[], Mapping[str, tuple[int, int]]]) -> None:
        self._find = find

    @cached_property
    def _found(self) -> Mapping[str, tuple[int, int]]:
        return self._find()

    def __getitem__(self, path: str) -> tuple[int, int]:
        return self._found[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


def _thoroughly(text: str, file: str, kind: type[T], clock: Clock | None) -> Decoded[T]:
    """Read a text with the places of all keys and everything wrong with them."""
    lines = syntax.lines_of(text)
    shape = cast("shapes.Record", shapes.shape(cast("Any", kind)))
    root, slips = nodes.compose_all_the_same(text, file, lines)
    if root is None or (root.id == STR and root.value in NULL):
        needed = [key.name for key in shape.keys.values() if key.required]
        if not slips and needed:
            slips = [Problem(Place(file), "", f"is empty; it needs {', '.join(needed)}")]
        return Decoded(None, tuple(slips), {}) if slips else Decoded(kind(), (), {})
    reader = _Reader(file, lines, shape, clock or _written_clock(root))
    try:
        value = reader.value(root, shape, "")
    except RecursionError:
        reader.problems.append(Problem(Place(file), "", "is nested too deeply to be read"))
        value = _ABSENT
    problems = (*slips, *reader.problems)
    if value is not _ABSENT and not any(one.severity == "error" for one in problems):
        return Decoded(value, problems, reader.places, value)
    rough = value if value is not _ABSENT else kind(**_stand_ins(shape) | reader.sound)
    return Decoded(None, problems, reader.places, rough, frozenset(shape.keys) & reader.faulty)


def _written_clock(root: Any) -> Clock:
    """The zone and publish time the file itself gives; problems with them are reported by their own keys."""
    if root is None or root.id != MAP:
        return Clock()
    written = {key.value: node.value for key, node in root.value if key.id == node.id == STR}
    clock = Clock()
    try:
        clock = Clock(vocabulary.zone(written.get("timezone", "UTC")))
        return Clock(clock.zone, values.time_of_day(written.get("publish_time", "00:00")))
    except ValueError:
        return clock


def _stand_ins(shape: shapes.Record) -> dict[str, Any]:
    """Something of the right type for every key that must be there."""
    return {
        name: (datetime.fromtimestamp(0, UTC) if key.shape.local else "") if isinstance(key.shape, Scalar) else ()
        for name, key in shape.keys.items()
        if key.required
    }


class _Reader:
    """Reads the nodes of one file; a method for each shape."""

    def __init__(self, file: str, lines: list[str], root: shapes.Record, clock: Clock) -> None:
        self.file, self.lines, self.root, self.clock = file, lines, root, clock
        self.problems: list[Problem] = []
        self.places: dict[str, tuple[int, int]] = {}
        self.sound: dict[str, Any] = {}  # the keys at the top that could be read, where others could not
        self.faulty: set[str] = set()
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

    def problem(self, node: Any, path: str, message: str, severity: Severity = "error") -> Any:
        """Note something wrong at a node."""
        place = Place(self.file, node.start_mark.line + 1, node.start_mark.column + 1)
        message = re.sub("[\r\n\x85\u2028\u2029]+", " ", message)
        self.problems.append(Problem(place, path, message, severity))
        return _ABSENT

    def value(self, node: Any, shape: shapes.Shape, path: str) -> Any:
        """Read a node by the shape its field has."""
        self.places[path] = (node.start_mark.line + 1, node.start_mark.column + 1)
        tag = self._tag(node)
        if tag:
            return self.problem(node, path, f"found the tag {tag}, and podsite reads none; put a text with ! in quotes")
        if not isinstance(node.value, str) and not self._enter(node, path):
            return _ABSENT
        found = self._readers[type(shape)](node, shape, path)
        if not isinstance(node.value, str):
            self._open.pop()
        return found

    def _tag(self, node: Any) -> str:
        """The tag written in front of a node, such as `!!binary`."""
        text = self.lines[node.start_mark.line][node.start_mark.column :]
        found = re.match(r"(?:&\S+\s+)?(!\S*)", text)
        return found[1] if found else ""

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
        if node.id == STR and shape.short:
            short = shape.short[-1 if advice.is_address(node.value) else 0]
            only = self.value(node, short.shape, path)
            return _ABSENT if only is _ABSENT else self._made(node, shape, {short.name: only}, path)
        if node.id != MAP:
            tip = advice.known_keys(shape)
            if node.id == SEQ and "alternates" in shape.keys:
                tip = "; an episode has one recording, others go under 'alternates:'"
            return self._unexpected(node, "a mapping of keys" + ("" if path else " at the top"), path, tip)
        found: dict[str, Any] = {}
        written = [key.value for key, _ in node.value if key.id == STR]
        for key, each in self._pairs(node, path):
            known = shape.keys.get(key.value)
            where = _below(path, key.value)
            if known is None:
                found |= self._unknown(key, shape, written, where)
            elif self._is_empty(each, known.shape) or (known.required and each.value == []):
                found[key.value] = self._left_out(each, known, where)
            else:
                found[key.value] = self.value(each, known.shape, where)
        for name, known in shape.keys.items():
            if known.required and name not in found:
                found[name] = self.problem(node, path, f"missing key '{name}': {known.doc}")
        return self._made(node, shape, {name: one for name, one in found.items() if one is not None}, path)

    def _unknown(self, key: Any, shape: shapes.Record, written: list[str], where: str) -> dict[str, Any]:
        """Report a key; the one it was meant for counts as present, for one slip should be one problem."""
        if key.value.startswith("x-"):
            return {}
        meant, tip = advice.unknown_key(key.value, shape, written, self.root)
        self.problem(key, where, f"unknown key '{advice.short(key.value)}'{tip}")
        return {meant: _ABSENT} if meant else {}

    def _made(self, node: Any, shape: shapes.Record, found: dict[str, Any], path: str) -> Any:
        if any(one is _ABSENT for one in found.values()):
            if not path:
                self.sound = {name: one for name, one in found.items() if one is not _ABSENT}
                self.faulty = found.keys() - self.sound.keys()
            return _ABSENT
        made = shape.kind(**found)
        faults = list(made.faults()) if hasattr(made, "faults") else []
        for key, message in faults:
            where = f"{path}.{key}" if key and path else key or path
            spot = self.places.get(where, (node.start_mark.line + 1, node.start_mark.column + 1))
            self.problems.append(Problem(Place(self.file, *spot), where, message))
        return _ABSENT if faults else made

    def _pairs(self, node: Any, path: str) -> Iterator[tuple[Any, Any]]:
        """Keys with their values: each once, merged ones (`<<`) behind the mapping's own."""
        own: dict[str, Any] = {}
        merged: list[Any] = []
        for key, each in node.value:
            if key.id != STR or self._tag(key):
                self.problem(key, path, "expected a key such as 'title', in plain letters")
            elif key.value == "<<" and not key.style:
                merged += each.value if each.id == SEQ else [each]
            elif key.value in own:
                first = own[key.value].start_mark.line + 1
                self.problem(
                    key, path, f"key '{advice.short(key.value)}' stands twice, first on line {first}; keep one"
                )
            else:
                own[key.value] = key
                yield key, each
        for base in merged:
            if base.id != MAP:
                self.problem(base, path, "expected a mapping to merge, such as <<: *defaults")
            if base.id != MAP or not self._enter(base, path):
                continue
            for key, each in self._pairs(base, path):
                if key.value not in own:
                    own[key.value] = key
                    yield key, each
            self._open.pop()

    def listing(self, node: Any, shape: shapes.Listing, path: str) -> Any:
        """A list; every item is read, so that all their problems show. One mapping may stand for a list of one."""
        if isinstance(shape.item, shapes.Record) and (node.id == MAP or (node.id == STR and shape.item.short)):
            only = self.record(node, shape.item, path)
            return _ABSENT if only is _ABSENT else (only,)
        if node.id != SEQ:
            tip = "; begin each item with '- ' on a line of its own"
            if node.id == STR and isinstance(shape.item, Scalar) and "\n" not in node.value:
                tip = f"; write [{advice.short(node.value)}]"
            return self._unexpected(node, "a list", path, tip)
        items = []
        for index, each in enumerate(node.value):
            where = f"{path}[{index + 1}]"
            if self._is_empty(each, shape.item):
                items.append(self._empty(each, shape.item, where))
            else:
                items.append(self.value(each, shape.item, where))
        return _ABSENT if any(one is _ABSENT for one in items) else tuple(items)

    def table(self, node: Any, shape: shapes.Table, path: str) -> Any:
        """A mapping whose keys are the writer's own."""
        if node.id != MAP:
            return self._unexpected(node, "a mapping", path)
        found = {}
        for key, each in self._pairs(node, path):
            where = _below(path, key.value)
            name = self.scalar(key, shape.key, where)
            is_empty = self._is_empty(each, shape.item)
            found[name] = self._empty(each, shape.item, where) if is_empty else self.value(each, shape.item, where)
        return _ABSENT if any(_ABSENT in pair for pair in found.items()) else found

    def choice(self, node: Any, shape: shapes.Choice, path: str) -> Any:
        """One of a few words."""
        if node.id != STR or node.value not in shape.options:
            near = hint(node.value, shape.options) if node.id == STR else ""
            return self._unexpected(node, advice.expected(shape), path, near)
        return node.value

    def scalar(self, node: Any, scalar: Scalar, path: str) -> Any:
        """A text, read by its field's grammar."""
        if node.id != STR:
            return self._unexpected(node, scalar.name, path, advice.quotes(node))
        control = values.control_character(node.value)
        if control:
            return self.problem(node, path, f"holds the control character {control[1]}; delete it")
        text = node.value if scalar.textual else node.value.strip()
        if not text.strip():
            return self._empty(node, scalar, path)
        try:
            found = scalar.read(text, self.clock.zone, self.clock.at) if scalar.local else scalar.read(text)
        except ValueError as error:
            return self.problem(node, path, str(error).replace(text, advice.short(text)))
        note = scalar.note(text) or (scalar.textual and advice.swallowed(node, self.lines))
        if note:
            self.problem(node, path, note, "warning")
        return found

    def free(self, node: Any, _: shapes.Free, path: str) -> Any:
        """Whatever YAML says, for a site's own templates: true, false and numbers are typed, the rest is text."""
        if node.id == MAP:
            pairs = self._pairs(node, path)
            found = {key.value: self.value(each, shapes.Free(), _below(path, key.value)) for key, each in pairs}
            return _ABSENT if _ABSENT in found.values() else found
        if node.id == SEQ:
            items = [self.value(each, shapes.Free(), f"{path}[{n}]") for n, each in enumerate(node.value, 1)]
            return _ABSENT if any(one is _ABSENT for one in items) else tuple(items)
        if node.id != STR:
            return self._unexpected(node, "text, a number, a list or a mapping", path)
        control = values.control_character(node.value)
        if control:
            return self.problem(node, path, f"holds the control character {control[1]}; delete it")
        return node.value if node.style else advice.typed(node.value)

    def _is_empty(self, node: Any, shape: shapes.Shape) -> bool:
        textual = isinstance(shape, Scalar) and shape.textual
        plain = node.id == STR and not node.style and not self._tag(node)
        return plain and node.value in ({""} if textual else NULL)

    def _left_out(self, node: Any, known: shapes.Key, where: str) -> Any:
        """A key without a value counts as left out, unless it is needed."""
        if known.required:
            return self._empty(node, known.shape, where)
        tip = advice.swallowed(node, self.lines) if isinstance(known.shape, Scalar) and known.shape.textual else ""
        if tip:
            self.problem(node, where, f"is empty; {tip}", "warning")
        return None

    def _empty(self, node: Any, shape: shapes.Shape, where: str) -> Any:
        tip = advice.swallowed(node, self.lines)
        return self.problem(node, where, f"is empty; {tip or 'expected ' + advice.expected(shape)}")

    def _unexpected(self, node: Any, expected: str, path: str, tip: str = "") -> Any:
        found = {MAP: "a mapping", SEQ: "a list"}.get(node.id) or f"'{advice.short(node.value)}'"
        return self.problem(node, path, f"expected {expected}, found {found}{tip}")


def _below(path: str, key: str) -> str:
    """The path of a key in a mapping."""
    return f"{path}.{advice.short(key)}" if path else advice.short(key)
