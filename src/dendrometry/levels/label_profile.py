"""Profiles of a tree against flat labels: measures of the labels and the cuts of the tree, at every level."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._check.arrays import Frozen, read_only
from dendrometry._check.choices import one_of, suggestion
from dendrometry._check.names import names_within
from dendrometry._display import plain_signature, plural, quote_first
from dendrometry._extras import require
from dendrometry._html import preview
from dendrometry._kernels.tree import depths
from dendrometry._tabular import Tabular
from dendrometry._typing import FloatArray, IntArray
from dendrometry.errors import InvalidInputError, ItemMismatchError, Remedy, UnknownNameError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.coerce import HierarchyLike, as_hierarchy
from dendrometry.io.formats.labels import from_labels
from dendrometry.measures.measure import Measure
from dendrometry.measures.registry import MEASURES, measures_named
from dendrometry.overlap import overlap_of_same_items
from dendrometry.tree_pair.contraction import contract, rank_formed
from dendrometry.tree_pair.levels import Levels
from dendrometry.tree_pair.pair import Pair, Tree, heights_formed

LevelOrder = Literal["height", "size", "depth"]
_DEFAULT = ("adjusted_rand", "adjusted_mutual_information", "v_measure", "b_cubed")


@plain_signature
class BestCut(NamedTuple):
    """The cut of a tree that agrees best with the labels by one measure: an upper bound, since the labels chose it."""

    measure: str
    n_clusters: int
    value: float


@dataclass(frozen=True, eq=False, repr=False)
class LabelProfile(Frozen, Tabular):
    """Measures of flat labels and the cuts of a tree, one value for each level of the tree.

    Attributes
    ----------
    n_items, n_classes : int
        The numbers of items and of distinct labels.
    order : {"height", "size", "depth"}
        The order in which the nodes of the tree merge, and so what its levels are.
    n_clusters : (n_levels,) array of int
        The numbers of clusters that a cut of the tree has, ascending; levels that do not exist are left out.
    value : dict of (n_levels,) arrays of float
        For each measure, its value at each level; the labels are the first partition, the cut is the second.
    """

    n_items: int
    n_classes: int
    order: LevelOrder
    n_clusters: IntArray
    value: dict[str, FloatArray]

    def __getitem__(self, measure: str) -> FloatArray:
        """Return the values of one measure."""
        return self.value[one_of(measure, "measure", self.value, which="one of this profile: ", error=UnknownNameError)]

    def best_cut(self, measure: str) -> BestCut:
        """Return the level with the best value of a measure, the coarsest of several.

        This is an upper bound, not what the tree would score: the labels that judge the cut have also chosen it. To
        score a tree, choose the cut without the labels, or compare whole profiles.
        """
        values = self[measure]
        at = int(values.argmin() if MEASURES[measure].kind == "distance" else values.argmax())
        return BestCut(measure, int(self.n_clusters[at]), float(values[at]))

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each level."""
        pd = require("pandas", extra="tables", for_="to_frame()")

        return pd.DataFrame({"n_clusters": self.n_clusters, **self.value})

    def _repr_html_(self) -> str:
        columns = {name: values.tolist() for name, values in self.value.items()}
        return preview(repr(self), {"n_clusters": self.n_clusters.tolist(), **columns})

    def __repr__(self) -> str:
        items, classes = plural(self.n_items, "item"), f"{self.n_classes:,} class{'' if self.n_classes == 1 else 'es'}"
        return f"LabelProfile({items}, {classes}, {plural(self.n_clusters.size, 'level')} by {self.order})"


def label_profile(
    tree: HierarchyLike,
    labels: ArrayLike | Mapping[Any, Any],
    measures: Sequence[str] | None = None,
    *,
    order: LevelOrder | None = None,
) -> LabelProfile:
    """Return measures of flat labels and the cuts of a tree, at every number of clusters that a cut of it has.

    Parameters
    ----------
    tree : Hierarchy, or anything that `as_hierarchy` takes
        The tree, with or without heights.
    labels : (n_items,) array-like, pandas.Series, or mapping from item to label
        The class of each item, in the order of ``tree.items``; those of a mapping, or of a Series with names in its
        index, are matched by name.
    measures : sequence of str, optional
        The names of measures of partitions that can be followed from level to level; by default adjusted_rand,
        adjusted_mutual_information, v_measure and b_cubed. The labels are the first partition of each. Other measures
        are computed for the cuts that `cut_counts` returns.
    order : {"height", "size", "depth"}, optional
        How the levels are formed: by heights, merging what is lower first; by the numbers of items, smaller clusters
        first; or by the depth of nodes below the root, deeper ones first, so that a level is all nodes of one depth.
        Nodes that tie merge at once. By default "height", or "size" for a tree without heights; the result says which.

    Returns
    -------
    LabelProfile
        The values at each level, from one cluster to all items alone.

    Raises
    ------
    InvalidInputError
        If a label is missing, a measure is unknown or cannot be followed, or the order is "height" and the tree has no
        heights.
    ItemMismatchError
        If there is not one label for each item of the tree.
    UndefinedMeasureError
        For adjusted_mutual_information, if its expectation would take more than 1,000,000,000 steps.

    Notes
    -----
    One walk over the tree for all levels and measures, O(n log n) time; adjusted_mutual_information takes further steps
    for each pair of different sizes of a cluster and a class. Where very many clusters differ in size, the expectations
    of most are interpolated, with a relative error below 1e-10.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.levels import label_profile
    >>> tree = from_newick("(((ape:1,cat:1):1,elk:2):1,owl:3);")
    >>> found = label_profile(tree, {"ape": "mammal", "cat": "mammal", "elk": "mammal", "owl": "bird"})
    >>> found
    LabelProfile(4 items, 2 classes, 4 levels by height)
    >>> found.n_clusters.tolist(), found["adjusted_rand"].round(3).tolist()
    ([1, 2, 3, 4], [0.0, 1.0, 0.333, 0.0])
    >>> found.best_cut("adjusted_rand")
    BestCut(measure='adjusted_rand', n_clusters=2, value=1.0)
    """
    tree = as_hierarchy(tree)
    chosen = [
        _need_curve(measure) for measure in measures_named(_DEFAULT if measures is None else measures, "partitions")
    ]
    if order is not None:
        one_of(order, "order", get_args(LevelOrder))
    by: LevelOrder = order or ("size" if tree.height is None else "height")
    classes = _classes(tree, labels)
    overlap = overlap_of_same_items(classes, tree)
    pair, n = Pair.of(overlap), overlap.n_items
    walk = contract(pair, lambda side: _class_moments(side, n) if side is pair.a else _moments(side, by))
    levels = Levels(overlap, walk)
    merges = np.flatnonzero((walk.time > 0) & (walk.time < n))
    at = np.append(merges[::-1], 0 if walk.time[0] == 0 else -1)  # the start, where the classes alone are formed
    value = {measure.name: read_only(_values(measure, levels)[at]) for measure in chosen}
    return LabelProfile(n, classes.leaves.size, by, read_only(levels.groups[1][at]), value)


def _need_curve(measure: Measure) -> Measure:
    """Return a measure, refusing one that cannot be followed from level to level."""
    if measure.needs_bound or (measure.curve is None and measure.label_curve is None):
        raise InvalidInputError(
            "the measures must be such that can be followed through all levels, as adjusted_rand can;"
            f" got {measure.name}, which is computed for one cut at a time"
        )
    return measure


def _classes(tree: Hierarchy, labels: ArrayLike | Mapping[Any, Any]) -> Hierarchy:
    """Return the labels as a flat tree over the items of another tree."""
    classes = from_labels(labels, noise="label")  # classes are known, so that -1 is one of them
    if names_within(labels) is not None:
        _check_named(tree.items, classes.items)
        return classes
    if classes.n_items != tree.n_items:
        raise ItemMismatchError(
            f"there must be one label for each of {plural(tree.n_items, 'item')}; got {classes.n_items:,}"
        )
    return replace(classes, items=tree.items)


def _check_named(items: tuple[str, ...], labelled: tuple[str, ...]) -> None:
    """Refuse labels that do not name each item of the tree, or name others."""
    missing, strange = sorted(set(items).difference(labelled)), sorted(set(labelled).difference(items))
    parts, hint = [], suggestion(strange[0], missing) if strange else ""
    if missing:
        parts.append(f"{plural(len(missing), 'item')} of the tree without a label: {quote_first(missing)}")
    if strange:
        parts.append(f"{plural(len(strange), 'label')} of what is not an item: {quote_first(strange)}")
    if parts:
        raise ItemMismatchError(f"{hint}the labels must be those of the items of the tree; got {'; '.join(parts)}")


def _class_moments(classes: Tree, n_items: int) -> IntArray:
    """Return when the classes are formed: before everything else; and their root, after everything else."""
    return np.where(classes.n_children == 0, 0, n_items)


def _moments(tree: Tree, order: LevelOrder) -> IntArray:
    """Return the number of merges done when each node is formed, in an order of nodes."""
    if order == "height":
        formed = heights_formed(tree)
        if formed is None:
            remedies = (Remedy("order", way, "needs none") for way in ("size", "depth"))
            raise InvalidInputError("the tree must have heights to be cut in their order; it has none", *remedies)
        return rank_formed(tree, formed)
    return rank_formed(tree, tree.size if order == "size" else -depths(tree.parent))


def _values(measure: Measure, levels: Levels) -> FloatArray:
    """Return a measure at every tick, and last at the start, where every item is alone in both partitions."""
    curve = measure.curve or measure.label_curve
    assert curve is not None
    start = math.log(levels.n) if measure.identical is None else measure.identical
    return np.append(curve(levels), start)
