"""The Hierarchy Agreement Index: agreement in the size of the smallest cluster joining each pair of items."""

from __future__ import annotations

from dendrometry.io.coerce import HierarchyLike, as_hierarchies
from dendrometry.measures.measure import Measure
from dendrometry.measures.score import Score, adjust
from dendrometry.tree_pair.pair import Pair
from dendrometry.tree_pair.statistics import PairStatistics


def hierarchy_agreement(a: HierarchyLike, b: HierarchyLike) -> float:
    """Hierarchy Agreement Index (HAI) of two hierarchies.

    ``1 - sum over ordered pairs |d_a(i, j) - d_b(i, j)| / n**2``, where d(i, j) is the share of all items in the
    smallest cluster that contains both, and 0 if that cluster is a leaf. Heights are not used.

    Parameters
    ----------
    a, b : Hierarchy, or anything that `as_hierarchy` takes
        Two trees over the same items.

    Returns
    -------
    float
        Above 0, up to 1. Higher is more alike; 1 if the smallest clusters of every pair have the same size in both
        trees. Unrelated trees score far above 0: compare the value with its expectation, see `compare`.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.

    Notes
    -----
    O(n log n) time, O(n) space, exact up to the final division. Symmetric; ``1 - hierarchy_agreement`` obeys the
    triangle inequality. Always defined: a tree of one item agrees fully with itself.

    References
    ----------
    .. [1] D. M. Johnson, C. Xiong, J. Gao, J. J. Corso, "Comprehensive Cross-Hierarchy Cluster Agreement
       Evaluation", AAAI 2013 (late-breaking).

    Examples
    --------
    >>> from dendrometry import from_newick, hierarchy_agreement
    >>> a, b = from_newick("((ape,cat),owl);"), from_newick("((ape,owl),cat);")
    >>> hierarchy_agreement(a, b)
    0.8518518518518519
    """
    a, b = as_hierarchies(a, b)
    return score(PairStatistics(Pair.of_trees(a, b))).value


def score(statistics: PairStatistics) -> Score:
    """Return the index with its expectation."""
    walk = statistics.by_size
    n = walk.pair.n_items
    value = (n**3 - 2 * int(walk.discordance)) / n**3
    expected = value if walk.frame.is_fixed else 1.0 - 2 * walk.frame.expected_discordance / n**3
    return Score(value, expected, adjust(value, expected, 1.0))


MEASURE = Measure(
    call=hierarchy_agreement,
    of="trees",
    symbol="HAI",
    title="Hierarchy agreement",
    aliases=("HAI", "hierarchy agreement index"),
    score=score,
    triangle=True,
    headline=True,
    locates_items=True,
    meaning="agreement in the size of the smallest cluster joining each pair of items",
    formula=(
        "HAI = 1 - (1/n²) Σ_i,j |d_a(i,j) - d_b(i,j)|\n"
        "d(i,j) = size of the smallest cluster with i and j / n; 0 if that is a leaf, and for i = j"
    ),
    chance=(
        "exact: 1 - (1 - 1/n) × the mean of |x - y|, x the d of any pair in the first tree, y of any in the second;"
        " about 0.6 to 0.75 for binary trees"
    ),
    source="Johnson et al. 2013",
    bibtex="johnson2013",
)
