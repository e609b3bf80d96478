"""What to tell somebody whose YAML says something else than they meant: nearest keys, swallowed values, quotes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from podsite import shapes, syntax
from podsite.errors import nearest
from podsite.scalars import Scalar
from podsite.tables import OTHER_NAMES

_LONGEST = 60
_MEANT = " (did you mean '{}'?)"
_TWICE = "; podsite calls it '{}', which stands here already"
_FEW = 12  # so many keys can be listed in one message
NULL = frozenset({"", "~", "null", "Null", "NULL"})  # plain words that say: no value


def unknown_key(name: str, shape: shapes.Record, written: Iterable[str], root: shapes.Record) -> tuple[str | None, str]:
    """The key that was meant, when there is one, and the words that say so."""
    taken = set(written)
    plain = name.casefold().replace("-", "_")
    ours = next((key for key in (plain, *OTHER_NAMES.get(plain, ())) if key in shape.keys), None)
    if ours:
        return (None, _TWICE.format(ours)) if ours in taken else (ours, _MEANT.format(ours))
    keys = shape.keys.values()
    inside = [key.name for key in keys if isinstance(key.shape, shapes.Record) and name in key.shape.keys]
    if len(inside) == 1:
        return None, f"; it belongs under '{inside[0]}:', indented"
    near = nearest(name, (key for key in shape.keys if key not in taken))
    if near:
        return near, _MEANT.format(near)
    if shape is not root and name in root.keys:
        return None, f"; '{name}:' belongs at the top level, not indented"
    return None, known_keys(shape) or "; keys of your own go under 'extra:' or start with 'x-'"


def known_keys(shape: shapes.Record) -> str:
    """The keys of a small mapping; nothing for a large one."""
    return f"; its keys are {', '.join(shape.keys)}" if len(shape.keys) <= _FEW else ""


def expected(shape: shapes.Shape) -> str:
    """The word for what a field takes."""
    match shape:
        case Scalar():
            return shape.name
        case shapes.Choice():
            return f"one of {', '.join(shape.options)}"
        case shapes.Listing():
            return "a list of at least one"
        case _:
            return "a mapping of keys"


def is_address(text: str) -> bool:
    """Whether a scalar that may be a file or an address begins as addresses do."""
    return re.match("[A-Za-z][A-Za-z0-9+.-]*:", text) is not None


def quotes(node: Any) -> str:
    """Asks for quotes where a text was meant and YAML saw a list or a mapping."""
    if node.flow_style:
        return "; a text that starts with [ or { must stand in quotes"
    return "; a text with a colon in it must stand in quotes" if node.id == "mapping" else ""


def swallowed(node: Any, lines: list[str]) -> str:
    """Asks for quotes where a plain text is followed by ` #` on its line: YAML drops all from there on."""
    end = node.end_mark if node.value else node.start_mark
    if not isinstance(node.value, str) or node.style or end.line >= len(lines):
        return ""
    rest = lines[end.line][end.column :].strip()
    if not rest.startswith("#"):
        return ""
    whole = f"{node.value} {rest}".strip()
    return f"YAML reads '{short(rest)}' as a comment; did you mean {syntax.quoted(whole)}, in quotes?"


def short(text: Any) -> str:
    """The beginning of a text, fit to be quoted in a message of one line."""
    first = re.split("[\r\n\x85\u2028\u2029]", str(text).strip(), maxsplit=1)[0]
    return first if len(first) <= _LONGEST and first == str(text).strip() else first[: _LONGEST - 1].rstrip() + "…"


def typed(text: str) -> Any:
    """A plain scalar among a site's own keys: true, false, numbers and nothing are typed, all else is text."""
    if text in NULL:
        return None
    if text in {"true", "false"}:
        return text == "true"
    if re.fullmatch(r"-?(0|[1-9]\d{0,17})", text, re.ASCII):
        return int(text)
    return float(text) if re.fullmatch(r"-?(0|[1-9]\d{0,17})\.\d+", text, re.ASCII) else text
