"""Distance and correlation of the heights at which pairs of items join, without the n x n matrices."""

import math

import numpy as np

from dendrometry._kernels import cophenetic as kernels
from dendrometry._kernels._jit import FloatArray
from dendrometry.compare.contraction import Contraction, contract, height_clock
from dendrometry.compare.pair import Pair, Tree, joined_pairs
from dendrometry.compare.score import Score, adjusted
from dendrometry.compare.spans import spans
from dendrometry.errors import UndefinedMeasureError
from dendrometry.hierarchy import Hierarchy

__all__ = ["cophenetic_correlation", "cophenetic_distance", "correlation_score", "distance_score"]


def cophenetic_distance(a: Hierarchy, b: Hierarchy) -> float:
    """Mean absolute difference of the cophenetic heights in two trees.

    ``sum over pairs |h_a(i, j) - h_b(i, j)| / N`` over the N = n(n-1)/2 pairs, where h(i, j) is the height of the
    lowest node with both items: the L1 distance of the two cophenetic matrices, per pair.

    Parameters
    ----------
    a, b : Hierarchy
        Two trees with heights over the same items. Heights are compared as they are: bring them to one scale first.

    Returns
    -------
    float
        0 or more, in the unit of the heights; lower is more alike, 0 if every pair joins at the same height.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.
    UndefinedMeasureError
        If a tree has no heights, has inversions, or there is only one item.

    Notes
    -----
    O(n log n) time, O(n) space. Symmetric; obeys the triangle inequality.

    References
    ----------
    .. [1] R. R. Sokal, F. J. Rohlf, "The comparison of dendrograms by objective methods", Taxon 11 (1962),
       doi:10.2307/1217208.

    Examples
    --------
    >>> from dendrometry import cophenetic_distance, from_newick
    >>> a, b = from_newick("((ape:1,cat:1):2,owl:3);"), from_newick("((ape:2,owl:2):1,cat:3);")
    >>> cophenetic_distance(a, b)
    1.0
    """
    return distance_score(Pair.of_trees(a, b)).value


def distance_score(pair: Pair) -> Score:
    """Return the distance of a pair with its expectation."""
    _need_pairs(pair)
    return score_of_walk(contract(pair, height_clock))


def score_of_walk(walk: Contraction) -> Score:
    """Return the distance from a walk by the height clock."""
    steps = np.diff(walk.time)
    value = float((steps * (walk.apart[:-1] / walk.pair.n_pairs)).sum())
    expected = 0.0 if walk.always_alike else float((steps * walk.expected_apart[:-1]).sum())
    return Score(value, expected, adjusted(value, expected, 0.0))


def cophenetic_correlation(a: Hierarchy, b: Hierarchy) -> float:
    """Pearson correlation of the cophenetic heights in two trees.

    The correlation, over all pairs of items, of the heights of the lowest node with both in ``a`` and in ``b``. The
    units of the heights do not matter.

    Parameters
    ----------
    a, b : Hierarchy
        Two trees with heights over the same items; inversions are allowed.

    Returns
    -------
    float
        -1 to 1; higher is more alike, 1 if the heights of ``b`` are a rising linear function of those of ``a``.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.
    UndefinedMeasureError
        If a tree has no heights, or all pairs join at one height.

    Notes
    -----
    O(n log**3 n) time at the very worst, usually near n log**2 n; O(n) space. Symmetric. Under random relabelling its
    mean is 0. A sum of floating-point numbers: identical trees give 1 up to rounding.

    References
    ----------
    .. [1] R. R. Sokal, F. J. Rohlf, "The comparison of dendrograms by objective methods", Taxon 11 (1962),
       doi:10.2307/1217208.

    Examples
    --------
    >>> from dendrometry import cophenetic_correlation, from_newick
    >>> a, b = from_newick("((ape:1,cat:1):2,owl:3);"), from_newick("((ape:2,owl:2):1,cat:3);")
    >>> round(cophenetic_correlation(a, b), 12)
    -0.5
    """
    return correlation_score(Pair.of_trees(a, b)).value


def correlation_score(pair: Pair) -> Score:
    """Return the correlation of a pair; its expectation is 0, so it is its own adjusted form."""
    _need_pairs(pair)
    (height_a, square_a), (height_b, square_b) = (_centred(tree) for tree in (pair.a, pair.b))
    in_a = spans(pair.a)
    start = np.zeros(pair.a.parent.size + 1, dtype=np.int64)
    np.cumsum(pair.a.n_children, out=start[1:])
    child = np.argsort(pair.a.parent[:-1], kind="stable")
    paths_a, paths_b = (kernels.heavy_paths(tree.parent, tree.size) for tree in (pair.a, pair.b))
    node_b = pair.b.node[in_a.row]
    rows_at = np.bincount(node_b, minlength=pair.b.parent.size)
    lone = (pair.b.n_children == 0) & (rows_at == 1) & (paths_b.top == np.arange(rows_at.size))
    node_b = np.where(lone[node_b], pair.b.parent[node_b], node_b)
    rows = kernels.Rows(pair.count[in_a.row], node_b, in_a.low, in_a.high, in_a.n_own, start, child)
    product = kernels.sum_of_products(paths_a, height_a, paths_b, height_b, rows)
    inside = pair.count * (pair.count - 1) // 2
    product += float((inside * height_a[pair.a.node] * height_b[pair.b.node]).sum())
    value = float(min(1.0, max(-1.0, product / math.sqrt(square_a) / math.sqrt(square_b)))) + 0.0
    return Score(value, 0.0, value)


def _need_pairs(pair: Pair) -> None:
    """Refuse a single item."""
    if pair.n_items < 2:
        raise UndefinedMeasureError("cophenetic heights are heights of pairs of items; got a single item")


def _centred(tree: Tree) -> tuple[FloatArray, float]:
    """Return heights less their mean over pairs, scaled to at most 1, and the sum over pairs of their squares."""
    if tree.height is None:
        raise UndefinedMeasureError("the height of a pair needs trees with heights; got a tree without")
    pairs = joined_pairs(tree)
    used = tree.height[pairs > 0]
    if used.min() == used.max():
        raise UndefinedMeasureError(
            "cophenetic_correlation needs pairs that join at different heights; here all are equal"
        )
    low, scale = float(used.min()), _power_of_two(float(used.max()) / 2 - float(used.min()) / 2)
    height = np.where(pairs > 0, tree.height / scale - low / scale, 0.0)
    height -= (pairs * height).sum() / pairs.sum()
    return height, float((pairs * height * height).sum())


def _power_of_two(value: float) -> float:
    """Return the greatest power of two up to a positive value, so that dividing by it is exact."""
    return math.ldexp(0.5, math.frexp(value)[1])
