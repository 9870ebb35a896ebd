"""The greedy consensus of several hierarchies: their clusters in order of support, as far as they form a tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from dendrometry._check.arrays import read_only
from dendrometry.comparison.consensus import Consensus, cluster_numbers, placed_trees
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.coerce import HierarchyLike


def greedy_consensus(trees: Mapping[str, HierarchyLike] | Sequence[HierarchyLike]) -> Consensus:
    """Return the greedy consensus of several hierarchies, also called extended majority rule.

    The clusters of all trees are taken in order of the number of trees that contain them, and added if they are nested
    in, contain, or are disjoint from every cluster added before. The result contains the majority-rule consensus, and
    usually resolves more. Of equally frequent clusters the smaller comes first, then the one whose
    last item comes earlier in the first tree, or else whose last but one does, and so on.

    Parameters
    ----------
    trees : mapping of names to hierarchies, or sequence of hierarchies, or of what `as_hierarchy` takes
        At least one tree, of any kind; all must contain the same items.

    Returns
    -------
    Consensus
        The tree, and for each node the share of the trees that contain its cluster; ``threshold`` is 0.

    Raises
    ------
    ItemMismatchError
        If two trees contain different items.
    InvalidInputError
        If the collection is empty, or an element is not a hierarchy.

    Notes
    -----
    For c distinct clusters in all trees, up to O(c n) tests of two clusters, each on n bits; it ends early when the
    tree is binary.

    References
    ----------
    .. [1] D. Bryant, "A classification of consensus methods for phylogenetics", DIMACS Series in Discrete Mathematics
       61 (2003) 163-184, doi:10.1090/dimacs/061/11.

    Examples
    --------
    >>> from dendrometry import consensus, from_newick
    >>> from dendrometry.comparison import greedy_consensus
    >>> texts = ["((ape,cat),(elk,owl));", "((ape,cat),elk,owl);", "((ape,elk),(cat,owl));", "((elk,owl),ape,cat);"]
    >>> trees = [from_newick(text) for text in texts]
    >>> consensus(trees).n_clusters, greedy_consensus(trees).n_clusters
    (0, 2)
    """
    listed, place = placed_trees(trees, "greedy_consensus")
    cluster, count = cluster_numbers(listed, place)
    n, bits = listed[0].n_items, dict[int, int]()
    for tree, at, of_node in zip(listed, place, cluster, strict=True):
        order = tree.order
        for v, c in enumerate(of_node.tolist()):
            if c not in bits:
                held = np.zeros(n, dtype=np.uint8)
                held[at[order.item[order.item_low[v] : order.item_high[v]]]] = 1
                bits[c] = int.from_bytes(np.packbits(held, bitorder="little").tobytes(), "little")
    chosen: list[int] = []
    most = 2 * n - 1  # clusters of a binary tree
    for c in sorted(bits, key=lambda c: (-int(count[c]), bits[c].bit_count(), bits[c])):
        if len(chosen) == most:
            break
        one = bits[c]
        if all((both := one & bits[d]) == 0 or both in (one, bits[d]) for d in chosen):
            chosen.append(c)
    chosen.sort(key=lambda c: bits[c].bit_count())
    support = np.array([count[c] / len(listed) for c in chosen])
    return Consensus(_nested(listed[0], [bits[c] for c in chosen]), read_only(support), len(listed), 0.0)


def _nested(first: Hierarchy, clusters: list[int]) -> Hierarchy:
    """Return the tree of compatible clusters, given as bits of the items, in order of size."""
    parent = np.full(len(clusters), -1, dtype=np.int64)
    item_node = np.full(first.n_items, -1, dtype=np.int64)
    top = np.full(first.n_items, -1, dtype=np.int64)  # the largest cluster so far around each item
    for v, cluster in enumerate(clusters):
        held = np.unpackbits(
            np.frombuffer(cluster.to_bytes((first.n_items + 7) // 8, "little"), dtype=np.uint8),
            bitorder="little",
            count=first.n_items,
        ).astype(bool)
        below = np.unique(top[held])
        parent[below[below >= 0]] = v
        item_node[held & (item_node < 0)] = v
        top[held] = v
    return Hierarchy(parent, None, item_node, first.items)
