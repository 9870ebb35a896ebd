"""The study of colours: what is chosen, that it is confirmed on other colours, and the numbers of public functions."""

import numpy as np
import pytest

from dendrometry import agglomerate, hierarchical_f, hierarchy_agreement
from dendrometry._studies import colours as study
from dendrometry._studies import reproduce
from dendrometry._studies.colours import colours
from dendrometry._studies.inputs.colours import Setting, draw_colours, unsplit
from dendrometry.cluster import bisect_constrained
from dendrometry.generate import random_colours, random_triplets, rgb_to_hsv, rgb_to_lab
from tests._studies.committed import assert_as_committed, committed, committed_text

SETTING = ["space", "trust", "triplets", "smallest"]


@pytest.fixture(scope="module")
def result():
    return colours(quick=True)


def test_triplets_that_are_told_are_followed_and_without_any_there_is_no_share(result):
    table = result.to_frame()
    assert table.constraints.tolist() == [0, 25, 142, 280, 468, 895]
    assert table.hai.iloc[-1] > table.hai.iloc[0]
    assert table.satisfied.iloc[1:].min() > 0.5
    assert np.isnan(table.satisfied.iloc[0])


def test_agreement_rises_with_triplets_drawn_by_items_and_most_unseen_ones_are_followed():
    table = committed("colours", "constraints")
    assert (np.diff(table.hai[1:]) > 0).all()
    assert table.hai.iloc[-1] > 0.98
    assert table.unseen_satisfied.iloc[-1] > 0.98


def test_the_committed_fall_of_cfm_and_rise_of_hai_are_those_of_the_words():
    sets = committed("colours", "sets").pivot_table(index="set", columns="constraints", values=["hai", "cfm"])
    assert (sets.cfm[1298] < sets.cfm[0]).all()
    words = committed_text("colours")
    assert "CFM falls with the first constraints in 5 of 5 sets" in words
    assert "HAI rises at every row in 0." in words


def test_the_first_tree_tried_is_that_of_the_public_functions(result):
    rng = np.random.default_rng(0)
    sets = [draw_colours(100, 895, 200, rng) for _ in range(2)]
    truth = agglomerate(rgb_to_lab(sets[0].rgb), linkage="average").hierarchy
    tree = bisect_constrained(rgb_to_hsv(sets[0].rgb), [], rng=rng).hierarchy
    tried = result.to_frame("tried")
    assert tried[SETTING].iloc[0].tolist() == ["HSV columns", 1.0, "items", 1]
    assert tried[["hai", "cfm"]].iloc[0].tolist() == [hierarchy_agreement(truth, tree), hierarchical_f(truth, tree)]
    row = tried[(tried.smallest == 10) & (tried.constraints == 0)].iloc[0]
    assert row.cfm == hierarchical_f(truth, unsplit(tree, 10), classes="all")


def test_the_colours_and_their_triplets_are_drawn_by_the_public_functions():
    one, rng = draw_colours(30, 50, 20, np.random.default_rng(3)), np.random.default_rng(3)
    assert (one.rgb == random_colours(30, rng=rng)).all()
    assert (one.triplets["items"] == random_triplets(one.truth, 50, rng=rng)).all()


def test_every_setting_is_tried_and_its_difference_is_that_of_its_numbers(result):
    table, tried = result.to_frame("settings"), result.to_frame("tried")
    assert len(table) == 2 * 2 * 2 * 5
    assert table.difference.is_monotonic_increasing
    numbers = tried.set_index(SETTING)[["hai", "cfm"]]
    for row in table.itertuples():
        value = numbers.loc[(row.space, row.trust, row.triplets, row.smallest)].to_numpy()
        assert row.difference == pytest.approx(np.sqrt(((value - study._PAPER) ** 2).mean()))


@pytest.mark.parametrize("shown", ["quick", "committed"])
def test_the_chosen_setting_is_the_nearest_of_those_in_which_the_print_is_possible(result, shown):
    table = result.to_frame("settings") if shown == "quick" else committed("colours", "settings")
    bounds = (result.to_frame("bounds") if shown == "quick" else committed("colours", "bounds")).set_index("smallest")
    assert (table.possible == (bounds.loc[table.smallest].greatest_bound >= 0.784).to_numpy()).all()
    first = table[table.possible].iloc[0]
    if shown == "quick":
        assert result.notes[0] == f"Chosen: {Setting(*first[SETTING])}."
        assert f": {first.difference:.3f} on the 1 set it was chosen on, " in result.notes[1]


def test_settings_in_which_the_print_is_not_possible_are_not_chosen():
    value = np.broadcast_to(study._PAPER, (1, 6, 2))
    near = study._Tried(Setting("HSV cone", 1.0, "items", 20), value, 0.77)
    assert near.difference == 0.0
    assert not near.is_possible
    assert near._replace(bound=0.784).is_possible


def test_the_fresh_sets_are_others_than_those_of_the_choice(monkeypatch):
    seen = {"tried": [], "confirmed": []}

    def tried(sets, *_):
        seen["tried"] = [one.rgb.tobytes() for one in sets]
        value = np.broadcast_to(study._PAPER, (1, 6, 2))
        return [study._Tried(Setting("HSV columns", 1.0, "items", 5), value, 1.0)]

    def row(one, *rest):
        seen["confirmed"].append(one.rgb.tobytes())
        return true_row(one, *rest)

    true_row = study._row
    monkeypatch.setattr(study, "_tried", tried)
    monkeypatch.setattr(study, "_row", row)
    colours(quick=True)
    assert len(seen["confirmed"]) == 6
    assert not set(seen["tried"]) & set(seen["confirmed"])


def test_the_words_follow_from_the_numbers(result):
    sets = result.to_frame("sets")
    hai, cfm = sets.hai.to_numpy(), sets.cfm.to_numpy()
    assert result.notes[2] == (
        f"  CFM falls with the first constraints in {int(cfm[1] < cfm[0])} of 1 set, and is below its start up to the"
        f" fourth row, as in the print, in {int((cfm[1:4] < cfm[0]).all())}; HAI rises at every row in"
        f" {int((np.diff(hai) > 0).all())}."
    )
    tried = result.to_frame("tried")
    without = tried[tried.constraints == 0].cfm
    assert f"CFM over all settings tried is {without.min():.3f} to {without.max():.3f} without" in result.notes[4]


def test_every_hierarchy_is_drawn_in_its_colours(result):
    axes = result.figure("hierarchies").axes
    titles = [ax.get_title() for ax in axes if ax.axison]
    assert titles[0] == "0 constraints"
    assert titles[-1] == "truth"
    assert len(titles) == 7
    assert all(ax.collections for ax in axes[:7])
    assert len(result.figure("curves").axes[0].lines) == 3


def test_the_committed_bounds_rule_out_clusters_of_at_least_twenty():
    bounds = committed("colours", "bounds").set_index("smallest")
    assert bounds.of_the_truth[20] == pytest.approx(0.737, abs=0.005)
    assert bounds.greatest_bound[20] < 0.784 < bounds.bound[15]


@pytest.mark.slow
def test_the_full_study_is_what_the_docs_show():
    assert_as_committed(reproduce("colours"))
