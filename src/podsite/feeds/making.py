"""The feeds of a site in the making, and what directories say of them, while its pages are made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from datetime import datetime
from types import TracebackType
from typing import Any, NamedTuple, Self

from podsite import feeds, pickles, urls
from podsite.artifacts import Artifact
from podsite.aside import Aside, Laid
from podsite.crew import Crew, Errand
from podsite.feeds import Document, Feed
from podsite.feeds.certificates import Remark, remarks
from podsite.feeds.local import local_files
from podsite.marks import Marks
from podsite.notes import Rendered
from podsite.paper import Paper
from podsite.read import Content
from podsite.records import dataclass
from podsite.site import Site

_MANY = 4000  # episodes beyond which one process more, which comes to know them all, takes more memory than it is worth


class Judging(NamedTuple):
    """That feeds are to be held against the rules of directories, and the instant to call dates future by, if any."""

    now: datetime | None


class Said(NamedTuple):
    """What directories say of feeds by the addresses they are served at, as long as the site has no file at any of the
    paths `missing`; nothing where they were not `judged`.
    """

    judged: Judging | None
    missing: frozenset[str]
    found: Mapping[str, tuple[Remark, ...]]


class _Packed(NamedTuple):
    """Feeds, and what is said of them, as plain data."""

    documents: list[tuple[Any, ...]]
    problems: bytes
    others: list[tuple[Any, ...]]
    made: int
    keys: dict[str, bytes]
    missing: list[str]
    found: dict[str, list[tuple[Any, ...]]]


@dataclass(slots=True)
class Making:
    """Makes the feeds, in another process where that pays: begun with the context, behind which none is left.

    `notes` are rendered, by slug; `files` gives those that feeds may name, as far as they are known by then.
    """

    site: Site
    content: Content
    notes: Mapping[str, Rendered]
    description_html: str
    marks: Marks
    paper: Paper
    files: Callable[[], Iterable[Artifact]]
    judging: Judging | None
    _aside: Aside = field(init=False)
    _errand: Errand[tuple[Any, ...]] = field(init=False)

    def __post_init__(self) -> None:
        self._aside = self.paper.cache.aside()
        crew = self.paper.crew
        is_apart = crew.size > 1 and len(self.site.entries) <= _MANY
        share = Crew(-(-crew.size // 2)) if is_apart else crew  # the others have pages to make
        self._errand = self.paper.cache.errand(lambda: tuple(self._packed(share)), apart=is_apart)

    def __enter__(self) -> Self:
        self._errand.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._errand.__exit__(kind, error, at)

    def finish(self) -> tuple[Feed, Said]:
        """The feeds, and what is said of them; to be asked for once."""
        packed = _Packed(*self._errand.answer())
        for entry in self.site.entries:
            if key := packed.keys.get(entry.episode.slug):
                self.marks.learn("item", entry, key)
        feed = Feed(
            documents=tuple(Document(at, self._received(content), *rest) for at, content, *rest in packed.documents),
            problems=pickles.loads(packed.problems),
            others=tuple(Artifact(path, self._received(content), source) for path, content, source in packed.others),
            made=packed.made,
            keys=packed.keys,
        )
        found = {url: tuple(Remark(*one) for one in told) for url, told in packed.found.items()}
        return feed, Said(self.judging, frozenset(packed.missing), found)

    def _packed(self, crew: Crew) -> _Packed:
        from podsite.feeds.rss import rss  # most of what it needs is imported for it alone

        feed = rss(
            self.site, self.notes, content=self.content, description_html=self.description_html,
            cache=self.paper.cache, crew=crew, marks=self.marks, aside=self._aside,
        )  # fmt: skip
        missing, found = self._judged(feed, self.judging, crew) if self.judging and feed.items else (set(), {})
        return _Packed(
            documents=[(one.path, _sent(one.content), one.key, one.items, one.cuts) for one in feed.documents],
            problems=pickles.dumps(feed.problems),
            others=[(one.path, _sent(one.content), one.source) for one in feed.others],
            made=feed.made,
            keys=dict(feed.keys),
            missing=[*missing],
            found=found,
        )

    def _judged(self, feed: Feed, judging: Judging, crew: Crew) -> tuple[set[str], dict[str, list[tuple[Any, ...]]]]:
        """The paths at which there is no file yet, and what is said of each feed, by its address."""
        local = local_files(self.site, [*self.files(), *feeds.artifacts(self.site, feed)])
        found = {}
        for document in feed.documents:
            url = urls.absolute(self.site.base_url, document.path)
            told = remarks(document, self.paper.cache, local, now=judging.now, url=url, crew=crew).found
            found[url] = [tuple(one) for one in told]
        return local.missing, found

    def _received(self, content: Any) -> bytes | Laid:
        return content if isinstance(content, bytes) else Laid(self._aside, *content)


def _sent(content: object) -> Any:
    """The content of a feed, or where it was laid."""
    return (content.offset, content.length, content.digest) if isinstance(content, Laid) else content
