"""YAML texts → nodes: the door through which the YAML library comes in.

Nodes, not values: PyYAML would turn `010` into 8, `No` into False and `12:34` into 754 before anyone could ask what
the field is. A node has its text as it was written, and its line and column.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from podsite import syntax, textfile
from podsite.errors import Place, Problem

MAP, SEQ, STR = "mapping", "sequence", "scalar"  # what a node's `id` can be; its tag says nothing

_MOST_SLIPS = 50  # of one file's syntax, told in one run


class NotYaml(Exception):  # noqa: N818 - `syntax` makes the problem of it
    """A text that breaks YAML's grammar, with the library's own error."""

    def __init__(self, error: Exception) -> None:
        self.error = error
        super().__init__(str(error))


def compose(text: str) -> Any:
    """The node at the root of a text, None when there is none. Raises NotYaml, and RecursionError for deep nesting."""
    import yaml

    try:
        return yaml.compose(text, Loader=_loader())
    except (yaml.YAMLError, UnicodeEncodeError) as error:
        raise NotYaml(error) from error


def compose_all_the_same(text: str, file: str, lines: list[str]) -> tuple[Any, list[Problem]]:
    """The root node, and slips of syntax; missing quotes are put into `lines`, so that reading goes on."""
    unprintable = textfile.unprintable(text, file)
    slips = [unprintable] if unprintable else []
    while len(slips) < _MOST_SLIPS and not unprintable:
        try:
            return compose(text), slips
        except NotYaml as broken:
            slips.append(syntax.problem(file, lines, broken.error))
            better = syntax.meant(lines, slips[-1])
            if better is None:
                break
            lines[:] = better
            text = "\n".join(lines)
        except RecursionError:
            slips.append(Problem(Place(file), "", "is nested too deeply to be read"))
            break
    return None, slips


class _Untyped:
    """Resolves no types: plain scalars stay text, and no node needs a tag."""

    @staticmethod
    def resolve(_kind: Any, _value: Any, _implicit: Any) -> str:
        """The tag of a node."""
        return ""

    @staticmethod
    def descend_resolver(_parent: Any, _index: Any) -> None:
        """Called before each node."""

    @staticmethod
    def ascend_resolver() -> None:
        """Called behind each node."""


@cache
def _loader() -> Any:
    """The fast parser where libyaml is built in, else the slow one."""
    import yaml

    return type("TextLoader", (_Untyped, getattr(yaml, "CSafeLoader", yaml.SafeLoader)), {})
