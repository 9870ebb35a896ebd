"""The Fowlkes-Mallows index equals its definition, and scikit-learn's where that is right."""

import math

import pytest
from hypothesis import given

from dendrometry import fowlkes_mallows
from tests.measures.partitions.judge import labelings


@given(labelings())
def test_agrees_with_scikit_learn_where_it_is_right(pair):
    metrics = pytest.importorskip("sklearn.metrics")
    if any(len(set(labels)) < len(labels) for labels in pair):
        assert fowlkes_mallows(*pair) == pytest.approx(metrics.fowlkes_mallows_score(*pair), abs=1e-12)


def test_scikit_learn_gives_two_all_singleton_partitions_no_credit():
    metrics = pytest.importorskip("sklearn.metrics")
    assert metrics.fowlkes_mallows_score([0, 1, 2], [0, 1, 2]) == 0.0
    assert fowlkes_mallows([0, 1, 2], [0, 1, 2]) == 1.0


def test_pairs_in_one_partition_only_give_0():
    assert fowlkes_mallows([0, 1, 2, 3], [0, 0, 1, 1]) == 0.0
    assert fowlkes_mallows([0, 0, 1, 1], [0, 1, 2, 3]) == 0.0


def test_four_items_by_hand():
    # two pairs, one pair, one in both
    assert fowlkes_mallows([0, 0, 1, 1], [0, 0, 1, 2]) == pytest.approx(1 / math.sqrt(2 * 1))
