"""Numbers at the ends of the range of floats: kept, or refused with the figure; never 0 or infinity in their place."""

import itertools

import numpy as np
import pytest
from scipy import sparse

from dendrometry import (
    Hierarchy,
    agglomerate,
    agglomerate_distances,
    from_hclust,
    from_json,
    from_labels,
    from_linkage,
    from_newick,
    from_parents,
    to_hclust,
    to_json,
    to_linkage,
    to_newick,
)
from dendrometry.cluster import LINKAGES, bisect, bisect_constrained, principal_direction
from dendrometry.cut import cut_penalty, residual_squares
from dendrometry.errors import DendrometryError, InvalidInputError, InvalidTreeError

ITEMS = ["a", "b", "c"]


@pytest.mark.parametrize("linkage", LINKAGES)
@pytest.mark.parametrize("dtype", [np.int8, np.uint64, np.int64, np.float16, np.float32])
def test_whole_number_distances_are_taken_in_single_precision(linkage, dtype):
    D = np.array([[0, 1, 4], [1, 0, 3], [4, 3, 0]], dtype=dtype)
    expected = agglomerate_distances(D.astype(np.float64), linkage=linkage).hierarchy.height
    got = agglomerate_distances(D, linkage=linkage, precision="float32").hierarchy.height
    np.testing.assert_allclose(got, expected, rtol=1e-6)
    for zeros in ([[0]], [[0, 0], [0, 0]], [0, 0, 0]):
        built = agglomerate_distances(np.array(zeros, dtype=dtype), linkage=linkage, precision="float32")
        assert not built.hierarchy.height.any()


NEAR = [[1e-200], [2e-200], [3.0], [9.0]]
LOST = {
    "bisect": lambda: bisect(NEAR, rng=0),
    "sparse": lambda: bisect(sparse.csr_matrix(NEAR), rng=0),
    "bisect_constrained": lambda: bisect_constrained(NEAR, [], rng=0),
    "principal_direction": lambda: principal_direction([[0.0], [1e-170], [1.0]]),
    "residual_squares": lambda: residual_squares(from_newick("(((0,1),2),3);"), NEAR),
}


@pytest.mark.parametrize("name", LOST)
def test_squares_that_underflow_beside_larger_ones_are_refused(name):
    with pytest.raises(InvalidInputError, match="that of items '0' and '1' underflows when it is squared"):
        LOST[name]()


SMALL = [[0.0], [1e-200], [3e-200]]


@pytest.mark.parametrize(
    "build",
    [
        lambda: bisect(SMALL, rng=0),
        lambda: bisect_constrained(SMALL, [], rng=0),
        lambda: principal_direction(SMALL),
        lambda: residual_squares(from_newick("((0,1),2);"), SMALL),
    ],
)
def test_squares_that_underflow_in_their_units_are_refused(build):
    with pytest.raises(InvalidInputError, match=r"above 0 must stay above 0; got an underflow \(scale the points up\)"):
        build()


def test_equal_points_still_share_a_leaf():
    assert bisect([[1.0], [1.0], [3.0], [9.0]], rng=0).report.alike == 1
    assert residual_squares(from_newick("((0,1),2);"), [[1.0], [1.0], [9.0]])[2] == 0.0


@pytest.mark.parametrize("penalty", [0.0, 1e308])
def test_penalties_that_overflow_are_refused(penalty):
    tree = from_newick("((a:1,b:1):1,c:2);")
    with pytest.raises(InvalidInputError, match="sums of distortion and penalty must be finite"):
        cut_penalty(tree, [1.7e308] * tree.n_nodes, penalty=penalty)


@pytest.mark.parametrize("linkage", LINKAGES)
def test_distances_that_underflow_are_refused_with_the_figure(linkage):
    with pytest.raises(InvalidInputError, match=r"the least, 2e-200, underflows beside 1e\+200"):
        agglomerate_distances([2e-200, 1e200, 1e200], linkage=linkage)


def test_ward_refuses_distances_that_underflow_when_they_are_squared():
    with pytest.raises(InvalidInputError, match="the least, 1e-170, underflows beside 1 when both are squared"):
        agglomerate_distances([1e-170, 1.0, 1.0], linkage="ward")
    built = agglomerate_distances([1e-170, 1.0, 1.0], linkage="complete")
    assert built.hierarchy.height.tolist() == [0, 0, 0, 1e-170, 1.0]


RANGES = [[0.0, 2e-200, 1e200], [0.0, 0.0, 1e-170, 1.0], [0.0, 3e-162, 1.0]]


@pytest.mark.parametrize("linkage", LINKAGES)
@pytest.mark.parametrize("points", RANGES)
def test_points_whose_squares_underflow_are_refused_with_the_figure(linkage, points):
    with pytest.raises(InvalidInputError, match=r"which differ by .*, underflows beside coordinates up to 1"):
        agglomerate(np.array(points)[:, None], linkage=linkage)


@pytest.mark.parametrize("linkage", [name for name, rule in LINKAGES.items() if "cityblock" in rule.metrics])
def test_metrics_without_squares_keep_points_apart(linkage):
    X = np.array(RANGES[1])[:, None]
    assert np.count_nonzero(agglomerate(X, linkage=linkage, metric="cityblock").hierarchy.height) == 2
    with pytest.raises(InvalidInputError, match=r"which differ by 2e-200, underflows beside coordinates up to 1e\+200"):
        agglomerate(np.array(RANGES[0])[:, None], linkage=linkage, metric="cityblock")


def test_equal_points_and_equal_centroids_are_not_underflow():
    X = np.array([[0.0, 0.0], [0.0, -0.0], [2.0, 0.0], [-2.0, 0.0], [0.0, 0.0]])
    for linkage, precision in itertools.product(LINKAGES, ["float32", "float64"]):
        built = agglomerate(X, linkage=linkage, precision=precision)
        assert np.count_nonzero(built.hierarchy.height == 0) >= 7


@pytest.mark.parametrize("height", [[-1e308, 0.0, 0.0, 1.0, 1e308], [0.0, 1.7e308, 0.0, -1.7e308, 0.0]])
def test_nothing_is_written_that_cannot_be_read(height):
    tree = Hierarchy([3, 3, 4, 4, -1], height, [0, 1, 2], ITEMS)
    with pytest.raises(InvalidTreeError, match=r"Newick holds differences of heights, which must be finite"):
        to_newick(tree)
    assert from_json(to_json(tree)) == tree


@pytest.mark.further
def test_every_writer_gives_what_its_reader_takes_or_our_own_error():
    extremes = [0.0, 5e-324, 1e-308, 1.0, 1e308, 1.7e308]
    for low, high, top in itertools.product(extremes, repeat=3):
        for sign in (1, -1):
            tree = Hierarchy([3, 3, 4, 4, -1], [0.0, 0.0, 0.0, sign * low, max(high, top)], [0, 1, 2], ITEMS)
            text = to_newick(tree) if tree.is_monotone else to_json(tree)
            read_again = from_newick(text) if tree.is_monotone else from_json(text)
            np.testing.assert_allclose(np.sort(read_again.height), np.sort(tree.height), rtol=1e-12)
            for writer in (to_linkage, to_hclust):
                try:
                    writer(tree)
                except DendrometryError:
                    assert not tree.is_monotone


LINKAGE = [[1, 3, 0.75, 2], [4, 5, 1.75, 3], [2, 6, 2.5, 4], [0, 7, 2.75, 5]]
SIGNALLING = {2: 0x7D00, 4: 0x7FA00000, 8: 0x7FF4000000000000}  # nan that raise a flag in every operation


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("column", range(4))
@pytest.mark.parametrize("dtype", ["<f2", ">f2", "<f4", ">f4", "<f8", ">f8"])
def test_signalling_nan_are_refused_without_a_warning(column, dtype):
    Z = np.array(LINKAGE, dtype=dtype)
    Z.view(dtype.replace("f", "u"))[3, column] = SIGNALLING[Z.itemsize]
    broken = Z[:, column]
    calls = [
        lambda: from_linkage(Z),
        lambda: agglomerate(Z),
        lambda: agglomerate_distances(Z),
        lambda: from_labels(broken),
        lambda: from_parents([-1, 0, 0, 0], height=broken),
        lambda: from_hclust(Z[:, [column, column]], [1, 2, 3, 4]),
    ]
    for call in calls:
        with pytest.raises(DendrometryError):
            call()
