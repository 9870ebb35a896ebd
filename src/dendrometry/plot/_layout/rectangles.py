"""Rectangle layout: each cluster is as wide as its number of items and extends from its level to its parent's."""

from typing import NamedTuple

import numpy as np

from dendrometry._typing import FloatArray, IntArray
from dendrometry.hierarchy import Hierarchy
from dendrometry.plot._layout.branches import By, node_levels


class Rectangles(NamedTuple):
    """The rectangle of each node: items ``low`` to ``high`` along one axis, levels ``bottom`` to ``top`` on the other.

    Rectangles never overlap; the children of a node and its own items are side by side below it.
    """

    low: IntArray
    high: IntArray
    bottom: FloatArray
    top: FloatArray

    def corners(self) -> FloatArray:
        """Return (n_nodes, 4, 2): the corners of each rectangle, as (position along the items, level)."""
        low, high, bottom, top = self
        return np.stack(
            [np.column_stack(pair) for pair in ((low, bottom), (high, bottom), (high, top), (low, top))], axis=1
        )


def rectangles(tree: Hierarchy, *, by: By = "auto") -> Rectangles:
    """Return the rectangles of a tree, with ``by`` as for `branches`.

    A node that is lower than its child (an inversion) is raised to the level of the child, since a rectangle cannot
    have a negative height. O(n).
    """
    level = node_levels(tree, by)
    if by in ("auto", "height") and tree.merge_height is not None:
        level = tree.merge_height
    over = 0.05 * float(np.ptp(level)) if by != "depth" and np.ptp(level) > 0 else 1.0
    top = np.append(level[tree.parent[:-1]], level[-1] + over)
    return Rectangles(tree.order.item_low, tree.order.item_high, level, top)
