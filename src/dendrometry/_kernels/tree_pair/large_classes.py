"""The best matches of large classes, which only large clusters can be.

The cluster of all n items has ``F = 2 s / (s + n)`` with a class of s items, and a cluster of z items at most
``2 z / (s + z)``: only from ``s² / n`` items on can it be the better match. Such clusters are few, and the top of the
tree. The items of the class are counted at the lowest of them, and the counts are summed on the way up.
"""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._kernels.tree_pair.clusters import Classes, Ranked, Rows
from dendrometry._typing import IntArray

LARGE = -1  # the way of classes that are matched here
CLOSE = 1.0 - 2.0**-50  # what is less than this share of a product, both rounded, is less than the product


class Ways(NamedTuple):
    """How each class is matched: ``of[v]`` is `LARGE`, or the turn, from 0 on, in which its list is made.

    Any other class is left out. Large classes have at least ``2**octave`` items. For those of ``2**k`` items on
    clusters are large from rank ``first[k]`` on.
    """

    of: IntArray
    n_turns: int
    octave: int
    first: IntArray


class Found(NamedTuple):
    """The rank of the match of each class, and how many items both have; 0 before any match is found."""

    match: IntArray
    common: IntArray


class _Counts(NamedTuple):
    """For each cluster by rank: the lowest large one at or above it, the items counted there, and those below."""

    above: IntArray
    own: IntArray
    below: IntArray


@njit
def _best(s: int, first: int, other: Ranked, counts: _Counts) -> tuple[int, int]:
    """Return the rank of the best match of a class of s items from some rank on, and how many items both have."""
    size, parent, number, own, below = other.size, other.parent, other.number, counts.own, counts.below
    root = size.size - 1
    best, best_both, best_f = root, s, 2.0 * s / (s + size[root])
    for k in range(first, root):
        x, z = own[k] + below[k], s + size[k]
        below[k] = 0
        below[parent[k]] += x
        if 2.0 * x >= CLOSE * best_f * z:
            f = 2.0 * x / z
            if f > best_f or (f == best_f and number[k] < number[best]):
                best, best_both, best_f = k, x, f
    below[root] = 0
    return best, best_both


@njit
def match_large(ways: Ways, classes: Classes, rows: Rows, other: Ranked, found: Found) -> None:
    """Set the matches of all large classes.

    No two classes of s to 2 s - 1 items lie side by side in a third: they are chains, along which items are counted
    once. O(n) steps for each doubling of s, and for each class as many as there are clusters that are large for it.
    """
    n, way = other.size.size, ways.of
    counts = _Counts(np.empty(n, dtype=np.int64), np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64))
    above, own = counts.above, counts.own
    for k in range(ways.octave, ways.first.size):
        first = ways.first[k]
        for i in range(n - 1, -1, -1):
            above[i] = i if i >= first else above[other.parent[i]]
        for bottom in range(way.size):
            v, low, high = bottom, classes.low[bottom], classes.low[bottom]
            while v >= 0 and way[v] == LARGE and classes.size[v] >> k == 1 and found.common[v] == 0 and not stopped():
                for i in range(classes.low[v], classes.high[v] - (high - low)):
                    r = i if i < low else i + high - low
                    own[above[rows.at[r]]] += rows.items[r]
                low, high = classes.low[v], classes.high[v]
                found.match[v], found.common[v] = _best(classes.size[v], first, other, counts)
                v = classes.parent[v]
            if high > low:
                for i in range(first, n):
                    own[i] = 0
