"""Options that many functions take, checked: a source of random numbers, counts, and numbers within bounds."""

import math
from numbers import Integral, Real

import numpy as np

from dendrometry._display import printable
from dendrometry.errors import InvalidInputError

__all__ = ["whole_number", "real_number", "random_generator"]


def random_generator(rng: object) -> np.random.Generator:
    """Return the generator of random numbers that was given or seeded."""
    if rng is None or isinstance(rng, np.random.Generator):
        return np.random.default_rng(rng)
    if isinstance(rng, bool | np.bool_) or not isinstance(rng, Integral) or rng < 0:
        raise InvalidInputError(
            f"rng must be a numpy Generator, a whole number from 0 on, or None; got {printable(rng)}"
        )
    return np.random.default_rng(int(rng))


def whole_number(value: object, what: str, least: int) -> int:
    """Return a whole number that is at least ``least``."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Integral) or int(value) < least:
        raise InvalidInputError(f"{what} must be a whole number, at least {least}; got {printable(value)}")
    return int(value)


def real_number(value: object, what: str, least: float, most: float = math.inf) -> float:
    """Return a finite number above ``least`` and at most ``most``."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real) or not least < float(value) <= most:
        bound = f" and at most {most:g}" if most < math.inf else ""
        raise InvalidInputError(f"{what} must be a number above {least:g}{bound}; got {printable(value)}")
    if math.isinf(value):
        raise InvalidInputError(f"{what} must be finite; got {printable(value)}")
    return float(value)
