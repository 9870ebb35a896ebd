"""Expectations by chance of all measures that have one, by simulation with 30 items and over all orders of six.

`tests/test_laws.py` holds the means over all relabellings of up to five items of trees, and six of partitions.
"""

from itertools import permutations

import numpy as np
import pytest

from dendrometry import Contingency, Hierarchy, compare, from_labels
from dendrometry.measures import MEASURES, PARTITION_MEASURES, TREE_MEASURES
from dendrometry.measures._shared.partition_statistics import PartitionStatistics
from tests.strategies import random_hierarchy

N_ITEMS, N_DRAWS, BOUND = 30, 300, 6
EXPECTED_TREES = [name for name in TREE_MEASURES if MEASURES[name].expects]
ROOTS = [name for name in EXPECTED_TREES if MEASURES[name].is_root]
EXPECTED_PARTITIONS = [name for name in PARTITION_MEASURES if MEASURES[name].expects]
FLAT_FIRST = {"dendrogram_purity"}  # its first tree is a set of classes


def relabel(tree: Hierarchy, items) -> Hierarchy:
    """The same tree with other items at its leaves."""
    return Hierarchy(tree.parent, tree.height, tree.item_node, list(items))


def tree_values(a, b, names):
    """The values of some measures of two trees, by name."""
    return {line.name: line.value for line in compare(a, b, measures=names).lines}


@pytest.fixture(scope="module")
def simulated():
    """By name: the expectation, and the values of many relabellings, of a pair of trees and of a pair of partitions."""
    rng = np.random.default_rng(0)
    a, b = (random_hierarchy(N_ITEMS, rng, heights=True) for _ in range(2))
    b = relabel(b, a.items)
    classes = from_labels(rng.integers(0, 4, N_ITEMS), item_names=a.items)
    found = {}
    for first, names in ((a, [n for n in TREE_MEASURES if n not in FLAT_FIRST]), (classes, sorted(FLAT_FIRST))):
        lines = compare(first, b, measures=names).lines
        draws = [tree_values(first, relabel(b, rng.permutation(b.items)), names) for _ in range(N_DRAWS)]
        found |= {line.name: (line.expected, [draw[line.name] for draw in draws]) for line in lines}
    x, y = rng.integers(0, 4, N_ITEMS), rng.integers(0, BOUND, N_ITEMS)
    tables = [PartitionStatistics(Contingency.of(x, rng.permutation(y)), BOUND) for _ in range(N_DRAWS)]
    for name in PARTITION_MEASURES:
        scores = [MEASURES[name].score(table) for table in tables]
        found[name] = scores[0].expected, [score.value for score in scores]
    return found


def squares_of_roots(name, expected, values):
    """The expectation and the values, squared where the expectation is the root of a mean of squares."""
    return (expected**2, np.square(values)) if MEASURES[name].is_root else (expected, values)


@pytest.mark.further
@pytest.mark.parametrize("name", [*EXPECTED_TREES, *EXPECTED_PARTITIONS])
def test_three_hundred_relabellings_of_thirty_items_average_to_the_expectation(simulated, name):
    expected, values = squares_of_roots(name, *simulated[name])
    error = np.std(values) / np.sqrt(N_DRAWS)
    assert abs(np.mean(values) - expected) <= 4.5 * error + 1e-12
    assert error > 0.0 or name in {"partial_order_f", "classic_f"}


@pytest.mark.parametrize("name", [*EXPECTED_TREES, *EXPECTED_PARTITIONS])
def test_measures_with_a_formula_say_that_it_is_exact(name):
    assert "exact" in MEASURES[name].chance


@pytest.mark.further
@pytest.mark.parametrize("name", [name for name in MEASURES if not MEASURES[name].expects])
def test_measures_without_a_formula_give_no_expectation(simulated, name):
    assert simulated[name][0] is None
    assert MEASURES[name].chance.startswith("no ")


def test_the_means_of_jaccard_and_b_cubed_are_beyond_their_values_at_the_means():
    """Jaccard is convex in the pairs together in both, the F-score concave in precision and recall."""
    a, b = [0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 1]
    tables = [PartitionStatistics(Contingency.of(a, order)) for order in set(permutations(b))]
    jaccard, b_cubed, precision, recall = (
        np.mean([MEASURES[name].score(table).value for table in tables])
        for name in ("jaccard", "b_cubed", "b_cubed_precision", "b_cubed_recall")
    )
    p, q, _, n = tables[0].pairs
    assert jaccard > p * q / (n * (p + q) - p * q)
    assert b_cubed < 2 * precision * recall / (precision + recall)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_all_relabellings_of_six_items_average_to_the_expectation(seed):
    rng = np.random.default_rng(seed)
    a, b = (random_hierarchy(6, rng, heights=True) for _ in range(2))
    lines = compare(a, b, measures=EXPECTED_TREES).lines
    draws = [tree_values(a, relabel(b, items), EXPECTED_TREES) for items in permutations(b.items)]
    known = [line for line in lines if line.expected is not None]
    assert len(known) > 15
    for line in known:
        expected, values = squares_of_roots(line.name, line.expected, [draw[line.name] for draw in draws])
        assert np.mean(values) == pytest.approx(expected, rel=1e-12, abs=1e-12), line.name


@pytest.mark.parametrize("name", ROOTS)
def test_the_adjusted_squares_of_all_relabellings_average_to_zero(name):
    rng = np.random.default_rng(2)
    a, b = (random_hierarchy(5, rng, heights=True) for _ in range(2))
    values = [compare(a, relabel(b, items), measures=[name]).lines[0].adjusted for items in permutations(b.items)]
    assert np.mean(values) == pytest.approx(0.0, abs=1e-12)
    assert np.std(values) > 0.0
    assert compare(a, a, measures=[name]).lines[0].adjusted == 1.0


@pytest.mark.parametrize("name", ROOTS)
def test_roots_of_trees_that_every_relabelling_leaves_equal_have_no_adjusted_value(name):
    star = Hierarchy([3, 3, 3, -1], [0.0, 0.0, 0.0, 1.0], [0, 1, 2], ["x", "y", "z"])
    assert compare(star, star, measures=[name]).lines[0].score == (0.0, 0.0, None)
