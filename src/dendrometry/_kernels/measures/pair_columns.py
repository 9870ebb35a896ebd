"""Indices of the pairs together at many levels. What has no loop takes a number or a column in place of any number."""

import math
from typing import Any, NamedTuple

from dendrometry._kernels._jit import njit
from dendrometry._typing import FloatArray, IntArray, Values

MOST = math.nextafter(1.0, 0.0)  # below 1


class Twofold(NamedTuple):
    """A number of twice the precision: ``high`` is the nearest float, ``low`` the remainder."""

    high: Any
    low: Any


@njit
def negative(x: Twofold) -> Twofold:
    """Return -x."""
    return Twofold(-x.high, -x.low)


@njit
def two_product(x: Any, y: Any) -> Twofold:
    """Return the exact product of floats far from overflow (Dekker 1971)."""
    x_high, x_low = _halves(x)
    y_high, y_low = _halves(y)
    high = x * y
    return Twofold(high, ((x_high * y_high - high) + x_high * y_low + x_low * y_high) + x_low * y_low)


@njit
def two_sum(x: Twofold, y: Twofold) -> Twofold:
    """Return a sum without loss of precision where the terms nearly cancel (Knuth's two-sum, on both parts)."""
    high, rest = _sum(x.high, y.high)
    low, end = _sum(x.low, y.low)
    high, rest = _quick_sum(high, rest + low)
    high, rest = _quick_sum(high, rest + end)
    return Twofold(high, rest)


@njit
def two_quotient(x: Twofold, y: Twofold) -> Any:
    """Return x / y, where y is not 0, to the nearest float, except for a tie in the last of twice as many bits."""
    quotient = x.high / y.high
    product = two_product(quotient, y.high)
    high, low = _quick_sum(product.high, product.low + quotient * y.low)
    rest = two_sum(x, Twofold(-high, -low))
    return quotient + rest.high / y.high


@njit
def _halves(x: Any) -> tuple[Any, Any]:
    """Return the upper and the lower half of the bits of a float."""
    shifted = x * 134_217_729.0  # 2**27 + 1
    high = shifted - (shifted - x)
    return high, x - high


@njit
def _sum(x: Any, y: Any) -> tuple[Any, Any]:
    """Return the rounded sum and its rounding error."""
    high = x + y
    back = high - x
    return high, (x - (high - back)) + (y - back)


@njit
def _quick_sum(x: Any, y: Any) -> tuple[Any, Any]:
    """Return the rounded sum and its rounding error, where x is the larger in absolute value."""
    high = x + y
    return high, y - (high - x)


@njit
def adjusted_rand_terms(p: Any, q: Any, t: Any, n_pairs: float) -> tuple[Twofold, Twofold]:
    """Return what is divided, and by what, in the adjusted Rand index of pairs together in a, in b, and in both."""
    expected, half = negative(two_product(p, q)), n_pairs / 2
    largest = two_sum(two_product(p, half), two_product(q, half))  # p + q may be too large for a float
    return two_sum(two_product(t, n_pairs), expected), two_sum(largest, expected)


@njit
def fill_adjusted_rand(p: IntArray, q: IntArray, t: IntArray, n_pairs: float, value: FloatArray) -> None:
    """Fill in the adjusted Rand index at each level. O(n)."""
    for i in range(value.size):
        if p[i] == q[i] == t[i]:
            value[i] = 1.0
        else:
            above, below = adjusted_rand_terms(float(p[i]), float(q[i]), float(t[i]), n_pairs)
            value[i] = min(two_quotient(above, below), MOST)


@njit
def _spread(n: int, together: Any, triples: Any) -> tuple[Any, Any]:
    """Return sums of squares about the mean: of ordered pairs together, and of the number of companions of items.

    Relabelling affects only the deviations from the mean, which would be lost by rounding in larger sums.
    """
    pairs = 2 * together
    apart = (n * (n - 1) - pairs) / (n * (n - 1))
    mean = pairs // n
    rest = (pairs - n * mean) + 0 * triples  # a float where triples are
    mean = mean + 0 * triples
    square = triples + pairs - n * mean * mean - 2 * mean * rest
    return pairs * apart, square - rest * (rest / n)


@njit
def variance_above(n_items: int, pairs: tuple[Any, Any], triples: tuple[Any, Any]) -> Any:
    """Return the variance of the Fowlkes-Mallows index times 4 p q, from pairs and ordered triples in each tree.

    Rounding may leave it below 0.
    """
    n = float(n_items)
    pairs_a, items_a = _spread(n_items, pairs[0], triples[0])
    pairs_b, items_b = _spread(n_items, pairs[1], triples[1])
    variance = 2 * pairs_a * pairs_b / (n * (n - 1))
    if n_items > 2:
        variance = variance + 4 * (items_a - pairs_a) * (items_b - pairs_b) / (n * (n - 1) * (n - 2))
    if n_items > 3:
        last = 4 * (2 * items_a - pairs_a) * (2 * items_b - pairs_b) / (n * (n - 1) * (n - 2) * (n - 3))
        variance = variance + last
    return variance


@njit
def fill_variance(
    n_items: int, pairs: tuple[IntArray, IntArray], triples: tuple[Values, Values], value: FloatArray
) -> None:
    """Fill in the variance of the Fowlkes-Mallows index at each level, 0 where a tree has no pair together. O(n)."""
    p, q = pairs
    for i in range(value.size):
        below = 4.0 * p[i] * q[i]
        if below != 0.0:
            above = variance_above(n_items, (p[i], q[i]), (triples[0][i], triples[1][i]))
            value[i] = max(above, 0.0) / below
        else:
            value[i] = 0.0
