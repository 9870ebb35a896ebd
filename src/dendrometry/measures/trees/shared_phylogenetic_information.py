"""Shared phylogenetic information: what matched splits of two trees say in common about the true tree."""

from __future__ import annotations

import math

import numpy as np

from dendrometry._exact import total
from dendrometry._typing import FloatArray, IntArray
from dendrometry.io.coerce import HierarchyLike, as_trees
from dendrometry.measures._shared.counts_of_trees import log_double_factorials, log_rooted, log_unrooted
from dendrometry.measures._shared.split_assignment import best_of_splits, split_limit, split_steps
from dendrometry.measures.measure import Measure, Unrooted
from dendrometry.measures.score import Score
from dendrometry.tree_pair.statistics import PairStatistics
from dendrometry.tree_pair.unrooted import pair_of
from dendrometry.unrooted import UnrootedTree


def shared_phylogenetic_information(a: HierarchyLike | UnrootedTree, b: HierarchyLike | UnrootedTree) -> float:
    """Shared phylogenetic information of two trees, in nats, for the best one-to-one matching of their splits.

    A split is the division of the items by an edge. Its information is -log of the share of all binary trees without a
    root that have it. Two splits that can be in the same tree share ``h(x) + h(y) - h(x, y)``, where h(x, y) is -log of
    the share of the trees that have both; others share nothing. Heights and the place of the root do not count: rooted
    trees and unrooted ones (see `io.unroot`) have the same value.

    Parameters
    ----------
    a, b : Hierarchy or UnrootedTree, or anything that `as_hierarchy` takes
        Two trees over the same items.

    Returns
    -------
    float
        At least 0, and at most the sum of h over the splits of either tree.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.
    InvalidInputError
        If a tree has more than 5,000 splits.

    Notes
    -----
    1 / log 2 times the value are the bits of R's ``TreeDist::SharedPhylogeneticInfo``, whose phylogenetic information
    distance is what the splits of both trees say, less twice the value. At most O(k**3) time for k splits of either
    tree; O(k**2) space. A split that both trees have need not be matched with itself. Symmetric. The mean
    over relabellings has no formula, as for all measures that choose a matching.

    References
    ----------
    .. [1] M. R. Smith, "Information theoretic generalized Robinson-Foulds metrics for comparing phylogenetic trees",
       Bioinformatics 36 (2020) 5007-5013, doi:10.1093/bioinformatics/btaa614.
    .. [2] M. A. Steel, D. Penny, "Maximum parsimony and the phylogenetic information in multistate characters", in
       V. A. Albert (ed.), Parsimony, Phylogeny, and Genomics (2006) 163-178.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.measures import shared_phylogenetic_information
    >>> a, b = from_newick("((ape,cat),(elk,(owl,fox)));"), from_newick("((ape,cat),((elk,owl),fox));")
    >>> round(shared_phylogenetic_information(a, b), 4), round(shared_phylogenetic_information(a, a), 4)
    (1.6094, 3.2189)
    """
    a, b = as_trees(a, b)
    return score(PairStatistics(pair_of(a, b))).value


def information_shared(common: IntArray, size_a: IntArray, size_b: IntArray, n_items: int) -> FloatArray:
    """Return the phylogenetic information that two splits share: two may be in one tree if a part of each are apart.

    Of such parts, with s and t items, the rest of the items and one leaf for each part make (n - s - t + 2) leaves.
    """
    logs = log_double_factorials(n_items)
    every = log_unrooted(logs, np.array(n_items))
    shared = np.zeros(np.broadcast(common, size_a, size_b).shape)
    other_a, other_b = n_items - size_a, n_items - size_b
    for s, t, both in (
        (size_a, size_b, common),
        (size_a, other_b, size_a - common),
        (other_a, size_b, size_b - common),
        (other_a, other_b, other_b - size_a + common),
    ):
        alone_a, alone_b = (log_rooted(logs, part) + log_rooted(logs, n_items - part) for part in (s, t))
        together = log_rooted(logs, s) + log_rooted(logs, t) + log_unrooted(logs, n_items - s - t + 2)
        shared = np.where(both == 0, np.maximum(every + together - (alone_a + alone_b), 0.0), shared)
    return shared


def score(statistics: PairStatistics) -> Score:
    """Return the information; its mean over relabellings has no formula."""
    return Score(total(best_of_splits(statistics, information_shared)))


MEASURE = Measure(
    call=shared_phylogenetic_information,
    of="trees",
    unrooted=Unrooted(),
    symbol="SPI",
    title="Shared phylogenetic information",
    aliases=("SPI", "SharedPhylogeneticInfo", "phylogenetic information"),
    score=score,
    kind="information",
    identical=None,
    upper=math.inf,
    triangle=False,
    exact=False,
    default=False,
    expects=False,
    cost=split_steps,
    slow="matching the splits one to one",
    limit=split_limit,
    meaning="how much the splits of both trees say in common about a binary tree, matched one to one",
    formula=(
        "SPI = max over matchings Σ h(x) + h(y) - h(x, y), over splits that can be in one tree\n"
        "h = -log of the share of the binary trees without a root that have the split, or both"
    ),
    chance="no formula; expected_by_chance() estimates it",
    source="Smith 2020",
    bibtex="smith2020",
)
