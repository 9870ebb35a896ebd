"""A hierarchy to browse: nodes with several children in place of many binary merges."""

from __future__ import annotations

from heapq import heapify, heappop, heappush

import numpy as np

from dendrometry._check.numbers import whole_number
from dendrometry._typing import BoolArray
from dendrometry.cut.coarsen import keep_nodes
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.coerce import HierarchyLike, as_hierarchy


def fold(tree: HierarchyLike, n_children: int = 10) -> Hierarchy:
    """Return a tree with several children per node, as a person browses folders.

    From the root down, the highest child of a node is replaced by its own children, again and again, as long as the
    node has at most ``n_children``; children with at most ``n_children`` items are not replaced, but in a node as small
    itself. Nodes that are kept have the same items, heights and names as before.

    Parameters
    ----------
    tree : Hierarchy, or anything that `as_hierarchy` takes
        A tree. Without heights, the largest child is replaced first.
    n_children : int
        The most children of a node, from 2 on; a node of the tree that has more keeps them.

    Raises
    ------
    InvalidInputError
        If ``n_children`` is below 2.

    Notes
    -----
    Of equal heights, the larger child is replaced first, then the later node. O(n log n) time.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.cut import fold
    >>> tree = from_newick("((((a:1,b:1):1,(c:1,d:1):1):1,(e:2,f:2):1):1,(g:1,h:1):3);")
    >>> print(fold(tree, 4).draw())
    • (4)
    ├─ • (1)
    │  ├─ g
    │  └─ h
    ├─ • (2)
    │  ├─ a
    │  ├─ b
    │  ├─ c
    │  └─ d
    └─ • (2)
       ├─ e
       └─ f
    """
    most = whole_number(n_children, "n_children", 2)
    tree = as_hierarchy(tree)
    return keep_nodes(tree, _browsed(tree, most))


def _browsed(tree: Hierarchy, most: int) -> BoolArray:
    """Return whether each node is kept."""
    start, node, size = tree.children.start.tolist(), tree.children.node.tolist(), tree.sizes.tolist()
    own = tree.own_sizes.tolist()  # items that belong to an inner node keep it
    height = (tree.sizes if tree.height is None else tree.height).tolist()
    keep = np.zeros(tree.n_nodes, dtype=bool)
    pending = [tree.root]
    while pending:
        v = pending.pop()
        keep[v] = True
        waiting = [(-height[c], -size[c], -c) for c in node[start[v] : start[v + 1]]]
        heapify(waiting)
        count = len(waiting)
        while waiting:
            c = -heappop(waiting)[2]
            below = node[start[c] : start[c + 1]]
            if not below or size[c] <= most < size[v] or count - 1 + len(below) > most or own[c]:
                pending.append(c)
                continue
            count += len(below) - 1
            for child in below:
                heappush(waiting, (-height[child], -size[child], -child))
    return keep
