"""What a rule is, how one is added, and the feed as rules see it."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from dataclasses import field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, TypeVar

from podsite.errors import Severity
from podsite.feeds.directories import DIRECTORIES, Directory
from podsite.feeds.local import Local
from podsite.feeds.rules.tree import Flaw, Node, Part, Tree, descendants
from podsite.records import dataclass

T = TypeVar("T")
ALL = " ".join(DIRECTORIES)


class Spot(NamedTuple):
    """Where a tag of an item stands that is not at hand itself: its line, and how findings call the item."""

    line: int
    item: str | None
    name: str


class Hit(NamedTuple):
    """A place that breaks a rule: the node (or a line), what was found there, and the message.

    Of several with one text in `once`, such as the address of a picture, only the first of a feed is told.
    """

    node: Node | Spot | None
    message: str
    what: str = ""
    line: int = 0
    once: str = ""


Hits = Iterator[Hit]


@dataclass(frozen=True, slots=True)
class Rule:
    """One promise a feed keeps.

    An error means that a directory refuses the feed or that listeners suffer; a warning, that better is recommended.
    `key` is the YAML key the judged value comes from, `source` where the rule is written down. A rule that `compares`
    looks at nothing of items but what `listing` knows of each; any other judges channel and items one by one, each by
    itself. So what was found in an item stays true whatever stands beside it.
    """

    code: str
    directories: tuple[Directory, ...]
    severity: Severity
    reason: str
    remedy: str
    source: str
    key: str = ""
    compares: bool = False
    broken: Callable[[Feed], Hits] = field(default=lambda _: iter(()), compare=False, repr=False)


#: Every rule by its code, in the order they are written.
TABLE: dict[str, Rule] = {}


def rule(  # noqa: PLR0913 - the columns of the table
    code: str,
    directories: str,
    severity: Severity,
    *,
    reason: str,
    remedy: str,
    source: str,
    key: str = "",
    compares: bool = False,
) -> Callable[[Callable[[Feed], Hits]], Callable[[Feed], Hits]]:
    """Add the decorated function, which yields what breaks the rule, to the table."""
    named = tuple(one for one in DIRECTORIES if one in directories.split())

    def add(broken: Callable[[Feed], Hits]) -> Callable[[Feed], Hits]:
        if code in TABLE:
            raise ValueError(f"two rules have the code {code}")
        TABLE[code] = Rule(code, named, severity, reason, remedy, source, key, compares, broken)
        return broken

    return add


class LocalFile:
    """A file the feed points to, read as little as it takes."""

    def __init__(self, content: Path | bytes) -> None:
        self._content = content
        self._known: dict[Callable[[LocalFile], Any], Any] = {}

    def fact(self, found: Callable[[LocalFile], T]) -> T:
        """What a function finds in the file; it is asked once."""
        if found not in self._known:
            self._known[found] = found(self)
        known: T = self._known[found]
        return known

    @cached_property
    def size(self) -> int | None:
        """Its length in bytes; None when it is not there."""
        if isinstance(self._content, bytes):
            return len(self._content)
        try:
            return self._content.stat().st_size if self._content.is_file() else None
        except OSError:
            return None

    def head(self, length: int) -> bytes:
        """Its first bytes; none when it is not there."""
        if isinstance(self._content, bytes):
            return self._content[:length]
        if self.size is None:
            return b""
        with self._content.open("rb") as file:
            return file.read(length)

    @property
    def content(self) -> bytes:
        """All of it."""
        return self.head(-1) if isinstance(self._content, Path) else self._content

    def open(self) -> BinaryIO:
        """The file, to be read as far as needed."""
        return self._content.open("rb") if isinstance(self._content, Path) else io.BytesIO(self._content)

    @property
    def text(self) -> str | None:
        """All of it as text; None when it is not UTF-8."""
        try:
            return self.content.decode("utf-8-sig")
        except UnicodeDecodeError:
            return None


class Feed:
    """A feed under judgement: its tree, its own address and the instant where known, the local files it points to."""

    def __init__(self, tree: Tree, local: Local, now: datetime | None, url: str | None) -> None:
        self.tree = tree
        self.now = now
        self.url = url
        self._local = local
        self._files: dict[str, LocalFile | None] = {}
        self._known: dict[Callable[[Feed], Any], Any] = {}

    @cached_property
    def channel(self) -> Part:
        """The channel. Only for rules that run when there is one."""
        if self.tree.channel is None:
            raise LookupError("the feed has no channel")
        return self.tree.channel

    @cached_property
    def items(self) -> list[Part]:
        """The items as they follow."""
        return [node for node in self.channel.all("item") if isinstance(node, Part)]

    @cached_property
    def parts(self) -> list[Part]:
        """The channel, then the items."""
        return [self.channel, *self.items]

    @cached_property
    def podcast(self) -> list[Node]:
        """Every podcast: element at any depth."""
        return [one for part in self.parts for one in _podcast(part)]

    @cached_property
    def by_name(self) -> dict[str, list[Node]]:
        """The elements of channel and items by their names. Most rules look at one tag, wherever it stands."""
        found: dict[str, list[Node]] = {}
        for part in self.parts:
            for node in part.nodes:
                found.setdefault(node.name, []).append(node)
        return found

    def each(self, *names: str) -> Iterator[Node]:
        """The elements of these names in channel and items, name by name."""
        return (node for name in names for node in self.by_name.get(name, ()))

    def of_podcast(self, name: str) -> list[Node]:
        """The podcast: elements of a name, at any depth."""
        return self._podcast_by_name.get(name, [])

    @cached_property
    def _podcast_by_name(self) -> dict[str, list[Node]]:
        found: dict[str, list[Node]] = {}
        for node in self.podcast:
            found.setdefault(node.name, []).append(node)
        return found

    def know(self, found: Callable[[Feed], T], known: T) -> None:
        """Take something for known that a function would find."""
        self._known[found] = known

    def fact(self, found: Callable[[Feed], T]) -> T:
        """What a function finds in the feed; it is asked once."""
        if found not in self._known:
            self._known[found] = found(self)
        known: T = self._known[found]
        return known

    def flaws(self, code: str) -> Iterator[Flaw]:
        """What was found wrong with the document while it was parsed."""
        return (flaw for flaw in self.tree.flaws if flaw.code == code)

    def file(self, url: str) -> LocalFile | None:
        """The local file behind a URL of the feed, which stands in one of `FILES`."""
        if url not in self._files:
            found = self._local(url)
            self._files[url] = None if found is None else LocalFile(found)
        return self._files[url]


#: The attributes that may name a file of the site whose content is judged.
FILES = {"enclosure": "url", "itunes:image": "href", "podcast:chapters": "url", "podcast:transcript": "url"}


def _podcast(part: Part) -> Iterator[Node]:
    for node in part.nodes:
        if node.name.startswith("podcast:"):
            yield node
            if not node.is_text:
                yield from (one for one in descendants(node) if one.name.startswith("podcast:"))


def whole(text: str) -> int | None:
    """A whole number in ASCII digits; None for all else, and for more digits than anything in a feed can have."""
    return int(text[-15:]) if re.fullmatch(r"0*[0-9]{1,15}", text) else None


def shown(text: str, limit: int = 60) -> str:
    """A text as messages show it: on one line, cut where it is long."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
