"""The parts of the items add up to the measure, exactly."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dendrometry as dm
from tests.measures.trees.judge import or_none, pairwise_values
from tests.measures.trees.shapes import all_hierarchies
from tests.oracles.comparison.item_disagreement import item_discordance
from tests.oracles.measures.trees.hierarchy_agreement import hierarchy_agreement
from tests.oracles.measures.trees.overall_distance import overall_distance
from tests.oracles.sets.trees import plain
from tests.oracles.tree_pair.contraction import height_moments, size_moments
from tests.strategies import hierarchy_pairs, random_hierarchy, random_linkage


@given(hierarchy_pairs(max_items=9, heights=True))
def test_parts_add_up_to_the_measure(pair):
    a, b = pair
    x, y = plain(a, a.items), plain(b, a.items)
    parts = dm.item_disagreement(a, b)
    assert Fraction(parts.total, parts.scale) == 1 - hierarchy_agreement(x, y)
    if or_none(dm.overall_distance, a, b) is not None:
        parts = dm.item_disagreement(a, b, clock="rank")
        assert Fraction(parts.total, parts.scale) == overall_distance(x, y, "together")
    if a.n_items > 1:
        parts = dm.item_disagreement(a, b, clock="height")
        assert parts.values.sum() == pytest.approx(dm.cophenetic_distance(a, b), abs=1e-12)
        assert parts.total / parts.scale == pytest.approx(dm.cophenetic_distance(a, b), abs=1e-12)
        assert (parts.values >= 0).all()


def assert_summed(a, b):
    x, y = (size_moments(plain(tree, a.items)) for tree in (a, b))
    assert dm.item_disagreement(a, b).sums.tolist() == item_discordance(x, y, a.n_items)


@pytest.mark.parametrize("n", [1, 2, pytest.param(3, marks=pytest.mark.further)])
def test_the_part_of_an_item_is_its_sum_over_pairs_in_all_trees_of_up_to_three_items(n):
    trees = all_hierarchies(n)
    for a in trees:
        for b in trees:
            assert_summed(a, b)


@given(hierarchy_pairs(max_items=9))
def test_the_part_of_an_item_is_its_sum_over_pairs(pair):
    assert_summed(*pair)


@given(st.integers(2, 9), st.integers(0, 2**32))
def test_inversions_have_no_parts_by_height(n, seed):
    rng = np.random.default_rng(seed)
    a, b = (random_hierarchy(n, rng, heights=True, wild=True) for _ in range(2))
    monotone = all(tree.without_unary().is_monotone for tree in (a, b))
    assert (or_none(dm.item_disagreement, a, b, clock="height") is not None) == monotone


@pytest.mark.compiled
@pytest.mark.parametrize("n", [50, 300])
def test_parts_of_larger_dendrograms_equal_the_matrix_formula(n):
    rng = np.random.default_rng(5)
    a, b = (dm.from_linkage(random_linkage(n, rng)) for _ in range(2))
    x, y = (pairwise_values(tree, tree.height) for tree in (a, b))
    assert np.allclose(dm.item_disagreement(a, b, clock="height").sums, np.abs(x - y).sum(axis=1), rtol=1e-9)


def test_a_total_beyond_63_bits_is_exact():
    sums = np.array([2**62, 2**62, 2**62 + 1])
    assert dm.comparison.ItemDisagreement(("a", "b", "c"), sums, 1).total == 3 * 2**62 + 1


def test_the_odd_item_comes_first():
    a = dm.from_newick("((((a,b),c),x),((d,e),(f,g)));")
    b = dm.from_newick("(((a,b),c),(((d,e),x),(f,g)));")
    parts = dm.item_disagreement(a, b)
    assert parts.worst(1)[0][0] == "x"
    assert repr(parts) == "ItemDisagreement(8 items; most: 'x', 'd', 'e')"
    assert repr(dm.item_disagreement(a, a)) == "ItemDisagreement(8 items; none)"


def test_bad_clocks_and_undefined_cases_are_refused():
    one = dm.from_labels([0])
    with pytest.raises(dm.errors.InvalidInputError, match="clock must be 'size', 'rank' or 'height'; got 'wall'"):
        dm.item_disagreement(one, one, clock="wall")
    with pytest.raises(dm.errors.UndefinedMeasureError, match="got a single item"):
        dm.item_disagreement(one, one, clock="height")
    with pytest.raises(dm.errors.UndefinedMeasureError, match="at least 3 items"):
        dm.item_disagreement(one, one, clock="rank")


@pytest.mark.parametrize("move", [lambda h: h, lambda h: h + 1e6, lambda h: h * 1e305, lambda h: h * 5e-324])
@given(pair=hierarchy_pairs(max_items=9, heights=True))
def test_heights_lose_nothing_to_their_place_and_scale(move, pair):
    a, b = (dm.Hierarchy(t.parent, move(t.height), t.item_node, t.items) for t in pair)
    if a.n_items == 1:
        return
    assert not dm.item_disagreement(a, a, clock="height").sums.any()
    x, y = (height_moments(plain(tree, a.items)) for tree in (a, b))
    truth = [float(part) for part in item_discordance(x, y, a.n_items)]
    assert dm.item_disagreement(a, b, clock="height").sums.tolist() == pytest.approx(truth, rel=1e-14, abs=0)


def test_heights_of_every_magnitude_are_summed_without_cancelling():
    rng = np.random.default_rng(1)
    for _ in range(20):
        trees = [random_linkage(30, rng) for _ in "ab"]
        for rows in trees:
            rows[:, 2] = np.sort(10.0 ** rng.uniform(-12, 3, 29))
        a, b = map(dm.from_linkage, trees)
        x, y = (height_moments(plain(tree, a.items)) for tree in (a, b))
        truth = [float(part) for part in item_discordance(x, y, 30)]
        assert dm.item_disagreement(a, b, clock="height").sums.tolist() == pytest.approx(truth, rel=1e-13, abs=0)
