"""The short way from YAML nodes to the model, for files about which nothing has to be said: most of them, most days.

It knows neither places nor messages. Whatever is wrong, odd or worth a warning raises `Unsure`, and `decode` starts
again the long way, which is the only one that tells. What is read here is read there too, and to the same value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import time, tzinfo
from functools import cache
from typing import Any

from podsite import advice, shapes
from podsite.nodes import MAP, SEQ, STR
from podsite.records import dataclass
from podsite.scalars import Scalar
from podsite.values import control_character

_PROPERTIES = ("&", "!")  # what an anchor and a tag begin with
_COMMENT = re.compile(r"[^\S\n]*#")
_DEEPEST = 30  # levels of a site's own keys


class Unsure(Exception):  # noqa: N818 - nothing needs to be wrong
    """The text has to be read the long way."""


@dataclass(frozen=True, slots=True)
class Source:
    """The text the nodes come from, and how its dates are meant."""

    text: str
    has_comments: bool
    zone: tzinfo
    at: time


Read = Callable[[Any, Source], Any]


def value(root: Any, text: str, kind: type, zone: tzinfo, at: time) -> Any:
    """The `kind` that the node at the root of `text` says. Raises Unsure."""
    if root is None or root.id != MAP:
        raise Unsure
    if ("&" in text or "!" in text) and any(
        text.startswith(_PROPERTIES, node.start_mark.index) for node in _nodes(root)
    ):
        raise Unsure
    return _record(kind)(root, Source(text, "#" in text, zone, at))


def _nodes(node: Any) -> Iterator[Any]:
    """The node and all below; an anchor comes before what leads back to it."""
    yield node
    if node.id != STR:
        for each in node.value:
            for one in each if node.id == MAP else (each,):
                yield from _nodes(one)


def _reader(shape: shapes.Shape) -> Read:
    """A function that reads nodes of this shape."""
    match shape:
        case Scalar():
            return _scalar(shape)
        case shapes.Record():
            return _record(shape.kind)
        case shapes.Listing():
            return _listing(shape)
        case shapes.Table():
            return _table(shape)
        case shapes.Choice():
            return _choice(frozenset(shape.options))
    return _free


def _empty(shape: shapes.Shape) -> frozenset[str]:
    """The plain scalars that stand for no value."""
    return frozenset({""}) if isinstance(shape, Scalar) and shape.textual else advice.NULL


def _scalar(scalar: Scalar) -> Read:
    grammar, note, textual, local = scalar.read, scalar.note, scalar.textual, scalar.local

    def read(node: Any, source: Source) -> Any:
        if node.id != STR:
            raise Unsure
        text: str = node.value
        if textual:
            if not node.style and source.has_comments and _COMMENT.match(source.text, node.end_mark.index):
                raise Unsure
        else:
            text = text.strip()
        if not text or text.isspace() or (node.style == '"' and control_character(text)):
            raise Unsure
        try:
            found = grammar(text, source.zone, source.at) if local else grammar(text)
        except ValueError:
            raise Unsure from None
        if note(text):
            raise Unsure
        return found

    return read


def _choice(options: frozenset[str]) -> Read:
    def read(node: Any, _: Source) -> Any:
        if node.id != STR or node.value not in options:
            raise Unsure
        return node.value

    return read


def _listing(shape: shapes.Listing) -> Read:
    item, empty = _reader(shape.item), _empty(shape.item)
    stands_alone = {MAP} if isinstance(shape.item, shapes.Record) else set()
    if isinstance(shape.item, shapes.Record) and shape.item.short:
        stands_alone.add(STR)

    def read(node: Any, source: Source) -> Any:
        if node.id in stands_alone:
            return (item(node, source),)
        if node.id != SEQ or any(each.id == STR and not each.style and each.value in empty for each in node.value):
            raise Unsure
        return tuple([item(each, source) for each in node.value])

    return read


def _table(shape: shapes.Table) -> Read:
    name, item, empty = _scalar(shape.key), _reader(shape.item), _empty(shape.item)

    def read(node: Any, source: Source) -> Any:
        found = {}
        for key, each in _pairs(node):
            if each.id == STR and not each.style and each.value in empty:
                raise Unsure
            found[name(key, source)] = item(each, source)
        return found

    return read


def _pairs(node: Any) -> list[tuple[Any, Any]]:
    """The keys and values of a mapping with keys of the writer's own; nothing merged, nothing twice."""
    if node.id != MAP:
        raise Unsure
    names = {key.value for key, _ in node.value if key.id == STR}
    if len(names) != len(node.value) or "<<" in names:
        raise Unsure
    pairs: list[tuple[Any, Any]] = node.value
    return pairs


def _free(node: Any, _: Source, depth: int = 0) -> Any:
    if depth > _DEEPEST:
        raise Unsure
    if node.id == MAP:
        return {key.value: _free(each, _, depth + 1) for key, each in _pairs(node)}
    if node.id == SEQ:
        return tuple([_free(each, _, depth + 1) for each in node.value])
    if node.style == '"' and control_character(node.value):
        raise Unsure
    return node.value if node.style else advice.typed(node.value)


@cache
def _record(kind: type) -> Read:
    shape = shapes.record(kind)
    keyed, short = _keyed(shape), [(key.name, _reader(key.shape)) for key in shape.short]
    faults: Callable[[Any], Iterator[Any]] | None = getattr(kind, "faults", None)

    def read(node: Any, source: Source) -> Any:
        if node.id == MAP:
            found = keyed(node, source)
        elif node.id == STR and short:
            name, item = short[-1 if advice.is_address(node.value) else 0]
            found = {name: item(node, source)}
        else:
            raise Unsure
        made = kind(**found)
        if faults is not None and any(True for _ in faults(made)):
            raise Unsure
        return made

    return read


def _keyed(shape: shapes.Record) -> Callable[[Any, Source], dict[str, Any]]:
    """A function that reads the values of a mapping by its known keys."""
    readers = {key.name: _reader(key.shape) for key in shape.keys.values()}
    empties = {key.name: _empty(key.shape) for key in shape.keys.values()}
    needed = frozenset(key.name for key in shape.keys.values() if key.required)

    def read(node: Any, source: Source) -> dict[str, Any]:
        found: dict[str, Any] = {}
        seen = set()
        for key, each in node.value:
            name = key.value
            if key.id != STR or name in seen:
                raise Unsure
            seen.add(name)
            if name not in readers:
                if name.startswith("x-"):
                    continue
                raise Unsure
            if each.id == STR and not each.style and each.value in empties[name]:
                if not each.value and source.has_comments and _COMMENT.match(source.text, each.start_mark.index):
                    raise Unsure
            elif each.value or name not in needed:
                found[name] = readers[name](each, source)
        if not needed <= found.keys():
            raise Unsure
        return found

    return read
