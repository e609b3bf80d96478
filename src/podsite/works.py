"""What episodes recommend, each work once, however often and under which of its addresses it is named."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import TypeVar

from podsite.normal import normal
from podsite.parts import Reading

T = TypeVar("T")

_FACTS = ("title", "kind", "authors", "year", "archive", "whole")
_BRACED = re.compile(r"\{\s*([^{}]*[^{}\s])\s*\}")

facts_of = attrgetter("url", *_FACTS, "note")  # all that is written of a reading, as plain data


def prepared(reading: Reading) -> Reading:
    """A reading as its file has it, with the form of its address, and braces taken off its authors' names."""
    if not any("{" in name for name in reading.authors):
        return replace(reading, form=normal(reading.url))
    whole = tuple(found[1] for name in reading.authors if (found := _BRACED.fullmatch(name)))
    authors = tuple(found[1] if (found := _BRACED.fullmatch(name)) else name for name in reading.authors)
    return replace(reading, form=normal(reading.url), authors=authors, whole=whole)


def form_of(reading: Reading) -> str:
    """The normal form of a reading's address."""
    return reading.form or normal(reading.url)


def listed(recommended: Iterable[tuple[T, Sequence[Reading]]]) -> Mapping[str, tuple[Reading, list[T]]]:
    """Each work by its normal form: what is known of it, and who recommends it, in the order of their coming.

    It is called what it was called first; what that left out is taken from later ones.
    """
    found: dict[str, tuple[Reading, list[T]]] = {}
    for one, readings in recommended:
        for reading in readings:
            form = form_of(reading)
            if form not in found:
                found[form] = reading, [one]
                continue
            known, where = found[form]
            if known != reading:
                found[form] = completed(known, reading), where
            if where[-1] is not one:
                where.append(one)
    return found


def completed(known: Reading, other: Reading) -> Reading:
    """A reading with the facts that another one of the same work has and it has not; remarks are no facts."""
    missing = {fact: getattr(other, fact) for fact in _FACTS if not getattr(known, fact) and getattr(other, fact)}
    if known.authors:
        missing.pop("whole", None)
    return replace(known, **missing) if missing else known
