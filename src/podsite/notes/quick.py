"""The quick way for plain notes: pyromark, where what it makes is what Python-Markdown makes.

The two agree on most of what people write and differ in a hundred corners. So a text goes this way only if every
character of it belongs to a part of Markdown without corners: paragraphs, headings, tight lists, fenced code, rules;
links, images, code and emphasis, of which only links and code may stand in emphasis, and only code in links.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache

from podsite import extras

# a line that begins so may begin a block
_MARK = r"(?:[\s\-+=\#>|:]|\d+[.)](?:\s|\Z))"
_BREAK = rf"(?:(?<!\s)\n(?!{_MARK}))"
_WORDS = r"(?:[^\\`*_\[\]<&~!\x02\x03\n]++|!(?!\[)|~(?!~)|&(?!\#|\w+;)|(?<=[^\W_])_(?=[^\W_]))"
_CODE = r"(?:`(?!\s)(?:[^`\\<&\n]|&(?![\#\w]))++(?<!\s)`(?!`))"
_TARGET = r"(?:[a-zA-Z0-9_:/.?=\#%+,;@$!~-]|&(?!\#|\w+;))"
_TARGETS = rf"\((?:{_TARGET}|\({_TARGET}*+\))++\)"
_LINK = rf"(?:(?<!!)\[(?:{_WORDS}|{_CODE}|{_BREAK})++\]{_TARGETS})"
_IMAGE = rf"(?:!\[{_WORDS}*+\]{_TARGETS})"
# emphasis stands between blanks and such signs, so that its marks cannot be taken for others
_AFTER = r"(?<![^\ \n(\"“„'‘—–:/-])"
_BEFORE = r"(?![^\ \n.,;:!?)\"”“'’—–/-])"
_EMPHASIS = "|".join(
    rf"{_AFTER}{mark}(?!\s)(?:{_WORDS}|{_CODE}|{_LINK}|{_BREAK})++(?<!\s){mark}{_BEFORE}"
    for mark in (r"\*\*", r"\*", "__", "_")  # not one group and its like: groups in `++` break CPython's re
)
_HARD_BREAK = rf"(?:(?<=\S\ \ )\n(?!{_MARK}))"
_TEXT = rf"(?!{_MARK})(?:{_WORDS}|{_CODE}|{_LINK}|{_IMAGE}|{_EMPHASIS}|{_BREAK}|{_HARD_BREAK})++(?<!\s)"
_HEADING = re.compile(r"#{1,6} (?=[^#]+\Z)")
_ITEM = re.compile(r"( *)(-|\d{1,9}\.) ")
_OTHER = re.compile(r"---|\x02wzxhzdk:\d+\x03")  # a rule, or code
_UNUSUAL_SPACE = re.compile(r"[^\S \n\xa0\u202f]")
_LONGEST_WORD = 1000  # characters; looking for marks in addresses takes time with its square
# Python-Markdown takes addresses as they stand, with marks in them that belong to others
_ADDRESSES = [
    re.compile(start + r"[^\s<>\"`]*?(?:\*|(?<![^\W_])_|_(?![^\W_]))")
    for start in (r"http(?<!\]\(http)s?://", r"www\.(?<!\]\(www\.)(?<!\]\(http://www\.)(?<!\]\(https://www\.)")
]
_NESTED = re.compile(r"^(<li>.*)\n(?=<[uo]l>$)", re.MULTILINE)
_STASHED = re.compile(r"<p>\x02wzxhzdk:(\d+)\x03</p>")


def markup(source: str, stashed: Sequence[str]) -> str | None:
    """The HTML of a text in normal lines; None where Python-Markdown has to be asked. Never fails.

    `stashed` is the HTML that placeholders of the text stand for, by their numbers.
    """
    convert = _converter()
    if not convert or not is_plain(source):
        return None
    html = convert(source)
    if "\n    " in source:
        html = _NESTED.sub(r"\1", html)
    return _STASHED.sub(lambda found: stashed[int(found[1])], html) if stashed else html


def is_plain(source: str) -> bool:
    """Whether the two agree on a text."""
    if (not source.isascii() and _UNUSUAL_SPACE.search(source)) or _holds_foreign_marks(source):
        return False
    after_list = False
    for block in filter(None, re.split(r"\n\n+", source.strip("\n"))):
        is_list = block.startswith(("- ", "1. "))
        if is_list and after_list:  # one would go on with the other
            return False
        if not (_is_list(block) if is_list else _is_other(block)):
            return False
        after_list = is_list
    return True


def _holds_foreign_marks(source: str) -> bool:
    """Whether addresses may hold marks of emphasis, or follow one."""
    if "http" not in source and "www." not in source:
        return False
    if "_http" in source or "_www." in source:
        return True
    if "*" not in source and "_" not in source:
        return False
    return max(map(len, source.split())) > _LONGEST_WORD or any(address.search(source) for address in _ADDRESSES)


def _is_list(block: str) -> bool:
    """Whether these lines are tight lists of one line an item, four blanks deeper inside each other."""
    kinds: list[bool] = []  # of the open lists, outermost first: whether its items are numbered
    for line in block.split("\n"):
        item = _ITEM.match(line)
        if not item or not _text().fullmatch(line, item.end()):
            return False
        depth, remainder = divmod(len(item[1]), 4)
        numbered = item[2] != "-"
        del kinds[depth + 1 :]
        if depth == len(kinds) and (not numbered or item[2] == "1."):
            kinds.append(numbered)
        if remainder or depth >= len(kinds) or kinds[depth] != numbered:
            return False
    return True


def _is_other(block: str) -> bool:
    """Whether this is a paragraph, a heading, a rule or code."""
    heading = _HEADING.match(block)
    if heading:
        return "\n" not in block and bool(_text().fullmatch(block, heading.end()))
    return bool(_text().fullmatch(block) or _OTHER.fullmatch(block))


@cache
def _text() -> re.Pattern[str]:
    """Running text; compiled when it is needed, because that takes milliseconds."""
    return re.compile(_TEXT, re.VERBOSE)


@cache
def _converter() -> Callable[[str], str] | None:
    """What makes HTML of CommonMark; None where the extra is not installed or not wanted."""
    if not extras.fast():
        return None
    try:
        from pyromark import html
    except ImportError:
        return None
    return html
