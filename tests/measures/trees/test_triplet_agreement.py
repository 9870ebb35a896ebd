"""What is true of triplet_agreement alone; test_definitions.py compares it with its definition."""

import numpy as np
import pytest

import dendrometry as dm
from dendrometry.generate import random_tree
from dendrometry.measures import triplet_agreement
from tests.measures.trees.judge import pairwise_values

NAME = "triplet_agreement"


def test_four_items_by_hand():
    # ab|c, ab|d, ac|d, bc|d against ab|c, ab|d, cd|a, cd|b
    assert triplet_agreement(dm.from_newick("(((a,b),c),d);"), dm.from_newick("((a,b),(c,d));")) == 0.5


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("shape", "other"), [("uniform", "merges"), ("caterpillar", "caterpillar"), ("balanced", "uniform")]
)
def test_larger_dendrograms_equal_the_matrix_formula(shape, other):
    n = 150
    a = random_tree(n, shape=shape, rng=1)
    b = random_tree(n, shape=other, rng=2)
    b = dm.Hierarchy(b.parent, b.height, np.random.default_rng(3).permutation(n), b.items)
    closer = []
    for tree in (a, b):
        sizes = pairwise_values(dm.Hierarchy(tree.parent, tree.height, np.arange(n), tree.items), tree.sizes)
        sizes = sizes[np.ix_(tree.item_node, tree.item_node)]
        closer.append(sizes[:, :, None] < np.maximum(sizes[:, None, :], sizes[None, :, :]))
    distinct = ~np.eye(n, dtype=bool)
    every = distinct[:, :, None] & distinct[:, None, :] & distinct[None, :, :]
    shared = int((closer[0] & closer[1] & every).sum()) // 2
    resolved = [int((side & every).sum()) // 2 for side in closer]
    assert triplet_agreement(a, b) == 2 * shared / sum(resolved)


@pytest.mark.compiled
def test_too_many_items_for_exact_counts_are_refused():
    parent = [2, 2, -1]
    overlap = dm.Overlap.from_triples(parent, parent, [(0, 0, 3_810_778), (1, 1, 1)])
    reason = "there must be at most 3,810,778 items to count triples; got 3,810,779"
    names = ["triplet_agreement", "triplet_recall", "triplet_precision"]
    result = dm.comparison.compare_overlap(overlap, measures=names)
    assert [(line.value, line.reason) for line in result.lines] == [(None, reason)] * 3
    with pytest.raises(dm.errors.InvalidInputError, match=reason):
        dm.MEASURES["triplet_agreement"].score(result.statistics)


def test_counts_beyond_32_bits_are_exact():
    n = 1_000_000
    overlap = dm.Overlap.from_triples([2, 2, -1], [2, 2, -1], [(0, 0, n), (1, 1, n), (0, 1, 1)])
    line = dm.comparison.compare_overlap(overlap, measures=["triplet_agreement"]).lines[0]
    pairs = n * (n - 1) // 2
    resolved = [(pairs + n) * n + pairs * (n + 1), pairs * (n + 1) + (pairs + n) * n]
    assert line.value == 2 * (2 * pairs * n) / sum(resolved)


def test_two_trees_that_resolve_nothing_are_refused():
    with pytest.raises(dm.errors.UndefinedMeasureError, match="one of the trees must join two of three items"):
        triplet_agreement(dm.from_newick("(a,b,c);"), dm.from_newick("(a,b,c);"))


@pytest.mark.further
def test_many_relabellings_of_large_trees_are_refused_with_their_time():
    a, b = (random_tree(5_000, shape="uniform", rng=seed) for seed in (1, 2))
    with pytest.raises(dm.errors.InvalidInputError, match="counting triples would take about"):
        dm.permutation_test(a, b, measure=NAME, n_permutations=20_000)
