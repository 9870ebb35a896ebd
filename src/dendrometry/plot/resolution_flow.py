"""Flow of items through clusterings at several resolutions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dendrometry._check.numbers import whole_number
from dendrometry._display import plural
from dendrometry.errors import InvalidInputError
from dendrometry.partition.resolutions import Resolutions
from dendrometry.plot._axes.axes import PLAIN, add_shapes, axes_for, axes_size, colour_key, name_ticks, plain
from dendrometry.plot._axes.palette import ACCENT, FAINT, INK, OTHER, PALETTE, ItemLabels, group_items
from dendrometry.plot._layout.flow import ribbons
from dendrometry.plot._layout.level_flow import LevelFlow, level_flow

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BAR = 0.04  # half the width of a bar; the levels are at 0, 1, 2, ...
_SIZE = 8.0  # font size of names
_LETTER = 0.62  # width of a letter in units of the font size


def resolution_flow(
    result: Resolutions, *, labels: ItemLabels | None = None, max_clusters: int = 30, ax: Axes | None = None
) -> Axes:
    """Draw how items flow from each level of clusters to the next finer one.

    Grey ribbons lead from a cluster to the parts of which it is the parent, in the order of the nested tree; they do
    not cross unless clusters are combined. Red ribbons are items that come from elsewhere: nested clusterings have
    none. With labels of the items, such as their known types, ribbons have the colours of the labels, and those from
    elsewhere are darker.

    Parameters
    ----------
    result : Resolutions
        The result of `dendrometry.partition.resolutions`.
    labels : sequence of labels in the order of the items, or mapping of items to labels, optional
        The annotation by which ribbons are coloured; the seven most frequent labels have colours of their own.
    max_clusters : int
        The maximum number of clusters to show at each level; if there are more, the smallest are combined.
    ax : matplotlib Axes, optional
        The Axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib Axes
        The levels are at 0, 1, 2, ... from the coarsest to the finest. The heights of bars and ribbons are proportional
        to the number of items. Labels are omitted where bars are too thin, and a note at the bottom gives the number
        omitted.

    Raises
    ------
    InvalidInputError
        If ``result`` is not a `Resolutions`, or the labels are invalid.
    ItemMismatchError
        If the number of labels differs from the number of items, or the labels do not match the items.

    References
    ----------
    .. [1] L. Zappia, A. Oshlack, "Clustering trees: a visualization for evaluating clusterings at multiple
       resolutions", GigaScience 7 (2018), doi:10.1093/gigascience/giy083.

    Examples
    --------
    >>> from dendrometry import plot
    >>> from dendrometry.partition import resolutions
    >>> ax = plot.resolution_flow(resolutions({"coarse": list("aaaabb"), "fine": list("xxyyzy")}))
    >>> [text.get_text() for text in ax.texts]
    ['a', 'b', 'y', 'x', 'z']
    """
    if not isinstance(result, Resolutions):
        raise InvalidInputError(
            f"resolution_flow draws what dendrometry.partition.resolutions(levels) returns; got {type(result).__name__}"
        )
    groups = None if labels is None else group_items(result.items, labels)
    where = level_flow(result, whole_number(max_clusters, "max_clusters", 2), None if groups is None else groups.code)
    n_levels = len(result.names)
    ax = axes_for(ax, min(1.1 * n_levels + 1.0, 16.0), min(max(0.2 * int(np.bincount(where.level).max()), 4.0), 10.0))
    ax.set(xlim=(-2 * _BAR, n_levels - 0.6), ylim=(1.0, 0.0), yticks=[])
    ax.spines[:].set_visible(False)
    _draw(ax, where, coloured=groups is not None)
    names_note = _name_levels(ax, result)
    left_out = _write(ax, result, where)
    share = result.nesting.n_moves / (len(result.items) * n_levels)
    summary = f"{plural(result.nesting.n_moves, 'move')} from nested, {share:.1%} of all labels"
    labels_note = f"{plural(left_out, 'label')} left out" if left_out else ""
    if groups is not None:
        colour_key(ax, groups.names, below=True)
    ax.xaxis.set_label_position("bottom")
    ax.set_xlabel("; ".join(filter(None, (summary, names_note, labels_note))), fontsize=8, color=OTHER)
    return ax


def _name_levels(ax: Axes, result: Resolutions) -> str:
    """Write names and numbers of clusters above the levels, sideways if need be; return a note if not all fit."""
    parts = [(plain(name, 20), f"{k:,}") for name, k in zip(result.names, result.n_clusters.tolist(), strict=True)]
    wide = _LETTER * _SIZE * (1 + max(len(text) for part in parts for text in part))
    if wide <= axes_size(ax)[0] / len(parts):
        ax.set_xticks(range(len(parts)), ["\n".join(part) for part in parts], fontsize=_SIZE, color=INK, **PLAIN)
        ax.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
        return ""
    name_ticks(ax, "top", len(parts), lambda j: "{} ({})".format(*parts[j]))
    return ax.get_xlabel()


def _draw(ax: Axes, where: LevelFlow, coloured: bool) -> None:
    """Draw the ribbons, those from elsewhere on top, and the bars."""
    start = where.level[where.source].astype(np.float64) + _BAR
    outlines = ribbons((where.source_low, where.target_low), where.thickness, (start, start + 1.0 - 2 * _BAR))
    palette = np.array([*PALETTE, OTHER], dtype=object)
    for mask, what, colour, alpha in ((where.nested, "nested", FAINT, 0.7), (~where.nested, "elsewhere", ACCENT, 0.55)):
        fill = palette[where.group[mask]].tolist() if coloured else colour
        clear = (0.45 if what == "nested" else 0.9) if coloured else alpha
        add_shapes(ax, outlines[mask], what, facecolors=fill, alpha=clear, linewidths=0)
    x = np.stack([where.level + side for side in (-_BAR, _BAR, _BAR, -_BAR)], axis=1)
    y = np.stack([where.low, where.low, where.high, where.high], axis=1)
    bars = np.where(where.cluster < 0, OTHER, INK).tolist()
    add_shapes(ax, np.stack([x, y], axis=-1), "bars", facecolors=bars, linewidths=0)


def _write(ax: Axes, result: Resolutions, where: LevelFlow) -> int:
    """Write labels beside their bars, those of large bars first, where they fit; return the number left out."""
    width, height = axes_size(ax)
    line = 1.25 * _SIZE / height
    longest = int(0.75 * width / len(result.names) / (_LETTER * _SIZE))
    middle = (where.low + where.high) / 2.0
    written: list[list[float]] = [[] for _ in result.names]
    left_out = 0
    for bar, (j, cluster) in enumerate(zip(where.level.tolist(), where.cluster.tolist(), strict=True)):
        if longest < 2 or any(abs(middle[bar] - other) < line for other in written[j]):
            left_out += 1
            continue
        written[j].append(float(middle[bar]))
        labels = result.levels[j].label
        n_shown = int((where.level == j).sum())
        text = str(labels[cluster]) if cluster >= 0 else f"{labels.size - n_shown + 1:,} others"
        ax.text(
            j + 1.5 * _BAR,
            middle[bar],
            plain(text, longest),
            fontsize=_SIZE,
            color=INK,
            ha="left",
            va="center",
            **PLAIN,
        )
    return left_out
