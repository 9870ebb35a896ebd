"""Units drawn for a comparison: both trees over the same items, or over overlap rows if items are not listed."""

from typing import Any, NamedTuple

import numpy as np

from dendrometry._check.names import pair_of_names
from dendrometry._typing import IntArray
from dendrometry.comparison.comparison import Comparison
from dendrometry.errors import InvalidInputError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.coerce import HierarchyLike, as_hierarchies
from dendrometry.overlap import Overlap, Side, overlap_of_same_items


class TwoTrees(NamedTuple):
    """Two trees over the same items, and their names."""

    a: Hierarchy
    b: Hierarchy
    names: tuple[str, str]


def two_trees(a: HierarchyLike | Comparison, b: Any, names: tuple[str, str] | None) -> TwoTrees:
    """Return the two given hierarchies, or those of a comparison; reject other input and trees with different items."""
    given = pair_of_names(names)
    if isinstance(a, Comparison):
        if b is not None:
            raise InvalidInputError("a comparison holds both trees; a second one must not be given")
        if not a.items:
            raise InvalidInputError("the items must be listed to be drawn; those of this comparison were only counted")
        units = units_of(a)
        return TwoTrees(units.a, units.b, given or a.names or ("", ""))
    first, second = as_hierarchies(a, b)
    overlap_of_same_items(first, second)
    return TwoTrees(first, second, given or ("", ""))


class Units(NamedTuple):
    """Two trees over the same units, without nodes that have a single part; ``weight`` is the items per unit.

    ``named`` indicates whether the units are named items, otherwise they are rows of the overlap; ``n_rows`` is the
    number of these, of which the largest are units if there are many. Nodes are numbered as in the pair of the
    comparison.
    """

    a: Hierarchy
    b: Hierarchy
    weight: IntArray
    named: bool
    n_rows: int

    @property
    def is_complete(self) -> bool:
        """Whether no row is left out."""
        return self.named or self.weight.size == self.n_rows


def units_of(comparison: Comparison, most: int | None = None) -> Units:
    """Return the trees of a comparison over its items, or over the rows of the overlap if items are not listed.

    The same if there are more than ``most`` items. Of more than ``most`` rows, the largest are taken, and the largest
    of each node of either tree.
    """
    overlap = comparison.overlap
    named = bool(overlap.items) and (most is None or len(overlap.items) <= most)
    row = overlap.item_row if named else _largest_rows(overlap, most)
    names = overlap.items if named else tuple(map(str, range(row.size)))
    weight = np.ones(row.size, dtype=np.int64) if named else overlap.count[row]
    first, second = (
        _tree(side, row, names, node_names)
        for side, node_names in zip((overlap.a, overlap.b), overlap.node_names, strict=True)
    )
    return Units(first, second, weight, named, overlap.count.size)


def _largest_rows(overlap: Overlap, most: int | None) -> IntArray:
    """Return the rows that are drawn, in ascending order."""
    if most is None or overlap.count.size <= most:
        return np.arange(overlap.count.size)
    order = np.argsort(-overlap.count, kind="stable")
    of_nodes = [order[np.unique(side.node[order], return_index=True)[1]] for side in (overlap.a, overlap.b)]
    return np.unique(np.concatenate([order[:most], *of_nodes]))


def _tree(side: Side, row: IntArray, names: tuple[str, ...], node_names: tuple[str, ...]) -> Hierarchy:
    """Return the tree of one side as a hierarchy over the units."""
    return Hierarchy(side.parent, side.height, side.node[row], names, node_names).without_unary()
