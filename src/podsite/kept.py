"""Episodes as they were read before, companions included, kept under what their files hold.

What comes back is data of the model and nothing else: no code is run for it, whoever wrote the cache.
"""

from __future__ import annotations

import marshal
from collections.abc import Mapping, Sequence
from typing import Any

from podsite import companions, pickles, textfile
from podsite.cache import Cache, digest
from podsite.crew import Crew
from podsite.decode import Clock, Places, decode
from podsite.errors import ContentError
from podsite.findings import Findings
from podsite.model import Episode
from podsite.signatures import Signature, digest_at, digest_of, is_same

_PACK = "episode"
_NOTE = "episodes"
_TEXTS = (".yaml", ".md", ".vtt", ".srt", ".json", ".txt", ".html", ".htm")
_Looks = tuple[tuple[str, Signature], ...]  # the files of an episode's name, as they were


class Kept:
    """Reads episodes, those of earlier builds from the cache: one that is as it was costs no reading of its files."""

    def __init__(self, cache: Cache, findings: Findings) -> None:
        self._cache, self._findings, self._files = cache, findings, findings.files
        self._pack = cache.pack(_PACK)
        stored = cache.note(_NOTE, "")
        # the files of each episode when it was last read, and the key of what they held
        self._known: dict[str, tuple[_Looks, bytes]] = marshal.loads(stored) if stored else {}  # noqa: S302 - only data
        self._keys: dict[str, bytes | None] = {}
        self._clock: tuple[Clock | None, bytes] = None, b""  # as it stands in keys
        self._seen: dict[str, tuple[_Looks, bytes]] = {}
        self._companions: dict[str, list[str]] = {}
        self._ready: dict[str, Episode | None] = {}  # read by this process
        self.versions: dict[str, bytes] = {}  # of episodes by file: another one means that something was edited

    def episode(self, file: str, clock: Clock) -> Episode | None:
        """The episode of a file with its companions; None, with everything wrong noted, where there is none in it."""
        if file in self._ready:
            return self._ready[file]
        key = self._key(file, clock)
        found = self._find(key, file, clock) if key else None
        return found or self._read(key, file, clock)

    def prepare(self, files: Sequence[str], clock: Clock, crew: Crew) -> None:
        """Read what is not in the cache, together with others, so that `episode` finds it."""
        missing = [file for file in files if not self._is_at_hand(file, clock)]
        for part in self._cache.prepare(crew, missing, lambda part: self._prepared(part, clock)):
            for file, key, seen, looks in part:
                self._keys[file] = key
                self._files.used.update(looks)
                if seen:
                    self._seen[file] = seen

    def _prepared(self, files: Sequence[str], clock: Clock) -> list[tuple[Any, ...]]:
        """Read these, and tell of each its key and how its files looked, so that they are not read once more."""
        told = []
        for file in files:
            key = self._key(file, clock)
            if not (key and self._pack.has(key)):
                self._ready[file] = self._read(key, file, clock)
            looks = {name: self._files.used[name] for name in self._own(file) if name in self._files.used}
            told.append((file, key, self._seen.get(file), looks))
        return told

    def _is_at_hand(self, file: str, clock: Clock) -> bool:
        """Whether an episode is in the cache, as far as that is known without reading its files."""
        names, known = sorted(self._own(file)), self._known.get(file)
        if known is None or self._settled(names) != known[0] or not all(map(self._files.is_sound, names)):
            return False
        self._seen[file] = known
        key = self._keys[file] = self._timed(known[1], clock)
        return self._pack.has(key)

    def _read(self, key: bytes | None, file: str, clock: Clock) -> Episode | None:
        findings, begin = self._findings, len(self._findings.problems)
        asked: set[str] = set()
        self._files.asked = asked
        decoded = findings.decoded(file, Episode, clock)
        if decoded is None:
            return None
        episode = companions.joined(findings, decoded, file)
        problems = tuple(findings.problems[begin:])
        if key and not findings.faulty[file] and not any(problem.severity == "error" for problem in problems):
            others = [self._other(name) for name in sorted(asked - self._own(file))]
            facts = {name: findings.facts[name] for name in asked if name in findings.facts}
            stored = pickles.dumps((others, episode, problems, facts))
            if all(is_same(f"{self._files.root}/{name}", self._files.used[name]) for name in asked | self._own(file)):
                self._pack.put(key, stored)  # else somebody saved a file meanwhile, and the key is of what it held
                findings.places[file] = Places(lambda: self._places(file, clock))  # which do not hold the text
            self.versions[file] = digest_of(stored)
        return episode

    def _find(self, key: bytes, file: str, clock: Clock) -> Episode | None:
        """The episode kept under a key, with all that was found out when it was read."""
        stored = self._pack.get(key)
        if stored is None:
            return None
        try:
            others, episode, problems, facts = pickles.loads(stored)
        except pickles.DAMAGED:
            return None
        if any(self._other(known[0]) != known for known in others):
            return None
        findings = self._findings
        findings.problems += problems
        findings.facts |= facts
        findings.faulty[file] = frozenset()
        findings.places[file] = Places(lambda: self._places(file, clock))
        self.versions[file] = digest_of(stored)
        found: Episode = episode
        return found

    def _places(self, file: str, clock: Clock) -> Mapping[str, tuple[int, int]]:
        try:
            return decode(textfile.load(self._files.root / file, file), file, Episode, clock).places
        except ContentError:  # taken away while the build goes on
            return {}

    def _key(self, file: str, clock: Clock) -> bytes | None:
        """What an episode depends on, as far as the files of its name go; None where one cannot simply be read."""
        if file not in self._keys:
            self._keys[file] = self._new_key(file, clock)
        return self._keys[file]

    def _new_key(self, file: str, clock: Clock) -> bytes | None:
        names = sorted(self._own(file))
        if not all(map(self._files.is_sound, names)):
            return None
        held = [self._content(name) if name.endswith(_TEXTS) else self._status(name) for name in names]
        if None in held:
            return None
        inner = digest(file, *(part for pair in zip(names, held, strict=True) for part in pair))
        if settled := self._settled(names):
            self._seen[file] = settled, inner
        return self._timed(inner, clock)

    def _timed(self, inner: bytes, clock: Clock) -> bytes:
        """The key of an episode that depends on the hours of a show."""
        if self._clock[0] is not clock:
            self._clock = clock, repr(clock).encode()
        return digest_of(inner + self._clock[1])

    def _settled(self, names: Sequence[str]) -> _Looks | None:
        """How files look; None where one of them is missing, or too young to be known by that."""
        looks = [(name, *self._files.looked(name)) for name in names]
        settled = tuple([(name, signature) for name, signature, young in looks if signature and not young])
        return settled if len(settled) == len(names) else None

    def _other(self, name: str) -> tuple[str, str | None, bytes | None]:
        """What there is to say about a file that an episode names."""
        return name, self._files.fault(name), self._status(name)

    def done(self) -> None:
        """Remember what the files hold, so that the next build need not read them."""
        if self._seen != self._known:
            self._cache.keep(_NOTE, "", marshal.dumps(self._seen))

    def _own(self, file: str) -> set[str]:
        """The files of a name: an episode's and those beside it."""
        stem = file.removesuffix(".yaml")
        folder = file.rpartition("/")[0]
        if not self._companions:
            for name in self._files.names(folder):
                for end, letter in enumerate(name):
                    if letter == ".":
                        self._companions.setdefault(f"{folder}/{name[:end]}", []).append(f"{folder}/{name}")
        return {file, *self._companions.get(stem, ())}

    def _content(self, file: str) -> bytes | None:
        """A digest of what a text holds."""
        return self._files.looked(file)[1] or digest_at(f"{self._files.root}/{file}")

    def _status(self, file: str) -> bytes | None:
        """What tells whether a recording or picture was changed."""
        signature, young = self._files.looked(file)
        return repr(signature).encode() + (young or b"") if signature else None
