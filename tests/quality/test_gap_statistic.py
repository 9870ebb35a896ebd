"""The gap statistic: its formula, what it finds, and what is undefined."""

import math

import numpy as np
import pytest

from dendrometry import agglomerate, cut_count, from_labels
from dendrometry.errors import InvalidInputError, InvalidTreeError, UndefinedMeasureError
from dendrometry.quality import GapStatistic, gap_statistic
from tests.oracles.quality.cut_scores import within_squares

GROUPS = np.repeat([[0, 0], [9, 0], [0, 9]], 15, axis=0) + np.random.default_rng(0).normal(size=(45, 2))


def ward(points):
    return agglomerate(points).hierarchy


def test_equals_the_formula_on_the_points_that_were_drawn():
    drawn = []

    def build(points):
        drawn.append(points)
        return ward(points)

    found = gap_statistic(GROUPS, build, max_clusters=5, n_references=3, reference="box", rng=1)
    logs = [
        [math.log(within_squares(points.tolist(), cut_count(ward(points), k).labels.tolist())) for k in range(1, 6)]
        for points in drawn
    ]
    assert np.array_equal(drawn[0], GROUPS)
    assert found.gap == pytest.approx(np.mean(logs[1:], axis=0) - logs[0])
    assert found.standard_error == pytest.approx(np.std(logs[1:], axis=0) * math.sqrt(4 / 3))
    assert found.n_clusters.tolist() == [1, 2, 3, 4, 5]
    for points in drawn[1:]:
        assert points.shape == GROUPS.shape
        assert (points >= GROUPS.min(axis=0)).all()
        assert (points <= GROUPS.max(axis=0)).all()


@pytest.mark.parametrize("reference", ["principal", "box"])
def test_finds_three_clusters_and_none_where_there_are_none(reference):
    assert gap_statistic(GROUPS, ward, reference=reference).best == 3
    even = np.random.default_rng(2).random((60, 2))
    assert gap_statistic(even, ward, reference=reference).first_best == 1


def test_the_box_of_principal_components_turns_with_the_points():
    line = np.linspace(0, 1, 40)[:, None] * [[1.0, 1.0]]
    drawn = []

    def build(points):
        drawn.append(points)
        return ward(points)

    gap_statistic(line, build, max_clusters=2, n_references=2)
    for points in drawn[1:]:
        assert points[:, 0] == pytest.approx(points[:, 1])


def test_the_rules_take_the_least_number_within_an_error():
    k, reached = np.arange(1, 5), np.array([True, True, True, True])
    error = np.full(4, 0.1)

    def choices(gap, reached=reached):
        found = GapStatistic(9, k, reached, np.array(gap), error, 5)
        return found.first_best, found.best

    assert choices([0.0, 0.5, 0.55, 0.9]) == (2, 4)
    assert choices([0.0, 0.5, 1.0, 1.5]) == (4, 4)
    assert choices([0.2, 0.1, 1.0, 1.05]) == (1, 3)
    assert choices([0.0, 0.5, 0.55, 0.6], np.array([True, False, True, True])) == (3, 3)


def test_the_same_seed_gives_the_same_gap_and_units_do_not_matter():
    first, second, large = (gap_statistic(x, ward, rng=3) for x in (GROUPS, GROUPS, np.ldexp(GROUPS, 500)))
    assert first.gap.tolist() == second.gap.tolist()
    assert large.gap == pytest.approx(first.gap)
    assert repr(first) == "GapStatistic(45 items, 1 to 10 clusters, 20 reference sets; best 3)"
    assert first.to_frame().columns.tolist() == ["n_clusters", "is_reached", "gap", "standard_error"]
    assert "<table" in first._repr_html_()


def test_equal_points_and_few_points_are_undefined():
    with pytest.raises(UndefinedMeasureError, match="at least 3 points, for 1 to n - 1 clusters; got 2"):
        gap_statistic([[0], [1]], ward)
    with pytest.raises(UndefinedMeasureError, match="with 1 cluster, all points of a cluster are equal"):
        gap_statistic(np.ones((5, 2)), ward)
    with pytest.raises(UndefinedMeasureError, match=r"with 2 clusters, .* \(lower max_clusters\)"):
        gap_statistic([[0], [0], [3], [3]], ward)
    assert gap_statistic([[0], [0], [3], [3]], ward, max_clusters=1).best == 1


def test_refuses_what_does_not_build_trees_of_the_points():
    with pytest.raises(InvalidInputError, match="build must be a function of points that returns a tree; got ward"):
        gap_statistic(GROUPS, "ward")
    with pytest.raises(
        InvalidInputError, match=r"what build returns must be a Hierarchy; got Agglomeration \(pass its"
    ):
        gap_statistic(GROUPS, agglomerate)
    with pytest.raises(InvalidInputError, match="build must return a tree of 45 items, one for each point; got 5"):
        gap_statistic(GROUPS, lambda points: ward(points[:5]))
    with pytest.raises(InvalidTreeError, match="the tree must have heights"):
        gap_statistic(GROUPS, lambda points: from_labels(range(len(points))))
    with pytest.raises(InvalidInputError, match="n_references must be a whole number from 2 on; got 1"):
        gap_statistic(GROUPS, ward, n_references=1)
    with pytest.raises(InvalidInputError, match="reference must be 'principal' or 'box'; got 'sphere'"):
        gap_statistic(GROUPS, ward, reference="sphere")
