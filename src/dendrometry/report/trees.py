"""Both trees as columns for a page: nodes in pre-order, children untangled, common clusters coloured."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._typing import FloatArray, IntArray
from dendrometry.comparison.comparison import Comparison
from dendrometry.hierarchy import Hierarchy
from dendrometry.plot._layout.agreement import Common, common_clusters
from dendrometry.plot._layout.branches import starts
from dendrometry.plot._layout.units import Units
from dendrometry.plot._layout.untangle import untangle
from dendrometry.report.levels import LevelCuts
from dendrometry.report.packed import pack, pack_names
from dendrometry.significance.recurrence import ALPHA
from dendrometry.tree_pair.pair import Tree

Support = tuple[FloatArray | None, FloatArray | None]  # of the nodes of either tree

N_COLOURS = 10  # as defined in page.css


class DrawnTrees(NamedTuple):
    """The columns of two trees for the page, and facts about the drawing."""

    columns: dict[str, Any]
    entanglement: float
    entanglement_given: float
    n_coloured: int
    n_common: int
    nearly: bool


class Placed(NamedTuple):
    """One tree in pre-order: ``rank`` is the position of each node, ``node`` the node at each position."""

    tree: Hierarchy
    rank: IntArray
    node: IntArray

    def units(self) -> IntArray:
        """Return the units in the order of the nodes."""
        return np.argsort(self.rank[self.tree.item_node], kind="stable")


def draw_trees(
    comparison: Comparison, units: Units, levels: LevelCuts | str, support: Support = (None, None)
) -> DrawnTrees:
    """Return both trees of a comparison as columns.

    Units are numbered in the order of the first tree, nodes by their position in the pre-order of their tree.
    """
    order = untangle(units.a, units.b)
    a, b = placed(units.a, order.key_a), placed(units.b, order.key_b)
    unit_a = a.units()
    number = np.empty_like(unit_a)
    number[unit_a] = np.arange(unit_a.size)
    common = common_clusters(units.a, units.b, units.weight) if units.is_complete else None
    pair = comparison.statistics.pair
    colour = _colours(units, a, common)
    moments = (None, None) if isinstance(levels, str) else levels.moments
    columns: dict[str, Any] = {
        "a": tree_columns(a, moments[0]) | _sizes(units, pair.a, a) | {"support": _supports(pair.a, a, support[0])},
        "b": tree_columns(b, moments[1])
        | _sizes(units, pair.b, b)
        | {"unit": pack(number[b.units()]), "support": _supports(pair.b, b, support[1])},
        "weight": None if units.named else pack(units.weight[unit_a]),
        "names": pack_names(map(units.a.items.__getitem__, unit_a.tolist())) if units.named else None,
        "colour": pack(colour[unit_a]),
        "coloured": _coloured(a, common),
        "matches": _matches(comparison, a, b),
        "moved": _moved(comparison, unit_a) if units.named else None,
    }
    n_common, nearly = (0, False) if common is None else (common.clusters.size, common.nearly)
    n_coloured = min(n_common, N_COLOURS)
    return DrawnTrees(columns, order.entanglement, order.entanglement_given, n_coloured, n_common, nearly)


def placed(tree: Hierarchy, key: FloatArray) -> Placed:
    """Return a tree with its nodes in pre-order, children by ascending key."""
    rank = starts(tree, np.ones(tree.n_nodes, dtype=np.int64), key)
    node = np.empty_like(rank)
    node[rank] = np.arange(rank.size)
    return Placed(tree, rank, node)


def tree_columns(place: Placed, moment: IntArray | None) -> dict[str, Any]:
    """Return the columns of one tree; ``up`` is the number of positions from a node back to its parent."""
    tree, node = place.tree, place.node
    parent = np.append(place.rank, -1)[tree.parent[node]]
    named = [tree.node_names[v] for v in node.tolist()] if tree.node_names else None
    largest = 1.0 if tree.height is None else float(np.abs(tree.height).max()) or 1.0
    return {
        "up": pack(np.arange(node.size) - parent),
        "own": pack(tree.own_sizes[node]),
        "height": None if tree.height is None else pack((tree.height[node] / largest).astype(np.float32)),
        "largest": largest,
        "moment": None if moment is None else pack(moment[node]),
        "names": None if named is None else pack_names(named),
    }


def _sizes(units: Units, tree: Tree, place: Placed) -> dict[str, Any]:
    """Return the number of items of each node, in its cluster and of its own, if the units do not tell it."""
    if units.is_complete:
        return {"size": None, "ownSize": None}
    return {"size": pack(tree.size[place.node]), "ownSize": pack(tree.own[place.node])}


def _supports(tree: Tree, place: Placed, support: FloatArray | None) -> dict[str, Any] | None:
    """Return the support of nodes in the order of the page, given that of the nodes of the tree as it came."""
    return None if support is None else pack(support[tree.original[place.node]].astype(np.float32))


def _colours(units: Units, a: Placed, common: Common | None) -> NDArray[np.uint8]:
    """Return the colour of each unit; the number after the last colour means no colour."""
    colour = np.full(units.a.n_nodes + 1, N_COLOURS, dtype=np.uint8)
    if common is None:
        return colour[units.a.item_node]
    for place, code in _coloured(a, common):
        colour[a.node[place]] = code
    return colour[common.node]


def _coloured(a: Placed, common: Common | None) -> list[tuple[int, int]]:
    """Return the position and the colour of the largest common clusters, each with a colour of its own.

    Colours are assigned in the order of the tree.
    """
    if common is None:
        return []
    largest = common.clusters[np.argsort(-a.tree.sizes[common.clusters], kind="stable")[:N_COLOURS]]
    return [(place, i) for i, place in enumerate(np.sort(a.rank[largest]).tolist())]


def _matches(comparison: Comparison, a: Placed, b: Placed) -> dict[str, Any] | None:
    """Return, for each cluster of the first tree, its best match and the number of common items."""
    matches = comparison.matches
    if matches is None:
        return None
    match = np.searchsorted(comparison.statistics.pair.b.original, matches.match)
    return {
        "match": pack(b.rank[match[a.node]]),
        "common": pack(matches.common[a.node]),
        "chance": _chances(comparison, a),
        "alpha": ALPHA,
    }


def _chances(comparison: Comparison, a: Placed) -> dict[str, Any] | None:
    """Return the log10 of the adjusted p-value that each cluster of the first tree recurs; nan where it has none."""
    found, matches = comparison.recurrence, comparison.matches
    if found is None or matches is None:
        return None
    log = np.full(len(matches), np.nan)
    log[(matches.size > 1) & (matches.size < comparison.n_items)] = found.log_adjusted / np.log(10.0)
    return pack(log[a.node].astype(np.float32))


def _moved(comparison: Comparison, unit: IntArray) -> dict[str, Any] | None:
    """Return the contribution of each unit to the disagreement."""
    parts = comparison.item_disagreement
    if parts is None:
        return None
    total = parts.total
    share = parts.sums[unit] / total if total else np.zeros(unit.size)
    return pack(share.astype(np.float32))
