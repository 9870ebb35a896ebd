"""The top of a tree: its upper clusters, with the subtrees below them collapsed."""

from typing import NamedTuple

import numpy as np

from dendrometry._check.numbers import whole_number
from dendrometry._kernels import tree as walks
from dendrometry._typing import BoolArray, IntArray
from dendrometry.hierarchy import Hierarchy, require_hierarchy


class Top(NamedTuple):
    """The top of a tree, as a tree.

    ``node`` is the index of each node in the original tree; ``closed`` marks the nodes whose descendants are hidden.
    All items are kept: those below a collapsed node are assigned to it.
    """

    tree: Hierarchy
    node: IntArray
    closed: BoolArray


def top_of(tree: Hierarchy, most: int | None) -> Top:
    """Return the top of a tree with at most ``most`` slots (see `Branches`), or the whole tree if None.

    Nodes are expanded from the root down, the last merges first (without heights: by depth), until the slots are used
    up; the root is always expanded. O(n log n).
    """
    require_hierarchy(tree)
    if most is None:
        return Top(tree, np.arange(tree.n_nodes), np.zeros(tree.n_nodes, dtype=bool))
    most = whole_number(most, "top", 1)
    inner = np.flatnonzero(tree.n_children)[::-1]
    if tree.height is None:
        inner = inner[np.argsort(tree.depths[inner], kind="stable")]
    n_slots = 1 + np.cumsum(tree.n_children[inner] - 1 + (tree.own_sizes[inner] > 0))
    is_open = np.zeros(tree.n_nodes + 1, dtype=bool)
    is_open[inner[: max(1, int(np.searchsorted(n_slots, most, side="right")))]] = True
    is_open[-1] = True  # the parent of the root
    keep = is_open[tree.parent]
    node = np.flatnonzero(keep)
    number = np.append(np.cumsum(keep) - 1, -1)
    above = walks.nearest_kept(tree.parent, keep)
    shown = Hierarchy(
        number[tree.parent[keep]],
        None if tree.height is None else tree.height[keep],
        number[np.where(keep, np.arange(tree.n_nodes), above)[tree.item_node]],
        tree.items,
        tuple(tree.node_names[v] for v in node.tolist()) if tree.node_names else (),
    )
    return Top(shown, node, (tree.n_children[node] > 0) & ~is_open[node])
