"""Records of the model as bytes and back, fast, and without running code: nothing but the model's classes is made."""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from datetime import datetime, timedelta, timezone
from typing import Any, TypeVar

from podsite import errors, media, model, parts, podcasting

#: What `loads` raises for bytes that `dumps` did not make of the classes that are here today.
DAMAGED = (pickle.UnpicklingError, EOFError, AttributeError, TypeError, ValueError, LookupError, ArithmeticError)

Record = TypeVar("Record")
_SETTERS: dict[type, tuple[Callable[[Any, Any], None], ...]] = {}
_NAMES: dict[type, tuple[str, ...]] = {}
_CLASSES: dict[tuple[str, str], Any] = {
    ("datetime", "datetime"): datetime,
    ("datetime", "timedelta"): timedelta,
    ("datetime", "timezone"): timezone,
}


def _made(kind: type[Record], values: Iterable[Any]) -> Record:
    """A frozen record with its fields set, in their order: what `__init__` would make of the same values."""
    record = object.__new__(kind)
    for put, value in zip(_SETTERS[kind], values, strict=True):
        put(record, value)
    return record


_CLASSES[__name__, "_made"] = _made


def allow(*kinds: Any) -> None:
    """Let records of these dataclasses be read."""
    for kind in kinds:
        _CLASSES[kind.__module__, kind.__name__] = kind
        _NAMES[kind] = tuple(each.name for each in fields(kind))
        _SETTERS[kind] = tuple(getattr(kind, name).__set__ for name in _NAMES[kind])


for _module in (errors, media, model, parts, podcasting):
    allow(*(one for one in vars(_module).values() if isinstance(one, type) and is_dataclass(one)))


class _Writer(pickle.Pickler):
    def reducer_override(self, obj: Any) -> Any:
        kind = type(obj)
        if kind in _SETTERS:
            return _made, (kind, tuple(getattr(obj, name) for name in _NAMES[kind]))
        return NotImplemented


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        """A class that is allowed; anything else was not written here."""
        return _CLASSES[module, name]


def dumps(value: Any) -> bytes:
    """Records, and tuples, lists, dicts and scalars of them, as bytes."""
    out = io.BytesIO()
    _Writer(out, 5).dump(value)
    return out.getvalue()


def loads(stored: bytes) -> Any:
    """What `dumps` was given. Raises one of `DAMAGED` for anything else."""
    return _Reader(io.BytesIO(stored)).load()
