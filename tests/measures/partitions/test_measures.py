"""Every measure of two partitions: against its definition on all small pairs, at its bounds, and at large counts."""

import math
import re
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dendrometry
from dendrometry import (
    Contingency,
    adjusted_rand,
    bounded_variation_similarity,
    classification_accuracy,
    fowlkes_mallows,
    mutual_information,
    normalized_mutual_information,
    rand,
    split_merge,
    van_dongen,
    variation_of_information,
    variation_similarity,
)
from dendrometry.errors import InvalidInputError
from dendrometry.measures.partitions.pairs.counts import pair_counts
from dendrometry.measures.registry import MEASURES, PARTITION_MEASURES
from dendrometry.partition import decompose
from tests.measures.partitions.exhaustive import representatives
from tests.oracles import partition as oracle

EXACT = ("rand", "adjusted_rand", "van_dongen", "classification_accuracy")
LABELINGS = st.integers(1, 40).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(0, 8), min_size=n, max_size=n), st.lists(st.integers(0, 8), min_size=n, max_size=n)
    )
)


def check_against_definitions(a, b):
    """Compare every measure with its definition: fractions to the last bit, logarithms to 1e-12."""
    table = Contingency.of(a, b)
    for name in EXACT:
        value = getattr(oracle, name)(a, b)
        assert getattr(dendrometry, name)(table) == value.numerator / value.denominator, (name, a, b)
    k = max(table.n_a, table.n_b)
    close = {
        "fowlkes_mallows": (fowlkes_mallows(table), oracle.fowlkes_mallows(a, b)),
        "mutual_information": (mutual_information(table), oracle.mutual_information(a, b)),
        "nmi": (normalized_mutual_information(table), oracle.normalized_mutual_information(a, b)),
        "vi": (variation_of_information(table), oracle.variation_of_information(a, b)),
        "v": (variation_similarity(table), oracle.variation_similarity(a, b)),
        "k": (bounded_variation_similarity(table, max_clusters=k), oracle.bounded_variation_similarity(a, b, k)),
        "k+1": (
            bounded_variation_similarity(table, max_clusters=k + 1),
            oracle.bounded_variation_similarity(a, b, k + 1),
        ),
        "split_merge": (split_merge(table), oracle.split_merge(a, b)),
    }
    for name, (found, expected) in close.items():
        assert found == pytest.approx(expected, abs=1e-12), (name, a, b)
    check_bounds(table, a, b)


def check_bounds(table, a, b):
    """Zero and one exactly where whole numbers say so, nothing outside, no negative zero."""
    same, n = oracle.same(a, b), len(a)
    meet_alone = all(len(x) == 1 for x in oracle.overlaps(a, b))
    shared = set(oracle.clusters(a)) & set(oracle.clusters(b))
    independent = oracle.independent(a, b)
    zero = {
        rand: {len(oracle.clusters(a)), len(oracle.clusters(b))} == {1, n} and n > 1,
        fowlkes_mallows: meet_alone and not same,
        van_dongen: False,
        classification_accuracy: False,
        normalized_mutual_information: independent and not same,
        variation_similarity: independent and meet_alone and n > 1,
        split_merge: meet_alone and not shared,
    }
    for measure, is_zero in zero.items():
        value = measure(table)
        assert 0.0 <= value <= 1.0
        assert (value == 0.0, value == 1.0) == (is_zero, same), (measure, a, b)
        assert math.copysign(1.0, value) == 1.0
    for measure in (variation_of_information, mutual_information, adjusted_rand):
        assert str(measure(table)) != "-0.0"
    assert (variation_of_information(table) == 0.0) == same
    assert (mutual_information(table) == 0.0) == independent
    assert (adjusted_rand(table) == 1.0) == same
    assert adjusted_rand(table) >= -0.5


@pytest.mark.parametrize("n", [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_all_pairs_of_partitions_match_the_definitions(n):
    every = oracle.partitions(n)
    for a in every:
        for b in every:
            check_against_definitions(a, b)


@pytest.mark.parametrize(("n", "count"), [(5, 7 * 52), (6, 11 * 203)])
def test_all_pairs_of_partitions_match_up_to_the_order_of_items(n, count):
    pairs = representatives(n)
    assert len(pairs) == count
    for a, b in pairs:
        check_against_definitions(a, b)


@pytest.mark.slow
def test_all_41209_pairs_of_partitions_of_6_items_match():
    every = oracle.partitions(6)
    assert len(every) == 203
    for a in every:
        for b in every:
            check_against_definitions(a, b)


def values(table: Contingency, k: int) -> dict[str, float]:
    """All measures of one table."""
    return {
        name: measure.of_table(table, k) for name, measure in ((name, MEASURES[name]) for name in PARTITION_MEASURES)
    }


@given(LABELINGS)
def test_measures_are_symmetric_to_the_last_bit(pair):
    a, b = pair
    here, there = values(Contingency.of(a, b), 9), values(Contingency.of(b, a), 9)
    for name, measure in ((name, MEASURES[name]) for name in PARTITION_MEASURES):
        assert measure.symmetric
        assert here[name] == there[name]


@given(LABELINGS)
def test_values_keep_to_the_bounds_of_the_registry(pair):
    a, _ = pair
    for table in (Contingency.of(*pair), Contingency.of(a, a)):
        for name, value in values(table, 9).items():
            measure = MEASURES[name]
            assert measure.lower <= value <= measure.upper
            if table.is_identical and measure.identical is not None:
                assert value == measure.identical


def test_every_measure_names_its_source():
    for measure in map(MEASURES.get, PARTITION_MEASURES):
        assert re.search(r"^doi:10\.|\b(19|20)\d\d\b", measure.source), measure.name


@given(LABELINGS, st.randoms(use_true_random=False))
def test_the_order_of_items_changes_no_bit_and_labels_at_most_the_last(pair, random):
    a, b = pair
    order = list(range(len(a)))
    random.shuffle(order)
    here = values(Contingency.of(a, b), 9)
    assert values(Contingency.of([a[i] for i in order], [b[i] for i in order]), 9) == here
    renamed = values(Contingency.of([f"c{(x * 5) % 11}" for x in a], [-x for x in b]), 9)
    assert renamed == pytest.approx(here, abs=1e-13)


@given(LABELINGS)
def test_random_labelings_match_the_pair_counts(pair):
    a, b = pair
    p, q, t, n = oracle.pair_counts(a, b)
    table = Contingency.of(a, b)
    counts = pair_counts(table)
    assert counts == (p, q, t, n)
    agreed = oracle.rand(a, b)
    assert rand(table) == agreed.numerator / agreed.denominator


@given(LABELINGS)
def test_agrees_with_scikit_learn_where_it_is_right(pair):
    metrics = pytest.importorskip("sklearn.metrics")
    a, b = pair
    table = Contingency.of(a, b)
    assert rand(table) == pytest.approx(metrics.rand_score(a, b), abs=1e-12)
    assert adjusted_rand(table) == pytest.approx(metrics.adjusted_rand_score(a, b), abs=1e-12)
    assert mutual_information(table) == pytest.approx(metrics.mutual_info_score(a, b), abs=1e-12)
    peer = metrics.normalized_mutual_info_score(a, b, average_method="max")
    assert normalized_mutual_information(table) == pytest.approx(peer, abs=1e-12)
    if len(set(a)) < len(a) or len(set(b)) < len(b):
        assert fowlkes_mallows(table) == pytest.approx(metrics.fowlkes_mallows_score(a, b), abs=1e-12)


def test_scikit_learn_gives_two_all_singleton_partitions_no_credit():
    metrics = pytest.importorskip("sklearn.metrics")
    assert metrics.fowlkes_mallows_score([0, 1, 2], [0, 1, 2]) == 0.0
    assert fowlkes_mallows([0, 1, 2], [0, 1, 2]) == 1.0


@pytest.mark.parametrize("name", PARTITION_MEASURES)
@pytest.mark.parametrize("labels", [[0], [0, 0, 0], [0, 1, 2], [0, 0, 1, 2]])
def test_a_partition_is_the_same_as_itself_however_it_is_labelled(name, labels):
    value = MEASURES[name].of_table(Contingency.of(labels, [f"x{9 - x}" for x in labels]), 5)
    entropy = oracle.entropy(oracle.clusters(labels))
    expected = {"variation_of_information": 0.0, "mutual_information": entropy}.get(name, 1.0)
    assert value == pytest.approx(expected, abs=1e-15)
    assert isinstance(value, float)
    if name != "mutual_information":
        assert value == expected


@pytest.mark.parametrize("other", [[0, 0, 1, 1], [0, 1, 2, 3], [0, 0, 0, 1]])
def test_one_cluster_against_anything_else_has_adjusted_rand_0(other):
    for pair in (([0] * 4, other), (other, [0] * 4)):
        assert str(adjusted_rand(*pair)) == "0.0"


def test_pairs_in_one_partition_only_have_fowlkes_mallows_0():
    assert fowlkes_mallows([0, 1, 2, 3], [0, 0, 1, 1]) == 0.0
    assert fowlkes_mallows([0, 0, 1, 1], [0, 1, 2, 3]) == 0.0


def test_pair_counts_are_exact_at_ten_million_items_and_beyond():
    for n in (10**7, 2**31 - 1, 2**31, 2**33, 2**62):
        a_only, both = n // 3, n - n // 3
        table = Contingency.from_triples([("x", 0, a_only), ("x", 1, both - 1), ("y", 1, 1)])
        pairs = pair_counts(table)
        choose = lambda m: m * (m - 1) // 2  # noqa: E731
        assert pairs.in_a == choose(n - 1)
        assert pairs.in_b == choose(a_only) + choose(both)
        assert pairs.in_both == choose(a_only) + choose(both - 1)
        assert pairs.all == choose(n)
        agreed = Fraction(pairs.all - pairs.in_a - pairs.in_b + 2 * pairs.in_both, pairs.all)
        assert rand(table) == agreed.numerator / agreed.denominator


def test_nearly_equal_is_never_rounded_to_equal():
    table = Contingency.from_triples([("x", 0, 2**62), ("x", 1, 1)])
    for name, measure in ((name, MEASURES[name]) for name in PARTITION_MEASURES):
        if measure.kind == "similarity" and name != "adjusted_rand" and name != "normalized_mutual_information":
            assert 0.0 < measure.of_table(table, 2) < 1.0, name
    assert variation_of_information(table) > 0.0
    almost = Contingency.from_triples([("x", 0, 2**61), ("y", 1, 2**61), ("x", 1, 1)])
    assert adjusted_rand(almost) < 1.0
    assert normalized_mutual_information(almost) < 1.0


def test_independence_is_decided_in_whole_numbers_at_any_size():
    for scale in (1, 10**6, 2**55):
        grid = [(x, y, scale * (x + 1) * (y + 1)) for x in range(3) for y in range(3)]
        assert normalized_mutual_information(Contingency.from_triples(grid)) == 0.0
        assert mutual_information(Contingency.from_triples(grid)) == 0.0
        assert normalized_mutual_information(Contingency.from_triples([*grid, (0, 0, 1)])) > 0.0
        assert mutual_information(Contingency.from_triples([*grid, (0, 0, 1)])) > 0.0


def exact_information(counts: list[list[int]]) -> tuple[float, float]:
    """Mutual information and NMI by their definition, in 60 digits."""
    with localcontext(prec=60):
        n, rows, columns = sum(map(sum, counts)), list(map(sum, counts)), list(map(sum, zip(*counts, strict=True)))
        told = sum(
            Decimal(m) / n * (Decimal(m) * n / (Decimal(s) * t)).ln()
            for row, s in zip(counts, rows, strict=True)
            for m, t in zip(row, columns, strict=True)
        )
        entropies = (sum(Decimal(s) / n * (Decimal(n) / s).ln() for s in side) for side in (rows, columns))
        return float(told), float(told / max(entropies))


@pytest.mark.parametrize(
    "counts",
    [
        [[10**9 + 1, 10**9], [10**9, 10**9]],
        [[10**17 + 1, 10**17], [10**17, 10**17 + 3]],
        [[1001, 1000, 999], [1000, 1000, 1001]],
        [[5, 1], [1, 7]],
        [[10**15, 1], [1, 1]],
        [[990, 1000], [1000, 970]],
    ],
)
def test_information_is_precise_near_independence(counts):
    table = Contingency.from_counts(counts)
    told, normalized = exact_information(counts)
    assert mutual_information(table) == pytest.approx(told, rel=1e-13)
    assert normalized_mutual_information(table) == pytest.approx(normalized, rel=1e-13)


def test_bounded_variation_similarity_takes_a_bound_of_any_size():
    value = bounded_variation_similarity([0, 0, 1], [0, 1, 1], max_clusters=10**30)
    assert value == pytest.approx(oracle.bounded_variation_similarity([0, 0, 1], [0, 1, 1], 10**30))
    assert decompose([0, 0, 1], [0, 1, 1], "bounded_variation_similarity", max_clusters=10**30).value == value


def test_bounded_variation_similarity_reaches_0_on_a_uniform_grid():
    grid = Contingency.from_counts([[7] * 3] * 3)
    assert bounded_variation_similarity(grid, max_clusters=3) == 0.0
    assert 0.0 < bounded_variation_similarity(grid, max_clusters=4) < 1.0


def test_bounded_variation_similarity_refuses_a_bound_that_does_not_hold():
    with pytest.raises(InvalidInputError, match="at least the number of clusters of either partition, 3; got 2"):
        bounded_variation_similarity([0, 1, 2], [0, 0, 1], max_clusters=2)
    for bad in (2.5, "3", None, True, float("nan")):
        with pytest.raises(InvalidInputError, match="max_clusters must be a whole number"):
            bounded_variation_similarity([0, 0, 0], [0, 0, 0], max_clusters=bad)


def test_small_variations_are_precise():
    n = 10**12
    table = Contingency.from_triples([("x", 0, n - 1), ("y", 0, 1)])
    p = 1 / n
    expected = -(1 - p) * math.log1p(-p) - p * math.log(p)
    assert variation_of_information(table) == pytest.approx(expected, rel=1e-14)


def test_many_clusters_on_both_sides_stay_sparse():
    n = 100_000
    a = np.arange(n)
    table = Contingency.of(a, a // 2)
    assert table.n_cells == n
    assert classification_accuracy(table) == 0.5
    assert van_dongen(table) == 0.75
    assert rand(table) == pytest.approx(1 - (n // 2) / (n * (n - 1) / 2))
