"""Hypothesis strategies and plain random draws of hierarchies of every kind."""

import numpy as np
from hypothesis import strategies as st

from dendrometry import Hierarchy, from_linkage, from_parents

any_names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)


def random_linkage(n: int, rng: np.random.Generator, *, ties: bool = False) -> np.ndarray:
    """Merge two random clusters at a time; heights rise, by whole steps that may be 0 if ties are wanted."""
    active, rows, sizes = list(range(n)), [], [1] * n
    height = 0.0
    for i in range(n - 1):
        first = active.pop(int(rng.integers(len(active))))
        second = active.pop(int(rng.integers(len(active))))
        height += float(rng.integers(0, 2)) if ties else float(rng.random()) + 1e-3
        sizes.append(sizes[first] + sizes[second])
        rows.append([min(first, second), max(first, second), height, sizes[-1]])
        active.append(n + i)
    return np.array(rows, dtype=float).reshape(n - 1, 4)


def random_hierarchy(n_items: int, rng: np.random.Generator, *, heights: bool = False, wild: bool = False) -> Hierarchy:
    """Draw a tree of any shape: unary and n-ary nodes, many items per leaf, items at inner nodes.

    A wild tree may also have inversions, negative heights and names of nodes.
    """
    n_nodes = int(rng.integers(1, 2 * n_items + 1))
    parent = [int(rng.integers(v + 1, n_nodes)) for v in range(n_nodes - 1)] + [-1]
    item_node = rng.integers(0, n_nodes, n_items)
    height = None
    if heights:
        height = np.sort(rng.integers(0, n_nodes + 1, n_nodes)).astype(float)
        if wild:
            height = rng.permutation(height) - rng.integers(0, 3)
    names = [f"n{v}" if rng.random() < 0.5 else "" for v in range(n_nodes)] if wild else ()
    return from_parents(parent, item_node, height, [f"i{i}" for i in rng.permutation(n_items)], names)


def named_clusters(tree: Hierarchy) -> list[tuple[str, tuple[str, ...]]]:
    """The items below every node that has a name, with the name; a leaf called as its only item has none."""
    order = tree.order
    return sorted(
        (name, tuple(sorted(tree.items[i] for i in order.item[order.item_low[v] : order.item_high[v]])))
        for v, name in enumerate(tree.node_names)
        if name and tree.own_items(v) != [name]
    )


@st.composite
def hierarchies(draw, max_items: int = 8, heights: bool | None = None) -> Hierarchy:
    """Trees of every kind, with heights (None: sometimes)."""
    n = draw(st.integers(1, max_items))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    with_heights = draw(st.booleans()) if heights is None else heights
    return random_hierarchy(n, rng, heights=with_heights)


@st.composite
def wild_hierarchies(draw, max_items: int = 8) -> Hierarchy:
    """Trees of every kind, sometimes with inversions, negative heights and names of nodes."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    return random_hierarchy(draw(st.integers(1, max_items)), rng, heights=draw(st.booleans()), wild=True)


@st.composite
def hierarchy_pairs(draw, max_items: int = 8, heights: bool | None = None) -> tuple[Hierarchy, Hierarchy]:
    """Two trees of every kind over the same items."""
    n = draw(st.integers(1, max_items))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    with_heights = draw(st.booleans()) if heights is None else heights
    return random_hierarchy(n, rng, heights=with_heights), random_hierarchy(n, rng, heights=with_heights)


@st.composite
def dendrograms(draw, max_items: int = 8, ties: bool = False) -> Hierarchy:
    """Binary trees with heights and one item in each leaf."""
    n = draw(st.integers(1, max_items))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    return from_linkage(random_linkage(n, rng, ties=ties), [f"i{i}" for i in rng.permutation(n)])
