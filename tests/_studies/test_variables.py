"""The variables study: planted noise comes out at chance level, by a criterion fixed beforehand.

The criterion: a variable is selected if at most 5%, divided by the number of variables, of the relabellings of its
items agree as much with the others. No noise variable may be selected, every informative one must be. Over many draws
the p-values of noise must be those of chance: of m noise variables, the number with p <= 0.05 must not pass the 99.9%
quantile of the binomial distribution of m and 0.05.
"""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

from dendrometry import agglomerate, overall_similarity, stages
from dendrometry._studies import variables as study
from dendrometry._studies.inputs.data import planted_noise
from dendrometry._studies.variables import variables
from dendrometry.comparison import score_variables
from tests._studies.committed import assert_as_committed, committed, committed_text


@pytest.fixture(scope="module")
def result():
    return variables(quick=True)


def check_noise_is_left_and_structure_selected(result):
    frame = result.to_frame().query("data == 'planted noise'")
    noise = frame.variable.str.startswith("noise")
    assert not frame.selected[noise].any()
    assert frame.selected[~noise].all()
    assert (frame.agreement[noise] < frame.agreement[~noise].min() / 2).all()


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
    assert found.selected.tolist() == [True] * n_informative + [False] * n_noise
    notes = list(study._sentences([found]))
    assert f"; left: {word}" in notes[1]
    assert ("no variable is left to cluster by" in notes[2]) == (n_informative == 0)
    assert notes[-1].startswith("  without one variable, S to the tree of all is ")


def test_ties_that_decide_a_selection_are_told():
    rng = np.random.default_rng(0)
    points = planted_noise(6, 2, 2, rng)
    found = study._found(points, {}, 79, rng, False)
    same, other = found.scores.agreement_over_ties.repeat(2, axis=0), found.scores.agreement_over_ties.repeat(2, axis=0)
    other[1, 2] = 1.0
    told = [found._replace(scores=replace(found.scores, agreement_over_ties=each)) for each in (same, other)]
    notes = [next(note for note in study._sentences([one]) if "tie-breaks" in note) for one in told]
    assert notes[0].endswith("by at most 0.0000, and no selection")
    assert notes[1].endswith(", and the selection of noise 1")


def test_false_selections_are_those_of_the_public_function(result):
    table = result.to_frame("false")
    assert table.data.tolist() == ["noise", "noise of 4 values", "2 informative, 1 noise"]
    assert table.data_sets.tolist() == [10, 10, 10]
    assert table.noise.tolist() == [30, 30, 10]
    rng = np.random.default_rng(3)
    counted = study._false_selections(4, np.random.default_rng(3), False).to_frame()
    chosen = [score_variables(rng.normal(size=(20, 3)), linkage="ward", n_permutations=59, rng=rng) for _ in range(4)]
    assert counted.noise_selected[0] == sum(int(one.selected.sum()) for one in chosen)
    assert result.notes[-3].startswith("  noise: in ")


def test_over_many_data_sets_noise_is_selected_as_rarely_as_the_rule_says():
    table = committed("variables", "false")
    assert table.data_sets.tolist() == [200, 200, 200]
    assert (table.sets_with_one <= binom.ppf(0.999, 200, 0.05)).all()
    assert (table.noise_selected <= binom.ppf(0.999, table.noise, 0.05 / 3)).all()
    assert table.informative_selected[2] > 0.9 * table.informative[2]


def test_the_committed_ties_of_wine_change_no_selection():
    (note,) = (line for line in committed_text("variables").splitlines() if "tie-breaks" in line)
    assert note.endswith("by at most 0.0015, and no selection")


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
        points = planted_noise(10, 2, 4, rng).values
        noise = score_variables(points, linkage="ward", n_permutations=99, rng=rng).p_value[2:]
        low, total = low + int((noise <= 0.05).sum()), total + noise.size
    assert low <= binom.ppf(0.999, total, 0.05)
