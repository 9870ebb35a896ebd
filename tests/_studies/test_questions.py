"""The study of questions: its drawings, its counts, and the numbers of public functions."""

import numpy as np
import pytest

from dendrometry import hierarchical_f, hierarchy_agreement
from dendrometry._studies import questions as study
from dendrometry._studies.questions import questions
from dendrometry.cluster import bisect_constrained
from dendrometry.datasets import zoo
from dendrometry.generate import satisfied_triplets
from dendrometry.resampling import ask_triplets
from tests._studies.committed import committed, committed_text

SETS = ["colours", "animals", "diffused"]


@pytest.fixture(scope="module")
def result():
    return questions(quick=True)


def test_every_set_is_asked_about_in_both_ways(result):
    runs, table = result.to_frame("runs"), result.to_frame()
    assert runs.groupby(["set", "drawing", "asked", "questions"]).size().tolist() == [1] * (3 * 2 * 2 * 3)
    assert table.set.unique().tolist() == SETS
    start = runs[runs.questions == 0]
    assert (start.groupby(["set", "drawing"]).hai.nunique() == 1).all()
    assert (start.answered == 0).all()
    assert (runs.answered <= runs.questions).all()
    assert (runs[runs.set != "animals"].answered == runs[runs.set != "animals"].questions).all()


@pytest.mark.parametrize("shown", ["quick", "committed"])
def test_the_table_sums_up_the_runs(result, shown):
    runs = result.to_frame("runs") if shown == "quick" else committed("questions", "runs")
    table = result.to_frame() if shown == "quick" else committed("questions", "questions")
    for row in table.itertuples():
        for name in ("hai", "cfm"):
            some = runs[(runs.set == row.set) & (runs.questions == row.questions)]
            chosen, at_random = (
                some[some.asked == way].sort_values("drawing")[name].to_numpy() for way in ("chosen", "random")
            )
            assert getattr(row, f"{name}_chosen") == pytest.approx(chosen.mean(), rel=1e-5)
            assert getattr(row, f"{name}_random_least") == at_random.min()
            assert getattr(row, f"{name}_chosen_greatest") == chosen.max()
            assert getattr(row, f"{name}_chosen_higher") == (chosen > at_random).sum()
            assert getattr(row, f"{name}_random_higher") == (chosen < at_random).sum()


def assert_first_run_is(runs, n, n_trees, most):
    """Compare the first drawing of the first set with the numbers of public functions."""
    rng = np.random.default_rng(0)
    known = study._colours(n, rng)
    asked = ask_triplets(known.points, known.truth, most, n_trees=n_trees, rng=rng)
    assert satisfied_triplets(known.truth, asked.triplets).all()
    chosen = runs[(runs.set == "colours") & (runs.drawing == 0) & (runs.asked == "chosen")]
    for row in chosen.itertuples():
        tree = bisect_constrained(known.points, asked.triplets[: row.questions], rng=0).hierarchy
        assert row.hai == pytest.approx(hierarchy_agreement(known.truth, tree), rel=1e-5)
        assert row.cfm == pytest.approx(hierarchical_f(known.truth, tree, classes="all"), rel=1e-5)


def test_the_first_run_is_that_of_the_public_functions(result):
    assert_first_run_is(result.to_frame("runs"), 12, 6, 20)


def test_animals_and_their_traits_are_in_the_order_of_the_truth():
    known = study._animals(30, np.random.default_rng(0))
    animals = zoo()
    rows = [animals.items.index(name) for name in known.truth.items]
    legs = animals.traits[rows, animals.trait_names.index("legs")]
    column = known.points[:, animals.trait_names.index("legs")]
    assert column * legs.std() == pytest.approx(legs)


def test_the_words_follow_from_the_numbers(result):
    table = result.to_frame()
    lower = table[(table.questions > 0) & (table.hai_chosen <= table.hai_random)]
    named = ", ".join(f"{row.set} at {row.questions}" for row in lower.itertuples()) or "no set and number"
    assert result.notes[-1] == f"The mean HAI of chosen questions is not higher for {named}."
    row = table[(table.set == "animals") & (table.questions == 20)].iloc[0]
    assert f"20: {row.hai_chosen - row.hai_random:+.3f}, higher in {row.hai_chosen_higher}." in result.notes[1]


def test_both_measures_are_drawn_for_every_set(result):
    axes = result.figure("curves").axes
    assert [len(ax.lines) for ax in axes] == [2] * 6
    assert [ax.get_title() for ax in axes[:3]] == SETS


def test_chosen_questions_win_in_the_end_but_on_the_animals_as_committed():
    last = committed("questions", "questions").set_index(["set", "questions"]).xs(240, level="questions")
    for name in ("colours", "diffused"):
        assert last.loc[name].hai_chosen_least > last.loc[name].hai_random_greatest
        assert last.loc[name].cfm_chosen_least > last.loc[name].cfm_random_greatest
    assert last.loc["animals"].hai_chosen < last.loc["animals"].hai_random
    runs = committed("questions", "runs")
    answered = runs[(runs.set == "animals") & (runs.questions == 240)].groupby("asked").answered.mean()
    assert answered.chosen < 0.5 * answered.random
    losing = "colours at 30, animals at 15, animals at 240, diffused at 15"
    assert f"The mean HAI of chosen questions is not higher for {losing}." in committed_text("questions")


@pytest.mark.slow
def test_the_first_committed_run_is_given_again():
    assert_first_run_is(committed("questions", "runs"), 60, 12, 240)
