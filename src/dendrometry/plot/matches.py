"""Heat map of cluster overlaps: which clusters of one tree also occur in the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dendrometry._check.numbers import whole_number
from dendrometry._display import plural
from dendrometry.comparison.comparison import Comparison
from dendrometry.errors import UndefinedMeasureError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.coerce import HierarchyLike
from dendrometry.plot._axes.axes import (
    INSIDE,
    PLAIN,
    add_shapes,
    axes_for,
    axes_size,
    cluster_text,
    fit,
    name_ticks,
    plain,
)
from dendrometry.plot._axes.palette import ACCENT, INK
from dendrometry.plot._layout.overlaps import Overlaps, overlaps
from dendrometry.plot._layout.units import two_trees

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def matches(
    a: HierarchyLike | Comparison, b: HierarchyLike | None = None, *, max_clusters: int = 25, ax: Axes | None = None
) -> Axes:
    """Draw the overlap between the largest clusters of one tree and those of another.

    Rows are the largest clusters of ``a`` and columns are their best matches in ``b``; darker cells are more alike. The
    frame in each row marks its best match: the cluster of ``b`` with the greatest F, as in `best_matches`.

    Parameters
    ----------
    a, b : Hierarchy, or anything that `as_hierarchy` takes
        Two trees over the same items, or flat clusterings converted by `from_labels`; or a single `Comparison`.
    max_clusters : int
        The maximum number of clusters of ``a`` to show.
    ax : matplotlib Axes, optional
        The Axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib Axes
        Cells contain ``F = 2 common / (size + size)``: 1 for identical clusters, 0 for disjoint ones. The number of
        common items is written into the cells if it fits. Clusters are labelled by their name or their first item.

    Raises
    ------
    ItemMismatchError
        If the trees contain different items.
    UndefinedMeasureError
        If ``a`` has no cluster of at least two items other than the set of all items.

    Notes
    -----
    O(max_clusters · n) time.

    Examples
    --------
    >>> from dendrometry import from_newick, plot
    >>> a, b = from_newick("((ape,cat),(elk,(fox,owl)));"), from_newick("((ape,cat,elk),(fox,owl));")
    >>> ax = plot.matches(a, b)
    >>> ax.get_title()
    '1 of 3 clusters found exactly'
    """
    max_clusters = whole_number(max_clusters, "max_clusters", 1)
    trees = two_trees(a, b, None)
    table = overlaps(trees.a, trees.b, max_clusters)
    n_rows, n_columns = table.f.shape
    if not n_rows:
        raise UndefinedMeasureError("the first tree has no cluster of two items or more, but not all, to look for")
    ax = axes_for(ax, *(min(0.3 * n + 2.8, 12.0) for n in (n_columns, n_rows)))
    image = ax.imshow(table.f, cmap="Blues", vmin=0.0, vmax=1.0, aspect="auto")
    ax.figure.colorbar(image, ax=ax, label="F", fraction=0.05, pad=0.02)
    found = int((table.f[np.arange(n_rows), table.best] == 1.0).sum())
    shown = f"the {n_rows:,} largest clusters" if n_rows == max_clusters else plural(n_rows, "cluster")
    ax.set_title(f"{found:,} of {shown} found exactly", fontsize=9)
    ax.spines[:].set_visible(False)
    first, second = (plain(name) for name in trees.names)
    ax.set_ylabel(f"clusters of {first or 'the first tree'}", fontsize=8, **PLAIN)
    ax.set_xlabel(f"best matches in {second or 'the second tree'}", fontsize=8, **PLAIN)
    for _ in range(2):  # twice, because the names at the bottom reduce the height
        name_ticks(ax, "left", n_rows, lambda i: cluster_text(trees.a, int(table.row_node[i])))
        name_ticks(ax, "bottom", n_columns, lambda j: _match_text(trees.b, int(table.column_node[j])))
    _write_cells(ax, table)
    return ax


def _match_text(b: Hierarchy, v: int) -> str:
    """Return the display text of a match, which may be the set of all items."""
    return f"all {b.n_items:,}" if b.sizes[v] == b.n_items else cluster_text(b, v)


def _write_cells(ax: Axes, table: Overlaps) -> None:
    """Frame the best match of each row, and write the number of common items if the cells are large enough."""
    n_rows, n_columns = table.f.shape
    width, height = axes_size(ax)
    cell = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    frames = np.column_stack([table.best, np.arange(n_rows)])[:, None, :] + cell
    add_shapes(ax, frames, "best", facecolors="none", edgecolors=ACCENT, linewidths=1.2)
    digits = len(str(int(table.common.max())))
    fitted = fit(n_rows, height)
    size = min(fitted.size, width / n_columns / (0.65 * digits + 0.5))
    if fitted.step > 1 or size < 5.0:
        return
    for i, j in np.argwhere(table.common > 0).tolist():
        colour = "white" if table.f[i, j] > 0.6 else INK
        style: dict[str, Any] = {
            "ha": "center",
            "va": "center",
            "fontsize": size,
            "color": colour,
            "label": "_count",
            **INSIDE,
        }
        ax.text(j, i, str(table.common[i, j]), **style)
