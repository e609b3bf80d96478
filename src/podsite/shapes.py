"""The shape of the model's types: one tree that decoder, JSON Schema and key reference all walk.

Made from the annotations of the dataclasses, once per type.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import MISSING, fields
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from podsite.records import dataclass
from podsite.scalars import Scalar


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a mapping: its name, the shape of its value, its sentence of documentation."""

    name: str
    shape: Shape
    doc: str
    required: bool
    default: Any


@dataclass(frozen=True, slots=True)
class Record:
    """A mapping with known keys that becomes a dataclass; `short` names what a bare scalar stands for.

    Where that is a file or an address, both are named: the scalar's look decides.
    """

    kind: type
    keys: Mapping[str, Key]
    short: tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """A list of values of one shape."""

    item: Shape


@dataclass(frozen=True, slots=True)
class Table:
    """A mapping whose keys are the writer's own."""

    key: Scalar
    item: Shape


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few words."""

    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Free:
    """Anything YAML can say."""


Shape = Scalar | Record | Listing | Table | Choice | Free


@cache
def record(kind: type) -> Record:
    """The keys of a dataclass of the model; derived fields are none."""
    hints = get_type_hints(kind, include_extras=True)
    keys = {
        one.name: Key(one.name, shape(hints[one.name]), one.metadata["doc"], _is_required(one), _default(one))
        for one in fields(kind)
        if not one.metadata.get("derived")
    }
    short = tuple(keys[one.name] for one in fields(kind) if one.metadata.get("short"))
    return Record(kind, keys, short)


def _is_required(one: Any) -> bool:
    return one.default is MISSING and one.default_factory is MISSING


def _default(one: Any) -> Any:
    return None if one.default is MISSING else one.default


@cache
def shape(annotation: Any) -> Shape:
    """The shape of a field's annotation. Raises TypeError for one the model must not use."""
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Annotated and isinstance(args[1], Scalar):
        return args[1]
    if origin in {Union, types.UnionType}:
        (inner,) = [each for each in args if each is not type(None)]
        return shape(inner)
    if origin is tuple:
        return Listing(shape(args[0]))
    if origin is Literal:
        return Choice(args)
    if origin is Mapping:
        return Free() if args[1] is Any else Table(get_args(args[0])[1], shape(args[1]))
    if isinstance(annotation, type):
        return record(annotation)
    raise TypeError(f"the model must not use {annotation}")
