"""What Markdown is not asked to read: texts on which Python-Markdown or the sanitiser take quadratic time."""

from __future__ import annotations

import re

_LONGEST = 250_000  # characters; the longest real notes seen have 60,838
_PATIENCE = 4_000_000  # characters looked at by bracket matching, about a second
_BRACKET = re.compile(r"\[|\]\(|\]|\)|<(?=[a-zA-Z/!?])|>|\n\n")
_NESTING_TAG = re.compile(r"<(/?)(?!(?:br|hr|img|li|p|t[drh])\b)[a-z]", re.IGNORECASE)


def is_tangled(text: str) -> bool:
    """Whether Markdown would take unreasonable time: too long, too deep, or brackets that never close."""
    if len(text) > _LONGEST or text.count("[^") > 500:
        return True
    if text.count("<") > 500 and sum(-1 if close else 1 for close in _NESTING_TAG.findall(text)) > 500:
        return True
    if len(text) * (text.count("[") + text.count("](") + text.count("<")) <= _PATIENCE:
        return False  # each of these costs at most the whole text
    cost = 0
    square: list[int] = []
    rounded: list[int] = []
    angle: list[int] = []
    for found in _BRACKET.finditer(text):
        at, mark = found.start(), found.group()
        if mark[0] == "]" and square:
            cost += at - square.pop()
        if mark == ")" and rounded:
            cost += at - rounded.pop()
        if mark in "[<" or mark == "](":
            {"[": square, "<": angle, "](": rounded}[mark].append(at)
        # a paragraph's end stops the search for links, never the search for a tag's end
        spent = (angle,) if mark == ">" else (square, rounded) if mark == "\n\n" else ()
        for opened in spent:
            cost += sum(at - start for start in opened)
            opened.clear()
    return cost + sum(len(text) - start for start in (*square, *rounded, *angle)) > _PATIENCE
