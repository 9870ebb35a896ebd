"""All measures at once, on very many pairs: long proofs beside those of each measure in its own file."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dendrometry as dm
from tests.measures.trees.judge import assert_defined, assert_is_defined_value, or_none
from tests.measures.trees.shapes import all_hierarchies, all_leaf_only
from tests.oracles.comparison.item_disagreement import item_discordance
from tests.oracles.levels.stages import counts
from tests.oracles.sets.trees import plain
from tests.oracles.tree_pair.contraction import height_moments, size_moments
from tests.strategies import random_hierarchy, random_linkage

WITHOUT_HEIGHTS = [name for name in dm.measures.TREE_MEASURES if not dm.MEASURES[name].needs_heights]


def test_there_are_as_many_shapes_as_combinatorics_says():
    assert [len(all_hierarchies(n)) for n in (1, 2, 3, 4)] == [1, 4, 32, 416]
    assert [len(all_leaf_only(n)) for n in (1, 2, 3, 4, 5)] == [1, 1, 4, 26, 236]


def assert_compared(a, b):
    """Compare what `compare` says without heights with the definitions: quicker than one measure at a time."""
    result = dm.compare(a, b, measures=WITHOUT_HEIGHTS)
    for name in WITHOUT_HEIGHTS:
        assert_is_defined_value(name, result[name].value, a, b)
    x, y = (size_moments(plain(tree, a.items)) for tree in (a, b))
    assert result.item_disagreement.sums.tolist() == item_discordance(x, y, a.n_items)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_all_pairs_of_four_items(part):
    trees = all_hierarchies(4)
    for a in trees[part::8]:
        for b in trees:
            assert_compared(a, b)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_all_pairs_of_leaf_only_trees_of_five_items(part):
    trees = all_leaf_only(5)
    for a in trees[part::4]:
        for b in trees:
            assert_compared(a, b)


def assert_all_defined(a, b):
    """Compare every measure, the parts of items and the counts of stages with their definitions."""
    assert_compared(a, b)
    for name in dm.measures.TREE_MEASURES:
        assert_defined(name, a, b)
    x, y = (height_moments(plain(tree, a.items)) for tree in (a, b))
    parts = [float(part) for part in item_discordance(x, y, a.n_items)]
    assert np.allclose(dm.item_disagreement(a, b, clock="height").sums, parts, atol=1e-9)
    for classes in ("occupied", "all"):
        assert_defined("hierarchical_f", a, b, classes=classes)
    for ties in ("order", "together"):
        assert_defined("overall_distance", a, b, ties=ties)
        assert_defined("overall_similarity", a, b, ties=ties)
        series = or_none(dm.stages, a, b, ties=ties)
        if series is not None:
            found = list(zip(series.p.tolist(), series.q.tolist(), series.t.tolist(), strict=True))
            assert found == counts(plain(a, a.items), plain(b, a.items), ties)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_twenty_thousand_random_pairs(part):
    rng = np.random.default_rng(part)
    for _ in range(1250):
        n = int(rng.integers(2, 11))
        assert_all_defined(*(random_hierarchy(n, rng, heights=True) for _ in range(2)))
        ties = bool(rng.integers(2))
        assert_all_defined(
            *(dm.from_linkage(random_linkage(n, rng, ties=ties), [f"i{i}" for i in rng.permutation(n)]) for _ in "ab")
        )


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
    names = ["cluster", "best_match"]  # of items, which are not listed where they were counted
    assert counted.matches.to_frame().drop(columns=names).equals(listed.matches.to_frame().drop(columns=names))
    if heights:
        for name in ("n_clusters", "p", "q", "t"):
            assert getattr(counted.stages, name).tolist() == getattr(listed.stages, name).tolist()


def _expanded(tree, counts):
    """The same tree with as many items at each node as were counted, in this order."""
    nodes = [int(node) for node, count in counts for _ in range(count)]
    return dm.Hierarchy(tree.parent, tree.height, nodes, list(map(str, range(len(nodes)))))
