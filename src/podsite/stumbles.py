"""What templates stumble over before they are filled, whatever it is: told as their fault, with file and line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any

import jinja2
from jinja2 import nodes

_PAIRS = re.compile(r"^debug_info = '([^']*)'$", re.MULTILINE)  # lines of a template with those of its Python code


@contextmanager
def placed(name: str | None, filename: str | None, code: str = "") -> Iterator[None]:
    """Let whatever goes wrong while a template is parsed and compiled be a TemplateSyntaxError, at the line that was
    being looked at; `code` is the Python that it became.
    """
    try:
        yield
    except jinja2.TemplateError:
        raise
    except Exception as error:
        at = _line_of(code, error.lineno or 0) if isinstance(error, SyntaxError) else _line_in(error.__traceback__)
        raise jinja2.TemplateSyntaxError(_told(error), at, name, filename) from error


def _told(error: Exception) -> str:
    if isinstance(error, (RecursionError, MemoryError)) or "too many" in str(error):
        return "is nested too deeply; take it apart into several templates"
    return f"cannot be compiled: {error.msg if isinstance(error, SyntaxError) else error}"


def _line_in(traceback: TracebackType | None) -> int:
    """The line of a template that Jinja looked at last."""
    found = 0
    while traceback is not None:
        known: dict[str, Any] = traceback.tb_frame.f_locals
        if traceback.tb_frame.f_globals.get("__name__", "").startswith("jinja2."):
            line = known.get("lineno", getattr(known.get("node"), "lineno", None))
            found = line if isinstance(line, int) else found
        traceback = traceback.tb_next
    return found


def _line_of(code: str, python_line: int) -> int:
    """The line of a template that a line of its Python code was made of; 0 where that is not known."""
    found = 0
    for pairs in _PAIRS.findall(code)[-1:]:
        for pair in pairs.split("&"):
            template_line, _, line = pair.partition("=")
            if line and int(line) <= python_line:
                found = int(template_line)
    return found


def undecodable(error: UnicodeDecodeError, name: str, filename: str | None) -> jinja2.TemplateSyntaxError:
    """What is told of a file that is no text."""
    line = error.object.count(b"\n", 0, error.start) + 1
    return jinja2.TemplateSyntaxError("is not UTF-8 text; save it as UTF-8", line, name, filename)


def names_set(tree: nodes.Template) -> Iterator[tuple[str, int]]:
    """The names that a template gives a meaning of its own, with the lines where it does."""
    for node in tree.find_all((nodes.Name, nodes.Macro, nodes.Import, nodes.FromImport)):
        if isinstance(node, nodes.FromImport):
            yield from ((each if isinstance(each, str) else each[1], node.lineno) for each in node.names)
        elif isinstance(node, nodes.Import):
            yield node.target, node.lineno
        elif isinstance(node, nodes.Macro) or (isinstance(node, nodes.Name) and node.ctx == "store"):
            yield node.name, node.lineno
