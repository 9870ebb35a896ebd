"""Principal direction divisive partitioning: a cluster is split across the direction of its largest variance."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from dendrometry._check.names import name_items
from dendrometry._check.points import points_of
from dendrometry._kernels.cluster import principal_direction as kernels
from dendrometry._kernels.cluster.bisect import fill_far_from_first, scatter_of_sides
from dendrometry._kernels.cluster.rows import Rows, fill_mean
from dendrometry._progress import bar
from dendrometry._typing import FloatArray
from dendrometry.cluster.divisive.division import Division, as_division
from dendrometry.cluster.divisive.options import Choice, Metric, check_metric, stop_rules
from dendrometry.cluster.divisive.points import ready_rows
from dendrometry.cluster.divisive.splitting import Parts, divide

_ALTERNATIVES = "Alternatives: fewer columns (a truncated SVD, or rarer words left out), or a sample of the items."
_VECTORS = 40  # stored at a time, before the search restarts from the best direction in their span
_RESTARTS = 25
_SETTLED = 1e-10  # the residual, relative to the greatest eigenvalue, at which a direction is accepted
_BETWEEN = 1e-12  # items whose projections are this much smaller than the largest one lie at the mean


def principal_direction(
    X: Any,
    *,
    metric: Metric = "euclidean",
    choose: Choice = "scatter",
    max_clusters: int | None = None,
    max_depth: int | None = None,
    leaf_size: int = 1,
    leaf_scatter: float = 0.0,
    item_names: Iterable[str] | None = None,
    progress: bool = False,
) -> Division:
    """Build a hierarchy from the top down, each cluster split at its mean across its principal direction (PDDP).

    The principal direction is the leading right singular vector of the cluster's rows minus their mean [1]_. The sign
    of its projection on this direction decides the part of each item. The method is not random.

    Parameters
    ----------
    X : (n, d) array of float or int, or sparse matrix
        The points, one row each. Sparse rows are never made dense, and never centred.
    metric, choose, max_clusters, max_depth, leaf_size, leaf_scatter
        As for `bisect`.
    item_names : sequence of str, optional
        The names of the items; by default "0", "1", and so on.
    progress : bool
        Whether to draw a progress bar on stderr.

    Returns
    -------
    Division
        ``hierarchy``, whose heights are the scatter of each node (the sum of the squared distances of its items from
        their mean), and ``report``.

    Raises
    ------
    InvalidInputError
        If points are not finite (the message names row and column), a row is zero under cosine, an option is out of
        range, or memory does not suffice (the message names the amount).

    Notes
    -----
    Equal items share one leaf, at height 0. An item at the mean (a projection below 1e-12 of the largest) is a tie:
    it goes to the part of the first item that is not at the mean, and is counted. If two directions have the same
    variance, the order of the items decides which is used. Items that differ by no more than the rounding error of
    their mean are split by their distance from the first, which is counted as unsettled. The same input gives the same
    bits for any number of threads.

    The direction is computed by Lanczos steps on the rows' scatter matrix, which is never formed: O(entries) time for
    each of about ten to forty steps, and O(entries + 40 d) memory, where entries are the numbers stored.

    References
    ----------
    .. [1] D. Boley, "Principal direction divisive partitioning", Data Mining and Knowledge Discovery 2, 325-344, 1998.
       doi:10.1023/A:1009740529316

    Examples
    --------
    >>> from dendrometry import cut_count
    >>> from dendrometry.cluster import principal_direction
    >>> built = principal_direction([[0, 0], [2, 1], [8, 3], [10, 5]], item_names=["ape", "bat", "cat", "dog"])
    >>> built
    Division(Hierarchy(4 items 'ape' to 'dog', 7 nodes, heights 0 to 82.75),
      principal_direction on euclidean, 4 leaves, 0 ties)
    >>> cut_count(built.hierarchy, 2).clusters
    [['ape', 'bat'], ['cat', 'dog']]
    """
    check_metric(metric)
    points = points_of(X)
    n, d = points.shape
    stop = stop_rules(choose, max_clusters, max_depth, leaf_size, leaf_scatter, n)
    names = name_items(X, item_names, n)
    ready = ready_rows(points, metric, "principal direction", _ALTERNATIVES, 8 * _VECTORS * d)
    stop = stop.scale(-ready.exponent)
    with bar("splitting", min(n, stop.max_clusters) - 1, progress) as advance:
        splits = divide(ready.rows, lambda cluster, _rng: _split(cluster.rows), stop, 0, advance)
    return as_division(splits, names, ready, "principal_direction", metric)


def _split(rows: Rows) -> Parts | None:
    """Return the rows on either side of their mean along the direction of largest variance."""
    m = rows.start.size - 1
    mean = np.empty(rows.n_columns)
    fill_mean(rows, np.zeros(m, dtype=bool), False, mean)
    projection = np.empty(m)
    direction, rounds, settled = _leading_direction(rows, mean)
    kernels.fill_projection(rows, mean, direction, projection)
    off = np.abs(projection) > _BETWEEN * np.abs(projection).max()
    below = projection[int(np.argmax(off))] > 0.0
    side = off & ((projection > 0.0) != below)
    if not side.any():
        return _split_by_first(rows)
    return Parts(side, scatter_of_sides(rows, side), int(m - off.sum()), rounds, settled)


def _split_by_first(rows: Rows) -> Parts | None:
    """Return the rows near the first one and those far from it, if no mean lies between; None if all are equal."""
    side = np.empty(rows.start.size - 1, dtype=bool)
    n_far = fill_far_from_first(rows, side)
    return Parts(side, scatter_of_sides(rows, side), 0, 0, False) if n_far else None


def _leading_direction(rows: Rows, mean: FloatArray) -> tuple[FloatArray, int, bool]:
    """Return the leading right singular vector of the rows minus their mean, the products, and whether it converged.

    Lanczos steps with full orthogonalisation, starting from a sum of the rows with fixed weights; 0 if all rows are
    equal.
    """
    m = rows.start.size - 1
    start = kernels.apply_scatter(rows, mean, np.random.default_rng(0).standard_normal(m))
    products = 0
    for _ in range(_RESTARTS):
        start, made, settled = _lanczos(rows, mean, start)
        products += made
        if settled:
            break
    return start, products, settled


def _lanczos(rows: Rows, mean: FloatArray, start: FloatArray) -> tuple[FloatArray, int, bool]:
    """Return the best direction in the Krylov space of a start, the number of products, and whether it converged."""
    room = min(_VECTORS, rows.n_columns, rows.start.size - 1)
    basis = np.empty((room, rows.n_columns))
    projection = np.empty(rows.start.size - 1)
    diagonal, beside = np.zeros(room), np.zeros(room)
    vector = start.copy()
    length = kernels.orthogonalise(basis, 0, vector)
    if length == 0.0:
        return np.zeros(rows.n_columns), 0, True
    for j in range(room):
        basis[j] = vector / length
        kernels.fill_projection(rows, mean, basis[j], projection)
        vector = kernels.apply_scatter(rows, mean, projection)
        diagonal[j] = float(np.cumsum(projection * projection)[-1])
        length = kernels.orthogonalise(basis, j + 1, vector)
        beside[j] = length
        if j % 4 == 3 or j == room - 1 or length <= _SETTLED * diagonal[0]:
            inner = np.diag(diagonal[: j + 1]) + np.diag(beside[:j], 1) + np.diag(beside[:j], -1)
            values, vectors = np.linalg.eigh(inner)
            settled = length * abs(vectors[-1, -1]) <= _SETTLED * values[-1]
            if settled or j == room - 1:
                break
    best = np.zeros(rows.n_columns)
    for weight, row in zip(vectors[:, -1].tolist(), basis, strict=False):
        best += weight * row
    return best, j + 1, bool(settled)
