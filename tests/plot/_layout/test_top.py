import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dendrometry.errors import InvalidInputError
from dendrometry.plot._layout.branches import branches
from dendrometry.plot._layout.top import top_of
from tests.strategies import hierarchies
from tests.zoo import ZOO


@given(hierarchies(max_items=12), st.integers(1, 14))
def test_the_top_has_as_many_slots_as_asked_for_or_only_the_root_is_open(tree, most):
    top = top_of(tree, most)
    n_slots = branches(top.tree).slot_node.size
    opened = np.flatnonzero(tree.n_children[top.node] * ~top.closed)
    assert n_slots <= most or opened.size <= 1
    assert top.tree.items == tree.items
    assert top.tree.sizes.tolist() == tree.sizes[top.node].tolist()
    assert (top.tree.n_children[top.closed] == 0).all()
    if not top.closed.any():
        assert top.tree == tree


def test_the_last_merges_are_opened_first():
    top = top_of(ZOO["caterpillar"], 3)
    assert top.node.tolist() == [4, 5, 8, 9, 10]
    assert top.closed.tolist() == [False, False, True, False, False]
    assert top.tree.height.tolist() == [0, 0, 3, 4, 5]
    assert top.tree.item_node.tolist() == [2, 2, 2, 2, 0, 1]


def test_without_heights_nodes_near_the_root_are_opened_first():
    top = top_of(ZOO["items at inner nodes"], 3)
    assert top.node.tolist() == [2, 3, 4]
    assert top.closed.tolist() == [True, False, False]


def test_none_is_the_whole_tree():
    tree = ZOO["polytomy"]
    assert top_of(tree, None).tree is tree


@pytest.mark.parametrize("most", [0, -1, 2.5, True, "3"])
def test_other_numbers_are_refused(most):
    with pytest.raises(InvalidInputError, match="top must be a whole number from 1 on; got"):
        top_of(ZOO["star"], most)
