"""Sums of squares of the clusters of a tree that have fallen to 0, though the points are not equal."""

from __future__ import annotations

from typing import Any

import numpy as np

from dendrometry._check.points import is_sparse
from dendrometry._display import printable
from dendrometry._typing import FloatArray
from dendrometry.errors import InvalidInputError
from dendrometry.hierarchy import Hierarchy

_TINY = np.finfo(np.float64).tiny


def require_squares(tree: Hierarchy, points: Any, scatter: FloatArray) -> None:
    """Refuse a cluster of different points whose sum of squares underflows; those of equal points are 0.

    ``points`` are those that the sums were computed from, dense or sparse, scaled to coordinates of at most about 1.
    Points that differ by more than the root of the least float, and only by rounding of their mean, are accepted.
    """
    low, size = tree.order.item_low, tree.sizes
    fallen = np.flatnonzero((scatter < _TINY) & (size > 1))
    if not fallen.size:
        return
    item = tree.order.item
    apart = abs(points[item[1:]] - points[item[:-1]])
    gap = apart.max(axis=1).toarray().ravel() if is_sparse(points) else apart.max(axis=1)
    is_lost = (gap > 0.0) & (gap < np.sqrt(_TINY))
    reached = np.append(0, np.cumsum(is_lost))
    wrong = fallen[reached[low[fallen] + size[fallen] - 1] > reached[low[fallen]]]
    if wrong.size:
        at = low[wrong[0]] + int(np.argmax(is_lost[low[wrong[0]] :]))
        first, second = (f"'{printable(tree.items[item[i]])}'" for i in (at, at + 1))
        raise InvalidInputError(
            f"distances above 0 must stay above 0; that of items {first} and {second} underflows when it is squared,"
            " beside much larger coordinates: make them equal, or take the nearer points alone"
        )
