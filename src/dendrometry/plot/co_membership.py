"""Heat map of how often two items are in one cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dendrometry.cut.count import cut_count
from dendrometry.plot._axes.axes import axes_for, name_ticks, plain
from dendrometry.plot._axes.palette import INK
from dendrometry.resampling.item_stability import co_membership as shares_of
from dendrometry.resampling.stability import Stability

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def co_membership(result: Stability, n_clusters: int, *, ax: Axes | None = None) -> Axes:
    """Draw a heat map of the share of replicates in which two items are in one cluster, in the order of the tree.

    Parameters
    ----------
    result : Stability
        The result of `dendrometry.stability`.
    n_clusters : int
        The number of clusters into which each replicate is cut.
    ax : matplotlib Axes, optional
        The Axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib Axes
        Lines separate the clusters of the tree itself. Dark blocks on the diagonal are clusters that come back, dark
        cells elsewhere items that change places.

    Raises
    ------
    InvalidInputError
        If ``result`` has another type, or there is no cut into ``n_clusters`` clusters.
    UndefinedMeasureError
        If a replicate has no heights.

    Notes
    -----
    O(n**2) memory.

    Examples
    --------
    >>> import numpy as np
    >>> from dendrometry import plot, stability
    >>> points = np.array([[0.0], [1.0], [2.0], [9.0], [10.0], [11.0]])
    >>> ax = plot.co_membership(stability(points, n_replicates=20, n_references=0), 2)
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['2', '0', '1', '5', '3', '4']
    """
    shares = shares_of(result, n_clusters)
    tree = result.hierarchy
    order = tree.order.item
    n = tree.n_items
    ax = axes_for(ax, *(min(0.12 * n + add, 10.0) for add in (3.4, 2.6)))
    image = ax.imshow(shares[np.ix_(order, order)], cmap="cividis_r", vmin=0.0, vmax=1.0, aspect="auto")
    label = f"share of replicates that have both in one of {n_clusters:,} clusters"
    ax.figure.colorbar(image, ax=ax, label=label, fraction=0.05, pad=0.02, location="top", aspect=40)
    labels = cut_count(tree, n_clusters).labels[order]
    for at in (np.flatnonzero(np.diff(labels)) + 0.5).tolist():
        ax.axhline(at, color=INK, linewidth=0.8)
        ax.axvline(at, color=INK, linewidth=0.8)
    ax.set_xticks([])
    name_ticks(ax, "left", n, lambda slot: plain(tree.items[int(order[slot])]))
    return ax
