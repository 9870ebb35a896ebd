"""Agglomerative clustering in which only adjacent clusters merge: maps, images, and what follows in time."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._check.points import Prepared, finite_points, prepare_points, require_dense
from dendrometry._kernels.cluster import graph_greedy as kernels
from dendrometry._kernels.cluster.edges import join_small, roots_of, spanning_forest
from dendrometry._kernels.cluster.graph_greedy import Members, Network, Rule
from dendrometry._kernels.cluster.groups import edge_lengths
from dendrometry._kernels.cluster.lance_williams import UPDATES
from dendrometry._kernels.cluster.merges import Merges, greedy_order, join_edges
from dendrometry._memory import require_memory, square_bytes
from dendrometry._progress import Advance, bar
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cluster import distances as matrices
from dendrometry.cluster.agglomeration import Agglomeration, BuildPlan, BuildRequest, GraphReport, as_agglomeration
from dendrometry.cluster.approximate.edges import Edges, undirected
from dendrometry.cluster.approximate.graph import graph_bytes, merge_along_edges, network_of
from dendrometry.cluster.approximate.joining import shortest_bridges
from dendrometry.cluster.approximate.start import merge_start
from dendrometry.cluster.connectivity import Constraint
from dendrometry.cluster.cpu.matrix_greedy import merge_matrix
from dendrometry.cluster.cpu.merges import MergeSequence, first_of, in_units_of, no_merges, require_distinct
from dendrometry.cluster.cpu.vector_greedy import Start
from dendrometry.cluster.linkages import OWN_METRICS, TRUE_METRICS, LinkageRule
from dendrometry.errors import Argument, InvalidInputError

_ROUNDING = 1e-9  # of a height: a merge that is lower than its parts by less is level with them
_ALTERNATIVES = (
    "Alternatives: ward on euclidean, average on sqeuclidean or cosine, and single need memory for the points and the"
    " edges only."
)


class Built(NamedTuple):
    """The merges of starting clusters, in order, and the starting cluster of each item."""

    merges: MergeSequence
    group: IntArray


def connected_points(points: Any, constraint: Constraint, request: BuildRequest) -> Agglomeration:
    """Build the tree of points, of which only adjacent clusters merge."""
    linkage, rule, metric, names, _, progress, ranks, _ = request
    if ranks is not None:
        raise InvalidInputError(Argument("connectivity"), " takes no ", Argument("tie_rng"), "; got both")
    require_dense(points, "connectivity")
    n, d = points.shape
    by_edges = rule.spanning_tree and metric in OWN_METRICS
    by_sums = rule.update in kernels.FORMS and metric in rule.vector_metrics
    needed = graph_bytes(n, d, constraint.edges.neighbour.size, 1) + (0 if by_edges or by_sums else square_bytes(n, 8))
    require_memory(needed, f"{linkage} linkage of {n:,} points on {metric} with connectivity", _ALTERNATIVES)
    ready = prepare_points(finite_points(points), metric)
    root = ready.root and (by_edges or by_sums or rule.squared)
    with bar("merging", n - 1, progress) as advance:
        if by_edges:
            built = _by_edges(ready, constraint, advance)
        elif by_sums:
            built = _greedy(_points_as_members(ready, constraint), constraint, rule, ready.alpha, advance)
        else:
            square = _square(ready, metric, rule)
            built = _by_matrix(square, constraint, rule, advance)
    merges = built.merges
    if root:
        merges = merges._replace(height=np.sqrt(np.maximum(merges.height, 0.0)))
    if metric in TRUE_METRICS and merges.left.size == n - 1:
        require_distinct(merges, points, 0.5 if ready.root else 1.0)
    algorithm = "connected_spanning_tree" if rule.spanning_tree else "connected_greedy"
    plan = BuildPlan(linkage, metric, algorithm, needed, "float64", graph=_report(constraint))
    own = np.bincount(built.group, weights=ready.self_similarity) / np.bincount(built.group)
    return as_agglomeration(in_units_of(merges, ready.exponent), names, ready.top, own, plan, built.group)


def connected_distances(
    square: NDArray[np.float64],
    constraint: Constraint,
    request: BuildRequest,
    scale: tuple[int, bool],
    needed: int,
) -> Agglomeration:
    """Build the tree of items by a flat matrix of distances, scaled by a power of two and perhaps squared."""
    linkage, rule, metric, names, _, progress, ranks, _ = request
    if ranks is not None:
        raise InvalidInputError(Argument("connectivity"), " takes no ", Argument("tie_rng"), "; got both")
    exponent, is_squared = scale
    with bar("merging", len(names) - 1, progress) as advance:
        built = _by_matrix(square.reshape(len(names), len(names)), constraint, rule, advance)
    merges = built.merges
    if is_squared:
        merges = merges._replace(height=np.sqrt(np.maximum(merges.height, 0.0)))
    algorithm = "connected_spanning_tree" if rule.spanning_tree else "connected_greedy"
    plan = BuildPlan(linkage, metric, algorithm, needed, "float64", graph=_report(constraint))
    n_start = merges.left.size + 1
    return as_agglomeration(in_units_of(merges, exponent), names, 0.0, np.zeros(n_start), plan, built.group)


def _report(constraint: Constraint) -> GraphReport:
    """Return the description of the graph."""
    n_edges = int(undirected(constraint.edges)[0].size)
    return GraphReport(n_edges, constraint.n_parts, constraint.n_parts, 0.0)


def _square(ready: Prepared, metric: str, rule: LinkageRule) -> FloatArray:
    """Return the square matrix of distances of prepared points, squared if the linkage needs it so."""
    n = ready.own.size
    if metric not in OWN_METRICS:
        return matrices.square_of_metric(ready.points, metric, "float64").reshape(n, n)
    squared = rule.squared and ready.root
    return matrices.square_of_points(ready._replace(root=ready.root and not squared), "float64").reshape(n, n)


def _points_as_members(ready: Prepared, constraint: Constraint) -> tuple[Members, Prepared]:
    """Return prepared points as clusters that sums describe."""
    n = ready.own.size
    none = np.empty((0, 0))
    spread, total = ready.own.copy(), constraint.total.copy()
    return Members(ready.points.copy(), np.ones(n), spread, np.arange(n), none, total), ready


def _by_matrix(square: FloatArray, constraint: Constraint, rule: LinkageRule, advance: Advance) -> Built:
    """Build a tree from a square matrix of distances, which is overwritten."""
    n = len(square)
    if rule.spanning_tree:
        low, high, _ = undirected(constraint.edges)
        return _single(low, high, square[low, high], constraint, lambda root: _matrix_bridges(square, root), advance)
    total = constraint.total.copy()
    members = Members(np.empty((n, 0)), np.ones(n), np.zeros(n), np.arange(n), square, total)
    return _greedy((members, None), constraint, rule, 1.0, advance)


def _by_edges(ready: Prepared, constraint: Constraint, advance: Advance) -> Built:
    """Build the single-linkage tree of prepared points along the edges; squared heights if a root is due."""
    low, high, _ = undirected(constraint.edges)
    length = edge_lengths(low, high, ready.points, ready.own, ready.alpha)
    return _single(low, high, length, constraint, lambda root: shortest_bridges(ready, root, lambda _: None), advance)


def _matrix_bridges(square: FloatArray, root: IntArray) -> tuple[IntArray, IntArray, FloatArray]:
    """Return the shortest edges that connect the parts that ``root`` (overwritten) leads to. O(n^2 log n)."""
    part = roots_of(root)
    first, second = np.nonzero(np.triu(part[:, np.newaxis] != part))
    length = square[first, second]
    order = np.argsort(length, kind="stable")
    kept = order[spanning_forest(first[order], second[order], root)]
    return first[kept], second[kept], length[kept]


def _single(
    low: IntArray, high: IntArray, length: FloatArray, constraint: Constraint, bridges: Any, advance: Advance
) -> Built:
    """Merge along the shortest edges, and then the parts by the shortest ones between them."""
    n = constraint.part.size
    order = np.lexsort((high, low, length))
    low, high, length = low[order], high[order], length[order]
    root = np.arange(n)
    if constraint.least < np.inf:
        join_small(low, high, root, constraint.total.copy(), constraint.least)
    group = _in_order_of_items(roots_of(root))
    n_start = int(group.max()) + 1
    kept = spanning_forest(low, high, root)
    first, second, height = low[kept], high[kept], length[kept]
    advance(first.size)
    n_below = first.size
    if n_below < n_start - 1:
        more = bridges(root)
        first, second, height = (np.concatenate(pair) for pair in zip((first, second, height), more, strict=True))
    left, right = join_edges(group[first], group[second])
    tied = np.append(height[1:] == height[:-1], False)[: height.size]
    below = Merges(left[:n_below], right[:n_below], height[:n_below], tied[:n_below])
    above = MergeSequence(left[n_below:], right[n_below:], height[n_below:], int(tied[n_below:].sum()), 0)
    return Built(_parts_above(n_start, below, np.arange(n_start + n_below), above), group)


def _greedy(
    clusters: tuple[Members, Prepared | None], constraint: Constraint, rule: LinkageRule, alpha: float, advance: Advance
) -> Built:
    """Merge adjacent clusters, first those that are too small, and then the parts; ``clusters`` are overwritten."""
    members, ready = clusters
    form = kernels.BY_MATRIX + UPDATES.index(rule.update) if ready is None else kernels.FORMS.index(rule.update)
    network = network_of(constraint.edges)
    group = np.arange(members.size.size)
    if constraint.least < np.inf:
        merge_along_edges(network, members, Rule(form, alpha, 1.0, constraint.least), 1, advance)
        group = _in_order_of_items(roots_of(network.root))
        members, network = _start_anew(network, members, group, constraint.edges)
    n_start = members.size.size
    below = merge_along_edges(network, members, Rule(form, alpha, 1.0, np.inf), 1, advance)
    alive = np.flatnonzero(network.node >= 0)
    alive = alive[np.argsort(network.node[alive])]
    above = _merge_parts(_rows(members, alive), ready, rule, advance)
    merges = _parts_above(n_start, below, network.node[alive], above)
    return Built(merges._replace(height=rule.pair_share * merges.height), group)


def _merge_parts(parts: Members, ready: Prepared | None, rule: LinkageRule, advance: Advance) -> MergeSequence:
    """Merge the clusters left, one for each part of the graph, as if all were adjacent."""
    k = parts.size.size
    if k == 1:
        return no_merges()
    if ready is not None:
        start = Start(parts.centroid, parts.size, np.zeros(k), parts.spread * parts.size, np.arange(k))
        return merge_start(start, ready._replace(root=False), rule, advance)
    made = merge_matrix(parts.matrix.ravel(), parts.size, np.arange(k), rule.update, k, advance, within=parts.spread)
    return MergeSequence(made.left, made.right, made.height, int(made.tied.sum()), k - 1, first_of(made.tied))


def _start_anew(network: Network, members: Members, group: IntArray, edges: Edges) -> tuple[Members, Network]:
    """Return the clusters so far as the first ones, numbered as ``group`` has them, and the edges between them."""
    alive = np.flatnonzero(network.node >= 0)
    slots = alive[np.argsort(group[alive])]
    low, high, _ = undirected(edges._replace(length=None))
    low, high = group[low], group[high]
    apart = low != high
    low, high = low[apart], high[apart]
    order = np.argsort(low, kind="stable")
    start = np.append(0, np.cumsum(np.bincount(low, minlength=slots.size)))
    return _rows(members, slots), network_of(Edges(start, high[order].astype(np.int32), None))


def _rows(members: Members, slots: IntArray) -> Members:
    """Return the clusters in some slots."""
    matrix = members.matrix[np.ix_(slots, slots)] if members.matrix.size else members.matrix
    return Members(
        members.centroid[slots],
        members.size[slots],
        members.spread[slots],
        np.arange(slots.size),
        matrix,
        members.total[slots],
    )


def _in_order_of_items(root: IntArray) -> IntArray:
    """Return clusters, known by any number, numbered from 0 in the order of their first items."""
    _, first, inverse = np.unique(root, return_index=True, return_inverse=True)
    rank: IntArray = np.argsort(np.argsort(first))
    return rank[inverse]


def _parts_above(n: int, lower: Merges, node: IntArray, upper: MergeSequence) -> MergeSequence:
    """Return the merges of n clusters by height, followed by those of the parts ``node``, which are never lower.

    No cluster of the tree is disconnected before all parts are complete. A merge comes after its parts, also where it
    is lower.
    """
    made = lower.left.size
    number, order, level, _ = greedy_order(n, lower.left, lower.right, lower.height, np.zeros(made, dtype=bool))
    level, height = level[order], lower.height[order]
    height = np.where(level - height <= _ROUNDING * level, level, height)
    place = np.concatenate([number[node], n + made + np.arange(upper.left.size)])
    left = np.concatenate([number[lower.left][order], place[upper.left]])
    right = np.concatenate([number[lower.right][order], place[upper.right]])
    top = float(height.max(initial=0.0))
    tied = np.concatenate([lower.tied[order], np.arange(upper.left.size) == upper.first_tie])
    return MergeSequence(
        np.minimum(left, right),
        np.maximum(left, right),
        np.concatenate([height, np.maximum(upper.height, top)]),
        int(lower.tied.sum()) + upper.n_ties,
        made + upper.rounds,
        first_of(tied),
    )
