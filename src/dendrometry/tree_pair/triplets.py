"""Triplets: how many triples of items two trees resolve, and resolve alike."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels import tree as tree_kernels
from dendrometry._kernels.measures import triplets as kernels
from dendrometry._typing import IntArray
from dendrometry.errors import InvalidInputError
from dendrometry.tree_pair.contraction import exact_dot
from dendrometry.tree_pair.joint import Joint, steps_down
from dendrometry.tree_pair.pair import Pair, Tree, joined_pairs
from dendrometry.tree_pair.spans import spans

MOST_ITEMS = 3_810_778  # the greatest n with fewer than 2**63 triples
_STEPS = 50  # down a tree, in the time of one change of colour


class Triplets(NamedTuple):
    """Numbers of triples of items of which two are joined before the third: in a, in b, and the same two in both."""

    a: int
    b: int
    shared: int


def triplets(pair: Pair) -> Triplets:
    """Return the numbers of resolved triples. O(n) space.

    If one of the trees is shallow, it is gone down, in as many steps as it has rows at all of its nodes. Two deep trees
    are compared along their heavy paths, in O(n log**3 n) time.
    """
    exceeded = triplets_limit(pair)
    if exceeded:
        raise InvalidInputError(exceeded)
    return Triplets(_n_resolved(pair.a, pair.n_items), _n_resolved(pair.b, pair.n_items), _count_shared(pair))


def triplets_limit(pair: Pair) -> str:
    """Return why the triples are too many to be counted, or "" if they are not."""
    if pair.n_items <= MOST_ITEMS:
        return ""
    return f"there must be at most {MOST_ITEMS:,} items to count triples; got {pair.n_items:,}"


def steps_to_count(pair: Pair) -> int:
    """Return about how many steps it takes."""
    n = pair.count.size
    return min(3 * steps_down(pair.a), 3 * steps_down(pair.b), n * n.bit_length() ** 2)


def _count_shared(pair: Pair) -> int:
    """Return the number of triples that both trees resolve alike, in the faster of two ways."""
    both = (pair.a, pair.b), (pair.b, pair.a)
    tree, other = min(both, key=lambda trees: steps_down(trees[0]))
    down = Joint.of(tree, other, pair.count)
    if steps_down(tree) <= _STEPS * pair.count.size:  # each row changes at least once
        return down.count_shared_triples()
    climb = min((_Climb(tree, other, pair.count) for tree, other in both), key=lambda climb: climb.n_changes)
    return down.count_shared_triples() if steps_down(tree) <= _STEPS * climb.n_changes else climb.count_shared()


class _Climb:
    """One tree climbed along its heavy paths, against the other."""

    def __init__(self, climbed: Tree, other: Tree, count: IntArray) -> None:
        order = spans(climbed)
        start = np.zeros(climbed.parent.size + 1, dtype=np.int64)
        np.cumsum(climbed.n_children, out=start[1:])
        child = tree_kernels.by_number(climbed.parent[:-1].copy(), climbed.parent.size)
        self.paths = kernels.heavy_paths(climbed.parent, climbed.size)
        self.rows = kernels.Rows(
            count[order.row], other.node[order.row], order.low, order.high, order.n_own, start, child
        )
        self.other = other
        self.n_changes = kernels.count_changes(self.paths, self.rows)

    def count_shared(self) -> int:
        """Return the number of triples that both trees resolve alike."""
        against = kernels.heavy_paths(self.other.parent, self.other.size)
        return int(kernels.count_shared(self.paths, self.rows, against))


def _n_resolved(tree: Tree, n_items: int) -> int:
    """Return the number of triples of which the tree joins two items before the third."""
    return exact_dot(joined_pairs(tree), n_items - tree.size)
