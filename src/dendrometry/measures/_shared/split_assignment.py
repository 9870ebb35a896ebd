"""The best one-to-one matching of the splits of two trees, whose roots do not count."""

from __future__ import annotations

import numpy as np

from dendrometry._typing import FloatArray, IntArray
from dendrometry.errors import InvalidInputError
from dendrometry.measures._shared.cluster_assignment import MOST_CLUSTERS, PER_STEP_UNTIED, Weight, common_items
from dendrometry.tree_pair.pair import Tree
from dendrometry.tree_pair.statistics import PairStatistics


def splits(tree: Tree, n_items: int) -> IntArray:
    """Return the nodes whose edges divide the items into two parts of at least 2, one node for each division.

    Two nodes divide the items in the same way only if they are all the branches of the root; the first is returned.
    """
    node = np.flatnonzero((tree.size > 1) & (tree.size < n_items - 1))
    top = node[tree.parent[node] == tree.parent.size - 1]
    doubled = top.size == 2 and int(tree.size[top].sum()) == n_items
    kept: IntArray = node[node != top[1]] if doubled else node
    return kept


def split_limit(statistics: PairStatistics) -> str:
    """Return why the splits are too many to be matched, or "" if they are not."""
    n_a, n_b = (splits(tree, statistics.pair.n_items).size for tree in (statistics.pair.a, statistics.pair.b))
    if max(n_a, n_b) <= MOST_CLUSTERS:
        return ""
    return f"each tree must have at most {MOST_CLUSTERS:,} splits, to match them; got {n_a:,} and {n_b:,}"


def split_steps(statistics: PairStatistics) -> int:
    """Return about how many steps the matching takes."""
    n_a, n_b = (splits(tree, statistics.pair.n_items).size for tree in (statistics.pair.a, statistics.pair.b))
    return n_a * n_b * (1 + min(n_a, n_b) // PER_STEP_UNTIED)


def best_of_splits(statistics: PairStatistics, weight: Weight) -> FloatArray:
    """Return the weights of the one-to-one matching of splits whose sum is the greatest; none is negative."""
    from scipy.optimize import linear_sum_assignment

    exceeded = split_limit(statistics)
    if exceeded:
        raise InvalidInputError(exceeded)
    pair = statistics.pair
    in_a, in_b = splits(pair.a, pair.n_items), splits(pair.b, pair.n_items)
    common = common_items(pair, in_a, in_b)
    worth = np.asarray(weight(common, pair.a.size[in_a, np.newaxis], pair.b.size[in_b], pair.n_items))
    matched: FloatArray = worth[linear_sum_assignment(worth, maximize=True)]
    return matched
