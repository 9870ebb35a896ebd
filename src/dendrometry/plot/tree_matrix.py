"""Heat map of a measure between many trees, ordered by a dendrogram of the trees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dendrometry._typing import FloatArray
from dendrometry.comparison.pairwise_matrix import Matrix, distances
from dendrometry.errors import InvalidInputError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.formats.labels import from_labels
from dendrometry.io.formats.linkage import from_linkage
from dendrometry.measures.registry import MEASURES
from dendrometry.plot._axes.axes import INSIDE, axes_for, axes_size, name_ticks, plain
from dendrometry.plot._axes.palette import INK
from dendrometry.plot._layout.branches import branches
from dendrometry.plot.dendrogram import Drawn, colours_of, draw_branches

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SHARE = 0.22  # width of the dendrogram as a share of the width of the heat map


def tree_matrix(result: Matrix, *, ax: Axes | None = None) -> Axes:
    """Draw a heat map of one measure between all trees of a collection, ordered by a dendrogram of the trees.

    Darker cells are more alike, for distances and similarities. The colours cover the whole range of the measure, from
    chance to identity for adjusted values, so that a small difference looks small. The dendrogram on the left is the
    average linkage of the distances. A similarity is subtracted from its value for identical trees; an asymmetric
    measure is averaged over both directions.

    Parameters
    ----------
    result : Matrix
        The result of `dendrometry.pairwise_matrix`.
    ax : matplotlib Axes, optional
        The Axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib Axes
        Rows and columns are at 0, 1, 2, ...; the dendrogram is to their left. Values are written into the cells if
        they fit.

    Raises
    ------
    InvalidInputError
        If ``result`` is not a `Matrix`.

    Examples
    --------
    >>> from dendrometry import from_newick, pairwise_matrix, plot
    >>> shapes = {"x": "((a,b),(c,d));", "y": "((a,c),(b,d));", "z": "(((a,b),c),d);"}
    >>> trees = {name: from_newick(text) for name, text in shapes.items()}
    >>> ax = plot.tree_matrix(pairwise_matrix(trees, "hierarchy_agreement"))
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['y', 'x', 'z']
    """
    if not isinstance(result, Matrix):
        raise InvalidInputError(
            f"tree_matrix draws what dendrometry.pairwise_matrix(trees) returns; got {type(result).__name__}"
        )
    n = len(result.names)
    names = [plain(name) for name in result.names]
    more = 0.13 * max(0, max(map(len, names)) - 15)  # inches for names, on the right and, upright, at the bottom
    ax = axes_for(ax, *(min(0.35 * n + add, 12.0) + more for add in (3.8, 2.2)))
    tree = tree_of_trees(result)
    where = branches(tree)
    order = np.argsort(where.slot[tree.item_node])
    values = result.values[np.ix_(order, order)]
    low, high = result.span
    colours = "cividis_r" if result.is_similarity else "cividis"
    image = ax.imshow(values, cmap=colours, aspect="auto", vmin=low, vmax=high)
    way = "0: by chance, 1: identical" if result.adjusted else f"{MEASURES[result.measure].better}: more alike"
    label = f"{result.title.replace('_', ' ')} ({way})"
    ax.figure.colorbar(image, ax=ax, label=label, fraction=0.05, pad=0.02, location="top", aspect=40)
    if n > 1:
        _draw_tree(ax, tree)
    ax.set_xlim(-0.5 - (_SHARE * n if n > 1 else 0.0), n - 0.5)
    ax.set_ylim(n - 0.5, -0.5)
    ax.spines[:].set_visible(False)
    for side in ("right", "bottom", "right"):  # twice on the right: the names at the bottom reduce the height
        name_ticks(ax, side, n, lambda i: names[order[i]])
    _write_cells(ax, values, image)
    return ax


def tree_of_trees(result: Matrix) -> Hierarchy:
    """Return the average linkage of the trees of a matrix, as a hierarchy of their indices."""
    from scipy.cluster.hierarchy import linkage
    from scipy.spatial.distance import squareform

    n = len(result.names)
    if n == 1:
        return from_labels([0])
    return from_linkage(linkage(squareform(distances(result), checks=False), "average"))


def _draw_tree(ax: Axes, tree: Hierarchy) -> None:
    """Draw the dendrogram of the trees to the left of the heat map."""
    where = branches(tree)
    width = _SHARE * tree.n_items

    def place(points: FloatArray) -> FloatArray:
        x = -0.5 - 0.03 * width - 0.92 * width * (points[..., 1] - where.base) / (1.03 * where.span)
        return np.stack([x, points[..., 0]], axis=-1)

    drawn = Drawn(tree, where, colours_of(tree, None), np.zeros(tree.n_nodes, dtype=bool))
    draw_branches(ax, drawn, place, 1.0)


def _write_cells(ax: Axes, values: FloatArray, image: Any) -> None:
    """Write the values into the cells if all of them fit."""
    width, height = axes_size(ax)
    n = len(values)
    apart = values[~np.eye(n, dtype=bool)]
    digits = 2 if n == 1 or np.ptp(apart) >= 0.1 else 3
    size = min(8.0, width / (1.0 + _SHARE) / n / (1.3 + 0.65 * digits), height / n / 1.4)
    if size < 5.0:
        return
    for i, j in np.ndindex(n, n):
        red, green, blue, _ = image.cmap(image.norm(values[i, j]))
        colour = INK if 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 else "white"
        style: dict[str, Any] = {
            "ha": "center",
            "va": "center",
            "fontsize": size,
            "color": colour,
            "label": "_value",
            **INSIDE,
        }
        ax.text(j, i, f"{values[i, j] + 0.0:.{digits}f}", **style)
