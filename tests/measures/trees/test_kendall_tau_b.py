"""Kendall's tau-b equals its definition and SciPy's."""

import numpy as np
import pytest
from scipy.cluster.hierarchy import cophenet, linkage
from scipy.stats import kendalltau

import dendrometry as dm
from dendrometry.generate import random_tree
from dendrometry.measures import kendall_tau_b
from dendrometry.tree_pair import concordance as module
from dendrometry.tree_pair.pair import Pair
from dendrometry.tree_pair.statistics import PairStatistics

NAME = "kendall_tau_b"
POINTS = np.random.default_rng(4).normal(size=(40, 3))


@pytest.mark.parametrize("method", ["single", "complete", "average", "ward"])
def test_equals_scipy(method):
    x, y = linkage(POINTS, "average"), linkage(POINTS, method)
    truth = kendalltau(cophenet(x), cophenet(y)).statistic
    assert kendall_tau_b(dm.from_linkage(x), dm.from_linkage(y)) == pytest.approx(truth, abs=1e-12)


@pytest.mark.compiled
def test_counts_beyond_64_bits_are_exact():
    """Half of the items of a joined below the rest, and the same half of b: all pairs of pairs are counted by hand."""
    n = 1_000_000
    parent, height = [2, 2, -1], [1.0, 2.0, 3.0]
    overlap = dm.Overlap.from_triples(
        parent, parent, [(0, 1, n // 2), (1, 0, n // 2)], height_a=height, height_b=height
    )
    inside, across = n // 2 * (n // 2 - 1) // 2, (n // 2) ** 2
    ordered = inside * inside + 2 * inside * across
    line = dm.comparison.compare_overlap(overlap, measures=[NAME]).lines[0]
    assert ordered > 2**70
    assert line.value == (2 * inside * across - inside * inside) / ordered


def test_a_tree_agrees_with_itself_exactly():
    tree = random_tree(60, rng=0)
    assert kendall_tau_b(tree, tree) == 1.0


def test_equal_heights_a_single_item_and_missing_heights_are_refused():
    flat, other = dm.from_linkage([[0, 1, 1, 2], [2, 3, 1, 3]]), dm.from_linkage([[0, 1, 1, 2], [2, 3, 2, 3]])
    bare = dm.from_newick("(a,b);")
    with pytest.raises(dm.errors.UndefinedMeasureError, match="pairs must join at different heights"):
        kendall_tau_b(flat, other)
    with pytest.raises(dm.errors.UndefinedMeasureError, match="must have heights for the order of pairs; it has none"):
        kendall_tau_b(bare, bare)


def test_deep_trees_are_refused_with_the_figure(monkeypatch):
    a, b = (random_tree(100, shape="caterpillar", rng=seed) for seed in (1, 2))
    monkeypatch.setattr(module, "MOST_STEPS", 5_048)
    reason = "comparing pairs of pairs in two deep trees must take at most 5,048 steps; these take 5,049"
    with pytest.raises(dm.errors.InvalidInputError, match=reason):
        kendall_tau_b(a, b)
    both = dm.compare(a, b, measures=[NAME, "goodman_kruskal_gamma"])
    assert [(line.value, line.reason) for line in both.lines] == [(None, reason)] * 2


def test_deep_trees_whose_merges_tie_are_not_refused(monkeypatch):
    a, b = (random_tree(100, shape="caterpillar", rng=seed) for seed in (1, 2))
    a, b = (dm.Hierarchy(t.parent, np.minimum(t.height, 5.0), t.item_node, t.items) for t in (a, b))
    truth = kendall_tau_b(a, b)
    monkeypatch.setattr(module, "MOST_STEPS", 1_000)
    assert kendall_tau_b(a, b) == truth


def test_too_many_items_are_refused():
    parent, height = [2, 2, -1], [0.0, 0.0, 1.0]
    overlap = dm.Overlap.from_triples(parent, parent, [(0, 0, 2_000_000), (1, 1, 1)], height_a=height, height_b=height)
    line = dm.comparison.compare_overlap(overlap, measures=[NAME])[NAME]
    assert line.reason == "there must be at most 2,000,000 items to compare pairs of pairs; got 2,000,001"
    with pytest.raises(dm.errors.InvalidInputError, match="at most 2,000,000 items"):
        dm.MEASURES[NAME].score(PairStatistics(Pair.of(overlap)))
