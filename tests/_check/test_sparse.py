"""Sparse matrices with index arrays that lead elsewhere are refused before any loop follows them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import dendrometry as dm
from dendrometry import _memory
from dendrometry._check.sparse import sound_csr
from dendrometry.errors import InvalidInputError

POINTS = np.array([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0], [4.0, 0.0, 5.0], [0.0, 6.0, 0.0]])
FORMS = ("csr", "csc", "coo", "bsr", "dia", "lil", "dok")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csr_array])
def test_every_form_gives_the_same_points(form, kind):
    found = sound_csr(kind(POINTS).asformat(form))
    assert found.format == "csr"
    assert np.array_equal(found.toarray(), POINTS)


CHANGES = {
    "a negative column": ("indices", [0, 1, -1, 3, 4]),
    "pointers that fall": ("indptr", [0, 1, 5, 3, 4, 5]),
    "pointers that begin late": ("indptr", [1, 1, 2, 3, 4, 5]),
    "pointers beyond the values": ("indptr", [0, 1, 2, 3, 4, 900]),
    "too few pointers": ("indptr", [0, 1, 2, 3, 4]),
    "fewer values than indices": ("data", [1.0, 1.0, 1.0]),
    "halves as columns": ("indices", [0.5, 1.5, 2.5, 3.5, 4.5]),
}


def broken(way):
    """A matrix whose columns lead outside it."""
    if way == "a column too far":
        return sparse.csr_matrix((np.ones(5), [0, 1, 2, 3, 7], [0, 1, 2, 3, 4, 5]), shape=(5, 5))
    matrix = sparse.csr_matrix(np.eye(5))
    setattr(matrix, CHANGES[way][0], np.array(CHANGES[way][1]))
    return matrix


WAYS = {
    "a column too far": "indices of a sparse matrix must be from 0 to 4; got 7 at position 4",
    "a negative column": "indices of a sparse matrix must be from 0 to 4; got -1 at position 2",
    "pointers that fall": "indptr of a sparse matrix must begin with 0 and never fall; got 3 after 5",
    "pointers that begin late": "must begin with 0 and never fall; got 1 first",
    "pointers beyond the values": "must end within its 5 indices and 5 values; got 900",
    "too few pointers": "indptr of a sparse matrix must hold 6 whole numbers; got 5",
    "fewer values than indices": "must end within its 5 indices and 3 values; got 5",
    "halves as columns": "indices of a sparse matrix must be whole numbers",
}
CALLS = {
    "agglomerate": lambda X: dm.agglomerate(X, linkage="group_average", metric="cosine"),
    "bisect": lambda X: dm.cluster.bisect(X),
    "buckshot": lambda X: dm.cluster.buckshot(X, 2),
    "principal_direction": lambda X: dm.cluster.principal_direction(X),
    "near_duplicates": lambda X: dm.text.near_duplicates(X),
    "constrained": lambda X: dm.cluster.bisect_constrained(X, [(0, 1, 2)]),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("way", WAYS)
def test_index_arrays_that_lead_elsewhere_are_refused(call, way):
    with pytest.raises(InvalidInputError, match=WAYS[way]):
        CALLS[call](broken(way))


@pytest.mark.parametrize("form", ["csc", "coo", "bsr"])
def test_other_forms_are_refused_too(form):
    matrix = sparse.csr_matrix(POINTS).asformat(form)
    if form == "coo":
        matrix.row = matrix.row + 9
    else:
        matrix.indices = matrix.indices + 9
    with pytest.raises(InvalidInputError, match=r"must be from 0 to \d; got \d+ at position 0"):
        sound_csr(matrix)


def test_lists_of_rows_that_lead_elsewhere_are_refused():
    matrix = sparse.lil_matrix(POINTS)
    matrix.rows[0] = [0, 99]
    with pytest.raises(InvalidInputError, match="col of a sparse matrix must be from 0 to 2; got 99"):
        sound_csr(matrix)


@pytest.mark.parametrize("kind", [sparse.coo_matrix, sparse.dok_array])
def test_rows_that_are_only_declared_are_counted_before_they_are_listed(kind, monkeypatch):
    monkeypatch.setattr(_memory, "available", lambda: 10**9)
    rows = kind((10**8, 3))
    with pytest.raises(InvalidInputError, match=r"a sparse matrix by rows needs 1\.5 GiB of memory"):
        sound_csr(rows)
    with pytest.raises(InvalidInputError, match=r"a tree over 100,000,000 rows needs 18\.6 GiB of memory"):
        dm.agglomerate(rows, linkage="average", metric="cosine")


@pytest.mark.parametrize("form", ["csr", "csc", "bsr", "coo", "dia"])
@pytest.mark.parametrize("change", [lambda data: data.reshape(-1, 1), lambda data: data.astype(object)])
def test_values_of_other_types_or_dimensions_are_refused(form, change):
    matrix = sparse.csr_matrix(POINTS).asformat(form)
    matrix.data = change(matrix.data)
    with pytest.raises(
        InvalidInputError, match=r"the values of a sparse matrix must be numbers in|fit together|one for each"
    ):
        sound_csr(matrix)


def test_what_only_looks_sparse_is_refused():
    class Odd:
        shape, nnz, format = (2, 2), 1, "odd"

        def tocsr(self):
            return self

    with pytest.raises(InvalidInputError, match=r"must be one of scipy\.sparse; got Odd"):
        sound_csr(Odd())


@given(st.integers(0, 2**32), st.integers(-2, 8))
def test_any_index_arrays_end_in_points_or_our_own_error(seed, offset):
    rng = np.random.default_rng(seed)
    n_rows, n_columns, n_values = rng.integers(1, 6, 3)
    indptr = np.sort(rng.integers(0, n_values + 1, n_rows + 1))
    indptr[rng.integers(n_rows + 1)] += rng.integers(-1, 2)
    matrix = sparse.csr_matrix((n_rows, n_columns))
    matrix.data, matrix.indptr = rng.random(n_values), indptr
    matrix.indices = rng.integers(min(offset, 0), max(offset, 1) + n_columns, n_values)
    try:
        found = sound_csr(matrix)
    except InvalidInputError:
        return
    assert found.toarray().shape == (n_rows, n_columns)
