"""Tanglegram: two trees drawn face to face, with lines that connect the same items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dendrometry._display import plural
from dendrometry._typing import FloatArray, IntArray
from dendrometry.comparison.comparison import Comparison
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.coerce import HierarchyLike
from dendrometry.overlap import overlap_of_same_items
from dendrometry.plot._axes.axes import INSIDE, PLAIN, add_lines, axes_for, axes_size, colour_key, fit, plain, shortened
from dendrometry.plot._axes.palette import FAINT, INK, OTHER, PALETTE, ItemLabels, group_items, node_codes
from dendrometry.plot._layout.agreement import common_clusters
from dendrometry.plot._layout.branches import Branches, branches
from dendrometry.plot._layout.units import two_trees
from dendrometry.plot._layout.untangle import Untangled, untangle
from dendrometry.plot.dendrogram import Drawn, colours_of, draw_branches, line_width, slot_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

_WIDEST = 0.24  # maximum share of the width for the names on one side


class _Half(NamedTuple):
    """One of the two trees and its layout."""

    tree: Hierarchy
    where: Branches

    @property
    def n_slots(self) -> int:
        """The number of slots."""
        return self.where.slot_node.size

    def rows(self) -> FloatArray:
        """Return the vertical position of each slot, from 0 at the top to 1 at the bottom."""
        return (np.arange(self.n_slots) + 0.5) / self.n_slots


class _Columns(NamedTuple):
    """Horizontal layout in shares of the width: trees end at ``left``, ``right``; links span ``start`` to ``stop``."""

    left: float
    start: float
    stop: float
    right: float


def tanglegram(
    a: HierarchyLike | Comparison,
    b: HierarchyLike | None = None,
    *,
    labels: ItemLabels | None = None,
    names: tuple[str, str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw two trees face to face, with a line between the positions of each item in the two trees.

    The children in both trees are ordered by `untangle` to reduce the number of crossings. The text below the drawing
    gives the entanglement of that order (0: all lines are level) and that of the original order; the names of the trees
    are above it, on the left and on the right, and the title between them is left to the caller. Each tree has its own
    height scale.

    Parameters
    ----------
    a, b : Hierarchy, or anything that `as_hierarchy` takes
        Two trees over the same items, drawn on the left and on the right; or a single `Comparison`.
    labels : sequence of labels in the order of the items of ``a``, or mapping of items to labels, optional
        Labels that determine the colours. By default the largest clusters that occur in both trees, with at most half
        of the items, are coloured and the rest is grey. If the trees have no common cluster with at least a hundredth
        of the items, nearly common clusters are coloured (F of at least 0.8, counting common items only); the text
        below states which. There are seven colours, for the seven largest of these clusters.
    names : pair of str, optional
        The names of the trees; by default those in the comparison.
    ax : matplotlib Axes, optional
        The Axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib Axes
        Horizontal positions are shares of the width. Names shrink to fit; if they do not all fit, every m-th name is
        shown, and a note at the bottom gives the number shown.

    Raises
    ------
    ItemMismatchError
        If the trees contain different items.

    Notes
    -----
    O(n log² n); see `untangle`, which also returns the entanglement and the crossings.

    Examples
    --------
    >>> from dendrometry import from_newick, plot
    >>> a, b = from_newick("((ape,cat),(elk,owl));"), from_newick("((owl,(cat,ape)),elk);")
    >>> ax = plot.tanglegram(a, b, names=("traits", "genes"))
    >>> ax.get_xlabel()
    'entanglement 0, as given 0.73; 1 common cluster coloured'
    """
    a, b, names = two_trees(a, b, names)
    order = untangle(a, b)
    halves = (_Half(a, branches(a, key=order.key_a)), _Half(b, branches(b, key=order.key_b)))
    ax = axes_for(ax, 9.0, min(max(0.16 * max(half.n_slots for half in halves) + 0.8, 3.0), 13.0))
    ax.set(xlim=(0, 1), ylim=(1, 0), xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    code, coloured = _codes(a, b, labels, halves[0].where)
    _titles(ax, order, names, coloured)
    if labels is not None:
        colour_key(ax, group_items(a.items, labels).names, below=True)
    width, points = axes_size(ax)
    texts = [_write(ax, half, points, right) for half, right in zip(halves, (False, True), strict=True)]
    columns = _columns(texts, width)
    for side, x in zip(texts, (columns.left + 0.005, columns.right - 0.005), strict=True):
        for text in side:
            text.set_x(x)
    code_of = dict(zip(a.items, code.tolist(), strict=True))
    code_b = np.fromiter(map(code_of.__getitem__, b.items), dtype=np.int64, count=b.n_items)
    _draw_half(ax, halves[0], code, columns, right=False)
    _draw_half(ax, halves[1], code_b, columns, right=True)
    _links(ax, halves, code, columns)
    return ax


def _titles(ax: Axes, order: Untangled, names: tuple[str, str], coloured: str) -> None:
    """Write the names of the trees above the drawing, and the entanglement below it."""
    text = f"entanglement {order.entanglement:.2g}, as given {order.entanglement_given:.2g}"
    ax.set_xlabel(text + coloured, fontsize=9, color=INK, labelpad=14)  # below the numbers of names shown
    for name, side in zip(names, ("left", "right"), strict=True):
        ax.set_title(plain(name), loc=side, fontsize=10, color=INK, **PLAIN)  # type: ignore[arg-type]


def _codes(a: Hierarchy, b: Hierarchy, labels: ItemLabels | None, where: Branches) -> tuple[IntArray, str]:
    """Return each item's palette index (the index after the last is grey), and a description of what is coloured."""
    if labels is not None:
        return group_items(a.items, labels).code, ""
    common = common_clusters(a, b)
    found, kind = common.clusters, "nearly common cluster" if common.nearly else "common cluster"
    largest = found[np.argsort(-a.sizes[found], kind="stable")[: len(PALETTE)]]
    rank = np.full(a.n_nodes + 1, len(PALETTE), dtype=np.int64)
    rank[largest[np.argsort(where.position[largest], kind="stable")]] = np.arange(largest.size)
    of_all = f" of {found.size:,}" if largest.size < found.size else ""
    return rank[common.node], f"; {plural(largest.size, kind)}{of_all} coloured"


def _columns(texts: list[list[Text]], width: float) -> _Columns:
    """Divide the width: names get what they need, within limits, and the rest goes to trees and links."""
    shares = [max(shortened(text, _WIDEST * width) for text in side) / width + 0.015 for side in texts]
    tree = 0.34 * (1.0 - sum(shares))
    return _Columns(tree, tree + shares[0], 1.0 - tree - shares[1], 1.0 - tree)


def _draw_half(ax: Axes, half: _Half, code: IntArray, columns: _Columns, right: bool) -> None:
    """Draw one tree with its root at the outer edge."""
    where, n_slots = half.where, half.n_slots

    def place(points: FloatArray) -> FloatArray:
        share = 1.0 - (points[..., 1] - where.base) / (1.03 * where.span)
        x = 1.0 - share * (1.0 - columns.right) if right else share * columns.left
        return np.stack([x, (points[..., 0] + 0.5) / n_slots], axis=-1)

    nothing_closed = np.zeros(half.tree.n_nodes, dtype=bool)
    colours = colours_of(half.tree, node_codes(half.tree, code))
    draw_branches(ax, Drawn(half.tree, where, colours, nothing_closed), place, line_width(n_slots, 600.0))


def _links(ax: Axes, halves: tuple[_Half, ...], code: IntArray, columns: _Columns) -> None:
    """Draw one line for each row of the overlap, with a width that increases with its number of items."""
    a, b = halves
    overlap = overlap_of_same_items(a.tree, b.tree)
    row_code = np.full(overlap.count.size, len(PALETTE), dtype=np.int64)
    row_code[overlap.item_row] = code
    start = a.rows()[a.where.slot[overlap.a.node]]
    stop = b.rows()[b.where.slot[overlap.b.node]]
    ends = [np.column_stack([np.full(y.size, x), y]) for x, y in ((columns.start, start), (columns.stop, stop))]
    behind_first = np.argsort(-row_code, kind="stable")
    colours = np.array([*PALETTE, FAINT], dtype=object)[row_code[behind_first]]
    width = line_width(overlap.count.size, 600.0) * np.minimum(np.sqrt(overlap.count[behind_first]), 6.0)
    style = {"colors": colours.tolist(), "linewidths": width, "alpha": 0.9}
    add_lines(ax, np.stack(ends, 1)[behind_first], "links", **style)


def _write(ax: Axes, half: _Half, points: float, right: bool) -> list[Text]:
    """Write the names of one tree, to be moved to their column later, and the number of omitted names."""
    rows, fitted, side = half.rows(), fit(half.n_slots, points), "right" if right else "left"
    if fitted.step > 1:
        ax.text(float(right), 1.01, fitted.note(len(rows)), fontsize=8, color=OTHER, ha=side, va="top")
    style: dict[str, Any] = {
        "fontsize": fitted.size,
        "color": INK,
        "ha": side,
        "va": "center",
        "label": "_name",
        **INSIDE,
    }
    return [ax.text(0.5, rows[i], slot_text(*half, i), **style) for i in range(0, len(rows), fitted.step)]
