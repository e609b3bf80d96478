"""Who of show.yaml somebody is whom a transcript names."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

from podsite import values
from podsite.model import Episode
from podsite.parts import Cue, Passage, Person
from podsite.records import dataclass

Said = TypeVar("Said", Cue, Passage)


@dataclass(frozen=True, slots=True)
class Speaker:
    """A person as a speaker: the name as show.yaml writes it, and the id."""

    name: str
    person: str


class Circle:
    """The people of a show, found by the names that transcripts give them."""

    def __init__(self, people: Mapping[str, Person]) -> None:
        self._people = people
        self._ids: dict[str, list[str]] = {}
        for one, person in people.items():
            for name in dict.fromkeys((_bare(person.name), _bare(one))):
                self._ids.setdefault(name, []).append(one)

    def speakers(self, episode: Episode) -> Mapping[str, Speaker]:
        """Those speakers of an episode's transcript who are somebody, by the names it gives them.

        `speakers` of the episode's file comes first. Then letter case, accents and punctuation do not matter, an id
        is as good as a name, and a first name is enough where one person of the episode has it.
        """
        transcript = episode.transcript
        if transcript is None or not transcript.names:
            return {}
        here = [credit.person for credit in episode.people if credit.person in self._people]
        first = Counter(_first(self._people[one].name) for one in dict.fromkeys(here))
        alone = {name: one for one in here if first[name := _first(self._people[one].name)] == 1}
        found = {}
        for name in transcript.names:
            one = transcript.speakers.get(name) or self._same(name, here) or alone.get(_bare(name))
            if one and one in self._people:
                found[name] = Speaker(self._people[one].name, one)
        return found

    def _same(self, name: str, here: Iterable[str]) -> str | None:
        """Who has this very name; of two, the one who takes part."""
        alike = self._ids.get(_bare(name), [])
        nearer = [one for one in alike if one in here]
        best = nearer or alike
        return best[0] if len(best) == 1 else None


def named(said: Iterable[Said], speakers: Mapping[str, Speaker]) -> Iterator[Said]:
    """Cues or passages with the names and ids of the people who speak."""
    for one in said:
        who = speakers.get(one.speaker or "")
        yield replace(one, speaker=who.name, person=who.person) if who else one


@lru_cache(maxsize=4096)
def _bare(name: str) -> str:
    """A name without accents and in small letters, its words joined by hyphens."""
    letters = unicodedata.normalize("NFD", name.casefold())
    return values.slug(re.sub("[\u0300-\u036f]", "", letters))


def _first(name: str) -> str:
    """A person's first name, without titles that are abbreviated."""
    words = [word for word in name.split() if not word.endswith(".")]
    return _bare(words[0]) if words else ""
