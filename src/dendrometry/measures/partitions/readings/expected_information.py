"""The expected mutual information of two partitions over all relabellings of the items."""

from __future__ import annotations

import numpy as np

from dendrometry._exact import log_ratio, total
from dendrometry._kernels._jit import FloatArray, IntArray
from dendrometry._kernels.measures import expected_information as kernels
from dendrometry.contingency import Contingency

__all__ = ["MOST_STEPS", "count_steps", "entropies", "expected_mutual_information", "expected_shares"]

MOST_STEPS = 1_000_000_000  # of the expected mutual information, some five seconds


def expected_mutual_information(table: Contingency) -> float | None:
    """Return the mean mutual information over all relabellings, in nats; None if that would take too long.

    The overlap of clusters of sizes s and t is hypergeometric with mean u = st/n, and the sum of m log(m/u) over all
    overlaps m is that of m log(m/u) - m + u, which is never negative. Clusters of the same size are treated together.
    The same bits if the partitions are exchanged.
    """
    first, second = sorted((np.sort(table.sizes_a), np.sort(table.sizes_b)), key=np.ndarray.tobytes)
    if count_steps(first, second, table.n_items) > MOST_STEPS:
        return None
    size, times = np.unique(first, return_counts=True)
    return total(times * expected_shares(size, second, table.n_items)) / table.n_items


def count_steps(size: IntArray, sizes: IntArray, n_items: int) -> float:
    """Return about how many steps the expectation takes: the overlaps of every pair of sizes that are not too rare."""
    size, sizes = np.unique(size), np.unique(sizes)
    if size.size * sizes.size > MOST_STEPS:
        return float(size.size) * sizes.size
    few, many = sorted((size.astype(np.float64), sizes.astype(np.float64)), key=np.size)
    steps = 0.0
    for s in few.tolist():
        mean = s * many / n_items
        around = np.minimum(22.0 * np.sqrt(mean) + 20.0, np.minimum(s, many))
        steps += float(np.where(mean < kernels.LARGE, around, 1.0).sum())
    return steps


def expected_shares(size: IntArray, sizes: IntArray, n_items: int) -> FloatArray:
    """Return, for a cluster of each ``size``, n times its mean share in the mutual information with random clusters.

    Its items are drawn at random from ``n_items`` items, of which clusters of these ``sizes`` consist.
    """
    other, times = np.unique(sizes, return_counts=True)
    most = min(int(size.max()), int(other.max()), int(kernels.LARGE + 40.0 * kernels.LARGE**0.5))
    log = np.log(np.append(np.maximum(np.arange(most + 2), 1), n_items))
    ours = kernels.Sizes(size, np.log(size), np.ones(size.size))
    theirs = kernels.Sizes(other, np.log(other), times.astype(np.float64))
    return kernels.expected_sums(n_items, ours, theirs, log)


def entropies(table: Contingency) -> tuple[float, float]:
    """Return the entropies of the two partitions, in nats."""
    n = table.n_items
    of_a, of_b = (total(sizes * log_ratio(np.int64(n), sizes)) / n for sizes in (table.sizes_a, table.sizes_b))
    return of_a, of_b
