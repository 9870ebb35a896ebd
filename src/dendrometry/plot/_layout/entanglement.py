"""Entanglement: how far the items of two drawn trees are from the same order."""

from __future__ import annotations

import numpy as np

from dendrometry._check.numbers import real_number
from dendrometry._typing import FloatArray, IntArray
from dendrometry.io.coerce import HierarchyLike, as_hierarchies
from dendrometry.overlap import overlap_of_same_items
from dendrometry.plot._layout.branches import starts

_POWER = 1.5  # as in dendextend
_MOST_POWER = 100.0


def entanglement(a: HierarchyLike, b: HierarchyLike, *, power: float = _POWER) -> float:
    r"""Return how far the items of two trees are from the same order, with the children of all nodes as they are.

    :math:`\sum_i |x_i - y_i|^{power}`, where x and y are the positions of item i in the two orders, divided by its
    value for an order and its reverse. Items of the same node share the midpoint of their positions.

    This is a property of a drawing, not of two hierarchies: another order of the children, which changes no cluster,
    changes it. Two equal trees may have any value from 0 to 1. For a number that depends on the trees alone as far as
    one can, take that of the best order found, ``untangle(a, b).entanglement``; to compare trees, take one of the
    measures of `dendrometry.measures`, none of which depends on the order of children.

    Parameters
    ----------
    a, b : Hierarchy, or anything that `as_hierarchy` takes
        Two trees over the same items. The children of a node are in the order of their numbers; items of an inner node
        precede its children.
    power : float
        The exponent, from 1 to 100. The greater it is, the more the items that are far from level count.

    Returns
    -------
    float
        From 0, all items are level, to 1, one order is the reverse of the other.

    Raises
    ------
    ItemMismatchError
        If the trees contain different items.
    InvalidInputError
        If ``power`` is not a number from 1 to 100.

    See Also
    --------
    untangle : An order of both trees with low entanglement, its entanglement and its crossings.

    Notes
    -----
    O(n log n) time. Symmetric. A single item gives 0. Items that share their node are level with each other, so trees
    with such items may not reach 1.

    References
    ----------
    .. [1] T. Galili, "dendextend: an R package for visualizing, adjusting and comparing trees of hierarchical
       clustering", Bioinformatics 31 (2015), doi:10.1093/bioinformatics/btv428.

    Examples
    --------
    >>> from dendrometry import from_newick, plot
    >>> a, b = from_newick("((ape,cat),(elk,owl));"), from_newick("((owl,elk),(cat,ape));")
    >>> plot.entanglement(a, b), plot.untangle(a, b).entanglement
    (1.0, 0.0)
    """
    power = real_number(power, "power", least=1.0, most=_MOST_POWER)
    a, b = as_hierarchies(a, b)
    overlap = overlap_of_same_items(a, b)
    place_a, place_b = (
        starts(tree, tree.own_sizes, np.arange(tree.n_nodes, dtype=np.float64))[node] + (tree.own_sizes[node] - 1) / 2.0
        for tree, node in ((a, overlap.a.node), (b, overlap.b.node))
    )
    return entanglement_of_positions(place_a - place_b, overlap.count, power)


def entanglement_of_positions(apart: FloatArray, count: IntArray, power: float = _POWER) -> float:
    """Return the entanglement for numbers of items whose two positions are this far apart."""
    n = int(count.sum())
    if n == 1:
        return 0.0
    worst = (np.abs(np.arange(1.0 - n, n, 2.0)) / (n - 1)) ** power
    return min(1.0, float((count * (np.abs(apart) / (n - 1)) ** power).sum() / worst.sum()))
