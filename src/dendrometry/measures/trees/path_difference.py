"""The path difference: how the numbers of branches between items differ in two trees."""

from __future__ import annotations

import math
import operator

from dendrometry._kernels import tree as kernels
from dendrometry._typing import IntArray
from dendrometry.io.coerce import HierarchyLike, as_trees
from dendrometry.measures._shared.path_moments import Moments, expected_square, moments_at_nodes
from dendrometry.measures.measure import Measure, Unrooted
from dendrometry.measures.score import Score, root_score
from dendrometry.tree_pair.contraction import exact_dot
from dendrometry.tree_pair.pair import Pair, Tree
from dendrometry.tree_pair.products import steps_to_multiply, sum_of_squared_differences
from dendrometry.tree_pair.statistics import PairStatistics
from dendrometry.tree_pair.unrooted import pair_of
from dendrometry.unrooted import UnrootedTree


def path_difference(a: HierarchyLike | UnrootedTree, b: HierarchyLike | UnrootedTree) -> float:
    """Euclidean distance of two trees by the number of branches on the path between each pair of items.

    ``sqrt(sum over pairs (p_a - p_b)**2)``, where p is the number of branches from one item up to the lowest node with
    both and down to the other. An item that shares its node with others, or lies at an inner node, has a branch of its
    own below that node. The root is a node of the paths through it. Heights are not used.

    Parameters
    ----------
    a, b : Hierarchy or UnrootedTree, or anything that `as_hierarchy` takes
        Two trees over the same items.

    Returns
    -------
    float
        At least 0. Lower is more alike; 0 if both trees have the same clusters.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.

    See Also
    --------
    kendall_colijn : The same for the paths from the root to where each pair parts.

    Notes
    -----
    O(n log n) time, O(n) space. Symmetric; obeys the triangle inequality. The squares are summed as whole numbers, so
    only the root is rounded. Trees that differ only in the place of their root are not always apart. A single item
    gives 0. The mean of the square over all relabellings is the sum of all p_a**2 and p_b**2, less twice the product of
    the sum of p_a with the sum of p_b, divided by the number of pairs. `compare` shows its root as the value by chance,
    and adjusts the square.

    References
    ----------
    .. [1] M. A. Steel, D. Penny, "Distributions of tree comparison metrics: some new results", Systematic Biology 42
       (1993) 126-141, doi:10.1093/sysbio/42.2.126.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.measures import path_difference
    >>> a, b = from_newick("(((ape,cat),elk),owl);"), from_newick("((ape,cat),(elk,owl));")
    >>> path_difference(a, b)
    1.7320508075688772
    """
    a, b = as_trees(a, b)
    return math.sqrt(_squares(pair_of(a, b)))


def score(statistics: PairStatistics) -> Score:
    """Return the distance, with the root of the mean of its square."""
    pair = statistics.pair
    a, b = _moments(pair.a, pair.count), _moments(pair.b, pair.count)
    return root_score(_squares(pair), expected_square(a, b, pair.n_pairs))


def _squares(pair: Pair) -> int:
    """Return the sum of the squared differences, exact.

    A path has ``e_i + e_j - 2 v`` branches, e those from the root to an item and v those from the root to where the
    items part. So the difference of a pair is ``d_i + d_j - 2 w``, with d and w the differences of e and v.
    """
    parted = sum_of_squared_differences(pair, kernels.depths(pair.a.parent), kernels.depths(pair.b.parent))
    d = _end_depths(pair.a) - _end_depths(pair.b)
    w = _depth_sums(pair.a) - _depth_sums(pair.b)
    return _sum_of_squares(pair.count, d, w, parted)


def _moments(tree: Tree, count: IntArray) -> Moments:
    """Return the moments of the number of branches between the items of each pair, by the same sum."""
    e = _end_depths(tree)
    parted = moments_at_nodes(tree, kernels.depths(tree.parent))
    ends = (int(count.sum()) - 1) * exact_dot(count, e)
    return Moments(ends - 2 * parted.sum, _sum_of_squares(count, e, _depth_sums(tree), parted.squares))


def _sum_of_squares(count: IntArray, d: IntArray, w: IntArray, parted: int) -> int:
    """Return the sum over pairs of items of ``(d_i + d_j - 2 w_ij)**2``, exact.

    For the items of each row: how many there are, d, and the sum of w over all other items; ``parted`` is the sum over
    pairs of the squares of w.
    """
    share = count * d
    ends = (int(count.sum()) - 2) * exact_dot(count, d * d) + int(share.sum()) ** 2
    mixed: int = sum(map(operator.mul, share.tolist(), w.tolist()))
    return ends - 4 * mixed + 4 * parted


def _end_depths(tree: Tree) -> IntArray:
    """Return the number of branches from the root to the items of each row."""
    alone = (tree.n_children == 0) & (tree.own == 1)
    ends: IntArray = (kernels.depths(tree.parent) + ~alone)[tree.node]
    return ends


def _depth_sums(tree: Tree) -> IntArray:
    """Return, for an item of each row, the sum over all others of the depth at which they part from it. O(n)."""
    others = tree.size - 1
    others[-1] = 0
    sums: IntArray = kernels.accumulate_down(tree.parent, others)[tree.node]
    return sums


def cost(statistics: PairStatistics) -> int:
    """Return the number of steps."""
    return steps_to_multiply(statistics.pair)


MEASURE = Measure(
    call=path_difference,
    of="trees",
    unrooted=Unrooted(),
    symbol="PD",
    title="Path difference",
    aliases=("path distance", "path.dist", "nodal distance"),
    score=score,
    kind="distance",
    identical=0.0,
    upper=math.inf,
    triangle=True,
    default=False,
    is_root=True,
    cost=cost,
    slow="multiplying the depths",
    meaning="how much the trees differ in the number of branches on the path between each pair of items",
    formula="PD = √(Σ_i<j (p_a(i,j) - p_b(i,j))²)\np(i,j) = branches on the path from i to j",
    chance="the root of the mean square, exact: √(Σ p_a² + Σ p_b² - 2 Σ p_a Σ p_b / N)",
    source="Steel and Penny 1993",
    bibtex="steel1993",
)
