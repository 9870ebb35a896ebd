"""The cut with the largest excess of mass: clusters that persist over a long range of heights."""

from __future__ import annotations

from math import fsum
from typing import Literal, NamedTuple, get_args

import numpy as np

from dendrometry._check.choices import one_of
from dendrometry._check.numbers import whole_number
from dendrometry._typing import FloatArray
from dendrometry.cut.cut import Cut, cut_at_nodes, heights_of
from dendrometry.errors import Remedy, UndefinedMeasureError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.coerce import HierarchyLike, as_hierarchy

MassScale = Literal["density", "height"]


class _Condensed(NamedTuple):
    """Clusters of at least the least size: where each starts, the cluster that it splits from, and its mass."""

    node: list[int]
    above: list[int]
    mass: list[float]


def cut_excess_of_mass(tree: HierarchyLike, min_size: int, *, scale: MassScale = "density") -> Cut:
    """Return the disjoint clusters of at least ``min_size`` items with the largest excess of mass in total.

    From the root down, a cluster splits where two or more parts have at least ``min_size`` items; smaller parts leave
    it, and it goes on. Its excess of mass is the sum over its items of how long each stays in it: from the height at
    which the cluster splits off to that at which the item leaves, on a scale of densities, 1 / height, as in
    HDBSCAN [1]_, or of heights. Merges at one height, one below the other, are one merge of all their parts, so that
    the order of the items does not decide. Of all sets of disjoint clusters, the root excepted, the one with the
    largest sum is chosen; a cluster is preferred to clusters inside it with the same sum.

    Parameters
    ----------
    tree : Hierarchy, or anything that `as_hierarchy` takes
        A tree with heights. For single linkage and ``scale="density"`` these are the clusters of HDBSCAN, with
        distances for mutual reachability; where heights tie, those of HDBSCAN depend on the order of the items. For
        other linkages, they are what it says above and no density estimate.
    min_size : int
        The least number of items of a cluster, from 2 on.
    scale : {"density", "height"}
        Whether the time that an item stays in a cluster is a difference of inverse heights, or of heights.

    Returns
    -------
    Cut
        The chosen clusters; every other item, the noise of HDBSCAN, is alone, or with its leaf.

    Raises
    ------
    InvalidInputError
        If an option is invalid.
    InvalidTreeError
        If the tree has no heights.
    UndefinedMeasureError
        For "density", if items leave a cluster at a height that is not above 0, where density is infinite.

    Notes
    -----
    O(n log n) time. With inversions, a node counts at the greatest height inside it.

    References
    ----------
    .. [1] R. J. G. B. Campello, D. Moulavi, J. Sander, "Density-based clustering based on hierarchical density
       estimates", PAKDD 2013, doi:10.1007/978-3-642-37456-2_14.

    Examples
    --------
    >>> from dendrometry import agglomerate
    >>> from dendrometry.cut import cut_excess_of_mass
    >>> points = [[0.0], [1.0], [2.1], [30.0], [31.0], [32.1], [90.0]]
    >>> cut_excess_of_mass(agglomerate(points, linkage="single").hierarchy, 2).clusters
    [['0', '1', '2'], ['3', '4', '5'], ['6']]
    """
    one_of(scale, "scale", get_args(MassScale))
    least = whole_number(min_size, "min_size", 2)
    tree = as_hierarchy(tree)
    formed, merges = heights_of(tree, "a cut by excess of mass")
    tied = np.append(formed[:-1] == formed[tree.parent[:-1]], False) & (tree.n_children > 0)
    formed = np.where(merges, formed, formed.max() if scale == "height" else 1.0)
    moment = -formed if scale == "height" else _densities(formed)
    parts = _Parts(tree, merges.tolist(), tied.tolist())
    condensed = _condense(parts, moment, least, start=0.0 if scale == "density" else None)
    chosen = np.zeros(tree.n_nodes, dtype=bool)
    chosen[[condensed.node[c] for c in _selected(condensed)]] = True
    return cut_at_nodes(tree, chosen)


def _densities(height: FloatArray) -> FloatArray:
    """Return 1 / height, infinite where the height is not above 0."""
    density: FloatArray = np.divide(1.0, height, out=np.full(height.size, np.inf), where=height > 0.0)
    return density


class _Parts:
    """The parts of each node, where merges at the height of the one above are one merge with it."""

    def __init__(self, tree: Hierarchy, merges: list[bool], tied: list[bool]) -> None:
        self.tree = tree
        self._merges, self._tied = merges, tied
        self._first, self._part = tree.children.start.tolist(), tree.children.node.tolist()

    def is_single(self, v: int) -> bool:
        """Whether a node is a leaf with one item."""
        return not self._merges[v] and self._first[v] == self._first[v + 1]

    def of(self, v: int) -> list[int]:
        """Return the parts of a node. O(n) for all nodes that are parts of others."""
        below: list[int] = []
        waiting = [v]
        while waiting:
            u = waiting.pop()
            for w in self._part[self._first[u] : self._first[u + 1]]:
                (waiting if self._tied[w] else below).append(w)
        return below


def _condense(parts: _Parts, moment: FloatArray, least: int, start: float | None) -> _Condensed:
    """Return the clusters of at least the least size. O(n)."""
    tree = parts.tree
    size, moments = tree.sizes.tolist(), moment.tolist()
    birth = [moments[tree.root] if start is None else start]
    found = _Condensed([tree.root], [-1], [0.0])
    cluster = [-1] * tree.n_nodes
    cluster[tree.root] = 0
    for v in range(tree.root, -1, -1):
        c = cluster[v]
        if c < 0 or parts.is_single(v):
            continue
        large = [u for u in parts.of(v) if size[u] >= least]
        if len(large) == 1:
            cluster[large[0]] = c
        elif len(large) > 1:
            for u in large:
                cluster[u] = len(found.node)
                found.node.append(u)
                found.above.append(c)
                found.mass.append(0.0)
                birth.append(moments[v])
        gone = size[v] - (size[large[0]] if len(large) == 1 else 0)
        if gone:
            if moments[v] == np.inf:
                raise UndefinedMeasureError(
                    "items must leave clusters above height 0 for densities; got a merge at height 0 of a cluster of"
                    f" {size[v]:,} items",
                    Remedy("scale", "height", "has no such limit"),
                )
            found.mass[c] += gone * (moments[v] - birth[c])
    return found


def _selected(condensed: _Condensed) -> list[int]:
    """Return the disjoint clusters with the largest sum of masses, without the root."""
    n = len(condensed.node)
    below: list[list[float]] = [[] for _ in range(n)]
    kept = [False] * n
    for c in range(n - 1, 0, -1):
        inner = fsum(below[c])  # whatever the order of the parts
        kept[c] = condensed.mass[c] >= inner
        below[condensed.above[c]].append(condensed.mass[c] if kept[c] else inner)
    inside = [False] * n
    for c in range(1, n):
        inside[c] = inside[condensed.above[c]] or kept[condensed.above[c]]
    return [c for c in range(1, n) if kept[c] and not inside[c]]
