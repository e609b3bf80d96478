"""Numbers, dates and lists as a language writes them, from what babel knows about it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from babel import Locale


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


@lru_cache(maxsize=4096)
def number(count: float, language: str) -> str:
    """A number with its groups and decimals: `1,024`."""
    from babel.numbers import format_decimal

    return format_decimal(count, locale=locale(language))


@lru_cache(maxsize=4096)
def listed(names: tuple[str, ...], language: str) -> str:
    """Names in a row, without a last "and": `Ada, Grace`."""
    from babel.lists import format_list

    return format_list(names, style="unit", locale=locale(language))
