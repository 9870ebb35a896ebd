"""Compare two hierarchies by every measure that applies."""

from collections.abc import Sequence
from typing import Literal

from dendrometry.comparison.comparison import Comparison, Line
from dendrometry.errors import InvalidInputError, UndefinedMeasureError
from dendrometry.hierarchy import Hierarchy
from dendrometry.measures.measure import Measure
from dendrometry.measures.registry import measures_named
from dendrometry.overlap import Overlap
from dendrometry.walk.pair import Pair
from dendrometry.walk.readings import Readings

__all__ = ["compare", "compare_overlap"]


def compare(
    a: Hierarchy,
    b: Hierarchy,
    *,
    measures: Sequence[str] | None = None,
    on_mismatch: Literal["error", "intersect"] = "error",
) -> Comparison:
    """Return how alike two hierarchies are by every measure that applies, and where they differ.

    Parameters
    ----------
    a, b : Hierarchy
        Two trees over the same items; where a measure needs a reference, it is ``a``.
    measures : sequence of str, optional
        The names of the measures wanted; by default all of `dendrometry.measures.MEASURES`.
    on_mismatch : {"error", "intersect"}
        What to do if the trees do not hold the same items: refuse, or compare the common ones. How many were left
        out stands in the result.

    Returns
    -------
    Comparison
        Each measure with its value, its expectation by chance and its adjusted value; the stages; the part of every
        item in the disagreement; the best match of every cluster of ``a``. A measure that does not apply says why. Only
        the measures are computed at once, the rest when it is first asked for.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items, or with "intersect" none in common.
    InvalidInputError
        If there is no measure of a given name.

    Notes
    -----
    O(n log n) time, but for two measures: `cophenetic_correlation`, and the matching of clusters, which takes n times
    the mean depth of ``a``; it is left out, and says so, where that is more than 500,000,000 steps.

    Examples
    --------
    >>> from dendrometry import compare, from_newick
    >>> a = from_newick("(((ape:1,cat:1):1,elk:2):1,owl:3);")
    >>> b = from_newick("((ape:1,cat:1):2,(elk:2,owl:2):1);")
    >>> result = compare(a, b)
    >>> result["hierarchy_agreement"].value
    0.875
    >>> result["classic_f"].reason
    'two items at one node are needed in some tree; here every item has a node of its own'
    >>> result.item_disagreement.worst(1)
    [('elk', 0.0625)]
    """
    return compare_overlap(Overlap.of(a, b, on_mismatch=on_mismatch), measures=measures)


def compare_overlap(overlap: Overlap, *, measures: Sequence[str] | None = None) -> Comparison:
    """Return the comparison of an overlap that is already there, for instance one counted by a database.

    Parameters
    ----------
    overlap : Overlap
        How many items two trees hold at each pair of nodes; up to 3,037,000,499 items, in up to 536,870,912
        rows.
    measures : sequence of str, optional
        The names of the measures wanted; by default all of `dendrometry.measures.MEASURES`.

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
    wanted = measures_named(measures, "trees")
    readings = Readings(Pair.of(overlap))
    return Comparison(overlap, readings, tuple(_line(measure, readings) for measure in wanted))


def _line(measure: Measure, readings: Readings) -> Line:
    """Return one measure, or why it has no value."""
    if measure.cost is not None and not readings.affords(measure.cost(readings)):
        return Line(measure.name, None, f"{measure.slow} would take very long; {measure.name}() does it all the same")
    try:
        return Line(measure.name, measure.score(readings), "")
    except UndefinedMeasureError as error:
        return Line(measure.name, None, str(error))
