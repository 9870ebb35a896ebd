"""Points in units in which squares and sums of their coordinates are in the range of floats."""

from __future__ import annotations

import numpy as np

from dendrometry._typing import FloatArray
from dendrometry.errors import InvalidInputError


def in_units(points: FloatArray) -> tuple[FloatArray, int]:
    """Return points divided by a power of 2, the largest coordinate then being below 1, and its exponent."""
    exponent = int(np.frexp(np.abs(points).max(initial=0.0))[1])
    scaled: FloatArray = np.ldexp(points, -exponent)
    return scaled, exponent


def out_of_units(points: FloatArray, exponent: int) -> FloatArray:
    """Return points multiplied by a power of 2; refuse those that leave the range of floats."""
    with np.errstate(over="ignore"):
        drawn: FloatArray = np.ldexp(points, exponent)
    if not np.isfinite(drawn).all():
        raise InvalidInputError(
            f"points must be small enough to draw others beside them; the largest coordinate is about 2**{exponent}"
        )
    return drawn
