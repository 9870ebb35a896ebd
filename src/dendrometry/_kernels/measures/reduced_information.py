"""The shortest description of counts by a Dirichlet-multinomial law: a search for its concentration."""

import math

import numpy as np

from dendrometry._kernels._jit import njit
from dendrometry._typing import IntArray

_LEAST, _MOST = 1e-4, 1e4  # the bounds of the concentration
_NEAR = 1e-5  # the golden section ends when the logarithms of its inner points are as near as this
_GOLDEN = (3.0 - math.sqrt(5.0)) / 2.0
_LARGE = 16.0  # from here on, five terms of Stirling's series are exact


@njit
def shortest(group: IntArray, n_groups: IntArray, part: IntArray, n_parts: IntArray, n_kinds: int) -> float:
    """Return the least description of groups as parts of so many kinds, over the concentration of the law.

    ``n_groups`` and ``n_parts`` say how often each size occurs. Without the factorials of all sizes, which do not
    depend on the concentration. Golden section of its logarithm, as clustering-mi searches: 35 sums over the sizes.
    """
    low, high = math.log(_LEAST), math.log(_MOST)
    left, right = low + _GOLDEN * (high - low), high - _GOLDEN * (high - low)
    at_left = _length(group, n_groups, part, n_parts, n_kinds, math.exp(left))
    at_right = _length(group, n_groups, part, n_parts, n_kinds, math.exp(right))
    while abs(left - right) > _NEAR:
        if at_left < at_right:
            high, right, at_right = right, left, at_left
            left = low + _GOLDEN * (high - low)
            at_left = _length(group, n_groups, part, n_parts, n_kinds, math.exp(left))
        else:
            low, left, at_left = left, right, at_right
            right = high - _GOLDEN * (high - low)
            at_right = _length(group, n_groups, part, n_parts, n_kinds, math.exp(right))
    return _length(group, n_groups, part, n_parts, n_kinds, math.exp((low + high) / 2.0))


@njit
def _length(
    group: IntArray, n_groups: IntArray, part: IntArray, n_parts: IntArray, n_kinds: int, concentration: float
) -> float:
    """Return the length of the description at one concentration."""
    return rising_sum(n_kinds * concentration, group, n_groups) - rising_sum(concentration, part, n_parts)


@njit
def rising_sum(x: float, size: IntArray, times: IntArray) -> float:
    """Return the sum of log(x (x + 1) ... (x + m - 1)) over sizes m, without the loss of differences of log-gammas.

    Up to 16 the factors are taken one by one, and from there on Stirling's series. The rounding errors of the sum are
    summed, too.
    """
    first = max(math.ceil(_LARGE - x), 0)
    small = np.zeros(first + 1)
    for i in range(first):
        small[i + 1] = small[i] + math.log(x + i)
    start = x + first
    behind = _remainder(start)
    total, error = 0.0, 0.0
    for i in range(size.size):
        rest = float(size[i] - first)
        if rest <= 0.0:
            term = small[size[i]]
        else:
            end = start + rest
            term = (start - 0.5) * math.log1p(rest / start) + rest * math.log(end) - rest + _remainder(end) - behind
            term += small[first]
        term *= times[i]
        before, total = total, total + term
        added = total - before
        error += (before - (total - added)) + (term - added)
    return total + error


@njit
def _remainder(x: float) -> float:
    """Return what Stirling's formula of the log-gamma function leaves out."""
    square = 1.0 / (x * x)
    return (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square / 1188)))) / x
