"""Names in a text that is given as bytes, with the offsets between which each one stands."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import njit
from dendrometry._typing import IntArray

_STEPS = 16  # for each part, on average, before looking is given up


class Parts(NamedTuple):
    """Parts of a text, as bytes, between offsets."""

    text: NDArray[np.uint8]
    start: IntArray
    stop: IntArray


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
def _n_same(text: NDArray[np.uint8], at: int, other: NDArray[np.uint8], other_at: int, most: int) -> int:
    """Return how many bytes of two texts are the same from two offsets on, up to ``most``."""
    same = 0
    while same < most and text[at + same] == other[other_at + same]:
        same += 1
    return same


@njit
def _fill(table: IntArray, parts: Parts) -> bool:
    """Enter the parts of a text into a table by their hashes; return False if two are the same or it takes too long.

    An entry is -1, or the hash and then, in 32 bits, the number of a part. O(length): parts that were chosen to have
    equal hashes are given up. All hashes are made first: lookups then wait for memory together. Relies on an empty
    table that is larger than the number of parts, by a power of 2.
    """
    text, start, stop = parts
    codes = _hashes(text, start, stop)
    n_places = table.size
    steps_left = _STEPS * start.size + 1024
    for i in range(start.size):
        at = codes[i] & (n_places - 1)
        while table[at] >= 0:
            other, size = table[at] & 0xFFFFFFFF, stop[i] - start[i]
            if table[at] >> 32 == codes[i] and stop[other] - start[other] == size:
                same = _n_same(text, start[i], text, start[other], size)
                if same == size:
                    return False
                steps_left -= same
            at = (at + 1) & (n_places - 1)
            steps_left -= 1
            if steps_left < 0:
                return False
        table[at] = (codes[i] << 32) | i
    return True


@njit
def all_distinct(parts: Parts, table: IntArray) -> bool:
    """Return whether the parts of a text are certainly different from each other; fills the table. O(length)."""
    return _fill(table, parts)


@njit
def positions(parts: Parts, among: Parts, table: IntArray) -> IntArray:
    """Return the number of the same part among others, -1 if there is none; nothing at all if it takes too long.

    O(length). Relies on parts that are distinct on either side, and on a table for the others.
    """
    found = np.full(parts.start.size, -1, dtype=np.int64)
    if not _fill(table, among):
        return found[:0]
    codes = _hashes(parts.text, parts.start, parts.stop)
    steps_left = _STEPS * (parts.start.size + among.start.size)
    for i in range(parts.start.size):
        at, size = codes[i] & (table.size - 1), parts.stop[i] - parts.start[i]
        while table[at] >= 0 and found[i] < 0:
            other = table[at] & 0xFFFFFFFF
            if table[at] >> 32 == codes[i] and among.stop[other] - among.start[other] == size:
                same = _n_same(parts.text, parts.start[i], among.text, among.start[other], size)
                found[i] = other if same == size else -1
            at = (at + 1) & (table.size - 1)
            steps_left -= 1
        if steps_left < 0:
            return found[:0]
    return found
