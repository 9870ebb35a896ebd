"""The partial-order F-score: ordered pairs of items, the first at the node of the second or below it."""

from __future__ import annotations

import numpy as np

from dendrometry._kernels.measures import partial_order_f as kernels
from dendrometry._typing import IntArray
from dendrometry.errors import UndefinedMeasureError
from dendrometry.io.coerce import HierarchyLike, as_hierarchies
from dendrometry.measures.measure import Measure
from dendrometry.measures.score import Score, f_score
from dendrometry.tree_pair.pair import Pair, Tree
from dendrometry.tree_pair.spans import Spans, spans
from dendrometry.tree_pair.statistics import PairStatistics


def partial_order_f(a: HierarchyLike, b: HierarchyLike) -> float:
    """Partial order F-score: ordered pairs of items, the first at the node of the second or below it.

    ``2 T / (P + Q)``, where P and Q are the numbers of pairs so related in ``a`` and in ``b``, and T that in both. If
    all items are in leaves, it equals `classic_f`.

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
        If no two items are related in either tree, as in two dendrograms.

    Notes
    -----
    O(n log n) time, exact up to the final division.

    References
    ----------
    .. [1] M. Spytkowski, L. P. Olech, H. Kwasnicka, "Hierarchy of Groups Evaluation Using Different F-score
       Variants", ACIIDS 2016, section 3.3.

    Examples
    --------
    >>> from dendrometry import from_parents, partial_order_f
    >>> chain = from_parents([1, 2, -1], [0, 1, 2])
    >>> star = from_parents([2, 2, -1], [0, 1, 2])
    >>> partial_order_f(chain, star)
    0.8
    """
    a, b = as_hierarchies(a, b)
    return score(PairStatistics(Pair.of_trees(a, b))).value


def score(statistics: PairStatistics) -> Score:
    """Return the score with its expectation."""
    pair = statistics.pair
    in_a, in_b = (_related_pairs(tree, pair.n_items) for tree in (pair.a, pair.b))
    if not in_a + in_b:
        raise UndefinedMeasureError(
            "an item must lie at or below the node of another in some tree; no two items are related"
        )
    return f_score(_pairs_related_in_both(pair), in_a, in_b, pair.n_items)


def _related_pairs(tree: Tree, n_items: int) -> int:
    """Return the number of ordered pairs of different items whose first lies at or below the node of the second."""
    return int((tree.own * tree.size).sum()) - n_items


def _pairs_related_in_both(pair: Pair) -> int:
    """Return the number of ordered pairs related in both trees: for each row, the items in a rectangle of two spans."""
    at_leaves = (pair.a.n_children[pair.a.node] == 0) & (pair.b.n_children[pair.b.node] == 0)
    alone = pair.count[at_leaves]
    total = int((alone * alone).sum()) - pair.n_items
    asking = np.flatnonzero(~at_leaves)
    if asking.size:
        in_a, in_b = spans(pair.a), spans(pair.b)
        queries = _queries(pair, asking, in_a, in_b)
        total += int(kernels.sum_in_rectangles(in_b.place[in_a.row], pair.count[in_a.row], queries))
    return total


def _queries(pair: Pair, asking: IntArray, in_a: Spans, in_b: Spans) -> kernels.Queries:
    """Return each rectangle as the difference of two counts, at the end and the start of its span in the first tree."""
    node_a, node_b, count = pair.a.node[asking], pair.b.node[asking], pair.count[asking]
    time = np.concatenate((in_a.high[node_a], in_a.low[node_a]))
    order = np.argsort(time, kind="stable")
    low, high = (np.tile(bound[node_b], 2)[order] for bound in (in_b.low, in_b.high))
    return kernels.Queries(time[order], low, high, np.concatenate((count, -count))[order])


MEASURE = Measure(
    call=partial_order_f,
    of="trees",
    symbol="PO-F",
    title="Partial-order F",
    aliases=("Ancestor-F1", "ancestor F", "ancestor pairs F1"),
    score=score,
    triangle=False,
    refuses_dendrograms=True,
    meaning="agreement on which items lie at or below the node of another",
    formula="PO-F = 2T / (P + Q)\nrelated: ordered pairs (i, j) with i at the node of j or below it",
    chance="PQ / (N (P + Q)), exact",
    source="Spytkowski et al. 2016",
    bibtex="spytkowski2016",
)
