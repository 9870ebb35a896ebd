"""The weighted Robinson-Foulds distance: how much the branches above the clusters of two trees differ in length."""

from __future__ import annotations

import math

import numpy as np

from dendrometry._check.tree import require_heights
from dendrometry._typing import FloatArray
from dendrometry.errors import UndefinedMeasureError
from dendrometry.io.coerce import HierarchyLike, as_trees
from dendrometry.measures.measure import Measure, Unrooted
from dendrometry.measures.score import Score, adjust
from dendrometry.tree_pair.contraction import height_clock
from dendrometry.tree_pair.pair import Pair, Tree
from dendrometry.tree_pair.statistics import PairStatistics
from dendrometry.tree_pair.unrooted import pair_of, split_sizes
from dendrometry.unrooted import UnrootedTree

_LARGEST = 200  # the least number of items, in or out, of a cluster that chance does not repeat: one in 10**100


def weighted_robinson_foulds(a: HierarchyLike | UnrootedTree, b: HierarchyLike | UnrootedTree) -> float:
    """Sum of the differences in length of the branches above the clusters of two trees.

    ``sum over clusters |w_a - w_b|``, where w is the height of the parent of a cluster less its own, and 0 for a
    cluster that a tree does not have. Single items count if they are alone in their leaf; the root has no branch.

    Parameters
    ----------
    a, b : Hierarchy or UnrootedTree, or anything that `as_hierarchy` takes
        Two trees with heights over the same items. Heights are not rescaled: they must have the same unit.

    Returns
    -------
    float
        At least 0, in the unit of the heights. Lower is more alike; 0 if the trees have the same clusters at the same
        distances.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.
    UndefinedMeasureError
        If a tree has no heights or has inversions, or the value exceeds the range of floats.

    See Also
    --------
    robinson_foulds : The number of clusters that only one of the trees has.

    Notes
    -----
    O(n log n) time, O(n) space. Symmetric; obeys the triangle inequality. Of unrooted trees (see `io.unroot`) it
    compares the branches of splits. 0 for a single item.

    References
    ----------
    .. [1] D. F. Robinson, L. R. Foulds, "Comparison of weighted labelled trees", Lecture Notes in Mathematics 748
       (1979) 119-126, doi:10.1007/BFb0102690.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.measures import weighted_robinson_foulds
    >>> a, b = from_newick("((ape:1,cat:1):2,owl:3);"), from_newick("((ape:2,owl:2):1,cat:3);")
    >>> weighted_robinson_foulds(a, b)
    7.0
    """
    a, b = as_trees(a, b)
    return score(PairStatistics(pair_of(a, b))).value


def score(statistics: PairStatistics) -> Score:
    """Return the distance with its expectation: a cluster of s items becomes any of that size, equally often."""
    pair, shared = statistics.pair, statistics.shared_clusters
    length_a, length_b = (_branches(tree, pair.unrooted) for tree in (pair.a, pair.b))
    total = float(length_a.sum() + length_b.sum())
    if not math.isfinite(total):
        raise UndefinedMeasureError("the heights differ by more than a float can hold; bring them to a smaller scale")
    alone = np.delete(length_a, shared.a), np.delete(length_b, shared.b)
    value = math.fsum(np.concatenate((np.abs(length_a[shared.a] - length_b[shared.b]), *alone)))
    n = pair.n_items
    in_a, in_b = (_by_size(pair, tree, length) for tree, length in ((pair.a, length_a), (pair.b, length_b)))
    by_chance = [
        _sum_of_lesser(in_a[size], in_b[size])
        * ((1 + (pair.unrooted and 2 * size == n)) / math.comb(n, size))  # which a float may not hold
        for size in in_a.keys() & in_b.keys()
    ]
    expected = max(0.0, total - 2.0 * math.fsum(by_chance))
    return Score(value, expected, adjust(value, expected, 0.0))


def _branches(tree: Tree, unrooted: bool) -> FloatArray:
    """Return the length of the branch above each node, 0 at the root."""
    if unrooted:
        branches = require_heights(tree.length, tree.which, "lengths of branches", UndefinedMeasureError)
        if (branches < 0).any():
            raise UndefinedMeasureError(
                tree.which, " must have no branch of negative length, an inversion; it has some"
            )
        return branches
    height = height_clock(tree)
    length = np.zeros(height.size)
    with np.errstate(over="ignore"):
        length[:-1] = height[tree.parent[:-1]] - height[:-1]
    return length


def _by_size(pair: Pair, tree: Tree, length: FloatArray) -> dict[int, FloatArray]:
    """Return the lengths of the branches above the clusters of each number of items that chance may repeat."""
    size = split_sizes(pair, tree.size)
    held = np.flatnonzero(np.minimum(size, pair.n_items - size) < _LARGEST)
    order = held[np.argsort(size[held], kind="stable")]
    sizes, first = np.unique(size[order], return_index=True)
    return dict(zip(sizes.tolist(), np.split(length[order], first[1:]), strict=True))


def _sum_of_lesser(x: FloatArray, y: FloatArray) -> float:
    """Return the sum, over all pairs of one number of each list, of the lesser. O(k log k)."""
    x, y = np.sort(x), np.sort(y)
    before = np.concatenate(([0.0], np.cumsum(y)))
    at = np.searchsorted(y, x)
    return float((before[at] + x * (y.size - at)).sum())


MEASURE = Measure(
    call=weighted_robinson_foulds,
    of="trees",
    unrooted=Unrooted("how much the branches of all splits differ in length, in the unit of the heights"),
    symbol="wRF",
    title="Weighted Robinson-Foulds",
    aliases=("wRF", "weighted RF"),
    score=score,
    kind="distance",
    identical=0.0,
    upper=math.inf,
    triangle=True,
    default=False,
    needs_heights=True,
    meaning="how much the branches above the clusters of both trees differ in length, in the unit of the heights",
    formula=(
        "wRF = Σ_C |w_a(C) - w_b(C)|\nw(C) = height of the parent of cluster C less that of C; 0 without such a cluster"
    ),
    chance="Σ w_a + Σ w_b - 2 Σ_s (1/C(n,s)) Σ min(w_a, w_b) over the clusters of s items of both; exact",
    source="Robinson and Foulds 1979",
    bibtex="robinson1979",
)
