"""The axis of heights of a dendrogram: similarities in place of heights, and lines at cuts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dendrometry._check.arrays import float_column
from dendrometry._check.numbers import real_number
from dendrometry._display import plural
from dendrometry.cut.height import cut_height
from dendrometry.errors import InvalidInputError
from dendrometry.hierarchy import Hierarchy
from dendrometry.plot._axes.axes import PLAIN
from dendrometry.plot._axes.palette import ACCENT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_TICKS = 6
_FARTHEST = 1e300  # axes overflow beyond


class HeightAxis(NamedTuple):
    """What the axis shows: the similarity at height 0, or None for heights, and the heights of the cuts."""

    top: float | None
    cuts: tuple[float, ...]


def height_axis(cuts: float | Iterable[float] | None, self_similarity: float | None, by_height: bool) -> HeightAxis:
    """Return what the axis shows, refusing cuts and similarities of a tree that is not drawn by height."""
    if not by_height and (cuts is not None or self_similarity is not None):
        raise InvalidInputError("cuts and self_similarity require a tree drawn by height; this one is drawn by edges")
    top = None if self_similarity is None else real_number(self_similarity, "self_similarity")
    if cuts is None:
        return HeightAxis(top, ())
    single = not isinstance(cuts, Iterable) or getattr(cuts, "ndim", 1) == 0
    heights = [cuts] if single else float_column(cuts, "cuts").tolist()
    given = [real_number(height, "cuts", least=-_FARTHEST, most=_FARTHEST) for height in heights]
    return HeightAxis(top, tuple(given if top is None else (top - value for value in given)))


def show_similarities(ax: Axes, top: float, across: bool) -> None:
    """Write similarities, the similarity at height 0 less the height, at round values along the axis of heights."""
    from matplotlib.ticker import MaxNLocator

    low, high = sorted(ax.get_xlim() if across else ax.get_ylim())
    if high - low < 1000 * np.spacing(abs(top)):
        raise InvalidInputError(f"self_similarity must be near enough to the heights to tell them apart; got {top:g}")
    if max(abs(top - low), abs(top - high)) > _FARTHEST:
        raise InvalidInputError(
            f"similarities must be between -{_FARTHEST:g} and {_FARTHEST:g}; heights reach {high:g}"
        )
    value = np.asarray(MaxNLocator(nbins=_TICKS, steps=[1, 2, 5, 10]).tick_values(top - high, top - low))
    value = value[(value >= top - high) & (value <= top - low)]
    axis = ax.xaxis if across else ax.yaxis
    axis.set_ticks(top - value, [f"{x:g}" for x in np.round(value, 12) + 0.0])
    axis.set_label_text("similarity")


def draw_cuts(ax: Axes, tree: Hierarchy, heights: Iterable[float], across: bool) -> None:
    """Draw a line at each height, with the number of clusters of a cut there."""
    for height in heights:
        _include(ax, height, across)
        text = plural(cut_height(tree, height).n_clusters, "cluster")
        draw = ax.axvline if across else ax.axhline
        draw(height, color=ACCENT, linestyle="--", linewidth=0.9, zorder=5, label="_cut")
        x, y = (height, 1.01) if across else (1.01, height)
        place = ax.get_xaxis_transform() if across else ax.get_yaxis_transform()
        ha, va = ("center", "bottom") if across else ("left", "center")
        ax.text(x, y, text, transform=place, ha=ha, va=va, fontsize=7, color=ACCENT, label="_cut", **PLAIN)


def _include(ax: Axes, height: float, across: bool) -> None:
    """Extend the axis of heights, whichever way it runs, to a height outside of it."""
    first, last = ax.get_xlim() if across else ax.get_ylim()
    if first <= last:
        limits = min(first, height), max(last, height)
    else:
        limits = max(first, height), min(last, height)
    if across:
        ax.set_xlim(limits)
    else:
        ax.set_ylim(limits)
