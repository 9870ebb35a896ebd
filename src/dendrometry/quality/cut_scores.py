"""Indices of the quality of every cut of a tree, to choose the number of clusters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dendrometry._check.arrays import Frozen
from dendrometry._check.numbers import whole_number
from dendrometry._check.points import in_units, points_of_items, prepare_points, require_dense
from dendrometry._display import plural
from dendrometry._extras import require
from dendrometry._html import preview
from dendrometry._memory import require_memory
from dendrometry._tabular import Tabular
from dendrometry._typing import BoolArray, FloatArray, IntArray
from dendrometry.errors import UndefinedMeasureError
from dendrometry.io.coerce import HierarchyLike, as_hierarchy
from dendrometry.quality.splits import Parts, Splits, parts_of, splits_of, within_squares

INDICES = ("calinski_harabasz", "davies_bouldin", "simplified_silhouette")
_LOW_IS_GOOD = "davies_bouldin"
_ROWS = 4096  # items whose distances from all centroids are held at a time


@dataclass(frozen=True, eq=False, repr=False)
class CutScores(Frozen, Tabular):
    """The quality of the cuts of a tree, as arrays with one value for each number of clusters.

    Attributes
    ----------
    n_items : int
        The number of items.
    n_clusters : array of int
        The numbers of clusters, k: from 2 on, without those that a tree with nodes of more than two parts cannot be cut
        into.
    is_reached : array of bool
        Whether a cut at some height has k clusters. Elsewhere merges of the same height tie, and the order of nodes
        decides which of them the cut undoes.
    within_squares : array of float
        W, the sum of the squared distances of all items from the centroids of their clusters.
    calinski_harabasz : array of float
        ``(B / (k - 1)) / (W / (n - k))``, where B is the sum of squares between clusters: 0 or more, higher is better;
        infinite where every cluster consists of equal points.
    davies_bouldin : array of float
        The mean over clusters of the largest ``(r_i + r_j) / d_ij``, where r is the mean distance of the items of a
        cluster from its centroid and d the distance of two centroids: 0 or more, lower is better; infinite where two
        clusters have the same centroid.
    simplified_silhouette : array of float
        The mean over items of ``(b - a) / max(a, b)``, where a is the distance from the centroid of the item's own
        cluster and b that from the nearest other one: from -1 to 1, higher is better. An item alone in its cluster, or
        at both centroids, counts as 0.
    """

    n_items: int
    n_clusters: IntArray
    is_reached: BoolArray
    within_squares: FloatArray
    calinski_harabasz: FloatArray
    davies_bouldin: FloatArray
    simplified_silhouette: FloatArray

    @property
    def best(self) -> dict[str, int]:
        """The best number of clusters by each index, the fewest of equally good ones; of cuts at a height alone."""
        at = np.flatnonzero(self.is_reached)
        if at.size == 0:
            return {}
        values = {name: getattr(self, name)[at] * (-1 if name == _LOW_IS_GOOD else 1) for name in INDICES}
        return {name: int(self.n_clusters[at[np.argmax(value)]]) for name, value in values.items()}

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each number of clusters."""
        pd = require("pandas", extra="tables", for_="to_frame()")
        return pd.DataFrame(self.columns())

    def columns(self) -> dict[str, list[Any]]:
        """Return the scores as columns."""
        names = ("n_clusters", "is_reached", "within_squares", *INDICES)
        return {name: getattr(self, name).tolist() for name in names}

    def _repr_html_(self) -> str:
        columns = self.columns()
        columns["is_reached"] = ["yes" if reached else "" for reached in columns["is_reached"]]
        return preview(repr(self), columns)

    def __repr__(self) -> str:
        count, k = int(self.is_reached.sum()), self.n_clusters
        reached = "" if count == k.size else f", {count:,} of {k.size:,} without a tie"
        best = ", ".join(f"{chosen:,} by {name}" for name, chosen in self.best.items())
        return (
            f"CutScores({plural(self.n_items, 'item')}, {k[0]:,} to {k[-1]:,} clusters{reached};"
            f" best {best or 'none, as all cuts go through ties'})"
        )


def score_cuts(tree: HierarchyLike, X: Any, *, max_clusters: int = 20) -> CutScores:
    """Return the quality of the cut of a tree into every number of clusters, to choose one of them.

    Three indices that compare how close the items of a cluster are with how far clusters are apart: that of Calinski
    and Harabasz [1]_, that of Davies and Bouldin [2]_, and the simplified silhouette [3]_, which replaces the distances
    between items by distances from centroids. They are computed for all cuts together. See `gap_statistic` for a
    comparison with points without clusters, which also says whether there are clusters at all.

    Parameters
    ----------
    tree : Hierarchy, or anything that `as_hierarchy` takes
        A tree with heights.
    X : (n_items, d) array of float
        The point of each item, in the order of ``tree.items``, or a data frame whose index names the items. Distances
        are Euclidean.
    max_clusters : int
        The largest number of clusters, from 2 on; at most n - 1 are scored.

    Returns
    -------
    CutScores
        The indices, as arrays over the numbers of clusters; ``best`` says what each of them chooses.

    Raises
    ------
    InvalidInputError
        If there is not one finite point for each item, or ``max_clusters`` is not a whole number from 2 on.
    InvalidTreeError
        If the tree has no heights, and therefore no order of merging.
    ItemMismatchError
        If the index of a data frame does not name the items of the tree.
    UndefinedMeasureError
        If there are fewer than three items, all points are equal, or the tree has no cut into 2 to ``max_clusters``
        clusters, because of nodes with more parts.

    Notes
    -----
    The cuts are those of `cut_count`, and the first two indices equal those of scikit-learn for its labels, which gives
    finite values where they are infinite by definition. O(n d K) time for K clusters and O(K^3) more; O(n d + K^2)
    memory.

    References
    ----------
    .. [1] T. Caliński, J. Harabasz, "A dendrite method for cluster analysis", Communications in Statistics 3 (1974),
       doi:10.1080/03610927408827101.
    .. [2] D. L. Davies, D. W. Bouldin, "A cluster separation measure", IEEE TPAMI 1 (1979),
       doi:10.1109/TPAMI.1979.4766909.
    .. [3] L. Vendramin, R. J. G. B. Campello, E. R. Hruschka, "Relative clustering validity criteria: a comparative
       overview", Statistical Analysis and Data Mining 3 (2010), doi:10.1002/sam.10080.

    Examples
    --------
    >>> from dendrometry import agglomerate
    >>> from dendrometry.quality import score_cuts
    >>> points = [[0.0], [1.0], [2.5], [20.0], [21.5], [23.0], [50.0], [51.2], [53.0]]
    >>> scores = score_cuts(agglomerate(points).hierarchy, points, max_clusters=5)
    >>> scores
    CutScores(9 items, 2 to 5 clusters; best 3 by calinski_harabasz, 3 by davies_bouldin, 3 by simplified_silhouette)
    >>> scores.simplified_silhouette.round(2).tolist()
    [0.81, 0.96, 0.8, 0.62]
    """
    tree = as_hierarchy(tree)
    most = whole_number(max_clusters, "max_clusters", 2)
    points = points_of_items(X, tree.items)
    require_dense(points, "Euclidean distances")
    n = tree.n_items
    if n < 3:
        raise UndefinedMeasureError(f"there must be at least 3 items, for 2 to n - 1 clusters; got {n}")
    splits = splits_of(tree, min(most, n - 1), "a cut by the number of clusters")
    if not splits.split.size:
        raise UndefinedMeasureError(
            f"the tree must have a cut into 2 to {min(most, n - 1):,} clusters; its root has more parts"
        )
    size = splits.high.size
    require_memory(8 * (size**2 + size * min(n, _ROWS)), f"scoring cuts into {size:,} clusters", "Lower max_clusters.")
    ready = prepare_points(points, "euclidean")
    parts = parts_of(tree, splits, ready.points)
    within = within_squares(splits, parts.scatter)
    if within[0] == 0.0:
        raise UndefinedMeasureError("the points must differ; all are equal")
    ordered = ready.points[tree.order.item]
    return CutScores(
        n,
        splits.n_clusters[1:],
        splits.is_reached[1:],
        in_units(within[1:], 2 * ready.exponent),
        _calinski_harabasz(within, splits.n_clusters, n),
        _davies_bouldin(splits, parts, ordered),
        _simplified_silhouette(splits, parts, ordered),
    )


def _calinski_harabasz(within: FloatArray, k: IntArray, n: int) -> FloatArray:
    """Return the index of every cut but the first, into one cluster."""
    between = within[0] - within[1:]
    infinite = np.full(between.size, np.inf)
    ratio: FloatArray = np.divide(between, within[1:], out=infinite, where=within[1:] > 0.0)
    return ratio * ((n - k[1:]) / (k[1:] - 1))


def _davies_bouldin(splits: Splits, parts: Parts, points: FloatArray) -> FloatArray:
    """Return the index of every cut but the first; points are in pre-order."""
    from scipy.spatial.distance import cdist

    spans = zip(splits.low.tolist(), splits.high.tolist(), parts.centroid, strict=True)
    reach = np.array([np.linalg.norm(points[low:high] - centre, axis=1).mean() for low, high, centre in spans])
    apart = cdist(parts.centroid, parts.centroid)
    ratio = np.full(apart.shape, np.inf)
    np.divide(reach[:, None] + reach[None, :], apart, out=ratio, where=apart > 0.0)
    np.fill_diagonal(ratio, 0.0)
    active = np.zeros(reach.size, dtype=bool)
    values = []
    for s, p in enumerate(splits.split.tolist()):
        active[p] = False
        active[splits.first[s] : splits.first[s + 1]] = True
        at = np.flatnonzero(active)
        values.append(ratio[np.ix_(at, at)].max(axis=1).mean())
    return np.array(values)


def _simplified_silhouette(splits: Splits, parts: Parts, points: FloatArray) -> FloatArray:
    """Return the mean over items at every cut but the first; points are in pre-order."""
    from scipy.spatial.distance import cdist

    total = np.zeros(splits.split.size)
    for start in range(0, points.shape[0], _ROWS):
        distance = cdist(points[start : start + _ROWS], parts.centroid)
        total += _sum_of_silhouettes(splits, start, distance)
    mean: FloatArray = total / points.shape[0] + 0.0
    return mean


def _sum_of_silhouettes(splits: Splits, start: int, distance: FloatArray) -> FloatArray:
    """Return the sum at every cut over some items, from their distances from the centroids of all clusters.

    Every item keeps its nearest other cluster. When a cluster splits, only the items to which it was nearest look
    again at all others; the rest compare theirs with the new ones.
    """
    row = np.arange(distance.shape[0])
    alone = splits.high - splits.low == 1
    own = np.zeros(row.size, dtype=np.int64)
    nearest, other = np.full(row.size, np.inf), np.full(row.size, -1)
    active = np.zeros(distance.shape[1], dtype=bool)
    sums = []
    for s, p in enumerate(splits.split.tolist()):
        new = np.arange(splits.first[s], splits.first[s + 1])
        active[p] = False
        lost = np.flatnonzero(other == p)
        nearest[lost] = np.inf
        for q in new.tolist():
            own[max(splits.low[q] - start, 0) : max(splits.high[q] - start, 0)] = q
        for some, among in ((lost, np.flatnonzero(active)), (row, new)):
            if some.size and among.size:
                _compare(distance, own, some, among, nearest, other)
        active[new] = True
        a = distance[row, own]
        longer = np.maximum(a, nearest)
        counts = (longer > 0.0) & ~alone[own]
        sums.append(np.divide(nearest - a, longer, out=np.zeros(row.size), where=counts).sum())
    return np.array(sums)


def _compare(
    distance: FloatArray, own: IntArray, some: IntArray, among: IntArray, nearest: FloatArray, other: IntArray
) -> None:
    """Enter, for some items, the nearest of some clusters where it is nearer than the one known; not their own."""
    candidate = distance[np.ix_(some, among)]
    candidate[own[some][:, None] == among[None, :]] = np.inf
    best = candidate.argmin(axis=1)
    value = candidate[np.arange(some.size), best]
    closer = value < nearest[some]
    nearest[some[closer]], other[some[closer]] = value[closer], among[best[closer]]
