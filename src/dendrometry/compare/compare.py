"""Compare two hierarchies by every measure that applies."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from dendrometry.compare.comparison import Comparison, Line
from dendrometry.compare.f_scores import classes_of
from dendrometry.compare.item_disagreement import disagreement_by_size
from dendrometry.compare.matches import steps_to_match
from dendrometry.compare.pair import Pair, Tree
from dendrometry.compare.readings import Readings
from dendrometry.compare.registry import MEASURES, Measure, measure_named
from dendrometry.compare.stages import Stages
from dendrometry.errors import UndefinedMeasureError
from dendrometry.hierarchy import Hierarchy
from dendrometry.overlap import Overlap

__all__ = ["MOST_STEPS", "compare", "compare_overlap"]

MOST_STEPS = 500_000_000  # of matching clusters, about 20 seconds


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
        The names of the measures wanted; by default all of `dendrometry.MEASURES`.
    on_mismatch : {"error", "intersect"}
        What to do if the trees do not hold the same items: refuse, or compare the common ones. How many were left
        out stands in the result.

    Returns
    -------
    Comparison
        Each measure with its value, its expectation by chance and its adjusted value; the stages; the part of every
        item in the disagreement; the best match of every cluster of ``a``. A measure that does not apply says why.

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
    'classic_f needs two items at one node in some tree; here every item has a node of its own'
    >>> result.item_disagreement.worst(1)
    [('elk', 0.0625)]
    """
    return compare_overlap(Overlap.of(a, b, on_mismatch=on_mismatch), measures=measures)


def compare_overlap(overlap: Overlap, *, measures: Sequence[str] | None = None) -> Comparison:
    """Return the comparison of an overlap that is already there, for instance one counted by a database.

    Parameters
    ----------
    overlap : Overlap
        How many items two trees hold at each pair of nodes; up to 3,037,000,499 items.
    measures : sequence of str, optional
        The names of the measures wanted; by default all of `dendrometry.MEASURES`.

    Returns
    -------
    Comparison
        As by `compare`; the part of every item is None if the overlap does not list the items.

    Raises
    ------
    InvalidInputError
        If there is no measure of a given name, or there are more items than pairs can be counted for.

    Examples
    --------
    >>> from dendrometry import Overlap, compare_overlap
    >>> overlap = Overlap.from_triples([2, 2, -1], [2, 2, -1], [(0, 0, 600), (0, 1, 10), (1, 1, 390)])
    >>> round(compare_overlap(overlap)["classic_f"].value, 4)
    0.981
    """
    wanted = [measure_named(name) for name in (MEASURES if measures is None else measures)]
    readings = Readings(Pair.of(overlap))
    pair = readings.pair
    too_deep = steps_to_match(pair) > MOST_STEPS
    lines = [_line(measure, readings, too_deep) for measure in wanted]
    return Comparison(
        n_items=pair.n_items,
        left_out=overlap.left_out,
        ties=(_n_tied(pair.a), _n_tied(pair.b)),
        inversions=(_n_inverted(pair.a), _n_inverted(pair.b)),
        classes=classes_of(pair),
        lines=tuple(lines),
        stages=_stages(readings),
        item_disagreement=disagreement_by_size(overlap, readings.by_size) if overlap.items else None,
        matches=None if too_deep else replace(readings.matches, overlap=overlap),
    )


def _line(measure: Measure, readings: Readings, too_deep: bool) -> Line:
    """Return one measure, or why it has no value."""
    if measure.name == "hierarchical_f" and too_deep:
        return Line(measure.name, None, "the first tree is so deep that matching its clusters would take very long")
    try:
        return Line(measure.name, measure.score(readings), "")
    except UndefinedMeasureError as error:
        return Line(measure.name, None, str(error))


def _stages(readings: Readings) -> Stages | None:
    """Return the stages, or None where they are undefined."""
    try:
        return readings.stages
    except UndefinedMeasureError:
        return None


def _n_tied(tree: Tree) -> int:
    """Return how many merges share their height with another merge."""
    if tree.height is None:
        return 0
    height = tree.height[tree.parts > 1]
    _, counts = np.unique(height, return_counts=True)
    return int(counts[counts > 1].sum())


def _n_inverted(tree: Tree) -> int:
    """Return how many nodes lie lower than a child of theirs."""
    if tree.height is None:
        return 0
    return np.unique(tree.parent[:-1][tree.height[tree.parent[:-1]] < tree.height[:-1]]).size
