"""The walk by the rank clock: the stages of two trees, from single items to one group."""

from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from dendrometry._check.choices import one_of
from dendrometry._kernels._jit import IntArray
from dendrometry.errors import UndefinedMeasureError
from dendrometry.io.readings import HierarchyLike
from dendrometry.walk.contraction import Contraction, Ties, contract, rank_clock
from dendrometry.walk.pair import Pair

__all__ = ["exact_sum", "groups_at", "need_stages", "need_together", "walk_by_rank"]


def walk_by_rank(a: HierarchyLike, b: HierarchyLike, ties: Ties) -> Contraction:
    """Return the walk over two trees by the rank clock."""
    one_of(ties, "ties", get_args(Ties))
    pair = Pair.of_trees(a, b)
    need_stages(pair)
    return contract(pair, rank_clock(ties))


def groups_at(walk: Contraction, k: IntArray) -> tuple[IntArray, IntArray]:
    """Return the numbers of clusters of both trees at each k: of the coarsest partition with at least k groups."""
    n, latest = walk.pair.n_items, []
    for tree, moment in zip((walk.pair.a, walk.pair.b), walk.frame.moments, strict=True):
        merged, rank = moment[tree.parts > 1], np.zeros(n, dtype=np.int64)
        rank[merged] = merged
        latest.append(n - np.maximum.accumulate(rank)[n - k])
    return latest[0], latest[1]


def need_stages(pair: Pair) -> None:
    """Refuse fewer than three items."""
    if pair.n_items < 3:
        raise UndefinedMeasureError(
            f"there must be at least 3 items, since stages have 2 to n - 1 groups; got {pair.n_items}"
        )


def need_together(total: int) -> int:
    """Return the number of pairs together over all stages of both trees, refusing 0 as a divisor."""
    if not total:
        raise UndefinedMeasureError("some pair of items must be together at some stage; there is none, so Z is 0 / 0")
    return total


def exact_sum(column: NDArray[Any]) -> int:
    """Return the exact sum of counts of pairs, even beyond 2**63."""
    return (int((column >> 32).sum()) << 32) + int((column & (2**32 - 1)).sum())
