"""The cophenetic correlation: how closely the heights at which pairs join in one tree follow those in another."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._check.tree import require_heights
from dendrometry._exact import total
from dendrometry._kernels import tree as tree_kernels
from dendrometry._typing import FloatArray, IntArray
from dendrometry.errors import UndefinedMeasureError
from dendrometry.io.coerce import HierarchyLike, as_hierarchies
from dendrometry.measures.measure import Measure
from dendrometry.measures.score import Score
from dendrometry.measures.trees.cophenetic_distance import need_pairs
from dendrometry.tree_pair.heights import above_lowest
from dendrometry.tree_pair.pair import Pair, Tree, joined_pairs
from dendrometry.tree_pair.products import steps_to_multiply, sum_of_products
from dendrometry.tree_pair.statistics import PairStatistics


def cophenetic_correlation(a: HierarchyLike, b: HierarchyLike) -> float:
    """Pearson correlation of the cophenetic heights in two trees.

    The correlation, over all pairs of items, of the heights of their lowest common nodes in ``a`` and in ``b``. It does
    not depend on the units of the heights. Under an inversion the height of that node itself counts, where
    `baker_correlation`, `kendall_tau_b` and `goodman_kruskal_gamma` take the greatest at or below it.

    Parameters
    ----------
    a, b : Hierarchy, or anything that `as_hierarchy` takes
        Two trees with heights over the same items; inversions are allowed.

    Returns
    -------
    float
        From -1 to 1. Higher is more alike; 1 if the heights of ``b`` are an increasing linear function of those of
        ``a``.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.
    UndefinedMeasureError
        If a tree has no heights, or all pairs join at one height.

    Notes
    -----
    O(n log n) time, O(n) space. Symmetric. Under random relabelling its mean is 0. A tree with itself gives exactly 1.
    Other values are sums of floating-point numbers in an order that follows from those of nodes and items, so trees
    with their nodes renumbered give the same value only up to rounding.

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
    a, b = as_hierarchies(a, b)
    return score(PairStatistics(Pair.of_trees(a, b))).value


def score(statistics: PairStatistics) -> Score:
    """Return the correlation; its expectation is 0, so it is its own adjusted form."""
    need_pairs(statistics.pair)
    return correlate(statistics.pair, *statistics.once(_centre_both))


class Centred(NamedTuple):
    """Rescaled heights of the nodes of a tree minus their mean over pairs, and the sum over pairs of their squares."""

    height: FloatArray
    square: float


def correlate(pair: Pair, centred_a: Centred, centred_b: Centred) -> Score:
    """Return the correlation of the heights at which pairs of items join in both trees."""
    (height_a, square_a), (height_b, square_b) = centred_a, centred_b
    same = ((pair.a.parent, pair.b.parent), (pair.a.node, pair.b.node), (height_a, height_b))
    if all(np.array_equal(x, y) for x, y in same):
        return Score(1.0, 0.0, 1.0)
    product = (_sum_over_pairs if pair.has_few_pairs else _sum_by_walk)(pair, height_a, height_b)
    value = float(min(1.0, max(-1.0, product / (math.sqrt(square_a) * math.sqrt(square_b))))) + 0.0
    return Score(value, 0.0, value)


def _sum_over_pairs(pair: Pair, height_a: FloatArray, height_b: FloatArray) -> float:
    """Return the sum over pairs of the product of their heights, for small trees; rounded once, so in any order."""
    products = height_a[pair.lowest[0]] * height_b[pair.lowest[1]]
    return total((pair.pairs * products).ravel()) / 2.0


def _sum_by_walk(pair: Pair, height_a: FloatArray, height_b: FloatArray) -> float:
    """Return the sum over pairs of the product of their heights, for trees of any size, with the same bits if swapped.

    The tree whose columns come first, by their bytes, is the first; of two equal trees, that whose nodes of rows do.
    """
    a, b = (pair.a.parent, height_a), (pair.b.parent, height_b)
    if _precede(b, a):
        return sum_of_products(_swap(pair), height_b, height_a)
    if not _precede(a, b):
        swapped = _swap(pair)
        pair = swapped if _precede(_rows(swapped), _rows(pair)) else pair
    return sum_of_products(pair, height_a, height_b)


def _swap(pair: Pair) -> Pair:
    """Return the pair with its trees exchanged, and rows, which are in order of their nodes, in the new order of these.

    O(n).
    """
    order = tree_kernels.by_number(pair.b.node, pair.b.parent.size)
    a, b = (tree._replace(node=tree.node[order]) for tree in (pair.b, pair.a))
    return Pair(a, b, pair.count[order], pair.n_items)


def _rows(pair: Pair) -> tuple[IntArray, IntArray, IntArray]:
    """Return the columns of the rows of a pair."""
    return pair.a.node, pair.b.node, pair.count


def _precede(columns: tuple[NDArray[Any], ...], others: tuple[NDArray[Any], ...]) -> bool:
    """Return whether the first column that differs is the less by its bytes."""
    for x, y in zip(columns, others, strict=True):
        if not np.array_equal(x, y):
            return x.tobytes() < y.tobytes()
    return False


def _centre_both(pair: Pair) -> tuple[Centred, Centred]:
    """Return the centred heights of both trees."""
    return centre(pair.a), centre(pair.b)


def centre(tree: Tree) -> Centred:
    """Return the centred heights of a tree, refusing one whose pairs all join at one height."""
    heights = require_heights(tree.height, tree.which, "the heights of pairs", UndefinedMeasureError)
    pairs = joined_pairs(tree)
    used = pairs > 0
    above, _ = above_lowest(heights[used])
    if not above.any():
        raise UndefinedMeasureError("pairs must join at different heights; all join at the same height")
    height = np.zeros(pairs.size)
    height[used] = above
    height -= (pairs * height).sum() / pairs.sum()
    return Centred(height, float((pairs * height * height).sum()))


def cost(statistics: PairStatistics) -> int:
    """Return the number of steps."""
    return steps_to_multiply(statistics.pair)


MEASURE = Measure(
    call=cophenetic_correlation,
    of="trees",
    symbol="r",
    title="Cophenetic correlation",
    aliases=("cor_cophenetic", "cophenetic correlation of two trees"),
    score=score,
    lower=-1.0,
    triangle=False,
    exact=False,
    needs_heights=True,
    cost=cost,
    slow="correlating the heights",
    meaning="how closely the heights at which pairs join in one tree follow those in the other",
    formula=(
        "r = Σ_i<j x(i,j) y(i,j) / √(Σ_i<j x(i,j)² Σ_i<j y(i,j)²)\n"
        "x, y = h_a, h_b less their means; h(i,j) = height of the lowest node with i and j"
    ),
    chance="0, exact",
    source="Sokal and Rohlf 1962",
    bibtex="sokal1962",
)
