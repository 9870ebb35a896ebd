"""What the registry claims of a measure holds; what it denies is shown by a counterexample.

Laws of trees and of partitions alike come first, then those of trees, then those of partitions.
"""

import math
from functools import cache
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dendrometry as dm
from dendrometry import Contingency, Hierarchy, from_linkage, from_parents
from dendrometry.errors import UndefinedMeasureError
from dendrometry.measures import MEASURES
from dendrometry.measures._shared.partition_statistics import PartitionStatistics
from tests.measures.partitions.exhaustive import BOUND, value_matrix, worst_detour
from tests.measures.partitions.judge import labelings
from tests.measures.trees.judge import or_none
from tests.measures.trees.shapes import all_hierarchies
from tests.oracles.sets.partitions import clusters, partitions
from tests.strategies import hierarchy_pairs, random_hierarchy, random_linkage
from tests.zoo import ZOO

PAIRS = {"trees": hierarchy_pairs(heights=True), "partitions": labelings(max_clusters=BOUND)}
SIZES = range(1, 7)  # of the items of which all partitions are tried


def which(chosen):
    """Run a law over the measures that a record picks."""
    measures = [MEASURES[name] for name in MEASURES if chosen(MEASURES[name])]
    return pytest.mark.parametrize("measure", measures, ids=lambda measure: measure.name)


ALL = which(lambda measure: True)
OF_TREES = which(lambda measure: measure.of == "trees")
OF_PARTITIONS = which(lambda measure: measure.of == "partitions")


def value(measure, a, b):
    """The measure of two trees, None where undefined; or of two partitions, with the bound where one is needed."""
    if measure.of == "partitions":
        return measure.of_table(Contingency.of(a, b), BOUND)
    return or_none(measure.call, a, b)


def alike(measure, x, y):
    """The same bits, or the same up to rounding where the registry cannot promise more."""
    if x is None or y is None:
        return x is y
    return x == y if measure.exact else math.isclose(x, y, rel_tol=1e-9, abs_tol=1e-9)


# Trees and partitions.


@ALL
@given(data=st.data())
def test_values_stay_in_the_range_and_are_never_minus_zero(measure, data):
    a, b = data.draw(PAIRS[measure.of])
    for pair in ((a, b), (a, a)):
        found = value(measure, *pair)
        if found is not None:
            assert isinstance(found, float)
            assert measure.lower <= found <= measure.upper
            assert str(found) != "-0.0"


@which(lambda measure: measure.identical is not None)
@given(data=st.data())
def test_all_are_identical_to_themselves(measure, data):
    a, _ = data.draw(PAIRS[measure.of])
    found = value(measure, a, a)
    assert found == measure.identical or (measure.of == "trees" and found is None)


@which(lambda measure: measure.symmetric)
@given(data=st.data())
def test_symmetric_measures_do_not_know_first_and_second(measure, data):
    a, b = data.draw(PAIRS[measure.of])
    assert alike(measure, value(measure, a, b), value(measure, b, a))


@which(lambda measure: not measure.symmetric)
def test_asymmetric_measures_have_a_counterexample(measure):
    every = all_hierarchies(3) if measure.of == "trees" else partitions(5)
    assert any(value(measure, a, b) != value(measure, b, a) for a in every for b in every)


@ALL
def test_the_registry_names_the_public_function(measure):
    assert getattr(dm.measures, measure.name) is measure.call
    assert measure.kind in ("similarity", "distance", "information")
    assert measure.meaning
    assert measure.source


# Trees.


@cache
def three_trees(seed, n):
    rng = np.random.default_rng(seed)
    return [random_hierarchy(n, rng, heights=True) for _ in range(3)]


def apart(measure, a, b):
    """The measure as a distance."""
    found = value(measure, a, b)
    return None if found is None else abs(found - measure.identical)


def excess(measure, a, b, c):
    """How far the way from a to b is longer than the way over c; above 0 breaks the triangle inequality."""
    sides = apart(measure, a, b), apart(measure, a, c), apart(measure, c, b)
    return -1.0 if None in sides else sides[0] - sides[1] - sides[2]


@which(lambda measure: measure.of == "trees" and measure.triangle)
@given(seed=st.integers(0, 2**32), n=st.integers(2, 7))
def test_the_triangle_inequality_holds_where_claimed(measure, seed, n):
    assert excess(measure, *three_trees(seed, n)) <= 1e-12


@which(lambda measure: measure.of == "trees" and not measure.triangle and measure.identical is not None)
def test_the_triangle_inequality_is_broken_where_denied(measure):
    """The first seeds below 3,000 whose trees break it, one of them for each measure."""
    seeds = (3, 5, 26, 54, 120, 153, 932, 1132, 2146)
    assert any(excess(measure, *three_trees(seed, 5)) > 1e-6 for seed in seeds)


def renumbered(tree, rng):
    """The same tree with its items and the children of each node in another order."""
    order = rng.permutation(tree.n_nodes)
    place = np.argsort(order)
    parent = [-1 if tree.parent[v] == -1 else int(place[tree.parent[v]]) for v in order]
    items = rng.permutation(tree.n_items)
    height = None if tree.height is None else tree.height[order]
    return from_parents(parent, place[tree.item_node[items]], height, [tree.items[i] for i in items])


@OF_TREES
@given(pair=hierarchy_pairs(heights=True), seed=st.integers(0, 2**32))
def test_the_order_of_items_and_of_children_does_not_matter(measure, pair, seed):
    a, b = pair
    rng = np.random.default_rng(seed)
    assert alike(measure, value(measure, a, b), value(measure, renumbered(a, rng), renumbered(b, rng)))


def with_unary(tree, rng):
    """The same tree with nodes put in between that hold exactly what their child holds."""
    parent, height, item_node = [], [], []
    new = {}
    for v in range(tree.n_nodes):
        new[v] = len(parent)
        parent.append(v)
        height.append(tree.height[v])
        if rng.integers(2):
            parent[-1] = -2 - len(parent)
            parent.append(v)
            height.append(tree.height[v] if tree.parent[v] == -1 else tree.height[tree.parent[v]])
    last = len(parent) - 1
    full = []
    for u, p in enumerate(parent):
        if p <= -2:
            full.append(u + 1)
        else:
            full.append(-1 if u == last else new[int(tree.parent[p])])
    item_node = [new[int(v)] for v in tree.item_node]
    return Hierarchy(full, height, item_node, tree.items)


@OF_TREES
@given(pair=hierarchy_pairs(heights=True), seed=st.integers(0, 2**32))
def test_unary_nodes_change_nothing(measure, pair, seed):
    a, b = pair
    rng = np.random.default_rng(seed)
    longer = with_unary(a, rng)
    assert longer.without_unary() == a.without_unary()
    assert alike(measure, value(measure, a, b), value(measure, longer, with_unary(b, rng)))


@OF_TREES
@given(pair=hierarchy_pairs(heights=True))
def test_heights_are_needed_or_not_used(measure, pair):
    a, b = pair
    bare = [Hierarchy(tree.parent, None, tree.item_node, tree.items) for tree in pair]
    if measure.needs_heights:
        with pytest.raises(UndefinedMeasureError, match=r"height|at least 3 items|single item"):
            measure.call(*bare)
    else:
        assert value(measure, a, b) == value(measure, *bare)


@OF_TREES
def test_the_zoo_gives_a_value_or_says_why_not(measure):
    for a in ZOO.values():
        for b in ZOO.values():
            if set(a.items) == set(b.items):
                found = value(measure, a, b)
                assert found is None or measure.lower <= found <= measure.upper


@OF_TREES
def test_different_items_are_refused(measure):
    with pytest.raises(dm.errors.ItemMismatchError, match="must hold the same items"):
        measure.call(from_linkage([[0, 1, 1, 2]]), from_linkage([[0, 1, 1, 2]], ["0", "2"]))


@pytest.mark.further
@which(lambda measure: measure.of == "trees" and measure.expects)
def test_the_mean_over_all_relabellings_is_the_expectation(measure):
    """Exact: all 120 relabellings of 5 items, and 24 of 4, on trees of every kind."""
    checked = 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        n = 4 + seed % 2
        a, b = (random_hierarchy(n, rng, heights=True) for _ in range(2))
        expected = dm.compare(a, b, measures=[measure.name]).lines[0].expected
        if expected is None:
            continue
        values = [measure.call(a, Hierarchy(b.parent, b.height, b.item_node, names)) for names in permutations(b.items)]
        mean = np.sqrt(np.mean(np.square(values))) if measure.is_root else np.mean(values)
        assert mean == pytest.approx(expected, abs=1e-12)
        checked += 1
    assert checked >= 3


@pytest.mark.slow
@which(lambda measure: measure.of == "trees" and measure.expects)
def test_ten_thousand_permutations_average_to_the_expectation(measure):
    rng = np.random.default_rng(9)
    a, b = (random_hierarchy(12, rng, heights=True) for _ in range(2))
    expected = dm.compare(a, b, measures=[measure.name]).lines[0].expected
    null = dm.permutation_test(a, b, measure.name, 10_000, rng=1).null
    values, mean = (null**2, expected**2) if measure.is_root else (null, expected)
    assert abs(values.mean() - mean) <= 5 * values.std() / 100


@pytest.mark.compiled
def test_thousand_item_trees_by_chance_are_near_the_expectation():
    rng = np.random.default_rng(3)
    a, b = (from_linkage(random_linkage(1000, rng)) for _ in range(2))
    for line in dm.compare(a, b).lines:
        if line.adjusted is not None:
            assert abs(line.adjusted) < 0.01


# Partitions.


@OF_PARTITIONS
@pytest.mark.parametrize("labels", [[0], [0, 0, 0], [0, 1, 2], [0, 0, 1, 2]])
def test_a_partition_is_the_same_as_itself_however_it_is_labelled(measure, labels):
    found = value(measure, labels, [f"x{9 - x}" for x in labels])
    assert isinstance(found, float)
    assert measure.identical is None or found == measure.identical


@OF_PARTITIONS
@given(pair=labelings(max_clusters=BOUND), random=st.randoms(use_true_random=False))
def test_the_order_of_items_changes_no_bit(measure, pair, random):
    a, b = pair
    order = list(range(len(a)))
    random.shuffle(order)
    assert alike(measure, value(measure, a, b), value(measure, [a[i] for i in order], [b[i] for i in order]))


@OF_PARTITIONS
@given(pair=labelings(max_clusters=BOUND))
def test_the_names_of_clusters_change_at_most_the_last_bit(measure, pair):
    a, b = pair
    renamed = value(measure, [f"c{(x * 5) % 11}" for x in a], [-x for x in b])
    assert renamed == pytest.approx(value(measure, a, b), abs=1e-13)


@pytest.mark.further
@OF_PARTITIONS
def test_symmetry_is_claimed_where_it_holds_on_all_small_partitions(measure):
    assert all(np.array_equal(value_matrix(measure, n), value_matrix(measure, n).T) for n in SIZES) is measure.symmetric


@pytest.mark.further
@OF_PARTITIONS
def test_it_is_a_metric_on_all_small_partitions_where_claimed_and_only_there(measure):
    holds = True
    for n in SIZES:
        values = value_matrix(measure, n)
        distance = values if measure.kind == "distance" else 1.0 - values
        same = np.eye(len(distance), dtype=bool)
        holds &= bool(((distance == 0.0) == same).all()) and worst_detour(distance) < 1e-12
    assert holds is measure.triangle


def shapes_of_partitions(n):
    """The sizes of the clusters of each partition of n items: partitions of one shape are those of one relabelled."""
    return [tuple(sorted(map(len, clusters(labels)))) for labels in partitions(n)]


@OF_PARTITIONS
@pytest.mark.parametrize("n", SIZES)
def test_the_expectation_is_the_mean_over_all_relabellings_of_up_to_six_items(measure, n):
    """Relabelling makes every partition of the same shape equally often, so their mean is that of all relabellings."""
    shapes, values = shapes_of_partitions(n), value_matrix(measure, n)
    first = dict(zip(shapes, partitions(n), strict=True))
    for a in first.values():
        row = values[partitions(n).index(a)]
        for shape_b, b in first.items():
            expected = measure.score(PartitionStatistics(Contingency.of(a, b), BOUND)).expected
            if not measure.expects:
                assert expected is None
                continue
            mean = math.fsum(row[[shape == shape_b for shape in shapes]]) / shapes.count(shape_b)
            assert expected == pytest.approx(mean, abs=1e-12), (a, b)


@OF_PARTITIONS
def test_labelings_of_different_items_are_refused(measure):
    options = {"max_clusters": BOUND} if measure.needs_bound else {}
    with pytest.raises(dm.errors.ItemMismatchError, match="one label for each of the same items; got 3 and 2"):
        measure.call([0, 0, 1], [0, 1], **options)
