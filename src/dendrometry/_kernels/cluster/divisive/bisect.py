"""Two-means: one cluster split into two around their means."""

import numpy as np

from dendrometry._kernels._jit import BoolArray, FloatArray, njit, stopped
from dendrometry._kernels.cluster.distances.rows import Rows, fill_mean, fill_row, fill_squared_from

__all__ = ["scatter_of_sides", "two_means"]


@njit
def two_means(rows: Rows, first: int, second: int, most: int) -> tuple[BoolArray, float, int, int]:
    """Split rows into those nearer to one mean than to the other, starting from two rows that differ.

    Returns the side of each row, the sum of squared distances from both means, the number of rows exactly as near to
    both (they are on the first side) and the rounds made, at most ``most``. Both sides hold a row. O((nnz + d) rounds).
    """
    m = rows.start.size - 1
    a = np.empty(rows.n_columns)
    b = np.empty(rows.n_columns)
    from_a = np.empty(m)
    from_b = np.empty(m)
    fill_row(rows, first, a)
    fill_row(rows, second, b)
    fill_squared_from(rows, a, from_a)
    fill_squared_from(rows, b, from_b)
    side = from_b < from_a
    side[first] = False
    side[second] = True
    rounds = 0
    while True:
        rounds += 1
        fill_mean(rows, side, False, a)
        fill_mean(rows, side, True, b)
        fill_squared_from(rows, a, from_a)
        fill_squared_from(rows, b, from_b)
        moved = from_b < from_a
        n_right = moved.sum()
        if stopped() or rounds == most or n_right == 0 or n_right == m or (moved == side).all():
            break
        side = moved
    total = 0.0
    ties = 0
    for i in range(m):
        total += from_b[i] if side[i] else from_a[i]
        ties += from_a[i] == from_b[i]
    return side, total, ties, rounds


@njit
def scatter_of_sides(rows: Rows, side: BoolArray) -> FloatArray:
    """Return the sum of squared distances from the mean on either side; 0 if all its rows are equal. O(nnz + d)."""
    mean = np.empty(rows.n_columns)
    apart = np.empty(side.size)
    scatter = np.zeros(2)
    for s in range(2):
        first = -1
        for i in range(side.size):
            if side[i] == (s == 1):
                first = i
                break
        if first < 0:
            continue
        fill_row(rows, first, mean)
        fill_squared_from(rows, mean, apart)
        if not ((apart > 0.0) & (side == (s == 1))).any():
            continue
        fill_mean(rows, side, s == 1, mean)
        fill_squared_from(rows, mean, apart)
        for i in range(side.size):
            if side[i] == (s == 1):
                scatter[s] += apart[i]
    return scatter
