"""The catalogues that podsite ships: each word of the interface in a language, by its English text.

`LANGUAGE.po` is what translators edit; `LANGUAGE.json` says the same and is read in a moment; scripts/words.py makes
the one of the other.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

#: A text; or its forms by the kind of number they go with, as CLDR names the kinds: one, few, many, other, …
Text = str | Mapping[str, str]

#: Texts by their English ones, for several forms the first; before it a meaning and \x04, where English needs it.
Texts = Mapping[str, Text]

LANGUAGES = ("ar", "de", "en", "es", "fr", "it", "ja", "nl", "pt", "zh", "zh-Hant")

_TRADITIONAL = {"Hant", "TW", "HK", "MO"}  # the script, and where Chinese is written in it

FOLDER = Path(__file__).parent
BETWEEN = "\x04"  # a meaning and its text, as gettext puts it


def known(language: str) -> str | None:
    """The catalogue for a language, of a region or script or not."""
    code, *more = language.split("-")
    if code == "zh" and "Hans" not in more and _TRADITIONAL.intersection(more):
        return "zh-Hant"
    return code if code in LANGUAGES else None


@cache
def texts(catalogue: str) -> Texts:
    """The texts of a catalogue."""
    found: Texts = json.loads((FOLDER / f"{catalogue}.json").read_bytes())
    return found


def key(text: str, meaning: str = "") -> str:
    """Where a text stands in a catalogue."""
    return f"{meaning}{BETWEEN}{text}" if meaning else text


def english(key: str) -> str:
    """The text that stands at a key."""
    return key.rpartition(BETWEEN)[2]
