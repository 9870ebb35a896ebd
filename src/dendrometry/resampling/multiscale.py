"""Approximately unbiased probabilities of clusters, from bootstrap probabilities at several scales."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dendrometry._typing import FloatArray

_LEAST = 0.001  # shares nearer to 0 or 1 have no finite probit worth fitting
_FEWEST = 3  # scales


class Multiscale(NamedTuple):
    """Probabilities at scale 1 from a fit over all scales, each with its standard error."""

    au: FloatArray
    au_error: FloatArray
    bp: FloatArray
    bp_error: FloatArray


def fit_multiscale(share: FloatArray, scale: FloatArray, n_replicates: FloatArray) -> Multiscale:
    """Return the approximately unbiased probability of each cluster, and its fitted bootstrap probability.

    ``share[s, c]`` is the share of the replicates at scale s that have cluster c. Its probit z = -Phi^-1(share) is
    fitted by ``v sqrt(scale) + c / sqrt(scale)``, weighted by the inverse of its variance; then
    AU = Phi(-(v - c)) and BP = Phi(-(v + c)). Shares of at most 0.001 or at least 0.999 are left out. If fewer than
    three scales are left, both are 0 or 1, whichever is nearer to the mean share, as in pvclust 2.2.

    Shimodaira, "Approximately unbiased tests of regions using multistep-multiscale bootstrap resampling", Annals of
    Statistics 32 (2004), doi:10.1214/009053604000000823.
    """
    from scipy.special import ndtr, ndtri

    used = (share > _LEAST) & (share < 1.0 - _LEAST)
    z = -ndtri(np.where(used, share, 0.5))
    weight = np.where(used, _density(z) ** 2 * n_replicates[:, None] / (share * (1.0 - share) + ~used), 0.0)
    x, y = np.sqrt(scale)[:, None], 1.0 / np.sqrt(scale)[:, None]
    xx, xy, yy = ((weight * product).sum(axis=0) for product in (x * x, x * y, y * y))
    xz, yz = (weight * x * z).sum(axis=0), (weight * y * z).sum(axis=0)
    enough = used.sum(axis=0) >= _FEWEST
    determinant = np.where(enough, xx * yy - xy * xy, 1.0)
    v, c = (yy * xz - xy * yz) / determinant, (xx * yz - xy * xz) / determinant
    flat = np.where(share.mean(axis=0) < 0.5, 0.0, 1.0)
    columns = []
    for sign in (-1.0, 1.0):
        at = v + sign * c
        variance = np.maximum((yy - 2.0 * sign * xy + xx) / determinant, 0.0)
        columns += [np.where(enough, ndtr(-at), flat), np.where(enough, _density(at) * np.sqrt(variance), 0.0)]
    return Multiscale(*columns)


def _density(z: FloatArray) -> FloatArray:
    """Return the density of the normal distribution."""
    density: FloatArray = np.exp(-0.5 * z * z) / np.sqrt(2.0 * np.pi)
    return density
