"""The files of reading lists: of everything, of each episode, topic and listening path, in four formats each."""

from __future__ import annotations

import marshal
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property

from podsite import works
from podsite.artifacts import Artifact, Standing
from podsite.cache import digest
from podsite.citations import bibtex, csl, prose, ris
from podsite.citations.work import Work, keys, of_reading
from podsite.marks import Marks
from podsite.paper import Paper
from podsite.parts import Reading
from podsite.records import dataclass
from podsite.relations import recommended
from podsite.roots import SHOW
from podsite.signatures import digest_of
from podsite.site import Entry, Site

FORMATS = ("bib", "json", "ris", "md")
NAME = "reading"

_KIND = "reading"
_Made = tuple[str, bytes, tuple[bytes, ...]]  # a list in short, what its files are made of, and the digest of each


@dataclass(frozen=True)
class ReadingList:
    """What episodes recommend, put out together: below which address, under which title, which file asks for it."""

    address: str
    title: str
    source: str
    entries: Sequence[Entry]  # in the order of their readings
    whole: Mapping[str, Reading]  # every work of the site by its normal form, with all that is known of it

    @property
    def short(self) -> str:
        """What differs where the list does, as long as all episodes recommend what they did."""
        return "\n".join((self.title, *(entry.episode.slug for entry in self.entries)))

    @cached_property
    def readings(self) -> Mapping[str, Reading]:
        """The works by their normal forms."""
        listed = works.listed((entry, entry.episode.further_reading) for entry in self.entries)
        return {form: works.completed(one, self.whole[form]) for form, (one, _) in listed.items()}


def lists(site: Site) -> Iterator[ReadingList]:
    """The reading lists of a site, but no empty one."""
    whole = {cited.form: cited.reading for cited in site.readings}

    def of(address: str, name: str, source: str, entries: Sequence[Entry]) -> ReadingList:
        title = site.words.say("%(name)s: further reading", name=name)
        return ReadingList(address, title, source, entries, whole)

    found = [of("", site.show.title, SHOW, site.entries[::-1])]
    found += [of(one.address, one.episode.title, one.episode.file, (one,)) for one in site.entries]
    found += [of(one.address, one.name, one.entries[-1].episode.file, one.entries[::-1]) for one in site.topics]
    found += [of(one.address, one.title, SHOW, [stop.entry for stop in one.stops]) for one in site.routes]
    return (one for one in found if any(entry.episode.further_reading for entry in one.entries))


class Exports:
    """Makes the files of reading lists; those that would come out as they stand in the output folder are not made."""

    def __init__(self, site: Site, marks: Marks, paper: Paper) -> None:
        self._site, self._marks, self._paper = site, marks, paper

    @cached_property
    def _keys(self) -> Mapping[str, str]:
        works = {cited.form: cited.reading for cited in self._site.readings}
        return self._marks.together("cited", [self._frame], lambda: keys(works))

    @cached_property
    def _frame(self) -> bytes:
        """What lists are made of besides their titles and their episodes: all that is recommended, and the words."""
        return digest(repr(self._site.words), recommended(self._marks, self._site))

    def artifacts(self, taken: Collection[str]) -> Iterator[Artifact]:
        """Every file, but for those at paths that are `taken`: the show has its own there."""
        cache, place, frame = self._paper.cache, self._paper.place, self._frame
        stored = cache.note(_KIND, place)
        before, old = marshal.loads(stored) if stored else (None, {})  # noqa: S302 - only data
        made: dict[str, _Made] = {}
        missing = []
        for one in (every := [*lists(self._site)]):
            known = self._known(one, old.get(one.address), is_framed=frame == before)
            made[one.address] = known
            if not self._stands(one, known):
                missing.append(one)
        files: dict[str, Sequence[bytes]] = {}
        for share in self._paper.crew.share(missing, lambda part: [(one.address, self._files(one)) for one in part]):
            files |= dict(share)
        for address, written in files.items():
            made[address] = (*made[address][:2], tuple(map(digest_of, written)))
        if (frame, made) != (before, old):
            cache.keep(_KIND, place, marshal.dumps((frame, made)))
        for one in every:
            for at, path in enumerate(paths(one.address)):
                if path not in taken:
                    stands = Standing(f"{place}/{path}", made[one.address][2][at])
                    yield Artifact(path, files[one.address][at] if one.address in files else stands, one.source)

    def _known(self, one: ReadingList, old: _Made | None, *, is_framed: bool) -> _Made:
        """What is known of a list; without digests where its files would come out otherwise."""
        short = one.short
        if is_framed and old and old[0] == short:
            return old
        facts = [(self._keys[form], works.facts_of(reading)) for form, reading in one.readings.items()]
        inputs = digest(one.title, repr(self._site.words), marshal.dumps(facts, 2))  # 2: equal data, equal bytes
        return short, inputs, old[2] if old and old[1] == inputs else ()

    def _stands(self, one: ReadingList, known: _Made) -> bool:
        standing = self._paper.standing
        return bool(known[2]) and all(
            standing.get(path) == there for path, there in zip(paths(one.address), known[2], strict=True)
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
