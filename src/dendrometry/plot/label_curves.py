"""Curves of the agreement of flat labels with the cuts of a tree, against the number of clusters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dendrometry._check.choices import elements
from dendrometry._display import plural
from dendrometry.errors import InvalidInputError
from dendrometry.levels.band import chosen_stages
from dendrometry.levels.label_profile import LabelProfile
from dendrometry.measures.registry import MEASURES
from dendrometry.plot._axes.axes import axes_for, curve_key
from dendrometry.plot._axes.palette import PALETTE
from dendrometry.plot._axes.scales import scale_clusters

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def label_curves(result: LabelProfile, measures: str | Sequence[str] | None = None, *, ax: Axes | None = None) -> Axes:
    """Draw measures of flat labels and the cuts of a tree against the number of clusters.

    A large dot marks the best cut by each measure. It is an upper bound, as the legend says: the labels that judge the
    cut have also chosen it. A dotted line marks the number of classes.

    Parameters
    ----------
    result : LabelProfile
        The result of `dendrometry.levels.label_profile`.
    measures : name or sequence of names, optional
        The measures to draw, by default all of the profile.
    ax : matplotlib Axes, optional
        The Axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib Axes
        The axis of the numbers of clusters is logarithmic if there are more than 60 levels. Of more than 4,000 levels,
        4,000 with geometrically spaced numbers of clusters are drawn.

    Raises
    ------
    InvalidInputError
        If ``result`` has another type, or no measure is to be drawn.
    UnknownNameError
        If the profile does not hold a measure.

    Examples
    --------
    >>> from dendrometry import from_newick, plot
    >>> from dendrometry.levels import label_profile
    >>> tree = from_newick("(((ape:1,cat:1):1,elk:2):1,owl:3);")
    >>> ax = plot.label_curves(label_profile(tree, ["mammal", "mammal", "mammal", "bird"]), "adjusted_rand")
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['adjusted rand: at most 1, with 2 clusters', '2 classes']
    """
    if not isinstance(result, LabelProfile):
        raise InvalidInputError(
            f"label_curves draws what label_profile(tree, labels) returns; got {type(result).__name__}"
        )
    names = (
        [measures]
        if isinstance(measures, str)
        else elements(result.value if measures is None else measures, "measures")
    )
    if not names:
        raise InvalidInputError("measures must name at least one measure; got none")
    shown = chosen_stages(result.n_clusters)
    k = result.n_clusters[shown]
    drawn = [(name, result[name][shown], result.best_cut(name)) for name in names]
    ax = axes_for(ax, 9.0, 4.2)
    for i, (name, values, best) in enumerate(drawn):
        colour, title = PALETTE[i % len(PALETTE)], name.replace("_", " ")
        bound = "at least" if MEASURES[name].kind == "distance" else "at most"
        label = f"{title}: {bound} {best.value:.3g}, with {plural(best.n_clusters, 'cluster')}"
        ax.plot(k, values, color=colour, linewidth=1.6, marker="o" if k.size <= 30 else None, markersize=4, label=label)
        ax.plot(best.n_clusters, best.value, color=colour, marker="o", markersize=9, label=f"_best {name}")
    classes = f"{result.n_classes:,} class{'' if result.n_classes == 1 else 'es'}"
    ax.axvline(result.n_classes, color="grey", linestyle=":", linewidth=1.0, label=classes)
    scale_clusters(ax, result.n_clusters.size)
    label = "agreement of the labels and the cut" if len(names) > 1 else names[0].replace("_", " ")
    ax.set(xlabel=f"number of clusters (levels by {result.order})", ylabel=label)
    ax.spines[["top", "right"]].set_visible(False)
    curve_key(ax)
    return ax
