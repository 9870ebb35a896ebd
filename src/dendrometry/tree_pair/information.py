"""Information: what the clusters of one tree say about those of another, depth by depth."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from dendrometry._kernels import tree as kernels
from dendrometry._kernels.measures import expected_information as means
from dendrometry._typing import FloatArray, IntArray
from dendrometry.tree_pair.contraction import contract
from dendrometry.tree_pair.pair import Pair, Tree
from dendrometry.tree_pair.shared_clusters import same_clusters

_MOST_TERMS = 50_000_000  # pairs of sizes whose overlaps are summed one by one: some twenty seconds


class Information(NamedTuple):
    """Mutual information of two trees and the information in each, in nats."""

    mutual: float
    of_a: float
    of_b: float


def information(pair: Pair) -> Information:
    """Return the hierarchical mutual information. O(n log n) time, O(n) space.

    At depth l the clusters of a tree are those of its nodes of that depth and of its leaves above it. With S the sum of
    m log m over the overlaps of m items, the clusters at l + 1 have the mutual information
    (S(l+1, l+1) + S(l, l) - S(l, l+1) - S(l+1, l)) / n, given those at l. In a walk from the leaves up, the first and
    third are the rise of S when the first tree goes from l + 1 to l before the second does, the others after it.
    """
    n, of_a, of_b = pair.n_items, _entropy(pair.a, pair.n_items), _entropy(pair.b, pair.n_items)
    if same_clusters(pair):
        return Information(of_a, of_a, of_a)
    more = _rise_of_first(pair, False) - _rise_of_first(pair, True)
    size = np.flatnonzero(more)
    mutual = float((more[size] * _m_log_m(size)).sum()) / n
    return Information(min(of_a, of_b, max(0.0, mutual)), of_a, of_b)


def _entropy(tree: Tree, n: int) -> float:
    """Return the entropy of the leaves; an item of an inner node is by itself."""
    held = tree.own[tree.n_children == 0]
    return max(0.0, math.log(n) - float(_m_log_m(held).sum()) / n)


def _rise_of_first(pair: Pair, first: bool) -> IntArray:
    """Return how many more overlaps of each size there are when the first tree goes up, before or after the second.

    Whole numbers, so that the sum over them is the same whichever tree is the first.
    """
    deepest = max(int(kernels.depths(tree.parent).max()) for tree in (pair.a, pair.b))

    def clock(tree: Tree) -> IntArray:
        earlier = (tree is pair.a) == first
        moment = 2 * (deepest - kernels.depths(tree.parent)) + (1 if earlier else 2)
        return np.where(tree.n_children == 0, 0, moment)

    walk = contract(pair, clock)
    ours = (walk.time > 0) & (walk.time % 2 == first)
    met = ours[walk.meets.tick]
    kept, gone = walk.meets.kept_count[met], walk.meets.gone_count[met]
    inside = pair.count[ours[walk.row_tick] & (pair.count > 1)]
    made, joined, alone, whole = (
        np.bincount(sizes, minlength=pair.n_items + 1) for sizes in (kept + gone, kept, gone, inside)
    )
    return made - joined - alone + whole


def expected_information(pair: Pair) -> float | None:
    """Return the mean of the mutual information over all relabellings; None if that would take too long.

    The sums over overlaps are bilinear in the numbers of clusters of each size, and so is what is added at a depth: it
    depends only on the clusters that are divided there and on their parts. These have the same items, so that in place
    of m log m one may take m log(m/u) - m + u, with the mean u of m, as for two partitions.
    """
    a, b = _changes_of_both(pair)
    if _n_terms(pair, a, b) > _MOST_TERMS:
        return None
    n = pair.n_items
    most = min(int(a.size.max(initial=0)), int(b.size.max(initial=0)), int(means.LARGE + 40.0 * means.LARGE**0.5))
    log = np.log(np.append(np.maximum(np.arange(most + 2), 1), n))
    return max(0.0, float((a.times * means.expected_sums(n, a, b, log)).sum()) / n)


def expected_information_limit(pair: Pair) -> str:
    """Return why the mean would take too long, or "" if it does not."""
    n_terms = _n_terms(pair, *_changes_of_both(pair))
    if n_terms <= _MOST_TERMS:
        return ""
    return (
        f"there must be at most {_MOST_TERMS:,} pairs of sizes of clusters at the same depths, one of each tree, with a"
        f" mean overlap above {means.RARE:g}; these have {n_terms:,}"
        " (normalized_hierarchical_mutual_information needs no mean)"
    )


def _n_terms(pair: Pair, a: means.Sizes, b: means.Sizes) -> int:
    """Return the number of pairs of sizes at the same depths whose overlaps are summed one by one. O(n log n)."""
    n, n_levels = pair.n_items, a.start.size - 1
    level, others = (np.repeat(np.arange(n_levels), np.diff(sizes.start)) for sizes in (a, b))
    rare = np.minimum(means.RARE * n / a.size, n).astype(np.int64)
    return int((b.start[level + 1] - np.searchsorted(others * (n + 1) + b.size, level * (n + 1) + rare, "right")).sum())


def _changes_of_both(pair: Pair) -> tuple[means.Sizes, means.Sizes]:
    """Return the changes of both trees at the depths that both have, in an order that does not depend on theirs."""
    n_levels = min(int(kernels.depths(tree.parent).max()) for tree in (pair.a, pair.b))
    both = (_changes(tree, n_levels) for tree in (pair.a, pair.b))
    first, second = sorted(both, key=lambda changes: [column.tobytes() for column in changes])
    return first, second


def _changes(tree: Tree, n_levels: int) -> means.Sizes:
    """Return, for the first depths, sizes of clusters and how many more of them there are one step deeper."""
    depth = kernels.depths(tree.parent)
    divided = (tree.n_children > 0) & (depth < n_levels)
    part = (tree.size > 1) & (depth > 0) & (depth <= n_levels)
    alone = (tree.size == 1) & (depth > 0) & (depth <= n_levels)
    singles = np.bincount(depth[alone] - 1, minlength=n_levels)
    np.add.at(singles, depth[divided], tree.own[divided])
    base = int(tree.size.max()) + 1
    gone = (depth * base + tree.size)[divided]
    made = np.append(np.arange(n_levels) * base + 1, ((depth - 1) * base + tree.size)[part])  # one single at each depth
    both = np.sort(np.append(2 * gone, 2 * made + 1))
    first = np.flatnonzero(np.diff(both >> 1, prepend=-1))
    total = np.add.reduceat(2 * (both & 1) - 1, first)
    level, size = np.divmod(both[first] >> 1, base)
    total[size == 1] += singles - 1
    kept = total != 0
    start = np.searchsorted(level[kept], np.arange(n_levels + 1))
    return means.Sizes(start, size[kept], np.log(size[kept]), total[kept].astype(np.float64))


def _m_log_m(count: IntArray) -> FloatArray:
    """Return m log m, which is 0 for a single item and for none."""
    logs: FloatArray = np.log(np.maximum(count, 1))
    return logs * count
