"""The parts that the splits of a tree leave."""

from dataclasses import replace

import numpy as np

from dendrometry import from_newick
from dendrometry.significance import Splits, splits
from dendrometry.significance.split_groups import split_groups

POINTS = np.random.default_rng(0).normal(size=(60, 2)) + np.repeat([[0, 0], [9, 0], [0, 9]], 20, axis=0)


def found_of(text, adjusted):
    """Splits of a tree of which some nodes have an adjusted p-value, by their numbers of items."""
    tree = from_newick(text)
    column = np.array([adjusted.get(size, np.nan) for size in tree.sizes.tolist()])
    blank = np.full((1, tree.n_nodes), np.nan)
    tested = ~np.isnan(column)
    parts = (("normal",), blank, blank, np.zeros((1, tree.n_nodes), dtype=np.int64), "ward", "euclidean")
    return Splits(tree, column, column, tested, 0.05, "normal", *parts)


def test_the_parts_of_points_are_found_and_outliers_are_in_none():
    points = np.vstack([POINTS, [[60.0, 60.0], [-50.0, 60.0]]])
    groups = split_groups(splits(points, linkage="average"))
    assert groups.untested.sum() == 2
    assert groups.sentence == "3 parts, of 20, 20 and 20 items; no tested split sets 2 items apart."
    assert [name for name in groups.names if name != "not tested"] == [
        f"part {i}" for i in (1, 2, 3) for _ in range(20)
    ]
    assert groups.names[60:] == ["not tested"] * 2


def test_there_are_as_many_parts_as_splits_of_two_groups_and_one_more():
    for seed in range(5):
        points = (
            np.random.default_rng(seed).normal(size=(80, 2)) * 0.3
            + np.random.default_rng(9).normal(size=(8, 2)).repeat(10, axis=0) * 4
        )
        found = splits(points, linkage="single")
        groups = split_groups(found)
        assert (~groups.untested).sum() == found.rejected.sum() + 1


def test_a_tree_without_groups_is_one_part():
    found = splits(np.random.default_rng(1).normal(size=(40, 2)))
    assert split_groups(found).sentence == "No split is shown to be of two groups: one part of 40 items."
    nothing = found_of("(a,(b,(c,d)));", {})
    assert split_groups(nothing).sentence == "No split is shown to be of two groups: one part of 4 items."
    assert not split_groups(nothing).untested.any()


def test_items_of_inner_nodes_and_parts_of_polytomies_are_not_tested():
    inner = split_groups(found_of("((a,b,c)odd,((d,e),(f,g)));", {4: 0.01}))
    assert inner.cut.clusters == [["a", "b", "c"], ["d", "e"], ["f", "g"]]
    assert inner.untested.tolist() == [True, False, False]
    many = split_groups(found_of("((a,b),(c,d,e),((f,g,h),(i,j,k,l)));", {7: 0.01}))
    assert many.sentence == "2 parts, of 4 and 3 items; no tested split sets 5 items apart."


def test_the_level_decides_and_many_sizes_are_not_listed():
    found = found_of("((a,b),(c,d,e));", {5: 0.03})
    assert split_groups(found).cut.n_clusters == 2
    assert split_groups(replace(found, alpha=0.01)).cut.n_clusters == 1
    pairs = ",".join(f"x{i},y{i}" for i in range(10))
    star = split_groups(found_of(f"({pairs});", {20: 0.01}))
    assert star.sentence == f"20 parts, of {', '.join(['1'] * 12)} and 8 more items."
