"""How many binary trees there are, rooted and without a root, as logarithms."""

from __future__ import annotations

import numpy as np

from dendrometry._typing import FloatArray, IntArray


def log_double_factorials(most: int) -> FloatArray:
    """Return log (2m - 1)!! for m from 0 to ``most``: the number of binary trees without a root on m + 2 leaves."""
    logs: FloatArray = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1.0, 2.0 * most, 2.0)))))
    return logs


def log_rooted(logs: FloatArray, n_leaves: IntArray) -> FloatArray:
    """Return the logarithm of the number of rooted binary trees, (2n - 3)!!; 0 for no leaves."""
    return logs[np.maximum(n_leaves - 1, 0)]


def log_unrooted(logs: FloatArray, n_leaves: IntArray) -> FloatArray:
    """Return the logarithm of the number of binary trees without a root, (2n - 5)!!; 0 for fewer than 3 leaves."""
    return logs[np.maximum(n_leaves - 2, 0)]
