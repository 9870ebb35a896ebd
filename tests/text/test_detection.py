"""Miss against false alarm: equal to the definition, and to ROC curves of scikit-learn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.text import detection as oracle

from dendrometry.errors import InvalidInputError
from dendrometry.text import detection_curve

ROWS = st.lists(
    st.tuples(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), st.booleans(), st.sampled_from([0.5, 1.0, 2.0])),
    min_size=2,
    max_size=20,
).filter(lambda rows: len({target for _, target, _ in rows}) == 2)


@given(ROWS, st.sampled_from([(1.0, 0.1, 0.02), (1.0, 1.0, 0.5), (2.0, 0.1, 0.9)]))
def test_errors_and_costs_are_those_of_the_definition(rows, costs):
    scores, target, weights = zip(*rows, strict=True)
    names = ("miss_cost", "false_alarm_cost", "target_share")
    curve = detection_curve(scores, target, weights=weights, **dict(zip(names, costs, strict=True)))
    assert curve.threshold.tolist() == [float("inf"), *sorted(set(scores), reverse=True)]
    for threshold, miss, alarm, cost in zip(curve.threshold, curve.miss, curve.false_alarm, curve.cost, strict=True):
        assert (miss, alarm) == pytest.approx(oracle.errors(scores, target, threshold, weights))
        assert cost == pytest.approx(oracle.cost(miss, alarm, *costs))
    least = curve.least
    assert least.cost == curve.cost.min() <= 1.0 + 1e-12
    for threshold in (-1.0, 0.3, 0.5, 2.0):
        assert curve.at(threshold)[1:3] == pytest.approx(oracle.errors(scores, target, threshold, weights))


def test_the_curve_goes_from_nothing_to_everything_and_never_back():
    rng = np.random.default_rng(0)
    curve = detection_curve(rng.random(200).round(2), rng.random(200) < 0.1)
    assert (curve.miss[0], curve.false_alarm[0], curve.cost[0]) == (1.0, 0.0, 1.0)
    assert (curve.miss[-1], curve.false_alarm[-1]) == (0.0, 1.0)
    assert (np.diff(curve.miss) <= 0).all()
    assert (np.diff(curve.false_alarm) >= 0).all()
    assert curve.cost == pytest.approx(curve.miss + 4.9 * curve.false_alarm)


def test_a_score_that_separates_costs_nothing_and_a_constant_one_as_much_as_silence():
    best = detection_curve([3, 2, 1, 0], [1, 1, 0, 0]).least
    assert (best.threshold, best.miss, best.false_alarm, best.cost) == (2.0, 0.0, 0.0, 0.0)
    assert detection_curve([1, 1, 1], [True, False, False]).least.cost == 1.0


def test_the_curve_is_the_roc_curve_of_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(1)
    score, target, weight = rng.random(100).round(1), rng.random(100) < 0.3, rng.random(100)
    false_alarm, hit, threshold = metrics.roc_curve(target, score, sample_weight=weight, drop_intermediate=False)
    curve = detection_curve(score, target, weights=weight)
    np.testing.assert_allclose(curve.false_alarm, false_alarm)
    np.testing.assert_allclose(curve.miss, 1 - hit, atol=1e-12)
    np.testing.assert_array_equal(curve.threshold, threshold)


def test_weights_of_one_over_the_documents_of_a_topic_weight_topics_equally():
    curve = detection_curve([0.9, 0.8, 0.1, 0.9, 0.7], [1, 0, 0, 1, 0], weights=[1, 0.5, 0.5, 1, 1])
    assert curve.at(0.8).false_alarm == 0.25  # half of one topic, none of the other
    assert curve.at(0.7).false_alarm == 0.75


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"is_target": [1, 0]}, "is_target must be one for each of 3 scores; got 2"),
        ({"is_target": [1, 2, 0]}, "is_target must hold booleans, or 0 and 1"),
        ({"is_target": [1, 1, 1]}, "there must be targets and others; got 3 targets of 3"),
        ({"is_target": [0, 0, 0]}, "there must be targets and others; got 0 targets of 3"),
        ({"is_target": 3}, "is_target must be a collection"),
        ({"scores": [1, float("nan"), 3]}, "scores must be finite"),
        ({"weights": [1, 2]}, "weights must be one for each of 3 scores; got 2"),
        ({"weights": [1, -1, 1]}, "weights must be at least 0"),
        ({"weights": [0, 1, 1]}, "some of targets and of others above 0"),
        ({"miss_cost": 0}, "miss_cost must be"),
        ({"false_alarm_cost": -1}, "false_alarm_cost must be"),
        ({"target_share": 1.0}, "target_share must be"),
        ({"miss_cost": 1e-300}, "costs that can be compared"),
    ],
)
def test_what_cannot_be_scored_is_refused(arguments, message):
    with pytest.raises(InvalidInputError, match=message):
        detection_curve(**{"scores": [1, 2, 3], "is_target": [True, False, False], **arguments})


def test_a_curve_says_its_least_cost():
    assert repr(detection_curve([3, 2, 1], [1, 0, 0])) == "DetectionCurve(least cost 0.000 at 3)"
