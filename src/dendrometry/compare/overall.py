"""The overall index of Morlini and Zani: one number for the partitions of two trees at all stages."""

from dendrometry.compare.contraction import Ties
from dendrometry.compare.score import Score, adjusted
from dendrometry.compare.stages import Stages, stages
from dendrometry.hierarchy import Hierarchy

__all__ = ["distance_score", "overall_distance", "overall_similarity", "similarity_score"]


def overall_distance(a: Hierarchy, b: Hierarchy, *, ties: Ties = "together") -> float:
    """Overall distance Z of two hierarchies.

    ``sum over k (P_k + Q_k - 2 T_k) / sum over k (P_k + Q_k)`` for k = 2 .. n-1: of the pairs of items together in a
    partition into k groups in either tree, the share together in one tree only. See `stages` for the counts.

    Parameters
    ----------
    a, b : Hierarchy
        Two trees with heights over the same items.
    ties : {"together", "order"}
        What merges of the same height do, see `stages`.

    Returns
    -------
    float
        0 to 1; lower is more alike, 0 for the same partition at every stage. Symmetric.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.
    UndefinedMeasureError
        If a tree has no heights, there are fewer than three items, or no pair is together at any stage.

    Notes
    -----
    O(n log n) time, O(n) space, exact up to the final division. It does **not** obey the triangle inequality, although
    [1]_ says so: it is a distance of the Bray-Curtis kind, whose denominator depends on the two trees.

    References
    ----------
    .. [1] I. Morlini, S. Zani, "An Overall Index for Comparing Hierarchical Clusterings", 2012,
       doi:10.1007/978-3-642-24466-7_4.

    Examples
    --------
    >>> from dendrometry import from_newick, overall_distance
    >>> a = from_newick("(((ape:1,cat:1):1,elk:2):1,owl:3);")
    >>> b = from_newick("((ape:1,cat:1):2,(elk:2,owl:2):1);")
    >>> overall_distance(a, b)
    0.42857142857142855
    """
    return stages(a, b, ties=ties).distance


def overall_similarity(a: Hierarchy, b: Hierarchy, *, ties: Ties = "together") -> float:
    """Overall similarity ``S = 1 - Z`` of two hierarchies, see `overall_distance`.

    Parameters
    ----------
    a, b : Hierarchy
        Two trees with heights over the same items.
    ties : {"together", "order"}
        What merges of the same height do, see `stages`.

    Returns
    -------
    float
        0 to 1; higher is more alike, 1 for the same partition at every stage. Symmetric.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.
    UndefinedMeasureError
        Where `overall_distance` is undefined.

    Notes
    -----
    O(n log n) time, O(n) space.

    References
    ----------
    .. [1] I. Morlini, S. Zani, "An Overall Index for Comparing Hierarchical Clusterings", 2012, equation 11,
       doi:10.1007/978-3-642-24466-7_4.

    Examples
    --------
    >>> from dendrometry import from_newick, overall_similarity
    >>> a = from_newick("(((ape:1,cat:1):1,elk:2):1,owl:3);")
    >>> b = from_newick("((ape:1,cat:1):2,(elk:2,owl:2):1);")
    >>> overall_similarity(a, b)
    0.5714285714285714
    """
    return stages(a, b, ties=ties).similarity


def distance_score(series: Stages) -> Score:
    """Return Z with its expectation."""
    expected = series.expected_distance
    return Score(series.distance, expected, adjusted(series.distance, expected, 0.0))


def similarity_score(series: Stages) -> Score:
    """Return S with its expectation."""
    expected = 1.0 - series.expected_distance
    return Score(series.similarity, expected, adjusted(series.similarity, expected, 1.0))
