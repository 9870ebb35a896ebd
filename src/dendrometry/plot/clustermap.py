"""Clustermap: a matrix as a heat map, with the trees of its rows and columns beside it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from dendrometry._check.arrays import Frozen
from dendrometry._check.choices import one_of
from dendrometry._check.names import name_column, name_items
from dendrometry._check.points import finite_points, is_sparse, points_of
from dendrometry._display import plural
from dendrometry._html import preview
from dendrometry._typing import FloatArray
from dendrometry.io.coerce import HierarchyLike
from dendrometry.plot._axes.axes import INSIDE, add_shapes, axes_for, axes_size, name_ticks, plain
from dendrometry.plot._axes.palette import PALETTE
from dendrometry.plot._layout.branches import branches
from dendrometry.plot._layout.sides import MapSide, side_of
from dendrometry.plot._layout.top import top_of
from dendrometry.plot.dendrogram import Drawn, colours_of, draw_branches, line_width

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Scale = Literal["none", "rows", "columns"]
_TREE = 0.22  # length of a tree as a share of the side of the heat map
_STRIP = 0.025  # width of a strip of clusters
_GAP = 0.008
_MOST_LEAVES = 1_000  # leaves of a tree that are drawn; more would not be visible
_MOST_CELLS = 1_500  # along a side of the heat map; beyond, neighbours are averaged
_SIZE = 7.0  # font size of cluster numbers


@dataclass(frozen=True, eq=False, repr=False)
class Clustermap(Frozen):
    """A clustermap: ``rows`` and ``columns`` hold the order and the cluster of each, ``ax`` the matplotlib Axes."""

    rows: MapSide
    columns: MapSide
    ax: Axes

    def _repr_html_(self) -> str:
        sides = (("rows", self.rows), ("columns", self.columns))
        return preview(
            repr(self),
            {
                "side": [name for name, _ in sides],
                "names": [side.order.size for _, side in sides],
                "clusters": [side.n_clusters for _, side in sides],
            },
        )

    def __repr__(self) -> str:
        sides = (("row", self.rows), ("column", self.columns))
        return f"Clustermap({', '.join(_side_text(name, side) for name, side in sides)})"


def clustermap(
    X: Any,
    *,
    row_tree: HierarchyLike | None = "ward",
    column_tree: HierarchyLike | None = "ward",
    n_clusters: int | None = None,
    n_column_clusters: int | None = None,
    scale: Scale = "none",
    item_names: Iterable[str] | None = None,
    column_names: Iterable[str] | None = None,
    ax: Axes | None = None,
) -> Clustermap:
    """Draw a matrix as a heat map, ordered by trees of its rows and of its columns, which are drawn beside it.

    The children of nodes are swapped so that neighbours are similar, as by `leaf_order`.

    Parameters
    ----------
    X : (n_rows, n_columns) array of float, or data frame
        The values; index and columns of a data frame name rows and columns.
    row_tree, column_tree : str, Hierarchy or anything that `as_hierarchy` takes, or None
        The trees: built of Euclidean distances by a linkage, one of `dendrometry.cluster.LINKAGES`; or given, with the
        names of the rows or columns as items, or only numbered, as by a SciPy linkage. None leaves a side as it is,
        without a tree.
    n_clusters, n_column_clusters : int, optional
        The number of clusters into which the tree of the rows or columns is cut; they are marked by colours and lines.
    scale : {"none", "rows", "columns"}
        Whether to give each row or column the mean 0 and the standard deviation 1, before the trees are built; constant
        ones become 0.
    item_names, column_names : sequence of str, optional
        The names of the rows and of the columns; by default those of the data frame, or "0", "1", and so on.
    ax : matplotlib Axes, optional
        The Axes to draw on; by default those of a new figure.

    Returns
    -------
    Clustermap
        ``ax``, the matplotlib Axes: rows are at 0, 1, 2, ... from the top and columns from the left, the trees beyond
        them. ``rows`` and ``columns`` hold the order and the cluster of each; ``rows.to_frame()`` is a table of them.

    Raises
    ------
    InvalidInputError
        If the data are not finite numbers, an option is unknown, a tree has other items, or there are more clusters
        than rows or columns.

    Notes
    -----
    Colours cover the values from the 1st to the 99th percentile; if the 1st is negative, symmetrically about 0. The
    trees are drawn down to 1,000 leaves; smaller subtrees are triangles. The heat map is one image, also in SVG and
    PDF files; of more than 1,500 rows or columns, each of its cells is a mean of neighbours.

    Examples
    --------
    >>> import pandas as pd
    >>> from dendrometry import plot
    >>> animals = ["ape", "cat", "elk", "owl"]
    >>> X = pd.DataFrame({"x": [0, 5, 0, 6], "y": [1, 9, 0, 8], "z": [7, 0, 8, 1]}, index=animals)
    >>> found = plot.clustermap(X, n_clusters=2)
    >>> found
    Clustermap(4 rows in 2 clusters, 3 columns)
    >>> [found.rows.names[i] for i in found.rows.order]
    ['elk', 'ape', 'owl', 'cat']
    >>> found.rows.cluster.tolist()
    [0, 1, 0, 1]
    """
    one_of(scale, "scale", get_args(Scale))
    values = _values(X, scale)
    columns_given = getattr(X, "columns", None) if column_names is None else column_names
    names = name_items(X, item_names, values.shape[0]), name_column(columns_given, values.shape[1])
    rows = side_of(values, names[0], row_tree, ("n_clusters", n_clusters))
    columns = side_of(values.T.copy(), names[1], column_tree, ("n_column_clusters", n_column_clusters))
    n_rows, n_columns = values.shape
    ax = axes_for(ax, *(min(0.17 * n + add, 12.0) for n, add in ((n_columns, 4.0), (n_rows, 3.2))))
    _draw_cells(ax, values[np.ix_(rows.order, columns.order)])
    left, top = _draw_side(ax, rows, n_columns, True), _draw_side(ax, columns, n_rows, False)
    ax.set(xlim=(left, n_columns - 0.5), ylim=(n_rows - 0.5, top))
    ax.spines[:].set_visible(False)
    for at in ("right", "bottom", "right"):  # twice on the right: the names at the bottom reduce the height
        side = rows if at == "right" else columns
        name_ticks(ax, at, side.order.size, partial(_name, side))
    _write_numbers(ax, rows, n_columns, True)
    _write_numbers(ax, columns, n_rows, False)
    return Clustermap(rows, columns, ax)


def _values(X: Any, scale: Scale) -> FloatArray:
    """Return the values, scaled as asked for."""
    given = points_of(X)
    values: FloatArray = finite_points(given.toarray() if is_sparse(given) else given)
    if scale != "none":
        axis = 1 if scale == "rows" else 0
        values /= np.maximum(np.abs(values).max(axis=axis, keepdims=True), np.finfo(np.float64).tiny)
        values -= values.mean(axis=axis, keepdims=True)
        spread = values.std(axis=axis, keepdims=True)
        values = np.divide(values, spread, out=np.zeros_like(values), where=spread > 1e-12)
    return values


def _draw_cells(ax: Axes, values: FloatArray) -> None:
    """Draw the heat map with its colour bar."""
    low, high = np.percentile(values, [1.0, 99.0]).tolist()
    colours = "cividis"
    if low < 0.0:
        colours, high = "RdBu_r", max(-low, high)
        low = -high
    n_rows, n_columns = values.shape
    cells = _mean_rows(_mean_rows(values).T).T
    span = (-0.5, n_columns - 0.5, n_rows - 0.5, -0.5)
    image = ax.imshow(
        cells, cmap=colours, aspect="auto", vmin=low, vmax=high, extent=span, interpolation="nearest", label="_cells"
    )
    beyond = (values.min() < low, values.max() > high)
    extend = {(True, True): "both", (True, False): "min", (False, True): "max"}.get(beyond, "neither")
    bar = ax.figure.colorbar(image, ax=ax, extend=extend, fraction=0.04, pad=0.02, location="top", aspect=40)
    bar.ax.tick_params(labelsize=8)


def _mean_rows(values: FloatArray) -> FloatArray:
    """Return means of neighbouring rows, if there are more rows than a plot can show."""
    n = len(values)
    if n <= _MOST_CELLS:
        return values
    start = np.linspace(0, n, _MOST_CELLS, endpoint=False).astype(np.int64)
    return np.add.reduceat(values, start, axis=0) / np.diff(np.append(start, n))[:, None]


def _draw_side(ax: Axes, side: MapSide, n_other: int, across: bool) -> float:
    """Draw clusters and tree of the rows (``across``) or the columns, beyond the others; return where they end."""
    start = -0.5 - _GAP * n_other
    if side.n_clusters > 1:
        _draw_clusters(ax, side, n_other, across)
        start -= (_STRIP + _GAP) * n_other
    if side.tree is None or side.key is None or side.order.size == 1:
        return start
    shown = top_of(side.tree, _MOST_LEAVES)
    where = branches(shown.tree, key=side.key[shown.node])
    size = shown.tree.own_sizes[where.slot_node]
    centre = np.cumsum(size) - size / 2.0 - 0.5

    def place(points: FloatArray) -> FloatArray:
        along = np.interp(points[..., 0], np.arange(size.size), centre)
        out = start - _TREE * n_other * (points[..., 1] - where.base) / (1.03 * where.span)
        return np.stack([out, along] if across else [along, out], axis=-1)

    drawn = Drawn(shown.tree, where, colours_of(shown.tree, None), shown.closed)
    draw_branches(ax, drawn, place, line_width(size.size, axes_size(ax)[int(across)]))
    return start - 1.02 * _TREE * n_other


def _draw_clusters(ax: Axes, side: MapSide, n_other: int, across: bool) -> None:
    """Draw a strip with the colours of the clusters, with their numbers, and lines between them over the heat map."""
    edges = _edges(side)
    low, high = edges[:-1], edges[1:]
    near = np.full(low.size, -0.5 - _GAP * n_other)
    far = near - _STRIP * n_other
    corners = ((low, near), (high, near), (high, far), (low, far))
    boxes = np.stack([np.column_stack(corner) for corner in corners], axis=1)
    colours = [PALETTE[i % len(PALETTE)] for i in range(low.size)]
    what = "row clusters" if across else "column clusters"
    add_shapes(ax, boxes[..., ::-1] if across else boxes, what, facecolors=colours, linewidths=0)
    (ax.hlines if across else ax.vlines)(edges[1:-1], -0.5, n_other - 0.5, colors="white", linewidth=1.0)


def _write_numbers(ax: Axes, side: MapSide, n_other: int, across: bool) -> None:
    """Write the numbers of the clusters on their strip, where they fit."""
    if side.n_clusters == 1:
        return
    limits = ax.get_ylim() if across else ax.get_xlim()
    points = axes_size(ax)[int(across)] / abs(limits[1] - limits[0])
    edges = _edges(side)
    middle = -0.5 - (_GAP + _STRIP / 2.0) * n_other
    style: dict[str, Any] = {"fontsize": _SIZE, "color": "white", "ha": "center", "va": "center", **INSIDE}
    for i, (low, high) in enumerate(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)):
        if (high - low) * points >= 1.3 * _SIZE:
            x, y = (middle, (low + high) / 2.0) if across else ((low + high) / 2.0, middle)
            ax.text(x, y, f"{i:,}", **style)


def _edges(side: MapSide) -> FloatArray:
    """Return where the clusters begin and end along a side."""
    held = side.cluster[side.order]
    inner = np.flatnonzero(np.diff(held)) + 0.5
    edges: FloatArray = np.concatenate(([-0.5], inner, [held.size - 0.5]))
    return edges


def _name(side: MapSide, i: int) -> str:
    """Return the name at a position of the map."""
    return plain(side.names[side.order[i]])


def _side_text(name: str, side: MapSide) -> str:
    """Return the number of rows or columns and of their clusters in words."""
    clusters = f" in {plural(side.n_clusters, 'cluster')}" if side.n_clusters > 1 else ""
    return f"{plural(side.order.size, name)}{clusters}"
