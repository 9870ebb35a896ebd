"""Agglomerative clustering on a graph of neighbours, with exact merges above."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from dendrometry._check.names import name_items
from dendrometry._check.numbers import real_number, whole_number
from dendrometry._check.points import Prepared, finite_points, points_of, prepare_points, require_dense
from dendrometry._kernels.cluster import graph_greedy as kernels
from dendrometry._kernels.cluster.edges import both_ways, roots_of, spanning_forest
from dendrometry._kernels.cluster.graph_greedy import Members, Network, Rule
from dendrometry._kernels.cluster.groups import edge_lengths
from dendrometry._kernels.cluster.merges import Merges
from dendrometry._memory import require_memory, vector_bytes
from dendrometry._progress import Advance, bar
from dendrometry._threads import share_rows
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cluster.agglomeration import Agglomeration, BuildPlan, GraphReport, as_agglomeration
from dendrometry.cluster.approximate.edges import Edges, edges_of, undirected
from dendrometry.cluster.approximate.joining import farthest_merges, shortest_bridges, stack_merges
from dendrometry.cluster.approximate.start import merge_start, require_sums
from dendrometry.cluster.cpu.merges import (
    MergeSequence,
    in_units_of,
    join_merges,
    new_merges,
    no_merges,
    of_spanning_tree,
    require_distinct,
    rows_of,
)
from dendrometry.cluster.cpu.vector_greedy import Start
from dendrometry.cluster.linkages import OWN_METRICS, TRUE_METRICS, Linkage, LinkageRule, rule_for
from dendrometry.errors import InvalidInputError

_ALTERNATIVES = "Alternatives: fewer neighbours, a smaller n_exact, or fewer columns (a truncated SVD)."
_WORTH_ORDER = 2**18  # fewer numbers fit a cache in any order
_BATCH = 4096
_BY_EDGES = ("single", "complete")  # all other linkages need sums


class GraphRequest(NamedTuple):
    """The request; ``rule`` is the linkage that builds the tree, ``n_exact`` 1 to merge exactly only separate parts."""

    linkage: str
    rule: LinkageRule
    metric: str
    names: tuple[str, ...]
    n_exact: int
    epsilon: float
    progress: bool


def agglomerate_graph(
    neighbours: Any,
    distances: Any = None,
    *,
    points: Any = None,
    linkage: Linkage = "average",
    metric: str = "cosine",
    n_exact: int = 1,
    epsilon: float = 0.0,
    item_names: Iterable[str] | None = None,
    progress: bool = False,
) -> Agglomeration:
    """Build a hierarchy from the bottom up, merging only clusters that an edge of a graph of neighbours joins.

    The two nearest clusters of those with an edge between them are merged, until ``n_exact`` clusters or the separate
    parts of the graph are left; these are merged exactly. For single linkage the shortest edges between parts are added
    to the graph. Heights are those of the linkage over all items of the two
    clusters, not only over the edges. With all items as neighbours of each, this is the exact tree.

    Parameters
    ----------
    neighbours : (n, k) array of int, or (n, n) sparse matrix
        The positions of k neighbours of each item, as returned by scikit-learn, pynndescent or FAISS; or a matrix whose
        stored values are distances. An edge in one direction counts for both, and an item's edge to itself for none.
    distances : (n, k) array of float, optional
        The distances of the neighbours; needed only without points.
    points : (n, d) array of float or int, optional
        The points, from which all distances are computed. Without them only single linkage is possible, on a connected
        graph.
    linkage : {"average", "ward", "single", "complete"}
        The distance of two clusters; centroid on cosine and dot equals average.
    metric : str
        For average ``sqeuclidean``, ``cosine`` or ``dot``, for ward ``euclidean``, for single and complete any of
        these.
    n_exact : int
        The number of clusters, from 1 to n, from which on all pairs are considered; not for single linkage.
    epsilon : float
        At least 0: the clusters merged may be up to 1 + epsilon times as far apart as the nearest ones with an edge.
    item_names : sequence of str, optional
        The names of the items; by default "0", "1", and so on.
    progress : bool
        Whether to draw a progress bar on stderr.

    Returns
    -------
    Agglomeration
        ``hierarchy`` with heights, ``similarity`` and ``report``, whose ``graph`` describes the graph.

    Raises
    ------
    InvalidInputError
        If a neighbour is missing or outside the items, a distance is negative or not finite or differs between the two
        directions of an edge, the graph has several parts and there are no points to join them, linkage and metric
        cannot be used on a graph, or memory does not suffice.

    Notes
    -----
    Missing edges change the tree, above all its top: `dendrometry.resampling.fidelity` measures how much. As a new
    cluster may be nearer to a third one than the edges of its parts showed, there may be inversions; the report counts
    them.

    O(d) time for each neighbour of a merged cluster; for complete linkage O(d) for each pair of items of the two, and
    O(n^2 d) to join parts, as for single. Memory is O(n d + edges), above that for merging ``n_exact`` points.

    Examples
    --------
    >>> from dendrometry.cluster import agglomerate_graph
    >>> line = [[0.0], [1.0], [3.0], [9.0]]
    >>> built = agglomerate_graph([[1], [0], [1], [2]], points=line, linkage="ward", metric="euclidean")
    >>> built
    Agglomeration(Hierarchy(4 items, 7 nodes, heights 0 to 9.38971),
      ward on euclidean by graph_greedy, 0 ties, 0 inversions; resampling.fidelity tells how near the exact tree)
    >>> built.report.graph
    GraphReport(n_edges=3, n_parts=1, n_exact=1, epsilon=0.0)
    """
    rule = _rule_on_graph(linkage, metric)
    slack = real_number(epsilon, "epsilon", least=0.0)
    edges = edges_of(neighbours, distances)
    n = edges.start.size - 1
    exact = whole_number(n_exact, "n_exact", 1, n)
    names = name_items(neighbours if points is None else points, item_names, n)
    if rule.spanning_tree and exact > 1:
        raise InvalidInputError(f"n_exact must be 1 for single linkage, whose edges are exact; got {exact}")
    request = GraphRequest(linkage, rule, metric, names, exact, slack, progress)
    if points is None:
        return _from_edges(edges, request)
    given = points_of(points)
    require_dense(given, "agglomerate_graph")
    if given.shape[0] != n:
        raise InvalidInputError(f"there must be one point for each of the {n:,} items of the graph; got {len(given):,}")
    return build_on_graph(given, edges, request)


def _rule_on_graph(linkage: str, metric: str) -> LinkageRule:
    """Return the rule that builds the tree, refusing linkages and metrics that a graph does not allow."""
    rule = rule_for(linkage, metric)
    if rule.name not in ("single", *kernels.FORMS):
        raise InvalidInputError(f"linkage must be average, ward, single or complete on a graph; got {linkage}")
    if rule.name not in _BY_EDGES:
        require_sums(linkage, rule, metric, "a graph")
    elif metric not in OWN_METRICS:
        raise InvalidInputError(f"metric must be {', '.join(OWN_METRICS)} on a graph; got {metric}")
    return rule


def _from_edges(edges: Edges, request: GraphRequest) -> Agglomeration:
    """Build the single-linkage tree of a connected graph from its distances."""
    if not request.rule.spanning_tree:
        raise InvalidInputError(
            f"points must be given for {request.linkage} linkage on a graph: distances without an edge come from them"
        )
    if edges.length is None:
        raise InvalidInputError("distances or points must be given; got neighbours alone")
    n = edges.start.size - 1
    low, high, length = undirected(edges)
    order = np.lexsort((high, low, length))
    low, high, length = low[order], high[order], length[order]
    kept = spanning_forest(low, high, np.arange(n))
    n_parts = n - int(kept.sum())
    if n_parts > 1:
        raise InvalidInputError(
            f"the graph must be connected; got {n_parts:,} parts (search for more neighbours, or pass points, by which"
            " parts are joined exactly)"
        )
    merges = of_spanning_tree(low[kept], high[kept], length[kept], n - 1)
    plan = BuildPlan(
        request.linkage,
        "precomputed",
        "graph_spanning_tree",
        80 * low.size,
        "float64",
        graph=GraphReport(low.size, 1, 1, 0.0),
    )
    return as_agglomeration(merges, request.names, 0.0, np.zeros(n), plan)


def build_on_graph(points: Any, edges: Edges, request: GraphRequest, order: IntArray | None = None) -> Agglomeration:
    """Build the tree of dense points on a graph of their neighbours.

    An ``order`` in which points that are near each other are together is found if none is given; it changes no result.
    """
    linkage, rule, metric, names, n_exact, _, progress = request
    n, d = points.shape
    needed = graph_bytes(n, d, edges.neighbour.size, n_exact)
    require_memory(
        needed, f"{linkage} linkage of {n:,} points on a graph of {edges.neighbour.size:,} edges", _ALTERNATIVES
    )
    ready = prepare_points(finite_points(points), metric)
    with bar("merging", n - 1, progress) as advance:
        if rule.spanning_tree:
            merges, report = _single(ready, edges, request, advance)
        else:
            order = order_by_place(ready.points) if order is None else order
            merges, report = _greedy(ready, edges, request, order, advance)
    if ready.root:
        merges = merges._replace(height=np.sqrt(merges.height))
    if metric in TRUE_METRICS:
        require_distinct(merges, points, 0.5 if ready.root else 1.0)
    algorithm = "graph_spanning_tree" if rule.spanning_tree else "graph_greedy"
    plan = BuildPlan(linkage, metric, algorithm, needed, "float64", graph=report)
    return as_agglomeration(in_units_of(merges, ready.exponent), names, ready.top, ready.self_similarity, plan)


def graph_bytes(n: int, d: int, n_edges: int, n_exact: int) -> int:
    """Return the bytes needed to merge n points on a graph, and ``n_exact`` clusters exactly."""
    return n * (3 * 8 * d + 300) + 20 * n_edges + vector_bytes(n_exact, d)


def _single(
    ready: Prepared, edges: Edges, request: GraphRequest, advance: Advance
) -> tuple[MergeSequence, GraphReport]:
    """Merge prepared points along the shortest edges; squared heights where the metric takes the root."""
    n = ready.own.size
    low, high, _ = undirected(edges._replace(length=None))
    length = edge_lengths(low, high, ready.points, ready.own, ready.alpha)
    order = np.lexsort((high, low, length))
    low, high, length = low[order], high[order], length[order]
    root = np.arange(n)
    kept = spanning_forest(low, high, root)
    first, second, height = low[kept], high[kept], length[kept]
    report = GraphReport(low.size, n - first.size, n - first.size, 0.0)
    advance(first.size)
    if report.n_parts > 1:
        bridges = shortest_bridges(ready, root, lambda _: None)
        first, second, height = (np.concatenate(pair) for pair in zip((first, second, height), bridges, strict=True))
    return of_spanning_tree(first, second, height, n - 1), report


def _greedy(
    ready: Prepared, edges: Edges, request: GraphRequest, order: IntArray, advance: Advance
) -> tuple[MergeSequence, GraphReport]:
    """Merge prepared points on the graph, then the clusters left exactly."""
    n, rule, n_exact, n_parts = ready.own.size, request.rule, request.n_exact, _n_parts(edges)
    network = network_of(edges, order)
    n_edges = int(network.degree.sum()) // 2
    size = np.ones(n)
    members = Members(ready.points[order], size, ready.own[order], np.arange(n), np.empty((0, 0)), np.zeros(n))
    form = kernels.FORMS.index(rule.update)
    lower = merge_along_edges(
        network, members, Rule(form, ready.alpha, 1.0 + request.epsilon, np.inf), n_exact, advance
    )
    alive = np.flatnonzero(network.node >= 0)
    alive = alive[np.argsort(network.node[alive])]
    n_exact = alive.size
    if n_exact == 1:
        upper = no_merges()
    elif form == kernels.COMPLETE:
        number = np.empty(n, dtype=np.int64)
        number[alive] = np.arange(n_exact)
        group = np.empty(n, dtype=np.int64)
        group[order] = number[roots_of(network.root)]
        upper = farthest_merges(ready, group, rule, advance)
    else:
        own = members.spread[alive] * size[alive]
        start = Start(members.centroid[alive], size[alive], np.zeros(n_exact), own, np.arange(n_exact))
        upper = merge_start(start, ready._replace(root=False), rule, advance)
    report = GraphReport(n_edges, n_parts, n_exact, request.epsilon)
    return stack_merges(n, lower, network.node[alive], upper), report


def order_by_place(points: FloatArray) -> IntArray:
    """Return an order in which points that are near each other are together, so that they are read together.

    Every point is put to the nearest of about sqrt(n) / 2 of them. It changes no result.
    """
    n = points.shape[0]
    count = max(1, int(np.sqrt(n) / 2))
    if points.size < _WORTH_ORDER:
        return np.arange(n)
    centre = points[:: n // count].astype(np.float32)
    half = 0.5 * np.einsum("ij,ij->i", centre, centre)
    nearest = np.empty(n, dtype=np.int32)
    for low in range(0, n, _BATCH):
        part = points[low : low + _BATCH].astype(np.float32)
        nearest[low : low + _BATCH] = (half - part @ centre.T).argmin(axis=1)
    order: IntArray = np.argsort(nearest, kind="stable")
    return order


def network_of(edges: Edges, order: IntArray | None = None) -> Network:
    """Return every item as a cluster, with its edges in both directions; item ``order[c]`` in slot c."""
    n = edges.start.size - 1
    slot = node = np.arange(n)
    if order is not None:
        node, slot = order.copy(), np.argsort(order)
        length = np.diff(edges.start)[order]
        start = np.append(0, np.cumsum(length))
        listed = np.arange(start[-1]) + np.repeat(edges.start[order] - start[:-1], length)
        edges = Edges(start, slot[edges.neighbour[listed]].astype(np.int32), None)
    pool = np.empty(4 * edges.neighbour.size + 1, dtype=np.int32)  # of every edge two, and as much room again
    first, degree = both_ways(edges.start, edges.neighbour, pool)
    return Network(
        pool,
        first,
        degree,
        np.array([first[-1] + degree[-1], n]),
        np.arange(n),
        node,
        np.concatenate([slot, np.zeros(n - 1, dtype=np.int64)]),
        np.full(n, -1, dtype=np.int64),
        np.full(n, np.inf),
        np.full(n, -1, dtype=np.int64),
    )


def merge_along_edges(network: Network, members: Members, rule: Rule, n_least: int, advance: Advance) -> Merges:
    """Merge clusters along edges until ``n_least`` clusters, or those that no edge joins, are left."""
    n_left = network.node.size
    share_rows(lambda slots: kernels.find_nearest(slots, network, members, rule), np.arange(n_left))
    parts = [new_merges(0)]
    while n_left > n_least:
        merges = new_merges(min(n_left - n_least, max(256, n_left // 16)))
        made = kernels.merge_edges(network, members, merges, rule)
        parts.append(rows_of(merges, 0, made))
        advance(made)
        n_left -= made
        if made < merges.left.size:
            break
    return join_merges(parts)


def _n_parts(edges: Edges) -> int:
    """Return the number of connected parts of a graph. O(edges) in practice."""
    item = np.arange(edges.start.size - 1)
    joins = spanning_forest(np.repeat(item, np.diff(edges.start)), edges.neighbour.astype(np.int64), item)
    return int(item.size - joins.sum())
