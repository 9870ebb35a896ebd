"""Compare two flat clusterings, given as labels or as a contingency table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._check.arrays import read_only
from dendrometry._check.names import alignment, name_items, names_within
from dendrometry._typing import IntArray
from dendrometry.comparison.comparison import Comparison
from dendrometry.comparison.partition_part import PartitionPart
from dendrometry.contingency import Contingency, as_contingency
from dendrometry.errors import InvalidInputError, Message, Remedy, advise_function
from dendrometry.hierarchy import Hierarchy
from dendrometry.io._shared.noise import NOISE, has_noise, tell_noise
from dendrometry.io._shared.requirements import warn_assumed
from dendrometry.measures.partitions.bounded_variation_similarity import check_bound
from dendrometry.measures.registry import measures_named
from dendrometry.overlap import Overlap, Side


def compare_partitions(
    a: ArrayLike | Contingency,
    b: ArrayLike | None = None,
    *,
    names: tuple[str, str] | None = None,
    item_names: Iterable[str] | None = None,
    measures: Sequence[str] | None = None,
    max_clusters: int | None = None,
    n_permutations: int | None = None,
    weights: ArrayLike | Mapping[Any, int] | None = None,
) -> Comparison:
    """Return how alike two flat clusterings are by every measure of partitions, and where they differ.

    `compare` does the same for flat clusterings given as hierarchies, whose items it matches by name.

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second clustering, matched by their index or keys if both have
        them, as in `Contingency.of`, otherwise by position; or ``a`` alone, as a `Contingency`.
    names : pair of str, optional
        The names of the two clusterings in the text of the result.
    item_names : iterable of str, optional
        The names of the items; by default the index or keys of the labels, or "0", "1", and so on.
    measures : sequence of str, optional
        The names of the measures of partitions to compute; by default those whose ``default`` is set.
    max_clusters : int, optional
        The maximum number of clusters that a partition may have; without it, `bounded_variation_similarity` is omitted.
    n_permutations : int, optional
        The number of relabellings for the p-values, as in `compare`.
    weights : (n_items,) array of int, or mapping from item to int, optional
        How many items each item stands for, as in `Contingency.of`; what describes single items is left out.

    Returns
    -------
    Comparison
        A verdict; each measure with its value, its mean over all relabellings of the items if a formula is known, and
        its adjusted value; in ``partition``, the overlaps, components and items that differ.

    Raises
    ------
    InvalidInputError
        If labels or names are invalid, there is no measure of a given name, or ``max_clusters`` is too small.
    ItemMismatchError
        If the clusterings differ in length, or both have an index or keys and these differ.

    Warns
    -----
    AssumptionWarning
        If items with the label -1, as noise has, are taken as a cluster; a `Contingency` decides about them.

    Notes
    -----
    O(n) time, plus that of the matching of `classification_accuracy` and of the expected mutual information, which is
    omitted if the clusters have too many different sizes to compute it quickly.

    Examples
    --------
    >>> from dendrometry.comparison import compare_partitions
    >>> result = compare_partitions(["x", "x", "x", "y", "y", "z"], [1, 1, 2, 2, 2, 3])
    >>> result["adjusted_rand"].value, result["rand"].expected
    (0.3181818181818182, 0.6088888888888888)
    >>> print(result["split_merge"].sentence)
    How far clusters are split and merged, overlap by overlap: 0.4766.
    >>> result.partition.n_kept, result.partition.n_differing
    (1, 1)
    """
    sides: tuple[object, ...] = (a, b)
    if any(isinstance(side, Hierarchy) for side in sides):
        raise InvalidInputError(
            "compare_partitions takes labels or a Contingency; got a Hierarchy",
            Remedy("", ..., "takes hierarchies", "compare"),
        )
    table = as_contingency(a, b) if weights is None else _weighted(a, b, weights)
    if not isinstance(a, Contingency):
        warn_assumed(_tell_noise(table))
    bound = None if max_clusters is None else check_bound(max(table.n_a, table.n_b), max_clusters)
    wanted = measures_named(measures, "partitions")
    if bound is None and measures is None:
        wanted = [measure for measure in wanted if not measure.needs_bound]
    data = a if names_within(a) is not None or alignment(a, b) is not None else b
    overlap = _overlap(table, _item_names(table, data, item_names))
    return Comparison(overlap, tuple(wanted), names, PartitionPart(table, bound), n_permutations)


def _tell_noise(table: Contingency) -> list[Message]:
    """Return which items have the label -1, as noise has, in either clustering."""
    notes: list[Message] = []
    sides = (("first", table.label_a, table.row), ("second", table.label_b, table.column))
    for which, labels, cluster in sides:
        texts = list(map(str, labels.tolist()))
        if has_noise(texts, None):
            n_noise = int(table.count[cluster == texts.index(NOISE)].sum())
            notes += [
                (f"the {which} clustering: ", *advise_function(note, "Contingency.of"))
                for note in tell_noise(n_noise, int(table.count.sum()), None)
            ]
    return notes


def _weighted(a: Any, b: Any, weights: Any) -> Contingency:
    """Return the table of two partitions whose items have weights."""
    if isinstance(a, Contingency) or b is None:
        raise InvalidInputError("weights are for two partitions; got a single argument")
    return Contingency.of(a, b, weights=weights)


def _overlap(table: Contingency, items: tuple[str, ...]) -> Overlap:
    """Return the table as an overlap of two trees of one level."""
    columns = ((table.row, table.n_a), (table.column, table.n_b))
    a, b = (Side(read_only(_flat_parents(n_clusters)), None, node) for node, n_clusters in columns)
    item_row = table.item_cell if items else np.zeros(0, dtype=np.int64)
    first, second = ((*map(str, labels.tolist()), "") for labels in (table.label_a, table.label_b))
    left_out = (table.left_out, table.left_out)
    return Overlap(a, b, table.count, items, read_only(item_row), left_out, (first, second))


def _flat_parents(n_clusters: int) -> IntArray:
    """Return the parent array of a tree with the given number of clusters below one root."""
    parent = np.full(n_clusters + 1, n_clusters, dtype=np.int64)
    parent[-1] = -1
    return parent


def _item_names(table: Contingency, data: object, item_names: Iterable[str] | None) -> tuple[str, ...]:
    """Return the names of the items in the table; empty if the items are not known."""
    if table.code_a is None:
        if item_names is not None:
            raise InvalidInputError("the table holds counts that were made elsewhere, and no items to be named")
        return ()
    names = name_items(data, item_names, table.n_items + table.left_out)
    return names if table.kept is None else tuple(names[i] for i in table.kept.tolist())
