"""The Hierarchy Agreement Index: whether two trees hold every pair of items in clusters of like size."""

from dendrometry.hierarchy import Hierarchy
from dendrometry.measures.score import Score, adjusted
from dendrometry.walk.contraction import Contraction, contract, size_clock
from dendrometry.walk.pair import Pair

__all__ = ["hierarchy_agreement", "score"]


def hierarchy_agreement(a: Hierarchy, b: Hierarchy) -> float:
    """Hierarchy Agreement Index (HAI) of two hierarchies.

    ``1 - sum over ordered pairs |d_a(i, j) - d_b(i, j)| / n**2``, where d(i, j) is the share of all items in the
    smallest cluster with both, and 0 if that cluster is a leaf. Needs no heights.

    Parameters
    ----------
    a, b : Hierarchy
        Two trees over the same items.

    Returns
    -------
    float
        From above 0 to 1; higher is more alike, 1 for trees that hold every pair in clusters of the same size.
        Two unrelated trees score far above 0: see it beside its expectation, in `compare`.

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
    return score(Pair.of_trees(a, b)).value


def score(pair: Pair) -> Score:
    """Return the index of a pair with its expectation."""
    return score_of_walk(contract(pair, size_clock))


def score_of_walk(walk: Contraction) -> Score:
    """Return the index from a walk by the size clock."""
    n = walk.pair.n_items
    value = (n**3 - 2 * int(walk.discordance)) / n**3
    expected = value if walk.is_fixed else 1.0 - 2 * walk.expected_discordance / n**3
    return Score(value, expected, adjusted(value, expected, 1.0))
