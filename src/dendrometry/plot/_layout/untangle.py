"""Untangling: an ordering of the children in two trees that aligns their items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dendrometry._check.arrays import Frozen
from dendrometry._html import preview
from dendrometry._kernels import tree as walks
from dendrometry._kernels.io.parents import post_order
from dendrometry._kernels.plot import untangle as kernels
from dendrometry._typing import FloatArray, IntArray
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.coerce import HierarchyLike, as_hierarchies
from dendrometry.overlap import overlap_of_same_items
from dendrometry.plot._layout.branches import starts
from dendrometry.plot._layout.entanglement import entanglement_of_positions

_MOST_SWEEPS = 30
_RESTARTS = 10
_FEW_ITEMS = 3_000  # up to this many items, all restarts take about a second


@dataclass(frozen=True, eq=False, repr=False)
class Untangled(Frozen):
    """Two trees with their children ordered so that the items of both have nearly the same order.

    Attributes
    ----------
    a, b : Hierarchy
        The trees.
    key_a, key_b : (n_nodes,) array of float
        The order: the children of each node are arranged by ascending key.
    entanglement, entanglement_given : float
        The entanglement of this order and of the original order of the trees. 0: all items are aligned, 1: the order of
        one tree is the reverse of the other.
    crossings, crossings_given : int
        The number of item pairs that have opposite orders in the two trees.
    """

    a: Hierarchy
    b: Hierarchy
    key_a: FloatArray
    key_b: FloatArray
    entanglement: float
    entanglement_given: float
    crossings: int
    crossings_given: int

    @property
    def order_a(self) -> tuple[str, ...]:
        """The items of the first tree in order."""
        return _in_order(self.a, self.key_a)

    @property
    def order_b(self) -> tuple[str, ...]:
        """The items of the second tree in order."""
        return _in_order(self.b, self.key_b)

    def _repr_html_(self) -> str:
        return preview(repr(self), {"items of a": self.order_a, "items of b": self.order_b})

    def __repr__(self) -> str:
        now, before = f"{self.entanglement:.4f}", f"{self.entanglement_given:.4f}"
        return (
            f"Untangled(entanglement {now}, as given {before}; crossings {self.crossings:,}, {self.crossings_given:,})"
        )


def untangle(a: HierarchyLike, b: HierarchyLike) -> Untangled:
    r"""Return an ordering of the children in two trees with few crossings between their items.

    The entanglement is :math:`\sum_i |x_i - y_i|^{1.5}`, where x and y are the positions of item i in the two orders,
    divided by its value for an order and its reverse. Items of the same node share the midpoint of their positions.

    One tree is ordered while the other is fixed: at a node with two children, the order with fewer crossings is
    chosen, which minimises the crossings over all orders of that tree [1]_; more than two children are sorted by the
    mean position of their items. The other tree is then ordered against the first, and so on while the number of
    crossings decreases. With up to 3,000 items, this is repeated from ten random orders. Of the best order of each run
    and the original order, the one with the lowest entanglement is returned, so the result is never worse than the
    original order.

    Parameters
    ----------
    a, b : Hierarchy, or anything that `as_hierarchy` takes
        Two trees over the same items.

    Returns
    -------
    Untangled
        The order, its entanglement and crossings, and those of the original order.

    Raises
    ------
    ItemMismatchError
        If the trees contain different items.

    See Also
    --------
    entanglement : That of the trees as they are.

    Notes
    -----
    O(n log² n) for each of a few sweeps. Finding the best order of both trees together is NP-hard; this is a
    heuristic. It is deterministic. Items of an inner node precede its children.

    References
    ----------
    .. [1] H. Fernau, M. Kaufmann, M. Poths, "Comparing trees via crossing minimization", J. Comput. Syst. Sci. 76
       (2010), doi:10.1016/j.jcss.2009.10.014.
    .. [2] T. Galili, "dendextend: an R package for visualizing, adjusting and comparing trees of hierarchical
       clustering", Bioinformatics 31 (2015), doi:10.1093/bioinformatics/btv428.

    Examples
    --------
    >>> from dendrometry import from_newick, plot
    >>> a, b = from_newick("((ape,cat),(elk,owl));"), from_newick("((owl,elk),(cat,ape));")
    >>> plot.untangle(a, b)
    Untangled(entanglement 0.0000, as given 1.0000; crossings 0, 6)
    >>> plot.untangle(a, b).order_a == plot.untangle(a, b).order_b
    True
    """
    a, b = as_hierarchies(a, b)
    overlap = overlap_of_same_items(a, b)
    first, second = _in_post_order(a), _in_post_order(b)
    tangle = _Tangle(
        _side(first.tree, first.number[overlap.a.node], overlap.count),
        _side(second.tree, second.number[overlap.b.node], overlap.count),
        overlap.count,
    )
    given = tangle.placed(np.arange(a.n_nodes, dtype=np.float64), np.arange(b.n_nodes, dtype=np.float64))
    met = [given, tangle.swept(given, 0), tangle.swept(given, 1)]
    if a.n_items <= _FEW_ITEMS and met[1].crossings and met[2].crossings:
        rng = np.random.default_rng(0)
        for i in range(_RESTARTS):
            key_a, key_b = rng.random(a.n_nodes)[first.node], rng.random(b.n_nodes)[second.node]
            met.append(tangle.swept(tangle.placed(key_a, key_b), i % 2))
    found = [tangle.entanglement(state) for state in met]
    least = min(range(len(met)), key=lambda i: (found[i], met[i].crossings))
    best = met[least]
    key_a, key_b = best.keys[0][first.number], best.keys[1][second.number]
    return Untangled(a, b, key_a, key_b, found[least], found[0], best.crossings, given.crossings)


class _Renumbered(NamedTuple):
    """A tree with its nodes in post-order, the number in it of each node of the tree as it came, and the reverse."""

    tree: Hierarchy
    number: IntArray
    node: IntArray


def _in_post_order(tree: Hierarchy) -> _Renumbered:
    """Return a tree whose nodes are numbered in post-order, siblings as before: what loops visit together is near."""
    node = post_order(tree.parent, tree.root)
    number = np.empty(tree.n_nodes, dtype=np.int64)
    number[node] = np.arange(tree.n_nodes)
    parent = np.append(number[tree.parent[node[:-1]]], -1)
    return _Renumbered(Hierarchy(parent, None, number[tree.item_node], tree.items), number, node)


class _Side(NamedTuple):
    """One tree prepared for sweeps; ``row`` lists the rows of the overlap in the pre-order of ``sides``."""

    tree: Hierarchy
    node: IntArray
    row: IntArray
    sides: kernels.Sides
    middle: FloatArray


class _State(NamedTuple):
    """An order of both trees: keys, the position of each row on each side, and the number of crossings."""

    keys: tuple[FloatArray, FloatArray]
    places: tuple[IntArray, IntArray]
    crossings: int


class _Tangle(NamedTuple):
    """Two trees and the number of items in each row of their overlap."""

    a: _Side
    b: _Side
    n_common: IntArray

    def placed(self, key_a: FloatArray, key_b: FloatArray) -> _State:
        """Return the state for the given keys."""
        return self._state((key_a, key_b), (_positions(self.a, key_a), _positions(self.b, key_b)))

    def _state(self, keys: tuple[FloatArray, FloatArray], places: tuple[IntArray, IntArray]) -> _State:
        """Return the state for the given keys, which lead to these positions."""
        if self.a.tree.own_sizes.max() > 1:  # rows of one node do not cross
            order = walks.by_number(places[1], self.b.tree.n_items)
            order = order[walks.by_number(places[0][order], self.a.tree.n_items)]
        else:
            order = walks.by_number(places[0], self.a.tree.n_items)
        crossed = kernels.crossings(places[1][order], self.n_common[order], self.a.tree.n_items)
        return _State(keys, places, crossed)

    def entanglement(self, state: _State) -> float:
        """Return the entanglement of a state."""
        a, b = (place + side.middle for place, side in zip(state.places, (self.a, self.b), strict=True))
        return entanglement_of_positions(a - b, self.n_common)

    def swept(self, state: _State, first: int) -> _State:
        """Order the two trees alternately against each other while the number of crossings decreases."""
        best = state
        for sweep in range(_MOST_SWEEPS):
            which = (first + sweep) % 2
            side = (self.a, self.b)[which]
            key = self._ordered(side, state.keys[which], state.places[1 - which])
            place = _positions(side, key)
            if which == 0:
                state = self._state((key, state.keys[1]), (place, state.places[1]))
            else:
                state = self._state((state.keys[0], key), (state.places[0], place))
            if sweep > 1 and state.crossings >= best.crossings:
                break
            if state.crossings < best.crossings:
                best = state
        return best

    def _ordered(self, side: _Side, key: FloatArray, place: IntArray) -> FloatArray:
        """Return keys that order one tree against the positions of the rows in the other."""
        tree = side.tree
        new = np.zeros(tree.n_nodes)
        if (tree.n_children > 2).any():
            sums = np.bincount(side.node, weights=place * self.n_common, minlength=tree.n_nodes)
            new = walks.accumulate_sum(tree.parent, sums) / tree.sizes
        excess = kernels.excess_crossings(side.sides, place[side.row], self.n_common[side.row], tree.n_items)
        two = np.flatnonzero(side.sides.light >= 0)
        heavy, light = side.sides.heavy[two], side.sides.light[two]
        light_first = np.where(excess[two] == 0, key[light] < key[heavy], excess[two] > 0)
        new[light], new[heavy] = ~light_first, light_first
        return new


def _positions(side: _Side, key: FloatArray) -> IntArray:
    """Return the position of each row on one side, for the given keys."""
    return starts(side.tree, side.tree.own_sizes, key)[side.node]


def _side(tree: Hierarchy, node: IntArray, count: IntArray) -> _Side:
    """Return one tree with its rows in pre-order, and the heavy and light child of each node."""
    n_own = np.bincount(node, minlength=tree.n_nodes)
    n_rows = walks.accumulate_sum(tree.parent, n_own)
    by_size = walks.by_number(n_rows[:-1].copy(), node.size + 1)
    heavy = np.full(tree.n_nodes, -1, dtype=np.int64)
    heavy[tree.parent[by_size]] = by_size  # the last child written is the largest
    light = np.full(tree.n_nodes, -1, dtype=np.int64)
    light[tree.parent[by_size[::-1]]] = by_size[::-1]
    light[tree.n_children != 2] = -1
    last = np.zeros(tree.n_nodes)
    last[heavy[heavy >= 0]] = 1.0
    low = starts(tree, n_own, last)
    row = walks.by_number(low[node], node.size)
    sides = kernels.Sides(tree.parent, low, low + n_rows, heavy, light)
    return _Side(tree, node, row, sides, (tree.own_sizes[node] - 1) / 2.0)


def _in_order(tree: Hierarchy, key: FloatArray) -> tuple[str, ...]:
    """Return the items in order, with those of one node in their original order."""
    place = starts(tree, tree.own_sizes, key)[tree.item_node]
    return tuple(tree.items[i] for i in np.argsort(place, kind="stable").tolist())
