"""Principal direction splits by the sign of projections on the leading singular vector, never densifying rows."""

import numpy as np
import pytest
from scipy import sparse
from tests.oracles.cluster.divisive import divided, principal_parts

from dendrometry import _memory as memory
from dendrometry import adjusted_rand, cut_count
from dendrometry._kernels.cluster.rows import fill_mean
from dendrometry.cluster import principal_direction
from dendrometry.cluster.divisive.points import ready_rows
from dendrometry.cluster.divisive.principal_direction import _leading_direction
from dendrometry.errors import InvalidInputError


def clusters_of(tree):
    below = {}
    for v in range(tree.n_nodes):
        low, high = tree.order.item_low[v], tree.order.item_high[v]
        below[frozenset(tree.order.item[low:high].tolist())] = tree.height[v]
    return below


def drawn(seed, n, d):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) * rng.uniform(0.5, 3.0, size=d)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("n", "d"), [(12, 1), (15, 3), (9, 20)])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_the_tree_is_that_of_the_definition(seed, n, d, form):
    X = drawn(seed, n, d)
    found = clusters_of(principal_direction(form(X)).hierarchy)
    expected = divided(X.tolist(), principal_parts)
    assert found.keys() == expected.keys()
    np.testing.assert_allclose([found[c] for c in expected], [float(h) for h in expected.values()], atol=1e-11)


@pytest.mark.parametrize(
    "rules",
    [
        {"max_clusters": 4},
        {"max_clusters": 5, "choose": "size"},
        {"max_depth": 2},
        {"leaf_size": 4},
        {"leaf_scatter": 9.0},
    ],
)
def test_the_rules_of_stopping_are_kept(rules):
    X = drawn(1, 16, 3)
    found = clusters_of(principal_direction(X, **rules).hierarchy)
    assert found.keys() == divided(X.tolist(), principal_parts, **rules).keys()


@pytest.mark.compiled
@pytest.mark.parametrize(("n", "d"), [(150, 90), (60, 300)])
def test_the_direction_is_the_leading_singular_vector_also_where_restarts_are_needed(n, d):
    rng = np.random.default_rng(n)
    thin = rng.random((n, d)) * (rng.random((n, d)) < 0.1)
    centred = thin - thin.mean(axis=0)
    expected = np.linalg.svd(centred, full_matrices=False)[2][0]
    for X in (thin, sparse.csr_matrix(thin)):
        ready = ready_rows(X, "euclidean", "a test", "")
        mean = np.empty(d)
        fill_mean(ready.rows, np.zeros(n, dtype=bool), False, mean)
        direction, products, settled = _leading_direction(ready.rows, mean)
        assert settled
        assert 1 < products < 1000
        assert abs(direction @ expected) == pytest.approx(1.0, abs=1e-12)


def test_a_direction_that_the_farthest_item_does_not_show_is_found():
    X = np.array([[3.0, 0.0], [-3.0, 0.0], [3.0, 0.1], [-3.0, -0.1], [0.0, 3.5], [0.0, -3.5]])
    tree = principal_direction(X, max_depth=1).hierarchy
    leaves = [tree.own_items(v) for v in np.flatnonzero(tree.n_children == 0)]
    assert any({"0", "2"} <= set(leaf) and not {"1", "3"} & set(leaf) for leaf in leaves)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_items_at_the_mean_are_ties_and_go_with_the_first_item(form):
    built = principal_direction(form([[-1.0, 1.0], [1.0, 3.0], [0.0, 2.0], [0.0, 2.0]]), max_depth=1)
    tree = built.hierarchy
    assert built.report.ties == 2
    assert sorted(sorted(tree.own_items(v)) for v in np.flatnonzero(tree.n_children == 0)) == [["0", "2", "3"], ["1"]]


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_equal_items_end_in_one_leaf_at_height_0(form):
    X = np.repeat([[0.1, 0.7, 0.0], [0.3, 0.2, 0.0], [1.1, 0.0, 0.3]], [5, 3, 1], axis=0)
    built = principal_direction(form(X))
    tree = built.hierarchy
    assert (tree.n_nodes, built.report.leaves, built.report.alike) == (5, 3, 2)
    assert (tree.height[tree.n_children == 0] == 0.0).all()
    assert principal_direction(form(X[:5])).hierarchy.n_nodes == 1
    assert principal_direction(form(X[:1])).hierarchy.n_nodes == 1


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_items_with_no_number_between_them_are_told_apart(form):
    near = 1.0 + 2.0**-52
    for X in ([[1.0], [near]], [[1.0], [near], [near]], [[0.1], [0.1 + 2.0**-56], [5.0]]):
        built = principal_direction(form(X))
        assert built.report.leaves == len({x for (x,) in X})
        assert built.report.alike == len(X) - built.report.leaves
    assert built.report.unsettled == 1


@pytest.mark.compiled
def test_sparse_rows_give_the_tree_of_dense_ones():
    rng = np.random.default_rng(0)
    X = rng.random((90, 40)) * (rng.random((90, 40)) < 0.2)
    X[:, 0] += 0.1
    for metric in ("euclidean", "cosine"):
        dense = principal_direction(X, metric=metric).hierarchy
        thin = principal_direction(sparse.csr_array(X), metric=metric).hierarchy
        assert np.array_equal(dense.parent, thin.parent)
        np.testing.assert_allclose(dense.height, thin.height, atol=1e-13)


def test_the_power_of_two_of_the_scale_does_not_change_the_tree():
    X = drawn(5, 30, 3)
    plain, scaled = principal_direction(X).hierarchy, principal_direction(np.ldexp(X, 500)).hierarchy
    assert np.array_equal(plain.parent, scaled.parent)
    assert np.array_equal(np.ldexp(plain.height, 1000), scaled.height)


def test_points_far_from_the_origin_keep_their_tree():
    X = np.round(drawn(6, 40, 2) * 1024)
    near, far = clusters_of(principal_direction(X).hierarchy), clusters_of(principal_direction(X + 2.0**40).hierarchy)
    assert near.keys() == far.keys()


def test_clear_clusters_are_found():
    rng = np.random.default_rng(0)
    label = rng.integers(2, size=300)
    X = 10 * rng.normal(size=(2, 8))[label] + rng.normal(size=(300, 8))
    assert adjusted_rand(label, cut_count(principal_direction(X, max_clusters=2).hierarchy, 2).labels) == 1.0


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_points_that_cannot_be_used_are_named(form):
    X = drawn(0, 5, 3)
    X[2, 1] = np.inf
    with pytest.raises(InvalidInputError, match="finite; got inf in row 2, column 1"):
        principal_direction(form(X))
    X[2] = 0.0
    with pytest.raises(InvalidInputError, match="item 2 is a zero vector"):
        principal_direction(form(X), metric="cosine")


def test_options_out_of_range_are_refused():
    with pytest.raises(InvalidInputError, match="max_clusters must be a whole number from 1 on; got -3"):
        principal_direction(drawn(0, 5, 3), max_clusters=-3)
    with pytest.raises(InvalidInputError, match="metric must be 'euclidean' or 'cosine'; got 'cityblock'"):
        principal_direction(drawn(0, 5, 3), metric="cityblock")


def test_what_does_not_fit_in_memory_is_refused_with_the_figure(monkeypatch):
    monkeypatch.setattr(memory, "available", lambda: 1 << 20)
    with pytest.raises(
        InvalidInputError, match=r"principal direction of 1,000 items needs \d+\.\d MiB .* Alternatives"
    ):
        principal_direction(np.ones((1000, 100)))
