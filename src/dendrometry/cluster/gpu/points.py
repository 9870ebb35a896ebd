"""Points on a device, checked and prepared as `_check.points` does it on the CPU, with the same bits."""

from typing import Any

import numpy as np

from dendrometry._check.points import Prepared, check_no_zero_vectors, in_units, points_of
from dendrometry.cluster.gpu.choose import Backend
from dendrometry.errors import InvalidInputError


def detach(X: Any) -> Any:
    """Return a tensor that records gradients without them, as no other library takes it; others as they are."""
    return X.detach() if getattr(X, "requires_grad", False) is True else X


def gpu_points(X: Any, backend: Backend) -> Any:
    """Return points as an array of a library, on the device if they are there already; the values are not checked.

    NumPy arrays, tables and lists come in rows of float32 or float64, whichever holds them; arrays of other libraries
    come by DLPack, without a copy.
    """
    X = detach(X)
    if hasattr(X, "__dlpack__") and not isinstance(X, np.ndarray) and backend.name == "cuda":
        array = backend.xp.from_dlpack(X)
        if array.ndim != 2 or not backend.xp.isdtype(array.dtype, ("real floating", "integral")):
            raise InvalidInputError(
                f"points must be numbers in two dimensions; got shape {tuple(array.shape)} of {array.dtype}"
            )
        if 0 in array.shape:
            raise InvalidInputError(f"points must have at least one row and one column; got shape {tuple(array.shape)}")
        return array
    points = points_of(X)
    return np.ascontiguousarray(points, dtype=np.float32 if points.dtype == np.float32 else np.float64)


def prepare_device_points(array: Any, metric: str, backend: Backend) -> Prepared:
    """Return points on the device prepared for a metric, refusing those that are not finite."""
    xp = backend.xp
    x = xp.empty(array.shape, dtype=xp.float64, device=backend.where)  # in rows, whatever the order of the points
    x[:, :] = xp.asarray(array, device=backend.where)
    _check_finite(x, array, backend)
    n = x.shape[0]
    zeros = xp.zeros(n, dtype=xp.float64, device=backend.where)
    if metric == "cosine":
        return Prepared(_unit(x, backend), zeros, 0.5, False, 0, 1.0, np.ones(n))
    exponent = int(np.frexp(max(float(xp.max(x)), -float(xp.min(x))))[1])
    x *= 2.0 ** (-exponent // 2)  # in two steps, so that no factor overflows
    x *= 2.0 ** (-exponent - (-exponent // 2))
    if metric == "dot":
        length = _squared_lengths(x)
        own_similarity = in_units(backend.numpy(length), 2 * exponent)
        own = 0.5 * (xp.max(length) - length)
        return Prepared(x, own, 0.5, False, 2 * exponent, float(own_similarity.max()), own_similarity)
    _centre(x, backend)
    if metric == "sqeuclidean":
        return Prepared(x, zeros, 1.0, False, 2 * exponent, 0.0, np.zeros(n))
    return Prepared(x, zeros, 1.0, True, exponent, 0.0, np.zeros(n))


def _check_finite(x: Any, array: Any, backend: Backend) -> None:
    """Refuse points that are not finite, by row and column."""
    xp = backend.xp
    if not bool(xp.isfinite(xp.sum(x * 0.0))):
        bad = xp.reshape(~xp.isfinite(x), (-1,))
        i, j = divmod(int(xp.argmax(xp.astype(bad, xp.int8))), x.shape[1])
        raise InvalidInputError(f"points must be finite; got {array[i, j]} in row {i}, column {j}")


def _squared_lengths(x: Any) -> Any:
    """Return the squared length of each point, added up coordinate by coordinate."""
    total = x[:, 0] * x[:, 0]
    for k in range(1, x.shape[1]):
        total = total + x[:, k] * x[:, k]
    return total


def _unit(x: Any, backend: Backend) -> Any:
    """Return points normalised to length 1, refusing zero vectors."""
    xp = backend.xp
    largest = backend.numpy(xp.max(xp.abs(x), axis=1))
    check_no_zero_vectors(largest)
    exponent = np.frexp(largest)[1]
    half = exponent // 2
    for part in (half, exponent - half):
        x *= backend.array(np.ldexp(1.0, -part))[:, None]
    x /= xp.sqrt(_squared_lengths(x))[:, None]
    return x


def _centre(x: Any, backend: Backend) -> None:
    """Shift columns that are far from 0 towards it, where this is exact: see `_check.points._centre`."""
    low, high = (backend.numpy(extreme(x, axis=0)) for extreme in (backend.xp.min, backend.xp.max))
    near, far = np.minimum(np.abs(low), np.abs(high)), np.maximum(np.abs(low), np.abs(high))
    exact = (np.sign(low) == np.sign(high)) & (far <= 2.0 * near)
    if exact.any():
        x -= backend.array(np.where(exact, low + (high - low) / 2, 0.0))
