"""Flat clusterings given as trees: their table, and what the measures of trees or of partitions read of a pair."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dendrometry._display import name_trees, plural
from dendrometry._typing import IntArray
from dendrometry.contingency import Contingency
from dendrometry.errors import InvalidInputError, NthTree
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.coerce import HierarchyLike, as_hierarchies
from dendrometry.measures._shared.partition_statistics import PartitionStatistics
from dendrometry.measures.measure import Measure, pair_for
from dendrometry.overlap import Overlap, Side, overlap_of_same_items
from dendrometry.tree_pair.statistics import PairStatistics
from dendrometry.unrooted import UnrootedTree


def statistics_of(
    measure: Measure, a: HierarchyLike | UnrootedTree, b: HierarchyLike | UnrootedTree
) -> PairStatistics | PartitionStatistics:
    """Return what a measure reads of two trees, which must be flat for a measure of partitions."""
    if measure.of == "trees":
        return PairStatistics(pair_for(measure, a, b))
    overlap = overlap_of_same_items(*as_hierarchies(a, b))
    require_flat(overlap)
    return PartitionStatistics(table_of_flat(overlap))


def require_flat(overlap: Overlap, names: tuple[str, str] | None = None) -> None:
    """Refuse two trees that are not both flat clusterings; ``names`` are those of the trees in the message."""
    for side, which in ((overlap.a, NthTree("first")), (overlap.b, NthTree("second"))):
        if not is_flat(side):
            heights = "no heights" if side.height is None else "heights"
            parts = (
                "for measures of partitions ",
                which,
                " must be flat, without heights and with all items right"
                f" below the root; got {plural(side.parent.size, 'node')}, {heights}",
            )
            raise InvalidInputError(*name_trees(parts, names))


def is_flat(tree: Hierarchy | Side) -> bool:
    """Return whether a tree is a flat clustering: no heights, all items at the root or all at its children.

    Examples
    --------
    >>> from dendrometry import from_labels, from_newick
    >>> from dendrometry.measures.flat import is_flat
    >>> is_flat(from_labels([0, 0, 1])), is_flat(from_newick("((a,b),c);"))
    (True, False)
    """
    root = tree.parent.size - 1
    at_root = (tree.node if isinstance(tree, Side) else tree.item_node) == root
    return tree.height is None and bool((tree.parent[:-1] == root).all() and at_root.all() == at_root.any())


def table_of_flat(overlap: Overlap) -> Contingency:
    """Return the contingency table of two flat trees; clusters are labelled by node names, or else numbered."""
    sides = ((overlap.a, overlap.node_names[0]), (overlap.b, overlap.node_names[1]))
    first, second = (_labels(side, names) for side, names in sides)
    if not overlap.items:
        return Contingency.from_triples(zip(first.tolist(), second.tolist(), overlap.count.tolist(), strict=True))
    return Contingency.of(first[overlap.item_row], second[overlap.item_row])


def _labels(side: Side, names: tuple[str, ...]) -> NDArray[Any] | IntArray:
    """Return the label of each row: the name of its node if all nodes have distinct names, otherwise its number."""
    held = np.unique(side.node).tolist()
    used = {names[v] for v in held} if names else set()
    if "" in used or len(used) < len(held):
        return side.node
    return np.array(names, dtype=object)[side.node]
