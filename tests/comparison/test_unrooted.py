"""Unrooted trees: splits and quartets against their definitions, one rule for what needs a root, missing items."""

import json
import math
from dataclasses import astuple
from fractions import Fraction
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dendrometry as dm
from dendrometry.comparison import compare_unrooted, expected_by_chance, permutation_test, quartets
from dendrometry.generate import random_tree
from dendrometry.io import unroot
from tests.measures.trees.judge import or_none
from tests.oracles.measures.trees import splits
from tests.oracles.measures.trees.resolved_quartets import five_counts
from tests.oracles.sets.trees import plain
from tests.strategies import hierarchy_pairs, random_hierarchy

UNROOTED = [name for name in dm.measures.TREE_MEASURES if dm.MEASURES[name].unrooted]
ROOTED = [name for name in dm.measures.TREE_MEASURES if not dm.MEASURES[name].unrooted]


def rerooted(tree, rng):
    """The same unrooted tree with its root at a random node."""
    new_root, above = int(rng.integers(tree.n_nodes)), {}
    v, before = new_root, -1
    while v != -1:
        above[v], v, before = before, int(tree.parent[v]), v
    parent = [above.get(v, int(tree.parent[v])) for v in range(tree.n_nodes)]
    return dm.from_parents(parent, tree.item_node, None, tree.items)


def both(a, b):
    return plain(a, a.items), plain(b, a.items)


@given(pair=hierarchy_pairs(max_items=9))
def test_robinson_foulds_counts_splits(pair):
    a, b = pair
    in_a, in_b = (splits.proper(tree) for tree in both(a, b))
    assert dm.robinson_foulds(unroot(a), unroot(b)) == len(in_a ^ in_b)
    assert unroot(a).n_splits == len(in_a)
    both_have = len(in_a) + len(in_b)
    expected = len(in_a ^ in_b) / both_have if both_have else 0.0
    assert dm.measures.normalized_robinson_foulds(unroot(a), unroot(b)) == expected
    shared = len(in_a & in_b)
    recall = or_none(dm.measures.cluster_recall, unroot(a), unroot(b))
    assert recall == (shared / len(in_a) if in_a else None)


@given(pair=hierarchy_pairs(max_items=9, heights=True))
def test_weighted_robinson_foulds_compares_the_branches_of_splits(pair):
    value = dm.measures.weighted_robinson_foulds(*map(unroot, pair))
    assert value == pytest.approx(splits.weighted(*both(*pair)), abs=1e-12)


@given(pair=hierarchy_pairs(max_items=9, heights=True))
def test_branch_score_is_the_euclidean_distance_of_the_branches_of_splits(pair):
    value = dm.measures.branch_score(*map(unroot, pair))
    assert value == pytest.approx(splits.branch_score(*both(*pair)), abs=1e-12)


@given(pair=hierarchy_pairs(max_items=7))
def test_matching_is_the_matching_split_distance(pair):
    assert dm.measures.matching_cluster(*map(unroot, pair)) == splits.matching_split(*both(*pair))


@given(pair=hierarchy_pairs(max_items=7))
def test_clustering_information_is_that_of_splits(pair):
    first, second = map(unroot, pair)
    shared = splits.clustering_information(*both(*pair))
    assert dm.measures.mutual_clustering_information(first, second) == pytest.approx(shared, abs=1e-12)
    said = sum(splits.clustering_information(tree, tree) for tree in both(*pair))
    apart = dm.measures.clustering_information_distance(first, second)
    assert apart == pytest.approx(said - 2 * shared, abs=1e-12)


@pytest.mark.parametrize("name", ["shared_phylogenetic_information", "matching_split_information"])
@given(pair=hierarchy_pairs(max_items=9))
def test_information_of_splits_is_that_of_rooted_trees(name, pair):
    call = dm.MEASURES[name].call
    assert call(*map(unroot, pair)) == pytest.approx(call(*pair), abs=1e-12)


@given(pair=hierarchy_pairs(max_items=9))
def test_quartets_are_the_five_counts(pair):
    counts = quartets(*pair)
    five = five_counts(*both(*pair))
    assert (counts.same, counts.different, counts.only_a, counts.only_b, counts.neither) == five


@pytest.mark.further
@pytest.mark.compiled
@pytest.mark.parametrize(("shape", "arity"), [("balanced", 2), ("balanced", 4), ("caterpillar", 2), ("merges", 3)])
def test_quartets_of_dendrograms_are_the_five_counts(shape, arity):
    a, b = random_tree(24, shape=shape, arity=arity, rng=1), random_tree(24, shape="merges", arity=arity, rng=2)
    same, different, only_a, only_b, neither = five_counts(*both(a, b))
    assert astuple(quartets(a, b)) == (same, different, only_a, only_b, neither)
    assert astuple(quartets(b, a)) == (same, different, only_b, only_a, neither)


@pytest.mark.compiled
@given(seed=st.integers(0, 2**32))
def test_quartets_of_larger_trees_are_the_five_counts(seed):
    rng = np.random.default_rng(seed)
    a, b = (random_hierarchy(16, rng) for _ in range(2))
    counts = quartets(a, b)
    assert (counts.same, counts.different, counts.only_a, counts.only_b, counts.neither) == five_counts(*both(a, b))


@pytest.mark.parametrize("name", UNROOTED)
@given(pair=hierarchy_pairs(max_items=7, heights=False), seed=st.integers(0, 2**32))
def test_the_place_of_the_root_makes_no_difference(name, pair, seed):
    if dm.MEASURES[name].needs_heights:
        pair = tuple(dm.Hierarchy(t.parent, np.zeros(t.n_nodes), t.item_node, t.items) for t in pair)
        other = pair[0]
    else:
        other = rerooted(pair[0], np.random.default_rng(seed))
    call = dm.MEASURES[name].call
    here, there = (or_none(call, unroot(tree), unroot(pair[1])) for tree in (pair[0], other))
    assert here == pytest.approx(there, abs=1e-12)


def test_moving_the_root_keeps_the_lengths_of_branches():
    a = dm.from_newick("((ape:1,cat:2):3,(elk:4,owl:5):6);")
    b = dm.from_newick("(ape:0.5,(cat:2,((elk:4,owl:5):9):0):0.5);")
    assert dm.measures.weighted_robinson_foulds(unroot(a), unroot(b)) == pytest.approx(0.0, abs=1e-12)
    assert dm.measures.branch_score(unroot(a), unroot(b)) == pytest.approx(0.0, abs=1e-12)
    assert dm.measures.weighted_robinson_foulds(a, b) > 1


@pytest.mark.further
@pytest.mark.parametrize("name", [name for name in UNROOTED if dm.MEASURES[name].expects])
@pytest.mark.parametrize("seed", [1, *(pytest.param(n, marks=pytest.mark.further) for n in (0, 2, 3, 4, 5))])
def test_the_mean_by_chance_is_that_over_all_relabellings(name, seed):
    rng = np.random.default_rng(seed)
    a, b = (random_hierarchy(6 - seed % 2, rng, heights=True) for _ in range(2))
    measure = dm.MEASURES[name]
    if or_none(measure.call, unroot(a), unroot(b)) is None:
        a = b = dm.from_newick("((i0:1,i1:1):1,(i2:1,i3:1):1,(i4:1,i5:1):1);")
    values = np.array([measure.call(unroot(a), relabelled(b, names)) for names in permutations(b.items)])
    mean = np.sqrt((values**2).mean()) if measure.is_root else values.mean()
    assert expected_by_chance(unroot(a), unroot(b), name).value == pytest.approx(float(mean), abs=1e-9)


@pytest.mark.further
@pytest.mark.parametrize("name", [name for name in UNROOTED if not dm.MEASURES[name].expects])
def test_a_mean_without_a_formula_is_estimated(name):
    a, b = (random_hierarchy(6, np.random.default_rng(seed)) for seed in (0, 1))
    call = dm.MEASURES[name].call
    mean = np.mean([call(unroot(a), relabelled(b, names)) for names in permutations(b.items)])
    found = expected_by_chance(unroot(a), unroot(b), name, 99)
    assert abs(found.value - mean) <= 5 * found.standard_error + 1e-9
    star = dm.from_newick("(a,b,c,d);")  # which resolves no quartet
    assert expected_by_chance(unroot(star), unroot(star), name, 20).value == 0.0


def relabelled(tree, names):
    """The same tree with other names, without its root."""
    return unroot(dm.Hierarchy(tree.parent, tree.height, tree.item_node, names))


@pytest.mark.further
@pytest.mark.parametrize("name", UNROOTED)
def test_values_of_a_permutation_test_are_those_of_relabelled_trees(name):
    a, b = (random_hierarchy(6, np.random.default_rng(seed), heights=True) for seed in (5, 8))
    call = dm.MEASURES[name].call
    every = np.array([call(unroot(a), relabelled(b, names)) for names in permutations(b.items)])
    test = permutation_test(unroot(a), unroot(b), name, 300)
    assert test.value == call(unroot(a), unroot(b))
    assert np.abs(test.null[:, np.newaxis] - every).min(axis=1).max() < 1e-9
    assert abs(test.null_mean - every.mean()) <= 5 * every.std() / np.sqrt(300)
    assert every.std() > 0


def test_compare_takes_unrooted_trees():
    a, b = dm.from_newick("(((ape,cat),elk),(jay,(owl,fox)));"), dm.from_newick("((ape,cat),(elk,(jay,(owl,fox))));")
    found = dm.compare(unroot(a), unroot(b), names=("x", "y"), n_permutations=19)
    assert str(found) == str(compare_unrooted(a, b, names=("x", "y"), n_permutations=19))
    assert found["robinson_foulds"].value == 0.0
    assert found.table.head[4] == "p"
    assert "permutation test" in found.methods
    assert json.loads(found.to_json())["measures"][0]["p_value"] == found.chance.p_value["quartet_agreement"]
    assert dm.compare(unroot(a), unroot(b)).methods == ""
    with pytest.raises(dm.errors.InvalidInputError, match="both trees must have a root, or neither"):
        dm.compare(unroot(a), b)
    twice = dm.compare(unroot(a), unroot(b), weights=[2, 1, 1, 1, 1, 1])
    assert twice.n_items == 7


def test_lines_tell_of_splits():
    a, b = dm.from_newick("(((ape,cat),elk),(jay,(owl,fox)));"), dm.from_newick("((ape,elk),(cat,(jay,(owl,fox))));")
    found = compare_unrooted(a, b, names=("x", "y"))
    told = {line.name: line.tell("x", "y") for line in found.lines}
    assert told["cluster_recall"].startswith("The share of the splits of x that are splits of y: 0.6667")
    assert told["robinson_foulds"].startswith("The number of splits that only one of the trees has: 2")
    assert not [name for name, text in told.items() if "cluster" in text and name != "weighted_robinson_foulds"]
    assert found["robinson_foulds"].scale() == ("0 to 2(n - 3)", "lower")
    star = dm.from_newick("(a,b,c,d);")
    reason = "the first tree must have a split with two items on both sides; it has none"
    assert compare_unrooted(star, star)["cluster_recall"].reason == reason


@pytest.mark.parametrize("measure", ["hierarchy_agreement", "rand"])
@pytest.mark.parametrize("function", [permutation_test, expected_by_chance])
def test_rooted_measures_are_not_tested_without_roots(function, measure):
    tree = unroot(dm.from_newick("(((ape,cat),elk),owl);"))
    with pytest.raises(dm.errors.InvalidInputError, match="the first tree must have a root, which says what is inside"):
        function(tree, tree, measure)
    assert dm.MEASURES["matching_cluster"].estimate_seconds(tree, tree) < 1
    with pytest.raises(dm.errors.InvalidInputError, match="the first tree must have a root"):
        dm.MEASURES["hierarchical_f"].estimate_seconds(tree, tree)


def test_an_unrooted_tree_stays_one():
    tree = unroot(dm.from_newick("(((ape,cat),elk),owl);"))
    assert unroot(tree) is tree


@pytest.mark.parametrize("name", ROOTED)
def test_measures_that_need_a_root_refuse_unrooted_trees(name):
    tree = dm.from_newick("(((ape:1,cat:1):1,elk:2):1,owl:3);")
    with pytest.raises(dm.errors.InvalidInputError, match="the first tree must have a root, which says what is inside"):
        dm.MEASURES[name].call(unroot(tree), unroot(tree))
    with pytest.raises(dm.errors.InvalidInputError, match="must have a meaning without a root"):
        compare_unrooted(tree, tree, measures=[name])
    with pytest.raises(dm.errors.InvalidInputError, match="must have a root"):
        dm.pairwise_matrix([unroot(tree), unroot(tree)], name)


def test_other_functions_refuse_unrooted_trees():
    tree = unroot(dm.from_newick("(((ape,cat),elk),owl);"))
    for refused in (
        lambda: dm.cut_count(tree, 2),
        lambda: dm.stages(tree, tree),
        lambda: dm.comparison.best_matches(tree, tree),
    ):
        with pytest.raises(dm.errors.InvalidInputError, match="must have a root"):
            refused()
    with pytest.raises(dm.errors.InvalidInputError, match="must be a Hierarchy; got UnrootedTree"):
        dm.to_newick(tree)


@pytest.mark.parametrize("name", UNROOTED)
def test_a_rooted_and_an_unrooted_tree_are_refused(name):
    tree = dm.from_newick("(((ape:1,cat:1):1,elk:2):1,owl:3);")
    with pytest.raises(dm.errors.InvalidInputError, match="both trees must have a root, or neither"):
        dm.MEASURES[name].call(unroot(tree), tree)
    with pytest.raises(dm.errors.InvalidInputError, match="all trees must have a root, or none"):
        dm.pairwise_matrix([unroot(tree), tree], name)


def test_gene_trees_with_items_missing_on_both_sides_are_restricted():
    a = dm.from_newick("(((ape,cat),elk),(jay,(owl,fox)));")
    b = dm.from_newick("((ape,elk),(cat,(jay,(owl,yak))));")
    with pytest.raises(dm.errors.ItemMismatchError, match="must hold the same items"):
        compare_unrooted(a, b)
    found = compare_unrooted(a, b, names=("x", "y"), on_mismatch="intersect")
    common = [name for name in a.items if name in b.items]
    first, second = unroot(a.restrict(common)), unroot(b.restrict(common))
    assert [line.name for line in found.lines] == UNROOTED
    for line in found.lines:
        assert line.value == or_none(line.measure.call, first, second), line.name
    assert (found.n_items, found.left_out) == (5, (1, 1))
    assert "left out: 1 of x, 1 of y" in str(found)
    assert "weighted_robinson_foulds, branch_score: x must have heights for lengths of branches; it has" in str(found)
    assert found["robinson_foulds"].value == 2.0
    assert list(found.to_frame()["measure"]) == UNROOTED
    with pytest.raises(dm.errors.InvalidInputError, match="measure must be one of this comparison"):
        found["triplet_agreement"]
    assert quartets(a, b, on_mismatch="intersect").total == 5


def test_all_measures_of_unrooted_trees_are_named():
    page = (Path(__file__).parents[2] / "docs" / "unrooted.md").read_text()
    assert [name for name in UNROOTED if f"`{name}`" not in page or f"`{name}`" not in unroot.__doc__] == []


def test_a_matrix_takes_unrooted_trees():
    shapes = {"x": "((a,b),(c,d));", "y": "(((a,b),c),d);", "z": "((a,c),(b,d));"}
    trees = {name: unroot(dm.from_newick(text)) for name, text in shapes.items()}
    found = dm.pairwise_matrix(trees, "robinson_foulds", adjusted=False)
    assert found.values.tolist() == [[0.0, 0.0, 2.0], [0.0, 0.0, 2.0], [2.0, 2.0, 0.0]]
    assert found.notes() == ["3 trees without roots, by robinson_foulds: 0 to 2(n - 3), lower = more alike"]


def test_scores_of_quartets_are_those_of_estabrook_day_and_steel_and_penny():
    counts = dm.comparison.QuartetCounts(same=30, different=8, only_a=4, only_b=6, neither=12)
    assert counts.total == 60
    assert counts.do_not_conflict == float(Fraction(52, 60))
    assert counts.explicitly_agree == 0.5
    assert counts.strict_joint_assertions == 30 / 38
    assert counts.semistrict_joint_assertions == 30 / 50
    assert counts.symmetric_difference == 26 / 86
    assert counts.marczewski_steinhaus == 26 / 56
    assert counts.steel_penny == 18 / 60
    assert counts.divergence == 26 / 120


def test_scores_are_those_of_the_package_quartet():
    # SimilarityMetrics(sq_status)["m1mid_colsome", ] as its documentation prints it: 1 minus ours for the last
    counts = dm.comparison.QuartetCounts(same=213, different=52, only_a=0, only_b=65, neither=0)
    assert counts.do_not_conflict == pytest.approx(0.8424242, abs=1e-7)
    assert counts.explicitly_agree == pytest.approx(0.6454545, abs=1e-7)
    assert counts.strict_joint_assertions == pytest.approx(0.8037736, abs=1e-7)
    assert counts.semistrict_joint_assertions == pytest.approx(0.8037736, abs=1e-7)
    assert 1 - counts.symmetric_difference == pytest.approx(0.7159664, abs=1e-7)


def test_scores_of_no_quartets_are_undefined():
    counts = quartets(dm.from_newick("(a,b,c,d);"), dm.from_newick("(a,b,c,d);"))
    assert counts == dm.comparison.QuartetCounts(0, 0, 0, 0, 1)
    with pytest.raises(dm.errors.UndefinedMeasureError, match="needs at least one quartet in its denominator"):
        _ = counts.strict_joint_assertions


def test_negative_branches_are_refused_by_what_compares_lengths():
    tree = unroot(dm.from_newick("(((ape:1,cat:1):-2,elk:2):1,owl:3,jay:3);"))
    with pytest.raises(dm.errors.UndefinedMeasureError, match="must have no branch of negative length"):
        dm.measures.weighted_robinson_foulds(tree, tree)
    with pytest.raises(dm.errors.UndefinedMeasureError, match="must have no branch of negative length"):
        dm.measures.branch_score(tree, tree)


PEERS = [
    "((((A:1,B:2):1,(C:1,D:3):2):1,E:4):1,((F:1,G:1):2,(H:2,(I:1,J:1):1):1):2);",
    "((((A:1,C:1):1,(B:2,D:2):1):2,F:3):1,((E:2,G:1):1,(H:1,(I:2,J:1):2):2):1);",
    "((A:1,B:1,C:2):1,(D:1,E:2,F:1):2,(G:1,H:1,(I:1,J:1):2):1);",
]


@pytest.mark.parametrize(
    ("i", "j", "rf", "weighted", "squares", "path", "quartet_distance"),
    [
        # phangorn 2: RF.dist(a, b, rooted = FALSE), wRF.dist(a, b, rooted = FALSE), path.dist(unroot(a), unroot(b));
        # DendroPy of trees read with rooting="force-unrooted": symmetric_difference, weighted_robinson_foulds_distance,
        # and euclidean_distance, whose squares scikit-bio has, too: a.compare_wrfd(b, "euclidean", rooted=False);
        # tqdist.quartet_distance(a, b), the share of quartets that the trees do not treat alike
        (0, 1, 8, 23, 39, 7.483314773547883, 0.3238095238095238),
        (0, 2, 9, 22, 38, 11.313708498984761, 0.4238095238095238),
        (1, 2, 9, 19, 29, 11.313708498984761, 0.4238095238095238),
    ],
)
def test_phangorn_dendropy_and_tqdist_agree(i, j, rf, weighted, squares, path, quartet_distance):
    a, b = (unroot(dm.from_newick(PEERS[k])) for k in (i, j))
    assert dm.robinson_foulds(a, b) == rf
    assert dm.measures.weighted_robinson_foulds(a, b) == weighted
    assert dm.measures.branch_score(a, b) == math.sqrt(squares)
    assert dm.measures.path_difference(a, b) == pytest.approx(path, rel=1e-5)
    assert quartets(a, b).steel_penny == pytest.approx(quartet_distance, rel=1e-14)
