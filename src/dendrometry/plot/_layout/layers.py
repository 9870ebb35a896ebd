"""Layered layout of a graph: concepts in columns by depth, each near the concepts that it is connected with."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dendrometry._typing import FloatArray, IntArray

_SWEEPS = 8


class Layers(NamedTuple):
    """The place of each concept: its column, from 0 at the top, and its place in the column, at least 1 apart."""

    column: IntArray
    place: FloatArray


def layers(depth: IntArray, child: IntArray, parent: IntArray) -> Layers:
    """Return the layout of concepts at given depths, connected by edges.

    In each sweep, the concepts of each column are sorted by the mean place of their neighbours, and then spread around
    it so that none overlap. O(sweeps (n log n + edges)), the same for the same input.
    """
    n = depth.size
    place = np.empty(n)
    columns = [np.flatnonzero(depth == level) for level in range(int(depth.max()) + 1)]
    for nodes in columns:
        place[nodes] = np.arange(nodes.size) - (nodes.size - 1) / 2.0
    ends, others = np.concatenate((child, parent)), np.concatenate((parent, child))
    degree = np.bincount(ends, minlength=n)
    for sweep in range(_SWEEPS):
        for nodes in columns if sweep % 2 == 0 else columns[::-1]:
            near = np.bincount(ends, place[others], n)[nodes]
            wanted = np.where(degree[nodes] > 0, near / np.maximum(degree[nodes], 1), place[nodes])
            order = np.lexsort((nodes, place[nodes], wanted))
            place[nodes[order]] = _spread(wanted[order])
    return Layers(depth, place - place.min())


def _spread(wanted: FloatArray) -> FloatArray:
    """Return ascending places, at least 1 apart and otherwise as near as possible to those wanted, by squares.

    Neighbours that are too near are pooled around their mean (isotonic regression).
    """
    target = wanted - np.arange(wanted.size)
    blocks: list[tuple[float, int]] = []
    for value in target.tolist():
        total, size = value, 1
        while blocks and blocks[-1][0] / blocks[-1][1] >= total / size:
            before, count = blocks.pop()
            total, size = total + before, size + count
        blocks.append((total, size))
    means = np.concatenate([np.full(size, total / size) for total, size in blocks])
    place: FloatArray = means + np.arange(wanted.size)
    return place
