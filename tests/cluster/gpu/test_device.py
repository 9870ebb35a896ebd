"""Trees of the plain array code of a device, which NumPy runs here, against SciPy and the build on the CPU."""

import ast
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.cluster.hierarchy import linkage as scipy_linkage

import dendrometry as dm
from dendrometry.cluster.gpu import build
from dendrometry.cluster.gpu.build import DeviceRequest, build_on_device, chosen_backend, needed_bytes
from dendrometry.cluster.gpu.choose import numpy_backend
from dendrometry.cluster.gpu.list_reciprocal import gpu_list_reciprocal
from dendrometry.cluster.gpu.plain import Plain, Rows, distances, squared_differences
from dendrometry.cluster.gpu.points import gpu_points, prepare_device_points
from dendrometry.cluster.linkages import LINKAGES
from dendrometry.errors import InvalidInputError, MissingExtraError

RNG = np.random.default_rng(0)
POINTS = {
    "noise": RNG.normal(size=(301, 6)),
    "one dimension": RNG.normal(size=(130, 1)),
    "tight clusters": RNG.normal(size=(9, 33))[RNG.integers(9, size=203)] + 1e-4 * RNG.normal(size=(203, 33)) + 5.0,
    "far from 0": RNG.normal(size=(97, 4)) + 1e6,
    "two points": RNG.normal(size=(2, 3)),
}
BUILDS = [
    ("ward", "euclidean"),
    ("average", "sqeuclidean"),
    ("average", "cosine"),
    ("average", "euclidean"),
    ("complete", "euclidean"),
    ("weighted", "euclidean"),
    ("single", "euclidean"),
    ("centroid", "euclidean"),
    ("median", "euclidean"),
]


def built(X, linkage, metric="euclidean", **options):
    rule = LINKAGES[LINKAGES[linkage].equal_to.get(metric, linkage)]
    return build_on_device(X, DeviceRequest(linkage, rule, metric, None, False), numpy_backend(), **options)


@pytest.mark.parametrize(("linkage", "metric"), BUILDS)
@pytest.mark.parametrize("X", POINTS.values(), ids=POINTS.keys())
def test_equals_scipy(X, linkage, metric):
    if metric == "cosine" and (X.shape[1] == 1 or X.max() > 1e5):
        pytest.skip("most angles are equal, or lost in rounding")
    ours, theirs = dm.to_linkage(built(X, linkage, metric).hierarchy), scipy_linkage(X, linkage, metric)
    np.testing.assert_allclose(ours[:, 2], theirs[:, 2], rtol=1e-10, atol=1e-10 * theirs[:, 2].max())
    np.testing.assert_array_equal(ours[:, :2], np.sort(theirs[:, :2]))


@pytest.mark.parametrize(
    ("linkage", "metric"),
    [*BUILDS, ("average", "dot"), ("single", "dot"), ("group_average", "cosine"), ("group_average", "dot")],
)
def test_equals_the_cpu(linkage, metric):
    X = POINTS["noise"]
    ours, theirs = built(X, linkage, metric), dm.agglomerate(X, linkage=linkage, metric=metric)
    np.testing.assert_array_equal(ours.hierarchy.parent, theirs.hierarchy.parent)
    np.testing.assert_allclose(ours.hierarchy.height, theirs.hierarchy.height, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(ours.similarity, theirs.similarity, rtol=1e-10, atol=1e-12)
    assert (theirs.report.ties, theirs.report.device) == (0, None)
    assert (ours.report.ties, ours.report.device.name) == (0, "numpy")


def test_reciprocal_neighbours_on_vectors_have_the_bits_of_the_cpu():
    X = np.random.default_rng(5).normal(size=(1100, 5))
    for linkage, metric in (("ward", "euclidean"), ("average", "sqeuclidean")):
        ours, theirs = built(X, linkage, metric), dm.agglomerate(X, linkage=linkage, metric=metric)
        assert theirs.report.algorithm == ours.report.algorithm == "vector_reciprocal"
        np.testing.assert_array_equal(ours.hierarchy.height, theirs.hierarchy.height)


@pytest.mark.parametrize(("linkage", "metric"), BUILDS[:7])
def test_ties_are_counted_and_keep_the_heights(linkage, metric):
    X = np.random.default_rng(3).normal(size=(60, 4))[np.random.default_rng(4).integers(60, size=150)]
    ours, theirs = built(X, linkage, metric), scipy_linkage(X, linkage, metric)
    np.testing.assert_allclose(dm.to_linkage(ours.hierarchy)[:, 2], theirs[:, 2], rtol=1e-9, atol=1e-12)
    assert ours.report.ties > 0


def test_rounds_may_count_other_ties_than_the_greedy_algorithm():
    grid = np.stack(np.meshgrid(np.arange(7.0), np.arange(6.0)), axis=-1).reshape(-1, 2)
    part_of_a_lower_merge = np.array([[0.0], [1.0], [2.0], [2.5]])
    for X, linkage, ties in (
        (grid, "ward", (36, 34)),
        (grid, "single", (40, 40)),
        (part_of_a_lower_merge, "ward", (1, 0)),
    ):
        assert (built(X, linkage).report.ties, dm.agglomerate(X, linkage=linkage).report.ties) == ties


@pytest.mark.parametrize("linkage", ["ward", "average", "single", "complete", "centroid"])
def test_trees_equal_those_of_the_cpu_up_to_the_first_tie(linkage):
    rng = np.random.default_rng(6)
    firsts = []
    for _ in range(20):
        X = rng.integers(0, 60, size=(int(rng.integers(10, 40)), 2)).astype(float)
        pair = built(X, linkage), dm.agglomerate(X, linkage=linkage)
        n, ends = len(X), [one.report.first_tie or 2 * len(X) for one in pair]
        ours, theirs = (dm.to_linkage(one.hierarchy)[: min(ends) - n, :2] for one in pair)
        np.testing.assert_array_equal(ours, theirs)
        firsts.append(min(ends) - n)
    assert max(firsts) > 5


@pytest.mark.parametrize("linkage", ["ward", "average", "single", "complete"])
def test_a_line_of_equal_gaps_ends(linkage):
    tree = built(np.arange(80.0)[:, None], linkage, "euclidean").hierarchy
    assert tree.n_nodes == 159
    if linkage == "single":
        assert set(tree.height[80:]) == {1.0}


def test_a_grid_of_tied_edges_has_no_circles():
    X = np.stack(np.meshgrid(np.arange(9.0), np.arange(9.0)), axis=-1).reshape(-1, 2)
    found = built(X, "single")
    assert set(found.hierarchy.height[81:]) == {1.0}
    assert found.report.ties == 79


@pytest.mark.parametrize("linkage", ["ward", "single", "complete", "centroid"])
def test_the_order_of_the_array_does_not_matter(linkage):
    X = POINTS["noise"]
    before = X.copy()
    expected = built(X, linkage).hierarchy
    for same in (np.asfortranarray(X), X[::-1][::-1], X.astype(">f8")):
        np.testing.assert_array_equal(built(same, linkage).hierarchy.height, expected.height)
    np.testing.assert_array_equal(X, before)


def test_one_point_is_a_tree():
    assert built(np.ones((1, 3)), "ward").hierarchy.n_nodes == 1


def test_refuses_points_that_are_not_finite():
    X = np.ones((4, 3))
    X[2, 1] = np.nan
    with pytest.raises(InvalidInputError, match="points must be finite; got nan in row 2, column 1"):
        built(X, "ward")


def test_refuses_a_zero_vector_for_cosine():
    with pytest.raises(InvalidInputError, match="item 1 is a zero vector"):
        built(np.array([[1.0, 0.0], [0.0, 0.0]]), "single", "cosine")


@pytest.mark.parametrize("scale", [1e200, 1e-200, 1e-310])
def test_scales_do_not_matter(scale):
    tree = built(scale * np.array([[1.0], [2.0], [4.0]]), "single").hierarchy
    np.testing.assert_allclose(tree.height[3:] / scale, [1.0, 2.0], rtol=1e-10)


def test_squared_distances_may_be_tiny():
    X = np.array([[0.0], [1e-80], [1.0]])
    ours, theirs = built(X, "single", "sqeuclidean"), dm.agglomerate(X, linkage="single", metric="sqeuclidean")
    np.testing.assert_allclose(ours.hierarchy.height, theirs.hierarchy.height, rtol=1e-10)


@pytest.mark.parametrize(
    ("linkage", "metric", "least", "most"),
    [("complete", "euclidean", 2.0, 2.0), ("centroid", "euclidean", 1.0, 6.0), ("ward", "euclidean", 1.0, 6.0)],
)
def test_the_report_counts_all_distances(linkage, metric, least, most):
    report = built(POINTS["noise"], linkage, metric).report
    assert report.device.search == "float64"
    assert least <= report.device.scans <= most


@pytest.mark.parametrize(
    ("linkage", "metric"), [("ward", "euclidean"), ("complete", "euclidean"), ("centroid", "euclidean")]
)
def test_numpy_2_0_suffices(linkage, metric, monkeypatch):
    for newer in ("astype", "cumulative_sum"):
        monkeypatch.delattr(np, newer, raising=False)
    assert built(POINTS["noise"], linkage, metric).hierarchy.n_nodes == 601


def test_refuses_linkages_without_an_algorithm():
    with pytest.raises(InvalidInputError, match="got group_average linkage on euclidean"):
        built(POINTS["noise"], "group_average")


def test_refuses_what_does_not_fit_on_the_device(monkeypatch):
    monkeypatch.setattr(build.Backend, "free_memory", lambda self: 1 << 30)
    with pytest.raises(InvalidInputError, match=r"ward linkage of 301 points on euclidean needs 1\.\d GiB of device"):
        built(POINTS["noise"], "ward")


def test_estimates_grow_with_the_points():
    assert needed_bytes("vector_reciprocal", 10**7, 64) < 10**11
    assert needed_bytes("matrix_reciprocal", 50_000, 64) > 8 * 50_000**2


def test_names_the_extra_where_torch_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r"device='cuda' needs torch: pip install 'dendrometry\[gpu\]'$"):
        dm.agglomerate(POINTS["noise"], device="cuda")


def test_refuses_an_unknown_device():
    with pytest.raises(InvalidInputError, match="device must be"):
        dm.agglomerate(POINTS["noise"], device="tpu")


def test_auto_takes_the_cpu_for_few_points():
    X = POINTS["noise"]
    assert chosen_backend(X, LINKAGES["ward"], "euclidean", "auto") is None
    assert dm.agglomerate(X, device="auto").report.device is None


@pytest.mark.parametrize("option", [{"start": [0, 1, 2] * 100 + [0]}, {"tie_rng": 0}, {"precision": "float32"}])
def test_auto_takes_the_cpu_for_what_only_the_cpu_does(option, monkeypatch):
    X = POINTS["noise"]
    monkeypatch.setattr(
        import_module("dendrometry.cluster.agglomerate"),
        "chosen_backend",
        lambda *asked: pytest.fail("asks for a device"),
    )
    assert dm.agglomerate(X, device="auto", **option).hierarchy == dm.agglomerate(X, **option).hierarchy
    with pytest.raises(InvalidInputError, match=f"{next(iter(option))}.* requires device='cpu' or auto; got cuda"):
        dm.agglomerate(X, device="cuda", **option)
    with pytest.raises(InvalidInputError, match="device must be"):
        dm.agglomerate(X, device="tpu", **option)
    with pytest.raises(InvalidInputError, match="terms requires device='cpu' or auto"):
        dm.agglomerate(X, device="cuda", terms=5)


def test_auto_brings_points_of_a_device_to_the_cpu(monkeypatch):
    class OnDevice:
        shape = POINTS["noise"].shape

        def __dlpack_device__(self):
            return 2, 0

        def cpu(self):
            return self

        def numpy(self):
            return POINTS["noise"]

    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(from_dlpack=lambda X: X))
    expected = dm.agglomerate(POINTS["noise"]).hierarchy
    assert dm.agglomerate(OnDevice(), device="auto").hierarchy == expected
    with pytest.raises(InvalidInputError, match="points must be"):
        dm.agglomerate(OnDevice(), device="cpu")


def test_tensors_that_record_gradients_are_points():
    class Recorded:
        requires_grad = True
        shape = POINTS["noise"].shape

        def __array__(self, **options):
            raise RuntimeError("Can't call numpy() on Tensor that requires grad.")

        def detach(self):
            return POINTS["noise"]

    expected = dm.agglomerate(POINTS["noise"]).hierarchy
    assert dm.agglomerate(Recorded(), device="auto").hierarchy == expected
    assert built(Recorded(), "ward").hierarchy == built(POINTS["noise"], "ward").hierarchy


def test_float64_kernels_add_and_multiply_in_two_roundings():
    """A product and a sum in one rounding have other bits than the plain code; searches by bounds may have them."""
    sources = [file.read_text() for file in Path(build.__file__).with_name("triton").glob("*.py")]
    launches = [node for source in sources for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    fused = {
        node.func.value.attr: any(word.arg == "enable_fp_fusion" and not word.value.value for word in node.keywords)
        for node in launches
        if isinstance(node.func, ast.Subscript)
    }
    assert len(fused) == 16
    assert {name for name, apart in fused.items() if not apart} == {"scan_products", "choose_blocks", "finish_table"}


def test_auto_does_not_decide_ties():
    assert built(np.arange(12.0)[:, None], "ward", alone=False) is None
    twice = np.repeat(np.random.default_rng(6).normal(size=(5, 2)), 3, axis=0)
    assert built(twice, "ward", alone=False) is not None


@pytest.mark.parametrize(
    ("linkage", "metric"),
    [("ward", "euclidean"), ("average", "sqeuclidean"), ("average", "cosine"), ("single", "euclidean")],
)
def test_auto_gives_the_bits_of_the_cpu_with_equal_points(linkage, metric):
    X = np.tile(np.random.default_rng(6).normal(size=(300, 4)), (4, 1))
    ours, theirs = built(X, linkage, metric, alone=False), dm.agglomerate(X, linkage=linkage, metric=metric)
    assert ours.report.ties > 0
    np.testing.assert_array_equal(ours.hierarchy.parent, theirs.hierarchy.parent)
    np.testing.assert_array_equal(ours.hierarchy.height, theirs.hierarchy.height)


def test_auto_leaves_chains_to_the_cpu():
    chain = 1.003 ** np.arange(1500.0)[:, None]
    assert built(chain, "ward") is not None
    assert built(chain, "ward", alone=False) is None  # the greedy algorithm ends them, in another order of sums


def test_points_too_near_for_their_distances_are_named():
    with pytest.raises(InvalidInputError, match=r"items 0 and 1, which differ by 1e-160, underflows .* up to 1:"):
        built(np.array([[0.0], [1e-160], [1.0]]), "ward")


class _Wide(Plain):
    """A search that finds more clusters than a list holds, as fused kernels do."""

    def search(self, slots, active, group, columns, wanted):
        delta = squared_differences(np, columns.centroid[slots][:, None], columns.centroid[active][None])
        value = distances(
            np,
            delta,
            (columns.size[slots][:, None], columns.size[active]),
            columns.spread[slots][:, None] + columns.spread[active],
            wanted,
        )
        value[group[slots][:, None] == group[active]] = np.inf
        value = np.concatenate([value, np.full((slots.size, 17), np.inf)], axis=1)
        order = np.argsort(value, axis=1, kind="stable")
        value = np.take_along_axis(value, order, axis=1)
        near = np.concatenate([active, np.full(17, -1)])[order[:, :16]]
        return Rows(np.where(value[:, :16] < np.inf, near, -1), value[:, 16])

    search_exactly = search


@pytest.mark.parametrize(
    ("linkage", "metric"), [("single", "euclidean"), ("ward", "euclidean"), ("average", "sqeuclidean")]
)
def test_what_a_search_finds_beyond_its_lists_is_not_forgotten(linkage, metric):
    rng = np.random.default_rng(8)
    angle = np.linspace(0, np.pi, 32)
    x = np.concatenate([np.zeros(12), [-0.9, -1.4], np.arange(1, 2.5, 0.25), 2.5 * np.cos(angle)])
    y = np.concatenate([np.zeros(20), 2.5 * np.sin(angle)])
    X = np.stack([x, y], axis=1) + 1e-3 * rng.normal(size=(52, 2))  # 12 points whose lists are full without (1, 0)
    backend = numpy_backend()
    backend = backend._replace(searches=_Wide(backend.xp))
    tree = build_on_device(X, DeviceRequest(linkage, LINKAGES[linkage], metric, None, False), backend)
    ours, theirs = dm.to_linkage(tree.hierarchy), scipy_linkage(X, linkage, metric)
    np.testing.assert_allclose(ours[:, 2], theirs[:, 2], rtol=1e-10)
    np.testing.assert_array_equal(ours[:, :2], np.sort(theirs[:, :2]))


@pytest.mark.parametrize("linkage", ["complete", "average", "weighted"])
def test_the_head_start_makes_merges_of_the_tree_and_spares_a_part_of_the_matrix(linkage):
    X = np.random.default_rng(3).normal(size=(700, 4))
    backend = numpy_backend()
    ready = prepare_device_points(gpu_points(X, backend), "euclidean", backend)
    start = gpu_list_reciprocal(ready, linkage, backend, lambda count: None)
    left = start.size.size
    assert left < 0.5 * X.shape[0]
    assert int(start.size.sum()) == X.shape[0]
    assert sorted(start.member[start.member >= 0].tolist()) == list(range(X.shape[0]))
    heights = scipy_linkage(X, linkage)[:, 2]
    made = np.sort(np.concatenate([part[2] for part in start.parts])) * 2.0**ready.exponent
    assert made.size == X.shape[0] - left
    at = np.searchsorted(heights, made * (1 - 1e-12))
    np.testing.assert_allclose(made, heights[at], rtol=1e-12)


def test_a_matrix_that_does_not_fit_after_the_head_start_is_refused(monkeypatch):
    free = iter([1 << 40, 1 << 30])
    monkeypatch.setattr(build.Backend, "free_memory", lambda self: next(free))
    with pytest.raises(InvalidInputError, match=r"complete linkage of 301 points on euclidean needs 4\.\d GiB of dev"):
        built(POINTS["noise"], "complete")
