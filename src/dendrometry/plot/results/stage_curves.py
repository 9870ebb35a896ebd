"""How alike two trees are at every number of groups: curves over k."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dendrometry._check.names import elements
from dendrometry.errors import InvalidInputError
from dendrometry.levels.band import Series, chance_band, chosen_stages
from dendrometry.levels.stages import Stages
from dendrometry.plot.canvas.canvas import canvas
from dendrometry.plot.canvas.palette import PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["stage_curves"]

_MANY = 60  # stages, from which on k has a logarithmic scale


def stage_curves(
    stages: Stages,
    series: Series | Sequence[Series] = ("adjusted_rand", "fowlkes_mallows"),
    *,
    alpha: float = 0.05,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw one or more series of the stages over the number of groups, with what chance alone would give.

    A curve above its band says that at this number of groups the two trees agree more than relabelled ones would.

    Parameters
    ----------
    stages : Stages
        As made by `dendrometry.stages`, or ``comparison.stages``.
    series : name or sequence of names
        Among "adjusted_rand", "fowlkes_mallows", "rand", "z", "v", "s" and "t".
    alpha : float
        The share of relabellings that lie outside the band: mean and variance are exact, the band assumes a normal
        distribution. The dashed line is the mean.
    ax : matplotlib Axes, optional
        Where to draw; by default a new figure.

    Returns
    -------
    matplotlib Axes
        k runs on a logarithmic scale where there are more than 60 stages, since most of what matters happens among
        few groups. Of more than 4,000 stages, 4,000 are drawn, whose k grow by even factors.

    Raises
    ------
    InvalidInputError
        If there is no such series, or alpha is not between 0 and 1.

    Examples
    --------
    >>> from dendrometry import from_newick, plot, stages
    >>> a = from_newick("(((ape:1,cat:1):1,elk:2):1,owl:3);")
    >>> b = from_newick("((ape:1,cat:1):2,(elk:2,owl:2):1);")
    >>> ax = plot.stage_curves(stages(a, b), "rand")
    >>> ax.get_xlabel()
    'number of groups k'
    """
    if not isinstance(stages, Stages):
        raise InvalidInputError(f"stage_curves takes Stages, as made by stages(a, b); got {type(stages).__name__}")
    names: list[Series] = [series] if isinstance(series, str) else elements(series, "series")
    bands = [chance_band(stages, name, alpha) for name in names]
    ax = canvas(ax, 7.0, 4.2)
    shown = chosen_stages(stages.k)
    k = stages.k[shown]
    marker = "o" if k.size <= 30 else None
    for i, (name, band) in enumerate(zip(names, bands, strict=True)):
        colour = PALETTE[i % len(PALETTE)]
        ax.fill_between(k, band.low[shown], band.high[shown], color=colour, alpha=0.18, linewidth=0, label="_band")
        ax.plot(k, band.mean[shown], color=colour, linestyle="--", linewidth=1.0, label="_mean")
        values = getattr(stages, name)[shown]
        ax.plot(k, values, color=colour, linewidth=1.6, marker=marker, markersize=4, label=name.replace("_", " "))
    _scale(ax, stages)
    ax.set(xlabel="number of groups k", ylabel=names[0].replace("_", " ") if len(names) == 1 else "")
    ax.spines[["top", "right"]].set_visible(False)
    _key(ax, alpha, single=len(names) == 1)
    return ax


def _scale(ax: "Axes", stages: Stages) -> None:
    """Let k run evenly or by factors, with whole numbers at the ticks."""
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

    if stages.k.size > _MANY:
        ax.set_xscale("log")
        ax.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        ax.xaxis.set_minor_formatter(NullFormatter())
    else:
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))


def _key(ax: "Axes", alpha: float, single: bool) -> None:
    """Explain lines and bands above the Axes."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles = [] if single else list(ax.get_legend_handles_labels()[0])
    dashed = Line2D([], [], color="grey", linestyle="--", linewidth=1.0, label="mean by chance")
    band = Patch(color="grey", alpha=0.25, linewidth=0, label=f"{1.0 - alpha:.0%} of relabellings")
    handles += [dashed, band]
    ax.legend(handles=handles, loc="lower left", bbox_to_anchor=(0, 1), ncols=4, frameon=False, fontsize=8)
