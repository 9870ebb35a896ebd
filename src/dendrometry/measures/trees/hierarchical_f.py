"""The hierarchical F-score: how well another tree recovers the clusters of a reference."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from dendrometry._check.choices import one_of
from dendrometry._exact import total
from dendrometry.io.coerce import HierarchyLike, as_hierarchies
from dendrometry.measures.measure import Measure
from dendrometry.measures.score import Score
from dendrometry.tree_pair.matches import Matches, match_clusters
from dendrometry.tree_pair.pair import Pair
from dendrometry.tree_pair.statistics import PairStatistics

Classes = Literal["occupied", "all"]


def hierarchical_f(a: HierarchyLike, b: HierarchyLike, *, classes: Classes | None = None) -> float:
    """Hierarchical F-score of ``b`` against the reference ``a``, also called Cluster F-Measure.

    The mean over the classes c, which are clusters of ``a``, weighted by their sizes, of the greatest
    ``F = 2 |c and k| / (|c| + |k|)`` over all clusters k of ``b``. Not symmetric: ``a`` is the reference.

    Parameters
    ----------
    a, b : Hierarchy, or anything that `as_hierarchy` takes
        The reference and the tree to be evaluated, over the same items.
    classes : {"occupied", "all"}, optional
        The nodes of ``a`` that are classes: those with items of their own, or every node. By default "occupied" if an
        inner node of ``a`` has items of its own, else "all": in a dendrogram only leaves have items.

    Returns
    -------
    float
        Above 0, up to 1. Higher is better; 1 if every class is a cluster of ``b``.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.
    InvalidInputError
        If ``classes`` is unknown.

    Notes
    -----
    Classes are sets of items: a unary node adds none. The cost is that of `best_matches`. Always defined.

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
        one_of(classes, "classes", get_args(Classes), also="None")
    a, b = as_hierarchies(a, b)
    pair = Pair.of_trees(a, b)
    return mean_f(pair, match_clusters(pair), classes or classes_of(pair)).value


def classes_of(pair: Pair) -> Classes:
    """Return which nodes of the first tree are classes by default."""
    return "occupied" if bool((pair.a.own[pair.a.n_children > 0] > 0).any()) else "all"


def mean_f(pair: Pair, matches: Matches, classes: Classes) -> Score:
    """Return the weighted mean over the chosen classes; its expectation has no known formula."""
    chosen = pair.a.own > 0 if classes == "occupied" else np.ones(pair.a.own.size, dtype=bool)
    size = matches.size[chosen]
    return Score(total(size * matches.f[chosen]) / int(size.sum()))


def score(statistics: PairStatistics) -> Score:
    """Return the score for the default classes."""
    return mean_f(statistics.pair, statistics.matches, classes_of(statistics.pair))


def variant(statistics: PairStatistics, names: tuple[str, str]) -> dict[str, str]:
    """Return which nodes of the first tree are the classes."""
    which = "nodes that own items" if classes_of(statistics.pair) == "occupied" else "all nodes"
    return {"classes": f"{which} of {names[0]}"}


def cost(statistics: PairStatistics) -> int:
    """Return the number of steps of matching the clusters."""
    return statistics.steps_to_match


MEASURE = Measure(
    call=hierarchical_f,
    of="trees",
    symbol="CFM",
    title="Hierarchical F",
    aliases=("CFM", "F-measure", "cluster F-measure", "overall F-measure", "Larsen-Aone F"),
    score=score,
    symmetric=False,
    triangle=False,
    expects=False,
    cost=cost,
    slow="matching the clusters of the first tree",
    variant=variant,
    locates_clusters=True,
    meaning="how well the clusters of {a} are found again in {b}",
    formula=(
        "CFM = Σ_c |c| F(c) / Σ_c |c|, over the classes c of the first tree\n"
        "F(c) = the greatest 2 |c ∩ k| / (|c| + |k|) over all clusters k of the second"
    ),
    chance="no formula known; expected_by_chance() estimates it",
    source="Larsen and Aone 1999",
    bibtex="larsen1999",
)
