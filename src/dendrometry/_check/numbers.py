"""Options that many functions take, checked: a source of random numbers, counts, and numbers within bounds."""

import math
from numbers import Integral, Real

import numpy as np

from dendrometry._display import shown
from dendrometry._threads import n_cores
from dendrometry.errors import InvalidInputError

__all__ = ["checked_count", "checked_number", "checked_rng", "thread_count"]


def checked_rng(rng: object) -> np.random.Generator:
    """Return the generator of random numbers that was given or seeded."""
    if rng is None or isinstance(rng, np.random.Generator):
        return np.random.default_rng(rng)
    if isinstance(rng, bool | np.bool_) or not isinstance(rng, Integral) or rng < 0:
        raise InvalidInputError(f"rng must be a numpy Generator, a whole number from 0 on, or None; got {shown(rng)}")
    return np.random.default_rng(int(rng))


def checked_count(value: object, what: str, least: int) -> int:
    """Return a whole number that is at least ``least``."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Integral) or int(value) < least:
        raise InvalidInputError(f"{what} must be a whole number, at least {least}; got {shown(value)}")
    return int(value)


def thread_count(n_threads: object) -> int:
    """Return the number of threads asked for, or one for each core that this process may use."""
    return n_cores() if n_threads is None else checked_count(n_threads, "n_threads", 1)


def checked_number(value: object, what: str, least: float, most: float = math.inf) -> float:
    """Return a finite number above ``least`` and at most ``most``."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real) or not least < float(value) <= most:
        bound = f" and at most {most:g}" if most < math.inf else ""
        raise InvalidInputError(f"{what} must be a number above {least:g}{bound}; got {shown(value)}")
    if math.isinf(value):
        raise InvalidInputError(f"{what} must be finite; got {shown(value)}")
    return float(value)
