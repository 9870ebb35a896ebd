"""The Kendall-Colijn distance: how far below the root each pair of items parts, in two trees."""

from __future__ import annotations

import math

import numpy as np

from dendrometry._check.numbers import real_number
from dendrometry._kernels import tree as kernels
from dendrometry._typing import FloatArray
from dendrometry.errors import UndefinedMeasureError
from dendrometry.io.coerce import HierarchyLike, as_hierarchies
from dendrometry.measures._shared.path_moments import expected_square, moments_at_nodes
from dendrometry.measures.measure import Measure
from dendrometry.measures.score import Score, root_score
from dendrometry.tree_pair.contraction import height_clock
from dendrometry.tree_pair.heights import above_lowest
from dendrometry.tree_pair.pair import Pair, Tree
from dendrometry.tree_pair.products import steps_to_multiply, sum_of_squared_differences
from dendrometry.tree_pair.statistics import PairStatistics

_BITS = 53  # to which lengths from the root are rounded, as fractions of the longest


def kendall_colijn(a: HierarchyLike, b: HierarchyLike, *, weight: float = 0.0) -> float:
    """Euclidean distance of two trees by how far below the root each pair of items parts.

    ``sqrt(sum over pairs (v_a - v_b)**2 + weight**2 sum over items (p_a - p_b)**2)``, where v is ``1 - weight`` times
    the number of branches from the root to the lowest node with both items, plus ``weight`` times their length, and p
    is the length of the branch of an item, 0 for an item that shares its node.

    Parameters
    ----------
    a, b : Hierarchy, or anything that `as_hierarchy` takes
        Two trees over the same items; with heights, and without inversions, if ``weight`` is above 0.
    weight : float
        The weight of lengths against numbers of branches, from 0 to 1; called lambda in the paper.

    Returns
    -------
    float
        At least 0. Lower is more alike; 0 if both trees have the same clusters, and, if ``weight`` is above 0, the same
        branch lengths.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.
    UndefinedMeasureError
        If ``weight`` is above 0 and a tree has no heights or has inversions, or the value exceeds the range of floats.
    InvalidInputError
        If ``weight`` is not a number from 0 to 1.

    Notes
    -----
    O(n log n) time, O(n) space. Symmetric; obeys the triangle inequality. The squares of numbers of branches are summed
    as whole numbers, so that nothing is lost by rounding where the trees are nearly equal. Lengths from the root are
    first rounded to ``2**-53`` of the longest, and take up to about twice as long. A single item gives 0. The mean of
    the square over all relabellings is the sum of all v_a**2 and v_b**2, less twice the product of the sum of v_a with
    the sum of v_b, divided by the number of pairs. `compare` shows its root as the value by chance, and adjusts the
    square; it leaves ``weight`` at 0.

    References
    ----------
    .. [1] M. Kendall, C. Colijn, "Mapping phylogenetic trees to reveal distinct patterns of evolution", Molecular
       Biology and Evolution 33 (2016) 2735-2743, doi:10.1093/molbev/msw124.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.measures import kendall_colijn
    >>> a, b = from_newick("(((ape,cat),elk),owl);"), from_newick("((ape,cat),(elk,owl));")
    >>> kendall_colijn(a, b)
    2.0
    """
    weight = real_number(weight, "weight", least=0.0, most=1.0)
    a, b = as_hierarchies(a, b)
    return _distance(Pair.of_trees(a, b), weight)


def score(statistics: PairStatistics) -> Score:
    """Return the distance by numbers of branches, with the root of the mean of its square."""
    pair = statistics.pair
    depths = kernels.depths(pair.a.parent), kernels.depths(pair.b.parent)
    a, b = moments_at_nodes(pair.a, depths[0]), moments_at_nodes(pair.b, depths[1])
    return root_score(sum_of_squared_differences(pair, *depths), expected_square(a, b, pair.n_pairs))


def _distance(pair: Pair, weight: float) -> float:
    """Return the distance for a weight of lengths."""
    trees = pair.a, pair.b
    depths = [kernels.depths(tree.parent) for tree in trees]
    if weight == 0.0:
        return math.sqrt(sum_of_squared_differences(pair, *depths))
    scaled = [above_lowest(-height_clock(tree)) for tree in trees]
    deepest = (int(depth.max()).bit_length() for depth in depths if weight < 1.0)
    unit = max(*(exponent for _, exponent in scaled), *deepest)
    lengths = [weight * np.ldexp(length, exponent - unit) for length, exponent in scaled]
    below = [np.ldexp((1.0 - weight) * depth, -unit) + length for depth, length in zip(depths, lengths, strict=True)]
    parted = sum_of_squared_differences(pair, *(np.rint(np.ldexp(far, _BITS)).astype(np.int64) for far in below))
    a, b = (_ends(tree, length)[tree.node] for tree, length in zip(trees, lengths, strict=True))
    ends = float((pair.count * (a - b) ** 2).sum())
    try:
        return math.ldexp(math.sqrt(math.ldexp(parted, -2 * _BITS) + ends), unit)
    except OverflowError:
        raise UndefinedMeasureError(
            "the lengths differ by more than a float can hold; bring the heights to a smaller scale"
        ) from None


def _ends(tree: Tree, length: FloatArray) -> FloatArray:
    """Return the length of the branch above each leaf with a single item, and 0 for other nodes."""
    ends = np.zeros(length.size)
    ends[:-1] = length[:-1] - length[tree.parent[:-1]]
    return np.where((tree.n_children == 0) & (tree.own == 1), ends, 0.0)


def cost(statistics: PairStatistics) -> int:
    """Return the number of steps."""
    return steps_to_multiply(statistics.pair)


MEASURE = Measure(
    call=kendall_colijn,
    of="trees",
    symbol="KC",
    title="Kendall-Colijn",
    aliases=("KC", "KC distance", "treespace distance"),
    score=score,
    kind="distance",
    identical=0.0,
    upper=math.inf,
    triangle=True,
    default=False,
    is_root=True,
    cost=cost,
    slow="multiplying the depths",
    meaning="how much the trees differ in the number of branches from the root to where each pair of items parts",
    formula=(
        "KC = √(Σ_i<j (v_a(i,j) - v_b(i,j))² + λ² Σ_i (p_a(i) - p_b(i))²)\n"
        "v(i,j) = 1 - λ times the branches from the root to the lowest node with i and j, plus λ times their length;"
        " p(i) = length of the branch of i; λ = weight, 0 unless set"
    ),
    chance="the root of the mean square, exact for λ = 0: √(Σ v_a² + Σ v_b² - 2 Σ v_a Σ v_b / N)",
    source="Kendall and Colijn 2016",
    bibtex="kendall2016",
)
