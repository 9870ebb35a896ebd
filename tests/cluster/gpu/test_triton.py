"""The fused kernels of rounds against the plain array code on NumPy: on a CUDA device, or in Triton's interpreter.

They need PyTorch and Triton, which `make test` does not install; `make test-gpu` runs these tests.
"""

import os

import numpy as np
import pytest

import dendrometry as dm
from dendrometry._kernels.cluster.vector_greedy import FORMS
from dendrometry.cluster.gpu import ladder
from dendrometry.cluster.gpu.build import DeviceRequest, build_on_device
from dendrometry.cluster.gpu.choose import Backend, cuda_backend, cuda_is_there, numpy_backend
from dendrometry.cluster.gpu.greedy import Pool, Stage
from dendrometry.cluster.gpu.plain import Columns, Lists, Plain, Slots, Wanted
from dendrometry.cluster.linkages import LINKAGES

REASON = "needs PyTorch and Triton, which bring gigabytes; run by make test-gpu"
torch = pytest.importorskip("torch", reason=REASON)
xp = pytest.importorskip("array_api_compat.torch", reason=REASON)
if not cuda_is_there():
    os.environ["TRITON_INTERPRET"] = "1"  # read when kernels are defined; Triton 3.6 interprets with NumPy up to 2.3
    pytest.importorskip("triton", minversion="3.9", reason=REASON)
fused = pytest.importorskip("dendrometry.cluster.gpu.triton.fused", reason=REASON)
scans = pytest.importorskip("dendrometry.cluster.gpu.triton.scans", reason=REASON)

INTERPRETED = Backend("torch", xp, torch.device("cpu"), fused.Fused(xp), numpy_backend().repeater)
BACKEND = cuda_backend() if cuda_is_there() else INTERPRETED
FUSED = BACKEND.searches


def state(seed, n, d, n_active, by_size):
    """Return a random state of the rounds: columns, lists, slots and active clusters; some distances tie."""
    rng = np.random.default_rng(seed)
    plain, wanted = Plain(np), Wanted(by_size, 0.5)
    columns = Columns(rng.integers(5, size=(n, d)) / 4, rng.integers(1, 9, n) * 1.0, rng.random(n))
    active = np.sort(rng.choice(n, n_active, replace=False))
    slots, lists = Slots.single(np, n, None), Lists.empty(np, n, None)
    slots.root[:] = rng.choice(active, n)
    slots.root[active] = active
    slots.node[:] = rng.permutation(n)
    rows = plain.search(active, active, np.arange(n), columns, wanted)
    plain.set_lists(lists, active, rows, columns, wanted)
    return columns, lists, slots, active, wanted


def there(columns):
    """Return columns on the device of the kernels."""
    return type(columns)(*(None if column is None else BACKEND.array(column.copy()) for column in columns))


def assert_same(ours, theirs):
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(BACKEND.numpy(one), other)


@pytest.mark.parametrize("by_size", [False, True])
@pytest.mark.parametrize(("n", "d", "n_active"), [(450, 4, 450), (111, 7, 70), (40, 1, 2)])
def test_rounds_equal_the_plain_code(n, d, n_active, by_size, monkeypatch):
    monkeypatch.setattr(fused, "_PICKED", 256)  # so that slots are picked block by block
    columns, lists, slots, active, wanted = state(n, n, d, n_active, by_size)
    point, known, place = there(columns), there(lists), there(slots)
    n_made = 0
    for _ in range(3):
        expected = Plain(np).merge_pairs(active, lists, slots, columns, wanted, n_made)
        merged = FUSED.merge_pairs(BACKEND.array(active), known, place, point, wanted, n_made)
        assert merged.n_merged == expected.n_merged > 0
        assert_same(merged[1:], expected[1:])
        assert_same([*point, *known, *place], [*columns, *lists, *slots])
        n_made, active, changed = n_made + expected.n_merged, expected.active, expected.changed
        Plain(np).renew_lists(lists, changed, slots, columns, wanted)
        FUSED.renew_lists(known, BACKEND.array(changed), place, point, wanted)
        assert_same([*known, *place], [*lists, *slots])
        still = Plain(np).open_slots(lists, changed)
        assert_same([FUSED.open_slots(known, BACKEND.array(changed))], [still])
        if active.size < 2 or still.size == 0:
            break
        rows = Plain(np).search(still, active, np.arange(n), columns, wanted)
        asked = [BACKEND.array(column) for column in (still, active, np.arange(n))]
        if active.size <= scans.EXACT_LANES:  # beyond, targets share a lane, and a bound stands for the farther ones
            assert_same(FUSED.search_exactly(*asked, point, wanted), rows)
        Plain(np).set_lists(lists, still, rows, columns, wanted, exact=True)
        FUSED.set_lists(known, asked[0], there(rows), point, wanted, exact=True)
        assert_same(known, lists)


def test_no_slot_is_open_if_none_is_asked():
    lists = there(Lists.empty(np, 4, None))
    assert FUSED.open_slots(lists, BACKEND.array(np.arange(0))).shape == (0,)


@pytest.mark.parametrize("n_parts", [1, 2, 5, 64])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_parts_are_joined_as_by_a_stable_sort(n_parts, dtype):
    rng = np.random.default_rng(n_parts)
    parts = scans.Parts(7, n_parts, 16, dtype, BACKEND.where)
    value = np.sort(rng.integers(0, 9, size=(7, n_parts, 8)) * 1.0, axis=2)
    value[0], value[1, :, 3:] = np.inf, np.inf
    near = np.where(value < np.inf, rng.integers(1000, size=value.shape), -1)
    reach = value[:, :, -1] + rng.random((7, n_parts))
    parts.near[:], parts.value[:], parts.reach[:] = map(BACKEND.array, (near, value, reach))
    joined, bound = map(BACKEND.numpy, parts.join())
    order = np.argsort(value.reshape(7, -1), axis=1, kind="stable")
    np.testing.assert_array_equal(joined, np.take_along_axis(near.reshape(7, -1), order[:, :8], axis=1))
    beyond = np.sort(np.concatenate([value.reshape(7, -1), np.full((7, 1), np.inf)], axis=1))[:, 8]
    np.testing.assert_array_equal(bound, np.minimum(BACKEND.numpy(parts.reach).min(axis=1), beyond.astype(bound.dtype)))


def hard_state(seed, n, d, by_size):
    """Return groups of very different widths with heavy tails, in columns, and some queries."""
    rng = np.random.default_rng(seed)
    kind = rng.integers(30, size=n)
    points = 3 * rng.normal(size=(30, d))[kind] + rng.gamma(0.5, size=30)[kind][:, None] * rng.standard_t(3, (n, d))
    points[0] *= 1e4  # far from all others
    columns = Columns(points, rng.integers(1, 40, n) * 1.0, np.zeros(n) if by_size else rng.random(n))
    active = np.sort(rng.permutation(n)[: n - 50])
    return columns, active[::2].copy(), active


def true_distances(slots, active, group, columns, wanted):
    """Return the distances of slots from all slots, inf for those not active or of the same group."""
    point, size, spread = columns
    delta = ((point[slots][:, None, :] - point[None, :, :]) ** 2).sum(axis=2)
    if wanted.by_size:
        value = 2.0 * size[slots][:, None] * size / (size[slots][:, None] + size) * delta
    else:
        value = wanted.alpha * delta + spread[slots][:, None] + spread
    value[group[slots][:, None] == group] = np.inf
    value[:, np.setdiff1d(np.arange(size.size), active)] = np.inf
    return value


@pytest.mark.parametrize("by_size", [True, False])
@pytest.mark.parametrize("search", ["float16x3", "float64", "wide"])
@pytest.mark.parametrize("grouped", [True, False])
def test_searches_by_cell_bound_all_that_they_do_not_list(by_size, search, grouped, monkeypatch):
    monkeypatch.setattr(FUSED, "_known", None)
    monkeypatch.setattr(fused, "_OF_CELL", 30)
    monkeypatch.setattr(fused, "_MANY", 0)
    monkeypatch.setattr(fused, "_WIDE", 1 if search == "wide" else 1000)
    monkeypatch.setattr(scans, "SHAPES", {**scans.SHAPES, "by cell": (16, 4)})
    columns, slots, active = hard_state(5, 400, 9, by_size)
    group = np.random.default_rng(6).integers(40, size=400) if grouped else np.arange(400)
    wanted = Wanted(by_size, 0.5, "float16x3" if search == "float16x3" else "float64")
    find = FUSED.search if search == "float16x3" else FUSED.search_exactly
    rows = find(*(BACKEND.array(column) for column in (slots, active, group)), there(columns), wanted)
    near, reach = BACKEND.numpy(rows.near), BACKEND.numpy(rows.reach)
    for found, bound, row in zip(near, reach, true_distances(slots, active, group, columns, wanted), strict=True):
        listed = found[found >= 0]
        assert np.isfinite(row[listed]).all()
        if search != "float16x3":
            assert row.min() == row[listed].min()
        row[listed] = np.inf
        assert bound <= row.min() * (1 + 1e-12)
    assert FUSED._known is not None or search == "wide"
    assert np.mean(reach > 0) > 0.9


@pytest.mark.parametrize("form", ["ward", "average", "group_average", "centroid"])
def test_the_nearest_before_each_cluster_is_that_of_the_plain_code(form):
    rng = np.random.default_rng(4)
    columns = rng.integers(4, size=(150, 3)) * 1.0, *(rng.integers(1, 5, size=(3, 150)) * 1.0), np.arange(150)
    stages = [
        Stage(Pool(*map(backend.array, columns)), None, 60, FORMS.index(form), 0.5, 150, backend)
        for backend in (BACKEND, numpy_backend())
    ]
    for what in ("nearest", "distance", "tied"):
        ours, plain = (getattr(stage, what) for stage in stages)
        np.testing.assert_array_equal(BACKEND.numpy(ours)[1:], plain[1:])  # nothing is before the first


@pytest.mark.parametrize("few", [0, 1 << 24])
@pytest.mark.parametrize(
    ("linkage", "metric"),
    [
        ("ward", "euclidean"),
        ("average", "sqeuclidean"),
        ("average", "cosine"),
        ("average", "dot"),
        ("single", "euclidean"),
    ],
)
def test_trees_have_the_bits_of_the_cpu(linkage, metric, few, monkeypatch):
    monkeypatch.setattr(ladder, "_FEW", few)
    rng = np.random.default_rng(3)
    X = np.concatenate([rng.normal(size=(40, 5)), np.tile(rng.normal(size=(5, 5)), (2, 1))])
    request = DeviceRequest(linkage, LINKAGES[linkage], metric, None, False)
    ours, plain = (build_on_device(X, request, backend) for backend in (BACKEND, numpy_backend()))
    assert ours.hierarchy == plain.hierarchy
    np.testing.assert_array_equal(ours.hierarchy.height, plain.hierarchy.height)
    assert (ours.report.ties, ours.report.rounds) == (plain.report.ties, plain.report.rounds)
    assert ("float16" in ours.report.device.search) == (few == 0)
    theirs = dm.agglomerate(X, linkage=linkage, metric=metric)
    np.testing.assert_allclose(ours.hierarchy.height, theirs.hierarchy.height, rtol=1e-10, atol=1e-12)
