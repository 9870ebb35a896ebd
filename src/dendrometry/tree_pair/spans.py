"""Spans: the rows of a tree in pre-order, in which the rows of every cluster are contiguous."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels import tree as kernels
from dendrometry._typing import IntArray
from dendrometry.tree_pair.pair import Tree


class Spans(NamedTuple):
    """The rows at or below node v are ``row[low[v]:high[v]]``, its own ``n_own[v]`` first; ``place`` is the inverse."""

    row: IntArray
    place: IntArray
    low: IntArray
    high: IntArray
    n_own: IntArray


def spans(tree: Tree) -> Spans:
    """Return the spans of a tree. O(n)."""
    n_own = np.bincount(tree.node, minlength=tree.parent.size)
    n_rows = kernels.accumulate_sum(tree.parent, n_own)
    low = kernels.spans(tree.parent, n_rows)
    row = kernels.by_number(low[tree.node], tree.node.size)
    place = np.empty(row.size, dtype=np.int64)
    place[row] = np.arange(row.size)
    return Spans(row, place, low, low + n_rows, n_own)
