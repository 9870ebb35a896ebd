"""The gap statistic: whether clusters are tighter than those of points without structure."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from dendrometry._check.arrays import Frozen
from dendrometry._check.choices import one_of
from dendrometry._check.numbers import RandomSource, random_generator, whole_number
from dendrometry._check.points import finite_points, points_of, prepare_points, require_dense
from dendrometry._display import plural, printable
from dendrometry._extras import require
from dendrometry._html import preview
from dendrometry._progress import track
from dendrometry._tabular import Tabular
from dendrometry._typing import BoolArray, FloatArray, IntArray
from dendrometry.errors import InvalidInputError, UndefinedMeasureError
from dendrometry.hierarchy import Hierarchy, require_hierarchy
from dendrometry.quality.splits import Splits, parts_of, splits_of, within_squares

Reference = Literal["principal", "box"]


@dataclass(frozen=True, eq=False, repr=False)
class GapStatistic(Frozen, Tabular):
    """The gap statistic of the cuts of a tree, as arrays with one value for each number of clusters.

    Attributes
    ----------
    n_items : int
        The number of items.
    n_clusters : array of int
        The numbers of clusters, k: from 1 on.
    is_reached : array of bool
        Whether a cut at some height has k clusters, rather than one through a tie.
    gap : array of float
        The mean of log W over the reference sets, less log W of the points, where W is the sum of the squared distances
        from the centroids of clusters.
    standard_error : array of float
        The standard deviation of log W over the B reference sets, times the square root of 1 + 1 / B.
    n_references : int
        The number of reference sets, B.
    """

    n_items: int
    n_clusters: IntArray
    is_reached: BoolArray
    gap: FloatArray
    standard_error: FloatArray
    n_references: int

    @property
    def best(self) -> int:
        """The least k whose gap is within one standard error of the largest gap; 1 means no clusters.

        This is the rule "globalSEmax" of R's clusGap [Dudoit and Fridlyand 2002]. Cuts through ties are left out.
        """
        at = np.flatnonzero(self.is_reached)
        top = at[np.argmax(self.gap[at])]
        return int(self.n_clusters[at[np.argmax(self.gap[at] >= self.gap[top] - self.standard_error[top])]])

    @property
    def first_best(self) -> int:
        """The least k whose gap is at least the next one less its standard error; the last k if there is none.

        This is the rule of the paper. It stops at 1 where two clusters are no better than one, even if three are, as
        for three clusters that are equally far apart. Cuts through ties are left out.
        """
        at = np.flatnonzero(self.is_reached)
        gap = self.gap[at]
        enough = np.append(gap[:-1] >= gap[1:] - self.standard_error[at][1:], True)
        return int(self.n_clusters[at[np.argmax(enough)]])

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each number of clusters."""
        pd = require("pandas", extra="tables", for_="to_frame()")
        return pd.DataFrame(self.columns())

    def columns(self) -> dict[str, list[Any]]:
        """Return the statistic as columns."""
        return {name: getattr(self, name).tolist() for name in ("n_clusters", "is_reached", "gap", "standard_error")}

    def _repr_html_(self) -> str:
        columns = self.columns()
        columns["is_reached"] = ["yes" if reached else "" for reached in columns["is_reached"]]
        return preview(repr(self), columns)

    def __repr__(self) -> str:
        k = self.n_clusters
        return (
            f"GapStatistic({plural(self.n_items, 'item')}, {k[0]:,} to {k[-1]:,} clusters,"
            f" {plural(self.n_references, 'reference set')}; best {self.best:,})"
        )


def gap_statistic(
    X: Any,
    build: Callable[[FloatArray], Hierarchy],
    *,
    max_clusters: int = 10,
    n_references: int = 20,
    reference: Reference = "principal",
    rng: RandomSource = 0,
    progress: bool = False,
) -> GapStatistic:
    """Return the gap statistic of the clusters that a method finds in points.

    The squared error W falls with every further cluster, in any points. The gap [1]_ is how much further log W falls
    than for reference points that are spread evenly over the range of the data, and clustered by the same method. Two
    rules choose a number of clusters: that of the paper, which is cautious, and that of [2]_, which looks at all gaps.

    Parameters
    ----------
    X : (n, d) array of float
        The points.
    build : callable
        Takes points and returns their tree, with heights: ``lambda points: agglomerate(points).hierarchy``.
    max_clusters : int
        The largest number of clusters, from 1 on; at most n - 1 are computed.
    n_references : int
        The number of reference sets, at least 2.
    reference : {"principal", "box"}
        The range of the reference points: the box along the principal components of the points, or along their
        coordinates.
    rng : numpy Generator, int or None
        The source of random numbers for the reference points. The default seed, 0, gives the same result in every call;
        None does not.
    progress : bool
        Whether to show a progress bar on the terminal.

    Returns
    -------
    GapStatistic
        The gap and its standard error at every number of clusters; ``best`` and ``first_best`` are what
        the two rules choose.

    Raises
    ------
    InvalidInputError
        If the points are not finite, ``build`` does not return a tree of as many items, or an option is invalid.
    InvalidTreeError
        If a tree has no heights.
    UndefinedMeasureError
        If there are fewer than three points, or at some number of clusters every cluster consists of equal points, so
        that W is 0.

    Notes
    -----
    Builds 1 + ``n_references`` trees; O(n d) more for each. A reference tree that has no cut into k clusters is cut
    into the next larger number.

    References
    ----------
    .. [1] R. Tibshirani, G. Walther, T. Hastie, "Estimating the number of clusters in a data set via the gap
       statistic", Journal of the Royal Statistical Society B 63 (2001), doi:10.1111/1467-9868.00293.
    .. [2] S. Dudoit, J. Fridlyand, "A prediction-based resampling method for estimating the number of clusters in a
       dataset", Genome Biology 3 (2002), doi:10.1186/gb-2002-3-7-research0036.

    Examples
    --------
    >>> import numpy as np
    >>> from dendrometry import agglomerate
    >>> from dendrometry.quality import gap_statistic
    >>> points = np.random.default_rng(0).normal(size=(60, 2)) + np.repeat([[0, 0], [9, 0], [0, 9]], 20, axis=0)
    >>> gap_statistic(points, lambda points: agglomerate(points).hierarchy)
    GapStatistic(60 items, 1 to 10 clusters, 20 reference sets; best 3)
    """
    one_of(reference, "reference", get_args(Reference))
    if not callable(build):
        raise InvalidInputError(f"build must be a function of points that returns a tree; got {printable(build)}")
    given = points_of(X)
    require_dense(given, "Euclidean distances")
    points = finite_points(given)
    n = points.shape[0]
    most = whole_number(max_clusters, "max_clusters", 1)
    count = whole_number(n_references, "n_references", 2)
    if n < 3:
        raise UndefinedMeasureError(f"there must be at least 3 points, for 1 to n - 1 clusters; got {n}")
    draw = _reference_points(points, reference, random_generator(rng))
    splits, own = _log_within(build, points, min(most, n - 1))
    logs = []
    for _ in track(range(count), "clustering reference sets", count, progress):
        other, value = _log_within(build, draw(), min(most, n - 1))
        at = np.searchsorted(other.n_clusters, splits.n_clusters)
        logs.append(value[np.minimum(at, value.size - 1)])
    error: FloatArray = np.std(logs, axis=0) * math.sqrt(1.0 + 1.0 / count)
    return GapStatistic(n, splits.n_clusters, splits.is_reached, np.mean(logs, axis=0) - own, error, count)


def _reference_points(points: FloatArray, reference: Reference, rng: np.random.Generator) -> Callable[[], FloatArray]:
    """Return the function that draws reference points, evenly from a box around the points."""
    exponent = int(np.frexp(np.abs(points).max())[1])
    scaled = np.ldexp(points, -exponent)
    centre = scaled.mean(axis=0)
    axes = np.linalg.svd(scaled - centre, full_matrices=False)[2] if reference == "principal" else np.eye(centre.size)
    place = (scaled - centre) @ axes.T
    low, high = place.min(axis=0), place.max(axis=0)

    def draw() -> FloatArray:
        drawn: FloatArray = np.ldexp(rng.uniform(low, high, place.shape) @ axes + centre, exponent)
        return drawn

    return draw


def _log_within(
    build: Callable[[FloatArray], Hierarchy], points: FloatArray, max_clusters: int
) -> tuple[Splits, FloatArray]:
    """Return the cuts of the tree of points, and the logarithm of the squared error of each."""
    tree = build(points.copy())
    require_hierarchy(tree, "what build returns")
    if tree.n_items != points.shape[0]:
        raise InvalidInputError(
            f"build must return a tree of {points.shape[0]:,} items, one for each point; got {tree.n_items:,}"
        )
    ready = prepare_points(points, "euclidean")
    splits = splits_of(tree, max_clusters, "a cut by the number of clusters")
    within = within_squares(splits, parts_of(tree, splits, ready.points).scatter)
    if not within.all():
        k = int(splits.n_clusters[np.argmin(within)])
        raise UndefinedMeasureError(
            f"clusters must hold different points; with {plural(k, 'cluster')}, all points of a cluster are equal"
            " (lower max_clusters)"
        )
    return splits, np.log(within) + 2 * ready.exponent * math.log(2.0)
