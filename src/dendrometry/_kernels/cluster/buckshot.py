"""k-means on sparse rows: the nearest centre of every row, and the sums for new centres."""

import numpy as np

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._kernels.cluster.rows import Rows
from dendrometry._typing import FloatArray, IntArray


@njit
def assign(some: IntArray, rows: Rows, centre: FloatArray, label: IntArray, apart: FloatArray) -> None:
    """Set the label of some rows to the nearest centre, the lowest of equal ones, and their squared distance from it.

    ``centre[:, j]`` is centre j, so that what a row holds meets neighbouring numbers. O(nnz k + d k).
    """
    k = centre.shape[1]
    length = np.zeros(k)
    for c in range(centre.shape[0]):
        for j in range(k):
            length[j] += centre[c, j] * centre[c, j]
    score = np.empty(k)
    for i in some:
        score[:] = length
        own = 0.0
        for at in range(rows.start[i], rows.start[i + 1]):
            x = rows.value[at]
            own += x * x
            column = centre[rows.column[at]]
            for j in range(k):
                score[j] -= 2.0 * x * column[j]
        best = _lowest(score)
        label[i] = best
        apart[i] = max(own + score[best], 0.0)
        if stopped():
            break


@njit
def _lowest(score: FloatArray) -> int:
    """Return where the least score is, the first of equal ones. O(k)."""
    best = 0
    for j in range(score.size):
        if score[j] < score[best]:
            best = j
    return best


@njit
def add_rows(rows: Rows, some: IntArray, label: IntArray, total: FloatArray) -> None:
    """Add row ``some[i]`` to column ``label[i]`` of the totals. O(nnz)."""
    for i in range(some.size):
        j = label[i]
        for at in range(rows.start[some[i]], rows.start[some[i] + 1]):
            total[rows.column[at], j] += rows.value[at]
