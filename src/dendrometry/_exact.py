"""Sums and bounds computed in whole numbers, and therefore free of rounding errors."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import on_columns
from dendrometry._kernels.measures import pair_columns as kernels
from dendrometry._kernels.measures.pair_columns import MOST, Twofold
from dendrometry._typing import BoolArray, FloatArray, IntArray

LEAST = math.ulp(0.0)
_SAFE = 1 << 31  # the pairs of this many items, and their sums, fit into 64 bits

negative = on_columns(kernels.negative)
two_product = on_columns(kernels.two_product)
two_sum = on_columns(kernels.two_sum)


def inside(value: float) -> float:
    """Return a value known to be strictly between 0 and 1, corrected if rounding moved it to a bound."""
    return min(max(value, LEAST), MOST)


def within(value: FloatArray, zero: BoolArray, one: BoolArray) -> FloatArray:
    """Return similarities that are exactly 0 or 1 where ``zero`` or ``one`` is set, and strictly between elsewhere."""
    value = np.clip(value, LEAST, MOST)
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


def two_quotient(x: Twofold, y: Twofold, where: BoolArray) -> FloatArray:
    """Return x / y to the nearest float, except for a tie in the last of twice as many bits; 0 elsewhere."""
    divisor = Twofold(np.where(where, y.high, 1.0), y.low)
    return np.where(where, on_columns(kernels.two_quotient)(x, divisor), 0.0)


def float_or_nan(value: Any) -> float:
    """Return the result of a user's function as a float: nan where it is not a single real number."""
    if isinstance(value, str | bytes) or (isinstance(value, np.ndarray) and value.ndim > 0):
        return math.nan
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan
