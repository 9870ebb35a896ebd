"""The mean information of overlaps of random clusters, for every pair of sizes."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._typing import FloatArray, IntArray

LARGE = 2048.0  # mean overlaps from here on are taken from their moments, whose error is below 1e-10 of the value
_SMALL = 256  # smaller clusters are looked up where they come again and again
_NOTHING = 1e-18  # overlaps that are rarer than this, compared with the most frequent one, are left out


class Sizes(NamedTuple):
    """Distinct sizes of the clusters of a partition, their logarithms, and how many clusters have each size."""

    size: IntArray
    log: FloatArray
    times: FloatArray


class Changes(NamedTuple):
    """For each depth of a tree, sizes of clusters, and how many more clusters of each size there are one step deeper.

    Those of depth l are ``size[start[l]:start[l + 1]]``; ``log`` are their logarithms.
    """

    start: IntArray
    size: IntArray
    log: FloatArray
    more: FloatArray


@njit
def _by_sum(n: int, s: int, t: int, log_mean: float, log: FloatArray) -> float:
    """Return the mean of m log(m/u) - m + u over the hypergeometric overlap m with mean u, from the most frequent m.

    The probability of every m follows from that of its neighbour; ``log`` holds the logarithm of every m that matters.
    """
    mean, rest = float(s) * float(t) / n, n - s - t
    mode = min(max(int((s + 1.0) * (t + 1.0) / (n + 2.0)), max(0, -rest)), min(s, t))
    value = mode * (log[mode] - log_mean) - mode + mean
    weights, values = 1.0, value
    weight, m = 1.0, mode
    while m < s and m < t:
        weight *= float(s - m) * float(t - m) / (float(m + 1) * float(rest + m + 1))
        m += 1
        if weight < _NOTHING:
            break
        weights += weight
        values += weight * (m * (log[m] - log_mean) - m + mean)
    weight, m = 1.0, mode
    while m > 0 and rest + m > 0:
        weight *= float(m) * float(rest + m) / (float(s - m + 1) * float(t - m + 1))
        m -= 1
        if weight < _NOTHING:
            break
        weights += weight
        values += weight * (m * (log[m] - log_mean) - m + mean)
    average: float = values / weights
    return average


@njit
def _by_moments(n: int, s: int, t: int) -> float:
    """Return the mean of m log(m/u) - m + u for a large mean u, from its series in m - u and the moments of m."""
    whole = float(n)
    p, q = s / whole, t / whole
    p_not, q_not = (n - s) / whole, (n - t) / whole
    mean = float(s) * float(t) / whole
    variance = mean * (p_not * q_not) * whole / (whole - 1.0)
    third = variance * ((p_not - p) * (q_not - q)) * whole / (whole - 2.0)
    p_both, q_both = p * p_not, q * q_not
    fourth = variance * (1.0 - 6.0 * (p_both + q_both) + 30.0 * (p_both * q_both))  # cumulant
    x = variance / mean
    y = third / mean
    return (
        x / 2.0
        - y / (6.0 * mean)
        + (3.0 * x * x + fourth / (mean * mean)) / (12.0 * mean)
        - x * y / (2.0 * mean * mean)
        + x * x * x / (2.0 * mean * mean)
    )


@njit
def expected_sums(n: int, a: Sizes, b: Sizes, log: FloatArray) -> FloatArray:
    """Return, for a cluster of each size of a, n times its mean share in the mutual information with all of b.

    One step for every overlap that matters of every pair of sizes. ``log`` holds the logarithms of 1, 1, 2, 3, ... and
    last that of n.
    """
    log_n = log[log.size - 1]
    sums = np.zeros(a.size.size)
    for i in range(a.size.size):
        if stopped():
            break
        s = a.size[i]
        for j in range(b.size.size):
            t = b.size[j]
            if float(s) * float(t) / n < LARGE:
                sums[i] += b.times[j] * _by_sum(n, s, t, a.log[i] + b.log[j] - log_n, log)
            else:
                sums[i] += b.times[j] * _by_moments(n, s, t)
    return sums


@njit
def expected_rise(n: int, a: Changes, b: Changes, log: FloatArray) -> float:
    """Return n times by how much the mean mutual information rises from each depth to the next in both trees, summed.

    One step for every overlap that matters of every pair of sizes at the same depth. ``log`` is as in `expected_sums`.
    Overlaps of small clusters are looked up.
    """
    log_n = log[log.size - 1]
    known = np.full((_SMALL, _SMALL), -1.0)
    rise = 0.0
    for level in range(a.start.size - 1):
        if stopped():
            break
        for i in range(a.start[level], a.start[level + 1]):
            s = a.size[i]
            for j in range(b.start[level], b.start[level + 1]):
                t = b.size[j]
                if s < _SMALL and t < _SMALL:
                    if known[s, t] < 0.0:
                        known[s, t] = _by_sum(n, s, t, a.log[i] + b.log[j] - log_n, log)
                    mean = known[s, t]
                elif float(s) * float(t) / n < LARGE:
                    mean = _by_sum(n, s, t, a.log[i] + b.log[j] - log_n, log)
                else:
                    mean = _by_moments(n, s, t)
                rise += a.more[i] * b.more[j] * mean
    return rise
