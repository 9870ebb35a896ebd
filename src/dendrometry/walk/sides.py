"""The same work for both trees of a pair, on two threads if the trees are large."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from dendrometry._threads import n_cores, run_in_threads

__all__ = ["both"]

_Side = TypeVar("_Side")
_Result = TypeVar("_Result")
_MANY = 2**17  # rows: fewer take little longer than starting threads


def both(function: Callable[[_Side], _Result], sides: Sequence[_Side], n_rows: int) -> tuple[_Result, _Result]:
    """Return the result of a function for the first tree and for the second."""
    threaded = n_rows >= _MANY and n_cores() > 1
    first, second = run_in_threads(function, sides, 2) if threaded else map(function, sides)
    return first, second
