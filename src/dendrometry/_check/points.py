"""Points from users: checked to be finite, scaled by a power of two, and normalised to length 1 for cosine."""

from collections.abc import Sequence
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry import _memory
from dendrometry._check.arrays import real_array
from dendrometry._check.frames import columns_of, is_frame
from dendrometry._check.names import names_within, position_text, positions_of
from dendrometry._check.sparse import sound_csr
from dendrometry._display import plural, printable, printable_repr
from dendrometry._kernels.cluster.rows import scale_to_unit
from dendrometry._typing import FloatArray
from dendrometry.errors import InvalidInputError, Remedy

_BYTES_OF_A_ROW = 200  # of sparse points, stored or not: its name, its nodes and what any algorithm keeps of it
_HOMOGENEOUS = ("chebyshev", "cityblock", "minkowski")  # distances scale with the points
_SCALED_ALONG = {"correlation": 1, "jensenshannon": 1, "canberra": 0, "mahalanobis": 0, "seuclidean": 0}
_UNSCALED = ("hamming", "jaccard", "dice", "rogerstanimoto", "russellrao", "sokalsneath", "yule")


class Prepared(NamedTuple):
    """Points whose distance is ``alpha`` times the squared distance plus both points' ``own`` parts (or its root).

    For a metric that is not derived from squared distances, the points are only scaled.

    Heights in the user's units are those of the prepared points times ``2 ** exponent``. ``top`` is the similarity at
    height 0 and ``self_similarity`` that of each item with itself, in the user's units.
    """

    points: FloatArray
    own: FloatArray
    alpha: float
    root: bool
    exponent: int
    top: float
    self_similarity: FloatArray

    @property
    def scaled_top(self) -> float:
        """The similarity of the prepared points at height 0; 0 where there are only distances."""
        return float(np.ldexp(self.top, -self.exponent))


def is_sparse(X: object) -> bool:
    """Whether the points are a matrix or array of scipy.sparse (which is not imported for the test)."""
    return hasattr(type(X), "tocsr") and hasattr(type(X), "nnz")  # of a broken one, to ask itself is an error


def points_of(X: Any) -> Any:
    """Return points as an array or CSR matrix of two dimensions; values are checked only where they have names."""
    if is_sparse(X):
        if X.dtype.kind not in "iufb":
            raise InvalidInputError(f"points must be numbers; got a sparse matrix of {X.dtype}")
        _check_shape(X.shape)
        _memory.require_memory(
            _BYTES_OF_A_ROW * X.shape[0], f"a tree over {X.shape[0]:,} rows", "Leave out empty rows."
        )
        return sound_csr(X)
    if "vectors" in getattr(type(X), "__dataclass_fields__", ()):  # of documents; a table may have such a column
        where = "pass its .vectors as points, its .items as item_names"
        raise InvalidInputError(f"points must be an array of numbers; got {type(X).__name__} ({where})")
    if isinstance(X, np.ndarray) and X.dtype.kind == "b":
        X = X.view(np.uint8)
    given = np.column_stack(list(columns_of(X).values())) if is_frame(X) and not hasattr(X, "__array__") else X
    try:
        array = real_array(given, "points", 2)
    except InvalidInputError:
        if is_frame(X):
            _check_columns(X)
        raise
    _check_shape(array.shape)
    if is_frame(X):
        _check_cells(X, array)
    return array


def _check_cells(frame: Any, array: NDArray[Any]) -> None:
    """Refuse the first cell of a frame that is not finite, by the names of its row and column."""
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        i, j = divmod(int(np.argmax(~np.isfinite(array))), array.shape[1])
        place = f"{position_text(frame, [i])} of column '{printable(list(columns_of(frame))[j])}'"
        raise InvalidInputError(f"points must be finite; got {array[i, j]} at {place}")


def _check_columns(frame: Any) -> None:
    """Refuse the first column of a frame that does not hold numbers, by its name."""
    for name, column in columns_of(frame).items():
        for at, value in enumerate(column):
            if not isinstance(value, Real):
                place = f"{position_text(frame, [at])} of column '{printable(name)}'"
                raise InvalidInputError(f"points must be numbers; got {printable_repr(value)} at {place}")


def points_of_items(X: Any, items: tuple[str, ...]) -> Any:
    """Return finite points, dense or CSR, in the order of the items of a tree.

    The index of a data frame names the items; rows without names are in the order of the tree.
    """
    given = points_of(X)
    if given.shape[0] != len(items):
        raise InvalidInputError(f"there must be one point for each of {len(items):,} items; got {given.shape[0]:,}")
    points = finite_points(given)
    names = names_within(X)
    return points if names is None else points[positions_of(items, names, "the tree and the points")]


def require_dense(points: Any, what: str, *remedy: Remedy) -> None:
    """Refuse sparse points for some purpose; ``remedy`` is one without dense points."""
    if is_sparse(points):
        raise InvalidInputError(
            f"points must be dense for {what}; got a sparse matrix",
            Remedy("", ..., "use toarray()"),
            *remedy,
        )


def whole_counts(points: FloatArray) -> FloatArray:
    """Return points, refusing those that are not counts, or have a row without any."""
    wrong = ~((points >= 0.0) & (points == np.floor(points)))
    if wrong.any():
        row, column = (int(axis[0]) for axis in np.nonzero(wrong))
        value = printable(points[row, column].item())
        raise InvalidInputError(f"counts must be whole numbers from 0 on; got {value} in row {row}, column {column}")
    empty = np.flatnonzero(points.sum(axis=1) == 0.0)
    if empty.size:
        raise InvalidInputError(f"every row of counts must have at least one; row {int(empty[0])} has none")
    return points


def finite_points(array: Any) -> Any:
    """Return points as a new float64 array, or CSR matrix if they are sparse, after checking every value."""
    if is_sparse(array):
        return _finite_sparse(array)
    with np.errstate(over="ignore", invalid="ignore"):
        points = array.astype(np.float64, order="C")
    bad = ~np.isfinite(points)
    if bad.any():
        i, j = divmod(int(np.argmax(bad)), points.shape[1])
        raise InvalidInputError(f"points must be finite; got {array[i, j]} in row {i}, column {j}")
    return points


def _finite_sparse(X: Any) -> Any:
    """Return a sparse matrix as CSR in float64, its values checked."""
    with np.errstate(over="ignore", invalid="ignore"):
        points = X.astype(np.float64, copy=True)
        points.sum_duplicates()
    points.eliminate_zeros()
    bad = ~np.isfinite(points.data)
    if bad.any():
        at = int(np.argmax(bad))
        i = int(np.searchsorted(points.indptr, at, side="right")) - 1
        raise InvalidInputError(f"points must be finite; got {points.data[at]} in row {i}, column {points.indices[at]}")
    return points


def _check_shape(shape: tuple[int, ...]) -> None:
    """Refuse an empty set of points, and points without coordinates."""
    if len(shape) != 2 or shape[0] == 0 or shape[1] == 0:
        raise InvalidInputError(f"points must have at least one row and one column; got shape {shape}")


def scale_of(values: NDArray[Any]) -> int:
    """Return the exponent of the power of two that brings the largest value to between 1/2 and 1; 0 for zeros."""
    largest = max(float(values.max(initial=0)), -float(values.min(initial=0)))
    return int(np.frexp(largest)[1]) if largest > 0.0 else 0


def scale_by(values: FloatArray, exponent: int) -> FloatArray:
    """Return values times a power of two, as new ones: what `numpy.ldexp` does, bit for bit, in a tenth of the time."""
    if abs(exponent) < 1000:  # the power is a number
        scaled: FloatArray = values * 2.0**exponent
        return scaled
    return np.asarray(np.ldexp(values, exponent))


def prepare_points(points: FloatArray, metric: str) -> Prepared:
    """Return points prepared for a metric: scaled, so that no square overflows or underflows."""
    n = points.shape[0]
    zeros = np.zeros(n)
    if metric not in ("euclidean", "sqeuclidean", "cosine", "dot"):
        scaled, exponent = _scale_for(metric, points)
        return Prepared(scaled, zeros, 1.0, False, exponent, 0.0, zeros)
    if metric == "cosine":
        return Prepared(_unit(points), zeros, 0.5, False, 0, 1.0, np.ones(n))
    exponent = scale_of(points)
    scaled = scale_by(points, -exponent)
    if metric == "dot":
        length = np.einsum("ij,ij->i", scaled, scaled)
        largest = float(length.max())
        own_similarity = in_units(length, 2 * exponent)
        return Prepared(
            scaled, 0.5 * (largest - length), 0.5, False, 2 * exponent, float(own_similarity.max()), own_similarity
        )
    offset = offset_of(scaled)
    if offset.any():
        scaled -= offset
    if metric == "sqeuclidean":
        return Prepared(scaled, zeros, 1.0, False, 2 * exponent, 0.0, zeros)
    return Prepared(scaled, zeros, 1.0, True, exponent, 0.0, zeros)


def in_units(values: FloatArray, exponent: int) -> FloatArray:
    """Return heights or similarities times a power of two, refusing those that overflow."""
    with np.errstate(over="ignore", invalid="ignore"):
        scaled: FloatArray = np.ldexp(values, exponent)
    if not np.isfinite(scaled).all():
        raise InvalidInputError("heights and similarities must be finite; got an overflow (scale the points down)")
    return scaled


def offset_of(points: FloatArray) -> FloatArray:
    """Return what can be subtracted from columns that are far from 0, to reduce the rounding errors of centroids.

    Only columns whose coordinates have one sign and whose largest magnitude is at most twice the smallest have an
    offset: there the subtraction is exact (Sterbenz), so the differences of points do not change.
    """
    low, high = points.min(axis=0), points.max(axis=0)
    near, far = np.minimum(np.abs(low), np.abs(high)), np.maximum(np.abs(low), np.abs(high))
    exact = (np.sign(low) == np.sign(high)) & (far <= 2.0 * near)
    return np.where(exact, low + (high - low) / 2, 0.0)


def _scale_for(metric: str, points: FloatArray) -> tuple[FloatArray, int]:
    """Return points scaled as one of SciPy's other metrics allows, and the exponent that restores its distances.

    Some metrics do not change with the scale of a row or of a column. Points are not scaled for metrics that only test
    equality.
    """
    if metric in _UNSCALED:
        return points, 0
    exponent = np.frexp(np.abs(points).max(axis=_SCALED_ALONG.get(metric), keepdims=True))[1]
    return np.ldexp(points, -exponent), int(exponent[0, 0]) if metric in _HOMOGENEOUS else 0


def _unit(points: FloatArray) -> FloatArray:
    """Return points normalised to length 1, refusing zero vectors."""
    largest = np.abs(points).max(axis=1)
    check_no_zero_vectors(largest)
    n, d = points.shape
    unit = points.astype(np.float64).ravel()
    scale_to_unit(np.arange(0, unit.size + 1, d), unit, np.frexp(largest)[1])  # as for sparse points, to the last bit
    return unit.reshape(n, d)


def check_no_zero_vectors(largest: FloatArray, items: Sequence[str] | None = None) -> None:
    """Refuse zero vectors, which have no direction, given the largest coordinate of each point."""
    at_zero = np.flatnonzero(largest == 0.0)
    if at_zero.size:
        more = f" and {plural(at_zero.size - 1, 'more item')}" if at_zero.size > 1 else ""
        first = int(at_zero[0])
        item = first if items is None else f"'{printable(items[first])}'"
        raise InvalidInputError(f"vectors must not be zero for cosine; item {item} is a zero vector{more}")
