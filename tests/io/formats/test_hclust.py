import numpy as np
import pytest
from hypothesis import given
from tests.strategies import dendrograms
from tests.zoo import ZOO

from dendrometry import from_hclust, from_linkage, to_hclust
from dendrometry.errors import InvalidInputError, InvalidTreeError

# R 4.x: h <- hclust(dist(c(1, 2, 4, 7)), "single"); h$merge; h$height; h$order
MERGE = [[-1, -2], [-3, 1], [-4, 2]]
HEIGHT = [1.0, 2.0, 3.0]
ORDER = [4, 3, 1, 2]


@given(dendrograms(ties=True))
def test_every_dendrogram_comes_back(tree):
    assert from_hclust(*to_hclust(tree)) == tree


def test_reads_what_r_prints():
    tree = from_hclust(MERGE, HEIGHT, order=ORDER)
    assert tree == from_linkage([[0, 1, 1, 2], [2, 4, 2, 3], [3, 5, 3, 4]], item_names=["1", "2", "3", "4"])


def test_writes_what_r_prints():
    merge, height, labels, order = to_hclust(from_hclust(MERGE, HEIGHT, item_names=["a", "b", "c", "d"]))
    assert merge.tolist() == MERGE
    assert height.tolist() == HEIGHT
    assert labels == ("a", "b", "c", "d")
    assert order.tolist() == ORDER


@given(dendrograms())
def test_order_never_crosses(tree):
    _, _, _, order = to_hclust(tree)
    place = np.empty(tree.n_items, dtype=int)
    place[order - 1] = np.arange(tree.n_items)
    for low, high in zip(*tree.order[4:], strict=True):
        places = place[tree.order.item[low:high]]
        assert places.max() - places.min() == places.size - 1


@pytest.mark.parametrize(
    ("merge", "height", "message"),
    [
        ([[-1, -2], [-3, 0]], [1, 2], "row 2 of merge must be negative for items or positive"),
        ([[-1, -4], [-3, 1]], [1, 2], "row 1 of merge must be at least -3, the last item; got -4"),
        ([[-1, 1], [-3, -2]], [1, 2], "row 1 of merge must use rows formed before it; got 1"),
        ([[-1, -2], [-1, 1]], [1, 2], "merged once; row 2 merges -1 again"),
        ([[-1, -2.5], [-3, 1]], [1, 2], "row 1 of merge must be whole numbers; got -2.5"),
        ([[-1, -2], [-3, 1]], [1, np.nan], "height must be finite; got nan at position 1"),
        ([[-1, -2], [-3, 1]], [1], "one value for each of 2 merges; got 1"),
        ([[-1], [-2]], [1, 2], "2 columns"),
        ([[-1, -2, -3]], [1], "2 columns, for the two clusters merged; got 3"),
        ([["a", "b"]], [1], "array of numbers; got text"),
    ],
)
def test_refuses_what_is_no_hclust(merge, height, message):
    with pytest.raises(InvalidInputError, match=message):
        from_hclust(merge, height)


@pytest.mark.parametrize("dtype", [np.int8, np.int16])
def test_small_integers_hold_every_number(dtype):
    n = np.iinfo(dtype).max
    merge = np.column_stack([-np.arange(2, n + 1), np.append(-1, np.arange(1, n - 1))])
    tree = from_hclust(merge.astype(dtype), np.arange(n - 1))
    assert tree == from_hclust(merge, np.arange(n - 1))


def test_refuses_an_order_that_is_no_permutation():
    with pytest.raises(InvalidTreeError, match="order must be a permutation of 1 to 4"):
        from_hclust(MERGE, HEIGHT, order=[1, 2, 3, 3])


def test_scipys_numbering_is_not_guessed():
    with pytest.raises(InvalidTreeError, match="row 1 of merge must be negative for items or positive"):
        from_hclust([[0, 1], [2, 3]], [1, 2])


def test_refuses_to_write_a_star():
    with pytest.raises(InvalidTreeError, match="the tree must have heights for hclust; it has none"):
        to_hclust(ZOO["star"])


def test_one_item():
    tree = from_hclust(np.zeros((0, 2)), [])
    assert tree.items == ("1",)
    assert from_hclust(*to_hclust(tree)) == tree
