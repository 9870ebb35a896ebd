"""Cuts equal their definitions, one at a time and many at once."""

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.cut import cut as oracle
from tests.oracles.levels.stages import available_partitions
from tests.oracles.sets.trees import plain
from tests.strategies import wild_hierarchies

from dendrometry import (
    Hierarchy,
    agglomerate,
    agglomerate_distances,
    cut_count,
    cut_height,
    from_linkage,
    from_newick,
    to_linkage,
    to_newick,
)
from dendrometry.cut import coarsen, cut_at_most, cut_counts, cut_gap, cut_heights, cut_penalty, residual_squares
from dendrometry.errors import InvalidInputError, InvalidTreeError, UndefinedMeasureError

LINKAGES = ("single", "complete", "average", "weighted", "ward", "centroid", "median")


def as_sets(cut):
    return {frozenset(np.flatnonzero(cut.labels == g).tolist()) for g in range(cut.n_clusters)}


def tree_of(n, seed, linkage):
    X = np.random.default_rng(seed).integers(0, 4, size=(n, 2))
    tree = agglomerate(X, linkage=linkage).hierarchy
    rows = to_linkage(tree)
    return X, tree, [(int(a), int(b), float(h)) for a, b, h, _ in rows]


trees = st.tuples(st.integers(1, 14), st.integers(0, 10**6), st.sampled_from(LINKAGES))


def shuffled(tree, seed):
    """Return an equal tree with its nodes numbered otherwise: children before parents, but in no order of height."""
    rng = np.random.default_rng(seed)
    rank = np.zeros(tree.n_nodes)
    for v in range(tree.n_nodes - 1):
        rank[tree.parent[v]] = max(rank[tree.parent[v]], rank[v] + rng.integers(1, 9))
    order = np.lexsort((rng.random(tree.n_nodes), rank))
    number = np.empty(tree.n_nodes, dtype=int)
    number[order] = np.arange(tree.n_nodes)
    parent = np.where(tree.parent[order] < 0, -1, number[tree.parent[order]])
    return Hierarchy(parent, tree.height[order], number[tree.item_node], tree.items)


@given(st.integers(2, 14), st.integers(0, 10**6), st.sampled_from(LINKAGES))
def test_equal_trees_without_ties_are_cut_alike_whatever_their_numbering(n, seed, linkage):
    X = np.random.default_rng(seed).normal(size=(n, 3))
    tree = agglomerate(X, linkage=linkage).hierarchy
    if not tree.is_monotone:  # an inverted cluster and the one inside it count at one height, a tie
        tree = Hierarchy(tree.parent, np.sort(tree.height), tree.item_node, tree.items)
    other = shuffled(tree, seed)
    assert other == tree
    error = [residual_squares(t, X) for t in (tree, other)]
    for k in range(1, n + 1):
        assert as_sets(cut_count(tree, k)) == as_sets(cut_count(other, k)) == as_sets(cut_at_most(other, k))
    for penalty in (0.1, 1.0, 5.0):
        cuts = [cut_penalty(t, e, penalty=penalty) for t, e in zip((tree, other), error, strict=True)]
        assert as_sets(cuts[0]) == as_sets(cuts[1])


def test_a_linkage_whose_rows_are_not_sorted_is_cut_by_height():
    tree = from_linkage([[0, 1, 5, 2], [2, 3, 1, 2], [4, 5, 9, 4]], item_names=list("abcd"))
    again = from_newick(to_newick(tree))
    assert tree == again
    for t in (tree, again):
        found = {frozenset(cluster) for cluster in cut_count(t, 3).clusters}
        assert found == {frozenset("a"), frozenset("b"), frozenset("cd")}
        assert found == {frozenset(cluster) for cluster in cut_at_most(t, 3).clusters}


@given(trees)
def test_k_clusters_are_the_merges_before_the_highest_k_minus_one(args):
    n = args[0]
    _, tree, merges = tree_of(*args)
    many = cut_counts(tree, range(1, n + 1))
    for k in range(1, n + 1):
        one = cut_count(tree, k)
        assert one.n_clusters == k
        assert as_sets(one) == oracle.clusters_after(merges, n, n - k)
        assert np.array_equal(one.labels, many[k - 1].labels)


@given(trees)
def test_clusters_at_a_height_hold_merges_at_most_that_high(args):
    n = args[0]
    _, tree, merges = tree_of(*args)
    heights = sorted({h for _, _, h in merges} | {0.0, 1.5})
    for height, cut in zip(heights, cut_heights(tree, heights), strict=True):
        assert as_sets(cut) == oracle.clusters_at(merges, n, height)


@given(trees)
def test_at_most_k_is_the_finest_cut_at_a_height_with_no_more(args):
    n = args[0]
    _, tree, merges = tree_of(*args)
    by_height = [oracle.clusters_at(merges, n, h) for h in {-1.0} | {h for _, _, h in merges}]
    for k in range(1, n + 1):
        expected = max((c for c in by_height if len(c) <= k), key=len)
        assert as_sets(cut_at_most(tree, k)) == expected


@given(trees, st.sampled_from([0.0, 0.3, 1.0, 7.0, 1e9]))
def test_the_penalty_cut_is_the_argmin_of_error_and_number(args, penalty):
    n = args[0]
    X, tree, merges = tree_of(*args)
    cut = cut_penalty(tree, residual_squares(tree, X), penalty=penalty)
    points = X.tolist()
    cost = [
        oracle.squared_error(oracle.clusters_after(merges, n, n - k), points) + penalty * k for k in range(1, n + 1)
    ]
    assert cost[cut.n_clusters - 1] == pytest.approx(min(cost), rel=1e-9, abs=1e-9)
    assert as_sets(cut) == oracle.clusters_after(merges, n, n - cut.n_clusters)


def test_residual_squares_equal_the_definition():
    X, tree, merges = tree_of(12, 3, "average")
    expected = [oracle.squared_error([c], X.tolist()) for c in oracle.members(merges, 12)]
    np.testing.assert_allclose(residual_squares(tree, X), expected, rtol=1e-12, atol=1e-12)


def test_k_clusters_are_k_clusters_under_inversions():
    X = [[0, 3], [1, 2], [2, 2], [0, 1]]
    built = agglomerate(X, linkage="centroid")
    for k in (1, 2, 3, 4):
        assert cut_count(built.hierarchy, k).n_clusters == k


def test_four_equidistant_points_have_three_clusters_but_not_by_height():
    for linkage in ("single", "complete", "average"):
        tree = agglomerate_distances([1] * 6, linkage=linkage).hierarchy
        assert cut_count(tree, 3).n_clusters == 3
        assert cut_at_most(tree, 3).n_clusters == 1


def test_a_threshold_is_at_most():
    tree = from_linkage([[0, 1, 1.0, 2], [2, 3, 2.0, 3]])
    assert cut_height(tree, 1.0).labels.tolist() == [0, 0, 1]
    assert cut_height(tree, np.nextafter(1.0, 0)).labels.tolist() == [0, 1, 2]
    assert cut_height(tree, np.inf).n_clusters == 1
    assert cut_height(tree, -np.inf).n_clusters == 3


@given(trees)
def test_the_gap_cut_equals_its_definition(args):
    n = args[0]
    _, tree, merges = tree_of(*args)
    expected = oracle.clusters_at_gap(merges, n)
    if expected is None:
        with pytest.raises(UndefinedMeasureError, match="largest gap is undefined"):
            cut_gap(tree)
    else:
        assert as_sets(cut_gap(tree)) == expected


def test_the_gap_cut_is_below_the_steepest_step():
    tree = from_linkage([[0, 1, 1, 2], [2, 3, 2, 2], [4, 5, 3, 2], [6, 7, 9, 4], [8, 9, 10, 6]])
    assert cut_gap(tree).clusters == [["0", "1"], ["2", "3"], ["4", "5"]]


def test_of_equal_gaps_the_highest_is_cut():
    tree = from_linkage([[0, 1, 1, 2], [2, 4, 2, 3], [3, 5, 3, 4]])
    assert cut_gap(tree).n_clusters == 2


@pytest.mark.parametrize("rows", [[[0, 1, 1, 2]], [[0, 1, 1, 2], [2, 3, 1, 3]]])
def test_no_gap_is_undefined(rows):
    with pytest.raises(UndefinedMeasureError, match="largest gap is undefined"):
        cut_gap(from_linkage(rows))


def test_items_at_undone_inner_nodes_are_single():
    tree = Hierarchy([2, 2, -1], [0, 0, 1], [0, 0, 1, 2, 2], list("abcde"))
    assert cut_count(tree, 1).n_clusters == 1
    assert cut_count(tree, 4).clusters == [["a", "b"], ["c"], ["d"], ["e"]]
    assert cut_height(tree, 0.5).nodes.tolist() == [0, 1, 2, 2]
    with pytest.raises(InvalidTreeError, match="all items must be in leaves"):
        cut_penalty(tree, [0, 0, 1], penalty=1)


def test_nodes_with_one_child_and_no_items_count_nowhere():
    """As in the tree without them, whatever their height: no merge, no gap, no inversion."""
    tree = Hierarchy([3, 3, 5, 4, 5, -1], [0, 0, 0, 1, 9, 3], [0, 1, 2], list("abc"))
    plain_tree = tree.without_unary()
    assert plain_tree.n_nodes == 5
    for height in (0.5, 1.0, 2.0, 3.0, 8.0):
        assert as_sets(cut_height(tree, height)) == as_sets(cut_height(plain_tree, height))
    assert as_sets(cut_gap(tree)) == as_sets(cut_gap(plain_tree)) == {frozenset({0, 1}), frozenset({2})}
    for k in (1, 2, 3):
        assert as_sets(cut_count(tree, k)) == as_sets(cut_at_most(tree, k)) == as_sets(cut_count(plain_tree, k))


@given(wild_hierarchies())
def test_cuts_are_the_partitions_of_stages(tree):
    """Of trees whose leaves hold one item each; a cut does not undo a leaf."""
    if tree.height is None or (tree.own_sizes[tree.n_children == 0] > 1).any():
        return
    expected = {frozenset(groups) for groups in available_partitions(plain(tree, tree.items), "together")}
    heights = [-np.inf, *tree.height.tolist()]
    assert {frozenset(as_sets(cut_height(tree, height))) for height in heights} == expected
    by_size = {len(groups): groups for groups in expected}
    for k in range(1, tree.n_items + 1):
        assert as_sets(cut_at_most(tree, k)) == by_size[max(n for n in by_size if n <= k)]
        if k in by_size:
            assert as_sets(cut_count(tree, k)) == by_size[k]


@given(st.tuples(st.integers(1, 7), st.integers(0, 10**6), st.sampled_from(LINKAGES)))
def test_a_cut_through_a_tie_says_how_many_others_are_as_good(args):
    n = args[0]
    _, tree, merges = tree_of(*args)
    for k in range(1, n + 1):
        cut = cut_count(tree, k)
        good = oracle.equally_good(merges, n, k)
        assert frozenset(as_sets(cut)) in good
        assert cut.n_alternatives == len(good) - 1
        assert ("equally good" in repr(cut)) == (len(good) > 1)
        assert cut_at_most(tree, k).n_alternatives == 0


def test_alternatives_of_nodes_of_many_parts_are_counted():
    """Three nodes of one height have 2, 2 and 3 children, each a polynomial of ways to join them."""
    parent = [7, 7, 8, 8, 9, 9, 9, 10, 10, 10, -1]
    tree = Hierarchy(parent, [0] * 7 + [1, 1, 1, 2], list(range(7)), list("abcdefg"))
    # (x + x^2)^2 (x + 3 x^2 + x^3) = x^3 + 5 x^4 + 8 x^5 + 5 x^6 + x^7
    assert [cut_count(tree, k).n_alternatives for k in (1, 3, 5, 6, 7)] == [0, 0, 7, 4, 0]


def test_equidistant_points_may_be_joined_in_any_way():
    for linkage in ("single", "complete", "average"):
        tree = agglomerate_distances([1] * 6, linkage=linkage).hierarchy
        assert [cut_count(tree, k).n_alternatives for k in (1, 2, 3, 4)] == [0, 6, 5, 0]


def test_alternatives_of_very_many_tied_merges_are_a_lower_bound():
    n = 4096
    parent = np.concatenate([n + np.arange(n) // 2, np.full(n // 2, n + n // 2), [-1]])
    tree = Hierarchy(parent, [0] * n + [1] * (n // 2) + [2], range(n), [str(i) for i in range(n)])
    cut = cut_count(tree, n // 2 + 1000)
    assert comb(200, 100) - 1 == cut.n_alternatives < comb(2048, 1000)
    assert repr(cut) == "Cut(4,096 items in 3,048 clusters, one of about 10^58 equally good)"
    wide = Hierarchy(
        [2000] * 1000 + [2001] * 1000 + [2002, 2002, -1], [0] * 2000 + [1, 1, 2], range(2000), tree.items[:2000]
    )
    assert cut_count(wide, 1001).n_alternatives > 10**9


def test_other_gaps_and_other_costs_that_are_as_good_are_told():
    tree = from_linkage([[0, 1, 1, 2], [2, 4, 2, 3], [3, 5, 3, 4]])
    assert cut_gap(tree).n_alternatives == 1
    assert cut_height(tree, 1.5).n_alternatives == 0
    pairs = from_linkage([[0, 1, 1, 2], [2, 3, 2, 3]])
    assert cut_penalty(pairs, [0, 0, 0, 1, 2], penalty=1.0).n_alternatives == 2
    assert cut_penalty(pairs, [0, 0, 0, 1, 3], penalty=1.5).n_alternatives == 0


def test_a_node_of_many_children_has_no_cut_between():
    tree = Hierarchy([4, 4, 4, 4, -1], [0, 0, 0, 0, 1], [0, 1, 2, 3], list("abcd"))
    with pytest.raises(InvalidInputError, match="got 2, the nearest possible are 1 and 4"):
        cut_count(tree, 2)


@pytest.mark.parametrize("k", [0, -1, 2.5, 4, np.nan, "2", None, True])
def test_numbers_of_clusters_that_make_no_sense_are_refused(k):
    tree = from_linkage([[0, 1, 1, 2], [2, 3, 2, 3]])
    for cut in (cut_count, cut_at_most):
        with pytest.raises(InvalidInputError, match="whole number from 1 to 3; got"):
            cut(tree, k)


@pytest.mark.parametrize("height", [np.nan, None, "high", "2", True, 1j])
def test_heights_that_are_no_numbers_are_refused(height):
    with pytest.raises(InvalidInputError, match="height of a cut must be a number; got"):
        cut_height(from_linkage([[0, 1, 1, 2]]), height)


def test_heights_beyond_floats_are_refused():
    with pytest.raises(InvalidInputError, match="within the range of floats"):
        cut_height(from_linkage([[0, 1, 1, 2]]), 10**400)


def test_one_number_is_no_sequence_of_cuts():
    tree = from_linkage([[0, 1, 1, 2], [2, 3, 2, 3]])
    with pytest.raises(InvalidInputError, match="n_clusters must be a sequence of numbers; got 3"):
        cut_counts(tree, 3)
    with pytest.raises(InvalidInputError, match=r"heights must be a sequence of numbers; got 1\.5"):
        cut_heights(tree, 1.5)


def test_a_result_or_a_linkage_is_a_tree_and_other_arrays_are_not():
    built = agglomerate([[0.0], [1.0], [5.0]])
    for cut in (lambda t: cut_count(t, 2), lambda t: cut_height(t, 1.0), cut_gap, lambda t: cut_at_most(t, 2),
                lambda t: residual_squares(t, [[0], [1], [5]])):  # fmt: skip
        assert str(cut(built)) == str(cut(built.hierarchy)) == str(cut(to_linkage(built.hierarchy)))
        with pytest.raises(InvalidInputError, match="the tree: it must be readable in one way; got an array of shape"):
            cut([[0, 1, 1]])


def test_squared_errors_keep_to_the_range_of_floats():
    tree = agglomerate([[0.0], [1.0], [5.0]]).hierarchy
    with pytest.raises(InvalidInputError, match=r"got an overflow \(scale the points down\)"):
        residual_squares(tree, np.array([[0.0], [1.0], [5.0]]) * 1e200)
    plain, scaled = (residual_squares(tree, np.ldexp([[0.0], [1.0], [5.0]], e)) for e in (0, 400))
    assert np.array_equal(np.ldexp(plain, 800), scaled)


def test_a_tree_without_heights_has_no_order_of_merging():
    tree = from_newick("((a,b),c);")
    for cut in (lambda t: cut_count(t, 2), lambda t: cut_height(t, 1.0), cut_gap, lambda t: cut_at_most(t, 2)):
        with pytest.raises(InvalidTreeError, match="must have heights for"):
            cut(tree)


def test_penalties_and_distortions_are_checked():
    tree = from_linkage([[0, 1, 1, 2]])
    with pytest.raises(InvalidInputError, match="penalty must be a finite number, at least 0; got -1"):
        cut_penalty(tree, [0, 0, 1], penalty=-1)
    with pytest.raises(InvalidInputError, match="one value for each of 3 nodes; got 2"):
        cut_penalty(tree, [0, 0], penalty=1)
    with pytest.raises(InvalidInputError, match="one point for each of 2 items; got 3"):
        residual_squares(tree, [[0], [1], [2]])
    with pytest.raises(InvalidInputError, match="got nan in row 1, column 0"):
        residual_squares(tree, [[0], [np.nan]])


def test_one_item_is_one_cluster():
    tree = agglomerate([[1.0]]).hierarchy
    assert cut_count(tree, 1).clusters == [["0"]]
    assert cut_height(tree, -1.0).n_clusters == 1


@pytest.mark.further
@pytest.mark.compiled
def test_a_chain_of_a_million_nodes_is_cut():
    n = 1_000_000
    parent = np.concatenate([[n], np.arange(n, 2 * n - 1), np.arange(n + 1, 2 * n - 1), [-1]])
    tree = Hierarchy(parent, np.concatenate([np.zeros(n), np.arange(1, n)]), np.arange(n), tuple(map(str, range(n))))
    cut = cut_count(tree, 3)
    assert (cut.n_clusters, np.bincount(cut.labels).tolist()) == (3, [n - 2, 1, 1])
    assert repr(cut) == "Cut(1,000,000 items in 3 clusters)"


def nodes_of(tree):
    """The height of every node, by the items at or below it."""
    order = tree.order
    spans = zip(order.item_low.tolist(), order.item_high.tolist(), tree.height.tolist(), strict=True)
    return {frozenset(order.item[low:high].tolist()): height for low, high, height in spans}


@given(trees, st.integers(0, 10**6))
def test_the_top_of_a_tree_is_the_clusters_of_a_cut_and_what_is_above_them(some, draw):
    _, tree, merges = tree_of(*some)
    n = tree.n_items
    k = draw % n + 1
    top = coarsen(tree, k)
    clusters = oracle.clusters_after(merges, n, n - k)
    above = {s for s in oracle.members(merges, n) if any(c <= s for c in clusters)}
    assert nodes_of(top) == {s: height for s, height in nodes_of(tree).items() if s in above}
    assert top.n_nodes == 2 * k - 1
    assert {frozenset(np.flatnonzero(top.item_node == v).tolist()) for v in top.leaves.tolist()} == clusters
    assert top.items == tree.items


def test_the_top_keeps_names_of_nodes_and_items_at_inner_nodes():
    tree = Hierarchy([2, 2, 4, 4, -1], [0, 0, 1, 0, 2], [0, 1, 2, 3, 4], list("abcde"), ["", "", "low", "", "high"])
    top = coarsen(tree, 3)
    assert top.node_names == ("low", "", "high")
    assert [top.own_items(v) for v in range(3)] == [["a", "b", "c"], ["d"], ["e"]]
    with pytest.raises(InvalidInputError, match="from 1 to 5; got 6"):
        coarsen(tree, 6)
    with pytest.raises(InvalidInputError, match="the nearest possible are 1 and 3"):
        coarsen(tree, 2)
