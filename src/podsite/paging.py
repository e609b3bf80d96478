"""Long lists on several pages: which items a page has, its address, and the pages it leads to.

A list is cut from its beginning, so what is added at its end changes the last page only: that one holds `size` to
2 × `size` - 1 items, every other one holds `size` for good. Lists that show the newest first are cut from the oldest
item all the same: the list's own address is then its last page, and `page/1/` holds the oldest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Generic, TypeVar

from podsite import urls
from podsite.contexts import PageLink, Paging
from podsite.records import dataclass
from podsite.site import Mention
from podsite.words import Words

T = TypeVar("T")

_AROUND = 2  # pages on either side that a page leads to, besides its neighbours' neighbours the first and the last


@dataclass(frozen=True, slots=True)
class Part(Generic[T]):
    """A page's share of a list: its address, its items, how many are shown on pages before it, and the pages around."""

    address: str
    items: tuple[T, ...]
    before: int = 0
    number: int | None = None
    paging: Paging | None = None

    @property
    def is_first(self) -> bool:
        """Whether it is the one that answers at the list's own address."""
        return self.paging is None or self.paging.previous is None

    def titled(self, title: str, words: Words) -> str:
        """The list's title, told apart from those of its other pages."""
        if self.is_first:
            return title
        return words.say("%(title)s, page %(number)s", title=title, number=str(self.number))

    def described(self, text: str, words: Words) -> str:
        """The list's description, told apart from those of its other pages."""
        return text if self.is_first else f"{text} {words.say('Page %(number)s.', number=str(self.number))}"

    def crumbs(self, title: str, address: str, *above: Mention) -> tuple[Mention, ...]:
        """The pages above it: those above the list, and the list's first page where this is another."""
        return above if self.is_first else (*above, Mention(title, address))


def newest_first(items: Sequence[T], address: str, size: int) -> Iterator[Part[T]]:
    """The pages of a list whose newest item comes first, in the order they are read. Always at least one."""
    cut = _cut(items[::-1], size)
    numbers = [None, *range(len(cut) - 1, 0, -1)]
    return _parts([chunk[::-1] for chunk in reversed(cut)], numbers, address, is_newest_first=True)


def in_order(items: Sequence[T], address: str, size: int) -> Iterator[Part[T]]:
    """The pages of a list that begins at its beginning. Always at least one."""
    cut = _cut(items, size)
    return _parts(cut, [*range(1, len(cut) + 1)], address, is_newest_first=False)


def _cut(items: Sequence[T], size: int) -> list[tuple[T, ...]]:
    full = max(1, len(items) // size) - 1
    return [*(tuple(items[at * size : (at + 1) * size]) for at in range(full)), tuple(items[full * size :])]


def _parts(
    chunks: list[tuple[T, ...]], numbers: Sequence[int | None], address: str, *, is_newest_first: bool
) -> Iterator[Part[T]]:
    addresses = [address, *(urls.part(address, number) for number in numbers[1:] if number)]
    before = 0
    for at, chunk in enumerate(chunks):
        paging = Paging(
            newest_first=is_newest_first,
            previous=addresses[at - 1] if at else None,
            next=addresses[at + 1] if at + 1 < len(chunks) else None,
            links=tuple(_links(at, numbers, addresses)),
        )
        yield Part(addresses[at], chunk, before, numbers[at], paging if len(chunks) > 1 else None)
        before += len(chunk)


def _links(here: int, numbers: Sequence[int | None], addresses: Sequence[str]) -> Iterator[PageLink]:
    """The first page, those around this one, the last; a single page between them rather than a gap."""
    last = len(addresses) - 1
    shown = {0, last, *range(max(0, here - _AROUND), min(last, here + _AROUND) + 1)}
    shown |= {at + 1 for at in shown if at + 2 in shown}
    for at in sorted(shown):
        yield PageLink(
            number=numbers[at], address=addresses[at], current=at == here, gap=at > 0 and at - 1 not in shown
        )
