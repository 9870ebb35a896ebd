"""Scores of predictions on a taxonomy as dots, with their intervals, beside chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dendrometry.errors import InvalidInputError
from dendrometry.plot._axes.axes import axes_for
from dendrometry.plot._axes.palette import ACCENT, INK, PALETTE
from dendrometry.taxonomy.scores import PredictionScores

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_OUTSIDE = frozenset({"s_min", "remaining_uncertainty", "misinformation", "common_depth", "common_distance", "cost"})


def prediction_scores(result: PredictionScores, *, ax: Axes | None = None) -> Axes:
    """Draw the scores of predictions that are from 0 to 1: value, interval, and mean by chance.

    Parameters
    ----------
    result : PredictionScores
        The result of `dendrometry.taxonomy.score_predictions`.
    ax : matplotlib Axes, optional
        The Axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib Axes
        A row for each score that is defined; bits, depths and hops have other ranges and are left out.

    Raises
    ------
    InvalidInputError
        If ``result`` has another type.

    Examples
    --------
    >>> from dendrometry import from_paths, plot
    >>> from dendrometry.taxonomy import score_predictions
    >>> taxonomy = from_paths(["animal/mammal", "animal/bird", "plant"])
    >>> ax = plot.prediction_scores(score_predictions(["mammal", "bird"], ["bird", "bird"], taxonomy=taxonomy))
    >>> [text.get_text() for text in ax.get_yticklabels()][:3]
    ['precision', 'recall', 'F']
    """
    if not isinstance(result, PredictionScores):
        raise InvalidInputError(
            f"prediction_scores draws what score_predictions(...) returns; got {type(result).__name__}"
        )
    rows = [(name, score) for name, score in result.scores.items() if name not in _OUTSIDE and score.value is not None]
    ax = axes_for(ax, 8.0, 0.3 * len(rows) + 1.1)
    for y, (_, score) in enumerate(rows):
        if score.lower is not None and score.upper is not None:
            ax.plot([score.lower, score.upper], [y, y], color=PALETTE[0], linewidth=2.0, alpha=0.5)
        if score.expected is not None:
            ax.plot([score.expected], [y], color=ACCENT, marker="|", markersize=11, markeredgewidth=2.0, linestyle="")
        ax.plot([score.value or 0.0], [y], color=PALETTE[0], marker="o", markersize=6, linestyle="")
    ax.plot([], [], color=PALETTE[0], marker="o", markersize=6, linewidth=2.0, label="value and 95 % interval")
    ax.plot([], [], color=ACCENT, marker="|", markersize=11, markeredgewidth=2.0, linestyle="", label="by chance")
    ax.set_yticks(range(len(rows)), [_words(name) for name, _ in rows], fontsize=8, color=INK)
    ax.set(xlim=(-0.02, 1.02), ylim=(len(rows) - 0.4, -0.6))
    ax.grid(axis="x", color="#eeeeee")
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=2, fontsize=8, frameon=False)
    return ax


def _words(name: str) -> str:
    """Return the name of a score in words."""
    return " ".join("F" if word == "f" else word for word in name.split("_")).replace("F max", "F-max")
