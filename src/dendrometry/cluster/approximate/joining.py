"""Clusters of a graph joined by exact linkage, and the merges below and above as one tree."""

from __future__ import annotations

import numpy as np

from dendrometry._check.points import Prepared
from dendrometry._kernels.cluster import groups as kernels
from dendrometry._kernels.cluster.edges import spanning_forest
from dendrometry._kernels.cluster.merges import Merges, greedy_order
from dendrometry._progress import Advance
from dendrometry._threads import balanced_order, share_rows
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cluster.cpu.merges import MergeSequence, first_of
from dendrometry.cluster.cpu.spanning_tree import spanning_edges
from dendrometry.cluster.cpu.square import merge_square
from dendrometry.cluster.linkages import LinkageRule

_ROUNDING = 1e-9  # of a height: a merge that is lower than its parts by less is level with them


def farthest_merges(ready: Prepared, group: IntArray, rule: LinkageRule, advance: Advance) -> MergeSequence:
    """Merge groups of prepared points by complete linkage, from the distances of all pairs of items."""
    order = np.argsort(group, kind="stable")
    start = np.concatenate([[0], np.cumsum(np.bincount(group))])
    points, own = ready.points[order], ready.own[order]
    matrix = np.zeros((start.size - 1, start.size - 1))
    share_rows(
        lambda rows: kernels.fill_farthest(rows, start, points, own, ready.alpha, matrix),
        balanced_order(start.size - 1),
        2,
    )
    return merge_square(matrix.ravel(), start.size - 1, rule, False, advance, None)


def shortest_bridges(ready: Prepared, root: IntArray, advance: Advance) -> tuple[IntArray, IntArray, FloatArray]:
    """Return the shortest edges that connect the parts that ``root`` (overwritten) leads to.

    They are edges of the minimum spanning tree of all points: any other has a way around it that is nowhere longer.
    """
    edges, length = spanning_edges(ready.points, ready.own, ready.alpha, advance)
    order = np.argsort(length, kind="stable")
    first, second, length = edges[order, 0], edges[order, 1], length[order]
    kept = spanning_forest(first, second, root)
    return first[kept], second[kept], length[kept]


def stack_merges(n: int, lower: Merges, node: IntArray, upper: MergeSequence) -> MergeSequence:
    """Return the merges of n items followed by those of the clusters ``node``, in order of height.

    A merge comes after its parts, also where it is lower.
    """
    number = np.concatenate([node, n + lower.left.size + np.arange(upper.left.size)])
    left = np.concatenate([lower.left, number[upper.left]])
    right = np.concatenate([lower.right, number[upper.right]])
    height = np.concatenate([lower.height, upper.height])
    number, order, level, _ = greedy_order(n, left, right, height, np.zeros(left.size, dtype=bool))
    pairs = np.sort(np.column_stack([number[left], number[right]])[order], axis=1)
    level, height = level[order], height[order]
    height = np.where(level - height <= _ROUNDING * level, level, height)
    n_ties = int(lower.tied.sum()) + upper.n_ties
    first_tie = first_of(np.concatenate([lower.tied, np.arange(upper.left.size) == upper.first_tie])[order])
    return MergeSequence(pairs[:, 0], pairs[:, 1], height, n_ties, lower.left.size + upper.rounds, first_tie)
