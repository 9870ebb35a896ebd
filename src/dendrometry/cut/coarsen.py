"""The top of a hierarchy, or a few of its levels, with the clusters below them as leaves."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from dendrometry._check.choices import elements
from dendrometry._check.numbers import whole_number
from dendrometry._kernels.tree import accumulate_sum, nearest_kept
from dendrometry._typing import BoolArray
from dendrometry.cut.count import cut_count
from dendrometry.errors import InvalidInputError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.coerce import HierarchyLike, as_hierarchy


def coarsen(
    tree: HierarchyLike, n_clusters: int | Iterable[int], *, min_size: int = 1, min_children: int = 1
) -> Hierarchy:
    """Return the top of a tree: the clusters of `cut_count` as leaves, and all nodes above them, or some levels of it.

    Leaves then hold many items, as in a taxonomy. Nodes keep their heights and names.

    Parameters
    ----------
    tree : Hierarchy, or anything that `as_hierarchy` takes
        A tree with heights.
    n_clusters : int or sequence of int
        The number of clusters, as for `cut_count`. Of several, the tree has one level for each, and no nodes between
        them: 3, 10 and 50 give a root with three children, of which some are split into the ten clusters, and so on.
    min_size : int
        The least number of items of a node. The items of smaller ones belong to the node above.
    min_children : int
        The least number of children of an inner node. Of others, the children belong to the node above; leaves and the
        root are kept.

    Raises
    ------
    InvalidInputError, InvalidTreeError
        As for `cut_count`; or if ``min_size`` or ``min_children`` is below 1, or there is no number of clusters.

    Notes
    -----
    Items that belong to an inner node above the cut stay there. O(n log n) time for each number of clusters.

    Examples
    --------
    >>> from dendrometry import from_linkage
    >>> from dendrometry.cut import coarsen
    >>> tree = from_linkage([[0, 1, 1, 2], [2, 3, 2, 2], [4, 5, 5, 4]], item_names=["ape", "bat", "cat", "dog"])
    >>> print(coarsen(tree, 3).draw())
    • (5)
    ├─ ape, bat (1)
    └─ • (2)
       ├─ cat
       └─ dog
    >>> print(coarsen(tree, 3, min_size=2).draw())
    • (5)
    ├─ ape, bat (1)
    └─ cat, dog (2)
    """
    several: object = n_clusters
    counts = elements(several, "n_clusters") if isinstance(several, Iterable) else [several]
    if not counts or isinstance(several, str | bytes):
        raise InvalidInputError("n_clusters must be a number of clusters, or a sequence of at least one; got none")
    least = whole_number(min_size, "min_size", 1)
    fewest = whole_number(min_children, "min_children", 1)
    tree = as_hierarchy(tree)
    cuts = [cut_count(tree, count) for count in counts]  # type: ignore[arg-type]  # it refuses what is not a number
    chosen = np.zeros(tree.n_nodes, dtype=np.int64)
    for cut in cuts:
        chosen[cut.nodes] = 1
    above = accumulate_sum(tree.parent, chosen) > 0
    keep = chosen > 0 if isinstance(several, Iterable) else above
    keep &= tree.sizes >= least
    keep[tree.root] = True
    return keep_nodes(tree, _with_children(tree, keep, fewest))


def keep_nodes(tree: Hierarchy, keep: BoolArray) -> Hierarchy:
    """Return the tree of some nodes, the root among them; the items of the others belong to the nearest above."""
    number = np.append(np.cumsum(keep) - 1, -1)
    nearest = nearest_kept(tree.parent, keep)
    names = tuple(name for name, stays in zip(tree.node_names, keep.tolist(), strict=False) if stays)
    height = None if tree.height is None else tree.height[keep]
    own = np.where(keep, np.arange(tree.n_nodes), nearest)[tree.item_node]
    return Hierarchy(number[nearest[keep]], height, number[own], tree.items, names)


def _with_children(tree: Hierarchy, keep: BoolArray, fewest: int) -> BoolArray:
    """Return the kept nodes without inner ones that have too few children, from the bottom up. O(n)."""
    kept = keep.tolist()
    count = [0] * tree.n_nodes  # kept children of each node, those of nodes that are not kept included
    for v, p in enumerate(tree.parent[:-1].tolist()):
        kept[v] = kept[v] and (count[v] == 0 or count[v] >= fewest)
        count[p] += 1 if kept[v] else count[v]
    return np.array(kept)
