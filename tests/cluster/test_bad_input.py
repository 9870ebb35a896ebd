"""Points and distances that cannot be used are refused by name; odd but valid arrays work and stay as they were."""

import numpy as np
import pytest
from scipy import sparse
from scipy.cluster.hierarchy import linkage as scipy_linkage
from tests.work import n_calls, peak_bytes

from dendrometry import _memory as memory
from dendrometry import agglomerate, agglomerate_distances, to_linkage
from dendrometry.errors import InvalidInputError

LINKAGES = ("single", "complete", "average", "weighted", "ward", "centroid", "median", "group_average")


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_points_that_are_not_finite_are_named_by_row_and_column(bad):
    X = np.zeros((4, 3))
    X[2, 1] = bad
    with pytest.raises(InvalidInputError, match=r"finite; got -?(nan|inf) in row 2, column 1"):
        agglomerate(X)


def test_a_zero_vector_has_no_cosine_and_is_named():
    with pytest.raises(InvalidInputError, match="item 1 is a zero vector and 1 more item"):
        agglomerate([[1, 0], [0, 0], [0, 0]], linkage="average", metric="cosine")
    with pytest.raises(InvalidInputError, match="item 1 is a zero vector"):
        agglomerate(sparse.csr_matrix([[1, 0], [0, 0]]), linkage="complete", metric="cosine")


def test_negative_distances_are_refused():
    with pytest.raises(InvalidInputError, match=r"at least 0; got -1\.0 at position 1"):
        agglomerate_distances([1.0, -1.0, 2.0])
    with pytest.raises(InvalidInputError, match="at least 0; got -3 at row 0, column 1"):
        agglomerate_distances([[0, -3], [-3, 0]])


def test_distances_that_are_not_finite_are_refused():
    with pytest.raises(InvalidInputError, match="finite; got nan at position 2"):
        agglomerate_distances([1.0, 1.0, np.nan])


def test_distances_beyond_the_range_of_floats_are_refused():
    with pytest.raises(InvalidInputError, match=r"finite; got (1e\+400|inf) at position 0"):
        agglomerate_distances(np.array([np.longdouble("1e400"), 1, 2]), linkage="average")


def test_rows_of_unlike_lengths_are_refused():
    with pytest.raises(InvalidInputError, match="distances must be an array of numbers; got list"):
        agglomerate_distances([[1, 2], [1]])


def test_an_asymmetric_matrix_is_refused_with_its_largest_asymmetry():
    D = np.array([[0, 1, 2], [1, 0, 3], [2, 3.5, 0]])
    with pytest.raises(InvalidInputError, match=r"largest asymmetry is 0.5, 3.0 at \(1, 2\) but 3.5 at \(2, 1\)"):
        agglomerate_distances(D)


def test_a_diagonal_other_than_zero_is_refused():
    with pytest.raises(InvalidInputError, match="itself must be 0; got 1 at row 1"):
        agglomerate_distances([[0, 2], [2, 1]])


def test_a_matrix_that_is_not_square_is_refused():
    with pytest.raises(InvalidInputError, match=r"square; got shape \(2, 3\)"):
        agglomerate_distances(np.zeros((2, 3)))


def test_a_condensed_length_that_fits_no_number_of_items_names_the_nearest():
    with pytest.raises(InvalidInputError, match=r"got 4, between 3 \(n = 3\) and 6 \(n = 4\)"):
        agglomerate_distances([1.0, 2.0, 3.0, 4.0])


def test_a_square_matrix_given_as_points_is_taken_as_points():
    D = np.array([[0.0, 3.0], [3.0, 0.0]])
    assert agglomerate(D, linkage="single").hierarchy.height[2] == pytest.approx(np.sqrt(18))
    assert agglomerate_distances(D, linkage="single").hierarchy.height[2] == 3.0


def test_one_item_is_a_tree_of_one_leaf():
    for linkage in LINKAGES:
        assert agglomerate([[1.0, 2.0]], linkage=linkage).hierarchy.n_nodes == 1
        assert agglomerate_distances([[0.0]], linkage=linkage).hierarchy.n_nodes == 1
        assert agglomerate_distances([], linkage=linkage).hierarchy.n_nodes == 1


def test_no_items_are_refused():
    with pytest.raises(InvalidInputError, match="at least one row"):
        agglomerate(np.zeros((0, 3)))
    with pytest.raises(InvalidInputError, match="at least one row and one column"):
        agglomerate(np.zeros((3, 0)))
    with pytest.raises(InvalidInputError, match="at least one item"):
        agglomerate_distances(np.zeros((0, 0)))


@pytest.mark.parametrize(
    ("points", "like"), [([1e200, 1e200, 2e200], [1, 1, 2]), ([1e-200, 2e-200, 3e-200], [1, 2, 3])]
)
def test_huge_and_tiny_points_give_the_tree_of_their_ratios(points, like):
    got = agglomerate(np.array(points)[:, None]).hierarchy
    expected = agglomerate(np.array(like, dtype=float)[:, None]).hierarchy
    assert np.array_equal(got.parent, expected.parent)
    np.testing.assert_allclose(got.height / points[0], expected.height, rtol=1e-12)


def test_heights_that_overflow_are_refused():
    with pytest.raises(InvalidInputError, match="overflow"):
        agglomerate([[0.0], [1e200]], linkage="average", metric="sqeuclidean")


ODD = {
    "read-only": lambda X: np.frombuffer(X.tobytes()).reshape(X.shape),
    "strided": lambda X: np.repeat(X, 2, axis=0)[::2],
    "Fortran": np.asfortranarray,
    "big-endian": lambda X: X.astype(">f8"),
    "float32": lambda X: X.astype(np.float32),
    "integers": lambda X: X.astype(np.int16),
    "a list": lambda X: X.tolist(),
    "unsigned": lambda X: X.astype(np.uint8),
}


@pytest.mark.parametrize("kind", ODD)
@pytest.mark.parametrize("linkage", LINKAGES)
def test_odd_arrays_work_and_stay_unchanged(kind, linkage):
    X = np.array([[0, 0], [1, 0], [4, 1], [9, 9], [30, 2]], dtype=float)
    odd = ODD[kind](X)
    before = np.array(odd, copy=True)
    got = agglomerate(odd, linkage=linkage).hierarchy
    np.testing.assert_allclose(got.height, agglomerate(X, linkage=linkage).hierarchy.height, rtol=1e-6)
    assert np.array_equal(before, np.asarray(odd))


@pytest.mark.parametrize("linkage", LINKAGES)
def test_distances_stay_unchanged(linkage):
    D = np.array([[0, 1, 5], [1, 0, 3], [5, 3, 0]], dtype=float)
    for array in (D, np.array([1.0, 5.0, 3.0])):
        before = array.copy()
        array.flags.writeable = False
        agglomerate_distances(array, linkage=linkage)
        assert np.array_equal(before, array)


@pytest.mark.parametrize("array", [np.zeros((2, 2), dtype=complex), np.zeros((2, 2), dtype=object)])
def test_complex_and_object_arrays_are_refused(array):
    with pytest.raises(InvalidInputError, match="must be an array of numbers"):
        agglomerate(array)
    with pytest.raises(InvalidInputError, match="must be an array of numbers"):
        agglomerate_distances(array)


@pytest.mark.parametrize("linkage", LINKAGES)
def test_duplicate_points_merge_at_height_zero(linkage):
    X = np.array([[1.5, 2.0], [7.0, 1.0], [1.5, 2.0], [1.5, 2.0], [7.0, 1.0]])
    assert agglomerate(X, linkage=linkage).hierarchy.height[5:8].tolist() == [0.0, 0.0, 0.0]


def test_all_points_equal_give_a_tree_of_height_zero():
    for linkage in LINKAGES:
        built = agglomerate(np.ones((9, 2)), linkage=linkage)
        assert not built.hierarchy.height.any()
        assert built.report.ties == 7


@pytest.mark.parametrize("n", [46_342, 65_536, 65_537])
@pytest.mark.compiled
@pytest.mark.slow
def test_numbers_of_items_at_the_limits_of_integers_work(n):
    X = np.random.default_rng(0).normal(size=(n, 2))
    for linkage in ("single", "ward"):
        tree = agglomerate(X, linkage=linkage).hierarchy
        assert tree.n_items == n
        assert tree.is_monotone


def assert_refused_unseen(build, values, message):
    """Values that are not numbers must be refused for another reason, before anything half as large is made of them."""

    def refused():
        with pytest.raises(InvalidInputError, match=message):
            build(values)

    refused()  # which imports what it needs
    assert n_calls(refused) < 500
    assert peak_bytes(refused) < values.nbytes / 2


@pytest.mark.parametrize("linkage", ["complete", "average", "weighted"])
def test_a_hundred_thousand_points_are_refused_unseen_with_figure_and_alternatives(linkage, monkeypatch):
    monkeypatch.setattr(memory, "available", lambda: 23 * 2**30)
    message = r"needs 7\d\.\d GiB of memory; 23.0 GiB are available.*Buckshot"
    assert_refused_unseen(lambda X: agglomerate(X, linkage=linkage), np.full((100_000, 32), np.nan), message)


@pytest.mark.compiled
def test_distances_that_do_not_fit_are_refused_before_they_are_looked_at(monkeypatch):
    monkeypatch.setattr(memory, "available", lambda: 2**20)
    message = r"needs 122\.8 MiB of memory; 1\.0 MiB are available"
    assert_refused_unseen(agglomerate_distances, np.full((4000, 4000), np.nan), message)


def test_the_memory_that_is_there_is_known():
    assert 2**20 < memory.available() < 2**62


def test_unknown_names_are_refused_with_the_nearest():
    with pytest.raises(InvalidInputError, match=r"did you mean 'average'\? linkage must be '.*got 'averag'"):
        agglomerate([[0.0], [1.0]], linkage="averag")
    with pytest.raises(InvalidInputError, match=r"did you mean 'euclidean'\? metric must be '"):
        agglomerate([[0.0], [1.0]], metric="euclidian")
    with pytest.raises(InvalidInputError, match="precision must be 'float32', 'float64' or None"):
        agglomerate([[0.0], [1.0]], precision="float16")
    with pytest.raises(InvalidInputError, match="precision must be 'float32', 'float64' or None"):
        agglomerate([[0.0], [1.0]], precision="")
    for odd in (np.array(["a", "b"]), None, 3, ["euclidean"]):
        with pytest.raises(InvalidInputError, match="metric must be '"):
            agglomerate([[0.0], [1.0]], metric=odd)
        with pytest.raises(InvalidInputError, match="linkage must be '"):
            agglomerate_distances([1.0], linkage=odd)


def test_linkages_that_a_metric_gives_no_meaning_are_refused():
    with pytest.raises(InvalidInputError, match="metric must be euclidean for ward linkage; got cosine"):
        agglomerate([[0.0], [1.0]], linkage="ward", metric="cosine")
    with pytest.raises(
        InvalidInputError, match="metric must be euclidean, cosine, dot for centroid linkage; got cityblock"
    ):
        agglomerate([[0.0], [1.0]], linkage="centroid", metric="cityblock")


def test_metrics_without_a_value_are_refused():
    with pytest.raises(InvalidInputError, match="correlation must give finite distances; that of items 0 and 1 is nan"):
        agglomerate([[1.0, 1.0], [1.0, 2.0], [3.0, 1.0]], linkage="average", metric="correlation")
    with pytest.raises(InvalidInputError, match="points must be 0 or 1 for dice"):
        agglomerate([[1.0, 0.5], [1.0, 2.0]], linkage="average", metric="dice")
    with pytest.raises(InvalidInputError, match="column 1 is constant"):
        agglomerate([[1.0, 5.0], [2.0, 5.0]], linkage="average", metric="seuclidean")
    with pytest.raises(InvalidInputError, match="linearly independent for mahalanobis"):
        agglomerate([[1.0, 2.0], [2.0, 4.0], [5.0, 10.0]], linkage="average", metric="mahalanobis")


def test_names_of_items_are_kept_and_checked():
    assert agglomerate([[0.0], [1.0]], item_names=["ape", "bat"]).hierarchy.items == ("ape", "bat")
    with pytest.raises(InvalidInputError, match="one item name for each of 2 items; got 1"):
        agglomerate([[0.0], [1.0]], item_names=["ape"])


@pytest.mark.parametrize("linkage", ["single", "complete", "average", "weighted", "centroid", "group_average"])
@pytest.mark.parametrize("metric", ["cosine", "dot"])
@pytest.mark.parametrize("shape", [(30, 8), (12, 40)])
def test_sparse_points_give_the_tree_of_dense_ones(linkage, metric, shape):
    rng = np.random.default_rng(shape[0])
    dense = rng.uniform(0, 1, size=shape) * (rng.uniform(size=shape) < 0.6)
    dense[:, 0] += 0.1
    for kind in (sparse.csr_matrix, sparse.csc_array):
        got = agglomerate(kind(dense), linkage=linkage, metric=metric)
        expected = agglomerate(dense, linkage=linkage, metric=metric)
        assert np.array_equal(got.hierarchy.parent, expected.hierarchy.parent)
        np.testing.assert_allclose(got.hierarchy.height, expected.hierarchy.height, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(got.similarity, expected.similarity, rtol=1e-9, atol=1e-12)


def test_sparse_points_are_taken_for_cosine_and_dot_only():
    with pytest.raises(InvalidInputError, match="metric must be cosine or dot for sparse points"):
        agglomerate(sparse.eye_array(4).tocsr(), linkage="average", metric="euclidean")
    with pytest.raises(InvalidInputError, match="got nan in row 1, column 0"):
        agglomerate(sparse.csr_matrix([[1.0, 0], [np.nan, 0]]), linkage="average", metric="cosine")


def test_an_interrupt_leaves_the_input_and_later_builds_as_they_were(monkeypatch):
    X = np.random.default_rng(0).normal(size=(300, 3))
    before = X.copy()

    def interrupt(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("dendrometry._kernels.cluster.vector_greedy.merge_nearest", interrupt)
        with pytest.raises(KeyboardInterrupt):
            agglomerate(X)
    assert np.array_equal(X, before)
    expected = scipy_linkage(X, "ward")
    np.testing.assert_allclose(to_linkage(agglomerate(X).hierarchy)[:, 2], expected[:, 2], rtol=1e-12)


def test_progress_is_silent_unless_asked_for(capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")  # so that a stream that is no terminal is drawn on
    agglomerate([[0.0], [1.0], [5.0]])
    assert capsys.readouterr() == ("", "")
    built = agglomerate([[0.0], [1.0], [5.0]], progress=True)
    assert built.hierarchy.n_items == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert "merging" in err
    assert "2/2" in err
