"""The permutation test: reproducible, independent of threads, and uniform by chance."""

from itertools import permutations

import numpy as np
import pytest
from scipy.cluster.hierarchy import linkage

import dendrometry as dm
from dendrometry.tree_pair import contraction
from dendrometry.tree_pair.pair import Pair
from dendrometry.tree_pair.statistics import PairStatistics
from tests.oracles.measures.definition import definition
from tests.oracles.sets.trees import plain
from tests.strategies import random_linkage


def two(n, seed):
    rng = np.random.default_rng(seed)
    return [dm.from_linkage(random_linkage(n, rng)) for _ in range(2)]


ITEMS_AT_NODES = (
    dm.from_parents([2, 2, 4, 4, -1], [0, 1, 2, 2, 3, 4, 0], [0, 0, 1, 0, 2]),
    dm.from_parents([2, 2, 4, 4, -1], [1, 1, 2, 0, 3, 4, 4], [0, 0, 1, 0, 3]),
)


@pytest.mark.further
@pytest.mark.parametrize("measure", dm.measures.TREE_MEASURES)
def test_the_number_of_jobs_does_not_matter(measure):
    a, b = ITEMS_AT_NODES
    results = [dm.permutation_test(a, b, measure, 25, rng=7, n_jobs=n_jobs) for n_jobs in (1, 2, None, -1)]
    for result in results[1:]:
        assert result.null.tolist() == results[0].null.tolist()
        assert result.p_value == results[0].p_value


@pytest.mark.parametrize(
    "measure",
    ["hierarchy_agreement", "overall_distance", "cophenetic_distance", "cophenetic_correlation", "baker_correlation"],
)
@pytest.mark.parametrize("pair", [two(40, 1), ITEMS_AT_NODES], ids=["dendrograms", "items at nodes"])
def test_a_relabelling_has_the_values_of_its_own_trees(measure, pair):
    score, statistics = dm.MEASURES[measure].score, PairStatistics(Pair.of_trees(*pair))
    score(statistics)
    for seed in range(10):
        shuffled = statistics.shuffle(np.random.default_rng(seed))
        assert score(shuffled) == score(PairStatistics(shuffled.pair))


def test_clocks_and_ticks_are_computed_once(monkeypatch):
    calls = []
    monkeypatch.setattr(contraction, "_ticks", lambda *args, old=contraction._ticks: calls.append(1) or old(*args))
    dm.permutation_test(*two(40, 1), "cophenetic_distance", 25, rng=0)
    assert calls == [1]


def test_the_p_value_counts_the_trees_themselves():
    a, b = two(12, 0)
    for name in ("hierarchy_agreement", "overall_distance"):
        same, other = dm.permutation_test(a, a, name, 99, rng=0), dm.permutation_test(a, b, name, 99, rng=0)
        assert same.p_value == 0.01
        assert other.p_value > 0.01
        extreme = other.null >= other.value if name == "hierarchy_agreement" else other.null <= other.value
        assert other.p_value == (1 + extreme.sum()) / 100
    assert other.null_deviation == pytest.approx(other.null.std(ddof=1))
    assert "p = " in repr(other)


EXACT = {
    name: definition(name, "trees") for name in ("hierarchical_f", "cophenetic_distance", "cophenetic_correlation")
}


@pytest.mark.further
@pytest.mark.parametrize("scale", [1.0, 2.0**-900])
@pytest.mark.parametrize("name", EXACT)
def test_ties_are_not_decided_by_rounding(name, scale):
    rng = np.random.default_rng(7)
    rows = [linkage(rng.normal(size=(6, 2)), "average") for _ in "ab"]
    for row in rows:
        row[:, 2] *= scale
    a, b = map(dm.from_linkage, rows)
    x, y = plain(a, a.items), plain(b, a.items)
    exact = [EXACT[name](x, y._replace(item_node=nodes)) for nodes in permutations(y.item_node)]
    kind = dm.MEASURES[name].kind
    observed = EXACT[name](x, y)
    alike = [value >= observed if kind == "similarity" else value <= observed for value in exact]
    found = dm.permutation_test(a, b, name, 500, rng=1)
    nearest = np.abs(found.null[:, None] - np.array(exact, dtype=float)).argmin(axis=1)
    assert found.p_value == (1 + sum(alike[i] for i in nearest)) / 501
    assert found.p_value == pytest.approx(sum(alike) / 720, abs=0.06)


@pytest.mark.parametrize("measure", ["hierarchical_mutual_information", "mutual_clustering_information"])
def test_more_information_in_common_is_more_alike(measure):
    tree = dm.generate.random_tree(20, rng=0)
    assert dm.permutation_test(tree, tree, measure, 19, rng=0).p_value == 1 / 20


@pytest.mark.parametrize("measure", ["purity", "jaccard", "b_cubed", "matched_kappa", "mutual_information"])
def test_measures_of_partitions_are_tested_on_flat_trees(measure):
    """All 24 relabellings of four items are drawn about equally often, so their mean is that of all."""
    x, y = [0, 0, 1, 1], [0, 0, 1, 2]
    a, b = dm.from_labels(x), dm.from_labels(y)
    found = dm.permutation_test(a, b, measure, 600, rng=0)
    call = dm.MEASURES[measure].call
    values = [call(x, labels) for labels in permutations(y)]
    share = np.mean([value >= call(x, y) - 1e-12 for value in values])
    assert found.value == call(x, y)
    assert found.null_mean == pytest.approx(np.mean(values), abs=0.05)
    assert found.p_value == pytest.approx(share, abs=0.06)


@pytest.mark.parametrize("measure", ["hierarchy_agreement", "kendall_colijn", "robinson_foulds"])
def test_the_adjusted_value_estimates_that_of_a_comparison(measure):
    a, b = two(12, 1)
    found = dm.permutation_test(a, b, measure, 400, rng=0)
    assert found.adjusted == pytest.approx(dm.compare(a, b, measures=[measure]).lines[0].adjusted, abs=0.05)
    assert found.to_frame().adjusted.tolist() == [found.adjusted]


def test_measures_without_a_formula_have_an_adjusted_value_by_permutations():
    a, b = dm.from_labels([0, 0, 1, 1]), dm.from_labels([0, 0, 1, 2])
    found = dm.permutation_test(a, b, "jaccard", 600, rng=0)
    assert found.adjusted == (0.5 - found.null_mean) / (1 - found.null_mean)
    assert dm.permutation_test(a, a, "jaccard", 9, rng=0).adjusted == 1.0


def test_squares_of_great_heights_are_adjusted():
    a, b = (dm.from_linkage([[0, 1, x, 2], [2, 3, 3e300, 3]]) for x in (1e300, 2e300))
    found = dm.permutation_test(a, b, "cophenetic_lp", 200, rng=0)
    assert found.adjusted == pytest.approx(8 / 11, abs=0.05)


def test_a_measure_without_one_value_for_identical_trees_is_not_adjusted():
    a, b = two(5, 1)
    assert dm.permutation_test(a, b, "hierarchical_mutual_information", 9, rng=0).adjusted is None


def test_measures_of_partitions_need_flat_trees():
    tree = dm.from_newick("((a,b),c);")
    with pytest.raises(dm.errors.InvalidInputError, match="for measures of partitions the first tree must be flat"):
        dm.permutation_test(tree, tree, "purity", 9)


def test_one_permutation_has_no_deviation():
    a, b = two(5, 1)
    assert dm.permutation_test(a, b, n_permutations=1, rng=0).null_deviation == 0.0


def test_progress_is_shown_on_standard_error_when_asked_for(capsys):
    a, b = two(5, 1)
    dm.permutation_test(a, b, n_permutations=3, rng=0)
    assert capsys.readouterr() == ("", "")
    dm.permutation_test(a, b, n_permutations=3, rng=0, progress=True)
    out, err = capsys.readouterr()
    assert out == ""
    assert "permutations of hierarchy_agreement" in err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"measure": "hai"}, "did you mean 'hierarchy_agreement'. measure must be one of 64 names; got 'hai'"),
        ({"n_permutations": 0}, "n_permutations must be a whole number from 1 on; got 0"),
        ({"n_permutations": 2.5}, "n_permutations must be a whole number from 1 on; got 2.5"),
        ({"n_jobs": 0}, "n_jobs must be at least 1, or below 0 to count from all cores, or None; got 0"),
    ],
)
def test_bad_options_are_refused(options, message):
    a, b = two(5, 1)
    with pytest.raises(dm.errors.InvalidInputError, match=message):
        dm.permutation_test(a, b, **options)
