"""The feeds of a site in the making, and what directories say of them, while its pages are made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
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
from podsite.feeds.local import LocalFiles, local_files
from podsite.marks import Marks
from podsite.notes import Rendered
from podsite.paper import Paper
from podsite.read import Content
from podsite.records import dataclass
from podsite.site import Site

_MANY = 4000  # episodes beyond which one process more, which comes to know them all, takes more memory than it is worth


class Said(NamedTuple):
    """What directories say of feeds by the addresses they are served at, by the instant `now`, as long as the site has
    no file at any of the paths `missing`.
    """

    now: datetime | None
    missing: frozenset[str]
    found: Mapping[str, tuple[Remark, ...]]


@dataclass(slots=True)
class Making:
    """Makes the feeds, in another process where that pays: begun with the context, behind which none is left.

    `notes` are rendered, by slug; `files` gives those that feeds may name, as far as they are known by then, and `now`
    is the instant to call dates future by.
    """

    site: Site
    content: Content
    notes: Mapping[str, Rendered]
    description_html: str
    marks: Marks
    paper: Paper
    files: Callable[[], Iterable[Artifact]]
    now: datetime | None
    _aside: Aside = field(init=False)
    _errand: Errand[Any] = field(init=False)

    def __post_init__(self) -> None:
        self._aside = self.paper.cache.aside()
        crew = self.paper.crew
        is_apart = crew.size > 1 and len(self.site.entries) <= _MANY
        share = Crew(-(-crew.size // 2)) if is_apart else crew  # the others have pages to make
        self._errand = self.paper.cache.errand(crew if is_apart else Crew(), lambda: self._packed(share))

    def __enter__(self) -> Self:
        self._errand.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._errand.__exit__(kind, error, at)

    def finish(self) -> tuple[Feed, Said]:
        """The feeds, and what is said of them; to be asked for once."""
        documents, problems, others, made, keys, missing, found = self._errand.answer()
        for entry in self.site.entries:
            if key := keys.get(entry.episode.slug):
                self.marks.learn("item", entry, key)
        feed = Feed(
            documents=tuple(Document(path, self._received(content), *rest) for path, content, *rest in documents),
            problems=pickles.loads(problems),
            others=tuple(Artifact(path, self._received(content), source) for path, content, source in others),
            made=made,
            keys=keys,
        )
        told = {url: tuple(Remark(*one) for one in remarks) for url, remarks in found.items()}
        return feed, Said(self.now, frozenset(missing), told)

    def _packed(self, crew: Crew) -> Any:
        """All of it as plain data."""
        from podsite.feeds.rss import rss  # most of what it needs is imported for it alone

        feed = rss(
            self.site, self.notes, content=self.content, description_html=self.description_html,
            cache=self.paper.cache, crew=crew, marks=self.marks, aside=self._aside,
        )  # fmt: skip
        local = local_files(self.site, [*self.files(), *feeds.artifacts(self.site, feed)])
        found = dict(self._judged(feed, local, crew)) if feed.items else {}
        documents = [(one.path, _sent(one.content), one.key, one.items, one.cuts) for one in feed.documents]
        others = [(one.path, _sent(one.content), one.source) for one in feed.others]
        return documents, pickles.dumps(feed.problems), others, feed.made, dict(feed.keys), [*local.missing], found

    def _judged(self, feed: Feed, local: LocalFiles, crew: Crew) -> Iterator[tuple[str, Any]]:
        for document in feed.documents:
            url = urls.absolute(self.site.base_url, document.path)
            found = remarks(document, self.paper.cache, local, now=self.now, url=url, crew=crew).found
            yield url, [tuple(one) for one in found]

    def _received(self, content: Any) -> bytes | Laid:
        return content if isinstance(content, bytes) else Laid(self._aside, *content)


def _sent(content: object) -> Any:
    """The content of a feed, or where it was laid."""
    return (content.offset, content.length, content.digest) if isinstance(content, Laid) else content
