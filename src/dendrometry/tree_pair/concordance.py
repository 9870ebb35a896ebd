"""Concordance: how many pairs of pairs of items join in the same order in two trees, and in opposite orders."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dendrometry._check.tree import require_heights
from dendrometry._exact import group_sums
from dendrometry._kernels import tree as kernels
from dendrometry._typing import IntArray
from dendrometry.errors import InvalidInputError, UndefinedMeasureError
from dendrometry.tree_pair.joint import Joint, steps_down
from dendrometry.tree_pair.pair import Pair, Tree, heights_formed, joined_pairs

MOST_ITEMS = 2_000_000  # whose pairs number less than 2**41, so that their products are counted exactly
MOST_STEPS = 1_000_000_000  # some minutes


class Concordance(NamedTuple):
    """Numbers of pairs of pairs: in the same order, in opposite orders, and ordered at all by each tree.

    Pairs join at the greatest height at or below their lowest common node.
    """

    concordant: int
    discordant: int
    ordered_a: int
    ordered_b: int


def concordance(pair: Pair) -> Concordance:
    """Return the numbers of pairs of pairs, exact. O(m log n) time for the m rows of all nodes of one tree."""
    levels = _levels(pair.a), _levels(pair.b)
    ordered = [_n_ordered(tree, level) for tree, level in zip((pair.a, pair.b), levels, strict=True)]
    exceeded = concordance_limit(pair)
    if exceeded:
        raise InvalidInputError(exceeded)
    a, b = (_ascend(tree, level) for tree, level in zip((pair.a, pair.b), levels, strict=True))
    if steps_down(a) <= steps_down(b):
        joint, level, other = Joint.of(a, pair.b, pair.count), _levels(a), levels[1]
    else:
        joint, level, other = Joint.of(b, pair.a, pair.count), _levels(b), levels[0]
    return Concordance(*joint.concordance(level, other), *ordered)


def concordance_limit(pair: Pair) -> str:
    """Return why the pairs of pairs are too many to be compared, or "" if they are not."""
    if pair.n_items > MOST_ITEMS:
        return f"there must be at most {MOST_ITEMS:,} items to compare pairs of pairs; got {pair.n_items:,}"
    if min(steps_down(pair.a), steps_down(pair.b)) <= MOST_STEPS:
        return ""
    steps = min(steps_down(_ascend(tree, _levels(tree))) for tree in (pair.a, pair.b))
    if steps <= MOST_STEPS:
        return ""
    return f"comparing pairs of pairs in two deep trees must take at most {MOST_STEPS:,} steps; these take {steps:,}"


def steps_to_concordance(pair: Pair) -> int:
    """Return the number of steps: the rows of all nodes of the shallower tree, each with a search among n levels."""
    return min(steps_down(pair.a), steps_down(pair.b)) * pair.n_items.bit_length() // 2


def _levels(tree: Tree) -> IntArray:
    """Return the rank of the height at which each node is formed among the different ones. O(n log n)."""
    formed = require_heights(heights_formed(tree), tree.which, "the order of pairs", UndefinedMeasureError)
    levels: IntArray = np.unique(formed, return_inverse=True)[1]
    return levels


def _n_ordered(tree: Tree, level: IntArray) -> int:
    """Return the number of pairs of pairs that join at different levels."""
    pairs = np.zeros(tree.parent.size, dtype=np.int64)
    np.add.at(pairs, level, joined_pairs(tree))
    counts: list[int] = pairs[pairs > 0].tolist()
    return (sum(counts) ** 2 - sum(count**2 for count in counts)) // 2


def _ascend(tree: Tree, level: IntArray) -> Tree:
    """Return the tree with nodes in ascending order of levels, those on the level of their parent left out."""
    keep = np.append(level[:-1] < level[tree.parent[:-1]], True)
    above = kernels.nearest_kept(tree.parent, keep)
    kept = np.flatnonzero(keep)
    order = kept[np.argsort(level[kept], kind="stable")]
    number = np.full(tree.parent.size + 1, -1, dtype=np.int64)  # that of the parent of the root, -1, is the last
    number[order] = np.arange(order.size)
    parent, to = number[above[order]], number[np.where(keep, np.arange(keep.size), above)]
    own = group_sums(to, tree.own, order.size)
    return tree._replace(
        parent=parent,
        height=level[order].astype(np.float64),
        node=to[tree.node],
        own=own,
        size=tree.size[order],
        parts=np.bincount(parent[:-1], minlength=order.size) + own,
        n_first=0,
    )
