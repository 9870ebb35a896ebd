"""Buckshot: the tree of a sample, with all items assigned to its clusters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from dendrometry._check.arrays import Frozen, read_only
from dendrometry._check.names import name_items
from dendrometry._check.numbers import RandomSource, random_generator, whole_number
from dendrometry._check.points import points_of
from dendrometry._display import plural
from dendrometry._flags import flag
from dendrometry._html import field_table, note
from dendrometry._kernels.cluster import buckshot as kernels
from dendrometry._kernels.cluster.rows import Rows
from dendrometry._progress import Advance, bar
from dendrometry._threads import share_rows
from dendrometry._typing import BoolArray, FloatArray, IntArray
from dendrometry.cluster.agglomerate import agglomerate
from dendrometry.cluster.agglomeration import NEAR_EXACT
from dendrometry.cluster.divisive.options import Metric, check_metric
from dendrometry.cluster.divisive.points import ready_rows
from dendrometry.cluster.linkages import Linkage
from dendrometry.cut.count import cut_count
from dendrometry.hierarchy import Hierarchy

_ALTERNATIVES = "Alternatives: fewer clusters, or fewer columns (a truncated SVD, or rarer words left out)."


@dataclass(frozen=True)
class BuckshotReport(Frozen):
    """How a tree was built by `buckshot`.

    Attributes
    ----------
    n_items, n_sampled : int
        The number of items, and of sampled items.
    linkage, metric : str
        The linkage and the metric requested.
    rounds : int
        The number of rounds of k-means.
    settled : bool
        Whether no item moved in the last round.
    refilled : int
        The number of items moved to clusters that had lost all their items.
    ties : int
        The number of merges of the sample at which another pair was exactly as near.
    inversions : int
        The number of nodes lower than one of their children. Refined clusters may reach above the sample's merges;
        such heights are kept.
    memory : int
        The estimated peak memory of k-means in bytes, in addition to the input.
    """

    n_items: int
    n_sampled: int
    linkage: str
    metric: str
    rounds: int
    settled: bool
    refilled: int
    ties: int
    inversions: int
    memory: int

    def _repr_html_(self) -> str:
        return field_table(self)


@dataclass(frozen=True, eq=False, repr=False)
class Buckshot(Frozen):
    """A hierarchy built by `buckshot`, with its flat clusters and report.

    Attributes
    ----------
    hierarchy : Hierarchy
        The tree. Its upper merges are those of the sample, with their heights. A cluster is a leaf at its height in the
        sample's tree or, if refined, the tree of its items.
    labels : (n_items,) array of int
        The cluster of each item, numbered from 0 in the order of their first items.
    sample : (n_sampled,) array of int
        The sampled rows, in ascending order.
    report : BuckshotReport
        The sample, rounds, ties, inversions and memory.
    """

    hierarchy: Hierarchy
    labels: IntArray
    sample: IntArray
    report: BuckshotReport

    def _repr_html_(self) -> str:
        return note(repr(self), faint=False) + self.hierarchy._repr_html_()

    def __repr__(self) -> str:
        report = self.report
        made = f"{plural(int(self.labels.max()) + 1, 'cluster')} from {plural(report.n_sampled, 'sampled item')}"
        notes = f"{plural(report.ties, 'tie')}, {plural(report.inversions, 'inversion')}"
        return f"Buckshot({self.hierarchy!r}, {made}, {report.linkage} on {report.metric}, {notes}{NEAR_EXACT})"


class _Clusters(NamedTuple):
    """The clusters of the items, and the report of k-means."""

    label: IntArray
    rounds: int
    settled: bool
    refilled: int


def buckshot(
    X: Any,
    n_clusters: int,
    *,
    linkage: Linkage = "group_average",
    metric: Metric = "cosine",
    refine: bool = False,
    max_rounds: int = 20,
    item_names: Iterable[str] | None = None,
    rng: RandomSource = 0,
    progress: bool = False,
) -> Buckshot:
    """Build a hierarchy of many items from that of a sample: merge the sample, then assign the rest.

    For k clusters, a sample of ``ceil(sqrt(k n))`` items is merged from the bottom up and cut into k clusters. k-means,
    starting from their means, assigns all items [1]_. The tree is that of the sample above the cut, with the clusters
    of all items below.

    Parameters
    ----------
    X : (n, d) array of float or int, or sparse matrix
        The points, one row each. k-means never makes sparse rows dense; they are accepted for cosine only, as in
        `agglomerate`.
    n_clusters : int
        The number of clusters k, from 1 to n.
    linkage : str
        The linkage for the sample and for refined clusters: any linkage of `agglomerate` that the metric allows.
    metric : {"cosine", "euclidean"}
        The metric; cosine normalises every row to length 1 first and refuses zero rows.
    refine : bool
        Whether to merge the items of every cluster into a tree of their own, down to single items.
    max_rounds : int
        The largest number of rounds of k-means, which stops earlier when no item moves.
    item_names : sequence of str, optional
        The names of the items; by default "0", "1", and so on.
    rng : numpy Generator, int or None
        The source of random numbers, for the sample. The default seed, 0, gives the same result in every call; None
        does not.
    progress : bool
        Whether to draw progress bars on stderr.

    Returns
    -------
    Buckshot
        ``hierarchy``, ``labels``, ``sample`` and ``report``.

    Raises
    ------
    InvalidInputError
        If points are not finite (the message names row and column), a row is zero under cosine, ``n_clusters`` is out
        of range, linkage and metric cannot be combined, or memory does not suffice (the message names the amount).

    Notes
    -----
    A cluster that loses all its items in a round is given the item farthest from its mean, so that there are always k
    clusters. The same ``rng`` gives the same bits for any number of threads.

    Merging the sample takes O(k n) time and a round O(k entries), where entries are the numbers stored: linear in the
    number of items for a fixed k. Refining takes time quadratic in the size of each cluster.

    References
    ----------
    .. [1] D. R. Cutting, D. R. Karger, J. O. Pedersen and J. W. Tukey, "Scatter/Gather: a cluster-based approach to
       browsing large document collections", SIGIR 1992. doi:10.1145/133160.133214

    Examples
    --------
    >>> from dendrometry.cluster import buckshot
    >>> points = [[5, 0], [4, 1], [5, 1], [1, 4], [0, 5], [1, 5]]
    >>> built = buckshot(points, 2, rng=0)
    >>> built.labels.tolist()
    [0, 0, 0, 1, 1, 1]
    >>> built.hierarchy
    Hierarchy(6 items, 3 nodes, heights 0.00113186 to 0.448944)
    >>> buckshot(points, 2, refine=True, rng=0).hierarchy.n_nodes
    11
    """
    check_metric(metric)
    points = points_of(X)
    n, d = points.shape
    count = whole_number(n_clusters, "n_clusters", 1, n)
    most = whole_number(max_rounds, "max_rounds", 1)
    generator = random_generator(rng)
    names = name_items(X, item_names, n)
    ready = ready_rows(points, metric, f"buckshot into {plural(count, 'cluster')}", _ALTERNATIVES, 24 * count * d)
    sample = np.sort(generator.choice(n, min(n, int(np.ceil(np.sqrt(count * n)))), replace=False))
    merged = agglomerate(points[sample], linkage=linkage, metric=metric, progress=progress)
    cut = cut_count(merged.hierarchy, count)
    with bar("assigning", most, progress) as advance:
        found = _k_means(ready.rows, _centres(ready.rows, sample, cut.labels, count), most, advance)
    if flag(refine, "refine"):
        with bar("refining", count, progress) as advance:
            trees = _refine(points, found.label, count, linkage, metric, advance)
    else:
        trees = None
    tree = _assemble(merged.hierarchy, cut.nodes, found.label, trees, names)
    assert tree.height is not None
    lower = tree.height[tree.parent[:-1]] < tree.height[:-1]
    report = BuckshotReport(
        n_items=n,
        n_sampled=sample.size,
        linkage=linkage,
        metric=metric,
        rounds=found.rounds,
        settled=found.settled,
        refilled=found.refilled,
        ties=merged.report.ties,
        inversions=int(np.unique(tree.parent[:-1][lower]).size),
        memory=ready.memory,
    )
    _, first, label = np.unique(found.label, return_index=True, return_inverse=True)
    return Buckshot(tree, read_only(np.argsort(np.argsort(first))[label]), read_only(sample), report)


def _centres(rows: Rows, some: IntArray, label: IntArray, n_clusters: int) -> FloatArray:
    """Return the mean of the chosen rows with each label, as columns."""
    total = np.zeros((rows.n_columns, n_clusters))
    kernels.add_rows(rows, some, label, total)
    total /= np.bincount(label, minlength=n_clusters)
    return total


def _k_means(rows: Rows, centre: FloatArray, most: int, advance: Advance) -> _Clusters:
    """Assign rows to the nearest centre and move the centres, until no row moves or ``most`` rounds are done."""
    n, n_clusters = rows.start.size - 1, centre.shape[1]
    everything = np.arange(n)
    label, before, apart = np.empty(n, dtype=np.int64), np.full(n, -1), np.empty(n)
    refilled = 0
    for done in range(1, most + 1):
        share_rows(lambda some: kernels.assign(some, rows, centre, label, apart), everything)  # noqa: B023
        refilled += _refill(label, apart, n_clusters)
        advance(1)
        if (label == before).all():
            return _Clusters(label, done, True, refilled)
        before[:] = label
        if done < most:
            centre = _centres(rows, everything, label, n_clusters)
    return _Clusters(label, most, False, refilled)


def _refill(label: IntArray, apart: FloatArray, n_clusters: int) -> int:
    """Give each cluster without items the item farthest from its mean that leaves others; return the number."""
    size = np.bincount(label, minlength=n_clusters)
    empty = np.flatnonzero(size == 0)
    for j in empty:
        far = int(np.argmax(np.where(size[label] > 1, apart, -1.0)))
        size[label[far]] -= 1
        size[j] = 1
        label[far] = j
        apart[far] = 0.0
    return empty.size


def _refine(
    points: Any, label: IntArray, n_clusters: int, linkage: Linkage, metric: Metric, advance: Advance
) -> list[Hierarchy]:
    """Return the tree of the items of every cluster."""
    order = np.argsort(label, kind="stable")
    trees = []
    for rows in np.split(order, np.cumsum(np.bincount(label, minlength=n_clusters))[:-1]):
        trees.append(agglomerate(points[rows], linkage=linkage, metric=metric).hierarchy)
        advance(1)
    return trees


def _assemble(
    sampled: Hierarchy, nodes: IntArray, label: IntArray, trees: list[Hierarchy] | None, names: tuple[str, ...]
) -> Hierarchy:
    """Return the sample's tree above some nodes, with a leaf or a tree of items in place of each."""
    assert sampled.height is not None
    above = np.flatnonzero(_above(sampled, nodes))
    size = np.ones(nodes.size, dtype=np.int64) if trees is None else np.array([tree.n_nodes for tree in trees])
    end = np.cumsum(size)
    number = np.full(sampled.n_nodes + 1, -1)
    number[nodes] = end - 1
    number[above] = end[-1] + np.arange(above.size)
    outer = number[np.concatenate([sampled.parent[nodes], sampled.parent[above]])]
    if trees is None:
        height = np.concatenate([sampled.height[nodes], sampled.height[above]])
        return Hierarchy(outer, height, label, names)
    parts, heights = [], []
    item_node = np.empty(label.size, dtype=np.int64)
    order = np.argsort(label, kind="stable")
    held = 0
    for tree, first, up in zip(trees, (end - size).tolist(), outer.tolist(), strict=False):
        parts.append(np.append(tree.parent[:-1] + first, up))
        heights.append(tree.height)
        item_node[order[held : held + tree.n_items]] = tree.item_node + first
        held += tree.n_items
    parent = np.concatenate([*parts, outer[nodes.size :]])
    return Hierarchy(parent, np.concatenate([*heights, sampled.height[above]]), item_node, names)


def _above(tree: Hierarchy, nodes: IntArray) -> BoolArray:
    """Return which nodes are ancestors of the given nodes."""
    above = np.zeros(tree.n_nodes + 1, dtype=bool)
    above[tree.parent[nodes]] = True
    for v in range(tree.n_nodes):
        if above[v]:
            above[tree.parent[v]] = True
    return above[:-1]
