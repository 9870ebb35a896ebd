"""The walk itself: counts at every tick, exactness beyond 63 bits, and what it refuses."""

import itertools
from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest
from hypothesis import given

import dendrometry as dm
from dendrometry import Overlap
from dendrometry._kernels.tree_pair import contraction as kernels
from dendrometry.tree_pair.contraction import (
    contract,
    exact_dot,
    follow,
    frame_of,
    height_clock,
    lay_out,
    merge_rank,
    rank_clock,
    side_of,
    size_clock,
)
from dendrometry.tree_pair.pair import MOST_ITEMS, Pair
from tests.oracles.sets.trees import plain
from tests.oracles.tree_pair import contraction as oracle
from tests.strategies import hierarchy_pairs, random_hierarchy, random_linkage
from tests.zoo import caterpillar, unary_chain

CLOCKS = {
    "size": (size_clock, oracle.size_moments),
    "height": (height_clock, oracle.height_moments),
}


def assert_counts_pairs(a, b, clock):
    fast, slow = CLOCKS[clock]
    walk = contract(Pair.of_trees(a, b), fast)
    in_a, in_b = slow(plain(a, a.items)), slow(plain(b, a.items))
    for i, time in enumerate(walk.time.tolist()):
        x, y = ({pair for pair, moment in moments.items() if moment <= time} for moments in (in_a, in_b))
        assert (walk.p[i], walk.q[i], walk.t[i]) == (len(x), len(y), len(x & y))
    assert walk.discordance == pytest.approx(float(sum(abs(in_a[pair] - in_b[pair]) for pair in in_a)))


@pytest.mark.parametrize("clock", CLOCKS)
@given(pair=hierarchy_pairs(max_items=9, heights=True))
def test_pairs_together_at_every_tick(clock, pair):
    assert_counts_pairs(*pair, clock)


@pytest.mark.parametrize("clock", CLOCKS)
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.further
def test_pairs_together_at_every_tick_of_larger_trees(clock, seed):
    rng = np.random.default_rng(seed)
    trees = [random_hierarchy(40, rng, heights=True), random_hierarchy(40, rng, heights=True)]
    trees += [dm.from_linkage(random_linkage(40, rng, ties=seed % 2 == 0), trees[0].items)]
    for a, b in itertools.combinations(trees, 2):
        assert_counts_pairs(a, b, clock)


@pytest.mark.parametrize("clock", [size_clock, rank_clock("together")], ids=["size", "rank"])
def test_large_parts_are_taken_out_at_once(clock):
    rng = np.random.default_rng(1)
    n, at_once = 500, 0
    trees = [dm.generate.random_tree(n, shape=shape, rng=rng) for shape in ("balanced", "merges", "uniform")]
    names = trees[0].items
    trees += [caterpillar(n, names), replace(random_hierarchy(n, rng, heights=True), items=names)]
    for a, b in itertools.combinations_with_replacement(trees, 2):
        walk = contract(Pair.of_trees(a, b), clock)
        assert (walk._count_meetings() == walk._count_pairs()).all()
        ticks = zip((walk.pair.a, walk.pair.b), walk.frame.ticks, strict=True)
        _, parts = lay_out([side_of(*side) for side in ticks], walk.time.size)
        at_once += kernels._n_at_once(parts.part, walk.pair.count.size) > 0
    assert at_once >= 3


@given(pair=hierarchy_pairs(max_items=9, heights=True))
def test_every_edge_meets_once_and_all_are_one_in_the_end(pair):
    walk = contract(Pair.of_trees(*pair), size_clock)
    n_rows = walk.pair.count.size
    gone = walk.meets.gone.tolist()
    assert len(set(gone)) == len(gone) == n_rows - 1
    assert (np.diff(walk.meets.tick) >= 0).all()
    if n_rows > 1:
        assert walk.meets.kept_count[-1] + walk.meets.gone_count[-1] == walk.pair.n_items


def test_sums_beyond_63_bits_are_exact():
    half = 10**9
    crossed = Overlap.from_triples([2, 2, -1], [2, 2, -1], [(0, 0, half), (1, 1, half)])
    apart = Overlap.from_triples([1, -1], [2, 2, -1], [(0, 0, half), (0, 1, half)])
    n = 2 * half
    assert _agreement(crossed) == 1.0
    # one leaf of n against two leaves of n/2: each of the 2 (n/2)^2 ordered pairs across differs by 1
    assert contract(Pair.of(apart), size_clock).discordance == half * half * n > 2**63
    assert _agreement(apart) == (n**3 - 2 * half * half * n) / n**3


def _agreement(overlap):
    return dm.comparison.compare_overlap(overlap, measures=["hierarchy_agreement"])["hierarchy_agreement"].value


@pytest.mark.compiled
def test_deep_trees_are_ordinary_input():
    tree = caterpillar(100_000)
    assert dm.hierarchy_agreement(tree, tree) == 1.0
    assert dm.overall_distance(tree, tree) == 0.0
    chain = unary_chain(100_000)
    assert dm.hierarchy_agreement(chain, chain) == 1.0


def rows_looked_at(tree):
    """The rows of every part but the largest of each node: what the walk looks at, at most."""
    side = side_of(tree, np.zeros(tree.parent.size, dtype=np.int32))
    _, parts = lay_out((side, side), 1)
    start, stop = parts.part.T
    return int((stop - start)[start < tree.node.size].sum())


@pytest.mark.parametrize("seed", range(20))
def test_no_row_is_looked_at_more_than_log_n_times(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 300))
    shapes = [caterpillar(n), dm.from_labels(range(n)), dm.from_labels([0] * n), random_hierarchy(n, rng)]
    shapes += [dm.from_linkage(random_linkage(n, rng))]
    for tree in shapes:
        pair = Pair.of_trees(tree, dm.from_labels(range(n), tree.items))
        assert rows_looked_at(pair.a) <= n * np.log2(n)
    assert rows_looked_at(Pair.of_trees(shapes[0], shapes[0]).a) == n - 1


def test_more_rows_than_the_walk_can_number_are_refused(monkeypatch):
    monkeypatch.setattr(import_module("dendrometry.tree_pair.pair"), "MOST_ROWS", 2)
    tree = dm.from_labels(range(3))
    with pytest.raises(dm.errors.InvalidInputError, match=r"at most 2 pairs of nodes .*; got 3"):
        dm.hierarchy_agreement(tree, tree)


def test_exact_dot_passes_63_bits():
    x, y = np.array([2**40, 3, 0]), np.array([2**40, 5, 7])
    assert exact_dot(x, y) == 2**80 + 15
    assert exact_dot(x[:0], y[:0]) == 0
    assert exact_dot(np.full(4, 2**62), np.full(4, 3)) == 12 * 2**62
    assert exact_dot(np.array([2**30, 5]), np.array([2**62 - 1, 2**40 + 1])) == 2**30 * (2**62 - 1) + 5 * (2**40 + 1)
    x, y = np.random.default_rng(0).integers(0, [[2**44], [2**63 - 1]], (2, 99))
    assert exact_dot(x, y) == sum(p * q for p, q in zip(x.tolist(), y.tolist(), strict=True))


def test_more_items_than_pairs_can_be_counted_for_are_refused():
    overlap = Overlap.from_triples([-1], [-1], [(0, 0, MOST_ITEMS + 1)])
    with pytest.raises(
        dm.errors.InvalidInputError, match=r"at most 3,037,000,499 items to count pairs; got 3,037,000,500"
    ):
        _agreement(overlap)


def test_inversions_have_no_height_clock():
    tree = dm.from_linkage([[0, 1, 1.0, 2], [2, 3, 0.866, 3]])
    with pytest.raises(
        dm.errors.UndefinedMeasureError,
        match=r"must not decrease towards the root for this measure; got 1 at node 3 below 0\.866",
    ):
        dm.cophenetic_distance(tree, tree)


def test_trees_without_heights_name_the_way_out():
    tree = dm.from_newick("((a,b),c);")
    with pytest.raises(
        dm.errors.UndefinedMeasureError, match="the first tree must have heights for stages; it has none"
    ):
        dm.stages(tree, tree)


def test_ranks_follow_rows_or_heights():
    tied = dm.from_linkage([[0, 1, 1, 2], [2, 3, 1, 2], [4, 5, 2, 4]])
    tree = Pair.of_trees(tied, tied).a
    assert merge_rank(tree).tolist() == [0, 0, 0, 0, 1, 2, 3]
    assert rank_clock("together")(tree)[4:].tolist() == [2, 2, 3]


def test_an_inverted_node_forms_with_its_child():
    tree = dm.from_linkage([[0, 1, 1.0, 2], [2, 3, 0.866, 3]])
    assert rank_clock("together")(Pair.of_trees(tree, tree).a)[3:].tolist() == [2, 2]
    assert merge_rank(Pair.of_trees(tree, tree).a)[3:].tolist() == [1, 2]


@given(pair=hierarchy_pairs(heights=True))
def test_shuffled_pairs_keep_the_trees(pair):
    meeting = Pair.of_trees(*pair)
    shuffled = meeting.shuffle(np.random.default_rng(0))
    assert shuffled.count.sum() == meeting.n_items
    for before, after in ((meeting.a, shuffled.a), (meeting.b, shuffled.b)):
        own = np.zeros_like(before.own)
        np.add.at(own, after.node, shuffled.count)
        assert own.tolist() == before.own.tolist()


@pytest.mark.parametrize("clock", CLOCKS)
@pytest.mark.parametrize("together", [False, True], ids=["items alone", "items together"])
def test_relabellings_share_a_frame(clock, together):
    rng = np.random.default_rng(3)
    trees = [dm.from_linkage(random_linkage(400, rng)) for _ in range(2)]
    if together:
        trees = [random_hierarchy(400, rng, heights=True) for _ in range(2)]
    pair, clock_of = Pair.of_trees(*trees), CLOCKS[clock][0]
    frame = frame_of(pair, clock_of)
    for _ in range(2):  # a walk must leave what they share as it is
        shuffled = pair.shuffle(rng)
        walk, alone = follow(shuffled, frame), contract(shuffled, clock_of)
        assert np.array_equal(walk.t, alone.t)
        assert np.array_equal(walk.item_discordance(), alone.item_discordance())
    assert (frame.laid_out is None) == together
