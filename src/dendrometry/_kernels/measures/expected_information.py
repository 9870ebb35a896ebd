"""The mean information of overlaps of random clusters, for every pair of sizes."""

import math
from typing import NamedTuple

import numpy as np

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._typing import FloatArray, IntArray

LARGE = 2048.0  # mean overlaps from here on are taken from their moments, whose error is below 1e-10 of the value
_NOTHING = 1e-18  # overlaps that are rarer than this, compared with the most frequent one, are left out

RARE = 2.0  # up to this mean, the overlaps of a cluster with all smaller ones of the other side are taken together
_N_MOMENTS = 24  # of overlaps of this mean; what the others would add is below 1e-17
_PER_MOMENT = np.array(  # m log m is the sum over k of this times m (m - 1) ... (m - k + 1): Newton's series
    [
        math.fsum((-1) ** (k - m) * math.comb(k, m) * m * math.log(m) for m in range(1, k + 1)) / math.factorial(k)
        for k in range(_N_MOMENTS + 1)
    ]
)


class Sizes(NamedTuple):
    """Sizes of the clusters of one or more levels, their logarithms, and how many clusters have each size.

    Those of level l are ``size[start[l]:start[l + 1]]``, and ascend.
    """

    start: IntArray
    size: IntArray
    log: FloatArray
    times: FloatArray


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
def _one_by_one(n: int, s: int, log_share: float, b: Sizes, first: int, end: int, log: FloatArray) -> float:
    """Return n times the mean share of a cluster with some sizes of b; ``log_share`` is the logarithm of s / n."""
    total = 0.0
    for j in range(first, end):
        t = b.size[j]
        if float(s) * float(t) / n < LARGE:
            total += b.times[j] * _by_sum(n, s, t, log_share + b.log[j], log)
        else:
            total += b.times[j] * _by_moments(n, s, t)
    return total


@njit
def expected_sums(n: int, a: Sizes, b: Sizes, log: FloatArray) -> FloatArray:
    """Return, for a cluster of each size of a, n times its mean share in the mutual information with its level of b.

    The mean of m (m - 1) ... (m - k + 1) over the hypergeometric overlap m of clusters of sizes s and t is a product of
    a factor of s, one of t and one of n. So those of all t up to ``RARE`` n / s need one sum for each k, which grows as
    s falls. The other pairs take one step for each overlap that matters, or one if it is large. ``log`` holds the
    logarithms of 1, 1, 2, 3, ... and last that of n.
    """
    log_n = log[log.size - 1]
    sums = np.zeros(a.size.size)
    root = 1.0 / np.sqrt(np.maximum(n - np.arange(_N_MOMENTS), 1))
    moments = np.empty(_N_MOMENTS + 1)
    for level in range(a.start.size - 1):
        moments[:] = 0.0
        held = held_logs = 0.0
        larger = b.start[level]
        for i in range(a.start[level + 1] - 1, a.start[level] - 1, -1):
            if stopped():
                break
            s = a.size[i]
            while larger < b.start[level + 1] and float(s) * float(b.size[larger]) <= RARE * n:
                t, factor = b.size[larger], b.times[larger]
                held += factor * t
                held_logs += factor * t * b.log[larger]
                for k in range(min(t, _N_MOMENTS)):
                    factor *= float(t - k) * root[k]
                    moments[k + 1] += factor
                larger += 1
            total = -((a.log[i] - log_n) * held + held_logs) * s / n
            factor = 1.0
            for k in range(min(s, _N_MOMENTS)):
                factor *= float(s - k) * root[k]
                total += _PER_MOMENT[k + 1] * factor * moments[k + 1]
            sums[i] = total + _one_by_one(n, s, a.log[i] - log_n, b, larger, b.start[level + 1], log)
    return sums
