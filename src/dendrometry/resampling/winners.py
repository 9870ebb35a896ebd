"""Ranks in each condition, and how often the sets of winners of two conditions differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dendrometry._typing import BoolArray, FloatArray, IntArray

_ROUNDING = 1e-12  # scores with a smaller relative difference are tied


class Changes(NamedTuple):
    """The sum of changes over pairs of conditions, and the number of pairs."""

    total: float
    n_pairs: int

    @property
    def mean(self) -> float | None:
        """The mean change; None without pairs."""
        return self.total / self.n_pairs if self.n_pairs else None

    def without(self, other: Changes) -> Changes:
        """Return the changes of the pairs that are not among others; rounding leaves no sum below 0."""
        return Changes(max(self.total - other.total, 0.0), self.n_pairs - other.n_pairs)


def ranks_of(scores: FloatArray) -> FloatArray:
    """Return the rank of each column in each row, 1 for the highest score; tied ones share the mean of their ranks."""
    order = np.argsort(-scores, axis=1, kind="stable")
    ordered = np.take_along_axis(scores, order, axis=1)
    scale = np.maximum(np.abs(ordered[:, :-1]), np.abs(ordered[:, 1:]))
    apart = ordered[:, :-1] / 2 - ordered[:, 1:] / 2 > _ROUNDING / 2 * scale  # halves, which cannot overflow
    n, k = scores.shape
    first = np.hstack([np.ones((n, 1), dtype=bool), apart])
    run = np.cumsum(first.ravel()) - 1  # one number for each run of tied scores
    place = np.tile(np.arange(1.0, k + 1), n)
    mean = np.bincount(run, place) / np.bincount(run)
    rank = np.empty((n, k))
    np.put_along_axis(rank, order, mean[run].reshape(n, k), axis=1)
    return rank


def combine_codes(codes: Sequence[IntArray], n: int) -> IntArray:
    """Return one number for each combination of codes."""
    if not codes:
        return np.zeros(n, dtype=np.int64)
    found: IntArray = np.unique(np.column_stack(codes), axis=0, return_inverse=True)[1].reshape(n)
    return found


def changes_within(is_winner: BoolArray, group: IntArray) -> Changes:
    """Return the changes of the winners between any two conditions of the same group.

    The change is the Jaccard distance of the two sets of winners. Equal sets are counted together: O(n s + s^2 m) for s
    different sets.
    """
    sets, which = np.unique(is_winner, axis=0, return_inverse=True)
    number = sets.astype(np.int64)
    common = number @ number.T
    size = number.sum(axis=1)
    distance = 1.0 - common / (size[:, None] + size[None, :] - common)
    count = np.zeros((int(group.max()) + 1, len(sets)))
    np.add.at(count, (group, which.reshape(-1)), 1.0)
    n_in_group = np.bincount(group)
    return Changes(float(((count @ distance) * count).sum()) / 2, int((n_in_group * (n_in_group - 1) // 2).sum()))
