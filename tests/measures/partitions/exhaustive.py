"""All pairs of partitions of n items: a value for each, computed once for pairs that differ by item order alone."""

from functools import cache, lru_cache

import numpy as np

from dendrometry import Contingency
from dendrometry.measures import Measure
from tests.oracles.sets.partitions import partitions

BOUND = 6  # the greatest number of clusters, for a measure that needs one

PAIRS = [
    ((0, 0, 1, 1, 2), (0, 1, 1, 1, 0)),
    ((0, 0, 0, 0, 0), (0, 1, 1, 1, 0)),
    ((0, 1, 2, 3, 4), (0, 1, 1, 1, 0)),
    ((0, 0, 0, 1, 2), (0, 0, 1, 2, 3)),
    ((0, 0, 0, 0, 1), (0, 0, 0, 0, 1)),
    ((0, 1, 2, 3, 4), (0, 1, 2, 3, 4)),
    ((0, 0, 0), (0, 0, 0)),
    ((0,), (0,)),
]


def canonical(labels) -> tuple[int, ...]:
    """The labels, counted from 0 in the order of their first item."""
    number: dict[int, int] = {}
    return tuple(number.setdefault(x, len(number)) for x in labels)


def _ordered(labels: tuple[int, ...]) -> list[int]:
    """The items, those of larger clusters first, clusters together."""
    return sorted(range(len(labels)), key=lambda i: (-labels.count(labels[i]), labels[i]))


@cache
def _sorted_table(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The pair with items and clusters in the order of its table of counts, sorted by columns and rows in turn."""
    rows = [
        [sum(x == i and y == j for x, y in zip(a, b, strict=True)) for j in range(max(b) + 1)]
        for i in range(max(a) + 1)
    ]
    rows.sort(key=lambda row: sorted(row, reverse=True), reverse=True)
    for _ in range(3):
        rows = [list(row) for row in zip(*sorted(zip(*rows, strict=True), reverse=True), strict=True)]
        rows.sort(reverse=True)
    cells = [(i, j) for i, row in enumerate(rows) for j, count in enumerate(row) for _ in range(count)]
    return tuple(i for i, _ in cells), tuple(j for _, j in cells)


@lru_cache
def _orbits(n: int) -> tuple[list[tuple[tuple[int, ...], tuple[int, ...]]], np.ndarray]:
    """A pair of partitions for (at least) each orbit under orders of the items, and the orbit of every pair."""
    every = partitions(n)
    number: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
    orbit = np.zeros((len(every), len(every)), dtype=np.int64)
    for i, a in enumerate(every):
        order = _ordered(a)
        first = canonical(a[x] for x in order)
        for j, b in enumerate(every):
            pair = _sorted_table(first, canonical(b[x] for x in order))
            orbit[i, j] = number.setdefault(pair, len(number))
    return list(number), orbit


def representatives(n: int) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Pairs of partitions of n items, one at least for all that become the same by reordering the items."""
    return _orbits(n)[0]


@lru_cache
def value_matrix(measure: Measure, n: int) -> np.ndarray:
    """The value of every pair of partitions of n items, in the order of `partitions`; the bound is BOUND."""
    pairs, orbit = _orbits(n)
    values = np.array([measure.of_table(Contingency.of(a, b), BOUND) for a, b in pairs])[orbit]
    values.flags.writeable = False
    return values


def worst_detour(distance: np.ndarray) -> float:
    """The most by which a direct distance exceeds a way over a third partition."""
    return max(float((distance - distance[:, [c]] - distance[[c], :]).max()) for c in range(len(distance)))
