"""The Dasgupta cost and the Moseley-Wang revenue of a tree, from points or from a graph of similarities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from dendrometry._check.arrays import real_array
from dendrometry._check.choices import one_of
from dendrometry._check.names import names_within, positions_of
from dendrometry._check.points import in_units, is_sparse, points_of_items, prepare_points, require_dense, scale_of
from dendrometry._check.sparse import sound_csr
from dendrometry._display import plural
from dendrometry._extras import require
from dendrometry._html import preview
from dendrometry._kernels.cut.moments import moments
from dendrometry._tabular import Tabular
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cluster.distances import normalise_rows
from dendrometry.errors import InvalidInputError, UndefinedMeasureError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.coerce import HierarchyLike, as_hierarchy
from dendrometry.quality.common_nodes import BLOCK, CommonNodes
from dendrometry.tree_pair.sums import less_children

Metric = Literal["cosine", "dot", "sqeuclidean"]
Weights = Literal["similarities", "distances"]
_COLUMNS = 64  # coordinates that are summed together: sums over pairs add up over coordinates


@dataclass(frozen=True, repr=False)
class TreeCost(Tabular):
    """The Dasgupta cost and the Moseley-Wang revenue of a tree, with their means over all relabellings of the items.

    Of similarities, a good tree has a low cost and a high revenue; of distances, a high cost and a low revenue.

    Attributes
    ----------
    n_items : int
        The number of items, n.
    total_weight : float
        The sum of the weights of all pairs of items.
    cost : float
        The sum over all pairs of the weight times the size of the smallest cluster that holds both.
    revenue : float
        The sum over all pairs of the weight times the number of items outside that cluster; cost and revenue add up to
        n times the total weight.
    expected_cost, expected_revenue : float
        Their means over all relabellings of the items, exact: the mean weight times the sum of the sizes, or of the
        numbers of items outside, over all pairs.
    of : {"similarities", "distances"}
        What the weights are.
    """

    n_items: int
    total_weight: float
    cost: float
    revenue: float
    expected_cost: float
    expected_revenue: float
    of: Weights

    @property
    def normalized_cost(self) -> float:
        """The cost divided by n times the total weight: for weights of at least 0, from 2 / n to 1."""
        return _ratio(self.cost, self.n_items * self.total_weight)

    @property
    def normalized_revenue(self) -> float:
        """The revenue divided by its bound, n - 2 times the total weight: for weights of at least 0, from 0 to 1."""
        return _ratio(self.revenue, (self.n_items - 2) * self.total_weight)

    def columns(self) -> dict[str, list[Any]]:
        """Return cost and revenue as columns, each with its mean by chance; undefined normalised values are None."""
        return {
            "score": ["Dasgupta cost", "Moseley-Wang revenue"],
            "value": [self.cost, self.revenue],
            "expected": [self.expected_cost, self.expected_revenue],
            "normalized": [_defined(self, "normalized_cost"), _defined(self, "normalized_revenue")],
        }

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with a row for the cost and one for the revenue; undefined values are nan."""
        pd = require("pandas", extra="tables", for_="to_frame()")
        return pd.DataFrame(self.columns()).set_index("score").astype(float)

    def _repr_html_(self) -> str:
        return preview(repr(self), self.columns())

    def __repr__(self) -> str:
        better = "lower" if self.of == "similarities" else "higher"
        return (
            f"TreeCost({plural(self.n_items, 'item')}, cost {self.cost:.6g} of {self.of}, {better} is better,"
            f" {self.expected_cost:.6g} by chance)"
        )


def _ratio(value: float, bound: float) -> float:
    """Return a value divided by its bound, which must be above 0."""
    if bound <= 0.0:
        raise UndefinedMeasureError(f"the bound to normalise by must be above 0; got {bound:.6g}")
    return value / bound


def _defined(cost: TreeCost, name: str) -> float | None:
    """Return a property of a cost, or None if it is undefined."""
    try:
        value: float = getattr(cost, name)
    except UndefinedMeasureError:
        return None
    return value


def dasgupta_cost(tree: HierarchyLike, X: Any, *, metric: Metric = "cosine") -> TreeCost:
    """Return the cost and the revenue of a tree on points.

    The cost [1]_ is the sum over all pairs of items i, j of w(i, j) |C(i, j)|, where C(i, j) is the smallest cluster
    that holds both: similar items should be joined in small clusters. The revenue [2]_ counts the items outside,
    n - |C(i, j)|, instead. Sums of vectors give them without a graph of the points.

    Parameters
    ----------
    tree : Hierarchy, or anything that `as_hierarchy` takes
        The tree; heights are not used.
    X : (n_items, d) array of float, or sparse matrix
        The point of each item, in the order of ``tree.items``, or a data frame whose index names the items. Sparse
        points are accepted for cosine and dot.
    metric : {"cosine", "dot", "sqeuclidean"}
        The weight of a pair: the cosine or the dot product, which are similarities, or the squared Euclidean distance,
        of which a good tree has a high cost [3]_.

    Returns
    -------
    TreeCost
        ``cost`` and ``revenue``, each beside its mean by chance.

    Raises
    ------
    InvalidInputError
        If there is not one finite point for each item, a vector is zero under cosine, or a sum overflows.
    ItemMismatchError
        If the index of a data frame does not name the items of the tree.
    UndefinedMeasureError
        If there are fewer than two items.

    Notes
    -----
    O(n d) time; memory for the points and 64 coordinates of each node. If all weights are 0, so are all values, and the
    normalised forms are undefined.

    References
    ----------
    .. [1] S. Dasgupta, "A cost function for similarity-based hierarchical clustering", STOC 2016,
       doi:10.1145/2897518.2897527.
    .. [2] B. Moseley, J. R. Wang, "Approximation bounds for hierarchical clustering: average linkage, bisecting
       k-means, and local search", NIPS 2017, pp. 3094-3103.
    .. [3] V. Cohen-Addad, V. Kanade, F. Mallmann-Trenn, C. Mathieu, "Hierarchical clustering: objective functions and
       algorithms", J. ACM 66 (2019), doi:10.1145/3321386.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.quality import dasgupta_cost
    >>> points = [[1, 0], [1, 0], [0, 1]]
    >>> found = dasgupta_cost(from_newick("((ape,cat),owl);"), points)
    >>> found.cost, found.revenue, round(found.expected_cost, 4)
    (2.0, 1.0, 2.6667)
    """
    tree = as_hierarchy(tree)
    one_of(metric, "metric", get_args(Metric))
    points = points_of_items(X, tree.items)
    _need_pairs(tree)
    exponent = 0
    if metric == "sqeuclidean":
        require_dense(points, metric)
    if not is_sparse(points):
        points, _, _, _, exponent, *_ = prepare_points(points, metric)
    elif metric == "cosine":
        points = normalise_rows(points)
    else:
        exponent = 2 * scale_of(points.data)
        points.data = np.ldexp(points.data, -exponent // 2)
    joined = np.zeros(tree.n_nodes)
    for start in range(0, points.shape[1], _COLUMNS):
        some = points[:, start : start + _COLUMNS]
        found = moments(tree.parent, tree.item_node, some.toarray() if is_sparse(some) else np.ascontiguousarray(some))
        joined += found.squared if metric == "sqeuclidean" else found.product
    return _cost_of(tree, joined, exponent, "distances" if metric == "sqeuclidean" else "similarities")


def dasgupta_cost_graph(tree: HierarchyLike, weights: Any) -> TreeCost:
    """Return the cost and the revenue of a tree on a graph, or on a matrix of similarities.

    As `dasgupta_cost`, for items with known similarities. Pairs without an edge have weight 0.

    Parameters
    ----------
    tree : Hierarchy, or anything that `as_hierarchy` takes
        The tree; heights are not used.
    weights : (n_items, n_items) sparse matrix or array of float
        The symmetric similarities, in the order of ``tree.items``, or a data frame whose index names the items. The
        diagonal is ignored.

    Returns
    -------
    TreeCost
        ``cost`` and ``revenue``, each beside its mean by chance.

    Raises
    ------
    InvalidInputError
        If the matrix is not square, finite and symmetric, or a sum overflows.
    ItemMismatchError
        If the index of a data frame does not name the items of the tree.
    UndefinedMeasureError
        If there are fewer than two items.

    Notes
    -----
    O((n + m) log n) time and O(n + m) memory for a sparse matrix of m weights; O(n^2) time for a dense one.

    Weights may be below 0, as correlations and cosines are. Cost, revenue and their means by chance are defined all the
    same, and for the cosines of points they equal those of `dasgupta_cost`. The bounds of the normalised forms, and the
    guarantees in the literature, hold only for weights of at least 0.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.quality import dasgupta_cost_graph
    >>> dasgupta_cost_graph(from_newick("((ape,cat),owl);"), [[0, 5, 1], [5, 0, 0], [1, 0, 0]])
    TreeCost(3 items, cost 13 of similarities, lower is better, 16 by chance)
    """
    tree = as_hierarchy(tree)
    matrix = sound_csr(weights) if is_sparse(weights) else real_array(weights, "weights", 2)
    if matrix.shape != (tree.n_items, tree.n_items):
        rows, columns = matrix.shape
        raise InvalidInputError(
            f"weights must have a row and a column for each of {tree.n_items:,} items; got {rows:,} by {columns:,}"
        )
    _need_pairs(tree)
    names = names_within(weights)
    place = np.arange(tree.n_items) if names is None else positions_of(tree.items, names, "the tree and the weights")
    with np.errstate(over="ignore", invalid="ignore"):
        matrix = matrix.astype(np.float64)
    exponent = _scale_of_finite(matrix.data if is_sparse(matrix) else matrix)
    joined = _join_edges(tree, matrix, exponent) if is_sparse(matrix) else _join_rows(tree, matrix, place, exponent)
    return _cost_of(tree, joined, exponent, "similarities")


def _need_pairs(tree: Hierarchy) -> None:
    """Refuse a single item."""
    if tree.n_items < 2:
        raise UndefinedMeasureError("there must be at least two items, since pairs have weights; got a single item")


def _scale_of_finite(values: Any) -> int:
    """Return the exponent of the largest weight, refusing weights that are not finite."""
    bad = ~np.isfinite(values)
    if bad.any():
        raise InvalidInputError(f"weights must be finite; got {values.flat[int(np.argmax(bad))]}")
    return scale_of(values)


def _join_edges(tree: Hierarchy, matrix: Any, exponent: int) -> FloatArray:
    """Return the sum of the weights of the edges that each node joins."""
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    other = matrix.T.tocsr()
    other.sort_indices()
    same = np.array_equal(matrix.indptr, other.indptr) and np.array_equal(matrix.indices, other.indices)
    if not same or not np.array_equal(matrix.data, other.data):
        apart = abs(matrix - other).tocoo()
        at = int(np.argmax(apart.data))
        i, j = int(apart.row[at]), int(apart.col[at])
        _refuse_asymmetric(i, j, matrix[i, j], matrix[j, i])
    row = np.repeat(np.arange(tree.n_items), np.diff(matrix.indptr))
    upper = row < matrix.indices
    node = CommonNodes.of(tree).of_pairs(row[upper], matrix.indices[upper].astype(np.int64))
    joined: FloatArray = np.bincount(node, np.ldexp(matrix.data[upper], -exponent), tree.n_nodes).astype(np.float64)
    return joined


def _join_rows(tree: Hierarchy, matrix: FloatArray, place: IntArray, exponent: int) -> FloatArray:
    """Return the sum of the weights of the pairs that each node joins; ``place`` is the row of each item."""
    common = CommonNodes.of(tree)
    at = place[common.item]
    joined = np.zeros(tree.n_nodes)
    for start in range(0, tree.n_items, BLOCK):
        stop = min(start + BLOCK, tree.n_items)
        rows, columns = matrix[np.ix_(at[start:stop], at[start:])], matrix[np.ix_(at[start:], at[start:stop])].T
        if not np.array_equal(rows, columns):
            i, j = (int(x) for x in np.argwhere(rows != columns)[0])
            _refuse_asymmetric(int(at[start + i]), int(at[start + j]), rows[i, j], columns[i, j])
        node = common.block(start, stop)
        known = node >= 0
        joined += np.bincount(node[known], np.ldexp(rows[:, 1:][known], -exponent), minlength=tree.n_nodes)
    return joined


def _refuse_asymmetric(i: int, j: int, one: float, other: float) -> None:
    """Refuse a pair with two weights."""
    raise InvalidInputError(
        f"weights must be symmetric; got {one} at ({i}, {j}) but {other} at ({j}, {i})"
        " (for a directed graph, add the matrix and its transpose)"
    )


def _cost_of(tree: Hierarchy, joined: FloatArray, exponent: int, of: Weights) -> TreeCost:
    """Return the cost from the sum of the weights that each node joins, in units of 2 ** exponent."""
    size = tree.sizes.astype(np.float64)
    outside = tree.n_items - size
    pairs = less_children(tree.parent, tree.sizes * (tree.sizes - 1) >> 1)
    share = pairs / (tree.n_items * (tree.n_items - 1) / 2)
    total = joined.sum()
    sums = [total, (joined * size).sum(), (joined * outside).sum()]
    means = [total * (share * size).sum(), total * (share * outside).sum()]
    weight, cost, revenue, expected_cost, expected_revenue = (in_units(np.array(sums + means), exponent) + 0.0).tolist()
    return TreeCost(tree.n_items, weight, cost, revenue, expected_cost, expected_revenue, of)
