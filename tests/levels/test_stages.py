"""Stages and the overall index: published facts, scikit-learn, dendextend, and exact sums."""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import cut_tree
from sklearn.metrics import adjusted_rand_score, fowlkes_mallows_score, rand_score

import dendrometry as dm
from tests.levels.dendextend import recorded, trees_of_arrests
from tests.oracles.levels.stages import counts, partition_at
from tests.oracles.sets.trees import plain
from tests.strategies import dendrograms, hierarchy_pairs, random_hierarchy, random_linkage
from tests.zoo import caterpillar

# The counterexample to the claim that Z is a metric: partitions of four items for k = 3, 2.
A = [(0, 1, 1, 2), (0, 0, 0, 1)]
B = [(0, 0, 1, 2), (0, 0, 1, 1)]
C = [(0, 0, 1, 2), (0, 0, 0, 1)]


def two_linkages(n, seed):
    rng = np.random.default_rng(seed)
    return random_linkage(n, rng), random_linkage(n, rng)


def test_z_breaks_the_triangle_inequality():
    z = {
        name: dm.levels.stages_of_partitions(x, y).distance for name, x, y in (("AB", A, B), ("AC", A, C), ("CB", C, B))
    }
    assert z == {"AB": 5 / 7, "AC": 1 / 4, "CB": 3 / 7}
    assert z["AB"] > z["AC"] + z["CB"]


@pytest.mark.parametrize("n", [10, 40, 160])
def test_the_rand_index_tends_to_1_with_many_clusters_and_so_does_s_k_but_not_b_k(n):
    """Section 4 of Morlini and Zani blames the pairs apart in both; S_k, which does not count them, tends to 1 as well.

    With n - 1 clusters one pair is together in each tree: R is 1 or 1 - 2 / N, S_k is 1 or 1 - 2 / (sum of P and Q).
    """
    series = [dm.stages(*two_linkages(n, seed), ties="order") for seed in range(30)]
    late = {name: np.array([getattr(one, name)[-1] for one in series]) for name in ("rand", "s", "fowlkes_mallows")}
    assert (late["rand"] >= 1 - 2 / (n * (n - 1) / 2) - 1e-15).all()
    assert (late["s"] >= 1 - 2 / min(one.total for one in series) - 1e-15).all()
    assert set(late["fowlkes_mallows"].tolist()) <= {0.0, 1.0}
    assert late["fowlkes_mallows"].mean() < 0.5
    early, half = (np.mean([one.rand[at] for one in series]) for at in (0, n // 2))
    assert early < half < late["rand"].mean()


def test_the_numerator_of_z_k_is_n_times_1_minus_the_rand_index():
    """Equations 8 and 10 of Morlini and Zani print N (R - 1), which is negative."""
    series = dm.stages(*two_linkages(12, 3), ties="order")
    assert series.apart.sum() > 0
    assert series.apart.tolist() == pytest.approx((series.n_pairs * (1 - series.rand)).tolist(), abs=1e-9)
    assert series.apart.tolist() == (series.p + series.q - 2 * series.t).tolist()


def test_the_simple_matching_coefficient_is_the_rand_index():
    """Equation 9 of Morlini and Zani: pairs together in both and pairs apart in both, over all pairs."""
    series = dm.stages(*two_linkages(12, 3), ties="order")
    apart_in_both = series.n_pairs + series.t - series.p - series.q
    assert ((series.t + apart_in_both) / series.n_pairs).tolist() == pytest.approx(series.rand.tolist(), abs=1e-15)


@pytest.mark.parametrize("n", [3, 4, 12])
def test_v_k_of_the_same_tree_is_below_1_from_four_items_on(n):
    tree, _ = two_linkages(n, 3)
    series = dm.stages(tree, tree, ties="order")
    assert (series.v < 1.0).all() == (n > 3)
    assert series.v.sum() == pytest.approx(1.0)
    assert (series.s == 1.0).all()


def test_partitions_need_not_be_nested():
    """Section 6: three and two groups of four items, which no tree has both; none is together in both."""
    first, second = [(0, 0, 1, 2), (0, 1, 0, 1)], [(0, 1, 1, 2), (0, 0, 1, 1)]
    series = dm.levels.stages_of_partitions(first, second)
    assert (series.p.tolist(), series.q.tolist(), series.t.tolist()) == ([1, 2], [1, 2], [0, 0])
    assert series.distance == 1.0


TIES = pytest.mark.parametrize("ties", ["order", "together"])


def assert_counted(a, b, ties):
    series = dm.stages(a, b, ties=ties)
    found = list(zip(series.p.tolist(), series.q.tolist(), series.t.tolist(), strict=True))
    assert found == counts(plain(a, a.items), plain(b, a.items), ties)


@TIES
@given(pair=hierarchy_pairs(max_items=9, heights=True))
def test_pairs_together_are_those_of_the_partitions(ties, pair):
    if pair[0].n_items > 2:
        assert_counted(*pair, ties)


@TIES
@given(n=st.integers(3, 9), seed=st.integers(0, 2**32))
def test_pairs_together_are_those_of_the_partitions_under_inversions(ties, n, seed):
    rng = np.random.default_rng(seed)
    assert_counted(*(random_hierarchy(n, rng, heights=True, wild=True) for _ in range(2)), ties)


@pytest.mark.parametrize("n", [3, 4, 12, 60])
def test_every_stage_equals_scikit_learn(n):
    x, y = two_linkages(n, n)
    series = dm.stages(dm.from_linkage(x), dm.from_linkage(y), ties="order")
    cuts = [cut_tree(z, n_clusters=np.arange(2, n)) for z in (x, y)]
    assert series.n_clusters.tolist() == list(range(2, n))
    for i in range(n - 2):
        labels = cuts[0][:, i], cuts[1][:, i]
        assert series.adjusted_rand[i] == pytest.approx(adjusted_rand_score(*labels), abs=1e-13)
        assert series.fowlkes_mallows[i] == pytest.approx(fowlkes_mallows_score(*labels), abs=1e-13)
        assert series.rand[i] == pytest.approx(rand_score(*labels), abs=1e-13)


def test_b_k_with_its_band_equals_dendextend():
    a, b = trees_of_arrests()
    table = recorded("dendextend_bk.csv")
    for ties in ("order", "together"):
        series = dm.stages(a, b, ties=ties)
        assert series.n_clusters.tolist() == table["k"].tolist()
        assert np.allclose(series.fowlkes_mallows, table["bk"], rtol=1e-13, atol=0)
        assert np.allclose(series.expected_fowlkes_mallows, table["expected"], rtol=1e-13, atol=0)
        assert np.allclose(series.variance_fowlkes_mallows, table["variance"], rtol=1e-9, atol=0)
        assert np.allclose(series.fowlkes_mallows_limit(), table["limit"], rtol=1e-9, atol=0)


@given(hierarchy_pairs(max_items=9, heights=True))
def test_the_parts_of_all_stages_are_exactly_the_whole(pair):
    if pair[0].n_items < 3:
        return
    series = dm.stages(*pair)
    if not (series.p.any() or series.q.any()):
        with pytest.raises(dm.errors.UndefinedMeasureError, match="some pair of items must be together"):
            _ = series.distance
        return
    z = [Fraction(int(x), series.total) for x in series.apart]
    v = [Fraction(2 * int(x), series.total) for x in series.t]
    assert series.distance == float(sum(z))
    assert series.similarity == float(sum(v))
    assert sum(z) + sum(v) == 1
    assert series.z.tolist() == [float(x) for x in z]
    assert series.v.tolist() == [float(x) for x in v]
    assert np.allclose(series.s, [float(1 - x) for x in z], rtol=1e-15)


@given(dendrograms(max_items=8))
def test_without_ties_both_ways_are_the_same(tree):
    if tree.n_items < 3:
        return
    other = dm.from_linkage(random_linkage(tree.n_items, np.random.default_rng(tree.n_items)), tree.items)
    first, second = (dm.stages(tree, other, ties=ties) for ties in ("order", "together"))
    assert first.t.tolist() == second.t.tolist()


@pytest.mark.parametrize("n", [2, 3, 4, 5, pytest.param(6, marks=pytest.mark.further)])
def test_expectations_and_variance_are_those_over_all_relabellings(n):
    rng = np.random.default_rng(n)
    for _ in range(3):
        labels = [rng.integers(0, 3, n) for _ in range(4)]
        observed = [
            dm.levels.stages_of_partitions(labels[:2], [labels[2][list(order)], labels[3][list(order)]])
            for order in permutations(range(n))
        ]
        series = observed[0]
        names = ["t", "rand", "adjusted_rand", "fowlkes_mallows"]
        names += ["z", "v", "s"] if series.p.any() or series.q.any() else []
        for name in names:
            values = np.array([getattr(other, name) for other in observed])
            assert np.allclose(values.mean(axis=0), getattr(series, f"expected_{name}"), atol=1e-12), name
        values = np.array([other.fowlkes_mallows for other in observed])
        assert np.allclose(values.var(axis=0), series.variance_fowlkes_mallows, atol=1e-12)


def exact_variance(n, p, q, triples_a, triples_b):
    """Fowlkes and Mallows (1983), section 3, in fractions."""
    p, q = Fraction(2 * p), Fraction(2 * q)
    three_a, three_b = triples_a / p, triples_b / q
    variance = Fraction(2, n * (n - 1)) + 4 * three_a * three_b / (n * (n - 1) * (n - 2))
    variance += (p - 2 - 4 * three_a) * (q - 2 - 4 * three_b) / (n * (n - 1) * (n - 2) * (n - 3))
    return variance - p * q / Fraction(n * (n - 1)) ** 2


@pytest.mark.compiled
@pytest.mark.parametrize("n", [4, 50, 100_000])
def test_the_variance_keeps_its_digits(n):
    rng = np.random.default_rng(n)
    chains = [caterpillar(n), dm.from_linkage(random_linkage(min(n, 2000), rng))]
    for tree in chains:
        series = dm.stages(tree, tree)
        for i in {0, 1, series.n_clusters.size // 2, series.n_clusters.size - 1} & set(range(series.n_clusters.size)):
            counts = (int(column[i]) for column in (series.p, series.q, *series.triples))
            exact = float(exact_variance(tree.n_items, *counts))
            assert series.variance_fowlkes_mallows[i] == pytest.approx(exact, rel=1e-14)


def test_singletons_and_one_cluster_have_their_agreed_values():
    apart, one, some = [0, 1, 2, 3], [0, 0, 0, 0], [0, 0, 1, 1]
    series = dm.levels.stages_of_partitions([apart, apart, one, one, some], [apart, some, one, some, some])
    assert series.fowlkes_mallows.tolist() == pytest.approx([1, 0, 1, np.sqrt(1 / 3), 1])
    assert series.adjusted_rand.tolist() == [1, 0, 1, 0, 1]
    assert series.rand.tolist() == pytest.approx([1, 2 / 3, 1, 1 / 3, 1])
    assert series.n_clusters.tolist() == [4, 4, 1, 1, 2]


@pytest.mark.compiled
def test_a_large_stage_stays_in_its_range():
    x, y = two_linkages(3000, 0)
    series = dm.stages(dm.from_linkage(x), dm.from_linkage(x))
    assert (series.adjusted_rand == 1).all()
    assert (series.fowlkes_mallows == 1).all()
    series = dm.stages(dm.from_linkage(x), dm.from_linkage(y))
    for name in ("z", "v", "s", "rand", "fowlkes_mallows"):
        values = getattr(series, name)
        assert ((values >= 0) & (values <= 1)).all()
    assert (np.abs(series.adjusted_rand) <= 1).all()


def test_a_frame_has_a_row_for_each_stage():
    series = dm.levels.stages_of_partitions(A, B)
    frame = series.to_frame()
    assert frame["n_clusters"].tolist() == [3, 2]
    assert {"expected_t", "variance_fowlkes_mallows", "adjusted_rand"} <= set(frame.columns)
    assert repr(series) == "Stages(4 items, 2 stages)"


TWO = dm.from_linkage([[0, 1, 1, 2]])


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: dm.stages(TWO, TWO),
            dm.errors.UndefinedMeasureError,
            "at least 3 items, since stages have 2 to n - 1 groups; got 2",
        ),
        (lambda: dm.stages(TWO, TWO, ties="last"), dm.errors.InvalidInputError, "ties must be 'together' or 'order'"),
        (
            lambda: dm.levels.stages_of_partitions(A, B[:1]),
            dm.errors.ItemMismatchError,
            "same length; got 2 and 1 partitions",
        ),
        (lambda: dm.levels.stages_of_partitions([], []), dm.errors.InvalidInputError, "at least one partition"),
        (lambda: dm.levels.stages_of_partitions([[0]], [[0]]), dm.errors.UndefinedMeasureError, "got a single item"),
        (
            lambda: dm.levels.stages_of_partitions(A, [*B[:1], (0, 1)]),
            dm.errors.ItemMismatchError,
            "got 2 in the second, position 1",
        ),
        (lambda: dm.levels.stages_of_partitions([[0, float("nan")]], [[0, 1]]), dm.errors.InvalidInputError, "nan"),
        (
            lambda: dm.levels.stages_of_partitions(A, B).fowlkes_mallows_limit(1.5),
            dm.errors.InvalidInputError,
            "above 0 and below 1",
        ),
        (
            lambda: dm.levels.stages_of_partitions([[0, None]], [[0, 1]]),
            dm.errors.InvalidInputError,
            "first side's partition",
        ),
    ],
)
def test_bad_input_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


@TIES
@given(pair=hierarchy_pairs(max_items=7, heights=True))
def test_the_number_of_groups_is_that_of_the_partitions_compared(ties, pair):
    a, b = pair
    if a.n_items < 3:
        return
    found = dm.stages(a, b, ties=ties)
    for tree, groups in zip(pair, found.n_groups, strict=True):
        assert groups.tolist() == [len(partition_at(plain(tree, a.items), k, ties)) for k in found.n_clusters.tolist()]
    assert found.is_reached.tolist() == [x == y == k for x, y, k in zip(*found.n_groups, found.n_clusters, strict=True)]


def test_stages_that_no_cut_reaches_are_told():
    flat = dm.from_newick("(a:1,b:1,c:1,d:1,e:1);")
    chain = dm.from_newick("((((a:1,b:1):1,c:2):1,d:3):1,e:4);")
    found = dm.stages(chain, flat)
    assert [groups.tolist() for groups in found.n_groups] == [[2, 3, 4], [5, 5, 5]]
    assert not found.is_reached.any()
    assert repr(found) == "Stages(5 items, 3 stages, 0 with exactly k clusters in both, ties together)"
    assert dm.stages(chain, chain).is_reached.all()
    frame = found.to_frame()
    assert frame["n_groups_b"].tolist() == [5, 5, 5]
    assert not frame["is_reached"].any()
    given_parts = dm.levels.stages_of_partitions([[0, 0, 1]], [[0, 1, 2]])
    assert [groups.tolist() for groups in given_parts.n_groups] == [[2], [3]]
