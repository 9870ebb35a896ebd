"""How consistent the items are in each group of clusterings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dendrometry._display import printable
from dendrometry.errors import InvalidInputError
from dendrometry.partition.consistency import Consistency
from dendrometry.plot._axes.axes import axes_for
from dendrometry.plot._axes.palette import PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def consistency_groups(result: Consistency, *, ax: Axes | None = None) -> Axes:
    """Draw the consistency of the items in each group of clusterings, such as the runs at each resolution.

    A box holds the middle half of the items, with a line at the median; the whiskers end at the 5th and 95th
    percentiles. A dot marks the mean, a diamond the mean by chance: the most consistent group is the one whose dot has
    gone the largest part of the way from the diamond to 1.

    Parameters
    ----------
    result : Consistency
        The result of `dendrometry.partition.consistency`.
    ax : matplotlib Axes, optional
        The Axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib Axes
        One box for each group, in their order.

    Raises
    ------
    InvalidInputError
        If ``result`` has another type.

    Examples
    --------
    >>> from dendrometry import plot
    >>> from dendrometry.partition import consistency
    >>> found = consistency([list("aabb"), list("aabb"), list("abbb"), list("aaab")], groups=["x", "x", "y", "y"])
    >>> [text.get_text() for text in plot.consistency_groups(found).get_xticklabels()]
    ['x', 'y']
    """
    if not isinstance(result, Consistency):
        raise InvalidInputError(
            f"consistency_groups draws what consistency(levels) returns; got {type(result).__name__}"
        )
    ax = axes_for(ax, 9.0, 4.2)
    low, first, middle, third, high = np.percentile(result.by_group, [5, 25, 50, 75, 95], axis=1)
    boxes = [
        {"whislo": low[g], "q1": first[g], "med": middle[g], "q3": third[g], "whishi": high[g], "mean": group.mean}
        for g, group in enumerate(result.groups)
    ]
    style = {"color": PALETTE[0], "linewidth": 1.4}
    dot = {"marker": "o", "markerfacecolor": PALETTE[1], "markeredgecolor": "none"}
    ax.bxp(
        boxes, showfliers=False, showmeans=True, meanprops=dot, boxprops=style, whiskerprops=style, medianprops=style
    )
    names = [printable(group.group) for group in result.groups]
    ax.set_xticks(range(1, len(names) + 1), names, rotation=0 if len(names) <= 12 else 90)
    chance = [group.expected for group in result.groups]
    ax.plot(range(1, len(names) + 1), chance, "D", color=PALETTE[2], markersize=5, label="mean by chance")
    ax.plot([], [], "o", color=PALETTE[1], label="mean")
    ax.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=2, fontsize=8, frameon=False)
    ax.set(ylim=(0.0, 1.02), xlabel="group of clusterings", ylabel="consistency of the items")
    ax.spines[["top", "right"]].set_visible(False)
    return ax
