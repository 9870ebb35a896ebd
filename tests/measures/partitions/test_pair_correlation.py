"""What is true of pair_correlation alone; test_definitions.py compares it with its definition."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given

import dendrometry as dm
from dendrometry import Contingency
from dendrometry.measures import adjusted_rand, pair_correlation
from dendrometry.measures._shared.pair_counts import pair_counts
from tests.measures.partitions.exhaustive import representatives, value_matrix, worst_detour
from tests.measures.partitions.judge import labelings, large_table
from tests.oracles.sets.partitions import partitions


@given(labelings())
def test_agrees_with_numpy_over_all_pairs(pair):
    x, y = (np.equal.outer(labels, labels)[np.triu_indices(len(labels), 1)] for labels in pair)
    if x.size and 0 < x.sum() < x.size and 0 < y.sum() < y.size:
        assert pair_correlation(*pair) == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-12)


@given(labelings())
def test_has_the_sign_of_adjusted_rand_and_is_the_further_from_zero(pair):
    correlation, adjusted = pair_correlation(*pair), adjusted_rand(*pair)
    assert math.copysign(1.0, correlation) == math.copysign(1.0, adjusted)
    assert abs(correlation) >= abs(adjusted) - 1e-15


def test_one_cluster_and_single_items_correlate_with_nothing_else():
    for a, b in product([[0] * 4, [0, 1, 2, 3]], [[0, 0, 1, 1], [0, 0, 0, 1]]):
        assert str(pair_correlation(a, b)) == str(pair_correlation(b, a)) == "0.0"
    assert pair_correlation([0] * 4, [0, 1, 2, 3]) == 0.0


def test_the_correlation_distance_is_a_metric_on_all_small_partitions():
    """Gösgens et al. 2021: the angle between two columns; here for all but one cluster and single items, which differ
    from no pair.
    """
    for n in range(3, 7):
        kept = [i for i, labels in enumerate(partitions(n)) if 1 < len(set(labels)) < n]
        angle = np.arccos(value_matrix(dm.MEASURES["pair_correlation"], n)[np.ix_(kept, kept)]) / math.pi
        assert worst_detour(angle) < 1e-12
        assert ((angle == 0.0) == np.eye(len(kept), dtype=bool)).all()


def test_is_never_below_minus_a_half_for_up_to_six_items():
    least = [min(pair_correlation(a, b) for a, b in representatives(n)) for n in range(3, 7)]
    assert least == pytest.approx([-1 / 2, -1 / 2, -3 / 7, -1 / math.sqrt(6)])


def test_counts_beyond_64_bits_are_exact():
    for n in (10**7, 2**33, 2**62):
        pairs = pair_counts(large_table(n))
        above, below = (
            pairs.in_both * pairs.all - pairs.in_a * pairs.in_b,
            pairs.in_a * (pairs.all - pairs.in_a) * pairs.in_b * (pairs.all - pairs.in_b),
        )
        assert pair_correlation(large_table(n)) == pytest.approx(above / math.isqrt(below), rel=1e-15)
    almost = Contingency.from_triples([("x", 0, 2**61), ("y", 1, 2**61), ("x", 1, 1)])
    assert pair_correlation(almost) < 1.0


def test_is_followed_at_every_number_of_clusters():
    rng = np.random.default_rng(0)
    a, b = (dm.agglomerate(rng.normal(size=(60, 2)), linkage="average") for _ in "ab")
    profile = dm.levels.profile(a, b, "pair_correlation")
    cuts = [[dm.cut_count(tree, int(k)).labels for tree in (a, b)] for k in profile.n_clusters]
    assert profile.value.tolist() == [pair_correlation(*pair) for pair in cuts]
    assert len(set(profile.value.tolist())) > 40
