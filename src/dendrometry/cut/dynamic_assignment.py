"""The nearest cluster of items that are in none."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dendrometry._typing import IntArray
from dendrometry.cut.dynamic_branches import Between
from dendrometry.hierarchy import Hierarchy


class Units(NamedTuple):
    """Items that are assigned together, and for each unit the node below which clusters are looked for, or -1."""

    items: list[list[int]]
    above: IntArray


def nearest_clusters(
    tree: Hierarchy, clusters: list[int], units: Units, between: Between, max_distance: float
) -> list[int]:
    """Return the node of the nearest cluster of each unit, or -1 if none is near enough.

    A cluster is near enough if the mean distance is below ``max_distance``, or below the largest mean distance of one
    of its items from the others. O(n^2).
    """
    order = tree.order
    node = sorted(clusters, key=lambda v: int(order.item_low[v]))
    low = order.item_low[node]
    free = [item for unit in units.items for item in unit]
    if not free:
        return []
    start = np.cumsum([0, *map(len, units.items)])
    mean = np.empty((len(units.items), len(node)))
    limit = np.full(len(node), max_distance)
    for k, v in enumerate(node):
        members = order.item[order.item_low[v] : order.item_high[v]].tolist()
        total = np.add.reduceat(between(free, members).sum(axis=1), start[:-1])
        mean[:, k] = total / (np.diff(start) * len(members))
        radius = between(members, members).sum(axis=1).max() / (len(members) - 1)
        limit[k] = max(max_distance, radius)
    found = []
    for means, v in zip(mean, units.above.tolist(), strict=True):
        first, last = np.searchsorted(low, [order.item_low[v], order.item_high[v]]) if v >= 0 else (0, 0)
        k = int(first + np.argmin(means[first:last])) if last > first else -1
        found.append(node[k] if k >= 0 and means[k] < limit[k] else -1)
    return found
