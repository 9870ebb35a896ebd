"""The clusters of a tree on a map, or in an image, beside the top of the tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dendrometry._check.arrays import float_column, real_array
from dendrometry._display import printable
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cut.coarsen import coarsen
from dendrometry.cut.count import cut_count
from dendrometry.errors import Argument, InvalidInputError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.coerce import HierarchyLike, as_hierarchy
from dendrometry.plot._axes.axes import INSIDE, add_lines, add_shapes, axes_for
from dendrometry.plot._axes.palette import PALETTE
from dendrometry.plot._layout.branches import branches
from dendrometry.plot.dendrogram import dendrogram

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_TREE, _GAP = 0.3, 0.12  # shares of the width
_MOST_NUMBERS = 60  # clusters whose number is written on the map


def cluster_map(tree: HierarchyLike, where: Any, n_clusters: int, *, ax: Axes | None = None) -> Axes:
    """Draw the clusters of a tree on a map, with the top of the tree beside it in the same colours.

    Clusters are numbered from 0 in the order of the leaves of the tree; the numbers stand at the leaves, with the
    number of items, and on the map.

    Parameters
    ----------
    tree : Hierarchy, or anything that `as_hierarchy` takes
        A tree with heights, such as one built with ``connectivity``.
    where : tuple of int, (n_items, 2) array, or sequence of (m, 2) arrays
        Where the items are, in their order: (rows, columns), the shape of an image whose pixels they are; the x and y
        of points; or the corners of an area for each item.
    n_clusters : int
        The number of clusters, as for `cut_count`.
    ax : matplotlib Axes, optional
        The Axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib Axes
        Its child Axes are the tree and the map.

    Raises
    ------
    InvalidInputError
        If ``where`` does not fit the items, or there are not so many clusters.

    Notes
    -----
    There are seven colours, which come again for clusters farther along the tree.

    Examples
    --------
    >>> from dendrometry import agglomerate, plot
    >>> built = agglomerate([[0.0], [1.0], [9.0], [0.0], [1.0], [8.0]], connectivity=(2, 3))
    >>> ax = plot.cluster_map(built, (2, 3), 2)
    >>> ax.child_axes[1].images[0].get_array().shape
    (2, 3, 4)
    """
    tree = as_hierarchy(tree)
    cut = cut_count(tree, n_clusters)
    place = _place(where, tree.n_items)
    top = coarsen(tree, n_clusters)
    leaf = branches(top).slot_node  # the cluster of each leaf, along the tree
    rank = np.empty(top.n_nodes, dtype=np.int64)
    rank[leaf] = np.arange(leaf.size)
    number = rank[top.item_node]
    ax = axes_for(ax, 10.0, 4.6)
    ax.set_axis_off()
    side = ax.inset_axes((0.0, 0.0, _TREE, 1.0))
    plane = ax.inset_axes((_TREE + _GAP, 0.0, 1.0 - _TREE - _GAP, 1.0))
    names = [""] * top.n_nodes
    for at, v in enumerate(leaf.tolist()):
        names[v] = f"{at:,}"
    named = Hierarchy(top.parent, top.height, top.item_node, top.items, tuple(names))
    dendrogram(named, ax=side)
    _colour_leaves(side, leaf.size)
    colour = _colours(cut.n_clusters)[number]
    centre = _draw_places(plane, place, number, colour)
    if leaf.size <= _MOST_NUMBERS:
        _write_numbers(plane, centre, number)
    plane.set_aspect("equal")
    plane.set_xticks([])
    plane.set_yticks([])
    return ax


def _place(where: Any, n_items: int) -> tuple[int, int] | FloatArray | list[FloatArray]:
    """Return the shape of an image, the positions of points, or the corners of areas."""
    if isinstance(where, tuple) and len(where) == 2 and all(isinstance(x, int | np.integer) for x in where):
        rows, columns = (int(x) for x in where)
        if min(rows, columns) < 1 or rows * columns != n_items:
            raise InvalidInputError(
                Argument("where"), f" must be the shape of an image of {n_items:,} pixels; got {printable(where)}"
            )
        return rows, columns
    if isinstance(where, Sequence) and where and all(isinstance(area, np.ndarray) for area in where):
        areas = [_finite(area, "an area") for area in where]
        _check_count(len(areas), n_items)
        return areas
    points = _finite(where, "where")
    _check_count(len(points), n_items)
    return points


def _finite(points: Any, what: str) -> FloatArray:
    """Return points in the plane, refusing others."""
    array = real_array(points, what, 2)
    if array.shape[1] != 2 or len(array) == 0:
        raise InvalidInputError(f"{what} must have rows of x and y; got shape {array.shape}")
    return float_column(array.ravel(), what).reshape(-1, 2)


def _check_count(count: int, n_items: int) -> None:
    """Refuse another number of places than of items."""
    if count != n_items:
        raise InvalidInputError(
            Argument("where"), f" must be one place for each of the {n_items:,} items; got {count:,}"
        )


def _colours(count: int) -> FloatArray:
    """Return the colours of clusters along the tree."""
    from matplotlib.colors import to_rgba_array

    return to_rgba_array(PALETTE)[np.arange(count) % len(PALETTE)]


def _colour_leaves(side: Axes, count: int) -> None:
    """Draw the colour of each leaf between the tree and the names."""
    style: dict[str, Any] = {"marker": "s", "s": 36, "clip_on": False, "zorder": 5, "label": "_clusters"}
    across = side.get_yaxis_transform()
    side.scatter(np.full(count, 1.03), np.arange(count), c=_colours(count), transform=across, **style)
    side.tick_params(axis="y", pad=12)


def _draw_places(plane: Axes, place: Any, number: IntArray, colour: FloatArray) -> FloatArray:
    """Draw the items in their colours, and return the centre of each."""
    if isinstance(place, tuple):
        rows, columns = place
        plane.imshow(colour.reshape(rows, columns, 4), interpolation="nearest", label="_pixels")
        add_lines(plane, _borders(number.reshape(rows, columns)), "borders", colors="white", linewidths=1.0)
        return np.stack(np.divmod(np.arange(rows * columns), columns)[::-1], axis=1).astype(np.float64)
    if isinstance(place, list):
        for area, one in zip(place, colour, strict=True):
            add_shapes(plane, area[np.newaxis], "areas", facecolors=[one], edgecolors="white", linewidths=0.5)
        plane.autoscale_view()
        corners = np.concatenate(place)
        margin = 0.02 * (np.ptp(corners, axis=0) + 1e-300)
        plane.set_xlim(corners[:, 0].min() - margin[0], corners[:, 0].max() + margin[0])
        plane.set_ylim(corners[:, 1].min() - margin[1], corners[:, 1].max() + margin[1])
        return np.array([area.mean(axis=0) for area in place])
    plane.scatter(place[:, 0], place[:, 1], s=float(np.clip(4000 / len(place), 1.0, 40.0)), c=colour, label="_points")
    return np.asarray(place)


def _borders(number: IntArray) -> FloatArray:
    """Return the sides between pixels of different clusters, as lines from one corner to another."""
    row, column = np.nonzero(number[:, 1:] != number[:, :-1])
    upright = np.stack([np.stack([column + 0.5, row + end], axis=1) for end in (-0.5, 0.5)], axis=1)
    row, column = np.nonzero(number[1:] != number[:-1])
    level = np.stack([np.stack([column + end, row + 0.5], axis=1) for end in (-0.5, 0.5)], axis=1)
    return np.concatenate([upright, level])


def _write_numbers(plane: Axes, centre: FloatArray, number: IntArray) -> None:
    """Write the number of each cluster on the item that is nearest to its centre."""
    from matplotlib.patheffects import withStroke

    edge = [withStroke(linewidth=2.0, foreground="white")]
    for k in range(int(number.max()) + 1):
        own = centre[number == k]
        x, y = own[np.argmin(((own - own.mean(axis=0)) ** 2).sum(axis=1))].tolist()
        plane.text(x, y, f"{k:,}", ha="center", va="center", fontsize=9, path_effects=edge, **INSIDE)
