"""Short texts at the nodes of a dendrogram: none overlaps another, covers a node, or reaches the names of leaves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dendrometry._typing import BoolArray, FloatArray, IntArray
from dendrometry.plot._axes.axes import PLAIN, axes_size
from dendrometry.plot._layout.branches import Branches

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST = 60  # nodes at which something is written, the first
_FONT = 6.5
_OFFSET = 2.0  # of a text from its node, in points
_GROUND: dict[str, Any] = {"facecolor": "white", "alpha": 0.75, "linewidth": 0, "pad": 0.2}  # over branches
_HEIGHT, _WIDTH = 7.0, 4.5  # of a line and of a character, in points


def places_of(where: Branches, node: IntArray, across: bool) -> FloatArray:
    """Return (n, 2): where some nodes are drawn, as (x, y)."""
    xy = np.column_stack([where.position[node], where.level[node]])
    return xy[:, ::-1] if across else xy


def write_at_nodes(
    ax: Axes, where: Branches, xy: FloatArray, texts: Sequence[str], colours: Sequence[str], across: bool
) -> BoolArray:
    """Write texts at places, each if it overlaps none before it and covers no other place; return which are written.

    In a lying tree a text is between its node and the leaves, or towards the root where the names are too near; in a
    standing tree it is towards the root. Call it last, since the layout decides.
    """
    axes_size(ax)  # lays out the figure
    scale = 72.0 / ax.figure.dpi
    places = ax.transData.transform(xy) * scale
    points = places[:_MOST]
    foot = ax.transData.transform([(where.base, 0.0) if across else (0.0, where.base)])[0] * scale
    axis = 0 if across else 1
    first, last = ax.get_xlim() if across else ax.get_ylim()
    to_leaves = -1.0 if first < last else 1.0  # along the axis of levels, in points
    size = np.column_stack([[_WIDTH * len(text) for text in texts[:_MOST]], np.full(len(points), _HEIGHT)])
    near = np.abs(points[:, axis] - foot[axis]) < size[:, axis] + _OFFSET
    sign = np.ones_like(points)  # right of the node and above it
    sign[:, axis] = np.where(near, -to_leaves, to_leaves) if across else -to_leaves
    centre = points + sign * (_OFFSET + size / 2.0)
    written = np.zeros(len(xy), dtype=bool)
    written[: len(points)] = _apart(centre, size, _covers(centre, size, places))
    for i in np.flatnonzero(written).tolist():
        ax.annotate(
            texts[i],
            (float(xy[i, 0]), float(xy[i, 1])),
            xytext=tuple((_OFFSET * sign[i]).tolist()),
            textcoords="offset points",
            ha="left" if sign[i, 0] > 0 else "right",
            va="bottom" if sign[i, 1] > 0 else "top",
            fontsize=_FONT,
            color=colours[i],
            bbox=_GROUND,
            zorder=5,
            annotation_clip=True,
            **PLAIN,
        )
    return written


def _covers(centre: FloatArray, size: FloatArray, places: FloatArray) -> BoolArray:
    """Return which boxes cover a place, with the dot that may be there; their own places are outside of them."""
    reach = size / 2.0 + _OFFSET / 2.0
    inside = [bool((np.abs(places - c) < r).all(axis=1).any()) for c, r in zip(centre, reach, strict=True)]
    return np.array(inside, dtype=bool)


def _apart(centre: FloatArray, size: FloatArray, covers: BoolArray) -> BoolArray:
    """Return which boxes are kept: those that cover nothing, each if it overlaps no kept one before it."""
    free = ~covers
    for i in np.flatnonzero(free).tolist():
        away = np.abs(centre[:i][free[:i]] - centre[i])
        free[i] = not (2.0 * away < size[:i][free[:i]] + size[i]).all(axis=1).any()
    return free
