"""p-values of measures of partitions: shares of relabellings, whatever the order of items."""

from importlib import import_module
from itertools import permutations

import numpy as np
import pytest

import dendrometry as dm
from dendrometry.comparison import chance, compare_overlap
from dendrometry.comparison.chance import drawn_overlap, p_values, tree_chance
from dendrometry.generate import random_tree
from dendrometry.tree_pair.pair import Pair
from dendrometry.tree_pair.statistics import PairStatistics
from tests.measures.partitions.exhaustive import PAIRS
from tests.oracles.measures.definition import definition

TESTED = [dm.MEASURES[name] for name in dm.measures.PARTITION_MEASURES if dm.MEASURES[name].tested_by]


def defined(measure, a, b):
    """The value as defined, greater where it is more alike."""
    options = {"max_clusters": 6} if measure.needs_bound else {}
    value = float(definition(measure.name, "partitions")(a, b, **options))
    return -value if measure.kind == "distance" else value


@pytest.mark.parametrize(("a", "b"), PAIRS[:5])
def test_p_values_are_shares_of_relabellings_at_least_as_much_alike(a, b):
    found = p_values(dm.Contingency.of(a, b), TESTED, 400, np.random.default_rng(0))
    others = [[b[i] for i in order] for order in permutations(range(len(b)))]
    assert list(found) == [measure.name for measure in TESTED]
    for measure in TESTED:
        value = defined(measure, a, b)
        share = sum(defined(measure, a, other) >= value - 1e-9 for other in others) / len(others)
        assert found[measure.name] == pytest.approx(share, abs=0.08), measure.name


def test_p_values_do_not_depend_on_the_order_of_items():
    rng = np.random.default_rng(1)
    a, b, order = rng.integers(0, 4, 50), rng.integers(0, 5, 50), rng.permutation(50)
    first = p_values(dm.Contingency.of(a, b), TESTED, 19, np.random.default_rng(0))
    second = p_values(dm.Contingency.of(a[order], b[order]), TESTED, 19, np.random.default_rng(0))
    assert first == second


@pytest.mark.parametrize(
    ("n", "call"), [(10_000, "permutation_test()"), (10_000_000, "permutation_test(..., allow_slow=True)")]
)
def test_measures_too_slow_to_repeat_name_the_call_that_tests_them(n, call):
    statistics = PairStatistics(Pair.of_trees(*(random_tree(200, shape="caterpillar", rng=seed) for seed in (1, 2))))
    reason = tree_chance(statistics, [dm.MEASURES["kendall_tau_b"]], n).reason["kendall_tau_b"]
    assert reason.endswith(f"; {call} does it all the same")


def test_measures_are_tested_from_the_quickest_on_while_time_is_left(monkeypatch):
    statistics = PairStatistics(Pair.of_trees(*(random_tree(300, rng=seed) for seed in (1, 2))))
    names = ["cophenetic_correlation", "hierarchy_agreement", "overall_distance", "hierarchical_f"]
    measures = [dm.MEASURES[name] for name in names]
    once = 300 * 9
    assert [statistics.count_steps(measure.cost) for measure in measures[1:3]] == [once, once]
    monkeypatch.setattr(chance, "_MOST_IN_ALL", 199 * 2 * once)
    found = tree_chance(statistics, measures, 199)
    assert set(found.p_value) == {"hierarchy_agreement", "overall_distance"}
    assert set(found.reason) == {"cophenetic_correlation", "hierarchical_f"}
    monkeypatch.setattr(chance, "_MOST_IN_ALL", 199 * once)
    found = tree_chance(statistics, measures, 199)
    assert set(found.p_value) == {"hierarchy_agreement"}
    assert found.reason["overall_distance"] == (
        "not tested: computing it again for 199 relabellings would take about 1 second; permutation_test() does it all"
        " the same"
    )
    assert set(tree_chance(statistics, measures[1:2], 999).p_value) == {"hierarchy_agreement"}, "as many as requested"


def dendrogram(n, seed):
    return dm.agglomerate(np.random.default_rng(seed).normal(size=(n, 2)), linkage="average").hierarchy


def test_a_draw_of_all_items_is_the_whole():
    overlap = dm.Overlap.of(random_tree(40, rng=0), random_tree(40, rng=1))
    same = drawn_overlap(overlap, 40)
    for one, other in ((overlap.a, same.a), (overlap.b, same.b), ((overlap.count,), (same.count,))):
        assert [None if x is None else x.tolist() for x in one] == [None if x is None else x.tolist() for x in other]


@pytest.mark.parametrize("n", [1, 7, 30])
def test_drawn_items_are_compared_as_in_trees_of_these_items(n):
    trees = [dendrogram(40, seed) for seed in (0, 1)]
    overlap = dm.Overlap.of(*trees)
    rows = np.flatnonzero(np.random.default_rng(0).multivariate_hypergeometric(overlap.count, n, method="marginals"))
    items = [overlap.items[i] for i in range(40) if overlap.item_row[i] in set(rows.tolist())]
    drawn = compare_overlap(drawn_overlap(overlap, n), n_permutations=0)
    given = dm.compare(*(tree.restrict(items) for tree in trees), n_permutations=0)
    assert drawn.n_items == n
    assert drawn.to_frame()["value"].equals(given.to_frame()["value"])


def test_of_too_many_items_some_are_drawn_and_it_is_said(monkeypatch):
    monkeypatch.setattr(chance, "_AFFORDED", ((30, 99),))
    monkeypatch.setattr(import_module("dendrometry.comparison.comparison"), "DRAWN", 25)
    tree = dendrogram(60, 0)
    labels = np.arange(60) % 10
    for a, b in ((tree, tree), (dm.from_labels(labels), dm.from_labels(labels))):
        result = dm.compare(a, b)
        assert (result.chance.n, result.chance.n_drawn) == (99, 25)
        assert set(result.chance.p_value.values()) == {0.01}
        assert "permutation test on 25 items, drawn at random without replacement" in result.methods
    moved = dm.compare(tree, dendrogram(60, 1))
    assert moved.chance.n_drawn == 25
    assert " for 25 items drawn at random)" in moved.verdict
    assert dm.compare(tree, tree, n_permutations=9).chance.n_drawn == 0


@pytest.mark.further
def test_drawn_items_of_independent_trees_give_small_p_values_as_seldom_as_they_should(monkeypatch):
    monkeypatch.setattr(chance, "_AFFORDED", ((20, 19),))
    monkeypatch.setattr(import_module("dendrometry.comparison.comparison"), "DRAWN", 15)
    rng, small = np.random.default_rng(0), 0
    for _ in range(100):
        a, b = (dm.from_labels(rng.integers(0, 4, 60)) for _ in "ab")
        small += dm.compare(a, b, measures=["hierarchy_agreement"]).chance.p_value["hierarchy_agreement"] <= 0.2
    assert 8 <= small <= 32  # 20 are expected, with a standard deviation of 4
