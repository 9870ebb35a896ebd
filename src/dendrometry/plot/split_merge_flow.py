"""Flow diagram from one partition to another: clusters split into overlaps, and overlaps merge into clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._check.names import pair_of_names
from dendrometry._check.numbers import whole_number
from dendrometry._display import plural
from dendrometry.comparison.comparison import Comparison
from dendrometry.contingency import Contingency, as_contingency
from dendrometry.errors import InvalidInputError
from dendrometry.partition.graph import Bipartite, bipartite
from dendrometry.plot._axes.axes import PLAIN, add_shapes, axes_for, axes_size, plain
from dendrometry.plot._axes.palette import INK, OTHER, PALETTE
from dendrometry.plot._layout.flow import Coarse, Flow, coarse, flow, ribbons

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BAR = 0.03  # width of a bar; the layers are at 0, 1 and 2
_SIZE = 8.0  # font size of names


def split_merge_flow(
    a: ArrayLike | Contingency | Bipartite | Comparison,
    b: ArrayLike | None = None,
    *,
    max_clusters: int = 20,
    names: tuple[str, str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw how the clusters of one partition split and how the parts merge into the clusters of another.

    The three layers, from left to right, are the clusters of ``a``, their overlaps (the meet) and the clusters of
    ``b``. This is the derivation graph of Xiang et al. (2012): splits are left of the middle, merges right of it.

    Parameters
    ----------
    a, b : (n_items,) array-like
        The label of each item in the first and in the second partition; or a single `Contingency`, `Bipartite`, or
        `Comparison` of flat clusterings.
    max_clusters : int
        The maximum number of clusters to show on each side; if there are more, the smallest are combined.
    names : pair of str, optional
        The names of the partitions; by default those in the comparison.
    ax : matplotlib Axes, optional
        The Axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib Axes
        The heights of bars and ribbons are proportional to the number of items. The seven largest clusters of ``a`` are
        coloured. Names are omitted where bars are too thin, and a note at the bottom gives the number omitted.

    Raises
    ------
    InvalidInputError, ItemMismatchError
        If the labels are invalid, as for all measures of two partitions.

    Examples
    --------
    >>> from dendrometry import plot
    >>> ax = plot.split_merge_flow(["x", "x", "x", "y", "y", "z"], [1, 1, 2, 2, 2, 3])
    >>> [text.get_text() for text in ax.texts]
    ['x (3)', 'y (2)', 'z (1)', '2 (3)', '1 (2)', '3 (1)']
    """
    max_clusters = whole_number(max_clusters, "max_clusters", 2)
    table = _table(a, b)
    called = pair_of_names(names) or (a.names if isinstance(a, Comparison) else None) or ("", "")
    few = coarse(table, max_clusters)
    graph = bipartite(few.table)
    where = flow(graph)
    n_bars = max(few.table.n_a, few.table.n_b)
    ax = axes_for(ax, 7.0, min(max(0.28 * n_bars + 1.2, 3.0), 12.0))
    ax.set(xlim=(-0.05 - _BAR, 2.05 + _BAR), ylim=(1.0, 0.0), xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    n_split, n_merged = (int((np.bincount(side) > 1).sum()) for side in (table.row, table.column))
    ax.set_title(f"{plural(n_split, 'cluster')} split, {n_merged:,} merged", fontsize=9)
    for name, side in zip(called, ("left", "right"), strict=True):
        ax.set_title(plain(name), loc=side, fontsize=10, color=INK, **PLAIN)  # type: ignore[arg-type]
    _draw(ax, few.table, where)
    _write(ax, table, few, where)
    return ax


def _table(a: ArrayLike | Contingency | Bipartite | Comparison, b: ArrayLike | None) -> Contingency:
    """Return the contingency table of the input."""
    if isinstance(a, Comparison):
        if a.partition is None:
            raise InvalidInputError("splits and merges are drawn of flat clusterings; got a comparison of trees")
        return a.partition.table
    return a.table if isinstance(a, Bipartite) else as_contingency(a, b)


def _draw(ax: Axes, table: Contingency, where: Flow) -> None:
    """Draw ribbons and bars, coloured by the clusters of the first partition."""
    colours = np.array([*PALETTE, OTHER], dtype=object)
    cell_colour = colours[np.minimum(table.row, len(PALETTE))]
    first = np.repeat([0.0, 1.0], where.source.size // 2) + _BAR
    outlines = ribbons((where.source_low, where.target_low), where.thickness, (first, first + 1.0 - 2 * _BAR))
    add_shapes(ax, outlines, "ribbons", facecolors=[*cell_colour, *cell_colour], alpha=0.45, linewidths=0)
    layer = np.repeat([0.0, 1.0, 2.0], [table.n_a, table.n_cells, table.n_b])
    corners = [
        (layer + x, y) for x, y in ((-_BAR, where.low), (_BAR, where.low), (_BAR, where.high), (-_BAR, where.high))
    ]
    bars = np.stack([np.column_stack(corner) for corner in corners], axis=1)
    fill = [*colours[np.minimum(np.arange(table.n_a), len(PALETTE))], *cell_colour, *[INK] * table.n_b]
    add_shapes(ax, bars, "bars", facecolors=fill, linewidths=0)


def _write(ax: Axes, table: Contingency, few: Coarse, where: Flow) -> None:
    """Write the names of the clusters beside the outer layers, largest first, where they fit."""
    _, height = axes_size(ax)
    line = 1.25 * _SIZE / height
    n_a, n_cells = few.table.n_a, few.table.n_cells
    left_out = 0
    for first, labels, former, side in (
        (0, table.label_a.tolist(), few.row_of, "left"),
        (n_a + n_cells, table.label_b.tolist(), few.column_of, "right"),
    ):
        middle = ((where.low + where.high) / 2.0)[first : first + former.size]
        written: list[float] = []
        for i in range(former.size):
            if any(abs(middle[i] - other) < line for other in written):
                left_out += 1
                continue
            written.append(float(middle[i]))
            size = int((few.table.sizes_a if first == 0 else few.table.sizes_b)[i])
            name = plain(labels[former[i]], 24) if former[i] >= 0 else f"{len(labels) - former.size + 1:,} others"
            x, ha = (-0.02 - _BAR, "right") if side == "left" else (2.02 + _BAR, "left")
            ax.text(x, middle[i], f"{name} ({size:,})", fontsize=_SIZE, color=INK, ha=ha, va="center", **PLAIN)
    if left_out:
        ax.set_xlabel(f"{plural(left_out, 'name')} left out", fontsize=8, color=OTHER)
