"""How many to show: numbers that users give."""

import numpy as np

from dendrometry._display import printable
from dendrometry.errors import InvalidInputError

__all__ = ["checked_count"]


def checked_count(value: object, what: str, least: int = 1) -> int:
    """Return a whole number of at least ``least``, or refuse it."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise InvalidInputError(f"{what} must be a whole number from {least} on; got {printable(value)}")
    return int(value)
