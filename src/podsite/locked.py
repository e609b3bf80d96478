"""What podsite.lock holds: the show and its episodes as they went out, as frozen dataclasses without I/O."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from datetime import datetime

from podsite.errors import Place
from podsite.parts import Faults, key
from podsite.recall import LOCK
from podsite.records import dataclass
from podsite.scalars import Duration, FilePath, Guid, Line, Moment, Size, Url, Uuid, Whole

NAME = LOCK
VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class LockedShow:
    """The show's lasting identity, and where apps fetch its feed."""

    guid: Uuid = key("The show's guid.")
    feed: Url = key("Address of the feed.")


@dataclass(frozen=True, slots=True, kw_only=True)
class LockedAudio:
    """A recording as it went out: its address, or its file and what the file held."""

    url: Url | None = key("Its address, where it lies elsewhere.", default=None)
    file: FilePath | None = key("Its file in the site.", default=None)
    sha256: Line | None = key("Fingerprint of the file's content.", default=None)
    length: Size | None = key("Length in bytes.", default=None)
    type: Line = key("Media type.")
    duration: Duration | None = key("Duration in seconds.", default=None)

    def faults(self) -> Faults:
        """Exactly one of file and url; a fingerprint with every file."""
        if (self.file is None) == (self.url is None):
            yield "", "expected either 'url' or 'file'"
        if self.file is not None and not re.fullmatch("[0-9a-f]{64}", self.sha256 or ""):
            yield "sha256" if self.sha256 else "", "expected 64 hexadecimal digits under 'sha256'"


@dataclass(frozen=True, slots=True, kw_only=True)
class LockedEpisode:
    """An episode as it went out."""

    guid: Guid = key("Its guid.")
    title: Line = key("Its title, for messages about it.")
    published: Moment = key("Its date in the feed.")
    first_published: Moment | None = key("Its date when it first went out, where that was another.", default=None)
    audio: LockedAudio | None = key("Its recording.", default=None)

    @property
    def first(self) -> datetime:
        """Its date when it first went out."""
        return self.first_published or self.published


@dataclass(frozen=True, slots=True, kw_only=True)
class Lock:
    """Everything the file says: the show, and its episodes by slug."""

    version: Whole = key("Version of this file's form.", default=VERSION)
    show: LockedShow = key("The show.")
    episodes: Mapping[Line, LockedEpisode] = key("Every episode that is out, by slug.", factory=dict)
    places: Mapping[str, tuple[int, int]] = field(
        default_factory=dict, compare=False, repr=False, metadata={"doc": "Line and column by key.", "derived": True}
    )
    is_written_so: bool = field(
        default=False, compare=False, metadata={"doc": "Whether it stands in its file to the letter.", "derived": True}
    )

    def place(self, path: str) -> Place:
        """Where the file says something: `episodes.intro.guid`."""
        return Place(NAME, *self.places.get(path, (0, 0)))
