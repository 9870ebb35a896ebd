"""The variables study: planted noise comes out at chance level, by a criterion fixed beforehand.

The criterion: a variable is selected if at most 5%, divided by the number of variables, of the relabellings of its
items agree as much with the others. No noise variable may be selected, every informative one must be. Over many draws
the p-values of noise must be those of chance: of m noise variables, the number with p <= 0.05 must not pass the 99.9%
quantile of the binomial distribution of m and 0.05.
"""

import numpy as np
import pytest
from scipy.stats import binom

from dendrometry import agglomerate, overall_similarity, stages
from dendrometry.study.inputs.data import planted_noise
from dendrometry.study.studies import variables as study
from dendrometry.study.studies.variables import scored_variables, variables
from tests.study.committed import assert_as_committed


@pytest.fixture(scope="module")
def result():
    return variables(quick=True)


def check_noise_is_left_and_structure_selected(result):
    frame = result.to_frame().query("data == 'planted noise'")
    noise = frame.variable.str.startswith("noise")
    assert not frame.selected[noise].any()
    assert frame.selected[~noise].all()
    assert (frame.adjusted[noise] < frame.adjusted[~noise].min() / 2).all()


def test_planted_noise_comes_out_at_chance_level_and_structure_does_not(result):
    check_noise_is_left_and_structure_selected(result)
    assert result.notes[1].startswith("planted noise: 2 of 4 selected; left: noise 1 (p = ")


def test_a_subset_of_noise_agrees_with_structure_no_more_than_by_chance(result):
    subsets = result.to_frame("subsets").set_index(["first", "second"])
    assert subsets.p_value["informative, odd", "informative, even"] == 1 / 80
    assert subsets.p_value["informative, odd", "noise"] > 0.05
    assert subsets.p_value["informative, even", "noise"] > 0.05


def test_the_tables_are_those_of_the_public_functions(result):
    points = planted_noise(6, 2, 2, np.random.default_rng(0))
    values = points.values
    trees = [agglomerate(values[:, [j]], linkage="ward").hierarchy for j in range(4)]
    matrix = result.to_frame("matrix")
    row = matrix[(matrix["first"] == "informative 1") & (matrix.second == "noise 2")].iloc[0]
    assert row.similarity == overall_similarity(trees[0], trees[3])
    assert row.by_chance == 1.0 - stages(trees[0], trees[3]).expected_distance
    without = agglomerate(np.delete(values, 1, axis=1), linkage="ward").hierarchy
    master = agglomerate(values, linkage="ward").hierarchy
    assert result.to_frame().similarity_without[1] == overall_similarity(master, without)


def test_equal_values_are_clustered_in_several_orders_and_the_scores_are_means():
    values = np.column_stack([np.random.default_rng(j).permutation(24) for j in range(3)]).astype(float)
    scores = scored_variables(values, 10, np.random.default_rng(4))
    assert scores.orders.shape == (10, 3)
    assert np.ptp(scores.orders, axis=0).max() > 0.0
    assert scores.adjusted.tolist() == scores.orders.mean(axis=0).tolist()
    first = [agglomerate(values[:, [j]], linkage="ward").hierarchy for j in range(3)]
    pairs = [stages(first[0], first[j]) for j in (1, 2)]
    adjusted = [1.0 - pair.distance / pair.expected_distance for pair in pairs]
    assert scores.orders[0, 0] == pytest.approx(np.mean(adjusted))


def test_the_mean_over_relabellings_is_chance():
    points = planted_noise(8, 2, 1, np.random.default_rng(3))
    scores = scored_variables(points.values, 40, np.random.default_rng(4))
    error = scores.null.std(axis=0) / np.sqrt(40)
    assert (np.abs(scores.null.mean(axis=0)) < 4 * error).all()


def test_the_figure_has_a_row_for_each_variable(result):
    matrix, agreement, without = result.figure("planted_noise").axes[:3]
    assert [text.get_text() for text in matrix.get_yticklabels()] == list(
        result.tables["variables"].columns["variable"]
    )
    assert len(agreement.patches) == len(without.patches) == 4


@pytest.mark.parametrize(("n_informative", "n_noise", "word"), [(2, 0, "none."), (0, 2, "noise 1 (p = ")])
def test_structure_alone_is_all_selected_and_noise_alone_not_at_all(n_informative, n_noise, word):
    rng = np.random.default_rng(0)
    points = planted_noise(6, n_informative, n_noise, rng)
    found = study._found(points, {"first": points.columns[:1]}, 39, rng, False)
    assert found.scores.selected.tolist() == [True] * n_informative + [False] * n_noise
    notes = list(study._sentences([found]))
    assert f"; left: {word}" in notes[1]
    assert ("no variable is left to cluster by" in notes[2]) == (n_informative == 0)
    assert notes[-1].startswith("  without one variable, S to the tree of all is ")


@pytest.mark.slow
def test_the_full_study_leaves_the_noise_and_is_what_the_docs_show():
    result = variables()
    check_noise_is_left_and_structure_selected(result)
    assert result.to_frame().query("data == 'wine'").shape[0] == 13
    assert_as_committed(result, rtol=1e-4)


@pytest.mark.slow
def test_over_many_draws_the_p_values_of_noise_are_those_of_chance():
    low = total = 0
    for seed in range(25):
        rng = np.random.default_rng(seed)
        noise = scored_variables(planted_noise(10, 2, 4, rng).values, 99, rng).p_value[2:]
        low, total = low + int((noise <= 0.05).sum()), total + noise.size
    assert low <= binom.ppf(0.999, total, 0.05)
