"""Points for the divisive algorithms: rows in one form, sparse or dense, scaled and checked."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from dendrometry._check.points import finite_points, is_sparse, points_of, prepare_points, scale_by, scale_of
from dendrometry._kernels.cluster.rows import Rows
from dendrometry._memory import require_memory
from dendrometry.cluster.distances import normalise_rows


class Ready(NamedTuple):
    """Rows in one form; squared distances in the user's units are theirs times ``2 ** exponent``."""

    rows: Rows
    exponent: int
    memory: int


def n_entries(points: Any) -> int:
    """Return the number of values in the rows: the stored ones of sparse points, all of dense points."""
    return int(points.nnz) if is_sparse(points) else int(points.size)


def rows_bytes(n_items: int, entries: int, d: int) -> int:
    """Return the bytes that rows take while they are split: three copies, and their values once more in 16 bits.

    And what is kept of each item and column.
    """
    return entries * (3 * (8 + 4) + 2) + 300 * n_items + 200 * d


def ready_rows(X: Any, metric: str, what: str, alternatives: str, beside: int = 0) -> Ready:
    """Return points as rows, of length 1 under cosine, refusing those that, with ``beside`` bytes, exceed memory."""
    points = points_of(X)
    n, d = points.shape
    needed = rows_bytes(n, n_entries(points), d) + beside
    require_memory(needed, f"{what} of {n:,} items", alternatives)
    checked = finite_points(points)
    if is_sparse(points):
        return Ready(*_sparse_rows(checked, metric), needed)
    ready = prepare_points(checked, "cosine" if metric == "cosine" else "sqeuclidean")
    rows = Rows(
        np.arange(0, n * d + 1, d, dtype=np.int64), np.tile(np.arange(d, dtype=np.uint32), n), ready.points.ravel(), d
    )
    return Ready(rows, ready.exponent, needed)


def _sparse_rows(points: Any, metric: str) -> tuple[Rows, int]:
    """Return checked sparse points as rows, and the exponent of their squares."""
    exponent = 0
    if metric == "cosine":
        points = normalise_rows(points)
    else:
        exponent = scale_of(points.data)
        points.data = scale_by(points.data, -exponent)
    column = points.indices.astype(np.uint32)
    return Rows(points.indptr.astype(np.int64), column, points.data, points.shape[1]), 2 * exponent
