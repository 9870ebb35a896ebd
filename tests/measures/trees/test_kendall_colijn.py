"""The Kendall-Colijn distance equals its definition, with and without lengths."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from scipy.cluster.hierarchy import cophenet, linkage

import dendrometry as dm
from dendrometry.measures import kendall_colijn
from tests.oracles.measures.trees.kendall_colijn import kendall_colijn as defined
from tests.oracles.sets.trees import plain
from tests.strategies import hierarchy_pairs
from tests.zoo import caterpillar

LINKAGE = linkage(np.random.default_rng(0).normal(size=(100, 3)), "average")


@pytest.mark.parametrize("weight", [0.0, 0.5, 1.0])
@given(pair=hierarchy_pairs(max_items=8, heights=True))
def test_equals_its_definition_on_random_pairs(weight, pair):
    a, b = pair
    truth = defined(plain(a, a.items), plain(b, a.items), Fraction(weight))
    assert kendall_colijn(a, b, weight=weight) == pytest.approx(truth, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("weight", [0.0, 0.5, 1.0])
def test_trees_with_equal_clusters_and_heights_are_at_exactly_zero(weight):
    tree = dm.from_linkage(LINKAGE)
    order = np.random.default_rng(1).permutation(100)
    again = dm.Hierarchy(tree.parent, tree.height, tree.item_node[order], [tree.items[item] for item in order])
    assert kendall_colijn(tree, again, weight=weight) == 0.0
    deep = caterpillar(300)
    assert kendall_colijn(deep, deep, weight=weight) == 0.0


@pytest.mark.compiled
def test_deep_trees_with_two_leaves_exchanged_differ_by_four_pairs():
    n = 20_000
    names = [str(item) for item in range(n)]
    names[1], names[3] = names[3], names[1]
    assert kendall_colijn(caterpillar(n), caterpillar(n, names)) == math.sqrt(2**2 + 2**2 + 1 + 1)


def test_hardly_longer_branches_make_a_small_difference_that_is_right():
    longer = LINKAGE.copy()
    longer[:, 2] *= 1.0 + 1e-9
    a, b = dm.from_linkage(LINKAGE), dm.from_linkage(longer)
    pairs = longer[-1, 2] - cophenet(longer) - (LINKAGE[-1, 2] - cophenet(LINKAGE))
    ends = np.repeat(longer[:, 2] - LINKAGE[:, 2], 2)[(LINKAGE[:, :2] < 100).ravel()]
    truth = math.sqrt((pairs**2).sum() + (ends**2).sum())
    assert kendall_colijn(a, b, weight=1.0) == pytest.approx(truth, rel=1e-6)


def test_lengths_of_any_scale_are_measured():
    a, b = dm.from_newick("((a:1,b:1):2,c:3);"), dm.from_newick("((a:2,c:2):1,b:3);")
    value = kendall_colijn(a, b, weight=1.0)
    for exponent in (-1070, 1020):
        scaled = [dm.Hierarchy(t.parent, np.ldexp(t.height, exponent), t.item_node, t.items) for t in (a, b)]
        assert kendall_colijn(*scaled, weight=1.0) == math.ldexp(value, exponent)
    far, near = (dm.Hierarchy([2, 2, -1], [low, low, 1.7e308], [0, 1], ["a", "b"]) for low in (-1.7e308, 1.7e308))
    with pytest.raises(dm.errors.UndefinedMeasureError, match="the lengths differ by more than a float can hold"):
        kendall_colijn(far, near, weight=1.0)


def test_lengths_need_heights_without_inversions_and_a_weight_in_range():
    up, bare = dm.from_linkage([[0, 1, 2, 2], [2, 3, 1, 3]]), dm.from_newick("(a,b);")
    with pytest.raises(dm.errors.UndefinedMeasureError, match="heights must not decrease towards the root"):
        kendall_colijn(up, up, weight=0.5)
    with pytest.raises(dm.errors.UndefinedMeasureError, match="must have heights"):
        kendall_colijn(bare, bare, weight=1.0)
    with pytest.raises(dm.errors.InvalidInputError, match="weight must be"):
        kendall_colijn(bare, bare, weight=1.5)
