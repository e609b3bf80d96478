"""What a template reads of a site while it makes a page, so that the page is made again only when that has changed.

Nothing is declared by hand: the environment tells of every attribute a template asks for, and what is remembered of it
is where it stood and a mark of its value. A page is as it was when all of these marks are.

Things of a site (the show, an episode, a topic, …) are known by names that stay; what belongs to one of them has a path
below it. An object that is reached by two ways is read by both.
"""

from __future__ import annotations

import hashlib
import marshal
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, ValuesView
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from datetime import datetime
from functools import lru_cache
from types import MethodType
from typing import Any

from podsite.site import Cited, Site
from podsite.ways import LEAF, LENGTH, WHOLE, Steps, Tree, leaves

PAGE = "page"  # the name of what is given to a template
SITE = "site"  # the name of the site itself
CITED = "works"  # the name of all that episodes recommend
WORDS = "words"  # the name of the words of the interface
_FEW = 40  # elements that are followed at once; those of a longer list when one of them is read
_DIGEST = 12  # bytes of a mark
_MADE = sys.maxsize  # in place of a number of lists: such a record is in none


class _Kinds(dict[type, bool]):
    """Whether objects of a type are records (dataclasses), whose attributes are watched."""

    def __missing__(self, kind: type) -> bool:
        self[kind] = found = is_dataclass(kind)
        return found


class _Names(dict[type, tuple[str, ...]]):
    """The attributes of each type of records."""

    def __missing__(self, kind: type) -> tuple[str, ...]:
        self[kind] = found = tuple(one.name for one in fields(kind))
        return found


is_record = _Kinds()
_attributes = _Names()
_DATA = frozenset({str, int, float, bool})
_PLAIN = frozenset({*_DATA, type(None), datetime})


class Things:
    """The things of a site by their lasting names."""

    def __init__(self, site: Site) -> None:
        self.by_name: dict[str, Any] = dict(_things(site))
        self.names = {id(thing): name for name, thing in self.by_name.items()}
        self._positions: dict[int, tuple[Any, dict[int, int]]] = {}

    def below(self, value: Any) -> Iterable[Any]:
        """Every thing that a value holds at any depth, itself included."""
        found, open_ends = {}, [value]
        while open_ends:
            one = open_ends.pop()
            if type(one) in _PLAIN:
                continue
            if is_record[type(one)]:
                name = self.names.get(id(one))
                if name in found:
                    continue
                if name is not None:
                    found[name] = one
                open_ends += [getattr(one, name) for name in _attributes[type(one)]]
            else:
                open_ends += _elements(one)
        return found.values()

    def positions(self, container: Any) -> dict[int, int]:
        """Where each object of a long list stands, by its id."""
        if id(container) not in self._positions:
            self._positions[id(container)] = container, {id(each): n for n, each in enumerate(container)}
        return self._positions[id(container)][1]

    def digest(self, name: str, tree: Tree, page: Any = None) -> bytes:
        """The marks of what stands at these paths of a thing, as one digest; `page` is the thing called PAGE."""
        marks: list[Any] = []
        self._read(page if name == PAGE else self.by_name.get(name), tree, marks)
        return hashlib.blake2b(marshal.dumps(marks, 2), digest_size=_DIGEST).digest()

    def of_page(self, page: Any) -> tuple[Any, set[str]]:
        """All of a page, as data that marshal knows, but of the things it holds their names alone; and these names.

        Works stand for themselves by their form, and for all of them there is the name CITED.
        """
        known, names = self.names, set[str]()

        def mark(value: Any) -> Any:
            kind = type(value)
            if is_record[kind]:
                name = known.get(id(value))
                if name is not None:
                    names.add(name)
                    return "@", name
                if kind is Cited:
                    names.add(CITED)
                    return value.form
                values = [getattr(value, one) for one in _attributes[kind]]
                return kind.__name__, [one if type(one) in _DATA or one is None else mark(one) for one in values]
            if kind is tuple or kind is list:
                things = [name for one in value if (name := known.get(id(one))) is not None]
                if value and len(things) == len(value):  # as in most that are long
                    names.update(things)
                    return "@", things
                return [one if type(one) in _DATA else mark(one) for one in value]
            return marked_otherwise(value, kind)

        def marked_otherwise(value: Any, kind: type) -> Any:
            if isinstance(value, Mapping):
                return [(mark(key), mark(one)) for key, one in value.items()]
            return value if kind in _DATA or value is None else (kind.__name__, str(value))

        return mark(page), names

    def _read(self, thing: Any, tree: Tree, marks: list[Any]) -> None:
        """Add the mark of each path of a tree, as many as it has paths whatever is missing: data that marshal knows."""
        is_watched = is_record[type(thing)]
        for step, below in tree.items():
            try:
                if below is None:
                    marks.append((self._last(thing, step),))
                    continue
                found = getattr(thing, step) if is_watched and isinstance(step, str) else thing[step]
            except (AttributeError, LookupError, TypeError):
                marks += [()] * (leaves(below) if below else 1)
                continue
            if below is LEAF and (type(found) in _DATA or found is None):
                marks.append(found)
            else:
                self._read(found, below, marks)

    def _last(self, thing: Any, step: str | int) -> Any:
        if step == WHOLE:
            return repr(self._deep(thing))
        if step == LENGTH:
            return len(thing)
        kind = type(thing)
        if kind in _DATA or thing is None:
            return thing
        if is_record[kind]:
            name = self.names.get(id(thing))
            return kind.__name__ if name is None else ("@", name)
        return repr(self._mark(thing))

    def _mark(self, value: Any) -> Any:
        """What tells a value from others: of records only what they are, for what is read of them is marked itself."""
        if type(value) in _PLAIN:
            return value
        name = self.names.get(id(value))
        if name is not None:
            return "@", name
        if is_record[type(value)]:
            return (type(value).__name__,)
        if isinstance(value, MethodType):
            return ("method",)
        return self._inside(value, self._mark)

    def _deep(self, value: Any, *, top: bool = True) -> Any:
        name = self.names.get(id(value))
        if name is not None and not top:
            return "@", name
        if is_record[type(value)]:
            names = _attributes[type(value)]
            return type(value).__name__, [self._deep(getattr(value, name), top=False) for name in names]
        return self._inside(value, self._below)

    def _below(self, value: Any) -> Any:
        return value if type(value) in _PLAIN else self._deep(value, top=False)

    @staticmethod
    def _inside(value: Any, mark: Any) -> Any:
        if isinstance(value, (tuple, list)):
            return [mark(each) for each in value]
        if isinstance(value, Mapping):
            return [(key, mark(each)) for key, each in value.items()]
        return value


def _elements(value: Any) -> Iterable[Any]:
    """What a list, a mapping or a view of one holds; nothing of anything else."""
    if isinstance(value, Mapping):
        return value.values()
    return value if isinstance(value, (tuple, list, AbstractSet, ValuesView)) else ()


def _things(site: Site) -> Iterator[tuple[str, Any]]:
    yield SITE, site
    yield "show", site.show
    yield WORDS, site.words
    for entry in site.entries:
        yield f"episode {entry.episode.slug}", entry
    for group in (*site.topics, *site.seasons):
        yield f"group {group.address}", group
    for one in site.people:
        yield f"person {one.id}", one
    for route in site.routes:
        yield f"path {route.id}", route
    for page in site.pages:
        yield f"own {page.address}", page


@lru_cache(maxsize=4096)
def _in_order(read: frozenset[tuple[Steps, frozenset[str]]], more: frozenset[Steps]) -> tuple[Steps, ...]:
    """The paths of what was read, in an order that does not change from run to run; pages of a kind read alike."""
    paths = {(*steps, attribute) for steps, attributes in read for attribute in attributes}
    return tuple(sorted(paths | more, key=repr))


@lru_cache(maxsize=4096)
def _each_of(keys: frozenset[str]) -> tuple[Steps, ...]:
    return tuple((key,) for key in sorted(keys))


class _Node:
    """A record that was met on a page: by which ways, and which of its attributes were read."""

    __slots__ = ("lists", "past", "places", "record", "seen")

    def __init__(self, record: Any, places: list[tuple[str, Steps]], lists: int) -> None:
        self.record = record  # kept, so that its id stays its own
        self.places = places
        self.lists = lists  # how many long lists were searched for it
        self.seen: set[str] = set()
        self.past: list[tuple[list[tuple[str, Steps]], set[str]]] = []  # places and attributes, before there were more

    def reach(self, places: Iterable[tuple[str, Steps]]) -> None:
        """Further ways; what is read from now on is read by all of them."""
        places = tuple(places)
        if not set(places) <= set(self.places):
            self.past.append((self.places, self.seen))
            self.places, self.seen = [*dict.fromkeys((*self.places, *places))], set()


class Trace:
    """Follows the making of one page."""

    def __init__(self, things: Things) -> None:
        self._things = things
        self._names = things.names
        self.nodes: dict[int, _Node] = {}  # by the id of their record
        self._long: list[tuple[Any, list[tuple[str, Steps]]]] = []
        self.lists = 0  # how many long ones there are
        self._positions: dict[int, dict[int, int]] = {}
        self._reads: dict[str, set[Steps]] = defaultdict(set)
        self.asked: set[str] = set()  # values given to the template, by their names
        self.said: set[str] = set()  # keys of the words of the interface
        self.is_certain = True  # whether everything that was read could be followed

    @property
    def reads(self) -> dict[str, tuple[Steps, ...]]:
        """What was read so far, by the names of things."""
        found: dict[str, set[tuple[Steps, frozenset[str]]]] = {name: set() for name in self._reads}
        for node in self.nodes.values():
            for places, seen in ((node.places, node.seen), *node.past):
                attributes = frozenset(seen)
                for name, steps in places if attributes else ():
                    found.setdefault(name, set()).add((steps, attributes))
        read = {name: _in_order(frozenset(read), frozenset(self._reads.get(name, ()))) for name, read in found.items()}
        return read | ({WORDS: _each_of(frozenset(self.said))} if self.said else {})

    def beside(self) -> Trace:
        """Another one of the same things, to follow a part of a page alone."""
        return Trace(self._things)

    @property
    def is_of_show(self) -> bool:
        """Whether nothing was read but attributes of the show."""
        of_show = all(self._names.get(at) == "show" and not node.past for at, node in self.nodes.items())
        return of_show and self.is_certain and not self.lists and self._reads.keys() <= {PAGE}

    def seen(self) -> Iterator[tuple[Any, str]]:
        """Every attribute that was read, with what it is of."""
        for node in self.nodes.values():
            for attribute in sorted(node.seen):
                yield node.record, attribute

    def given(self, name: str, value: Any) -> None:
        """A template asked for one of the values given to it."""
        if name not in self.asked:
            self.asked.add(name)
            self._reads[PAGE].add((name,))
            self._follow(value, [(PAGE, (name,))])

    def read(self, record: Any, attribute: str, value: Any) -> None:
        """A template asked for an attribute of a record."""
        node = self.nodes.get(id(record))
        if node is None or node.lists < self.lists:
            node = self._met(record, node)
        if attribute in node.seen:
            return
        node.seen.add(attribute)
        kind = type(value)
        if kind in _PLAIN:
            return
        if kind is MethodType:  # it may read anything of its owner; the site's look episodes up
            if isinstance(record, Site):
                self._reads[SITE].add(("entries",))
            else:
                self.whole(record)
            return
        self._follow(value, [(name, (*steps, attribute)) for name, steps in node.places])

    def length(self, record: Any, attribute: str) -> None:
        """A template asked how many elements an attribute has."""
        for name, steps in self._met(record, self.nodes.get(id(record))).places:
            self._reads[name].add((*steps, attribute, LENGTH))

    def whole(self, value: Any) -> None:
        """A value went where all of it may be read, to any depth: it was printed, or given to a filter."""
        if type(value) in _PLAIN or isinstance(value, str):
            return
        self.compared(value)
        for thing in self._things.below(value):
            self.compared(thing)

    def compared(self, value: Any) -> None:
        """A value was compared: all of it was read, and which things it holds."""
        kind = type(value)
        if kind in _PLAIN:
            return
        if is_record[kind]:
            for name, steps in self._met(value, self.nodes.get(id(value))).places:
                self._reads[name].add((*steps, WHOLE))
        else:
            for each in _elements(value):
                self.compared(each)

    def _met(self, record: Any, node: _Node | None) -> _Node:
        """The node of a record, with the ways that lead to it through long lists."""
        if node is None:
            name = self._names.get(id(record))
            self.nodes[id(record)] = node = _Node(record, [(name, ())] if name is not None else [], 0)
        if id(record) not in self._names and node.lists != _MADE:
            new = self._long[node.lists :]
            node.reach(
                (name, (*steps, position))
                for container, above in new
                for name, steps in above
                if (position := self._position(record, container, name)) is not None
            )
        if node.lists != _MADE:
            node.lists = len(self._long)
            self.is_certain &= bool(node.places)
        return node

    def made(self, record: Any) -> None:
        """A record was made for the template of what it is known to depend on; its attributes are not watched."""
        self.nodes[id(record)] = _Node(record, [], _MADE)

    def _position(self, record: Any, container: Any, name: str) -> int | None:
        if name != PAGE:
            return self._things.positions(container).get(id(record))
        if id(container) not in self._positions:  # only for this page, which keeps the list
            self._positions[id(container)] = {id(each): n for n, each in enumerate(container)}
        return self._positions[id(container)].get(id(record))

    def _follow(self, value: Any, places: list[tuple[str, Steps]]) -> None:
        """Remember how the records in a value were reached."""
        if is_record[type(value)]:
            if id(value) not in self._names:
                self._reached(value, places)
        elif isinstance(value, (tuple, list)):
            first = value[0] if value else None
            if len(value) > _FEW and is_record[type(first)] and id(first) not in self._names:
                self._long.append((value, places))
                self.lists += 1
            elif type(first) not in _PLAIN and id(first) not in self._names:
                self._each(enumerate(value), places)
        elif isinstance(value, Mapping):
            self._each(value.items(), places)

    def _each(self, values: Iterable[tuple[str | int, Any]], places: list[tuple[str, Steps]]) -> None:
        for step, value in values:
            if type(value) not in _PLAIN:
                self._follow(value, [(name, (*steps, step)) for name, steps in places])

    def _reached(self, record: Any, places: list[tuple[str, Steps]]) -> None:
        node = self.nodes.get(id(record))
        if node is None:
            self.nodes[id(record)] = _Node(record, places, 0)
        else:
            node.reach(places)
