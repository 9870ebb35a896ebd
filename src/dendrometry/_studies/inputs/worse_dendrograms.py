"""Dendrograms worsened in one way at a time, for the study of measures."""

import numpy as np

from dendrometry.hierarchy import Hierarchy
from dendrometry.io.parents import from_parents

_NOISE = 0.3  # standard deviation of the logarithms of heights
_NEAR_ROOT = 4  # exchanges at the nodes next to the root
_LEAVES = 20  # one exchange at a pair of leaves for as many items


def exchange_near_root(tree: Hierarchy, rng: np.random.Generator) -> Hierarchy:
    """Exchange a child of each of the inner nodes next to the root with a sibling of that node."""
    inner = np.flatnonzero(tree.n_children[:-1])
    order = inner[np.argsort(tree.depths[inner], kind="stable")]
    return _exchange(tree, order[:_NEAR_ROOT].tolist(), rng)


def exchange_near_leaves(tree: Hierarchy, rng: np.random.Generator) -> Hierarchy:
    """Exchange an item of some clusters of two items with a sibling of the cluster."""
    pairs = np.flatnonzero((tree.n_children[:-1] > 0) & (tree.sizes[:-1] == 2))
    n_exchanges = min(max(1, tree.n_items // _LEAVES), pairs.size)
    return _exchange(tree, rng.choice(pairs, n_exchanges, replace=False).tolist(), rng)


def _exchange(tree: Hierarchy, nodes: list[int], rng: np.random.Generator) -> Hierarchy:
    """Exchange a random child of each node with a random sibling of the node; a node rises to what is now below it."""
    assert tree.height is not None
    parent, height = tree.parent.copy(), tree.height.copy()
    for v in nodes:
        below = np.flatnonzero(parent == v)
        beside = np.setdiff1d(np.flatnonzero(parent == parent[v]), [v])
        child, sibling = rng.choice(below), rng.choice(beside)
        parent[child], parent[sibling] = parent[v], v
        height[v] = max(height[v], height[sibling])
    return from_parents(parent, tree.item_node, height, tree.items)


def relabel_half(tree: Hierarchy, rng: np.random.Generator) -> Hierarchy:
    """Put a random half of the items in each other's places, drawn at random."""
    at = tree.item_node.copy()
    some = rng.choice(at.size, at.size // 2, replace=False)
    at[some] = rng.permutation(at[some])
    return Hierarchy(tree.parent, tree.height, at, tree.items)


def noisy_heights(tree: Hierarchy, rng: np.random.Generator) -> Hierarchy:
    """Multiply every height by a random factor; a node rises to its highest child, so that no inversion arises."""
    assert tree.height is not None
    height = tree.height * np.exp(rng.normal(scale=_NOISE, size=tree.n_nodes))
    for v in range(tree.n_nodes - 1):
        height[tree.parent[v]] = max(height[tree.parent[v]], height[v])
    return from_parents(tree.parent, tree.item_node, height, tree.items)


def other_heights(tree: Hierarchy, rng: np.random.Generator) -> Hierarchy:
    """Square the heights, which keeps the merges and their order."""
    assert tree.height is not None
    return Hierarchy(tree.parent, tree.height**2 / tree.height[-1], tree.item_node, tree.items)


def other_order(tree: Hierarchy, rng: np.random.Generator) -> Hierarchy:
    """Draw another merge order for the same clusters, with the same heights."""
    assert tree.height is not None
    inner = np.flatnonzero(tree.n_children)
    late = np.zeros(tree.n_nodes)
    for v in inner[::-1].tolist():
        late[v] = late[tree.parent[v]] + rng.exponential() if v < tree.root else 0.0
    height = tree.height.copy()
    height[inner[np.argsort(-late[inner], kind="stable")]] = np.sort(tree.height[inner])
    return from_parents(tree.parent, tree.item_node, height, tree.items)


def without_low_merges(tree: Hierarchy, rng: np.random.Generator) -> Hierarchy:
    """Collapse the lower half of the merges into nodes with many leaves."""
    assert tree.height is not None
    inner = np.flatnonzero(tree.n_children)
    limit = np.sort(tree.height[inner])[inner.size // 2]
    keep = np.ones(tree.n_nodes, dtype=bool)
    low = (tree.height <= limit) & (tree.n_children > 0)
    keep[:-1] = ~(low[:-1] & low[tree.parent[:-1]])
    number = np.append(np.cumsum(keep) - 1, -1)
    above = tree.parent.copy()
    for v in range(tree.n_nodes - 2, -1, -1):
        if not keep[above[v]]:
            above[v] = above[above[v]]
    return Hierarchy(number[above[keep]], tree.height[keep], number[tree.item_node], tree.items)
