"""Helpers shared by all plots: Axes, names as plain text, and names that do not overlap."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from numpy.typing import NDArray

from dendrometry._display import printable
from dendrometry._extras import require
from dendrometry.errors import InvalidInputError
from dendrometry.hierarchy import Hierarchy
from dendrometry.plot._axes.palette import INK, OTHER, PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

PLAIN: dict[str, Any] = {"parse_math": False, "usetex": False}  # names are never parsed as formulas
INSIDE: dict[str, Any] = {**PLAIN, "in_layout": False}  # for text inside the Axes, which the layout can ignore
LONGEST = 32  # maximum number of characters in a name
_LINE = 1.3  # line height in units of the font size
_LARGEST, _SMALLEST = 9.0, 5.0  # font sizes in points
_SMALL = 6.0  # font size if not all names fit


class Fit(NamedTuple):
    """The font size of names, and the step between the names that are shown (1: all)."""

    size: float
    step: int

    def note(self, count: int) -> str:
        """Return a note on which names are shown, empty if all are."""
        return "" if self.step == 1 else f"{-(-count // self.step):,} of {count:,} names shown"


def plain(text: object, longest: int = LONGEST) -> str:
    """Return a name as one short line of plain printable text."""
    return printable(text, longest)


def axes_for(ax: "Axes | None", width: float, height: float) -> "Axes":
    """Return the given Axes, or the Axes of a new figure with this size in inches."""
    if ax is not None:
        if not hasattr(ax, "add_collection"):
            raise InvalidInputError(f"ax must be a matplotlib Axes or None; got {type(ax).__name__}")
        return ax
    plt = require("matplotlib.pyplot", extra="plot", for_="a plot")
    axes: Axes = plt.subplots(figsize=(width, height), layout="constrained")[1]
    return axes


def axes_size(ax: "Axes") -> tuple[float, float]:
    """Return the width and height of the Axes in points, after the layout of the figure."""
    figure: Any = ax.figure.figure  # the whole figure, even if the Axes belong to a subfigure
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)
    box = ax.get_window_extent()
    return box.width * 72.0 / figure.dpi, box.height * 72.0 / figure.dpi


def fit(count: int, points: float) -> Fit:
    """Return the fit of a number of names along a length: a smaller font, or a subset if that would be too small."""
    spacing = points / max(count, 1)
    if spacing >= _SMALLEST * _LINE:
        return Fit(min(_LARGEST, spacing / _LINE), 1)
    return Fit(_SMALL, int(-(-_SMALL * _LINE // spacing)))


def name_ticks(ax: "Axes", side: str, count: int, text_of: Callable[[int], str]) -> None:
    """Label the positions 0, 1, 2, ... along one side with as many names as fit; add a note if some are omitted."""
    which = "x" if side in _SIDES["x"] else "y"
    axis = ax.xaxis if which == "x" else ax.yaxis
    length, (first, last) = axes_size(ax)[which == "y"], ax.get_xlim() if which == "x" else ax.get_ylim()
    fitted = fit(count, length * count / abs(last - first))
    places = range(0, count, fitted.step)
    style: dict[str, Any] = {"fontsize": fitted.size, "color": INK, "rotation": 90 if which == "x" else 0, **PLAIN}
    axis.set_ticks(list(places), [text_of(i) for i in places], **style)
    axis.set_tick_params(which="both", length=0, **{f"label{other}": other == side for other in _SIDES[which]})
    axis.set_label_position(side)  # type: ignore[arg-type]
    if fitted.step > 1:
        axis.set_label_text(fitted.note(count), fontsize=8, color=OTHER)


_SIDES = {"x": ("top", "bottom"), "y": ("left", "right")}


def cluster_text(tree: Hierarchy, v: int, *, own: bool = False) -> str:
    """Return the display text of a cluster: its only item, its name and size, or its first items and the remainder.

    If ``own`` is set, only the items of the node itself count, without those below.
    """
    low = int(tree.order.item_low[v])
    count = int((tree.own_sizes if own else tree.sizes)[v])
    if count == 1:
        return plain(tree.items[int(tree.order.item[low])])
    name = tree.node_names[v] if tree.node_names and (not own or not tree.n_children[v]) else ""
    if name:
        return f"{plain(name, LONGEST - 8)} ({count:,})"
    first = plain(tree.items[int(tree.order.item[low])], LONGEST - 10)
    return f"{first} and {count - 1:,} more"


def add_lines(ax: "Axes", lines: NDArray[Any], what: str, **style: Any) -> None:
    """Add (n, 2, 2) line segments as one artist, with a label that identifies them but stays out of the legend."""
    from matplotlib.collections import LineCollection

    ax.add_collection(LineCollection(list(lines), label=f"_{what}", **style), autolim=False)


def add_shapes(ax: "Axes", corners: NDArray[Any], what: str, **style: Any) -> None:
    """Add (n, m, 2) polygons as one artist, with a label that identifies them but stays out of the legend."""
    from matplotlib.collections import PolyCollection

    ax.add_collection(PolyCollection(list(corners), label=f"_{what}", **style), autolim=False)


def colour_key(ax: "Axes", names: Sequence[str], *, marks: Sequence[tuple[Any, str]] = (), below: bool = False) -> None:
    """Add a legend for the group colours, after that of other marks, above or below the Axes."""
    from matplotlib.patches import Patch

    texts = [*(text for _, text in marks), *(plain(name, 24) for name in names)]
    handles = [mark for mark, _ in marks]
    handles += [Patch(color=colour) for _, colour in zip(names, (*PALETTE, OTHER), strict=False)]
    longest = max(map(len, texts))
    width = ax.get_window_extent().width * 72.0 / ax.figure.dpi
    # the names are set afterwards, because a legend omits labels that start with an underscore
    legend = ax.legend(
        handles,
        ["-"] * len(handles),
        loc="upper center" if below else "lower left",
        bbox_to_anchor=(0.5, 0.0) if below else (0.0, 1.0),
        borderaxespad=4.0 if below else 0.5,
        ncols=max(1, min(4, len(handles), 66 // (4 + longest), int(width // (26 + 5 * longest)))),
        frameon=False,
        fontsize=8,
    )
    for written, text in zip(legend.get_texts(), texts, strict=True):
        written.set(text=text, **PLAIN)


def curve_key(ax: "Axes", *, handles: Sequence[Any] | None = None, title: str | None = None) -> None:
    """Add a legend of curves to the right of the Axes, where it covers none of them."""
    shown = ax.get_legend_handles_labels()[0] if handles is None else handles
    legend = ax.legend(
        handles=shown,
        title=title,
        loc="center left",
        bbox_to_anchor=(1.0, 0.5),
        frameon=False,
        fontsize=8,
        title_fontsize=8,
    )
    for text in legend.get_texts():
        text.set(**PLAIN)


def shortened(text: "Text", most: float) -> float:
    """Truncate a text longer than ``most`` points (in height if rotated); return its length in points."""
    figure: Any = text.figure
    scale = 72.0 / figure.figure.dpi
    while True:
        box = text.get_window_extent()
        long, written = max(box.width, box.height) * scale, text.get_text()
        if long <= most or len(written) < 3:
            return float(long)
        text.set_text(written[: max(1, min(int(len(written) * most / long), len(written) - 1) - 1)] + "…")
