"""Pairs of items that lie together: in one partition or at every tick of two trees."""

from typing import NamedTuple

from dendrometry._exact import pairs_within
from dendrometry._kernels._jit import IntArray
from dendrometry.contingency import Contingency
from dendrometry.walk.levels import Levels

__all__ = ["PairColumns", "PairCounts", "pair_columns", "pair_counts"]


class PairCounts(NamedTuple):
    """Pairs of items that lie together: in a, in b, in both; and all pairs. Python integers, exact at any size."""

    in_a: int
    in_b: int
    in_both: int
    all: int


def pair_counts(table: Contingency) -> PairCounts:
    """Return the numbers of pairs together in a, in b, in both, and of all pairs."""
    n = table.n_items
    in_a, in_b, in_both = (pairs_within(sizes, n) for sizes in (table.sizes_a, table.sizes_b, table.count))
    return PairCounts(in_a, in_b, in_both, n * (n - 1) // 2)


class PairColumns(NamedTuple):
    """Pairs of items that lie together at each of many levels: in a, in b, in both; and all pairs, below 2**53."""

    in_a: IntArray
    in_b: IntArray
    in_both: IntArray
    all: int


def pair_columns(levels: Levels) -> PairColumns:
    """Return the pair counts at every tick of a walk."""
    walk = levels.walk
    return PairColumns(walk.p, walk.q, walk.t, walk.pair.n_pairs)
