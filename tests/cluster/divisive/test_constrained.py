"""Bisection with triplets: what it lowers, what it honours, what it refuses."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.cluster import constrained as oracle

from dendrometry import adjusted_rand, agglomerate, cut_count, hierarchy_agreement
from dendrometry._kernels.cluster import constrained as kernels
from dendrometry.cluster import bisect_constrained
from dendrometry.errors import InvalidInputError
from dendrometry.generate import (
    random_colours,
    random_tree,
    random_triplets,
    rgb_to_hsv,
    rgb_to_lab,
    satisfied_triplets,
)


def small_problem(seed, n, n_triplets):
    rng = np.random.default_rng(seed)
    rows = [rng.choice(n, 3, replace=False).tolist() for _ in range(n_triplets)]
    return rng.normal(size=(n, 2)), np.array(rows, dtype=np.int64).reshape(-1, 3), rng


@given(st.integers(0, 10**6), st.integers(3, 8), st.integers(0, 12))
def test_the_cost_of_a_settled_split_is_that_of_the_definition(seed, n, count):
    points, rows, rng = small_problem(seed, n, count)
    votes = kernels.votes_of(rows, n)
    side = rng.permutation(n) < rng.integers(1, n)
    cost = kernels.settle(points, votes, side, 0.7, 100)
    constant = 0.7 * len(rows) * 15 / 32  # that the quadratic form counts for every triplet
    assert 0 < side.sum() < n
    wanted = oracle.cost(points.tolist(), rows.tolist(), side.tolist(), 0.7)
    assert cost + constant == pytest.approx(wanted)


@pytest.mark.parametrize("seed", range(12))
def test_the_first_split_is_nearly_always_the_best_of_all(seed):
    points, rows, _ = small_problem(seed, 8, 10)
    spread = ((points - points.mean(axis=0)) ** 2).sum() / 8
    every = [side for side in product([True, False], repeat=8) if side[0] and not all(side)]
    best = min(oracle.cost(points.tolist(), rows.tolist(), side, spread) for side in every)
    tree = bisect_constrained(points, rows, trials=20, rng=seed).hierarchy
    found = cut_count(tree, 2).labels == 0
    cost = oracle.cost(points.tolist(), rows.tolist(), found.tolist(), spread)
    assert cost <= best + 0.15 * abs(best) + 0.5


def test_without_triplets_it_is_bisecting_k_means():
    rng = np.random.default_rng(0)
    labels = np.repeat(np.arange(4), 30)
    points = rng.normal(size=(120, 3)) * 0.1 + np.array([[0, 0, 0], [10, 0, 0], [0, 25, 0], [10, 25, 0]])[labels]
    built = bisect_constrained(points, [], rng=0)
    assert adjusted_rand(labels, cut_count(built.hierarchy, 4).labels) == 1.0
    top = ((points - points.mean(axis=0)) ** 2).sum()
    assert built.hierarchy.height[-1] == pytest.approx(top)
    assert built.hierarchy.is_monotone
    assert built.hierarchy.is_binary
    assert built.report.n_triplets == built.report.n_satisfied == built.report.n_broken == 0


@pytest.mark.parametrize("seed", range(8))
def test_all_triplets_of_a_tree_bring_it_back_whatever_the_points(seed):
    truth = random_tree(12, rng=seed)
    rows = [(i, j, k) for i in range(12) for j in range(i) for k in range(12) if k not in (i, j)]
    rows = np.array(rows)[satisfied_triplets(truth, rows)]
    built = bisect_constrained(np.random.default_rng(0).normal(size=(12, 2)), rows, trust=100.0, rng=0)
    assert built.report.n_satisfied == len(rows) == 220
    assert hierarchy_agreement(truth, built.hierarchy) == 1.0


@pytest.mark.compiled
def test_agreement_rises_with_the_number_of_triplets():
    rng = np.random.default_rng(1)
    rgb = random_colours(250, rng=rng)
    truth = agglomerate(rgb_to_lab(rgb), linkage="average").hierarchy
    known = random_triplets(truth, 6000, rng=rng)
    built = [bisect_constrained(rgb_to_hsv(rgb), known[:count], rng=0) for count in (0, 600, 6000)]
    values = [hierarchy_agreement(truth, one.hierarchy) for one in built]
    assert values[0] < values[1] < values[2]
    assert values[2] > 0.98
    assert built[2].report.n_satisfied > 0.98 * 6000


@pytest.mark.compiled
def test_wrong_triplets_are_outvoted():
    rng = np.random.default_rng(2)
    truth = random_tree(60, shape="balanced", rng=rng)
    known = random_triplets(truth, 3000, rng=rng).copy()
    wrong = rng.random(3000) < 0.1
    known[wrong] = known[wrong][:, [0, 2, 1]]
    built = bisect_constrained(rng.normal(size=(60, 2)), known, rng=0)
    kept = satisfied_triplets(built.hierarchy, known)
    assert kept[~wrong].mean() > 0.95
    assert kept[wrong].mean() < 0.1
    assert built.report.n_broken == (~kept).sum()


@pytest.mark.compiled
def test_items_without_triplets_follow_those_near_to_them():
    """Two clouds along y that the points would split along x; a few triplets turn the split for all."""
    rng = np.random.default_rng(3)
    group = np.repeat([0, 1], 100)
    points = np.column_stack([rng.uniform(-1, 1, 200), group + rng.normal(0, 0.05, 200)]) * [3.0, 2.0]
    one, other = np.arange(0, 40), np.arange(100, 140)
    rows = []
    for _ in range(150):
        a, b = (one, other) if rng.random() < 0.5 else (other, one)
        rows.append([*rng.choice(a, 2, replace=False).tolist(), int(rng.choice(b))])
    with_them = cut_count(bisect_constrained(points, rows, rng=0).hierarchy, 2).labels
    without = cut_count(bisect_constrained(points, [], rng=0).hierarchy, 2).labels
    assert adjusted_rand(group, without) < 0.1
    assert adjusted_rand(group, with_them) > 0.9


@pytest.mark.parametrize("seed", range(8))
def test_votes_are_propagated_only_if_that_is_asked_for(seed, monkeypatch):
    points, rows, _ = small_problem(seed, 30, 60)
    made = []
    direction = kernels.leading_direction
    monkeypatch.setattr(kernels, "leading_direction", lambda *given: made.append(1) or direction(*given))
    for propagate in (True, False):
        made.clear()
        built = bisect_constrained(points, rows, propagate=propagate, rng=seed)
        assert bool(made) == propagate
        assert built.report.n_satisfied > 20  # 20 by chance


def test_without_triplets_there_is_nothing_to_propagate():
    points = np.random.default_rng(0).normal(size=(40, 2))
    one, other = (bisect_constrained(points, [], propagate=propagate).hierarchy for propagate in (True, False))
    assert one == other


@pytest.mark.compiled
@pytest.mark.parametrize("seed", range(4))
def test_a_few_triplets_go_further_if_they_are_propagated(seed):
    """The points are noise, and each item is in three triplets: only the direction of the votes is near the truth."""
    rng = np.random.default_rng(seed)
    truth = random_tree(200, shape="balanced", rng=rng)
    known = random_triplets(truth, 200, rng=rng)
    points = rng.normal(size=(200, 5))
    with_it, without = (
        hierarchy_agreement(truth, bisect_constrained(points, known, trust=10.0, propagate=propagate).hierarchy)
        for propagate in (True, False)
    )
    assert with_it > without + 0.05


def test_the_same_seed_gives_the_same_tree_and_the_input_stays():
    points, rows, _ = small_problem(5, 12, 30)
    before = points.copy(), rows.copy()
    one, other = (bisect_constrained(points, rows, rng=7).hierarchy for _ in range(2))
    assert one == other
    assert (points == before[0]).all()
    assert (rows == before[1]).all()


def test_equal_points_are_split_by_triplets_alone_and_else_in_halves():
    points = np.ones((6, 2))
    rows = [[0, 1, 2], [0, 1, 3], [4, 5, 0], [4, 5, 2], [2, 3, 0], [2, 3, 4]]
    assert bisect_constrained(points, rows, rng=0).report.n_satisfied == 6
    halves = bisect_constrained(np.ones((64, 1)), [], rng=0).hierarchy
    assert halves.depths.max() == 6
    assert (halves.height == 0.0).all()


@pytest.mark.parametrize("scale", [1e-150, 1e150])
def test_the_tree_does_not_depend_on_the_unit_of_the_points(scale):
    points, rows, _ = small_problem(6, 30, 60)
    ours = bisect_constrained(points, rows, rng=0).hierarchy
    theirs = bisect_constrained(points * scale, rows, rng=0).hierarchy
    assert hierarchy_agreement(ours, theirs) == 1.0


def test_one_and_two_items():
    assert bisect_constrained([[1.0]], []).hierarchy.n_nodes == 1
    assert bisect_constrained([[1.0], [3.0]], [], item_names=["a", "b"]).hierarchy.height.tolist() == [0.0, 0.0, 2.0]


@pytest.mark.parametrize("kind", [np.float32, np.int64, ">f8"])
def test_other_kinds_of_numbers_work(kind):
    points = (np.random.default_rng(0).normal(size=(10, 2)) * 100).astype(kind)
    assert bisect_constrained(np.asfortranarray(points), [[0, 1, 2]], rng=0).hierarchy.n_items == 10


def test_it_prints_how_many_triplets_are_satisfied():
    built = bisect_constrained([[0.0], [1.0], [5.0]], [[0, 1, 2], [0, 2, 1]], rng=0)
    assert repr(built).endswith("1 of 2 triplets satisfied)")


@pytest.mark.parametrize(
    ("points", "rows", "options", "message"),
    [
        ([[0.0], [np.nan]], [], {}, "points must be finite; got nan in row 1, column 0"),
        ([[0.0], [1.0]], [[0, 1, 2]], {}, r"triplets must hold items from 0 to 1; got \[0, 1, 2\] in row 0"),
        ([[0.0], [1.0]], [], {"trust": 0}, "trust must be a finite number, above 0; got 0"),
        ([[0.0], [1.0]], [], {"propagate": "votes"}, "propagate must be True or False; got 'votes'"),
        ([[0.0], [1.0]], [], {"trials": 0}, "trials must be a whole number from 1 on; got 0"),
        ([[0.0], [1.0]], [], {"item_names": ["a"]}, "one item name for each of 2 items; got 1"),
        ([[0.0], [1.0]], [], {"rng": "x"}, "rng must be a numpy Generator"),
        (np.zeros((0, 2)), [], {}, "points must have at least one row and one column"),
    ],
)
def test_refuses_bad_input(points, rows, options, message):
    with pytest.raises(InvalidInputError, match=message):
        bisect_constrained(points, rows, **options)


def test_refuses_sparse_points():
    sparse = pytest.importorskip("scipy.sparse")
    with pytest.raises(InvalidInputError, match=r"points must be dense .*; got a sparse matrix \(use toarray\(\)\)"):
        bisect_constrained(sparse.eye_array(3), [])
