"""What a YAML syntax error means to somebody who only wanted to write a title."""

from __future__ import annotations

import re

from podsite.errors import Place, Problem

_PAIR = re.compile(r"^(?P<indent>\s*(?:- +)*)(?P<key>[\w-]+):[ \t]+(?P<value>\S.*?)\s*$")
_ITEM = re.compile(r"^\s*(?:- +)+(?P<value>\S.*?)\s*$")
_BREAK = re.compile("\r\n|[\r\n\x85\u2028\u2029]")
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
    line, column = mark.line, mark.column
    if what.startswith("but found another document"):
        return Problem(Place(file, line + 1, 1), "", _SECOND_DOCUMENT)
    place = Place(file, line + 1, column + 1)
    other = Problem(place, "", f"is not YAML: {what}{_context(error)}")
    begun = getattr(error, "context_mark", None) or mark
    return _tab(file, lines, line, what) or _unquoted(file, lines, (line, begun.line)) or other


_SECOND_DOCUMENT = (
    "expected one YAML document, found a second after '---'; show notes belong in 'notes:' or in a .md file of the "
    "same name beside this one"
)


def _tab(file: str, lines: list[str], line: int, what: str) -> Problem | None:
    text = lines[line] if line < len(lines) else ""
    if "\t" not in text or not (re.match(r"[ ]*\t", text) or "'\\t'" in what or "tab" in what):
        return None
    shown = text.replace("\t", "␉").strip()
    return Problem(Place(file, line + 1, text.index("\t") + 1), "", f"found a tab in '{shown}'; YAML takes spaces only")


def _unquoted(file: str, lines: list[str], suspects: tuple[int, ...]) -> Problem | None:
    """The usual cause: a plain value that holds `: ` or starts with a character YAML keeps for itself."""
    for index in suspects:
        text = lines[index] if index < len(lines) else ""
        pair = _PAIR.match(text) or _ITEM.match(text)
        if pair is None:
            continue
        value = pair["value"]
        start = pair.start("value") + 1
        key = pair.groupdict().get("key") or ""
        shown = f"{key}: " if key else "- "
        if value[0] not in "\"'|>" and not _is_closed(value) and re.search(r":(\s|$)", value):
            return Problem(
                Place(file, index + 1, start),
                key,
                f"a value with a colon in it must stand in quotes; write {shown}{quoted(value)}",
            )
        if value[0] in _INDICATORS and not _is_closed(value):
            return Problem(
                Place(file, index + 1, start),
                key,
                f"a value that starts with {value[0]} must stand in quotes; write {shown}{quoted(value)}",
            )
    return None


def _is_closed(value: str) -> bool:
    pairs = {"[": "]", "{": "}", '"': '"', "'": "'"}
    if value[0] in "|>":
        return True
    return value[0] in pairs and len(value) > 1 and value.endswith(pairs[value[0]])


def _context(error: Exception) -> str:
    context = getattr(error, "context", None)
    return f" ({context})" if context else ""
