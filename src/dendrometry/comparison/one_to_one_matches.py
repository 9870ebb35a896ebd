"""The best one-to-one matching of the clusters of two trees."""

from __future__ import annotations

from typing import Literal

from dendrometry._check.choices import one_of
from dendrometry.io.coerce import HierarchyLike, as_hierarchies
from dendrometry.measures._shared.cluster_assignment import Weight, assign_clusters
from dendrometry.measures.trees.matching_cluster import common_items
from dendrometry.measures.trees.mutual_clustering_information import information_of_match
from dendrometry.overlap import overlap_of_same_items
from dendrometry.tree_pair.matches import Matches
from dendrometry.tree_pair.pair import Pair
from dendrometry.tree_pair.statistics import PairStatistics

By = Literal["mutual_clustering_information", "matching_cluster"]
_WEIGHTS: dict[str, Weight] = {
    "mutual_clustering_information": information_of_match,
    "matching_cluster": common_items,
}


def one_to_one_matches(a: HierarchyLike, b: HierarchyLike, *, by: By = "mutual_clustering_information") -> Matches:
    """Return the best one-to-one matching of the clusters of two trees.

    The clusters with a single item and with all items are left out. A cluster that both trees have is matched with
    itself. If one tree has more clusters than the other, some of them have no match and no row.

    Parameters
    ----------
    a, b : Hierarchy, or anything that `as_hierarchy` takes
        Two trees over the same items.
    by : {"mutual_clustering_information", "matching_cluster"}
        The measure whose matching is returned.

    Returns
    -------
    Matches
        One row for each matched cluster of ``a``: its match in ``b``, their F and Jaccard index, and the numbers of
        items that are missing from the match or extra in it.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.
    InvalidInputError
        If a tree has more than 5,000 clusters that the other lacks.

    See Also
    --------
    best_matches : The best match of each cluster, where several clusters may have the same match.

    Notes
    -----
    O(n**2 d) time for the mean depth d of items, about; O(n**2) space. Several matchings can be equally good; which of
    them is returned depends on the order of the nodes.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.comparison import one_to_one_matches
    >>> a, b = from_newick("(((ape,cat),elk),owl);"), from_newick("((ape,cat),(elk,owl));")
    >>> print(one_to_one_matches(a, b).to_frame()[["cluster", "best_match", "missing", "extra"]].to_string(index=False))
                 cluster           best_match  missing  extra
    2 items, such as ape 2 items, such as ape        0      0
    3 items, such as ape 2 items, such as elk        2      1
    """
    weight = _WEIGHTS[one_of(by, "by", _WEIGHTS)]
    a, b = as_hierarchies(a, b)
    overlap = overlap_of_same_items(a, b)
    pair = Pair.of(overlap)
    found = assign_clusters(PairStatistics(pair), weight)
    return Matches(
        pair.a.original[found.a],
        pair.b.original[found.b],
        pair.a.size[found.a],
        pair.b.size[found.b],
        found.common,
        overlap,
    )
