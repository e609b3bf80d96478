"""The files of reading lists: of everything, of each episode, topic and listening path, in four formats each."""

from __future__ import annotations

import marshal
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from podsite import works
from podsite.artifacts import Artifact, Standing
from podsite.cache import Cache, digest
from podsite.citations import bibtex, csl, prose, ris
from podsite.citations.work import Work, keys, of_reading
from podsite.crew import Crew
from podsite.parts import Reading
from podsite.signatures import digest_of
from podsite.site import Entry, Site

FORMATS = ("bib", "json", "ris", "md")
NAME = "reading"

_KIND = "reading"
_Made = tuple[bytes, tuple[bytes, ...]]  # what a list's files were made of, and the digest of each


class ReadingList(NamedTuple):
    """Readings that are put out together: below which address, under which title, and which file asks for them."""

    address: str
    title: str
    source: str
    readings: Mapping[str, Reading]  # by their normal forms


def lists(site: Site) -> Iterator[ReadingList]:
    """The reading lists of a site, but no empty one."""
    all_of_it = {cited.form: cited.reading for cited in site.readings}

    def of(address: str, name: str, source: str, entries: Iterable[Entry]) -> ReadingList:
        listed = works.listed((entry, entry.episode.further_reading) for entry in entries)
        readings = {form: works.completed(one, all_of_it[form]) for form, (one, _) in listed.items()}
        return ReadingList(address, _titled(site, name), source, readings)

    found = [ReadingList("", _titled(site, site.show.title), "show.yaml", all_of_it)]
    found += [of(one.address, one.episode.title, one.episode.file, (one,)) for one in site.entries]
    found += [of(one.address, one.name, one.entries[-1].episode.file, reversed(one.entries)) for one in site.topics]
    found += [of(one.address, one.title, "show.yaml", (stop.entry for stop in one.stops)) for one in site.routes]
    return (one for one in found if one.readings)


def _titled(site: Site, name: str) -> str:
    return site.words.say("%(name)s: further reading", name=name)


class Exports:
    """Makes the files of reading lists; those that would come out as they stand in the output folder are not made.

    `standing` gives the digest of what a path holds there from the last build, `place` is the folder.
    """

    def __init__(self, site: Site, cache: Cache, standing: Mapping[str, bytes], place: str) -> None:
        self._site, self._cache, self._standing, self._place = site, cache, standing, place
        self._keys = keys({cited.form: cited.reading for cited in site.readings})

    def artifacts(self, crew: Crew, taken: Collection[str]) -> Iterator[Artifact]:
        """Every file, but for those at paths that are `taken`: the show has its own there."""
        stored = self._cache.note(_KIND, self._place)
        old: dict[str, _Made] = marshal.loads(stored) if stored else {}  # noqa: S302 - only data
        known = [(one, self._inputs(one)) for one in lists(self._site)]
        made = {one.address: old[one.address] for one, inputs in known if self._stands(one, inputs, old)}
        missing = [each for each in known if each[0].address not in made]
        files: dict[str, Sequence[bytes]] = {}
        for share in crew.share(missing, lambda part: [(one.address, self._files(one)) for one, _ in part]):
            files |= dict(share)
        for one, inputs in missing:
            made[one.address] = inputs, tuple(digest_of(content) for content in files[one.address])
        if made != old:
            self._cache.keep(_KIND, self._place, marshal.dumps(made))
        for one, _ in known:
            for at, path in enumerate(paths(one.address)):
                if path not in taken:
                    stands = Standing(f"{self._place}/{path}", made[one.address][1][at])
                    yield Artifact(path, files[one.address][at] if one.address in files else stands, one.source)

    def _inputs(self, one: ReadingList) -> bytes:
        """What its files depend on."""
        facts = [(self._keys[form], works.facts_of(reading)) for form, reading in one.readings.items()]
        return digest(one.title, repr(self._site.words), marshal.dumps(facts, 2))  # 2: equal data, equal bytes

    def _stands(self, one: ReadingList, inputs: bytes, old: Mapping[str, _Made]) -> bool:
        before, digests = old.get(one.address, (b"", ()))
        return before == inputs and all(
            self._standing.get(path) == there for path, there in zip(paths(one.address), digests, strict=True)
        )

    def _files(self, one: ReadingList) -> list[bytes]:
        """The list in each format."""
        listed = [of_reading(reading, self._keys[form]) for form, reading in one.readings.items()]
        write: tuple[Callable[[Sequence[Work]], str], ...] = (
            bibtex.entries, csl.entries, ris.entries, lambda works: self._markdown(one.title, works)
        )  # fmt: skip
        return [each(listed).encode() for each in write]

    def _markdown(self, title: str, listed: Sequence[Work]) -> str:
        words = self._site.words
        shelves: dict[str | None, list[Work]] = defaultdict(list)
        for work in listed:
            shelves[work.kind].append(work)
        named = [(words.say(name), shelves[kind]) for kind, name in prose.SHELVES.items() if shelves[kind]]
        return prose.markdown(title, named, words.say("Archived copy"))


def paths(address: str) -> list[str]:
    """The files of the reading list at an address."""
    return [f"{address}{NAME}.{ending}" for ending in FORMATS]
