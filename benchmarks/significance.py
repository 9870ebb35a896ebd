"""Tests of nodes: clusters of one tree in another, classes in subtrees, p-values down a tree; and what they find.

``python significance.py [growth] [cost_of_splits] [power]`` prints all, or those named.
"""

import sys

import numpy as np

import dendrometry as dm
from dendrometry.generate import random_tree, swap_items
from dendrometry.significance import adjust_down, enrichment, recurrence, splits
from timing import core_time, fresh, show

SETTINGS = [(3, 3, 0), (8, 5, 5), (16, 8, 8), (32, 16, 20), (64, 20, 40), (128, 40, 60), (256, 80, 40)]


def two_trees(n: int, n_swaps: int) -> tuple[dm.Hierarchy, dm.Hierarchy]:
    tree = random_tree(n, rng=0)
    return tree, swap_items(tree, n_swaps, rng=0) if n_swaps else random_tree(n, rng=1)


def labelled(n: int, n_classes: int) -> tuple[dm.Hierarchy, np.ndarray]:
    return random_tree(n, rng=0), np.random.default_rng(0).integers(0, n_classes, n)


def with_p_values(n: int, share: float) -> tuple[dm.Hierarchy, np.ndarray]:
    tree = random_tree(n, rng=0)
    rng = np.random.default_rng(0)
    return tree, np.where(rng.random(tree.n_nodes) < share, 1e-12, rng.random(tree.n_nodes))


def recur(given: tuple[dm.Hierarchy, dm.Hierarchy]) -> None:
    recurrence(*given)


def enrich(given: tuple[dm.Hierarchy, np.ndarray]) -> None:
    enrichment(*given)


def adjust(given: tuple[dm.Hierarchy, np.ndarray]) -> None:
    adjust_down(*given)


def grouped(n: int, n_groups: int, max_depth: int) -> tuple[np.ndarray, int]:
    rng = np.random.default_rng(0)
    centres = 3 * rng.normal(size=(n_groups, 50))
    return rng.normal(size=(n, 50)) + centres[rng.integers(n_groups, size=n)], max_depth


def split(given: tuple[np.ndarray, int]) -> None:
    splits(given[0], max_depth=given[1], n_jobs=2)


def warm_splits() -> None:
    split(grouped(1_000, 2, 1))


def warm() -> None:
    recurrence(*two_trees(5_000, 0))
    enrichment(*labelled(20_000, 20))
    adjust_down(*with_p_values(20_000, 0.9))


def growth() -> None:
    for n in (10**3, 10**4, 10**5):
        for n_swaps in (0, n // 20):
            figure = fresh(two_trees, recur, n, n_swaps, warm=warm)
            kind = f"{n_swaps:,} items swapped" if n_swaps else "unrelated trees"
            show(f"recurrence, {n:,} items, {kind}", figure)
    for n in (10**4, 10**5, 10**6):
        figure = fresh(labelled, enrich, n, 20, warm=warm)
        show(f"enrichment, {n:,} items, 20 classes", figure)
        figure = fresh(with_p_values, adjust, n, 0.999, warm=warm)
        show(f"adjust_down, {2 * n - 1:,} nodes", figure)


def cost_of_splits() -> None:
    """Print core seconds: of all nodes of 2,000 points, and of the splits of 20,000 down to depth 6."""
    for n, n_groups, max_depth in ((2_000, 8, 10_000), (20_000, 64, 6)):
        figure = fresh(grouped, split, n, n_groups, max_depth, warm=warm_splits)
        show(f"splits, {n:,} points of 50 columns in {n_groups} groups, to depth {max_depth:,}", core_time(figure))


def power(n: int = 512, n_sets: int = 100) -> None:
    """Print how often the subtree with a planted class is named, from the root down and by Holm's adjustment."""
    rng = np.random.default_rng(0)
    for size, inside, outside in SETTINGS:
        named = np.zeros(2, dtype=np.int64)
        for _ in range(n_sets):
            tree = random_tree(n, rng=rng)
            order, sizes = tree.order, tree.sizes
            fits = np.flatnonzero((sizes >= inside) & (tree.parent >= 0))
            v = fits[np.argmin(np.abs(sizes[fits] - size) + rng.random(fits.size))]
            below = order.item[order.item_low[v] : order.item_high[v]]
            label = np.zeros(n, dtype=np.int64)
            label[rng.choice(below, inside, replace=False)] = 1
            label[rng.choice(np.setdiff1d(np.arange(n), below), outside, replace=False)] = 1
            found = enrichment(tree, np.where(label == 1, "own", "other"), alpha=1)
            own = found.label == found.classes.index("own")
            p = np.where((sizes > 1) & (sizes < n), 1.0, np.nan)
            p[found.node[own]] = found.p_value[own]
            named += [adjust_down(tree, p)[v] <= 0.05, _holm(p)[v] <= 0.05]
        print(f"{size} items, {inside} of the class, {outside} elsewhere: from the root {named[0]}, Holm {named[1]}")


def _holm(p: np.ndarray) -> np.ndarray:
    """Return p-values adjusted by Holm's method for one class."""
    tested = np.flatnonzero(~np.isnan(p))
    order = tested[np.argsort(p[tested])]
    adjusted = p.copy()
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(p[order] * (order.size - np.arange(order.size))))
    return adjusted


if __name__ == "__main__":
    for name in sys.argv[1:] or ("growth", "cost_of_splits", "power"):
        {"growth": growth, "cost_of_splits": cost_of_splits, "power": power}[name]()
