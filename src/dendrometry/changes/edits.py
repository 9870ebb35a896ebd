"""What the matched nodes and items of two trees say about the change: who moved, and what became of the other nodes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dendrometry._kernels import tree as walks
from dendrometry._kernels.tree_pair import counterparts as kernels
from dendrometry._typing import BoolArray, IntArray
from dendrometry.changes.matching import Side, match_nodes, sides
from dendrometry.hierarchy import Hierarchy


class Edits(NamedTuple):
    """The difference of two trees, node by node and item by item.

    Attributes
    ----------
    match : (old nodes,) array of int
        The new node of each old node, or -1.
    origin : (new nodes,) array of int
        The old node of each new node, or -1.
    item_match, item_origin : (old items,) and (new items,) array of int
        The same for items.
    moved : (new nodes,) array of bool
        Whether the nearest matched node above a matched node is another one than before.
    item_moved : (new items,) array of bool
        The same for common items.
    target : (old nodes,) array of int
        For a node without a match: the deepest new node that holds more than half of its common items; otherwise -1.
    source : (new nodes,) array of int
        For a node without a match: the deepest old node that holds more than half of its common items; otherwise -1.
    gone, fresh : (old nodes,) and (new nodes,) array of bool
        Whether nothing at or below the node is matched, neither a node nor an item.
    """

    match: IntArray
    origin: IntArray
    item_match: IntArray
    item_origin: IntArray
    moved: BoolArray
    item_moved: BoolArray
    target: IntArray
    source: IntArray
    gone: BoolArray
    fresh: BoolArray


def edits_between(old: Hierarchy, new: Hierarchy, item_match: IntArray, *, by_name: bool = True) -> Edits:
    """Return the difference of two trees whose items are matched.

    Of all ways from the old tree to the new that keep the matched nodes, this one moves the fewest nodes and items: a
    node or item keeps its place if the nearest matched node above it is the same, since nodes without a match are
    dissolved and added where they are. Any other must be moved at least once.
    """
    one, other = sides(old, new, item_match, by_name=by_name)
    match = match_nodes(one, other)
    origin, item_origin = _inverse(match, new.n_nodes), _inverse(item_match, new.n_items)
    above_old = _nearest_matched(old, match)
    above_new = _nearest_matched(new, origin)
    moved = np.zeros(new.n_nodes, dtype=bool)
    kept = np.flatnonzero(origin[:-1] >= 0)
    moved[kept] = match[above_old[origin[kept]]] != above_new[kept]
    item_moved = np.zeros(new.n_items, dtype=bool)
    common = np.flatnonzero(item_origin >= 0)
    before, after = old.item_node[item_origin[common]], new.item_node[common]
    before = np.where(match[before] >= 0, before, above_old[before])
    after = np.where(origin[after] >= 0, after, above_new[after])
    item_moved[common] = match[before] != after
    return Edits(
        match,
        origin,
        item_match,
        item_origin,
        moved,
        item_moved,
        _holders(one, other, match, origin),
        _holders(other, one, origin, match),
        _untouched(one, match),
        _untouched(other, origin),
    )


def is_at_or_below(tree: Hierarchy, v: int, above: int) -> bool:
    """Whether a node is another node or lies below it."""
    order = tree.order
    return bool(order.low[above] <= order.low[v] < order.high[above])


def _inverse(match: IntArray, n_others: int) -> IntArray:
    """Return which one is matched with each of the others, or -1."""
    inverse = np.full(n_others, -1, dtype=np.int64)
    known = np.flatnonzero(match >= 0)
    inverse[match[known]] = known
    return inverse


def _nearest_matched(tree: Hierarchy, match: IntArray) -> IntArray:
    """Return the nearest matched node above each node; -1 above the root."""
    return walks.nearest_kept(tree.parent.copy(), match >= 0)


def _holders(one: Side, other: Side, match: IntArray, back: IntArray) -> IntArray:
    """Return, for each node without a match, the deepest node of the other tree with more than half of its items.

    A node that is matched with one below, which only took its items along, is passed over.
    """
    holder = np.full(match.size, -1, dtype=np.int64)
    nodes = np.flatnonzero((match < 0) & (one.size > 0))
    order, before = other.tree.order, np.append(0, np.cumsum(one.rows.n_items))
    spans = kernels.Spans(other.tree.parent.copy(), order.low.copy(), order.high.copy())
    place = np.repeat(order.low[one.rows.node], one.rows.n_items)
    found = kernels.majorities(before[one.low[nodes]], before[one.high[nodes]], place, spans)
    place_below = np.append(one.tree.order.low, -1)[back]
    holder[nodes] = _first_outside(
        other.tree.parent, place_below, found, one.tree.order.low[nodes], one.tree.order.high[nodes]
    )
    return holder


def _first_outside(parent: IntArray, place: IntArray, start: IntArray, low: IntArray, high: IntArray) -> IntArray:
    """Return the first node at or above each start whose place is not from low to high; that of the root never is.

    By steps of 1, 2, 4 and so on, with the least and the greatest place that each passes: O(n log n), whatever the
    depth.
    """
    node = start.copy()
    left = np.flatnonzero((place[node] >= low) & (place[node] < high))
    step, least, most = np.where(parent >= 0, parent, parent.size - 1), place, place
    ladder = []
    while left.size:
        passes = (least[node[left]] >= low[left]) & (most[node[left]] < high[left])
        if not passes.any():
            break
        ladder.append((step, least, most))
        least, most = np.minimum(least, least[step]), np.maximum(most, most[step])
        step = step[step]
    for step, least, most in reversed(ladder):
        passes = (least[node[left]] >= low[left]) & (most[node[left]] < high[left])
        node[left] = np.where(passes, step[node[left]], node[left])
    return node


def _untouched(side: Side, match: IntArray) -> BoolArray:
    """Return the nodes with nothing matched at or below them."""
    n_matched = walks.accumulate_sum(side.tree.parent.copy(), (match >= 0).astype(np.int64))
    untouched: BoolArray = (n_matched == 0) & (side.size == 0)
    return untouched
