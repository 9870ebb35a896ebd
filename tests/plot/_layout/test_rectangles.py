import numpy as np
import pytest
from hypothesis import given

from dendrometry.plot._layout.rectangles import rectangles
from tests.strategies import hierarchies
from tests.zoo import ZOO


@given(hierarchies(max_items=12))
def test_rectangles_are_as_wide_as_their_items_and_lie_below_their_parents(tree):
    where = rectangles(tree)
    parent = tree.parent[:-1]
    assert (where.high - where.low).tolist() == tree.sizes.tolist()
    assert (where.low[:-1] >= where.low[parent]).all()
    assert (where.high[:-1] <= where.high[parent]).all()
    assert (where.top[:-1] == where.bottom[parent]).all()
    assert (where.top >= where.bottom).all()


@given(hierarchies(max_items=12))
def test_rectangles_do_not_overlap(tree):
    low, high, bottom, top = rectangles(tree, by="depth")
    for v in range(tree.n_nodes):
        for w in range(v):
            beside = high[v] <= low[w] or high[w] <= low[v]
            above = bottom[v] >= top[w] or bottom[w] >= top[v]
            assert beside or above


def test_an_inverted_node_is_raised_to_its_child():
    where = rectangles(ZOO["inversion"])
    assert where.bottom.tolist() == [0, 0, 0, 1, 1]
    assert where.top == pytest.approx([1, 1, 1, 1, 1.05])


def test_corners_go_round():
    where = rectangles(ZOO["two items"])
    assert where.corners()[1].tolist() == [[1, 0], [2, 0], [2, 1], [1, 1]]
    assert np.ptp(where.corners()[2][:, 0]) == 2
