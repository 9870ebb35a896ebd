"""The clustering information distance: what matched clusters of two trees do not say about each other."""

from __future__ import annotations

import math

import numpy as np

from dendrometry._exact import log_ratio, total
from dendrometry._typing import FloatArray, IntArray
from dendrometry.io.coerce import HierarchyLike, as_trees
from dendrometry.measures._shared.cluster_assignment import assign_clusters, assignment_limit, untied_assignment_steps
from dendrometry.measures.measure import Measure, Unrooted
from dendrometry.measures.score import Score
from dendrometry.measures.trees.mutual_clustering_information import information_of_match
from dendrometry.tree_pair.pair import Tree
from dendrometry.tree_pair.shared_clusters import proper
from dendrometry.tree_pair.statistics import PairStatistics
from dendrometry.tree_pair.unrooted import pair_of
from dendrometry.unrooted import UnrootedTree


def clustering_information_distance(a: HierarchyLike | UnrootedTree, b: HierarchyLike | UnrootedTree) -> float:
    """Clustering information distance (CID): the information of the clusters of two trees that they do not share.

    ``H(a) + H(b) - 2 MCI(a, b)`` in nats, where H is the sum of the entropies of the clusters of a tree and MCI the
    `mutual_clustering_information`: the sum of the variation of information of matched clusters, and of the entropies
    of those without a match, for the best one-to-one matching. Of unrooted trees (see `io.unroot`) it compares the
    splits with two items or more on both sides. Heights are not used.

    Parameters
    ----------
    a, b : Hierarchy or UnrootedTree, or anything that `as_hierarchy` takes
        Two trees over the same items.

    Returns
    -------
    float
        At least 0. Lower is more alike; 0 if both trees have the same clusters.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.
    InvalidInputError
        If a tree has more than 5,000 clusters that the other lacks.

    See Also
    --------
    dendrometry.comparison.one_to_one_matches : The matching itself.

    Notes
    -----
    Symmetric, and obeys the triangle inequality: the variation of information does, and a cluster without a match is
    matched with a set that says nothing. A cluster and the items outside it say the same, so that a tree and the same
    tree with another root may have distance 0. O(n**2 d) time for the mean depth d of items, about; O(n**2) space. No
    term is negative, so that small distances are precise. Divide by ``H(a) + H(b)``, the distances of both trees from a
    star, for a distance from 0 to 1. 1 / log 2 times the value of two unrooted trees are the bits of R's
    ``TreeDist::ClusteringInfoDistance``; the two branches of a binary root are two clusters of a rooted tree and one
    split of an unrooted one. The mean over relabellings has no formula, as for all measures that choose a matching.

    References
    ----------
    .. [1] M. R. Smith, "Information theoretic generalized Robinson-Foulds metrics for comparing phylogenetic trees",
       Bioinformatics 36 (2020) 5007-5013, doi:10.1093/bioinformatics/btaa614.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.measures import clustering_information_distance
    >>> a, b = from_newick("(((ape,cat),elk),owl);"), from_newick("((ape,cat),(elk,owl));")
    >>> round(clustering_information_distance(a, b), 4), clustering_information_distance(a, a)
    (0.824, 0.0)
    """
    a, b = as_trees(a, b)
    return score(PairStatistics(pair_of(a, b))).value


def _variation_of_match(common: IntArray, size_a: IntArray, size_b: IntArray, n_items: int) -> FloatArray:
    """Return the variation of information of two clusters: a sum over the items in both, in one only, in neither."""
    out_a, out_b = n_items - size_a, n_items - size_b

    def part(cell: IntArray, of_a: IntArray, of_b: IntArray) -> FloatArray:
        held = np.maximum(cell, 1)
        found: FloatArray = cell * (log_ratio(np.maximum(of_a, held), held) + log_ratio(np.maximum(of_b, held), held))
        return found

    one = part(size_a - common, size_a, out_b) + part(size_b - common, out_a, size_b)
    varied = part(common, size_a, size_b) + part(out_b - size_a + common, out_a, out_b)
    return (varied + one) / n_items  # in this order, the trees may be swapped without changing a bit


def _entropies(tree: Tree, without: IntArray, n_items: int) -> FloatArray:
    """Return the entropies of the clusters of a tree but some, each of being in the cluster."""
    size = tree.size[np.setdiff1d(proper(tree, n_items), without)]
    entropy: FloatArray = (
        size * log_ratio(np.int64(n_items), size) + (n_items - size) * log_ratio(np.int64(n_items), n_items - size)
    ) / n_items
    return entropy


def score(statistics: PairStatistics) -> Score:
    """Return the distance; its mean over relabellings has no formula."""
    pair, n = statistics.pair, statistics.pair.n_items
    found = assign_clusters(statistics, information_of_match)
    apart = _variation_of_match(found.common, pair.a.size[found.a], pair.b.size[found.b], n)
    return Score(total(np.concatenate((apart, _entropies(pair.a, found.a, n), _entropies(pair.b, found.b, n)))))


MEASURE = Measure(
    call=clustering_information_distance,
    of="trees",
    unrooted=Unrooted("the information of the splits of two trees that they do not share, matched one to one"),
    symbol="CID",
    title="Clustering information distance",
    aliases=("CID", "ClusteringInfoDistance"),
    score=score,
    kind="distance",
    identical=0.0,
    upper=math.inf,
    triangle=True,
    exact=False,
    default=False,
    expects=False,
    cost=untied_assignment_steps,
    slow="matching the clusters one to one",
    limit=assignment_limit,
    meaning="the information of the clusters of two trees that they do not share, matched one to one",
    formula="CID = H(a) + H(b) - 2 MCI\nH = Σ over the clusters of a tree of the entropy of being in it",
    chance="no formula; expected_by_chance() estimates it",
    source="Smith 2020",
    bibtex="smith2020",
)
