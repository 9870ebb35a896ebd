"""Points as users pass them, checked once: finite, scaled by a power of two, of length 1 where cosine asks for it."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import FloatArray
from dendrometry.columns import real_array
from dendrometry.display import plural, shown
from dendrometry.errors import InvalidInputError

__all__ = ["Prepared", "checked_points", "is_sparse", "prepared", "scale_of"]


class Prepared(NamedTuple):
    """Points whose distance is ``alpha`` times the squared distance plus both points' ``own`` parts (or its root).

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


def is_sparse(X: object) -> bool:
    """Whether these are points of scipy.sparse (which is not loaded to find out)."""
    return hasattr(X, "tocsr") and hasattr(X, "nnz")


def checked_points(X: Any) -> Any:
    """Return points as a new two-dimensional float64 array, or as a CSR matrix if they came sparse."""
    if is_sparse(X):
        return _checked_sparse(X)
    if isinstance(X, np.ndarray) and X.dtype.kind == "b":
        X = X.view(np.uint8)
    array = real_array(X, "points", 2)
    _check_shape(array.shape)
    with np.errstate(over="ignore"):
        points = array.astype(np.float64, order="C")
    bad = ~np.isfinite(points)
    if bad.any():
        i, j = divmod(int(np.argmax(bad)), points.shape[1])
        raise InvalidInputError(f"points must be finite; got {array[i, j]} in row {i}, column {j}")
    return points


def _checked_sparse(X: Any) -> Any:
    """Return a sparse matrix as CSR in float64, its values checked."""
    _check_shape(X.shape)
    if X.dtype.kind not in "iufb":
        raise InvalidInputError(f"points must be numbers; got a sparse matrix of {X.dtype}")
    points = X.tocsr().astype(np.float64, copy=True)
    points.sum_duplicates()
    bad = ~np.isfinite(points.data)
    if bad.any():
        at = int(np.argmax(bad))
        i = int(np.searchsorted(points.indptr, at, side="right")) - 1
        raise InvalidInputError(f"points must be finite; got {points.data[at]} in row {i}, column {points.indices[at]}")
    return points


def _check_shape(shape: tuple[int, ...]) -> None:
    """Refuse no points, and points without coordinates."""
    if len(shape) != 2 or shape[0] == 0 or shape[1] == 0:
        raise InvalidInputError(f"points must have at least one row and one column; got shape {shape}")


def scale_of(values: NDArray[Any]) -> int:
    """Return the exponent of the power of two that brings the largest value to between 1/2 and 1; 0 for zeros."""
    largest = float(np.abs(values).max(initial=0.0))
    return int(np.frexp(largest)[1]) if largest > 0.0 else 0


def prepared(points: FloatArray, metric: str) -> Prepared:
    """Return points as the algorithms want them, for one of the four metrics that come from squared distances."""
    n = points.shape[0]
    zeros = np.zeros(n)
    if metric == "cosine":
        return Prepared(_unit(points), zeros, 0.5, False, 0, 1.0, np.ones(n))
    exponent = scale_of(points)
    scaled = np.ldexp(points, -exponent)
    if metric == "dot":
        length = np.einsum("ij,ij->i", scaled, scaled)
        largest = float(length.max())
        with np.errstate(over="ignore"):
            own_similarity = np.ldexp(length, 2 * exponent)
        top = float(np.ldexp(largest, 2 * exponent))
        return Prepared(scaled, 0.5 * (largest - length), 0.5, False, 2 * exponent, top, own_similarity)
    if metric == "sqeuclidean":
        return Prepared(scaled, zeros, 1.0, False, 2 * exponent, 0.0, zeros)
    return Prepared(scaled, zeros, 1.0, True, exponent, 0.0, zeros)


def _unit(points: FloatArray) -> FloatArray:
    """Return points at length 1, refusing those at 0."""
    largest = np.abs(points).max(axis=1)
    check_no_zero_vectors(largest)
    scaled = np.ldexp(points, -np.frexp(largest)[1][:, None])
    unit: FloatArray = scaled / np.sqrt(np.einsum("ij,ij->i", scaled, scaled))[:, None]
    return unit


def check_no_zero_vectors(largest: FloatArray) -> None:
    """Refuse points at zero, given the largest coordinate of each: they have no direction."""
    at_zero = np.flatnonzero(largest == 0.0)
    if at_zero.size:
        more = f" and {plural(at_zero.size - 1, 'more item')}" if at_zero.size > 1 else ""
        raise InvalidInputError(
            f"cosine needs vectors other than zero; item {shown(int(at_zero[0]))} is a zero vector{more}"
        )
