"""Corruptions of a hierarchy, each of one kind."""

from __future__ import annotations

import numpy as np

from dendrometry._check.numbers import RandomSource, count_held, random_generator, whole_number
from dendrometry._typing import BoolArray, IntArray
from dendrometry.errors import InvalidInputError
from dendrometry.hierarchy import Hierarchy, require_hierarchy
from dendrometry.io.parents import from_parents

_BYTES = 160  # for each exchange, at the peak


def collapse_to_root(tree: Hierarchy) -> Hierarchy:
    """Move every item to the root, which is then the only cluster.

    Parameters
    ----------
    tree : Hierarchy
        Any tree.

    Returns
    -------
    Hierarchy
        A tree of one node that holds all items, without height.

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
    """Remove the hierarchy: items that share a node stay together, and the nodes become children of one root.

    Parameters
    ----------
    tree : Hierarchy
        Any tree.

    Returns
    -------
    Hierarchy
        A root without items, with one leaf for each node that holds items, without heights.

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


def swap_items(tree: Hierarchy, n_swaps: int, *, rng: RandomSource = 0) -> Hierarchy:
    """Exchange the positions of two random items, ``n_swaps`` times.

    Parameters
    ----------
    tree : Hierarchy
        Any tree.
    n_swaps : int
        The number of exchanges; a tree of a single item is not changed.
    rng : numpy Generator, int or None
        The source of random numbers. The default seed, 0, gives the same result in every call; None does not.

    Returns
    -------
    Hierarchy
        The same nodes and heights; each node has as many items as before.

    Raises
    ------
    InvalidInputError
        If ``n_swaps`` is not a whole number from 0 on, or the exchanges exceed the memory.

    Notes
    -----
    O(n + n_swaps). The two items of an exchange are different, but may be at the same node.

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
    times = count_held(n_swaps, "n_swaps", 0, _BYTES)
    random = random_generator(rng)
    item_node = tree.item_node.copy()
    if tree.n_items > 1:
        one = random.integers(tree.n_items, size=times)
        other = (one + random.integers(1, tree.n_items, size=times)) % tree.n_items
        for i, j in zip(one.tolist(), other.tolist(), strict=True):
            item_node[i], item_node[j] = item_node[j], item_node[i]
    return Hierarchy(tree.parent, tree.height, item_node, tree.items, tree.node_names)


def prune_regraft(tree: Hierarchy, n_moves: int, *, rng: RandomSource = 0) -> Hierarchy:
    """Prune a random subtree and regraft it elsewhere, ``n_moves`` times.

    The subtree of a random node is cut off; a node left with one child and no item is removed. The subtree is then
    grafted onto a random branch outside of it, other than its old one: it becomes a child of a new node on this branch.
    The clusters within the subtree do not change; those on its old and its new path to the root do. Nodes that cannot
    be moved anywhere else are not drawn.

    Parameters
    ----------
    tree : Hierarchy
        Any tree; unary nodes without items are left out.
    n_moves : int
        The number of moves.
    rng : numpy Generator, int or None
        The source of random numbers. The default seed, 0, gives the same result in every call; None does not.

    Returns
    -------
    Hierarchy
        A tree of the same items. In a tree with heights, only branches that reach above the subtree are drawn, and the
        height of the new node is drawn uniformly between the nodes below and above it. If no node can be moved, the
        tree is not changed.

    Raises
    ------
    InvalidInputError
        If ``n_moves`` is not a whole number from 0 on, or a node lies lower than its child, so that there is no height
        for a new node.

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
    times = whole_number(n_moves, "n_moves", 0)
    random = random_generator(rng)
    if not tree.is_monotone:
        raise InvalidInputError(
            "the tree must not have inversions for a subtree to be moved; got a node lower than its child"
        )
    moved = tree.without_unary()
    for _ in range(times):
        moved = _move(moved, random)
    return moved


def _move(tree: Hierarchy, rng: np.random.Generator) -> Hierarchy:
    """Return the tree after one move: that of the first node, in random order, that can be moved."""
    for v in rng.permutation(tree.n_nodes - 1).tolist():
        parent = _prune(tree, v)
        targets = np.flatnonzero(_branches(tree, parent, v))
        if targets.size:
            return _graft(tree, parent, v, int(rng.choice(targets)), rng)
    return tree


def _prune(tree: Hierarchy, v: int) -> IntArray:
    """Return the parents without the subtree of v; a node left with one child and no item is put, empty, below it."""
    parent, p = tree.parent.copy(), int(tree.parent[v])
    if tree.own_sizes[p] == 0 and tree.n_children[p] == 2:
        sibling = int(tree.children.node[tree.children.start[p] : tree.children.start[p + 1]].sum()) - v
        parent[sibling], parent[p] = parent[p], sibling
    return parent


def _branches(tree: Hierarchy, parent: IntArray, v: int) -> BoolArray:
    """Return the nodes outside the subtree of v whose branch can take it: not its old one, and reaching above v."""
    can: BoolArray = parent == tree.parent  # excludes the sibling and the parent of v if that parent was removed
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
