"""The stages study: its tables are those of the public functions, and its words follow from its numbers."""

import numpy as np
import pytest

from dendrometry import agglomerate
from dendrometry import stages as stages_of
from dendrometry._studies import stages as study
from dendrometry._studies.inputs.data import animals, bundled, nested_groups, structureless
from dendrometry._studies.stages import stages
from dendrometry.levels.band import chance_band
from tests._studies.committed import assert_as_committed


@pytest.fixture(scope="module")
def result():
    return stages(quick=True)


def test_the_tables_are_those_of_the_public_functions(result):
    points = nested_groups(4, np.random.default_rng(0)).values
    trees = [agglomerate(points, linkage=linkage).hierarchy for linkage in ("single", "ward")]
    expected = stages_of(*trees)
    pair = result.to_frame().iloc[2]
    assert (pair["data"], pair["first"], pair["second"]) == ("nested groups", "single", "ward")
    assert pair["z"] == expected.distance
    curves = result.to_frame("curves")
    curve = curves[(curves.data == "nested groups") & (curves["first"] == "single") & (curves.second == "ward")]
    frame = expected.to_frame().set_index("n_clusters").loc[curve.k]
    for series in ("z", "s", "fowlkes_mallows", "adjusted_rand"):
        assert curve[series].tolist() == frame[series].tolist()
        assert (curve[f"{series}_low"] <= curve[f"{series}_mean"]).all()
    assert curve.k.tolist()[:9] == list(range(2, 11))
    assert curve.k.max() == 35


def test_linkages_agree_fully_on_planted_groups_and_not_where_there_are_none(result):
    curves = result.to_frame("curves")
    planted = curves[(curves.data == "nested groups") & curves.k.isin([3, 9])]
    assert (planted.adjusted_rand == 1.0).all()
    none = curves[(curves.data == "no structure") & curves.k.isin([3, 9])]
    assert none.adjusted_rand.mean() < 0.5


def test_the_words_name_every_data_set_and_follow_from_the_numbers(result):
    assert result.notes[0].startswith("nested groups: nearest are ")
    assert "1.00 at the 3 groups and 1.00 at the 9 groups" in result.notes[1]
    assert result.notes[2].startswith("no structure: ")
    frame = result.to_frame()
    assert f"never falls below {frame.least_s_k.min():.3f}" in result.notes[4]
    other = stages(quick=True, rng=1)
    assert other.notes != result.notes


@pytest.fixture(scope="module")
def tied():
    return list(study._pairs([animals()], np.random.default_rng(0), False))


def test_where_merges_are_tied_numbers_are_means_over_tie_breaks_with_their_range(tied):
    frame = study._gist(tied).to_frame()
    assert (frame.tie_breaks == 10).all()
    assert (frame.z_low <= frame.z).all()
    assert (frame.z <= frame.z_high).all()
    assert (frame.z_low < frame.z_high).any()
    pair = tied[0]
    values = np.array([one.adjusted_rand for one in pair.tie_breaks])
    assert pair.mean("adjusted_rand").tolist() == values.mean(axis=0).tolist()
    assert frame.z[0] == np.mean([one.distance for one in pair.tie_breaks])
    band = pair.band("adjusted_rand")
    assert (band.low <= band.mean).all()
    assert (
        band.high.tolist()
        == np.mean([chance_band(one, "adjusted_rand", 0.05).high for one in pair.tie_breaks], 0).tolist()
    )


def test_the_words_do_not_name_a_nearest_pair_that_ties_decide(tied):
    first, second = tied[0], tied[3]
    low = first._replace(tie_breaks=tuple(sorted(first.tie_breaks, key=lambda one: one.distance)))
    assert study._nearest([low, low._replace(second="other")]).startswith(
        "nearest are, as ties fall, single and complete"
    )
    assert " or single and other (Z " in study._nearest([low, low._replace(second="other")])
    apart = [first._replace(tie_breaks=first.tie_breaks[:1]), second._replace(tie_breaks=second.tie_breaks[:1])]
    assert study._nearest(apart).startswith("nearest are ")
    assert "as ties fall" not in study._nearest(apart) + study._farthest(apart)
    (words,) = study._of_ties(tied)
    widest = max(pair.z_range[1] - pair.z_range[0] for pair in tied)
    assert words.startswith("Merges are tied in animals: the numbers are means over 10 tie-breaks")
    assert words.endswith(f"by at most {widest:.3f}.")
    assert list(study._of_ties(apart)) == []


def test_a_span_shows_only_in_the_digits_that_are_given():
    assert study._span(np.array([0.501, 0.504])) == "0.50"
    assert study._span(np.array([0.5, 0.6])) == "0.55 (0.50 to 0.60)"


def test_the_figures_show_all_data_and_all_series(result):
    panels = result.figure("adjusted_rand").axes
    assert [ax.get_title() for ax in panels] == ["nested groups (36)", "no structure (36)"]
    assert len(panels[0].lines) == 6 + 2
    assert len(result.figure("series").axes) == 2 * 4


def test_data_have_the_groups_and_columns_they_claim():
    zoo, iris, wine = animals(), bundled("iris"), bundled("wine")
    assert (zoo.values.shape, zoo.groups, zoo.values.max()) == ((101, 16), (7,), 1.0)
    assert (iris.values.shape, iris.groups) == ((150, 4), (3,))
    assert (wine.values.shape, len(wine.columns)) == ((178, 13), 13)
    np.testing.assert_allclose(wine.values.std(axis=0), 1.0)
    assert structureless(5, np.random.default_rng(0)).values.shape == (5, 8)


@pytest.mark.slow
def test_the_full_study_finds_the_planted_groups_and_chance_above_no_structure():
    result = stages()
    frame = result.to_frame()
    assert frame.data.nunique() == 6
    assert (frame.query("data == 'nested groups'").best_k == 9).all()
    none = frame.query("data == 'no structure'")
    assert (none.above_chance > 0.9).all()  # even without groups: two linkages of the same points
    assert (none.best_adjusted_rand.drop(none.index[1]) < 0.5).all()
    assert_as_committed(result, rtol=1e-4)
