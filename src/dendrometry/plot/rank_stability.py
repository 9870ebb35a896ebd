"""Bars of the methods that win, over all conditions and at each level of each factor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dendrometry._display import percent
from dendrometry.errors import InvalidInputError
from dendrometry.plot._axes.axes import axes_for, name_ticks, plain
from dendrometry.plot._axes.palette import OTHER, PALETTE
from dendrometry.resampling.rank_stability import RankStability

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def rank_stability(result: RankStability, *, ax: Axes | None = None) -> Axes:
    """Draw how often each method wins: over all conditions, and at each level of each factor.

    Parameters
    ----------
    result : RankStability
        The result of `dendrometry.resampling.rank_stability`.
    ax : matplotlib Axes, optional
        The Axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib Axes
        One bar for all conditions, and one for each level of each factor, in parts for the methods that win. The
        heading of a factor says how often the winner changes with it alone. Methods beyond the colours of the palette
        share one.

    Raises
    ------
    InvalidInputError
        If ``result`` has another type.

    Examples
    --------
    >>> from dendrometry import plot
    >>> from dendrometry.resampling import rank_stability
    >>> scores = {"data": ["iris", "wine"], "ward": [0.73, 0.37], "average": [0.76, 0.29]}
    >>> ax = plot.rank_stability(rank_stability(scores, factors=["data"]))
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['all 2 conditions', 'data: winner changes in 100%', 'iris', 'wine']
    """
    if not isinstance(result, RankStability):
        raise InvalidInputError(
            f"rank_stability draws what rank_stability(scores) returns; got {type(result).__name__}"
        )
    n = len(result.rank)
    names, rows = [f"all {n:,} conditions"], [(result.wins / n).tolist()]
    for effect in result.factors:
        change = "" if effect.change is None else f": winner changes in {percent(effect.change)}"
        names.append(plain(effect.factor, 24) + change)
        rows.append([0.0] * len(result.methods))  # a heading
        found = result.wins_at(effect.factor)
        names += [plain(level) for level in found]
        rows += [list(share.values()) for share in found.values()]
    share = np.array(rows)
    ax = axes_for(ax, 7.0, min(max(0.24 * len(rows) + 1.4, 2.6), 13.0))
    winners = [j for j in np.argsort(-result.wins, kind="stable").tolist() if result.wins[j] > 0.0]
    shown, others = sorted(winners[: len(PALETTE)]), winners[len(PALETTE) :]
    parts = [(plain(result.methods[j], 24), share[:, j], PALETTE[at]) for at, j in enumerate(shown)]
    if others:
        parts.append((f"{len(others)} other{'s'[: len(others) != 1]}", share[:, others].sum(axis=1), OTHER))
    left = np.zeros(len(rows))
    for name, part, colour in parts:
        drawn = part > 0.0
        ax.barh(np.flatnonzero(drawn), part[drawn], 0.8, left[drawn], color=colour, label=name)
        left += part
    ax.set(xlim=(0.0, 1.0), ylim=(len(rows) - 0.5, -0.5), xlabel="share of the conditions in which a method wins")
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=min(len(parts), 2), frameon=False, fontsize=8)
    name_ticks(ax, "left", len(rows), names.__getitem__)
    return ax
