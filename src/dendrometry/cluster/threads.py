"""Work shared among the cores: compiled loops release the interpreter, so plain threads are enough."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np

from dendrometry._kernels._jit import IntArray

__all__ = ["balanced", "in_parallel", "n_cores"]

_LEAST = 64  # below this number of rows, starting threads costs more than it saves


def n_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_parallel(work: Callable[[IntArray], object], rows: IntArray, least: int = _LEAST) -> None:
    """Call ``work`` on consecutive pieces of the rows, on all cores; the pieces must not depend on each other."""
    n_pieces = n_cores()
    if n_pieces == 1 or rows.size < least:
        work(rows)
        return
    bounds = [rows.size * i // n_pieces for i in range(n_pieces + 1)]
    with ThreadPoolExecutor(n_pieces) as pool:
        for done in [pool.submit(work, rows[a:b]) for a, b in pairwise(bounds)]:
            done.result()


def balanced(count: int) -> IntArray:
    """Return the numbers below ``count`` so that any half of them has as many small ones as large ones."""
    order = np.empty(count, dtype=np.int64)
    order[0::2] = np.arange((count + 1) // 2)
    order[1::2] = count - 1 - np.arange(count // 2)
    return order
