"""The normalized mutual information equals its definition, and scikit-learn's over the larger entropy."""

import pytest
from hypothesis import given

from dendrometry import Contingency, normalized_mutual_information
from tests.measures.partitions.judge import labelings
from tests.measures.partitions.sixty_digits import NEARLY_INDEPENDENT, sixty_digits


@given(labelings())
def test_agrees_with_scikit_learn(pair):
    metrics = pytest.importorskip("sklearn.metrics")
    peer = metrics.normalized_mutual_info_score(*pair, average_method="max")
    assert normalized_mutual_information(*pair) == pytest.approx(peer, abs=1e-12)


def test_a_half_told_apart():
    # two clusters of the four are told: one bit of two
    assert normalized_mutual_information([0, 0, 1, 1], [0, 1, 2, 3]) == pytest.approx(0.5, abs=1e-15)


def test_nearly_equal_is_never_rounded_to_equal():
    almost = Contingency.from_triples([("x", 0, 2**61), ("y", 1, 2**61), ("x", 1, 1)])
    assert normalized_mutual_information(almost) < 1.0


@pytest.mark.parametrize("counts", NEARLY_INDEPENDENT)
def test_information_is_precise_near_independence(counts):
    expected = sixty_digits(counts).normalized
    assert normalized_mutual_information(Contingency.from_counts(counts)) == pytest.approx(expected, rel=1e-13)


def test_independence_is_decided_in_whole_numbers_at_any_size():
    for scale in (1, 10**6, 2**55):
        grid = [(x, y, scale * (x + 1) * (y + 1)) for x in range(3) for y in range(3)]
        assert normalized_mutual_information(Contingency.from_triples(grid)) == 0.0
        assert normalized_mutual_information(Contingency.from_triples([*grid, (0, 0, 1)])) > 0.0
