"""Dendrogram purity: how pure the clusters are in which a tree joins items of one class."""

from __future__ import annotations

import numpy as np

from dendrometry._exact import inside, total
from dendrometry._kernels.measures.dendrogram_purity import class_items_of_pairs
from dendrometry._typing import IntArray
from dendrometry.errors import NthTree, UndefinedMeasureError
from dendrometry.io.coerce import HierarchyLike, as_hierarchies
from dendrometry.measures.measure import Measure
from dendrometry.measures.score import Score, adjust
from dendrometry.tree_pair.contraction import contract
from dendrometry.tree_pair.pair import Pair, Tree, joined_pairs
from dendrometry.tree_pair.statistics import PairStatistics


def dendrogram_purity(a: HierarchyLike, b: HierarchyLike) -> float:
    """Dendrogram purity of a tree ``b`` for the classes of a flat clustering ``a``.

    For every two items of one class, the share of that class in the smallest cluster of ``b`` that holds both; averaged
    over all such pairs. A class is a leaf of ``a``, as in `from_labels`; items at an inner node of ``a`` have no class
    in common.

    Parameters
    ----------
    a : Hierarchy, or anything that `as_hierarchy` takes
        The classes, as the leaves of a tree.
    b : Hierarchy, or anything that `as_hierarchy` takes
        The tree to be judged, over the same items.

    Returns
    -------
    float
        Above 0, up to 1 (for every class, the tree has a cluster that holds this class alone). Higher is purer.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.
    UndefinedMeasureError
        If every class has a single item, since there is no pair of one class.

    Notes
    -----
    O(n log n) time. Not symmetric. Classes of one item do not count, and large classes count by their pairs. The mean
    over all relabellings is exact: pairs(v) of the N pairs are joined at node v of s items, and the class of such a
    pair has on average 2 + (s - 2)(c - 2)/(n - 2) items there, c being the size of a class, averaged over its pairs.
    With a single class, or a single cluster, every relabelling has the same value, and none is adjusted for chance;
    `hierarchy_agreement` adjusts to 0 there.

    References
    ----------
    .. [1] K. A. Heller, Z. Ghahramani, "Bayesian hierarchical clustering", ICML 2005, 297-304,
       doi:10.1145/1102351.1102389.
    .. [2] A. Kobren, N. Monath, A. Krishnamurthy, A. McCallum, "A hierarchical algorithm for extreme clustering",
       KDD 2017, doi:10.1145/3097983.3098079.

    Examples
    --------
    >>> from dendrometry import from_labels, from_newick
    >>> from dendrometry.measures import dendrogram_purity
    >>> classes = from_labels(["pet", "pet", "wild"], item_names=["cat", "dog", "fox"])
    >>> dendrogram_purity(classes, from_newick("((cat,dog),fox);"))
    1.0
    >>> dendrogram_purity(classes, from_newick("((cat,fox),dog);"))
    0.6666666666666666
    """
    a, b = as_hierarchies(a, b)
    return score(PairStatistics(Pair.of_trees(a, b))).value


def score(statistics: PairStatistics) -> Score:
    """Return the purity with its expectation."""
    pair = statistics.pair
    b, n = pair.b, pair.n_items
    classes = pair.a.own[pair.a.n_children == 0]
    pairs = classes * (classes - 1) // 2
    n_pairs = int(pairs.sum())
    if not n_pairs:
        raise UndefinedMeasureError(
            "a leaf of ",
            NthTree("first"),
            " must hold two or more items, since pairs of one class are compared; each has one",
        )
    walk = contract(pair, lambda tree: _moments(tree, pair))
    size, joined = b.size[b.parts > 1], joined_pairs(b)[b.parts > 1]
    items, is_pure = class_items_of_pairs(walk.meets, walk.row_tick, pair.count, np.append(1, size))
    value = 1.0 if is_pure else inside(total(items[1:] / size) / n_pairs)
    if pair.n_pairs in (n_pairs, int(joined[-1])):  # one class, or one cluster
        return Score(value, value)
    mean_class = total(pairs * classes.astype(np.float64)) / n_pairs
    by_chance = 2.0 + (size - 2.0) * (mean_class - 2.0) / (n - 2)
    expected = total(joined * by_chance / size) / pair.n_pairs
    return Score(value, expected, adjust(value, expected, 1.0))


def _moments(tree: Tree, pair: Pair) -> IntArray:
    """Return when each node is formed: first the classes at once, then the clusters one by one, then what is above."""
    if tree is pair.a:
        return np.where(tree.n_children == 0, 0, pair.b.parent.size + 1)
    return np.arange(1, tree.parent.size + 1)


MEASURE = Measure(
    call=dendrogram_purity,
    of="trees",
    symbol="DP",
    title="Dendrogram purity",
    aliases=("DP",),
    score=score,
    symmetric=False,
    triangle=False,
    exact=False,
    default=False,
    refuses_dendrograms=True,
    meaning="how pure the smallest clusters of {b} are that join two items of one leaf of {a}",
    formula=(
        "DP = the mean of m/s over the pairs of items that share a leaf of a\n"
        "s = items of the smallest cluster of b with both, m = those of them that share the leaf"
    ),
    chance=(
        "Σ over the nodes v of b, of s items, of pairs(v)/N (2 + (s - 2)(c - 2)/(n - 2)) / s, exact,"
        " for pairs(v) pairs joined at v and classes of c items, averaged over their pairs"
    ),
    source="Heller and Ghahramani 2005",
    bibtex="heller2005",
)
