"""The best one-to-one matching of the clusters of two trees."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from dendrometry._typing import FloatArray, IntArray
from dendrometry.errors import InvalidInputError
from dendrometry.tree_pair.joint import steps_down
from dendrometry.tree_pair.pair import Pair, Tree
from dendrometry.tree_pair.shared_clusters import proper
from dendrometry.tree_pair.statistics import PairStatistics

MOST_CLUSTERS = 5_000  # of a tree that the other lacks: a table of 5,000 by 5,000 takes some 400 MB
_PER_STEP = 20  # pairs of clusters, times the mean depth of items, that SciPy matches in the time of one step
PER_STEP_UNTIED = 90  # steps of the matching by weights that hardly ever tie, whose number is cubic

Weight = Callable[[IntArray, IntArray, IntArray, int], FloatArray | IntArray]
"""The worth of a match, from the items of both clusters, of the first, of the second, and of the whole tree."""


class Assignment(NamedTuple):
    """Node ``a[i]`` of the first tree is matched with ``b[i]`` of the second; they share ``common[i]`` items."""

    a: IntArray
    b: IntArray
    common: IntArray


def assign_clusters(statistics: PairStatistics, weight: Weight) -> Assignment:
    """Return the one-to-one matching of greatest total weight, of clusters with more than one item and not all.

    A cluster that both trees have is matched with itself, which is right for every weight w with
    ``w(x, c) + w(c, y) <= w(c, c) + w(x, y)``. If one tree has more clusters, some of them have no match.
    """
    from scipy.optimize import linear_sum_assignment

    pair = statistics.pair
    exceeded = assignment_limit(statistics)
    if exceeded:
        raise InvalidInputError(exceeded)
    rest_a, rest_b, both_a, both_b = _divide(statistics)
    common = common_items(pair, rest_a, rest_b)
    worth = weight(common, pair.a.size[rest_a, np.newaxis], pair.b.size[rest_b], pair.n_items)
    if _is_swapped(common, pair.a.size[rest_a], pair.b.size[rest_b]):
        column, row = linear_sum_assignment(worth.T, maximize=True)
    else:
        row, column = linear_sum_assignment(worth, maximize=True)
    a, b = np.append(both_a, rest_a[row]), np.append(both_b, rest_b[column])
    order = np.argsort(a)
    return Assignment(a[order], b[order], np.append(pair.a.size[both_a], common[row, column])[order])


def _is_swapped(common: IntArray, size_a: IntArray, size_b: IntArray) -> bool:
    """Whether to match the second tree with the first: of tied matchings, the same one is found for either order.

    SciPy turns a table with more rows than columns, so that only square ones depend on the order.
    """
    if size_a.size != size_b.size:
        return False
    for first, second in ((size_a, size_b), (common.ravel(), common.T.ravel())):
        apart = np.flatnonzero(first != second)
        if apart.size:
            return bool(first[apart[0]] > second[apart[0]])
    return False


def assignment_limit(statistics: PairStatistics) -> str:
    """Return why the clusters are too many to be matched, or "" if they are not."""
    rest_a, rest_b, *_ = _divide(statistics)
    if max(rest_a.size, rest_b.size) <= MOST_CLUSTERS:
        return ""
    what = "splits" if statistics.pair.unrooted else "clusters"
    return (
        f"each tree must have at most {MOST_CLUSTERS:,} {what} that the other lacks, to match them; got"
        f" {rest_a.size:,} and {rest_b.size:,}"
    )


def assignment_steps(statistics: PairStatistics) -> int:
    """Return about how many steps the matching takes."""
    pair = statistics.pair
    rest_a, rest_b, *_ = _divide(statistics)
    depth = min(steps_down(pair.a), steps_down(pair.b)) // pair.count.size
    return rest_a.size * rest_b.size * (_PER_STEP + depth) // _PER_STEP


def untied_assignment_steps(statistics: PairStatistics) -> int:
    """Return about how many steps the matching takes by weights that hardly ever tie, as real numbers do not."""
    rest_a, rest_b, *_ = _divide(statistics)
    cubic = rest_a.size * rest_b.size * min(rest_a.size, rest_b.size)
    return assignment_steps(statistics) + cubic // PER_STEP_UNTIED


def _divide(statistics: PairStatistics) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Return the clusters of the first tree only and of the second only, and those of both in either tree."""
    pair, shared = statistics.pair, statistics.shared_clusters
    inside = (pair.a.size[shared.a] > 1) & (pair.a.size[shared.a] < pair.n_items)
    both_a, both_b = shared.a[inside], shared.b[inside]
    rest_a, rest_b = (
        np.setdiff1d(proper(tree, pair.n_items), both) for tree, both in ((pair.a, both_a), (pair.b, both_b))
    )
    return rest_a, rest_b, both_a, both_b


def common_items(pair: Pair, rest_a: IntArray, rest_b: IntArray) -> IntArray:
    """Return the number of items of each chosen cluster of the first tree in each of the second. O(n_a n_b)."""
    above_a, above_b = _nearest(pair.a, rest_a), _nearest(pair.b, rest_b)
    table = np.zeros((rest_a.size + 1, rest_b.size + 1), dtype=np.int64)  # the last stand for what is above all
    np.add.at(table, (above_a[pair.a.node], above_b[pair.b.node]), pair.count)
    for counts, tree, chosen, above in ((table, pair.a, rest_a, above_a), (table.T, pair.b, rest_b, above_b)):
        for i, v in enumerate(chosen.tolist()):
            counts[above[tree.parent[v]]] += counts[i]
    return table[:-1, :-1]


def _nearest(tree: Tree, chosen: IntArray) -> IntArray:
    """Return the position in ``chosen`` of the lowest chosen node at or above each node, or its length for none."""
    place = np.full(tree.parent.size, -1)
    place[chosen] = np.arange(chosen.size)
    nearest = place.tolist()
    nearest[-1] = chosen.size
    parent = tree.parent.tolist()
    for v in range(len(parent) - 2, -1, -1):
        if nearest[v] < 0:
            nearest[v] = nearest[parent[v]]
    return np.array(nearest, dtype=np.int64)
