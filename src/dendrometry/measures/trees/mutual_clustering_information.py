"""Mutual clustering information: what matched clusters of two trees say about each other."""

from __future__ import annotations

import math

import numpy as np

from dendrometry._exact import total
from dendrometry._typing import FloatArray, IntArray
from dendrometry.io.coerce import HierarchyLike, as_trees
from dendrometry.measures._shared.cluster_assignment import assign_clusters, assignment_limit, untied_assignment_steps
from dendrometry.measures.measure import Measure, Unrooted
from dendrometry.measures.score import Score
from dendrometry.tree_pair.statistics import PairStatistics
from dendrometry.tree_pair.unrooted import pair_of
from dendrometry.unrooted import UnrootedTree


def mutual_clustering_information(a: HierarchyLike | UnrootedTree, b: HierarchyLike | UnrootedTree) -> float:
    """Mutual information of matched clusters of two trees, in nats, for the best one-to-one matching.

    ``max over matchings sum of I(x, y)``, where x is a cluster of ``a``, y its match in ``b``, and I the mutual
    information of being in x and being in y, for an item drawn at random. The clusters with a single item and with all
    items are left out. Heights are not used.

    Parameters
    ----------
    a, b : Hierarchy or UnrootedTree, or anything that `as_hierarchy` takes
        Two trees over the same items.

    Returns
    -------
    float
        At least 0, and at most the value of either tree with itself, which is the sum of the entropies of its clusters.

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
    O(n**2 d) time for the mean depth d of items, about; O(n**2) space. Symmetric. 0 if one of the trees has no cluster
    other than single items and all items. Smith compares unrooted trees (see `io.unroot`), whose splits correspond to
    the clusters of a tree with three or more branches at its root; the two branches of a binary root are two clusters
    of a rooted tree and one split of an unrooted one. Divide by the mean of the two trees' values with themselves for a
    similarity from 0 to 1.

    References
    ----------
    .. [1] M. R. Smith, "Information theoretic generalized Robinson-Foulds metrics for comparing phylogenetic trees",
       Bioinformatics 36 (2020) 5007-5013, doi:10.1093/bioinformatics/btaa614.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.measures import mutual_clustering_information
    >>> a, b = from_newick("(((ape,cat),elk),owl);"), from_newick("((ape,cat),(elk,owl));")
    >>> round(mutual_clustering_information(a, b), 4), round(mutual_clustering_information(a, a), 4)
    (0.9089, 1.2555)
    """
    a, b = as_trees(a, b)
    return score(PairStatistics(pair_of(a, b))).value


def information_of_match(common: IntArray, size_a: IntArray, size_b: IntArray, n_items: int) -> FloatArray:
    """Return the mutual information of two clusters: a sum over the items in both, in one only, and in neither."""
    out_a, out_b = n_items - size_a, n_items - size_b

    def part(cell: IntArray, of_a: IntArray, of_b: IntArray) -> FloatArray:
        share = cell / n_items
        found: FloatArray = share * np.log(np.where(cell > 0, share * n_items**2 / (of_a * of_b), 1.0))
        return found

    one = part(size_a - common, size_a, out_b) + part(size_b - common, out_a, size_b)
    information = part(common, size_a, size_b) + part(out_b - size_a + common, out_a, out_b)
    return np.maximum(information + one, 0.0)  # in this order, the trees may be swapped without changing a bit


def score(statistics: PairStatistics) -> Score:
    """Return the information; its mean over relabellings has no formula."""
    pair = statistics.pair
    found = assign_clusters(statistics, information_of_match)
    sizes = pair.a.size[found.a], pair.b.size[found.b]
    return Score(total(information_of_match(found.common, *sizes, pair.n_items)))


MEASURE = Measure(
    call=mutual_clustering_information,
    of="trees",
    unrooted=Unrooted("how much the splits of one tree say about those of the other, matched one to one"),
    symbol="MCI",
    title="Mutual clustering information",
    aliases=("MCI", "MutualClusteringInfo"),
    score=score,
    kind="information",
    identical=None,
    upper=math.inf,
    triangle=False,
    exact=False,
    default=False,
    expects=False,
    cost=untied_assignment_steps,
    slow="matching the clusters one to one",
    limit=assignment_limit,
    meaning="how much the clusters of one tree say about those of the other, matched one to one",
    formula="MCI = max over matchings Σ I(x; y)\nI(x; y) = mutual information of being in x and being in its match y",
    chance="no formula; expected_by_chance() estimates it",
    source="Smith 2020",
    bibtex="smith2020",
)
