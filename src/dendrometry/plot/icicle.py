"""Icicle plot: a tree drawn as nested rectangles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dendrometry._check.choices import one_of
from dendrometry._display import plural
from dendrometry._kernels import tree as walks
from dendrometry._typing import FloatArray
from dendrometry.errors import InvalidInputError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.coerce import HierarchyLike, as_hierarchy
from dendrometry.plot._axes.axes import (
    INSIDE,
    LONGEST,
    add_shapes,
    axes_for,
    axes_size,
    cluster_text,
    colour_key,
    plain,
    shortened,
)
from dendrometry.plot._axes.palette import FAINT, INK, OTHER, PALETTE, ItemLabels, group_items, node_codes
from dendrometry.plot._layout.branches import By
from dendrometry.plot._layout.rectangles import Rectangles, rectangles
from dendrometry.plot._layout.top import top_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

RootSide = Literal["top", "left"]

_LARGEST, _SMALLEST = 7.0, 4.5  # font sizes of names inside rectangles
_FEW = 800  # maximum number of rectangles drawn with a white edge


def icicle(
    tree: HierarchyLike,
    *,
    colours: ArrayLike | None = None,
    labels: ItemLabels | None = None,
    top: int | None = None,
    by: By = "auto",
    root: RootSide = "top",
    ax: Axes | None = None,
) -> Axes:
    """Draw a hierarchy as nested rectangles, with widths proportional to the number of items.

    A rectangle extends from the height of its cluster to that of its parent; the rectangles below it are its
    subclusters and items.

    Parameters
    ----------
    tree : Hierarchy, or anything that `as_hierarchy` takes
        Any tree.
    colours : (n_items, 3) array of float from 0 to 1, optional
        The colour of each item as red, green and blue. A cluster has the mean colour of its items, so a good tree of
        colours (the data of figure 1 in [1]_) shows muddy colours at the root and pure colours at the leaves. By
        default the colours change evenly along the items, from dark blue to light green.
    labels : sequence of labels in the order of the items, or mapping of items to labels, optional
        Colour by label instead: a cluster whose items share a label has the colour of that label, others are grey.
    top : int, optional
        Draw only the top of the tree, with at most this many leaves.
    by : {"auto", "height", "depth", "level"}
        The definition of the levels, as for `dendrogram`. A node that is lower than its child is raised to the level
        of the child.
    root : {"top", "left"}
        The side of the root.
    ax : matplotlib Axes, optional
        The Axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib Axes
        The axis along the items runs from 0 to n. The name of each node, or the single item of a node without a name,
        is written where it fits inside its rectangle, in small type if need be, and omitted elsewhere.

    Raises
    ------
    InvalidInputError
        If an option is not one of the above, if both colours and labels are given, or if colours are not n rows of 3.

    Notes
    -----
    O(n), without recursion.

    References
    ----------
    .. [1] D. M. Johnson et al., "Hierarchy agreement index", figure 1.

    Examples
    --------
    >>> from dendrometry import from_paths, plot
    >>> tree = from_paths({"lion": "cats", "lynx": "cats", "wolf": "dogs"})
    >>> ax = plot.icicle(tree)
    >>> sorted(text.get_text() for text in ax.texts)
    ['cats (2)', 'dogs (1)']
    """
    one_of(root, "root", ("top", "left"))
    if colours is not None and labels is not None:
        raise InvalidInputError("colours and labels cannot both be given")
    tree = as_hierarchy(tree)
    shown = top_of(tree, top)
    where = rectangles(shown.tree, by=by)
    ax = axes_for(ax, *((9.0, 5.0) if root == "top" else (6.0, 8.0)))
    fill: NDArray[Any]
    if labels is not None:
        groups = group_items(tree.items, labels)
        fill = np.array([*PALETTE, OTHER, FAINT], dtype=object)[node_codes(shown.tree, groups.code)]
        colour_key(ax, groups.names)
    else:
        of_item = _along(tree) if colours is None else _checked_colours(colours, tree.n_items)
        fill = mean_colours(shown.tree, of_item)
    _draw(ax, where, fill, root)
    _write(ax, shown.tree, where, fill, root)
    return ax


def mean_colours(tree: Hierarchy, colours: FloatArray) -> FloatArray:
    """Return (n_nodes, 3): the mean colour of the items at or below each node, in O(n)."""
    channels = []
    for channel in colours.T:
        own = np.bincount(tree.item_node, weights=channel, minlength=tree.n_nodes)
        channels.append(walks.accumulate_sum(tree.parent, own) / tree.sizes)
    return np.clip(np.column_stack(channels), 0.0, 1.0)


def _checked_colours(colours: ArrayLike, n_items: int) -> FloatArray:
    """Return colours as an array, or raise an error that states what is invalid."""
    try:
        array = np.asarray(colours, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidInputError(f"colours must be numbers; got {error}") from None
    if array.shape != (n_items, 3):
        raise InvalidInputError(f"colours must have one row of 3 for each of {n_items:,} items; got {array.shape}")
    if not ((array >= 0.0) & (array <= 1.0)).all():
        raise InvalidInputError("colours must lie between 0 and 1; divide by 255 if they are bytes")
    return array


def _along(tree: Hierarchy) -> FloatArray:
    """Return (n_items, 3): colours that change evenly from the first item of the tree to the last."""
    from matplotlib import colormaps

    colours = np.empty((tree.n_items, 3))
    colours[tree.order.item] = colormaps["viridis"](np.linspace(0.0, 0.85, tree.n_items))[:, :3]
    return colours


def _draw(ax: Axes, where: Rectangles, fill: NDArray[Any], root: str) -> None:
    """Draw the rectangles and set the axis limits."""
    corners = where.corners() if root == "top" else where.corners()[..., ::-1]
    few = len(corners) <= _FEW
    edges = {"edgecolors": "white", "linewidths": 0.6} if few else {"edgecolors": "none", "antialiased": False}
    add_shapes(ax, corners, "rectangles", facecolors=fill.tolist(), **edges)
    along, levels = (0, int(where.high[-1])), (float(where.bottom.min()), float(where.top[-1]))
    if root == "top":
        ax.set(xlim=along, ylim=levels, xticks=[], yticks=[])
    else:
        ax.set(xlim=levels[::-1], ylim=along[::-1], xticks=[], yticks=[])
    ax.spines[:].set_visible(False)


def _write(ax: Axes, tree: Hierarchy, where: Rectangles, fill: NDArray[Any], root: str) -> None:
    """Write names into the rectangles that are large enough, along the longer side."""
    from matplotlib.colors import to_rgb

    width, height = axes_size(ax)
    n_items, levels = int(where.high[-1]), float(where.top[-1] - where.bottom.min())
    sides = (where.high - where.low) / n_items, (where.top - where.bottom) / levels
    wide, tall = (
        side * points for side, points in zip(sides if root == "top" else sides[::-1], (width, height), strict=True)
    )
    named = (tree.sizes == 1) | (tree.n_children == 0) | np.array([bool(name) for name in tree.node_names or [""]])
    sizes = np.clip(np.minimum(wide, tall) / 1.4, _SMALLEST, _LARGEST)
    fits = named & (np.minimum(wide, tall) >= 1.4 * sizes) & (np.maximum(wide, tall) > 2.0 * sizes)
    left_out = int(named.sum() - fits.sum())
    for v in np.flatnonzero(fits).tolist():
        middle = (where.low[v] + where.high[v]) / 2.0, (where.bottom[v] + where.top[v]) / 2.0
        bright = float(np.dot(to_rgb(fill[v]), (0.299, 0.587, 0.114))) > 0.55
        style = {"fontsize": float(sizes[v]), "color": INK if bright else "white", "label": "_name", **INSIDE}
        x, y = middle if root == "top" else middle[::-1]
        text = ax.text(x, y, _name(tree, v), ha="center", va="center", **style)
        long = shortened(text, np.inf) + 0.5 * float(sizes[v])
        if long > max(wide[v], tall[v]):
            text.remove()
            left_out += 1
        elif long > wide[v]:
            text.set_rotation(90)
    if left_out:
        ax.set_xlabel(f"{plural(left_out, 'name')} left out", fontsize=8, color=OTHER)


def _name(tree: Hierarchy, v: int) -> str:
    """Return the text of a rectangle: that of the cluster, but the name of a node with a single item, if it has one."""
    name = tree.node_names[v] if tree.node_names else ""
    if tree.sizes[v] > 1 or not name or name == tree.items[int(tree.order.item[int(tree.order.item_low[v])])]:
        return cluster_text(tree, v)
    return f"{plain(name, LONGEST - 8)} (1)"
