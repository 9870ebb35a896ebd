"""Bar chart of the items that contribute most to the disagreement of two trees."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dendrometry._check.numbers import whole_number
from dendrometry._display import percent
from dendrometry.comparison.comparison import Comparison
from dendrometry.comparison.item_disagreement import ItemDisagreement
from dendrometry.errors import InvalidInputError
from dendrometry.plot._axes.axes import add_shapes, axes_for, name_ticks, plain
from dendrometry.plot._axes.palette import OTHER, PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def item_disagreement(result: ItemDisagreement | Comparison, *, max_items: int = 30, ax: Axes | None = None) -> Axes:
    """Draw the items that contribute most to the disagreement of two trees, in descending order.

    Parameters
    ----------
    result : ItemDisagreement or Comparison
        The result of `dendrometry.item_disagreement` or `dendrometry.compare`.
    max_items : int
        The maximum number of items to show.
    ax : matplotlib Axes, optional
        The Axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib Axes
        One bar for each item: its share of the total disagreement. The grey line is the share of each item if all
        contributed equally. The title gives the combined share of the items shown.

    Raises
    ------
    InvalidInputError
        If ``result`` has another type, its items are not listed, or ``max_items`` is less than 1.

    Examples
    --------
    >>> from dendrometry import from_newick, item_disagreement, plot
    >>> a, b = from_newick("((ape,cat),(elk,owl));"), from_newick("((ape,cat),elk,owl);")
    >>> ax = plot.item_disagreement(item_disagreement(a, b), max_items=2)
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['elk', 'owl']
    >>> ax.get_title()
    '2 of 4 items make up 100% of the disagreement'
    """
    parts = result.item_disagreement if isinstance(result, Comparison) else result
    if parts is None:
        raise InvalidInputError("the items must be listed to be drawn; those of this comparison were only counted")
    if not isinstance(parts, ItemDisagreement):
        raise InvalidInputError(
            f"item_disagreement draws what item_disagreement(a, b) or compare(a, b) returns; got {type(parts).__name__}"
        )
    shown = whole_number(max_items, "max_items", 1)
    order = np.argsort(-parts.sums, kind="stable")[:shown]
    total = float(parts.sums.sum())
    share = parts.sums[order] / total if total else np.zeros(order.size)
    ax = axes_for(ax, 6.0, min(max(0.2 * order.size + 1.0, 2.5), 13.0))
    place, nothing = np.arange(order.size), np.zeros(order.size)
    corners = ((nothing, place - 0.375), (share, place - 0.375), (share, place + 0.375), (nothing, place + 0.375))
    bars = np.stack([np.column_stack(corner) for corner in corners], axis=1)
    add_shapes(ax, bars, "bars", facecolors=PALETTE[0], linewidths=0)
    mean = 1.0 / len(parts.items)
    ax.axvline(mean, color=OTHER, linewidth=1.0, linestyle=":", label="_mean")
    if total:
        above = {"ha": "center", "va": "bottom", "fontsize": 8, "color": OTHER}
        ax.text(mean, 1.0, "mean of all items", transform=ax.get_xaxis_transform(), **above)  # type: ignore[arg-type]
    widest = 1.04 * max(float(share[0]), mean) if total else 1.0
    ax.set(xlim=(0.0, widest), ylim=(order.size - 0.4, -0.6), xlabel="share of the disagreement")
    ax.xaxis.set_major_formatter(_percent)
    ax.spines[["top", "right", "left"]].set_visible(False)
    summary = f"make up {percent(round(float(share.sum()), 12))} of the disagreement" if total else "do not disagree"
    ax.set_title(f"{order.size:,} of {len(parts.items):,} items {summary}", fontsize=9, pad=16)
    name_ticks(ax, "left", order.size, lambda i: plain(parts.items[order[i]]))
    return ax


def _percent(value: float, _: float) -> str:
    """Return a share as a percentage, without unnecessary digits."""
    return f"{100 * value:g}%"
