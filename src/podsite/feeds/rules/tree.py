"""A feed's XML as rules see it: nodes by their usual names, whatever prefix, case or spelling the feed gives them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from podsite.feeds.rules.names import FOLDED, KNOWN, LOOSE_PREFIXES, PREFIXES, folded_namespace
from podsite.records import dataclass

if TYPE_CHECKING:
    from lxml.etree import _Element


@dataclass(frozen=True, slots=True)
class Flaw:
    """Something wrong with the document as such: the rule's code, the line, what was found there, a message."""

    code: str
    line: int
    what: str
    message: str


class Node:
    """An element, by its usual name (`itunes:image`)."""

    __slots__ = ("_attributes", "_element", "_text", "_tree", "name", "parent")

    def __init__(self, element: _Element, tree: Tree, parent: Node | None) -> None:
        self._element = element
        self._tree = tree
        self._text: str | None = None
        self._attributes: dict[str, str] | None = None
        self.name = tree.names.get(element.tag) or tree.name(element.tag)
        self.parent = parent

    @property
    def text(self) -> str:
        """The text of the element before any element in it, as it stands."""
        if self._text is None:
            self._text = self._element.text or ""
            if len(self._element):
                self._text += _after_entities(self._element)
        return self._text

    @property
    def line(self) -> int:
        """The line in the feed, counted from 1."""
        return line_of(self._element) + self._tree.skipped

    @property
    def written(self) -> str:
        """The name without namespace, as the feed spells it."""
        return str(self._element.tag).rpartition("}")[2].rpartition(":")[2]

    @property
    def attributes(self) -> Mapping[str, str]:
        """The attributes by name."""
        if self._attributes is None:
            self._attributes = {str(name): str(value) for name, value in self._element.items()}
        return self._attributes

    def get(self, name: str) -> str | None:
        """An attribute's value, None when it is not there."""
        found = self._element.get(name)
        return None if found is None else str(found)

    @property
    def is_text(self) -> bool:
        """Whether no element is inside."""
        return not len(self._element) or next(self._element.iterchildren("*"), None) is None

    @property
    def children(self) -> list[Node]:
        """The elements inside."""
        if not len(self._element):
            return []
        return [Node(child, self._tree, self) for child in self._element.iterchildren("*")]

    @property
    def part(self) -> Part:
        """The channel or item the node is of."""
        node: Node | None = self
        while node is not None and not isinstance(node, Part):
            node = node.parent
        if node is None:
            raise LookupError(f"{self.name} lies outside the channel")
        return node


class Part(Node):
    """The channel or one item, with the elements inside by their names."""

    __slots__ = ("_by_name", "nodes")

    def __init__(self, element: _Element, tree: Tree, parent: Node | None) -> None:
        super().__init__(element, tree, parent)
        self.nodes = self.children
        self._by_name: dict[str, list[Node]] = {}
        for node in self.nodes:
            self._by_name.setdefault(node.name, []).append(node)

    @property
    def children(self) -> list[Node]:
        """The elements inside; items as parts of their own."""
        return [
            # an item in an item is no item; thousands of them would be too deep to read
            Part(child, self._tree, self) if child.tag == "item" and not self.is_item else Node(child, self._tree, self)
            for child in self._element.iterchildren("*")
        ]

    @property
    def is_item(self) -> bool:
        """Whether it is an item."""
        return self.name == "item"

    def all(self, *names: str) -> list[Node]:
        """The elements of these names, name by name."""
        if len(names) == 1:
            return self._by_name.get(names[0], [])
        return [node for name in names for node in self._by_name.get(name, ())]

    def first(self, name: str) -> Node | None:
        """The first element of a name."""
        found = self._by_name.get(name)
        return found[0] if found else None

    def text_of(self, name: str) -> str:
        """The text of the first element of a name, without spaces around it."""
        found = self._by_name.get(name)
        return found[0].text.strip() if found else ""

    def forget(self) -> None:
        """Let go of the elements inside."""
        self.nodes = []
        self._by_name = {}

    @property
    def guid(self) -> str | None:
        """An item's identity, or what stands in for it in messages."""
        return (self.text_of("guid") or self.text_of("title") or None) if self.is_item else None


@dataclass
class Tree:
    """A parsed feed: its root and channel (None where there is none), the flaws found on the way, its declaration."""

    root: Node | None = None
    channel: Part | None = None
    flaws: list[Flaw] = field(default_factory=list)
    encoding: str | None = None
    has_declaration: bool = False
    skipped: int = 0  # lines before what was parsed
    namespaces: dict[str, int] = field(default_factory=dict)  # URIs declared, with their lines
    miscased: set[str] = field(default_factory=set)  # usual names of tags that the feed writes in another case
    names: dict[str, str] = field(default_factory=dict)  # usual ones by tags, as far as seen

    def name(self, tag: str) -> str:
        """The usual name of a tag in lxml's notation: `{http://www.w3.org/2005/Atom}link` → `atom:link`."""
        known = self.names.get(tag)
        if known is None:
            known = self.names[tag] = _usual(tag)
            if not tag.endswith(known.rpartition(":")[2]):
                self.miscased.add(known)
        return known

    def forget(self) -> None:
        """Let go of all nodes: they hold on to each other, and many trees would wait for the collector together."""
        for part in [self.channel, *(self.channel.nodes if self.channel else ())]:
            if isinstance(part, Part):
                part.forget()
        self.root = self.channel = None


def _usual(tag: str) -> str:
    uri, _, local = tag.rpartition("}")
    uri = uri.removeprefix("{")
    prefix = PREFIXES.get(uri) or LOOSE_PREFIXES.get(folded_namespace(uri)) if uri else ""
    if prefix is None:
        return tag
    name = f"{prefix}:{local}" if prefix else local
    return name if name in KNOWN else FOLDED.get(name.lower(), name)


def line_of(element: _Element) -> int:
    """The line of an element in what was parsed."""
    line = element.sourceline
    return line if isinstance(line, int) else 0


def _after_entities(element: _Element) -> str:
    """What follows entities that nobody declared, which lxml keeps as nodes of their own and shows as `&name;`."""
    found = ""
    for child in element:
        if isinstance(child.tag, str):
            break
        found += (child.text or "") + (child.tail or "")
    return found


def descendants(node: Node) -> Iterator[Node]:
    """Every element inside, at any depth; feeds that nest a thousand times are no reason to stop."""
    waiting = node.children[::-1]
    while waiting:
        found = waiting.pop()
        yield found
        waiting += found.children[::-1]
