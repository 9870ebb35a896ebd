"""Support of nodes, written at the branches of a dendrogram."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._check.tree import column_of_nodes
from dendrometry._display import support_text
from dendrometry._typing import FloatArray
from dendrometry.plot._axes.node_texts import places_of, write_at_nodes
from dendrometry.plot._axes.palette import ACCENT, INK
from dendrometry.plot._layout.branches import Branches
from dendrometry.plot._layout.top import Top

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LOW = 0.5  # support below this is drawn in the colour of what needs attention


def support_column(support: ArrayLike | None, n_nodes: int) -> FloatArray | None:
    """Return the support of each node, nan where it is not known, refusing what is not from 0 to 1."""
    return None if support is None else column_of_nodes(support, "support", n_nodes)


def draw_support(ax: Axes, shown: Top, where: Branches, support: FloatArray, across: bool) -> None:
    """Write the support of inner nodes in percent where their branches meet; draw a dot where there is no room.

    Of numbers that would overlap, that of the larger cluster is written. Call it last, since the layout decides.
    """
    tree = shown.tree
    inner = np.flatnonzero((tree.sizes > 1) & (tree.sizes < tree.n_items) & ~np.isnan(support[shown.node]))
    inner = inner[np.argsort(-tree.sizes[inner], kind="stable")]
    value, xy = support[shown.node[inner]], places_of(where, inner, across)
    colours = np.where(value < _LOW, ACCENT, INK).tolist()
    written = write_at_nodes(ax, where, xy, list(map(support_text, value.tolist())), colours, across)
    dots = ~written
    if dots.any():
        size = 14 * value[dots] ** 2 + 1
        colour = [one for one, dot in zip(colours, dots.tolist(), strict=True) if dot]
        ax.scatter(xy[dots, 0], xy[dots, 1], s=size, c=colour, zorder=5, label="_support")
