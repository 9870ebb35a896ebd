"""Curve of the agreement of replicates against the number of clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dendrometry.errors import InvalidInputError
from dendrometry.plot._axes.axes import axes_for, curve_key
from dendrometry.plot._axes.palette import OTHER, PALETTE
from dendrometry.resampling.agreement import Agreement

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def stability_curve(result: Agreement, *, alpha: float = 0.05, ax: Axes | None = None) -> Axes:
    """Draw the agreement of replicates against the number of clusters, beside that of data without clusters.

    Parameters
    ----------
    result : Agreement
        The ``agreement`` of the result of `dendrometry.stability`.
    alpha : float
        The bands hold all but this share of the pairs of replicates, and of the reference sets; and numbers of clusters
        are marked if the p-value is at most this.
    ax : matplotlib Axes, optional
        The Axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib Axes
        A large dot marks the most stable number of clusters, small rings those that are as good.

    Raises
    ------
    InvalidInputError
        If ``result`` has another type, or ``alpha`` is not between 0 and 1.

    Examples
    --------
    >>> import numpy as np
    >>> from dendrometry import plot, stability
    >>> points = np.random.default_rng(0).normal(size=(60, 2)) + np.repeat([[0, 0], [9, 0], [0, 9]], 20, axis=0)
    >>> ax = plot.stability_curve(stability(points, n_replicates=20).agreement)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['replicates', 'data without clusters', 'most stable: 3 clusters']
    """
    if not isinstance(result, Agreement):
        raise InvalidInputError(
            f"stability_curve draws the agreement of what stability(X) returns; got {type(result).__name__}"
        )
    from matplotlib.ticker import MaxNLocator

    choice = result.choose(alpha)
    ax = axes_for(ax, 9.0, 4.2)
    k = result.n_clusters
    ax.fill_between(k, *result.band(alpha), color=PALETTE[0], alpha=0.2, linewidth=0)
    ax.plot(k, result.mean, color=PALETTE[0], linewidth=1.8, marker="o", markersize=3.5, label="replicates")
    band, mean = result.reference_band(alpha), result.reference_mean
    if band is not None and mean is not None:
        ax.fill_between(k, *band, color=OTHER, alpha=0.25, linewidth=0)
        ax.plot(k, mean, color=OTHER, linewidth=1.4, linestyle="--", label="data without clusters")
    best = np.flatnonzero(k == choice.n_clusters)
    if best.size:
        label = f"most stable: {choice.n_clusters:,} clusters"
        style: dict[str, Any] = {"color": PALETTE[0], "linestyle": "none", "marker": "o"}
        ax.plot(k[best], result.mean[best], markersize=10, label=label, **style)
        near = np.flatnonzero(np.isin(k, choice.as_good))
        ax.plot(k[near], result.mean[near], markersize=9, markerfacecolor="none", label="_as good", **style)
    else:
        few = "too few reference sets to tell" if result.is_undecided(alpha) else ""
        ax.set_title(few or "no more stable than data without clusters", loc="right", fontsize=8)
    ax.set(xlabel="number of clusters", ylabel="agreement of replicates (adjusted Rand)")
    ax.set_ylim(top=1.05)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.spines[["top", "right"]].set_visible(False)
    curve_key(ax)
    return ax
