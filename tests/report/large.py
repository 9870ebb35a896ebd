"""Pairs of large trees that are alike in part: the same random merges, with some items exchanged in the second."""

import numpy as np

from dendrometry import from_linkage


def _merges(n, rng):
    """Merge two clusters drawn at random, n - 1 times, as a linkage."""
    draws = rng.random((n - 1, 2)).tolist()
    active, sizes = list(range(n)), [1] * n
    rows = np.empty((n - 1, 4))
    for i, (x, y) in enumerate(draws):
        at = int(x * len(active))
        active[at], active[-1] = active[-1], active[at]
        first = active.pop()
        at = int(y * len(active))
        second, active[at] = active[at], n + i
        sizes.append(sizes[first] + sizes[second])
        rows[i] = min(first, second), max(first, second), i + 1, sizes[-1]
    return rows


def alike_pair(n):
    """Two trees of n items that differ in the places of a third of them."""
    rng = np.random.default_rng(0)
    linkage, names = _merges(n, rng), np.array([f"item {i}" for i in range(n)])
    moved = rng.choice(n, n // 3, replace=False)
    others = names.copy()
    others[moved] = names[rng.permutation(moved)]
    return from_linkage(linkage, names.tolist()), from_linkage(linkage, others.tolist())
