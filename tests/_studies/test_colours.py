"""The study of colours: what is chosen, that it is confirmed on other colours, and the numbers of public functions."""

import numpy as np
import pytest

from dendrometry import agglomerate, hierarchical_f, hierarchy_agreement
from dendrometry._studies import colours as study
from dendrometry._studies import reproduce
from dendrometry._studies.colours import colours
from dendrometry._studies.inputs.colours import Setting, cluster_colours, draw_colours, unsplit
from dendrometry.cluster import bisect_constrained
from dendrometry.generate import random_colours, random_triplets, rgb_to_hsv, rgb_to_lab
from tests._studies.committed import assert_as_committed, committed, committed_text

SETTING = ["space", "triplets", "propagate", "trust", "smallest"]


@pytest.fixture(scope="module")
def result():
    return colours(quick=True)


def test_triplets_that_are_told_are_followed_and_without_any_there_is_no_share(result):
    table = result.to_frame()
    assert table.constraints.tolist() == [0, 25, 142, 280, 468, 895]
    assert table.hai.iloc[-1] > table.hai.iloc[0]
    assert table.satisfied.iloc[1:].min() > 0.5
    assert np.isnan(table.satisfied.iloc[0])


def test_agreement_rises_at_every_row_of_the_chosen_setting():
    table = committed("colours", "constraints")
    assert (np.diff(table.hai) > 0).all()
    assert (np.diff(table.unseen_satisfied) > 0).all()
    sets = committed("colours", "sets").pivot_table(index="set", columns="constraints", values="hai")
    assert (np.diff(sets, axis=1) > 0).all()


def test_the_claim_of_the_paper_holds_in_no_set_and_hai_rises_at_low_weights():
    claims = committed("colours", "claims")
    assert (claims.sets == 5).all()
    assert (claims.both_to_fourth == 0).all()
    low, high = claims[claims.trust <= 0.3], claims[claims.trust >= 10]
    assert (low.hai_rises == 5).all()
    assert high[high.propagate].hai_rises_first.tolist() == [0, 0]
    assert high[~high.propagate].hai_rises_first.tolist() == [2, 2]
    words = committed_text("colours")
    assert "HAI rises with the first constraints in 5, 5, 4, 1, 0, 0." in words
    assert "3 of 12 numbers lie within 0.01 of the print, 7 within 0.05, and 7 within 3 standard errors" in words


def test_the_first_tree_tried_is_that_of_the_public_functions(result):
    one = draw_colours(100, 895, 200, np.random.default_rng(0))
    truth = agglomerate(rgb_to_lab(one.rgb), linkage="average").hierarchy
    tree = bisect_constrained(rgb_to_hsv(one.rgb), [], rng=one.seed).hierarchy
    tried = result.to_frame("tried")
    assert tried[SETTING].iloc[0].tolist() == ["HSV columns", "items", True, 0.1, 1]
    assert tried[["hai", "cfm"]].iloc[0].tolist() == [hierarchy_agreement(truth, tree), hierarchical_f(truth, tree)]
    row = tried[(tried.smallest == 10) & (tried.constraints == 0)].iloc[0]
    assert row.cfm == hierarchical_f(truth, unsplit(tree, 10), classes="all")


@pytest.mark.parametrize("propagate", [True, False])
def test_votes_are_propagated_as_the_setting_says(result, propagate):
    one = draw_colours(100, 895, 200, np.random.default_rng(0))
    known = one.triplets["items"]
    tree = bisect_constrained(rgb_to_hsv(one.rgb), known, trust=10.0, propagate=propagate, rng=one.seed).hierarchy
    tried = result.to_frame("tried").set_index([*SETTING, "constraints"])
    row = tried.loc[("HSV columns", "items", propagate, 10.0, 1, 895)]
    assert row.hai == hierarchy_agreement(one.truth, tree)


def test_the_colours_and_their_triplets_are_drawn_by_the_public_functions():
    one, rng = draw_colours(30, 50, 20, np.random.default_rng(3)), np.random.default_rng(3)
    assert (one.rgb == random_colours(30, rng=rng)).all()
    assert (one.triplets["items"] == random_triplets(one.truth, 50, rng=rng)).all()


def test_every_setting_is_tried_and_its_difference_is_that_of_its_numbers(result):
    table, tried = result.to_frame("settings"), result.to_frame("tried")
    assert len(table) == 2 * 2 * 2 * 3 * 5
    assert table.difference.is_monotonic_increasing
    numbers = tried.set_index(SETTING)[["hai", "cfm"]]
    for row in table.itertuples():
        value = numbers.loc[tuple(getattr(row, name) for name in SETTING)].to_numpy()
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
    near = study._Tried(Setting("HSV cone", "items", True, 1.0, 20), value, 0.77)
    assert near.difference == 0.0
    assert not near.is_possible
    assert near._replace(bound=0.784).is_possible


def draw_colours_again(count):
    rng = np.random.default_rng(0)
    return [draw_colours(100, 895, 200, rng) for _ in range(count)]


def test_the_fresh_sets_are_others_than_those_of_the_choice(monkeypatch):
    seen = {"tried": [], "confirmed": [], "varied": []}

    def tried(sets, *_):
        seen["tried"] = [one.rgb.tobytes() for one in sets]
        value = np.broadcast_to(study._PAPER, (1, 6, 2))
        return [study._Tried(Setting("HSV columns", "items", True, 1.0, 5), value, 1.0)]

    def row(one, *rest):
        seen["confirmed"].append(one.rgb.tobytes())
        return true_row(one, *rest)

    def both(truth, tree):
        seen["varied"].append(truth)
        return true_both(truth, tree)

    true_row, true_both = study._row, study._both
    monkeypatch.setattr(study, "_tried", tried)
    monkeypatch.setattr(study, "_row", row)
    monkeypatch.setattr(study, "_both", both)
    colours(quick=True)
    assert len(seen["confirmed"]) == 6
    assert not set(seen["tried"]) & set(seen["confirmed"])
    assert len(seen["varied"]) == 6 * 2 * 6
    fresh = draw_colours_again(2)[1]
    assert all(truth == fresh.truth for truth in seen["varied"])


def test_the_words_follow_from_the_numbers(result):
    claims = result.to_frame("claims")
    for propagate, words in ((True, "With votes propagated"), (False, "With votes not propagated")):
        start = next(i for i, note in enumerate(result.notes) if note.startswith(words))
        counts = claims[claims.propagate == propagate]
        assert result.notes[start].endswith("of 1 set at the weights 0.1, 0.3, 1, 3, 10, 30:")
        for line, column in ((1, "hai_rises_first"), (2, "hai_rises"), (3, "cfm_low_to_fourth"), (5, "both_to_fourth")):
            assert result.notes[start + line].endswith(f" in {', '.join(map(str, counts[column]))}.")
    tried = result.to_frame("tried")
    without = tried[tried.constraints == 0].cfm
    assert f"CFM over all settings tried is {without.min():.3f} to {without.max():.3f} without" in " ".join(
        result.notes
    )


def test_claims_are_counted_by_sets():
    print_like = study._PAPER
    late = print_like.copy()
    late[3, 1] = 0.49  # CFM above its start at the fourth row
    falls = print_like.copy()
    falls[1, 0] = 0.70  # HAI below its start at the second
    high = print_like.copy()
    high[1, 1] = 0.50  # CFM above its start at the second row only
    found = study._Claims.of(np.array([print_like, late, falls, high]))
    assert found == (3, 3, 3, 3, 2, 2, 1)


def test_numbers_of_the_print_are_met_within_three_limits():
    far = np.zeros((6, 2))
    far[0, 0], far[1, 0], far[2, 0] = 0.005, 0.04, 0.2
    value = np.array([study._PAPER + far + noise for noise in (-0.06, 0.0, 0.06)])
    # the error of one set against the mean of three: 0.06 * sqrt(4 / 3), three of them 0.208
    assert study._errors(value) == pytest.approx(np.full((6, 2), 0.06 * np.sqrt(4 / 3)))
    assert study._cells(value) == (10, 11, 12)
    assert study._cells(value[1:2])[2] == 9  # one set has no error


@pytest.mark.parametrize("shown", ["quick", "committed"])
def test_the_chosen_setting_is_among_those_of_the_claims(result, shown):
    frames = result.to_frame if shown == "quick" else lambda name: committed("colours", name)
    settings, claims, means = frames("settings"), frames("claims"), frames("constraints")
    chosen = settings[settings.possible].iloc[0]
    row = claims[(claims.propagate == chosen.propagate) & (claims.trust == chosen.trust)].iloc[0]
    value = means[["hai", "cfm"]].to_numpy()
    assert row.difference == pytest.approx(np.sqrt(((value - study._PAPER) ** 2).mean()), rel=1e-4)
    spread = frames("propagation")
    own = spread[(spread.propagate == chosen.propagate) & (spread.trust == chosen.trust)]
    assert own.hai.to_numpy() == pytest.approx(means.hai.to_numpy(), rel=1e-5)
    assert (spread.hai_least <= spread.hai).all()
    assert (spread.cfm <= spread.cfm_greatest).all()


def test_every_hierarchy_is_drawn_in_its_colours(result):
    axes = result.figure("hierarchies").axes
    titles = [ax.get_title() for ax in axes if ax.axison]
    assert titles[0] == "0 constraints"
    assert titles[-1] == "truth"
    assert len(titles) == 7
    assert all(ax.collections for ax in axes[:7])
    assert len(result.figure("curves").axes[0].lines) == 3
    assert [len(ax.lines) for ax in result.figure("propagation").axes] == [6, 6, 6, 6]


def test_the_committed_bounds_rule_out_clusters_of_at_least_twenty():
    bounds = committed("colours", "bounds").set_index("smallest")
    assert bounds.of_the_truth[20] == pytest.approx(0.737, abs=0.005)
    assert bounds.greatest_bound[20] < 0.784 < bounds.bound[15]


@pytest.mark.slow
def test_settings_without_propagation_are_committed_as_they_are_given_again():
    rng = np.random.default_rng(0)
    sets = [draw_colours(2500, 44_791, 10_000, rng) for _ in range(2)]
    wanted = committed("colours", "tried").set_index([*SETTING, "constraints"])
    for trust in (0.1, 10.0):
        setting = Setting("HSV columns", "items", False, trust, 10)
        for count in (0, 1298, 7142):
            values = [study._both(one.truth, unsplit(cluster_colours(one, setting, count), 10)) for one in sets]
            row = wanted.loc[(*setting, count)]
            assert np.mean(values, axis=0) == pytest.approx([row.hai, row.cfm], rel=1e-5)


@pytest.mark.slow
def test_the_full_study_is_what_the_docs_show():
    assert_as_committed(reproduce("colours"))
