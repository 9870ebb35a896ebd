"""Dendrogram: a tree drawn as branches."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._check.choices import one_of
from dendrometry._display import plural
from dendrometry._typing import BoolArray, FloatArray, IntArray
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.coerce import HierarchyLike, as_hierarchy
from dendrometry.plot._axes.axes import add_lines, add_shapes, axes_for, cluster_text, colour_key, name_ticks
from dendrometry.plot._axes.height_axis import draw_cuts, height_axis, show_similarities
from dendrometry.plot._axes.p_value_marks import draw_p_values, p_value_column, p_value_key
from dendrometry.plot._axes.palette import ACCENT, FAINT, INK, OTHER, PALETTE, ItemLabels, group_items, node_codes
from dendrometry.plot._axes.support_marks import draw_support, support_column
from dendrometry.plot._layout.branches import Branches, By, branches
from dendrometry.plot._layout.top import top_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Root = Literal["left", "right", "top", "bottom"]
Place = Callable[[FloatArray], FloatArray]

_LEAF_SIDE: dict[str, str] = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}
_AXIS_NAMES = {"height": "height", "depth": "edges from the root", "level": "edges to the farthest leaf"}


class Drawn(NamedTuple):
    """A tree to draw, with the colour of each node and a mask of the collapsed nodes."""

    tree: Hierarchy
    where: Branches
    colour: FloatArray
    closed: BoolArray


def dendrogram(
    tree: HierarchyLike,
    *,
    labels: ItemLabels | None = None,
    top: int | None = None,
    by: By = "auto",
    root: Root = "left",
    cuts: float | Iterable[float] | None = None,
    self_similarity: float | None = None,
    support: ArrayLike | None = None,
    p_values: ArrayLike | None = None,
    alpha: float = 0.05,
    ax: Axes | None = None,
) -> Axes:
    """Draw a hierarchy as a dendrogram.

    Nodes may have any number of children. Items assigned to an inner node have their own position beside its children
    and are drawn as a dot at the height of the node; several items of one leaf share a position. Where a node is lower
    than its child (an inversion), the inverted branch is red and dashed. Dotted lines connect the end of each branch
    to its name.

    Parameters
    ----------
    tree : Hierarchy, or anything that `as_hierarchy` takes
        Any tree.
    labels : sequence of labels in the order of the items, or mapping of items to labels, optional
        Labels that determine the colours, for example those of a cut. A branch has the colour of a label if all items
        below it share that label; the strip at the leaves shows the label at each position. The seven most frequent
        labels are coloured.
    top : int, optional
        Draw only the top of the tree, with at most this many leaves; each collapsed subtree is a triangle with its
        number of items. The last merges are expanded first; without heights, the nodes nearest to the root.
    by : {"auto", "height", "depth", "level"}
        What the distance from the leaves represents: the height, the number of edges from the root, or the number of
        edges to the farthest leaf below. "auto" uses heights if the tree has them, otherwise "level".
    root : {"left", "right", "top", "bottom"}
        The side of the root: with "left" and "right" the tree is horizontal and the names are listed vertically.
    cuts : float or sequence of float, optional
        Heights at which to draw a line with the number of clusters of a cut there, as by `cut_height`; similarities if
        ``self_similarity`` is given.
    self_similarity : float, optional
        The similarity at height 0: 1 for cosine, 0 where similarity is the negative distance. The axis then shows
        combination similarities, ``self_similarity`` minus the height, instead of heights.
    support : (n_nodes,) array of float, optional
        The support of each node, from 0 to 1, such as ``stability(X).support.bp`` or that of a `consensus`. It is
        written at the nodes in percent, below 50 in red; where there is no room, and beside the 60 largest nodes, it is
        the size of a dot.
    p_values : (n_nodes,) array of float, optional
        The adjusted p-value of each node, such as those of the splits of a tree; nan where none was tested. Each tested
        node has a dot, full if its p-value is at most ``alpha``, and its p-value where there is room.
    alpha : float
        The level of the p-values, above 0 and below 1.
    ax : matplotlib Axes, optional
        The Axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib Axes
        Leaves are at 0, 1, 2, ... Names shrink to fit; if they do not all fit, every m-th name is shown and the axis
        label gives the number shown.

    Raises
    ------
    InvalidInputError
        If an option is not one of the above, the labels, the support or the p-values are invalid, support and p-values
        are both given, or cuts or similarities are requested of a tree that is not drawn by height.
    ItemMismatchError
        If the number of labels differs from the number of items, or the labels do not match the items.

    Notes
    -----
    The layout takes O(n), without recursion. Above about 10,000 leaves, ``top`` is faster and easier to read.

    Examples
    --------
    >>> from dendrometry import from_newick, plot
    >>> tree = from_newick("(((ape:1,cat:1):1,elk:2):1,owl:3);")
    >>> ax = plot.dendrogram(tree, labels=["primate", "carnivore", "ungulate", "bird"])
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['owl', 'elk', 'ape', 'cat']
    >>> ax.figure.savefig("tree.png")  # doctest: +SKIP
    """
    one_of(root, "root", get_args(Root))
    tree = as_hierarchy(tree)
    shown = top_of(tree, top)
    groups = None if labels is None else group_items(tree.items, labels)
    where = branches(shown.tree, by=by)
    shares = support_column(support, tree.n_nodes)
    tested = p_value_column(p_values, alpha, tree.n_nodes, support)
    name = _axis_name(tree, by)
    axis = height_axis(cuts, self_similarity, name == "height")
    n_slots = where.slot_node.size
    across = root in ("left", "right")
    long, short = min(max(0.16 * n_slots + 0.8, 3.0), 13.0), 7.0 if across else 5.0
    ax = axes_for(ax, *((short, long) if across else (long, short)))
    code = None if groups is None else node_codes(shown.tree, groups.code)
    drawn = Drawn(shown.tree, where, colours_of(shown.tree, code), shown.closed)
    draw_branches(ax, drawn, lambda xy: xy[..., ::-1] if across else xy, line_width(n_slots, long * 72))
    if code is not None:
        _strip(ax, where, code, across)
    _frame(ax, where, root, name)
    if axis.top is not None:
        show_similarities(ax, axis.top, across)
    draw_cuts(ax, tree, axis.cuts, across)
    marks = [] if tested is None else p_value_key(tested)
    if groups is not None or marks:
        colour_key(ax, () if groups is None else groups.names, marks=marks, below=root == "bottom")
    n_inverted = int(where.inverted(shown.tree.parent).sum())
    if n_inverted:
        ax.set_title(plural(n_inverted, "inversion"), loc="right", fontsize=8, color=ACCENT)
    name_ticks(ax, _LEAF_SIDE[root], n_slots, lambda slot: slot_text(shown.tree, where, slot))
    if shares is not None:
        draw_support(ax, shown, where, shares, across)
    if tested is not None:
        draw_p_values(ax, shown, where, tested, across)
    return ax


def colours_of(tree: Hierarchy, code: IntArray | None) -> FloatArray:
    """Return (n_nodes, 4): the colour of each node by its code, or a dark colour where its items differ."""
    from matplotlib.colors import to_rgba_array

    return to_rgba_array([*PALETTE, OTHER, INK])[np.full(tree.n_nodes, -1) if code is None else code]


def line_width(n_slots: int, points: float) -> float:
    """Return the line width for a number of leaves and an axis length in points."""
    return float(np.clip(0.12 * points / max(n_slots, 1), 0.4, 1.3))


def slot_text(tree: Hierarchy, where: Branches, slot: int) -> str:
    """Return the name of a slot, with its number of items if it has several."""
    return cluster_text(tree, int(where.slot_node[slot]), own=True)


def draw_branches(ax: Axes, drawn: Drawn, place: Place, width: float) -> None:
    """Draw guides, branches, inverted branches, items of inner nodes and collapsed clusters.

    ``place`` maps an array of (position, level) to one of (x, y).
    """
    tree, where, colour, closed = drawn
    guides = where.guides(closed)
    add_lines(ax, place(guides), "guides", colors=FAINT, linestyles=":", linewidths=0.7 * width, zorder=1)
    wrong = where.inverted(tree.parent)
    wide = where.high > where.low
    stems, bars = where.stems(tree.parent), where.bars()
    over = where.level[-1] + 0.03 * where.span
    stub = np.array([[[where.position[-1], where.level[-1]], [where.position[-1], over]]])
    lines = np.concatenate([stems[~wrong], bars[wide], stub])
    colours = np.concatenate([colour[:-1][~wrong], colour[wide], colour[-1:]])
    add_lines(ax, place(lines), "branches", colors=colours, linewidths=width, capstyle="projecting", zorder=2)
    if wrong.any():
        style = {"colors": ACCENT, "linestyles": "--", "linewidths": 1.5 * width, "zorder": 3}
        add_lines(ax, place(stems[wrong]), "inversions", **style)
    own = where.slot_node[tree.n_children[where.slot_node] > 0]
    if own.size:
        dots = place(np.column_stack([where.slot[own].astype(np.float64), where.level[own]]))
        ax.scatter(dots[:, 0], dots[:, 1], s=9 * width**2, c=colour[own], zorder=4, label="_inner items")
    tall = np.flatnonzero(closed & (where.level > where.base))
    if tall.size:
        add_shapes(ax, place(_wedges(where, tall)), "closed", facecolors=colour[tall], alpha=0.45, zorder=1)


def _wedges(where: Branches, node: IntArray) -> FloatArray:
    """Return one triangle for each of the given nodes, with its tip at the node and the opposite side on the base."""
    slot, base = where.slot[node].astype(np.float64), np.full(node.size, where.base)
    tip = np.column_stack([slot, where.level[node]])
    return np.stack([tip, np.column_stack([slot - 0.35, base]), np.column_stack([slot + 0.35, base])], axis=1)


def _strip(ax: Axes, where: Branches, code: IntArray, across: bool) -> None:
    """Draw a strip with the colour of each slot, below the base."""
    slot = np.arange(where.slot_node.size, dtype=np.float64)
    low, high = (np.full(slot.size, where.base - share * where.span) for share in (0.035, 0.015))
    corners = ((slot - 0.5, low), (slot + 0.5, low), (slot + 0.5, high), (slot - 0.5, high))
    boxes = np.stack([np.column_stack(corner) for corner in corners], axis=1)
    colours = np.array([*PALETTE, OTHER, "white"], dtype=object)[code[where.slot_node]]
    add_shapes(ax, boxes[..., ::-1] if across else boxes, "strip", facecolors=colours.tolist(), linewidths=0)


def _frame(ax: Axes, where: Branches, root: Root, name: str) -> None:
    """Set the axis limits: the root on the given side, the first leaf at the top or on the left."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    low, high = where.base - 0.04 * where.span, where.level.max() + 0.04 * where.span
    towards = (high, low) if root in ("left", "bottom") else (low, high)
    along = (-0.5, where.slot_node.size - 0.5)
    if root in ("left", "right"):
        ax.set(xlim=towards, ylim=along[::-1], xlabel=name)
    else:
        ax.set(xlim=along, ylim=towards, ylabel=name)
    axis = ax.xaxis if root in ("left", "right") else ax.yaxis
    if name != "height":
        axis.set_major_locator(MaxNLocator(nbins=6, integer=True))
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{abs(value):g}"))
    ax.spines[:].set_visible(False)
    ax.spines["bottom" if root in ("left", "right") else "left"].set_visible(True)


def _axis_name(tree: Hierarchy, by: By) -> str:
    """Return the axis label that describes the levels."""
    if by == "auto":
        by = "level" if tree.height is None else "height"
    return _AXIS_NAMES[by]
