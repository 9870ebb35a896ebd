"""The nodes of two versions of a tree, matched by what they hold and by their names."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from typing import NamedTuple

import numpy as np

from dendrometry._exact import group_sums
from dendrometry._kernels import tree as walks
from dendrometry._kernels.tree_pair import counterparts as kernels
from dendrometry._typing import BoolArray, FloatArray, IntArray
from dendrometry.hierarchy import Hierarchy
from dendrometry.overlap import Overlap, distinct_rows
from dendrometry.overlap import Side as OverlapSide
from dendrometry.tree_pair.matches import match_clusters
from dendrometry.tree_pair.pair import Pair

_MOST_PAIRS = 1_000_000  # of nodes of the same name, compared at once: those of the names that fewest nodes have
_ROUNDS = 16  # of matching; each offers the nodes that are left their best counterpart among those that are left


class Side(NamedTuple):
    """One of the two trees, as far as its items are in both.

    Attributes
    ----------
    tree : Hierarchy
        The tree.
    size : (n_nodes,) array of int
        The number of common items at or below each node.
    low, high : (n_nodes,) array of int
        The rows of each node.
    rows : Rows
        The common items by their pair of nodes, in the pre-order of this tree, with their node in the other tree.
    row_node : (n_rows,) array of int
        The node of each row in this tree.
    name : (n_nodes,) array of int
        The name of each node as a number that is the same in both trees, 0 for none.
    known : (n_nodes,) array of bool
        Whether the other tree has a node of the same name.
    """

    tree: Hierarchy
    size: IntArray
    low: IntArray
    high: IntArray
    rows: kernels.Rows
    row_node: IntArray
    name: IntArray
    known: BoolArray


def sides(old: Hierarchy, new: Hierarchy, item_match: IntArray, *, by_name: bool) -> tuple[Side, Side]:
    """Return both trees as far as their items are in both; ``item_match`` is the new item of each old one, or -1.

    Unless ``by_name``, nodes have no names.
    """
    common = np.flatnonzero(item_match >= 0)
    at, to = old.item_node[common], new.item_node[item_match[common]]
    named_old, named_new = (tree.node_names if by_name else () for tree in (old, new))
    names = _name_numbers(named_old, named_new, old.n_nodes, new.n_nodes)
    if common.size:
        rows = distinct_rows(at, to, new.n_nodes)
        at, to, count = rows.a, rows.b, np.bincount(rows.row)
    else:
        count = at
    return _side(old, at, to, count, names), _side(new, to, at, count, names[::-1])


def _name_numbers(old: tuple[str, ...], new: tuple[str, ...], n_old: int, n_new: int) -> tuple[IntArray, IntArray]:
    """Return the names of the nodes of both trees as numbers, 0 for none."""
    number = {"": 0}
    first, second = (
        np.fromiter((number.setdefault(name, len(number)) for name in names), dtype=np.int64)
        if names
        else np.zeros(n_nodes, dtype=np.int64)
        for names, n_nodes in ((old, n_old), (new, n_new))
    )
    return first, second


def _side(tree: Hierarchy, node: IntArray, other: IntArray, count: IntArray, names: tuple[IntArray, IntArray]) -> Side:
    """Return one tree with rows that belong to its nodes and to those of the other; its names come first."""
    parent = tree.parent.copy()
    own = np.zeros(tree.n_nodes, dtype=np.int64)
    np.add.at(own, node, count)
    n_rows = walks.accumulate_sum(parent, np.bincount(node, minlength=tree.n_nodes))
    low = walks.spans(parent, n_rows)
    order = np.argsort(low[node], kind="stable")
    rows = kernels.Rows(count[order], other[order])
    known = np.isin(names[0], names[1]) & (names[0] > 0)
    return Side(tree, walks.accumulate_sum(parent, own), low, low + n_rows, rows, node[order], names[0], known)


def match_nodes(old: Side, new: Side) -> IntArray:
    """Return the new node of each old node, or -1; no two old nodes have the same.

    The roots are matched first, then nodes of the same path that share an item, then those of the same name that hold
    the same common items. Of the others, those that share more than half or have the same name are matched, the best
    first, and last those of the same name below matched nodes.
    """
    match = np.full(old.tree.n_nodes, -1, dtype=np.int64)
    _match_paths(old, new, match)
    _match_equal(old, new, match)
    for _ in range(_ROUNDS):
        if not _match_best(old, new, match):
            break
    _match_below(old, new, match)
    return match


def shared_items(one: Side, other: Side, nodes: IntArray, others: IntArray) -> IntArray:
    """Return the number of common items that each node of one tree and that of the other beside it both hold."""
    order = other.tree.order
    time = np.append(one.low[nodes], one.high[nodes])
    by_time = np.argsort(time, kind="stable")
    low, high = (np.tile(span[others], 2)[by_time] for span in (order.low, order.high))
    counts = np.empty(time.size, dtype=np.int64)
    bounds = kernels.Bounds(time[by_time], low, high)
    counts[by_time] = kernels.counts_within(order.low[one.rows.node], one.rows.n_items, other.tree.n_nodes, bounds)
    return counts[nodes.size :] - counts[: nodes.size]


def _match_equal(old: Side, new: Side, match: IntArray) -> None:
    """Match the nodes that are left, hold the same common items and have the same name, or none.

    An old node holds a span of the rows in the order of the old tree; a new node holds the same items if its rows fill
    that span.
    """
    n = old.rows.n_items.size
    if not n:
        return
    parent, at, place = new.tree.parent.copy(), old.rows.node, np.arange(n)
    first, last = np.full(new.tree.n_nodes, n, dtype=np.int64), np.full(new.tree.n_nodes, n, dtype=np.int64)
    np.minimum.at(first, at, place)
    np.minimum.at(last, at, n - 1 - place)  # counted from the end
    first, last = walks.accumulate_minimum(parent, first), walks.accumulate_minimum(parent, last)
    n_rows = new.high - new.low
    fills = (n_rows > 0) & (n - last - first == n_rows)
    holds = old.high > old.low
    holds[match >= 0] = False
    fills[match[match >= 0]] = False
    here, there = np.flatnonzero(holds), np.flatnonzero(fills)
    span_here, span_there = (
        old.low[here] * (n + 1) + old.high[here],
        first[there] * (n + 1) + first[there] + n_rows[there],
    )
    shared = np.intersect1d(span_here, span_there)
    chains_here = _chains(here, span_here, np.isin(span_here, shared))
    chains_there = _chains(there, span_there, np.isin(span_there, shared))
    for span, chain in chains_here.items():
        _match_path(chain, chains_there[span], old.name, new.name, match)


def _chains(nodes: IntArray, span: IntArray, chosen: BoolArray) -> dict[int, list[int]]:
    """Return the chosen nodes of each span, the upper ones first: nodes of one span lie on a path."""
    found: dict[int, list[int]] = defaultdict(list)
    for v, key in zip(nodes[chosen][::-1].tolist(), span[chosen][::-1].tolist(), strict=True):
        found[key].append(v)
    return found


def _match_path(here: list[int], there: list[int], name_here: IntArray, name_there: IntArray, match: IntArray) -> None:
    """Match the nodes of two paths that have the same name, in order from the top."""
    places: dict[int, list[int]] = defaultdict(list)
    for j, v in enumerate(there):
        places[int(name_there[v])].append(j)
    free = 0
    for u in here:
        same = places[int(name_here[u])]
        at = bisect_left(same, free)
        if at < len(same):
            match[u] = there[same[at]]
            free = same[at] + 1


def _match_paths(old: Side, new: Side, match: IntArray) -> None:
    """Match the roots, and nodes whose names, and all names above them, are the same, if they share an item.

    So an item whose path is the same is not moved, whatever became of the other items of its node. Nodes of the same
    path lie in the same way in both trees, so an item belongs to both nodes of a path, and of all paths above it, from
    the lowest common node of its two places on.
    """
    twin = _same_paths(old, new)
    known = twin >= 0
    back = np.full(new.tree.n_nodes, -1, dtype=np.int64)
    back[twin[known]] = np.flatnonzero(known)
    here, there = _at_or_above(old.tree, known), _at_or_above(new.tree, back >= 0)
    parent = old.tree.parent.copy()
    first, second = here[old.row_node], back[there[old.rows.node]]
    shared = walks.accumulate_sum(parent, kernels.common_counts(parent, first, second, old.rows.n_items))
    stay = np.flatnonzero(known & (shared > 0))
    match[stay] = twin[stay]
    match[old.tree.root] = new.tree.root


def _same_paths(old: Side, new: Side) -> IntArray:
    """Return the new node with the same path as each old node, or -1; of several, the first."""
    twin = np.full(old.tree.n_nodes, -1, dtype=np.int64)
    twin[old.tree.root] = new.tree.root
    keys = zip(new.tree.parent.tolist(), new.name.tolist(), strict=True)
    child = {key: v for v, key in enumerate(keys) if key[1]}
    parent, name = old.tree.parent.tolist(), old.name.tolist()
    twins = twin.tolist()
    for u in range(old.tree.root - 1, -1, -1):
        if name[u] and twins[parent[u]] >= 0:
            twins[u] = child.pop((twins[parent[u]], name[u]), -1)
    return np.array(twins, dtype=np.int64)


def _at_or_above(tree: Hierarchy, chosen: BoolArray) -> IntArray:
    """Return each chosen node itself, and for others the nearest chosen one above."""
    return np.where(chosen, np.arange(tree.n_nodes), walks.nearest_kept(tree.parent.copy(), chosen))


def _match_best(old: Side, new: Side, match: IntArray) -> int:
    """Match the nodes that are left with their best counterparts, the best pairs first; return how many."""
    left_old = match < 0
    left_new = np.ones(new.tree.n_nodes, dtype=bool)
    left_new[match[~left_old]] = False
    u, v, score = offers(old, new, left_old, left_new)
    v_too, u_too, score_too = offers(new, old, left_new, left_old)
    u, v, score = np.append(u, u_too), np.append(v, v_too), np.append(score, score_too)
    n_pairs = 0
    for i in np.lexsort((v, u, -score)).tolist():
        if left_old[u[i]] and left_new[v[i]]:
            match[u[i]] = v[i]
            left_old[u[i]] = left_new[v[i]] = False
            n_pairs += 1
    return n_pairs


class Offers(NamedTuple):
    """Nodes of one tree, their best counterparts in the other, and the scores of the pairs."""

    node: IntArray
    other: IntArray
    score: FloatArray


def offers(one: Side, other: Side, left_one: BoolArray, left_other: BoolArray) -> Offers:
    """Return the best counterparts of the nodes left of one tree among those left of the other.

    A counterpart shares more than half of the items of either node, or has the same name and shares an item. Its score
    is the Jaccard index, and one half more if the names are the same; one half less if they differ although the name of
    one is also in the other tree. Of equal ones the first counts. Near n log n, besides the pairs of the same name.
    """
    left_one, left_other = left_one & (one.size > 0), left_other & (other.size > 0)
    by_name = _of_the_same_name(one, other, left_one, left_other)
    left_one[by_name.node] = False  # no other score is as high
    alike = _most_alike(one, other, left_one & ~one.known, left_other & ~other.known)
    left_one[alike.node] = False
    found = [by_name, alike]
    if (one.known & left_one).any() or (other.known & left_other).any():
        differing = _most_alike(one, other, left_one, left_other)
        found.append(differing._replace(score=differing.score - 0.5))
    node, match = (np.concatenate([some[column] for some in found]) for column in (0, 1))
    return Offers(node, match, np.concatenate([some.score for some in found]))


def _of_the_same_name(one: Side, other: Side, left_one: BoolArray, left_other: BoolArray) -> Offers:
    """Return, for nodes of one tree, the best nodes of the other that have the same name and share an item."""
    nodes, others = np.flatnonzero(left_one & one.known), np.flatnonzero(left_other & other.known)
    others = others[np.argsort(other.name[others], kind="stable")]
    start, stop = (np.searchsorted(other.name[others], one.name[nodes], side) for side in ("left", "right"))
    n_same = stop - start
    by_name = np.bincount(one.name[nodes], n_same)
    rarest = np.argsort(by_name, kind="stable")
    by_name[rarest] = np.cumsum(by_name[rarest])
    few = by_name[one.name[nodes]] <= _MOST_PAIRS
    nodes, start, n_same = nodes[few], start[few], n_same[few]
    u = np.repeat(nodes, n_same)
    v = others[np.arange(u.size) + np.repeat(start - (np.cumsum(n_same) - n_same), n_same)]
    shared = shared_items(one, other, u, v)
    u, v, shared = u[shared > 0], v[shared > 0], shared[shared > 0]
    jaccard = shared / (one.size[u] + other.size[v] - shared)
    best = np.lexsort((v, -jaccard, u))
    best = best[np.diff(u[best], prepend=-1) > 0]
    return Offers(u[best], v[best], jaccard[best] + 0.5)


def _most_alike(one: Side, other: Side, left_one: BoolArray, left_other: BoolArray) -> Offers:
    """Return, for nodes of one tree, those of the other with the greatest Jaccard index above one half.

    They are the best matches of two trees in which no other nodes are left but the roots; and these hold so many items
    more that they match no other node.
    """
    if not left_one.any() or not left_other.any():
        none = np.zeros(0, dtype=np.int64)
        return Offers(none, none, none.astype(np.float64))
    a, b = _contracted(one.tree, left_one), _contracted(other.tree, left_other)
    at_a, at_b = a.at[one.row_node], b.at[one.rows.node]
    inside = (at_a < a.parent.size - 1) | (at_b < b.parent.size - 1)
    at_a, at_b = np.append(at_a[inside], a.parent.size - 1), np.append(at_b[inside], b.parent.size - 1)
    rows = distinct_rows(at_a, at_b, b.parent.size)
    n_items = np.append(one.rows.n_items[inside], 4 * one.rows.n_items.sum())
    sides = OverlapSide(a.parent, None, rows.a), OverlapSide(b.parent, None, rows.b)
    count = group_sums(rows.row, n_items, rows.a.size)
    found = match_clusters(Pair.of(Overlap(*sides, count, (), np.zeros(0, dtype=np.int64))))
    row = np.full(a.parent.size, -1, dtype=np.int64)
    row[found.node] = np.arange(found.node.size)
    row = row[walks.nearest_kept_below(a.parent, row >= 0)]  # nodes that hold the same have the same match
    likely = np.flatnonzero(3 * found.common[row] > found.size[row] + found.match_size[row])
    likely = likely[likely < row.size - 1]
    return Offers(a.node[likely], b.node[found.match[row[likely]]], found.jaccard[row[likely]])


class _Contracted(NamedTuple):
    """A tree in which only some nodes are left, and the root: their parents, their old numbers, and where others are.

    ``at`` is the nearest node that is left, at or above each of the old tree.
    """

    parent: IntArray
    node: IntArray
    at: IntArray


def _contracted(tree: Hierarchy, left: BoolArray) -> _Contracted:
    """Return a tree without the other nodes."""
    kept = left.copy()
    kept[tree.root] = True
    number = np.append(np.cumsum(kept) - 1, -1)
    node = np.flatnonzero(kept)
    above = walks.nearest_kept(tree.parent.copy(), kept)
    return _Contracted(number[above[node]], node, number[np.where(kept, np.arange(kept.size), above)])


def _match_below(old: Side, new: Side, match: IntArray) -> None:
    """Match nodes that are left and have the same name, below nodes that are matched; from the root down."""
    left = np.ones(new.tree.n_nodes, dtype=bool)
    left[match[match >= 0]] = False
    offered: dict[tuple[int, int], list[int]] = defaultdict(list)
    for v in np.flatnonzero(left & (new.name > 0)).tolist():
        offered[int(new.tree.parent[v]), int(new.name[v])].append(v)
    for u in np.flatnonzero((match < 0) & (old.name > 0))[::-1].tolist():
        above = int(match[old.tree.parent[u]])
        same = offered.get((above, int(old.name[u]))) if above >= 0 else None
        if same:
            match[u] = same.pop()
