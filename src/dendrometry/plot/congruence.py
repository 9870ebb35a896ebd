"""Heat map of how well each level of clusters predicts each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dendrometry._display import index_text
from dendrometry.errors import InvalidInputError
from dendrometry.partition.resolutions import Resolutions
from dendrometry.plot._axes.axes import INSIDE, axes_for, axes_size, name_ticks, plain
from dendrometry.plot._axes.palette import INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_DARK = 0.43  # above this value white is easier to read on the colour


def congruence(result: Resolutions, *, ax: Axes | None = None) -> Axes:
    """Draw a heat map of the adjusted Wallace coefficients between all levels of clusters, in both directions.

    The cell in row i and column j shows how far pairs of items together at level i are together at level j: 1 for all
    of them, 0 for as many as by chance. Where a finer level refines a coarser one, the cell below the diagonal is 1.

    Parameters
    ----------
    result : Resolutions
        The result of `dendrometry.partition.resolutions`.
    ax : matplotlib Axes, optional
        The Axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib Axes
        Levels are at 0, 1, 2, ... from the coarsest to the finest. Values are written into the cells if they fit.

    Raises
    ------
    InvalidInputError
        If ``result`` is not a `Resolutions`.

    Examples
    --------
    >>> from dendrometry import plot
    >>> from dendrometry.partition import resolutions
    >>> ax = plot.congruence(resolutions({"coarse": list("aaabbb"), "fine": list("xxyzzz")}))
    >>> [text.get_text() for text in ax.texts]
    ['1.00', '0.55', '1.00', '1.00']
    """
    if not isinstance(result, Resolutions):
        raise InvalidInputError(
            f"congruence draws what dendrometry.partition.resolutions(levels) returns; got {type(result).__name__}"
        )
    n = len(result.names)
    ax = axes_for(ax, *(min(0.38 * n + add, 12.0) for add in (3.0, 2.4)))
    image = ax.imshow(result.congruence, cmap="cividis_r", aspect="auto", vmin=0.0, vmax=1.0)
    label = "adjusted Wallace, row to column (0: by chance, 1: all pairs stay together)"
    bar = ax.figure.colorbar(image, ax=ax, fraction=0.05, pad=0.02, location="top", aspect=40)
    bar.set_label(label, fontsize=8)
    ax.spines[:].set_visible(False)
    for side in ("left", "bottom", "left"):  # twice on the left: the names at the bottom reduce the height
        name_ticks(ax, side, n, lambda i: plain(result.names[i]))
    width, height = axes_size(ax)
    size = min(8.0, width / n / 2.6, height / n / 1.4)
    if size >= 5.0:
        for i, j in np.ndindex(n, n):
            value = float(result.congruence[i, j])
            colour = "white" if value > _DARK else INK
            style = {"ha": "center", "va": "center", "fontsize": size, "color": colour, **INSIDE}
            ax.text(j, i, index_text(value), **style)
    return ax
