"""What each page of the last build was made of, by which this build knows which pages it need not make again."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, NamedTuple

from podsite.cache import Cache
from podsite.images import Images, Sized
from podsite.read import Content
from podsite.records import dataclass
from podsite.signatures import digest_of
from podsite.site import Picture, Site
from podsite.tracing import PAGE, Things, Trace
from podsite.versions import Versions, names_of
from podsite.ways import Steps, Tree, tree_of

_KIND = "pages"


class Asked(NamedTuple):
    """A picture that a template asked for: its facts, the widths, and a digest of what it was given."""

    address: str
    width: int | None
    height: int | None
    file: str | None
    widths: tuple[int, ...]
    given: bytes


class Known(NamedTuple):
    """How a page was made.

    The digests of its template and of its bytes; a key of what it was given, where it has one; the things that were
    read, by the names of their versions; what was read of which thing (the number of a set of paths, the digest of
    the marks); and its pictures.
    """

    template: bytes
    content: bytes
    key: object
    things: tuple[str, ...]
    reads: tuple[tuple[str, int, bytes], ...]
    pictures: tuple[Asked, ...]


@dataclass(slots=True)
class Pictures:
    """The pictures a page may ask for; it remembers which it did."""

    images: Images
    trace: Trace
    asked: dict[Asked, None] = field(default_factory=dict)

    def picture(self, picture: Picture, widths: Iterable[int]) -> Sized | None:
        """As `Images.picture`."""
        widths = tuple(widths)
        sized = self.images.picture(picture, widths)
        if sized is not None:
            self.trace.made(sized)
        self.asked[_asked(picture, widths, sized)] = None
        return sized


def _asked(picture: Picture, widths: tuple[int, ...], sized: Sized | None) -> Asked:
    given = digest_of(repr(sized).encode("utf-8", "surrogatepass"))
    return Asked(picture.address, picture.width, picture.height, picture.file, widths, given)


class Memory:
    """Remembers how pages were made from one build to the next, for one output folder."""

    def __init__(self, cache: Cache, place: str, site: Site, content: Content, images: Images) -> None:
        self._cache, self._place, self._images = cache, place, images
        self.things = Things(site)
        stored = cache.note(_KIND, place)
        # nothing but data, as its digest tells
        sets, old, versions = marshal.loads(stored) if stored else ([], {}, {})  # noqa: S302
        self._sets: list[tuple[Steps, ...]] = sets
        self._numbers = {paths: number for number, paths in enumerate(sets)}
        self._begun = len(sets)
        self._old: Mapping[str, Any] = old
        self._new: dict[str, Any] = {}
        self.versions = Versions(site, content, versions)
        self._same_pictures: dict[Any, bool] = {}
        self._trees: dict[int, Tree] = {}
        self._digests: dict[tuple[str, int], bytes] = {}

    def save(self) -> None:
        """Keep what this build's pages were made of."""
        versions = {name: self.versions.of(name) for known in self._new.values() for name in known[3]}
        if self._new != self._old or versions != self.versions.old:
            self._cache.keep(_KIND, self._place, marshal.dumps((self._sets, self._new, versions)))

    def unchanged(
        self, address: str, template: bytes, key: object, page: Callable[[], Mapping[str, Any]]
    ) -> bytes | None:
        """The digest of a page's bytes if making it again would give the same; `page` makes what its template gets."""
        old = self._old.get(address)
        if old is None:
            return None
        known = Known(*old)
        if known.template != template:
            return None
        if not (key and key == known.key and self.versions.are_same(known.things)):
            if not self._reads_alike(known, page):
                return None
            old = (*known[:2], key, *known[3:])
        if not all(self._is_same_picture(one) for one in known.pictures):
            return None
        self._new[address] = old
        return known.content

    def _reads_alike(self, known: Known, page: Callable[[], Mapping[str, Any]]) -> bool:
        """Whether all that was read once is read so again."""
        given = None
        for name, number, marks in known.reads:
            if name == PAGE:
                given = page()
            elif self.versions.are_same(names_of(name, self._sets[number])):
                continue
            if self._digest(name, number, given) != marks:
                return False
        return True

    def _digest(self, name: str, number: int, given: Mapping[str, Any] | None) -> bytes:
        """The digest of what stands at a set of paths; many pages read the same of a thing."""
        if number not in self._trees:
            self._trees[number] = tree_of(self._sets[number])
        if name == PAGE:
            return self.things.digest(name, self._trees[number], given)
        key = name, number
        if key not in self._digests:
            self._digests[key] = self.things.digest(name, self._trees[number])
        return self._digests[key]

    def _is_same_picture(self, one: Any) -> bool:
        if one not in self._same_pictures:
            asked = Asked(*one)
            picture = Picture(asked.address, asked.width, asked.height, asked.file)
            again = _asked(picture, asked.widths, self._images.picture(picture, asked.widths))
            self._same_pictures[one] = again == asked
        return self._same_pictures[one]

    def known(self, template: bytes, key: object, content: bytes, made: Made) -> Any:
        """How a page of this digest was made, to be remembered; None where not all that was read could be followed."""
        if not made.trace.is_certain:
            return None
        reads, things = [], set[str]()
        for name, paths in made.trace.reads.items():
            number = self._number(paths)
            reads.append((name, number, self._digest(name, number, made.given)))
            things |= names_of(name, paths)
        pictures = tuple(tuple(one) for one in made.pictures.asked)
        return template, content, key, tuple(sorted(things)), tuple(reads), pictures

    def sent(self, made: Sequence[tuple[Any, str, Any]]) -> Any:
        """Pages with their addresses and how they were made, for the process that began this one."""
        return self._sets[self._begun :], made

    def adopted(self, share: Any) -> Iterator[tuple[str, Any]]:
        """The pages that another process made, by address; they are remembered as if they had been made here."""
        sets, made = share
        numbers = [self._number(paths) for paths in sets]
        for html, address, known in made:
            if known is not None:
                *facts, key, things, reads, pictures = known
                mapped = tuple(
                    (name, numbers[number - self._begun] if number >= self._begun else number, marks)
                    for name, number, marks in reads
                )
                whole = all(self.versions.of(name) is not None for name in things)
                self._new[address] = (*facts, key if whole else None, things, mapped, pictures)
                for one in pictures:
                    self._is_same_picture(one)
            yield address, html

    def _number(self, paths: Sequence[Steps]) -> int:
        key = tuple(paths)
        if key not in self._numbers:
            self._numbers[key] = len(self._sets)
            self._sets.append(key)
        return self._numbers[key]


class Made(NamedTuple):
    """A page in the making: what its template was given, what it read, which pictures it asked for."""

    given: Mapping[str, Any]
    trace: Trace
    pictures: Pictures
