"""The overall distance Z of Morlini and Zani equals its sum over all partitions, and scikit-learn's pair counts."""

from collections import Counter
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import cut_tree
from sklearn.metrics.cluster import pair_confusion_matrix

import dendrometry as dm
from tests.measures.trees.judge import assert_defined, edge_pairs
from tests.measures.trees.shapes import all_leaf_only, by_size
from tests.strategies import hierarchy_pairs, random_hierarchy, random_linkage

NAME = "overall_distance"
TIES = pytest.mark.parametrize("ties", ["order", "together"])


@TIES
@pytest.mark.parametrize("n", [1, 2, 3, pytest.param(4, marks=pytest.mark.further)])
def test_equals_its_definition_on_all_pairs_of_leaf_only_trees_of_up_to_four_items(ties, n):
    trees = list(map(by_size, all_leaf_only(n)))
    for a in trees:
        for b in trees:
            assert_defined(NAME, a, b, ties=ties)


@TIES
@given(pair=hierarchy_pairs(max_items=9, heights=True))
def test_equals_its_definition_on_random_pairs(ties, pair):
    assert_defined(NAME, *pair, ties=ties)


@TIES
@given(n=st.integers(2, 9), seed=st.integers(0, 2**32))
def test_equals_its_definition_under_inversions_and_negative_heights(ties, n, seed):
    rng = np.random.default_rng(seed)
    assert_defined(NAME, *(random_hierarchy(n, rng, heights=True, wild=True) for _ in range(2)), ties=ties)


@TIES
def test_equals_its_definition_on_the_edge_trees(ties):
    for a, b in edge_pairs(heights=True):
        assert_defined(NAME, a, b, ties=ties)


@pytest.mark.parametrize("n", [3, 12, 40])
def test_equals_the_pair_counts_of_scikit_learn_over_the_cuts_of_scipy(n):
    rng = np.random.default_rng(n)
    rows = [random_linkage(n, rng) for _ in range(2)]
    cuts = [cut_tree(z, n_clusters=np.arange(2, n)) for z in rows]
    both, only_a, only_b = 0, 0, 0
    for i in range(n - 2):
        counts = pair_confusion_matrix(cuts[0][:, i], cuts[1][:, i])
        both, only_a, only_b = both + counts[1, 1], only_a + counts[1, 0], only_b + counts[0, 1]
    total = 2 * both + only_a + only_b
    value = dm.overall_distance(*map(dm.from_linkage, rows))
    assert value == pytest.approx((only_a + only_b) / total, abs=1e-15)


def test_the_counterexample_to_the_triangle_inequality():
    a = dm.from_linkage([[1, 2, 1, 2], [0, 4, 2, 3], [3, 5, 3, 4]])
    b = dm.from_linkage([[0, 1, 1, 2], [2, 3, 2, 2], [4, 5, 3, 4]])
    assert dm.overall_distance(a, b) == 5 / 7


def dendrograms(n):
    """All binary dendrograms of n items with n - 1 different heights, as linkage matrices."""

    def grow(clusters, rows):
        if len(clusters) == 1:
            yield rows
        for (i, size_i), (j, size_j) in combinations(sorted(clusters.items()), 2):
            rest = {v: size for v, size in clusters.items() if v not in (i, j)}
            merge = [i, j, len(rows) + 1, size_i + size_j]
            yield from grow({**rest, n + len(rows): size_i + size_j}, [*rows, merge])

    return grow(dict.fromkeys(range(n), 1), [])


@pytest.mark.further
@pytest.mark.parametrize(("n", "count", "greatest"), [(3, 3, 1), (4, 18, 1), (5, 180, 13 / 15)])
def test_the_greatest_value_of_binary_dendrograms_is_below_one_from_five_items_on(n, count, greatest):
    every = list(dendrograms(n))
    # the second tree takes all names, so that of the first only the shape matters
    shapes = {tuple(tuple(v if v >= n else -1 for v in row[:2]) for row in rows): rows for rows in every}
    second = list(map(dm.from_linkage, every))
    assert len(second) == count
    assert max(dm.overall_distance(a, b) for a in map(dm.from_linkage, shapes.values()) for b in second) == greatest


@pytest.mark.parametrize("n", [4, 5, 6, 7, 8])
def test_two_partitions_into_two_groups_have_a_pair_together_in_both_from_five_items_on(n):
    halves = [tuple(code >> i & 1 for i in range(n)) for code in range(1, 2 ** (n - 1))]
    largest = [max(Counter(zip(x, y, strict=True)).values()) for x, y in combinations(halves, 2)]
    assert all(size > 1 for size in largest) == (n > 4)


def test_trees_without_two_groups_reach_one_with_any_number_of_items():
    a, b = (dm.from_newick(text) for text in ("((a:1,b:1):1,c:2,d:2,e:2);", "(a:2,b:2,(c:1,d:1):1,e:2);"))
    assert dm.overall_distance(a, b) == 1.0


def test_one_needs_no_pair_together_in_both_and_leaves_pairs_apart_in_both():
    """The paper demands that every pair is together in one of the two: in n - 1 groups only one pair is, in each."""
    for pair in product(map(dm.from_linkage, dendrograms(4)), repeat=2):
        series = dm.stages(*pair, ties="order")
        assert (series.distance == 1.0) == (not series.t.any())
        assert (series.p[-1], series.q[-1], series.n_pairs) == (1, 1, 6)


def test_two_items_unknown_ties_and_missing_heights_are_refused():
    two, bare = dm.from_linkage([[0, 1, 1, 2]]), dm.from_newick("((a,b),c);")
    with pytest.raises(
        dm.errors.UndefinedMeasureError, match="at least 3 items, since stages have 2 to n - 1 groups; got 2"
    ):
        dm.overall_distance(two, two)
    with pytest.raises(dm.errors.InvalidInputError, match="ties must be 'together' or 'order'; got 'last'"):
        dm.overall_distance(two, two, ties="last")
    with pytest.raises(
        dm.errors.UndefinedMeasureError, match="the first tree must have heights for stages; it has none"
    ):
        dm.overall_distance(bare, bare)


def test_trees_without_a_pair_together_before_the_root_are_refused():
    star = dm.from_labels(["a", "b", "c"])
    star = dm.Hierarchy(star.parent, [0, 0, 0, 1], star.item_node, star.items)
    with pytest.raises(dm.errors.UndefinedMeasureError, match="some pair of items must be together at some stage"):
        dm.overall_distance(star, star)


def test_it_is_0_for_the_same_dendrogram_alone_among_all_of_four_items():
    """As section 2 of Morlini and Zani says, of dendrograms with merges at different heights: there are 18."""

    def dendrograms(clusters, merges):
        if len(clusters) == 1:
            yield merges
        for i, j in combinations(range(len(clusters)), 2):
            left = [c for at, c in enumerate(clusters) if at not in (i, j)]
            yield from dendrograms([*left, clusters[i] | clusters[j]], [*merges, (clusters[i], clusters[j])])

    def tree(merges):
        node = {frozenset([i]): i for i in range(4)}
        rows = []
        for height, (x, y) in enumerate(merges, 1):
            rows.append([node[x], node[y], height, len(x | y)])
            node[x | y] = 3 + height
        return dm.io.from_linkage(np.array(rows, dtype=float))

    trees = [tree(merges) for merges in dendrograms([frozenset([i]) for i in range(4)], [])]
    assert len(trees) == 18
    for i, a in enumerate(trees):
        for j, b in enumerate(trees):
            assert (dm.overall_distance(a, b) == 0.0) == (i == j)
