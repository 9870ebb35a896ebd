"""Information: what the clusters of one tree say about those of another, depth by depth."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from dendrometry._kernels import tree as kernels
from dendrometry._kernels._jit import FloatArray, IntArray
from dendrometry.walk.contraction import contract
from dendrometry.walk.pair import Pair, Tree
from dendrometry.walk.shared_clusters import same_clusters

__all__ = ["Information", "expected_information", "expected_information_limit", "information"]

_MOST_TERMS = 20_000  # pairs of sizes of clusters at one depth: a second or two

_Changes = list[tuple[IntArray, IntArray]]  # at each depth: sizes of clusters, and how many more there are below


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
    depends only on the clusters that are divided there and on their parts.
    """
    changes = _changes_of_both(pair)
    if changes is None:
        return None
    mean: dict[tuple[int, int], float] = {}
    terms = []
    for (size_a, n_a), (size_b, n_b) in zip(*changes, strict=True):
        for s, more_a in zip(size_a.tolist(), n_a.tolist(), strict=True):
            for t, more_b in zip(size_b.tolist(), n_b.tolist(), strict=True):
                sizes = min(s, t), max(s, t)
                if sizes not in mean:
                    mean[sizes] = _mean_m_log_m(pair.n_items, *sizes)
                terms.append(more_a * more_b * mean[sizes])
    return max(0.0, math.fsum(terms) / pair.n_items)


def expected_information_limit(pair: Pair) -> str:
    """Return why the mean would take too long, or "" if it does not."""
    if _changes_of_both(pair) is not None:
        return ""
    return (
        f"there must be at most {_MOST_TERMS:,} pairs of clusters of different sizes at the same depths of both;"
        " these have more (normalized_hierarchical_mutual_information needs no mean)"
    )


def _changes_of_both(pair: Pair) -> list[_Changes] | None:
    """Return the changes of both trees at the depths that both have, or None if these are too many to compare."""
    n_levels = min(int(kernels.depths(tree.parent).max()) for tree in (pair.a, pair.b))
    if n_levels > _MOST_TERMS:
        return None
    changes = [_changes(tree, n_levels) for tree in (pair.a, pair.b)]
    n_terms = sum(of_a[0].size * of_b[0].size for of_a, of_b in zip(*changes, strict=True))
    return changes if n_terms <= _MOST_TERMS else None


def _changes(tree: Tree, n_levels: int) -> _Changes:
    """Return, for the first depths, sizes of clusters and how many more of them there are one step deeper."""
    depth = kernels.depths(tree.parent)
    inner = np.flatnonzero(tree.n_children > 0)
    child = np.arange(tree.parent.size - 1)
    level = np.concatenate((depth[inner], depth[inner], depth[child] - 1))
    size = np.concatenate((tree.size[inner], np.ones(inner.size, dtype=np.int64), tree.size[child]))
    more = np.concatenate((np.full(inner.size, -1), tree.own[inner], np.ones(child.size, dtype=np.int64)))
    changes = []
    order = np.argsort(level, kind="stable")
    for at in np.split(order, np.searchsorted(level[order], np.arange(1, n_levels + 1)))[:n_levels]:
        sizes, which = np.unique(size[at], return_inverse=True)
        total = np.zeros(sizes.size, dtype=np.int64)
        np.add.at(total, which, more[at])
        changes.append((sizes[total != 0], total[total != 0]))
    return changes


def _mean_m_log_m(n: int, s: int, t: int) -> float:
    """Return the mean of m log m for the overlap m of random clusters of s and t of n items, which is hypergeometric.

    Overlaps further than twelve deviations from the mean are left out: together they have less than e**-60.
    """
    from scipy.special import gammaln

    mean = s * t / n
    reach = 12.0 * math.sqrt(mean * (n - s) / n * (n - t) / max(n - 1, 1)) + 40.0
    low, high = max(0, s + t - n, math.floor(mean - reach)), min(s, t, math.ceil(mean + reach))
    m = np.arange(low, high + 1, dtype=np.float64)
    logs = -(gammaln(m + 1) + gammaln(s - m + 1) + gammaln(t - m + 1) + gammaln(n - s - t + m + 1))
    weight = np.exp(logs - logs.max())
    return float(weight @ (m * np.log(np.maximum(m, 1.0))) / weight.sum())


def _m_log_m(count: IntArray) -> FloatArray:
    """Return m log m, which is 0 for a single item and for none."""
    logs: FloatArray = np.log(np.maximum(count, 1))
    return logs * count
