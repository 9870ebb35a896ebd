"""Best matches: equal to trying every pair of clusters."""

from dataclasses import replace
from fractions import Fraction
from functools import reduce
from itertools import product

import numpy as np
import pytest
from hypothesis import given

import dendrometry as dm
from dendrometry import Overlap
from dendrometry._kernels.tree_pair.tournament import ON_PATH
from dendrometry.generate import random_tree
from dendrometry.tree_pair import matches
from dendrometry.tree_pair.matches import _compare_all, _walk, field_of, steps_to_match
from dendrometry.tree_pair.pair import Pair
from dendrometry.tree_pair.statistics import PairStatistics
from tests.oracles.sets.trees import clusters, plain
from tests.strategies import hierarchy_pairs, random_linkage


@given(hierarchy_pairs(max_items=9))
def test_every_match_is_the_best_there_is(pair):
    a, b = pair
    found = dm.best_matches(a, b)
    in_a, in_b = clusters(plain(a, a.items)), clusters(plain(b, a.items))
    assert {in_a[v] for v in found.node.tolist()} == set(in_a)
    assert len(found) == len(set(in_a))
    for i, (v, w) in enumerate(zip(found.node.tolist(), found.match.tolist(), strict=True)):
        c, k = in_a[v], in_b[w]
        assert (found.size[i], found.match_size[i], found.common[i]) == (len(c), len(k), len(c & k))
        assert found.missing[i] == len(c - k)
        assert found.extra[i] == len(k - c)
        assert found.missing_items(i) == tuple(a.items[j] for j in sorted(c - k))
        assert found.extra_items(i) == tuple(a.items[j] for j in sorted(k - c))
        f = Fraction(2 * len(c & k), len(c) + len(k))
        assert f == max(Fraction(2 * len(c & other), len(c) + len(other)) for other in in_b)
        assert found.f[i] == float(f)
        assert found.jaccard[i] == float(Fraction(len(c & k), len(c | k)))


SHAPES = ("caterpillar", "uniform", "merges")


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("other", SHAPES)
@pytest.mark.parametrize("n", [150, pytest.param(700, marks=pytest.mark.compiled)])
def test_long_paths_have_the_matches_of_all_pairs(shape, other, n, monkeypatch):
    """Trees so deep that a tournament decides, against a table of all pairs of clusters."""
    monkeypatch.setattr(matches, "_FEW_STEPS", 0)
    pair = Pair.of_trees(random_tree(n, shape=shape, rng=n), random_tree(n, shape=other, rng=n + 1))
    everywhere = _compare_all(pair)
    assert all(map(np.array_equal, _walk(pair), everywhere))


def taxonomy(n, n_items, rng):
    """Return a tree of n nodes, which own items and have from no to many children."""
    parent = [int(rng.integers(v + 1, n)) for v in range(n - 1)]
    return dm.from_parents([*parent, -1], rng.integers(0, n, n_items).tolist())


def dissimilar_pairs():
    """Yield pairs of trees of each shape with others, then trees with items anywhere, then weighted items."""
    rng = np.random.default_rng(1)
    for shape, other in product(SHAPES, SHAPES):
        yield Overlap.of(random_tree(70, shape=shape, rng=1), random_tree(70, shape=other, rng=2))
    for n, n_items in ((40, 60), (60, 40), (9, 200)):
        yield Overlap.of(taxonomy(n, n_items, rng), taxonomy(n, n_items, rng))
        yield Overlap.of(taxonomy(n, n_items, rng), random_tree(n_items, shape="uniform", rng=1))
    yield replace(Overlap.of(taxonomy(40, 50, rng), random_tree(50, rng=1)), count=rng.integers(1, 90, 50))


@pytest.mark.parametrize("cost", [0.0, 1e9], ids=["among large clusters", "from lists of rows"])
def test_each_way_has_the_matches_of_all_pairs(cost, monkeypatch):
    monkeypatch.setattr(matches, "_LOOK", cost)
    for overlap in dissimilar_pairs():
        pair = Pair.of(overlap)
        assert all(map(np.array_equal, _walk(pair), _compare_all(pair)))


@pytest.mark.compiled
def test_paths_within_lists_have_the_matches_of_all_pairs(monkeypatch):
    """A tree with a caterpillar of cherries that is not the largest part: lists below it are made in a second turn."""
    monkeypatch.setattr(matches, "_FEW_STEPS", 0)
    monkeypatch.setattr(matches, "_LOOK", 1e9)
    chain = reduce("({},{})".format, [f"(a{i},b{i})" for i in range(150)])
    bush = ",".join(f"(c{i},d{i})" for i in range(200))
    tree = dm.from_newick(f"({chain},({bush}));")
    pair = Pair.of_trees(tree, tree).shuffle(np.random.default_rng(0))
    assert set(field_of(pair).ways.of.tolist()) == {ON_PATH, 0, 1}
    assert all(map(np.array_equal, _walk(pair), _compare_all(pair)))


@pytest.mark.parametrize("n_items", [150, 600], ids=["items alone", "items together"])
def test_relabellings_share_what_the_trees_decide(n_items):
    rng = np.random.default_rng(4)
    trees = [taxonomy(300, n_items, rng), random_tree(n_items, shape="uniform", rng=1)]
    statistics = PairStatistics(Pair.of_trees(*trees))
    for seed in range(3):
        shuffled = statistics.shuffle(np.random.default_rng(seed))
        found, alone = shuffled.matches, _compare_all(shuffled.pair)
        assert np.array_equal(found.match, shuffled.pair.b.original[alone[0]])
        assert np.array_equal(found.common, alone[1])


def test_long_paths_with_several_items_at_a_node(monkeypatch):
    monkeypatch.setattr(matches, "_FEW_STEPS", 0)
    rng = np.random.default_rng(3)
    for n in (60, 300):
        chain = np.r_[np.arange(1, n), -1]  # a path of inner nodes that own the items
        trees = [dm.from_parents(chain, rng.integers(0, n, 4 * n).tolist()) for _ in range(2)]
        pair = Pair.of_trees(*trees)
        assert all(map(np.array_equal, _walk(pair), _compare_all(pair)))


@pytest.mark.compiled
def test_matching_deep_trees_grows_nearly_linearly():
    """A caterpillar of 40,000 items, which the sum of the sizes of its clusters would keep for 30 seconds."""
    trees = [random_tree(40_000, shape="caterpillar", rng=seed) for seed in (1, 2)]
    assert steps_to_match(Pair.of_trees(*trees)) < 40_000 * 200
    found = dm.best_matches(*trees)
    assert (found.f[found.size == 40_000] == 1).all()


@pytest.mark.compiled
def test_a_tree_finds_itself():
    tree = dm.from_linkage(random_linkage(2000, np.random.default_rng(0)))
    found = dm.best_matches(tree, tree)
    assert (found.f == 1).all()
    assert found.match.tolist() == found.node.tolist()
    assert repr(found) == "Matches(3,999 clusters, 3,999 found exactly, mean F 1.0000)"


def test_items_counted_elsewhere_cannot_be_told():
    overlap = dm.Overlap.from_triples([-1], [-1], [(0, 0, 3)])
    with pytest.raises(dm.errors.InvalidInputError, match="they were not kept, or only counts were given"):
        dm.comparison.compare_overlap(overlap).matches.missing_items(0)


def test_clusters_of_items_counted_elsewhere_are_called_by_their_names_or_numbers():
    a, b = dm.from_paths({"ape": "mammals/apes", "owl": "birds"}), dm.from_labels(["x", "y"], ["ape", "owl"])
    matches = dm.compare(a, b, weights=[2, 3]).matches
    assert matches.names() == (["apes", "birds", "node 3"], ["x", "y", "node 2"])


def test_a_frame_has_a_row_for_each_cluster():
    frame = dm.best_matches(dm.from_labels([0, 0, 1]), dm.from_labels([0, 1, 1])).to_frame()
    assert frame["size"].tolist() == [2, 1, 3]
    assert frame["f"].tolist() == pytest.approx([0.8, 2 / 3, 1.0])
