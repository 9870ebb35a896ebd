"""Fidelity: how near a tree that was built approximately is to the exact one, judged on samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from dendrometry._check.names import names_within, positions_of
from dendrometry._check.numbers import RandomSource, random_generator, whole_number
from dendrometry._check.points import points_of
from dendrometry._html import field_table
from dendrometry._typing import IntArray
from dendrometry.cluster.agglomerate import agglomerate
from dendrometry.cluster.linkages import Linkage
from dendrometry.comparison.pairwise_matrix import pairwise_matrix
from dendrometry.errors import InvalidInputError
from dendrometry.hierarchy import Hierarchy, require_hierarchy

FEWEST = 9  # items: samples of 6 then share 3, and smaller trees are all alike


@dataclass(frozen=True)
class Fidelity:
    """The agreement of a tree with the exact trees of two samples, beside that of these two.

    Attributes
    ----------
    value : float
        The adjusted hierarchy agreement of the tree with the exact tree of a sample, the mean over both samples and
        all draws; at most 1, 0 as by chance.
    yardstick : float
        The adjusted hierarchy agreement of the two exact trees: what the choice of the sample alone changes.
    value_error, yardstick_error : float or None
        The standard errors of both, from the draws; None for a single draw.
    n_draws : int
        How often two samples were drawn.
    n_items, n_sampled, n_shared : int
        The number of items of the tree, of each sample, and of both samples: on the last all trees are compared.
    linkage, metric : str
        Those of the exact trees.
    """

    value: float
    yardstick: float
    value_error: float | None
    yardstick_error: float | None
    n_draws: int
    n_items: int
    n_sampled: int
    n_shared: int
    linkage: str
    metric: str

    def _repr_html_(self) -> str:
        return field_table(self)

    def __str__(self) -> str:
        near, limit = _with_error(self.value, self.value_error), _with_error(self.yardstick, self.yardstick_error)
        draws = f"; standard errors of {self.n_draws} draws" * (self.n_draws > 1)
        return (
            f"fidelity {near}, two exact trees of samples {limit} (adjusted hierarchy agreement on {self.n_shared:,}"
            f" items; samples of {self.n_sampled:,}{draws})"
        )


def fidelity(
    tree: Any,
    X: Any,
    *,
    linkage: Linkage | None = None,
    metric: str | None = None,
    sample: int = 20_000,
    n_draws: int = 3,
    rng: RandomSource = 0,
    progress: bool = False,
) -> Fidelity:
    """Measure how near a tree of many points is to the exact tree, which cannot be built.

    Two samples are drawn that share half of their items, and the exact tree of each is built. The tree is compared with
    both on the shared items. The agreement of the two exact trees is the yardstick: an exact tree of all points would
    agree with that of a sample hardly better than another sample does. This is done several times, which tells how far
    the values depend on the samples.

    Parameters
    ----------
    tree : Hierarchy, or the result of a build
        The tree, of at least nine items, such as the result of `cluster_approximate` or `buckshot`.
    X : (n, d) array of float or int, or sparse matrix
        The points. The index of a data frame names the items; other rows are in the order of the items of the tree.
    linkage, metric : str, optional
        The linkage and metric by which the tree was built; see `agglomerate`. By default those in the report of a
        result; for a Hierarchy ward and euclidean.
    sample : int
        The number of items of each sample, at least 6; at most two thirds of all items are taken.
    n_draws : int
        How often two samples are drawn.
    rng : numpy Generator, int or None
        The source of random numbers, for the samples. The default seed, 0, gives the same result in every call; None
        does not.
    progress : bool
        Whether to draw progress bars on stderr.

    Returns
    -------
    Fidelity
        ``value`` and ``yardstick``, both adjusted for chance: 1 for identical trees, 0 as by chance.

    Raises
    ------
    InvalidInputError
        If there are fewer than nine items, the numbers of points and items differ, or the exact trees cannot be built
        (see `agglomerate`).

    Notes
    -----
    Takes the time of two exact trees of ``sample`` points for each draw. The values of two draws often differ by 0.1,
    and those of a draw go together: where the yardstick is high, so is the value.

    Examples
    --------
    >>> import numpy as np
    >>> from dendrometry.cluster import cluster_approximate
    >>> from dendrometry.resampling import fidelity
    >>> X = np.concatenate([np.random.default_rng(0).normal(4 * c, 1, size=(60, 5)) for c in range(5)])
    >>> print(fidelity(cluster_approximate(X, n_exact=75), X))
    fidelity 0.859 ± 0.064, two exact trees of samples 0.732 ± 0.127 (adjusted hierarchy agreement on 100 items; samples
    of 200; standard errors of 3 draws)
    """
    held = getattr(tree, "hierarchy", tree)
    require_hierarchy(held)
    built: Any = getattr(tree, "report", None)
    exact = _Exact(
        getattr(built, "linkage", "ward") if linkage is None else linkage,
        getattr(built, "metric", "euclidean") if metric is None else metric,
        progress,
    )
    points = points_of(X)
    n = held.n_items
    if points.shape[0] != n:
        raise InvalidInputError(f"there must be one point for each of {n:,} items; got {points.shape[0]:,}")
    if n < FEWEST:
        raise InvalidInputError(f"fidelity needs a tree of at least {FEWEST} items; got {n}")
    names = names_within(X)
    row = np.arange(n) if names is None else positions_of(held.items, names, "the tree and the points")
    count = min(whole_number(sample, "sample", 6), 2 * n // 3)
    draws, random = whole_number(n_draws, "n_draws", 1), random_generator(rng)
    pairs = np.array([_draw(points, held, row, count, random, exact) for _ in range(draws)])
    value, yardstick = pairs.mean(axis=0).tolist()
    error, limit_error = (pairs.std(axis=0, ddof=1) / np.sqrt(draws)).tolist() if draws > 1 else (None, None)
    return Fidelity(value, yardstick, error, limit_error, draws, n, count, count // 2, exact.linkage, exact.metric)


class _Exact(NamedTuple):
    """How the exact trees are built."""

    linkage: Linkage
    metric: str
    progress: bool


def _draw(
    points: Any, tree: Hierarchy, row: IntArray, count: int, random: np.random.Generator, exact: _Exact
) -> tuple[float, float]:
    """Return the agreement of a tree with the exact trees of two samples, and that of these two."""
    drawn = random.choice(tree.n_items, 2 * count - count // 2, replace=False)
    shared = drawn[: count // 2]
    trees = [tree]
    for others in (drawn[count // 2 : count], drawn[count:]):
        some = np.sort(np.concatenate([shared, others]))
        items = [tree.items[i] for i in some.tolist()]
        built = agglomerate(
            points[row[some]],
            linkage=exact.linkage,
            metric=exact.metric,
            item_names=items,
            progress=exact.progress,
        )
        trees.append(built.hierarchy)
    names_shared = [tree.items[i] for i in shared.tolist()]
    agreed = pairwise_matrix([each.restrict(names_shared) for each in trees], "hierarchy_agreement", adjusted=True)
    return float(agreed.values[0, 1] + agreed.values[0, 2]) / 2, float(agreed.values[1, 2])


def _with_error(value: float, error: float | None) -> str:
    """Return a value, with its standard error if there is one, as text."""
    return f"{value:.3f}" if error is None else f"{value:.3f} ± {error:.3f}"
