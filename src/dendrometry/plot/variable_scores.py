"""Bars and dots of the variables of points, by the trees that they lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dendrometry.comparison.variables import VariableScores
from dendrometry.errors import InvalidInputError
from dendrometry.plot._axes.axes import add_shapes, axes_for, name_ticks, plain
from dendrometry.plot._axes.palette import INK, PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def variable_scores(result: VariableScores, *, ax: Axes | None = None) -> Axes:
    """Draw how much the tree of each variable agrees with those of the others, and how much the variable matters.

    Parameters
    ----------
    result : VariableScores
        The result of `dendrometry.comparison.score_variables`.
    ax : matplotlib Axes, optional
        The Axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib Axes
        One bar for each variable, the largest first: its mean adjusted similarity with the other variables, where 0 is
        chance. A dot shows 1 minus the similarity of the tree of all variables and the tree without this one.

    Raises
    ------
    InvalidInputError
        If ``result`` has another type.

    Examples
    --------
    >>> from dendrometry import plot
    >>> from dendrometry.comparison import score_variables
    >>> X = [[0, 0, 3], [1, 1, 9], [5, 6, 4], [6, 5, 8], [11, 12, 1]]
    >>> ax = plot.variable_scores(score_variables(X, variable_names=["x", "y", "noise"]))
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['x', 'y', 'noise']
    """
    if not isinstance(result, VariableScores):
        raise InvalidInputError(f"variable_scores draws what score_variables(X) returns; got {type(result).__name__}")
    order = np.argsort(-result.agreement, kind="stable")
    value, lost = result.agreement[order], 1.0 - result.without[order]
    ax = axes_for(ax, 6.5, min(max(0.25 * order.size + 1.2, 2.5), 13.0))
    place, nothing = np.arange(order.size), np.zeros(order.size)
    corners = ((nothing, place - 0.375), (value, place - 0.375), (value, place + 0.375), (nothing, place + 0.375))
    bars = np.stack([np.column_stack(corner) for corner in corners], axis=1)
    add_shapes(ax, bars, "bars", facecolors=PALETTE[0], linewidths=0)
    ax.axvline(0.0, color=INK, linewidth=0.8, label="_chance")
    ax.scatter(lost, place, s=22, color=PALETTE[1], zorder=3, label="change of the tree of all variables without it")
    low, high = min(0.0, float(value.min())), max(float(value.max()), float(lost.max()), 0.05)
    room = 0.04 * (high - low)
    ax.set(xlim=(low - room, high + room), ylim=(order.size - 0.5, -0.5))
    ax.set_xlabel("bars: mean adjusted similarity with the other variables (0 is chance)")
    ax.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), frameon=False, fontsize=8)
    ax.spines[["top", "right", "left"]].set_visible(False)
    name_ticks(ax, "left", order.size, lambda slot: plain(result.names[order[slot]]))
    return ax
