"""Agreement of replicates with each other at every number of clusters, beside that of data without clusters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from dendrometry._check.arrays import Frozen
from dendrometry._check.numbers import real_number
from dendrometry._display import plain_signature, plural
from dendrometry._extras import require
from dendrometry._html import preview
from dendrometry._kernels.cut.together import Merges, pairs_together
from dendrometry._kernels.tree import accumulate_maximum
from dendrometry._tabular import Tabular
from dendrometry._typing import FloatArray, IntArray
from dendrometry._version import __version__
from dendrometry.measures._shared.pair_counts import PairColumns
from dendrometry.measures.partitions.adjusted_rand import adjusted_rand_columns
from dendrometry.resampling.replicates.reference import Reference
from dendrometry.resampling.replicates.replicate import Replicate, part_of, shared_pair
from dendrometry.tree_pair.contraction import contract
from dendrometry.tree_pair.pair import Tree

_PERFECT = 0.01  # agreements this near to 1 do not differ much
_FEW = 40  # numbers of clusters: two trees are cut at each in the time of the walk that serves all
_NULLS = {
    "cautious": "normal data of the same covariance",
    "normal": "normal data of the same covariance",
    "permuted": "the data with each column permuted",
}
UNIMODAL = "data of any shape without a valley of density"
_LEAST_SHARED = 3  # items that two replicates must share to be compared


@plain_signature
class NumberChoice(NamedTuple):
    """The most stable number of clusters, 1 if no structure was found, and the numbers that are as good."""

    n_clusters: int
    as_good: tuple[int, ...]
    p_value: float | None


@dataclass(frozen=True, eq=False, repr=False)
class Agreement(Frozen, Tabular):
    """The agreement of replicates with each other, as arrays with one value for each number of clusters.

    Attributes
    ----------
    n_clusters : array of int
        The numbers of clusters, k, from 2 on. A tree is cut at the height that gives k clusters, or the next larger
        number that ties and nodes with more than two parts allow.
    values : (n_pairs, n_levels) array of float
        The adjusted Rand index of the cuts of each replicate and the next, on the items that both hold.
    reference : (n_references, n_levels) array of float
        The mean agreement in each reference set, data of the same shape without clusters; without rows if there are
        none.
    tested : (n_levels,) array of float
        The mean agreement that is compared with the reference: that of as many replicates as a reference set has.
    kind : {"cautious", "normal", "permuted"}
        What the reference sets are, as for `stability`.
    valley : float or None
        For "cautious", the p-value that the first split of the tree has no valley of density between its sides.
    """

    n_clusters: IntArray
    values: FloatArray
    reference: FloatArray
    tested: FloatArray
    kind: Reference = "normal"
    valley: float | None = None

    @property
    def null(self) -> str:
        """The data without clusters that are rejected if the p-value is small, in words."""
        return self.drawn if self.valley is None else f"{self.drawn}, and {UNIMODAL}"

    @property
    def drawn(self) -> str:
        """The data without clusters that the reference sets are, in words."""
        return _NULLS[self.kind]

    @property
    def methods(self) -> str:
        """How the p-values were obtained, for the methods section of a paper; "" without a reference."""
        n = len(self.reference)
        if not n:
            return ""
        return (
            f"Trees of {plural(len(self.values), 'replicate')} of the data were cut into {self.n_clusters[0]:,} to"
            f" {self.n_clusters[-1]:,} clusters, and successive replicates compared by the adjusted Rand index. The"
            f" same was done in {plural(n, 'reference set')}, {self.drawn}. The p-value is (1 + r) / (1 + {n}), where r"
            f" reference sets were as stable at any number of clusters (the maximum of standardized agreements,"
            f" Westfall and Young, Resampling-Based Multiple Testing, 1993).{self._valley_methods} Computed with"
            f" dendrometry {__version__}."
        )

    @property
    def _valley_methods(self) -> str:
        """How the p-value of the valley was obtained, as a sentence; "" without one."""
        if self.valley is None:
            return ""
        return (
            " It is at least that of the first split of the tree with enough items on both sides, the depth of whose"
            " valley of density was compared with the deepest valley of as many random points on a line, and with that"
            " of boxes of even density with the deviations of the data, clustered in the same way."
        )

    @property
    def mean(self) -> FloatArray:
        """The mean agreement at each number of clusters; 1 if all replicates agree, about 0 by chance."""
        mean: FloatArray = self.values.mean(axis=0)
        return mean

    @property
    def standard_error(self) -> FloatArray:
        """The standard error of `mean`; successive values share a replicate, and their covariance is included."""
        return _error_of_mean(self.values)

    def band(self, alpha: float = 0.05) -> tuple[FloatArray, FloatArray]:
        """Return the limits between which all but a share ``alpha`` of the pairs of replicates lie."""
        return _band(self.values, alpha)

    @property
    def reference_mean(self) -> FloatArray | None:
        """The mean agreement in data without clusters; None without a reference."""
        return self.reference.mean(axis=0) if len(self.reference) else None

    def reference_band(self, alpha: float = 0.05) -> tuple[FloatArray, FloatArray] | None:
        """Return the limits between which all but a share ``alpha`` of the reference sets lie; None without them."""
        return _band(self.reference, alpha) if len(self.reference) else None

    @property
    def excess(self) -> FloatArray:
        """How far the mean agreement lies above that of data without clusters, in their standard deviations.

        Measured on the scale -log(1.01 - agreement), on which agreements near 1 lie far apart, as for `p_value`.
        Without a reference, it is the mean agreement.
        """
        if not len(self.reference):
            return self.mean
        middle, unit = self._reference_scale()
        excess: FloatArray = (_stretch(self.mean) - middle) / unit
        return excess

    def _reference_scale(self) -> tuple[FloatArray, FloatArray]:
        """Return mean and standard deviation of the stretched agreement in the reference sets; 1 in place of 0."""
        stretched = _stretch(self.reference)
        spread = stretched.std(axis=0)
        return stretched.mean(axis=0), np.where(spread > 0.0, spread, 1.0)

    def _error_of_difference(self, best: int) -> FloatArray:
        """Return the standard error of the difference of each excess from one, by the delta method."""
        if not len(self.reference):
            return _error_of_mean(self.values[:, [best]] - self.values)
        slope = 1.0 / ((1.0 + _PERFECT - self.mean) * self._reference_scale()[1])
        of_pairs = _error_of_mean(slope[best] * self.values[:, [best]] - slope * self.values)
        of_scale = (1.0 + self.excess**2 / 2.0) / len(self.reference)  # of a mean and of a standard deviation
        error: FloatArray = np.sqrt(of_pairs**2 + of_scale + of_scale[best])
        return error

    @property
    def p_value(self) -> float | None:
        """The probability that data without clusters are as stable at any number of clusters; None without them.

        For "cautious" it is at least ``valley``, so that data of any shape without a valley of density are rejected as
        rarely as normal ones.

        The statistic is the largest standardised -log(1.01 - agreement) over all numbers of clusters: on this scale,
        replicates that always agree stand out from those that mostly do. The data count as one of the reference sets,
        so that the least possible value is 1 / (1 + n_references).
        """
        found = self.p_values
        return None if found is None else float(found.min())

    @property
    def p_values(self) -> FloatArray | None:
        """For each number of clusters, the share of the reference sets that are as stable at any number of clusters.

        Adjusted for the many numbers of clusters by the maximum over them (Westfall and Young); at least ``valley``.
        None without reference.
        """
        share = self._shares
        return share if share is None or self.valley is None else np.maximum(share, self.valley)

    @property
    def _shares(self) -> FloatArray | None:
        """The share of the reference sets that are as stable, for each number of clusters; None without them."""
        if not len(self.reference):
            return None
        every = _stretch(np.vstack([self.tested, self.reference]))
        spread = every.std(axis=0)
        score = (every - every.mean(axis=0)) / np.where(spread > 0.0, spread, 1.0)
        top = score[1:].max(axis=1)
        beyond = (top[:, None] >= score[0] - 1e-12).sum(axis=0)
        share: FloatArray = (1.0 + beyond) / (1.0 + top.size)
        return share

    def choose(self, alpha: float = 0.05) -> NumberChoice:
        """Return the number of clusters that is most stable compared with the reference, and those that are as good.

        Only numbers with a p-value of at most ``alpha`` count; if there are none, the choice is 1: stability gives no
        evidence of clusters. As good are numbers whose excess is within one standard error of the largest, that of
        their difference: in the same pairs of replicates, and from reference sets that are few. Of these, the number on
        which replicates agree best is chosen; of agreements within 0.01, that with the larger excess. Without a
        reference there is no p-value, and few clusters are favoured, since they are easier to agree on. Stability does
        not prove a number of clusters.
        """
        level = real_number(alpha, "alpha", above=0.0, below=1.0)
        p, every = self.p_value, self.p_values
        real = np.full(self.n_clusters.size, True) if every is None else every <= level
        if not real.any():
            return NumberChoice(1, (), p)
        excess = np.where(real, self.excess, -np.inf)
        top = int(np.argmax(excess))
        near = np.flatnonzero(excess >= excess[top] - self._error_of_difference(top))
        agreeing = near[self.mean[near] >= self.mean[near].max() - _PERFECT]
        best = int(agreeing[np.argmax(excess[agreeing])])
        as_good = tuple(int(self.n_clusters[i]) for i in near.tolist() if i != best)
        return NumberChoice(int(self.n_clusters[best]), as_good, p)

    def is_undecided(self, alpha: float = 0.05) -> bool:
        """Whether replicates agree better than in every reference set, of which there are too few for a level."""
        level, share = real_number(alpha, "alpha", above=0.0, below=1.0), self._shares
        if share is None or not self.has_valley(level):
            return False
        return bool(level < share.min() == 1.0 / (1.0 + len(self.reference)))

    def has_valley(self, alpha: float = 0.05) -> bool:
        """Whether the first split of the tree has a valley of density between its sides, or this does not count."""
        level = real_number(alpha, "alpha", above=0.0, below=1.0)
        return self.valley is None or self.valley <= level

    def columns(self) -> dict[str, list[Any]]:
        """Return the agreement as columns."""
        columns = {"n_clusters": self.n_clusters, "mean": self.mean, "standard_error": self.standard_error}
        columns["low"], columns["high"] = self.band()
        if self.reference_mean is not None and self.p_values is not None:
            columns |= {"reference": self.reference_mean, "excess": self.excess, "p_value": self.p_values}
        return {name: column.tolist() for name, column in columns.items()}

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each number of clusters."""
        pd = require("pandas", extra="tables", for_="to_frame()")
        return pd.DataFrame(self.columns())

    def _repr_html_(self) -> str:
        return preview(repr(self), self.columns())

    def __repr__(self) -> str:
        k, choice = self.n_clusters, self.choose()
        reference = f", {plural(len(self.reference), 'reference set')}" if len(self.reference) else ""
        p = "" if choice.p_value is None else f", p = {choice.p_value:.2g}"
        return (
            f"Agreement({k[0]:,} to {k[-1]:,} clusters, {plural(len(self.values), 'pair')} of replicates{reference};"
            f" most stable {choice.n_clusters:,}{p})"
        )


def agreement_values(replicates: Sequence[Replicate], n_clusters: IntArray) -> FloatArray:
    """Return the agreement of each replicate with the next, and of the last with the first, at each number of clusters.

    For each pair O(n) for each of few numbers of clusters; one walk over both trees serves many, O(n log n). Pairs that
    share fewer than three items are left out, and all if a replicate has no heights.
    """
    if n_clusters.size == 0 or any(replicate.height is None for replicate in replicates):
        return np.zeros((0, n_clusters.size))
    formed = [clusters_formed(replicate) for replicate in replicates]
    pairs = list(pairwise(range(len(replicates)))) + ([(len(replicates) - 1, 0)] if len(replicates) > 2 else [])
    found = []
    for i, j in pairs:
        common = np.intersect1d(replicates[i].row, replicates[j].row, assume_unique=True)
        if common.size >= _LEAST_SHARED:
            found.append(_agreement((replicates[i], replicates[j]), (formed[i], formed[j]), common, n_clusters))
    return np.array(found).reshape(len(found), n_clusters.size)


def mean_agreement(replicates: Sequence[Replicate], n_clusters: IntArray) -> FloatArray:
    """Return the mean agreement of replicates at each number of clusters; 0 if none can be compared."""
    values = agreement_values(replicates, n_clusters)
    mean: FloatArray = values.mean(axis=0) if len(values) else np.zeros(n_clusters.size)
    return mean


def clusters_formed(replicate: Replicate) -> IntArray:
    """Return the number of clusters of the whole tree just after each node is formed; nodes of one height tie."""
    parent, own = replicate.parent, np.bincount(replicate.node, minlength=replicate.parent.size)
    parts = np.bincount(parent[:-1], minlength=parent.size) + own
    assert replicate.height is not None
    formed = accumulate_maximum(parent, np.where((parts == 1) & (own == 0), -np.inf, replicate.height))
    order = np.argsort(formed, kind="stable")
    merged = np.append(0, np.cumsum(np.maximum(parts[order] - 1, 0)))
    done = merged[np.searchsorted(formed[order], formed, side="right")]
    clusters: IntArray = replicate.node.size - done
    return clusters


def _agreement(
    two: tuple[Replicate, Replicate], formed: tuple[IntArray, IntArray], common: IntArray, n_clusters: IntArray
) -> FloatArray:
    """Return the adjusted Rand index of the cuts of two replicates, on their common items."""
    nodes = [r.node[np.searchsorted(r.row, common)] for r in two]
    if n_clusters.size <= _FEW:
        a, b = (Merges(r.parent, merged, node) for r, merged, node in zip(two, formed, nodes, strict=True))
        p, q, t = pairs_together(a, b, n_clusters)
    else:
        p, q, t = _walk(two, formed, nodes, n_clusters)
    return adjusted_rand_columns(PairColumns(p, q, t, common.size * (common.size - 1) // 2))


def _walk(
    two: tuple[Replicate, Replicate], formed: tuple[IntArray, IntArray], nodes: list[IntArray], n_clusters: IntArray
) -> Iterator[IntArray]:
    """Yield the pairs together in the cuts of two trees, given by the nodes of their common items, and in both."""
    parts = [part_of(r.parent, node) for r, node in zip(two, nodes, strict=True)]
    pair = shared_pair(parts[0].side, parts[1].side)
    most = max(r.node.size for r in two)

    def moments(tree: Tree) -> IntArray:
        which = 0 if tree is pair.a else 1
        return most - formed[which][parts[which].original[tree.original]]

    walk = contract(pair, moments)
    tick = np.searchsorted(walk.time, most - n_clusters, side="right") - 1
    return (np.where(tick >= 0, column[tick], 0) for column in (walk.p, walk.q, walk.t))


def _stretch(agreement: FloatArray) -> FloatArray:
    """Return agreement on a scale on which values near 1 lie far apart."""
    stretched: FloatArray = -np.log(1.0 + _PERFECT - agreement)
    return stretched


def _error_of_mean(values: FloatArray) -> FloatArray:
    """Return the standard error of the mean over rows, of which each may depend on the next."""
    n = len(values)
    if n < 2:
        return np.zeros(values.shape[1])
    away = values - values.mean(axis=0)
    variance = (away**2).sum(axis=0) / (n - 1)
    shared = 2.0 * (away * np.roll(away, 1, axis=0)).sum(axis=0) / (n - 1) if n > 2 else 0.0
    error: FloatArray = np.sqrt(np.maximum(variance, variance + shared) / n)
    return error


def _band(values: FloatArray, alpha: float) -> tuple[FloatArray, FloatArray]:
    """Return quantiles over rows."""
    level = real_number(alpha, "alpha", above=0.0, below=1.0)
    low, high = np.quantile(values, [level / 2.0, 1.0 - level / 2.0], axis=0)
    return low, high
