"""What the registry claims of a measure holds; what it denies is shown by a counterexample."""

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dendrometry as dm
from dendrometry import Hierarchy, from_linkage, from_parents
from dendrometry.errors import UndefinedMeasureError
from dendrometry.measures import MEASURES, TREE_MEASURES
from tests.strategies import hierarchy_pairs, random_hierarchy, random_linkage
from tests.walk.judge import or_none
from tests.walk.shapes import all_hierarchies
from tests.zoo import ZOO

OF_TREES = [MEASURES[name] for name in TREE_MEASURES]


def which(chosen):
    """Run a law over the measures that a record picks."""
    return pytest.mark.parametrize("measure", [m for m in OF_TREES if chosen(m)], ids=lambda measure: measure.name)


ALL = which(lambda measure: True)


def value(measure, a, b):
    return or_none(measure.call, a, b)


def alike(measure, x, y):
    """The same bits, or the same up to rounding where the registry cannot promise more."""
    if x is None or y is None:
        return x is y
    return x == y if measure.exact else math.isclose(x, y, rel_tol=1e-9, abs_tol=1e-9)


def three_trees(seed, n):
    rng = np.random.default_rng(seed)
    return [random_hierarchy(n, rng, heights=True) for _ in range(3)]


@ALL
@given(pair=hierarchy_pairs(heights=True))
def test_values_stay_in_the_range(measure, pair):
    found = value(measure, *pair)
    if found is not None:
        assert measure.lower <= found <= measure.upper
        assert math.copysign(1, found) == 1 or found < 0, "-0.0"


@ALL
@given(pair=hierarchy_pairs(heights=True))
def test_a_tree_is_identical_to_itself(measure, pair):
    found = value(measure, pair[0], pair[0])
    assert found is None or found == measure.identical


@ALL
@given(pair=hierarchy_pairs(heights=True))
def test_symmetric_measures_do_not_know_first_and_second(measure, pair):
    a, b = pair
    if measure.symmetric:
        assert alike(measure, value(measure, a, b), value(measure, b, a))


@which(lambda measure: not measure.symmetric)
def test_asymmetric_measures_have_a_counterexample(measure):
    trees = all_hierarchies(3)
    assert any(value(measure, a, b) != value(measure, b, a) for a in trees for b in trees)


def apart(measure, a, b):
    """The measure as a distance."""
    found = value(measure, a, b)
    return None if found is None else abs(found - measure.identical)


def excess(measure, a, b, c):
    """How far the way from a to b is longer than the way over c; above 0 breaks the triangle inequality."""
    sides = apart(measure, a, b), apart(measure, a, c), apart(measure, c, b)
    return -1.0 if None in sides else sides[0] - sides[1] - sides[2]


@ALL
@given(seed=st.integers(0, 2**32), n=st.integers(2, 7))
def test_the_triangle_inequality_holds_where_claimed(measure, seed, n):
    if measure.triangle:
        assert excess(measure, *three_trees(seed, n)) <= 1e-12


@which(lambda measure: not measure.triangle)
def test_the_triangle_inequality_is_broken_where_denied(measure):
    assert any(excess(measure, *three_trees(seed, 5)) > 1e-6 for seed in range(3000))


def renumbered(tree, rng):
    """The same tree with items in another order and children named in another order, through a door."""
    order = rng.permutation(tree.n_nodes)
    place = np.argsort(order)
    parent = [-1 if tree.parent[v] == -1 else int(place[tree.parent[v]]) for v in order]
    items = rng.permutation(tree.n_items)
    height = None if tree.height is None else tree.height[order]
    return from_parents(parent, place[tree.item_node[items]], height, [tree.items[i] for i in items])


@ALL
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


@ALL
@given(pair=hierarchy_pairs(heights=True), seed=st.integers(0, 2**32))
def test_unary_nodes_change_nothing(measure, pair, seed):
    a, b = pair
    rng = np.random.default_rng(seed)
    longer = with_unary(a, rng)
    assert longer.without_unary() == a.without_unary()
    assert alike(measure, value(measure, a, b), value(measure, longer, with_unary(b, rng)))


@ALL
@given(pair=hierarchy_pairs(heights=True))
def test_heights_are_needed_or_not_used(measure, pair):
    a, b = pair
    bare = [Hierarchy(tree.parent, None, tree.item_node, tree.items) for tree in pair]
    if measure.needs_heights:
        with pytest.raises(UndefinedMeasureError, match=r"height|at least 3 items|single item"):
            measure.call(*bare)
    else:
        assert value(measure, a, b) == value(measure, *bare)


@ALL
def test_the_zoo_gives_a_value_or_says_why_not(measure):
    for a in ZOO.values():
        for b in ZOO.values():
            if set(a.items) == set(b.items):
                found = value(measure, a, b)
                assert found is None or measure.lower <= found <= measure.upper


@ALL
def test_different_items_are_refused(measure):
    with pytest.raises(dm.errors.ItemMismatchError, match="must hold the same items"):
        measure.call(from_linkage([[0, 1, 1, 2]]), from_linkage([[0, 1, 1, 2]], ["0", "2"]))


@ALL
def test_the_registry_names_the_public_function(measure):
    assert getattr(dm, measure.name) is measure.call
    assert measure.kind in ("similarity", "distance")
    assert measure.says
    assert measure.source


@which(lambda measure: measure.expects)
def test_the_mean_over_all_relabellings_is_the_expectation(measure):
    """Exact: all 120 relabellings of 5 items, and 24 of 4, on trees of every kind."""
    checked = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        n = 4 + seed % 2
        a, b = (random_hierarchy(n, rng, heights=True) for _ in range(2))
        expected = dm.compare(a, b, measures=[measure.name]).lines[0].expected
        if expected is None:
            continue
        values = [measure.call(a, Hierarchy(b.parent, b.height, b.item_node, names)) for names in permutations(b.items)]
        assert np.mean(values) == pytest.approx(expected, abs=1e-12)
        checked += 1
    assert checked >= 3


@pytest.mark.slow
@which(lambda measure: measure.expects)
def test_ten_thousand_permutations_average_to_the_expectation(measure):
    rng = np.random.default_rng(9)
    a, b = (random_hierarchy(12, rng, heights=True) for _ in range(2))
    expected = dm.compare(a, b, measures=[measure.name]).lines[0].expected
    null = dm.permutation_test(a, b, measure.name, 10_000, rng=1)
    assert abs(null.null_mean - expected) <= 5 * null.null_deviation / 100


@pytest.mark.compiled
def test_thousand_item_trees_by_chance_are_near_the_expectation():
    rng = np.random.default_rng(3)
    a, b = (from_linkage(random_linkage(1000, rng)) for _ in range(2))
    for line in dm.compare(a, b).lines:
        if line.adjusted is not None:
            assert abs(line.adjusted) < 0.01
