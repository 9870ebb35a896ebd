"""Compare two flat clusterings by every measure."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dendrometry._check.names import name_column
from dendrometry._kernels._jit import IntArray
from dendrometry.comparison.partition_comparison import PartitionComparison, PartitionLine
from dendrometry.contingency import Contingency, as_contingency
from dendrometry.errors import InvalidInputError
from dendrometry.hierarchy import Hierarchy
from dendrometry.measures.partitions.information.bounded_variation_similarity import check_bound
from dendrometry.measures.partitions.readings import PartitionReadings
from dendrometry.measures.registry import measures_named
from dendrometry.overlap import Overlap, Side

__all__ = ["compare_partitions", "is_flat"]


def compare_partitions(
    a: ArrayLike | Contingency | Hierarchy,
    b: ArrayLike | Hierarchy | None = None,
    *,
    item_names: Iterable[str] | None = None,
    measures: Sequence[str] | None = None,
    max_clusters: int | None = None,
    on_mismatch: Literal["error", "intersect"] = "error",
) -> PartitionComparison:
    """Return how alike two flat clusterings are by every measure, beside chance, and where they differ.

    Parameters
    ----------
    a, b : (n_items,) array-like, or flat Hierarchy
        The label of each item in the first and in the second clustering, matched by position; or two flat
        hierarchies, as by `from_labels` or `read`, matched by the names of their items; or a `Contingency` alone.
    item_names : iterable of str, optional
        The names of the items, where labels are given; by default "0", "1", and so on.
    measures : sequence of str, optional
        The names of the measures wanted; by default all of `dendrometry.measures.PARTITION_MEASURES`.
    max_clusters : int, optional
        The most clusters that a partition may have; `bounded_variation_similarity` needs it, and is left out without.
    on_mismatch : {"error", "intersect"}
        What to do if two hierarchies do not hold the same items: refuse, or compare the common ones.

    Returns
    -------
    PartitionComparison
        Each measure with its value, its mean over all relabellings of the items where there is a formula, and its
        adjusted value; the overlaps, components and items that differ. It prints, shows in a notebook, and becomes a
        DataFrame, JSON, or a report.

    Raises
    ------
    InvalidInputError
        If labels or names cannot be used, a hierarchy is not flat, there is no measure of a given name, or
        ``max_clusters`` is too small.
    ItemMismatchError
        If the clusterings do not hold the same items.

    Notes
    -----
    O(n), the matching of `classification_accuracy`, and the expected mutual information, which is left out where the
    clusters are of so many different sizes that it would take long.

    Examples
    --------
    >>> from dendrometry.comparison import compare_partitions
    >>> result = compare_partitions(["x", "x", "x", "y", "y", "z"], [1, 1, 2, 2, 2, 3])
    >>> result["adjusted_rand"].value, result["rand"].expected
    (0.3181818181818182, 0.6088888888888888)
    >>> print(result["split_merge"].sentence)
    How far clusters are split and merged, overlap by overlap: 0.4766.
    >>> result.facts()[1]
    '1 cluster in both; 1 of the first split, 1 of the second merged'
    """
    left_out = (0, 0)
    if isinstance(a, Hierarchy) or isinstance(b, Hierarchy):
        if item_names is not None:
            raise InvalidInputError("item_names are for labels; hierarchies hold the names of their items")
        overlap = _met(a, b, on_mismatch)
        table, names, left_out = _table_of(overlap), overlap.items, overlap.left_out
    else:
        table = as_contingency(a, b)
        names = _names(table, item_names)
        left_out = (table.left_out, table.left_out)
    bound = None if max_clusters is None else check_bound(max(table.n_a, table.n_b), max_clusters)
    wanted = measures_named(measures, "partitions")
    if bound is None and measures is None:
        wanted = [measure for measure in wanted if not measure.needs_bound]
    readings = PartitionReadings(table, bound)
    lines = tuple(PartitionLine(measure.name, measure.score(readings)) for measure in wanted)
    return PartitionComparison(table, names, lines, left_out)


def is_flat(tree: Hierarchy) -> bool:
    """Whether a hierarchy is a flat clustering: no heights, and all items in nodes right below the root, or all in it.

    Examples
    --------
    >>> from dendrometry import from_labels, from_newick
    >>> from dendrometry.comparison.partitions import is_flat
    >>> is_flat(from_labels([0, 0, 1])), is_flat(from_newick("((a,b),c);"))
    (True, False)
    """
    owned = tree.own_sizes[-1]
    return tree.height is None and int(tree.depths.max()) <= 1 and owned in (0, tree.n_items)


def _met(a: object, b: object, on_mismatch: Literal["error", "intersect"]) -> Overlap:
    """Return two flat hierarchies, met by the names of their items."""
    for tree, which in ((a, "first"), (b, "second")):
        if not isinstance(tree, Hierarchy):
            raise InvalidInputError(
                f"give two labelings or two hierarchies; the {which} is {'missing' if tree is None else 'no hierarchy'}"
            )
        if not is_flat(tree):
            raise InvalidInputError(
                f"the {which} tree must be flat, without heights and with all items right below the root (compare()"
                f" takes any trees); got {tree!r}"
            )
    return Overlap.of(a, b, on_mismatch=on_mismatch)  # type: ignore[arg-type]


def _table_of(overlap: Overlap) -> Contingency:
    """Return the table of two flat trees; clusters are called by the names of their nodes, else by number."""
    sides = ((overlap.a, overlap.node_names[0]), (overlap.b, overlap.node_names[1]))
    first, second = (_labels(side, names)[overlap.item_row] for side, names in sides)
    return Contingency.of(first, second)


def _labels(side: Side, names: tuple[str, ...]) -> NDArray[Any] | IntArray:
    """Return the label of each row: the name of its node where all nodes have names of their own, else its number."""
    held = np.unique(side.node).tolist()
    used = {names[v] for v in held} if names else set()
    if "" in used or len(used) < len(held):
        return side.node
    return np.array(names, dtype=object)[side.node]


def _names(table: Contingency, item_names: Iterable[str] | None) -> tuple[str, ...]:
    """Return the names of the items in the table; none where the items are not known."""
    if table.code_a is None:
        if item_names is not None:
            raise InvalidInputError("the table holds counts that were made elsewhere, and no items to be named")
        return ()
    names = name_column(item_names, table.n_items + table.left_out)
    return names if table.kept is None else tuple(names[i] for i in table.kept.tolist())
