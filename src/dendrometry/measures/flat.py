"""Flat clusterings given as trees: their table, and what the measures of trees or of partitions read of a pair."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import IntArray
from dendrometry.contingency import Contingency
from dendrometry.errors import InvalidInputError
from dendrometry.hierarchy import Hierarchy
from dendrometry.measures.measure import Measure
from dendrometry.measures.partitions.readings.readings import PartitionReadings
from dendrometry.overlap import Overlap, Side
from dendrometry.walk.pair import Pair
from dendrometry.walk.readings import Readings

__all__ = ["is_flat", "readings_of", "require_flat", "table_of_flat"]


def readings_of(measure: Measure, a: Hierarchy, b: Hierarchy) -> Readings | PartitionReadings:
    """Return what a measure reads of two trees, which must be flat for a measure of partitions."""
    if measure.of == "trees":
        return Readings(Pair.of_trees(a, b))
    overlap = Overlap.of(a, b)
    require_flat(a, "the first tree")
    require_flat(b, "the second tree")
    return PartitionReadings(table_of_flat(overlap))


def require_flat(tree: Hierarchy, what: str) -> None:
    """Refuse a tree that is not a flat clustering."""
    if not is_flat(tree):
        raise InvalidInputError(
            f"for measures of partitions {what} must be flat, without heights and with all items right below the root;"
            f" got {tree!r}"
        )


def is_flat(tree: Hierarchy) -> bool:
    """Return whether a hierarchy is a flat clustering: no heights, all items at the root or all at its children.

    Examples
    --------
    >>> from dendrometry import from_labels, from_newick
    >>> from dendrometry.measures.flat import is_flat
    >>> is_flat(from_labels([0, 0, 1])), is_flat(from_newick("((a,b),c);"))
    (True, False)
    """
    owned = tree.own_sizes[-1]
    return tree.height is None and int(tree.depths.max()) <= 1 and owned in (0, tree.n_items)


def table_of_flat(overlap: Overlap) -> Contingency:
    """Return the contingency table of two flat trees; clusters are labelled by node names, or else numbered."""
    sides = ((overlap.a, overlap.node_names[0]), (overlap.b, overlap.node_names[1]))
    first, second = (_labels(side, names)[overlap.item_row] for side, names in sides)
    return Contingency.of(first, second)


def _labels(side: Side, names: tuple[str, ...]) -> NDArray[Any] | IntArray:
    """Return the label of each row: the name of its node if all nodes have distinct names, otherwise its number."""
    held = np.unique(side.node).tolist()
    used = {names[v] for v in held} if names else set()
    if "" in used or len(used) < len(held):
        return side.node
    return np.array(names, dtype=object)[side.node]
