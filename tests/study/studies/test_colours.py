"""The study of colours: agreement rises with what is told, and the numbers are those of the public functions."""

import numpy as np
import pytest

from dendrometry import agglomerate, hierarchical_f, hierarchy_agreement
from dendrometry.generate import random_colours, rgb_to_lab
from dendrometry.study import reproduce
from dendrometry.study.result import Table
from dendrometry.study.studies import colours as study
from dendrometry.study.studies.colours import colours, hsv_cone


@pytest.fixture(scope="module")
def result():
    return colours(quick=True)


def test_agreement_rises_and_unseen_triplets_are_followed_more_and_more(result):
    table = result.to_frame()
    assert table.constraints.tolist() == [0, 25, 142, 280, 468, 895]
    assert table.hai.iloc[-1] > 0.95 > table.hai.iloc[0]
    assert table.unseen_satisfied.iloc[-1] > table.unseen_satisfied.iloc[0] + 0.1
    assert table.satisfied.iloc[1:].min() > 0.8
    assert np.isnan(table.satisfied.iloc[0])


def test_the_first_row_is_that_of_the_public_functions(result):
    from dendrometry.cluster import bisect_constrained
    from dendrometry.generate import random_triplets

    rng = np.random.default_rng(0)
    rgb = random_colours(100, rng=rng)
    truth = agglomerate(rgb_to_lab(rgb), linkage="average").hierarchy
    random_triplets(truth, 895, rng=rng)
    random_triplets(truth, 200, rng=rng)
    tree = bisect_constrained(hsv_cone(rgb), [], rng=rng).hierarchy
    first = result.to_frame().iloc[0]
    assert first.hai == hierarchy_agreement(truth, tree)
    assert first.cfm == hierarchical_f(truth, tree)


def test_coarser_leaves_cost_cfm_and_hardly_hai(result):
    leaves = result.to_frame("leaves")
    assert leaves.smallest_leaf.tolist() == [1, 5, 20] * 6
    fine, coarse = leaves[leaves.smallest_leaf == 1], leaves[leaves.smallest_leaf == 20]
    assert (coarse.cfm.to_numpy() < fine.cfm.to_numpy()).all()
    assert np.abs(coarse.hai.to_numpy() - fine.hai.to_numpy()).max() < 0.05
    assert (fine.hai.to_numpy() == result.to_frame().hai.to_numpy()).all()


def test_the_words_follow_from_the_numbers(result):
    frame, leaves = result.to_frame(), result.to_frame("leaves")
    for note, name in zip(result.notes, ("hai", "cfm"), strict=False):
        rises = int((np.diff(frame[name]) > 0).all())
        assert note.startswith(f"{name.upper()} goes from {frame[name].iloc[0]:.3f} without constraints to ")
        assert f"rising at every row in {rises} of 1 set; the first constraints" in note
        assert note.endswith(f"change it by {frame[name][1] - frame[name][0]:+.3f}.")
    lost = leaves.groupby("constraints").cfm.agg(lambda cfm: cfm.iloc[0] - cfm.iloc[-1])
    assert f"CFM would lose {lost.min():.3f} to {lost.max():.3f}, and HAI " in result.notes[2]


def test_nothing_is_concluded_of_leaves_where_both_measures_lose():
    rows = [(0, 1, 0.9, 0.8), (0, 20, 0.5, 0.3), (10, 1, 0.9, 0.8), (10, 20, 0.9, 0.3)]
    names = ("constraints", "smallest_leaf", "hai", "cfm")
    assert list(study._of_leaves(Table.of_rows(names, rows))) == [
        "Were clusters below 20 items not split, CFM would lose 0.500 to 0.500, and HAI 0.000 to 0.400."
    ]
    assert len(list(study._of_leaves(Table.of_rows(names, rows[2:])))) == 2


def test_the_cone_has_black_at_its_tip_greys_on_its_axis_and_opposite_hues_apart():
    black, grey, red, cyan = hsv_cone(np.array([[0, 0, 0], [0.5, 0.5, 0.5], [1, 0, 0], [0, 1, 1.0]]))
    assert black.tolist() == [0.0, 0.0, 0.0]
    assert grey.tolist() == [0.0, 0.0, 0.5]
    assert np.linalg.norm(red - cyan) == pytest.approx(2.0)


def test_every_hierarchy_is_drawn_in_its_colours(result):
    axes = result.figure("hierarchies").axes
    titles = [ax.get_title() for ax in axes if ax.axison]
    assert titles[0] == "0 constraints"
    assert titles[-1] == "truth"
    assert len(titles) == 7
    assert all(len(ax.collections[0].get_facecolors()) == 199 for ax in axes[:7])
    assert len(result.figure("curves").axes[0].lines) == 3


@pytest.mark.slow
def test_the_full_study_starts_near_the_paper_rises_and_passes_098():
    result = reproduce("colours")
    hai = np.array(result.tables["constraints"].columns["hai"])
    assert (np.diff(hai) > 0).all()
    assert hai[-1] > 0.98
    assert "rising at every row in 5 of 5 sets" in result.notes[0]
    first = result.printed[0]
    assert first.what == "HAI, 0 constraints"
    assert first.errors_apart < 3.0
    ends = result.tables["spaces"].columns["hai_with_all"]
    assert min(ends) > 0.98
