"""The mutual information equals its definition and scikit-learn's; 0 exactly where clusters are independent."""

import math

import pytest
from hypothesis import given

from dendrometry import Contingency, mutual_information
from tests.measures.partitions.judge import labelings
from tests.measures.partitions.sixty_digits import NEARLY_INDEPENDENT, sixty_digits
from tests.oracles.sets.partitions import clusters, entropy


@given(labelings())
def test_agrees_with_scikit_learn(pair):
    metrics = pytest.importorskip("sklearn.metrics")
    assert mutual_information(*pair) == pytest.approx(metrics.mutual_info_score(*pair), abs=1e-12)


@pytest.mark.parametrize("labels", [[0], [0, 0, 0], [0, 1, 2], [0, 0, 1, 2]])
def test_a_partition_with_itself_has_its_entropy(labels):
    value = mutual_information(labels, [f"x{9 - x}" for x in labels])
    assert value == pytest.approx(entropy(clusters(labels)), abs=1e-15)
    assert isinstance(value, float)


def test_two_halves_tell_one_bit():
    assert mutual_information([0, 0, 1, 1], [0, 0, 1, 1]) == pytest.approx(math.log(2), abs=1e-15)


@pytest.mark.parametrize("counts", NEARLY_INDEPENDENT)
def test_information_is_precise_near_independence(counts):
    expected = sixty_digits(counts).mutual
    assert mutual_information(Contingency.from_counts(counts)) == pytest.approx(expected, rel=1e-13)


def test_independence_is_decided_in_whole_numbers_at_any_size():
    for scale in (1, 10**6, 2**55):
        grid = [(x, y, scale * (x + 1) * (y + 1)) for x in range(3) for y in range(3)]
        assert mutual_information(Contingency.from_triples(grid)) == 0.0
        assert mutual_information(Contingency.from_triples([*grid, (0, 0, 1)])) > 0.0
