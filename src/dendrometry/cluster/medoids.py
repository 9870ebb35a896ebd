"""Medoids: the item of each cluster that is nearest to all others, as its representative."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np

from dendrometry._check.choices import one_of
from dendrometry._check.labels import encode_in_order
from dendrometry._check.points import finite_points, is_sparse, points_of, prepare_points
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cluster.distances import normalise_rows
from dendrometry.errors import InvalidInputError

Metric = Literal["euclidean", "cosine"]
_BLOCK = 256


def medoids(X: Any, labels: Any, *, metric: Metric = "euclidean") -> IntArray:
    """Return the medoid of each cluster: the item with the least total distance to the items of its cluster.

    A medoid represents its cluster as a centroid does, but is one of the items: the medoid of sparse documents is as
    sparse as they are, whereas their centroid has the terms of all [1]_.

    Parameters
    ----------
    X : (n, d) array of float, or sparse matrix
        The points; sparse ones require ``metric="cosine"``.
    labels : (n,) array-like
        The cluster of each point, for example the labels of a cut; matched by index if both have one.
    metric : {"euclidean", "cosine"}
        The distance of two points; for cosine, 1 minus the cosine.

    Returns
    -------
    (n_clusters,) array of int
        The position of the medoid of each cluster, in ascending order of label. Of equal ones, the first.

    Raises
    ------
    InvalidInputError
        If the points are not finite, there is not one label for each, or a vector is zero under cosine.

    Notes
    -----
    Cosine: O(n d) time, or O(numbers stored) for sparse points, because the total similarity of an item is its product
    with the sum of the cluster. Euclidean: the square of the size of each cluster, times d.

    References
    ----------
    .. [1] C. D. Manning, P. Raghavan and H. Schütze, Introduction to Information Retrieval, section 17.8, 2008.
       doi:10.1017/CBO9780511809071

    Examples
    --------
    >>> from dendrometry.cluster import medoids
    >>> medoids([[0.0], [1.0], [5.0], [20.0], [21.0]], ["x", "x", "x", "y", "y"]).tolist()
    [1, 3]
    """
    one_of(metric, "metric", get_args(Metric))
    given = points_of(X)
    code = encode_in_order(X, labels, "given", "points and labels").code
    if code.size != given.shape[0]:
        raise InvalidInputError(f"there must be one label for each of {given.shape[0]:,} points; got {code.size:,}")
    if is_sparse(given) and metric != "cosine":
        raise InvalidInputError(f"metric must be cosine for sparse points; got {metric} (use toarray())")
    points = finite_points(given)
    points = normalise_rows(points) if is_sparse(points) else prepare_points(points, metric).points
    total = _total_cosine if metric == "cosine" else _total_distance
    clusters = np.split(np.argsort(code, kind="stable"), np.cumsum(np.bincount(code))[:-1])
    return np.array([members[np.argmin(total(points[members]))] for members in clusters], dtype=np.int64)


def _total_cosine(rows: Any) -> FloatArray:
    """Return minus the total cosine of each of some unit vectors with all of them; equal rows have equal totals."""
    if is_sparse(rows):
        summed = np.asarray(rows.sum(axis=0)).ravel()
        row = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
        total = np.bincount(row, weights=rows.data * summed[rows.indices], minlength=rows.shape[0])
    else:
        total = np.einsum("ij,j->i", rows, rows.sum(axis=0))
    return np.negative(total, dtype=np.float64)


def _total_distance(rows: FloatArray) -> FloatArray:
    """Return the total Euclidean distance of each of some points to all of them."""
    from scipy.spatial.distance import cdist

    starts = range(0, rows.shape[0], _BLOCK)
    return np.concatenate([cdist(rows[start : start + _BLOCK], rows).sum(axis=1) for start in starts])
