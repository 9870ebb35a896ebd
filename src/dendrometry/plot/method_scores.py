"""Scatter plot of stability against compactness, of several methods and numbers of clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dendrometry.errors import InvalidInputError
from dendrometry.plot._axes.axes import axes_for, curve_key, plain
from dendrometry.plot._axes.palette import INK, OTHER, PALETTE
from dendrometry.resampling.methods import MethodScores

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def method_scores(result: MethodScores, *, ax: Axes | None = None) -> Axes:
    """Draw what several methods score: stability beyond chance upwards, compact clusters to the right.

    Parameters
    ----------
    result : MethodScores
        The result of `dendrometry.resampling.score_methods`.
    ax : matplotlib Axes, optional
        The Axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib Axes
        One number of clusters for each method, in its colour, at its silhouette and at the excess of its agreement over
        that of data without clusters, in standard deviations. The line is at 0, where data without clusters lie.

    Raises
    ------
    InvalidInputError
        If ``result`` has another type.

    Examples
    --------
    >>> import numpy as np
    >>> from dendrometry import plot
    >>> from dendrometry.resampling import score_methods
    >>> points = np.random.default_rng(0).normal(size=(40, 2)) + np.repeat([[0, 0], [9, 0]], 20, axis=0)
    >>> found = score_methods(points, {"ward": "ward"}, max_clusters=4, n_replicates=6, n_references=5)
    >>> [text.get_text() for text in plot.method_scores(found).texts]
    ['2', '3', '4']
    """
    if not isinstance(result, MethodScores):
        raise InvalidInputError(f"method_scores draws what score_methods(X) returns; got {type(result).__name__}")
    ax = axes_for(ax, 9.0, 4.6)
    x, y = result.simplified_silhouette, result.excess
    for i, name in enumerate(result.methods):
        rows = np.flatnonzero(result.method == i)
        colour = PALETTE[i] if i < len(PALETTE) else OTHER
        ax.plot(x[rows], y[rows], color=colour, linewidth=0.8, marker="o", markersize=4, label=plain(name, 24))
        for row in rows.tolist():
            k = f"{result.n_clusters[row]:,}"
            ax.annotate(k, (x[row], y[row]), xytext=(3, 3), textcoords="offset points", fontsize=7, color=colour)
    ax.axhline(0.0, color=INK, linewidth=0.6, linestyle=":")
    ax.set(xlabel="simplified silhouette", ylabel="agreement beyond data without clusters (standard deviations)")
    ax.spines[["top", "right"]].set_visible(False)
    curve_key(ax)
    return ax
