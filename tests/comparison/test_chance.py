"""p-values of measures of partitions: shares of relabellings, whatever the order of items."""

from itertools import permutations

import numpy as np
import pytest

import dendrometry as dm
from dendrometry.comparison import chance
from dendrometry.comparison.chance import p_values, tree_chance
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
