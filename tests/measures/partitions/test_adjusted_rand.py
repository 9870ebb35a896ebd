"""The adjusted Rand index equals its definition and scikit-learn's; 0 for one cluster against anything else."""

import pytest
from hypothesis import given

from dendrometry import Contingency, adjusted_rand
from tests.measures.partitions.judge import assert_defined, labelings

NAME = "adjusted_rand"


@given(labelings(max_items=12, max_clusters=6))
def test_equals_its_definition_on_random_labelings(pair):
    assert_defined(NAME, *pair)
    assert adjusted_rand(*pair) >= -0.5


@given(labelings())
def test_agrees_with_scikit_learn(pair):
    metrics = pytest.importorskip("sklearn.metrics")
    assert adjusted_rand(*pair) == pytest.approx(metrics.adjusted_rand_score(*pair), abs=1e-12)


@pytest.mark.parametrize("other", [[0, 0, 1, 1], [0, 1, 2, 3], [0, 0, 0, 1]])
def test_one_cluster_against_anything_else_is_0(other):
    for pair in (([0] * 4, other), (other, [0] * 4)):
        assert str(adjusted_rand(*pair)) == "0.0"


def test_the_least_value_is_reached_at_four_items():
    assert adjusted_rand([0, 0, 1, 1], [0, 1, 0, 1]) == -0.5


def test_nearly_equal_is_never_rounded_to_equal():
    almost = Contingency.from_triples([("x", 0, 2**61), ("y", 1, 2**61), ("x", 1, 1)])
    assert adjusted_rand(almost) < 1.0
