"""dendrogram_purity equals its definition over pairs of one class, and its expectation is exact."""

from itertools import permutations

import numpy as np
import pytest

import dendrometry as dm
from dendrometry.measures import dendrogram_purity
from dendrometry.tree_pair.pair import Pair
from dendrometry.tree_pair.statistics import PairStatistics
from tests.measures.trees.judge import assert_defined
from tests.strategies import random_linkage

NAME = "dendrogram_purity"


@pytest.mark.parametrize("seed", range(3))
def test_equals_its_definition_on_dendrograms_and_labels(seed):
    rng = np.random.default_rng(seed)
    assert_defined(NAME, dm.from_labels(rng.integers(0, 4, 30)), dm.from_linkage(random_linkage(30, rng)))


@pytest.mark.further
@pytest.mark.parametrize("newick", ["(((0,1),2),(3,(4,5)));", "((0,1,2),(3,4),5);", "(((((0,1),2),3),4),5);"])
def test_its_expectation_is_the_mean_over_all_relabellings(newick):
    tree, labels = dm.from_newick(newick), ["x", "x", "x", "y", "y", "z"]
    values = [dendrogram_purity(dm.from_labels(order), tree) for order in permutations(labels)]
    found = dm.MEASURES[NAME].score(PairStatistics(Pair.of_trees(dm.from_labels(labels), tree)))
    assert found.expected == pytest.approx(np.mean(values), abs=1e-12)


@pytest.mark.further
def test_its_expectation_is_that_of_a_simulation_of_30_items():
    rng = np.random.default_rng(0)
    tree, labels = dm.from_linkage(random_linkage(30, rng)), rng.integers(0, 4, 30)
    values = [dendrogram_purity(dm.from_labels(rng.permutation(labels)), tree) for _ in range(1000)]
    found = dm.MEASURES[NAME].score(PairStatistics(Pair.of_trees(dm.from_labels(labels), tree)))
    assert abs(np.mean(values) - found.expected) < 4 * np.std(values) / np.sqrt(1000)


def test_a_tree_that_has_a_cluster_for_every_class_is_pure_whatever_is_inside_and_above():
    classes = dm.from_labels(["x", "x", "x", "y", "y", "z"])
    assert dendrogram_purity(classes, dm.from_newick("((((0,2),1),5),(3,4));")) == 1.0
    assert dendrogram_purity(classes, dm.from_newick("((0,1,2),((3,5),4));")) < 1.0


@pytest.mark.parametrize("labels", [[0, 0, 0, 0], [0, 0, 1, 1]])
def test_one_class_or_a_star_is_the_same_for_any_labelling_and_has_no_adjusted_value(labels):
    found = dm.MEASURES[NAME].score(PairStatistics(Pair.of_trees(dm.from_labels(labels), dm.from_newick("(0,1,2,3);"))))
    assert found.value == found.expected == (1.0 if labels[2] == 0 else 0.5)
    assert found.adjusted is None


def test_counts_of_billions_are_counted():
    overlap = dm.Overlap.from_triples([2, 2, -1], [2, 2, -1], [(0, 0, 10**9), (1, 0, 10**9), (1, 1, 10**9)])
    found = dm.comparison.compare_overlap(overlap, measures=[NAME])[NAME].value
    # class x: its pairs lie in the mixed cluster; class y: 2 * 10**9 items, half of them there, and half pure
    assert found == pytest.approx((0.5 * 1 + 0.5 * 1 + 1.0 * 1 + 2 / 3 * 2) / 5, abs=1e-8)


def test_classes_of_one_item_are_refused():
    tree = dm.from_newick("((a,b),c);")
    with pytest.raises(dm.errors.UndefinedMeasureError, match="a leaf of the first tree must hold two or more items"):
        dendrogram_purity(tree, tree)


def test_missing_labels_are_refused_with_their_row():
    with pytest.raises(dm.errors.InvalidInputError, match="position 1"):
        dm.from_labels(["x", None, "y"])
