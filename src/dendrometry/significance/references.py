"""Sets of points that are one group, with which a split is compared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from dendrometry._typing import FloatArray

SplitReference = Literal["cautious", "unimodal", "normal", "permuted", "counts"]

REFERENCES: dict[str, tuple[str, ...]] = {
    "cautious": ("unimodal", "normal", "uniform"),
    "unimodal": ("unimodal", "uniform"),
    "normal": ("normal",),
    "permuted": ("permuted",),
    "counts": ("unimodal", "negative_binomial", "uniform"),
}
NULLS = {
    "unimodal": "data of any shape whose density has no valley between the sides",
    "normal": "normal data of the same mean and shrunken covariance",
    "permuted": "the data with each column permuted within the group",
    "negative_binomial": "negative binomial counts of independent columns with the same sums of rows, means and"
    " dispersions",
    "uniform": "boxes of even density with the deviations of the group",
}
_MEASURED = (
    ", as measured for normal, t(2) and exponential sets, ellipses, squares, balls, rings, bent bands and thin bars of"
    " even density"
)
HELD = {
    "cautious": _MEASURED,
    "unimodal": _MEASURED,
    "counts": ", as measured for simulated counts of one kind of cell",
}
WORDS = {
    "unimodal": "The depth of the valley of density between the sides, of k neighbours in the three leading principal"
    " axes, k the square root of the size of the group, was compared with the deepest valley of as many random points"
    " on a line.",
    "uniform": "The depth of the valley was compared with that of boxes of even density, with the deviations of the"
    " group on these axes, clustered by {linkage} linkage.",
    "normal": "The variance between the sides was compared with that of sets of normal data with the mean and the"
    " shrunken covariance of the group, clustered by {linkage} linkage on {metric}.",
    "permuted": "The variance between the sides was compared with that of sets in which each column was permuted within"
    " the group, clustered by {linkage} linkage on {metric}.",
    "negative_binomial": "The variance between the sides, of the logarithms of 1 + counts, each row scaled to the same"
    " sum, was compared with that of sets of negative binomial counts with the sums of the rows and the means and"
    " dispersions of the columns within the group, clustered by {linkage} linkage on {metric}.",
}
Draw = Callable[[np.random.Generator], FloatArray]
_POISSON = 1e-6  # a dispersion too small to be seen


def normal_draws(points: FloatArray) -> Draw:
    """Return a function that draws as many normal points, with the mean and the shrunken covariance of some points.

    The covariance is that of Ledoit and Wolf: the sample covariance, drawn towards a multiple of the identity as far as
    its error asks for.
    """
    n, d = points.shape
    centred = points - points.mean(axis=0)
    _, singular, axes = np.linalg.svd(centred, full_matrices=False)
    share = shrinkage(centred, singular)
    variance = singular**2 / n
    common = variance.sum() / d
    spread = np.sqrt((1.0 - share) * variance + share * common)
    rest = np.sqrt(share * common)
    mean = points.mean(axis=0)

    def draw(rng: np.random.Generator) -> FloatArray:
        drawn = rng.normal(size=(n, d))
        along = drawn @ axes.T
        found: FloatArray = mean + rest * drawn + (along * (spread - rest)) @ axes
        return found

    return draw


def permuted_draws(points: FloatArray) -> Draw:
    """Return a function that draws points with each column permuted."""
    return lambda rng: rng.permuted(points, axis=0)


def uniform_draws(points: FloatArray, n: int) -> Draw:
    """Return a function that draws n points of a box of even density, with the standard deviation of each column."""
    length: FloatArray = points.std(axis=0) * np.sqrt(12.0)

    def draw(rng: np.random.Generator) -> FloatArray:
        found: FloatArray = rng.random((n, length.size)) * length
        return found

    return draw


def count_draws(counts: FloatArray, depth: float) -> Draw:
    """Return a function that draws as many negative binomial counts, as the logarithms of `log_counts`.

    The mean of a row in a column is the sum of the row times the share of the column in all. The dispersion of a column
    is that by moments: the variance beyond the mean, as a share of the squared mean; at least 0, where counts are
    Poisson.
    """
    n = len(counts)
    mean = counts.sum(axis=1, keepdims=True) * (counts.sum(axis=0) / counts.sum())
    beyond = ((counts - mean) ** 2).sum(axis=0) * n / (n - 1) - mean.sum(axis=0)
    squares = np.maximum((mean**2).sum(axis=0), np.finfo(float).tiny)
    dispersion = np.maximum(beyond / squares, _POISSON)

    def draw(rng: np.random.Generator) -> FloatArray:
        rate = mean * rng.gamma(1.0 / dispersion, dispersion, size=mean.shape)
        return log_counts(rng.poisson(rate).astype(float), depth)

    return draw


def log_counts(counts: FloatArray, depth: float) -> FloatArray:
    """Return log(1 + counts), each row scaled to the same sum."""
    logs: FloatArray = np.log1p(counts * (depth / np.maximum(counts.sum(axis=1, keepdims=True), 1.0)))
    return logs


def shrinkage(centred: FloatArray, singular: FloatArray) -> float:
    """Return the share of the identity in the covariance of Ledoit and Wolf, given points about their mean."""
    n, d = centred.shape
    variance = singular**2 / n
    common = variance.sum() / d
    away = (variance**2).sum() - d * common**2
    if away <= 0.0:
        return 1.0
    length = np.einsum("ij,ij->i", centred, centred)
    error = ((length**2).sum() / n - (variance**2).sum()) / n
    return float(np.clip(error / away, 0.0, 1.0))


DRAWS: dict[str, Callable[[FloatArray], Draw]] = {"normal": normal_draws, "permuted": permuted_draws}
