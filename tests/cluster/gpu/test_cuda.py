"""Trees built on a CUDA device, and the bounds of its fused searches; `make test-gpu` runs these tests."""

import numpy as np
import pytest

import dendrometry as dm
from dendrometry.cluster.gpu import build
from dendrometry.cluster.gpu.choose import cuda_backend, cuda_is_there
from dendrometry.cluster.gpu.plain import Columns, Lists, Plain, Rows, Wanted
from dendrometry.cluster.linkages import LINKAGES
from dendrometry.errors import InvalidInputError

pytestmark = pytest.mark.skipif(not cuda_is_there(), reason="needs PyTorch and a CUDA device; run by make test-gpu")

BUILDS = [
    ("ward", "euclidean"),
    ("average", "sqeuclidean"),
    ("average", "cosine"),
    ("average", "dot"),
    ("average", "euclidean"),
    ("complete", "euclidean"),
    ("weighted", "cosine"),
    ("single", "euclidean"),
    ("single", "dot"),
    ("group_average", "cosine"),
    ("group_average", "dot"),
    ("centroid", "euclidean"),
    ("median", "euclidean"),
    ("complete", "cityblock"),
    ("weighted", "chebyshev"),
    ("average", "correlation"),
]
NOISE = np.random.default_rng(7).normal(size=(2001, 17))


def assert_same_lists(backend, n_found, wanted):
    """Set lists from clusters that are repeated, tied, void or the slot itself, by a backend and by the plain code."""
    rng = np.random.default_rng(n_found)
    n = 203
    points = rng.integers(3, size=(n, 5)).astype(np.float64)
    columns = Columns(points, rng.integers(1, 4, n).astype(np.float64), rng.random(n))
    slots = np.sort(rng.choice(n, 101, replace=False))
    found = rng.integers(-20, n, size=(slots.size, n_found)).astype(np.int32)
    found[:, 1] = slots
    found[:, 2] = found[:, 3]
    found[0] = -1
    reach = rng.random(slots.size) * 9
    expected = Lists.empty(np, n, None)
    Plain(np).set_lists(expected, slots, Rows(np.maximum(found, -1), reach), columns, wanted)
    lists = Lists.empty(backend.xp, n, backend.where)
    there = [backend.array(column) for column in (slots, np.maximum(found, -1), reach)]
    backend.searches.set_lists(lists, there[0], Rows(*there[1:]), Columns(*map(backend.array, columns)), wanted)
    for ours, theirs in zip(lists, expected, strict=True):
        np.testing.assert_array_equal(backend.numpy(ours), theirs)


def assert_equal_trees(ours, theirs):
    np.testing.assert_array_equal(ours.hierarchy.parent, theirs.hierarchy.parent)
    np.testing.assert_allclose(ours.hierarchy.height, theirs.hierarchy.height, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize(("linkage", "metric"), BUILDS)
def test_equals_the_cpu(linkage, metric):
    ours = dm.agglomerate(NOISE, linkage=linkage, metric=metric, device="cuda")
    assert_equal_trees(ours, dm.agglomerate(NOISE, linkage=linkage, metric=metric))
    assert ours.report.device.name == "cuda"
    assert ours.report.device.peak_memory > 0


@pytest.mark.parametrize("n", range(700, 712))
def test_every_stage_of_the_greedy_algorithm_ends_with_all_clusters_compared(n):
    X = NOISE[:n, :16]
    assert_equal_trees(dm.agglomerate(X, linkage="centroid", device="cuda"), dm.agglomerate(X, linkage="centroid"))


@pytest.mark.parametrize("linkage", ["ward", "single", "average"])
def test_tight_clusters_equal_the_cpu_and_need_more_precision(linkage):
    rng = np.random.default_rng(8)
    X = rng.normal(size=(20, 64))[rng.integers(20, size=9000)] + 1e-3 * rng.normal(size=(9000, 64))
    metric = "sqeuclidean" if linkage == "average" else "euclidean"
    ours = dm.agglomerate(X, linkage=linkage, metric=metric, device="cuda")
    assert_equal_trees(ours, dm.agglomerate(X, linkage=linkage, metric=metric))
    assert "float16x3" in ours.report.device.search
    assert ours.report.device.left_open > 0


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("where", ["cpu", "cuda"])
def test_tensors_of_either_device_are_points(where, dtype):
    torch = pytest.importorskip("torch")
    X = NOISE.astype(dtype)
    tensor = torch.asarray(X, device=where)
    before = tensor.clone()
    expected = dm.agglomerate(X, device="cuda")
    for points in (tensor, tensor.T.contiguous().T, torch.repeat_interleave(tensor, 2, dim=0)[::2]):
        assert_equal_trees(dm.agglomerate(points, device="cuda"), expected)
    assert torch.equal(tensor, before)


@pytest.mark.parametrize("X", [np.asfortranarray(NOISE), NOISE[::-1].copy()[::-1], NOISE.astype(">f8"), NOISE.tolist()])
def test_arrays_of_any_order_are_points(X):
    assert_equal_trees(dm.agglomerate(X, device="cuda"), dm.agglomerate(NOISE, device="cuda"))


@pytest.mark.parametrize("where", ["cpu", "cuda"])
def test_tensors_that_record_gradients_are_points(where):
    torch = pytest.importorskip("torch")
    tensor = torch.asarray(NOISE, device=where).requires_grad_()
    assert_equal_trees(dm.agglomerate(tensor, device="cuda"), dm.agglomerate(NOISE, device="cuda"))
    assert_equal_trees(dm.agglomerate(tensor, device="auto"), dm.agglomerate(NOISE))
    assert tensor.requires_grad


def test_arrays_with_dlpack_are_points():
    class Exported:
        """Points of another library, which offers them by DLPack alone."""

        def __init__(self, tensor):
            self.tensor, self.shape = tensor, tuple(tensor.shape)

        def __dlpack__(self, **options):
            return self.tensor.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.tensor.__dlpack_device__()

    torch = pytest.importorskip("torch")
    expected = dm.agglomerate(NOISE, device="cuda")
    for where in ("cpu", "cuda"):
        assert_equal_trees(dm.agglomerate(Exported(torch.asarray(NOISE, device=where)), device="cuda"), expected)


def test_refuses_tensors_that_are_not_finite():
    torch = pytest.importorskip("torch")
    tensor = torch.ones((3, 2), device="cuda")
    tensor[1, 1] = torch.nan
    with pytest.raises(InvalidInputError, match="points must be finite; got nan in row 1, column 1"):
        dm.agglomerate(tensor, device="cuda")


def test_refuses_what_does_not_fit(monkeypatch):
    monkeypatch.setattr(build.Backend, "free_memory", lambda self: 1 << 20)
    with pytest.raises(InvalidInputError, match=r"needs 1\.\d GiB of device memory; 1.0 MiB are available"):
        dm.agglomerate(NOISE, device="cuda")


def test_auto_takes_few_points_of_the_device_to_the_cpu():
    torch = pytest.importorskip("torch")
    ours = dm.agglomerate(torch.asarray(NOISE, device="cuda"), device="auto")
    assert ours.report.device is None
    assert_equal_trees(ours, dm.agglomerate(NOISE))


def test_auto_takes_the_device_for_many_points():
    X = np.random.default_rng(9).normal(size=(12_000, 8))
    ours = dm.agglomerate(X, device="auto")
    assert ours.report.device.name == "cuda"
    assert_equal_trees(ours, dm.agglomerate(X))


@pytest.mark.parametrize("by_size", [True, False])
@pytest.mark.parametrize("search", ["float16", "float16x3"])
@pytest.mark.parametrize("d", [17, 100])
@pytest.mark.parametrize("scale", [1.0, 1e-25])
def test_searches_bound_all_that_they_do_not_list(d, search, by_size, scale):
    backend, rng, n = cuda_backend(), np.random.default_rng(d), 3001
    points = scale * (rng.normal(size=(30, d))[rng.integers(30, size=n)] + 0.1 * rng.normal(size=(n, d)))
    points[0] *= 1e4  # far from all others
    spread = np.zeros(n) if by_size else scale**2 * rng.random(n)
    columns = Columns(*(backend.array(x) for x in (points, rng.integers(1, 40, size=n) * 1.0, spread)))
    active = backend.array(np.sort(rng.permutation(n)[: n - 200]))
    group = backend.array(rng.integers(n // 3, size=n))
    slots = active[backend.array(np.sort(rng.permutation(n - 200)[:700]))]
    wanted = Wanted(by_size, 0.5, search)
    rows = backend.searches.search(slots, active, group, columns, wanted)
    near, reach = backend.numpy(rows.near), backend.numpy(rows.reach)
    true = _all_distances(slots, active, group, columns, wanted, backend)
    for i, row in enumerate(true):
        row[near[i][near[i] >= 0]] = np.inf
        assert reach[i] <= row.min()
    assert (near >= 0).any(axis=1).all()


def _all_distances(slots, active, group, columns, wanted, backend):
    """Return the distances of slots from all slots, inf for those not active or of the same group."""
    point, size, spread, group, active, slots = (backend.numpy(column) for column in (*columns, group, active, slots))
    delta = ((point[slots][:, None, :] - point[None, :, :]) ** 2).sum(axis=2)
    if wanted.by_size:
        value = 2.0 * size[slots][:, None] * size / (size[slots][:, None] + size) * delta
    else:
        value = wanted.alpha * delta + spread[slots][:, None] + spread
    value[group[slots][:, None] == group] = np.inf
    value[:, np.setdiff1d(np.arange(size.size), active)] = np.inf
    return value


@pytest.mark.parametrize("d", [1, 4, 7, 64, 65])
def test_squared_distances_have_the_bits_of_the_plain_code(d):
    backend, rng = cuda_backend(), np.random.default_rng(d)
    points, plain = rng.normal(size=(501, d)), Plain(np)
    first, second = rng.integers(501, size=(2, 1003))
    there = [backend.array(column) for column in (points, first, second)]
    pairs = backend.numpy(backend.searches.pair_squares(*there))
    np.testing.assert_array_equal(pairs, plain.pair_squares(points, first, second))
    cross = backend.numpy(backend.searches.cross_squares(there[0], there[1][:77], there[2]))
    np.testing.assert_array_equal(cross, plain.cross_squares(points, first[:77], second))


@pytest.mark.parametrize("n_found", [8, 16, 32])
@pytest.mark.parametrize("by_size", [False, True])
def test_lists_are_set_as_by_the_plain_code(n_found, by_size):
    assert_same_lists(cuda_backend(), n_found, Wanted(by_size, 1.0))


@pytest.mark.parametrize(
    ("linkage", "metric"),
    [("ward", "euclidean"), ("average", "sqeuclidean"), ("average", "cosine"), ("single", "euclidean")],
)
def test_distances_have_the_bits_of_the_cpu(linkage, metric):
    ours, theirs = (dm.agglomerate(NOISE, linkage=linkage, metric=metric, device=device) for device in ("cuda", "cpu"))
    np.testing.assert_array_equal(ours.hierarchy.height, theirs.hierarchy.height)


def test_plain_searches_run_on_the_device():
    backend = cuda_backend()._replace(searches=Plain(cuda_backend().xp))
    request = build.DeviceRequest("ward", LINKAGES["ward"], "euclidean", None, False)
    assert_equal_trees(build.build_on_device(NOISE, request, backend), dm.agglomerate(NOISE))
