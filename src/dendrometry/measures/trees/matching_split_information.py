"""Matching split information: the most that matched splits of two trees say in common about some of the items."""

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


def matching_split_information(a: HierarchyLike | UnrootedTree, b: HierarchyLike | UnrootedTree) -> float:
    """Split information on which two trees agree, in nats, for the best one-to-one matching of their splits.

    A split is the division of the items by an edge. Two splits x1|x2 and y1|y2 agree on the items in x1 and y1 or in x2
    and y2, or on those in x1 and y2 or in x2 and y1. They share the phylogenetic information of the split of these
    items, -log of the share of the binary trees without a root on them that have it, where it is greater. Heights and
    the place of the root do not count: rooted trees and unrooted ones (see `io.unroot`) have the same value.

    Parameters
    ----------
    a, b : Hierarchy or UnrootedTree, or anything that `as_hierarchy` takes
        Two trees over the same items.

    Returns
    -------
    float
        At least 0, and at most the sum of the phylogenetic information of the splits of either tree.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.
    InvalidInputError
        If a tree has more than 5,000 splits.

    Notes
    -----
    1 / log 2 times the value are the bits of R's ``TreeDist::MatchingSplitInfo``. Unlike
    `shared_phylogenetic_information`, it sees what splits have in common that cannot be in one tree. At most
    O(k**3) time for k splits of either tree; O(k**2) space. A split that both trees have need not be matched with
    itself. Symmetric. The mean over relabellings has no formula, as for all measures that choose a matching.

    References
    ----------
    .. [1] M. R. Smith, "Information theoretic generalized Robinson-Foulds metrics for comparing phylogenetic trees",
       Bioinformatics 36 (2020) 5007-5013, doi:10.1093/bioinformatics/btaa614.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.measures import matching_split_information
    >>> a, b = from_newick("((ape,cat),(elk,(owl,fox)));"), from_newick("((ape,elk),(cat,(owl,fox)));")
    >>> round(matching_split_information(a, b), 4), round(matching_split_information(a, a), 4)
    (2.1972, 3.2189)
    """
    a, b = as_trees(a, b)
    return score(PairStatistics(pair_of(a, b))).value


def information_agreed(common: IntArray, size_a: IntArray, size_b: IntArray, n_items: int) -> FloatArray:
    """Return the information of the split of the items on which two splits agree, the greater of both ways."""
    logs = log_double_factorials(n_items)

    def of_split(first: IntArray, second: IntArray) -> FloatArray:
        every = log_unrooted(logs, first + second)
        information: FloatArray = every - (log_rooted(logs, first) + log_rooted(logs, second))
        return np.where((first > 0) & (second > 0), information, 0.0)

    outside = n_items - size_a - size_b + common
    return np.maximum(of_split(common, outside), of_split(size_a - common, size_b - common))


def score(statistics: PairStatistics) -> Score:
    """Return the information; its mean over relabellings has no formula."""
    return Score(total(best_of_splits(statistics, information_agreed)))


MEASURE = Measure(
    call=matching_split_information,
    of="trees",
    unrooted=Unrooted(),
    symbol="MSI",
    title="Matching split information",
    aliases=("MSI", "MatchingSplitInfo"),
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
    meaning="how much the splits of both trees say in common about some of the items, matched one to one",
    formula=(
        "MSI = max over matchings Σ h(x1 ∩ y1 | x2 ∩ y2), or of x1 with y2 and x2 with y1 if that is more\n"
        "h = -log of the share of the binary trees without a root, on these items, that have the split"
    ),
    chance="no formula; expected_by_chance() estimates it",
    source="Smith 2020",
    bibtex="smith2020",
)
