"""All pairs of partitions of n items: a value for each, computed once for pairs that differ by item order alone."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from dendrometry import Contingency
from tests.oracles.partition import partitions

__all__ = ["canonical", "representatives", "value_matrix"]


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


def value_matrix(measure: Callable[[Contingency], float], n: int) -> np.ndarray:
    """The value of every pair of partitions of n items, in the order of `partitions`."""
    pairs, orbit = _orbits(n)
    return np.array([measure(Contingency.of(a, b)) for a, b in pairs])[orbit]
