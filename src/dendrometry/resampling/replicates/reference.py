"""Reference data without clusters: of the same shape and spread as some points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np

from dendrometry._check.choices import one_of
from dendrometry._typing import FloatArray
from dendrometry.resampling.replicates.units import in_units, out_of_units

LEAST_REPLICATES = 6  # of a reference set
_ROWS = 3_000  # that the replicates of a reference set draw together, at least

Reference = Literal["normal", "permuted"]


class References(NamedTuple):
    """The mean agreement in each of some reference sets, the number of replicates of each, and their kind."""

    curves: Sequence[FloatArray] = ()
    n_replicates: int = LEAST_REPLICATES
    kind: Reference = "normal"


def replicates_of_reference(n_items: int, n_replicates: int) -> int:
    """Return the number of replicates of a reference set: more of few items, but no more than of the data.

    A few replicates of few points agree by chance, and so hide the clusters of the data.
    """
    return min(n_replicates, max(LEAST_REPLICATES, _ROWS // n_items))


def check_reference(reference: object) -> Reference:
    """Return the kind of a reference, refusing others."""
    return one_of(reference, "reference", get_args(Reference))  # type: ignore[return-value]


def draw_reference(points: FloatArray, reference: Reference, rng: np.random.Generator) -> FloatArray:
    """Return as many points without clusters: normal ones of the same mean and covariance, or with permuted columns."""
    n = points.shape[0]
    if reference == "permuted":
        return rng.permuted(points, axis=0)
    scaled, exponent = in_units(points)
    centre = scaled.mean(axis=0)
    _, spread, axes = np.linalg.svd(scaled - centre, full_matrices=False)
    drawn: FloatArray = centre + rng.normal(size=(n, spread.size)) @ (axes * (spread / np.sqrt(n - 1))[:, None])
    return out_of_units(drawn, exponent)
