"""The top of a hierarchy: its last merges, with the clusters below them as leaves."""

from __future__ import annotations

import numpy as np

from dendrometry._kernels.tree import accumulate_sum
from dendrometry.cut.count import cut_count
from dendrometry.hierarchy import Hierarchy

__all__ = ["coarsen"]


def coarsen(tree: Hierarchy, n_clusters: int) -> Hierarchy:
    """Return the top of a tree: the clusters of `cut_count` as leaves, and all nodes above them.

    Leaves then hold many items, as in a taxonomy. Nodes keep their heights and names.

    Parameters
    ----------
    tree : Hierarchy
        A tree with heights.
    n_clusters : int
        The number of clusters, as for `cut_count`.

    Raises
    ------
    InvalidInputError, InvalidTreeError
        As for `cut_count`.

    Notes
    -----
    Items that belong to an inner node above the cut stay there. O(n log n) time, as for `cut_count`.

    Examples
    --------
    >>> from dendrometry import coarsen, from_linkage
    >>> tree = from_linkage([[0, 1, 1, 2], [2, 3, 2, 2], [4, 5, 5, 4]], item_names=["ape", "bat", "cat", "dog"])
    >>> print(coarsen(tree, 3).draw())
    • (5)
    ├─ ape, bat (1)
    └─ • (2)
       ├─ cat
       └─ dog
    """
    cut = cut_count(tree, n_clusters)
    held = np.zeros(tree.n_nodes, dtype=np.int64)
    held[cut.nodes] = 1
    keep = accumulate_sum(tree.parent, held) > 0
    number = np.append(np.cumsum(keep) - 1, -1)
    names = tuple(name for name, stays in zip(tree.node_names, keep.tolist(), strict=False) if stays)
    height = None if tree.height is None else tree.height[keep]
    return Hierarchy(number[tree.parent[keep]], height, number[cut.nodes[cut.labels]], tree.items, names)
