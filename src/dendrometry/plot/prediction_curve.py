"""Precision against recall of predictions on a taxonomy, over the thresholds of their scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dendrometry.errors import InvalidInputError
from dendrometry.plot._axes.axes import axes_for
from dendrometry.plot._axes.palette import FAINT, INK, OTHER, PALETTE
from dendrometry.taxonomy.scores import PredictionScores

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_CURVES = (("", "all terms alike"), ("weighted_", "weighted by information"))


def prediction_curve(result: PredictionScores, *, ax: Axes | None = None) -> Axes:
    """Draw precision against recall over the thresholds of the scores, and mark the best F.

    Parameters
    ----------
    result : PredictionScores
        The result of `dendrometry.taxonomy.score_predictions` for predicted labels with scores.
    ax : matplotlib Axes, optional
        The Axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib Axes
        Means over the items (macro), as CAFA evaluates them: all terms alike, and weighted by information. A large dot
        marks F-max; on a grey line, F is the same.

    Raises
    ------
    InvalidInputError
        If ``result`` has another type, or its labels have no scores.

    Examples
    --------
    >>> from dendrometry import from_paths, plot
    >>> from dendrometry.taxonomy import score_predictions
    >>> taxonomy = from_paths(["animal/mammal", "animal/bird", "plant"])
    >>> scored = [{"mammal": 0.9, "bird": 0.2}, {"plant": 0.4, "bird": 0.6}]
    >>> ax = plot.prediction_curve(score_predictions([["mammal"], ["bird"]], scored, taxonomy=taxonomy))
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['all terms alike: F-max 1.000', 'weighted by information: F-max 1.000']
    """
    if not isinstance(result, PredictionScores):
        raise InvalidInputError(
            f"prediction_curve draws what score_predictions(...) returns; got {type(result).__name__}"
        )
    if not result.thresholds:
        raise InvalidInputError("prediction_curve is for predicted labels with scores; these have none")
    ax = axes_for(ax, 5.6, 5.0)
    _guides(ax)
    for (prefix, title), colour in zip(_CURVES, PALETTE, strict=False):
        precision, recall, f = (
            np.array([np.nan if value is None else value for value in result.thresholds[name]], dtype=np.float64)
            for name in (f"{prefix}macro_precision", f"{prefix}macro_recall", f"{prefix}f_of_means")
        )
        best = result.scores[f"{prefix}f_max"].value
        if best is None:
            continue
        few = "o" if f.size <= 30 else None
        text = f"{title}: F-max {best:.3f}"
        ax.plot(recall, precision, color=colour, linewidth=1.5, marker=few, markersize=3, label=text)
        k = int(np.nanargmax(f))
        ax.plot([recall[k]], [precision[k]], color=colour, marker="o", markersize=9, linestyle="", label=f"_{title}")
    ax.set(xlabel="recall", ylabel="precision", xlim=(0.0, 1.02), ylim=(0.0, 1.02))
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), fontsize=8, frameon=False, labelcolor=INK)
    return ax


def _guides(ax: Axes) -> None:
    """Draw lines on which F is the same."""
    for f in (0.2, 0.4, 0.6, 0.8):
        recall = np.linspace(f / (2.0 - f), 1.0, 60)
        ax.plot(recall, f * recall / (2.0 * recall - f), color=FAINT, linewidth=0.8, label=f"_F {f}")
        ax.annotate(f"F {f:g}", (1.0, f / (2.0 - f)), fontsize=7, color=OTHER, va="bottom", ha="right")
