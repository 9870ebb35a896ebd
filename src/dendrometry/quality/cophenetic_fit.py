"""The cophenetic correlation of a tree with its data: how closely heights follow distances."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from dendrometry._check.choices import one_of
from dendrometry._check.distances import distances_of_items
from dendrometry._check.points import is_sparse, points_of_items, prepare_points, scale_of
from dendrometry._check.tree import require_heights
from dendrometry._progress import bar
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cluster import distances as matrices
from dendrometry.cluster.linkages import METRICS, OWN_METRICS
from dendrometry.errors import InvalidInputError, UndefinedMeasureError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.coerce import HierarchyLike, as_hierarchy
from dendrometry.quality.common_nodes import BLOCK, CommonNodes
from dendrometry.tree_pair.heights import above_lowest
from dendrometry.tree_pair.sums import less_children

_Block = Callable[[int, int], FloatArray]  # the distances of some items from all after the first of them


def cophenetic_fit(tree: HierarchyLike, X: Any, *, metric: str = "euclidean", progress: bool = False) -> float:
    """Cophenetic correlation of a tree with the points it was built from.

    The Pearson correlation, over all pairs of items, of the height of their lowest common node and of their distance
    [1]_: how faithfully the tree represents the distances. `dendrometry.cophenetic_correlation` compares two trees.

    Parameters
    ----------
    tree : Hierarchy, or anything that `as_hierarchy` takes
        A tree with heights; inversions are allowed.
    X : (n_items, d) array of float, or sparse matrix
        The point of each item, in the order of ``tree.items``, or a data frame whose index names the items. Sparse
        points are accepted for cosine and dot.
    metric : str
        The distance of two points, as for `agglomerate`.
    progress : bool
        Whether to draw a progress bar on stderr.

    Returns
    -------
    float
        From -1 to 1; higher is better. 1 if heights are an increasing linear function of distances. Its mean over all
        relabellings of the items is 0.

    Raises
    ------
    InvalidInputError
        If there is not one finite point for each item, the metric is unknown, or a vector is zero under cosine.
    ItemMismatchError
        If the index of a data frame does not name the items of the tree.
    UndefinedMeasureError
        If the tree has no heights, there are fewer than three items, all pairs join at one height, or all distances are
        equal.

    Notes
    -----
    O(n^2 d) time, by blocks of 256 rows; O(n d) memory. It equals ``scipy.cluster.hierarchy.cophenet(Z, pdist(X))[0]``.

    References
    ----------
    .. [1] R. R. Sokal, F. J. Rohlf, "The comparison of dendrograms by objective methods", Taxon 11 (1962),
       doi:10.2307/1217208.

    Examples
    --------
    >>> from dendrometry import agglomerate
    >>> from dendrometry.quality import cophenetic_fit
    >>> points = [[0.0], [1.0], [5.0], [7.0]]
    >>> tree = agglomerate(points, linkage="average").hierarchy
    >>> round(cophenetic_fit(tree, points), 4)
    0.902
    """
    tree = as_hierarchy(tree)
    one_of(metric, "metric", METRICS)
    points = points_of_items(X, tree.items)
    common = CommonNodes.of(tree)
    return _correlate(tree, common, _blocks_of_points(points[common.item], metric), progress)


def cophenetic_fit_distances(tree: HierarchyLike, D: Any, *, progress: bool = False) -> float:
    """Cophenetic correlation of a tree with the distances it was built from.

    As `cophenetic_fit`, for items with known distances.

    Parameters
    ----------
    tree : Hierarchy, or anything that `as_hierarchy` takes
        A tree with heights; inversions are allowed.
    D : (n, n) or (n(n-1)/2,) array of float or int
        The distances in the order of ``tree.items``, square or condensed, as for `agglomerate_distances`; or a square
        data frame whose index names the items.
    progress : bool
        Whether to draw a progress bar on stderr.

    Returns
    -------
    float
        From -1 to 1; higher is better.

    Raises
    ------
    InvalidInputError
        If the distances are negative, not finite or not symmetric, or are not as many as the pairs of items.
    ItemMismatchError
        If the index of a data frame does not name the items of the tree.
    UndefinedMeasureError
        As for `cophenetic_fit`.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.quality import cophenetic_fit_distances
    >>> tree = from_newick("((ape:1,cat:1):3,owl:4);")
    >>> round(cophenetic_fit_distances(tree, [2, 8, 9]), 4)
    0.9912
    """
    tree = as_hierarchy(tree)
    distances, place = distances_of_items(D, tree.items)
    common = CommonNodes.of(tree)
    return _correlate(tree, common, _blocks_of_distances(distances, place[common.item]), progress)


def _blocks_of_points(points: Any, metric: str) -> _Block:
    """Return the function that computes distances of points, up to the unit."""
    if is_sparse(points):
        if metric not in ("cosine", "dot"):
            raise InvalidInputError(f"metric must be cosine or dot for sparse points; got {metric} (use toarray())")
        similar = matrices.sparse_similarities(points, metric)
        return lambda start, stop: similar.distances(start, stop)[:, start + 1 :]
    ready = prepare_points(points, metric)
    if metric not in OWN_METRICS:
        distance = matrices.cross_distances(ready.points, metric)
        return lambda start, stop: distance(start, stop, start)[:, 1:]

    def block(start: int, stop: int) -> FloatArray:
        from scipy.spatial.distance import cdist

        squared = cdist(ready.points[start:stop], ready.points[start + 1 :], "sqeuclidean")
        values: FloatArray = ready.alpha * squared + ready.own[start:stop, None] + ready.own[None, start + 1 :]
        return np.sqrt(values) if ready.root else values

    return block


def _blocks_of_distances(distances: Any, place: IntArray) -> _Block:
    """Return the function that looks up distances, up to the unit; ``place`` is the row of each item."""
    row = matrices.row_of(distances, scale_of(distances))
    return lambda start, stop: np.stack([row(i)[place[start + 1 :]] for i in place[start:stop].tolist()])


def _correlate(tree: Hierarchy, common: CommonNodes, distances: _Block, progress: bool) -> float:
    """Return the correlation of the heights at which items are joined with their distances, block by block.

    Every block is centred at its own mean, so that nothing cancels where blocks are put together.
    """
    height, square = _centre(tree)
    n = tree.n_items
    parts = []
    with bar("correlating", n, progress) as advance:
        for start in range(0, n - 1, BLOCK):
            stop = min(start + BLOCK, n - 1)
            node = common.block(start, stop)
            known = node >= 0
            x, y = height[node[known]], distances(start, stop)[known]
            mean = y.mean()
            y -= mean
            parts.append((y.size, mean, (y * y).sum(), (x * y).sum(), x.sum()))
            advance(stop - start)
    count, mean, squares, products, heights = np.array(parts).T
    apart = mean - (count * mean).sum() / count.sum()
    spread = float(squares.sum() + (count * apart * apart).sum())
    if spread == 0.0:
        raise UndefinedMeasureError("the items must have different distances; all distances are equal")
    product = float(products.sum() + (apart * heights).sum())
    return min(1.0, max(-1.0, product / math.sqrt(spread) / math.sqrt(square))) + 0.0


def _centre(tree: Hierarchy) -> tuple[FloatArray, float]:
    """Return rescaled heights less their mean over pairs, and the sum over pairs of their squares."""
    height = require_heights(tree.height, "the tree", "a cophenetic correlation", UndefinedMeasureError)
    if tree.n_items < 3:
        raise UndefinedMeasureError(f"there must be at least 3 items for a correlation; got {tree.n_items}")
    pairs = less_children(tree.parent, tree.sizes * (tree.sizes - 1) >> 1)
    used = pairs > 0
    above, _ = above_lowest(height[used])
    if not above.any():
        raise UndefinedMeasureError("pairs must join at different heights; all join at the same height")
    centred = np.zeros(tree.n_nodes)
    centred[used] = above
    centred -= (pairs * centred).sum() / pairs.sum()
    return centred, float((pairs * centred * centred).sum())
