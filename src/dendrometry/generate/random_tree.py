"""Random dendrograms of a given shape."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from dendrometry._check.choices import one_of
from dendrometry._check.numbers import RandomSource, count_held, random_generator, whole_number
from dendrometry._display import printable
from dendrometry._kernels import tree as walks
from dendrometry._kernels.generate import random_tree as kernels
from dendrometry._kernels.io import parents as orders
from dendrometry._typing import IntArray
from dendrometry.errors import InvalidInputError
from dendrometry.hierarchy import Hierarchy

_BYTES = 240  # for each item, at the peak
Shape = Literal["uniform", "merges", "caterpillar", "balanced"]


def random_tree(n_items: int, *, shape: Shape = "uniform", arity: int = 2, rng: RandomSource = 0) -> Hierarchy:
    """Draw a dendrogram: one item in each leaf, in random order.

    Parameters
    ----------
    n_items : int
        The number of items.
    shape : {"uniform", "merges", "caterpillar", "balanced"}
        The shape. ``uniform``: all binary trees of the items are equally likely, and so are all orders of their merges.
        ``merges``: random clusters are merged until one is left. ``caterpillar``: items join one by one.
        ``balanced``: neighbours merge, level by level.
    arity : int
        The number of clusters merged at a time; always 2 for ``uniform``. If necessary, one merge takes fewer: the
        first of a caterpillar, otherwise the last of all or of its level.
    rng : numpy Generator, int or None
        The source of random numbers. The default seed, 0, gives the same tree in every call, None another: several
        trees need several seeds, or one Generator.

    Returns
    -------
    Hierarchy
        A tree with leaves at height 0 and merges at heights 1, 2, and so on, in order.

    Raises
    ------
    InvalidInputError
        If a number is not whole, too small, or too large for the memory, the shape is unknown, or ``uniform`` is
        combined with another arity.

    Notes
    -----
    O(n) time; O(n log n) for ``uniform``. A uniform tree grows leaf by leaf, each on a branch drawn uniformly. Its
    order of merges is given by waiting times: from its parent down, a node with s inner nodes at or below it waits for
    a time from the exponential distribution with rate s, so that the next node is always drawn with probability
    proportional to s.

    Examples
    --------
    >>> from dendrometry.generate import random_tree
    >>> print(random_tree(5, shape="balanced", arity=3, rng=0).draw())
    • (3)
    ├─ • (1)
    │  ├─ 2
    │  ├─ 3
    │  └─ 4
    └─ • (2)
       ├─ 0
       └─ 1
    >>> random_tree(1000, rng=0)
    Hierarchy(1,000 items, 1,999 nodes, heights 0 to 999)
    """
    count = count_held(n_items, "n_items", 1, _BYTES)
    one_of(shape, "shape", get_args(Shape))
    width = whole_number(arity, "arity", 2)
    if shape == "uniform" and width != 2:
        raise InvalidInputError(f"arity must be 2 for uniform trees, which are binary; got {printable(width)}")
    parent = _SHAPES[shape](count, min(width, max(count, 2)), random_generator(rng))
    height = np.concatenate([np.zeros(count), np.arange(1.0, parent.size - count + 1)])
    return Hierarchy(parent, height, np.arange(count), tuple(map(str, range(count))))


def _uniform(n: int, arity: int, rng: np.random.Generator) -> IntArray:
    """Grow a tree leaf by leaf, and number its inner nodes by a random order of merging."""
    parent = kernels.grow(rng.integers(2 * np.arange(n - 1) + 1))
    order = orders.post_order(parent, int(np.argmin(parent)))
    number = np.empty(2 * n - 1, dtype=np.int64)
    number[order] = np.arange(2 * n - 1)
    above = np.append(number[parent[order[:-1]]], -1)
    inner = order >= n
    weight = walks.accumulate_sum(above, inner.astype(np.int64))
    wait = rng.exponential(size=2 * n - 1) / np.maximum(weight, 1)
    time = kernels.accumulate_down(above, wait[:, None])[:, 0]
    merges = order[inner][np.argsort(-time[inner], kind="stable")]
    number[:n] = np.arange(n)
    number[merges] = np.arange(n, 2 * n - 1)
    renumbered = np.full(2 * n - 1, -1)
    has_parent = parent >= 0
    renumbered[number[has_parent]] = number[parent[has_parent]]
    return renumbered


def _merges(n: int, arity: int, rng: np.random.Generator) -> IntArray:
    """Merge clusters at random."""
    return kernels.merge(rng.random(n - 1 + _n_merges(n, arity)), n, arity)


def _caterpillar(n: int, arity: int, rng: np.random.Generator) -> IntArray:
    """Add ``arity`` - 1 items at a time to one cluster; the first merge takes what is left over."""
    n_merges = _n_merges(n, arity)
    parent = np.append(np.arange(1, n + n_merges), -1)
    if n > 1:
        joins = np.append(np.arange(n - 1) // (arity - 1), n_merges - 1)  # counted from the last merge
        parent[rng.permutation(n)] = n + n_merges - 1 - joins
    return parent


def _balanced(n: int, arity: int, rng: np.random.Generator) -> IntArray:
    """Merge neighbours in a random order of items, level by level; a single one left over waits for the next level."""
    level, made = rng.permutation(n), n
    parent = np.full(2 * n, -1)
    while level.size > 1:
        whole, rest = divmod(level.size, arity)
        groups = whole + (rest > 1)
        joined = level.size if rest != 1 else level.size - 1
        parent[level[:joined]] = made + np.arange(joined) // arity
        level = np.append(np.arange(made, made + groups), level[joined:])
        made += groups
    return parent[:made]


def _n_merges(n: int, arity: int) -> int:
    """Return the number of merges that reduce n clusters to one."""
    return -(-(n - 1) // (arity - 1))


_SHAPES = {"uniform": _uniform, "merges": _merges, "caterpillar": _caterpillar, "balanced": _balanced}
