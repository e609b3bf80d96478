"""Texts with places to fill, cut once so that filling them costs little."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup, escape

from podsite.words import PLACE, Words


class Pattern:
    """HTML with `%(name)s` in it: what stands before the first place, and each place with what stands behind it."""

    __slots__ = ("places", "start")

    def __init__(self, source: str) -> None:
        start, *rest = (part.replace("%%", "%") for part in PLACE.split(source))
        self.start = Markup(start)  # noqa: S704 - of a template or catalogue, else escaped already
        self.places = tuple(zip(rest[::2], rest[1::2], strict=True))

    def filled(self, values: Mapping[str, Any], words: Words) -> Markup:
        """The text with its values, escaped where they are no HTML. Raises KeyError for one that is not given."""
        parts: list[str] = [self.start]
        for name, behind in self.places:
            value = values[name]
            parts += (escape(words.shown(value)), behind)
        return Markup("".join(parts))  # noqa: S704 - each part is
