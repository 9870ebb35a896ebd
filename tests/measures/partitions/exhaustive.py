"""All pairs of partitions of n items: a value for each, computed once for pairs that differ by item order alone."""

from functools import lru_cache

import numpy as np

from dendrometry import Contingency
from dendrometry.measures import Measure
from tests.oracles.sets.partitions import partitions

__all__ = ["BOUND", "PAIRS", "canonical", "representatives", "value_matrix", "worst_detour"]

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


@lru_cache
def _orbits(n: int) -> tuple[list[tuple[tuple[int, ...], tuple[int, ...]]], np.ndarray]:
    """A pair of partitions for each orbit under orders of the first one, and the orbit of every pair."""
    every = partitions(n)
    number: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
    orbit = np.zeros((len(every), len(every)), dtype=np.int64)
    for i, a in enumerate(every):
        order = _ordered(a)
        first = canonical(a[x] for x in order)
        for j, b in enumerate(every):
            orbit[i, j] = number.setdefault((first, canonical(b[x] for x in order)), len(number))
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
