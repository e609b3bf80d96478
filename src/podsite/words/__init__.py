"""The words of the interface in the site's language: what a visitor reads that stands in no file of the show.

Templates mark them with `_()` and `ngettext()`; Python says them with `Words.say` and `Words.count`, or marks them with
`marked` where they are only named. What is marked is English, and is found in the catalogue of another language.
"""

from __future__ import annotations

import hashlib
import html
import re
from collections.abc import Mapping
from typing import Any

from podsite import locales
from podsite.words import catalogues, own
from podsite.words.catalogues import Text, Texts, key

PLACE = re.compile(r"%\((\w+)\)s")  # of a value in a text
_MARKUP = re.compile(r"<|&[#\w]+;")
_NOTHING: Texts = {}


def marked(text: str) -> str:
    """The text itself, which translators will find: for words in tables, that are said elsewhere."""
    return text


class Words:
    """The words of one language and one show; English where they are missing.

    Whole numbers among the values of a text are written as the language does; give `str(n)` for a year or a name, which
    has the language's digits but no groups.
    """

    def __init__(self, language: str, replaced: Mapping[str, Text] = _NOTHING) -> None:
        self.language = language
        catalogue = catalogues.known(language)
        self._own = own.merged(language, replaced) if replaced else _NOTHING
        self._texts = {} if catalogue in {None, "en"} else catalogues.texts(catalogue or "en")
        if self._own:
            self._texts = {**self._texts, **self._own}
        self.spoken = language if catalogue or self._own else "en"

    def __repr__(self) -> str:
        said = repr((self.language, self._texts)).encode("utf-8", "surrogatepass")
        return f"<words {hashlib.blake2b(said, digest_size=12).hexdigest()}>"

    def __getitem__(self, at: str) -> Text:
        """The text at a key of the catalogue. Raises KeyError where English stands for itself."""
        return self._texts[at]

    def say(self, text: str, **values: object) -> str:
        """A text with its `%(name)s` filled in, as plain text."""
        found = self._texts.get(text, text)
        return (found if isinstance(found, str) else text) % self._written(values)

    def count(self, one: str, many: str, count: int, **values: object) -> str:
        """The form of a text that goes with a number, which is `%(num)s` in it, as plain text."""
        return self._form(one, one, many, count) % self._written({"num": count, **values})

    def source(self, text: str, meaning: str = "") -> str:
        """A text as HTML, its places unfilled; `meaning` tells apart what only English says with one word."""
        at = key(text, meaning)
        found = self._texts.get(at, text)
        return self._html(at, text, found if isinstance(found, str) else text)

    def source_of(self, one: str, many: str, count: int) -> str:
        """The form of a text that goes with a number, as HTML, its places unfilled."""
        return self._html(one, many, self._form(one, one, many, count))

    def script(self, text: str) -> str:
        """A text for a script, which fills in its `{name}`."""
        found = self._texts.get(text, text)
        return _for_script(found if isinstance(found, str) else text)

    def script_count(self, one: str, many: str) -> dict[str, str]:
        """The forms of a text by the kind of number they go with, as Intl.PluralRules names it."""
        found = self._texts.get(one, {"one": one, "other": many})
        return {kind: _for_script(form) for kind, form in (found if isinstance(found, Mapping) else {}).items()}

    def shown(self, value: Any) -> Any:
        """A value as it stands in a text of this language: numbers, and the digits of names, in its way of writing."""
        if type(value) is int:
            return locales.number(value, self.language)
        return locales.digits(value, self.language) if type(value) is str and value.isdecimal() else value

    def _written(self, values: Mapping[str, object]) -> Mapping[str, object]:
        return {name: self.shown(value) for name, value in values.items()}

    def _form(self, at: str, one: str, many: str, count: int) -> str:
        found = self._texts.get(at)
        if not isinstance(found, Mapping):
            return one if count == 1 else many
        return found.get(locales.plural(count, self.language)) or found["other"]

    def _html(self, at: str, original: str, text: str) -> str:
        """A text as HTML: that of a catalogue is HTML where the original is."""
        if not _MARKUP.search(original):
            return html.escape(text, quote=True)
        return own.escaped(text, original) if at in self._own else text


def _for_script(text: str) -> str:
    return PLACE.sub(r"{\1}", text).replace("%%", "%")


ENGLISH = Words("en")
