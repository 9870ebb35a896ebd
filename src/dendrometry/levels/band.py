"""Chance bands: the range of a series of stages if the items of one tree are relabelled at random."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Literal, NamedTuple, get_args

import numpy as np

from dendrometry._check.choices import one_of
from dendrometry._check.numbers import real_number
from dendrometry._typing import FloatArray, IntArray
from dendrometry.levels.stages import Stages

Series = Literal["z", "v", "s", "rand", "adjusted_rand", "fowlkes_mallows", "t"]


_ALMOST_1 = math.nextafter(1.0, 0.0)


class Band(NamedTuple):
    """The mean of a series over all relabellings, and the band that contains most of them."""

    mean: FloatArray
    low: FloatArray
    high: FloatArray


def chance_band(stages: Stages, series: Series, alpha: float) -> Band:
    """Return the band of a series at every stage, outside which a share ``alpha`` of all relabellings lies.

    Relabelling does not change p and q, and for fixed p and q every series is linear in t. Its mean and variance are
    therefore exact; the band around the mean is that of a normal distribution, clipped to the range of the series.
    """
    one_of(series, "series", get_args(Series))
    real_number(alpha, "alpha", above=0.0, below=1.0)
    mean: FloatArray = getattr(stages, f"expected_{series}")
    both = np.sqrt(stages.p.astype(np.float64)) * np.sqrt(stages.q.astype(np.float64))
    deviation = np.sqrt(stages.variance_fowlkes_mallows) * both * np.abs(_slope(stages, series, both))
    half = NormalDist().inv_cdf(min(1.0 - alpha / 2.0, _ALMOST_1)) * deviation
    top = np.minimum(stages.p, stages.q)
    ends = [_at(mean, stages, series, both, t) for t in (np.zeros_like(top), top)]
    least, most = np.minimum(*ends), np.maximum(*ends)
    return Band(mean, np.clip(mean - half, least, most), np.clip(mean + half, least, most))


def _slope(stages: Stages, series: Series, both: FloatArray) -> FloatArray:
    """Return the change of the series for one more pair together in both trees."""
    half = (stages.p + stages.q) / 2.0 - stages.expected_t
    slopes = {
        "t": np.ones(stages.n_clusters.size),
        "rand": np.full(stages.n_clusters.size, 2.0 / stages.n_pairs),
        "adjusted_rand": np.divide(1.0, half, out=np.zeros_like(half), where=half > 0),
        "fowlkes_mallows": np.divide(1.0, both, out=np.zeros_like(both), where=both > 0),
    }
    return (
        slopes[series]
        if series in slopes
        else np.full(stages.n_clusters.size, (-2.0 if series == "z" else 2.0) / stages.total)
    )


def _at(mean: FloatArray, stages: Stages, series: Series, both: FloatArray, t: IntArray) -> FloatArray:
    """Return the series for other numbers of pairs together in both trees."""
    return mean + (t - stages.expected_t) * _slope(stages, series, both)


def chosen_stages(k: IntArray, most: int = 4000) -> IntArray:
    """Return the stages to draw: all, or, if there are very many, those whose k grow by a constant factor."""
    if k.size <= most:
        return np.arange(k.size)
    return np.unique(np.geomspace(1, k.size, most).round().astype(np.int64)) - 1
