"""Whether columns describe a tree or its nodes, whether it has heights, and how a value that is none becomes one."""

from collections.abc import Mapping
from pathlib import PurePath

import numpy as np

from dendrometry._check.arrays import real_array
from dendrometry._typing import FloatArray, IntArray
from dendrometry.errors import DendrometryError, InvalidInputError, InvalidTreeError, Part


def check_tree(parent: IntArray, item_node: IntArray) -> None:
    """Refuse columns that do not describe a rooted tree with an item in every leaf."""
    if item_node.size == 0:
        raise InvalidTreeError("a hierarchy must have at least one item; got none")
    if parent.size == 0 or parent[-1] != -1:
        raise InvalidTreeError("the last node must be the root, with parent -1; see from_parents for other orders")
    later = parent[:-1] > np.arange(parent.size - 1)
    if not later.all() or parent.max() >= parent.size:
        v = int(np.argmin(later & (parent[:-1] < parent.size)))
        raise InvalidTreeError(
            f"the parent of node {v} must be a later node, below {parent.size}; got {parent[v]}"
            " (from_parents takes nodes in any order)"
        )
    if item_node.min() < 0 or item_node.max() >= parent.size:
        i = int(np.argmax((item_node < 0) | (item_node >= parent.size)))
        raise InvalidTreeError(f"item {i} must belong to a node from 0 to {parent.size - 1}; got {item_node[i]}")
    used = np.zeros(parent.size, dtype=bool)
    used[parent[:-1]] = True
    used[item_node] = True
    if not used.all():
        raise InvalidTreeError(f"every leaf must hold at least one item; node {int(np.argmin(used))} holds none")


def require_heights(height: FloatArray | None, tree: Part, what: str, error: type[DendrometryError]) -> FloatArray:
    """Return the heights of a tree, such as "the second tree", refusing a tree without heights for some purpose."""
    if height is None:
        raise error(tree, f" must have heights for {what}; it has none")
    return height


def column_of_nodes(values: object, what: str, n_nodes: int) -> FloatArray:
    """Return a number from 0 to 1, or nan, for each of some nodes, as floats; anything else is refused by position."""
    column = real_array(values, what, 1).astype(np.float64)
    if column.size != n_nodes:
        raise InvalidInputError(f"{what} must have one value for each of {n_nodes:,} nodes; got {column.size:,}")
    bad = ~(np.isnan(column) | ((column >= 0.0) & (column <= 1.0)))
    if bad.any():
        at = int(np.argmax(bad))
        raise InvalidInputError(f"{what} must be from 0 to 1, or nan; got {column[at]} at position {at}")
    return column


def way_to_hierarchy(value: object) -> str:
    """Return in brackets which function makes a hierarchy of a value; "" if that is not known."""
    shape = getattr(value, "shape", None)
    if isinstance(value, list | tuple) and value:
        shape = (len(value), len(value[0])) if isinstance(value[0], list | tuple) else (len(value),)
    dimensions = len(shape) if isinstance(shape, tuple) else 0
    if isinstance(value, str | PurePath):
        way = "read() takes the name of a file, from_newick() a text"
    elif hasattr(value, "children_"):
        way = "from_sklearn() takes a fitted estimator"
    elif hasattr(value, "is_directed"):
        way = "io.from_networkx() takes a graph"
    elif dimensions == 2:
        way = (
            "from_linkage() takes a linkage matrix"
            if shape and shape[1] == 4
            else "from_levels() takes a table of levels"
        )
    else:
        way = "from_labels() takes a label for each item" if dimensions == 1 or isinstance(value, Mapping) else ""
    return f" ({way})" if way else ""
