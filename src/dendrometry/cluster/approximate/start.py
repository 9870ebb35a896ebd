"""Exact trees above given clusters: size, centroid and scatter of each take the place of its points."""

from __future__ import annotations

from typing import Any

import numpy as np

from dendrometry._check.labels import encode_in_order
from dendrometry._check.points import Prepared, finite_points, prepare_points, require_dense
from dendrometry._kernels.cut.moments import moments
from dendrometry._memory import require_memory, vector_bytes
from dendrometry._progress import Advance, bar
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cluster.agglomeration import Agglomeration, BuildPlan, BuildRequest, as_agglomeration
from dendrometry.cluster.cpu.merges import MergeSequence, in_units_of, require_distinct
from dendrometry.cluster.cpu.square import in_rounds
from dendrometry.cluster.cpu.vector_greedy import Start, vector_greedy
from dendrometry.cluster.cpu.ward import vector_reciprocal
from dendrometry.cluster.linkages import LINKAGES, TRUE_METRICS, LinkageRule
from dendrometry.errors import InvalidInputError

_ALTERNATIVES = "Alternatives: fewer clusters at the start, or fewer columns (a truncated SVD)."


def agglomerate_start(X: Any, points: Any, start: Any, request: BuildRequest) -> Agglomeration:
    """Build the tree above given clusters of the points of X; every cluster is a leaf with several items."""
    linkage, rule, metric, names, _, progress, ranks, _ = request
    if ranks is not None:
        raise InvalidInputError("start takes no tie_rng; got both")
    require_dense(points, "start")
    require_sums(linkage, rule, metric, "start")
    group = group_items(X, start, len(names))
    n, n_start = group.size, int(group.max()) + 1
    needed = start_bytes(n, n_start, points.shape[1])
    require_memory(needed, f"{linkage} linkage above {n_start:,} clusters of {n:,} points", _ALTERNATIVES)
    ready = prepare_points(finite_points(points), metric)
    clusters = starting_clusters(ready, group)
    with bar("merging", n_start - 1, progress) as advance:
        merges = merge_start(clusters, ready, rule, advance)
    if metric in TRUE_METRICS:
        require_distinct(merges, clusters.centroid, 0.5 if ready.root else 1.0, "clusters")
    own_similarity = np.bincount(group, weights=ready.self_similarity) / clusters.size
    plan = BuildPlan(linkage, metric, start_algorithm(rule, n_start), needed, "float64")
    return as_agglomeration(in_units_of(merges, ready.exponent), names, ready.top, own_similarity, plan, group)


def require_sums(linkage: str, rule: LinkageRule, metric: str, what: str) -> None:
    """Refuse a linkage and metric under which sums and sizes of clusters do not give their distances."""
    if rule.by_members and metric in rule.vector_metrics:
        return
    allowed = "; ".join(
        f"{name} on {', '.join(metrics)}" for name, row in LINKAGES.items() if (metrics := _metrics_by_sums(row))
    )
    raise InvalidInputError(f"{what} requires {allowed}; got {linkage} on {metric}")


def _metrics_by_sums(rule: LinkageRule) -> tuple[str, ...]:
    """Return the metrics on which sums and sizes of clusters give the distances of a linkage."""
    return (*rule.vector_metrics, *rule.equal_to) if rule.by_members else ()


def group_items(X: Any, start: Any, n: int) -> IntArray:
    """Return the given cluster of each item, numbered from 0 in the order of their first items."""
    code = encode_in_order(X, start, "starting", "the points and start").code
    if code.size != n:
        raise InvalidInputError(f"start must have one label for each of {n:,} points; got {code.size:,}")
    _, first, inverse = np.unique(code, return_index=True, return_inverse=True)
    rank: IntArray = np.argsort(np.argsort(first))
    return rank[inverse]


def starting_clusters(ready: Prepared, group: IntArray) -> Start:
    """Return the sizes, centroids and scatters of groups of prepared points, numbered from 0."""
    n = int(group.max()) + 1
    parent = np.append(np.full(n, n), -1)
    found = moments(parent, group, ready.points)
    own: FloatArray = np.bincount(group, weights=ready.own, minlength=n).astype(np.float64)
    return Start(found.centroid[:n], found.size[:n], found.scatter[:n], own, np.arange(n))


def start_algorithm(rule: LinkageRule, n_start: int) -> str:
    """Return the name of the algorithm that merges given clusters."""
    return "vector_reciprocal" if in_rounds(rule, n_start) else "vector_greedy"


def merge_start(start: Start, ready: Prepared, rule: LinkageRule, advance: Advance) -> MergeSequence:
    """Merge clusters of prepared points; heights are those of the prepared points."""
    merge = vector_reciprocal if start_algorithm(rule, start.size.size) == "vector_reciprocal" else vector_greedy
    merges = merge(start, rule, ready.alpha, advance)
    return merges._replace(height=np.sqrt(merges.height)) if ready.root else merges


def start_bytes(n: int, n_start: int, d: int) -> int:
    """Return the bytes needed for n points of d columns, and to merge the clusters given."""
    return n * (3 * 8 * d + 100) + vector_bytes(n_start, d)
