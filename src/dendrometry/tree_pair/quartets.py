"""Quartets: how many sets of four items two trees resolve, alike, differently, or only one of them."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels import tree as tree_kernels
from dendrometry._kernels.measures import quartets as kernels
from dendrometry._kernels.measures.quartet_columns import RESOLVED, STARS
from dendrometry._kernels.measures.triplets import heavy_paths
from dendrometry._typing import IntArray
from dendrometry.errors import InvalidInputError
from dendrometry.tree_pair.contraction import exact_dot
from dendrometry.tree_pair.pair import Pair, Tree

MOST_ITEMS = 121_977  # the greatest n with fewer than 2**63 quartets
_PER_ROW = 35  # steps of a row, for each doubling of the number of rows


class Quartets(NamedTuple):
    """Numbers of sets of four items.

    ``same`` are those that both trees resolve alike, ``different`` those that they resolve differently, ``only_a`` and
    ``only_b`` those that one tree resolves and the other does not, ``neither`` the rest.
    """

    same: int
    different: int
    only_a: int
    only_b: int
    neither: int


def quartets(pair: Pair) -> Quartets:
    """Return the numbers of quartets. O(n log n) time, O(n) space; longer for nodes with many large children."""
    exceeded = quartets_limit(pair)
    if exceeded:
        raise InvalidInputError(exceeded)
    n = pair.n_items
    n_all = n * (n - 1) * (n - 2) * (n - 3) // 24
    in_a, in_b = _n_resolved(pair.a, n), _n_resolved(pair.b, n)
    is_swapped = in_b < n_all and (in_a == n_all or _n_steps(pair.b) < _n_steps(pair.a))
    first, second = (pair.b, pair.a) if is_swapped else (pair.a, pair.b)
    columns = RESOLVED if n_all in (in_a, in_b) else STARS
    same, only = _climb(first, second, pair.count, columns).tolist() if in_a and in_b else (0, (in_a, in_b)[is_swapped])
    if is_swapped:
        only = in_a - (in_b - only)  # both resolve as many of either's quartets
    return Quartets(same, in_a - only - same, only, in_b - (in_a - only), n_all - in_b - only)


def quartets_limit(pair: Pair) -> str:
    """Return why the quartets are too many to be counted, or "" if they are not."""
    if pair.n_items <= MOST_ITEMS:
        return ""
    return f"there must be at most {MOST_ITEMS:,} items to count quartets; got {pair.n_items:,}"


def steps_to_count(pair: Pair) -> int:
    """Return about how many steps it takes."""
    return min(_n_steps(tree) for tree in (pair.a, pair.b))


def _n_steps(tree: Tree) -> int:
    """Return about how many steps a climb takes; at a node with many large branches, for each two of them."""
    n = tree.node.size
    large = np.flatnonzero(tree.size[:-1] > 1)
    above, n_nodes = tree.parent[large], tree.parent.size
    n_large, items = np.bincount(above, minlength=n_nodes), np.bincount(above, tree.size[large], minlength=n_nodes)
    pairwise = np.where(n_large > 2, n_large * np.log2(n_large + 1) * items, 0.0).sum()
    return _PER_ROW * n * n.bit_length() + int(pairwise)


def _climb(tree: Tree, other: Tree, count: IntArray, columns: int) -> IntArray:
    """Return the number of quartets that both trees resolve alike, and that only the first resolves."""
    paths = heavy_paths(tree.parent, tree.size)
    n_own = np.bincount(tree.node, minlength=tree.parent.size)
    n_rows = tree_kernels.accumulate_sum(tree.parent, n_own)
    low, first = kernels.rows_in_order(paths, n_rows, n_own)
    row = tree_kernels.by_number(first[tree.node], tree.node.size)
    start = np.zeros(tree.parent.size + 1, dtype=np.int64)
    np.cumsum(tree.n_children, out=start[1:])
    child = tree_kernels.by_number(tree.parent[:-1].copy(), tree.parent.size)
    n_own = tree.own.copy()  # of items, since two items of one row are two branches
    rows = kernels.Rows(count[row], other.node[row], low, low + n_rows, n_own, start, child)
    found: IntArray = kernels.count_quartets(paths, rows, other.parent, columns)
    return found


def _n_resolved(tree: Tree, n_items: int) -> int:
    """Return the number of quartets that a tree resolves: two by two, apart by at least one branch.

    Each counts once for every branch that parts it, less once for every node that has two and two in two of its parts.
    """
    below, above = (_pairs(size) for size in (tree.size[:-1], n_items - tree.size[:-1]))
    at_node = np.append(above, 0)
    np.add.at(at_node, tree.parent[:-1], below)
    two_parts = exact_dot(at_node, at_node) - exact_dot(below, below) - exact_dot(above, above)
    return exact_dot(below, above) - two_parts // 2


def _pairs(size: IntArray) -> IntArray:
    """Return the number of pairs of items of each cluster."""
    pairs: IntArray = size * (size - 1) >> 1
    return pairs
