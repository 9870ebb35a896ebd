"""Every measure equals its definition: on all small pairs, and on random ones of every kind."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dendrometry as dm
from tests.strategies import hierarchy_pairs, random_hierarchy, random_linkage
from tests.walk.judge import assert_at_once, assert_with_heights, assert_without_heights
from tests.walk.shapes import all_hierarchies, all_leaf_only


def test_there_are_as_many_shapes_as_combinatorics_says():
    assert [len(all_hierarchies(n)) for n in (1, 2, 3, 4)] == [1, 4, 32, 416]
    assert [len(all_leaf_only(n)) for n in (1, 2, 3, 4, 5)] == [1, 1, 4, 26, 236]


@pytest.mark.parametrize("n", [1, 2, 3])
def test_all_pairs_of_up_to_three_items(n):
    trees = all_hierarchies(n)
    for a in trees:
        for b in trees:
            assert_without_heights(a, b)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_all_pairs_of_four_items(part):
    trees = all_hierarchies(4)
    for a in trees[part::8]:
        for b in trees:
            assert_at_once(a, b)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_all_pairs_of_leaf_only_trees_of_five_items(part):
    trees = all_leaf_only(5)
    for a in trees[part::4]:
        for b in trees:
            assert_at_once(a, b)


@given(hierarchy_pairs(max_items=9, heights=True))
def test_random_pairs_of_every_kind(pair):
    assert_without_heights(*pair)
    assert_with_heights(*pair)


@given(st.integers(2, 9), st.integers(0, 2**32))
def test_random_pairs_with_inversions_and_negative_heights(n, seed):
    rng = np.random.default_rng(seed)
    a, b = (random_hierarchy(n, rng, heights=True, wild=True) for _ in range(2))
    assert_without_heights(a, b)
    assert_with_heights(a, b)


@given(st.booleans(), st.integers(0, 2**32))
def test_counted_items_are_compared_like_listed_ones(heights, seed):
    rng = np.random.default_rng(seed)
    a, b = (random_hierarchy(6, rng, heights=heights) for _ in range(2))
    rows = [
        (*row, int(rng.integers(1, 4))) for row in zip(*(t.item_node[np.argsort(t.items)] for t in (a, b)), strict=True)
    ]
    listed = dm.compare(*(_expanded(tree, [(row[i], row[2]) for row in rows]) for i, tree in enumerate((a, b))))
    counted = dm.comparison.compare_overlap(
        dm.Overlap.from_triples(a.parent, b.parent, rows, height_a=a.height, height_b=b.height)
    )
    assert counted.lines == listed.lines
    assert counted.matches.to_frame().equals(listed.matches.to_frame())
    if heights:
        for name in ("k", "p", "q", "t"):
            assert getattr(counted.stages, name).tolist() == getattr(listed.stages, name).tolist()


def _expanded(tree, counts):
    """The same tree with as many items at each node as were counted, in this order."""
    nodes = [int(node) for node, count in counts for _ in range(count)]
    return dm.Hierarchy(tree.parent, tree.height, nodes, list(map(str, range(len(nodes)))))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_twenty_thousand_random_pairs(part):
    rng = np.random.default_rng(part)
    for _ in range(1250):
        n = int(rng.integers(2, 11))
        a, b = (random_hierarchy(n, rng, heights=True) for _ in range(2))
        assert_without_heights(a, b)
        assert_with_heights(a, b)
        ties = bool(rng.integers(2))
        a, b = (dm.from_linkage(random_linkage(n, rng, ties=ties), [f"i{i}" for i in rng.permutation(n)]) for _ in "ab")
        assert_without_heights(a, b)
        assert_with_heights(a, b)


@pytest.mark.compiled
def test_larger_random_pairs_agree_with_the_matrix_formula():
    rng = np.random.default_rng(5)
    for n in (50, 300):
        a, b = (dm.from_linkage(random_linkage(n, rng)) for _ in range(2))
        x, y = (_cophenetic(tree, tree.sizes) for tree in (a, b))
        assert dm.hierarchy_agreement(a, b) == pytest.approx(1 - np.abs(x - y).sum() / n**3, abs=1e-13)
        x, y = (_cophenetic(tree, tree.height) for tree in (a, b))
        upper = np.triu_indices(n, 1)
        assert dm.cophenetic_correlation(a, b) == pytest.approx(np.corrcoef(x[upper], y[upper])[0, 1], abs=1e-12)
        assert dm.cophenetic_distance(a, b) == pytest.approx(np.abs(x - y)[upper].mean(), rel=1e-12)
        assert np.allclose(dm.item_disagreement(a, b, clock="height").sums, np.abs(x - y).sum(axis=1), rtol=1e-9)


def _cophenetic(tree, value):
    """The value of the lowest common node of every pair, by merging blocks of a matrix."""
    matrix = np.zeros((tree.n_items, tree.n_items))
    held = [[i] for i in range(tree.n_items)]
    children = tree.children
    for v in range(tree.n_items, tree.n_nodes):
        left, right = (held[c] for c in children.node[children.start[v] : children.start[v + 1]])
        matrix[np.ix_(left, right)] = value[v]
        matrix[np.ix_(right, left)] = value[v]
        held.append(left + right)
    return matrix
