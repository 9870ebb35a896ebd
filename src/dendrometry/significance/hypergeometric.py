"""The chance of an overlap at least as large, in logarithms, and Holm's adjustment of such chances."""

from __future__ import annotations

import numpy as np

from dendrometry._kernels.significance.hypergeometric import log_upper_tails
from dendrometry._typing import FloatArray, IntArray


def log_tails(k: IntArray, drawn: IntArray, marked: IntArray, n: int) -> FloatArray:
    """Return the log of the chance that ``drawn`` of n items hold at least k of the ``marked``, for each row.

    Relative errors of the chance are about 1e-13 for a million items; it may be far below the least float.
    """
    rows, size, of = (column.astype(np.int64) for column in np.broadcast_arrays(k, drawn, marked))
    return log_upper_tails(rows, size, of, n)


def holm(log_p: FloatArray, n_tests: int) -> FloatArray:
    """Return the logs of p-values after Holm's adjustment for ``n_tests`` tests, of which these have the least.

    Only those that are at most all others may be left out. O(n log n).
    """
    order = np.argsort(log_p, kind="stable")
    adjusted = np.empty(log_p.size)
    left = np.log(n_tests - np.arange(log_p.size, dtype=np.float64))
    adjusted[order] = np.minimum(np.maximum.accumulate(log_p[order] + left), 0.0)
    return adjusted
