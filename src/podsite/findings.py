"""What reading a site finds: texts, media facts, places of keys, and every problem on the way."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import astuple
from pathlib import Path, PurePosixPath
from typing import TypeVar

from podsite import embedded, textfile
from podsite.cache import Cache, digest
from podsite.decode import Clock, decode
from podsite.errors import ContentError, Place, Problem, Severity
from podsite.files import Files
from podsite.media import AudioFacts, ImageFacts, image_facts, type_by_name
from podsite.parts import Chapter
from podsite.signatures import is_same
from podsite.values import is_url

T = TypeVar("T")
Places = Mapping[str, Mapping[str, tuple[int, int]]]


def place_of(places: Places, file: str, path: str) -> Place:
    """Where a file says something: the nearest place known for `further_reading[2].url`."""
    known = places.get(file, {})
    while path and path not in known:
        path = path[: max(path.rfind("."), path.rfind("["), 0)]
    return Place(file, *known.get(path, (0, 0)))


class Findings:
    """Gathers a site's files and everything wrong with them."""

    def __init__(self, files: Files, cache: Cache) -> None:
        self.files = files
        self._measured = cache.pack("media")
        self.problems: list[Problem] = []
        self.places: dict[str, Mapping[str, tuple[int, int]]] = {}
        self.facts: dict[str, AudioFacts | ImageFacts] = {}
        self.faulty: dict[str, frozenset[str]] = {}  # keys at the top of a file that could not be read

    def problem(self, file: str, path: str, message: str, severity: Severity = "error") -> None:
        """Note something wrong with a key of a file."""
        self.problems.append(Problem(place_of(self.places, file, path), path, message, severity))

    def text(self, file: str) -> str | None:
        """The text of a file; None when it cannot be read, which is then noted."""
        fault = self.files.fault(file)
        if fault:
            self.problem(file, "", fault)
            return None
        try:
            return textfile.load(self.files.root / file, file)
        except ContentError as error:
            self.problems += error.problems
            return None

    def decoded(self, file: str, kind: type[T], clock: Clock | None = None) -> T | None:
        """A YAML file as a `kind` of the model, faulty keys at their defaults; everything wrong is noted."""
        text = self.text(file)
        if text is None:
            return None
        found = decode(text, file, kind, clock)
        self.problems += found.problems
        self.places[file] = found.places
        self.faulty[file] = found.faulty
        return found.rough

    def remarks(self, file: str, remarks: Iterable[tuple[int, str]]) -> None:
        """Note what was mended while a companion was read: line and message."""
        self.problems += [Problem(Place(file, line, 1), "", message, "warning") for line, message in remarks]

    def file(self, source: str, path: str, named: str) -> str | None:
        """The file that a key of `source` names, by its path in the site: beside `source`, else from the root."""
        beside = (PurePosixPath(source).parent / named).as_posix()
        found = self.files.first(beside, named)
        if found is None:
            top = PurePosixPath(named).parts[0]
            from_root = "/" in named and top in self.files.names("")
            self.problem(source, path, self.files.fault(named if from_root else beside) or "")
        return found

    def beside(self, stem: str, *endings: str) -> str | None:
        """The first of the companions of a stem that lies there; one that cannot be used is noted."""
        folder, _, name = stem.rpartition("/")
        names = self.files.names(folder)
        for ending in endings:
            if name + ending in names:
                fault = self.files.fault(stem + ending)
                if fault is None:
                    return stem + ending
                self.problem(stem + ending, "", fault)
        return None

    def image(self, source: str, path: str, named: str | None) -> str | None:
        """A picture by its path in the site, found and measured; web addresses pass unchanged."""
        if named is None or is_url(named):
            return named
        found = self.file(source, path, named)
        if found is None:
            return None
        if not (type_by_name(found) or "").startswith("image/"):
            self.problem(source, path, f"'{found}' is no picture by its ending; expected one such as .jpg or .png")
        elif not found.lower().endswith(".svg"):
            self.measure(source, path, found, image_facts)
        return found

    def embedded(self, media: str) -> tuple[Chapter, ...]:
        """The chapters inside a recording, found out once."""
        look = self.files.looked(media)
        key = digest("chapters", media, *map(repr, look))
        stored = self._measured.get(key)
        if stored is not None:
            return tuple(Chapter(start=start, title=title, url=url) for start, title, url in json.loads(stored))
        found = embedded.chapters(self.files.root / media)
        if is_same(f"{self.files.root}/{media}", look):
            self._measured.put(key, json.dumps([(one.start, one.title, one.url) for one in found]).encode())
        return found

    def measure(self, source: str, path: str, media: str, facts: Callable[[Path], AudioFacts | ImageFacts]) -> None:
        """Keep the facts of a media file; note it when it is none."""
        if media in self.facts:
            return
        try:
            self.facts[media] = self._facts(media, facts)
        except (ValueError, OSError) as error:
            self.problem(source, path, f"'{media}' {error}")

    def _facts(self, media: str, facts: Callable[[Path], AudioFacts | ImageFacts]) -> AudioFacts | ImageFacts:
        """The facts of a file, found out once: the system tells when anything was written to it."""
        key = digest(facts.__name__, media, *map(repr, self.files.looked(media)))
        kind = ImageFacts if facts is image_facts else AudioFacts
        stored = self._measured.get(key)
        if stored is not None:
            known: AudioFacts | ImageFacts = kind(*json.loads(stored))
            return known
        found = facts(self.files.root / media)
        if is_same(f"{self.files.root}/{media}", self.files.looked(media)):
            self._measured.put(key, json.dumps(astuple(found)).encode())
        return found
