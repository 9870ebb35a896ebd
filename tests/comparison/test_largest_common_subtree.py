"""The largest common subtree is common, and no set of items is larger."""

import pytest
from hypothesis import given

import dendrometry as dm
from dendrometry.comparison import largest_common_subtree
from dendrometry.generate import random_tree
from tests.measures.trees.judge import edge_pairs
from tests.measures.trees.shapes import all_hierarchies
from tests.oracles.comparison.largest_common_subtree import agree, most_items
from tests.oracles.sets.trees import plain
from tests.strategies import hierarchy_pairs


def assert_is_largest(a, b):
    found = largest_common_subtree(a, b)
    assert sorted(found.kept + found.left_out) == sorted(a.items)
    one, other = plain(a, a.items), plain(b, a.items)
    assert agree(one, other, frozenset(a.items.index(name) for name in found.kept))
    assert len(found.kept) == most_items(one, other)


@pytest.mark.parametrize("n", [1, 2, pytest.param(3, marks=pytest.mark.further)])
def test_is_largest_for_all_pairs_of_up_to_three_items(n):
    trees = all_hierarchies(n)
    for a in trees:
        for b in trees:
            assert_is_largest(a, b)


@given(pair=hierarchy_pairs(max_items=9))
def test_is_largest_for_random_pairs(pair):
    assert_is_largest(*pair)


def test_is_largest_for_the_small_edge_trees():
    for a, b in edge_pairs():
        if a.n_items <= 9:
            assert_is_largest(a, b)


def test_children_of_many_are_matched():
    a = dm.from_newick("((0,1,2),(3,4,5),(6,7,8));")
    b = dm.from_newick("((0,1,6),(3,4,2),(5,7,8));")
    assert_is_largest(a, b)


def test_a_moved_item_is_left_out():
    a, b = dm.from_newick("((((0,1),2),3),(4,5));"), dm.from_newick("((((0,1),2),3),4,5);")
    moved = dm.from_newick("(((0,1),2),((4,3),5));")
    assert largest_common_subtree(a, moved).left_out == ("3",)
    assert len(largest_common_subtree(a, b).left_out) == 1


def test_equal_trees_keep_everything():
    tree = random_tree(60, shape="caterpillar", rng=0)
    found = largest_common_subtree(tree, tree)
    assert (found.share, found.left_out, repr(found)) == (1.0, (), "CommonSubtree(60 of 60 items)")


def test_frame_has_the_items_to_leave_out_first():
    a, b = dm.from_newick("((((0,1),2),3),(4,5));"), dm.from_newick("(((0,1),2),((4,3),5));")
    frame = largest_common_subtree(a, b).to_frame()
    assert frame.index[0] == "3"
    assert frame["kept"].tolist() == [False] + [True] * 5


def test_refuses_large_trees_with_the_number_of_steps():
    a, b = random_tree(6_000, rng=0), random_tree(6_000, rng=1)
    with pytest.raises(dm.errors.InvalidInputError, match=r"at most 100,000,000 steps; .* about 143,976,001"):
        largest_common_subtree(a, b)
    with pytest.raises(dm.errors.ItemMismatchError, match="must hold the same items"):
        largest_common_subtree(a, random_tree(5, rng=0))


def test_its_source_can_be_cited():
    tree = dm.from_newick("((a,b),c);")
    assert largest_common_subtree(tree, tree).bibtex.startswith("@article{warnow1993,\n  author = {Steel, Mike")
