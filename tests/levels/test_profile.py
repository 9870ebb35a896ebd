"""Profiles: every measure at every stage, against the partitions there, for trees of every kind."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dendrometry import Contingency, Hierarchy, from_linkage, from_newick, split_merge, stages
from dendrometry.errors import InvalidInputError, ItemMismatchError, UndefinedMeasureError
from dendrometry.generate import random_tree
from dendrometry.levels import profile
from dendrometry.measures import bounded_variation_similarity
from dendrometry.measures._shared.pair_counts import PairCounts
from dendrometry.measures.partitions.adjusted_rand import adjusted_rand_of
from dendrometry.measures.partitions.fowlkes_mallows import fowlkes_mallows_of
from dendrometry.measures.partitions.rand import rand_of
from dendrometry.measures.registry import MEASURES, PARTITION_MEASURES
from tests.oracles.levels.stages import partition_at
from tests.oracles.sets.trees import plain
from tests.strategies import hierarchy_pairs, random_hierarchy, random_linkage
from tests.zoo import ZOO, caterpillar

CARRIED = [name for name in PARTITION_MEASURES if MEASURES[name].curve is not None]


def labels_at(tree: Hierarchy, k: int, ties: str, items: tuple[str, ...]) -> list[int]:
    """The partition into k groups by the oracle, as labels of the items in the given order."""
    groups = partition_at(plain(tree, items), k, ties)
    where = {i: g for g, group in enumerate(groups) for i in group}
    return [where[i] for i in range(len(items))]


def check(a: Hierarchy, b: Hierarchy, names=CARRIED, ties: str = "together", tolerance: float = 1e-11) -> None:
    """Compare whole profiles with the measures of the partitions at every k."""
    n = a.n_items
    tables = [Contingency.of(*(labels_at(tree, k, ties, a.items) for tree in (a, b))) for k in range(1, n + 1)]
    for name in names:
        measure = MEASURES[name]
        expected = [measure.of_table(t, max(t.n_a, t.n_b)) for t in tables]
        found = profile(a, b, name, ties=ties)
        assert found.n_clusters.tolist() == list(range(1, n + 1))
        assert found.value.tolist() == pytest.approx(expected, abs=tolerance), name
        if measure.tested_by == "pairs":
            assert found.value.tolist() == expected, name
        assert [value == 0.0 for value in found.value.tolist()] == [value == 0.0 for value in expected], name
        if measure.kind == "similarity":
            assert [value == 1.0 for value in found.value.tolist()] == [value == 1.0 for value in expected], name
        assert found.n_groups[0].tolist() == [t.n_a for t in tables]
        assert found.n_groups[1].tolist() == [t.n_b for t in tables]
        chosen = profile(a, b, name, n_clusters=[1, n], ties=ties)
        assert chosen.value.tolist() == found.value[[0, n - 1]].tolist()


@given(hierarchy_pairs(heights=True), st.sampled_from(["together", "order"]))
def test_matches_the_partitions_at_every_stage(pair, ties):
    check(*pair, ties=ties)


@pytest.mark.parametrize("name", [name for name, tree in ZOO.items() if tree.height is not None])
def test_matches_on_the_edge_trees(name):
    tree = ZOO[name]
    check(tree, tree)
    for other in ZOO.values():
        if other.height is not None and set(other.items) == set(tree.items):
            check(tree, other)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.compiled
def test_matches_on_larger_dendrograms(seed):
    rng = np.random.default_rng(seed)
    a, b = (from_linkage(random_linkage(40, rng), [f"i{i}" for i in rng.permutation(40)]) for _ in range(2))
    check(a, b, ties="order")


def cuts(tree: Hierarchy, k: int, items: tuple[str, ...]) -> np.ndarray:
    """Labels at k groups of a dendrogram without ties, by union of its merges."""
    group = np.arange(tree.n_nodes)
    for v in range(tree.n_nodes - 1):
        if tree.parent[v] < 2 * tree.n_items - k:
            group[v] = tree.parent[v]
    for v in range(tree.n_nodes - 1, -1, -1):
        group[v] = group[group[v]] if group[v] != v else v
    node = dict(zip(tree.items, tree.item_node.tolist(), strict=True))
    return group[[node[item] for item in items]]


def shaped(shape: str, n: int, seed: int) -> Hierarchy:
    """A caterpillar, or a random dendrogram, over items in random order."""
    rng = np.random.default_rng(seed)
    names = [f"i{i}" for i in rng.permutation(n)]
    return caterpillar(n, names) if shape == "caterpillar" else from_linkage(random_linkage(n, rng), names)


@pytest.mark.parametrize("shapes", [("caterpillar", "caterpillar"), ("caterpillar", "random"), ("random", "random")])
def test_clusters_with_many_overlaps_are_carried_right(shapes):
    """Hundreds of overlaps in one cluster: more than are walked through one by one."""
    n = 700
    a, b = (shaped(shape, n, seed) for seed, shape in enumerate(shapes))
    found = profile(a, b, "split_merge").value
    for k in range(1, n + 1, 9):
        expected = split_merge(cuts(a, k, a.items), cuts(b, k, a.items))
        assert found[k - 1] == pytest.approx(expected, abs=1e-11)


def test_independence_is_decided_in_whole_numbers():
    """A grid of 16 items: rows of four in one tree, columns of four in the other, independent at k = 4."""
    items = [f"i{i}" for i in range(16)]
    rows, columns = (
        [f"i{4 * x + y}" if flip else f"i{x + 4 * y}" for x in range(4) for y in range(4)] for flip in (0, 1)
    )
    trees = []
    for names in (rows, columns):
        groups = ["(" + ",".join(f"{name}:1" for name in names[i : i + 4]) + "):1" for i in range(0, 16, 4)]
        trees.append(from_newick("(" + ",".join(groups) + ");"))
    assert set(trees[0].items) == set(items)
    check(*trees)
    for name in (
        "normalized_mutual_information",
        "bounded_variation_similarity",
        "variation_similarity",
        "split_merge",
    ):
        assert profile(*trees, name, n_clusters=[4]).value.tolist() == [0.0]


def test_agrees_with_the_stages():
    rng = np.random.default_rng(5)
    a, b = random_hierarchy(30, rng, heights=True), random_hierarchy(30, rng, heights=True)
    series = stages(a, b)
    for name in ("rand", "adjusted_rand", "fowlkes_mallows"):
        assert profile(a, b, name, n_clusters=series.n_clusters).value == pytest.approx(
            getattr(series, name), abs=1e-12
        )


@given(hierarchy_pairs(heights=True), st.data())
def test_other_measures_are_taken_at_chosen_stages(pair, data):
    a, b = pair
    k = data.draw(st.integers(1, a.n_items))
    table = Contingency.of(*(labels_at(tree, k, "together", a.items) for tree in pair))
    for name in ("van_dongen", "classification_accuracy"):
        assert profile(a, b, name, n_clusters=[k]).value.tolist() == [MEASURES[name].call(table)]

    def by_position(table):
        return split_merge(table, score="mse", features=np.arange(table.n_items) ** 2)

    found = profile(a, b, by_position, n_clusters=[k])
    assert found.value[0] == pytest.approx(by_position(table), abs=1e-12)
    assert found.measure == "by_position"


@given(hierarchy_pairs(heights=True), st.integers(0, 3))
def test_a_given_bound_holds_at_every_stage(pair, more):
    a, b = pair
    n = a.n_items
    found = profile(a, b, "bounded_variation_similarity", max_clusters=n + more).value
    for i, k in enumerate(range(1, n + 1)):
        table = Contingency.of(*(labels_at(tree, k, "together", a.items) for tree in pair))
        expected = bounded_variation_similarity(table, max_clusters=n + more)
        assert found[i] == pytest.approx(expected, abs=1e-11)
        assert (found[i] == 0.0, found[i] == 1.0) == (expected == 0.0, expected == 1.0)
        least = max(table.n_a, table.n_b)
        lower = bounded_variation_similarity(table, max_clusters=least)
        assert profile(a, b, "bounded_variation_similarity", n_clusters=[k], max_clusters=least).value[
            0
        ] == pytest.approx(lower, abs=1e-11)


def test_refuses_a_bound_that_does_not_hold_or_is_not_asked_for():
    a = from_newick("((x:1,y:1):1,z:2);")
    with pytest.raises(InvalidInputError, match="at least the number of clusters of either partition, 3; got 2"):
        profile(a, a, "bounded_variation_similarity", max_clusters=2)
    with pytest.raises(InvalidInputError, match="max_clusters must be a whole number"):
        profile(a, a, "bounded_variation_similarity", max_clusters=2.5)
    for measure in ("rand", len):
        with pytest.raises(InvalidInputError, match="max_clusters requires bounded_variation_similarity"):
            profile(a, a, measure, n_clusters=[2], max_clusters=2)


def test_a_single_item_is_the_same_at_its_only_stage():
    one = ZOO["one item"] if ZOO["one item"].height is not None else Hierarchy([-1], [0], [0], ["x"])
    for name in CARRIED:
        expected = 0.0 if name in ("variation_of_information", "mutual_information") else 1.0
        assert profile(one, one, name).value.tolist() == [expected]


def test_the_first_stage_is_all_items_alone():
    a, b = shaped("random", 12, 1), shaped("random", 12, 2)
    assert profile(a, b, "mutual_information").value[-1] == pytest.approx(math.log(12))
    assert profile(a, b, "variation_of_information").value[-1] == 0.0
    assert profile(a, b).value[-1] == 1.0


def test_refuses_what_cannot_be_profiled():
    a = from_newick("((x:1,y:1):1,z:2);")
    with pytest.raises(InvalidInputError, match=r"measure must be one of 'rand', .*; got 'gini'"):
        profile(a, a, "gini")
    with pytest.raises(InvalidInputError, match="n_clusters must be given for van_dongen"):
        profile(a, a, "van_dongen")
    with pytest.raises(InvalidInputError, match="n_clusters must be given for a function"):
        profile(a, a, split_merge)
    with pytest.raises(InvalidInputError, match="n_clusters must hold numbers from 1 to 3; got 4"):
        profile(a, a, n_clusters=[1, 4])
    with pytest.raises(InvalidInputError, match="n_clusters must hold at least one number; got none"):
        profile(a, a, n_clusters=[])
    for bad in ([1.5], 2, ["2"], [[1], [1, 2]]):
        with pytest.raises(InvalidInputError, match="n_clusters, the numbers of clusters, must"):
            profile(a, a, n_clusters=bad)
    with pytest.raises(InvalidInputError, match="ties must be 'together' or 'order'; got 'random'"):
        profile(a, a, ties="random")
    with pytest.raises(InvalidInputError, match="ties must be 'together' or 'order'"):
        profile(a, a, "rand", ties=np.array(["together", "order"]))
    with pytest.raises(InvalidInputError, match=r"measure must be one of 'rand', .*; got 3"):
        profile(a, a, 3, n_clusters=[2])
    with pytest.raises(InvalidInputError, match="n_clusters, the numbers of clusters, must be an array"):
        profile(a, a, "rand", n_clusters=[[1], [1, 2]])
    with pytest.raises(ItemMismatchError, match="must hold the same items"):
        profile(a, from_newick("((x:1,y:1):1,w:2);"))
    with pytest.raises(UndefinedMeasureError, match="tree must have heights for stages; it has none"):
        profile(a, from_newick("((x,y),z);"))


@pytest.mark.parametrize("value", ["x", math.nan])
def test_refuses_a_function_that_returns_no_number(value):
    a = from_newick("((x:1,y:1):1,z:2);")
    with pytest.raises(InvalidInputError, match=f"the measure must return a number; got {value}"):
        profile(a, a, lambda table: value, n_clusters=[2])


@pytest.mark.further
@pytest.mark.compiled
def test_sums_over_thousands_of_stages_stay_precise():
    n = 5000
    a, b = shaped("random", n, 3), shaped("caterpillar", n, 4)
    at = [1, 2, 3, 10, 70, 400, 2500, 4900, n - 1, n]
    for name in CARRIED:
        if not MEASURES[name].needs_bound:
            carried = profile(a, b, name, n_clusters=at).value
            taken = profile(a, b, MEASURES[name].call, n_clusters=at).value
            assert carried == pytest.approx(taken, abs=1e-11), name


@given(hierarchy_pairs(heights=True), st.sampled_from(["together", "order"]))
def test_stages_and_profiles_have_the_same_bits(pair, ties):
    if pair[0].n_items > 2:
        series = stages(*pair, ties=ties)
        for name in ("rand", "adjusted_rand", "fowlkes_mallows"):
            found = profile(*pair, name, n_clusters=series.n_clusters, ties=ties)
            assert found.value.tolist() == getattr(series, name).tolist()


@pytest.mark.further
@pytest.mark.compiled
def test_large_stages_have_the_bits_of_whole_numbers():
    rng = np.random.default_rng(0)
    a, b = (random_tree(200_000, rng=rng) for _ in range(2))
    series = stages(a, b)
    chosen = rng.choice(series.n_clusters.size, 2_000, replace=False)
    for name, of in (("rand", rand_of), ("adjusted_rand", adjusted_rand_of), ("fowlkes_mallows", fowlkes_mallows_of)):
        column = getattr(series, name)
        for i in chosen.tolist():
            counts = PairCounts(int(series.p[i]), int(series.q[i]), int(series.t[i]), series.n_pairs)
            assert column[i] == of(counts), name


def test_a_profile_becomes_a_table():
    tree = from_newick("((a:1,b:1):1,(c:1,d:1):1);")
    found = profile(tree, tree, "adjusted_rand")
    frame = found.to_frame()
    assert list(frame.columns) == ["n_clusters", "value", "n_groups_a", "n_groups_b"]
    assert frame["value"].tolist() == found.value.tolist()
    assert found.to_markdown().splitlines()[0] == r"| n\_clusters | value | n\_groups\_a | n\_groups\_b |"
