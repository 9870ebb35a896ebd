"""Differences of two versions of a category tree: the whole way from two trees to the page, and the changes alone."""

import tempfile
from pathlib import Path

import numpy as np

import dendrometry as dm
from dendrometry.generate import random_tree
from timing import fresh, show, within


def versions(n: int) -> tuple[dm.Hierarchy, dm.Hierarchy]:
    """Return a category tree of n items in n / 20 nodes, and the same after 1% of the nodes and items were changed."""
    rng = np.random.default_rng(0)
    n_nodes = n // 20
    parent = np.append(-1, (rng.random(n_nodes - 1) ** 3 * np.arange(1, n_nodes)).astype(np.int64))
    names = [f"category {v}" for v in range(n_nodes)]
    node = rng.integers(0, n_nodes, n)
    items = [f"product {i}" for i in range(n)]
    old = dm.from_parents(parent, node, None, items, names)
    parent, node, names = parent.copy(), node.copy(), list(names)
    for v in rng.choice(np.arange(1, n_nodes), n_nodes // 100, replace=False).tolist():
        parent[v] = rng.integers(0, v)  # never below itself
        names[(7 * v) % n_nodes] += " (new)"
    some = rng.choice(n, n // 100, replace=False)
    node[some] = rng.integers(0, n_nodes, some.size)
    for i in some[: some.size // 10].tolist():
        items[i] += " (new)"
    return old, dm.from_parents(parent, node, None, items, names)


def shuffled(n: int) -> tuple[dm.Hierarchy, dm.Hierarchy]:
    """Return a category tree of n items, and the same with almost all items in other nodes."""
    old, _ = versions(n)
    node = np.random.default_rng(1).permutation(old.item_node)
    return old, dm.from_parents(old.parent, node, None, old.items, old.node_names)


def dendrograms(shape_a: str, shape_b: str, n: int) -> tuple[dm.Hierarchy, dm.Hierarchy]:
    """Return two trees that have little in common."""
    return random_tree(n, shape=shape_a, rng=1), random_tree(n, shape=shape_b, rng=2)


def to_page(trees: tuple[dm.Hierarchy, dm.Hierarchy]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        dm.report(dm.diff(*trees), Path(folder, "changes.html"))


def to_words(trees: tuple[dm.Hierarchy, dm.Hierarchy]) -> None:
    dm.diff(*trees).tell()


def to_changes(trees: tuple[dm.Hierarchy, dm.Hierarchy]) -> None:
    dm.diff(*trees)


def warm() -> None:
    to_page(versions(20_000))
    for shape in ("merges", "caterpillar"):
        to_changes(dendrograms("uniform", shape, 2_000))


if __name__ == "__main__":
    show("diff in words, 200,000 items", fresh(versions, to_words, 200_000, warm=warm))
    within("diff with the page, 200,000 items", fresh(versions, to_page, 200_000, warm=warm), 10)
    show("diff with the page, 200,000 items, all moved", fresh(shuffled, to_page, 200_000, warm=warm))
    within("diff with the page, 1,000,000 items", fresh(versions, to_page, 1_000_000, warm=warm), 60)
    for shapes in (("merges", "merges"), ("uniform", "uniform"), ("uniform", "caterpillar")):
        for n in (20_000, 100_000):
            show(f"diff, {' and '.join(shapes)}, {n:,} items", fresh(dendrograms, to_changes, *shapes, n, warm=warm))
