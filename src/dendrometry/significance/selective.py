"""Whether the means of the two sides of one split differ: an exact test under normal data, given the clustering."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from dendrometry._check.arrays import Frozen
from dendrometry._check.choices import one_of
from dendrometry._check.numbers import real_number, whole_number
from dendrometry._check.points import finite_points, points_of, require_dense
from dendrometry._display import plural
from dendrometry._extras import require
from dendrometry._html import preview
from dendrometry._tabular import Tabular
from dendrometry._typing import FloatArray, IntArray
from dendrometry._version import __version__
from dendrometry.cluster.agglomerate import agglomerate
from dendrometry.errors import UndefinedMeasureError
from dendrometry.hierarchy import Hierarchy
from dendrometry.significance.truncated_chi import share_beyond

SelectiveLinkage = Literal["ward", "average", "single"]
_METRICS = {"ward": "euclidean", "average": "sqeuclidean", "single": "euclidean"}


@dataclass(frozen=True, eq=False, repr=False)
class Selective(Frozen, Tabular):
    """The exact test of one split.

    Attributes
    ----------
    node : int
        The node whose two sides are compared, in the tree that `agglomerate` builds.
    sizes : tuple of int
        The numbers of items of the sides.
    statistic : float
        The distance of their means.
    p_value : float
        The probability that it is as large if the means are the same, given that the clustering has these clusters.
    deviation : float
        The standard deviation of each column within a group.
    is_estimated : bool
        Whether the deviation was estimated: from all points, so that it is too large if there are groups.
    allowed : (n_intervals, 2) array of float
        The distances at which the clustering would have the same clusters.
    linkage : str
        How the points were clustered.
    """

    node: int
    sizes: tuple[int, int]
    statistic: float
    p_value: float
    deviation: float
    is_estimated: bool
    allowed: FloatArray
    linkage: str

    @property
    def verdict(self) -> str:
        """What was tested, under which assumption, and what it does not show, as a paragraph."""
        p = "< 0.001" if self.p_value < 0.001 else f"= {self.p_value:.2g}"
        known = "estimated from all points, too large if there are groups" if self.is_estimated else "given"
        return (
            f"The means of the two sides, of {self.sizes[0]:,} and {self.sizes[1]:,} items, are {self.statistic:.3g}"
            f" apart (p {p}). The p-value is exact for normal data whose columns are independent and"
            f" have the same standard deviation ({self.deviation:.3g}, {known}), given that the clustering found these"
            " two clusters. It is one test, of one split: it does not hold the error over a tree, and for data that are"
            " not normal it holds nothing."
        )

    @property
    def methods(self) -> str:
        """How the p-value was obtained, as sentences for the methods section of a paper."""
        return (
            "Whether the means of two clusters differ was tested by selective inference for hierarchical clustering"
            f" (Gao, Bien and Witten, 2022), with {self.linkage} linkage on squared Euclidean distances and"
            f" {plural(len(self.allowed), 'interval')} of the statistic in which the clusters are the same. Computed"
            f" with dendrometry {__version__}."
        )

    def columns(self) -> dict[str, list[Any]]:
        """Return the test as columns of one row."""
        numbers = {name: [getattr(self, name)] for name in ("statistic", "p_value", "deviation")}
        return {"node": [self.node], "size_a": [self.sizes[0]], "size_b": [self.sizes[1]], **numbers}

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row: the node, the sizes of its sides, and the test."""
        pd = require("pandas", extra="tables", for_="to_frame()")
        return pd.DataFrame(self.columns())

    def _repr_html_(self) -> str:
        return preview(repr(self), self.columns())

    def __repr__(self) -> str:
        return f"Selective(node {self.node}, {self.sizes[0]:,} and {self.sizes[1]:,} items, p = {self.p_value:.3g})"


class Parts(NamedTuple):
    """The nodes of a tree up to some merge: the place, spread, birth and end of each, and the cluster it is part of.

    ``end`` is the number of the merge that ends a node, ``limit`` the height of that merge.
    """

    mean: FloatArray
    spread: FloatArray
    size: IntArray
    birth: IntArray
    end: IntArray
    limit: FloatArray
    cluster: IntArray


def selective(
    X: Any,
    node: int | None = None,
    *,
    linkage: SelectiveLinkage = "ward",
    deviation: float | None = None,
) -> Selective:
    """Test exactly whether the two sides of one split have the same mean, under normal data.

    Two clusters that a clustering found differ in their means, whatever the data: it put near points together.
    Selective inference [1]_ takes this into account. Of all ways to move the two clusters apart or together, along the
    line of their means, it asks in which the clustering would have the same clusters, and compares the distance of the
    means with those. A cross-check for single splits of `splits`, which holds the error over a tree, and for data of
    other shapes.

    Parameters
    ----------
    X : (n, d) array of float
        The points, one row each.
    node : int, optional
        The node whose two sides are compared, in the tree that ``agglomerate(X, linkage=linkage)`` builds; by default
        the root. It must be chosen without looking at the p-values of other nodes.
    linkage : {"ward", "average", "single"}
        "average" is of squared Euclidean distances (``metric="sqeuclidean"`` of `agglomerate`). For others, and for
        other metrics, the set of distances is not known in closed form.
    deviation : float, optional
        The standard deviation of each column within a group, above 0. By default it is that of all points about their
        mean, which is too large if there are groups, so that the p-value is, too.

    Returns
    -------
    Selective
        The p-value, from 0 to 1; small = the means differ.

    Raises
    ------
    InvalidInputError
        If the points are not finite or are sparse, an option is invalid, or the node has not two sides.
    UndefinedMeasureError
        If there are fewer than three points, or all are equal.

    Notes
    -----
    The model: every point is normal, its columns independent and of the same deviation; the means of points may differ.
    The hypothesis: the mean of the means of one side is that of the other. If it holds, the p-value is uniform. Under
    it the squared distance, divided by the variance of a mean, has a chi-squared distribution with d degrees of
    freedom, truncated to the distances at which the merges before that of the node are the same. Each pair of clusters
    that were there at the same time must not have been nearer than the pair that was merged, an inequality of second
    degree in the distance. O(n^2 d) time, O(n d) memory.

    References
    ----------
    .. [1] L. L. Gao, J. Bien and D. Witten, "Selective inference for hierarchical clustering", Journal of the American
       Statistical Association 119 (2024), doi:10.1080/01621459.2022.2116331.

    Examples
    --------
    >>> import numpy as np
    >>> from dendrometry.significance import selective
    >>> noise = np.random.default_rng(0).normal(size=(40, 2))
    >>> round(selective(noise, deviation=1.0).p_value, 2)
    0.66
    >>> selective(noise + np.repeat([[0, 0], [9, 0]], 20, axis=0), deviation=1.0).p_value < 1e-6
    True
    """
    method: Any = one_of(linkage, "linkage", get_args(SelectiveLinkage))
    given = points_of(X)
    require_dense(given, "selective inference")
    points = finite_points(given)
    known = None if deviation is None else real_number(deviation, "deviation", above=0.0)
    if points.shape[0] < 3:
        raise UndefinedMeasureError(f"there must be at least 3 points, for a split of some; got {points.shape[0]}")
    tree = agglomerate(points, linkage=method, metric=_METRICS[method]).hierarchy
    v = tree.root if node is None else whole_number(node, "node", points.shape[0], tree.root)
    sigma = deviation_of(points) if known is None else known
    if sigma == 0.0:
        raise UndefinedMeasureError("the points must not all be equal")
    sides = tuple(np.flatnonzero(tree.parent == v).tolist())
    statistic, allowed, p = compare_clusters(points, tree, v, sides, method, sigma)
    sizes = tuple(tree.sizes[list(sides)].tolist())
    return Selective(v, sizes, statistic, p, sigma, known is None, allowed, method)


def deviation_of(points: FloatArray) -> float:
    """Return the standard deviation of all columns about their means."""
    n, d = points.shape
    return float(np.sqrt(((points - points.mean(axis=0)) ** 2).sum() / (n * d - d)))


def compare_clusters(
    points: FloatArray, tree: Hierarchy, last: int, pair: tuple[int, ...], linkage: str, sigma: float
) -> tuple[float, FloatArray, float]:
    """Return the distance of the means of two clusters, those at which they are found, and the p-value.

    The clusters are nodes of a binary tree that are there before the node ``last`` is formed, and so are all that are
    compared with them.
    """
    parts = parts_of(points, tree, last, linkage)
    first, second = pair
    a, b = (points[parts.cluster[: len(points)] == v] for v in pair)
    away = a.mean(axis=0) - b.mean(axis=0)
    statistic = float(np.linalg.norm(away))
    share = len(a) / (len(a) + len(b))
    moves = np.zeros(parts.cluster.size)
    moves[parts.cluster == first], moves[parts.cluster == second] = 1.0 - share, -share
    closed = _excluded(parts, moves, away / statistic, linkage)
    allowed = _rest(closed + statistic)
    unit = sigma * float(np.sqrt(1.0 / len(a) + 1.0 / len(b)))
    return statistic, allowed, share_beyond(statistic / unit, allowed / unit, points.shape[1])


def parts_of(points: FloatArray, tree: Hierarchy, last: int, linkage: str) -> Parts:
    """Return the nodes that are there before a node is formed; the items first, then merges in order."""
    n, d = points.shape
    size, mean, spread = np.ones(last, dtype=np.int64), np.zeros((last, d)), np.zeros(last)
    mean[:n] = points
    parent = tree.parent
    end = np.where(parent[:last] < last, parent[:last] - n, last - n)
    height = np.zeros(last - n)
    for v in range(n, last):
        a, b = np.flatnonzero(parent[:v] == v).tolist()
        size[v] = size[a] + size[b]
        apart = float(((mean[a] - mean[b]) ** 2).sum())
        mean[v] = (size[a] * mean[a] + size[b] * mean[b]) / size[v]
        spread[v] = (size[a] * spread[a] + size[b] * spread[b] + size[a] * size[b] / size[v] * apart) / size[v]
        height[v - n] = _dissimilarity(apart, size[a], size[b], spread[a] + spread[b], linkage)
    if linkage == "single":
        assert tree.height is not None
        height = tree.height[n:last] ** 2
    before = np.maximum.accumulate(height) if height.size else np.zeros(1)
    limit = before[np.minimum(end, before.size - 1)]
    cluster = np.arange(last)
    for v in range(last - 1, -1, -1):
        if parent[v] < last:
            cluster[v] = cluster[parent[v]]
    birth = np.maximum(np.arange(last) - n, -1)
    if linkage == "single":  # the nearest points decide, and those of different clusters were never merged
        until, most = np.full(n, last - n), np.full(n, before[-1])
        return Parts(mean[:n], spread[:n], size[:n], birth[:n], until, most, cluster[:n])
    return Parts(mean, spread, size, birth, end, limit, cluster)


def _dissimilarity(apart: Any, a: Any, b: Any, spread: Any, linkage: str) -> Any:
    """Return the dissimilarity of clusters, given the squared distance of their means, and their sizes and spreads."""
    return a * b / (a + b) * apart if linkage == "ward" else apart + spread


def _excluded(parts: Parts, moves: FloatArray, direction: FloatArray, linkage: str) -> FloatArray:
    """Return the open intervals of changes of the distance at which some pair would be nearer than the one merged."""
    found = [np.zeros((0, 2))]
    for g in np.flatnonzero(moves).tolist():
        together = np.maximum(parts.birth, parts.birth[g]) < np.minimum(parts.end, parts.end[g])
        other = np.flatnonzero(together & (moves != moves[g]))
        limit = np.minimum(parts.limit[other], parts.limit[g])
        a, b = parts.size[g], parts.size[other]
        if linkage == "ward":
            least = limit * (a + b) / (a * b)
        else:
            least = limit - parts.spread[g] - parts.spread[other]
        between = parts.mean[g] - parts.mean[other]
        along, speed = between @ direction, moves[g] - moves[other]
        over = np.maximum((between**2).sum(axis=1) - least, 0.0)
        root = np.sqrt(np.maximum(along**2 - over, 0.0))
        ends = np.stack([(-along - root) / speed, (-along + root) / speed], axis=1)
        found.append(np.sort(ends, axis=1)[root > 0.0])
    return np.vstack(found)


def _rest(closed: FloatArray) -> FloatArray:
    """Return what some open intervals leave of the numbers from 0 on, as intervals."""
    start, rest = 0.0, []
    for low, high in closed[np.argsort(closed[:, 0])].tolist():
        if low > start:
            rest.append((start, low))
        start = max(start, high)
    return np.array([*rest, (start, np.inf)])
