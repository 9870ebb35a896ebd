"""Compare two hierarchies by every measure that applies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dendrometry._check.choices import some_of
from dendrometry._kernels._jit import IntArray
from dendrometry.comparison.comparison import Comparison
from dendrometry.comparison.partition_part import PartitionPart
from dendrometry.contingency import Contingency
from dendrometry.errors import InvalidInputError
from dendrometry.hierarchy import Hierarchy
from dendrometry.measures.registry import MEASURES, PARTITION_MEASURES, TREE_MEASURES, measures_named
from dendrometry.overlap import OnMismatch, Overlap, Side

__all__ = ["compare", "compare_overlap", "is_flat"]


def compare(
    a: Hierarchy,
    b: Hierarchy,
    *,
    names: tuple[str, str] | None = None,
    measures: Sequence[str] | None = None,
    on_mismatch: OnMismatch = "error",
) -> Comparison:
    """Return how alike two hierarchies are by every measure that applies, and where they differ.

    Two flat clusterings (no heights, all items right below the root) are compared by the measures of partitions, any
    other trees by those of trees. Who asks for measures by name may ask for either kind.

    Parameters
    ----------
    a, b : Hierarchy
        Two trees over the same items; where a measure needs a reference, it is ``a``.
    names : pair of str, optional
        What to call the two in all that the result says.
    measures : sequence of str, optional
        The names of the measures wanted, all of trees or all of partitions; by default all that apply, see
        `dendrometry.measures.MEASURES`.
    on_mismatch : {"error", "intersect"}
        What to do if the trees do not hold the same items: refuse, or compare the common ones. How many were left
        out stands in the result.

    Returns
    -------
    Comparison
        A verdict in one sentence; each measure with its value, its expectation by chance and its adjusted value; the
        stages; the part of every item in the disagreement; the best match of every cluster of ``a``; for flat
        clusterings, their overlaps. A measure that does not apply says why. Only the measures are computed at once, the
        rest when it is first asked for.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items, or with "intersect" none in common.
    InvalidInputError
        If there is no measure of a given name, measures of trees and of partitions are asked for at once, or measures
        of partitions for trees that are not flat.

    Notes
    -----
    O(n log n) time, but for two measures: `cophenetic_correlation`, and the matching of clusters, which takes n times
    the mean depth of ``a``; it is left out, and says so, where that is more than 500,000,000 steps.

    Examples
    --------
    >>> from dendrometry import compare, from_newick
    >>> a = from_newick("(((ape:1,cat:1):1,elk:2):1,owl:3);")
    >>> b = from_newick("((ape:1,cat:1):2,(elk:2,owl:2):1);")
    >>> result = compare(a, b, names=("traits", "genes"))
    >>> result.verdict.split(";")[1]
    " 1 of traits's 2 clusters also occurs in genes."
    >>> result["hierarchy_agreement"].value
    0.875
    >>> result["classic_f"].reason
    'two items must share a node in some tree; every item has a node of its own'
    >>> result.item_disagreement.worst(1)
    [('elk', 0.0625)]
    """
    overlap = Overlap.of(a, b, on_mismatch=on_mismatch)
    if not _asks_for_partitions(a, b, measures):
        return compare_overlap(overlap, names=names, measures=measures)
    for tree, which in ((a, "first"), (b, "second")):
        if not is_flat(tree):
            raise InvalidInputError(
                f"for measures of partitions the {which} tree must be flat, without heights and with all items right"
                f" below the root; got {tree!r}"
            )
    wanted = measures_named(measures, "partitions")
    if measures is None:
        wanted = [measure for measure in wanted if not measure.needs_bound]
    return Comparison(overlap, tuple(wanted), names, PartitionPart(_table(overlap)))


def compare_overlap(
    overlap: Overlap, *, names: tuple[str, str] | None = None, measures: Sequence[str] | None = None
) -> Comparison:
    """Return the comparison of an overlap that is already there, for instance one counted by a database.

    Parameters
    ----------
    overlap : Overlap
        How many items two trees hold at each pair of nodes; up to 3,037,000,499 items, in up to 536,870,912
        rows.
    names : pair of str, optional
        What to call the two trees in all that the result says.
    measures : sequence of str, optional
        The names of the measures of trees wanted; by default all of `dendrometry.measures.TREE_MEASURES`.

    Returns
    -------
    Comparison
        As by `compare`; the part of every item is None if the overlap does not list the items, and the stages are None
        for more than 100,000,000 items.

    Raises
    ------
    InvalidInputError
        If this is no overlap, there is no measure of a given name, or there are more items than pairs can be counted
        for.

    Examples
    --------
    >>> from dendrometry import Overlap
    >>> from dendrometry.comparison import compare_overlap
    >>> overlap = Overlap.from_triples([2, 2, -1], [2, 2, -1], [(0, 0, 600), (0, 1, 10), (1, 1, 390)])
    >>> round(compare_overlap(overlap)["classic_f"].value, 4)
    0.981
    """
    if not isinstance(overlap, Overlap):
        raise InvalidInputError(f"compare_overlap takes an Overlap; got {type(overlap).__name__}")
    return Comparison(overlap, tuple(measures_named(measures, "trees")), names)


def is_flat(tree: Hierarchy) -> bool:
    """Whether a hierarchy is a flat clustering: no heights, and all items in nodes right below the root, or all in it.

    Examples
    --------
    >>> from dendrometry import from_labels, from_newick
    >>> from dendrometry.comparison.compare import is_flat
    >>> is_flat(from_labels([0, 0, 1])), is_flat(from_newick("((a,b),c);"))
    (True, False)
    """
    owned = tree.own_sizes[-1]
    return tree.height is None and int(tree.depths.max()) <= 1 and owned in (0, tree.n_items)


def _asks_for_partitions(a: Hierarchy, b: Hierarchy, measures: Sequence[str] | None) -> bool:
    """Whether to compare the trees as flat clusterings: if the measures are of these, or else if both are flat."""
    if measures is None:
        return is_flat(a) and is_flat(b)
    names = some_of(measures, "measures", MEASURES)
    of_trees, of_partitions = ([name for name in names if name in kind] for kind in (TREE_MEASURES, PARTITION_MEASURES))
    if of_trees and of_partitions:
        raise InvalidInputError(
            "measures of trees and of partitions must be asked for one kind at a time; got"
            f" {', '.join(of_trees)} of trees, and {', '.join(of_partitions)} of partitions"
        )
    return bool(of_partitions)


def _table(overlap: Overlap) -> Contingency:
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
