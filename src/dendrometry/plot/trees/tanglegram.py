"""Two trees face to face, their items joined by lines: the tanglegram."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dendrometry._check.names import pair_of_names
from dendrometry._display import plural
from dendrometry._kernels._jit import FloatArray, IntArray
from dendrometry.hierarchy import Hierarchy
from dendrometry.overlap import Overlap
from dendrometry.plot.canvas.canvas import INSIDE, PLAIN, add_lines, canvas, colour_key, fit, plain, room, shortened
from dendrometry.plot.canvas.palette import FAINT, INK, OTHER, PALETTE, Labels, grouped, node_codes
from dendrometry.plot.layout.agreement import common_clusters
from dendrometry.plot.layout.branches import Branches, branches
from dendrometry.plot.layout.untangle import Untangled, untangle
from dendrometry.plot.trees.dendrogram import Drawn, colours_of, draw_branches, line_width, slot_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

__all__ = ["tanglegram"]

_WIDEST = 0.24  # share of the width that names of one side may take


class _Half(NamedTuple):
    """One of the two trees, and where it lies."""

    tree: Hierarchy
    where: Branches

    @property
    def n_slots(self) -> int:
        """The number of slots."""
        return self.where.slot_node.size

    def rows(self) -> FloatArray:
        """Return the height of every slot, from 0 at the top to 1 at the foot."""
        return (np.arange(self.n_slots) + 0.5) / self.n_slots


class _Columns(NamedTuple):
    """Shares of the width: trees end at ``left`` and ``right``, links run from ``start`` to ``stop``."""

    left: float
    start: float
    stop: float
    right: float


def tanglegram(
    a: Hierarchy,
    b: Hierarchy,
    *,
    labels: Labels | None = None,
    names: tuple[str, str] = ("", ""),
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw two trees face to face, a line from each item on the left to the same item on the right.

    The children of both trees are ordered by `untangle`, so that lines cross little. The title gives the entanglement
    of that order (0: all lines level) and of the order in which the trees came. Each tree has its own scale of heights.

    Parameters
    ----------
    a, b : Hierarchy
        Two trees over the same items, on the left and on the right.
    labels : sequence of labels in the order of the items of ``a``, or mapping of items to labels, optional
        Colours; by default clusters that both trees have are coloured, the largest ones of up to half of the items,
        and the rest is grey. If they have none of at least a hundredth of the items, then clusters that they nearly
        have (F of at least 0.8, counting common items only); the title says which. There are seven colours, which
        come again from the eighth cluster on.
    names : pair of str
        What to call the trees.
    ax : matplotlib Axes, optional
        Where to draw; by default a new figure.

    Returns
    -------
    matplotlib Axes
        Places across are shares of the width. Names shrink to fit; where there is no room for all, every m-th is
        shown, and the foot says how many.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.

    Notes
    -----
    O(n log² n); see `untangle`, which also returns the numbers.

    Examples
    --------
    >>> from dendrometry import from_newick, plot
    >>> a, b = from_newick("((ape,cat),(elk,owl));"), from_newick("((owl,(cat,ape)),elk);")
    >>> ax = plot.tanglegram(a, b, names=("traits", "genes"))
    >>> ax.get_title()
    'entanglement 0, as given 0.73; 1 common cluster coloured'
    """
    order = untangle(a, b)
    halves = (_Half(a, branches(a, key=order.key_a)), _Half(b, branches(b, key=order.key_b)))
    ax = canvas(ax, 9.0, min(max(0.16 * max(half.n_slots for half in halves) + 0.8, 3.0), 13.0))
    ax.set(xlim=(0, 1), ylim=(1, 0), xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    code, coloured = _codes(a, b, labels, halves[0].where)
    _titles(ax, order, names, coloured)
    if labels is not None:
        colour_key(ax, grouped(a.items, labels).names, below=True)
    width, points = room(ax)
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


def _titles(ax: "Axes", order: Untangled, names: tuple[str, str], coloured: str) -> None:
    """Write how entangled the trees are, and what they are called."""
    text = f"entanglement {order.entanglement:.2g}, as given {order.entanglement_given:.2g}"
    ax.set_title(text + coloured, fontsize=9, color=INK)
    for name, side in zip(pair_of_names(names), ("left", "right"), strict=True):
        ax.set_title(plain(name), loc=side, fontsize=10, color=INK, **PLAIN)  # type: ignore[arg-type]


def _codes(a: Hierarchy, b: Hierarchy, labels: Labels | None, where: Branches) -> tuple[IntArray, str]:
    """Return a place in the palette for each item of a, the place after the last for grey; and what is coloured."""
    if labels is not None:
        return grouped(a.items, labels).code, ""
    common = common_clusters(a, b)
    found, said = common.clusters, "nearly common cluster" if common.nearly else "common cluster"
    rank = np.full(a.n_nodes + 1, len(PALETTE), dtype=np.int64)
    rank[found[np.argsort(where.position[found], kind="stable")]] = np.arange(found.size) % len(PALETTE)
    return rank[common.node], f"; {plural(found.size, said)} coloured"


def _columns(texts: list[list["Text"]], width: float) -> _Columns:
    """Share out the width: as much for names as they need, within limits, and the rest for trees and links."""
    shares = [max(shortened(text, _WIDEST * width) for text in side) / width + 0.015 for side in texts]
    tree = 0.34 * (1.0 - sum(shares))
    return _Columns(tree, tree + shares[0], 1.0 - tree - shares[1], 1.0 - tree)


def _draw_half(ax: "Axes", half: _Half, code: IntArray, columns: _Columns, right: bool) -> None:
    """Draw one tree, its root at the outer edge."""
    where, n_slots = half.where, half.n_slots

    def place(points: FloatArray) -> FloatArray:
        share = 1.0 - (points[..., 1] - where.base) / (1.03 * where.span)
        x = 1.0 - share * (1.0 - columns.right) if right else share * columns.left
        return np.stack([x, (points[..., 0] + 0.5) / n_slots], axis=-1)

    nothing_closed = np.zeros(half.tree.n_nodes, dtype=bool)
    colours = colours_of(half.tree, node_codes(half.tree, code))
    draw_branches(ax, Drawn(half.tree, where, colours, nothing_closed), place, line_width(n_slots, 600.0))


def _links(ax: "Axes", halves: tuple[_Half, ...], code: IntArray, columns: _Columns) -> None:
    """Draw a line for each row of the overlap, the wider the more items share it."""
    a, b = halves
    overlap = Overlap.of(a.tree, b.tree)
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


def _write(ax: "Axes", half: _Half, points: float, right: bool) -> list["Text"]:
    """Write the names of one tree, to be moved to their column later, and how many are left out."""
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
