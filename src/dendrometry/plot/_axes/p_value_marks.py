"""P-values of nodes, written at the branches of a dendrogram, with a dot that says which are significant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._check.numbers import real_number
from dendrometry._check.tree import column_of_nodes
from dendrometry._display import p_text
from dendrometry._typing import FloatArray
from dendrometry.errors import InvalidInputError
from dendrometry.plot._axes.node_texts import places_of, write_at_nodes
from dendrometry.plot._axes.palette import INK
from dendrometry.plot._layout.branches import Branches
from dendrometry.plot._layout.top import Top

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_AREA = 16.0  # of a dot, in square points
_GREY = "#6b6b6b"  # of what is not significant: dark enough to be read


class PValues(NamedTuple):
    """The p-value of each node, nan where none was tested, and the level."""

    column: FloatArray
    alpha: float


def p_value_column(p_values: ArrayLike | None, alpha: float, n_nodes: int, support: object) -> PValues | None:
    """Return the p-values of nodes, refusing what is not from 0 to 1, and p-values beside support."""
    level = real_number(alpha, "alpha", above=0.0, below=1.0)
    if p_values is None:
        return None
    if support is not None:
        raise InvalidInputError("support and p_values are written at the same places; give one of them")
    return PValues(column_of_nodes(p_values, "p_values", n_nodes), level)


def p_value_key(given: PValues) -> list[tuple[Any, str]]:
    """Return the entries of the legend: which dots are significant."""
    from matplotlib.lines import Line2D

    style: dict[str, Any] = {"linestyle": "none", "marker": "o", "markersize": np.sqrt(_AREA)}
    full = Line2D([], [], color=INK, **style)
    hollow = Line2D([], [], markerfacecolor="white", markeredgecolor=_GREY, **style)
    return [(full, f"adjusted p ≤ {given.alpha:g}"), (hollow, f"adjusted p > {given.alpha:g}")]


def draw_p_values(ax: Axes, shown: Top, where: Branches, given: PValues, across: bool) -> None:
    """Draw a dot at each tested node, full if it is significant, with its p-value where there is room.

    Of numbers that would overlap, that of the larger cluster is written. Call it last, since the layout decides.
    """
    tree, alpha = shown.tree, given.alpha
    value = given.column[shown.node]
    tested = np.flatnonzero((tree.sizes > 1) & ~np.isnan(value))
    tested = tested[np.argsort(-tree.sizes[tested], kind="stable")]
    value, xy = value[tested], places_of(where, tested, across)
    full = value <= alpha
    for which, face, edge in ((full, INK, INK), (~full, "white", _GREY)):
        style: dict[str, Any] = {"facecolors": face, "edgecolors": edge, "linewidths": 0.8, "zorder": 4.5}
        kind = "significant" if face == INK else "not significant"
        ax.scatter(xy[which, 0], xy[which, 1], s=_AREA, label=f"_{kind}", **style)
    write_at_nodes(ax, where, xy, list(map(p_text, value.tolist())), np.where(full, INK, _GREY).tolist(), across)
