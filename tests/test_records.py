"""Promises of podsite.records: to whoever uses them, records are dataclasses of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import importlib
import pickle
import pkgutil
from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from podsite import records

MAKERS: tuple[Callable[..., Any], ...] = (dataclasses.dataclass, records.dataclass)


@records.dataclass(frozen=True, slots=True)
class Point:
    """One that can be pickled, since it has a place in a module."""

    x: int
    y: int = 2


def pair(**options: Any) -> list[Any]:
    """One class with these options, made by the standard library and by us."""
    made = []
    for make in MAKERS:

        class Thing:
            """A thing."""

            kind: ClassVar[str] = "thing"
            name: str
            size: int = 3
            parts: list[str] = dataclasses.field(default_factory=list, compare=False)
            hidden: str = dataclasses.field(default="", repr=False)

            @property
            def double(self) -> int:
                """Twice the size."""
                return self.size * 2

        made.append(make(frozen=True, **options)(Thing))
    return made


@pytest.mark.parametrize("slots", [True, False])
@pytest.mark.parametrize("more", [{}, {"kw_only": True}, {"eq": False}, {"repr": False}, {"order": True}])
def test_records_do_what_dataclasses_do(slots: bool, more: dict[str, Any]) -> None:
    """Fields, defaults, equality, hashes, what is shown, matching, copies; whether names or places are given."""
    facts = []
    for kind in pair(slots=slots, **more):
        one, other = kind(name="a", parts=["x"]), kind(name="a", parts=["y"])
        again = dataclasses.replace(one, size=4)
        facts.append((
            dataclasses.asdict(one),
            one == other,
            one == again,
            one != "a",
            hash(one) == hash(other),
            len({one, other, again}),
            repr(one) if more != {"eq": False, "repr": False} and "repr" not in more else "",
            again.double,
            kind.__match_args__,
            kind.__doc__,
            [field.name for field in dataclasses.fields(kind)],
            hasattr(one, "__dict__"),
            dataclasses.asdict(copy.deepcopy(one)),
        ))  # fmt: skip
    assert facts[0] == facts[1]


@pytest.mark.parametrize("wrong", [{}, {"name": "a", "colour": "red"}, {"size": 1}])
def test_what_dataclasses_refuse_is_refused_in_the_same_words(wrong: dict[str, Any]) -> None:
    """At the first record of a kind and at later ones."""
    said = []
    for kind in pair(slots=True):
        for _ in range(2):
            with pytest.raises(TypeError) as error:
                kind(**wrong)
        said.append(str(error.value).rpartition(".")[2])
        with pytest.raises(dataclasses.FrozenInstanceError):
            kind("a").name = "b"
        with pytest.raises(dataclasses.FrozenInstanceError):
            del kind("a").name
    assert said[0] == said[1]


def test_records_inherit() -> None:
    """Fields of the class above come first, what is to be done behind the fields is done, and own methods stay."""
    for make in MAKERS:

        @make(frozen=True, slots=True, kw_only=True)
        class Base:
            name: str = "base"

            def __post_init__(self) -> None:
                object.__setattr__(self, "name", self.name.upper())

        @make(frozen=True, slots=True, kw_only=True)
        class More(Base):
            size: int = 1

            def __repr__(self) -> str:
                return "more"

        assert [field.name for field in dataclasses.fields(More)] == ["name", "size"]
        assert More(name="a").name == "A"
        assert repr(More()) == "more"
        assert Base() != More()
        assert Base() == Base()


def test_records_travel() -> None:
    """Pickled and copied as any other object; of the same kind and values, though no initialiser ran."""
    assert pickle.loads(pickle.dumps(Point(1))) == Point(1, 2)
    assert copy.copy(Point(5)) == Point(5)
    assert repr(Point(1)) == "Point(x=1, y=2)"
    assert Point(1) != (1, 2)


def test_every_record_of_the_package_can_be_begun() -> None:
    """Their initialisers are written late; a mistake in a definition is to be seen here."""
    import podsite

    modules = pkgutil.walk_packages(podsite.__path__, "podsite.")
    kinds = {
        one
        for module in modules
        if not module.name.endswith("__main__")
        for one in vars(importlib.import_module(module.name)).values()
        if isinstance(one, type) and dataclasses.is_dataclass(one) and one.__module__.startswith("podsite")
    }
    assert len(kinds) > 150
    for kind in kinds:
        with pytest.raises((TypeError, AttributeError), match=r"unexpected keyword|takes no arguments"):
            kind(there_is_no_such_field=1)
