"""Curves of the quality of cuts against the number of clusters, to choose one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dendrometry._check.numbers import whole_number
from dendrometry._display import plural
from dendrometry._typing import FloatArray, IntArray
from dendrometry.errors import InvalidInputError
from dendrometry.levels.band import chosen_stages
from dendrometry.plot._axes.axes import axes_for, curve_key
from dendrometry.plot._axes.palette import INK, PALETTE
from dendrometry.quality.cut_scores import CutScores
from dendrometry.quality.gap_statistic import GapStatistic

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_TITLES = {
    "calinski_harabasz": "Calinski-Harabasz",
    "davies_bouldin": "Davies-Bouldin, low is good",
    "simplified_silhouette": "simplified silhouette",
}


def cut_scores(
    result: CutScores, *, gap: GapStatistic | None = None, recommended: int | None = None, ax: Axes | None = None
) -> Axes:
    """Draw the indices of the quality of cuts against the number of clusters.

    Each curve is scaled to its own range, with its best value at 1 and its worst at 0, so that all of them rise where
    the cut is good. A large dot marks the choice of each index; where several agree, there is a good reason for that
    number of clusters.

    Parameters
    ----------
    result : CutScores
        The result of `dendrometry.quality.score_cuts`.
    gap : GapStatistic, optional
        The gap statistic of the same points, drawn as one more curve.
    recommended : int, optional
        A number of clusters to mark by a line, such as ``recommend(X).n_clusters``.
    ax : matplotlib Axes, optional
        The Axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib Axes
        Only cuts at a height are drawn (`CutScores.is_reached`); if there are none, all are drawn and none is marked.

    Raises
    ------
    InvalidInputError
        If ``result`` or ``gap`` has another type, or ``recommended`` is not a whole number from 1 on.

    Examples
    --------
    >>> from dendrometry import agglomerate, plot
    >>> from dendrometry.quality import score_cuts
    >>> points = [[0.0], [1.0], [2.5], [20.0], [21.5], [23.0], [50.0], [51.2], [53.0]]
    >>> ax = plot.cut_scores(score_cuts(agglomerate(points).hierarchy, points, max_clusters=5))
    >>> [text.get_text() for text in ax.get_legend().get_texts()][0]
    'Calinski-Harabasz: 3 clusters'
    """
    if not isinstance(result, CutScores):
        raise InvalidInputError(f"cut_scores draws what score_cuts(tree, X) returns; got {type(result).__name__}")
    if gap is not None and not isinstance(gap, GapStatistic):
        raise InvalidInputError(f"gap must be what gap_statistic(X, build) returns, or None; got {type(gap).__name__}")
    from matplotlib.ticker import MaxNLocator

    ax = axes_for(ax, 9.0, 4.2)
    reached = np.flatnonzero(result.is_reached if result.is_reached.any() else np.ones(result.n_clusters.size))
    shown = reached[chosen_stages(result.n_clusters[reached])]
    for name, colour in zip(_TITLES, PALETTE, strict=False):
        value = getattr(result, name)[shown] * (-1 if name == "davies_bouldin" else 1)
        _curve(ax, result.n_clusters[shown], value, result.best.get(name), _TITLES[name], colour)
    if gap is not None:
        at = np.flatnonzero(gap.is_reached)
        _curve(ax, gap.n_clusters[at], gap.gap[at], gap.best, "gap statistic", PALETTE[len(_TITLES)])
    if recommended is not None:
        k = whole_number(recommended, "recommended", 1)
        ax.axvline(k, color=INK, linewidth=1.0, linestyle="--", label=f"recommended: {plural(k, 'cluster')}")
    ax.set(xlabel="number of clusters", ylabel="share of the range of each index (1: best)", ylim=(-0.05, 1.08))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.spines[["top", "right"]].set_visible(False)
    curve_key(ax)
    return ax


def _curve(ax: Axes, k: IntArray, value: FloatArray, best: int | None, title: str, colour: str) -> None:
    """Draw one index, higher is better, and mark its choice."""
    share = _shares(value)
    label = title if best is None else f"{title}: {best:,} cluster{'s'[: best != 1]}"
    ax.plot(k, share, color=colour, linewidth=1.6, marker="o" if k.size <= 60 else None, markersize=3.5, label=label)
    at = np.flatnonzero(k == best)
    ax.plot(k[at], share[at], color=colour, linestyle="none", marker="o", markersize=9, label=f"_best {title}")


def _shares(value: FloatArray) -> FloatArray:
    """Return values as shares of the range of the finite ones; infinite ones at its ends."""
    finite = value[np.isfinite(value)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    if low == high:
        return np.where(value >= value.max(), 1.0, 0.0)
    return (np.clip(value, low, high) - low) / (high - low)
