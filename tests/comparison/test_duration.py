"""Measures that would take long: estimated, refused with the figure, and computed if that is allowed."""

import numpy as np
import pytest

import dendrometry as dm
from dendrometry.errors import InvalidInputError
from dendrometry.measures import duration
from dendrometry.tree_pair import statistics
from tests.zoo import caterpillar

SMALL = caterpillar(30), caterpillar(30)
MESSAGE = (
    r"hierarchical_f {} must take at most 0 minutes of a core; matching the clusters of the first tree would take about"
    r" 1 second, [\d,]+ steps \(allow_slow=True computes it all the same\)"
)


@pytest.fixture
def hasty(monkeypatch):
    monkeypatch.setattr(duration, "MOST_SECONDS", 0)


@pytest.mark.usefixtures("hasty")
def test_a_permutation_test_that_takes_long_is_refused_with_the_figure():
    with pytest.raises(InvalidInputError, match=MESSAGE.format("for 9 relabellings")):
        dm.permutation_test(*SMALL, "hierarchical_f", 9, rng=0)
    assert dm.permutation_test(*SMALL, "hierarchical_f", 9, rng=0, allow_slow=True).p_value == 0.1
    assert dm.permutation_test(*SMALL, "hierarchy_agreement", 9, rng=0).p_value == 0.1


@pytest.mark.usefixtures("hasty")
def test_a_matrix_that_takes_long_is_refused_with_the_figure():
    trees = [*SMALL, caterpillar(30)]
    with pytest.raises(InvalidInputError, match=MESSAGE.format("of 9 pairs of trees")):
        dm.pairwise_matrix(trees, "hierarchical_f")
    assert (dm.pairwise_matrix(trees, "hierarchical_f", allow_slow=True).values == 1.0).all()
    with pytest.raises(InvalidInputError, match="cophenetic_correlation of 6 pairs of trees must take at most"):
        dm.pairwise_matrix(trees, "cophenetic_correlation")


def test_trees_that_cannot_be_compared_are_refused_by_their_names():
    with pytest.raises(dm.DendrometryError, match="comparing '0' and '1': "):
        dm.pairwise_matrix([caterpillar(3), caterpillar(4)], "hierarchical_f")


@pytest.mark.compiled
def test_many_matchings_of_200000_items_are_refused_before_the_first(monkeypatch):
    deep, prepared, matched = caterpillar(200_000), [], []
    field_of = statistics.field_of
    monkeypatch.setattr(statistics, "field_of", lambda pair: prepared.append(pair) or field_of(pair))
    monkeypatch.setattr(statistics, "match_clusters", lambda *args: matched.append(args))
    with pytest.raises(InvalidInputError, match="about 15 minutes"):
        dm.permutation_test(deep, deep, "hierarchical_f")
    assert len(prepared) == 1  # not one for each relabelling
    with pytest.raises(InvalidInputError, match="about 24 minutes"):
        dm.pairwise_matrix([deep] * 40, "hierarchical_f")
    assert len(prepared) == 1 + 40  # not one for each pair
    assert dm.MEASURES["hierarchical_f"].estimate_seconds(deep, deep) == pytest.approx(0.92, rel=0.01)
    assert not matched


def test_the_estimate_grows_with_the_depth_and_needs_trees():
    rng = np.random.default_rng(0)
    shallow = dm.generate.random_tree(2_000, shape="merges", rng=rng)
    record = dm.MEASURES["hierarchical_f"]
    assert record.estimate_seconds(shallow, shallow) < record.estimate_seconds(*[caterpillar(2_000)] * 2) / 3
    assert dm.MEASURES["hierarchy_agreement"].estimate_seconds(shallow, shallow) < 0.01
    with pytest.raises(
        InvalidInputError, match="estimate_seconds requires a measure of trees; rand compares partition"
    ):
        dm.MEASURES["rand"].estimate_seconds(shallow, shallow)


def test_the_flag_is_a_truth_value():
    with pytest.raises(InvalidInputError, match="allow_slow must be True or False; got array"):
        dm.permutation_test(*SMALL, "hierarchical_f", 9, allow_slow=np.zeros(2))
