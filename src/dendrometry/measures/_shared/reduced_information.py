"""Reduced mutual information: what a partition saves in the description of another, its own cost included."""

from __future__ import annotations

import numpy as np

from dendrometry._kernels.measures.reduced_information import shortest
from dendrometry._typing import IntArray


def reduced_information(sizes_a: IntArray, sizes_b: IntArray, count: IntArray) -> float:
    """Return the information in nats per item that the second partition saves in the description of the first.

    The sizes of the clusters of the first partition, and the overlaps of each cluster of the second, are described by a
    Dirichlet-multinomial law each, whose concentration makes the description shortest. The factorials in the numbers of
    ways to choose with repetition cancel those in the numbers of orders of the items.
    """
    n, n_a = int(count.sum()), sizes_a.size
    whole = (np.array([n]), np.ones(1, dtype=np.int64))
    own, columns, cells = (np.unique(sizes, return_counts=True) for sizes in (sizes_a, sizes_b, count))
    return (shortest(*whole, *own, n_a) - shortest(*columns, *cells, n_a)) / n + 0.0
