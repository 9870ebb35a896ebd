import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster import hierarchy as scipy_hierarchy
from sklearn.cluster import AgglomerativeClustering
from tests.strategies import dendrograms, random_linkage
from tests.zoo import ZOO

from dendrometry import from_labels, from_linkage, from_newick, from_sklearn, to_linkage
from dendrometry.errors import InvalidInputError, InvalidTreeError, LostMeaningWarning

GOOD = [[0, 1, 1.0, 2], [2, 3, 2.5, 3]]


def broken(row, column, value):
    Z = np.array(GOOD, dtype=float)
    Z[row, column] = value
    return Z


@given(st.integers(1, 30), st.integers(0, 1000), st.booleans())
def test_a_linkage_comes_back_bit_for_bit(n, seed, ties):
    Z = random_linkage(n, np.random.default_rng(seed), ties=ties)
    assert np.array_equal(to_linkage(from_linkage(Z)), Z)


@pytest.mark.parametrize("method", ["single", "complete", "average", "weighted", "ward", "centroid", "median"])
def test_scipy_linkages_come_back_bit_for_bit(method):
    Z = scipy_hierarchy.linkage(np.random.default_rng(1).normal(size=(60, 3)), method)
    assert np.array_equal(to_linkage(from_linkage(Z)), Z)


def test_nodes_keep_the_numbers_of_clusters():
    tree = from_linkage(GOOD, item_names=["x", "y", "z"])
    assert tree.parent.tolist() == [3, 3, 4, 4, -1]
    assert tree.height.tolist() == [0, 0, 0, 1, 2.5]
    assert tree.items == ("x", "y", "z")


@given(dendrograms())
def test_clusters_are_those_that_scipy_sees(tree):
    if tree.n_items == 1:
        return
    root, nodes = scipy_hierarchy.to_tree(to_linkage(tree), rd=True)
    assert root.count == tree.n_items
    ours = {frozenset(tree.order.item[low:high].tolist()) for low, high in zip(*tree.order[4:], strict=True)}
    assert ours == {frozenset(node.pre_order()) for node in nodes}


@pytest.mark.parametrize("dtype", [np.float32, np.int32, np.uint8, np.float16, ">f8"])
def test_other_number_types_are_converted(dtype):
    Z = np.array([[0, 1, 1, 2], [2, 3, 2, 3]])
    assert from_linkage(Z.astype(dtype)) == from_linkage(Z)


def test_input_is_not_changed_and_may_be_read_only_or_strided():
    Z = np.asfortranarray(np.repeat(np.array(GOOD), 2, axis=0))[::2]
    Z.flags.writeable = False
    before = Z.copy()
    tree = from_linkage(Z)
    assert np.array_equal(Z, before)
    assert tree == from_linkage(GOOD)


def test_one_item_has_no_merge():
    tree = from_linkage(np.zeros((0, 4)))
    assert (tree.n_items, tree.n_nodes) == (1, 1)
    assert to_linkage(tree).shape == (0, 4)


def test_inversions_are_kept():
    tree = from_linkage([[0, 1, 1.0, 2], [2, 3, 0.866, 3]])
    assert not tree.is_monotone
    assert to_linkage(tree)[:, 2].tolist() == [1.0, 0.866]


@pytest.mark.parametrize(
    ("Z", "message"),
    [
        (broken(1, 0, np.nan), "ids in row 1 must be whole numbers, at most 3; got nan"),
        (broken(0, 1, np.inf), "ids in row 0 must be whole numbers, at most 2; got inf"),
        (broken(1, 0, 1.5), "ids in row 1 must be whole numbers, at most 3; got 1.5"),
        (broken(0, 0, -1), "ids in row 0 must not be negative, at most 2; got -1"),
        (broken(0, 0, 3), "ids in row 0 must name items or clusters formed in earlier rows, at most 2; got 3"),
        (broken(1, 1, 99), "ids in row 1 must name items or clusters formed in earlier rows, at most 3; got 99"),
        (broken(1, 0, 1), "merged once; row 1 merges 1 again"),
        (broken(0, 1, 0), "merged once; row 0 merges 0 again"),
        (broken(0, 2, np.nan), "height in row 0 must be finite; got nan"),
        (broken(1, 2, -np.inf), "height in row 1 must be finite; got -inf"),
        (broken(0, 3, 3), "row 0 of a linkage must count the items it merges, 2; got 3"),
        (broken(1, 3, np.nan), "row 1 of a linkage must count the items it merges, 3; got nan"),
        (np.zeros((2, 3)), r"4 columns \(two ids, height, count\); got shape \(2, 3\)"),
        (np.zeros(4), r"2 dimensions; got shape \(4,\)"),
        (np.array(GOOD, dtype=complex), "array of numbers; got complex"),
        (np.array(GOOD, dtype=object), "array of numbers; got Python objects"),
        ("linkage", "array of numbers; got text"),
        ([[0, 1, 1, 2], [2, 3]], "array of numbers; got list"),
        ([[1, 2, 1.0], [3, 4, 2.0]], "4 columns"),
    ],
)
def test_refuses_what_is_no_linkage(Z, message):
    with pytest.raises(InvalidInputError, match=message):
        from_linkage(Z)


def test_rs_numbering_is_not_guessed():
    with pytest.raises(InvalidTreeError, match="must not be negative"):
        from_linkage([[-1, -2, 1.0, 2], [-3, 1, 2.5, 3]])


def test_matlabs_numbering_is_not_guessed():
    with pytest.raises(InvalidTreeError, match="row 1 must name items or clusters formed in earlier rows"):
        from_linkage([[1, 2, 1.0, 2], [3, 4, 2.5, 3]])


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("star", "the tree must have heights for a linkage; it has none"),
        ("polytomy", "must be binary to be written as a linkage; node . has 3 children"),
        ("unary above a fork", r"node . has 1 children \(without_unary\(\) removes such nodes\)"),
    ],
)
def test_refuses_to_write_what_a_linkage_cannot_hold(name, message):
    with pytest.raises(InvalidTreeError, match=message):
        to_linkage(ZOO[name])


def test_refuses_to_write_leaves_with_several_items_or_above_height_0():
    from dendrometry import from_parents

    with pytest.raises(
        InvalidTreeError, match="one item in each leaf and none elsewhere to be written as a linkage; node 1 has 2"
    ):
        to_linkage(from_parents([2, 2, -1], [0, 1, 1], [0, 0, 1]))
    with pytest.raises(
        InvalidTreeError, match=r"leaves must lie at height 0 to be written as a linkage; node 1 is a leaf at 1\.0"
    ):
        to_linkage(from_newick("(a:2,b:1);"))


def test_names_of_nodes_are_left_out_with_a_warning():
    with pytest.warns(LostMeaningWarning, match="a linkage cannot hold names of nodes"):
        to_linkage(from_newick("((a:1,b:1)x:1,c:2);"))


def test_only_hierarchies_are_written():
    with pytest.raises(InvalidInputError, match="the tree must be a Hierarchy; got list"):
        to_linkage(GOOD)


def test_names_are_not_cut_into_letters():
    with pytest.raises(InvalidInputError, match="item names must be a sequence of strings; got abc"):
        from_sklearn([[0, 1], [2, 3]], item_names="abc")


def test_heights_too_large_for_a_float_are_refused():
    Z = np.array(GOOD, dtype=np.longdouble)
    Z[1, 2] = np.longdouble("1e4000")
    with pytest.raises(InvalidTreeError, match="height in row 1 must be finite"):
        from_linkage(Z)


def test_children_of_a_fitted_estimator():
    points = np.random.default_rng(2).normal(size=(20, 2))
    model = AgglomerativeClustering(n_clusters=None, distance_threshold=0, linkage="average").fit(points)
    tree = from_sklearn(model)
    assert tree == from_sklearn(model.children_, model.distances_)
    assert np.allclose(to_linkage(tree), scipy_hierarchy.linkage(points, "average"))


def test_children_without_distances_have_no_heights():
    assert from_sklearn([[0, 1], [2, 3]]) == from_newick("((0,1),2);")


def test_a_tree_that_was_stopped_early_is_a_forest_under_a_root():
    tree = from_sklearn([[0, 1]], item_names=["a", "b", "c", "d"])
    assert tree == from_newick("((a,b),c,d);")
    with pytest.raises(InvalidTreeError, match=r"tree of 4 items .* must have 3 merges; got 1 \(a forest"):
        from_sklearn([[0, 1]], distances=[1.0], item_names=["a", "b", "c", "d"])


def test_refuses_what_is_no_array_of_children():
    with pytest.raises(
        InvalidTreeError, match="estimator must be fitted and have children_; got AgglomerativeClustering"
    ):
        from_sklearn(AgglomerativeClustering())
    with pytest.raises(InvalidTreeError, match=r"2 columns; got shape \(1, 3\)"):
        from_sklearn([[0, 1, 2]])
    with pytest.raises(InvalidTreeError, match="one value for each of 2 merges; got 1"):
        from_sklearn([[0, 1], [2, 3]], distances=[1.0])
    with pytest.raises(InvalidInputError, match="children must have 2 dimensions; got shape"):
        from_sklearn(5)


def test_one_item_has_no_children():
    assert from_sklearn(np.zeros((0, 2))) == from_labels([0]).without_unary()
