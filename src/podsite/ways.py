"""Ways from a thing of a site to what was read of it, one by one or together as a tree."""

from __future__ import annotations

from collections.abc import Iterable

Steps = tuple[str | int, ...]  # attributes, keys and positions that lead from a thing to what was read
#: Paths in the order of their beginnings, which many share: what lies below each step, None where a path ends.
Tree = dict[str | int, "Tree | None"]

# Steps that no position and no name can be:
WHOLE = -3  # the last step when everything below was read
LENGTH = -2  # the last step when only the number of elements was read
HERE = -1  # the last step when the value itself was read

LEAF: Tree = {HERE: None}


def tree_of(paths: Iterable[Steps]) -> Tree:
    """The tree of some paths."""
    tree: Tree = {}
    for steps in paths:
        node = tree
        ends = steps[-1] in (WHOLE, LENGTH)
        for step in steps[:-1] if ends else steps:
            below = node.get(step)
            if below is None:
                below = node[step] = {}
            node = below
        node[steps[-1] if ends else HERE] = None
    return _trimmed(tree)


def _trimmed(tree: Tree) -> Tree:
    """The tree with one and the same node wherever nothing but the value itself was read."""
    if tree == LEAF:
        return LEAF
    return {step: below and _trimmed(below) for step, below in tree.items()}


def leaves(tree: Tree) -> int:
    """How many paths a tree has."""
    return sum(1 if below is None else leaves(below) for below in tree.values())
