"""Similarity of the trees of different linkages at every number of clusters, on real and simulated data."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dendrometry._check.numbers import random_generator
from dendrometry._progress import track
from dendrometry._studies.inputs.data import Points, animals, bundled, nested_groups, structureless
from dendrometry._studies.result import StudyResult, Table
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cluster.linkages import Linkage
from dendrometry.cluster.ties import trees_over_ties
from dendrometry.levels.band import Band, Series, chance_band
from dendrometry.levels.stages import Stages
from dendrometry.levels.stages import stages as stages_of
from dendrometry.measures.registry import MEASURES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LINKAGES: tuple[Linkage, ...] = ("single", "complete", "average", "ward")
_SERIES: tuple[Series, ...] = ("z", "s", "fowlkes_mallows", "adjusted_rand")
_MEASURED = {"z": "overall_distance", "s": "overall_similarity"}  # the other series are named like their measures
_ALPHA = 0.05  # level of the chance bands
_FEW = 20  # maximum number of clusters in the search for the best agreement
_TITLE = "At which numbers of clusters do the trees of two linkages agree, and more than by chance?"


class _Pair(NamedTuple):
    """Two linkages of one data set, and their stages for every tie-break."""

    points: Points
    first: str
    second: str
    tie_breaks: tuple[Stages, ...]

    @property
    def stages(self) -> Stages:
        """The stages with the lowest numbers first in ties; the numbers of clusters are the same in all."""
        return self.tie_breaks[0]

    def mean(self, name: str) -> Any:
        """Return the mean over the tie-breaks of a number or series of the stages."""
        return np.mean([getattr(one, name) for one in self.tie_breaks], axis=0)

    def band(self, series: Series) -> Band:
        """Return the chance band of a series, as means over the tie-breaks."""
        return Band(*np.mean([chance_band(one, series, _ALPHA) for one in self.tie_breaks], axis=0))

    @property
    def z_range(self) -> tuple[float, float]:
        """The least and the greatest Z over the tie-breaks."""
        values = [one.distance for one in self.tie_breaks]
        return min(values), max(values)

    @property
    def above_chance(self) -> float:
        """The share of stages above the chance band of adjusted Rand, among stages at which the trees can differ."""
        shares = []
        for one in self.tie_breaks:
            band = chance_band(one, "adjusted_rand", _ALPHA)
            shares.append((one.adjusted_rand > band.high)[band.mean < 1.0].mean())
        return float(np.mean(shares))

    @property
    def best(self) -> int:
        """The stage with the greatest adjusted Rand index up to 20 clusters; among ties, the finest."""
        few = self.mean("adjusted_rand")[self.stages.n_clusters <= _FEW]
        return int(np.flatnonzero(few == few.max())[-1])

    @property
    def half(self) -> int:
        """The least k such that half of the joined pairs summed in the denominator of Z are at k or fewer clusters."""
        together = np.cumsum(self.mean("p") + self.mean("q"))
        return int(self.stages.n_clusters[np.searchsorted(together, together[-1] / 2)])


def stages(*, quick: bool = False, rng: np.random.Generator | int | None = 0, progress: bool = False) -> StudyResult:
    """Compare linkages at every number of clusters: Z_k, S_k, B_k and adjusted Rand, with chance bands.

    Morlini and Zani define the components of their overall index at each number of clusters k and leave their behaviour
    to further studies. Here the components are computed for every pair of four linkages on four real data sets
    (animals, iris, wine, digits) and two simulated ones, one with known groups and one without groups. Where merges are
    tied, as with traits and other numbers of few digits, an arbitrary rule decides among them: all numbers are then
    means over 10 tie-breaks, lowest numbers first and nine at random, and the range of Z is given.

    Parameters
    ----------
    quick, rng, progress
        As for `reproduce`; ``quick`` uses fewer and smaller data sets.

    Returns
    -------
    StudyResult
        Tables "pairs" (each pair of linkages on each data set) and "curves" (the series against k with their chance
        bands, at all k up to 10 and at selected larger k); figures "adjusted_rand" and "series".

    References
    ----------
    .. [1] I. Morlini, S. Zani, "An Overall Index for Comparing Hierarchical Clusterings", 2012, sections 2, 4 and 6,
       doi:10.1007/978-3-642-24466-7_4.

    Examples
    --------
    >>> from dendrometry._studies.stages import stages
    >>> result = stages(quick=True)
    >>> print(result.notes[1].strip().split(",")[0])
    It is 1.00 at the 3 groups and 1.00 at the 9 groups that are known
    """
    source = random_generator(rng)
    pairs = list(_pairs(_data(quick, source), source, progress))
    return StudyResult(
        "stages",
        _TITLE,
        {"pairs": _gist(pairs), "curves": _curves(pairs)},
        tuple(_sentences(pairs)),
        figures={"adjusted_rand": partial(_all_pairs, pairs), "series": partial(_all_series, pairs)},
    )


def _data(quick: bool, rng: np.random.Generator) -> list[Points]:
    """Return the data sets of the study."""
    if quick:
        return [nested_groups(4, rng), structureless(36, rng)]
    real = [animals(), bundled("iris"), bundled("wine"), bundled("digits")]
    return [nested_groups(30, rng), structureless(270, rng), *real]


def _pairs(data: Sequence[Points], rng: np.random.Generator, progress: bool) -> Iterator[_Pair]:
    """Iterate over all pairs of linkages on all data sets."""
    for points in track(data, "data sets", len(data), progress):
        trees = {linkage: trees_over_ties(points.values, rng, linkage=linkage) for linkage in _LINKAGES}
        for first, second in combinations(_LINKAGES, 2):
            a, b = trees[first], trees[second]
            tie_breaks = [stages_of(a[r % len(a)], b[r % len(b)]) for r in range(max(len(a), len(b)))]
            yield _Pair(points, first, second, tuple(tie_breaks))


def _gist(pairs: Sequence[_Pair]) -> Table:
    """Return one row for each pair of linkages on each data set."""
    return Table.of(
        data=[pair.points.name for pair in pairs],
        items=[pair.stages.n_items for pair in pairs],
        first=[pair.first for pair in pairs],
        second=[pair.second for pair in pairs],
        tie_breaks=[len(pair.tie_breaks) for pair in pairs],
        z=[pair.mean("distance") for pair in pairs],
        z_low=[pair.z_range[0] for pair in pairs],
        z_high=[pair.z_range[1] for pair in pairs],
        z_by_chance=[pair.mean("expected_distance") for pair in pairs],
        least_s_k=[pair.mean("s").min() for pair in pairs],
        half_of_z_k=[pair.half for pair in pairs],
        mean_adjusted_rand=[pair.mean("adjusted_rand").mean() for pair in pairs],
        above_chance=[pair.above_chance for pair in pairs],
        best_k=[pair.stages.n_clusters[pair.best] for pair in pairs],
        best_adjusted_rand=[pair.mean("adjusted_rand")[pair.best] for pair in pairs],
    )


def _curves(pairs: Sequence[_Pair]) -> Table:
    """Return the series and their bands at all k up to 10 and at selected larger k, one row for each pair and k."""
    rows: list[list[Any]] = []
    for pair in pairs:
        shown = _some(pair.stages.n_clusters)
        columns: list[Any] = [pair.stages.n_clusters[shown]]
        for series in _SERIES:
            columns += [column[shown] for column in (pair.mean(series), *pair.band(series))]
        rows += [[pair.points.name, pair.first, pair.second, *row] for row in zip(*columns, strict=True)]
    names = [name + end for name in _SERIES for end in ("", "_mean", "_low", "_high")]
    return Table.of_rows(("data", "first", "second", "k", *names), rows)


def _some(k: IntArray) -> IntArray:
    """Return the stages of up to 10 clusters and a dozen geometrically spaced ones beyond."""
    return np.unique(np.append(np.arange(min(9, k.size)), np.geomspace(1, k.size, 20).astype(np.int64) - 1))


def _sentences(pairs: Sequence[_Pair]) -> Iterator[str]:
    """Summarise the curves in sentences computed from the numbers."""
    for name in dict.fromkeys(pair.points.name for pair in pairs):
        here = [pair for pair in pairs if pair.points.name == name]
        yield (
            f"{name}: {_nearest(here)}, {_farthest(here)}; on average"
            f" {np.mean([pair.above_chance for pair in here]):.0%} of the stages lie above the chance band, and the"
            f" adjusted Rand index is {np.mean([pair.mean('adjusted_rand').mean() for pair in here]):.2f}."
        )
        known = here[0].points.groups
        if known:
            few = _few_clusters(here)
            at = [f"{_span(few[:, k - 2])} at the {k} groups" for k in known]
            other = np.delete(few, [k - 2 for k in known], axis=1).mean()
            yield f"  It is {' and '.join(at)} that are known, {other:.2f} at other k up to {_FEW}."
    yield from _of_ties(pairs)
    halves = [pair.half for pair in pairs]
    yield (
        f"Half of the denominator of Z lies at k <= {np.median(halves):.0f} (median of the pairs; at most"
        f" {max(halves)}), while k goes up to {max(pair.stages.n_items for pair in pairs) - 1:,}."
    )
    least, least_rand = (min(float(pair.mean(name).min()) for pair in pairs) for name in ("s", "adjusted_rand"))
    yield (
        f"S_k, where Z_k is one of n - 2 parts of Z, never falls below {least:.3f}; the adjusted Rand index of the same"
        f" stages goes down to {least_rand:.3f}."
    )
    two = [float(pair.mean("expected_fowlkes_mallows")[0]) for pair in pairs]
    yield (f"The mean of B_k by chance, at k = 2, is {min(two):.2f} to {max(two):.2f}.")


def _of_ties(pairs: Sequence[_Pair]) -> Iterator[str]:
    """Report which data have ties, and how much they change Z."""
    tied = [pair for pair in pairs if len(pair.tie_breaks) > 1]
    names = dict.fromkeys(pair.points.name for pair in tied)
    widest = [max(pair.z_range[1] - pair.z_range[0] for pair in tied if pair.points.name == name) for name in names]
    if tied:
        yield (
            f"Merges are tied in {', '.join(names)}: the numbers are means over {len(tied[0].tie_breaks)} tie-breaks,"
            f" over which Z ranges by at most {', '.join(f'{width:.3f}' for width in widest)}."
        )


def _few_clusters(here: Sequence[_Pair]) -> FloatArray:
    """Return the adjusted Rand index of up to 20 clusters, as means over the pairs: (tie-breaks, stages)."""
    n_tie_breaks = max(len(pair.tie_breaks) for pair in here)
    rows = [
        [pair.tie_breaks[r % len(pair.tie_breaks)].adjusted_rand[: _FEW - 1] for pair in here]
        for r in range(n_tie_breaks)
    ]
    means: FloatArray = np.mean(rows, axis=1)
    return means


def _span(values: FloatArray) -> str:
    """Return a mean in two digits, with the range where that shows in them."""
    low, high = f"{values.min():.2f}", f"{values.max():.2f}"
    return low if low == high else f"{values.mean():.2f} ({low} to {high})"


def _nearest(here: Sequence[_Pair]) -> str:
    """Name the nearest linkages, or those that may be so, depending on how ties are broken."""
    bound = min(pair.z_range[1] for pair in here)
    return _named("nearest", [pair for pair in here if pair.z_range[0] <= bound])


def _farthest(here: Sequence[_Pair]) -> str:
    """Name the farthest linkages, or those that may be so, depending on how ties are broken."""
    bound = max(pair.z_range[0] for pair in here)
    return _named("farthest", [pair for pair in here if pair.z_range[1] >= bound])


def _named(what: str, some: Sequence[_Pair]) -> str:
    """Return the names of one or several pairs of linkages, with their distances and those expected by chance."""
    called = [
        f"{pair.first} and {pair.second} (Z {_span(np.array([one.distance for one in pair.tie_breaks]))}, by chance"
        f" {pair.mean('expected_distance'):.2f})"
        for pair in some
    ]
    return f"{what} are {called[0]}" if len(called) == 1 else f"{what} are, as ties fall, {' or '.join(called)}"


def _all_pairs(pairs: Sequence[_Pair]) -> "Figure":
    """Draw the adjusted Rand index of all pairs of linkages, one panel for each data set."""
    from matplotlib.figure import Figure

    from dendrometry.plot._axes.palette import FAINT, PALETTE

    names = list(dict.fromkeys(pair.points.name for pair in pairs))
    n_columns = min(3, len(names))
    n_rows = -(-len(names) // n_columns)
    figure = Figure(figsize=(3.6 * n_columns, 2.7 * n_rows + 0.5), layout="constrained")
    panels = figure.subplots(n_rows, n_columns, squeeze=False, sharey=True)
    for ax, name in zip(panels.ravel(), names, strict=False):
        here = [pair for pair in pairs if pair.points.name == name]
        bands = [pair.band("adjusted_rand") for pair in here]
        k = here[0].stages.n_clusters
        low, high = np.min([band.low for band in bands], axis=0), np.max([band.high for band in bands], axis=0)
        ax.fill_between(k, low, high, color=FAINT, linewidth=0, label="chance, 95%")
        for colour, pair in zip(PALETTE, here, strict=False):
            ax.plot(k, pair.mean("adjusted_rand"), color=colour, linewidth=1.2, label=f"{pair.first}, {pair.second}")
        _mark_groups(ax, here[0])
        _by_factors(ax, here[0].stages)
        ax.set_title(f"{name} ({here[0].stages.n_items:,})", fontsize=10)
        ax.set_ylim(-0.08, 1.03)
    for ax in panels[:, 0]:
        ax.set_ylabel("adjusted Rand")
    for ax in panels[-1]:
        ax.set_xlabel("number of clusters k")
    figure.legend(
        *panels[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False, fontsize=9
    )
    return figure


def _all_series(pairs: Sequence[_Pair]) -> "Figure":
    """Draw all series of complete and ward, one row for each of the first three data sets."""
    from matplotlib.figure import Figure

    from dendrometry.plot._axes.palette import PALETTE

    chosen = [pair for pair in pairs if (pair.first, pair.second) == ("complete", "ward")][:3]
    figure = Figure(figsize=(11.0, 2.3 * len(chosen) + 0.3), layout="constrained")
    panels = figure.subplots(len(chosen), len(_SERIES), squeeze=False)
    for row, pair in zip(panels, chosen, strict=True):
        for ax, series, colour in zip(row, _SERIES, PALETTE, strict=False):
            k, band = pair.stages.n_clusters, pair.band(series)
            ax.fill_between(k, band.low, band.high, color=colour, alpha=0.25, linewidth=0)
            ax.plot(k, band.mean, color=colour, linestyle="--", linewidth=0.9)
            ax.plot(k, pair.mean(series), color=colour, linewidth=1.3)
            _mark_groups(ax, pair)
            _by_factors(ax, pair.stages)
        row[0].set_ylabel(pair.points.name)
    key = "complete against ward linkage; dashed and shaded: mean and 95% by chance; dotted: known numbers of groups"
    figure.suptitle(key, fontsize=10)
    for ax, series in zip(panels[0], _SERIES, strict=True):
        ax.set_title(_symbol(series), fontsize=10)
    for ax in panels[-1]:
        ax.set_xlabel("number of clusters k")
    return figure


def _symbol(series: Series) -> str:
    """Return the symbol of the measure of a series, at k clusters."""
    return f"{MEASURES[_MEASURED.get(series, series)].symbol}_k"


def _mark_groups(ax: "Axes", pair: _Pair) -> None:
    """Mark the known numbers of groups in the data."""
    from dendrometry.plot._axes.palette import OTHER

    for groups in pair.points.groups:
        ax.axvline(groups, color=OTHER, linewidth=0.8, linestyle=":", label="_groups")


def _by_factors(ax: "Axes", stages: Stages) -> None:
    """Set a logarithmic k axis with plain numbers at the ticks."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    ax.set_xscale("log")
    ax.set_xlim(2, stages.n_items - 1)
    ax.xaxis.set_major_locator(LogLocator(subs=(1.0, 3.0)))
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    ax.spines[["top", "right"]].set_visible(False)
