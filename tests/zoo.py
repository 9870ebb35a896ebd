"""Edge trees that every door and every measure must cope with, by name."""

import numpy as np

from dendrometry import Hierarchy, from_labels, from_linkage, from_parents


def caterpillar(n: int, items: list[str] | None = None) -> Hierarchy:
    """Each merge adds one item: as deep as a dendrogram of n items can be."""
    ids = np.arange(n - 1)
    left = np.where(ids == 0, 0, n + ids - 1)
    return from_linkage(
        np.column_stack([np.minimum(left, ids + 1), np.maximum(left, ids + 1), ids + 1.0, ids + 2]), items
    )


def unary_chain(n_nodes: int) -> Hierarchy:
    """A chain of nodes with one child each, one item at the foot."""
    return Hierarchy(np.append(np.arange(1, n_nodes), -1), np.arange(n_nodes), [0], ["x"])


ZOO: dict[str, Hierarchy] = {
    "one item": from_labels([0]),
    "two items": from_linkage([[0, 1, 1, 2]]),
    "two items, one leaf": from_labels([0, 0]),
    "star": from_labels(["a", "b", "c", "d"]),
    "one cluster": from_labels([7, 7, 7, 7]),
    "caterpillar": caterpillar(6),
    "balanced": from_linkage([[0, 1, 1, 2], [2, 3, 1.5, 2], [4, 5, 2, 4]]),
    "ties": from_linkage([[0, 1, 1, 2], [2, 3, 1, 2], [4, 5, 1, 4]]),
    "polytomy": from_parents([3, 3, 3, 5, 5, -1], [0, 1, 2, 4], [0, 0, 0, 1, 0, 2]),
    "inversion": from_linkage([[0, 1, 1.0, 2], [2, 3, 0.866, 3]]),
    "unary chain": unary_chain(5),
    "unary above a fork": from_parents([2, 2, 3, 4, -1], None, [0, 0, 1, 2, 3]),
    "items at inner nodes": from_parents([2, 2, 4, 4, -1], [0, 1, 2, 2, 3, 4]),
    "item at the root alone": from_parents([1, -1], [0, 1]),
    "all at height 0": from_linkage([[0, 1, 0, 2], [2, 3, 0, 3]]),
}
