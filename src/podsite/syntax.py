"""What a YAML syntax error means to somebody who only wanted to write a title."""

from __future__ import annotations

import re
from typing import Any

from podsite.errors import Place, Problem

_PAIR = re.compile(r"^(?P<indent>\s*(?:- +)*)(?P<key>[\w][\w .-]*?):[ \t]+(?P<value>\S.*?)\s*$")
_ITEM = re.compile(r"^\s*(?:- +)+(?P<value>\S.*?)\s*$")
_BREAK = re.compile("\r\n|[\r\n\x85\u2028\u2029]")
_CLOSING = {"[": "]", "{": "}"}
_QUOTED = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')(\s+#.*)?""")
_INDICATORS = "[]{}@`%*&!|>\"'"


def lines_of(text: str) -> list[str]:
    """The lines of a YAML text, as YAML counts them."""
    return _BREAK.split(text)


def quoted(value: str) -> str:
    """A value in double quotes, as YAML reads it back."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def problem(file: str, lines: list[str], error: Exception) -> Problem:
    """The problem behind a YAML error: where, what was found, what to write instead."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    what = str(getattr(error, "problem", None) or error)
    if mark is None:
        return Problem(Place(file), "", f"is not YAML: {what}")
    begun = getattr(error, "context_mark", None) or mark
    context = str(getattr(error, "context", None) or "")
    if "found another document" in what or lines[max(mark.line - 1, 0)].startswith("..."):
        return Problem(Place(file, mark.line + 1, 1), "", _SECOND_DOCUMENT)
    return (
        _tab(file, lines, mark.line, what)
        or _escape(file, lines, mark, what)
        or _unquoted(file, lines, (mark.line, begun.line))
        or _no_pair(file, lines, mark.line, begun.line, what)
        or _known(file, mark, begun, what, context)
    )


def meant(lines: list[str], problem: Problem) -> list[str] | None:
    """The lines with the quotes that `problem` asks for, so that the rest of the file can be read; else None."""
    index, start = problem.place.line - 1, problem.place.column - 1
    found = _fault(lines[index][start:].rstrip()) if 0 <= index < len(lines) and lines[index][start:].strip() else None
    if found is None or not problem.message.startswith(found[0]):
        return None
    return [*lines[:index], lines[index][:start] + quoted(found[1]), *lines[index + 1 :]]


_SECOND_DOCUMENT = (
    "expected one YAML document, found a second after '---'; show notes belong in 'notes:' or in a .md file of the "
    "same name beside this one"
)
_SAME_COLUMN = "keys that belong together start in the same column; check the indentation of this line"

#: What libyaml says, what it means, and whether it means the place where the construct began.
_MEANINGS = (
    ("exceeded maximum nesting depth", "is nested too deeply to be read", False),
    ("did not find expected comment or line break", "the text goes on the lines below | or >, indented", False),
    ("unexpected end of stream", "the quote that opens here is not closed", True),
    ("unexpected document indicator", "the quote that opens here is not closed", True),
    ("',' or ']'", "the list that opens here lacks a comma or the closing ]", True),
    ("',' or '}'", "the mapping that opens here lacks a comma or the closing }", True),
    ("expected '-' indicator", "items of one list begin with '- ' in the same column", False),
    ("did not find expected key", _SAME_COLUMN, False),
    ("<document start>", _SAME_COLUMN, False),
    ("not allowed in this context", _SAME_COLUMN, False),
)


def _known(file: str, mark: Any, begun: Any, what: str, context: str) -> Problem:
    for words, meaning, at_begin in _MEANINGS:
        if words in what:
            spot = begun if at_begin else mark
            return Problem(Place(file, spot.line + 1, spot.column + 1), "", meaning)
    detail = f" ({context})" if context else ""
    return Problem(Place(file, mark.line + 1, mark.column + 1), "", f"is not YAML: {what}{detail}")


def _tab(file: str, lines: list[str], line: int, what: str) -> Problem | None:
    text = lines[line] if line < len(lines) else ""
    if "\t" not in text or not (re.match(r"[ ]*\t", text) or "'\\t'" in what or "tab" in what):
        return None
    shown = text.replace("\t", "␉").strip()
    return Problem(Place(file, line + 1, text.index("\t") + 1), "", f"found a tab in '{shown}'; YAML takes spaces only")


def _escape(file: str, lines: list[str], mark: Any, what: str) -> Problem | None:
    """A backslash in double quotes."""
    if "escape" not in what or mark.line >= len(lines):
        return None
    start = lines[mark.line].rfind("\\", 0, mark.column + 1)
    found = re.match(r"\\u[0-9A-Fa-f]{4}|\\.?", lines[mark.line][max(start, 0) :])
    if found is None:
        return None
    meant = "write the character itself" if len(found[0]) > 2 else "write two backslashes, or use single quotes"
    return Problem(Place(file, mark.line + 1, start + 1), "", f"'{found[0]}' is no character in double quotes; {meant}")


def _unquoted(file: str, lines: list[str], suspects: tuple[int, ...]) -> Problem | None:
    """The usual cause: a plain value that holds `: ` or starts with a character YAML keeps for itself."""
    for index in suspects:
        text = lines[index] if index < len(lines) else ""
        pair = _PAIR.match(text) or _ITEM.match(text)
        if pair is None or _is_closed(pair["value"]):
            continue
        value, key = pair["value"], pair.groupdict().get("key") or ""
        shown = f"{key}: " if key else "- "
        found = _fault(value)
        if found:
            fault, better = found
            message = f"{fault}; write {shown}{quoted(better)}"
            return Problem(Place(file, index + 1, pair.start("value") + 1), key, message)
    return None


def _fault(value: str) -> tuple[str, str] | None:
    """What is wrong with a plain value, and the text that was meant."""
    if value[0] in "\"'" and value.count(value[0]) == 1:
        return "the quote that opens here is not closed", value[1:]
    if value[0] in "\"'" and value[-1] == value[0]:
        return "the text holds the quotes it stands in", value[1:-1]
    if value[0] not in "\"'|>" and re.search(r":(\s|$)", value):
        return "a value with a colon in it must stand in quotes", value
    if value[0] in "[{" and _CLOSING[value[0]] not in value:
        return None
    if value[0] in _INDICATORS or re.match(r"[-?](\s|$)", value):
        return f"a value that starts with {value[0]} must stand in quotes", value
    return None


def _is_closed(value: str) -> bool:
    if value[0] in _CLOSING:
        return value.endswith(_CLOSING[value[0]])
    return value[0] in "|>" or re.fullmatch(_QUOTED, value) is not None


def _no_pair(file: str, lines: list[str], line: int, begun: int, what: str) -> Problem | None:
    """A line that is neither `key: value` nor part of a text."""
    if "could not find expected ':'" in what:
        line, tip = begun, "; the lines of a longer text are indented under its key"
    elif "mapping values are not allowed" in what and line:
        line, tip = line - 1, ""
    else:
        return None
    text = lines[line].strip() if line < len(lines) else ""
    if not text or re.search(r":(\s|$)", text):
        return None
    tip = "; a space follows the colon" if re.match(r"[\w-]+:\S", text) else tip
    column = len(lines[line]) - len(lines[line].lstrip()) + 1
    shown = text if len(text) <= 60 else text[:59] + "…"
    return Problem(Place(file, line + 1, column), "", f"expected 'key: value', found '{shown}'{tip}")
