"""What each page of the last build was made of, by which this build knows which pages it need not make again."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from podsite.cache import Cache
from podsite.images import Images, Sized
from podsite.signatures import digest_of
from podsite.site import Picture
from podsite.tracing import PAGE, Steps, Things, Trace

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
    """How a page was made: digests of its template and of its bytes, what was read of which thing, its pictures."""

    template: bytes
    content: bytes
    reads: tuple[tuple[str, int, bytes], ...]  # a thing's name, the number of a set of paths, the digest of the marks
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

    def __init__(self, cache: Cache, place: str, things: Things, images: Images) -> None:
        self._cache, self._place, self._things, self._images = cache, place, things, images
        self._sets: list[tuple[Steps, ...]] = []
        self._numbers: dict[tuple[Steps, ...], int] = {}
        self._old: Mapping[str, Known] = {}
        self._new: dict[str, Known] = {}
        self._recall()

    def _recall(self) -> None:
        stored = self._cache.note(_KIND, self._place)
        if stored is None:
            return
        self._sets, self._old = marshal.loads(stored)  # noqa: S302 - nothing but data, as its digest tells
        self._numbers = {paths: number for number, paths in enumerate(self._sets)}

    def save(self) -> None:
        """Keep what this build's pages were made of."""
        pages = {
            address: (one.template, one.content, one.reads, tuple(map(tuple, one.pictures)))
            for address, one in self._new.items()
        }
        self._cache.keep(_KIND, self._place, marshal.dumps((self._sets, pages)))

    def unchanged(self, address: str, template: bytes, page: Callable[[], Mapping[str, Any]]) -> bytes | None:
        """The digest of a page's bytes if making it again would give the same; `page` makes what its template gets."""
        old = self._old.get(address)
        if old is None:
            return None
        known = Known(*old)
        if known.template != template:
            return None
        given = page() if any(name == PAGE for name, _, _ in known.reads) else None
        for name, number, marks in known.reads:
            if self._things.digest(name, self._sets[number], given) != marks:
                return None
        for one in known.pictures:
            asked = Asked(*one)
            picture = Picture(asked.address, asked.width, asked.height, asked.file)
            if _asked(picture, asked.widths, self._images.picture(picture, asked.widths)) != asked:
                return None
        self._new[address] = known
        return known.content

    def note(self, address: str, template: bytes, content: bytes, made: Made) -> None:
        """Remember how a page was made just now."""
        if made.trace.is_certain:
            reads = []
            for name, paths in made.trace.reads.items():
                marks = self._things.digest(name, paths, made.given)
                reads.append((name, self._number(paths), marks))
            self._new[address] = Known(template, digest_of(content), tuple(reads), tuple(made.pictures.asked))

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
