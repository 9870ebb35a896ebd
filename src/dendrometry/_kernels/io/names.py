"""Names in a text that is given as bytes, with the offsets between which each one stands."""

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import IntArray, njit

__all__ = ["all_distinct", "gather"]


@njit
def gather(text: NDArray[np.uint8], start: IntArray, stop: IntArray, separator: int) -> NDArray[np.uint8]:
    """Return the parts of the text between the offsets, one after another, each after a separator.

    Of two quotes in a row one is left out: only quoted names hold quotes, and there they are doubled. O(length).
    """
    size = start.size
    for i in range(start.size):
        size += stop[i] - start[i]
    parts = np.empty(size, dtype=np.uint8)
    filled = 0
    for i in range(start.size):
        parts[filled] = separator
        filled += 1
        j = start[i]
        while j < stop[i]:
            parts[filled] = text[j]
            filled += 1
            j += 2 if text[j] == 39 else 1
    return parts[:filled]


@njit
def _hashes(text: NDArray[np.uint8], start: IntArray, stop: IntArray) -> IntArray:
    """Return a number of 31 bits for each part of the text: FNV-1a. O(length)."""
    codes = np.empty(start.size, dtype=np.int64)
    for i in range(start.size):
        code = 2166136261
        for j in range(start[i], stop[i]):
            code = ((code ^ int(text[j])) * 16777619) & 0xFFFFFFFF
        codes[i] = (code ^ (code >> 15)) & 0x7FFFFFFF
    return codes


@njit
def _n_same(text: NDArray[np.uint8], first: int, second: int, most: int) -> int:
    """Return how many bytes are the same from two offsets on, up to ``most``."""
    same = 0
    while same < most and text[first + same] == text[second + same]:
        same += 1
    return same


@njit
def all_distinct(text: NDArray[np.uint8], start: IntArray, stop: IntArray) -> bool:
    """Return whether the parts of the text between the offsets are certainly different from each other.

    Each is looked up in a table by its hash, and compared byte by byte with those of the same hash. O(length): parts
    that were chosen to have equal hashes are given up, as if two were the same. All hashes are made first: lookups then
    wait for memory together.
    """
    codes = _hashes(text, start, stop)
    n_places = 1024
    while n_places < 2 * start.size:
        n_places *= 2
    table = np.full(n_places, -1, dtype=np.int64)  # the hash, then in 32 bits the number of a part
    steps_left = 16 * start.size + 1024
    for i in range(start.size):
        at = codes[i] & (n_places - 1)
        while table[at] >= 0:
            other, size = table[at] & 0xFFFFFFFF, stop[i] - start[i]
            if table[at] >> 32 == codes[i] and stop[other] - start[other] == size:
                same = _n_same(text, start[i], start[other], size)
                if same == size:
                    return False
                steps_left -= same
            at = (at + 1) & (n_places - 1)
            steps_left -= 1
            if steps_left < 0:
                return False
        table[at] = (codes[i] << 32) | i
    return True
