"""Numbers and lists as a language writes them, from what babel knows about it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from babel import Locale

#: Where the digits of a numbering system begin, for those that some language of CLDR is written with by default.
_ZEROS = {
    "adlm": 0x1E950, "arab": 0x660, "arabext": 0x6F0, "beng": 0x9E6, "cakm": 0x11136, "deva": 0x966, "hmnp": 0x1E140,
    "mtei": 0xABF0, "mymr": 0x1040, "nkoo": 0x7C0, "olck": 0x1C50, "rohg": 0x10D30, "tibt": 0xF20,
}  # fmt: skip
#: The languages that are written with them somewhere; nobody has to ask babel, which takes its time, about any other.
_WITH_OWN = frozenset({
    "ar", "as", "az", "bgc", "bgn", "bho", "bn", "ccp", "ckb", "dz", "fa", "ff", "hnj", "ks", "lrc", "mni", "mr", "mww",
    "my", "mzn", "ne", "nqo", "pa", "ps", "raj", "rhg", "sa", "sat", "sd", "sdh", "ur", "uz",
})  # fmt: skip


@lru_cache
def locale(language: str) -> Locale:
    """What babel knows about a language; the tag without its last parts where it does not know all of it."""
    from babel import Locale, UnknownLocaleError

    parts = language.split("-")
    while parts:
        try:
            return Locale.parse("-".join(parts), sep="-")
        except (UnknownLocaleError, ValueError):
            parts.pop()
    return Locale("en")


@lru_cache
def _digits(language: str) -> dict[int, int]:
    """Latin digits and those that the language is written with, where they are others."""
    if language.partition("-")[0].lower() not in _WITH_OWN:
        return {}
    zero = _ZEROS.get(locale(language).default_numbering_system)
    return {ord("0") + digit: zero + digit for digit in range(10)} if zero else {}


def digits(text: str, language: str) -> str:
    """A text with the digits of the language: `١٢` in Egyptian Arabic, `12` in most."""
    table = _digits(language)
    return text.translate(table) if table else text


@lru_cache(maxsize=4096)
def number(count: float, language: str) -> str:
    """A number with its groups and decimals: `1,024`."""
    from babel.numbers import format_decimal

    return digits(format_decimal(count, locale=locale(language), numbering_system="default"), language)


@lru_cache(maxsize=4096)
def plural(count: int, language: str) -> str:
    """The kind of a number, by which words have their forms: `one`, `few`, `other`, …"""
    kind: str = locale(language).plural_form(count)
    return kind


def listed(names: Sequence[str], language: str) -> str:
    """Names in a row: `Ada, Grace, and Joan`."""
    from babel.lists import format_list

    return format_list(names, locale=locale(language))
