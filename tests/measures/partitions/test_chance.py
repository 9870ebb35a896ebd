import math
from itertools import permutations

import numpy as np
import pytest

import dendrometry as dm
from dendrometry.comparison.chance import p_values
from dendrometry.measures.partitions.information.expected import expected_mutual_information
from dendrometry.measures.partitions.readings import PartitionReadings
from tests.oracles import partition as oracle

K = 6
ORACLES = {
    "rand": oracle.rand,
    "adjusted_rand": oracle.adjusted_rand,
    "fowlkes_mallows": oracle.fowlkes_mallows,
    "mutual_information": oracle.mutual_information,
    "normalized_mutual_information": oracle.normalized_mutual_information,
    "variation_of_information": oracle.variation_of_information,
    "variation_similarity": oracle.variation_similarity,
    "bounded_variation_similarity": lambda a, b: oracle.bounded_variation_similarity(a, b, K),
}
PAIRS = [
    ((0, 0, 1, 1, 2), (0, 1, 1, 1, 0)),
    ((0, 0, 0, 0, 0), (0, 1, 1, 1, 0)),
    ((0, 1, 2, 3, 4), (0, 1, 1, 1, 0)),
    ((0, 0, 0, 1, 2), (0, 0, 1, 2, 3)),
    ((0, 0, 0, 0, 1), (0, 0, 0, 0, 1)),
    ((0, 1, 2, 3, 4), (0, 1, 2, 3, 4)),
    ((0, 0, 0), (0, 0, 0)),
    ((0,), (0,)),
]


def by_chance(table, max_clusters=None):
    """What the records say of chance, where they have a formula."""
    readings = PartitionReadings(table, max_clusters)
    records = [dm.MEASURES[name] for name in dm.PARTITION_MEASURES]
    found = {m.name: m.score(readings).expected for m in records if max_clusters is not None or not m.needs_bound}
    return {name: expected for name, expected in found.items() if expected is not None}


TESTED = [dm.MEASURES[name] for name in ORACLES]


def relabelled(b):
    return [[b[i] for i in order] for order in permutations(range(len(b)))]


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_the_mean_is_that_over_all_relabellings(a, b):
    found = by_chance(dm.Contingency.of(a, b), K)
    assert set(found) == set(ORACLES)
    others = relabelled(b)
    for name, definition in ORACLES.items():
        mean = math.fsum(float(definition(a, other)) for other in others) / len(others)
        assert found[name] == pytest.approx(mean, abs=1e-12), name


@pytest.mark.parametrize(("n", "k"), [(60, 4), (5_000, 30)])
def test_expected_mutual_information_agrees_with_scikit_learn(n, k):
    cluster = pytest.importorskip("sklearn.metrics.cluster")
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, k, n), rng.integers(0, k, n) ** 2 // k
    table = cluster.contingency_matrix(a, b, sparse=True)
    wanted = cluster.expected_mutual_information(table, n)
    assert expected_mutual_information(dm.Contingency.of(a, b)) == pytest.approx(wanted, rel=1e-10)


def test_clusters_of_very_many_sizes_have_no_expected_information():
    sizes = np.arange(1, 400)
    table = dm.Contingency.of(np.repeat(sizes, sizes), np.repeat(sizes, sizes)[::-1])
    assert expected_mutual_information(table) is None
    assert set(by_chance(table)) == {"rand", "adjusted_rand", "fowlkes_mallows"}


def test_huge_counts_stay_precise():
    # two equal clusters on either side, n items: about one degree of freedom over 2 n
    n = 4 * 10**9
    table = dm.Contingency.from_counts([[n // 4, n // 4], [n // 4, n // 4]])
    assert expected_mutual_information(table) == pytest.approx(1 / (2 * n), rel=1e-6)


@pytest.mark.parametrize(("a", "b"), PAIRS[:5])
def test_p_values_are_shares_of_relabellings_at_least_as_much_alike(a, b):
    found = p_values(dm.Contingency.of(a, b), TESTED, 400, np.random.default_rng(0))
    others = relabelled(b)
    for name, definition in ORACLES.items():
        sign = -1 if name == "variation_of_information" else 1
        value = sign * float(definition(a, b))
        share = sum(sign * float(definition(a, other)) >= value - 1e-9 for other in others) / len(others)
        assert found[name] == pytest.approx(share, abs=0.08), name


def test_p_values_do_not_depend_on_the_order_of_items():
    rng = np.random.default_rng(1)
    a, b, order = rng.integers(0, 4, 50), rng.integers(0, 5, 50), rng.permutation(50)
    first = p_values(dm.Contingency.of(a, b), TESTED, 19, np.random.default_rng(0))
    second = p_values(dm.Contingency.of(a[order], b[order]), TESTED, 19, np.random.default_rng(0))
    assert first == second
