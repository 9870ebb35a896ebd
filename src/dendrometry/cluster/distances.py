"""The distances of points, computed in blocks, and the matrix in which distances are kept."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from dendrometry._check.distances import n_items_of
from dendrometry._check.points import Prepared, check_no_zero_vectors
from dendrometry._kernels.cluster import pairwise as kernels
from dendrometry._kernels.cluster import products as product_kernels
from dendrometry._kernels.cluster import rows as row_kernels
from dendrometry._kernels.cluster.pairwise import Groups
from dendrometry._kernels.cluster.rows import Rows
from dendrometry._threads import balanced_order, share_rows
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cluster.linkages import BOOLEAN_METRICS
from dendrometry.errors import InvalidInputError

_BLOCK = 256
_WIDTH = 160  # points in a block of a matrix,
_NUMBERS = 2**15  # as long as their coordinates stay in the cache


def precision_for(distances: NDArray[Any], exponent: int, power: int, wanted: str) -> str:
    """Return the precision to keep distances in: float64 where float32 would lose the least one above 0.

    Where float64 would lose it too, the distances are refused.
    """
    initial = np.inf if distances.dtype.kind == "f" else np.iinfo(distances.dtype).max
    least = float(np.min(distances, where=distances > 0, initial=initial))
    kept = np.ldexp(least, -exponent) ** power
    if kept < np.finfo(np.float64).tiny:
        raise InvalidInputError(
            f"distances above 0 must stay above 0; the least, {least:.6g}, underflows beside"
            f" {float(np.max(distances)):.6g}{' when both are squared' if power == 2 else ''}:"
            " set it to 0, or build a tree of those nearer to each other"
        )
    return "float32" if wanted == "float32" and kept >= np.finfo(np.float32).tiny else "float64"


def square_of_distances(distances: NDArray[Any], exponent: int, power: int, dtype: DTypeLike) -> NDArray[Any]:
    """Return a flat square copy of distances, scaled by ``2 ** -exponent`` and raised to a power."""
    n = n_items_of(distances)
    square = np.zeros((n, n), dtype=dtype)
    for i in range(n):
        row = distances[i, i + 1 :] if distances.ndim == 2 else distances[_start(n, i) : _start(n, i + 1)]
        square[i, i + 1 :] = np.ldexp(row.astype(np.float64), -exponent) ** power
    for i in range(0, n, _BLOCK):
        for j in range(i, n, _BLOCK):
            block = square[i : i + _BLOCK, j : j + _BLOCK]
            square[j : j + _BLOCK, i : i + _BLOCK] = np.maximum(block, block.T) if i == j else block.T
    return square.ravel()


def _start(n: int, i: int) -> int:
    """Return where row i starts in condensed distances of n items."""
    return i * n - i * (i + 1) // 2


def row_of(distances: NDArray[Any], exponent: int) -> Callable[[int], FloatArray]:
    """Return a function that computes the scaled distances of one item from all items, square or condensed."""
    n = n_items_of(distances)
    above = np.arange(n) * n - np.arange(n) * (np.arange(n) + 1) // 2 - np.arange(n) - 1

    def row(i: int) -> FloatArray:
        if distances.ndim == 2:
            values = distances[i]
        else:
            values = np.concatenate([distances[above[:i] + i], [0], distances[_start(n, i) : _start(n, i + 1)]])
        scaled: FloatArray = np.ldexp(values.astype(np.float64), -exponent)
        return scaled

    return row


def square_of_points(ready: Prepared, dtype: DTypeLike) -> NDArray[Any]:
    """Return the flat square matrix of distances of prepared points."""
    n = ready.own.size
    return square_of_groups(ready, np.arange(n), np.ones(n), True, dtype)


def square_of_groups(
    ready: Prepared, group: IntArray, weight: FloatArray, farthest: bool, dtype: DTypeLike, half: bool = False
) -> NDArray[Any]:
    """Return the flat square matrix of distances of groups of prepared points: greatest, or weighted mean.

    With ``half`` only its first half is filled, with the numbers below the diagonal: see `half_matrix`.
    """
    n = int(group.max()) + 1
    matrix = np.empty(n * n, dtype=dtype)
    width = max(16, min(_WIDTH, _NUMBERS // ready.points.shape[1] // 8 * 8))
    groups = _in_blocks(ready, group, weight, width)
    form = (ready.alpha, ready.root, ready.scaled_top, farthest)
    strips = balanced_order(-(-(groups.start.size - 1) // kernels.STRIP))
    share_rows(lambda part: kernels.fill_square(part, groups, form, 0 if half else n, matrix), strips, 2)
    return matrix


def _in_blocks(ready: Prepared, group: IntArray, weight: FloatArray, width: int) -> Groups:
    """Return points in blocks of whole groups, of about ``width`` points each."""
    size = np.bincount(group)
    begin = np.cumsum(size) - size
    block = np.unique(begin // width, return_inverse=True)[1]
    slot = np.lexsort((-size, block))
    place = np.empty_like(slot)
    place[slot] = np.arange(slot.size)
    rank = np.empty_like(group)  # of each point in its group
    by_group = np.argsort(group, kind="stable")
    rank[by_group] = np.arange(group.size) - np.repeat(begin, size)
    order = np.lexsort((place[group], rank, block[group]))
    first = np.append(0, np.cumsum(np.bincount(block)))
    layer, layer_width = np.unique(block[group] * size.max() + rank, return_counts=True)
    return Groups(
        ready.points[order],
        ready.own[order],
        weight[order],
        (place - first[block])[group[order]],
        np.append(0, np.cumsum(np.bincount(block, size))).astype(np.int64),
        slot,
        first,
        np.searchsorted(layer // size.max(), np.arange(block.max() + 2)),
        layer_width.astype(np.uint64),
    )


class SparseSimilarities(NamedTuple):
    """Sparse points, at length 1 under cosine, with the largest similarity and that of each item with itself.

    ``twins`` maps a row to all rows equal to it, if there are others: they are as similar as each is to itself.
    """

    points: Any
    top: float
    self_similarity: FloatArray
    twins: dict[int, list[int]]

    def distances(self, start: int, stop: int) -> FloatArray:
        """Return the largest similarity minus the similarities of some rows with all rows."""
        products = np.empty((len(range(self.points.shape[0])[start:stop]), self.points.shape[0]))
        product_kernels.fill_sparse_products(_rows_of(self.points), _rows_of(self.points.tocsc()), start, products)
        for i in self.twins.keys() & range(start, stop):
            products[i - start, self.twins[i]] = self.self_similarity[i]
        distances: FloatArray = np.maximum(self.top - products, 0.0)
        return distances


def _rows_of(points: Any) -> Rows:
    """Return compressed rows, or compressed columns as rows."""
    return Rows(points.indptr, points.indices, points.data, int(min(points.shape)))


def sparse_similarities(points: Any, metric: str) -> SparseSimilarities:
    """Return sparse points prepared for dot products; zero vectors are refused under cosine."""
    if metric == "cosine":
        points = normalise_rows(points)
        return SparseSimilarities(points, 1.0, np.ones(points.shape[0]), _twins(points))
    length = _squared_lengths(points)
    return SparseSimilarities(points, float(length.max()), length, _twins(points))


def normalise_rows(points: Any) -> Any:
    """Return the rows of a sparse matrix (overwritten) normalised to length 1, refusing zero rows."""
    largest = row_kernels.largest_of_rows(points.indptr, points.data)
    check_no_zero_vectors(largest)
    row_kernels.scale_to_unit(points.indptr, points.data, np.frexp(largest)[1])
    return points


def _squared_lengths(points: Any) -> FloatArray:
    """Return the squared length of every row."""
    return np.asarray(points.multiply(points).sum(axis=1), dtype=np.float64).ravel()


def _twins(points: Any) -> dict[int, list[int]]:
    """Return all rows equal to each row that has duplicates; columns must be sorted, without zeros. O(nnz)."""
    alike: dict[tuple[bytes, bytes], list[int]] = {}
    for i, (start, stop) in enumerate(pairwise(points.indptr.tolist())):
        key = (points.indices[start:stop].tobytes(), points.data[start:stop].tobytes())
        alike.setdefault(key, []).append(i)
    return {i: rows for rows in alike.values() if len(rows) > 1 for i in rows}


def square_of_sparse(similar: SparseSimilarities, dtype: DTypeLike) -> NDArray[Any]:
    """Return the flat square matrix of distances of sparse points."""
    n = similar.points.shape[0]
    matrix = np.empty((n, n), dtype=dtype)
    for i in range(0, n, _BLOCK):
        matrix[i : i + _BLOCK] = similar.distances(i, i + _BLOCK)
    return matrix.ravel()


def square_of_metric(points: FloatArray, metric: str, dtype: DTypeLike) -> NDArray[Any]:
    """Return the flat square matrix of distances by one of SciPy's metrics."""
    distance = cross_distances(points, metric)
    n = points.shape[0]
    matrix = np.zeros((n, n), dtype=dtype)

    def work(blocks: IntArray) -> None:
        for b in blocks:
            i = int(b) * _BLOCK
            values = distance(i, min(i + _BLOCK, n), i)
            matrix[i : i + _BLOCK, i:] = values
            matrix[i:, i : i + _BLOCK] = values.T

    share_rows(work, balanced_order(-(-n // _BLOCK)), 2)
    np.fill_diagonal(matrix, 0.0)
    return matrix.ravel()


def scipy_options(points: FloatArray, metric: str) -> tuple[NDArray[Any], dict[str, Any]]:
    """Return points as one of SciPy's metrics takes them, and its options; points outside its domain are refused."""
    options: dict[str, Any] = {}
    if metric == "seuclidean":
        options["V"] = _positive_variance(points, metric)
    elif metric == "mahalanobis":
        points = np.ldexp(points, -np.frexp(np.sqrt(_positive_variance(points, metric)))[1])
        options["VI"] = _inverse_covariance(points)
    elif metric in BOOLEAN_METRICS:
        if not np.isin(points, (0.0, 1.0)).all():
            raise InvalidInputError(f"points must be 0 or 1 for {metric}; got other values")
        return points.astype(bool), options
    return points, options


def cross_distances(points: FloatArray, metric: str) -> Callable[[int, int, int], FloatArray]:
    """Return a function that computes the distances of rows start to stop from the rows from first on."""
    from scipy.spatial.distance import cdist

    given, options = scipy_options(points, metric)

    def distance(start: int, stop: int, first: int) -> FloatArray:
        with np.errstate(all="ignore"):
            values: FloatArray = cdist(given[start:stop], given[first:], metric, **options)
        bad = ~np.isfinite(values)
        np.einsum("ii->i", bad[:, start - first :][:, : stop - start])[:] = False
        if bad.any():
            i, j = np.unravel_index(int(np.argmax(bad)), bad.shape)
            raise InvalidInputError(
                f"{metric} must give finite distances; that of items {start + i} and {first + j} is {values[i, j]}"
            )
        positive: FloatArray = np.maximum(values, 0.0)
        return positive

    return distance


def _positive_variance(points: FloatArray, metric: str) -> FloatArray:
    """Return the variance of each column, refusing constant columns."""
    constant = points.max(axis=0) == points.min(axis=0)
    if constant.any():
        raise InvalidInputError(f"columns must vary for {metric}; column {int(np.argmax(constant))} is constant")
    variance: FloatArray = points.var(axis=0, ddof=1)
    return variance


def _inverse_covariance(points: FloatArray) -> FloatArray:
    """Return the inverse of the covariance of columns of like variance, refusing a singular one."""
    covariance = np.atleast_2d(np.cov(points.T))
    if np.linalg.matrix_rank(covariance) < covariance.shape[0]:
        raise InvalidInputError("columns must be linearly independent for mahalanobis; these are not")
    inverse: FloatArray = np.linalg.inv(covariance).astype(np.float64)
    return inverse
