"""The rows or the columns of a matrix: their tree, their order and their clusters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dendrometry._check.arrays import Frozen
from dendrometry._check.names import is_numbered
from dendrometry._check.numbers import whole_number
from dendrometry._check.points import scale_of
from dendrometry._display import plural
from dendrometry._extras import require
from dendrometry._html import MOST_ROWS, preview
from dendrometry._tabular import Tabular
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cluster.agglomerate import agglomerate, agglomerate_distances
from dendrometry.cut.count import cut_count
from dendrometry.errors import InvalidInputError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.coerce import HierarchyLike, as_hierarchy
from dendrometry.plot._layout.leaf_order import leaf_order


@dataclass(frozen=True, eq=False, repr=False)
class MapSide(Frozen, Tabular):
    """The rows or the columns of a clustermap.

    Attributes
    ----------
    names : tuple of str
        Their names, in the order of the data.
    order : (n,) array of int
        Their order from top to bottom, or from left to right.
    cluster : (n,) array of int
        The cluster of each, in the order of the data, numbered from 0 in the order of the map.
    tree : Hierarchy, or None
        Their tree.
    key : (n_nodes,) array of int, or None
        The order of the tree: the children of each node are arranged by ascending key.
    """

    names: tuple[str, ...]
    order: IntArray
    cluster: IntArray
    tree: Hierarchy | None
    key: IntArray | None

    @property
    def n_clusters(self) -> int:
        """The number of clusters, 1 if none are marked."""
        return int(self.cluster.max()) + 1

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each name, in the order of the map: name, position, cluster."""
        pd = require("pandas", extra="tables", for_="to_frame()")
        names = [self.names[i] for i in self.order.tolist()]
        position = np.arange(self.order.size)
        return pd.DataFrame({"name": names, "position": position, "cluster": self.cluster[self.order]})

    def _repr_html_(self) -> str:
        first = self.order[:MOST_ROWS]
        columns = {"name": [self.names[i] for i in first.tolist()], "cluster": self.cluster[first].tolist()}
        return preview(repr(self), columns, self.order.size)

    def __repr__(self) -> str:
        return f"MapSide({plural(self.order.size, 'name')}, {plural(self.n_clusters, 'cluster')})"


def side_of(
    points: FloatArray, names: tuple[str, ...], tree: HierarchyLike | None, clusters: tuple[str, int | None]
) -> MapSide:
    """Return the rows of some points with the given tree, or one built by a linkage if it is the name of one.

    ``clusters`` are the number into which it is cut, if any, and the name of that argument.
    """
    what, n_clusters = clusters
    if tree is None:
        if n_clusters is not None:
            raise InvalidInputError(f"{what} requires a tree to cut; got none")
        return MapSide(names, np.arange(len(names)), np.zeros(len(names), dtype=np.int64), None, None)
    tree = _built(points, names, tree) if isinstance(tree, str) else _given(as_hierarchy(tree), names)
    place = {name: i for i, name in enumerate(names)}
    missing = [name for name in tree.items if name not in place]
    if missing or tree.n_items != len(names):
        raise InvalidInputError(
            f"a tree must have the {plural(len(names), 'name')} of its side of the matrix; got one of"
            f" {plural(tree.n_items, 'item')}, {len(missing):,} of them unknown"
        )
    at = np.array([place[name] for name in tree.items])
    found = leaf_order(tree, points[at])
    labels = np.zeros(tree.n_items, dtype=np.int64)
    if n_clusters is not None:
        labels = cut_count(tree, whole_number(n_clusters, what, 1, tree.n_items)).labels
    first = np.unique(labels[found.order], return_index=True)[1]
    number = np.argsort(np.argsort(first))
    cluster = np.empty(tree.n_items, dtype=np.int64)
    cluster[at] = number[labels]
    return MapSide(names, at[found.order], cluster, tree, found.key)


def _given(tree: Hierarchy, names: tuple[str, ...]) -> Hierarchy:
    """Return a given tree; if its items are only numbered, as those of a linkage, they get the names."""
    if not is_numbered(tree.items) or tree.n_items != len(names):
        return tree
    return Hierarchy(tree.parent, tree.height, tree.item_node, names, tree.node_names)


def _built(points: FloatArray, names: tuple[str, ...], linkage: str) -> Hierarchy:
    """Return the tree of points by a linkage, from their distances if there are fewer points than coordinates."""
    n, d = points.shape
    if n == 1 or d <= n:
        return agglomerate(points, linkage=linkage, item_names=names).hierarchy  # type: ignore[arg-type]  # is checked
    from scipy.spatial.distance import pdist

    exponent = scale_of(points)  # no square overflows
    distances = np.ldexp(pdist(np.ldexp(points, -exponent)), exponent)
    return agglomerate_distances(distances, linkage=linkage, item_names=names).hierarchy  # type: ignore[arg-type]
