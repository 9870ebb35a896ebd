"""Trees of the same items in other orders, which decide ties otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from dendrometry._check.names import name_column
from dendrometry._check.numbers import RandomSource, random_generator, whole_number
from dendrometry._display import printable_repr
from dendrometry._kernels._jit import IntArray
from dendrometry._memory import require_memory
from dendrometry.errors import InvalidInputError
from dendrometry.hierarchy import Hierarchy, require_hierarchy

__all__ = ["tie_breaks"]


def tie_breaks(
    build: Callable[[IntArray], Hierarchy],
    n_items: int,
    *,
    n_orders: int = 100,
    item_names: Iterable[str] | None = None,
    rng: RandomSource = None,
) -> Iterator[Hierarchy]:
    """Yield trees that are built from the items in random orders, and so decide ties in different ways.

    Of tied pairs, the one with the lowest numbers is merged first, so the order of the items decides. Where a build has
    ties (``report.ties``) or a cut has alternatives (``Cut.n_alternatives``), the range of a result over these trees is
    the part of it that no data supports. Without ties, all trees are equal up to rounding.

    Parameters
    ----------
    build : callable
        A function of an array of item numbers that returns the tree of these items in this order, such as
        ``lambda order: agglomerate(X[order], linkage="complete").hierarchy``.
    n_items : int
        The number of items.
    n_orders : int
        The number of trees.
    item_names : sequence of str, optional
        The names of the items; by default "0", "1", and so on.
    rng : numpy Generator, int or None
        The source of random orders; a number makes them repeatable.

    Yields
    ------
    Hierarchy
        The tree, with the items in their original order.

    Raises
    ------
    InvalidInputError
        If ``build`` is no function, or returns anything but a hierarchy of ``n_items`` items.

    Examples
    --------
    >>> from dendrometry import agglomerate, cut_count
    >>> from dendrometry.cluster import tie_breaks
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.0]])
    >>> trees = tie_breaks(lambda order: agglomerate(X[order], linkage="complete").hierarchy, 3, n_orders=20, rng=0)
    >>> sorted({str(cut_count(tree, 2).clusters) for tree in trees})
    ["[['0', '1'], ['2']]", "[['0'], ['1', '2']]"]
    """
    if not callable(build):
        raise InvalidInputError(f"build must be a function of an array of item numbers; got {printable_repr(build)}")
    count, n_trees = whole_number(n_items, "n_items", 1), whole_number(n_orders, "n_orders", 1)
    require_memory(200 * count, f"a tree of {count:,} items", "Build trees of a sample.")
    names, source = name_column(item_names, count), random_generator(rng)
    orders = (source.permutation(count) for _ in range(n_trees))
    return (_in_original_order(build(order), order, names) for order in orders)


def _in_original_order(tree: Hierarchy, order: IntArray, names: tuple[str, ...]) -> Hierarchy:
    """Return a tree of items in some order as one of the items in their original order."""
    require_hierarchy(tree)
    if tree.n_items != order.size:
        raise InvalidInputError(f"build must return a tree of {order.size:,} items; got {tree.n_items:,}")
    node = np.empty_like(tree.item_node)
    node[order] = tree.item_node
    return Hierarchy(tree.parent, tree.height, node, names, tree.node_names)
