"""Builders: functions that make a tree of points, given or by the name of a linkage."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from dendrometry._check.choices import one_of
from dendrometry._check.names import is_numbered
from dendrometry._display import plural, printable
from dendrometry._typing import IntArray
from dendrometry.cluster.linkages import LINKAGES
from dendrometry.errors import InvalidInputError
from dendrometry.hierarchy import require_hierarchy
from dendrometry.overlap import positions
from dendrometry.resampling.replicates.replicate import Replicate

Builder = Callable[[Any], Any]


def builder_of(build: Builder | None, otherwise: partial[Any]) -> Builder:
    """Return the function that builds a tree from points, or from distances: given, or by a linkage."""
    if build is None:
        one_of(otherwise.keywords["linkage"], "linkage", LINKAGES)
        return otherwise
    if not callable(build):
        raise InvalidInputError(f"build must be a function of points; got {printable(build)}")
    return build


def description_of(build: object) -> str:
    """Return what a builder is, in words that are the same in every process."""
    if isinstance(build, partial):
        options = sorted((name, repr(value)) for name, value in build.keywords.items())
        return f"{description_of(build.func)} {build.args!r} {options!r}"
    name = getattr(build, "__qualname__", None)
    return repr(build) if name is None else f"{getattr(build, '__module__', '')}.{name}"


def build_replicate(build: Builder, points: Any, row: IntArray) -> Replicate:
    """Return the tree that a function builds from points, refusing one whose items are not the points."""
    made = build(points)
    tree: Any = getattr(made, "hierarchy", made)
    require_hierarchy(tree, "what build returns")
    if tree.n_items != row.size:
        raise InvalidInputError(
            f"build must return a tree of {plural(row.size, 'item')}, one for each point; got {tree.n_items:,}"
        )
    node = tree.item_node
    if not is_numbered(tree.items):
        place = positions(tuple(map(str, range(row.size))), tree.items)
        if (place < 0).any():
            raise InvalidInputError(
                "build must name the items by the numbers of the points, from '0' on;"
                f" got '{printable(tree.items[0])}' and no '{int(np.argmin(place))}'"
            )
        node = node[place]
    return Replicate(row, tree.parent, tree.height, node)
