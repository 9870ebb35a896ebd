"""Support of nodes, written at the branches of a dendrogram."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._check.arrays import real_array
from dendrometry._display import support_text
from dendrometry._typing import BoolArray, FloatArray
from dendrometry.errors import InvalidInputError
from dendrometry.plot._axes.axes import axes_size
from dendrometry.plot._axes.palette import ACCENT, INK
from dendrometry.plot._layout.branches import Branches
from dendrometry.plot._layout.top import Top

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST = 60  # nodes whose support is written as text, the largest; of others, a dot is drawn
_FONT = 6.5
_ROOM = (13.0, 7.0)  # width and height of "100", in points
_LOW = 0.5  # support below this is drawn in the colour of what needs attention


def support_column(support: ArrayLike | None, n_nodes: int) -> FloatArray | None:
    """Return the support of each node, nan where it is not known, refusing what is not from 0 to 1."""
    if support is None:
        return None
    column = real_array(support, "support", 1).astype(np.float64)
    if column.size != n_nodes:
        raise InvalidInputError(f"support must have one value for each of {n_nodes:,} nodes; got {column.size:,}")
    known = column[~np.isnan(column)]
    if ((known < 0.0) | (known > 1.0)).any():
        wrong = known[(known < 0.0) | (known > 1.0)][0]
        raise InvalidInputError(f"support must be from 0 to 1, or nan where it is not known; got {wrong:g}")
    return column


def draw_support(ax: Axes, shown: Top, where: Branches, support: FloatArray, across: bool) -> None:
    """Write the support of inner nodes in percent where their branches meet; draw a dot where there is no room.

    Of numbers that would overlap, that of the larger cluster is written. Call it last, since the layout decides.
    """
    tree = shown.tree
    inner = np.flatnonzero((tree.sizes > 1) & (tree.sizes < tree.n_items) & ~np.isnan(support[shown.node]))
    inner = inner[np.argsort(-tree.sizes[inner], kind="stable")]
    value = support[shown.node[inner]]
    xy = np.column_stack([where.position[inner], where.level[inner]])
    xy = xy[:, ::-1] if across else xy
    colours = np.where(value < _LOW, ACCENT, INK)
    written = np.zeros(inner.size, dtype=bool)
    written[:_MOST] = _apart(ax, xy[:_MOST])
    for (x, y), share, colour in zip(xy[written].tolist(), value[written].tolist(), colours[written], strict=True):
        ax.annotate(
            support_text(share),
            (x, y),
            xytext=(2, 2),
            textcoords="offset points",
            fontsize=_FONT,
            color=str(colour),
            zorder=5,
            annotation_clip=True,
        )
    dots = ~written
    if dots.any():
        size = 14 * value[dots] ** 2 + 1
        ax.scatter(xy[dots, 0], xy[dots, 1], s=size, c=colours[dots].tolist(), zorder=5, label="_support")


def _apart(ax: Axes, xy: FloatArray) -> BoolArray:
    """Return which of the numbers at some places can be written, each if it overlaps none before it."""
    axes_size(ax)  # lays out the figure
    points = ax.transData.transform(xy) * 72.0 / ax.figure.dpi
    free = np.ones(len(xy), dtype=bool)
    for i in range(1, len(xy)):
        away = np.abs(points[:i][free[:i]] - points[i])
        free[i] = not (away < _ROOM).all(axis=1).any()
    return free
