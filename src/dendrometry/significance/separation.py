"""How far apart the two sides of a split are: by their variance, and by the valley of density between them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dendrometry._kernels.significance import splits as kernels
from dendrometry._typing import FloatArray, IntArray
from dendrometry.significance.clustering import Clustering

LEAST = 5  # items of a side
AXES = 3  # principal axes in which density is estimated
_FEW = 300  # points, up to which comparing all pairs takes less time than a tree of places


class Split(NamedTuple):
    """The points of a group, and the side of each in the split that is tested: 1, 2, or 0 outside of it.

    ``counts`` are those that the points are logarithms of, if so.
    """

    points: FloatArray
    side: IntArray
    counts: FloatArray | None = None


def least_side(n: int) -> int:
    """Return the least number of items of a side that may be a group, of a group of n items."""
    return max(LEAST, int(np.ceil(np.sqrt(n))))


def top_split(points: FloatArray, how: Clustering) -> Split:
    """Return the first split of the tree of some points with enough items on both sides."""
    return Split(how.embed(points), kernels.top_split(how.parents(points), least_side(len(points))))


def separation(split: Split) -> float:
    """Return how far apart the sides are: minus the log of the share of their variance that is within them.

    It is multiplied by the share of the items that they hold: a gain of likelihood, so a split of few counts less.
    """
    held = float(np.mean(split.side > 0))
    return -held * float(np.log(max(kernels.within_share(split.points, split.side), 1e-300))) if held else -np.inf


def valley(split: Split) -> float:
    """Return the depth of the valley of density between the sides of a split.

    Density is that of k neighbours, in the leading principal axes. The depth is the log of the lower of the two peaks
    over the highest pass between them: d log (R / r), with the larger radius r of the k neighbours of the two densest
    points, the widest step R of the best way between these, and the dimension d of the points near each other. It is 0
    where there is no split, or no two different points.
    """
    if not split.side.any():
        return 0.0
    points = leading_axes(split.points)
    k = least_side(len(points))
    near = _distances_of_neighbours(points, k)
    finest = near[near > 0.0].min(initial=np.inf)
    if not np.isfinite(finest):
        return 0.0
    near = np.maximum(near, finest)  # rounded values are equal more often than a density would have them
    radius = near[:, -1]
    peaks = [int(rows[np.argmin(radius[rows])]) for rows in (np.flatnonzero(split.side == i) for i in (1, 2))]
    widest = kernels.widest_step(points, radius**2, *peaks)
    depth = 0.5 * float(np.log(widest)) - float(np.log(radius[peaks].max()))
    return dimension(near, points.shape[1]) * max(depth, 0.0)


def valley_on_line(rng: np.random.Generator, n: int) -> float:
    """Return the depth of the deepest valley among n random points on a line, which have none but by chance."""
    return float(kernels.deepest_on_line(np.sort(rng.random(n)), least_side(n)))


def dimension(near: FloatArray, most: int) -> float:
    """Return the dimension of points near each other, from their distances from each of their neighbours.

    The number of points within a radius grows with its power d, so that log r_k - log r_h is on average the sum of 1/i
    over h <= i < k, divided by d (Levina and Bickel). Between 1 and 2 it counts for less, 1 + (d - 1)^(3/2): chance
    cuts a narrow band nearly as it cuts a line.
    """
    k = near.shape[1]
    half = k // 2
    growth = float(np.mean(np.log(near[:, k - 1] / near[:, half - 1])))
    expected = float((1.0 / np.arange(half, k)).sum())
    found = float(most) if growth * most <= expected else max(1.0, expected / growth)
    return 1.0 + (found - 1.0) ** 1.5 if found < 2.0 else found


def leading_axes(points: FloatArray) -> FloatArray:
    """Return the coordinates of points on their leading principal axes."""
    centred: FloatArray = points - points.mean(axis=0)
    if points.shape[1] <= AXES:
        return centred
    _, axes = np.linalg.eigh(centred.T @ centred) if points.shape[1] <= len(points) else _axes_of_few(centred)
    return np.ascontiguousarray(centred @ axes[:, -AXES:])


def _axes_of_few(centred: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the squared lengths and the axes of fewer points than columns."""
    _, lengths, axes = np.linalg.svd(centred, full_matrices=False)
    return lengths[::-1] ** 2, axes[::-1].T


def _distances_of_neighbours(points: FloatArray, k: int) -> FloatArray:
    """Return the distance of each point from its k nearest neighbours, the nearest first."""
    if len(points) <= _FEW:
        return kernels.near_distances(np.ascontiguousarray(points.T), k)
    from scipy.spatial import KDTree

    distance: FloatArray = KDTree(points).query(points, k + 1)[0]
    return distance[:, 1:]
