"""A split beside those of random sets that are one group."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

import numpy as np

from dendrometry._jobs import results_in_parts
from dendrometry.significance.clustering import Clustering
from dendrometry.significance.references import DRAWS, count_draws, uniform_draws
from dendrometry.significance.separation import Split, leading_axes, separation, top_split, valley, valley_on_line

ENOUGH = 10  # references as far apart as the data, after which no more are drawn
_AT_ONCE = 20  # references that are drawn before it is asked whether they are enough
MOST = 300  # points of a set that is drawn and clustered; of more, a random part is compared


def compare_split(
    split: Split, how: Clustering, reference: tuple[str, float], most: int, key: tuple[int, ...], jobs: int | None
) -> tuple[float, float, int]:
    """Return the statistic of a split, its p-value by a reference, and the number of reference sets drawn.

    The reference is its name, and the sum to which rows of counts are scaled.
    """
    name, depth = reference
    n = split.side.size
    if name == "unimodal":
        return _monte_carlo(valley(split), (valley_on_line(_stream(key, i), n) for i in range(most)), most)
    if name == "uniform":
        statistic, observed = valley, valley(split)
        draw, own = uniform_draws(leading_axes(split.points), min(n, MOST)), how._replace(metric="euclidean")
    else:
        few = _some_of(split, _stream(key))
        statistic, observed = separation, min(separation(few), separation(top_split(few.points, how)))
        draw, own = DRAWS[name](few.points) if few.counts is None else count_draws(few.counts, depth), how

    def of_reference(i: int) -> float:
        return statistic(top_split(draw(_stream(key, i)), own))

    parts = (range(first, min(first + _AT_ONCE, most)) for first in range(0, most, _AT_ONCE))
    values = chain.from_iterable(results_in_parts(of_reference, part, jobs) for part in parts)
    return _monte_carlo(observed, values, most)


def _stream(key: tuple[int, ...], *more: int) -> np.random.Generator:
    """Return the random numbers of one reference set of one node."""
    return np.random.default_rng([*key, *more])


def _some_of(split: Split, rng: np.random.Generator) -> Split:
    """Return a random part of a split with many points."""
    n = split.side.size
    if n <= MOST:
        return split
    some = np.sort(rng.choice(n, MOST, replace=False))
    return Split(split.points[some], split.side[some], None if split.counts is None else split.counts[some])


def _monte_carlo(observed: float, references: Iterable[float], most: int) -> tuple[float, float, int]:
    """Return a statistic, its p-value, and the number of references drawn: until ten are as large, or enough."""
    beyond = 0
    for i, value in enumerate(references, 1):
        beyond += value >= observed
        if beyond == ENOUGH:
            return observed, ENOUGH / i, i
    return observed, (1 + beyond) / (1 + most), most
