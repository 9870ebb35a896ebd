"""Agglomerative clustering of points or of distances, and the choice of the algorithm."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, get_args

import numpy as np

from dendrometry._check.choices import one_of
from dendrometry._check.distances import check_columns, check_distances, distances_of, n_items_of
from dendrometry._check.names import name_items
from dendrometry._check.numbers import RandomSource, whole_number
from dendrometry._check.points import Prepared, finite_points, in_units, is_sparse, points_of, prepare_points, scale_of
from dendrometry._files import FilePath
from dendrometry._interrupt import run_loops_aside
from dendrometry._memory import require_memory, square_bytes, vector_bytes
from dendrometry._progress import Advance, bar
from dendrometry._typing import FloatArray
from dendrometry._version import __version__
from dendrometry.cluster import distances as matrices
from dendrometry.cluster.agglomeration import Agglomeration, BuildPlan, BuildRequest, as_agglomeration
from dendrometry.cluster.approximate.start import agglomerate_start
from dendrometry.cluster.connected import connected_distances, connected_points
from dendrometry.cluster.connectivity import Constraint, constraint_of, in_order, with_names
from dendrometry.cluster.cpu.checkpoint import Checkpoint
from dendrometry.cluster.cpu.index_greedy import index_bytes, index_greedy
from dendrometry.cluster.cpu.list_reciprocal import LIST_UPDATES, half_reciprocal, list_reciprocal
from dendrometry.cluster.cpu.matrix_greedy import random_ranks
from dendrometry.cluster.cpu.matrix_reciprocal import matrix_reciprocal
from dendrometry.cluster.cpu.merges import MergeSequence, in_units_of, no_merges, require_distinct
from dendrometry.cluster.cpu.spanning_tree import spanning_tree_kd, spanning_tree_points, spanning_tree_rows
from dendrometry.cluster.cpu.square import in_rounds, matrix_algorithm, merge_square
from dendrometry.cluster.cpu.vector_greedy import single_points, vector_greedy
from dendrometry.cluster.cpu.ward import vector_reciprocal
from dendrometry.cluster.gpu.build import DeviceRequest, build_on_device, chosen_backend, host_points
from dendrometry.cluster.gpu.choose import DeviceName
from dendrometry.cluster.linkages import LINKAGES, OWN_METRICS, TRUE_METRICS, Linkage, LinkageRule, rule_for
from dendrometry.errors import Argument, InvalidInputError

Precision = Literal["float32", "float64"]

_LOW_DIMENSION = 5  # up to this number of dimensions the k-d tree is fastest,
_KD_METRICS = ("euclidean", "sqeuclidean", "cosine")  # for these metrics
_MANY = 100_000  # points, merged by the algorithm for many
_SIMILARITIES = ("cosine", "dot")  # few points: from a matrix, where equal similarities are equal distances
_ALTERNATIVES = (
    "Alternatives: ward, or average and group_average on cosine, dot or sqeuclidean, need memory for the points only;"
    " group_average of sparse points needs little more;"
    " numbers in single precision (float32) halve a matrix; Buckshot builds the tree of a sample and assigns the rest."
)
_ALTERNATIVES_FOR_SPARSE = (
    "Alternatives: Buckshot builds the tree of a sample and assigns the rest; bisect and principal_direction split"
    " from the top, in memory for the numbers stored."
)


def agglomerate(
    X: Any,
    *,
    linkage: Linkage = "ward",
    metric: str = "euclidean",
    item_names: Iterable[str] | None = None,
    precision: Precision | None = None,
    terms: int | None = None,
    tie_rng: RandomSource = None,
    start: Any = None,
    connectivity: Any = None,
    min_size: float | None = None,
    item_size: Any = None,
    device: DeviceName = "cpu",
    resume: FilePath | None = None,
    progress: bool = False,
) -> Agglomeration:
    """Build a hierarchy of points from the bottom up.

    Every point starts as a cluster, and the two nearest clusters are merged until one is left. The linkage [1]_ defines
    the distance of two clusters; `dendrometry.cluster.LINKAGES` describes each linkage and where it is defined.

    Parameters
    ----------
    X : (n, d) array of float or int, or sparse matrix
        The points, one row each; for distances see `agglomerate_distances`. Sparse points are accepted for
        cosine and dot.
    linkage : str
        The distance of two clusters: a name in `dendrometry.cluster.LINKAGES`. ward and median are defined for
        Euclidean points only. centroid on cosine or dot is the similarity of centroids, which equals average and has
        no inversions; on euclidean it is their distance, which may have inversions.
    metric : str
        ``euclidean``, ``sqeuclidean``, ``cosine``, ``dot`` or the name of any metric of `scipy.spatial.distance`.
        A dot product x.y counts as the distance m - x.y, with m the largest squared length, so that heights are not
        negative.
    item_names : sequence of str, optional
        The names of the items; by default "0", "1", and so on.
    precision : {"float64", "float32"}, optional
        The type of the numbers in a matrix of distances; by default float32 for float32 points, else float64.
        Algorithms without such a matrix, and those on a GPU, use float64.
    terms : int, optional
        For group_average of sparse points: the number of largest weights of a cluster's sum that are used in the search
        for its neighbours, while there are more than 8,192 clusters; below that, all weights are used. Fewer terms are
        faster, but the merged clusters may then not be the nearest; heights remain those of the clusters merged. The
        report says how much was left out.
    tie_rng : numpy Generator or int, optional
        Breaks ties at random; the tree is then built from a matrix of distances (but for single linkage, whose clusters
        at any height do not depend on ties). Over several seeds, a result that ties decide shows its range.
    start : sequence of labels, optional
        A cluster for each point, such as those of k-means; they are merged instead of the points, as exactly as if
        their items had been merged before. Sums and sizes must give the distances: ward on euclidean, centroid on
        euclidean, cosine and dot, average and group_average on sqeuclidean, cosine and dot. Every given cluster is a
        leaf of the tree, at height 0, with all its items; they are numbered in the order of their first items.
    connectivity : (n, n) array or sparse matrix, or tuple of int, optional
        Which points are adjacent (values other than 0, in either direction); only clusters with adjacent points merge,
        as on a map. A tuple is the shape of a grid whose cells are the points in row-major order: ``(n,)`` for points
        in the order of time, ``(rows, columns)`` for the pixels of an image. The parts of a graph that is not connected
        are merged when each of them is one cluster, at heights that are not below these. The rows and columns of a
        frame are matched by name, with each other and with the names of the items.
    min_size : float, optional
        With connectivity: the least number of points in a cluster. Clusters that are smaller merge with the nearest
        adjacent one first; the leaves of the tree are the clusters that result.
    item_size : (n,) array of float, optional
        What each point counts towards ``min_size``, such as its inhabitants; by default 1.
    device : {"cpu", "cuda", "auto"}
        Where the tree is built. "cuda" is an NVIDIA GPU, for which PyTorch must be installed (the extra ``gpu``); X may
        then also be a tensor, or any array with DLPack, on either device. "auto" takes the GPU where there is one and
        it computes every distance as the CPU does, to the last bit (ward on euclidean, average on sqeuclidean and
        cosine, single on these three), the points fit there, there are more than 10,000, no distances tie, and none
        of ``tie_rng``, ``start`` and ``terms`` is given; else the CPU. It does not change the tree.
    resume : path, optional
        A ``.npz`` file to which a long build of more than 1,000 points writes what it has done, once a minute, and from
        which the same call goes on after a stop, to the same tree; it is removed at the end. For ward on euclidean, and
        average or centroid on sqeuclidean, cosine or dot, of dense points.
    progress : bool
        Whether to draw a progress bar on stderr.

    Returns
    -------
    Agglomeration
        ``hierarchy`` with heights, ``similarity`` (combination similarities) and ``report``.

    Raises
    ------
    InvalidInputError
        If points are not finite (the message names row and column), a vector is zero under cosine, a metric or linkage
        is unknown or they cannot be combined, ``start`` or ``connectivity`` has another length, a connected part is
        smaller than ``min_size``, or memory does not suffice (the message names the amount and the alternatives).

    Notes
    -----
    Heights and merges equal SciPy's on data without ties. The report counts ties. Of tied pairs, the one with the
    lowest node numbers is merged first (for single linkage, among the edges of the spanning tree; its clusters at any
    height do not depend on ties). Above 1,000 items, merges that this rule decides whatever else is merged come first,
    so that a cluster may count as formed earlier than its height implies. Equal points merge at height 0. Ties do not
    change the order of the time needed.

    ward, and average, group_average and centroid on cosine, dot and sqeuclidean, and single need O(n d) memory; all
    others O(n^2). group_average of sparse points needs memory for the numbers stored and at most 512 MiB more: sums of
    clusters stay sparse, their products are computed from an inverted index and, once at most 8,192 clusters are left,
    from a matrix of products. Time is O(n^2 d) in practice; for single in up to 5 dimensions, O(n log n).

    With connectivity, heights are those of the linkage over all points of two clusters, adjacent or not; for single,
    over adjacent points, as in scikit-learn. There may be inversions. ward, single, and average on cosine, dot and
    sqeuclidean need memory for points and edges, and O(d) time for each neighbour of a merged cluster; all others need
    O(n^2) of both.

    References
    ----------
    .. [1] C. D. Manning, P. Raghavan and H. Schütze, Introduction to Information Retrieval, ch. 17, 2008.
       doi:10.1017/CBO9780511809071

    Examples
    --------
    >>> from dendrometry import agglomerate
    >>> built = agglomerate([[0.0], [1.0], [5.0]], linkage="single", item_names=["ape", "cat", "owl"])
    >>> built
    Agglomeration(Hierarchy(3 items 'ape' to 'owl', 5 nodes, heights 0 to 4),
      single on euclidean by kd_tree, 0 ties, 0 inversions)
    >>> built.hierarchy.height.tolist()
    [0.0, 0.0, 0.0, 1.0, 4.0]
    """
    rule, wanted = rule_for(linkage, metric), _precision_of(X, precision)
    options = {"tie_rng": tie_rng, "start": start, "terms": terms, "connectivity": connectivity, "resume": resume}
    in_single = precision is not None and wanted == "float32"
    only_cpu = _only_on_cpu(device, options, in_single)
    if device != "cpu" and not only_cpu and (backend := chosen_backend(X, rule, metric, device)) is not None:
        on_device = DeviceRequest(linkage, rule, metric, item_names, progress)
        if (built := build_on_device(X, on_device, backend, alone=device == "cuda")) is not None:
            return built
    points = points_of(host_points(X) if device == "auto" else X)
    names = name_items(X, item_names, points.shape[0])
    request = BuildRequest(linkage, rule, metric, names, wanted, progress, random_ranks(tie_rng, len(names)), resume)
    _check_terms(terms, request, is_sparse(points))
    constraint = _constraint(connectivity, min_size, item_size, X, names)
    _check_resume(request, points, options)
    if start is not None:
        if constraint is not None:
            raise InvalidInputError(Argument("start"), " takes no ", Argument("connectivity"), "; got both")
        return agglomerate_start(X, points, start, request)
    if constraint is not None:
        return connected_points(points, constraint, request)
    if not is_sparse(points):
        return _from_points(points, request)
    by_index = metric in rule.index_metrics and request.ranks is None
    return _from_index(points, request, terms) if by_index else _from_sparse(points, request)


def agglomerate_distances(
    D: Any,
    *,
    linkage: Linkage = "average",
    item_names: Iterable[str] | None = None,
    precision: Precision | None = None,
    tie_rng: RandomSource = None,
    connectivity: Any = None,
    min_size: float | None = None,
    item_size: Any = None,
    progress: bool = False,
) -> Agglomeration:
    """Build a hierarchy from distances, from the bottom up.

    As `agglomerate`, for items with known distances. ward, centroid and median treat them as Euclidean distances.
    group_average is the mean over all pairs of the merged cluster, pairs within its parts included.

    Parameters
    ----------
    D : (n, n) or (n(n-1)/2,) array of float or int
        The distances: a symmetric matrix with zeros on its diagonal, or its upper triangle row by row, as returned by
        `scipy.spatial.distance.pdist`.
    linkage : str
        The distance of two clusters: a name in `dendrometry.cluster.LINKAGES`.
    item_names, precision, tie_rng, connectivity, min_size, item_size, progress
        As for `agglomerate`.

    Returns
    -------
    Agglomeration
        ``hierarchy`` with heights, ``similarity`` (negative heights) and ``report``.

    Raises
    ------
    InvalidInputError
        If a distance is negative or not finite, the matrix is not symmetric (the message gives the largest asymmetry),
        or the length is not n(n-1)/2 (the message gives the nearest valid lengths).

    Examples
    --------
    >>> from dendrometry import agglomerate_distances
    >>> built = agglomerate_distances([1, 4, 3], linkage="complete", item_names=["ape", "cat", "owl"])
    >>> built.hierarchy.height.tolist()
    [0.0, 0.0, 0.0, 1.0, 4.0]
    """
    rule, wanted = rule_for(linkage, "euclidean"), _precision_of(D, precision)
    distances = distances_of(D)
    n = n_items_of(distances)
    check_columns(D)
    names = name_items(D, item_names, n) if distances.ndim == 2 else name_items(None, item_names, n)
    _require_for_distances(rule, n, wanted)
    check_distances(distances)
    ranks = random_ranks(tie_rng, n)
    exponent = scale_of(distances)
    power = 2 if rule.squared else 1
    kept = matrices.precision_for(distances, exponent, power, "float64" if rule.spanning_tree else wanted)
    constraint = _constraint(connectivity, min_size, item_size, D if distances.ndim == 2 else None, names)
    if constraint is not None:
        needed = square_bytes(n, 8)
        require_memory(needed, f"{rule.name} linkage of {n:,} items with connectivity", "")
        request = BuildRequest(linkage, rule, "precomputed", names, "float64", progress, ranks)
        whole = matrices.square_of_distances(distances, exponent, power, "float64")
        return connected_distances(whole, constraint, request, (exponent, power == 2), needed)
    needed = _require_for_distances(rule, n, kept)
    with bar("merging", n - 1, progress) as advance:
        if rule.spanning_tree:
            merges = spanning_tree_rows(n, matrices.row_of(distances, exponent), advance)
        else:
            square = matrices.square_of_distances(distances, exponent, power, kept)
            merges = merge_square(square, n, rule, power == 2, advance, ranks)
    plan = BuildPlan(linkage, "precomputed", matrix_algorithm(rule, n, ranks), needed, kept)
    return as_agglomeration(in_units_of(merges, exponent), names, 0.0, np.zeros(n), plan)


def _only_on_cpu(device: str, options: dict[str, Any], in_single: bool) -> bool:
    """Return whether only the CPU can do what is asked for, refusing a GPU if so."""
    only_cpu = [Argument(name) for name, given in options.items() if given is not None]
    only_cpu += [Argument("precision", "float32")] * in_single
    if one_of(device, "device", get_args(DeviceName)) == "cuda" and only_cpu:
        raise InvalidInputError(only_cpu[0], " requires ", Argument("device", "cpu"), " or auto; got cuda")
    return bool(only_cpu)


def _constraint(
    connectivity: Any, min_size: Any, item_size: Any, data: Any, names: tuple[str, ...]
) -> Constraint | None:
    """Return which items may merge, or None if all may."""
    if connectivity is not None:
        by_name = in_order(connectivity, with_names(data, names, connectivity))
        return constraint_of(by_name, min_size, item_size, with_names(data, names, item_size), names)
    for name, given in (("min_size", min_size), ("item_size", item_size)):
        if given is not None:
            raise InvalidInputError(Argument(name), " requires ", Argument("connectivity"), "; got none")
    return None


def _require_for_distances(rule: LinkageRule, n: int, precision: str) -> int:
    """Return the bytes that clustering from distances needs, refusing more than are available."""
    needed = 100 * n if rule.spanning_tree else square_bytes(n, np.dtype(precision).itemsize)
    require_memory(needed, f"{rule.name} linkage of {n:,} items from distances", _ALTERNATIVES)
    return needed


def _precision_of(data: object, precision: str | None) -> str:
    """Return the precision asked for, or that of the data."""
    if precision is None:
        return "float32" if str(getattr(data, "dtype", "")) in ("float32", "torch.float32") else "float64"
    return one_of(precision, "precision", get_args(Precision), also="None")


def _check_terms(terms: object, request: BuildRequest, sparse: bool) -> None:
    """Refuse terms that are not a positive whole number, or that the linkage does not use."""
    if terms is None:
        return
    whole_number(terms, "terms", 1, also="None")
    if not request.rule.index_metrics or not sparse:
        looked_up = " and ".join(name for name, rule in LINKAGES.items() if rule.index_metrics)
        kind = "sparse" if sparse else "dense"
        raise InvalidInputError(f"terms requires {looked_up} of sparse points; got {request.linkage} of {kind} points")


def _check_resume(request: BuildRequest, points: Any, options: dict[str, Any]) -> None:
    """Refuse to keep what a build has done that keeps nothing, however many points there are."""
    if request.resume is None:
        return
    for name, given in options.items():
        if given is not None and name != "resume":
            raise InvalidInputError(Argument("resume"), " takes no ", Argument(name), "; got both")
    if is_sparse(points):
        raise InvalidInputError(Argument("resume"), " requires dense points; got sparse ones (use toarray())")
    if _algorithm_of(request, (_MANY, points.shape[1])) != "vector_reciprocal":
        raise InvalidInputError(
            Argument("resume"),
            " requires ward on euclidean, or average or centroid on sqeuclidean, cosine or dot;"
            f" got {request.linkage} on {request.metric}",
        )


def _algorithm_of(request: BuildRequest, shape: tuple[int, int]) -> str:
    """Return the name of the algorithm for points: by linkage, metric and size."""
    rule, metric, ranks = request.rule, request.metric, request.ranks
    if rule.spanning_tree:
        return "kd_tree" if shape[1] <= _LOW_DIMENSION and metric in _KD_METRICS else "spanning_tree"
    rounds = in_rounds(rule, shape[0])
    exact = not rule.reducible or rounds or metric not in _SIMILARITIES
    if ranks is None and metric in rule.vector_metrics and exact:
        return "vector_reciprocal" if rounds else "vector_greedy"
    return matrix_algorithm(rule, shape[0], ranks)


def _from_points(points: FloatArray, request: BuildRequest) -> Agglomeration:
    """Build the tree of dense points."""
    linkage, rule, metric, names, precision, progress, ranks, resume = request
    n, d = points.shape
    algorithm = _algorithm_of(request, points.shape)
    by_matrix = algorithm.startswith("matrix")
    precision = "float64" if metric in rule.vector_metrics else precision
    needed = vector_bytes(n, d) + (square_bytes(n, np.dtype(precision).itemsize) if by_matrix else 0)
    require_memory(needed, f"{linkage} linkage of {n:,} points on {metric}", _ALTERNATIVES)
    ready = prepare_points(finite_points(points), metric)
    with bar("merging", n - 1, progress) as advance:
        if n == 1:
            merges = no_merges()
        elif metric not in OWN_METRICS:
            merges = _by_other_metric(ready.points, request, precision, advance)
        elif algorithm == "matrix_reciprocal" and rule.update in LIST_UPDATES:
            merges, needed = _after_head_start(ready, rule, precision, advance)
        elif by_matrix:
            squared = rule.squared and ready.root
            square = matrices.square_of_points(ready._replace(root=ready.root and not squared), precision)
            merges = merge_square(square, n, rule, squared, advance, ranks)
        else:
            settings = f"{linkage} {metric} {ready.alpha} {__version__}"
            checkpoint = Checkpoint(resume, settings, ready.points, ready.own) if resume is not None else None
            merges = run_loops_aside(_by_vectors, ready, rule, algorithm, advance, checkpoint)
    if metric in TRUE_METRICS:
        require_distinct(merges, points, 0.5 if ready.root else 1.0)
    plan = BuildPlan(linkage, metric, algorithm, needed, precision if by_matrix else "float64")
    return as_agglomeration(in_units_of(merges, ready.exponent), names, ready.top, ready.self_similarity, plan)


def _by_vectors(
    ready: Prepared, rule: LinkageRule, algorithm: str, advance: Advance, checkpoint: Checkpoint | None
) -> MergeSequence:
    """Build the tree of prepared points without a matrix; heights are those of the prepared points."""
    if algorithm == "kd_tree":
        merges = spanning_tree_kd(ready.points, ready.alpha, advance)
    elif algorithm == "spanning_tree":
        merges = spanning_tree_points(ready.points, ready.own, ready.alpha, advance)
    elif algorithm == "vector_reciprocal":
        merges = vector_reciprocal(single_points(ready.points, ready.own), rule, ready.alpha, advance, checkpoint)
    else:
        merges = vector_greedy(single_points(ready.points, ready.own), rule, ready.alpha, advance)
    return merges._replace(height=np.sqrt(merges.height)) if ready.root else merges


def _after_head_start(
    ready: Prepared, rule: LinkageRule, precision: str, advance: Advance
) -> tuple[MergeSequence, int]:
    """Build the tree of prepared points from lists and then from a matrix; also return the bytes needed.

    The greatest of distances is found among their squares, unless these are too small for single precision.
    """
    farthest = LIST_UPDATES[rule.update].farthest
    squared = ready.root and farthest and precision == "float64"
    start = list_reciprocal(ready, rule.update, advance)
    kept = ready._replace(root=ready.root and not squared)
    flat = matrices.square_of_groups(kept, start.group, start.weight, farthest, precision, half=True)
    needed = vector_bytes(*ready.points.shape) + square_bytes(start.size.size, flat.itemsize)
    start = half_reciprocal(flat, start, rule.update, squared, advance)
    rest = flat[: start.size.size**2]
    return matrix_reciprocal(rest, start.size, start.node, start.merges, rule.update, advance), needed


def _by_other_metric(points: FloatArray, request: BuildRequest, precision: str, advance: Advance) -> MergeSequence:
    """Build the tree of points by one of SciPy's metrics."""
    n, rule, metric = points.shape[0], request.rule, request.metric
    if rule.spanning_tree:
        distance = matrices.cross_distances(points, metric)
        return spanning_tree_rows(n, lambda i: distance(i, i + 1, 0)[0], advance)
    return merge_square(matrices.square_of_metric(points, metric, precision), n, rule, False, advance, request.ranks)


def _from_index(points: Any, request: BuildRequest, terms: int | None) -> Agglomeration:
    """Build the group-average tree of sparse points, whose sums stay sparse."""
    linkage, _, metric, names, _, progress, *_ = request
    n, d = points.shape
    needed = index_bytes(n, points.nnz, d)
    require_memory(needed, f"{linkage} linkage of {n:,} sparse points on {metric}", _ALTERNATIVES_FOR_SPARSE)
    points = finite_points(points)
    exponent = scale_of(points.data) if metric == "dot" else 0
    points.data = np.ldexp(points.data, -exponent)
    similar = matrices.sparse_similarities(points, metric)
    twins = similar.twins if metric == "cosine" else {}
    with bar("merging", n - 1, progress) as advance:
        merges, lost = index_greedy(similar.points, similar.self_similarity, twins, terms, advance)
    plan = BuildPlan(linkage, metric, "index_greedy", needed, "float64", lost)
    own_similarity = in_units(similar.self_similarity, 2 * exponent)
    return as_agglomeration(in_units_of(merges, 2 * exponent), names, float(own_similarity.max()), own_similarity, plan)


def _from_sparse(points: Any, request: BuildRequest) -> Agglomeration:
    """Build the tree of sparse points: as dense points if these take less memory than a matrix, else from a matrix."""
    linkage, rule, metric, names, precision, progress, ranks, _ = request
    n, d = points.shape
    if metric not in ("cosine", "dot"):
        raise InvalidInputError(
            Argument("metric"), f" must be cosine or dot for sparse points; got {metric} (use toarray())"
        )
    if 2 * d <= n and not _algorithm_of(request, (n, d)).startswith("matrix"):
        require_memory(vector_bytes(n, d), f"a dense copy of {n:,} sparse points of {d:,} columns", _ALTERNATIVES)
        return _from_points(finite_points(points).toarray(), request)
    needed = 300 * n if rule.spanning_tree else square_bytes(n, np.dtype(precision).itemsize)
    require_memory(needed, f"{linkage} linkage of {n:,} sparse points on {metric}", _ALTERNATIVES)
    points = finite_points(points)
    exponent = scale_of(points.data) if metric == "dot" else 0
    points.data = np.ldexp(points.data, -exponent)
    similar = matrices.sparse_similarities(points, metric)
    with bar("merging", n - 1, progress) as advance:
        if rule.spanning_tree:
            merges = spanning_tree_rows(n, lambda i: similar.distances(i, i + 1)[0], advance)
        else:
            merges = merge_square(matrices.square_of_sparse(similar, precision), n, rule, False, advance, ranks)
    plan = BuildPlan(linkage, metric, matrix_algorithm(rule, n, ranks), needed, precision)
    own_similarity = in_units(similar.self_similarity, 2 * exponent)
    return as_agglomeration(in_units_of(merges, 2 * exponent), names, float(own_similarity.max()), own_similarity, plan)
