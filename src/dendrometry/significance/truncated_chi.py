"""Tail probabilities of a chi distribution that is truncated to intervals, however far out these lie."""

from __future__ import annotations

import numpy as np

from dendrometry._typing import FloatArray


def share_beyond(x: float, intervals: FloatArray, d: int) -> float:
    """Return the probability that a chi variable of d degrees of freedom is at least x, given that it is in intervals.

    Computed from logarithms: far out, where both probabilities vanish, their ratio is still exact.
    """
    beyond = np.maximum(intervals, x)
    whole, part = _log_mass(intervals, d), _log_mass(beyond[beyond[:, 1] > beyond[:, 0]], d)
    return float(np.clip(np.exp(part - whole), 0.0, 1.0))


def _log_mass(intervals: FloatArray, d: int) -> float:
    """Return the log of the probability that a chi variable is in any of some intervals; they do not overlap."""
    from scipy.special import gammainc, logsumexp

    if not len(intervals):
        return -np.inf
    low, high = 0.5 * intervals.T**2
    above = _log_upper(np.stack([low, high]), 0.5 * d)
    with np.errstate(divide="ignore", invalid="ignore"):
        tail = above[0] + np.log1p(-np.exp(above[1] - above[0]))
        body = np.log(gammainc(0.5 * d, high) - gammainc(0.5 * d, low))
    return float(logsumexp(np.where(low < 0.5 * d, body, tail)))


def _log_upper(y: FloatArray, a: float) -> FloatArray:
    """Return the log of the regularised upper incomplete gamma function of y; by its continued fraction far out."""
    from scipy.special import gammaincc, gammaln

    with np.errstate(divide="ignore"):
        near: FloatArray = np.log(gammaincc(a, y))
    far = np.isfinite(y) & (y > a + 500.0)
    if far.any():
        z = y[far]
        fraction = z + 2.0 * 60 + 1.0 - a
        for k in range(60, 0, -1):
            fraction = z + 2.0 * k - 1.0 - a - k * (k - a) / fraction
        near[far] = a * np.log(z) - z - gammaln(a) - np.log(fraction)
    return near
