"""How the data of a replicate are drawn: rows or columns again, or all of them with noise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from dendrometry._check.choices import elements, one_of
from dendrometry._check.numbers import real_number
from dendrometry._check.points import require_dense
from dendrometry._display import printable
from dendrometry._typing import IntArray
from dendrometry.errors import InvalidInputError
from dendrometry.resampling.replicates.units import in_units, out_of_units

Resample = Literal["bootstrap", "subsample", "columns", "noise"]

MULTISCALE = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4)  # those of pvclust


class Sample(NamedTuple):
    """The data of one replicate, and the row of the original data that each of its rows is, ascending."""

    row: IntArray
    points: Any


@dataclass(frozen=True)
class Resampling:
    """A way to draw the data of a replicate.

    Parameters
    ----------
    kind : {"bootstrap", "subsample", "columns", "noise"}
        "bootstrap": as many rows as there are, with replacement, each row that is drawn used once, as clusterboot does
        by default: about 63 % of the rows; copies of a row would be clusters of their own. "subsample": a ``share`` of
        the rows, without replacement. "columns": as many columns as there are, with replacement, as in pvclust; a
        column that is drawn twice counts twice. "noise": all points, each coordinate with normal noise.
    share : float
        For "subsample": the share of the rows, above 0 and below 1.
    noise : float
        For "noise": the standard deviation of the noise, as a multiple of that of the column; above 0.
    scales : sequence of float
        For "columns": the numbers of columns drawn, relative to that of the data. With three or more, as in
        `MULTISCALE`, approximately unbiased probabilities are computed; every scale has all replicates.

    Raises
    ------
    InvalidInputError
        If an option is invalid, or there are several scales for another kind than "columns".

    Examples
    --------
    >>> from dendrometry.resampling import Resampling
    >>> Resampling("subsample", share=0.8)
    Resampling(kind='subsample', share=0.8, noise=0.2, scales=(1.0,))
    """

    kind: Resample = "bootstrap"
    share: float = 0.5
    noise: float = 0.2
    scales: tuple[float, ...] = (1.0,)

    def __post_init__(self) -> None:
        """Check every option."""
        one_of(self.kind, "kind", get_args(Resample))
        real_number(self.share, "share", above=0.0, below=1.0)
        real_number(self.noise, "noise", above=0.0)
        given: object = self.scales
        if isinstance(given, str) or not hasattr(given, "__iter__"):
            raise InvalidInputError(f"scales must be a sequence of numbers; got {printable(given)}")
        scales = tuple(real_number(scale, "a scale", above=0.0, most=100.0) for scale in elements(given, "scales"))
        if not scales or (scales != (1.0,) and self.kind != "columns"):
            raise InvalidInputError(f"scales other than 1 must be those of columns; got {scales} for {self.kind}")
        object.__setattr__(self, "scales", scales)


def draw_sample(plan: Resampling, points: Any, scale: float, rng: np.random.Generator) -> Sample:
    """Return the data of a replicate, at a scale."""
    n, d = points.shape
    if plan.kind in ("bootstrap", "subsample"):
        row = draw_rows(plan, n, rng)
        return Sample(row, points[row])
    if plan.kind == "columns":
        return Sample(np.arange(n), points[:, rng.integers(0, d, columns_at(scale, d))])
    require_dense(points, "noise")
    scaled, exponent = in_units(points)
    moved = scaled + rng.normal(size=(n, d)) * (plan.noise * scaled.std(axis=0))
    return Sample(np.arange(n), out_of_units(moved, exponent))


def draw_rows(plan: Resampling, n: int, rng: np.random.Generator) -> IntArray:
    """Return the rows of a replicate, ascending, for a way to draw that draws rows."""
    if plan.kind == "bootstrap":
        return np.unique(rng.integers(0, n, n))
    return np.sort(rng.permutation(n)[: max(round(plan.share * n), 1)])


def columns_at(scale: float, n_columns: int) -> int:
    """Return the number of columns to draw at a scale, at least 1."""
    return max(round(scale * n_columns), 1)


Draw = Resample | Resampling


def resampling_of(resample: Draw) -> Resampling:
    """Return a way to draw data, given by its name or with its options."""
    if isinstance(resample, Resampling):
        return resample
    one_of(resample, "resample", get_args(Resample), also="a Resampling")
    return Resampling(resample)
