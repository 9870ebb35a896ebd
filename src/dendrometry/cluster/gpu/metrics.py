"""SciPy's other metrics on a device: sums over the coordinates, from which a matrix of distances is made.

The points are prepared on the CPU, as for SciPy; the matrix takes nearly all of the time.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from dendrometry._check.points import Prepared, finite_points, prepare_points
from dendrometry._typing import FloatArray
from dendrometry.cluster.distances import scipy_options
from dendrometry.cluster.gpu.choose import Backend
from dendrometry.errors import InvalidInputError

_CELLS = 1 << 24  # numbers in a block of work


class _Metric(NamedTuple):
    """The terms that a coordinate of two points adds to sums, and the distance from the sums.

    Both take the array namespace first; ``distance`` then takes the number of coordinates and the sums.
    """

    terms: Callable[[Any, Any, Any], tuple[Any, ...]]
    distance: Callable[..., Any]


def _squares(xp: Any, x: Any, y: Any) -> tuple[Any, ...]:
    return ((x - y) * (x - y),)


def _root(xp: Any, d: int, s: Any) -> Any:
    return xp.sqrt(s)


def _share(xp: Any, x: Any, y: Any) -> tuple[Any, ...]:
    """Return the gap as a share of both sizes; 0 for two zeros."""
    size = xp.abs(x) + xp.abs(y)
    return (xp.abs(x - y) / xp.where(size > 0.0, size, 1.0),)


def _divergence(xp: Any, x: Any, y: Any) -> tuple[Any, ...]:
    """Return the two terms of a divergence from the mean; 0 for values that are not above 0."""
    mean = (x + y) / 2.0
    return (xp.where(x > 0.0, x * xp.log(x / mean), 0.0) + xp.where(y > 0.0, y * xp.log(y / mean), 0.0),)


def _truths(xp: Any, x: Any, y: Any) -> tuple[Any, ...]:
    """Return whether both of two values are 1, the first alone is, and the second alone is."""
    return x * y, x * (1.0 - y), (1.0 - x) * y


def _yule(xp: Any, d: int, a: Any, b: Any, c: Any) -> Any:
    """Return Yule's distance; 0 where one point has all the ones of the other."""
    return 2.0 * b * c / xp.where(b * c > 0.0, a * (d - a - b - c) + b * c, 1.0)


_METRICS = {
    "cityblock": _Metric(lambda xp, x, y: (xp.abs(x - y),), lambda xp, d, s: s),
    "minkowski": _Metric(_squares, _root),
    "seuclidean": _Metric(_squares, _root),
    "mahalanobis": _Metric(_squares, _root),
    "canberra": _Metric(_share, lambda xp, d, s: s),
    "braycurtis": _Metric(lambda xp, x, y: (xp.abs(x - y), xp.abs(x + y)), lambda xp, d, s, t: s / t),
    "correlation": _Metric(lambda xp, x, y: (x * y,), lambda xp, d, s: 1.0 - s),
    "jensenshannon": _Metric(_divergence, lambda xp, d, s: xp.sqrt(xp.abs(s) / 2.0)),
    "hamming": _Metric(lambda xp, x, y: (xp.astype(x != y, xp.float64),), lambda xp, d, s: s / d),
    "dice": _Metric(_truths, lambda xp, d, a, b, c: (b + c) / (2.0 * a + b + c)),
    "rogerstanimoto": _Metric(_truths, lambda xp, d, a, b, c: 2.0 * (b + c) / (d + b + c)),
    "russellrao": _Metric(_truths, lambda xp, d, a, b, c: (d - a) / d),
    "sokalsneath": _Metric(_truths, lambda xp, d, a, b, c: 2.0 * (b + c) / (a + 2.0 * (b + c))),
    "yule": _Metric(_truths, _yule),
}
DEVICE_METRICS = ("chebyshev", *_METRICS)  # all but jaccard, which SciPy's versions compute differently


def prepare_for_metric(array: Any, metric: str, backend: Backend) -> Prepared:
    """Return points prepared for one of the metrics, on the device, refusing those that are not finite.

    A single point has no distances, so that nothing else is asked of it.
    """
    ready = prepare_points(finite_points(backend.numpy(array)), metric)
    with np.errstate(all="ignore"):
        points = _metric_points(ready.points, metric) if ready.points.shape[0] > 1 else ready.points
    return ready._replace(points=backend.array(points))


def _metric_points(points: FloatArray, metric: str) -> FloatArray:
    """Return points whose coordinates the terms of a metric take."""
    points, options = scipy_options(points, metric)
    if metric == "seuclidean":
        points = (points - points.mean(axis=0)) / np.sqrt(options["V"])
    elif metric == "mahalanobis":
        value, vector = np.linalg.eigh(options["VI"])
        points = (points - points.mean(axis=0)) @ (vector * np.sqrt(value))
    elif metric == "correlation":
        points = points - points.mean(axis=1, keepdims=True)
        points = points / np.linalg.norm(points, axis=1, keepdims=True)
    elif metric == "jensenshannon":
        points = points / points.sum(axis=1, keepdims=True)
    return np.ascontiguousarray(points, dtype=np.float64)


def metric_square(points: Any, metric: str, backend: Backend) -> Any:
    """Return the matrix of distances of points, infinite on its diagonal; those that are not finite are refused."""
    xp = backend.xp
    n = points.shape[0]
    matrix = xp.empty((n, n), dtype=xp.float64, device=backend.where)
    step = max(1, _CELLS // n)
    for at in range(0, n, step):
        with np.errstate(all="ignore"):
            block = _cross(xp, points[at : at + step], points, metric)
        rows = xp.arange(block.shape[0], device=backend.where)
        block[rows, rows + at] = 0.0
        _check_finite(block, at, metric, xp)
        matrix[at : at + step, :] = xp.where(block > 0.0, block, 0.0)
    every = xp.arange(n, device=backend.where)
    matrix[every, every] = xp.inf
    return matrix


def _cross(xp: Any, a: Any, b: Any, metric: str) -> Any:
    """Return the distances of all points of two kinds, coordinate by coordinate."""
    d = a.shape[1]
    if metric == "chebyshev":
        greatest = xp.abs(a[:, 0][:, None] - b[:, 0][None, :])
        for k in range(1, d):
            greatest = xp.maximum(greatest, xp.abs(a[:, k][:, None] - b[:, k][None, :]))
        return greatest
    terms, distance = _METRICS[metric]
    sums = terms(xp, a[:, 0][:, None], b[:, 0][None, :])
    for k in range(1, d):
        more = terms(xp, a[:, k][:, None], b[:, k][None, :])
        sums = tuple(total + term for total, term in zip(sums, more, strict=True))
    return distance(xp, d, *sums)


def _check_finite(block: Any, at: int, metric: str, xp: Any) -> None:
    """Refuse distances that are not finite, by their items; the block starts with row ``at``."""
    finite = xp.isfinite(block)
    if not bool(xp.all(finite)):
        i, j = divmod(int(xp.argmax(xp.astype(xp.reshape(~finite, (-1,)), xp.int8))), block.shape[1])
        raise InvalidInputError(
            f"{metric} must give finite distances; that of items {at + i} and {j} is {float(block[i, j])}"
        )
