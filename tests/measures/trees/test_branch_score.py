"""The branch score distance equals its definition in sets, and its square has the stated mean by chance."""

import math
from itertools import permutations

import numpy as np
import pytest

import dendrometry as dm
from dendrometry.generate import random_tree
from dendrometry.io import unroot
from dendrometry.measures import branch_score
from tests.measures.trees.judge import assert_defined
from tests.measures.trees.shapes import all_hierarchies, by_size

NAME = "branch_score"


@pytest.mark.parametrize("n", [1, 2, 3])
def test_equals_its_definition_on_all_pairs_of_up_to_three_items(n):
    trees = list(map(by_size, all_hierarchies(n)))
    for a in trees:
        for b in trees:
            assert_defined(NAME, a, b)


@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("kind", [None, unroot])
def test_the_mean_of_the_square_is_that_of_all_relabellings(n, kind):
    """Of all shapes, with lengths of their own: also where all items have one place, or a split has two equal sides."""
    rng = np.random.default_rng(n)
    trees = [lengthened(tree, rng) for tree in all_hierarchies(n)[:: 1 if n < 4 else 7]]
    for a, b in zip(trees, reversed(trees), strict=True):
        others = [dm.Hierarchy(b.parent, b.height, b.item_node, list(order)) for order in permutations(b.items)]
        pairs = [(a, other) if kind is None else (kind(a), kind(other)) for other in others]
        mean = np.mean([branch_score(*pair) ** 2 for pair in pairs])
        assert line(*pairs[0]).expected ** 2 == pytest.approx(mean, rel=1e-12, abs=1e-15)


def lengthened(tree, rng):
    """The same tree with branches of random lengths, no height below a child's."""
    height = np.zeros(tree.n_nodes)
    for v in range(tree.n_nodes - 1):
        height[tree.parent[v]] = max(height[tree.parent[v]], height[v] + rng.random())
    return dm.Hierarchy(tree.parent, height, tree.item_node, tree.items)


def line(a, b):
    """The line of a comparison."""
    return dm.compare(a, b, measures=[NAME])[NAME]


def test_one_branch_longer_by_hand():
    a, b = dm.from_newick("((x:1,y:1):2,z:3);"), dm.from_newick("((x:1,y:1):5,z:6);")
    assert branch_score(a, b) == math.sqrt(3.0**2 + 3.0**2)
    assert branch_score(unroot(a), unroot(b)) == 6.0


def test_of_branches_of_one_length_it_is_the_root_of_the_number_of_clusters_of_one_tree():
    a, b = (dm.from_newick(text) for text in ("(a:1,b:1,(c:1,(d:1,e:1):1):1);", "(b:1,c:1,(a:1,(d:1,e:1):1):1);"))
    assert branch_score(unroot(a), unroot(b)) == math.sqrt(dm.robinson_foulds(unroot(a), unroot(b))) == math.sqrt(2)


def test_it_lies_between_the_weighted_distance_and_that_over_the_root_of_the_number_of_branches():
    a, b = (random_tree(300, shape="uniform", rng=seed) for seed in (1, 2))
    most = dm.measures.weighted_robinson_foulds(a, b)
    assert most / math.sqrt(4 * 300) < branch_score(a, b) < most


def test_more_sets_than_a_float_can_count_are_no_obstacle():
    """Two caterpillars, one twice as high: item i hangs i below its parent, and every cluster 1."""
    n = 1_500
    links = [[[n + i - 2 if i > 1 else 0, i, h * i, i + 1] for i in range(1, n)] for h in (1, 2)]
    found = line(*map(dm.from_linkage, links))
    assert found.value == math.sqrt(sum(i * i for i in range(1, n)) + 1 + (n - 2))
    assert 0.0 < found.adjusted < 1.0


@pytest.mark.parametrize("exponent", [-1000, -600, 600, 1000])
def test_lengths_whose_squares_no_float_holds(exponent):
    a, b = dm.from_newick("(((v:1,w:1):2,x:3):1,(y:1,z:1):3);"), dm.from_newick("(((v:2,x:2):3,z:5):2,(y:2,w:2):5);")
    near = line(a, b)
    scaled = [dm.Hierarchy(tree.parent, np.ldexp(tree.height, exponent), tree.item_node, tree.items) for tree in (a, b)]
    far = line(*scaled)
    assert (far.value, far.expected) == (math.ldexp(near.value, exponent), math.ldexp(near.expected, exponent))
    assert far.adjusted == near.adjusted


def test_a_small_difference_beside_a_long_branch_is_not_lost():
    a, b = (dm.from_newick(f"((x:{low},y:{low}):1e300,z:1e300);") for low in ("1e-300", "2e-300"))
    assert branch_score(a, b) == pytest.approx(math.sqrt(2) * 1e-300, rel=1e-14)


@pytest.mark.parametrize("length", [1.0, 0.1, 1 / 49])
@pytest.mark.parametrize("kind", [None, unroot])
def test_stars_that_every_relabelling_leaves_equal_have_no_adjusted_value(length, kind):
    star = dm.Hierarchy([49] * 49 + [-1], [0.0] * 49 + [length], list(range(49)), [str(i) for i in range(49)])
    star = star if kind is None else kind(star)
    assert line(star, star).score == (0.0, 0.0, None)


def test_inversions_and_missing_heights_are_refused():
    up, bare = dm.from_linkage([[0, 1, 2, 2], [2, 3, 1, 3]]), dm.from_newick("(a,b);")
    with pytest.raises(dm.errors.UndefinedMeasureError, match="heights must not decrease towards the root"):
        branch_score(up, up)
    with pytest.raises(dm.errors.UndefinedMeasureError, match="must have heights"):
        branch_score(bare, bare)


@pytest.mark.parametrize("low", [-1.7e308, 0.0])
def test_heights_too_far_apart_are_refused(low):
    """A single branch is too long for a float, or their sum is."""
    tree = dm.Hierarchy([2, 2, -1], [low, low, 1.7e308], [0, 1], ["x", "y"])
    for name in (NAME, "weighted_robinson_foulds"):
        with pytest.raises(dm.errors.UndefinedMeasureError, match="more than a float can hold"):
            dm.MEASURES[name].call(tree, tree)
