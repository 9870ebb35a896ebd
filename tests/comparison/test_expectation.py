"""Means by chance: the formula where there is one, else an estimate whose standard error is right."""

from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
import pytest

import dendrometry as dm
from dendrometry.comparison import expected_by_chance
from dendrometry.errors import InvalidInputError

WITHOUT = [name for name, measure in dm.MEASURES.items() if not measure.expects]
OF_PARTITIONS = [name for name in WITHOUT if dm.MEASURES[name].of == "partitions"]
A, B = list("aabbc"), list("xxyyz")
TREES = "((a:1,b:1):4,(c:2,(d:1,e:1):1):3);", "((((a:1,c:1):1,b:2):1,e:3):1,d:4);"


def arguments(name):
    """Two small trees, flat for measures of partitions."""
    if dm.MEASURES[name].of == "partitions":
        return dm.from_labels(A), dm.from_labels(B)
    return tuple(map(dm.from_newick, TREES))


def mean_of_all(name):
    """The mean over all relabellings, one by one."""
    a, b = arguments(name)
    call, values = dm.MEASURES[name].call, []
    if dm.MEASURES[name].of == "partitions":
        relabelled = sorted({*permutations(B)})
        return float(np.mean([call(A, list(labels)) for labels in relabelled]))
    for order in permutations(b.items):
        values.append(call(a, dm.Hierarchy(b.parent, b.height, b.item_node, order)))
    return float(np.mean(values))


@pytest.mark.further
@pytest.mark.parametrize("name", sorted({*WITHOUT} - {*OF_PARTITIONS}))
def test_the_exact_mean_of_trees_is_within_four_standard_errors(name):
    found = expected_by_chance(*arguments(name), name, 200, rng=1, n_jobs=1)
    assert found.n_relabellings == 200
    assert not found.is_exact
    assert abs(found.value - mean_of_all(name)) <= 4.0 * found.standard_error + 1e-12


@pytest.mark.parametrize("name", OF_PARTITIONS)
def test_small_partitions_have_all_their_tables_computed(name):
    found = expected_by_chance(*arguments(name), name)
    assert found.is_exact
    assert found.value == pytest.approx(mean_of_all(name), rel=1e-12)


@pytest.mark.further
@pytest.mark.parametrize("name", ["jaccard", "b_cubed", "matched_kappa", "pair_sets_index"])
@pytest.mark.parametrize("sizes", [((300, 300), (300, 300)), ((9, 7, 4), (8, 6, 6))])
def test_standard_errors_hold_against_all_tables(name, sizes):
    """Also with few tables that come up often: a regression would explain those seen, and miss the others."""
    a, b = (dm.from_labels(np.repeat(np.arange(len(side)), side)) for side in sizes)
    exact = expected_by_chance(a, b, name, 500)
    found = [expected_by_chance(a, b, name, 199, rng=seed, n_jobs=1) for seed in range(12)]
    assert exact.is_exact
    assert {one.n_relabellings for one in found} == {199}
    missed = [abs(one.value - exact.value) / max(one.standard_error, 1e-12) for one in found]
    assert np.sqrt(np.mean(np.square(missed))) < 1.6


def test_a_formula_is_exact():
    found = expected_by_chance(*arguments("rand"), "rand")
    assert found.is_exact
    assert (found.standard_error, found.n_relabellings) == (0.0, 0)
    assert found.value == pytest.approx(mean_of_all("rand"))
    assert repr(found) == f"Expectation(rand, by chance {found.value:.6g}, exact)"


@pytest.mark.further
@pytest.mark.parametrize("name", ["jaccard", "b_cubed", "matched_kappa"])
def test_standard_errors_are_those_of_repeated_estimates(name):
    rng = np.random.default_rng(0)
    a, b = (dm.from_labels(rng.integers(0, k, 40)) for k in (4, 5))
    found = [expected_by_chance(a, b, name, 40, rng=seed, n_jobs=1) for seed in range(30)]
    spread = np.std([one.value for one in found], ddof=1)
    claimed = np.sqrt(np.mean([one.standard_error**2 for one in found]))
    assert 0.6 < spread / claimed < 1.6


@pytest.mark.parametrize(("name", "times"), [("jaccard", 20), ("b_cubed", 20), ("matched_kappa", 1.5)])
def test_known_means_make_estimates_sharper(name, times):
    rng = np.random.default_rng(0)
    a, b = (dm.from_labels(rng.integers(0, k, 150)) for k in (5, 7))
    test = dm.permutation_test(a, b, name, 199, rng=0)
    found = expected_by_chance(a, b, name, 199, rng=0)
    assert found.standard_error * times < test.null_deviation / 199**0.5


def test_the_same_value_for_every_relabelling_has_no_error():
    one = dm.from_labels(["x"] * 5)
    found = expected_by_chance(one, dm.from_labels(list("aabbc")), "jaccard")
    assert found.standard_error < 1e-15
    assert found.value == pytest.approx(0.2)
    assert found.to_frame().loc["jaccard", "n_relabellings"] == 0


def b_cubed_of(joint, rows, columns):
    """B-cubed F of a table, as a fraction: with n canceled."""
    precision = sum(Fraction(m * m, columns[j]) for (i, j), m in joint.items())
    recall = sum(Fraction(m * m, rows[i]) for (i, j), m in joint.items())
    return 2 * precision * recall / (precision + recall) / sum(rows)


def jaccard_of(joint, rows, columns):
    """Jaccard of a table, as a fraction."""
    pairs = [sum(m * (m - 1) // 2 for m in sizes) for sizes in (joint.values(), rows, columns)]
    return Fraction(pairs[0], pairs[1] + pairs[2] - pairs[0])


@pytest.mark.parametrize("of", [jaccard_of, b_cubed_of])
def test_no_sum_over_overlaps_gives_the_mean_of_a_ratio(of):
    """Chances of overlaps of 6 items, sizes and sums of sizes have no prime factor above 7; the mean has one."""
    values = []
    for chosen in combinations(range(6), 4):  # the first cluster, of 4 items; the second has the others
        inside = sum(item < 3 for item in chosen)
        joint = {(0, 0): inside, (0, 1): 4 - inside, (1, 0): 3 - inside, (1, 1): inside - 1}
        values.append(of(joint, (4, 2), (3, 3)))
    rest = (sum(values) / len(values)).denominator
    for prime in (2, 3, 5, 7):
        while rest % prime == 0:
            rest //= prime
    assert rest > 7
    if of is jaccard_of:
        assert sum(values) / len(values) == Fraction(142, 495)


def test_refuses_too_few_relabellings():
    with pytest.raises(InvalidInputError, match="n_relabellings must be"):
        expected_by_chance(*arguments("jaccard"), "jaccard", 5)
