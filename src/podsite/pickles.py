"""Records of the model as bytes and back, fast, and without running code: nothing but the model's classes is made."""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime, timedelta, timezone
from types import ModuleType
from typing import Any

from podsite import errors, media, model, parts, podcasting

#: What `loads` raises for bytes that `dumps` did not make of the classes that are here today.
DAMAGED = (pickle.UnpicklingError, EOFError, AttributeError, TypeError, ValueError, IndexError, KeyError)

_Setters = dict[type, tuple[Callable[[Any, Any], None], ...]]
_SETTERS: _Setters = {}
_CLASSES: dict[tuple[str, str], Any] = {
    ("datetime", "datetime"): datetime,
    ("datetime", "timedelta"): timedelta,
    ("datetime", "timezone"): timezone,
}


def _made(kind: type, values: Iterable[Any]) -> Any:
    """A frozen record with its fields set, in their order: what `__init__` would make of the same values."""
    record: Any = object.__new__(kind)
    for put, value in zip(_SETTERS[kind], values, strict=True):
        put(record, value)
    return record


_CLASSES[__name__, "_made"] = _made


def allow(module: ModuleType | Mapping[str, Any]) -> None:
    """Let the dataclasses of a module be read."""
    for found in vars(module).values() if isinstance(module, ModuleType) else module.values():
        if isinstance(found, type) and is_dataclass(found):
            _CLASSES[found.__module__, found.__name__] = found
            _SETTERS[found] = tuple(getattr(found, each.name).__set__ for each in fields(found))


for _each in (errors, media, model, parts, podcasting):
    allow(_each)


class _Writer(pickle.Pickler):
    def reducer_override(self, obj: Any) -> Any:
        kind = type(obj)
        if kind in _SETTERS:
            return _made, (kind, tuple(getattr(obj, each.name) for each in fields(kind)))
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
