"""The variance of the Fowlkes-Mallows index over all relabellings (Fowlkes and Mallows 1983, section 3)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import FloatArray, IntArray

__all__ = ["variance_columns"]


def variance_columns(
    n_items: int, p: IntArray, q: IntArray, triples_a: NDArray[Any], triples_b: NDArray[Any]
) -> FloatArray:
    """Return the variance at each stage, from the numbers of pairs and of ordered triples together in each tree."""
    n = float(n_items)
    pairs_a, items_a = _spread(n_items, p, triples_a)
    pairs_b, items_b = _spread(n_items, q, triples_b)
    variance = 2 * pairs_a * pairs_b / (n * (n - 1))
    if n_items > 2:
        variance += 4 * (items_a - pairs_a) * (items_b - pairs_b) / (n * (n - 1) * (n - 2))
    if n_items > 3:
        variance += 4 * (2 * items_a - pairs_a) * (2 * items_b - pairs_b) / (n * (n - 1) * (n - 2) * (n - 3))
    return _ratio(np.maximum(variance, 0.0), 4.0 * p * q, 0.0)


def _spread(n: int, together: IntArray, triples: NDArray[Any]) -> tuple[FloatArray, FloatArray]:
    """Return sums of squares about the mean: of ordered pairs together, and of the number of companions of items.

    Relabelling affects only the deviations from the mean, which would be lost by rounding in larger sums.
    """
    pairs = 2 * together
    apart = (n * (n - 1) - pairs) / (n * (n - 1))
    mean, rest = np.divmod(pairs.astype(triples.dtype), n)
    square = triples + pairs - n * mean * mean - 2 * mean * rest
    return pairs * apart, square - rest * (rest / n)


def _ratio(above: NDArray[Any], below: NDArray[Any], otherwise: float) -> FloatArray:
    """Return above / below, or ``otherwise`` if below is 0."""
    ratio: FloatArray = np.divide(above, below, out=np.full(below.shape, otherwise), where=below != 0)
    return ratio
