"""Trees of the same points in several orders of the items: where merges are tied, the order decides among them."""

from typing import Any

import numpy as np

from dendrometry._kernels._jit import FloatArray
from dendrometry.cluster.bottom_up import agglomerate
from dendrometry.hierarchy import Hierarchy

__all__ = ["ORDERS", "trees_in_orders"]

ORDERS = 10


def trees_in_orders(values: FloatArray, rng: np.random.Generator, **options: Any) -> list[Hierarchy]:
    """Return the tree of points in their own order and, if merges are tied, also in random orders, 10 in all.

    The items keep their names, so that the trees differ only in how ties were broken. The options are those of
    `agglomerate`.
    """
    built = agglomerate(values, **options)
    names, trees = built.hierarchy.items, [built.hierarchy]
    for _ in range(ORDERS - 1 if built.report.ties else 0):
        order = rng.permutation(len(values))
        options["item_names"] = [names[i] for i in order.tolist()]
        trees.append(agglomerate(values[order], **options).hierarchy)
    return trees
