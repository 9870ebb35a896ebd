"""The expected mutual information of two partitions over all relabellings of the items."""

from __future__ import annotations

import math

import numpy as np

from dendrometry._exact import log_ratio, total
from dendrometry.contingency import Contingency

__all__ = ["entropies", "expected_mutual_information"]

_MOST_STEPS = 3_000_000  # terms of the expected mutual information: about a second
_MOST_SIZES = 20_000  # pairs of distinct sizes of clusters


def expected_mutual_information(table: Contingency) -> float | None:
    """Return the mean mutual information over all relabellings, in nats; None if that would take too long.

    The overlap of clusters of sizes s and t is hypergeometric with mean u = st/n, and the sum of m log(m/u) over all
    overlaps m is that of m log(m/u) - m + u, which is never negative. Clusters of the same sizes are treated together,
    and each distribution is truncated to all but e**-60 of its mass.
    """
    sides = [np.unique(sizes, return_counts=True) for sizes in (table.sizes_a, table.sizes_b)]
    (size_a, n_a), (size_b, n_b) = sides
    if size_a.size * size_b.size > _MOST_SIZES:
        return None
    n = table.n_items
    mean = np.outer(size_a / n, size_b)
    spread = np.sqrt(mean * np.outer((n - size_a) / n, (n - size_b) / max(n - 1, 1)))
    reach = 12.0 * spread + 40.0
    if float(np.minimum(2.0 * reach, np.minimum.outer(size_a, size_b)).sum()) > _MOST_STEPS:
        return None
    terms = [
        float(n_a[i] * n_b[j]) * _surplus(n, int(size_a[i]), int(size_b[j]), float(reach[i, j]))
        for i, j in np.ndindex(mean.shape)
    ]
    return math.fsum(terms) / n


def _surplus(n: int, s: int, t: int, reach: float) -> float:
    """Return the mean of m log(m/u) - m + u over the hypergeometric m with mean u = st/n."""
    mean = s * t / n
    low = max(0, s + t - n, math.floor(mean - reach))
    m = np.arange(low, min(s, t, math.ceil(mean + reach)) + 1, dtype=np.float64)
    before = m[:-1]
    steps = np.log((s - before) * (t - before) / ((before + 1.0) * (n - s - t + before + 1.0)))
    logs = np.concatenate(([0.0], np.cumsum(steps)))
    weight = np.exp(logs - logs.max())
    value = m * np.log(np.maximum(m, 1.0) / mean) - m + mean
    return float(weight @ value / weight.sum())


def entropies(table: Contingency) -> tuple[float, float]:
    """Return the entropies of the two partitions, in nats."""
    n = table.n_items
    of_a, of_b = (total(sizes * log_ratio(np.int64(n), sizes)) / n for sizes in (table.sizes_a, table.sizes_b))
    return of_a, of_b
