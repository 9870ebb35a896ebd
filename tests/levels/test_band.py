from itertools import permutations
from statistics import NormalDist
from typing import get_args

import numpy as np
import pytest

from dendrometry import stages
from dendrometry.errors import InvalidInputError
from dendrometry.levels import stages_of_partitions
from dendrometry.levels.band import Series, chance_band, chosen_stages
from tests.plot.drawn import dendrogram_of

A = [[0, 1, 2, 3, 3], [0, 1, 1, 2, 2], [0, 0, 0, 1, 1]]
B = [[0, 0, 1, 2, 3], [0, 0, 1, 1, 2], [0, 0, 1, 1, 1]]


@pytest.mark.parametrize("series", get_args(Series))
def test_mean_and_deviation_are_those_over_all_relabellings(series):
    every = np.array(
        [
            getattr(stages_of_partitions(A, [[part[i] for i in order] for part in B]), series)
            for order in permutations(range(5))
        ]
    )
    narrow = 0.99  # so that the band is not cut
    band = chance_band(stages_of_partitions(A, B), series, narrow)
    half = NormalDist().inv_cdf(1 - narrow / 2)
    assert band.mean == pytest.approx(every.mean(axis=0))
    assert (band.high - band.mean) / half == pytest.approx(every.std(axis=0), abs=1e-9)
    assert (band.mean - band.low) / half == pytest.approx(every.std(axis=0), abs=1e-9)


@pytest.mark.parametrize("series", get_args(Series))
def test_a_wide_band_stays_within_what_is_possible(series):
    found = stages(dendrogram_of(12, 1), dendrogram_of(12, 2))
    band = chance_band(found, series, 0.000001)
    low, high = (0, found.n_pairs) if series == "t" else (-1 if series == "adjusted_rand" else 0, 1)
    assert (band.low >= low - 1e-12).all()
    assert (band.high <= high + 1e-12).all()
    assert (band.low <= band.mean).all()
    assert (band.mean <= band.high).all()


@pytest.mark.parametrize("alpha", [0.0, 1.0, float("nan")])
def test_other_levels_are_refused(alpha):
    with pytest.raises(InvalidInputError, match="alpha must be a number, above 0 and below 1; got"):
        chance_band(stages_of_partitions(A, B), "rand", alpha)


def test_other_series_are_refused():
    with pytest.raises(InvalidInputError, match=r"series must be 'z', 'v', 's', 'rand'.*; got 'hai'"):
        chance_band(stages_of_partitions(A, B), "hai", 0.05)


def test_few_stages_are_all_chosen_and_of_many_the_first_and_the_last():
    assert chosen_stages(np.arange(2, 50)).tolist() == list(range(48))
    chosen = chosen_stages(np.arange(2, 10**6))
    assert chosen.size <= 4000
    assert (chosen[0], chosen[-1]) == (0, 10**6 - 3)
