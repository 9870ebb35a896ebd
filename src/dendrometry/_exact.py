"""Sums and bounds computed in whole numbers, and therefore free of rounding errors."""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import BoolArray, FloatArray, IntArray

__all__ = [
    "LEAST",
    "Twofold",
    "group_sums",
    "inside",
    "log_ratio",
    "pairs_within",
    "float_or_nan",
    "total",
    "two_product",
    "two_quotient",
    "two_sum",
    "within",
]

LEAST = math.ulp(0.0)
_MOST = math.nextafter(1.0, 0.0)
_SAFE = 1 << 31  # the pairs of this many items, and their sums, fit into 64 bits


def inside(value: float) -> float:
    """Return a value known to be strictly between 0 and 1, corrected if rounding moved it to a bound."""
    return min(max(value, LEAST), _MOST)


def within(value: FloatArray, zero: BoolArray, one: BoolArray) -> FloatArray:
    """Return similarities that are exactly 0 or 1 where ``zero`` or ``one`` is set, and strictly between elsewhere."""
    value = np.clip(value, LEAST, _MOST)
    value[zero], value[one] = 0.0, 1.0
    return value


def group_sums(group: IntArray, values: NDArray[Any], n_groups: int) -> NDArray[Any]:
    """Return the sum of the values of each group, in their own type."""
    sums = np.zeros(n_groups, dtype=values.dtype)
    np.add.at(sums, group, values)
    return sums


def pairs_within(sizes: IntArray, n_items: int) -> int:
    """Return the number of pairs inside the groups of these sizes, exactly."""
    if n_items < _SAFE:
        return int((sizes * (sizes - 1)).sum()) // 2
    sizes_exact: list[int] = sizes.tolist()
    return sum(size * (size - 1) for size in sizes_exact) // 2


def log_ratio(whole: IntArray | np.int64, part: IntArray) -> FloatArray:
    """Return log(whole / part), precise where both are nearly equal, and exactly 0 where they are equal."""
    ratio: FloatArray = np.log1p((whole - part) / part)
    return ratio


def total(values: NDArray[Any]) -> float:
    """Return the correctly rounded sum, the same for every order of the values."""
    return math.fsum(values.tolist())


class Twofold(NamedTuple):
    """Numbers of twice the precision: ``high`` holds the nearest floats, ``low`` the remainders."""

    high: FloatArray
    low: FloatArray

    def __neg__(self) -> "Twofold":
        return Twofold(-self.high, -self.low)


def two_product(x: FloatArray, y: FloatArray | float) -> Twofold:
    """Return the exact products of floats far from overflow (Dekker 1971)."""
    (x_high, x_low), (y_high, y_low) = _halves(x), _halves(np.asarray(y, dtype=np.float64))
    high: FloatArray = x * y
    return Twofold(high, ((x_high * y_high - high) + x_high * y_low + x_low * y_high) + x_low * y_low)


def two_sum(x: Twofold, y: Twofold) -> Twofold:
    """Return sums without loss of precision where the terms nearly cancel (Knuth's two-sum, on both parts)."""
    high, rest = _sum(x.high, y.high)
    low, end = _sum(x.low, y.low)
    high, rest = _quick_sum(high, rest + low)
    return Twofold(*_quick_sum(high, rest + end))


def two_quotient(x: Twofold, y: Twofold, where: BoolArray) -> FloatArray:
    """Return x / y to the nearest float, except for a tie in the last of twice as many bits; 0 elsewhere."""
    quotient = np.divide(x.high, y.high, out=np.zeros_like(x.high), where=where)
    product = two_product(quotient, y.high)
    rest = two_sum(x, -Twofold(*_quick_sum(product.high, product.low + quotient * y.low)))
    return quotient + np.divide(rest.high, y.high, out=np.zeros_like(x.high), where=where)


def _halves(x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the upper and the lower half of the bits of each float."""
    shifted = x * 134_217_729.0  # 2**27 + 1
    high = shifted - (shifted - x)
    return high, x - high


def _sum(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the rounded sum and its rounding error."""
    high = x + y
    back = high - x
    return high, (x - (high - back)) + (y - back)


def _quick_sum(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the rounded sum and its rounding error, where x is the larger in absolute value."""
    high = x + y
    return high, y - (high - x)


def float_or_nan(said: Any) -> float:
    """Return the result of a user's function as a float: nan where it is not a single real number."""
    if isinstance(said, str | bytes) or (isinstance(said, np.ndarray) and said.ndim > 0):
        return math.nan
    try:
        return float(said)
    except (TypeError, ValueError, OverflowError):
        return math.nan
