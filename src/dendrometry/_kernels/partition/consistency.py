"""How alike the clusters of each item are in many partitions, over all pairs of these."""

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._typing import FloatArray, IntArray


@njit
def add_pairs(
    code: NDArray[np.int32], size: IntArray, first: IntArray, pairs: IntArray, item: FloatArray
) -> FloatArray:
    """Add to each item its similarity in each pair of partitions; return the mean over the items for each pair.

    Row p of ``code`` is partition p, cluster c of which has ``size[first[p] + c]`` items. An item whose clusters of s
    and t items have m in common counts ``m / max(s, t)``. O(items + clusters x clusters) for each pair.
    """
    n_items = code.shape[1]
    n_clusters = np.diff(first)
    table = np.zeros(n_clusters.max() ** 2, dtype=np.int32)
    share = np.zeros(table.size)
    mean = np.zeros(pairs.shape[0])
    for p in range(pairs.shape[0]):
        if stopped():
            break
        a, b = pairs[p]
        n_a, n_b = n_clusters[a], n_clusters[b]
        table[: n_a * n_b] = 0
        for i in range(n_items):
            table[code[a, i] * n_b + code[b, i]] += 1
        total = 0.0
        for c in range(n_a):
            for d in range(n_b):
                at = c * n_b + d
                share[at] = table[at] / max(size[first[a] + c], size[first[b] + d])
                total += share[at] * table[at]
        mean[p] = total / n_items
        for i in range(n_items):
            item[i] += share[code[a, i] * n_b + code[b, i]]
    return mean
