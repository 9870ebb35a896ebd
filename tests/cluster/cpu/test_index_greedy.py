"""Group average of sparse points: the tree of dense vectors by an index and by a matrix, and what truncation costs."""

import tracemalloc

import numpy as np
import pytest
from scipy import sparse
from tests.oracles.cluster.agglomerate import greedy, greedy_ties

from dendrometry import _memory as memory
from dendrometry import _threads as threads
from dendrometry import agglomerate, agglomerate_distances
from dendrometry.cluster.cpu import index_greedy
from dendrometry.errors import InvalidInputError

# the clusters whose products make a matrix, the length of lists, and the part asked again before all are: from
# an index to the end (by lists that are used up at once, or last), to a matrix from the start
WAYS = {
    "index": (1, 32, 8),
    "short lists": (1, 2, 1),
    "fresh lists": (1, 2, 99),
    "half": (12, 3, 8),
    "matrix": (8192, 32, 8),
}


@pytest.fixture(params=WAYS, autouse=True)
def way(request, monkeypatch):
    """Every test of this file runs every way: the tree must not depend on it."""
    matrix, width, one_in = WAYS[request.param]
    monkeypatch.setattr(index_greedy, "_MATRIX", matrix)
    monkeypatch.setattr(index_greedy, "_WIDTH", width)
    monkeypatch.setattr(index_greedy, "_ONE_IN", one_in)
    return request.param


def documents(seed, n, d=60, words=12):
    """Sparse rows of words drawn by rank, and their topics; every row also has a weight of its own size."""
    rng = np.random.default_rng(seed)
    topic = rng.integers(4, size=n)
    rank = (d ** rng.random((n, words))).astype(int) - 1
    word = np.where(rng.random((n, words)) < 0.5, (7 * rank + 13 * topic[:, None]) % d, rank)
    X = sparse.csr_matrix((rng.uniform(0.5, 1.5, word.size), word.ravel(), np.arange(0, word.size + 1, words)), (n, d))
    X.sum_duplicates()
    return X, topic


def group_average(X, metric="cosine", **options):
    return agglomerate(X, linkage="group_average", metric=metric, **options)


@pytest.mark.parametrize("n", [25, pytest.param(120, marks=pytest.mark.compiled)])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("metric", ["cosine", "dot"])
def test_untruncated_it_is_the_tree_of_dense_vectors(n, seed, metric):
    X, _ = documents(seed, n)
    found, expected = group_average(X, metric), group_average(X.toarray(), metric)
    assert (found.report.algorithm, expected.report.algorithm) == ("index_greedy", "vector_greedy")
    assert np.array_equal(found.hierarchy.parent, expected.hierarchy.parent)
    np.testing.assert_allclose(found.hierarchy.height, expected.hierarchy.height, atol=1e-13)
    np.testing.assert_allclose(found.similarity, expected.similarity, atol=1e-12)
    assert (found.report.mass_lost, found.report.ties, found.report.inversions) == (0.0, 0, 0)


@pytest.mark.compiled
def test_the_index_is_made_anew_on_the_way_without_a_trace():
    X, _ = documents(8, 700)
    found, expected = group_average(X), group_average(X.toarray())
    assert np.array_equal(found.hierarchy.parent, expected.hierarchy.parent)
    np.testing.assert_allclose(found.hierarchy.height, expected.hierarchy.height, atol=1e-13)


@pytest.mark.parametrize("seed", range(4))
def test_negative_weights_are_weights_too(seed):
    X, _ = documents(seed, 30)
    X.data *= np.where(np.random.default_rng(seed).random(X.nnz) < 0.4, -1.0, 1.0)
    found, expected = group_average(X), group_average(X.toarray())
    assert np.array_equal(found.hierarchy.parent, expected.hierarchy.parent)
    np.testing.assert_allclose(found.hierarchy.height, expected.hierarchy.height, atol=1e-13)


def pairs_of(built):
    """The two parts of every merge."""
    tree = built.hierarchy
    n = tree.n_items
    return [tuple(np.flatnonzero(tree.parent == v).tolist()) for v in range(n, tree.n_nodes)]


@pytest.mark.parametrize("seed", range(5))
def test_it_is_the_definition_also_where_distances_tie(seed):
    X = np.eye(6)[np.random.default_rng(seed).integers(6, size=9)]  # products are 0 or 1, so nearly all pairs tie
    distance = (1 - X @ X.T).astype(int).tolist()
    expected = greedy("group_average", distance)
    built = group_average(sparse.csr_matrix(X))
    assert pairs_of(built) == [(low, high) for low, high, _ in expected]
    np.testing.assert_allclose(built.hierarchy.height[9:], [float(height) for *_, height in expected], atol=1e-12)
    assert built.report.ties == greedy_ties("group_average", distance)


@pytest.mark.parametrize("seed", range(8))
def test_whole_numbers_that_tie_now_and_then_give_the_definition_to_the_letter(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(-1 if seed % 2 else 0, 3, size=(14, 5)) * (rng.random((14, 5)) < 0.6)
    X[rng.integers(14)] = 0  # dot takes a row of zeros
    product = X @ X.T
    distance = (product.diagonal().max() - product).tolist()
    expected = greedy("group_average", distance)
    built = group_average(sparse.csr_matrix(X), "dot")
    assert pairs_of(built) == [(low, high) for low, high, _ in expected]
    np.testing.assert_allclose(built.hierarchy.height[14:], [float(height) for *_, height in expected], atol=1e-12)
    assert built.report.ties == greedy_ties("group_average", distance)


@pytest.mark.compiled
def test_it_is_the_tree_of_the_matrix_of_distances():
    X, _ = documents(1, 1010, d=506, words=20)
    found = group_average(X)
    assert (found.report.algorithm, found.report.mass_lost) == ("index_greedy", 0.0)
    unit = X.toarray() / np.linalg.norm(X.toarray(), axis=1)[:, None]
    distance = 1 - unit @ unit.T
    np.fill_diagonal(distance, 0.0)
    expected = agglomerate_distances(np.maximum(distance, distance.T).clip(0), linkage="group_average")
    assert np.array_equal(found.hierarchy.parent, expected.hierarchy.parent)
    np.testing.assert_allclose(found.hierarchy.height, expected.hierarchy.height, atol=1e-12)


@pytest.mark.compiled
@pytest.mark.parametrize(("n", "d", "words"), [(600, 500, 200), (1500, 60, 3), (100, 300_000, 5)])
@pytest.mark.parametrize("cores", [1, 16])
@pytest.mark.further
def test_no_more_memory_is_taken_than_was_reported(n, d, words, cores, monkeypatch):
    monkeypatch.setattr(threads, "n_cores", lambda: cores)
    monkeypatch.setattr(index_greedy, "n_cores", lambda: cores)
    X, _ = documents(1, n, d, words)
    group_average(X[:50])  # compiled before memory is traced
    tracemalloc.start()
    reported = group_average(X).report.memory
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < reported
    assert cores > 1 or reported < 5 * peak  # of many rooms only some may be in use at once


@pytest.mark.compiled
def test_memory_for_a_matrix_is_bounded(way):
    few, many = (group_average(documents(1, n)[0]).report.memory for n in (500, 1000))
    if way == "matrix":
        assert few > 8 * 500**2
        assert many > 8 * 1000**2
    else:
        assert many < 2.1 * few


@pytest.mark.compiled
def test_truncation_is_reported_and_heights_stay_those_of_the_clusters(way):
    X, _ = documents(3, 60)
    unit = X.toarray() / np.linalg.norm(X.toarray(), axis=1)[:, None]
    lost = []
    for terms in (2, 6, 10):
        built = group_average(X, terms=terms)
        tree = built.hierarchy
        lost.append(built.report.mass_lost)
        for v in range(tree.n_items, tree.n_nodes):
            rows = tree.order.item[tree.order.item_low[v] : tree.order.item_high[v]]
            within = (unit[rows] @ unit[rows].T)[~np.eye(rows.size, dtype=bool)].mean()
            assert tree.height[v] == pytest.approx(1 - within, abs=1e-12)
        lower = tree.height[tree.parent[:-1]] < tree.height[:-1]
        assert built.report.inversions == np.unique(tree.parent[:-1][lower]).size
    if way == "matrix":
        assert lost == [0.0, 0.0, 0.0]  # nothing is looked up
    else:
        assert 1.0 > lost[0] > lost[1] > lost[2] > 0.0
    assert group_average(X, terms=60).hierarchy == group_average(X).hierarchy


def test_only_the_largest_weights_are_looked_up(way):
    X = sparse.csr_matrix([[5, 4, 0, 0, 1.0], [0, 0, 5, 4, 1.1], [5, 0, 4, 0, 0.0]])
    built = group_average(X, "dot", terms=2)
    assert pairs_of(built) == [(0, 2), (1, 3)]
    # of the documents 1 and 1.1 are left out, of the sum 10 4 4 0 1 one 4 and the 1, of 10 4 9 4 2.1 all but 10 and 9
    total, lost = (42 + 42.21 + 41) + 133 + 217.41, (1 + 1.21) + (16 + 1) + (16 + 16 + 4.41)
    assert built.report.mass_lost == pytest.approx(0.0 if way in ("half", "matrix") else lost / total)
    assert group_average(X, "dot", terms=5).report.mass_lost == 0.0


def test_equal_rows_merge_first_at_height_0():
    X, _ = documents(5, 20)
    twice = sparse.vstack([X, X[:6], X[:2]]).tocsr()
    found = group_average(twice)
    assert (found.hierarchy.height[28:36] == 0.0).all()
    assert found.hierarchy.height[36] > 0.0
    expected = group_average(twice.toarray())
    assert np.array_equal(found.hierarchy.parent, expected.hierarchy.parent)
    np.testing.assert_allclose(found.hierarchy.height, expected.hierarchy.height, atol=1e-13)


def test_one_two_and_all_equal_rows():
    X, _ = documents(5, 5)
    assert group_average(X[:1], terms=9).hierarchy.n_nodes == 1
    assert group_average(X[:2], terms=99).hierarchy.n_nodes == 3
    same = group_average(sparse.vstack([X[:1]] * 5), terms=9).hierarchy
    assert (same.n_nodes, same.height.max()) == (9, 0.0)


@pytest.mark.compiled
def test_the_number_of_threads_does_not_change_a_bit(monkeypatch):
    X, _ = documents(6, 70)
    trees = []
    for cores in (1, 3):
        monkeypatch.setattr(threads, "n_cores", lambda cores=cores: cores)
        trees.append(group_average(X, terms=5).hierarchy)
    assert np.array_equal(trees[0].parent, trees[1].parent)
    assert np.array_equal(trees[0].height, trees[1].height)


def test_progress_counts_every_merge_once(capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")  # so that a stream that is no terminal is drawn on
    X, _ = documents(6, 30)
    group_average(sparse.vstack([X, X[:3]]), progress=True)
    assert "32/32" in capsys.readouterr().err


def test_the_input_stays_as_it_was():
    X, _ = documents(6, 30)
    before = X.copy()
    group_average(X, terms=5)
    assert (X != before).nnz == 0


@pytest.mark.parametrize("terms", [0, -1, 2.5, True, "9"])
def test_terms_that_are_no_number_are_refused(terms):
    with pytest.raises(InvalidInputError, match="terms must be a whole number from 1 on, or None; got"):
        group_average(documents(0, 9)[0], terms=terms)


def test_terms_are_for_group_average_of_sparse_points():
    X, _ = documents(0, 9)
    with pytest.raises(InvalidInputError, match="sparse points; got average of sparse points"):
        agglomerate(X, linkage="average", metric="cosine", terms=3)
    with pytest.raises(InvalidInputError, match="sparse points; got group_average of dense points"):
        group_average(X.toarray(), terms=3)
    with pytest.raises(InvalidInputError, match="metric must be cosine or dot for sparse points"):
        agglomerate(X, linkage="group_average", terms=3)


def test_zero_rows_and_values_that_are_not_finite_are_named():
    X = sparse.csr_matrix([[1.0, 2.0], [0.0, 0.0]])
    with pytest.raises(InvalidInputError, match="item 1 is a zero vector"):
        group_average(X, terms=2)
    X = sparse.csr_matrix([[1.0, 2.0], [np.nan, 0.0]])
    with pytest.raises(InvalidInputError, match="finite; got nan in row 1, column 0"):
        group_average(X, terms=2)


def test_what_does_not_fit_in_memory_is_refused_with_the_figure(monkeypatch):
    monkeypatch.setattr(memory, "available", lambda: 1 << 15)
    with pytest.raises(InvalidInputError, match=r"group_average linkage of 100 sparse points .* MiB .* Buckshot"):
        group_average(documents(0, 100)[0], terms=5)
