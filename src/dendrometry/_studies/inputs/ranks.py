"""Ranks of methods over tables, with ties, and the differences that chance would not make (Demsar 2006)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.stats import chi2, f, rankdata, studentized_range

from dendrometry._typing import BoolArray, FloatArray


class Ranks(NamedTuple):
    """Mean ranks of k methods over N tables, 1 for the best, and the tests of Friedman and Nemenyi.

    ``statistic`` is that of Friedman, corrected for ties, ``p_value`` that of Iman and Davenport, and ``critical`` the
    difference of two mean ranks that Nemenyi's test calls significant at the level of 5 % for all pairs together.
    """

    mean: FloatArray
    n_tables: int
    statistic: float
    p_value: float
    critical: float

    @property
    def differs(self) -> BoolArray:
        """For each pair of methods, whether their mean ranks differ by the critical difference or more."""
        gap: BoolArray = np.abs(self.mean[:, None] - self.mean[None, :]) >= self.critical
        return gap

    @property
    def groups(self) -> list[list[int]]:
        """The largest groups of methods of which no two differ, best first: the bars of a diagram."""
        order = np.argsort(self.mean, kind="stable").tolist()
        found: list[list[int]] = []
        for at, first in enumerate(order):
            group = [method for method in order[at:] if not self.differs[first, method]]
            if len(group) > 1 and not any(set(group) <= set(other) for other in found):
                found.append(group)
        return found


def ranks_of(values: FloatArray) -> Ranks:
    """Return the ranks of methods (columns) over tables (rows), where higher values are better and equal ones tie.

    Examples
    --------
    >>> import numpy as np
    >>> from dendrometry._studies.inputs.ranks import ranks_of
    >>> found = ranks_of(np.array([[0.9, 0.5, 0.1], [0.8, 0.8, 0.2], [0.7, 0.6, 0.3], [0.9, 0.4, 0.1]]))
    >>> found.mean.tolist()
    [1.125, 1.875, 3.0]
    >>> found.groups
    [[0, 1], [1, 2]]
    """
    rank = rankdata(-values, axis=1)
    n, k = rank.shape
    mean: FloatArray = rank.mean(axis=0)
    spread = float(((rank - (k + 1) / 2) ** 2).sum())  # smaller with ties
    if spread == 0.0:
        statistic, p_value = 0.0, 1.0
    else:
        statistic = (k - 1) * float(((rank.sum(axis=0) - n * (k + 1) / 2) ** 2).sum()) / spread
        p_value = _iman_davenport(statistic, n, k)
    level = float(studentized_range.ppf(0.95, k, np.inf)) / np.sqrt(2.0)
    return Ranks(mean, n, statistic, p_value, level * float(np.sqrt(k * (k + 1) / (6 * n))))


def _iman_davenport(statistic: float, n: int, k: int) -> float:
    """Return the p-value of Friedman's statistic by the F distribution, which is less conservative than chi-square."""
    left = n * (k - 1) - statistic
    if n < 2 or left <= 0.0:
        return float(chi2.sf(statistic, k - 1))
    return float(f.sf((n - 1) * statistic / left, k - 1, (k - 1) * (n - 1)))
