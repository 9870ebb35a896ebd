"""Placement: new items in a tree that is built already, by the rule of its linkage, with a measure of doubt."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from dendrometry._check.arrays import Frozen, read_only
from dendrometry._check.choices import one_of
from dendrometry._check.frames import is_frame, named_columns
from dendrometry._check.names import is_numbered, name_items, names_within
from dendrometry._check.points import (
    finite_points,
    in_units,
    is_sparse,
    offset_of,
    points_of,
    points_of_items,
    scale_by,
    scale_of,
)
from dendrometry._check.tree import require_heights
from dendrometry._display import plural, printable, quote_first
from dendrometry._extras import require
from dendrometry._html import MOST_ROWS, preview
from dendrometry._kernels.cluster.placement import fill_centres
from dendrometry._tabular import Tabular
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cluster.agglomeration import Agglomeration
from dendrometry.errors import InvalidInputError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.coerce import HierarchyLike, as_hierarchy
from dendrometry.io.parents import from_parents

PlacedBy = Literal["ward", "single", "centroid", "average"]

_FAR = 100  # exponent of the distance, in sizes of the old points, beyond which these are a single point
_LOOSE = 1e-5  # the share of a height by which a tree may differ from its points, as after a text of few digits
_CHECKED = 1000  # the most items of a tree of single linkage whose nearest are found


class _Rule(NamedTuple):
    """A linkage: its metric, and the distance of two clusters.

    ``distance`` takes the squared distance of the centres, both sizes, and the sum of both spreads. Scaled points have
    distances of their scale to the ``power``.
    """

    metric: str
    power: int
    distance: Callable[[FloatArray, IntArray, IntArray | int, FloatArray], FloatArray]


def _growth(squared: FloatArray, s: IntArray, t: IntArray | int, _: FloatArray) -> FloatArray:
    """Return the distance of two clusters by Ward's rule."""
    grown: FloatArray = np.sqrt(2.0 * s * (t / (s + t)) * squared)
    return grown


_RULES = {
    "ward": _Rule("euclidean", 1, _growth),
    "single": _Rule("euclidean", 1, _growth),  # of clusters as a whole: the doubt
    "centroid": _Rule("euclidean", 1, lambda squared, *_: np.sqrt(squared)),
    "average": _Rule("sqeuclidean", 2, lambda squared, _s, _t, spread: squared + spread),
}


@dataclass(frozen=True, eq=False, repr=False)
class Placement(Frozen, Tabular):
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
        The distance of that node over that of its sibling, by the rule of the linkage, for single by Ward's: near 0 if
        the sibling is much farther, 1 if it is as near or nearer. For an item that joins at the root, 1 minus the
        height of the root over the new height: near 1 if it is far from all.
    items : tuple of str
        The names of the new items.
    """

    hierarchy: Hierarchy
    node: IntArray
    height: FloatArray
    doubt: FloatArray
    items: tuple[str, ...]

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each new item: its name, node, height and doubt."""
        pd = require("pandas", extra="tables", for_="to_frame()")
        return pd.DataFrame({"item": self.items, "node": self.node, "height": self.height, "doubt": self.doubt})

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
    linkage: PlacedBy | None = None,
    item_names: Iterable[str] | None = None,
) -> Placement:
    """Return where new items belong in a tree, without building it again.

    A new item follows its nearest old item up the tree, and joins the first cluster v that is as near as the height at
    which v itself joins others: as it would if it had been there when v was a cluster. The distance from a cluster of
    s items and centre c is that of the linkage: ``sqrt(2 s / (s + 1)) |x - c|`` for ``ward``, that of the nearest item
    for ``single``, ``|x - c|`` for ``centroid``, and for ``average`` the mean of the squared distances.

    Parameters
    ----------
    tree : Agglomeration, fitted HierarchicalClustering, Hierarchy, or anything that `as_hierarchy` takes
        A binary tree with heights and one item in each leaf, as `agglomerate` builds it from ``X``.
    X : (n_items, d) array of float
        The old points, in the order of the items of the tree, or named by an index.
    X_new : (n_new, d) array of float
        The new points.
    linkage : {"ward", "single", "centroid", "average"}, optional
        The linkage of the tree, on Euclidean distances, or for average on squared ones ("sqeuclidean"). By default that
        of an Agglomeration, else ward. For others a new item would have to be compared with all members of a cluster.
    item_names : sequence of str, optional
        The names of the new items; by default those of the index, or "new 0", "new 1", and so on.

    Returns
    -------
    Placement
        The grown tree, and for each new item its node, its height and its doubt.

    Raises
    ------
    InvalidInputError
        If the points do not fit each other, the tree is not that of the linkage of the points, or a name is taken.

    See Also
    --------
    dendrometry.hierarchy_agreement : How near the grown tree is to one that is built from all points.

    Notes
    -----
    O(d log n) time for each new item in few dimensions, by a k-d tree, plus O(d) for each cluster that it passes. New
    items are placed one without the other: two that are near each other and far from all others are not a cluster.

    Every height of the tree is computed again, in O(n d), and may differ by 1e-5 of itself and 1e-6 of the root. For
    ``single``, only the heights at which 1,000 items join are: the distances of their nearest items.

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
    by = _linkage(tree, linkage)
    hierarchy = as_hierarchy(tree)
    _check_columns(X, X_new)
    old, new = points_of_items(X, hierarchy.items), finite_points(points_of(X_new))
    _check_tree(hierarchy, old, new, by)
    names = _names(hierarchy, X_new, item_names, len(new))
    node, height, doubt = _climb(hierarchy, _scale(old, new), by)
    return Placement(_grow(hierarchy, node, height, names), read_only(node), read_only(height), read_only(doubt), names)


def nearest_of(old: FloatArray, new: FloatArray) -> IntArray:
    """Return the old point nearest to each new one, at any scale."""
    return _nearest(_scale(old.astype(np.float64), new.astype(np.float64)))


def _linkage(tree: object, linkage: PlacedBy | None) -> str:
    """Return the linkage by which to place: that of an Agglomeration, if there is one, which must be on its metric."""
    built = getattr(tree, "agglomeration_", tree)
    report = built.report if isinstance(built, Agglomeration) else None
    by = one_of(linkage or (report.linkage if report else "ward"), "linkage", get_args(PlacedBy))
    if report is None:
        return by
    metric = _RULES[by].metric
    if (report.linkage, report.metric) != (by, metric):
        raise InvalidInputError(
            f"the tree must be of {by} linkage on {metric} for items to be placed by it; it is of {report.linkage} on"
            f" {report.metric}"
        )
    if report.algorithm.startswith("connected"):
        raise InvalidInputError("place cannot know which items are adjacent to new ones; the tree has connectivity")
    return by


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


def _check_tree(tree: Hierarchy, old: FloatArray, new: FloatArray, linkage: str) -> None:
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
    if linkage != "centroid" and not tree.is_monotone:
        raise InvalidInputError("the heights of the tree must not fall towards the root; it has inversions")


def _names(tree: Hierarchy, data: Any, names: Iterable[str] | None, count: int) -> tuple[str, ...]:
    """Return the names of the new items, refusing those of old ones."""
    given = names is None and names_within(data) is None
    new = tuple(f"new {i}" for i in range(count)) if given else name_items(data, names, count)
    taken = sorted(set(new) & set(tree.items))
    if taken:
        raise InvalidInputError(f"new items must not have the names of old ones; these are taken: {quote_first(taken)}")
    return new


class _Scaled(NamedTuple):
    """Points brought near 1 by powers of two, so that no square overflows or underflows.

    ``old`` are the old points, shifted and times ``2 ** -exponent``. Each row of ``new`` has an exponent of its own in
    ``exponents``, as large or larger; ``factor`` takes the old points to the units of each row.
    """

    old: FloatArray
    new: FloatArray
    exponent: int
    exponents: IntArray
    factor: FloatArray


def _scale(old: FloatArray, new: FloatArray) -> _Scaled:
    """Return both sets of points, scaled and shifted."""
    exponent = scale_of(old if old.any() else new)
    scaled = scale_by(old, -exponent)
    offset = offset_of(scaled)
    own = np.frexp(np.abs(new).max(axis=1))[1].astype(np.int64)
    exponents = np.maximum(own, exponent)
    factor = np.ldexp(1.0, exponent - exponents)[:, np.newaxis]
    shifted = np.ldexp(new, -exponents[:, np.newaxis]) - offset * factor
    return _Scaled(scaled - offset, shifted, exponent, exponents, factor)


def _nearest(points: _Scaled) -> IntArray:
    """Return the old point nearest to each new one; those very far away are drawn in, where all are as near."""
    from scipy.spatial import cKDTree

    drawn_in = np.ldexp(points.new, np.minimum(points.exponents - points.exponent, _FAR)[:, np.newaxis])
    nearest: IntArray = cKDTree(points.old).query(drawn_in, workers=-1)[1]
    return nearest


def _form(tree: Hierarchy, points: _Scaled, linkage: str) -> tuple[FloatArray, FloatArray]:
    """Return the centre and the spread of each node, refusing a tree that is not that of the linkage of the points."""
    centre = np.empty((tree.n_nodes, points.old.shape[1]))
    centre[tree.item_node] = points.old
    inner, children = np.flatnonzero(tree.n_children), tree.children.node.reshape(-1, 2)
    apart, spread = fill_centres(inner, children, tree.sizes, centre)
    a, b = children.T
    node, expected = np.concatenate((tree.leaves, inner)), np.zeros(tree.n_nodes)
    if linkage != "single":
        joined = _RULES[linkage].distance(apart[inner], tree.sizes[a], tree.sizes[b], spread[a] + spread[b])
        expected[tree.leaves.size :] = joined
    elif tree.n_items > 1:
        from scipy.spatial import cKDTree

        some = np.unique(np.linspace(0, tree.n_items - 1, _CHECKED).astype(np.int64))
        node = np.concatenate((tree.leaves, tree.parent[tree.item_node[some]]))
        nearest = cKDTree(points.old).query(points.old[some], 2)[0][:, 1]
        expected = np.concatenate((np.zeros(tree.leaves.size), nearest))
    _check_heights(tree, node, expected, linkage, points.exponent)
    return centre, spread


def _check_heights(tree: Hierarchy, node: IntArray, expected: FloatArray, linkage: str, exponent: int) -> None:
    """Refuse the first of some nodes whose height is not as expected, in scaled units."""
    assert tree.height is not None
    units = _RULES[linkage].power * exponent
    with np.errstate(over="ignore", invalid="ignore"):
        given, top = np.ldexp(tree.height[node], -units), np.ldexp(tree.height[-1], -units)
        near = np.abs(given - expected) <= _LOOSE * (np.maximum(np.abs(given), expected) + top / 10)
    if near.all():
        return
    v = int(node[~near].min())
    name = f" ('{printable(tree.node_names[v])}')" if tree.node_names and tree.node_names[v] else ""
    with np.errstate(over="ignore"):
        wanted = np.ldexp(expected[(node == v) & ~near][0], units)
    raise InvalidInputError(
        f"the tree must be that of {linkage} linkage of the old points on {_RULES[linkage].metric}, in its order; node"
        f" {v}{name} has height {tree.height[v]:.6g}, its points say {wanted:.6g}"
    )


def _climb(tree: Hierarchy, points: _Scaled, linkage: str) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return the node that each new item joins, the height, and the doubt."""
    assert tree.height is not None
    formed, rule = tree.height, _RULES[linkage]
    centre, spread = _form(tree, points, linkage)
    nearest = _nearest(points)

    def distance(which: IntArray, at: IntArray) -> FloatArray:
        """Return the distances of some new items from some nodes, in the units of the items."""
        gap = points.new[which] - centre[at] * points.factor[which]
        lifted = spread[at] * points.factor[which, 0] ** 2
        return rule.distance(np.einsum("ij,ij->i", gap, gap), tree.sizes[at], 1, lifted)

    def in_height(values: FloatArray, which: IntArray) -> FloatArray:
        """Return distances of some new items in the units of the heights."""
        with np.errstate(over="ignore"):
            lifted: FloatArray = np.ldexp(values, rule.power * points.exponents[which])
        return lifted

    everyone = np.arange(len(nearest))
    node = tree.item_node[nearest]
    joined = in_height(distance(everyone, node), everyone)
    climbing = everyone
    while climbing.size:
        climbing = climbing[node[climbing] != tree.root]
        climbing = climbing[joined[climbing] > formed[tree.parent[node[climbing]]]]
        node[climbing] = tree.parent[node[climbing]]
        if linkage != "single":
            joined[climbing] = in_height(distance(climbing, node[climbing]), climbing)
    height = np.maximum(in_units(joined, 0), formed[node])
    return node, height, _doubt(tree, node, height, lambda at: distance(everyone, at))


def _doubt(
    tree: Hierarchy, node: IntArray, height: FloatArray, distance: Callable[[IntArray], FloatArray]
) -> FloatArray:
    """Return the doubt of each new item, given its node, its height and its distances from nodes."""
    assert tree.height is not None
    children = tree.children.node.reshape(-1, 2)
    sibling = np.full(tree.n_nodes, tree.root)
    sibling[children[:, 0]], sibling[children[:, 1]] = children[:, 1], children[:, 0]
    here, beside = distance(node), distance(sibling[node])
    ratio = np.divide(here, beside, out=np.ones_like(here), where=here < beside)
    outside = 1.0 - np.divide(tree.height[-1], height, out=np.ones_like(height), where=height > 0.0)
    return np.where(node == tree.root, outside, ratio)


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
