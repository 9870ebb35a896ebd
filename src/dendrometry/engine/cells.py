"""Cells of near points: their centres, the tree in each, and the tree above them, by Ward's linkage."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dendrometry._check.points import prepare_points
from dendrometry._interrupt import raise_if_stopped
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cluster.agglomerate import agglomerate
from dendrometry.cluster.approximate.start import merge_start
from dendrometry.cluster.cpu.merges import hierarchy_of, in_units_of
from dendrometry.cluster.cpu.vector_greedy import Start
from dendrometry.cluster.linkages import rule_for
from dendrometry.cut.count import cut_count

CELL = 2**32  # the numbers of the nodes of a cell begin with this times the number of the cell
_BLOCK = 2**22  # distances that are computed at once


class NodeRows(NamedTuple):
    """Rows of a table of nodes; the parent of a root is -1."""

    node: IntArray
    parent: IntArray
    height: FloatArray


def centres_of(sample: FloatArray, n_cells: int) -> FloatArray:
    """Return the centroids of the clusters of a sample, as Buckshot finds them: Ward's tree, cut."""
    group = cut_count(agglomerate(sample).hierarchy, min(n_cells, len(sample))).labels
    centre = np.zeros((int(group.max()) + 1, sample.shape[1]))
    np.add.at(centre, group, sample)
    return np.asarray(centre / np.bincount(group)[:, None])


def nearest(points: FloatArray, centre: FloatArray) -> IntArray:
    """Return the number of the nearest centre of each point."""
    middle = centre.mean(axis=0)  # about which rounding errors are least
    shifted = centre - middle
    own = np.einsum("ij,ij->i", shifted, shifted)
    cell = np.empty(len(points), dtype=np.int64)
    step = max(_BLOCK // len(centre), 1)
    for start in range(0, len(points), step):
        raise_if_stopped()
        block = points[start : start + step] - middle
        cell[start : start + step] = np.argmin(own - 2.0 * (block @ shifted.T), axis=1)
    return cell


def tree_above(centroid: FloatArray, size: IntArray, first: int) -> tuple[NodeRows, IntArray]:
    """Return the nodes above cells, merged exactly, and the parent of each cell; -1 for the only one.

    The nodes are numbered as those of a cell ``first``.
    """
    n = len(centroid)
    ready = prepare_points(centroid, "euclidean")
    nothing = np.zeros(n)
    start = Start(ready.points, size.astype(np.float64), nothing, nothing, np.arange(n))
    merges = merge_start(start, ready, rule_for("ward", "euclidean"), lambda _: None)
    tree = hierarchy_of(in_units_of(merges, ready.exponent), tuple(map(str, range(n))), np.arange(n))
    number = np.append(np.arange(2 * n - 1) - n + first * CELL, -1)  # of the inner nodes
    parent, height = number[tree.parent], np.zeros(0) if tree.height is None else tree.height
    return NodeRows(number[n : 2 * n - 1], parent[n:], height[n:]), parent[:n]


def tree_of_cell(cell: int, points: FloatArray, above: int) -> tuple[NodeRows, IntArray]:
    """Return the nodes of the tree of a cell's points, its root below ``above``, and the node of each point."""
    tree = agglomerate(points).hierarchy
    node = cell * CELL + np.arange(tree.n_nodes)
    parent = cell * CELL + tree.parent
    parent[-1] = above
    height = np.zeros(tree.n_nodes) if tree.height is None else tree.height
    return NodeRows(node, parent, height), cell * CELL + tree.item_node
