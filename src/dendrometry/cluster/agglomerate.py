"""Bottom-up building: the two doors, one for points and one for distances, and the choice of the algorithm."""

from collections.abc import Iterable
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from dendrometry._check.choices import one_of
from dendrometry._check.names import name_column
from dendrometry._check.numbers import whole_number
from dendrometry._check.points import Prepared, finite_points, in_units, is_sparse, points_of, prepare_points, scale_of
from dendrometry._kernels._jit import FloatArray
from dendrometry._kernels.agglomerative import vector_greedy as forms
from dendrometry._memory import require, square_bytes, vector_bytes
from dendrometry.cluster import distances as matrices
from dendrometry.cluster.agglomeration import Agglomeration, Plan, finished
from dendrometry.cluster.agglomerative.index_greedy import index_bytes, index_greedy
from dendrometry.cluster.agglomerative.list_rounds import list_rounds
from dendrometry.cluster.agglomerative.matrix_greedy import merge_matrix
from dendrometry.cluster.agglomerative.matrix_rounds import matrix_rounds
from dendrometry.cluster.agglomerative.merges import MergeSequence, new_merges
from dendrometry.cluster.agglomerative.neighbours import Form
from dendrometry.cluster.agglomerative.spanning_tree import spanning_tree_kd, spanning_tree_points, spanning_tree_rows
from dendrometry.cluster.agglomerative.vector_greedy import vector_greedy
from dendrometry.cluster.agglomerative.vector_rounds import vector_rounds
from dendrometry.cluster.progress import Advance, merging
from dendrometry.errors import InvalidInputError

__all__ = ["Linkage", "Precision", "agglomerate", "agglomerate_distances"]

Linkage = Literal["single", "complete", "average", "weighted", "ward", "centroid", "median", "group_average"]
Precision = Literal["float32", "float64"]

_OWN_METRICS = ("euclidean", "sqeuclidean", "cosine", "dot")
METRICS = (*_OWN_METRICS, *matrices.OTHER_METRICS)
_SQUARED = ("ward", "centroid", "median")  # Lance-Williams formulas of squared distances
_FORMS = {
    "ward": forms.WARD,
    "average": forms.AVERAGE,
    "centroid": forms.CENTROID,
    "median": forms.MEDIAN,
    "group_average": forms.GROUP,
}
_LOW_DIMENSION = 5  # up to here the k-d tree wins
_SMALL = 1000  # up to here the greedy build is as fast as rounds, and settles ties to the letter
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
    items: Iterable[str] | None = None,
    precision: Precision | None = None,
    terms: int | None = None,
    progress: bool = False,
) -> Agglomeration:
    """Build a hierarchy of points from the bottom up.

    Every point starts as a cluster, and the two nearest clusters are merged until one is left. What is nearest is the
    linkage: ``single`` the nearest members, ``complete`` the farthest members, ``average`` (UPGMA) the mean over all
    cross pairs, ``weighted`` (WPGMA) the mean of the two parts' distances, ``ward`` the least growth of squared
    error, ``centroid`` the centroids, ``median`` the midpoints, ``group_average`` (GAAC) the mean over *all* pairs of
    the merged cluster, those within the parts included [1]_.

    Parameters
    ----------
    X : (n, d) array of float or int, or sparse matrix
        The points, one row each; for distances see `agglomerate_distances`. Sparse points are taken for
        cosine and dot.
    linkage : {"single", "complete", "average", "weighted", "ward", "centroid", "median", "group_average"}
        Which clusters are nearest. ward and median are defined for Euclidean points only. centroid on
        cosine or dot is the similarity of centroids, which equals average and has no inversions; on euclidean it is
        their distance, which may have inversions.
    metric : str
        ``euclidean``, ``sqeuclidean``, ``cosine``, ``dot`` or any metric that `scipy.spatial.distance` knows by name.
        A dot product x.y counts as the distance m - x.y, with m the largest squared length: heights are then not
        negative.
    items : sequence of str, optional
        The names of the items; by default "0", "1", and so on.
    precision : {"float64", "float32"}, optional
        The numbers kept in a matrix of distances; by default float32 for float32 points and else float64. Algorithms
        without such a matrix decide in float64.
    terms : int, optional
        For group_average of sparse points: how many weights of a cluster's sum, the largest ones, are looked up in
        search of its neighbours, while there are more than 8,192 clusters; after that all of them count. Fewer are
        faster. The merges may then be others than the nearest, while heights stay those of the clusters merged. The
        report says how much was left out.
    progress : bool
        Whether to draw a progress bar on stderr.

    Returns
    -------
    Agglomeration
        ``hierarchy`` with heights, ``similarity`` (combination similarities) and ``report``.

    Raises
    ------
    InvalidInputError
        If points are not finite (names row and column), a vector is zero under cosine, a metric or linkage is
        unknown or they do not fit together, or memory would not suffice (with the figure and the alternatives).

    Notes
    -----
    Heights and merges equal SciPy's on data without ties. The report counts ties, and of tied pairs the one with the
    lowest node numbers wins (for single among the edges of the spanning tree; ties leave its clusters at every
    height as they are). Above 1,000 items, merges that ties cannot touch come first, so that a cluster may count as
    formed earlier than its height says. Equal points merge at height 0.

    ward, and average, group_average and centroid on cosine, dot and sqeuclidean, and single need O(n d) memory; all
    others O(n^2). group_average of sparse points needs memory for the numbers stored and at most 512 MiB more: sums of
    clusters stay sparse, their products come from an inverted index, and from a matrix of products once no more than
    8,192 clusters are left. Time is O(n^2 d) in practice, but for single in up to 5 dimensions O(n log n).

    References
    ----------
    .. [1] C. D. Manning, P. Raghavan and H. Schütze, Introduction to Information Retrieval, ch. 17, 2008.
       doi:10.1017/CBO9780511809071

    Examples
    --------
    >>> from dendrometry import agglomerate
    >>> built = agglomerate([[0.0], [1.0], [5.0]], linkage="single", items=["ape", "cat", "owl"])
    >>> built
    Agglomeration(Hierarchy(3 items, 5 nodes, heights 0 to 4), single on euclidean by kd_tree, 0 ties, 0 inversions)
    >>> built.hierarchy.height.tolist()
    [0.0, 0.0, 0.0, 1.0, 4.0]
    """
    _check_options(linkage, metric, precision)
    wanted = precision or ("float32" if getattr(X, "dtype", None) == np.float32 else "float64")
    points = points_of(X)
    names = name_column(items, points.shape[0])
    _check_terms(terms, linkage, is_sparse(points))
    if is_sparse(points):
        if linkage == "group_average" and metric in ("cosine", "dot"):
            return _from_index(points, metric, names, terms, progress)
        return _from_sparse(points, linkage, metric, names, wanted, progress)
    return _from_points(points, linkage, metric, names, wanted, progress)


def agglomerate_distances(
    D: Any,
    *,
    linkage: Linkage = "average",
    items: Iterable[str] | None = None,
    precision: Precision | None = None,
    progress: bool = False,
) -> Agglomeration:
    """Build a hierarchy from distances, from the bottom up.

    As `agglomerate`, for items of which only the distances are known. ward, centroid and median take them for
    Euclidean distances. group_average is the mean of all pairs of the merged cluster, within-pairs included.

    Parameters
    ----------
    D : (n, n) or (n(n-1)/2,) array of float or int
        The distances: a symmetric matrix with zeros on its diagonal, or its upper triangle row by row, as made by
        `scipy.spatial.distance.pdist`.
    linkage : {"single", "complete", "average", "weighted", "ward", "centroid", "median", "group_average"}
        Which clusters are nearest.
    items, precision, progress
        As for `agglomerate`.

    Returns
    -------
    Agglomeration
        ``hierarchy`` with heights, ``similarity`` (negative heights) and ``report``.

    Raises
    ------
    InvalidInputError
        If a distance is negative or not finite, the matrix is not symmetric (names the largest asymmetry), or the
        length is not n(n-1)/2 (names the nearest that are).

    Examples
    --------
    >>> from dendrometry import agglomerate_distances
    >>> built = agglomerate_distances([1, 4, 3], linkage="complete", items=["ape", "cat", "owl"])
    >>> built.hierarchy.height.tolist()
    [0.0, 0.0, 0.0, 1.0, 4.0]
    """
    _check_options(linkage, "euclidean", precision)
    wanted = precision or ("float32" if getattr(D, "dtype", None) == np.float32 else "float64")
    distances = matrices.distances_of(D)
    n = matrices.n_items_of(distances)
    names = name_column(items, n)
    _require_for_distances(linkage, n, wanted)
    matrices.check_distances(distances)
    exponent = scale_of(distances)
    power = 2 if linkage in _SQUARED else 1
    kept = "float64" if linkage == "single" else matrices.precision_for(distances, exponent, power, wanted)
    needed = _require_for_distances(linkage, n, kept)
    with merging(n - 1, progress) as advance:
        if linkage == "single":
            merges = spanning_tree_rows(n, matrices.row_of(distances, exponent), advance)
        else:
            square = matrices.square_of_distances(distances, exponent, power, kept)
            merges = _from_square(square, n, linkage, power == 2, advance)
    plan = Plan(linkage, "precomputed", _matrix_algorithm(linkage, n), needed, kept)
    return finished(_in_units(merges, exponent), names, 0.0, np.zeros(n), plan)


def _require_for_distances(linkage: str, n: int, precision: str) -> int:
    """Return the bytes that a build from distances needs, refusing what is not there."""
    needed = 100 * n if linkage == "single" else square_bytes(n, np.dtype(precision).itemsize)
    require(needed, f"{linkage} linkage of {n:,} items from distances", _ALTERNATIVES)
    return needed


def _check_options(linkage: str, metric: str, precision: str | None) -> None:
    """Refuse names that are unknown, and linkages that a metric gives no meaning."""
    one_of(linkage, "linkage", get_args(Linkage))
    one_of(metric, "metric", METRICS)
    if precision is not None:
        one_of(precision, "precision", get_args(Precision), also="None")
    if linkage in ("ward", "median") and metric != "euclidean":
        raise InvalidInputError(f"{linkage} is defined for Euclidean points, metric='euclidean'; got metric {metric}")
    if linkage == "centroid" and metric not in ("euclidean", "cosine", "dot"):
        raise InvalidInputError(
            "centroid is defined on euclidean (distance of centroids), cosine and dot (their similarity);"
            f" got metric {metric}"
        )


def _check_terms(terms: object, linkage: str, sparse: bool) -> None:
    """Refuse a number of terms that is none, or where no sums are looked up."""
    if terms is None:
        return
    whole_number(terms, "terms", 1, also="None")
    if linkage != "group_average" or not sparse:
        kind = "sparse" if sparse else "dense"
        raise InvalidInputError(f"terms is for group_average of sparse points; got {linkage} of {kind} points")


def _in_units(merges: MergeSequence, exponent: int) -> MergeSequence:
    """Return merges with their heights times a power of two, refusing those that this takes to infinity or to 0."""
    height = in_units(merges.height, exponent)
    if ((height == 0.0) & (merges.height != 0.0)).any():
        raise InvalidInputError("heights above 0 must stay above 0; these underflow: scale the points up")
    return merges._replace(height=height)


def _algorithm_of(linkage: str, metric: str, shape: tuple[int, int]) -> str:
    """Return the name of the algorithm for points: by linkage, metric and size."""
    small = shape[0] <= _SMALL
    if linkage == "single":
        low = shape[1] <= _LOW_DIMENSION and metric in ("euclidean", "sqeuclidean", "cosine")
        return "kd_tree" if low else "spanning_tree"
    if linkage == "ward" or (linkage in ("average", "centroid") and metric in ("sqeuclidean", "cosine", "dot")):
        return "vector_greedy" if small else "vector_rounds"
    if linkage in ("centroid", "median") or (linkage == "group_average" and metric in _OWN_METRICS[1:]):
        return "vector_greedy"
    return _matrix_algorithm(linkage, shape[0])


def _matrix_algorithm(linkage: str, n: int) -> str:
    """Return the name of the algorithm for distances."""
    if linkage == "single":
        return "spanning_tree"
    reducible = linkage in ("complete", "average", "weighted", "ward")
    return "matrix_rounds" if reducible and n > _SMALL else "matrix_greedy"


def _from_points(
    points: FloatArray, linkage: str, metric: str, names: tuple[str, ...], precision: str, progress: bool
) -> Agglomeration:
    """Build the tree of dense points."""
    n, d = points.shape
    algorithm = _algorithm_of(linkage, metric, points.shape)
    itemsize = np.dtype(precision).itemsize
    needed = vector_bytes(n, d) + (square_bytes(n, itemsize) if algorithm.startswith("matrix") else 0)
    require(needed, f"{linkage} linkage of {n:,} points on {metric}", _ALTERNATIVES)
    ready = prepare_points(finite_points(points), metric)
    with merging(n - 1, progress) as advance:
        if n == 1:
            merges = MergeSequence(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0), 0, 0)
        elif metric not in _OWN_METRICS:
            merges = _by_other_metric(ready.points, linkage, metric, precision, advance)
        elif algorithm == "matrix_rounds":
            merges, needed = _after_head_start(ready, linkage, precision, advance)
        elif algorithm == "matrix_greedy":
            merges = _from_square(matrices.square_of_points(ready, precision), n, linkage, False, advance)
        else:
            merges = _by_vectors(ready, linkage, algorithm, advance)
    plan = Plan(linkage, metric, algorithm, needed, precision if algorithm.startswith("matrix") else "float64")
    return finished(_in_units(merges, ready.exponent), names, ready.top, ready.self_similarity, plan)


def _by_vectors(ready: Prepared, linkage: str, algorithm: str, advance: Advance) -> MergeSequence:
    """Build the tree of prepared points without a matrix; heights are those of the prepared points."""
    if algorithm == "kd_tree":
        merges = spanning_tree_kd(ready.points, ready.alpha, advance)
    elif algorithm == "spanning_tree":
        merges = spanning_tree_points(ready.points, ready.own, ready.alpha, advance)
    elif algorithm == "vector_rounds":
        merges = vector_rounds(ready.points, ready.own, Form(linkage == "ward", ready.alpha), advance)
    else:
        form = _FORMS["average" if linkage == "centroid" and not ready.root else linkage]
        merges = vector_greedy(ready.points, ready.own, form, ready.alpha, advance)
    return merges._replace(height=np.sqrt(merges.height)) if ready.root else merges


def _after_head_start(ready: Prepared, linkage: str, precision: str, advance: Advance) -> tuple[MergeSequence, int]:
    """Build the tree of prepared points by lists and then a matrix; also return the bytes that this needs."""
    start = list_rounds(ready, linkage, advance)
    square = matrices.square_of_groups(ready, start.group, start.weight, linkage == "complete", precision)
    needed = vector_bytes(*ready.points.shape) + square_bytes(start.size.size, square.itemsize)
    return matrix_rounds(square, start.size, start.node, start.merges, linkage, advance), needed


def _by_other_metric(points: FloatArray, linkage: str, metric: str, precision: str, advance: Advance) -> MergeSequence:
    """Build the tree of points by one of SciPy's metrics."""
    n = points.shape[0]
    if linkage == "single":
        distance = matrices.cross_distances(points, metric)
        return spanning_tree_rows(n, lambda i: distance(i, i + 1, 0)[0], advance)
    return _from_square(matrices.square_of_metric(points, metric, precision), n, linkage, False, advance)


def _from_square(square: NDArray[Any], n: int, linkage: str, squared: bool, advance: Advance) -> MergeSequence:
    """Build the tree of a flat square matrix of distances, which is used up."""
    if _matrix_algorithm(linkage, n) == "matrix_rounds":
        merges = matrix_rounds(square, np.ones(n), np.arange(n), new_merges(0), linkage, advance)
    else:
        left, right, height, tied = merge_matrix(square, np.ones(n), np.arange(n), linkage, n, advance)
        if linkage not in ("centroid", "median"):
            height = np.maximum.accumulate(height)  # the others are monotone: what falls is rounding
        merges = MergeSequence(left, right, height, int(tied.sum()), n - 1)
    return merges._replace(height=np.sqrt(np.maximum(merges.height, 0.0))) if squared else merges


def _from_index(points: Any, metric: str, names: tuple[str, ...], terms: int | None, progress: bool) -> Agglomeration:
    """Build the group-average tree of sparse points, whose sums stay sparse."""
    n, d = points.shape
    needed = index_bytes(n, points.nnz, d)
    require(needed, f"group_average linkage of {n:,} sparse points on {metric}", _ALTERNATIVES_FOR_SPARSE)
    points = finite_points(points)
    exponent = scale_of(points.data) if metric == "dot" else 0
    points.data = np.ldexp(points.data, -exponent)
    similar = matrices.sparse_similarities(points, metric)
    twins = similar.twins if metric == "cosine" else {}
    with merging(n - 1, progress) as advance:
        merges, lost = index_greedy(similar.points, similar.self_similarity, twins, terms, advance)
    plan = Plan("group_average", metric, "index_greedy", needed, "float64", lost)
    own_similarity = in_units(similar.self_similarity, 2 * exponent)
    return finished(_in_units(merges, 2 * exponent), names, float(own_similarity.max()), own_similarity, plan)


def _from_sparse(
    points: Any, linkage: str, metric: str, names: tuple[str, ...], precision: str, progress: bool
) -> Agglomeration:
    """Build the tree of sparse points: as dense ones where that is smaller than a matrix, else from a matrix."""
    n, d = points.shape
    if metric not in ("cosine", "dot"):
        raise InvalidInputError(f"sparse points are taken for cosine and dot; got metric {metric} (use toarray())")
    linkage_of_matrix = "average" if linkage == "centroid" else linkage
    algorithm = _matrix_algorithm(linkage_of_matrix, n)
    if 2 * d <= n and not _algorithm_of(linkage, metric, (n, d)).startswith("matrix"):
        require(vector_bytes(n, d), f"{n:,} sparse points of {d:,} columns", _ALTERNATIVES)
        return _from_points(finite_points(points).toarray(), linkage, metric, names, precision, progress)
    needed = 300 * n if linkage == "single" else square_bytes(n, np.dtype(precision).itemsize)
    require(needed, f"{linkage} linkage of {n:,} sparse points on {metric}", _ALTERNATIVES)
    points = finite_points(points)
    exponent = scale_of(points.data) if metric == "dot" else 0
    points.data = np.ldexp(points.data, -exponent)
    similar = matrices.sparse_similarities(points, metric)
    with merging(n - 1, progress) as advance:
        if linkage == "single":
            merges = spanning_tree_rows(n, lambda i: similar.distances(i, i + 1)[0], advance)
        else:
            square = matrices.square_of_sparse(similar, precision)
            merges = _from_square(square, n, linkage_of_matrix, False, advance)
    plan = Plan(linkage, metric, algorithm, needed, precision)
    own_similarity = in_units(similar.self_similarity, 2 * exponent)
    return finished(_in_units(merges, 2 * exponent), names, float(own_similarity.max()), own_similarity, plan)
