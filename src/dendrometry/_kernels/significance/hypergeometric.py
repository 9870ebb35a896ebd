"""Tails of the hypergeometric distribution, as logarithms."""

import math

import numpy as np

from dendrometry._kernels._jit import njit
from dendrometry._typing import FloatArray, IntArray

_SMALL = 16
# log n! less Stirling's approximation, n log n - n + log(2 pi n) / 2, for small n; that of 0 is never used.
_REST = np.array(
    [0.0]
    + [math.log(math.factorial(n)) - n * math.log(n) + n - math.log(2 * math.pi * n) / 2 for n in range(1, _SMALL)]
)


@njit
def log_upper_tails(k: IntArray, drawn: IntArray, marked: IntArray, n: int) -> FloatArray:
    """Return the log of the probability of at least k marked items among those drawn, for each row.

    ``drawn`` items are drawn of ``n``, of which ``marked`` are marked. The first term is computed by Loader's saddle
    point expansion, the others from it by ratios, away from the mean: O(standard deviation) for each row.
    """
    found = np.empty(k.size)
    for row in range(k.size):
        found[row] = _log_upper_tail(k[row], drawn[row], marked[row], n)
    return found


@njit
def _log_upper_tail(k: int, drawn: int, marked: int, n: int) -> float:
    """Return the log of the probability of at least k marked items among those drawn."""
    if k <= max(0, drawn + marked - n):
        return 0.0
    if k > min(drawn, marked):
        return -np.inf
    if k * n > drawn * marked:
        return min(0.0, _log_term(k, drawn, marked, n) + math.log(_sum_up(k, drawn, marked, n)))
    # The number of marked items that are not drawn has the opposite tail.
    rest = marked - k + 1
    below = _log_term(rest, n - drawn, marked, n) + math.log(_sum_up(rest, n - drawn, marked, n))
    return math.log1p(-math.exp(below))


@njit
def _sum_up(k: int, drawn: int, marked: int, n: int) -> float:
    """Return the sum of the probabilities of k and more, divided by that of k."""
    term, total = 1.0, 1.0
    other = n - marked - drawn
    while k < min(drawn, marked) and term > 1e-18 * total:
        term *= (float(marked - k) * float(drawn - k)) / ((k + 1.0) * (other + k + 1.0))
        total += term
        k += 1
    return total


@njit
def _log_term(k: int, drawn: int, marked: int, n: int) -> float:
    """Return the log of the probability of k, which is possible: three binomial terms with probability drawn / n."""
    return (
        _log_binomial_term(k, marked, drawn, n)
        + _log_binomial_term(drawn - k, n - marked, drawn, n)
        - _log_binomial_term(drawn, n, drawn, n)
    )


@njit
def _log_binomial_term(k: int, m: int, part: int, whole: int) -> float:
    """Return the log of the probability of k successes in m, each with the probability part / whole."""
    if k == 0:
        return m * math.log1p(-part / whole) if part < whole else (0.0 if m == 0 else -np.inf)
    if k == m:
        return m * math.log(part / whole)
    mean = part / whole * m
    deviance = _deviance(k, mean) + _deviance(m - k, (whole - part) / whole * m)
    return _rest(m) - _rest(k) - _rest(m - k) - deviance - math.log(2 * math.pi * k * ((m - k) / m)) / 2


@njit
def _rest(n: int) -> float:
    """Return log n! less Stirling's approximation."""
    if n < _SMALL:
        return float(_REST[n])
    square = float(n) * n
    return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / 1188 / square) / square) / square) / square) / n


@njit
def _deviance(x: float, mean: float) -> float:
    """Return x log(x / mean) + mean - x, by a series where the two are close."""
    ratio = (x - mean) / (x + mean)
    if abs(ratio) >= 0.1:
        return x * math.log(x / mean) + mean - x
    total, term, square, j = (x - mean) * ratio, 2 * x * ratio, ratio * ratio, 1.0
    while True:
        term *= square
        j += 2.0
        more = total + term / j
        if more == total:
            return total
        total = more
