"""The expected largest overlap of the clusters of a partition, over all relabellings of the items.

The items of a cluster are drawn without replacement from the classes. So the overlaps are independent binomials, one
for each class, given that they sum to the size of the cluster (B. Levin, "On calculations involving the maximum cell
frequency", Communications in Statistics - Theory and Methods 12 (1983) 1299-1327): the probability that none exceeds m
is that of this sum for binomials that end at m, divided by the same for whole ones.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dendrometry._exact import total
from dendrometry._typing import FloatArray, IntArray

_MOST_STEPS = 60_000_000  # about a second
_NOTHING = 1e-18  # overlaps that are rarer than this, compared with the most frequent one, are left out
_FEW = 32  # frequencies taken at a time; most often one or two times are enough
_OVERHEAD = 500  # steps that a pair of sizes takes at least


def expected_largest(classes: IntArray, clusters: IntArray, n_items: int) -> float | None:
    """Return the mean, over all relabellings, of the sum over the clusters of their largest overlap with a class.

    ``classes`` and ``clusters`` are the sizes of all classes and of all clusters. None if that would take too long.
    Exact where every relabelling gives the same sum.
    """
    (size, n_alike), (drawn, times) = (np.unique(sizes, return_counts=True) for sizes in (classes, clusters))
    fixed = (drawn == 1) | (drawn == n_items) | (size[-1] == 1) | (classes.size == 1)
    certain = np.minimum(drawn, size[-1])
    open_sizes = drawn[~fixed]
    if _count_steps(size, n_alike, open_sizes) > _MOST_STEPS:
        return None
    mean = certain.astype(np.float64)
    mean[~fixed] = [_mean_largest(size, n_alike, t, n_items) for t in open_sizes.tolist()]
    return total(times * mean)


def _count_steps(size: IntArray, n_alike: IntArray, drawn: IntArray) -> float:
    """Return about how many steps the expectation takes: the overlaps that matter of all sizes, for each frequency.

    The more classes, the faster the terms of the frequencies decrease.
    """
    if size.size * drawn.size * _OVERHEAD > _MOST_STEPS:
        return float(size.size) * drawn.size * _OVERHEAD
    n_classes, n_items = int(n_alike.sum()), int(size @ n_alike)
    n_needed = 2.0 * _FEW + 0.57 * math.sqrt(n_classes) * 10.0 ** (18.0 / n_classes)
    steps = 0.0
    for t in drawn.tolist():
        p = t / n_items
        width = np.minimum(18.0 * np.sqrt(size * p * (1.0 - p)) + 20.0, size)
        steps += float((min(n_needed, _half(t, n_items)) * (width + width.max()) + _OVERHEAD).sum())
    return steps


def _half(t: int, n_items: int) -> int:
    """Return half the number of frequencies: sums that differ from t by twice as much are too rare to matter."""
    return min(math.ceil(4.5 * math.sqrt(t * (1.0 - t / n_items))) + 15, (n_items + 1) // 2)


def _mean_largest(size: IntArray, n_alike: IntArray, t: int, n_items: int) -> float:
    """Return the mean of the largest overlap of a cluster of t random items with a class."""
    binomials = [_binomial(s, t / n_items, t) for s in size.tolist()]
    least = max(low for low, _ in binomials)
    most = max(low + chance.size - 1 for low, chance in binomials)
    m = np.arange(least, most + 1)
    half, found = _half(t, n_items), np.zeros(m.size)
    for start in range(0, half + 1, _FEW):
        step = np.arange(start, min(start + _FEW, half + 1), dtype=np.float64)
        term = _transform(binomials, n_alike, m, 2.0 * math.pi / (2 * half + 1) * step, t)
        found += (term * np.where(step == 0.0, 0.5, 1.0)).sum(axis=1)
        if np.abs(term).max() < _NOTHING:
            break
    return float(most - (found[:-1] / found[-1]).sum())


def _binomial(size: int, p: float, most: int) -> tuple[int, FloatArray]:
    """Return the probabilities of a binomial number, up to a most and where they are not too small, and the first."""
    mode = min(int((size + 1) * p), size, most)
    reach = math.ceil(9.0 * math.sqrt(size * p * (1.0 - p))) + 40
    up = np.arange(mode, min(mode + reach, size, most))
    down = np.arange(mode, max(mode - reach, 0), -1)
    odds = p / (1.0 - p)
    above = np.cumprod((size - up) / (up + 1) * odds)
    below = np.cumprod(down / (size - down + 1) / odds)
    chance = np.concatenate((below[::-1], [1.0], above))
    kept = np.flatnonzero(chance > _NOTHING)
    chance = chance[kept[0] : kept[-1] + 1]
    return mode - below.size + int(kept[0]), chance / chance.sum()


def _transform(
    binomials: list[tuple[int, FloatArray]], n_alike: IntArray, m: IntArray, angle: FloatArray, t: int
) -> FloatArray:
    """Return the terms, for each m and each frequency, whose sum is the chance that binomials up to m sum to t.

    The terms of a frequency are those of the characteristic function, turned back by t; the imaginary parts cancel.
    """
    longest = max(chance.size for _, chance in binomials)
    turns: NDArray[np.complex128] = np.exp(1j * np.arange(longest)[:, np.newaxis] * angle)
    shift = -t
    product = np.ones((m.size, angle.size), dtype=np.complex128)
    for (low, chance), times in zip(binomials, n_alike.tolist(), strict=True):
        sums = np.cumsum(chance[:, np.newaxis] * turns[: chance.size], axis=0)
        product *= sums[np.minimum(m - low, chance.size - 1)] ** times
        shift += low * times
    term: FloatArray = (product * np.exp(1j * shift * angle)).real
    return term
