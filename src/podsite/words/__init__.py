"""The words of the interface in the site's language: what a visitor reads that stands in no file of the show.

Templates mark them with `_()` and `ngettext()`; Python says them with `Words.say` and `Words.count`, or marks them with
`marked` where they are only named. What is marked is English, and is found in the catalogue of another language.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from podsite.locales import number

if TYPE_CHECKING:
    from markupsafe import Markup

_PLACE = re.compile(r"%\((\w+)\)s")  # of a value in a text


def marked(text: str) -> str:
    """The text itself, which translators will find: for words in tables, that are said elsewhere."""
    return text


class Words:
    """The words of one language; English where they are missing.

    Whole numbers among the values of a text are written as the language does; give `str(n)` for a year or a name.
    """

    def __init__(self, language: str) -> None:
        self.language = language

    def __repr__(self) -> str:
        return f"Words({self.language!r})"

    def say(self, text: str, **values: object) -> str:
        """A text with its `%(name)s` filled in, as plain text."""
        return text % self._written(values)

    def count(self, one: str, many: str, count: int, **values: object) -> str:
        """The form of a text that goes with a number, which is `%(num)s` in it, as plain text."""
        return (one if count == 1 else many) % self._written({"num": count, **values})

    def html(self, text: str, meaning: str = "", **values: object) -> Markup:  # noqa: ARG002
        """A text as HTML, its values escaped; `meaning` tells apart what only English says with one word."""
        from markupsafe import Markup

        return Markup(text) % self._written(values)  # noqa: S704 - of a template

    def html_count(self, one: str, many: str, count: int, **values: object) -> Markup:
        """The form of a text that goes with a number, as HTML."""
        from markupsafe import Markup

        return Markup(one if count == 1 else many) % self._written({"num": count, **values})  # noqa: S704

    def script(self, text: str) -> str:
        """A text for a script, which fills in its `{name}`."""
        return _PLACE.sub(r"{\1}", text).replace("%%", "%")

    def script_count(self, one: str, many: str) -> dict[str, str]:
        """The forms of a text by the kind of number they go with, as Intl.PluralRules names it."""
        return {"one": self.script(one), "other": self.script(many)}

    def _written(self, values: Mapping[str, object]) -> Mapping[str, object]:
        """Values as they stand in a text of this language."""
        return {name: number(value, self.language) if type(value) is int else value for name, value in values.items()}


ENGLISH = Words("en")
