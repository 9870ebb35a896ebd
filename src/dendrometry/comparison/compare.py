"""Compare two hierarchies by every measure that applies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, get_args, overload

from numpy.typing import ArrayLike

from dendrometry._check.choices import one_of, some_of
from dendrometry._check.names import pair_of_names
from dendrometry.comparison.comparison import Comparison
from dendrometry.comparison.partition_part import PartitionPart
from dendrometry.engine.table_size import size_of_large
from dendrometry.errors import InvalidInputError, Remedy
from dendrometry.io.coerce import HierarchyLike, as_hierarchies
from dendrometry.measures.flat import is_flat, require_flat, table_of_flat
from dendrometry.measures.registry import MEASURES, PARTITION_MEASURES, TREE_MEASURES, measure_meant, measures_named
from dendrometry.overlap import MatchNames, OnMismatch, Overlap
from dendrometry.tree_pair.unrooted import are_unrooted
from dendrometry.unrooted import UnrootedTree

if TYPE_CHECKING:
    from dendrometry.comparison.unrooted import UnrootedComparison
    from dendrometry.engine.large import Counted


@overload
def compare(
    a: UnrootedTree,
    b: UnrootedTree,
    *,
    names: tuple[str, str] | None = None,
    measures: Sequence[str] | None = None,
    on_mismatch: OnMismatch = "error",
    match_names: MatchNames = "exact",
    n_permutations: int | None = None,
    weights: ArrayLike | Mapping[str, int] | None = None,
) -> UnrootedComparison: ...


@overload
def compare(
    a: HierarchyLike,
    b: HierarchyLike,
    *,
    names: tuple[str, str] | None = None,
    measures: Sequence[str] | None = None,
    on_mismatch: OnMismatch = "error",
    match_names: MatchNames = "exact",
    n_permutations: int | None = None,
    weights: ArrayLike | Mapping[str, int] | None = None,
) -> Comparison: ...


def compare(
    a: HierarchyLike | UnrootedTree,
    b: HierarchyLike | UnrootedTree,
    *,
    names: tuple[str, str] | None = None,
    measures: Sequence[str] | None = None,
    on_mismatch: OnMismatch = "error",
    match_names: MatchNames = "exact",
    n_permutations: int | None = None,
    weights: ArrayLike | Mapping[str, int] | None = None,
) -> Comparison | UnrootedComparison:
    """Return how alike two hierarchies are by every measure that applies, and where they differ.

    Two flat clusterings (no heights, all items directly below the root) are compared by the measures of partitions,
    any other trees by those of trees. With ``measures``, either kind can be chosen by name.

    Parameters
    ----------
    a, b : Hierarchy or UnrootedTree, or anything that `as_hierarchy` takes
        Two trees over the same items; where a measure needs a reference, it is ``a``. Two tables in files, of which
        one has 16 MiB or more, are counted as by `overlap_from_tables`, without the list of items. Two unrooted trees
        (see `io.unroot`) are compared as by `comparison.compare_unrooted`, with what it returns.
    names : pair of str, optional
        The names of the two trees in the text of the result.
    measures : sequence of str, optional
        The names of the measures to compute, all of trees or all of partitions; by default those of
        `dendrometry.measures.MEASURES` whose ``default`` is set.
    on_mismatch : {"error", "intersect", "intersect_any"}
        What to do if the trees do not contain the same items: raise an error, or compare the common items. "intersect"
        requires at least half of the items of each tree to be common, "intersect_any" a single one. The verdict begins
        with the share of the items that was compared.
    match_names : {"exact", "loose"}
        How names of items are matched. With "loose", names that only one tree has are matched if they differ only in
        case, underscores and spaces; the result says how many were.
    n_permutations : int, optional
        The number of relabellings for a p-value of every measure; 0 for none. By default only the measure on which the
        verdict is based is tested, when the verdict is asked for, with 199 relabellings up to 2,000 items, 99 up to
        20,000, and above with 99 of 10,000 items drawn at random; pairs of nodes that have items count instead, if
        there are fewer.
    weights : (n_items,) array of int, or mapping from item to int, optional
        How many items each item of ``a`` stands for, such as the copies of a text: at least 1. The measures are those
        of as many items; what describes single items is left out.

    Returns
    -------
    Comparison
        A verdict; each measure with its value, its expectation by chance and its adjusted value; the stages; each
        item's contribution to the disagreement; the best match of every cluster of ``a``; for flat clusterings, their
        overlaps. For a measure that does not apply, the reason is given. The measures are computed immediately,
        everything else on first access.

    Raises
    ------
    ItemMismatchError
        If the trees contain different items or, with "intersect", share less than half of the items of either; with
        "intersect_any", have none in common.
    InvalidInputError
        If there is no measure of a given name, if measures of trees and of partitions are requested together, if
        measures of partitions are requested for trees that are not flat, or if weights are not one whole number of at
        least 1 for each item.

    Notes
    -----
    O(n log n) time for most measures; one that would take more than 20 seconds is omitted, with the reason given.

    Examples
    --------
    >>> from dendrometry import compare, from_newick
    >>> a = from_newick("(((ape:1,cat:1):1,elk:2):1,owl:3);")
    >>> b = from_newick("((ape:1,cat:1):2,(elk:2,owl:2):1);")
    >>> result = compare(a, b, names=("traits", "genes"))
    >>> result.verdict.split(". ")[1]
    'Of the 2 clusters of traits, 1 also occurs in genes.'
    >>> result["hierarchy_agreement"].value
    0.875
    >>> result["classic_f"].reason
    'two items must share a node in some tree; every item has a node of its own'
    >>> result.item_disagreement.worst(1)
    [('elk', 0.0625)]
    """
    if are_unrooted(a, b):
        from dendrometry.comparison.unrooted import compare_unrooted  # here, since few need it

        return compare_unrooted(
            a,
            b,
            names=names,
            measures=measures,
            on_mismatch=on_mismatch,
            match_names=match_names,
            n_permutations=0 if n_permutations is None else n_permutations,
            weights=weights,
        )
    called = pair_of_names(names)
    counted = _count(a, b, on_mismatch, called) if match_names == "exact" and weights is None else None
    if counted is None:
        a, b = as_hierarchies(a, b)
        overlap = Overlap.of(a, b, on_mismatch=on_mismatch, match_names=match_names, names=called, weights=weights)
    else:
        from dendrometry.io._shared.requirements import warn_assumed  # here, since it loads a part of the formats

        overlap = counted.overlap
        says = f"{counted.size} of tables were counted by DuckDB, without the names of items"
        warn_assumed([(says, Remedy("", ..., "of each reads all rows", "read")), *counted.notes])
    return compare_overlap(overlap, names=names, measures=measures, n_permutations=n_permutations)


def _count(a: Any, b: Any, on_mismatch: OnMismatch, names: tuple[str, str] | None) -> Counted | None:
    """Return the overlap of two large tables in files, counted by DuckDB; None for all else."""
    if not size_of_large(a, b):
        return None
    from dendrometry.engine.large import count_if_large  # here, since it loads engines and formats

    one_of(on_mismatch, "on_mismatch", get_args(OnMismatch))
    return count_if_large(a, b, on_mismatch=on_mismatch, names=names)


def compare_overlap(
    overlap: Overlap,
    *,
    names: tuple[str, str] | None = None,
    measures: Sequence[str] | None = None,
    n_permutations: int | None = None,
) -> Comparison:
    """Return the comparison of two trees from their overlap, for instance one counted by a database.

    As by `compare`, flat clusterings are compared by the measures of partitions, unless ``measures`` says otherwise.

    Parameters
    ----------
    overlap : Overlap
        The number of items that the two trees share at each pair of nodes; up to 3,037,000,499 items, in up to
        536,870,912 rows.
    names : pair of str, optional
        The names of the two trees in the text of the result.
    measures : sequence of str, optional
        The names of the measures to compute, all of trees or all of partitions; by default those whose ``default`` is
        set.
    n_permutations : int, optional
        The number of relabellings for the p-values, as in `compare`.

    Returns
    -------
    Comparison
        The same as from `compare`, but the contributions of the items are None if the overlap does not list the items,
        and the stages are None for more than 100,000,000 items.

    Raises
    ------
    InvalidInputError
        If ``overlap`` is not an Overlap, if there are too many items for their pairs to be counted, or as by `compare`.

    Examples
    --------
    >>> from dendrometry import Overlap
    >>> from dendrometry.comparison import compare_overlap
    >>> overlap = Overlap.from_triples([2, 2, -1], [2, 2, -1], [(0, 0, 600), (0, 1, 10), (1, 1, 390)])
    >>> round(compare_overlap(overlap)["adjusted_rand"].value, 4)
    0.9603
    """
    if not isinstance(overlap, Overlap):
        raise InvalidInputError(f"compare_overlap takes an Overlap; got {type(overlap).__name__}")
    if not _wants_partitions(overlap, measures):
        return Comparison(overlap, tuple(measures_named(measures, "trees")), names, n_permutations=n_permutations)
    require_flat(overlap, pair_of_names(names))
    wanted = measures_named(measures, "partitions")
    if measures is None:
        wanted = [measure for measure in wanted if not measure.needs_bound]
    return Comparison(overlap, tuple(wanted), names, PartitionPart(table_of_flat(overlap)), n_permutations)


def _wants_partitions(overlap: Overlap, measures: Sequence[str] | None) -> bool:
    """Return whether to compare partitions: if the measures are of partitions, or by default if both trees are flat."""
    if measures is None:
        return is_flat(overlap.a) and is_flat(overlap.b)
    names = some_of(measures, "measures", MEASURES, meant=measure_meant)
    of_trees, of_partitions = ([name for name in names if name in kind] for kind in (TREE_MEASURES, PARTITION_MEASURES))
    if of_trees and of_partitions:
        raise InvalidInputError(
            "measures of trees and of partitions must be asked for one kind at a time; got"
            f" {', '.join(of_trees)} of trees, and {', '.join(of_partitions)} of partitions"
        )
    return bool(of_partitions)
