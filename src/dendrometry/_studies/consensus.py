"""Consensus of many linkages and metrics on one data set, after outlying trees are removed."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dendrometry._check.arrays import read_only
from dendrometry._check.numbers import random_generator
from dendrometry._display import plural
from dendrometry._kernels import tree as walks
from dendrometry._progress import track
from dendrometry._studies.inputs.data import Points, animals, bundled
from dendrometry._studies.result import StudyResult, Table
from dendrometry._typing import FloatArray
from dendrometry.cluster.linkages import Linkage
from dendrometry.cluster.ties import trees_over_ties
from dendrometry.comparison.consensus import Consensus
from dendrometry.comparison.consensus import consensus as consensus_of
from dendrometry.comparison.pairwise_matrix import Matrix, far_from_all, median_distances, pairwise_matrix
from dendrometry.datasets.zoo import zoo
from dendrometry.hierarchy import Hierarchy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_ON_EVERY_METRIC: tuple[Linkage, ...] = ("single", "complete", "average", "weighted", "group_average")
_ON_EUCLIDEAN: tuple[Linkage, ...] = ("ward", "centroid", "median")
_METRICS = ("euclidean", "cityblock", "cosine")
_TITLE = "How alike are the trees of many linkages and metrics, which stand out, and what do the rest agree on?"


class _Found(NamedTuple):
    """The trees of one data set, with their distances, outliers and consensus.

    ``distance`` holds means over the tie-breaks, and ``width`` the greatest range of a distance over them.
    """

    name: str
    distance: Matrix
    n_tie_breaks: int
    width: float
    outliers: list[str]
    agreed: Consensus

    @property
    def middle(self) -> FloatArray:
        """The median distance of each tree to the others."""
        return median_distances(self.distance)


def consensus(*, quick: bool = False, rng: np.random.Generator | int | None = 0, progress: bool = False) -> StudyResult:
    """Compare the trees of many linkages and metrics, remove the outliers, and compute the consensus of the rest.

    Eight linkages, five of them on three metrics, produce 18 trees of the animals and 18 of the wines. The G x G
    matrices of the overall distance Z and similarity S = 1 - Z are computed. A tree is an outlier by Tukey's rule on
    its median distance to the others, see `dendrometry.comparison.far_from_all`; the remaining trees are summarised by
    their majority consensus, see `dendrometry.consensus`. Merges at the same height, of which the animals have many,
    are combined. Ties also decide which clusters form: where there are any, every tree is built with 10
    tie-breaks, distances are means over them, and the consensus is that of all these trees.

    Parameters
    ----------
    quick, rng, progress
        As for `reproduce`; ``quick`` uses 30 animals and two metrics.

    Returns
    -------
    StudyResult
        Tables "trees" (the distance of each tree from the others), "matrix" (Z and S of every pair) and "clusters"
        (those of the consensus); a heat map of Z for each data set, and the consensus tree of the animals.

    References
    ----------
    .. [1] I. Morlini, S. Zani, "An Overall Index for Comparing Hierarchical Clusterings", 2012, section 5,
       doi:10.1007/978-3-642-24466-7_4.

    Examples
    --------
    >>> from dendrometry._studies.consensus import consensus
    >>> result = consensus(quick=True)
    >>> result
    StudyResult(consensus: tables trees, matrix, clusters; figures animals, animals_consensus)
    >>> result.to_frame().shape
    (13, 4)
    """
    if quick:
        whole = animals()
        data = [(Points("animals", whole.values[:30], whole.columns), zoo().items[:30], zoo().types[:30])]
    else:
        wine = bundled("wine")
        numbers = tuple(f"wine {i}" for i in range(len(wine.values)))
        data = [(animals(), zoo().items, zoo().types), (wine, numbers, ())]
    source = random_generator(rng)
    found = [_found(points, items, _METRICS[: 2 if quick else 3], source, progress) for points, items, _ in data]
    figures: dict[str, Any] = {one.name: partial(_heat_map, one) for one in found}
    figures["animals_consensus"] = partial(_drawn, found[0].agreed, data[0][2])
    return StudyResult(
        "consensus",
        _TITLE,
        {"trees": _gist(found), "matrix": _matrix(found), "clusters": _clusters(found)},
        tuple(note for one in found for note in _sentences(one)),
        figures=figures,
    )


def _found(
    points: Points, items: Sequence[str], metrics: Sequence[str], rng: np.random.Generator, progress: bool
) -> _Found:
    """Build the trees, measure their distances, remove the outliers and compute the consensus."""
    ways: list[tuple[Linkage, str]] = [(linkage, metric) for linkage in _ON_EVERY_METRIC for metric in metrics]
    ways += [(linkage, "euclidean") for linkage in _ON_EUCLIDEAN]
    built: dict[str, list[Hierarchy]] = {}
    for linkage, metric in track(ways, f"trees of {points.name}", len(ways), progress):
        trees = trees_over_ties(points.values, rng, linkage=linkage, metric=metric, item_names=items)
        built[f"{linkage} {metric}"] = [_ties_together(tree) for tree in trees]
    n_tie_breaks = max(map(len, built.values()))
    tie_breaks = [{name: trees[r % len(trees)] for name, trees in built.items()} for r in range(n_tie_breaks)]
    values = np.array([pairwise_matrix(trees, "overall_distance", adjusted=False).values for trees in tie_breaks])
    distance = Matrix(tuple(built), read_only(values.mean(axis=0)), "overall_distance")
    outliers = far_from_all(distance)
    rest = [tree for trees in tie_breaks for name, tree in trees.items() if name not in outliers]
    return _Found(
        points.name, distance, n_tie_breaks, float(np.ptp(values, axis=0).max()), outliers, consensus_of(rest)
    )


def _ties_together(tree: Hierarchy) -> Hierarchy:
    """Return a tree with merges of the same height combined, since the order of ties is arbitrary."""
    height = np.zeros(tree.n_nodes) if tree.height is None else tree.height
    keep = np.ones(tree.n_nodes, dtype=bool)
    keep[:-1] = (tree.n_children[:-1] == 0) | (height[:-1] != height[tree.parent[:-1]])
    number = np.cumsum(keep) - 1
    above = walks.nearest_kept(tree.parent, keep)[keep]
    parent = np.append(number[above[:-1]], -1)
    return Hierarchy(parent, height[keep], number[tree.item_node], tree.items)


def _gist(found: Sequence[_Found]) -> Table:
    """Return one row for each tree."""
    return Table.of_rows(
        ("data", "tree", "median_z", "outlier"),
        [
            (one.name, name, middle, name in one.outliers)
            for one in found
            for name, middle in zip(one.distance.names, one.middle.tolist(), strict=True)
        ],
    )


def _matrix(found: Sequence[_Found]) -> Table:
    """Return Z and S of every pair of trees."""
    rows = [
        (one.name, one.distance.names[i], one.distance.names[j], float(value), 1.0 - float(value))
        for one in found
        for (i, j), value in np.ndenumerate(one.distance.values)
    ]
    return Table.of_rows(("data", "first", "second", "z", "s"), rows)


def _clusters(found: Sequence[_Found]) -> Table:
    """Return the clusters of each consensus, largest first, without singletons."""
    rows: list[tuple[str, int, float, str]] = []
    for one in found:
        tree, order = one.agreed.hierarchy, one.agreed.hierarchy.order
        for v in range(tree.n_nodes - 1, -1, -1):
            if tree.sizes[v] > 1:
                names = sorted(tree.items[i] for i in order.item[order.item_low[v] : order.item_high[v]].tolist())
                rows.append((one.name, int(tree.sizes[v]), float(one.agreed.support[v]), "; ".join(names)))
    return Table.of_rows(("data", "size", "support", "items"), rows)


def _sentences(one: _Found) -> Iterator[str]:
    """Summarise the findings on one data set in sentences computed from the numbers."""
    names, values = one.distance.names, one.distance.values
    n = len(names)
    above = np.triu(np.ones((n, n), dtype=bool), 1)
    i, j = np.unravel_index(np.argmin(np.where(above, values, np.inf)), values.shape)
    yield (
        f"{one.name}: Z between {plural(n, 'tree')} is {values[above].min():.2f} to {values[above].max():.2f};"
        f" nearest are {names[i]} and {names[j]}."
    )
    yield f"  {_outlier_note(one)}."
    if one.n_tie_breaks > 1:
        yield (
            f"  merges are tied: Z is the mean over {one.n_tie_breaks} tie-breaks, which change it by at most"
            f" {one.width:.2f}; the consensus is that of all these trees."
        )
    sizes = one.agreed.hierarchy.sizes
    all_hold = int(((one.agreed.support == 1.0) & (sizes > 1) & (sizes < one.agreed.hierarchy.n_items)).sum())
    yield (
        f"  the {n - len(one.outliers)} others agree on {plural(one.agreed.n_clusters, 'cluster')} by majority, of"
        f" {one.agreed.hierarchy.n_items - 2} that a binary tree has; {all_hold} of them stand in all trees."
    )


def _outlier_note(one: _Found) -> str:
    """Name the trees that stand out, each with its median distance, and say how near they are to each other."""
    names = one.distance.names
    order = np.argsort(-one.middle, kind="stable")[: max(len(one.outliers), 1)]
    listed = ", ".join(f"{names[i]} (median Z {one.middle[i]:.2f})" for i in order)
    if not one.outliers:
        return f"no tree stands out from the rest; the greatest median distance is that of {listed}"
    among = one.distance.values[np.ix_(order, order)][np.triu_indices(len(order), 1)]
    between = f"; between them Z is at most {among.max():.2f}" if among.size else ""
    return f"stands out from the rest: {listed}{between}"


def _heat_map(one: _Found) -> "Figure":
    """Draw Z between all trees, ordered by a dendrogram of the trees."""
    from matplotlib.figure import Figure

    from dendrometry.plot.tree_matrix import tree_matrix

    n = len(one.distance.names)
    figure = Figure(figsize=(0.35 * n + 4.2, 0.35 * n + 2.4), layout="constrained")
    tree_matrix(one.distance, ax=figure.subplots())
    return figure


def _drawn(agreed: Consensus, types: Sequence[str]) -> "Figure":
    """Draw a consensus with branches coloured by the types of the items."""
    from matplotlib.figure import Figure

    from dendrometry.plot.dendrogram import dendrogram

    figure = Figure(figsize=(7.5, 0.105 * agreed.hierarchy.n_items + 1.5), layout="constrained")
    dendrogram(agreed.hierarchy, labels=types, ax=figure.subplots())
    return figure
