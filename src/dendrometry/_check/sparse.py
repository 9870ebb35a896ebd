"""Sparse matrices that users pass in: their index arrays are checked in full before any loop follows them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dendrometry import _memory
from dendrometry.errors import DendrometryError, InvalidInputError


def sound_csr(X: Any) -> Any:
    """Return a sparse matrix as a new CSR matrix whose indices and pointers are all within its shape.

    SciPy builds a matrix from any index arrays without looking at them, lets them be replaced, and its own methods
    follow them into memory that is not theirs. So the arrays are taken out and checked, and a matrix is made of them
    anew; of the one that came no method is called. O(stored values).
    """
    try:
        return _SOUND[X.format](X)
    except DendrometryError:
        raise
    except KeyError:
        raise InvalidInputError(f"a sparse matrix must be one of scipy.sparse; got {type(X).__name__}") from None
    except Exception as error:  # arrays of other types or dimensions fail in many ways
        raise InvalidInputError(f"a sparse matrix must hold arrays that fit together; got {error}") from None


def _of_csr(X: Any) -> Any:
    """Return a matrix by rows of the arrays of another."""
    rows, columns = _shape(X)
    values = _values(X.data, 1)
    pointer, index = _pointer_and_index(X, rows, columns, values.size)
    return _kind(X, "csr")((values[: index.size], index, pointer), shape=(rows, columns))


def _of_csc(X: Any) -> Any:
    """Return a matrix by rows of one by columns."""
    rows, columns = _shape(X)
    values = _values(X.data, 1)
    pointer, index = _pointer_and_index(X, columns, rows, values.size)
    return _of_positions(X, index, np.repeat(np.arange(columns), np.diff(pointer)), values[: index.size])


def _of_bsr(X: Any) -> Any:
    """Return a matrix by rows of one in blocks."""
    rows, columns = _shape(X)
    blocks = _values(X.data, 3)
    high, wide = blocks.shape[1:]
    if not high or not wide or rows % high or columns % wide:
        raise InvalidInputError(f"blocks of a sparse matrix must divide its shape; got {high} by {wide}")
    pointer, index = _pointer_and_index(X, rows // high, columns // wide, blocks.shape[0])
    block_row = np.repeat(np.arange(rows // high), np.diff(pointer))
    row = block_row[:, None, None] * high + np.arange(high)[None, :, None]
    column = index[:, None, None] * wide + np.arange(wide)[None, None, :]
    kept = blocks[: index.size]
    return _of_positions(
        X, np.broadcast_to(row, kept.shape).ravel(), np.broadcast_to(column, kept.shape).ravel(), kept.ravel()
    )


def _of_coo(X: Any) -> Any:
    """Return a matrix by rows of one that lists its entries."""
    return _of_positions(X, np.asarray(X.row), np.asarray(X.col), _values(X.data, 1))


def _of_dia(X: Any) -> Any:
    """Return a matrix by rows of one in diagonals."""
    rows, columns = _shape(X)
    values, offsets = _values(X.data, 2), np.asarray(X.offsets)
    _check_whole(offsets, "offsets")
    if offsets.size != values.shape[0] or np.unique(offsets).size != offsets.size:
        raise InvalidInputError(
            f"offsets of a sparse matrix must be {values.shape[0]:,}, one for each diagonal; got {offsets.size:,}"
        )
    column = np.broadcast_to(np.arange(values.shape[1]), values.shape)
    row = column - offsets.astype(np.int64)[:, None]
    inside = (row >= 0) & (row < rows) & (column < columns)
    return _of_positions(X, row[inside], column[inside], values[inside])


def _of_lil(X: Any) -> Any:
    """Return a matrix by rows of one that is kept as lists."""
    places = [(i, j) for i, row in enumerate(X.rows) for j in row]
    return _of_entries(X, places, [value for row in X.data for value in row])


def _of_dok(X: Any) -> Any:
    """Return a matrix by rows of one that is kept as a dictionary."""
    return _of_entries(X, list(X.keys()), list(X.values()))


_SOUND = {
    "csr": _of_csr,
    "csc": _of_csc,
    "bsr": _of_bsr,
    "coo": _of_coo,
    "dia": _of_dia,
    "lil": _of_lil,
    "dok": _of_dok,
}


def _of_entries(X: Any, places: list[Any], values: list[Any]) -> Any:
    """Return a matrix by rows of places, pairs of row and column, and values."""
    where = np.array(places, dtype=np.int64).reshape(-1, 2)
    return _of_positions(X, where[:, 0], where[:, 1], _values(np.array(values, dtype=X.dtype), 1))


def _of_positions(X: Any, row: NDArray[Any], column: NDArray[Any], values: NDArray[Any]) -> Any:
    """Return a matrix by rows of the row, column and value of each entry, after checking them.

    A matrix that says that it has billions of rows costs nothing until its rows are listed, so they are counted first.
    """
    shape = _shape(X)
    _memory.require_memory(16 * max(shape), "a sparse matrix by rows", "Leave out empty rows and columns.")
    for index, count, name in ((row, shape[0], "row"), (column, shape[1], "col")):
        _check_range(index, count, f"{name} of a sparse matrix")
        _check_length(index, values.size, name)
    return _kind(X, "coo")((values, (row, column)), shape=shape).tocsr()


def _kind(X: Any, form: str) -> Any:
    """Return the class of a form of scipy.sparse that multiplies as a matrix or as an array does, as the given one."""
    from scipy import sparse

    return getattr(sparse, f"{form}_{'array' if isinstance(X, sparse.sparray) else 'matrix'}")


def _shape(X: Any) -> tuple[int, int]:
    """Return the numbers of rows and columns."""
    rows, columns = X.shape
    if rows < 0 or columns < 0:
        raise InvalidInputError(f"the shape of a sparse matrix must not be negative; got {rows} by {columns}")
    return int(rows), int(columns)


def _values(values: Any, ndim: int) -> NDArray[Any]:
    """Return the stored values as an array of numbers."""
    array = np.asarray(values)
    if array.ndim != ndim or array.dtype.kind not in "iufb":
        raise InvalidInputError(
            f"the values of a sparse matrix must be numbers in {ndim} dimensions; got {array.ndim} of {array.dtype}"
        )
    return array


def _pointer_and_index(X: Any, major: int, minor: int, n_values: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the pointers and those indices that they reach; refuse pointers that fall, and indices outside."""
    pointer, index = np.asarray(X.indptr), np.asarray(X.indices)
    if pointer.ndim != 1 or pointer.size != major + 1 or pointer.dtype.kind not in "iu":
        raise InvalidInputError(
            f"indptr of a sparse matrix must hold {major + 1:,} whole numbers; got {pointer.size:,} of {pointer.dtype}"
        )
    falls = np.flatnonzero(np.diff(pointer.astype(np.int64)) < 0)
    if pointer[0] != 0 or falls.size:
        where = f"{pointer[falls[0] + 1]} after {pointer[falls[0]]}" if falls.size else f"{pointer[0]} first"
        raise InvalidInputError(f"indptr of a sparse matrix must begin with 0 and never fall; got {where}")
    if int(pointer[-1]) > min(index.size, n_values):
        raise InvalidInputError(
            f"indptr of a sparse matrix must end within its {index.size:,} indices and {n_values:,} values;"
            f" got {pointer[-1]:,}"
        )
    _check_length(index, n_values, "indices")
    index = index[: int(pointer[-1])]
    _check_range(index, minor, "indices of a sparse matrix")
    return pointer, index


def _check_whole(index: NDArray[Any], what: str) -> None:
    """Refuse indices that are not a column of whole numbers."""
    if index.ndim != 1 or index.dtype.kind not in "iu":
        raise InvalidInputError(
            f"{what} must be whole numbers; got an array of shape {index.shape} and type {index.dtype}"
        )


def _check_range(index: NDArray[Any], count: int, what: str) -> None:
    """Refuse indices that are not whole numbers from 0 to below the count."""
    _check_whole(index, what)
    outside = np.flatnonzero((index < 0) | (index >= count))
    if outside.size:
        at = int(outside[0])
        raise InvalidInputError(f"{what} must be from 0 to {count - 1:,}; got {index[at]} at position {at:,}")


def _check_length(column: NDArray[Any], count: int, what: str) -> None:
    """Refuse a column that is not as long as the values."""
    if np.size(column) != count:
        raise InvalidInputError(
            f"{what} of a sparse matrix must be {count:,}, one for each value; got {np.size(column):,}"
        )
