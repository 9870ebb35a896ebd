"""The classic F-score: pairs of items that share their node."""

from __future__ import annotations

from dendrometry.errors import UndefinedMeasureError
from dendrometry.io.coerce import HierarchyLike, as_hierarchies
from dendrometry.measures.measure import Measure
from dendrometry.measures.score import Score, f_score
from dendrometry.tree_pair.pair import Pair
from dendrometry.tree_pair.statistics import PairStatistics


def classic_f(a: HierarchyLike, b: HierarchyLike) -> float:
    """Classic F-score: pairs of items that share their node.

    ``2 T / (P + Q)``, where P and Q are the numbers of pairs at one node in ``a`` and in ``b``, and T that in both. It
    depends only on which items share a node, not on the relations of the nodes.

    Parameters
    ----------
    a, b : Hierarchy, or anything that `as_hierarchy` takes
        Two trees over the same items.

    Returns
    -------
    float
        From 0 to 1. Higher is more alike. Symmetric.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.
    UndefinedMeasureError
        If no two items share a node in either tree, as in two dendrograms.

    Notes
    -----
    O(n log n) time, exact up to the final division.

    References
    ----------
    .. [1] M. Spytkowski, L. P. Olech, H. Kwasnicka, "Hierarchy of Groups Evaluation Using Different F-score
       Variants", ACIIDS 2016, equation 4.

    Examples
    --------
    >>> from dendrometry import classic_f, from_labels
    >>> classic_f(from_labels([0, 0, 0, 1]), from_labels([0, 0, 1, 1]))
    0.4
    """
    a, b = as_hierarchies(a, b)
    return score(PairStatistics(Pair.of_trees(a, b))).value


def score(statistics: PairStatistics) -> Score:
    """Return the score with its expectation."""
    pair = statistics.pair
    both, in_a, in_b = (int((count * (count - 1)).sum()) for count in (pair.count, pair.a.own, pair.b.own))
    if not in_a + in_b:
        raise UndefinedMeasureError("two items must share a node in some tree; every item has a node of its own")
    return f_score(both, in_a, in_b, pair.n_items)


MEASURE = Measure(
    call=classic_f,
    of="trees",
    symbol="F",
    title="Classic F",
    aliases=("pair counting F of trees",),
    score=score,
    triangle=False,
    refuses_dendrograms=True,
    meaning="agreement on which pairs of items share a node",
    formula="F = 2T / (P + Q)\nrelated: unordered pairs of items that share their node",
    chance="2PQ / (N (P + Q)), exact",
    source="Spytkowski et al. 2016",
    bibtex="spytkowski2016",
)
