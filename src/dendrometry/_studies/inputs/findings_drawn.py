"""Figures of linkages on many tables: critical differences, what changes with the measure, agreement."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from dendrometry._studies.inputs.findings import SCALED, Condition, Findings
from dendrometry._studies.inputs.ranks import Ranks
from dendrometry._studies.inputs.trees_of_table import EIGHT, RECOVERY

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def _critical(found: Findings) -> Figure:
    """Draw the mean ranks of each measure, unscaled and scaled, with a bar over linkages that are not told apart."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11.0, 1.75 * len(RECOVERY)), layout="constrained")
    axes = figure.subplots(len(RECOVERY), len(SCALED), squeeze=False)
    for row, measure in zip(axes, RECOVERY, strict=True):
        for ax, scaled in zip(row, SCALED, strict=True):
            _diagram(ax, found.ranks[Condition("all", scaled, 0, measure)])
            ax.set_title(f"{measure.replace('_', ' ')}, {'scaled' if scaled else 'unscaled'}", fontsize=9, loc="left")
    return figure


def _diagram(ax: Axes, ranks: Ranks) -> None:
    """Draw one diagram: the best linkage is at the left, names are fanned out below the line in order of rank."""
    k = len(EIGHT)
    order = np.argsort(ranks.mean, kind="stable").tolist()
    spread = np.linspace(1.0, k, k)
    for place, i in zip(spread, order, strict=True):
        ax.plot([ranks.mean[i], ranks.mean[i], place], [0.0, -0.35, -0.9], color="0.35", linewidth=0.8)
        ax.plot(ranks.mean[i], 0.0, "o", color="C0", markersize=4)
        ax.text(place, -1.0, f"{EIGHT[i].replace('_', ' ')}\n{ranks.mean[i]:.2f}", ha="center", va="top", fontsize=7)
    for height, group in enumerate(ranks.groups, start=1):
        ends = [ranks.mean[group[0]] - 0.04, ranks.mean[group[-1]] + 0.04]
        ax.plot(ends, [0.22 * height] * 2, color="C3", linewidth=2.5, solid_capstyle="butt")
    top = 0.22 * (len(ranks.groups) + 1.5)
    ax.plot([1.0, 1.0 + ranks.critical], [top] * 2, color="0.2", linewidth=1.0)
    ax.text(1.05 + ranks.critical, top, f"critical difference {ranks.critical:.2f}", va="center", fontsize=7)
    ax.axhline(0.0, color="0.7", linewidth=0.8, zorder=0)
    ax.set(xlim=(0.5, k + 0.5), ylim=(-2.0, top + 0.3), yticks=[], xticks=[])
    ax.spines[["left", "right", "top", "bottom"]].set_visible(False)


def _measures(found: Findings) -> Figure:
    """Draw the mean rank of every linkage by each measure, as a map; the numbers are the mean ranks."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10.5, 3.9), layout="constrained")
    for ax, scaled in zip(figure.subplots(1, 2, sharey=True), SCALED, strict=True):
        means = np.array([found.ranks[Condition("all", scaled, 0, measure)].mean for measure in RECOVERY]).T
        ax.imshow(means, cmap="viridis", vmin=1.0, vmax=float(len(EIGHT)), aspect="auto")
        _numbers(ax, means, threshold=5.0, above="black", below="white")
        ax.set_xticks(range(len(RECOVERY)), [name.replace("_", "\n") for name in RECOVERY], fontsize=7)
        ax.set_yticks(range(len(EIGHT)), [name.replace("_", " ") for name in EIGHT], fontsize=8)
        ax.set_title(f"mean rank, {'scaled' if scaled else 'unscaled'} (1 is best)", fontsize=9)
    return figure


def _agreement(found: Findings) -> Figure:
    """Draw the mean agreement of linkages: by triplets of the whole trees, and by the cuts; unscaled and scaled."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10.5, 9.4), layout="constrained")
    axes = figure.subplots(2, 2)
    for row, measure in zip(axes, ("triplet_agreement", "adjusted_rand"), strict=True):
        for ax, scaled in zip(row, SCALED, strict=True):
            square = found.mean_agreement(measure, scaled)
            ax.imshow(square, cmap="magma", vmin=0.0, vmax=1.0)
            _numbers(ax, square, threshold=0.55, above="black", below="white")
            names = [name.replace("_", " ") for name in EIGHT]
            ax.set_xticks(range(len(EIGHT)), names, fontsize=8, rotation=35, ha="right")
            ax.set_yticks(range(len(EIGHT)), names, fontsize=8)
            ax.set_title(f"{measure.replace('_', ' ')}, {'scaled' if scaled else 'unscaled'}", fontsize=9)
    return figure


def _numbers(ax: Axes, values: np.ndarray, *, threshold: float, above: str, below: str) -> None:
    """Write the values of a map into its cells, in a colour that can be read there."""
    for (i, j), value in np.ndenumerate(values):
        ax.text(j, i, f"{value:.2f}", ha="center", va="center", fontsize=7, color=above if value > threshold else below)


FIGURES: Mapping[str, Callable[[Findings], Figure]] = {
    "critical": _critical,
    "agreement": _agreement,
    "measures": _measures,
}
