"""The walk by the rank clock: the stages of two trees, from single items to one group."""

from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from dendrometry._check.choices import one_of
from dendrometry._typing import IntArray
from dendrometry.errors import UndefinedMeasureError
from dendrometry.hierarchy import Hierarchy
from dendrometry.tree_pair.contraction import Contraction, Ties, contract, rank_clock
from dendrometry.tree_pair.pair import Pair


def walk_by_rank(a: Hierarchy, b: Hierarchy, ties: Ties) -> Contraction:
    """Return the walk over two trees by the rank clock."""
    one_of(ties, "ties", get_args(Ties))
    pair = Pair.of_trees(a, b)
    need_stages(pair)
    return contract(pair, rank_clock(ties))


def groups_at_stages(walk: Contraction) -> tuple[IntArray, IntArray]:
    """Return the numbers of clusters of both trees at k = 2 .. n-1: of the coarsest partition into at least k."""
    n, latest = walk.pair.n_items, []
    for tree, moment in zip(walk.frame.trees, walk.frame.moments, strict=True):
        merged, rank = moment[tree.parts > 1], np.zeros(n, dtype=np.int64)
        rank[merged] = merged
        np.maximum.accumulate(rank, out=rank)
        latest.append(n - rank[n - 2 : 0 : -1])
    return latest[0], latest[1]


def ticks_at_stages(walk: Contraction) -> IntArray:
    """Return the tick of each of these stages, but for the last ones, at which nothing has merged yet."""
    n = walk.pair.n_items
    is_time = np.zeros(n, dtype=np.bool_)
    is_time[walk.time] = True
    now = np.cumsum(is_time, dtype=np.int64)
    now -= 1
    return now[n - 2 : 0 : -1][: n - 2 - np.count_nonzero(now[1 : n - 1] < 0)]


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
    if column.size * int(column.max(initial=0)) < 2**63:
        return int(column.sum())
    return (int((column >> 32).sum()) << 32) + int((column & (2**32 - 1)).sum())
