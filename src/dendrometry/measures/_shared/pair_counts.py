"""Numbers of pairs of items that are together, in two partitions or at every tick of two trees."""

from __future__ import annotations

from typing import NamedTuple

from dendrometry._exact import pairs_within
from dendrometry._typing import IntArray
from dendrometry.contingency import Contingency
from dendrometry.tree_pair.levels import Levels

MANY_LEVELS = 2**12  # fewer are computed by NumPy in less than the time of loading compiled code


class PairCounts(NamedTuple):
    """Numbers of pairs of items together in a, in b, and in both, and of all pairs: exact Python integers."""

    in_a: int
    in_b: int
    in_both: int
    all: int

    def swap(self) -> PairCounts:
        """Return the counts with a and b swapped."""
        return self._replace(in_a=self.in_b, in_b=self.in_a)


def pair_counts(table: Contingency) -> PairCounts:
    """Return the numbers of pairs together in a, in b, in both, and of all pairs."""
    n = table.n_items
    in_a, in_b, in_both = (pairs_within(sizes, n) for sizes in (table.sizes_a, table.sizes_b, table.count))
    return PairCounts(in_a, in_b, in_both, n * (n - 1) // 2)


class PairColumns(NamedTuple):
    """Numbers of pairs together at each of many levels, in a, in b, and in both, and of all pairs, below 2**53."""

    in_a: IntArray
    in_b: IntArray
    in_both: IntArray
    all: int

    def swap(self) -> PairColumns:
        """Return the counts with a and b swapped."""
        return self._replace(in_a=self.in_b, in_b=self.in_a)


def pair_columns(levels: Levels) -> PairColumns:
    """Return the pair counts at every tick of a walk."""
    walk = levels.walk
    return PairColumns(walk.p, walk.q, walk.t, walk.pair.n_pairs)
