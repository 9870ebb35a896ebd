"""Long columns computed block by block: what is computed on the way stays in the cache, and all cores work."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dendrometry._interrupt import raise_if_stopped
from dendrometry._threads import share_rows
from dendrometry._typing import FloatArray, IntArray

_BLOCK = 2**14  # values: a few columns of so many fit into the cache of a core


def in_blocks(function: Callable[..., FloatArray], columns: Sequence[NDArray[Any]]) -> FloatArray:
    """Return what a function gives for columns, each value of which it computes from those in the same row."""
    n_rows = columns[0].size
    if n_rows <= _BLOCK:
        return function(*columns)
    values = np.empty(n_rows)

    def work(starts: IntArray) -> None:
        for start in starts.tolist():
            raise_if_stopped()
            block = slice(start, start + _BLOCK)
            values[block] = function(*(column[block] for column in columns))

    share_rows(work, np.arange(0, n_rows, _BLOCK), least=2)
    return values
