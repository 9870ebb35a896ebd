"""Three F-scores of hierarchies: by best matching cluster, by pairs at one node, by pairs in order."""

from typing import Literal

import numpy as np

from dendrometry._check.choices import one_of
from dendrometry._kernels._jit import IntArray
from dendrometry._kernels.measures import f_scores as kernels
from dendrometry.errors import UndefinedMeasureError
from dendrometry.hierarchy import Hierarchy
from dendrometry.measures.score import Score, adjusted
from dendrometry.walk.matches import Matches, best_matches
from dendrometry.walk.pair import Pair, Tree
from dendrometry.walk.spans import Spans, spans

__all__ = [
    "classes_of",
    "classic_f",
    "classic_score",
    "hierarchical_f",
    "hierarchical_score",
    "partial_order_f",
    "partial_order_score",
]


def hierarchical_f(a: Hierarchy, b: Hierarchy, *, classes: Literal["occupied", "all"] | None = None) -> float:
    """Hierarchical F-score of ``b`` against the reference ``a``, also called Cluster F-Measure.

    For each class, a cluster of ``a``, the greatest ``F = 2 |c and k| / (|c| + |k|)`` over all clusters k of ``b``; the
    mean over classes, weighted by their sizes. Not symmetric: ``a`` is the reference.

    Parameters
    ----------
    a, b : Hierarchy
        The reference and the tree to be judged, over the same items.
    classes : {"occupied", "all"}, optional
        Which nodes of ``a`` are classes: those that own items themselves, or every node. By default "occupied" if an
        inner node of ``a`` owns items, else "all": in a dendrogram only leaves own items.

    Returns
    -------
    float
        From above 0 to 1; higher is better, 1 if every class is a cluster of ``b``. It never reaches 0.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.
    InvalidInputError
        If ``classes`` is none of the above.

    Notes
    -----
    Classes are sets of items: a unary node adds none. Costs what `cluster_matches` costs. Always defined.

    References
    ----------
    .. [1] B. Larsen, C. Aone, "Fast and effective text mining using linear-time document clustering", KDD 1999.
    .. [2] M. Spytkowski, L. P. Olech, H. Kwasnicka, "Hierarchy of Groups Evaluation Using Different F-score
       Variants", ACIIDS 2016, equations 5 and 6.

    Examples
    --------
    >>> from dendrometry import from_newick, hierarchical_f
    >>> a, b = from_newick("((ape,cat),owl);"), from_newick("((ape,owl),cat);")
    >>> hierarchical_f(a, b)
    0.95
    >>> hierarchical_f(a, b, classes="occupied")
    1.0
    """
    if classes is not None:
        one_of(classes, "classes", ("occupied", "all"), also="None")
    pair = Pair.of_trees(a, b)
    return hierarchical_score(pair, best_matches(pair), classes or classes_of(pair)).value


def classes_of(pair: Pair) -> Literal["occupied", "all"]:
    """Return which nodes of the first tree are classes by default."""
    return "occupied" if bool((pair.a.own[pair.a.n_children > 0] > 0).any()) else "all"


def hierarchical_score(pair: Pair, matches: Matches, classes: Literal["occupied", "all"]) -> Score:
    """Return the weighted mean over the chosen classes; its expectation has no known formula."""
    chosen = pair.a.own > 0 if classes == "occupied" else np.ones(pair.a.own.size, dtype=bool)
    size = matches.size[chosen]
    return Score(float((size * matches.f[chosen]).sum() / size.sum()))


def classic_f(a: Hierarchy, b: Hierarchy) -> float:
    """Classic F-score: pairs of items that share their node.

    ``2 T / (P + Q)``, with P and Q the pairs at one node in ``a`` and in ``b``, T the pairs in both. It sees which
    items lie at the same node, and nothing of how the nodes hang together.

    Parameters
    ----------
    a, b : Hierarchy
        Two trees over the same items.

    Returns
    -------
    float
        0 to 1; higher is more alike. Symmetric.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.
    UndefinedMeasureError
        If no two items share a node in either tree, as in two dendrograms.

    Notes
    -----
    O(n) time, exact up to the final division.

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
    return classic_score(Pair.of_trees(a, b)).value


def classic_score(pair: Pair) -> Score:
    """Return the classic F-score of a pair with its expectation."""
    both, in_a, in_b = (int((count * (count - 1)).sum()) for count in (pair.count, pair.a.own, pair.b.own))
    if not in_a + in_b:
        raise UndefinedMeasureError(
            "two items at one node are needed in some tree; here every item has a node of its own"
        )
    return _f_score(pair, both, in_a, in_b)


def partial_order_f(a: Hierarchy, b: Hierarchy) -> float:
    """Partial order F-score: ordered pairs of items, the first at the node of the second or below it.

    ``2 T / (P + Q)``, with P and Q the pairs so related in ``a`` and in ``b``, T those related in both. Where items
    are only in leaves it equals `classic_f`.

    Parameters
    ----------
    a, b : Hierarchy
        Two trees over the same items.

    Returns
    -------
    float
        0 to 1; higher is more alike. Symmetric.

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
    return partial_order_score(Pair.of_trees(a, b)).value


def partial_order_score(pair: Pair) -> Score:
    """Return the partial order F-score of a pair with its expectation."""
    in_a, in_b = (_related(tree, pair.n_items) for tree in (pair.a, pair.b))
    if not in_a + in_b:
        raise UndefinedMeasureError(
            "an item at or below the node of another is needed in some tree; here no two are related"
        )
    return _f_score(pair, _related_in_both(pair), in_a, in_b)


def _f_score(pair: Pair, both: int, in_a: int, in_b: int) -> Score:
    """Return 2T / (P + Q) from counts of ordered pairs."""
    value = 2 * both / (in_a + in_b)
    expected = 2 * in_a * in_b / (pair.n_items * (pair.n_items - 1) * (in_a + in_b))
    return Score(value, expected, adjusted(value, expected, 1.0))


def _related(tree: Tree, n_items: int) -> int:
    """Return the ordered pairs of different items whose first lies at the node of the second or below it."""
    return int((tree.own * tree.size).sum()) - n_items


def _related_in_both(pair: Pair) -> int:
    """Return the ordered pairs related in both trees: for each row the items in a rectangle of two spans."""
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
    """Return each rectangle as what has come when its span in the first tree ends, less what had when it began."""
    node_a, node_b, count = pair.a.node[asking], pair.b.node[asking], pair.count[asking]
    time = np.concatenate((in_a.high[node_a], in_a.low[node_a]))
    order = np.argsort(time, kind="stable")
    low, high = (np.tile(bound[node_b], 2)[order] for bound in (in_b.low, in_b.high))
    return kernels.Queries(time[order], low, high, np.concatenate((count, -count))[order])
