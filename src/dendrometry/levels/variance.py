"""The variance of the Fowlkes-Mallows index over all relabellings (Fowlkes and Mallows 1983, section 3)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import on_columns
from dendrometry._kernels.measures import pair_columns as kernels
from dendrometry._typing import FloatArray, IntArray
from dendrometry.measures._shared.pair_counts import MANY_LEVELS


def variance_columns(
    n_items: int, p: IntArray, q: IntArray, triples_a: NDArray[Any], triples_b: NDArray[Any]
) -> FloatArray:
    """Return the variance at each stage, from the numbers of pairs and of ordered triples together in each tree."""
    values = np.zeros(p.size)
    if p.size >= MANY_LEVELS:
        kernels.fill_variance(n_items, (p, q), (triples_a, triples_b), values)
        return values
    above = on_columns(kernels.variance_above)(n_items, (p, q), (triples_a, triples_b))
    below = 4.0 * p * q
    np.divide(np.maximum(above, 0.0), below, out=values, where=below != 0)
    return values
