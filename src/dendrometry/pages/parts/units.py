"""What a page draws: both trees over the same units, which are the items, or rows of items counted together."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._jit import IntArray
from dendrometry.comparison.comparison import Comparison
from dendrometry.hierarchy import Hierarchy
from dendrometry.overlap import Side

__all__ = ["Units", "units_of"]


class Units(NamedTuple):
    """Two trees over the same units, nodes with a single part left out; ``weight`` is the items of each unit.

    ``named`` says whether the units are items with names. Nodes have the numbers they have in the comparison's pair.
    """

    a: Hierarchy
    b: Hierarchy
    weight: IntArray
    named: bool


def units_of(comparison: Comparison) -> Units:
    """Return the trees of a comparison over its items; where items are not listed, over the rows of the overlap."""
    overlap = comparison.overlap
    named = bool(overlap.items)
    row = overlap.item_row if named else np.arange(overlap.count.size)
    names = overlap.items if named else tuple(map(str, range(row.size)))
    weight = np.ones(row.size, dtype=np.int64) if named else overlap.count
    first, second = (
        _tree(side, row, names, node_names)
        for side, node_names in zip((overlap.a, overlap.b), overlap.node_names, strict=True)
    )
    return Units(first, second, weight, named)


def _tree(side: Side, row: IntArray, names: tuple[str, ...], node_names: tuple[str, ...]) -> Hierarchy:
    """Return one side as a hierarchy over the units."""
    return Hierarchy(side.parent, side.height, side.node[row], names, node_names).without_unary()
