"""Dataclasses that are made quickly: the methods of a frozen one are shared, and its initialiser is written when the
first of its kind is made. A program of many kinds, most of which a run never makes, starts in half the time.

To whoever uses them, and to type checkers, they are those of the standard library.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]


def _quick(kind: type | None = None, /, **options: Any) -> Any:
    """As `dataclasses.dataclass`, with the same options."""
    if kind is None:
        return partial(_quick, **options)
    if not options.get("frozen") or options.get("order"):
        return dataclasses.dataclass(**options)(kind)
    del options["frozen"]  # it would write methods of its own for that
    has_eq, has_repr = options.pop("eq", True), options.pop("repr", True)
    own = vars(kind).keys()
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, **options)(kind)
    methods: dict[str, Any] = {"__init__": _first(made), "__setattr__": _refuse, "__delattr__": _refuse}
    if has_eq:
        methods |= {"__eq__": _equal, "__hash__": _hash}
    if has_repr:
        methods["__repr__"] = _repr
    if options.get("slots"):
        methods |= {"__getstate__": _state, "__setstate__": _restore}
    for name, method in methods.items():
        if name not in own:
            setattr(made, name, method)
    return made


def _first(kind: type) -> Callable[..., None]:
    """The initialiser until it is called: it puts the real one in its place."""

    def __init__(self: Any, *values: Any, **named: Any) -> None:  # noqa: N807 - it is told by this name in errors
        written = _written(kind)
        setattr(kind, "__init__", written)  # noqa: B010 - mypy knows no other way
        written(self, *values, **named)

    return __init__


def _written(kind: Any) -> Callable[..., None]:
    """The initialiser that the standard library writes for a frozen dataclass of these fields."""
    space: dict[str, Any] = {
        one.name: dataclasses.field(
            default=one.default, default_factory=one.default_factory, init=one.init, kw_only=one.kw_only
        )
        for one in dataclasses.fields(kind)
    }
    space["__annotations__"] = dict.fromkeys(space, "object")
    space["__doc__"] = kind.__doc__
    if hasattr(kind, "__post_init__"):
        space["__post_init__"] = kind.__post_init__
    alike: Any = dataclasses.dataclass(frozen=True, eq=False, repr=False)(type(kind.__name__, (), space))
    written: Callable[..., None] = alike.__init__
    return written


class _Values(dict[type, Callable[[Any], Any]]):
    """What tells records of a kind from each other, all at once."""

    def __missing__(self, kind: type) -> Callable[[Any], Any]:
        names = [one.name for one in dataclasses.fields(kind) if one.compare]
        self[kind] = values = attrgetter(*names) if len(names) > 1 else _few(names)
        return values


def _few(names: list[str]) -> Callable[[Any], Any]:
    """The same for one field or none, as a tuple, too."""
    return lambda record: tuple([getattr(record, name) for name in names])


_values = _Values()


def _equal(self: Any, other: object) -> Any:
    kind = type(self)
    if kind is not type(other):
        return NotImplemented
    values = _values[kind]
    return values(self) == values(other)


def _hash(self: Any) -> int:
    return hash(_values[type(self)](self))


@recursive_repr()
def _repr(self: Any) -> str:
    shown = ", ".join([f"{one.name}={getattr(self, one.name)!r}" for one in dataclasses.fields(self) if one.repr])
    return f"{type(self).__qualname__}({shown})"


def _refuse(_: object, name: str, *_value: object) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot change field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, one.name) for one in dataclasses.fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for one, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, one.name, value)


if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    dataclass = _quick
