"""Placement: new items in a tree that is built already, by the rule of its linkage, with a measure of doubt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from dendrometry._check.arrays import Frozen, read_only
from dendrometry._check.choices import one_of
from dendrometry._check.frames import is_frame, named_columns
from dendrometry._check.names import is_numbered, name_items, names_within
from dendrometry._check.points import finite_points, is_sparse, points_of, points_of_items
from dendrometry._check.tree import require_heights
from dendrometry._display import plural, quote_first
from dendrometry._html import MOST_ROWS, preview
from dendrometry._typing import FloatArray, IntArray
from dendrometry.errors import InvalidInputError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.coerce import HierarchyLike, as_hierarchy
from dendrometry.io.parents import from_parents

PlacedBy = Literal["ward", "single"]


@dataclass(frozen=True, eq=False, repr=False)
class Placement(Frozen):
    """New items in an old tree.

    Attributes
    ----------
    hierarchy : Hierarchy
        The old tree with the new items after the old ones. Old nodes keep their names and heights.
    node : (n_new,) array of int
        The node of the old tree that each new item joins.
    height : (n_new,) array of float
        The height at which it does, at least that of the node.
    doubt : (n_new,) array of float
        The distance of the centre of that node over that of its sibling, both by Ward's rule: near 0 if the sibling is
        much farther, 1 if it is as near or nearer; 0 at the root.
    items : tuple of str
        The names of the new items.
    """

    hierarchy: Hierarchy
    node: IntArray
    height: FloatArray
    doubt: FloatArray
    items: tuple[str, ...]

    def _repr_html_(self) -> str:
        first = slice(MOST_ROWS)
        numbers = {name: getattr(self, name)[first].tolist() for name in ("node", "height", "doubt")}
        return preview(repr(self), {"item": self.items[first], **numbers}, len(self.items))

    def __repr__(self) -> str:
        new, old = len(self.items), self.hierarchy.n_items - len(self.items)
        doubt = float(np.median(self.doubt)) if new else 0.0
        return f"Placement({plural(new, 'new item')} in a tree of {old:,}, median doubt {doubt:.2f})"


def place(
    tree: HierarchyLike,
    X: Any,
    X_new: Any,
    *,
    linkage: PlacedBy = "ward",
    item_names: Iterable[str] | None = None,
) -> Placement:
    """Return where new items belong in a tree, without building it again.

    A new item follows its nearest old item up the tree, and joins the first cluster v that is as near as the height at
    which v itself joins others: as it would if it had been there when v was a cluster. The distance is that of the
    linkage, on Euclidean distances: for ``ward``, ``sqrt(2 s / (s + 1)) |x - c|`` for a cluster of s items and centre
    c; for ``single``, the distance of the nearest item.

    Parameters
    ----------
    tree : Hierarchy, or anything that `as_hierarchy` takes
        A binary tree with heights and one item in each leaf, as `agglomerate` builds it from ``X``.
    X : (n_items, d) array of float
        The old points, in the order of the items of the tree, or named by an index.
    X_new : (n_new, d) array of float
        The new points.
    linkage : {"ward", "single"}
        The linkage of the tree; for others a new item would have to be compared with all members of a cluster.
    item_names : sequence of str, optional
        The names of the new items; by default those of the index, or "new 0", "new 1", and so on.

    Returns
    -------
    Placement
        The grown tree, and for each new item its node, its height and its doubt.

    Raises
    ------
    InvalidInputError
        If the points do not fit the tree or each other, the tree is not such a tree, or a name is taken.

    See Also
    --------
    dendrometry.hierarchy_agreement : How near the grown tree is to one that is built from all points.

    Notes
    -----
    O(d log n) time for each new item in few dimensions, by a k-d tree, plus O(d) for each cluster that it passes. New
    items are placed one without the other: two that are near each other and far from all others are not a cluster.

    Examples
    --------
    >>> from dendrometry import agglomerate
    >>> from dendrometry.cluster import place
    >>> old = [[0.0], [1.0], [7.0], [9.0]]
    >>> placed = place(agglomerate(old, linkage="ward"), old, [[0.4], [8.1]])
    >>> placed.node.tolist(), placed.height.round(2).tolist(), placed.doubt.round(2).tolist()
    ([0, 3], [0.4, 0.9], [0.67, 0.82])
    >>> print(placed.hierarchy.draw())
    • (10.61)
    ├─ • (1)
    │  ├─ 1
    │  └─ • (0.4)
    │     ├─ 0
    │     └─ new 0
    └─ • (2)
       ├─ 2
       └─ • (0.9)
          ├─ 3
          └─ new 1
    """
    one_of(linkage, "linkage", get_args(PlacedBy))
    hierarchy = as_hierarchy(tree)
    _check_columns(X, X_new)
    old, new = points_of_items(X, hierarchy.items), finite_points(points_of(X_new))
    _check_tree(hierarchy, old, new)
    names = _names(hierarchy, X_new, item_names, len(new))
    node, height, doubt = _climb(hierarchy, old, new, linkage)
    return Placement(_grow(hierarchy, node, height, names), read_only(node), read_only(height), read_only(doubt), names)


def _check_columns(old: Any, new: Any) -> None:
    """Refuse frames whose columns have different names, or the same in another order."""
    if not is_frame(old) or not is_frame(new):
        return
    names = [tuple(named_columns(table)) for table in (old, new)]
    if names[0] != names[1] and not any(map(is_numbered, names)):
        raise InvalidInputError(
            f"new points must have the columns of the old in the same order, {quote_first(names[0])};"
            f" got {quote_first(names[1])}"
        )


def _check_tree(tree: Hierarchy, old: FloatArray, new: FloatArray) -> None:
    """Refuse a tree that is not a dendrogram of the old points, and points that do not fit each other."""
    if is_sparse(old) or is_sparse(new):
        raise InvalidInputError("points must be dense to be placed; got a sparse matrix")
    if tree.n_items != len(old) or not tree.is_binary or (np.sort(tree.item_node) != tree.leaves).any():
        raise InvalidInputError(
            f"the tree must be binary with one of the {len(old):,} old points in each leaf; got {tree!r}"
        )
    if old.shape[1] != new.shape[1]:
        raise InvalidInputError(f"new points must have {old.shape[1]:,} columns as the old; got {new.shape[1]:,}")
    require_heights(tree.height, "the tree", "placing items", InvalidInputError)
    if not tree.is_monotone:
        raise InvalidInputError("the heights of the tree must not fall towards the root; it has inversions")


def _names(tree: Hierarchy, data: Any, names: Iterable[str] | None, count: int) -> tuple[str, ...]:
    """Return the names of the new items, refusing those of old ones."""
    given = names is None and names_within(data) is None
    new = tuple(f"new {i}" for i in range(count)) if given else name_items(data, names, count)
    taken = sorted(set(new) & set(tree.items))
    if taken:
        raise InvalidInputError(f"new items must not have the names of old ones; these are taken: {quote_first(taken)}")
    return new


def _climb(
    tree: Hierarchy, old: FloatArray, new: FloatArray, linkage: PlacedBy
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return the node that each new item joins, the height, and the doubt."""
    from scipy.spatial import cKDTree

    assert tree.height is not None
    formed, order = tree.height, tree.order
    summed = np.concatenate((np.zeros((1, old.shape[1])), np.cumsum(old[order.item], axis=0)))
    centre = (summed[order.item_high] - summed[order.item_low]) / tree.sizes[:, np.newaxis]
    centre[tree.item_node] = old
    near, nearest = cKDTree(old).query(new, workers=-1)
    node = tree.item_node[nearest]

    def apart(which: IntArray, at: IntArray) -> FloatArray:
        """Return the distance of some new items from the centres of some nodes."""
        s = tree.sizes[at]
        found: FloatArray = np.sqrt(2 * s / (s + 1)) * np.linalg.norm(new[which] - centre[at], axis=1)
        return found

    distance = near.astype(np.float64)
    climbing = np.arange(len(new))
    while climbing.size:
        climbing = climbing[node[climbing] != tree.root]
        climbing = climbing[distance[climbing] > formed[tree.parent[node[climbing]]]]
        node[climbing] = tree.parent[node[climbing]]
        if linkage == "ward":
            distance[climbing] = apart(climbing, node[climbing])
    children = tree.children.node.reshape(-1, 2)
    sibling = np.full(tree.n_nodes, tree.root)
    sibling[children[:, 0]], sibling[children[:, 1]] = children[:, 1], children[:, 0]
    beside = apart(np.arange(len(new)), sibling[node])
    here = apart(np.arange(len(new)), node)
    doubt = np.where(node == tree.root, 0.0, np.minimum(here / np.where(beside > 0, beside, 1.0), 1.0))
    doubt[(beside == 0) & (node != tree.root)] = 1.0
    return node, np.maximum(distance, formed[node]), doubt


def _grow(tree: Hierarchy, node: IntArray, height: FloatArray, names: tuple[str, ...]) -> Hierarchy:
    """Return the tree with a new leaf beside each node; those beside one node join it from the lowest up."""
    assert tree.height is not None
    n_old, n_new = tree.n_nodes, len(names)
    order = np.lexsort((height, node))
    join = n_old + n_new + np.arange(n_new)  # the node above the i-th in this order
    last = np.append(node[order][1:] != node[order][:-1], True)[:n_new]
    first = np.append(True, last[:-1])[:n_new]
    parent = np.concatenate((tree.parent, np.empty(2 * n_new, dtype=np.int64)))
    parent[n_old + order] = join
    parent[join] = np.where(last, tree.parent[node[order]], join + 1)
    parent[node[order[first]]] = join[first]
    heights = np.concatenate((tree.height, np.zeros(n_new), height[order]))
    node_names = (*tree.node_names, *[""] * (2 * n_new)) if tree.node_names else ()
    item_node = np.concatenate((tree.item_node, n_old + np.arange(n_new)))
    return from_parents(parent, item_node, heights, (*tree.items, *names), node_names)
