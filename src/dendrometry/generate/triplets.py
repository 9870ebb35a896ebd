"""Triplets of items, "x and y are closer to each other than to z": drawn from a tree, and compared with one."""

from __future__ import annotations

from typing import Any

import numpy as np

from dendrometry._check.arrays import int_column, read_only, real_array
from dendrometry._check.numbers import RandomSource, count_held, random_generator
from dendrometry._kernels.generate import triplets as kernels
from dendrometry._typing import BoolArray, FloatArray, IntArray
from dendrometry.errors import InvalidInputError, UndefinedMeasureError
from dendrometry.hierarchy import Hierarchy, require_hierarchy

_BYTES = 120  # for each triplet that is drawn, at the peak


def random_triplets(tree: Hierarchy, n_triplets: int, *, rng: RandomSource = 0) -> IntArray:
    """Draw triplets from a tree: of three items, the two that join first and the one that joins them later.

    Sets of three different items are drawn uniformly; those that the tree joins all at once are drawn again.

    Parameters
    ----------
    tree : Hierarchy
        Any tree; heights do not matter.
    n_triplets : int
        The number of triplets, which may be repeated.
    rng : numpy Generator, int or None
        The source of random numbers. The default seed, 0, gives the same result in every call; None does not.

    Returns
    -------
    (n_triplets, 3) array of int
        Rows x, y, z of positions of items: x and y are closer to each other than to z.

    Raises
    ------
    InvalidInputError
        If ``n_triplets`` is not a whole number from 0 on, or the triplets exceed the memory.
    UndefinedMeasureError
        If the tree resolves no three items, as with fewer than three items or all at one node.

    Notes
    -----
    O(depth) for each triplet. If the tree resolves less than half of all sets of three, triplets are drawn from the
    resolved ones, in O(n_nodes) additional time: first the cluster of the first two items, then the items.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.generate import random_triplets
    >>> random_triplets(from_newick("((ape,cat),owl);"), 2, rng=0).tolist()
    [[0, 1, 2], [0, 1, 2]]
    """
    require_hierarchy(tree)
    wanted = count_held(n_triplets, "n_triplets", 0, _BYTES)
    random = random_generator(rng)
    found, n_found = [np.zeros((0, 3), dtype=np.int64)], 0
    while n_found < wanted:
        tried = max(wanted - n_found, 100)
        triples = _resolved(tree, _triples(tree.n_items, tried, random))
        if 2 * triples.shape[0] < tried:
            triples = _by_cluster(tree, wanted - n_found, random)
        found.append(triples)
        n_found += triples.shape[0]
    drawn: IntArray = read_only(np.concatenate(found)[:wanted])
    return drawn


def satisfied_triplets(tree: Hierarchy, triplets: Any) -> BoolArray:
    """Return, for each triplet, whether a tree joins its first two items before either joins the third.

    Parameters
    ----------
    tree : Hierarchy
        Any tree.
    triplets : (n_triplets, 3) array of int
        Rows x, y, z of positions of items.

    Returns
    -------
    (n_triplets,) array of bool
        True for satisfied triplets; False also if all three items join at once.

    Raises
    ------
    InvalidInputError
        If a triplet does not consist of three different items of the tree.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.generate import satisfied_triplets
    >>> satisfied_triplets(from_newick("((ape,cat),owl);"), [[0, 1, 2], [0, 2, 1]]).tolist()
    [True, False]
    """
    require_hierarchy(tree)
    rows = triplet_rows(triplets, tree.n_items)
    kept: BoolArray = kernels.odd_ones(tree.parent, tree.item_node[rows]) == 2
    return kept


def _is_empty(triplets: Any) -> bool:
    """Whether there are no triplets; rows of unequal length are refused later."""
    try:
        return np.size(triplets) == 0
    except ValueError:
        return False


def triplet_rows(triplets: Any, n_items: int) -> IntArray:
    """Return triplets as whole numbers, each row three different items."""
    is_empty = isinstance(triplets, list | tuple | np.ndarray) and _is_empty(triplets)
    array = np.zeros((0, 3), dtype=np.int64) if is_empty else real_array(triplets, "triplets", 2)
    if array.shape[1] != 3:
        raise InvalidInputError(f"triplets must be rows of 3 items; got shape {array.shape}")
    rows = int_column(array.ravel(), "triplets").reshape(-1, 3)
    outside = ((rows < 0) | (rows >= n_items)).any(axis=1)
    x, y, z = rows.T
    for wrong, rule in (
        (outside, f"items from 0 to {n_items - 1}"),
        ((x == y) | (x == z) | (y == z), "three different items"),
    ):
        if wrong.any():
            i = int(np.argmax(wrong))
            raise InvalidInputError(f"triplets must hold {rule}; got {rows[i].tolist()} in row {i}")
    return rows


def _triples(n: int, count: int, rng: np.random.Generator) -> IntArray:
    """Return random rows of three items, without those in which an item is repeated."""
    rows = rng.integers(n, size=(count, 3))
    x, y, z = rows.T
    distinct: IntArray = rows[(x != y) & (x != z) & (y != z)]
    return distinct


def _resolved(tree: Hierarchy, rows: IntArray) -> IntArray:
    """Return the rows that the tree resolves, with the odd item last and the others in ascending order."""
    odd = kernels.odd_ones(tree.parent, tree.item_node[rows])
    rows, odd = rows[odd >= 0], odd[odd >= 0]
    others = np.array([[1, 2], [0, 2], [0, 1]])[odd]
    pair = np.sort(np.take_along_axis(rows, others, axis=1), axis=1)
    triples: IntArray = np.column_stack([pair, np.take_along_axis(rows, odd[:, None], axis=1)])
    return triples


def _by_cluster(tree: Hierarchy, count: int, rng: np.random.Generator) -> IntArray:
    """Draw triplets uniformly: a cluster by its number of triplets, two of its items, and one item beside it.

    Two items in a cluster and one that joins it at its parent form a triplet; every triplet has one such cluster.
    """
    size = tree.sizes[:-1].astype(np.float64)
    return triplets_of_clusters(tree, size * (size - 1.0) * (tree.sizes[tree.parent[:-1]] - size), count, rng)


def triplets_of_clusters(tree: Hierarchy, weight: FloatArray, count: int, rng: np.random.Generator) -> IntArray:
    """Draw triplets: a cluster below the root by its weight, two of its items, and an item that joins it at its parent.

    The weight must be 0 for clusters without two items, and for those that are all of their parent.
    """
    if not weight.any():
        raise UndefinedMeasureError("the tree must have three items of which two join first; it has none")
    order, above = tree.order, tree.parent[:-1]
    v = rng.choice(weight.size, size=count, p=weight / weight.sum())
    low, inside = order.item_low[v], tree.sizes[v]
    x = rng.integers(inside)
    y = (x + rng.integers(1, inside)) % inside
    z = order.item_low[above[v]] + rng.integers(tree.sizes[above[v]] - inside)
    z += np.where(z >= low, inside, 0)
    pair = np.sort(order.item[np.column_stack([low + x, low + y])], axis=1)
    drawn: IntArray = np.column_stack([pair, order.item[z]])
    return drawn
