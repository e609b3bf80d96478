"""Names of people and organisations, taken apart as citations need them."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from podsite.records import dataclass

_PARTICLES = frozenset(
    re.findall(
        r"\S+",
        "af al am an auf aus av bin ben ibn da dal das de degli dei del della den der des di do dos du e el la las le"
        " les los lo of op 's 't ten ter tho thoe til to ud van vom von y z zu zum zur",
    )
)
_SUFFIXES = re.compile(r"(?:jr|sr)\.?|ii|iii|iv", re.IGNORECASE)
# Words that stand in names of organisations and not in those of people.
_ORGANISATION = re.compile(
    r"\b(?:team|inc|ltd|llc|gmbh|corp|corporation|company|foundation|university|universit\w+|institute|institut\w*"
    r"|college|school|department|laborator\w+|labs?|consortium|committee|council|community|project|group|society"
    r"|association|organi[sz]ation|agency|authors|contributors|developers|maintainers|members|press|network|centre"
    r"|center|alliance|collaboration|government|ministry|office|library|museum|podcast|editors|staff)\b|^the\s|\d|[&/@]|\band\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Name:
    """A person by parts, or the whole name (`literal`) of whom has no parts: an organisation, a name of one word."""

    literal: str = ""
    given: str = ""
    particle: str = ""
    family: str = ""
    suffix: str = ""

    @property
    def sorted(self) -> str:
        """As lists of names have it: `van Beethoven, Ludwig`."""
        return self.literal or ", ".join(part for part in (self.surname, self.suffix, self.given) if part)

    @property
    def surname(self) -> str:
        """The family's name with its particle, or the whole name."""
        return self.literal or f"{self.particle} {self.family}".strip()

    @property
    def short(self) -> str:
        """With first letters of the given names, as reference lists of APA style have it: `Yang, E. Z.`"""
        firsts = " ".join("-".join(f"{part[0]}." for part in word.split("-") if part) for word in self.given.split())
        return self.literal or ", ".join(part for part in (self.surname, firsts, self.suffix) if part)


@cache
def _family_first() -> re.Pattern[str]:
    """Scripts in which the family's name stands first: Chinese characters, kana and hangul.

    Compiled when it is needed, since that takes long.
    """
    return re.compile("[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]")


@lru_cache(maxsize=4096)
def name(text: str) -> Name:
    """The parts of a name as people write it.

    `Edward Z. Yang`, `Yang, Edward Z.`, `Ludwig van Beethoven`, `山田 太郎`. One that looks like that of an
    organisation or has one word only is taken whole.
    """
    text = " ".join(text.split())
    if text.count(",") in {1, 2} and not _ORGANISATION.search(text):
        parts = [part.strip() for part in text.split(",")]
        if all(parts):
            family, given, suffix = (parts[0], parts[-1], parts[1] if len(parts) == 3 else "")
            if len(parts) == 2 and _SUFFIXES.fullmatch(given):
                return _in_order(family.split(), given)
            return _parted(family.split(), given, suffix)
    words = text.split()
    if len(words) < 2 or "," in text or _ORGANISATION.search(text):
        return Name(literal=text)
    if not text.isascii() and _family_first().search(text):
        return Name(family=words[0], given=" ".join(words[1:])) if len(words) == 2 else Name(literal=text)
    suffix = words.pop() if len(words) > 2 and _SUFFIXES.fullmatch(words[-1]) else ""
    return _in_order(words, suffix)


def _in_order(words: list[str], suffix: str) -> Name:
    """A name whose given names stand first."""
    if len(words) < 2:
        return Name(literal=" ".join([*words, suffix]).strip())
    start = next((at for at in range(1, len(words) - 1) if words[at] in _PARTICLES), len(words) - 1)
    return _parted(words[start:], " ".join(words[:start]), suffix)


def _parted(words: list[str], given: str, suffix: str) -> Name:
    """The particles of a family's name told from the name itself."""
    end = 0
    while end < len(words) - 1 and words[end] in _PARTICLES:
        end += 1
    return Name(given=given, particle=" ".join(words[:end]), family=" ".join(words[end:]), suffix=suffix)
