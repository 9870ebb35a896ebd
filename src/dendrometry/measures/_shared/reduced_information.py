"""Reduced mutual information: what a partition saves in the description of another, its own cost included."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from dendrometry._exact import total
from dendrometry._typing import FloatArray, IntArray

_LEAST, _MOST = 1e-4, 1e4  # the bounds of the concentration
_NEAR = 1e-5  # the golden section ends when the logarithms of its inner points are as near as this
_GOLDEN = (3.0 - math.sqrt(5.0)) / 2.0
_LARGE = 16.0  # from here on, five terms of Stirling's series are exact


def reduced_information(sizes_a: IntArray, sizes_b: IntArray, count: IntArray) -> float:
    """Return the information in nats per item that the second partition saves in the description of the first.

    The sizes of the clusters of the first partition, and the overlaps of each cluster of the second, are described by a
    Dirichlet-multinomial law each, whose concentration makes the description shortest.
    """
    n, n_a = int(count.sum()), sizes_a.size
    whole, own = np.array([n]), np.unique(sizes_a, return_counts=True)
    columns, cells = (np.unique(values, return_counts=True) for values in (sizes_b, count))

    def sizes(concentration: float) -> float:
        return _sum_choices(whole, np.ones(1), n_a * concentration) - _sum_choices(*own, concentration)

    def table(concentration: float) -> float:
        return _sum_choices(*columns, n_a * concentration) - _sum_choices(*cells, concentration)

    alone = _shortest(sizes) + _log_factorials(whole, np.ones(1)) - _log_factorials(*own)
    known = _shortest(table) + _log_factorials(*columns) - _log_factorials(*cells)
    return (alone - known) / n + 0.0


def _sum_choices(size: IntArray, times: IntArray | FloatArray, concentration: float) -> float:
    """Return the sum of log C(m + c - 1, m) over sizes m: of the ways to choose m items with repetition from c."""
    return total(times * log_rising(concentration, size)) - _log_factorials(size, times)


def _log_factorials(size: IntArray, times: IntArray | FloatArray) -> float:
    """Return the sum of log m! over sizes m."""
    return total(times * log_rising(1.0, size))


def log_rising(x: float, m: IntArray) -> FloatArray:
    """Return log(x (x + 1) ... (x + m - 1)) for each m at least 1, without the loss of a difference of log-gammas.

    Up to 16 the factors are taken one by one, and from there on Stirling's series.
    """
    first = max(math.ceil(_LARGE - x), 0)
    start = x + first
    small = np.concatenate(([0.0], np.cumsum(np.log(x + np.arange(first)))))
    rest = np.maximum(m - first, 0).astype(np.float64)
    end = start + rest
    large = (start - 0.5) * np.log1p(rest / start) + rest * np.log(end) - rest + _remainder(end) - _remainder(start)
    rising: FloatArray = small[np.minimum(m, first)] + large
    return rising


def _remainder(x: FloatArray | float) -> FloatArray | float:
    """Return what Stirling's formula of the log-gamma function leaves out."""
    square = 1.0 / (x * x)
    series = 1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square / 1188)))
    return series / x


def _shortest(length: Callable[[float], float]) -> float:
    """Return the least length over the concentration, by golden section of its logarithm, as clustering-mi does."""
    low, high = math.log(_LEAST), math.log(_MOST)
    left, right = low + _GOLDEN * (high - low), high - _GOLDEN * (high - low)
    at_left, at_right = length(math.exp(left)), length(math.exp(right))
    while abs(left - right) > _NEAR:
        if at_left < at_right:
            high, right, at_right = right, left, at_left
            left = low + _GOLDEN * (high - low)
            at_left = length(math.exp(left))
        else:
            low, left, at_left = left, right, at_right
            right = high - _GOLDEN * (high - low)
            at_right = length(math.exp(right))
    return length(math.exp((low + high) / 2.0))
