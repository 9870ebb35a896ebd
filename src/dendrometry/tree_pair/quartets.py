"""Quartets: how many sets of four items two trees resolve, alike, differently, or only one of them."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels import tree as tree_kernels
from dendrometry._kernels.measures import quartets as kernels
from dendrometry._kernels.measures.triplets import Paths, Rows, count_changes, heavy_paths
from dendrometry._typing import IntArray
from dendrometry.errors import InvalidInputError
from dendrometry.tree_pair.contraction import exact_dot
from dendrometry.tree_pair.pair import Pair, Tree
from dendrometry.tree_pair.spans import spans

MOST_ITEMS = 121_977  # the greatest n with fewer than 2**63 quartets
_PER_CHANGE = 80  # steps of the changes of colour of an item, for each two levels of both trees' paths


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
    """Return the numbers of quartets. O(n log**3 n) time, O(n) space; longer for nodes with many large children."""
    exceeded = quartets_limit(pair)
    if exceeded:
        raise InvalidInputError(exceeded)
    n = pair.n_items
    n_all = n * (n - 1) * (n - 2) * (n - 3) // 24
    in_a, in_b = _n_resolved(pair.a, n), _n_resolved(pair.b, n)
    is_swapped = in_b < n_all and (in_a == n_all or _n_changes(pair.b, pair) < _n_changes(pair.a, pair))
    first, second = (pair.b, pair.a) if is_swapped else (pair.a, pair.b)
    columns = kernels.RESOLVED if n_all in (in_a, in_b) else kernels.STARS
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
    return _PER_CHANGE * min(_n_changes(tree, pair) for tree in (pair.a, pair.b)) * pair.count.size.bit_length()


def _rows(tree: Tree, other: Tree, count: IntArray) -> Rows:
    """Return the rows in pre-order of a tree."""
    order = spans(tree)
    start = np.zeros(tree.parent.size + 1, dtype=np.int64)
    np.cumsum(tree.n_children, out=start[1:])
    child = tree_kernels.by_number(tree.parent[:-1].copy(), tree.parent.size)
    n_own = tree.own.copy()  # of items, since two items of one row are two branches
    return Rows(count[order.row], other.node[order.row], order.low, order.high, n_own, start, child)


def _n_changes(tree: Tree, pair: Pair) -> int:
    """Return how often the rows of a tree change their colours, in units of a path."""
    return int(count_changes(heavy_paths(tree.parent, tree.size), _rows(tree, tree, pair.count)))


def _climb(tree: Tree, other: Tree, count: IntArray, columns: int) -> IntArray:
    """Return the number of quartets that both trees resolve alike, and that only the first resolves."""
    found: IntArray = kernels.count_quartets(_paths(tree), _rows(tree, other, count), _paths(other), columns)
    return found


def _paths(tree: Tree) -> Paths:
    """Return the heavy paths of a tree."""
    return heavy_paths(tree.parent, tree.size)


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
