"""Heights from the lengths of branches, which other programs print with a limited number of digits."""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

import numpy as np

from dendrometry._display import plural
from dendrometry._kernels.io import lengths as kernels
from dendrometry._kernels.io.parents import post_order
from dendrometry._typing import BoolArray, FloatArray, IntArray
from dendrometry.errors import InvalidTreeError, Message, Remedy
from dendrometry.io.parents import ascending

_EPS = float(np.finfo(np.float64).eps)
_LEAST_DIGITS = 4  # numbers with fewer are taken as exact, as people write them
_UNEVEN_DIGITS = 8  # the same where tips are at different heights: with fewer, heights would often be equal by accident
_FULL_DIGITS = 16  # that only a number printed in full has
_FIRST = 32  # lengths that are looked at before all others
_FAR = 0.01  # tips whose distances from the root differ by this share are not at the same height


class Heights(NamedTuple):
    """The height of each node, and what was assumed about the lengths."""

    height: FloatArray
    notes: list[Message]


def heights_in_any_order(parent: IntArray, length: FloatArray, *, exact: bool) -> Heights:
    """Return heights as `heights_of_lengths`, of nodes in any order; if not all are below one root, all are 0."""
    order = post_order(parent, int(np.argmin(parent)))
    if order.size < parent.size:
        return Heights(np.zeros(parent.size), [])  # refused when the tree is made
    number = np.empty(parent.size, dtype=np.int64)
    number[order] = np.arange(parent.size)
    found = heights_of_lengths(np.append(number[parent[order[:-1]]], -1), length[order], exact=exact)
    return found._replace(height=found.height[number])


def heights_of_lengths(parent: IntArray, length: FloatArray, *, exact: bool) -> Heights:
    """Return heights from the lengths of branches, of nodes with children first and the root last.

    The tip farthest from the root lies at 0; a length at the root is ignored. If all tips are equally far from the root
    up to the rounding of the lengths, they all lie at exactly 0, and heights of inner nodes within rounding of each
    other are equal.

    A length printed to its last digit, of value u, is off by at most u/2. The height of a node is the length of any
    path down to a tip, so that every path bounds it; heights are equal if one value is within the bounds of both, but
    never those of a node and its child if the length between them is certainly above 0. If tips are at different
    heights, a height is bounded by the path from the root alone, and heights are joined if there are enough digits. The
    last digit is that of the text: the decimal place of the longest number, or for larger numbers the number of digits
    of the longest. Numbers printed in full, and those of all tips exactly equally far from the root, are not rounded.
    ``exact`` takes every number as it is.
    """
    if length[-1] != 0:
        length = np.append(length[:-1], 0.0)
    fall = _fall(parent, length)
    spread = kernels.spread_of_tips(fall, length)
    if not spread.is_finite:
        raise InvalidTreeError("the lengths must add up to finite heights; they are too large")
    # a length is rounded by at most eps / 2 of itself, so a path is rounded by at most eps / 2 of its length
    level = spread.apart <= 4 * _EPS * spread.longest
    if level and (exact or spread.is_whole):
        return Heights(_from_tips(parent, length), [])
    digits, place = (_FULL_DIGITS, 0) if exact else _digits(length)
    if digits < _FULL_DIGITS and spread.apart <= _FAR * spread.longest:
        rounded = _rounded(parent, length, fall.is_tip, level, digits, _errors(length, digits, place))
        if rounded is not None:
            return rounded
    if level:
        return Heights(_from_tips(parent, length), [])
    if _UNEVEN_DIGITS <= digits < _FULL_DIGITS:
        return _rounded_uneven(parent, length, fall, digits, _errors(length, digits, place))
    return Heights(fall.height - spread.lowest, [])


def _fall(parent: IntArray, length: FloatArray) -> kernels.Fall:
    """Return how far each node lies below the root. NumPy's memory is faster to fill than that of a loop."""
    fall = kernels.Fall(np.empty(parent.size), np.empty(parent.size), np.empty(parent.size, dtype=bool))
    with np.errstate(over="ignore", invalid="ignore"):
        kernels.fall_from_root(parent, length, fall)
    return fall


def _from_tips(parent: IntArray, length: FloatArray) -> FloatArray:
    """Return the greatest distance from each node down to a tip."""
    height = np.empty(parent.size)
    kernels.heights_from_tips(parent, length, height)
    return height


def _rounded(
    parent: IntArray, length: FloatArray, is_tip: BoolArray, level: bool, digits: int, error: FloatArray
) -> Heights | None:
    """Return heights that are equal where the digits of the lengths allow it; None if the tips cannot be level."""
    if not (level or (digits >= _LEAST_DIGITS and _equal_tips(parent, length, is_tip))):
        return None
    height = _from_tips(parent, length)
    above = np.append(height[parent[:-1]], height[-1])
    bounds = kernels.height_bounds(parent, length, _EPS * above + (0.0 if level else error))
    if (bounds.low > bounds.high).any():
        return None
    order = ascending(height)
    joined = kernels.join_heights(parent, length, height, order, bounds)
    return Heights(joined, [] if level else _notes(joined != height, bounds, digits))


def _rounded_uneven(
    parent: IntArray, length: FloatArray, fall: kernels.Fall, digits: int, error: FloatArray
) -> Heights:
    """Return heights of tips at different heights, equal where the digits of the paths from the root allow it."""
    from_root = fall.height
    error = error + _EPS * np.abs(from_root)
    off = -_fall(parent, error).height
    bounds = kernels.Bounds(from_root - off, from_root + off, error)
    joined = kernels.join_heights(parent, length, from_root, ascending(from_root), bounds)
    return Heights(joined - joined[fall.is_tip].min(), _notes(joined != from_root, bounds, digits))


def _notes(changed: BoolArray, bounds: kernels.Bounds, digits: int) -> list[Message]:
    """Return what was assumed about the heights that were changed, if any were."""
    if not changed.any():
        return []
    width = float((bounds.high - bounds.low)[changed].max()) / 2
    note = (
        f"lengths have {digits} digits, so that heights are known up to {width:.1g}:"
        f" {plural(int(changed.sum()), 'height')} within that of another taken as equal to it"
    )
    return [(note, Remedy("exact_heights", True, "takes all digits as exact"))]


def _digits(length: FloatArray) -> tuple[int, int]:
    """Return the greatest number of digits of a length, and the place of the last one, 0 or below.

    Where there are `_FULL_DIGITS` or more, as a few lengths often show, neither is exact.
    """
    size = np.abs(length)
    digits, place = _longest(size[:_FIRST], 1, 0)
    if digits >= _FULL_DIGITS:
        return digits, place
    found = kernels.longest_digits(size)
    return _longest(np.unique(size[found.is_left]), int(found.digits), -int(found.places))


def _longest(values: FloatArray, digits: int, place: int) -> tuple[int, int]:
    """Return the most digits and the lowest place of these numbers and of those before them, up to `_FULL_DIGITS`."""
    for value in values.tolist():
        if digits >= _FULL_DIGITS:
            break
        _, figures, exponent = Decimal(repr(value)).normalize().as_tuple()
        digits, place = max(digits, len(figures)), min(place, int(exponent))
    return digits, place


def _errors(length: FloatArray, digits: int, place: int) -> FloatArray:
    """Return by how much each length may have been rounded, if numbers have so many digits up to this place."""
    size = np.abs(length)
    leading = np.floor(np.log10(size, out=np.full(size.size, -np.inf), where=size > 0))
    return 0.5 * np.maximum(10.0**place, 10.0 ** (leading - digits + 1))


def _equal_tips(parent: IntArray, length: FloatArray, is_tip: BoolArray) -> bool:
    """Whether tips of the same node have the same length, as tips at the same height must, however rounded."""
    tips = np.flatnonzero(is_tip)
    least, most = np.full(parent.size, np.inf), np.full(parent.size, -np.inf)
    np.minimum.at(least, parent[tips], length[tips])
    np.maximum.at(most, parent[tips], length[tips])
    return bool((least >= most).all())
