"""A show's own words in place of those of the interface: which text they are for, and what is wrong with them."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator, Mapping

from podsite.errors import hint
from podsite.words import catalogues
from podsite.words.catalogues import Text, Texts

_PLACE = re.compile(r"%\(\w+\)s")
_TAG = re.compile(r"<[^<>]*>")
_NUMBER = "%(num)s"  # forms for one or two may do without it


def matching(said: str, language: str) -> list[str]:
    """The keys of what is said so in English, else of what is shown so in the language."""
    in_english = catalogues.texts("en")
    found = [key for key in in_english if catalogues.english(key) == said]
    found = found or [key for key, text in in_english.items() if said in _forms(text)]
    catalogue = catalogues.known(language)
    if found or not catalogue:
        return found
    return [key for key, text in catalogues.texts(catalogue).items() if said in _forms(text)]


def merged(language: str, own: Mapping[str, Text]) -> Texts:
    """The show's texts by their keys; a `%` that begins no place is a percent sign."""
    in_english = catalogues.texts("en")
    found: dict[str, Text] = {}
    for said, text in own.items():
        for key in matching(said, language):
            forms = {kind: _plain(form) for kind, form in text.items()} if isinstance(text, Mapping) else None
            only = _plain(text) if isinstance(text, str) else _plain(text["other"])
            if isinstance(in_english[key], str):
                found[key] = only
            else:
                found[key] = forms or {"other": only}
    return found


def _plain(text: str) -> str:
    return "".join(
        part if _PLACE.fullmatch(part) else part.replace("%", "%%") for part in re.split(f"({_PLACE.pattern})", text)
    )


def faults(language: str, own: Mapping[str, Text]) -> Iterator[tuple[str, str]]:
    """What is wrong with a show's own words: each of them, and a message."""
    for said, text in own.items():
        keys = matching(said, language)
        if not keys:
            tip = hint(said, _sayings(language)) or "; the reference of words lists all it says"
            yield said, f"podsite says no '{said}'{tip}"
        for key in keys[:1]:
            for form in _forms(text):
                fault = _fault(catalogues.texts("en")[key], form)
                if fault:
                    yield said, fault


def _fault(original: Text, form: str) -> str | None:
    """What a form lacks of the original's places and tags, or has besides."""
    model = _forms(original)[-1]
    wanted, found = Counter(_PLACE.findall(model)), Counter(_PLACE.findall(form))
    if isinstance(original, Mapping) and not found[_NUMBER]:
        del wanted[_NUMBER]
    tags = Counter(_TAG.findall(model)), Counter(_TAG.findall(form))
    missing = [*(wanted.keys() - found.keys()), *(tags[0] - tags[1])]
    surplus = [*(found.keys() - wanted.keys()), *((tags[1] - tags[0]) if tags[0] else ())]
    if missing:
        return f"'{form}' lacks {' and '.join(sorted(missing))}, which '{model}' has; put it where it belongs"
    if surplus:
        return f"'{form}' has {' and '.join(sorted(surplus))}, which '{model}' does not have; leave it out"
    return None


def _sayings(language: str) -> Iterator[str]:
    for catalogue in ("en", catalogues.known(language)):
        for text in catalogues.texts(catalogue).values() if catalogue else ():
            yield from _forms(text)


def _forms(text: Text) -> list[str]:
    return [text] if isinstance(text, str) else [*text.values()]


def escaped(text: str, original: str) -> str:
    """A show's own text as HTML: everything is text, but for the tags that the original has."""
    tags = set(_TAG.findall(original))
    parts = re.split(f"({_TAG.pattern})", text)
    return "".join(part if part in tags else html.escape(part) for part in parts)
