"""Trees of many points in one call: neighbours, merges on their graph below, exact merges above."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dendrometry._check.names import name_items
from dendrometry._check.numbers import RandomSource, random_generator, whole_number
from dendrometry._check.points import check_no_zero_vectors, finite_points, points_of, require_dense
from dendrometry._memory import require_memory
from dendrometry._progress import bar
from dendrometry.cluster.agglomeration import Agglomeration, BuildRequest
from dendrometry.cluster.approximate.edges import edges_of
from dendrometry.cluster.approximate.graph import GraphRequest, build_on_graph, graph_bytes
from dendrometry.cluster.approximate.neighbours import find_neighbours, search_bytes
from dendrometry.cluster.approximate.start import agglomerate_start, require_sums
from dendrometry.cluster.linkages import Linkage, LinkageRule, rule_for
from dendrometry.errors import Argument, InvalidInputError

_METRICS = ("euclidean", "sqeuclidean", "cosine")  # of which the nearest by Euclidean distance are the nearest
_EXACT = 20_000  # up to this number of clusters exact merges take seconds
_MIDDLE = 10_000  # points at most whose median is the middle of all, which a few far ones do not move
_EXACT_ROOT = 50  # times the root of the number of points, of which the exact merges then take linear time
_ALTERNATIVES = "Alternatives: fewer neighbours, fewer columns (a truncated SVD), or Buckshot."


def cluster_approximate(
    X: Any,
    *,
    linkage: Linkage = "ward",
    metric: str = "euclidean",
    n_neighbours: int = 25,
    n_exact: int | None = None,
    item_names: Iterable[str] | None = None,
    rng: RandomSource = 0,
    progress: bool = False,
) -> Agglomeration:
    """Build a hierarchy of more points than an exact method can take.

    Clusters merge along the edges of a graph of the nearest neighbours of every point until ``n_exact`` are left, and
    these are merged exactly. Up to 20,000 points all merges are exact.

    Parameters
    ----------
    X : (n, d) array of float or int
        The points, one row each.
    linkage : {"ward", "average", "centroid"}
        The distance of two clusters, see `agglomerate`; centroid on cosine only, where it equals average.
    metric : {"euclidean", "sqeuclidean", "cosine"}
        The metric: euclidean for ward, the others for average.
    n_neighbours : int
        The number of neighbours of each point. More make the tree more like the exact one, and take longer.
    n_exact : int, optional
        The number of clusters, from 1 to n, that are merged exactly, which takes time in the square of it; by default
        20,000 or 50 sqrt(n), whichever is more.
    item_names : sequence of str, optional
        The names of the items; by default "0", "1", and so on.
    rng : numpy Generator, int or None
        The source of random numbers, for the search. The default seed, 0, gives the same result in every call; None
        does not.
    progress : bool
        Whether to draw progress bars on stderr.

    Returns
    -------
    Agglomeration
        ``hierarchy`` with heights, ``similarity`` and ``report``, whose ``graph`` is None if all merges are exact.

    Raises
    ------
    InvalidInputError
        If points are not finite, a vector is zero under cosine, linkage and metric cannot be used, an option is out of
        range, or memory does not suffice (the message names the amount and the alternatives).

    Notes
    -----
    The tree is not the exact one: `dendrometry.resampling.fidelity` tells how near it is, beside what two samples of
    the points agree on. It is the same for the same ``rng``, on any number of threads.

    Neighbours are found by comparing blocks of 64 near points: up to 30,000 points all blocks, above that each with the
    nearest ones, and then with those that hold most neighbours of its points' neighbours. Some neighbours are then
    missed, more of them where points form no groups.

    Examples
    --------
    >>> import numpy as np
    >>> from dendrometry.cluster import cluster_approximate
    >>> X = np.random.default_rng(0).normal(size=(300, 8))
    >>> cluster_approximate(X).report.graph is None  # few points: exact
    True
    >>> cluster_approximate(X, n_exact=40).report.graph
    GraphReport(n_edges=5394, n_parts=1, n_exact=40, epsilon=0.0)
    """
    rule = _approximate_rule(linkage, metric)
    points = points_of(X)
    require_dense(points, "cluster_approximate")
    n, d = points.shape
    names = name_items(X, item_names, n)
    count = min(whole_number(n_neighbours, "n_neighbours", 1), max(1, n - 1))
    exact = (
        min(n, max(_EXACT, int(_EXACT_ROOT * np.sqrt(n))))
        if n_exact is None
        else whole_number(n_exact, "n_exact", 1, n, also="None")
    )
    seed = int(random_generator(rng).integers(2**31))
    if exact == n:
        return agglomerate_start(
            X, points, np.arange(n), BuildRequest(linkage, rule, metric, names, "", progress, None)
        )
    needed = max(search_bytes(n, d, count), graph_bytes(n, d, n * count, exact))
    require_memory(needed, f"{linkage} linkage of {n:,} points with {count:,} neighbours each", _ALTERNATIVES)
    with bar("neighbours", n, progress) as advance:
        found = find_neighbours(_in_single_precision(points, metric), count, seed, advance)
    request = GraphRequest(linkage, rule, metric, names, exact, 0.0, progress)
    return build_on_graph(points, edges_of(found.near, None), request, found.order)


def _approximate_rule(linkage: str, metric: str) -> LinkageRule:
    """Return the rule that builds the tree, refusing linkages and metrics that this way does not allow."""
    rule = rule_for(linkage, metric)
    if metric not in _METRICS:
        raise InvalidInputError(
            Argument("metric"), f" must be {', '.join(_METRICS)} for cluster_approximate; got {metric}"
        )
    require_sums(linkage, rule, metric, "cluster_approximate")
    if not rule.reducible:
        raise InvalidInputError(
            Argument("linkage"),
            f" must be ward, average, or centroid on cosine, for cluster_approximate; got {linkage} on {metric}",
        )
    return rule


def _in_single_precision(points: NDArray[Any], metric: str) -> NDArray[np.float32]:
    """Return points scaled to within 1, about their middle or at length 1 for cosine, in single precision."""
    exact = finite_points(points)
    largest = np.abs(exact).max(axis=1, keepdims=True)
    if metric == "cosine":
        check_no_zero_vectors(largest.ravel())
        exact /= largest
        exact /= np.sqrt(np.einsum("ij,ij->i", exact, exact))[:, None]
    else:
        exact /= max(float(largest.max()), np.finfo(np.float64).tiny)
        exact -= np.median(exact[:: -(-len(exact) // _MIDDLE)], axis=0)
    return np.ascontiguousarray(exact, dtype=np.float32)
