"""Corruptions: a hierarchy made worse in one way at a time."""

from __future__ import annotations

import numpy as np

from dendrometry._check.numbers import RandomSource, random_generator, whole_number
from dendrometry._kernels._jit import BoolArray, IntArray
from dendrometry.errors import InvalidInputError
from dendrometry.hierarchy import Hierarchy, require_hierarchy
from dendrometry.io.parents import from_parents

__all__ = ["flatten", "prune_regraft", "swap_items", "collapse_to_root"]


def collapse_to_root(tree: Hierarchy) -> Hierarchy:
    """Move every item to the root: one cluster and nothing else.

    Parameters
    ----------
    tree : Hierarchy
        Any tree.

    Returns
    -------
    Hierarchy
        One node without height that holds all items.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.generate import collapse_to_root
    >>> print(collapse_to_root(from_newick("((ape,cat),owl);")).draw())
    ape, cat, owl
    """
    require_hierarchy(tree)
    return Hierarchy(np.array([-1]), None, np.zeros(tree.n_items, dtype=np.int64), tree.items)


def flatten(tree: Hierarchy) -> Hierarchy:
    """Remove the hierarchy: items that share a node stay together, and nothing joins the nodes but a root.

    Parameters
    ----------
    tree : Hierarchy
        Any tree.

    Returns
    -------
    Hierarchy
        A root without items and one leaf for each node that holds items, without heights.

    Examples
    --------
    >>> from dendrometry.generate import flatten
    >>> from dendrometry import from_parents
    >>> chain = from_parents([1, 2, -1], [0, 1, 1, 2], item_names=["ape", "cat", "elk", "owl"])
    >>> print(flatten(chain).draw())
    •
    ├─ ape
    ├─ cat, elk
    └─ owl
    """
    require_hierarchy(tree)
    held, leaf = np.unique(tree.item_node, return_inverse=True)
    names = (*(tree.node_names[v] for v in held.tolist()), "") if tree.node_names else ()
    return Hierarchy(np.append(np.full(held.size, held.size), -1), None, leaf, tree.items, names)


def swap_items(tree: Hierarchy, count: int, *, rng: RandomSource = None) -> Hierarchy:
    """Exchange the places of two items drawn at random, so many times.

    Parameters
    ----------
    tree : Hierarchy
        Any tree.
    count : int
        The number of exchanges; with a single item there is nothing to exchange.
    rng : numpy Generator, int or None
        The source of random numbers.

    Returns
    -------
    Hierarchy
        The same nodes and heights, each with as many items as before.

    Raises
    ------
    InvalidInputError
        If the count is not a whole number from 0 on.

    Notes
    -----
    O(n + count). The two items of an exchange are different, but may be at the same node.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.generate import swap_items
    >>> print(swap_items(from_newick("((ape,cat),owl);"), 1, rng=0).draw())
    •
    ├─ •
    │  ├─ ape
    │  └─ owl
    └─ cat
    """
    require_hierarchy(tree)
    times = whole_number(count, "the number of exchanges", 0)
    random = random_generator(rng)
    item_node = tree.item_node.copy()
    if tree.n_items > 1:
        one = random.integers(tree.n_items, size=times)
        other = (one + random.integers(1, tree.n_items, size=times)) % tree.n_items
        for i, j in zip(one.tolist(), other.tolist(), strict=True):
            item_node[i], item_node[j] = item_node[j], item_node[i]
    return Hierarchy(tree.parent, tree.height, item_node, tree.items, tree.node_names)


def prune_regraft(tree: Hierarchy, count: int, *, rng: RandomSource = None) -> Hierarchy:
    """Cut off a subtree drawn at random and graft it elsewhere, so many times.

    The subtree of a node drawn at random is cut off; a node that is left with one child and no item goes. It is
    grafted onto a branch outside of it, drawn at random among those where it was not: a new node in the middle of the
    branch has it for a child. The clusters within the subtree stay, those along its old and its new way change. A
    node that could go nowhere else is not drawn.

    Parameters
    ----------
    tree : Hierarchy
        Any tree; unary nodes without items are left out.
    count : int
        The number of moves.
    rng : numpy Generator, int or None
        The source of random numbers.

    Returns
    -------
    Hierarchy
        The same items. In a tree with heights, only branches that reach above the subtree are drawn, and the new node
        lies at a height drawn evenly between what is below and above it. Where no node could move, nothing does.

    Raises
    ------
    InvalidInputError
        If the count is not a whole number from 0 on, or a node lies lower than its child: there is then no height for
        a new node.

    Notes
    -----
    O(n) for each move, O(n log n) with heights.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.generate import prune_regraft
    >>> print(prune_regraft(from_newick("(((ape,cat),elk),owl);"), 1, rng=4).draw())
    •
    ├─ •
    │  ├─ ape
    │  └─ •
    │     ├─ cat
    │     └─ elk
    └─ owl
    """
    require_hierarchy(tree)
    times = whole_number(count, "the number of moves", 0)
    random = random_generator(rng)
    if not tree.is_monotone:
        raise InvalidInputError(
            "no node may lie lower than its child for a subtree to be moved; this tree has inversions"
        )
    moved = tree.without_unary()
    for _ in range(times):
        moved = _move(moved, random)
    return moved


def _move(tree: Hierarchy, rng: np.random.Generator) -> Hierarchy:
    """Return the tree after one move: of the first node, in random order, that has somewhere to go."""
    for v in rng.permutation(tree.n_nodes - 1).tolist():
        parent = _prune(tree, v)
        targets = np.flatnonzero(_branches(tree, parent, v))
        if targets.size:
            return _graft(tree, parent, v, int(rng.choice(targets)), rng)
    return tree


def _prune(tree: Hierarchy, v: int) -> IntArray:
    """Return the parents without the subtree of v; a node left with one child and no item hangs, empty, below that."""
    parent, p = tree.parent.copy(), int(tree.parent[v])
    if tree.own_sizes[p] == 0 and tree.n_children[p] == 2:
        sibling = int(tree.children.node[tree.children.start[p] : tree.children.start[p + 1]].sum()) - v
        parent[sibling], parent[p] = parent[p], sibling
    return parent


def _branches(tree: Hierarchy, parent: IntArray, v: int) -> BoolArray:
    """Return the nodes outside the subtree of v with a branch that can take it: not where it was, reaching above v."""
    can: BoolArray = parent == tree.parent  # not the sibling, if the parent went with v, and not that parent
    can[tree.order.node[tree.order.low[v] : tree.order.high[v]]] = False
    can[tree.root] = False
    if tree.height is not None:
        can[:-1] &= tree.height[tree.parent[:-1]] >= tree.height[v]
    return can


def _graft(tree: Hierarchy, parent: IntArray, v: int, w: int, rng: np.random.Generator) -> Hierarchy:
    """Return the tree with a new node above w whose other child is v."""
    height = None
    if tree.height is not None:
        between = rng.uniform(max(tree.height[v], tree.height[w]), tree.height[parent[w]])
        height = np.append(tree.height, between)
    above = np.append(parent, parent[w])
    above[[v, w]] = tree.n_nodes
    names = (*tree.node_names, "") if tree.node_names else ()
    return from_parents(above, tree.item_node, height, tree.items, names)
