"""What a site is printed with, for everything that makes files of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field

from podsite.cache import Cache
from podsite.crew import Crew
from podsite.records import dataclass

#: Told after each step: what is being made, how many are done, of how many (0 when that is not known yet).
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Paper:
    """The cache, who shares the work, and what stands in the output folder `place`: digests by path.

    `searched` tells whether an index is made.
    """

    cache: Cache
    crew: Crew = field(default_factory=Crew)
    standing: Mapping[str, bytes] = field(default_factory=dict)
    place: str = ""
    searched: bool = False
