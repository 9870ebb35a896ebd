"""Small trees: the tables of all rows and nodes say what the walk over trees of any size says."""

from unittest import mock

import numpy as np
import pytest
from hypothesis import given

import dendrometry as dm
from dendrometry import Overlap
from dendrometry.errors import UndefinedMeasureError
from dendrometry.measures.trees import baker_correlation, cophenetic_correlation
from dendrometry.tree_pair import pair as rows
from dendrometry.tree_pair.contraction import contract, height_clock, rank_clock, size_clock
from dendrometry.tree_pair.matches import match_clusters
from dendrometry.tree_pair.pair import Pair
from dendrometry.tree_pair.statistics import PairStatistics
from dendrometry.tree_pair.sums import less_children, lowest_common, running_sum
from tests.strategies import hierarchy_pairs, random_hierarchy

CLOCKS = (size_clock, rank_clock("together"), height_clock)


def both_ways(trees, function):
    """Return the result of a function of a pair for small trees, and for trees of any size."""
    small = function(Pair.of(trees))
    with mock.patch.object(rows, "_SMALL", 0):
        return small, function(Pair.of(trees))


@pytest.mark.parametrize("clock", CLOCKS)
@given(trees=hierarchy_pairs(max_items=9, heights=True))
def test_pairs_together_in_both_are_counted_alike(clock, trees):
    small, any_size = both_ways(Overlap.of(*trees), lambda pair: contract(pair, clock).t.tolist())
    assert small == any_size


@given(trees=hierarchy_pairs(max_items=9))
def test_best_matches_are_found_alike(trees):
    def matches(pair):
        found = match_clusters(pair)
        return found.match.tolist(), found.f.tolist()

    small, any_size = both_ways(Overlap.of(*trees), matches)
    assert small == any_size


@pytest.mark.parametrize("measure", [cophenetic_correlation, baker_correlation])
@given(trees=hierarchy_pairs(max_items=9, heights=True))
def test_heights_correlate_alike(measure, trees):
    def value(pair):
        try:
            return measure.score(PairStatistics(pair)).value
        except UndefinedMeasureError:
            return None

    small, any_size = both_ways(Overlap.of(*trees), value)
    assert small == pytest.approx(any_size, abs=1e-12)


@pytest.mark.parametrize("count", [3, 10**9])
def test_many_items_of_one_node_are_counted_alike_and_exactly(count):
    trees = Overlap.from_triples([2, 2, -1], [2, 2, -1], [(0, 0, count), (0, 1, 1), (1, 1, count)])
    small, any_size = both_ways(trees, lambda pair: contract(pair, size_clock).t.tolist())
    assert small == any_size
    assert small[-1] == (2 * count + 1) * count


def test_the_lowest_common_node_is_the_lowest_above_both():
    tree = random_hierarchy(12, np.random.default_rng(1))
    above = []
    for node in range(tree.n_nodes):
        above.append([node])
        while above[-1][-1] < tree.n_nodes - 1:
            above[-1].append(int(tree.parent[above[-1][-1]]))
    expected = [[min(set(x) & set(y)) for y in above] for x in above]
    assert lowest_common(tree.parent).tolist() == expected


def test_sums_over_children_and_ticks():
    parent = np.array([3, 3, 4, 4, -1])
    assert less_children(parent, np.array([1, 2, 3, 10, 20])).tolist() == [1, 2, 3, 7, 7]
    assert running_sum(np.array([2, 0, 2]), np.array([5, 1, 7]), 4).tolist() == [1, 1, 13, 13]


def test_only_small_trees_are_read_from_tables():
    trees = {n: dm.generate.random_tree(n, rng=0) for n in (100, 200)}
    for read in ("is_small", "has_few_pairs"):
        assert {n: getattr(Pair.of_trees(tree, tree), read) for n, tree in trees.items()} == {100: True, 200: False}


def test_tables_need_few_nodes_in_both_trees_and_tables_of_pairs_few_rows():
    tree = dm.generate.random_tree(300, rng=0)
    star = dm.from_labels([0] * 300, item_names=tree.items)
    assert not Pair.of_trees(tree, star).is_small
    assert not Pair.of_trees(star, tree).is_small
    columns, rows = np.divmod(np.arange(400), 20)
    pair = Pair.of_trees(*(dm.from_labels(labels, item_names=range(400)) for labels in (columns, rows)))
    assert pair.is_small
    assert not pair.has_few_pairs
