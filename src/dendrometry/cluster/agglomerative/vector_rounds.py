"""Rounds of reciprocal nearest neighbours on centroids: Ward, and average linkage on squared Euclid, cosine and dot.

Under these linkages a new cluster is never nearer to a third one than both its parts were, so two clusters that are
each other's nearest remain so until they merge: all such pairs of a round can merge at once, in any order, and only
clusters whose nearest one has merged are searched again. Centroids, sizes and spreads give every distance, so memory is
O(n d), and short lists of near clusters usually make a search unnecessary. Of tied pairs, those merge that the greedy
algorithm merges, the lowest first, as far as the lists decide this; if few pairs are left that they decide, the greedy
algorithm merges the rest.
"""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._jit import BoolArray, FloatArray, IntArray
from dendrometry._kernels.cluster.agglomerative import vector_greedy as greedy_kernels
from dendrometry._kernels.cluster.agglomerative import vector_rounds as kernels
from dendrometry._kernels.cluster.agglomerative.vector_rounds import Pairs
from dendrometry._kernels.cluster.distances.neighbours import Clusters, Lists
from dendrometry._progress import Advance
from dendrometry.cluster.agglomerative.merges import (
    Merges,
    MergeSequence,
    equal_merges,
    in_greedy_order,
    join_merges,
    renumber,
)
from dendrometry.cluster.agglomerative.neighbours import Form, decide, new_lists, search, search_exactly
from dendrometry.cluster.agglomerative.vector_greedy import Start, merge_all

__all__ = ["vector_rounds"]

_YIELD = 64  # the greedy algorithm takes over after a round that searches this many times more clusters than it merges,
_CHAIN = 1000  # or that merges less than one in this many clusters, as happens if they form a chain


class _State(NamedTuple):
    """The state of the rounds; ``root[s]`` is the slot of the cluster that slot s now belongs to."""

    clusters: Clusters
    lists: Lists
    root: IntArray
    partner: IntArray
    alive: BoolArray
    height: FloatArray
    form: Form


def vector_rounds(points: FloatArray, spread: FloatArray, form: Form, advance: Advance) -> MergeSequence:
    """Build the tree of points; ``spread`` is the term that each item adds to its distances (0 for true distances)."""
    n = points.shape[0]
    clusters = Clusters(points.copy(), np.ones(n), spread.copy(), np.arange(n))
    state = _State(clusters, new_lists(n), np.arange(n), np.full(n, -1), np.ones(n, dtype=bool), np.zeros(n), form)
    parts = [_merge_duplicates(points, state)]
    advance(parts[0].left.size)
    active = np.flatnonzero(state.alive)
    changed = active
    rounds = 0
    while active.size > 1:
        n_asked = _ask(changed, active, state)
        made = join_merges(parts)
        merges = _merge(active, made, state)
        parts = [made, merges]
        advance(merges.left.size)
        active = active[state.alive[active]]
        if merges.left.size * _YIELD < min(n_asked, active.size) or merges.left.size * _CHAIN < active.size:
            parts = [_finish(n, join_merges(parts), active, state, advance)]
            break
        rounds += 1
        nearest = state.lists.nearest[active]
        changed = active[
            (state.partner[active] >= 0)
            | (state.root[nearest] != nearest)
            | (state.partner[nearest] >= 0)
            | state.lists.tied[active]
        ]
    return in_greedy_order(n, join_merges(parts), rounds)


def _ask(changed: IntArray, active: IntArray, state: _State) -> int:
    """Find the nearest cluster of those that changed: from their lists, by products, or by differences."""
    decide(changed, state.partner, state.root, state.clusters, state.lists, state.form)
    state.partner[active] = -1
    open_ = changed[~state.lists.sure[changed]]
    if open_.size:
        search(open_, active, state.clusters, state.lists, state.form)
        decide(open_, state.partner, state.root, state.clusters, state.lists, state.form)
        doubtful = open_[~state.lists.sure[open_]]
        if doubtful.size:
            search_exactly(doubtful, active, state.clusters, state.lists, state.form)
    return changed.size


def _merge(active: IntArray, made: Merges, state: _State) -> Merges:
    """Merge the clusters that are each other's nearest, after the merges ``made``; of tied pairs, the lowest first."""
    clusters, lists = state.clusters, state.lists
    number = renumber(state.root.size, made)[1] if lists.tied[active].any() else np.arange(clusters.node.max() + 1)
    low, high = kernels.mutual_pairs(active, clusters, lists, state.form)
    first, second = number[clusters.node[low]], number[clusters.node[high]]
    order = np.lexsort((np.maximum(first, second), np.minimum(first, second), lists.distance[low]))
    low, high = low[order], high[order]
    merged, tied = kernels.merge_pairs(Pairs(low, high, state.height), clusters, lists, state.root, state.form)
    low, high = low[merged], high[merged]
    merges = Merges(clusters.node[low], clusters.node[high], lists.distance[low], tied[merged])
    clusters.node[low] = state.root.size + made.left.size + np.arange(low.size)
    state.height[low] = lists.distance[low]
    state.alive[high] = False
    kernels.follow(state.root)
    state.partner[low] = high
    return merges


def _merge_duplicates(points: FloatArray, state: _State) -> Merges:
    """Merge equal points at height 0 before any search, lowest numbers first."""
    direction = np.cos(np.arange(points.shape[1]) + 1.0)
    key = (points * direction).sum(axis=1) + state.clusters.spread
    order = np.argsort(key, kind="stable")
    same = (points[order[1:]] == points[order[:-1]]).all(axis=1) & (
        state.clusters.spread[order[1:]] == state.clusters.spread[order[:-1]]
    )
    same &= state.clusters.spread[order[1:]] == 0.0
    bounds = np.flatnonzero(np.concatenate([[True], ~same, [True]]))
    groups = [np.sort(order[bounds[i] : bounds[i + 1]]) for i in np.flatnonzero(np.diff(bounds) > 1)]
    merges, last = equal_merges(groups, points.shape[0])
    for group, node in zip(groups, last, strict=True):
        state.clusters.size[group[0]] = group.size
        state.clusters.node[group[0]] = node
        state.alive[group[1:]] = False
        state.root[group] = group[0]
    return merges


def _finish(n: int, made: Merges, active: IntArray, state: _State, advance: Advance) -> Merges:
    """Merge the remaining clusters by the greedy algorithm, with the node numbers that they would have there."""
    made, number = renumber(n, made)
    clusters = state.clusters
    active = active[np.argsort(number[clusters.node[active]], kind="stable")]
    own = clusters.spread[active] * clusters.size[active]
    node = number[clusters.node[active]]
    start = Start(clusters.centroid[active], clusters.size[active], np.zeros(active.size), own, node)
    form = greedy_kernels.WARD if state.form.by_size else greedy_kernels.AVERAGE
    return join_merges([made, merge_all(start, form, state.form.alpha, n + made.left.size, advance)])
