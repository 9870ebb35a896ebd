"""Curves of the similarity of two trees against the number of clusters k."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from dendrometry._check.choices import elements
from dendrometry._check.tree import require_heights
from dendrometry.comparison.comparison import MOST_STAGES, Comparison
from dendrometry.errors import InvalidInputError
from dendrometry.levels.band import Series, chance_band, chosen_stages
from dendrometry.levels.stages import Stages
from dendrometry.measures.registry import MEASURES
from dendrometry.plot._axes.axes import axes_for, curve_key
from dendrometry.plot._axes.palette import PALETTE
from dendrometry.plot._axes.scales import scale_clusters

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def stage_curves(
    result: Stages | Comparison,
    series: Series | Sequence[Series] = ("adjusted_rand", "fowlkes_mallows"),
    *,
    alpha: float = 0.05,
    ax: Axes | None = None,
) -> Axes:
    """Draw one or more series of the stages against the number of clusters, with their chance bands.

    Where a curve is above its band, the two trees agree more at this number of clusters than relabelled trees would.

    Parameters
    ----------
    result : Stages or Comparison
        The result of `dendrometry.stages` or `dendrometry.compare`.
    series : name or sequence of names
        Any of "adjusted_rand", "fowlkes_mallows", "rand", "z", "v", "s" and "t".
    alpha : float
        The share of relabellings outside the band. The mean and variance are exact; the band assumes a normal
        distribution. The dashed line is the mean.
    ax : matplotlib Axes, optional
        The Axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib Axes
        The k axis is logarithmic if there are more than 60 stages, since most relevant changes occur at few groups.
        Only stages at which both trees have exactly k clusters are drawn (`Stages.is_reached`); if there are none, all
        are drawn and the legend says so. Of more than 4,000 stages, 4,000 with geometrically spaced k are drawn.

    Raises
    ------
    InvalidInputError
        If a series does not exist, or alpha is not between 0 and 1.

    Examples
    --------
    >>> from dendrometry import from_newick, plot, stages
    >>> a = from_newick("(((ape:1,cat:1):1,elk:2):1,owl:3);")
    >>> b = from_newick("((ape:1,cat:1):2,(elk:2,owl:2):1);")
    >>> ax = plot.stage_curves(stages(a, b), "rand")
    >>> ax.get_xlabel()
    'number of clusters k'
    """
    stages = result.stages if isinstance(result, Comparison) else result
    if isinstance(result, Comparison) and stages is None:
        pair = result.statistics.pair
        for tree, name in zip((pair.a, pair.b), result.display_names, strict=True):
            require_heights(tree.height, name, "stages", InvalidInputError)
        raise InvalidInputError(f"there must be 3 to {MOST_STAGES:,} items for stages; got {result.n_items:,}")
    if not isinstance(stages, Stages):
        raise InvalidInputError(
            f"stage_curves draws what stages(a, b) or compare(a, b) returns; got {type(stages).__name__}"
        )
    names: list[Series] = [series] if isinstance(series, str) else elements(series, "series")
    bands = [chance_band(stages, name, alpha) for name in names]
    real = stages.is_reached.any() or stages.ties is None
    reached = np.flatnonzero(stages.is_reached | (not real) | (stages.ties is None))
    ax = axes_for(ax, 9.0, 4.2)
    shown = reached[chosen_stages(stages.n_clusters[reached])]
    k = stages.n_clusters[shown]
    marker = "o" if k.size <= 30 else None
    for i, (name, band) in enumerate(zip(names, bands, strict=True)):
        colour = PALETTE[i % len(PALETTE)]
        ax.fill_between(k, band.low[shown], band.high[shown], color=colour, alpha=0.18, linewidth=0, label="_band")
        ax.plot(k, band.mean[shown], color=colour, linestyle="--", linewidth=1.0, label="_mean")
        values = getattr(stages, name)[shown]
        ax.plot(k, values, color=colour, linewidth=1.6, marker=marker, markersize=4, label=name.replace("_", " "))
    scale_clusters(ax, stages.n_clusters.size)
    alike = len(names) > 1 and all(name in MEASURES and MEASURES[name].kind == "similarity" for name in names)
    label = "agreement of the cuts (1: the same)" if alike else ", ".join(name.replace("_", " ") for name in names)
    ax.set(xlabel="number of clusters k", ylabel=label)
    ax.spines[["top", "right"]].set_visible(False)
    _key(ax, alpha, "" if real else "no k is a number of clusters of both trees")
    return ax


def _key(ax: Axes, alpha: float, note: str) -> None:
    """Add a legend for curves, means and bands, and a note, beside the Axes, so that a title has its place above."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles = list(ax.get_legend_handles_labels()[0])
    dashed = Line2D([], [], color="grey", linestyle="--", linewidth=1.0, label="mean by chance")
    band = Patch(color="grey", alpha=0.25, linewidth=0, label=f"{1.0 - alpha:.0%} of relabellings")
    handles += [dashed, band] + ([Line2D([], [], linestyle="none", label=note)] if note else [])
    curve_key(ax, handles=handles)
