"""Replicate: a tree over some of the items of another, matched by their numbers rather than by names."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dendrometry._check.arrays import freeze_arrays, read_only
from dendrometry._display import plain_signature, printable
from dendrometry._kernels.tree import accumulate_sum
from dendrometry._typing import FloatArray, IntArray
from dendrometry.errors import InvalidInputError
from dendrometry.hierarchy import Hierarchy, require_hierarchy
from dendrometry.overlap import Overlap, Side, distinct_rows, positions
from dendrometry.tree_pair.pair import Pair


@freeze_arrays
@plain_signature
class Replicate(NamedTuple):
    """A tree over some items: ``row`` are their numbers, ascending, ``node`` the node to which each belongs."""

    row: IntArray
    parent: IntArray
    height: FloatArray | None
    node: IntArray


class Part(NamedTuple):
    """A tree restricted to some of its items, as a side of an overlap, and the number of each node in the whole."""

    side: Side
    original: IntArray


def replicate_of_tree(tree: Hierarchy, among: Hierarchy, what: str) -> Replicate:
    """Return a given tree as a replicate of another, whose items it must hold, or some of them."""
    require_hierarchy(tree, what)
    row = positions(tree.items, among.items)
    if (row < 0).any():
        unknown = tree.items[int(np.argmin(row))]
        raise InvalidInputError(f"the items of {what} must be items of the tree; got '{printable(unknown)}'")
    order = np.argsort(row, kind="stable")
    return Replicate(row[order], tree.parent, tree.height, tree.item_node[order])


def part_of(parent: IntArray, node: IntArray) -> Part:
    """Return the part of a tree that holds some items, given by their nodes. O(n)."""
    held = accumulate_sum(parent, np.bincount(node, minlength=parent.size)) > 0
    if held.all():
        return Part(Side(parent, None, node), np.arange(parent.size))
    number = np.append(np.cumsum(held) - 1, -1)
    return Part(Side(number[parent[held]], None, number[node]), np.flatnonzero(held))


def shared_pair(a: Side, b: Side) -> Pair:
    """Return two trees over the same items, given by their nodes in either, as a pair."""
    rows = distinct_rows(a.node, b.node, b.parent.size)
    first, second = a._replace(node=read_only(rows.a)), b._replace(node=read_only(rows.b))
    return Pair.of(Overlap(first, second, read_only(np.bincount(rows.row)), (), read_only(rows.row)))
