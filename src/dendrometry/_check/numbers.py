"""Numbers as options: whole numbers, real numbers, and sources of random numbers."""

import math
from numbers import Integral, Real
from typing import TypeGuard

import numpy as np

from dendrometry._display import printable_repr
from dendrometry._memory import available
from dendrometry.errors import Argument, InvalidInputError

RandomSource = np.random.Generator | int | None

_LARGEST = 2**63 - 1  # of the integers that arrays and loops hold


def whole_number(value: object, what: str, least: int, most: int | None = None, *, also: str = "") -> int:
    """Return a whole number from ``least`` to ``most``, at most one of 64 bits.

    The message names ``also`` as a further possibility.
    """
    if not _is_whole(value) or not least <= int(value) <= (_LARGEST if most is None else most):
        too_large = most is None and _is_whole(value) and int(value) > _LARGEST
        span = f"from {least:,} on" if most is None else f"from {least:,} to {most:,}"
        span += ", below 2**63" if too_large else ""
        other = f", or {also}" if also else ""
        raise InvalidInputError(Argument(what), f" must be a whole number {span}{other}; got {printable_repr(value)}")
    return int(value)


def count_held(value: object, what: str, least: int, bytes_each: int) -> int:
    """Return a number of things that are all held in memory; refuse more than fit, before anything is allocated."""
    count = whole_number(value, what, least)
    most = available() // bytes_each
    if count > most:
        raise InvalidInputError(Argument(what), f" must be at most {most:,}, for which there is memory; got {count:,}")
    return count


def real_number(
    value: object,
    what: str,
    *,
    above: float | None = None,
    least: float | None = None,
    below: float | None = None,
    most: float | None = None,
    finite: bool = True,
) -> float:
    """Return a number within the given bounds as a float.

    ``above`` and ``below`` exclude the bound, ``least`` and ``most`` include it. Not-a-number is always refused,
    infinity unless ``finite`` is False.
    """
    number = _as_float(value, what)
    low = f"above {above:g}" if above is not None else f"at least {least:g}" if least is not None else ""
    high = f"below {below:g}" if below is not None else f"at most {most:g}" if most is not None else ""
    inside = (
        (above is None or number > above)
        and (least is None or number >= least)
        and (below is None or number < below)
        and (most is None or number <= most)
    )
    if math.isnan(number) or not inside or (finite and math.isinf(number)):
        kind = "finite number" if finite and not high else "number"
        bounds = f", {' and '.join(filter(None, (low, high)))}" if low or high else ""
        raise InvalidInputError(Argument(what), f" must be a {kind}{bounds}; got {printable_repr(value)}")
    return number


def random_generator(rng: object) -> np.random.Generator:
    """Return the given generator of random numbers, or a new one with the given seed."""
    if rng is None or isinstance(rng, np.random.Generator):
        return np.random.default_rng(rng)
    if not _is_whole(rng) or int(rng) < 0:
        raise InvalidInputError(
            f"rng must be a numpy Generator, a whole number from 0 on, or None; got {printable_repr(rng)}"
        )
    return np.random.default_rng(int(rng))


def _is_whole(value: object) -> TypeGuard[Integral]:
    """Whether a value is an integer of Python or NumPy, and not a boolean."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def _as_float(value: object, what: str) -> float:
    """Return a real number as a float, or nan for anything else; refuse numbers beyond the range of floats."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        raise InvalidInputError(
            Argument(what), f" must be within the range of floats; got {printable_repr(value)}"
        ) from None
