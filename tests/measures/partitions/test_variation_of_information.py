"""The variation of information equals its definition, scikit-learn's entropies, and keeps its digits near 0."""

import math

import pytest
from hypothesis import given

from dendrometry import Contingency, variation_of_information
from tests.measures.partitions.judge import labelings


@given(labelings())
def test_agrees_with_the_information_of_scikit_learn(pair):
    metrics = pytest.importorskip("sklearn.metrics")
    a, b = pair
    peer = metrics.mutual_info_score(a, a) + metrics.mutual_info_score(b, b) - 2 * metrics.mutual_info_score(a, b)
    assert variation_of_information(a, b) == pytest.approx(peer, abs=1e-12)


def test_halves_that_cross_are_two_bits_apart():
    assert variation_of_information([0, 0, 1, 1], [0, 1, 0, 1]) == pytest.approx(2 * math.log(2))


def test_small_variations_are_precise():
    n = 10**12
    table = Contingency.from_triples([("x", 0, n - 1), ("y", 0, 1)])
    p = 1 / n
    expected = -(1 - p) * math.log1p(-p) - p * math.log(p)
    assert variation_of_information(table) == pytest.approx(expected, rel=1e-14)


def test_nearly_equal_is_never_rounded_to_equal():
    assert variation_of_information(Contingency.from_triples([("x", 0, 2**62), ("x", 1, 1)])) > 0.0
