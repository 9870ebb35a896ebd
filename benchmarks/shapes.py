"""Large trees of known shape, as linkages: random, caterpillar, balanced."""

import numpy as np

from dendrometry import Hierarchy, from_linkage


def random(n: int, seed: int = 0) -> np.ndarray:
    """Merge two clusters drawn at random, n - 1 times."""
    rng = np.random.default_rng(seed)
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


def caterpillar(n: int, seed: int = 0) -> np.ndarray:
    """Add one item at a time, in random order."""
    items = np.random.default_rng(seed).permutation(n)
    row = np.arange(n - 1)
    left = np.where(row == 0, items[0], n + row - 1)
    right = items[1:]
    return np.column_stack([np.minimum(left, right), np.maximum(left, right), row + 1.0, row + 2.0])


def balanced(n: int, seed: int = 0) -> np.ndarray:
    """Merge neighbours of a random order, level by level."""
    level, sizes = np.random.default_rng(seed).permutation(n), np.ones(n, dtype=np.int64)
    rows, made = [], 0
    while level.size > 1:
        pairs = level.size // 2
        merged = sizes[0 : 2 * pairs : 2] + sizes[1 : 2 * pairs : 2]
        ids = np.sort(level[: 2 * pairs].reshape(-1, 2), axis=1)
        rows.append(np.column_stack([ids, made + np.arange(pairs) + 1.0, merged]))
        level = np.append(n + made + np.arange(pairs), level[2 * pairs :])
        sizes = np.append(merged, sizes[2 * pairs :])
        made += pairs
    return np.concatenate(rows)


SHAPES = {"random": random, "caterpillar": caterpillar, "balanced": balanced}


def dendrograms(shape: str, n: int) -> tuple[Hierarchy, Hierarchy]:
    """Return two trees of n items and one shape."""
    return from_linkage(SHAPES[shape](n, 1)), from_linkage(SHAPES[shape](n, 2))
