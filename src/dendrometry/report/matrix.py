"""The report of a `Matrix`: how alike several trees are, which stand out, and how it was made."""

from typing import Any

import numpy as np

from dendrometry._display import plural
from dendrometry._version import __version__
from dendrometry.comparison.pairwise_matrix import Matrix, distances, far_from_all, median_distances, near_chance
from dendrometry.hierarchy import Hierarchy
from dendrometry.measures.registry import MEASURES
from dendrometry.plot._layout.branches import Branches, branches
from dendrometry.plot.tree_matrix import tree_of_trees
from dendrometry.report.markup import Html, description_list, join_html, label, tag
from dendrometry.report.packed import pack, pack_names
from dendrometry.report.page import Page, Section, fragment

_MOST_TREES = 500
_LISTED = 5  # maximum number of names in a sentence


def matrix_page(matrix: Matrix) -> Page:
    """Return the report on a matrix as a page."""
    n = len(matrix.names)
    drawn = 1 < n <= _MOST_TREES
    far = far_from_all(matrix)
    lead = tag("p", tag("b", plural(n, "tree")), " compared by ", tag("b", matrix.title), class_="pair")
    sections = (
        Section("alike", "How alike", _alike(matrix, far)),
        Section("map", "Which are near each other", _map(n)),
        Section(
            "trees",
            "Tree by tree",
            fragment("each_tree.html") if drawn else tag("p", _too_many(n), class_="reason"),
        ),
        Section("made", "How it was made", _made(matrix)),
    )
    data = _data(matrix, far) if drawn else {}
    return Page("How alike are the trees?", lead, sections, data, ("matrix.js",), plotly=drawn)


def _too_many(n: int) -> str:
    """Return the reason why nothing is drawn."""
    return "A single tree has no others." if n == 1 else f"Up to {_MOST_TREES:,} trees are drawn and listed."


def _map(n: int) -> Html:
    """Return the container of the heat map, or the reason why there is none."""
    return fragment("heat_map.html") if 1 < n <= _MOST_TREES else tag("p", _too_many(n), class_="reason")


def _alike(matrix: Matrix, far: list[str]) -> Html:
    """Return a one-sentence summary of the matrix, and its key figures."""
    entry, n = MEASURES[matrix.measure], len(matrix.names)
    if n == 1:
        return tag("p", "There is a single tree, so there is nothing to compare.", class_="verdict")
    values = matrix.values[~np.eye(n, dtype=bool)]
    apart = distances(matrix)
    np.fill_diagonal(apart, np.inf)
    nearest = np.unravel_index(int(np.argmin(apart)), apart.shape)
    if not distances(matrix).any():
        verdict = join_html((f"The {n:,} trees are all the same by {entry.name}.",))
    else:
        verdict = join_html(
            (
                f"A typical pair of the {n:,} trees scores {np.median(values):.3g} by {matrix.title}; ",
                *_standing(far, n),
                *_by_chance(near_chance(matrix)),
                ".",
            )
        )
    figures = [
        ("the median of all pairs", f"{np.median(values):.3g}"),
        ("the least", f"{values.min():.3g}"),
        ("the greatest", f"{values.max():.3g}"),
        (f"{'tree stands' if len(far) == 1 else 'trees stand'} out from the rest", f"{len(far):,}"),
    ]
    near = tag(
        "p",
        "Nearest: ",
        label(matrix.names[nearest[0]]),
        " and ",
        label(matrix.names[nearest[1]]),
        f", {matrix.values[nearest]:.3g}.",
    )
    meaning = entry.describe(unrooted=matrix.unrooted)
    note = tag("p", f"{meaning[0].upper()}{meaning[1:]}; {matrix.scale}.", class_="note")
    return join_html((tag("p", verdict, class_="verdict"), description_list(figures, class_="figures"), near, note))


def _standing(far: list[str], n: int) -> list[str]:
    """Return which trees stand out from the rest, as parts of a sentence."""
    if not far:
        return ["no tree stands out from the rest" if n > 3 else "four trees are needed to say that one stands out"]
    return [*_listed(far), f" {'stands' if len(far) == 1 else 'stand'} out from the rest"]


def _by_chance(names: list[str]) -> list[str]:
    """Return which trees are no more like the others than by chance, as parts of a sentence; none if there is none."""
    return ["; no more like the others than by chance: ", *_listed(names)] if names else []


def _listed(names: list[str]) -> list[str]:
    """Return the first of some names, and how many more there are, as parts of a sentence."""
    parts: list[str] = []
    for i, name in enumerate(names[:_LISTED]):
        parts += [", " if i else "", label(name)]
    return [*parts, f" and {len(names) - _LISTED:,} more" if len(names) > _LISTED else ""]


def _data(matrix: Matrix, far: list[str]) -> dict[str, Any]:
    """Return the dendrogram of the trees, and the values in the order of its leaves."""
    entry = MEASURES[matrix.measure]
    tree = tree_of_trees(matrix)
    where = branches(tree)
    order = np.argsort(where.slot[tree.item_node])
    return {
        "names": pack_names(matrix.names[i] for i in order.tolist()),
        "values": pack(matrix.values[np.ix_(order, order)].ravel()),
        "apart": pack(median_distances(matrix)[order]),
        "far": np.flatnonzero(np.isin(np.array(matrix.names, dtype=object)[order], far)).tolist(),
        "measure": matrix.title,
        "similar": matrix.is_similarity,
        "symmetric": entry.symmetric,
        "span": list(matrix.span),
        "scale": "0 by chance, 1 identical" if matrix.adjusted else f"{entry.better} = more alike",
        "branches": _lines(tree, where),
    }


def _lines(tree: Hierarchy, where: Branches) -> list[list[list[float]]]:
    """Return the dendrogram of the trees as lines from (position, height) to (position, height)."""
    lines: list[list[list[float]]] = np.concatenate([where.stems(tree.parent), where.bars()]).tolist()
    return lines


def _made(matrix: Matrix) -> Html:
    """Return the section on what the results are based on."""
    entry, n = MEASURES[matrix.measure], len(matrix.names)
    how = "the same in both directions" if entry.symmetric else "the row is the first tree, the column the second"
    linked = "what they lack of the value for identical trees" if matrix.is_similarity else "their distances"
    adjusted = "; values adjusted for chance" if matrix.adjusted else ""
    rows = [
        ("Trees", f"{n:,}, {n * (n - 1) // 2:,} pairs{', without roots' if matrix.unrooted else ''}"),
        ("Measure", f"{entry.name} ({entry.symbol}, {entry.source}); {how}{adjusted}"),
        ("Order of the trees", f"average linkage of {linked}"),
        (
            "Stands out from the rest",
            "a median distance more than 1.5 interquartile ranges above the third quartile (Tukey)",
        ),
        ("No more like the others than by chance", "three quarters of its adjusted values with them are below 0.1"),
        ("Made by", f"dendrometry {__version__}; the map by plotly.js, whose licence is in the page"),
    ]
    return description_list(rows, class_="facts")
