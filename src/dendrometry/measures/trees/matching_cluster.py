"""The matching cluster distance: how many items must move to turn the clusters of one tree into those of another."""

from __future__ import annotations

import math

import numpy as np

from dendrometry._typing import IntArray
from dendrometry.io.coerce import HierarchyLike, as_trees
from dendrometry.measures._shared.cluster_assignment import assign_clusters, assignment_limit, assignment_steps
from dendrometry.measures.measure import Measure, Unrooted
from dendrometry.measures.score import Score
from dendrometry.tree_pair.shared_clusters import proper
from dendrometry.tree_pair.statistics import PairStatistics
from dendrometry.tree_pair.unrooted import pair_of, split_sizes
from dendrometry.unrooted import UnrootedTree


def matching_cluster(a: HierarchyLike | UnrootedTree, b: HierarchyLike | UnrootedTree) -> float:
    """Least number of items by which the clusters of two trees differ, matched one to one.

    ``min over matchings (sum of |x - y| + |y - x| over matched clusters + sum of the sizes of clusters without a
    match)``, where x is a cluster of ``a`` and y one of ``b``. The clusters with a single item and with all items are
    in both trees and add nothing. Of unrooted trees (see `io.unroot`), x and y are splits, which differ by
    ``min(|x - y| + |y - x|, n - |x - y| - |y - x|)``, and one without a match by its smaller side: the matching split
    distance. Heights are not used.

    Parameters
    ----------
    a, b : Hierarchy or UnrootedTree, or anything that `as_hierarchy` takes
        Two trees over the same items.

    Returns
    -------
    float
        A whole number, at least 0. Lower is more alike; 0 if both trees have the same clusters.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.
    InvalidInputError
        If a tree has more than 5,000 clusters that the other lacks.

    See Also
    --------
    robinson_foulds : The number of clusters of one tree only.
    dendrometry.comparison.one_to_one_matches : The matching itself.

    Notes
    -----
    O(n**2 d) time for the mean depth d of items, about; O(n**2) space. Symmetric; obeys the triangle inequality. 0 for
    two trees without clusters other than single items and all items.

    References
    ----------
    .. [1] D. Bogdanowicz, K. Giaro, "On a matching distance between rooted phylogenetic trees", International Journal
       of Applied Mathematics and Computer Science 23 (2013) 669-684, doi:10.2478/amcs-2013-0050.
    .. [2] D. Bogdanowicz, K. Giaro, "Matching split distance for unrooted binary phylogenetic trees", IEEE/ACM
       Transactions on Computational Biology and Bioinformatics 9 (2012) 150-160, doi:10.1109/TCBB.2011.48.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.measures import matching_cluster
    >>> a, b = from_newick("(((ape,cat),elk),owl);"), from_newick("((ape,cat),(elk,owl));")
    >>> matching_cluster(a, b)
    3.0
    """
    a, b = as_trees(a, b)
    return score(PairStatistics(pair_of(a, b))).value


def like_splits(common: IntArray, size_a: IntArray, size_b: IntArray, n_items: int) -> IntArray:
    """Return by how much a match of two splits lowers the sum of their smaller sides."""
    apart = size_a + size_b - 2 * common
    sides = np.minimum(size_a, n_items - size_a) + np.minimum(size_b, n_items - size_b)
    worth: IntArray = sides - np.minimum(apart, n_items - apart)
    return worth


def common_items(common: IntArray, size_a: IntArray, size_b: IntArray, n_items: int) -> IntArray:
    """Return the worth of a match: with more items in common, fewer differ."""
    return common


def score(statistics: PairStatistics) -> Score:
    """Return the distance: the sizes of all clusters, less twice the items that matched ones have in common."""
    pair = statistics.pair
    if pair.unrooted:
        match = assign_clusters(statistics, like_splits)
        sides = sum(int(split_sizes(pair, tree.size[proper(tree, pair.n_items)]).sum()) for tree in (pair.a, pair.b))
        found = like_splits(match.common, pair.a.size[match.a], pair.b.size[match.b], pair.n_items)
        return Score(float(sides - int(found.sum())))
    sizes = sum(int(tree.size[proper(tree, pair.n_items)].sum()) for tree in (pair.a, pair.b))
    return Score(float(sizes - 2 * int(assign_clusters(statistics, common_items).common.sum())))


MEASURE = Measure(
    call=matching_cluster,
    of="trees",
    unrooted=Unrooted("by how many items the splits of the trees differ, matched one to one"),
    symbol="MC",
    title="Matching cluster",
    aliases=("matching cluster distance",),
    score=score,
    kind="distance",
    identical=0.0,
    upper=math.inf,
    triangle=True,
    default=False,
    expects=False,
    cost=assignment_steps,
    slow="matching the clusters one to one",
    limit=assignment_limit,
    meaning="by how many items the clusters of the trees differ, matched one to one",
    formula=(
        "MC = min over matchings Σ |x △ y|\nx, y = matched clusters; one without a match differs by all its items"
    ),
    chance="no formula; expected_by_chance() estimates it",
    source="Bogdanowicz and Giaro 2013",
    bibtex="bogdanowicz2013",
)
