"""Complete, average and weighted linkage on a device: from lists first, then from a matrix of what they leave.

On metrics that squared distances do not give, the matrix is of all points, as the bounds of lists are Euclidean.

All pairs of clusters that are each other's nearest merge at once, and the formulas of Lance and Williams update the
matrix, which shrinks as clusters merge. Of clusters as near, the one in the lowest slot counts as the nearest.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from dendrometry._check.points import Prepared
from dendrometry._kernels.cluster.merges import Merges
from dendrometry._progress import Advance
from dendrometry.cluster.cpu.list_reciprocal import LIST_UPDATES
from dendrometry.cluster.cpu.merges import MergeSequence, in_greedy_order
from dendrometry.cluster.gpu.choose import Backend
from dendrometry.cluster.gpu.ladder import Ladder
from dendrometry.cluster.gpu.list_reciprocal import DeviceStart, gpu_list_reciprocal, point_distances
from dendrometry.cluster.gpu.metrics import metric_square

_SHRINK = 0.7  # the matrix is packed when fewer of its rows than this are in use
_CELLS = 1 << 27  # numbers in a block of work


def matrix_bytes(n: int) -> int:
    """Return the bytes that the rounds need on the device for ``n`` clusters."""
    return 16 * n * n + (1 << 32)


def gpu_matrix_reciprocal(
    ready: Prepared,
    update: str,
    ladder: Ladder,
    backend: Backend,
    advance: Advance,
    require_memory: Callable[[int], None],
) -> tuple[MergeSequence, int]:
    """Build the tree of prepared points; also return how many clusters the matrix was made of.

    ``require_memory`` is called with the bytes of the matrix before it is made.
    """
    n = ready.points.shape[0]
    start = gpu_list_reciprocal(ready, update, backend, advance)
    ladder.count("float64", n, n * n)  # for the lists
    m = start.size.shape[0]
    require_memory(matrix_bytes(m))
    matrix = _square(ready, start, update, backend)
    ladder.count("float64", n, n * n)  # all pairs of members
    return _merge(matrix, start, update, backend, advance), m


def gpu_metric_reciprocal(
    ready: Prepared, metric: str, update: str, ladder: Ladder, backend: Backend, advance: Advance
) -> MergeSequence:
    """Build the tree of points prepared for one of `DEVICE_METRICS`."""
    xp = backend.xp
    n = ready.points.shape[0]
    item = xp.arange(n, dtype=xp.int64, device=backend.where)
    ones = xp.ones(n, dtype=xp.float64, device=backend.where)
    matrix = metric_square(ready.points, metric, backend)
    ladder.count("float64", n, n * n)
    return _merge(matrix, DeviceStart([], item, ones, item[:, None], ones[:, None]), update, backend, advance)


def _merge(matrix: Any, start: DeviceStart, update: str, backend: Backend, advance: Advance) -> MergeSequence:
    """Merge the clusters that are left, by their distances."""
    xp, where = backend.xp, backend.where
    parts, node, size, *_ = start
    m = size.shape[0]
    n = m + sum(part[0].shape[0] for part in parts)
    slot = xp.arange(m, dtype=xp.int64, device=where)
    nearest, distance = slot * 0, size * xp.inf
    tied, alive = slot < 0, slot >= 0
    changed = slot
    made, rounds = n - m, len(parts)
    while made < n - 1:
        nearest[changed], distance[changed], tied[changed] = _row_minima(matrix, changed, xp)
        active = xp.nonzero(alive)[0]
        other = nearest[active]
        mutual = (nearest[other] == active) & (active < other)
        low, high = active[mutual], other[mutual]
        parts.append((node[low], node[high], distance[low], tied[low] | tied[high]))
        node[low] = n + made + xp.arange(low.shape[0], device=where)
        made += low.shape[0]
        advance(low.shape[0])
        rounds += 1
        _unite(matrix, low, high, size, update, xp)
        alive[high] = False
        merged = ~alive
        merged[low] = True
        changed = xp.nonzero(alive & (merged | merged[nearest]))[0]
        keep = xp.nonzero(alive)[0]
        if keep.shape[0] < _SHRINK * alive.shape[0]:
            slots = xp.cumulative_sum(xp.astype(alive, xp.int64)) - 1
            matrix = _packed(matrix, keep, xp)
            size, node, distance, tied = size[keep], node[keep], distance[keep], tied[keep]
            nearest, changed = slots[nearest[keep]], slots[changed]
            alive = alive[keep]
    columns = (np.concatenate([backend.numpy(part[i]) for part in parts]) for i in range(4))
    return in_greedy_order(n, Merges(*columns), rounds)


def _square(ready: Prepared, start: DeviceStart, update: str, backend: Backend) -> Any:
    """Return the matrix of the distances of clusters, from all pairs of their members, infinite on its diagonal."""
    xp = backend.xp
    farthest, alike = LIST_UPDATES[update]
    m = start.size.shape[0]
    matrix = xp.zeros((m, m), dtype=xp.float64, device=backend.where)
    with_member = [xp.nonzero(start.size > i)[0] for i in range(int(xp.max(start.size)))]
    step = max(1, _CELLS // (4 * m))
    for at in range(0, m, step):
        block = matrix[at : at + step, :]
        for i, rows in enumerate(with_member):
            here = rows[(rows >= at) & (rows < at + step)]
            for j, columns in enumerate(with_member if here.shape[0] else []):
                x, y = start.member[here, i], start.member[columns, j]
                squares = backend.searches.cross_squares(ready.points, x, y)
                value = point_distances(ready, squares, ready.own[x][:, None] + ready.own[y][None, :], xp)
                cells = (here - at)[:, None], columns[None, :]
                if farthest:
                    block[cells] = xp.maximum(block[cells], value)
                else:
                    block[cells] += start.weight[here, i][:, None] * start.weight[columns, j][None, :] * value
        if not farthest and not alike:
            block /= start.size[at : at + step][:, None] * start.size[None, :]
    if not farthest:
        _mirror(matrix, step, xp)
    every = xp.arange(m, device=backend.where)
    matrix[every, every] = xp.inf
    return matrix


def _mirror(matrix: Any, step: int, xp: Any) -> None:
    """Make a matrix symmetric, as the order of a sum decides its rounding."""
    for at in range(0, matrix.shape[0], step):
        rows, columns = matrix[at : at + step, at:], matrix[at:, at : at + step]
        least = xp.minimum(rows, columns.T)
        matrix[at : at + step, at:] = least
        matrix[at:, at : at + step] = least.T


def _row_minima(matrix: Any, rows: Any, xp: Any) -> tuple[Any, Any, Any]:
    """Return the lowest slot of the least distance in some rows, that distance, and whether another slot has it too."""
    step = max(1, _CELLS // matrix.shape[1])
    parts = []
    for at in range(0, rows.shape[0], step):
        block = matrix[rows[at : at + step]]
        slot = xp.argmin(block, axis=1)
        least = block[xp.arange(block.shape[0], device=block.device), slot]
        parts.append((slot, least, xp.sum(xp.astype(block == least[:, None], xp.int32), axis=1) > 1))
    return tuple(xp.concat([part[i] for part in parts]) for i in range(3))


def _unite(matrix: Any, low: Any, high: Any, size: Any, update: str, xp: Any) -> None:
    """Let clusters swallow others: first in the rows, then in the columns of every row."""
    n_low, n_high = size[low], size[high]
    step = max(1, _CELLS // matrix.shape[1])
    for at in range(0, low.shape[0], step):
        part = slice(at, at + step)
        sizes = n_low[part][:, None], n_high[part][:, None]
        matrix[low[part], :] = _blend(matrix[low[part], :], matrix[high[part], :], sizes, update, xp)
    for at in range(0, matrix.shape[0], max(1, _CELLS // max(1, low.shape[0]))):
        block = matrix[at : at + max(1, _CELLS // max(1, low.shape[0])), :]
        block[:, low] = _blend(block[:, low], block[:, high], (n_low, n_high), update, xp)
        block[:, high] = xp.inf
    matrix[high, :] = xp.inf
    matrix[low, low] = xp.inf
    new = matrix[low[:, None], low[None, :]]
    matrix[low[:, None], low[None, :]] = xp.minimum(new, new.T)  # the rounding of both orders may differ
    size[low] = n_low + n_high


def _blend(x: Any, y: Any, sizes: tuple[Any, Any], update: str, xp: Any) -> Any:
    """Return the distances from the unions of clusters that are x and y away."""
    if update == "complete":
        return xp.maximum(x, y)
    if update == "average":
        return (sizes[0] * x + sizes[1] * y) / (sizes[0] + sizes[1])
    return 0.5 * (x + y)


def _packed(matrix: Any, keep: Any, xp: Any) -> Any:
    """Return the rows and columns that are kept."""
    step = max(1, _CELLS // matrix.shape[1])
    packed = xp.empty((keep.shape[0], keep.shape[0]), dtype=matrix.dtype, device=matrix.device)
    for at in range(0, keep.shape[0], step):
        packed[at : at + step, :] = matrix[keep[at : at + step]][:, keep]
    return packed
