"""Sparse matrices that users pass in: their index arrays are checked in full before any loop follows them."""

from typing import Any

import numpy as np

from dendrometry.errors import InvalidInputError

__all__ = ["sound_csr"]


def sound_csr(X: Any) -> Any:
    """Return a sparse matrix as CSR whose indices and pointers are all within its shape.

    SciPy builds a matrix from any index arrays without looking at them, and its own conversions follow them into
    memory that is not theirs; so they are checked before the first conversion. O(stored values).
    """
    form = getattr(X, "format", "")
    if form in ("csr", "csc", "bsr"):
        _check_compressed(X, form)
    elif form == "coo":
        for axis, name in enumerate(("row", "col")):
            _check_range(np.asarray(getattr(X, name)), X.shape[axis], f"{name} of a sparse matrix")
            _check_length(getattr(X, name), np.size(X.data), name)
    elif form == "dia":
        _check_length(X.offsets, np.shape(X.data)[0], "offsets")
    elif form in ("lil", "dok"):
        return sound_csr(_entries(X))
    else:
        raise InvalidInputError(f"a sparse matrix must be one of scipy.sparse; got {type(X).__name__}")
    return X.tocsr()


def _check_compressed(X: Any, form: str) -> None:
    """Refuse pointers that fall or leave the indices, and indices outside the matrix."""
    rows, columns = X.shape if form != "bsr" else (X.shape[i] // X.blocksize[i] for i in range(2))
    major, minor = (columns, rows) if form == "csc" else (rows, columns)
    pointer, index = np.asarray(X.indptr), np.asarray(X.indices)
    if pointer.ndim != 1 or pointer.size != major + 1 or pointer.dtype.kind not in "iu":
        raise InvalidInputError(
            f"indptr of a sparse matrix must hold {major + 1:,} whole numbers; got {pointer.size:,} of {pointer.dtype}"
        )
    falls = np.flatnonzero(np.diff(pointer.astype(np.int64)) < 0)
    if pointer[0] != 0 or falls.size:
        where = f"{pointer[falls[0] + 1]} after {pointer[falls[0]]}" if falls.size else f"{pointer[0]} first"
        raise InvalidInputError(f"indptr of a sparse matrix must begin with 0 and never fall; got {where}")
    if int(pointer[-1]) > min(index.size, np.shape(X.data)[0]):
        raise InvalidInputError(
            f"indptr of a sparse matrix must end within its {index.size:,} indices and {np.shape(X.data)[0]:,} values;"
            f" got {pointer[-1]:,}"
        )
    _check_length(index, np.shape(X.data)[0], "indices")
    _check_range(index[: int(pointer[-1])], minor, "indices of a sparse matrix")


def _check_range(index: Any, count: int, what: str) -> None:
    """Refuse indices that are not whole numbers from 0 to below the count."""
    if index.ndim != 1 or index.dtype.kind not in "iu":
        raise InvalidInputError(f"{what} must be whole numbers; got {index.ndim} dimensions of {index.dtype}")
    outside = np.flatnonzero((index < 0) | (index >= count))
    if outside.size:
        at = int(outside[0])
        raise InvalidInputError(f"{what} must be from 0 to {count - 1:,}; got {index[at]} at position {at:,}")


def _check_length(column: Any, count: int, what: str) -> None:
    """Refuse a column that is not as long as the values."""
    if np.size(column) != count:
        raise InvalidInputError(
            f"{what} of a sparse matrix must be {count:,}, one for each value; got {np.size(column):,}"
        )


def _entries(X: Any) -> Any:
    """Return a matrix that is kept as lists or as a dictionary as its entries, one by one."""
    from scipy.sparse import coo_matrix

    if X.format == "dok":
        places, values = list(X.keys()), list(X.values())
    else:
        places = [(i, j) for i, row in enumerate(X.rows) for j in row]
        values = [value for row in X.data for value in row]
    if len(places) != len(values):
        raise InvalidInputError(f"a sparse matrix must have a value for each of its {len(places):,} places")
    where = np.array(places, dtype=np.int64).reshape(-1, 2)
    for axis, name in enumerate(("row", "col")):
        _check_range(where[:, axis], X.shape[axis], f"{name} of a sparse matrix")
    return coo_matrix((np.array(values, dtype=X.dtype), (where[:, 0], where[:, 1])), shape=X.shape)
