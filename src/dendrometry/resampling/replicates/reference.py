"""Reference data without clusters: of the same shape and spread as some points, or without a valley of density."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np

from dendrometry._check.choices import one_of
from dendrometry._typing import FloatArray
from dendrometry.hierarchy import Hierarchy
from dendrometry.resampling.replicates.units import in_units, out_of_units
from dendrometry.significance.separation import LEAST
from dendrometry.significance.splits import SplitLinkage, splits

LEAST_REPLICATES = 6  # of a reference set
_ROWS = 3_000  # that the replicates of a reference set draw together, at least

_SETS = 199  # on a line and in boxes, at least, with which a valley is compared

Reference = Literal["cautious", "normal", "permuted"]


class References(NamedTuple):
    """The mean agreement in each of some reference sets, the number of replicates of each, and their kind.

    ``valley`` is the p-value of `valley_p_value`, if it counts as well.
    """

    curves: Sequence[FloatArray] = ()
    n_replicates: int = LEAST_REPLICATES
    kind: Reference = "cautious"
    valley: float | None = None


def replicates_of_reference(n_items: int, n_replicates: int) -> int:
    """Return the number of replicates of a reference set: more of few items, but no more than of the data.

    A few replicates of few points agree by chance, and so hide the clusters of the data.
    """
    return min(n_replicates, max(LEAST_REPLICATES, _ROWS // n_items))


def check_reference(reference: object) -> Reference:
    """Return the kind of a reference, refusing others."""
    return one_of(reference, "reference", get_args(Reference))  # type: ignore[return-value]


def draw_reference(points: FloatArray, reference: Reference, rng: np.random.Generator) -> FloatArray:
    """Return as many points without clusters: with permuted columns, or normal ones of the same mean and covariance."""
    n = points.shape[0]
    if reference == "permuted":
        return rng.permuted(points, axis=0)
    scaled, exponent = in_units(points)
    centre = scaled.mean(axis=0)
    _, spread, axes = np.linalg.svd(scaled - centre, full_matrices=False)
    drawn: FloatArray = centre + rng.normal(size=(n, spread.size)) @ (axes * (spread / np.sqrt(n - 1))[:, None])
    return out_of_units(drawn, exponent)


def valley_p_value(
    points: FloatArray, tree: Hierarchy, how: tuple[str, str], n_references: int, rng: np.random.Generator
) -> float:
    """Return how likely data of any shape, but without a valley of density, are split as the top of a tree is.

    It is the p-value of the first split with enough items on both sides, as `splits` tests it. Where there is none, the
    items are one group: 1. ``how`` is the linkage and the metric of the tree; boxes are clustered by average linkage
    where the error of `splits` was not measured for that linkage.
    """
    if tree.n_items < 2 * LEAST:
        return 1.0
    linkage, metric = how
    known = linkage in get_args(SplitLinkage)
    found = splits(
        points,
        tree,
        linkage=linkage if known else "average",  # type: ignore[arg-type]
        metric=metric,  # type: ignore[arg-type]
        reference="unimodal",
        n_references=max(_SETS, n_references),
        max_depth=1,
        rng=rng,
    )
    return float(np.nanmin(found.adjusted, initial=1.0))
