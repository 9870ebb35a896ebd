"""The last clusters of the vector rounds merge along chains of nearest ones, in a matrix that is small by then."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels.cluster import chain as kernels
from dendrometry._kernels.cluster.chain import Matrix
from dendrometry._kernels.cluster.neighbours import Clusters
from dendrometry._threads import balanced_order, share_rows
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cluster.cpu.neighbours import Form, tiles_of_factors

_SIDE = kernels.BLOCK


class Merged(NamedTuple):
    """Pairs of slots that merged, one after the other, the lower first, and the heights."""

    low: IntArray
    high: IntArray
    height: FloatArray


def merge_along_chains(active: IntArray, clusters: Clusters, form: Form) -> Merged | None:
    """Merge all active clusters, in ascending order of their slots; None if two are exactly as near to one."""
    low, high, heights = [], [], []
    matrix, some = _squares(active, clusters), _some(clusters, active)
    while active.size > 1:
        pairs, height = np.empty((active.size, 2), dtype=np.int64), np.empty(active.size)
        n_merged, tied = kernels.merge_along_chain(matrix, some, form, pairs, height)
        if tied:
            return None
        low.append(active[pairs[:n_merged, 0]])
        high.append(active[pairs[:n_merged, 1]])
        heights.append(height[:n_merged])
        kept = np.flatnonzero(matrix.error >= 0.0)
        part = _empty(kept.size)
        kernels.fill_part(matrix, kept, part)
        matrix = _matrix(part, matrix.share[kept], matrix.error[kept], matrix.size[kept], matrix.step)
        active, some = active[kept], _some(some, kept)
    return Merged(np.concatenate(low), np.concatenate(high), np.concatenate(heights))


def _some(clusters: Clusters, which: IntArray) -> Clusters:
    """Return a copy of some clusters."""
    centroid, size, spread, node = clusters
    return Clusters(centroid[which], size[which], spread[which], node[which])


def _empty(n: int) -> NDArray[np.float32]:
    """Return a matrix for n clusters, in whole blocks of columns."""
    square = np.empty((n, -(-n // _SIDE) * _SIDE), dtype=np.float32)
    square[:, n:] = np.inf
    return square


def _squares(active: IntArray, clusters: Clusters) -> Matrix:
    """Return the squares between the centroids of clusters.

    Products are wrong by at most unit (2 n_steps |x| |y| + 6 (|x|^2 + |y|^2)). With each merge, rounding adds a few
    units of the largest square, and of the largest coordinates to that of a centroid.
    """
    n = active.size
    plain = clusters._replace(spread=np.zeros(clusters.size.size))
    centre = clusters.centroid[active].mean(axis=0)
    rows, length = tiles_of_factors(active, plain, (centre, 1.0, True), _SIDE, np.float64)
    columns, _ = tiles_of_factors(active, plain, (centre, 1.0, False), _SIDE, np.float64)
    square = _empty(n)
    share_rows(lambda blocks: kernels.fill_squares(blocks, rows, columns, square), balanced_order(rows.shape[0]), 2)
    unit, far = np.finfo(np.float64).eps / 2, length.max()
    off = np.sqrt(far) + np.sqrt((centre * centre).sum())
    error = (unit * (rows.shape[1] + 8.0) * length + 1e-37) * (1.0 + 1e-6)
    step = unit * (64.0 * far + 32.0 * off * np.sqrt(far)) + 1e-37
    return _matrix(square, np.full(n, 2.0 * kernels.UNIT), error, clusters.size[active], float(step))


def _matrix(
    square: NDArray[np.float32],
    share: NDArray[Any],
    error: NDArray[Any],
    size: NDArray[Any],
    step: float,
) -> Matrix:
    """Return a matrix in which all squares stand in both rows."""
    np.fill_diagonal(square, np.inf)
    none = np.zeros(size.size, dtype=np.int64)
    share, error, size = (np.asarray(column, dtype=np.float32) for column in (share, error, size))
    return Matrix(square, share, error, size, none, none.copy(), step)
