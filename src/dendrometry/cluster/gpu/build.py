"""Agglomerative clustering of points on a device: the choice of the algorithm, and of the device for "auto"."""

from collections.abc import Iterable
from typing import Any, NamedTuple, get_args

import numpy as np

from dendrometry._check.choices import one_of
from dendrometry._check.names import name_items
from dendrometry._check.points import Prepared, is_sparse
from dendrometry._extras import require
from dendrometry._kernels.cluster.vector_greedy import FORMS
from dendrometry._progress import Advance, bar
from dendrometry.cluster.agglomeration import Agglomeration, BuildPlan, DeviceReport, as_agglomeration
from dendrometry.cluster.cpu.list_reciprocal import LIST_UPDATES
from dendrometry.cluster.cpu.merges import MergeSequence, first_of, in_units_of, no_merges, require_distinct
from dendrometry.cluster.cpu.neighbours import BY_SIZE
from dendrometry.cluster.gpu.choose import Backend, DeviceName, cuda_backend, cuda_is_there, require_device_memory
from dendrometry.cluster.gpu.greedy import Pool, merge_greedily
from dendrometry.cluster.gpu.ladder import Ladder
from dendrometry.cluster.gpu.list_reciprocal import LARGEST, list_bytes
from dendrometry.cluster.gpu.matrix_reciprocal import gpu_matrix_reciprocal, gpu_metric_reciprocal, matrix_bytes
from dendrometry.cluster.gpu.metrics import DEVICE_METRICS, prepare_for_metric
from dendrometry.cluster.gpu.plain import Wanted
from dendrometry.cluster.gpu.points import detach, gpu_points, prepare_device_points
from dendrometry.cluster.gpu.spanning_tree import gpu_spanning_tree
from dendrometry.cluster.gpu.ward import gpu_vector_reciprocal
from dendrometry.cluster.linkages import OWN_METRICS, TRUE_METRICS, LinkageRule
from dendrometry.errors import Argument, InvalidInputError

_LOW = 1e-150  # heights below may have lost bits
_MANY = 10_000  # items, from which on a device is faster whatever the linkage
_SAME_BITS = ("vector_reciprocal", "spanning_tree")  # their distances are computed in the order of the CPU, but for dot
_HOST = 1  # the number of the main memory in DLPack
_ALTERNATIVES = (
    "Alternatives: ",
    Argument("device", "cpu"),
    " has the main memory; ward, and average and group_average on cosine, dot or sqeuclidean, need memory for the"
    " points only; Buckshot builds the tree of a sample and assigns the rest.",
)


class DeviceRequest(NamedTuple):
    """The request; ``rule`` is the linkage that builds the tree."""

    linkage: str
    rule: LinkageRule
    metric: str
    item_names: Iterable[str] | None
    progress: bool


def gpu_algorithm(rule: LinkageRule, metric: str) -> str | None:
    """Return the name of the algorithm on a device; None if there is none for the linkage on this metric."""
    if metric not in OWN_METRICS:
        return "matrix_reciprocal" if metric in DEVICE_METRICS and rule.update in LIST_UPDATES else None
    if rule.spanning_tree:
        return "spanning_tree"
    if metric in rule.vector_metrics:
        return "vector_reciprocal" if rule.reducible else "vector_greedy"
    return "matrix_reciprocal" if rule.update in LIST_UPDATES else None


def chosen_backend(X: Any, rule: LinkageRule, metric: str, device: str) -> Backend | None:
    """Return the backend of a device; None for the CPU.

    "auto" takes a device if there is one, an algorithm for it whose distances have the bits of the CPU's, enough dense
    points, and memory for them.
    """
    if one_of(device, "device", get_args(DeviceName)) == "cuda":
        return cuda_backend()
    algorithm = gpu_algorithm(rule, metric)
    if algorithm not in _SAME_BITS or metric == "dot":
        return None
    shape: tuple[int, ...] = getattr(X, "shape", ())
    if device == "cpu" or is_sparse(X) or len(shape) != 2 or shape[0] <= _MANY:
        return None
    if not cuda_is_there():
        return None
    backend = cuda_backend()
    return backend if needed_bytes(algorithm, shape[0], shape[1]) <= (backend.free_memory() or 0) else None


def host_points(X: Any) -> Any:
    """Return points that a device holds as a NumPy array, and others as they are."""
    X = detach(X)
    place = getattr(X, "__dlpack_device__", None)
    if place is None or isinstance(X, np.ndarray) or place()[0] == _HOST:
        return X
    return require("torch", extra="gpu", for_="points on a device").from_dlpack(X).cpu().numpy()


def needed_bytes(algorithm: str, n: int, d: int) -> int:
    """Return the bytes that an algorithm needs on the device, at most: a head start makes matrices smaller."""
    if algorithm == "matrix_reciprocal":
        return list_bytes(n, d) + matrix_bytes(n)
    return n * (8 * d * 5 + 1000) + (1 << 30)  # up to five copies of the points in float64, lists, and blocks of work


def build_on_device(X: Any, request: DeviceRequest, backend: Backend, *, alone: bool = True) -> Agglomeration | None:
    """Build the tree of points on the device.

    If it is not ``alone``, None is returned where distances of unequal points tie, as the CPU may merge others of them,
    or were not computed in the order of the CPU, which may tie where they do not.
    """
    linkage, rule, metric, item_names, progress = request
    algorithm = gpu_algorithm(rule, metric)
    if algorithm is None or is_sparse(X):
        what = "sparse points" if is_sparse(X) else f"{linkage} linkage on {metric}"
        raise InvalidInputError(
            Argument("device", backend.name),
            " needs dense points and a linkage with an algorithm there (ward; centroid; median; single,"
            " complete, average and weighted on euclidean, sqeuclidean, cosine or dot; group_average on sqeuclidean,"
            " cosine or dot; complete, average and weighted also on"
            f" {', '.join(DEVICE_METRICS)}); got {what}",
        )
    array = gpu_points(X, backend)
    n, d = array.shape
    needed = needed_bytes(algorithm, n, d)

    def require_memory(needed: int) -> None:
        require_device_memory(backend, needed, f"{linkage} linkage of {n:,} points on {metric}", _ALTERNATIVES)

    fewest = -(-n // LARGEST)  # clusters that a head start can leave
    by_lists = algorithm == "matrix_reciprocal" and metric in OWN_METRICS
    require_memory(list_bytes(n, d) + matrix_bytes(fewest) if by_lists else needed)
    names = name_items(X, item_names, n)
    prepare = prepare_device_points if metric in OWN_METRICS else prepare_for_metric
    ready = prepare(array, metric, backend)
    ladder = Ladder(backend.searches)
    with bar("merging", n - 1, progress) as advance:
        if n == 1:
            merges = no_merges()
        elif by_lists:
            merges, m = gpu_matrix_reciprocal(ready, rule.update, ladder, backend, advance, require_memory)
            needed = list_bytes(n, d) + matrix_bytes(m)
        elif algorithm == "matrix_reciprocal":
            merges = gpu_metric_reciprocal(ready, metric, rule.update, ladder, backend, advance)
        else:
            merges = _merge(ready, rule, algorithm, ladder, backend, advance)
    if not alone and (not ladder.same_bits or merges.n_ties > max(int((merges.height == 0.0).sum()) - 1, 0)):
        return None
    if metric in TRUE_METRICS and n > 1:
        power = 0.5 if ready.root else 1.0
        require_distinct(merges, backend.numpy(array) if merges.height.min() < _LOW else np.zeros((n, 1)), power)
    used = DeviceReport(backend.name, ladder.used(), ladder.distances / n**2, ladder.left_open, backend.peak_memory())
    plan = BuildPlan(linkage, metric, algorithm, needed, "float64", 0.0, used)
    return as_agglomeration(in_units_of(merges, ready.exponent), names, ready.top, ready.self_similarity, plan)


def _merge(
    ready: Prepared, rule: LinkageRule, algorithm: str, ladder: Ladder, backend: Backend, advance: Advance
) -> MergeSequence:
    """Build the tree of prepared points by their vectors; heights are those of the prepared points."""
    if algorithm == "spanning_tree":
        merges = gpu_spanning_tree(ready.points, ready.own, ready.alpha, ladder, backend, advance)
    elif algorithm == "vector_reciprocal":
        wanted = Wanted(BY_SIZE[rule.update], ready.alpha)
        merges = gpu_vector_reciprocal(ready.points, ready.own, wanted, ladder, backend, advance)
    else:
        merges = _merge_greedily(ready, rule, ladder, backend, advance)
    return merges._replace(height=np.sqrt(merges.height)) if ready.root else merges


def _merge_greedily(
    ready: Prepared, rule: LinkageRule, ladder: Ladder, backend: Backend, advance: Advance
) -> MergeSequence:
    """Build the tree by the greedy algorithm."""
    xp = backend.xp
    n = ready.points.shape[0]
    ones = xp.ones(n, dtype=xp.float64, device=backend.where)
    pool = Pool(ready.points, ones, ones * 0.0, ready.own, xp.arange(n, dtype=xp.int64, device=backend.where))
    columns = merge_greedily(pool, FORMS.index(rule.update), ready.alpha, n, ladder, backend, advance)
    left, right, height, tied = (backend.numpy(column) for column in columns)
    if rule.monotone:
        height = np.maximum.accumulate(height)  # decreases are rounding errors
    return MergeSequence(
        np.minimum(left, right), np.maximum(left, right), height, int(tied.sum()), n - 1, first_of(tied)
    )
